// Instances of variadic declarations.
#include <algorithm>
#include <utility>

#include "engine/term/operations.hpp"
#include "frontend/elaborate/body_codes.hpp"
#include "frontend/elaborate/module_codes.hpp"
#include "frontend/elaborate/module_elaboration.hpp"
#include "frontend/syntax/children.hpp"

namespace rhopsi::elaborate {

namespace {

// A variadic function that calls itself with a longer pack would go on for ever.
constexpr std::size_t max_instances = 4096;
constexpr std::size_t max_pack = 256;

std::optional<term::SymbolKind> symbol_kind(const Template& variadic) {
  switch (variadic.declaration->kind) {
    case syntax::CallableKind::function:
      return term::SymbolKind::function;
    case syntax::CallableKind::predicate:
      return term::SymbolKind::predicate;
    case syntax::CallableKind::procedure:
      return term::SymbolKind::procedure;
    default:
      return std::nullopt;
  }
}

bool same_mode(const std::optional<syntax::Mode>& written, term::Mode mode) {
  switch (written.value_or(syntax::Mode::obs)) {
    case syntax::Mode::obs:
      return mode == term::Mode::obs;
    case syntax::Mode::upd:
      return mode == term::Mode::upd;
    case syntax::Mode::out:
      return mode == term::Mode::out;
  }
  return false;
}

// The names that a declaration introduces besides its pack: its other parameters and
// what its body declares.
std::set<std::string> own_names(const syntax::CallableDecl& declaration) {
  std::set<std::string> names;
  for (const syntax::Parameter& parameter : declaration.parameters) {
    names.insert(parameter.name.text);
  }
  std::vector<const syntax::Expr*> pending{declaration.guard.get(), declaration.body.get()};
  while (!pending.empty()) {
    const syntax::Expr* expression = pending.back();
    pending.pop_back();
    if (expression == nullptr) continue;
    std::visit(
        [&](const auto& node) {
          if constexpr (requires { node.variable.text; }) names.insert(node.variable.text);
          if constexpr (requires { node.name.text; }) names.insert(node.name.text);
        },
        expression->node);
    syntax::for_each_child(*expression,
                           [&](const syntax::ExprPtr& child) { pending.push_back(child.get()); });
  }
  return names;
}

}  // namespace

void Elaboration::name_pack(const PackSorts& sorts, const Template& variadic,
                            const std::vector<term::SymbolId>& parameters) {
  const std::size_t first = variadic.pack_index();
  if (parameters.size() < first + sorts.size()) return;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < sorts.size(); ++k) {
    names.push_back(context_.store[parameters[first + k]].name);
  }
  pack_names_.try_emplace(sorts, std::move(names));
}

std::vector<std::string> Elaboration::member_names(const syntax::CallableDecl& declaration,
                                                   const syntax::Parameter& pack,
                                                   const PackSorts& sorts) const {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < sorts.size(); ++k) {
    names.push_back(pack.name.text + std::to_string(k + 1));
  }
  const auto wanted = pack_names_.find(sorts);
  if (wanted == pack_names_.end()) return names;
  std::set<std::string> taken = own_names(declaration);
  for (std::size_t k = 0; k < sorts.size(); ++k) {
    if (taken.insert(wanted->second[k]).second) names[k] = wanted->second[k];
  }
  return names;
}

std::optional<term::SortId> Elaboration::known_result(
    const syntax::CallableDecl& declaration) const {
  switch (declaration.kind) {
    case syntax::CallableKind::function:
      return declaration.result ? merger_.sort(declaration.result->name.text) : std::nullopt;
    case syntax::CallableKind::predicate:
      return context_.store.predicate_sort();
    default:
      return context_.store.statement_sort();
  }
}

bool Elaboration::matches_arguments(const Template& variadic,
                                    const std::vector<term::SortId>& arguments,
                                    PackSorts& sorts) const {
  const auto& parameters = variadic.declaration->parameters;
  const std::size_t before = variadic.pack_index();
  const std::size_t fixed = parameters.size() - 1;
  if (arguments.size() < fixed) return false;
  const std::size_t length = arguments.size() - fixed;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i == before) continue;
    const std::size_t place = i < before ? i : i + length - 1;
    if (merger_.sort(parameters[i].type.name.text) != arguments[place]) return false;
  }
  const auto first = arguments.begin() + static_cast<std::ptrdiff_t>(before);
  sorts.assign(first, first + static_cast<std::ptrdiff_t>(length));
  const auto only = merger_.sort(variadic.pack());
  return !only || std::ranges::all_of(sorts, [&](term::SortId sort) { return sort == *only; });
}

