#include "engine/check/arithmetic.hpp"

#include <algorithm>

#include "engine/term/theory.hpp"

namespace rhopsi::check {

using term::Arithmetic;
using term::SymbolKind;

namespace {

constexpr int deepest = 200;  // terms nested deeper are taken as they stand
constexpr int most_facts = 3;
constexpr int most_alternatives = 6;
constexpr std::size_t most_work = 1'000'000;  // for one condition

Arithmetic of_builtin(term::Builtin builtin) {
  using term::Builtin;
  switch (builtin) {
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
  return Arithmetic::none;
}

using Value = std::optional<std::int64_t>;
__extension__ using Wide = __int128;

Value narrowed(Wide wide) {
  const auto narrow = static_cast<std::int64_t>(wide);
  if (narrow != wide) return std::nullopt;
  return narrow;
}

// The remainder is at least 0, whatever the signs.
Value euclidean(std::int64_t a, std::int64_t b, bool quotient) {
  if (b == 0) return std::nullopt;
  const Wide size = b < 0 ? -static_cast<Wide>(b) : b;
  const Wide rest = ((static_cast<Wide>(a) % size) + size) % size;
  return narrowed(quotient ? (a - rest) / b : rest);
}

}  // namespace

Judge::Judge(const Terms& terms, std::span<const Operation> operations)
    : store_(terms.store()),
      reals_(store_, {[this](SymbolId symbol) { return meaning(symbol); },
                      [this](SymbolId symbol) -> std::optional<TermId> {
                        const auto found = operations_.find(symbol);
                        if (found == operations_.end()) return std::nullopt;
                        return found->second->body;
                      },
                      [this](term::SortId sort) { return real_sorts_.contains(sort); }}) {
  for (const Operation& operation : operations) {
    operations_.emplace(operation.symbol, &operation);
    if (operation.meaning == Arithmetic::none || operation.meaning == Arithmetic::length) continue;
    auto& sorts = term::is_of_reals(operation.meaning) ? real_sorts_ : integers_;
    for (term::SortId sort : store_[operation.symbol].parameters) sorts.insert(sort);
  }
}

Arithmetic Judge::meaning(SymbolId symbol) const {
  const auto found = operations_.find(symbol);
  if (found != operations_.end() && found->second->meaning != Arithmetic::none) {
    return found->second->meaning;
  }
  return of_builtin(term::builtin(store_, symbol));
}

Value Judge::value(TermId term) { return compute(term, 0); }

Value Judge::compute(TermId term, int depth) {
  if (depth > deepest) return std::nullopt;
  const auto known = values_.find(term);
  if (known != values_.end()) return known->second;
  values_[term] = std::nullopt;  // also of what is defined through itself
  const term::Symbol& head = store_.head(term);
  Value value;
  if (head.kind == SymbolKind::integer_literal) {
    value = head.integer;
  } else if (head.kind == SymbolKind::function || head.kind == SymbolKind::predicate) {
    const Arithmetic what = meaning(store_.symbol(term));
    const auto operation = operations_.find(store_.symbol(term));
    if (what != Arithmetic::none) {
      value = apply(what, term, depth);
    } else if (store_.children(term).empty() && operation != operations_.end() &&
               operation->second->body) {
      value = compute(*operation->second->body, depth + 1);
    }
  }
  return values_[term] = value;
}

Value Judge::apply(Arithmetic what, TermId term, int depth) {
  if (what == Arithmetic::true_) return 1;
  if (what == Arithmetic::false_) return 0;
  if (reals_.compares(term)) {
    const std::optional<bool> holds = reals_.value(term);
    return holds ? Value(*holds ? 1 : 0) : std::nullopt;
  }
  const auto children = store_.children(term);
  if (children.empty() || children.size() > 2) return std::nullopt;
  const Value first = compute(children[0], depth + 1);
  if (children.size() == 2 && store_.sort(children[0]) == store_.predicate_sort()) {
    if (const Value known = by_one_side(what, first, children[1], depth)) return known;
  }
  if (!first) return std::nullopt;
  const Wide a = *first;
  if (children.size() == 1) {
    switch (what) {
      case Arithmetic::negate:
      case Arithmetic::subtract:
        return narrowed(-a);
      case Arithmetic::add:
        return first;
      case Arithmetic::absolute:
        return narrowed(a < 0 ? -a : a);
      case Arithmetic::not_:
        return a == 0;
      default:
        return std::nullopt;
    }
  }
  const Value second = compute(children[1], depth + 1);
  if (!second) return std::nullopt;
  const Wide b = *second;
  switch (what) {
    case Arithmetic::add:
      return narrowed(a + b);
    case Arithmetic::subtract:
      return narrowed(a - b);
    case Arithmetic::multiply:
      return narrowed(a * b);
    case Arithmetic::divide:
      return euclidean(*first, *second, true);
    case Arithmetic::modulo:
      return euclidean(*first, *second, false);
    case Arithmetic::minimum:
      return std::min(*first, *second);
    case Arithmetic::maximum:
      return std::max(*first, *second);
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

// Of a connective that one side decides, whatever the other one is.
Value Judge::by_one_side(Arithmetic what, Value first, TermId right, int depth) {
  const auto is = [](Value value, bool truth) { return value && (*value != 0) == truth; };
  const Value second = compute(right, depth + 1);
  switch (what) {
    case Arithmetic::and_:
      if (is(first, false) || is(second, false)) return 0;
      break;
    case Arithmetic::or_:
      if (is(first, true) || is(second, true)) return 1;
      break;
    case Arithmetic::implies:
      if (is(first, false) || is(second, true)) return 1;
      break;
    default:
      break;
  }
  return std::nullopt;
}

// Nothing where the numbers grow too large.
std::optional<Judge::Form> Judge::form(TermId term, int depth) {
  if (const Value known = value(term)) return Form{{}, *known};
  const auto children = store_.children(term);
  const Arithmetic what = meaning(store_.symbol(term));
  const bool sum = what == Arithmetic::add || what == Arithmetic::subtract;
  const bool negation = what == Arithmetic::negate || (sum && children.size() == 1);
  if (++work_ > most_work) return std::nullopt;
  if (depth < deepest && (negation || (sum && children.size() == 2))) {
    std::optional<Form> left = form(children[0], depth + 1);
    if (!left) return std::nullopt;
    const auto add = [](std::int64_t& to, std::int64_t from, bool minus) {
      return !(minus ? __builtin_sub_overflow(to, from, &to)
                     : __builtin_add_overflow(to, from, &to));
    };
    Form result = children.size() == 2 ? *left : Form{};
    const std::optional<Form> right = children.size() == 2 ? form(children[1], depth + 1) : left;
    if (!right) return std::nullopt;
    const bool minus = what != Arithmetic::add;
    if (!add(result.constant, right->constant, minus)) return std::nullopt;
    for (const auto& [atom, factor] : right->factors) {
      std::int64_t& place = result.factors[atom];
      if (!add(place, factor, minus)) return std::nullopt;
      if (place == 0) result.factors.erase(atom);
    }
    return result;
  }
  // A named constant that has no value may have a form.
  const auto operation = operations_.find(store_.symbol(term));
  if (depth < deepest && children.empty() && operation != operations_.end() &&
      operation->second->body && what == Arithmetic::none) {
    return form(*operation->second->body, depth + 1);
  }
  return Form{{{term, 1}}, 0};
}

// left - right + more.
std::optional<Judge::Form> Judge::difference(TermId left, TermId right, std::int64_t more) {
  std::optional<Form> result = form(left, 0);
  const std::optional<Form> other = form(right, 0);
  if (!result || !other) return std::nullopt;
  if (__builtin_sub_overflow(result->constant, other->constant, &result->constant) ||
      __builtin_add_overflow(result->constant, more, &result->constant)) {
    return std::nullopt;
  }
  for (const auto& [atom, factor] : other->factors) {
    std::int64_t& place = result->factors[atom];
    if (__builtin_sub_overflow(place, factor, &place)) return std::nullopt;
    if (place == 0) result->factors.erase(atom);
  }
  return result;
}

std::optional<std::vector<Judge::Form>> Judge::comparison(TermId term, bool positive) {
  const auto children = store_.children(term);
  if (children.size() != 2 || !integers_.contains(store_.sort(children[0]))) return std::nullopt;
  std::vector<Form> forms;
  bool good = true;
  const auto at_most = [&](TermId left, TermId right, std::int64_t more) {
    auto form = difference(left, right, more);
    good = good && form;
    if (form) forms.push_back(std::move(*form));
  };
  TermId left = children[0];
  TermId right = children[1];
  Arithmetic what = meaning(store_.symbol(term));
  if (what == Arithmetic::greater || what == Arithmetic::greater_equal) {
    std::swap(left, right);
    what = what == Arithmetic::greater ? Arithmetic::less : Arithmetic::less_equal;
  }
  if (what == Arithmetic::less || what == Arithmetic::less_equal) {
    const bool strict = what == Arithmetic::less;
    if (positive) {
      at_most(left, right, strict ? 1 : 0);
    } else {
      at_most(right, left, strict ? 0 : 1);
    }
  } else if (what == (positive ? Arithmetic::equal : Arithmetic::not_equal)) {
    at_most(left, right, 0);
    at_most(right, left, 0);
  } else {
    return std::nullopt;
  }
  if (!good) return std::nullopt;
  return forms;
}

void Judge::learn(TermId statement, bool positive, Known& known, int depth) {
  known.statements.emplace_back(statement, positive);
  const Arithmetic what = meaning(store_.symbol(statement));
  const auto children = store_.children(statement);
  if (depth > deepest || ++work_ > most_work) return;
  if (reals_.compares(statement)) return reals_.learn(statement, positive);
  if (what == Arithmetic::not_) return learn(children[0], !positive, known, depth + 1);
  if (what == (positive ? Arithmetic::and_ : Arithmetic::or_)) {
    learn(children[0], positive, known, depth + 1);
    learn(children[1], positive, known, depth + 1);
  } else if (what == Arithmetic::implies && !positive) {
    learn(children[0], true, known, depth + 1);
    learn(children[1], false, known, depth + 1);
  } else if (auto forms = comparison(statement, positive)) {
    known.forms.insert(known.forms.end(), forms->begin(), forms->end());
  }
}

bool Judge::shown(TermId condition, bool positive, Known& known, int depth) {
  if (depth > deepest || ++work_ > most_work) return false;
  if (const Value fixed = value(condition)) return (*fixed != 0) == positive;
  const auto is_it = [&](const auto& statement) {
    return statement.second == positive && same(store_, statement.first, condition);
  };
  if (std::ranges::any_of(known.statements, is_it)) return true;
  if (reals_.compares(condition)) return reals_.shown(condition, positive);
  const Arithmetic what = meaning(store_.symbol(condition));
  const auto children = store_.children(condition);
  if (what == Arithmetic::not_) return shown(children[0], !positive, known, depth + 1);
  if (children.size() != 2) return false;
  const TermId left = children[0];
  const TermId right = children[1];
  const bool of_predicates = store_.sort(left) == store_.predicate_sort();
  const auto both = [&](bool first, bool second) {
    return shown(left, first, known, depth + 1) && shown(right, second, known, depth + 1);
  };
  const auto either = [&](bool first, bool second) {
    return shown_either({left, first}, {right, second}, known, depth);
  };
  switch (what) {
    case Arithmetic::and_:
      return positive ? both(true, true) : either(false, false);
    case Arithmetic::or_:
      return positive ? either(true, true) : both(false, false);
    case Arithmetic::implies:
      return positive ? either(false, true) : both(true, false);
    case Arithmetic::iff:
      return shown_same(left, right, positive, known, depth);
    case Arithmetic::equal:
    case Arithmetic::not_equal:
      if (!of_predicates) break;
      return shown_same(left, right, positive == (what == Arithmetic::equal), known, depth);
    default:
      break;
  }
  const auto holds = [&](const Form& form) { return at_most_zero(form, known.forms, most_facts); };
  if (what == (positive ? Arithmetic::not_equal : Arithmetic::equal)) {
    return std::ranges::any_of(strictly_apart(left, right), holds);
  }
  const auto forms = comparison(condition, positive);
  return forms && std::ranges::all_of(*forms, holds);
}

// One of these is at most 0 if the two are different integers.
std::vector<Judge::Form> Judge::strictly_apart(TermId left, TermId right) {
  std::vector<Form> forms;
  if (!integers_.contains(store_.sort(left))) return forms;
  if (auto form = difference(left, right, 1)) forms.push_back(std::move(*form));
  if (auto form = difference(right, left, 1)) forms.push_back(std::move(*form));
  return forms;
}

bool Judge::shown_either(const Side& first, const Side& second, Known& known, int depth) {
  // Each attempt may make two more: below a few levels only the sides are looked at.
  const bool assumes = depth <= most_alternatives;
  const std::size_t statements = known.statements.size();
  const std::size_t forms = known.forms.size();
  const std::size_t reals = reals_.known();
  if (assumes) learn(first.term, !first.positive, known, 0);
  const bool right = shown(second.term, second.positive, known, depth + 1);
  known.statements.resize(statements);
  known.forms.resize(forms);
  reals_.forget(reals);
  return right || shown(first.term, first.positive, known, depth + 1);
}

bool Judge::shown_same(TermId left, TermId right, bool positive, Known& known, int depth) {
  if (positive && same(store_, left, right)) return true;
  return shown_either({left, false}, {right, positive}, known, depth + 1) &&
         shown_either({left, true}, {right, !positive}, known, depth + 1);
}

// form <= 0, because form - known... is at most 0 for some of what is known.
bool Judge::at_most_zero(const Form& form, const std::vector<Form>& known, int facts) {
  if (form.factors.empty()) return form.constant <= 0;
  if (facts == 0 || ++work_ > most_work) return false;
  const auto& [atom, factor] = *form.factors.begin();
  return std::ranges::any_of(known, [&](const Form& fact) {
    const auto found = fact.factors.find(atom);
    // Only a fact that takes the first atom away, so that each step leaves fewer of them.
    if (found == fact.factors.end() || found->second != factor) return false;
    Form rest = form;
    if (__builtin_sub_overflow(rest.constant, fact.constant, &rest.constant)) return false;
    for (const auto& [other, times] : fact.factors) {
      std::int64_t& place = rest.factors[other];
      if (__builtin_sub_overflow(place, times, &place)) return false;
      if (place == 0) rest.factors.erase(other);
    }
    return at_most_zero(rest, known, facts - 1);
  });
}

Judge::Known Judge::learned(std::span<const Fact> facts) {
  work_ = 0;
  reals_.forget(0);
  Known known;
  for (const Fact& fact : facts) learn(fact.condition, fact.positive, known, 0);
  return known;
}

bool Judge::follows(TermId condition, std::span<const Fact> facts) {
  Known known = learned(facts);
  return shown(condition, true, known, 0);
}

bool Judge::excluded(TermId condition, std::span<const Fact> facts) {
  Known known = learned(facts);
  return shown(condition, false, known, 0);
}

}  // namespace rhopsi::check
