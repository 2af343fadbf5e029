#include "engine/term/theory.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/term/renaming.hpp"

namespace rhopsi::term {

std::optional<SortId> ExternalBlock::type(std::string_view original) const {
  for (const Type& type : types) {
    if (type.original == original) return type.sort;
  }
  return std::nullopt;
}

std::optional<SymbolId> ExternalBlock::operation(std::string_view original, bool required) const {
  for (const Operation& operation : operations) {
    if (operation.original == original && operation.required == required) return operation.symbol;
  }
  return std::nullopt;
}

bool Derived::operator==(const Derived& other) const {
  return derivation == other.derivation &&
         std::ranges::equal(renamings, other.renamings, [](const auto& left, const auto& right) {
           return left == right || *left == *right;
         });
}

std::vector<std::shared_ptr<const Derivation>> derivations_of(const Theory& theory) {
  std::vector<std::shared_ptr<const Derivation>> found;
  for (const Derived& each : theory.derivations) {
    if (std::ranges::find(found, each.derivation) == found.end()) found.push_back(each.derivation);
  }
  return found;
}

namespace {

// The element with that key, of which there is one at most, or null. What is asked for one after
// another mostly lies one after another: the search begins where the last one, of whatever theory,
// has ended.
template <typename Element, typename Key>
const Element* find_near(const std::vector<Element>& elements, Key key, Key Element::*of,
                         std::size_t& last) {
  const auto begin =
      elements.begin() + static_cast<std::ptrdiff_t>(std::min(last, elements.size()));
  auto found = std::ranges::find(begin, elements.end(), key, of);
  if (found == elements.end()) {
    found = std::ranges::find(elements.begin(), begin, key, of);
    if (found == begin) return nullptr;
  }
  last = static_cast<std::size_t>(found - elements.begin());
  return &*found;
}

}  // namespace

const Type* Theory::find_type(SortId sort) const {
  thread_local std::size_t last = 0;
  return find_near(types, sort, &Type::sort, last);
}

const Callable* Theory::find(SymbolId symbol) const {
  thread_local std::size_t last = 0;
  return find_near(callables, symbol, &Callable::symbol, last);
}

Callable* Theory::find(SymbolId symbol) {
  return const_cast<Callable*>(std::as_const(*this).find(symbol));
}

std::vector<const Callable*> Theory::overloads(const Store& store, std::string_view name) const {
  std::vector<const Callable*> found;
  for (const Callable& callable : callables) {
    if (store[callable.symbol].name == name) found.push_back(&callable);
  }
  return found;
}

std::vector<const Callable*> Theory::defined(const Store& store, std::string_view name) const {
  std::vector<const Callable*> own, by_rule;
  for (const Callable* callable : overloads(store, name)) {
    if (callable->body) (callable->by_rule ? by_rule : own).push_back(callable);
  }
  return own.empty() ? by_rule : own;
}

namespace {

struct BuiltinEntry {
  Builtin builtin;
  std::string_view name;
  std::size_t arity;
  bool any_sort;  // operands of any one sort, instead of Predicate
};

constexpr std::array<BuiltinEntry, 9> builtins{{
    {Builtin::equal, "_==_", 2, true},
    {Builtin::not_equal, "_!=_", 2, true},
    {Builtin::and_, "_&&_", 2, false},
    {Builtin::or_, "_||_", 2, false},
    {Builtin::not_, "!_", 1, false},
    {Builtin::implies, "_=>_", 2, false},
    {Builtin::iff, "_<=>_", 2, false},
    {Builtin::true_, "TRUE", 0, false},
    {Builtin::false_, "FALSE", 0, false},
}};

}  // namespace

Builtin builtin(const Store& store, SymbolId symbol) {
  const Symbol& operation = store[symbol];
  if (operation.kind != SymbolKind::predicate || operation.result != store.predicate_sort()) {
    return Builtin::none;
  }
  for (const BuiltinEntry& entry : builtins) {
    if (operation.name != entry.name || operation.parameters.size() != entry.arity) continue;
    if (entry.arity == 0) return entry.builtin;
    const SortId operand = entry.any_sort ? operation.parameters.front() : store.predicate_sort();
    const bool fits =
        std::ranges::all_of(operation.parameters, [&](SortId sort) { return sort == operand; });
    return fits ? entry.builtin : Builtin::none;
  }
  return Builtin::none;
}

SymbolId builtin_symbol(Store& store, Builtin builtin, SortId operand) {
  for (const BuiltinEntry& entry : builtins) {
    if (entry.builtin != builtin) continue;
    const std::vector<SortId> parameters(entry.arity,
                                         entry.any_sort ? operand : store.predicate_sort());
    return store.operation(SymbolKind::predicate, entry.name, parameters, store.predicate_sort());
  }
  return SymbolId{};
}

std::vector<TermId> conjuncts(const Store& store, TermId predicate) {
  std::vector<TermId> found;
  std::vector<TermId> pending{predicate};
  while (!pending.empty()) {
    const TermId next = pending.back();
    pending.pop_back();
    if (builtin(store, store.symbol(next)) == Builtin::and_) {
      const auto children = store.children(next);
      pending.insert(pending.end(), children.rbegin(), children.rend());
    } else {
      found.push_back(next);
    }
  }
  return found;
}

TermId conjunction(Store& store, TermId left, TermId right) {
  const SymbolId both = builtin_symbol(store, Builtin::and_, store.predicate_sort());
  return store.make(both, {left, right}, store.location(left));
}

}  // namespace rhopsi::term
