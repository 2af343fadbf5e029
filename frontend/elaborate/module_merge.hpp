// Several declarations of one thing become one.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/elaborate/module.hpp"

namespace rhopsi::elaborate {

// Adds declarations to one module. What is declared twice is merged: abstract with
// concrete gives concrete, guards are conjoined, literals of types united; what
// cannot be merged is an error that names both places. While a merger lives, only
// it may add to its module.
//
// Each addition takes time logarithmic in the module's size, besides comparing
// bodies where both declarations have one.
class Merger {
 public:
  Merger(const ModuleContext& context, Module& module);

  bool add(const term::Type& type);
  bool add(const term::Callable& callable);
  bool add(const term::Axiom& axiom);
  void add(const Pack& pack);
  void add(const Template& declaration);
  // All of another module's declarations and its derivations. `site` is where the
  // other module is used; it is shown with a conflict.
  bool add(const Module& other, const syntax::Span& site);

  // From here on axioms of one name and the same parameters that are about different operations are
  // two; else they are an error.
  void tell_axioms_apart() { apart_ = true; }

  // The type or pack of that name.
  std::optional<term::SortId> sort(const std::string& name) const;
  bool has_pack(const std::string& name) const;
  // The declaration with the symbol's name, parameters and result.
  term::Callable* find(term::SymbolId symbol);

 private:
  term::SymbolId identity(term::SymbolId symbol) const;
  bool same_definition(const term::Callable& left, const term::Callable& right) const;
  void combine(term::Callable& present, const term::Callable& incoming);
  std::optional<term::TermId> conjoin(const term::Callable& target, const term::Callable& left,
                                      const term::Callable& right) const;
  bool check_requirements(const std::string& what,
                          const std::optional<term::ExternalBinding>& present,
                          const std::optional<term::ExternalBinding>& incoming,
                          term::LocationId here, term::LocationId there) const;
  bool check_templates(const std::vector<Template>& incoming) const;
  bool same_axiom(const term::Axiom& left, const term::Axiom& right) const;
  std::set<term::SymbolId> described(const term::Axiom& axiom) const;
  bool about_others(const term::Axiom& left, const term::Axiom& right) const;
  void conflict(const char* code, std::string message, std::string note, term::LocationId incoming,
                term::LocationId present) const;

  const ModuleContext& context_;
  Module& module_;
  syntax::Span site_;
  std::map<std::string, std::size_t> types_;
  std::unordered_map<term::SymbolId, std::size_t> callables_;
  std::multimap<std::string, std::size_t> axioms_;
  std::set<std::string> templates_;
  bool apart_ = false;
};

}  // namespace rhopsi::elaborate
