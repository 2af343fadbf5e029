#include "frontend/elaborate/module_merge.hpp"

#include <algorithm>

#include "engine/term/operations.hpp"
#include "engine/term/rule.hpp"
#include "frontend/elaborate/module_codes.hpp"
#include "frontend/syntax/print.hpp"

namespace rhopsi::elaborate {

namespace {

bool same_external(const std::optional<term::ExternalBinding>& left,
                   const std::optional<term::ExternalBinding>& right) {
  if (!left || !right) return !left && !right;
  return left->original == right->original && left->block->backend == right->block->backend &&
         left->block->path == right->block->path;
}

// Is what the two uses of one external require the same?
bool same_requirements(const std::optional<term::ExternalBinding>& left,
                       const std::optional<term::ExternalBinding>& right) {
  if (!left || !right || left->block == right->block) return true;
  std::map<std::string, term::SortId> types;
  for (const auto& type : left->block->types) {
    if (type.required) types.emplace(type.original, type.sort);
  }
  for (const auto& type : right->block->types) {
    const auto other = types.find(type.original);
    if (type.required && other != types.end() && other->second != type.sort) return false;
  }
  // Instances of variadic operations are added one by one: only whole lists are compared.
  std::set<std::pair<std::string, term::SymbolId>> mine;
  std::set<std::pair<std::string, term::SymbolId>> theirs;
  for (const auto& each : left->block->operations) {
    if (each.required) mine.emplace(each.original, each.symbol);
  }
  for (const auto& each : right->block->operations) {
    if (each.required) theirs.emplace(each.original, each.symbol);
  }
  return mine.size() != theirs.size() || mine == theirs;
}

// What tells two templates apart; abstract and defined ones are both kept.
std::string template_key(const Template& each) {
  std::string key = syntax::print(*each.declaration);
  if (each.external) {
    key += "\n" + each.external->block->backend + " " + each.external->block->path + " " +
           each.external->original;
  }
  return key;
}

void add_conjuncts(const term::Store& store, term::TermId guard, std::vector<term::TermId>& out) {
  for (const term::TermId next : term::conjuncts(store, guard)) {
    const bool known = std::ranges::any_of(
        out, [&](term::TermId other) { return alpha_equal(store, next, other); });
    if (!known) out.push_back(next);
  }
}

// By their names inside the block: the templates that the block of this one requires, as they are
// declared now.
std::multimap<std::string, std::string> required_by(const Template& bound,
                                                    const std::vector<Template>& templates) {
  std::multimap<std::string, std::string> found;
  for (const Template& each : templates) {
    if (!each.external || each.external->block != bound.external->block || each.bound()) continue;
    found.emplace(each.external->original, syntax::print(*each.declaration));
  }
  return found;
}

// Not where one has several of a name, or none: a declaration that was there before stays the one
// of the block that brought it.
bool agree(const std::multimap<std::string, std::string>& left,
           const std::multimap<std::string, std::string>& right) {
  return std::ranges::all_of(left, [&](const auto& one) {
    if (left.count(one.first) != 1 || right.count(one.first) != 1) return true;
    return right.find(one.first)->second == one.second;
  });
}

}  // namespace

Merger::Merger(const ModuleContext& context, Module& module) : context_(context), module_(module) {
  const term::Theory& theory = module.theory;
  for (std::size_t i = 0; i < theory.types.size(); ++i) {
    types_.emplace(context.store.name(theory.types[i].sort), i);
  }
  for (std::size_t i = 0; i < theory.callables.size(); ++i) {
    callables_.emplace(identity(theory.callables[i].symbol), i);
  }
  for (std::size_t i = 0; i < theory.axioms.size(); ++i) axioms_.emplace(theory.axioms[i].name, i);
  for (const Template& each : module.templates) templates_.insert(template_key(each));
}

// Modes are left out of the identity, so that procedures which differ in nothing
// else meet and are refused.
term::SymbolId Merger::identity(term::SymbolId symbol) const {
  const term::Symbol& operation = context_.store[symbol];
  if (operation.kind != term::SymbolKind::procedure) return symbol;
  const term::Symbol copy = operation;
  return context_.store.operation(copy.kind, copy.name, copy.parameters, copy.result);
}

std::optional<term::SortId> Merger::sort(const std::string& name) const {
  if (name == "Predicate") return context_.store.predicate_sort();
  const auto found = types_.find(name);
  if (found == types_.end()) return std::nullopt;
  return module_.theory.types[found->second].sort;
}

bool Merger::has_pack(const std::string& name) const {
  return std::ranges::find(module_.packs, name, &Pack::name) != module_.packs.end();
}

term::Callable* Merger::find(term::SymbolId symbol) {
  const auto found = callables_.find(identity(symbol));
  return found == callables_.end() ? nullptr : &module_.theory.callables[found->second];
}

// What a backend of our own provides does not depend on the block that asks for it; a
// user's header is a template of what it requires.
bool Merger::check_requirements(const std::string& what,
                                const std::optional<term::ExternalBinding>& present,
                                const std::optional<term::ExternalBinding>& incoming,
                                term::LocationId here, term::LocationId there) const {
  if (!present || context_.table.closed(present->block->backend)) return true;
  if (same_requirements(present, incoming)) return true;
  conflict(codes::requirements_differ,
           what + " is bound twice to " + present->block->path + "." + present->original +
               ", with different requirements",
           "rename one of the two", here, there);
  return false;
}

void Merger::conflict(const char* code, std::string message, std::string note,
                      term::LocationId incoming, term::LocationId present) const {
  syntax::Diagnostic& error =
      context_.error(code, context_.places.span(incoming), std::move(message), std::move(note));
  error.related.push_back({context_.places.span(present), "the other declaration"});
  if (site_.file) error.related.push_back({site_, "they meet here"});
}

bool Merger::add(const term::Type& type) {
  const std::string& name = context_.store.name(type.sort);
  // A type takes the place of a pack of its name: the pack is homogeneous from here on.
  std::erase_if(module_.packs, [&](const Pack& pack) { return pack.name == name; });
  const auto [place, inserted] = types_.try_emplace(name, module_.theory.types.size());
  if (inserted) {
    module_.theory.types.push_back(type);
    return true;
  }
  term::Type& present = module_.theory.types[place->second];
  if (present.external && type.external && !same_external(present.external, type.external)) {
    conflict(
        codes::type_bound_twice,
        "type " + in_quotes(name) + " is bound to two externals: " + present.external->block->path +
            "." + present.external->original + " and " + type.external->block->path + "." +
            type.external->original,
        "rename one of the two, or use only one of the modules", type.location, present.location);
    return false;
  }
  if (!check_requirements("type " + in_quotes(name), present.external, type.external, type.location,
                          present.location)) {
    return false;
  }
  if (type.external && !present.external) {
    present.external = type.external;
    present.location = type.location;
  }
  present.required = present.required && type.required;
  present.integer_literals |= type.integer_literals;
  present.real_literals |= type.real_literals;
  present.vector_literals |= type.vector_literals;
  return true;
}

bool Merger::same_definition(const term::Callable& left, const term::Callable& right) const {
  if (left.external || right.external) return same_external(left.external, right.external);
  return left.body == right.body ||
         alpha_equal(context_.store, *left.body, *right.body, left.parameters, right.parameters);
}

std::optional<term::TermId> Merger::conjoin(const term::Callable& target,
                                            const term::Callable& left,
                                            const term::Callable& right) const {
  std::vector<term::TermId> conjuncts;
  for (const term::Callable* each : {&left, &right}) {
    if (!each->guard) continue;
    term::Substitution paired;
    for (std::size_t i = 0; i < each->parameters.size(); ++i) {
      if (each->parameters[i] == target.parameters[i]) continue;
      paired.emplace(each->parameters[i], context_.store.make(target.parameters[i]));
    }
    add_conjuncts(context_.store, substitute(context_.store, *each->guard, paired), conjuncts);
  }
  if (conjuncts.empty()) return std::nullopt;
  term::TermId guard = conjuncts.front();
  for (std::size_t i = 1; i < conjuncts.size(); ++i) {
    guard = term::conjunction(context_.store, guard, conjuncts[i]);
  }
  return guard;
}

void Merger::combine(term::Callable& present, const term::Callable& incoming) {
  const bool take = incoming.concrete() && !present.concrete();
  const bool required = present.required && incoming.required;
  const bool same_guard = present.guard && incoming.guard &&
                          alpha_equal(context_.store, *present.guard, *incoming.guard,
                                      present.parameters, incoming.parameters);
  if (take) {
    term::Callable merged = incoming;
    if (present.guard && !same_guard) merged.guard = conjoin(incoming, present, incoming);
    present = std::move(merged);
  } else if (incoming.guard && !same_guard) {
    present.guard = conjoin(present, present, incoming);
  }
  // The place to show is that of a declaration which asks for nothing.
  if (!take && present.required && !incoming.required && !present.concrete()) {
    present.location = incoming.location;
    present.origin = incoming.origin;
  }
  present.required = required;
  if (!present.concrete() && incoming.gap) present.gap = incoming.gap;
}

bool Merger::add(const term::Callable& callable) {
  const auto [place, inserted] =
      callables_.try_emplace(identity(callable.symbol), module_.theory.callables.size());
  if (inserted) {
    module_.theory.callables.push_back(callable);
    return true;
  }
  term::Callable& present = module_.theory.callables[place->second];
  const std::string name = in_quotes(to_string(context_.store, callable.symbol));
  if (present.symbol != callable.symbol) {
    conflict(codes::modes_disagree, "procedure " + name + " is declared with different modes",
             "give both declarations the same modes, or rename one of them", callable.location,
             present.location);
    return false;
  }
  if (present.concrete() && callable.concrete() && !same_definition(present, callable)) {
    conflict(codes::two_definitions, name + " has two different definitions",
             "rename one of the two, or use `signature(...)` of the module whose definition "
             "is not wanted",
             callable.location, present.location);
    return false;
  }
  if (!check_requirements(name, present.external, callable.external, callable.location,
                          present.location)) {
    return false;
  }
  combine(present, callable);
  return true;
}

bool Merger::same_axiom(const term::Axiom& left, const term::Axiom& right) const {
  const auto equal = [&](term::TermId a, term::TermId b) {
    return alpha_equal(context_.store, a, b, left.parameters, right.parameters);
  };
  if (left.guard.has_value() != right.guard.has_value()) return false;
  return equal(left.body, right.body) && (!left.guard || equal(*left.guard, *right.guard));
}

// The operations on the left sides: shape(op(A)) == s says something of op.
std::set<term::SymbolId> Merger::described(const term::Axiom& axiom) const {
  std::set<term::SymbolId> operations;
  for (const term::Claim& claim : term::claims_of(context_.store, axiom)) {
    term::for_each_subterm(context_.store, claim.left, [&](term::TermId term) {
      if (!context_.store.is_variable(term)) operations.insert(context_.store.symbol(term));
      return true;
    });
  }
  return operations;
}

// Each speaks of an operation of which the other does not.
bool Merger::about_others(const term::Axiom& left, const term::Axiom& right) const {
  const std::set<term::SymbolId> first = described(left), second = described(right);
  return !std::ranges::includes(first, second) && !std::ranges::includes(second, first);
}

bool Merger::add(const term::Axiom& axiom) {
  const auto same_sorts = [&](const term::Axiom& other) {
    return std::ranges::equal(axiom.parameters, other.parameters,
                              [&](term::SymbolId left, term::SymbolId right) {
                                return context_.store[left].result == context_.store[right].result;
                              });
  };
  const auto [first, last] = axioms_.equal_range(axiom.name);
  for (auto entry = first; entry != last; ++entry) {
    const term::Axiom& present = module_.theory.axioms[entry->second];
    if (!same_sorts(present)) continue;  // an overload
    if (same_axiom(present, axiom)) return true;
    if (apart_ && about_others(present, axiom)) continue;
    conflict(codes::axiom_twice,
             "axiom " + in_quotes(axiom.name) + " is declared twice with different statements",
             "rename one of the two", axiom.location, present.location);
    return false;
  }
  axioms_.emplace(axiom.name, module_.theory.axioms.size());
  module_.theory.axioms.push_back(axiom);
  return true;
}

void Merger::add(const Pack& pack) {
  if (!sort(pack.name) && !has_pack(pack.name)) module_.packs.push_back(pack);
}

void Merger::add(const Template& declaration) {
  if (templates_.insert(template_key(declaration)).second) {
    module_.templates.push_back(declaration);
  }
}

// What a backend provides for an operation is one thing, but a schedule is its element's: two uses
// of it under one name, for elements of two names, are no one operation.
bool Merger::check_templates(const std::vector<Template>& incoming) const {
  for (const Template& each : incoming) {
    if (!each.bound()) continue;
    const auto present = std::ranges::find(module_.templates, template_key(each), template_key);
    if (present == module_.templates.end()) continue;
    if (agree(required_by(*present, module_.templates), required_by(each, incoming))) continue;
    const syntax::Span& declared = each.declaration->name.span;
    syntax::Diagnostic& error =
        context_.error(codes::requirements_differ, site_.file ? site_ : declared,
                       in_quotes(each.name()) + " is bound twice to " + each.external->block->path +
                           "." + each.external->original + ", with different requirements",
                       "rename one of the two");
    if (site_.file) error.related.push_back({declared, "what is bound"});
    return false;
  }
  return true;
}

bool Merger::add(const Module& other, const syntax::Span& site) {
  site_ = site;
  bool good = check_templates(other.templates);
  for (const term::Type& type : other.theory.types) good = add(type) && good;
  for (const Pack& pack : other.packs) add(pack);
  for (const term::Callable& callable : other.theory.callables) good = add(callable) && good;
  for (const term::Axiom& axiom : other.theory.axioms) good = add(axiom) && good;
  for (const Template& each : other.templates) add(each);
  auto& derivations = module_.theory.derivations;
  for (const term::Derived& derived : other.theory.derivations) {
    if (std::ranges::find(derivations, derived) == derivations.end()) {
      derivations.push_back(derived);
    }
  }
  for (const Dropped& dropped : other.dropped) {
    if (std::ranges::find(module_.dropped, dropped) == module_.dropped.end()) {
      module_.dropped.push_back(dropped);
    }
  }
  site_ = {};
  return good;
}

}  // namespace rhopsi::elaborate
