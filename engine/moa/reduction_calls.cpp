// Calls: by the kind of a primitive, by rules, by bodies.
#include <algorithm>
#include <cstdlib>

#include "engine/moa/integers.hpp"
#include "engine/moa/reduction.hpp"

namespace rhopsi::moa {

using onf::Primitive;
using term::Callable;
using term::LocationId;
using term::SymbolId;
using term::TermId;

std::vector<Value> Reduction::arguments_of(TermId term, const Environment& environment) {
  std::vector<Value> values;
  const std::size_t count = store_.children(term).size();
  values.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    values.push_back(evaluate(store_.children(term)[k], environment));
  }
  return values;
}

Value Reduction::call(TermId term, const Environment& environment) {
  const SymbolId symbol = store_.symbol(term);
  if (const auto found = constants_.find(symbol); found != constants_.end()) return found->second;
  if (const Primitive* found = library_.primitive(symbol)) {
    return primitive(*found, term, environment);
  }
  const term::Builtin known = term::builtin(store_, symbol);
  if (known != term::Builtin::none) return builtin(known, term, environment);
  return applied(symbol, arguments_of(term, environment), store_.location(term),
                 environment.is_of_rule());
}

// `of_rule`: the call stands in one.
Value Reduction::applied(SymbolId symbol, std::vector<Value> arguments, LocationId location,
                         bool of_rule) {
  const auto callable = library_.callables.find(symbol);
  try {
    if (callable != library_.callables.end()) {
      check_guard(*callable->second, arguments, location);
    }
    if (library_.is_array(store_[symbol].result)) {
      return array_call(symbol, std::move(arguments), location);
    }
    return meaning(symbol, std::move(arguments), location, of_rule || !limits_.own_accesses);
  } catch (Failure& failure) {
    // It is the call that is wrong, and not the rule that computes its lengths.
    if (failure.problem.code == "E0613") failure.problem.location = location;
    throw;
  }
}

// The first rule about the operation whose condition is certain.
std::optional<Value> Reduction::by_rules(const Equations& equations, SymbolId symbol,
                                         std::span<const Value> arguments, const Vector* index,
                                         bool of_rule) {
  const auto found = equations.find(symbol);
  if (found == equations.end()) return std::nullopt;
  for (const Equation& equation : found->second) {
    Environment environment;
    environment.of_rule = of_rule;
    for (std::size_t k = 0; k < equation.parameters.size(); ++k) {
      environment.values.emplace_back(equation.parameters[k], arguments[k]);
    }
    if (index != nullptr) environment.values.emplace_back(*equation.index, *index);
    if (equation.condition) {
      const ExprId condition = scalar(*equation.condition, environment);
      if (facts_.decide(condition) != true) continue;
    }
    const auto [place, fresh] = uses_.try_emplace(equation.name, form_.uses.size());
    if (fresh) form_.uses.push_back({equation.name, equation.location, 0});
    ++form_.uses[place->second].count;
    return evaluate(equation.right, environment);
  }
  return std::nullopt;
}

Value Reduction::array_call(SymbolId symbol, std::vector<Value> arguments, LocationId location) {
  const auto shape = by_rules(library_.shapes, symbol, arguments, nullptr);
  if (!shape) {
    // An operation may be defined by another one.
    if (!library_.elements.contains(symbol)) {
      return meaning(symbol, std::move(arguments), location, true);
    }
    no_rule(shape_of(symbol), library_.shapes.contains(symbol), location);
  }
  ArrayValue value;
  value.kind = ArrayValue::Kind::call;
  value.symbol = symbol;
  std::vector<Scalar> types;
  for (const Value& argument : arguments) types.push_back(type_of(argument));
  value.element = types_.of_call(symbol, types);
  value.arguments = std::move(arguments);
  value.shape = checked_lengths(std::get<Vector>(*shape), shape_of(symbol), location);
  value.location = location;
  return make(std::move(value));
}

// `of_rule`: what the meaning reads is its own concern (Limits::own_accesses).
Value Reduction::meaning(SymbolId symbol, std::vector<Value> arguments, LocationId location,
                         bool of_rule) {
  if (auto found = by_rules(library_.meanings, symbol, arguments, nullptr, of_rule)) {
    return std::move(*found);
  }
  const auto callable = library_.callables.find(symbol);
  if (callable != library_.callables.end() && callable->second->body) {
    Environment environment;
    environment.of_rule = callable->second->by_rule && of_rule;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      environment.values.emplace_back(callable->second->parameters[k], std::move(arguments[k]));
    }
    return evaluate(*callable->second->body, environment);
  }
  no_rule(library_.is_array(store_[symbol].result) ? shape_of(symbol) : name(symbol),
          library_.meanings.contains(symbol), location);
}

