// The public face of elaboration: packages are loaded, modules evaluated on demand. What is
// nested deep is followed by recursion, on a stack that has room for it.
#include <algorithm>

#include "frontend/elaborate/evaluator.hpp"
#include "frontend/elaborate/module_codes.hpp"
#include "frontend/elaborate/module_elaboration.hpp"
#include "frontend/syntax/deep_stack.hpp"

namespace rhopsi::elaborate {

struct Workspace::State {
  State(term::Store& store, const term::ExternalTable& table, term::ConditionOracle& oracle,
        Options given)
      : options(std::move(given)),
        context{store, table, oracle, options, Places(store), nullptr},
        packages(context),
        evaluator(context) {}

  // The package of that name, or an error.
  PackageEntry* package(const std::string& name) {
    PackageEntry* found = packages.find(name);
    if (found == nullptr) {
      context.error(codes::unknown_package, {}, "package " + in_quotes(name) + " is not loaded");
    }
    return found;
  }

  void check(PackageEntry& package);
  std::shared_ptr<const Module> module(const std::string& package, const std::string& name);
  std::optional<schedule::Recipe> schedule(PackageEntry& package, const syntax::ModuleDecl& program,
                                           const std::string& name);

  Options options;
  ModuleContext context;
  Packages packages;
  Evaluator evaluator;
  std::vector<SatisfactionResult> satisfactions;
};

namespace {

// Diagnostics go to the caller for the time of one call.
class Reporting {
 public:
  Reporting(ModuleContext& context, syntax::Diagnostics& diagnostics) : context_(context) {
    context.diagnostics = &diagnostics;
  }
  ~Reporting() { context_.diagnostics = nullptr; }
  Reporting(const Reporting&) = delete;
  Reporting& operator=(const Reporting&) = delete;

