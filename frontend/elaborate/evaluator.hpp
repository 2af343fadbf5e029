// Module expressions to modules.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/schedule/recipe.hpp"
#include "frontend/elaborate/module.hpp"
#include "frontend/elaborate/module_rename.hpp"
#include "frontend/elaborate/packages.hpp"

namespace rhopsi::elaborate {

// Where a module expression stands.
struct Frame {
  PackageEntry& package;
  term::ModuleKind kind;  // what a body `{ ... }` is here
  std::string origin;     // the module that is being defined, for messages
  // What it uses was not written for one another (Merger::tell_axioms_apart).
  bool independent = false;
};

// What a schedule says: its steps, each on one callable or on all, and the program that it is for.
struct ScheduleValue {
  schedule::Recipe recipe;
  std::string on;                               // as its head has it
  const syntax::ModuleDecl* program = nullptr;  // null: any
  PackageEntry* package = nullptr;              // of the program
};

// Evaluates modules on demand and keeps them. After an error nothing is returned; it
// is reported once, and what depends on the module fails without a message of its own.
class Evaluator {
 public:
  explicit Evaluator(ModuleContext& context) : context_(context) {}

  // The module of that declaration, which must be a ModuleDecl of the package.
  // `reference` is where it is asked for; a module in progress is an error there.
  std::shared_ptr<const Module> declared(PackageEntry& package, const syntax::ModuleDecl& module,
                                         const syntax::Span& reference);
  std::optional<Module> evaluate(const syntax::ModuleExpr& expression, const Frame& frame);
  // Resolves every name of a renaming declaration.
  bool check(PackageEntry& package, const syntax::RenamingDecl& renaming);
  // Resolves every name of a schedule, and of its program that it is on.
  bool check(PackageEntry& package, const syntax::ScheduleDecl& declaration);
  // The schedule of that name, as seen from a package, for a program of the same one or another.
  // Nothing after an error.
  std::optional<schedule::Recipe> recipe_for(PackageEntry& from, PackageEntry& package,
                                             const syntax::Name& name,
                                             const syntax::ModuleDecl& program);
  // Does the model declare what the specification asks for? Nothing where either side
  // has an error.
  std::optional<bool> satisfies(PackageEntry& package, const syntax::SatisfactionDecl& declaration);
  // The model, with what it is taken with, and the specification.
  std::optional<std::pair<Module, Module>> sides(PackageEntry& package,
                                                 const syntax::SatisfactionDecl& declaration);

 private:
  struct Found {
    PackageEntry* package = nullptr;
    const syntax::TopDecl* declaration = nullptr;
  };
  // One pair of a renaming block; `at` is its place in the block that is applied.
  struct Renaming {
    syntax::Name source;
    syntax::Name target;
    syntax::Span at;
  };

  // --- names
  std::optional<Found> find(PackageEntry& package, const syntax::Name& name,
                            const std::string& wanted);
  std::optional<Found> find_qualified(PackageEntry& package, const syntax::Name& name,
                                      const std::string& wanted);
  void report_unknown(const PackageEntry& package, const syntax::Name& name,
                      const std::string& wanted) const;
  void report_running(const PackageEntry& package, const syntax::ModuleDecl& module,
                      const syntax::Span& reference) const;

  // --- module expressions
  bool check_depth(const syntax::Span& span) const;
  std::optional<Module> evaluate_node(const syntax::ModuleBody& body, const Frame& frame,
                                      const syntax::Span& span);
  std::optional<Module> evaluate_node(const syntax::ModuleName& name, const Frame& frame,
                                      const syntax::Span& span);
  std::optional<Module> evaluate_node(const syntax::SignatureOf& signature, const Frame& frame,
                                      const syntax::Span& span);
  std::optional<Module> evaluate_node(const syntax::Rewrite& rewriting, const Frame& frame,
                                      const syntax::Span& span);
  std::optional<Module> evaluate_node(const syntax::Implement& implementing, const Frame& frame,
                                      const syntax::Span& span);
  std::optional<Module> evaluate_node(const syntax::External& external, const Frame& frame,
                                      const syntax::Span& span);
  std::shared_ptr<const Module> evaluate_declaration(PackageEntry& package,
                                                     const syntax::ModuleDecl& module);

  // --- renaming
  std::optional<Module> apply(const Module& module, const syntax::RenamingBlock& block,
                              const Frame& frame);
  bool expand(PackageEntry& package, const syntax::RenamingBlock& block,
              const std::optional<syntax::Span>& at, std::vector<Renaming>& out);
  std::optional<NameMap> name_map(const Module& module, const syntax::RenamingBlock& block,
                                  const std::vector<Renaming>& renamings) const;

  // --- schedules
  std::optional<ScheduleValue> schedule(PackageEntry& package,
                                        const syntax::ScheduleDecl& declaration,
                                        const syntax::Span& reference);
  std::optional<ScheduleValue> evaluate_schedule(PackageEntry& package,
                                                 const syntax::ScheduleDecl& declaration);
  std::optional<schedule::RecipeStep> step_of(const syntax::ScheduleItem& item) const;
  bool add_step(schedule::Recipe& recipe, schedule::RecipeStep step, const syntax::Span& place);
  bool use_schedule(PackageEntry& package, const syntax::ScheduleItem& item, ScheduleValue& into);
  bool check_callables(const ScheduleValue& schedule, const term::Theory& program) const;

  // --- transformations
  struct Sides {
    Module target;
    Module rules;
    term::Theory instances;  // the rules, with their variadic axioms instantiated
  };
  std::optional<Sides> evaluate_sides(const syntax::ModuleExpr& target,
                                      const syntax::ModuleExpr& rules, const Frame& frame);
  bool check_rules(const term::RuleSet& rules, const syntax::ModuleExpr& module);

  ModuleContext& context_;
  struct Running {
    const PackageEntry* package;
    const syntax::ModuleDecl* module;
  };
  std::vector<Running> running_;
  std::vector<const syntax::RenamingDecl*> expanding_;
  struct KnownSchedule {
    bool running = false;
    std::optional<ScheduleValue> value;  // nothing after an error
  };
  std::map<const syntax::ScheduleDecl*, KnownSchedule> schedules_;
  std::size_t schedule_depth_ = 0;
};

// The body `{ ... }` of a module, given the modules that it uses.
std::optional<Module> evaluate_body(ModuleContext& context, Evaluator& evaluator,
                                    const syntax::ModuleBody& body, const Frame& frame);
// `external BACKEND path M`, given M.
std::optional<Module> externalise(ModuleContext& context, Module module,
                                  const syntax::External& external, const syntax::Span& span);

}  // namespace rhopsi::elaborate