std::string Reduction::shape_of(SymbolId symbol) const {
  return library_.shape_name + "(" + name(symbol) + ")";
}

// `stated`: there are some, all with conditions.
void Reduction::no_rule(const std::string& subject, bool stated, LocationId location) const {
  if (stated) {
    fail("E0530", "no rule for " + subject + " whose condition is certain",
         "guard the operation so that one of the conditions follows", location);
  }
  fail("E0601", "no rule for " + subject,
       "state what it is in an axiom, for variables as arguments: of an array, `assert " +
           library_.shape_name + "(f(x)) == ...` and `assert " + library_.element_name +
           "(p, f(x)) == ...`",
       location);
}

// Integers that are no elements are lengths, indices and what they are computed from: these do not
// wrap. What is not known yet is tested where it is computed.
void Reduction::check_overflow(ScalarFunction function, std::span<const ExprId> operands,
                               LocationId location) const {
  std::int64_t left = 0, right = 0, unused = 0;
  const auto constant = [&](ExprId operand) {
    return expressions_[operand].type == Scalar::int64 ? sum_of(expressions_, operand).constant : 0;
  };
  bool overflows = false;
  const char* sign = " * ";
  switch (function) {
    case ScalarFunction::add:
    case ScalarFunction::subtract:
      left = constant(operands[0]);
      right = constant(operands[1]);
      sign = function == ScalarFunction::add ? " + " : " - ";
      overflows = function == ScalarFunction::add ? __builtin_add_overflow(left, right, &unused)
                                                  : __builtin_sub_overflow(left, right, &unused);
      break;
    case ScalarFunction::multiply: {
      const auto first = expressions_.constant(operands[0]);
      const auto second = expressions_.constant(operands[1]);
      if (!first || !second) return;
      left = *first;
      right = *second;
      overflows = __builtin_mul_overflow(left, right, &unused);
      break;
    }
    case ScalarFunction::negate:
    case ScalarFunction::absolute:
      if (expressions_.constant(operands[0]) != INT64_MIN) return;
      fail("E0613", "-(" + std::to_string(INT64_MIN) + ") is no 64-bit integer",
           "lengths and indices are integers of 64 bits", location);
    default:
      return;
  }
  if (!overflows) return;
  fail("E0613", std::to_string(left) + sign + std::to_string(right) + " is no 64-bit integer",
       "lengths and indices are integers of 64 bits", location);
}

// Elements wrap where 64 bits do not hold them. What is not known to stay within may be reordered
// among itself, but says nothing about order, quotients and remainders.
bool Reduction::may_wrap(ScalarFunction function, std::span<const ExprId> operands) {
  const bool two = operands.size() == 2;
  const bool arithmetic = function <= ScalarFunction::multiply ||
                          function == ScalarFunction::negate ||
                          function == ScalarFunction::absolute;
  if (!arithmetic) return false;
  Bounds sides[2] = {{0, 0}, {0, 0}};
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const Scalar type = expressions_[operands[k]].type;
    // What reads elements is taken to wrap anyway.
    if (promoted(type, Scalar::int64) != Scalar::int64 || expressions_.reads(operands[k])) {
      return false;
    }
    sides[two ? k : 1] = facts_.bounds(operands[k]);
  }
  const auto& [left, right] = sides;
  if (!left.low || !left.high || !right.low || !right.high) return true;
  const auto leaves = [&](std::int64_t a, std::int64_t b) {
    std::int64_t unused = 0;
    if (function == ScalarFunction::multiply) return __builtin_mul_overflow(a, b, &unused);
    if (function == ScalarFunction::add) return __builtin_add_overflow(a, b, &unused);
    return __builtin_sub_overflow(a, b, &unused);
  };
  return leaves(*left.low, *right.low) || leaves(*left.low, *right.high) ||
         leaves(*left.high, *right.low) || leaves(*left.high, *right.high);
}

// An element as an integer. A sum of elements has wrapped by then: what is added to it as an index
// does not join it.
ExprId Reduction::converted(ExprId value, Scalar type) {
  const Node node = expressions_[value];
  const bool sum = node.kind == Node::Kind::apply && (node.function <= ScalarFunction::multiply ||
                                                      node.function == ScalarFunction::negate);
  if (type != Scalar::int64 || node.type != type || !sum || !expressions_.reads(value)) {
    return expressions_.converted(value, type);
  }
  return expressions_.kept(node.function, node.operands);
}

// A number that comes with the run: of a program, or an element.
bool Reduction::is_given(ExprId term) const {
  const Node& node = expressions_[term];
  return expressions_.reads(term) || (node.kind == Node::Kind::variable &&
                                      std::ranges::binary_search(form_.parameters, node.variable));
}