 private:
  ModuleContext& context_;
};

std::vector<const syntax::ModuleDecl*> modules_of(const PackageEntry& package) {
  std::vector<const syntax::ModuleDecl*> modules;
  for (const syntax::TopDecl& declaration : package.tree.declarations) {
    const auto* module = std::get_if<syntax::ModuleDecl>(&declaration);
    // A second declaration of a name is an error already.
    if (module != nullptr && package.find(module->name.text) == &declaration) {
      modules.push_back(module);
    }
  }
  return modules;
}

}  // namespace

Workspace::Workspace(term::Store& store, const term::ExternalTable& table,
                     term::ConditionOracle& oracle, Options options)
    : state_(std::make_unique<State>(store, table, oracle, std::move(options))) {}

Workspace::~Workspace() = default;

std::optional<std::string> Workspace::load(const std::string& path,
                                           syntax::Diagnostics& diagnostics) {
  const Reporting reporting(state_->context, diagnostics);
  const PackageEntry* package = nullptr;
  syntax::run_on_deep_stack([&] { package = state_->packages.load(path); });
  if (package == nullptr) return std::nullopt;
  return package->name();
}

void Workspace::State::check(PackageEntry& package) {
  for (const syntax::TopDecl& declaration : package.tree.declarations) {
    if (package.find(declared_name(declaration).text) != &declaration) continue;
    if (const auto* module = std::get_if<syntax::ModuleDecl>(&declaration)) {
      evaluator.declared(package, *module, module->name.span);
    } else if (const auto* renaming = std::get_if<syntax::RenamingDecl>(&declaration)) {
      evaluator.check(package, *renaming);
    } else if (const auto* schedule = std::get_if<syntax::ScheduleDecl>(&declaration)) {
      evaluator.check(package, *schedule);
    } else {
      const auto& satisfaction = std::get<syntax::SatisfactionDecl>(declaration);
      const auto holds = evaluator.satisfies(package, satisfaction);
      if (!holds) continue;
      const std::string name = package.name() + "." + satisfaction.name.text;
      std::erase_if(satisfactions,
                    [&](const SatisfactionResult& each) { return each.name == name; });
      satisfactions.push_back({name, *holds});
    }
  }
}

void Workspace::check(const std::string& name, syntax::Diagnostics& diagnostics) {
  const Reporting reporting(state_->context, diagnostics);
  PackageEntry* package = state_->package(name);
  if (package == nullptr) return;
  syntax::run_on_deep_stack([&] { state_->check(*package); });
}

std::vector<std::pair<std::string, term::ModuleKind>> Workspace::modules(
    const std::string& package) const {
  std::vector<std::pair<std::string, term::ModuleKind>> modules;
  if (const PackageEntry* entry = state_->packages.find(package)) {
    for (const syntax::ModuleDecl* module : modules_of(*entry)) {
      modules.emplace_back(module->name.text, module_kind(module->kind));
    }
  }
  return modules;
}

bool Workspace::imports(const std::string& package, const std::string& other) const {
  std::vector<const PackageEntry*> reached;
  if (const PackageEntry* entry = state_->packages.find(package)) reached.push_back(entry);
  for (std::size_t k = 0; k < reached.size(); ++k) {
    if (reached[k]->name() == other) return true;
    for (const PackageEntry* next : reached[k]->imports) {
      if (std::ranges::find(reached, next) == reached.end()) reached.push_back(next);
    }
  }
  return false;
}

std::vector<std::string> Workspace::files() const { return state_->packages.files(); }

std::string Workspace::root(const std::string& package) const {
  const PackageEntry* entry = state_->packages.find(package);
  return entry == nullptr ? std::string{} : entry->root;
}

// `a.b.NAME` need not be imported: it is as if the program's package did.
std::optional<schedule::Recipe> Workspace::State::schedule(PackageEntry& package,
                                                           const syntax::ModuleDecl& program,
                                                           const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return evaluator.recipe_for(package, package, {name, {}}, program);
  PackageEntry* owner = packages.reach(package, {name.substr(0, dot), {}});
  if (owner == nullptr) return std::nullopt;
  return evaluator.recipe_for(*owner, package, {name, {}}, program);
}

std::shared_ptr<const Module> Workspace::State::module(const std::string& package,
                                                       const std::string& name) {
  PackageEntry* entry = this->package(package);
  if (entry == nullptr) return nullptr;
  const syntax::TopDecl* found = entry->find(name);
  const auto* declaration = found == nullptr ? nullptr : std::get_if<syntax::ModuleDecl>(found);
  if (declaration == nullptr) {
    std::vector<std::string> names;
    for (const syntax::ModuleDecl* each : modules_of(*entry)) names.push_back(each->name.text);
    context.error(codes::unknown_module, {},
                  "package " + in_quotes(package) + " has no module " + in_quotes(name) +
                      did_you_mean(name, names),
                  names.empty() ? "it declares no modules" : "its modules are " + listed(names));
    return nullptr;
  }
  std::shared_ptr<const Module> value;
  syntax::run_on_deep_stack(
      [&] { value = evaluator.declared(*entry, *declaration, declaration->name.span); });
  return value;
}

std::shared_ptr<const term::Theory> Workspace::evaluate(const std::string& package,
                                                        const std::string& module,
                                                        syntax::Diagnostics& diagnostics) {
  const Reporting reporting(state_->context, diagnostics);
  const auto value = state_->module(package, module);
  if (!value) return nullptr;
  return {value, &value->theory};
}

std::optional<schedule::Recipe> Workspace::schedule(const std::string& package,
                                                    const std::string& program,
                                                    const std::string& name,
                                                    syntax::Diagnostics& diagnostics) {
  const Reporting reporting(state_->context, diagnostics);
  PackageEntry* entry = state_->package(package);
  const syntax::TopDecl* found = entry == nullptr ? nullptr : entry->find(program);
  const auto* declaration = found == nullptr ? nullptr : std::get_if<syntax::ModuleDecl>(found);
  if (declaration == nullptr) return std::nullopt;
  std::optional<schedule::Recipe> recipe;
  syntax::run_on_deep_stack([&] { recipe = state_->schedule(*entry, *declaration, name); });
  return recipe;
}

std::vector<VariadicAxiom> Workspace::variadic_axioms(const std::string& package,
                                                      const std::string& module,
                                                      syntax::Diagnostics& diagnostics) {
  const Reporting reporting(state_->context, diagnostics);
  std::vector<VariadicAxiom> found;
  const auto value = state_->module(package, module);
  if (!value) return found;
  for (const Template& each : value->templates) {
    if (!each.axiom()) continue;
    found.push_back({each.name(), state_->context.places.mark(each.declaration->name.span)});
  }
  return found;
}

std::shared_ptr<const term::Theory> Workspace::combine(const std::string& name,
                                                       const std::vector<ModuleReference>& modules,
                                                       syntax::Diagnostics& diagnostics) {
  const Reporting reporting(state_->context, diagnostics);
  PackageEntry user;  // of a package that is in no file
  user.tree.name.text = name;
  syntax::ModuleBody body;
  for (const ModuleReference& each : modules) {
    PackageEntry* owner = state_->package(each.package);
    if (owner == nullptr) return nullptr;
    if (std::ranges::find(user.imports, owner) == user.imports.end()) user.imports.push_back(owner);
    const syntax::TopDecl* declaration = owner->find(each.module);
    const syntax::Span span =
        declaration == nullptr ? syntax::Span{} : declared_name(*declaration).span;
    auto used = std::make_shared<syntax::ModuleExpr>();
    used->node = syntax::ModuleName{{each.package + "." + each.module, span}};
    used->span = span;
    body.items.emplace_back(syntax::UseDecl{used, false, span});
  }
  const Frame frame{user, term::ModuleKind::concept_, name, true};
  std::optional<Module> value;
  syntax::run_on_deep_stack(
      [&] { value = evaluate_body(state_->context, state_->evaluator, body, frame); });
  if (!value) return nullptr;
  const auto module = std::make_shared<const Module>(std::move(*value));
  return {module, &module->theory};
}

std::vector<SatisfactionSides> Workspace::satisfaction_sides(const std::string& name,
                                                             syntax::Diagnostics& diagnostics) {
  const Reporting reporting(state_->context, diagnostics);
  std::vector<SatisfactionSides> found;
  PackageEntry* package = state_->package(name);
  if (package == nullptr) return found;
  syntax::run_on_deep_stack([&] {
    for (const syntax::TopDecl& declaration : package->tree.declarations) {
      const auto* satisfaction = std::get_if<syntax::SatisfactionDecl>(&declaration);
      if (satisfaction == nullptr) continue;
      if (state_->evaluator.satisfies(*package, *satisfaction) != true) continue;
      auto sides = state_->evaluator.sides(*package, *satisfaction);
      auto specification = instantiate_for(state_->context, sides->second, sides->first.theory);
      if (!specification) continue;
      found.push_back(
          {satisfaction->name.text, std::move(sides->first.theory), std::move(*specification)});
    }
  });
  return found;
}

const std::vector<SatisfactionResult>& Workspace::satisfactions() const {
  return state_->satisfactions;
}

}  // namespace rhopsi::elaborate
