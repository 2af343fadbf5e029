#include "engine/rewrite/evaluate.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "engine/rewrite/reals.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::Arithmetic;
using term::Builtin;
using term::Control;
using term::Interpretation;
using term::Store;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

Arithmetic meaning_of(const Store& store, const Interpretation& interpretation, SymbolId symbol) {
  switch (term::builtin(store, symbol)) {
    case Builtin::equal:
      return Arithmetic::equal;
    case Builtin::not_equal:
      return Arithmetic::not_equal;
    case Builtin::and_:
      return Arithmetic::and_;
    case Builtin::or_:
      return Arithmetic::or_;
    case Builtin::not_:
      return Arithmetic::not_;
    case Builtin::implies:
      return Arithmetic::implies;
    case Builtin::iff:
      return Arithmetic::iff;
    case Builtin::true_:
      return Arithmetic::true_;
    case Builtin::false_:
      return Arithmetic::false_;
    case Builtin::none:
      break;
  }
  return interpretation.arithmetic ? interpretation.arithmetic(symbol) : Arithmetic::none;
}

std::optional<TermId> definition_of(const Interpretation& interpretation, SymbolId symbol) {
  return interpretation.definition ? interpretation.definition(symbol) : std::nullopt;
}

std::optional<std::int64_t> length_of_literal(const Store& store,
                                              const Interpretation& interpretation, TermId term) {
  const auto children = store.children(term);
  if (children.size() != 1 || !store.is(children[0], term::Control::vector_)) return std::nullopt;
  if (store.head(term).kind != SymbolKind::function) return std::nullopt;
  if (meaning_of(store, interpretation, store.symbol(term)) != Arithmetic::length) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(store.children(children[0]).size());
}

namespace {

using Value = std::optional<std::int64_t>;

// Definitions may be nested, and wrongly so in a circle.
constexpr int deepest = 400;

// The value by reference: it is written by what computes `overflow`.
Value checked(bool overflow, const std::int64_t& value) {
  return overflow ? std::nullopt : Value(value);
}

Value euclidean(std::int64_t a, std::int64_t b, bool quotient) {
  if (b == 0 || b == -1) {
    if (b == 0) return std::nullopt;
    if (!quotient) return 0;
    std::int64_t negated = 0;
    return checked(__builtin_sub_overflow(std::int64_t{0}, a, &negated), negated);
  }
  std::int64_t q = a / b;
  std::int64_t r = a % b;
  if (r < 0) {
    q += b > 0 ? -1 : 1;
    r = b > 0 ? r + b : r - b;
  }
  return quotient ? q : r;
}

Value apply_unary(Arithmetic operation, std::int64_t a) {
  std::int64_t result = 0;
  switch (operation) {
    case Arithmetic::add:
      return a;
    case Arithmetic::subtract:
    case Arithmetic::negate:
      return checked(__builtin_sub_overflow(std::int64_t{0}, a, &result), result);
    case Arithmetic::absolute:
      if (a >= 0) return a;
      return checked(__builtin_sub_overflow(std::int64_t{0}, a, &result), result);
    case Arithmetic::not_:
      return a == 0;
    default:
      return std::nullopt;
  }
}

Value apply_binary(Arithmetic operation, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (operation) {
    case Arithmetic::add:
      return checked(__builtin_add_overflow(a, b, &result), result);
    case Arithmetic::subtract:
      return checked(__builtin_sub_overflow(a, b, &result), result);
    case Arithmetic::multiply:
      return checked(__builtin_mul_overflow(a, b, &result), result);
    case Arithmetic::divide:
      return euclidean(a, b, true);
    case Arithmetic::modulo:
      return euclidean(a, b, false);
    case Arithmetic::minimum:
      return std::min(a, b);
    case Arithmetic::maximum:
      return std::max(a, b);
    case Arithmetic::less:
      return a < b;
    case Arithmetic::less_equal:
      return a <= b;
    case Arithmetic::greater:
      return a > b;
    case Arithmetic::greater_equal:
      return a >= b;
    case Arithmetic::equal:
      return a == b;
    case Arithmetic::not_equal:
      return a != b;
    case Arithmetic::and_:
      return a != 0 && b != 0;
    case Arithmetic::or_:
      return a != 0 || b != 0;
    case Arithmetic::implies:
      return a == 0 || b != 0;
    case Arithmetic::iff:
      return (a != 0) == (b != 0);
    default:
      return std::nullopt;
  }
}

class Evaluator {
 public:
  Evaluator(const Store& store, const Interpretation& interpretation, const Assignment& assignment)
      : store_(store), interpretation_(interpretation), assignment_(assignment) {}

