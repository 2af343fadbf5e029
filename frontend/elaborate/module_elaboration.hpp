// Signatures, guards and bodies of one module's callables, and instances of its
// variadic ones.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/elaborate/body.hpp"
#include "frontend/elaborate/module.hpp"
#include "frontend/elaborate/module_merge.hpp"

namespace rhopsi::elaborate {

// The sorts that a pack stands for in one instance.
using PackSorts = std::vector<term::SortId>;

// Works on one module, which must outlive it and is changed only through it. First
// every signature is declared, then `finish` elaborates guards and bodies against
// all of them, so that the order of declarations does not matter.
class Elaboration {
 public:
  Elaboration(ModuleContext& context, Module& module);

  Merger& merger() { return merger_; }

  // Declares a callable or axiom; a variadic one is kept as a template. `declaration`
  // must live until `finish` (templates keep their own copy).
  bool declare(const syntax::CallableDecl& declaration, const std::string& origin);

  // The sorts that the template's pack takes if `symbol` is an instance of it: same
  // kind and name, fixed parameters, result and modes agree, and a pack that is an
  // ordinary type by now takes that type only.
  std::optional<PackSorts> match(const Template& variadic, const term::Symbol& symbol) const;

  // Adds the instance for these sorts; of an external block, all that is declared over
  // the same pack. The symbol of the callable; nothing for axioms and after an error.
  std::optional<term::SymbolId> instantiate(const Template& variadic, const PackSorts& sorts);

  // Members of a pack of these sorts are called as these parameters are, wherever that
  // collides with no name of the instance's own. The first call for a pack counts.
  void name_pack(const PackSorts& sorts, const Template& variadic,
                 const std::vector<term::SymbolId>& parameters);

  // Notes that a declaration was refused: the module has failed, and what calls it is
  // not blamed for that.
  void refuse(const syntax::CallableDecl& declaration);

  // Guards and bodies of everything declared and instantiated; abstract callables are
  // given to the variadic definitions that they match. False after an error, then or
  // earlier.
  bool finish();

 private:
  struct Signature {
    std::optional<term::SymbolId> symbol;  // not for axioms
    Parameters parameters;
  };
  struct Work {
    const syntax::CallableDecl* declaration;
    Signature signature;
    std::string origin;
    bool instance = false;
  };

  std::optional<term::SortId> resolve(const syntax::TypeRef& type);
  bool check_template(const syntax::CallableDecl& declaration);
  bool check_parameters(const syntax::CallableDecl& declaration);
  std::optional<term::SortId> result_sort(const syntax::CallableDecl& declaration);
  std::optional<Signature> signature(const syntax::CallableDecl& declaration,
                                     const PackSorts* sorts);
  std::vector<std::string> member_names(const syntax::CallableDecl& declaration,
                                        const syntax::Parameter& pack,
                                        const PackSorts& sorts) const;
  std::optional<term::SortId> known_result(const syntax::CallableDecl& declaration) const;
  bool matches_arguments(const Template& variadic, const std::vector<term::SortId>& arguments,
                         PackSorts& sorts) const;

  std::optional<term::SymbolId> instantiate_one(const Template& variadic, const PackSorts& sorts,
                                                term::ExternalBlock* block);
  std::vector<term::SymbolId> instances(std::string_view name,
                                        const std::vector<term::SortId>& arguments);
  bool add_pending();
  bool bind_abstract();
  Scope& scope();

  void define(const Work& work);
  void define_callable(const Work& work, syntax::Diagnostics& diagnostics);
  void define_axiom(const Work& work, syntax::Diagnostics& diagnostics);

  ModuleContext& context_;
  Module& module_;
  Merger merger_;
  std::deque<Work> work_;
  std::optional<Scope> scope_;
  std::map<std::pair<const syntax::CallableDecl*, PackSorts>, std::optional<term::SymbolId>>
      instances_;
  std::map<PackSorts, std::vector<std::string>> pack_names_;
  // Instances made while a body is elaborated wait here: its scope refers to the theory.
  std::vector<term::Callable> pending_;
  std::set<std::string, std::less<>> refused_;
  std::size_t errors_ = 0;  // in guards and bodies
  bool failed_ = false;
  bool exhausted_ = false;  // too many instances: what follows from that is not reported
};

// Looks for unknown names in the variadic declarations of `module` that `origin` has
// made, by an instance of each for a pack of two. False where one was found.
bool check_names_of_templates(ModuleContext& context, const Module& module,
                              const std::string& origin);

// The theory of `rules` with an instance of its variadic axioms for every way in which
// one of its variadic functions matches a callable of `target`; nothing after an error.
std::optional<term::Theory> instantiate_for(ModuleContext& context, const Module& rules,
                                            const term::Theory& target);

}  // namespace rhopsi::elaborate