std::optional<PackSorts> Elaboration::match(const Template& variadic,
                                            const term::Symbol& symbol) const {
  if (symbol_kind(variadic) != symbol.kind || variadic.name() != symbol.name) return std::nullopt;
  PackSorts sorts;
  if (!matches_arguments(variadic, symbol.parameters, sorts)) return std::nullopt;
  if (known_result(*variadic.declaration) != symbol.result) return std::nullopt;
  const auto& parameters = variadic.declaration->parameters;
  const std::size_t before = variadic.pack_index();
  for (std::size_t i = 0; i < symbol.modes.size(); ++i) {
    const std::size_t written = i < before                  ? i
                                : i < before + sorts.size() ? before
                                                            : i - sorts.size() + 1;
    if (!same_mode(parameters[written].mode, symbol.modes[i])) return std::nullopt;
  }
  return sorts;
}

std::optional<term::SymbolId> Elaboration::instantiate_one(const Template& variadic,
                                                           const PackSorts& sorts,
                                                           term::ExternalBlock* block) {
  const auto [place, inserted] = instances_.try_emplace({variadic.declaration.get(), sorts});
  if (!inserted) return place->second;
  if (instances_.size() > max_instances || sorts.size() > max_pack) {
    context_.error(codes::too_many_instances, variadic.declaration->name.span,
                   "variadic " + in_quotes(variadic.name()) + " is needed for ever more arguments",
                   "does it call itself with a longer list?");
    failed_ = true;
    exhausted_ = true;
    return std::nullopt;
  }
  auto made = signature(*variadic.declaration, &sorts);
  if (!made) {
    failed_ = true;
    return std::nullopt;
  }
  place->second = made->symbol;
  if (made->symbol) {
    term::Callable callable{};
    callable.symbol = *made->symbol;
    callable.parameters = made->parameters.variables;
    callable.required = variadic.declaration->required;
    callable.location = context_.places.mark(variadic.declaration->name.span);
    callable.origin = variadic.origin;
    if (block != nullptr) {
      block->operations.push_back(
          {variadic.external->original, *made->symbol, variadic.declaration->required});
    }
    pending_.push_back(std::move(callable));
  }
  const auto result = made->symbol;
  work_.push_back({variadic.declaration.get(), std::move(*made), variadic.origin, true});
  return result;
}

std::optional<term::SymbolId> Elaboration::instantiate(const Template& variadic,
                                                       const PackSorts& sorts) {
  if (!variadic.external) return instantiate_one(variadic, sorts, nullptr);
  if (const auto known = instances_.find({variadic.declaration.get(), sorts});
      known != instances_.end()) {
    return known->second;
  }
  // What the block declares over the same pack belongs together: its functors have to
  // fit the operations that call them.
  const auto block = std::make_shared<term::ExternalBlock>(*variadic.external->block);
  std::optional<term::SymbolId> result;
  for (const Template& each : module_.templates) {
    if (!each.external || each.axiom() || each.external->block != variadic.external->block ||
        each.pack() != variadic.pack()) {
      continue;
    }
    const std::size_t before = pending_.size();
    const auto symbol = instantiate_one(each, sorts, block.get());
    if (each.declaration == variadic.declaration) result = symbol;
    if (each.bound() && pending_.size() > before) {
      pending_.back().external = term::ExternalBinding{block, each.external->original};
    }
  }
  for (const term::Callable& callable : pending_) {
    if (!callable.external || callable.external->block != block) continue;
    const auto problem = context_.table.problem_with_operation(
        context_.store, *block, callable.external->original, callable.symbol);
    if (!problem) continue;
    context_.error(codes::external_operation, variadic.declaration->name.span, *problem,
                   "needed as " + to_string(context_.store, callable.symbol));
    failed_ = true;
  }
  return result;
}

std::vector<term::SymbolId> Elaboration::instances(std::string_view name,
                                                   const std::vector<term::SortId>& arguments) {
  std::vector<term::SymbolId> found;
  for (std::size_t i = 0; i < module_.templates.size(); ++i) {
    const Template variadic = module_.templates[i];
    if (variadic.axiom() || variadic.name() != name) continue;
    PackSorts sorts;
    if (!matches_arguments(variadic, arguments, sorts)) continue;
    const auto symbol = instantiate(variadic, sorts);
    if (symbol && std::ranges::find(found, *symbol) == found.end()) found.push_back(*symbol);
  }
  return found;
}