  // The nesting is bounded, so recursion is.
  Value value(TermId term, int depth = 0) const {
    if (depth > deepest || ++nodes_ > most_nodes) return std::nullopt;
    const term::Symbol& head = store_.head(term);
    if (head.kind == SymbolKind::integer_literal) return head.integer;
    if (auto given = assignment_.find(store_.symbol(term)); given != assignment_.end()) {
      return given->second;
    }
    const auto children = store_.children(term);
    if (head.control == Control::if_) {
      const Value condition = value(children[0], depth + 1);
      if (!condition) return std::nullopt;
      return value(children[*condition != 0 ? 1 : 2], depth + 1);
    }
    if (head.kind != SymbolKind::function && head.kind != SymbolKind::predicate) {
      return std::nullopt;
    }
    if (const Value length = length_of_literal(store_, interpretation_, term)) return length;
    const Arithmetic operation = meaning_of(store_, interpretation_, store_.symbol(term));
    if (children.empty()) return nullary(operation, store_.symbol(term), depth);
    if (operation == Arithmetic::none) return std::nullopt;
    if (compares_reals(store_, interpretation_, term)) return of_reals(term);
    const Value first = value(children[0], depth + 1);
    if (children.size() == 1) return first ? apply_unary(operation, *first) : std::nullopt;
    if (children.size() != 2) return std::nullopt;
    const Value second = value(children[1], depth + 1);
    if (first && second) return apply_binary(operation, *first, *second);
    return first || second ? one_sided(operation, first, second) : std::nullopt;
  }

 private:
  Value nullary(Arithmetic operation, SymbolId symbol, int depth) const {
    if (operation == Arithmetic::true_) return 1;
    if (operation == Arithmetic::false_) return 0;
    if (auto definition = definition_of(interpretation_, symbol)) {
      return value(*definition, depth + 1);
    }
    return std::nullopt;
  }

  // By bounds, which of constants are the constants: no assignment has a real.
  Value of_reals(TermId comparison) const {
    const RealFacts none(store_, interpretation_);
    if (none.proves(comparison, true)) return 1;
    if (none.proves(comparison, false)) return 0;
    return std::nullopt;
  }

  // What one operand decides alone.
  static Value one_sided(Arithmetic operation, Value first, Value second) {
    const std::int64_t known = first ? *first : *second;
    if (operation == Arithmetic::and_ && known == 0) return 0;
    if (operation == Arithmetic::or_ && known != 0) return 1;
    if (operation == Arithmetic::implies && first && known == 0) return 1;
    if (operation == Arithmetic::implies && second && known != 0) return 1;
    return std::nullopt;
  }

  // A term whose parts are shared may be far larger than it looks.
  static constexpr std::size_t most_nodes = 100'000;

  const Store& store_;
  const Interpretation& interpretation_;
  const Assignment& assignment_;
  mutable std::size_t nodes_ = 0;
};

}  // namespace

Value evaluate(const Store& store, const Interpretation& interpretation, TermId term,
               const Assignment& assignment) {
  return Evaluator(store, interpretation, assignment).value(term);
}

