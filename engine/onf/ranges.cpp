#include "engine/onf/ranges.hpp"

#include <algorithm>
#include <bit>

namespace rhopsi::onf {

namespace {

constexpr Range everything;

bool is_boolean(const Expr& e) {
  return e.type.kind == Representation::Kind::scalar && e.type.scalar == Scalar::boolean;
}

// What an expression is, as text by which equal ones are found.
void identify(const Expr& e, std::string& text, std::vector<VariableId>& variables) {
  const auto add = [&](auto value) { text += std::to_string(value) + ','; };
  add(static_cast<int>(e.kind));
  switch (e.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::boolean:
      add(e.integer);
      break;
    case Expr::Kind::real:
      add(std::bit_cast<std::uint64_t>(e.real));
      break;
    case Expr::Kind::variable:
      add(number(e.variable));
      variables.push_back(e.variable);
      break;
    case Expr::Kind::view:
    case Expr::Kind::load:
      add(number(e.view));
      break;
    case Expr::Kind::length:
      add(number(e.view));
      add(e.axis);
      break;
    case Expr::Kind::parameter:
      add(number(e.parameter));
      break;
    case Expr::Kind::apply:
      add(static_cast<int>(e.function));
      add(static_cast<int>(e.type.scalar));
      break;
    case Expr::Kind::call:
      add(number(e.callee));
      break;
    default:
      add(e.axis);
      text += e.spelling + ',';
      break;
  }
  text += '(';
  for (const Expr& operand : e.operands) identify(operand, text, variables);
  text += ')';
}

}  // namespace

bool Ranges::is_integer(const Expr& e) {
  return e.type.kind == Representation::Kind::scalar &&
         (e.type.scalar == Scalar::int64 || e.type.scalar == Scalar::int32);
}

std::optional<Affine> combined(const Affine& left, const Affine& right, std::int64_t scale) {
  Affine made;
  std::int64_t part = 0;
  if (__builtin_mul_overflow(right.constant, scale, &part) ||
      __builtin_add_overflow(left.constant, part, &made.constant)) {
    return std::nullopt;
  }
  auto a = left.terms.begin();
  auto b = right.terms.begin();
  while (a != left.terms.end() || b != right.terms.end()) {
    const bool from_left =
        b == right.terms.end() || (a != left.terms.end() && a->first <= b->first);
    const bool from_right =
        a == left.terms.end() || (b != right.terms.end() && b->first <= a->first);
    const std::uint32_t atom = from_left ? a->first : b->first;
    std::int64_t coefficient = from_left ? (a++)->second : 0;
    if (from_right && (__builtin_mul_overflow((b++)->second, scale, &part) ||
                       __builtin_add_overflow(coefficient, part, &coefficient))) {
      return std::nullopt;
    }
    if (coefficient != 0) made.terms.emplace_back(atom, coefficient);
  }
  return made;
}

std::optional<Affine> difference(const Affine& left, const Affine& right) {
  return combined(left, right, -1);
}

Range folded(ScalarFunction function, Range count, Range element) {
  if (function != ScalarFunction::add || element.low < 0) return {};
  return times({0, std::max<std::int64_t>(count.high, 0)}, {0, element.high});
}

std::uint32_t Ranges::make_atom(Atom atom) {
  atoms_.push_back(std::move(atom));
  return static_cast<std::uint32_t>(atoms_.size() - 1);
}

Affine Ranges::opaque(const Expr& e, Atom atom, bool by_facts) {
  if (atom.range.low == atom.range.high) return {atom.range.low, {}};
  std::string key = by_facts ? "facts " : "";
  Opaque made;
  made.facts = by_facts ? facts_.size() : 0;
  identify(e, key, made.variables);
  const auto [place, fresh] = opaque_.try_emplace(std::move(key), std::move(made));
  if (fresh) place->second.atom = make_atom(std::move(atom));
  return of_atom(place->second.atom);
}

void Ranges::forget(std::size_t assumed) {
  std::erase_if(opaque_, [&](const auto& entry) { return entry.second.facts > assumed; });
  facts_.resize(assumed);
}

// What was known of expressions that hold the variable is not true of its new value.
void Ranges::forget(VariableId variable) {
  if (!values_.contains(variable)) return;
  conditions_.erase(variable);
  std::erase_if(opaque_, [&](const auto& entry) {
    return std::ranges::find(entry.second.variables, variable) != entry.second.variables.end();
  });
}

void Ranges::counter(VariableId variable, const Expr& low, const Expr& high) {
  const auto first = affine(low);
  const auto end = affine(high);
  forget(variable);
  Atom atom{everything, {}, {}, false};
  if (first) {
    atom.range.low = range(*first).low;
    if (!first->terms.empty()) atom.lows.push_back(*first);
  }
  if (end) {
    const auto last = difference(*end, {1, {}});
    if (last) {
      atom.range.high = range(*last).high;
      if (!last->terms.empty()) atom.highs.push_back(*last);
    }
  }
  atom.counts = first && end && first->terms.empty() && end->terms.empty() &&
                atom.range.low <= atom.range.high;
  values_[variable] = of_atom(make_atom(std::move(atom)));
}

void Ranges::define(VariableId variable, const Expr& value) {
  const auto known = affine(value);
  forget(variable);
  if (is_boolean(value)) conditions_.insert_or_assign(variable, value);
  values_[variable] = known ? *known : of_atom(make_atom({everything, {}, {}, false}));
}

void Ranges::define(VariableId variable, Range range) {
  forget(variable);
  values_[variable] = of_atom(make_atom({range, {}, {}, false}));
}

void Ranges::define_truth(VariableId variable, const Expr& condition) {
  define(variable, Range{0, 1});
  conditions_.insert_or_assign(variable, condition);
}

std::optional<Expr> Ranges::length(ViewId view, std::size_t axis) const {
  const Block& block = function_.blocks[number(function_.views[number(view)].block)];
  if (block.extents) {
    if (axis >= block.extents->size()) return std::nullopt;
    return (*block.extents)[axis];
  }
  if (axis >= static_cast<std::size_t>(module_.rank)) return std::nullopt;
  Expr e;
  e.kind = Expr::Kind::extent;
  e.type = {Representation::Kind::scalar, Scalar::int64, {}};
  e.axis = static_cast<int>(axis);
  return e;
}

std::optional<Affine> Ranges::length_of(const Expr& e) {
  const auto known = length(e.view, static_cast<std::size_t>(e.axis));
  const bool itself =
      known && known->kind == Expr::Kind::length && known->view == e.view && known->axis == e.axis;
  if (known && !itself) return affine(*known);
  return opaque(e, {{0, Range::highest}, {}, {}, false});
}

std::optional<Affine> Ranges::affine(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::boolean:
      return Affine{e.integer, {}};
    case Expr::Kind::variable: {
      const auto found = values_.find(e.variable);
      if (found != values_.end()) return found->second;
      break;
    }
    case Expr::Kind::extent:
      return opaque(e, {{0, Range::highest}, {}, {}, false});
    case Expr::Kind::length:
      return length_of(e);
    case Expr::Kind::apply:
      if (is_integer(e)) return apply(e);
      break;
    case Expr::Kind::if_:
      return chosen(e);
    default:
      break;
  }
  return opaque(e, {is_boolean(e) ? Range{0, 1} : everything, {}, {}, false});
}

