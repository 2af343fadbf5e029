#include "frontend/elaborate/readings.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace rhopsi::elaborate {

namespace {

using term::Builtin;

constexpr std::array<std::pair<std::string_view, Builtin>, 7> kPredicateOperators{{
    {"_&&_", Builtin::and_},
    {"_||_", Builtin::or_},
    {"!_", Builtin::not_},
    {"_=>_", Builtin::implies},
    {"_<=>_", Builtin::iff},
    {"TRUE", Builtin::true_},
    {"FALSE", Builtin::false_},
}};

// Overloads of a variadic callable are only tried for so many combinations of sorts.
constexpr std::size_t kVariadicCombinations = 16;

}  // namespace

bool is_builtin_name(std::string_view name) {
  if (name == "_==_" || name == "_!=_") return true;
  return std::any_of(kPredicateOperators.begin(), kPredicateOperators.end(),
                     [&](const auto& entry) { return entry.first == name; });
}

NodeId Readings::add(Node node) {
  nodes_.push_back(std::move(node));
  return static_cast<NodeId>(nodes_.size() - 1);
}

bool Readings::any_broken(const std::vector<NodeId>& nodes) const {
  return std::any_of(nodes.begin(), nodes.end(),
                     [this](NodeId node) { return nodes_[node].broken; });
}

// Two ways to the same sort: the cheaper one stays, equally cheap ones are ambiguous.
void Readings::merge(std::vector<Reading>& readings, const Reading& reading) const {
  auto same = std::find_if(readings.begin(), readings.end(),
                           [&](const Reading& known) { return known.sort == reading.sort; });
  if (same == readings.end()) {
    readings.push_back(reading);
  } else if (reading.cost < same->cost) {
    *same = reading;
  } else if (reading.cost == same->cost && reading.symbol != same->symbol) {
    same->ambiguous = true;
  }
}

const Reading* Readings::at(NodeId node, term::SortId sort) const {
  for (const Reading& reading : nodes_[node].readings) {
    if (reading.sort == sort) return &reading;
  }
  return nullptr;
}

NodeId Readings::broken(const syntax::Expr* source) {
  Node node;
  node.broken = true;
  node.source = source;
  return add(std::move(node));
}

NodeId Readings::variable(term::SymbolId variable, const syntax::Expr* source) {
  Node node;
  node.source = source;
  node.readings.push_back({store_[variable].result, variable});
  return add(std::move(node));
}

std::vector<Reading> Readings::builtin_calls(std::string_view name,
                                             const std::vector<NodeId>& arguments) const {
  std::vector<Reading> result;
  const term::SortId predicate = store_.predicate_sort();
  auto add_call = [&](Builtin builtin, term::SortId operand, std::uint32_t cost = 0) {
    std::optional<Reading> call = apply(term::builtin_symbol(store_, builtin, operand), arguments);
    if (!call) return;
    call->cost += cost;
    result.push_back(*call);
  };
  if ((name == "_==_" || name == "_!=_") && arguments.size() == 2) {
    const Builtin builtin = name == "_==_" ? Builtin::equal : Builtin::not_equal;
    for (const Reading& left : of(arguments[0])) {
      // Where the sort has such an operation of its own, as pointwise comparison is one of arrays,
      // whether two values are the same is what is meant last.
      if (at(arguments[1], left.sort)) {
        add_call(builtin, left.sort, declares(name, left.sort) ? 1 : 0);
      }
    }
  }
  for (const auto& [spelling, builtin] : kPredicateOperators) {
    if (name == spelling) add_call(builtin, predicate);
  }
  return result;
}

// Is there an operation of that name on two of the sort?
bool Readings::declares(std::string_view name, term::SortId sort) const {
  return std::ranges::any_of(scope_.overloads(name, {sort}), [&](term::SymbolId declared) {
    const std::vector<term::SortId>& parameters = store_[declared].parameters;
    return parameters.size() == 2 && parameters[0] == sort && parameters[1] == sort;
  });
}