bool interprets_integers(Arithmetic operation) {
  if (term::is_of_reals(operation)) return false;
  switch (operation) {
    case Arithmetic::none:
    case Arithmetic::length:
    case Arithmetic::equal:
    case Arithmetic::not_equal:
    case Arithmetic::and_:
    case Arithmetic::or_:
    case Arithmetic::not_:
    case Arithmetic::implies:
    case Arithmetic::iff:
    case Arithmetic::true_:
    case Arithmetic::false_:
      return false;
    default:
      return true;
  }
}

Unknowns unknowns_in(const Store& store, const Interpretation& interpretation,
                     std::span<const TermId> terms, std::size_t limit) {
  Unknowns found;
  std::unordered_set<SymbolId> seen;
  std::unordered_set<term::SortId> integers;
  std::vector<TermId> pending(terms.rbegin(), terms.rend());
  std::size_t nodes = 0;
  while (!pending.empty() && found.only_integers) {
    const TermId term = pending.back();
    pending.pop_back();
    found.only_integers = ++nodes <= limit;
    const term::Symbol& head = store.head(term);
    const SymbolId symbol = store.symbol(term);
    if (length_of_literal(store, interpretation, term)) continue;
    const auto children = store.children(term);
    pending.insert(pending.end(), children.rbegin(), children.rend());
    const bool literal =
        head.kind == SymbolKind::integer_literal || head.kind == SymbolKind::real_literal;
    if (literal || head.control == Control::if_) continue;
    const bool operation = head.kind == SymbolKind::function || head.kind == SymbolKind::predicate;
    const Arithmetic meaning =
        operation ? meaning_of(store, interpretation, symbol) : Arithmetic::none;
    if (interprets_integers(meaning))
      integers.insert(head.parameters.begin(), head.parameters.end());
    if (meaning != Arithmetic::none) continue;
    if (head.kind == SymbolKind::variable || (operation && children.empty())) {
      if (!seen.insert(symbol).second) continue;
      const auto definition = operation ? definition_of(interpretation, symbol) : std::nullopt;
      (definition ? found.defined : found.free).push_back(symbol);
      if (definition) pending.push_back(*definition);
    } else {
      found.only_integers = false;
    }
  }
  // An unknown array or real has no integer for a counterexample.
  for (SymbolId unknown : found.free) {
    const term::SortId sort = store[unknown].result;
    if (sort != store.predicate_sort() && !integers.contains(sort)) found.only_integers = false;
  }
  return found;
}

namespace {

// Variables of their own may have one name: that of a former value gets one more prime, others a
// number.
std::string another_name(const std::string& name, std::unordered_set<std::string>& names) {
  std::string other = name;
  for (int number = 2; !names.insert(other).second; ++number) {
    other = name.ends_with('\'') ? other + "'" : name + "_" + std::to_string(number);
  }
  return other;
}

}  // namespace

std::string describe(const Store& store, const Interpretation& interpretation,
                     const Unknowns& unknowns, const Assignment& assignment) {
  std::string out;
  std::unordered_set<std::string> names;
  const auto add = [&](SymbolId symbol, std::int64_t value) {
    const term::Symbol& head = store[symbol];
    if (!out.empty()) out += ", ";
    out += another_name(head.name, names);
    if (head.kind != SymbolKind::variable) out += "()";
    const bool predicate = head.result == store.predicate_sort();
    out += " = " + (predicate ? std::string(value != 0 ? "TRUE" : "FALSE") : std::to_string(value));
  };
  for (SymbolId symbol : unknowns.free) add(symbol, assignment.at(symbol));
  for (SymbolId symbol : unknowns.defined) {
    const auto definition = definition_of(interpretation, symbol);
    if (auto value = evaluate(store, interpretation, *definition, assignment)) add(symbol, *value);
  }
  return out;
}

namespace {

class Search {
 public:
  Search(const Store& store, const Interpretation& interpretation, TermId condition,
         std::span<const TermId> facts, Unknowns unknowns)
      : store_(store),
        interpretation_(interpretation),
        condition_(condition),
        facts_(facts),
        unknowns_(std::move(unknowns)) {
    collect_values();
  }

