#include "engine/smt/constraints.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <optional>
#include <string>

#include <z3++.h>

#include "engine/smt/watch.hpp"

namespace rhopsi::smt {

namespace {

// Values are kept below this, so that widths stay those of machine words.
constexpr std::uint64_t largest = std::uint64_t{1} << 60;

unsigned width_of(std::uint64_t most) {
  return std::max(1, static_cast<int>(std::bit_width(most)));
}

}  // namespace

// Numbers are bit-vectors; after the constants are gone everything is one propositional problem.
struct Constraints::Solver {
  struct Number {
    z3::expr expression;
    std::uint64_t most;
    std::optional<std::uint64_t> constant;
  };
  struct Predicate {
    z3::expr expression;
    std::optional<bool> constant;
  };

  z3::context context;
  std::deque<Number> numbers;  // these two grow large, and copies of expressions are dear
  std::deque<Predicate> predicates;
  std::optional<Truth> constants[2];  // false and true
  std::vector<z3::expr> required;
  bool contradiction = false;
  bool overflow = false;  // a number may be too large: the problem is given up
  std::uint64_t bits = 0;
  std::optional<z3::model> model;

  Truth add(const z3::expr& expression, std::optional<bool> constant = {}) {
    ++bits;
    predicates.push_back({expression, constant});
    return {static_cast<std::uint32_t>(predicates.size() - 1)};
  }
  Natural add_number(const z3::expr& expression, std::uint64_t most,
                     std::optional<std::uint64_t> constant = {}) {
    bits += width_of(most);
    numbers.push_back({expression, most, constant});
    return {static_cast<std::uint32_t>(numbers.size() - 1)};
  }
  const Number& at(Natural a) const { return numbers[a.id]; }
  const Predicate& at(Truth a) const { return predicates[a.id]; }