bool Elaboration::add_pending() {
  if (pending_.empty()) return true;
  bool good = true;
  for (const term::Callable& callable : pending_) good = merger_.add(callable) && good;
  pending_.clear();
  scope_.reset();
  return good;
}

// An abstract callable that a variadic definition matches is an instance of it.
bool Elaboration::bind_abstract() {
  const std::size_t before = instances_.size();
  for (std::size_t i = 0; i < module_.templates.size(); ++i) {
    const Template variadic = module_.templates[i];
    if (!variadic.concrete() || variadic.axiom()) continue;
    for (const term::Callable& callable : module_.theory.callables) {
      if (callable.concrete()) continue;
      const auto sorts = match(variadic, context_.store[callable.symbol]);
      if (!sorts) continue;
      name_pack(*sorts, variadic, callable.parameters);
      instantiate(variadic, *sorts);
    }
    if (!add_pending()) failed_ = true;
  }
  return instances_.size() > before || !work_.empty();
}

namespace {

using Bindings = std::set<std::pair<std::string, PackSorts>>;

Bindings bindings_of(const ModuleContext& context, Elaboration& elaboration, const Module& rules,
                     const term::Theory& target) {
  Bindings bindings;
  for (const Template& variadic : rules.templates) {
    if (variadic.axiom()) continue;
    for (const term::Callable& callable : target.callables) {
      const auto sorts = elaboration.match(variadic, context.store[callable.symbol]);
      if (!sorts) continue;
      elaboration.name_pack(*sorts, variadic, callable.parameters);
      bindings.emplace(variadic.pack(), *sorts);
    }
  }
  return bindings;
}

}  // namespace

bool check_names_of_templates(ModuleContext& context, const Module& module,
                              const std::string& origin) {
  const auto own = [&](const Template& each) {
    return each.origin == origin && (each.declaration->body || each.declaration->guard);
  };
  if (std::ranges::none_of(module.templates, own)) return true;
  Module trial = module;
  syntax::Diagnostics found;
  syntax::Diagnostics* const outer = std::exchange(context.diagnostics, &found);
  {
    Elaboration elaboration(context, trial);
    const auto sample = [&](const std::string& pack) {
      PackSorts sorts;
      for (const char* suffix : {"...1", "...2"}) {
        const auto only = elaboration.merger().sort(pack);
        term::Type type{};
        type.sort = only ? *only : context.store.sort(pack + suffix);
        if (!only) elaboration.merger().add(type);
        sorts.push_back(type.sort);
      }
      return sorts;
    };
    std::map<std::string, PackSorts> packs;
    for (const Pack& pack : module.packs) packs.emplace(pack.name, sample(pack.name));
    for (const Template& each : module.templates) {
      if (!packs.contains(each.pack())) packs.emplace(each.pack(), sample(each.pack()));
    }
    for (const Template& each : module.templates) {
      if (own(each)) elaboration.instantiate(each, packs.at(each.pack()));
    }
    elaboration.finish();
  }
  context.diagnostics = outer;
  // Of other mistakes an instance that is wanted may be free.
  bool good = true;
  for (syntax::Diagnostic problem : found.all()) {
    const bool name = problem.code == code::unknown_variable ||
                      problem.code == code::unknown_operation ||
                      problem.code == code::unknown_type || problem.code == code::unknown_pack;
    if (!name) continue;
    problem.related.clear();
    context.diagnostics->add(std::move(problem));
    good = false;
  }
  return good;
}

std::optional<term::Theory> instantiate_for(ModuleContext& context, const Module& rules,
                                            const term::Theory& target) {
  if (rules.templates.empty()) return rules.theory;
  Module module = rules;
  Elaboration elaboration(context, module);
  const Bindings bindings = bindings_of(context, elaboration, rules, target);
  // The sorts of a pack need not be declared beside the rules.
  for (const term::Type& type : target.types) {
    const bool used = std::ranges::any_of(bindings, [&](const auto& binding) {
      return std::ranges::find(binding.second, type.sort) != binding.second.end();
    });
    const bool known = elaboration.merger().sort(context.store.name(type.sort)).has_value();
    if (!used || known) continue;
    term::Type declared = type;
    declared.external.reset();
    elaboration.merger().add(declared);
  }
  for (const auto& [pack, sorts] : bindings) {
    for (const Template& variadic : rules.templates) {
      if (variadic.pack() == pack) elaboration.instantiate(variadic, sorts);
    }
  }
  if (!elaboration.finish()) return std::nullopt;
  return std::move(module.theory);
}

}  // namespace rhopsi::elaborate