  bool find() { return assign(0); }

  const Assignment& assignment() const { return assignment_; }

 private:
  static constexpr std::size_t most_evaluations = 20'000;

  // Small numbers, and those that the terms themselves mention with their neighbours.
  void collect_values() {
    for (std::int64_t value = 0; value <= 4; ++value) add_value(value);
    std::vector<TermId> terms(facts_.begin(), facts_.end());
    terms.push_back(condition_);
    for (SymbolId symbol : unknowns_.defined) {
      terms.push_back(*definition_of(interpretation_, symbol));
    }
    for (TermId term : terms) {
      term::for_each_subterm(store_, term, [&](TermId subterm) {
        const term::Symbol& head = store_.head(subterm);
        constexpr std::int64_t bound = 1'000'000'000;
        if (head.kind == SymbolKind::integer_literal && head.integer < bound &&
            head.integer > -bound && values_.size() < 40) {
          for (std::int64_t near : {0, 1, -1}) add_value(head.integer + near);
        }
        return true;
      });
    }
  }

  void add_value(std::int64_t value) {
    for (std::int64_t signed_value : {value, -value}) {
      if (std::ranges::find(values_, signed_value) == values_.end()) {
        values_.push_back(signed_value);
      }
    }
  }

  // Depth first; a fact that is false already ends a branch.
  bool assign(std::size_t next) {
    for (TermId fact : facts_) {
      const Value value = count_and_evaluate(fact);
      if (value && *value == 0) return false;
      if (!value && next == unknowns_.free.size()) return false;
    }
    const Value value = count_and_evaluate(condition_);
    if (value && *value != 0) return false;
    if (next == unknowns_.free.size()) return value.has_value();
    const SymbolId unknown = unknowns_.free[next];
    const bool predicate = store_[unknown].result == store_.predicate_sort();
    for (std::int64_t candidate : values_) {
      if (predicate && candidate != 0 && candidate != 1) continue;
      assignment_[unknown] = candidate;
      if (assign(next + 1)) return true;
      if (evaluations_ > most_evaluations) break;
    }
    assignment_.erase(unknown);
    return false;
  }

  Value count_and_evaluate(TermId term) {
    ++evaluations_;
    return evaluate(store_, interpretation_, term, assignment_);
  }

  const Store& store_;
  const Interpretation& interpretation_;
  TermId condition_;
  std::span<const TermId> facts_;
  Unknowns unknowns_;
  std::vector<std::int64_t> values_;
  Assignment assignment_;
  std::size_t evaluations_ = 0;
};

constexpr std::size_t most_unknowns = 12;

Unknowns unknowns_of_question(const Store& store, const Interpretation& interpretation,
                              TermId condition, std::span<const TermId> facts) {
  constexpr std::size_t most_nodes = 500;
  std::vector<TermId> terms{condition};
  terms.insert(terms.end(), facts.begin(), facts.end());
  return unknowns_in(store, interpretation, terms, most_nodes);
}

}  // namespace

std::optional<Assignment> falsify(const Store& store, const Interpretation& interpretation,
                                  TermId condition, std::span<const TermId> facts) {
  Unknowns unknowns = unknowns_of_question(store, interpretation, condition, facts);
  if (!unknowns.only_integers || unknowns.free.size() > most_unknowns) return std::nullopt;
  Search search(store, interpretation, condition, facts, std::move(unknowns));
  if (!search.find()) return std::nullopt;
  return search.assignment();
}

std::optional<std::string> counterexample(const Store& store, const Interpretation& interpretation,
                                          TermId condition, std::span<const TermId> facts) {
  const auto found = falsify(store, interpretation, condition, facts);
  if (!found) return std::nullopt;
  return describe(store, interpretation,
                  unknowns_of_question(store, interpretation, condition, facts), *found);
}

}  // namespace rhopsi::rewrite