  z3::expr widened(const Number& number, unsigned width) const {
    const unsigned own = number.expression.get_sort().bv_size();
    if (own < width) return z3::zext(number.expression, width - own);
    return number.expression;
  }
};

Constraints::Constraints() : solver_(std::make_unique<Solver>()) {}
Constraints::~Constraints() = default;

std::uint64_t Constraints::size() const { return solver_->bits; }

Truth Constraints::constant(bool value) {
  std::optional<Truth>& known = solver_->constants[value ? 1 : 0];
  if (!known) {
    known = solver_->add(solver_->context.bool_val(value), value);
  } else {
    ++solver_->bits;  // whoever asks is at work
  }
  return *known;
}

Truth Constraints::unknown() {
  const std::string name = "p" + std::to_string(solver_->predicates.size());
  return solver_->add(solver_->context.bool_const(name.c_str()));
}

bool Constraints::is_true(Truth a) const { return solver_->at(a).constant == true; }
bool Constraints::is_false(Truth a) const { return solver_->at(a).constant == false; }

Truth Constraints::negate(Truth a) {
  if (solver_->at(a).constant) return constant(!*solver_->at(a).constant);
  return solver_->add(!solver_->at(a).expression);
}

Truth Constraints::all(std::span<const Truth> each) {
  z3::expr_vector parts(solver_->context);
  Truth last{};
  for (Truth a : each) {
    if (is_false(a)) return constant(false);
    if (is_true(a)) continue;
    parts.push_back(solver_->at(a).expression);
    last = a;
  }
  if (parts.empty()) return constant(true);
  return parts.size() == 1 ? last : solver_->add(z3::mk_and(parts));
}

Truth Constraints::any(std::span<const Truth> each) {
  z3::expr_vector parts(solver_->context);
  Truth last{};
  for (Truth a : each) {
    if (is_true(a)) return constant(true);
    if (is_false(a)) continue;
    parts.push_back(solver_->at(a).expression);
    last = a;
  }
  if (parts.empty()) return constant(false);
  return parts.size() == 1 ? last : solver_->add(z3::mk_or(parts));
}

Truth Constraints::both(Truth a, Truth b) {
  const Truth pair[] = {a, b};
  return all(pair);
}

Truth Constraints::either(Truth a, Truth b) {
  const Truth pair[] = {a, b};
  return any(pair);
}

Truth Constraints::same(Truth a, Truth b) {
  if (is_true(a)) return b;
  if (is_true(b)) return a;
  if (is_false(a)) return negate(b);
  if (is_false(b)) return negate(a);
  return solver_->add(solver_->at(a).expression == solver_->at(b).expression);
}

Natural Constraints::number(std::uint64_t value) {
  return solver_->add_number(solver_->context.bv_val(value, width_of(value)), value, value);
}

Natural Constraints::unknown_up_to(std::uint64_t most) {
  if (most == 0) return number(0);
  const std::string name = "n" + std::to_string(solver_->numbers.size());
  const z3::expr made = solver_->context.bv_const(name.c_str(), width_of(most));
  if (!std::has_single_bit(most + 1)) {
    solver_->required.push_back(z3::ule(made, solver_->context.bv_val(most, width_of(most))));
  }
  return solver_->add_number(made, most);
}

Natural Constraints::sum(std::span<const Natural> each) {
  if (each.empty()) return number(0);
  Natural out = each.front();
  for (Natural a : each.subspan(1)) out = add(out, a);
  return out;
}

Natural Constraints::add(Natural a, Natural b) {
  const Solver::Number left = solver_->at(a);
  const Solver::Number right = solver_->at(b);
  if (left.constant == 0U) return b;
  if (right.constant == 0U) return a;
  if (left.constant && right.constant) return number(*left.constant + *right.constant);
  const std::uint64_t most = left.most + right.most;
  if (most >= largest) {
    solver_->overflow = true;
    return number(0);
  }
  const unsigned width = width_of(most);
  return solver_->add_number(solver_->widened(left, width) + solver_->widened(right, width), most);
}

Natural Constraints::multiply(Natural a, Natural b) {
  const Solver::Number left = solver_->at(a);
  const Solver::Number right = solver_->at(b);
  if (left.constant == 1U) return b;
  if (right.constant == 1U) return a;
  if (left.constant == 0U || right.constant == 0U) return number(0);
  if (right.most != 0 && left.most >= largest / right.most) {
    solver_->overflow = true;
    return number(0);
  }
  const std::uint64_t most = left.most * right.most;
  if (left.constant && right.constant) return number(most);
  const unsigned width = width_of(most);
  const z3::expr zero = solver_->context.bv_val(0, width);
  // A coefficient of one bit chooses; a multiplier would say the same with more gates.
  for (const auto& [factor, other] : {std::pair{&left, &right}, std::pair{&right, &left}}) {
    if (factor->most != 1) continue;
    const z3::expr chosen = factor->expression == solver_->context.bv_val(1, 1);
    return solver_->add_number(z3::ite(chosen, solver_->widened(*other, width), zero), most);
  }
  return solver_->add_number(solver_->widened(left, width) * solver_->widened(right, width), most);
}

Natural Constraints::choose(Truth condition, Natural a, Natural b) {
  if (is_true(condition)) return a;
  if (is_false(condition)) return b;
  const Solver::Number left = solver_->at(a);
  const Solver::Number right = solver_->at(b);
  const std::uint64_t most = std::max(left.most, right.most);
  const unsigned width = width_of(most);
  return solver_->add_number(z3::ite(solver_->at(condition).expression,
                                     solver_->widened(left, width), solver_->widened(right, width)),
                             most);
}

Truth Constraints::at_least(Natural a, Natural b) {
  const Solver::Number left = solver_->at(a);
  const Solver::Number right = solver_->at(b);
  if (right.constant == 0U) return constant(true);
  if (left.constant && right.constant) return constant(*left.constant >= *right.constant);
  if (left.constant && *left.constant >= right.most) return constant(true);
  if (right.constant && *right.constant > left.most) return constant(false);
  const unsigned width = width_of(std::max(left.most, right.most));
  return solver_->add(z3::uge(solver_->widened(left, width), solver_->widened(right, width)));
}

Truth Constraints::more(Natural a, Natural b) { return negate(at_least(b, a)); }

Truth Constraints::equal(Natural a, Natural b) {
  const Solver::Number left = solver_->at(a);
  const Solver::Number right = solver_->at(b);
  if (left.constant && right.constant) return constant(*left.constant == *right.constant);
  const unsigned width = width_of(std::max(left.most, right.most));
  return solver_->add(solver_->widened(left, width) == solver_->widened(right, width));
}

void Constraints::require(Truth a) {
  if (is_true(a)) return;
  if (is_false(a)) solver_->contradiction = true;
  solver_->required.push_back(solver_->at(a).expression);
}

bool Constraints::solve(std::chrono::milliseconds limit) {
  if (solver_->contradiction || solver_->overflow || limit.count() <= 0) return false;
  try {
    z3::context& context = solver_->context;
    const z3::tactic steps = z3::tactic(context, "simplify") &
                             z3::tactic(context, "propagate-values") &
                             z3::tactic(context, "bit-blast") & z3::tactic(context, "simplify") &
                             z3::tactic(context, "sat");
    z3::solver solver = steps.mk_solver();
    for (const z3::expr& each : solver_->required) solver.add(each);
    const Checked found = check(context, solver, limit);
    if (found.interrupted || found.result != z3::sat) return false;
    solver_->model.emplace(solver.get_model());
    return true;
  } catch (const z3::exception&) {
    return false;  // what was not found may exist
  }
}

bool Constraints::value(Truth a) const {
  return solver_->model->eval(solver_->at(a).expression, true).is_true();
}

std::uint64_t Constraints::value(Natural a) const {
  return solver_->model->eval(solver_->at(a).expression, true).get_numeral_uint64();
}

}  // namespace rhopsi::smt