std::optional<Affine> Ranges::apply(const Expr& e) {
  const auto operand = [&](std::size_t k) { return affine(e.operands[k]); };
  switch (e.function) {
    case ScalarFunction::add:
    case ScalarFunction::subtract: {
      const auto left = operand(0), right = operand(1);
      if (!left || !right) return std::nullopt;
      const auto made = combined(*left, *right, e.function == ScalarFunction::add ? 1 : -1);
      // Close to the ends of 64 bits a sum may wrap, whatever is added to the constant.
      constexpr std::int64_t far = std::int64_t{1} << 62;
      const bool wraps =
          made && !made->terms.empty() && (made->constant > far || made->constant < -far);
      return wraps ? opaque(e, {everything, {}, {}, false}) : made;
    }
    case ScalarFunction::negate: {
      const auto value = operand(0);
      return value ? combined({}, *value, -1) : std::nullopt;
    }
    case ScalarFunction::plus:
      return operand(0);
    case ScalarFunction::convert:
      if (is_integer(e.operands[0]) || is_boolean(e.operands[0])) return operand(0);
      break;
    case ScalarFunction::multiply: {
      const auto left = operand(0), right = operand(1);
      if (!left || !right) return std::nullopt;
      if (left->terms.empty()) return combined({}, *right, left->constant);
      if (right->terms.empty()) return combined({}, *left, right->constant);
      return opaque(
          e, {times(lasting_range(e.operands[0]), lasting_range(e.operands[1])), {}, {}, false});
    }
    case ScalarFunction::divide:
      return divided(e);
    case ScalarFunction::modulo:
      return remainder(e);
    case ScalarFunction::minimum:
    case ScalarFunction::maximum:
      return extreme(e, e.function == ScalarFunction::minimum);
    case ScalarFunction::absolute: {
      const auto value = operand(0);
      if (value && range(*value).low >= 0) return value;
      break;
    }
    case ScalarFunction::select:
      return chosen(e);
    default:
      break;
  }
  return opaque(e, {everything, {}, {}, false});
}