std::optional<Reading> Readings::apply(term::SymbolId callee,
                                       const std::vector<NodeId>& arguments) const {
  const term::Symbol& symbol = store_[callee];
  if (symbol.parameters.size() != arguments.size()) return std::nullopt;
  Reading call{symbol.result, callee};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Reading* argument = at(arguments[i], symbol.parameters[i]);
    if (!argument) return std::nullopt;
    call.cost += argument->cost;
    call.ambiguous = call.ambiguous || argument->ambiguous;
  }
  return call;
}

// A variadic callee is asked for its instance at each combination of argument sorts.
void Readings::add_instances(std::string_view name, const std::vector<NodeId>& arguments,
                             std::vector<term::SymbolId>& callees) const {
  if (!scope_.has_variadic || !scope_.instantiate_variadic || !scope_.has_variadic(name)) return;
  std::vector<std::vector<term::SortId>> combinations{{}};
  for (NodeId argument : arguments) {
    std::vector<std::vector<term::SortId>> longer;
    for (const std::vector<term::SortId>& prefix : combinations) {
      for (const Reading& reading : of(argument)) {
        if (longer.size() == kVariadicCombinations) break;
        longer.push_back(prefix);
        longer.back().push_back(reading.sort);
      }
    }
    combinations = std::move(longer);
  }
  for (const std::vector<term::SortId>& sorts : combinations) {
    for (term::SymbolId instance : scope_.instantiate_variadic(name, sorts)) {
      if (std::find(callees.begin(), callees.end(), instance) == callees.end()) {
        callees.push_back(instance);
      }
    }
  }
}

std::vector<term::SymbolId> Readings::callees(std::string_view name,
                                              const std::vector<NodeId>& arguments) const {
  std::vector<term::SymbolId> result = scope_.overloads(name);
  add_instances(name, arguments, result);
  return result;
}

// Of them, those that may take the first argument. Of a name with very many overloads, one for
// each type say, the others are not looked at.
std::vector<term::SymbolId> Readings::likely_callees(std::string_view name,
                                                     const std::vector<NodeId>& arguments) const {
  if (arguments.empty()) return callees(name, arguments);
  std::vector<term::SortId> first;
  for (const Reading& reading : of(arguments.front())) first.push_back(reading.sort);
  std::vector<term::SymbolId> result = scope_.overloads(name, first);
  add_instances(name, arguments, result);
  return result;
}

// A declared overload with the sorts of a builtin one takes its place.
std::vector<Reading> Readings::calls(std::string_view name,
                                     const std::vector<NodeId>& arguments) const {
  std::vector<Reading> result;
  for (term::SymbolId callee : likely_callees(name, arguments)) {
    if (store_[callee].kind == term::SymbolKind::procedure) continue;
    if (std::optional<Reading> call = apply(callee, arguments)) result.push_back(*call);
  }
  for (const Reading& builtin : builtin_calls(name, arguments)) {
    const bool declared = std::any_of(result.begin(), result.end(), [&](const Reading& known) {
      return known.sort == builtin.sort &&
             store_[known.symbol].parameters == store_[builtin.symbol].parameters;
    });
    if (!declared) result.push_back(builtin);
  }
  return result;
}

NodeId Readings::call(std::string_view callee, std::vector<NodeId> arguments,
                      const syntax::Expr* source) {
  Node node;
  node.kind = Kind::call;
  node.name = callee;
  node.source = source;
  node.broken = any_broken(arguments);
  if (!node.broken) {
    for (const Reading& reading : calls(callee, arguments)) merge(node.readings, reading);
  }
  node.children = std::move(arguments);
  return add(std::move(node));
}

NodeId Readings::if_(NodeId condition, NodeId then_branch, NodeId else_branch,
                     const syntax::Expr* source) {
  Node node;
  node.kind = Kind::if_;
  node.source = source;
  node.children = {condition, then_branch, else_branch};
  node.broken = any_broken(node.children);
  const Reading* test = at(condition, store_.predicate_sort());
  for (const Reading& left : of(then_branch)) {
    const Reading* right = at(else_branch, left.sort);
    if (!right || !test) continue;
    merge(node.readings, {left.sort,
                          {},
                          test->cost + left.cost + right->cost,
                          test->ambiguous || left.ambiguous || right->ambiguous});
  }
  return add(std::move(node));
}

