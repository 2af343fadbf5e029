// Packages to theories and programs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/rewrite/rewriter.hpp"
#include "engine/schedule/recipe.hpp"
#include "engine/term/external.hpp"
#include "engine/term/oracle.hpp"
#include "engine/term/theory.hpp"
#include "frontend/syntax/ast.hpp"

namespace rhopsi::elaborate {

struct Options {
  // Folders searched for imported packages after the importing package's own root,
  // in order (-I, RHOPSI_PATH, the installed library).
  std::vector<std::string> search_path;
  rewrite::Limits limits;
  bool record_steps = true;  // keep the steps of derivations
  // Which modules that are not used declare an operation of that name, as a part of a sentence;
  // empty where none is known. For the advice on a name that is not declared; may be empty.
  std::function<std::string(const std::string& name)> where_declared = {};
};

// A module of a package that was loaded.
struct ModuleReference {
  std::string package;
  std::string module;
};

struct SatisfactionResult {
  std::string name;
  bool holds_by_signature = false;
};

// A satisfaction whose model declares what the specification asks for. The axioms are another
// question.
struct SatisfactionSides {
  std::string name;
  term::Theory model;          // with what it is taken with
  term::Theory specification;  // with instances of its variadic axioms for the model's operations
};

// An axiom with any number of parameters, of which theories have instances alone.
struct VariadicAxiom {
  std::string name;
  term::LocationId location{};
};

// Everything that was elaborated from one root file and what it imports. Modules are
// evaluated on demand and kept; evaluating a `rewrite` runs it.
class Workspace {
 public:
  // `table` and `oracle` must outlive the workspace.
  Workspace(term::Store& store, const term::ExternalTable& table, term::ConditionOracle& oracle,
            Options options);
  ~Workspace();

  // Reads the file and, through its imports, every package it needs; cycles, missing
  // files (with the list of folders searched), wrong package names and unreadable
  // files are diagnostics. Returns the package's name if it could be parsed.
  std::optional<std::string> load(const std::string& path, syntax::Diagnostics& diagnostics);

  // Evaluates every module, renaming and satisfaction of the package.
  void check(const std::string& package, syntax::Diagnostics& diagnostics);

  // Every file that has been read, by its absolute path, in alphabetical order.
  std::vector<std::string> files() const;

  // Names of the modules of a package, in order, with their kinds.
  std::vector<std::pair<std::string, term::ModuleKind>> modules(const std::string& package) const;
  // Does the package import the other one, directly or through others? It imports itself.
  bool imports(const std::string& package, const std::string& other) const;
  // The package's search root: its path less its name.
  std::string root(const std::string& package) const;

  // The theory of a module; null after an error (which is in `diagnostics`). A name
  // that does not exist is an error that lists the package's modules and the nearest.
  std::shared_ptr<const term::Theory> evaluate(const std::string& package,
                                               const std::string& module,
                                               syntax::Diagnostics& diagnostics);

  // The recipe that `name` stands for to a program of the package, which has a theory: `auto`, or a
  // schedule of the package, of what it imports, or of any other by its qualified name. Nothing
  // after an error.
  std::optional<schedule::Recipe> schedule(const std::string& package, const std::string& program,
                                           const std::string& name,
                                           syntax::Diagnostics& diagnostics);

  // The variadic axioms of a module, in order; none after an error.
  std::vector<VariadicAxiom> variadic_axioms(const std::string& package, const std::string& module,
                                             syntax::Diagnostics& diagnostics);

  // The theory of a concept, called `name`, that uses all of these modules; null after an
  // error, which is shown where the module that brings it is declared. Axioms that share no more
  // than their names, because they are about different operations, are both kept.
  std::shared_ptr<const term::Theory> combine(const std::string& name,
                                              const std::vector<ModuleReference>& modules,
                                              syntax::Diagnostics& diagnostics);

  const std::vector<SatisfactionResult>& satisfactions() const;
  // The satisfactions of the package that hold by signature.
  std::vector<SatisfactionSides> satisfaction_sides(const std::string& package,
                                                    syntax::Diagnostics& diagnostics);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// How a theory's externals read to a decider: bindings through the table, builtin
// predicates, and nullary functions with literal bodies as definitions.
term::Interpretation interpretation_of(const term::Store& store, const term::Theory& theory,
                                       const term::ExternalTable& table);

}  // namespace rhopsi::elaborate