// Euclidean, by a positive constant.
std::optional<Affine> Ranges::divided(const Expr& e) {
  const auto value = affine(e.operands[0]), by = affine(e.operands[1]);
  if (!value || !by || !by->terms.empty() || by->constant <= 0) {
    return opaque(e, {everything, {}, {}, false});
  }
  const auto always = lasting(e.operands[0]);
  const Range known = always ? range(*always) : everything;
  const Affine made = opaque(e, {quotient(known, by->constant), {}, {}, false});
  if (always && !made.terms.empty()) {
    quotients_.try_emplace(made.terms.front().first, Quotient{*always, by->constant});
  }
  return made;
}

std::optional<Affine> Ranges::remainder(const Expr& e) {
  const auto value = affine(e.operands[0]), by = affine(e.operands[1]);
  if (!value || !by) return opaque(e, {everything, {}, {}, false});
  const auto last = difference(*by, {1, {}});
  const bool always = last && follows(*last, facts_, most_substitutions, nullptr);
  if (!always && !(last && not_negative(*last))) return opaque(e, {everything, {}, {}, false});
  const auto above = difference(*last, *value);
  if (above && not_negative(*value) && not_negative(*above)) return value;
  Atom atom{{0, range(*last).high}, {}, {}, false};
  if (!last->terms.empty()) atom.highs.push_back(*last);
  // Under other facts than those that hold here it must not be found again.
  if (!always && !all_facts_) return of_atom(make_atom(std::move(atom)));
  return opaque(e, std::move(atom), !always);
}

// Each operand is looked at once: extremes of extremes may be many levels deep.
Affine Ranges::extreme(const Expr& e, bool least) {
  Atom atom{everything, {}, {}, false};
  std::vector<std::optional<Affine>> values;
  std::optional<Range> known;
  for (const Expr& operand : e.operands) {
    const std::optional<Affine>& value = values.emplace_back(lasting(operand));
    const Range r = value ? range(*value) : everything;
    if (!known) {
      known = r;
    } else if (least) {
      known = Range{std::min(known->low, r.low), std::min(known->high, r.high)};
    } else {
      known = Range{std::max(known->low, r.low), std::max(known->high, r.high)};
    }
    if (value && !value->terms.empty()) (least ? atom.highs : atom.lows).push_back(*value);
  }
  atom.range = known.value_or(everything);
  const Affine made = opaque(e, std::move(atom));
  // An extreme whose value is known is no atom.
  const bool atom_only = made.constant == 0 && made.terms.size() == 1 && made.terms[0].second == 1;
  if (atom_only && values.size() == 2 && values[0] && values[1]) {
    const auto first_gap = difference(*values[least ? 1 : 0], *values[least ? 0 : 1]);
    const auto second_gap = difference(*values[least ? 0 : 1], *values[least ? 1 : 0]);
    extremes_.insert_or_assign(made.terms[0].first, Extreme{*values[0], *values[1], least});
    if (first_gap && second_gap) {
      choices_.try_emplace(made.terms[0].first,
                           Choice{{*values[0], *values[1]}, {{{*first_gap}, {*second_gap}}}});
    }
  }
  return made;
}

// What it is by what holds everywhere: an atom that is of it is found again elsewhere.
std::optional<Affine> Ranges::lasting(const Expr& e) {
  std::vector<Affine> facts = std::exchange(facts_, {});
  const bool all = std::exchange(all_facts_, false);
  auto value = affine(e);
  all_facts_ = all;
  facts_ = std::move(facts);
  return value;
}

Range Ranges::lasting_range(const Expr& e) {
  const auto value = lasting(e);
  return value ? range(*value) : everything;
}

Affine Ranges::chosen(const Expr& e) {
  std::vector<Affine> facts = std::exchange(facts_, {});
  const bool all = std::exchange(all_facts_, false);
  Choice choice;
  bool known = true;
  for (const std::size_t k : {0, 1}) {
    assume(e.operands[0], k == 0);
    const auto value = affine(e.operands[k + 1]);
    choice.facts[k] = std::exchange(facts_, {});
    if (value) choice.values[k] = *value;
    known = known && value;
  }
  all_facts_ = all;
  facts_ = std::move(facts);
  const Range both = known ? either(range(choice.values[0]), range(choice.values[1])) : everything;
  const Affine made = opaque(e, {both, {}, {}, false});
  if (known && !made.terms.empty()) {
    choices_.try_emplace(made.terms.front().first, std::move(choice));
  }
  return made;
}

const Ranges::Extreme* Ranges::extreme(std::uint32_t atom) const {
  const auto found = extremes_.find(atom);
  return found == extremes_.end() ? nullptr : &found->second;
}

}  // namespace rhopsi::onf