bool Reduction::has_given_factor(ExprId term) const {
  const Node& node = expressions_[term];
  if (node.kind != Node::Kind::apply || node.function != ScalarFunction::multiply) {
    return is_given(term);
  }
  return std::ranges::any_of(node.operands, [this](ExprId k) { return has_given_factor(k); });
}

// i + k < n is computed in 64 bits for each i: a k of which nothing is known has to leave room.
void Reduction::check_reach(std::span<const ExprId> operands, LocationId location) {
  const auto has_index = [this](ExprId operand) { return !free_variables(operand).empty(); };
  if (limits_.assume_defined || std::ranges::none_of(operands, has_index)) return;
  for (ExprId operand : operands) {
    if (expressions_[operand].type != Scalar::int64) continue;
    const Sum sum = sum_of(expressions_, operand);
    if (sum.terms.size() + (sum.constant != 0 ? 1 : 0) < 2) continue;
    for (const auto& [term, factor] : sum.terms) {
      if (factor == 0 || !has_given_factor(term) || has_index(term)) continue;
      const std::int64_t far = std::abs((std::int64_t{1} << 60) / factor);
      const ExprId above =
          expressions_.apply(ScalarFunction::less_equal, {expressions_.integer(-far), term});
      const ExprId below =
          expressions_.apply(ScalarFunction::less_equal, {term, expressions_.integer(far)});
      const bool is_above = facts_.decide(above) == true;
      const bool is_below = facts_.decide(below) == true;
      if (is_above && is_below) continue;
      const ExprId near = is_above   ? below
                          : is_below ? above
                                     : expressions_.apply(ScalarFunction::and_, {above, below});
      demand(near, "an index is computed with " + shown(term) + ", which is too large for it",
             location, of_reach);
    }
  }
}

// (i + o) % s  =>  (i + o % s) % s, where o may be as large as 64 bits hold: what is computed of an
// index has a value whatever its sum is.
ExprId Reduction::remainder(ExprId value, ExprId divisor) {
  constexpr std::int64_t far = std::int64_t{1} << 60;
  constexpr std::int64_t most_times = 16;
  const auto is_far = [&](ExprId term) {
    if (!is_given(term)) return false;
    const Bounds range = facts_.bounds(term);
    return !range.low || !range.high || *range.low < -far || *range.high > far;
  };
  const Sum sum = sum_of(expressions_, value);
  const auto by = expressions_.constant(divisor);
  Sum near{{}, sum.constant};
  if (by && *by != 0) near.constant = nearest_remainder(sum.constant, *by);
  bool changed = near.constant != sum.constant && expressions_.reads(value);
  for (const auto& [term, factor] : sum.terms) {
    const bool times = factor <= most_times && factor >= -most_times;
    const bool alone = sum.terms.size() == 1 && factor == 1 && sum.constant == 0;
    ExprId part = term;
    if (times && !alone && is_far(term)) {
      part = expressions_.kept(ScalarFunction::modulo, {term, divisor});
      changed = true;
    }
    near = add_scaled(near, Sum{{{part, 1}}, 0}, factor);
  }
  if (!changed) return facts_.modulo(value, divisor);
  return facts_.modulo(expression_of(expressions_, near), divisor);
}

void Reduction::check_divisor(ExprId divisor, LocationId location) {
  if (expressions_[divisor].type != Scalar::int64) return;
  const ExprId some =
      expressions_.apply(ScalarFunction::not_equal, {divisor, expressions_.integer(0)});
  if (facts_.decide(some) != true) demand(some, "division by zero", location, of_divisors);
}

void Reduction::check_conversion(ExprId value, Scalar type, LocationId location) {
  const Scalar from = expressions_[value].type;
  const bool is_real = from == Scalar::float32 || from == Scalar::float64;
  if (type != Scalar::int64 || !is_real) return;
  const ExprId low = expressions_.real(-0x1p63, from);
  const ExprId high = expressions_.real(0x1p63, from);
  const ExprId fits = expressions_.apply(
      ScalarFunction::and_, {expressions_.apply(ScalarFunction::less_equal, {low, value}),
                             expressions_.apply(ScalarFunction::less, {value, high})});
  if (facts_.decide(fits) == true) return;
  demand(fits, "a real number that no 64-bit integer is near to", location, of_reach);
}