NodeId Readings::block(std::vector<term::TermId> statements, std::vector<term::SymbolId> declared,
                       NodeId value, const syntax::Expr* source, const syntax::Expr* value_source) {
  Node node;
  node.kind = Kind::block;
  node.source = source;
  node.children = {value};
  node.broken = nodes_[value].broken;
  for (const Reading& reading : of(value)) {
    merge(node.readings, {reading.sort, {}, reading.cost, reading.ambiguous});
  }
  node.parts = std::make_unique<Parts>();
  node.parts->terms = std::move(statements);
  node.parts->bound = std::move(declared);
  if (value_source) node.parts->value_location = locate(store_, value_source->span);
  return add(std::move(node));
}

NodeId Readings::fold(std::string_view operation, term::SymbolId index, term::TermId count,
                      NodeId element, const syntax::Expr* source) {
  Node node;
  node.kind = Kind::fold;
  node.name = operation;
  node.source = source;
  node.children = {element};
  node.broken = nodes_[element].broken;
  // Both arguments of the operation are elements, of which one stands for the rest.
  const std::vector<Reading> operations =
      node.broken ? std::vector<Reading>{} : calls(operation, {element, element});
  for (const Reading& reading : of(element)) {
    for (const Reading& call : operations) {
      const std::vector<term::SortId>& sorts = store_[call.symbol].parameters;
      if (call.sort != reading.sort || sorts[0] != reading.sort || sorts[1] != reading.sort)
        continue;
      merge(node.readings, {reading.sort, call.symbol, reading.cost, reading.ambiguous});
    }
  }
  node.parts = std::make_unique<Parts>();
  node.parts->terms = {count};
  node.parts->bound = {index};
  return add(std::move(node));
}

// The sort of a `forall` is the sort of arrays, which its element does not tell: but that an
// element is no such array itself, where it can be anything else. A
// predicate over all indices is the exception and the usual reading of a predicate.
NodeId Readings::forall(term::SymbolId index, term::TermId shape, NodeId element,
                        const syntax::Expr* source) {
  Node node;
  node.kind = Kind::forall;
  node.source = source;
  node.children = {element};
  node.broken = nodes_[element].broken;
  const term::SortId predicate = store_.predicate_sort();
  const Reading* as_predicate = at(element, predicate);
  if (as_predicate) {
    merge(node.readings, {predicate, {}, as_predicate->cost, as_predicate->ambiguous});
  }
  for (const term::Type& type : scope_.theory().types) {
    if (type.sort == predicate) continue;
    const Choice choice = element_choice(element, type.sort);
    if (choice.answer == Choice::Answer::none) break;
    const std::uint32_t cost = at(element, choice.sort)->cost + (as_predicate ? 1U : 0U);
    merge(node.readings, {type.sort, {}, cost, choice.answer == Choice::Answer::several});
  }
  node.parts = std::make_unique<Parts>();
  node.parts->terms = {shape};
  node.parts->bound = {index};
  return add(std::move(node));
}

void Readings::refresh(NodeId node) {
  if (nodes_[node].kind != Kind::call) return;
  std::vector<Reading> readings;
  for (const Reading& way : calls(nodes_[node].name, nodes_[node].children)) merge(readings, way);
  nodes_[node].readings = std::move(readings);
}

void Readings::prefer_integers(NodeId node) {
  std::vector<Reading>& readings = nodes_[node].readings;
  const auto counts = [this](const Reading& reading) { return !takes_reals(reading.sort); };
  if (std::ranges::any_of(readings, counts)) std::erase_if(readings, std::not_fn(counts));
}

void Readings::restrict_to(NodeId node, term::SortId sort) {
  std::erase_if(nodes_[node].readings,
                [&](const Reading& reading) { return reading.sort != sort; });
}

}  // namespace rhopsi::elaborate