ExprId Reduction::apply(ScalarFunction function, std::span<const ExprId> operands,
                        const onf::Representation& result, LocationId location) {
  const bool division = function == ScalarFunction::divide || function == ScalarFunction::modulo;
  const bool demands = limits_.assume_defined || ends_early_;
  // A real number may be divided by an integer that is 0.
  const bool of_integers = division && expressions_[operands[0]].type == Scalar::int64;
  if (of_integers && demands) check_divisor(operands[1], location);
  if (function == ScalarFunction::convert && ends_early_) {
    check_conversion(operands[0], result.scalar, location);
  }
  const bool exact = result.kind == onf::Representation::Kind::scalar && !result.promotes &&
                     result.scalar == Scalar::int64;
  if (exact) check_overflow(function, operands, location);
  if (result.promotes && !limits_.assume_defined && may_wrap(function, operands)) {
    return expressions_.kept(function, {operands.begin(), operands.end()});
  }
  switch (function) {
    case ScalarFunction::convert:
      // A number that promotes keeps what it is converted from.
      return result.promotes ? operands[0] : converted(operands[0], result.scalar);
    case ScalarFunction::divide:
      return facts_.divide(operands[0], operands[1]);
    case ScalarFunction::modulo:
      if (exact && !limits_.assume_defined) return remainder(operands[0], operands[1]);
      return facts_.modulo(operands[0], operands[1]);
    case ScalarFunction::absolute: {
      const ExprId zero = expressions_.integer(0);
      const bool integer = expressions_[operands[0]].type == Scalar::int64;
      const bool certain = integer && facts_.decide(expressions_.apply(
                                          ScalarFunction::less_equal, {zero, operands[0]})) == true;
      if (certain) return operands[0];
      break;
    }
    case ScalarFunction::minimum:
    case ScalarFunction::maximum:
      if (expressions_[operands[0]].type == Scalar::int64 &&
          expressions_[operands[1]].type == Scalar::int64) {
        return function == ScalarFunction::minimum ? facts_.minimum(operands[0], operands[1])
                                                   : facts_.maximum(operands[0], operands[1]);
      }
      break;
    default:
      break;
  }
  return expressions_.apply(function, operands, result.scalar);
}

// A comparison, quotient or extreme of what does not wrap.
bool Reduction::orders_integers(ScalarFunction function, TermId term) const {
  const bool orders = function == ScalarFunction::divide || function == ScalarFunction::minimum ||
                      function == ScalarFunction::maximum ||
                      (function >= ScalarFunction::less && function <= ScalarFunction::not_equal);
  if (!orders || store_.children(term).empty()) return false;
  const onf::Representation* type = library_.representation(store_.sort(store_.children(term)[0]));
  return type != nullptr && type->kind == onf::Representation::Kind::scalar && !type->promotes &&
         type->scalar == Scalar::int64;
}

// A number that does not promote has the one type of its sort.
ExprId Reduction::represented(ExprId value, term::SortId sort) {
  const onf::Representation* found = library_.representation(sort);
  if (found == nullptr || found->promotes) return value;
  return expressions_.converted(value, promoted(found->scalar, Scalar::boolean));
}

Value Reduction::primitive(const Primitive& primitive, TermId term,
                           const Environment& environment) {
  const LocationId location = store_.location(term);
  const std::vector<Value> arguments = arguments_of(term, environment);
  const auto callable = library_.callables.find(store_.symbol(term));
  if (callable->second->guard) check_guard(*callable->second, arguments, location);
  switch (primitive.kind) {
    case Primitive::Kind::scalar: {
      std::vector<ExprId> operands;
      for (const Value& argument : arguments) operands.push_back(std::get<ExprId>(argument));
      if (orders_integers(primitive.function, term)) check_reach(operands, location);
      const ExprId value = represented(apply(primitive.function, operands,
                                             *library_.representation(store_.sort(term)), location),
                                       store_.sort(term));
      if (expressions_[value].type != Scalar::boolean) return value;
      if (const auto known = facts_.decide(value)) return expressions_.boolean(*known);
      return value;
    }
    case Primitive::Kind::load:
      if (arguments.size() == 2 && std::holds_alternative<Vector>(arguments[0])) {
        return accessed(std::get<ArrayPointer>(arguments[1]), std::get<Vector>(arguments[0]),
                        environment, location);
      } else {
        Vector index;
        for (std::size_t k = 0; k + 1 < arguments.size(); ++k) {
          index.push_back(std::get<ExprId>(arguments[k]));
        }
        return accessed(std::get<ArrayPointer>(arguments.back()), index, environment, location);
      }
    case Primitive::Kind::shape:
      return std::get<ArrayPointer>(arguments[0])->shape;
    case Primitive::Kind::length:
      return expressions_.integer(static_cast<std::int64_t>(std::get<Vector>(arguments[0]).size()));
    case Primitive::Kind::component:
      return component(std::get<Vector>(arguments[0]), std::get<ExprId>(arguments[1]), location);
    default:
      no_rule(name(store_.symbol(term)), false, location);
  }
}

}  // namespace rhopsi::moa
