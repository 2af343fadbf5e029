#include "engine/smt/encoding.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace rhopsi::smt {

using moa::ExprId;
using moa::Node;
using moa::Scalar;
using Function = moa::ScalarFunction;
using Kind = Node::Kind;

namespace {

// Folds that hold the place of others make more of them; so many are related.
constexpr std::size_t most_pairs = 64;

bool is_integer(Scalar type) { return type == Scalar::int64 || type == Scalar::int32; }

}  // namespace

Encoding::Encoding(z3::context& context, moa::Expressions& expressions, Theory theory)
    : context_(context), expressions_(expressions), theory_(theory) {}

z3::sort Encoding::sort_of(Scalar type) {
  if (type == Scalar::boolean) return context_.bool_sort();
  if (is_integer(type)) return context_.int_sort();
  switch (theory_) {
    case Theory::any:
      return context_.uninterpreted_sort(type == Scalar::float32 ? "Single" : "Element");
    case Theory::ieee:
      return type == Scalar::float32 ? context_.fpa_sort(8, 24) : context_.fpa_sort(11, 53);
    default:
      return context_.real_sort();
  }
}

bool Encoding::depends_on_bound(ExprId expression) const {
  return std::ranges::any_of(
      bound_, [&](moa::VariableId each) { return expressions_.mentions(expression, each); });
}

z3::expr Encoding::encode(ExprId expression) {
  if (const auto found = known_.find(expression); found != known_.end()) return found->second;
  const z3::expr made = encode_node(expression);
  // What a quantifier binds is a constant of its own everywhere, so that this stays right.
  known_.emplace(expression, made);
  return made;
}

z3::expr Encoding::real_constant(const Node& node) {
  switch (theory_) {
    case Theory::any:
      break;
    case Theory::ieee:
      return node.type == Scalar::float32 ? context_.fpa_val(static_cast<float>(node.real))
                                          : context_.fpa_val(node.real);
    default:
      if (!std::isfinite(node.real)) break;
      return context_.real_val(fmt::format("{:.1074f}", node.real).c_str());  // all its digits
  }
  const std::string name = fmt::format("real {:.17g}", node.real);
  return context_.constant(name.c_str(), sort_of(node.type));
}

z3::expr Encoding::encode_node(ExprId expression) {
  const Node node = expressions_[expression];
  switch (node.kind) {
    case Kind::integer:
      return context_.int_val(node.integer);
    case Kind::boolean:
      return context_.bool_val(node.integer != 0);
    case Kind::real:
      return real_constant(node);
    case Kind::variable: {
      const std::string name = fmt::format("v{}", moa::number(node.variable));
      const z3::expr made = context_.constant(name.c_str(), sort_of(node.type));
      if (is_integer(node.type)) variables_.emplace(node.variable, made);
      if (made.is_real()) reals_.emplace(node.variable, made);
      return made;
    }
    case Kind::extent: {
      const std::string name = fmt::format("s{}.{}", moa::number(node.leaf), node.axis);
      const z3::expr made = context_.int_const(name.c_str());
      extents_.emplace(std::pair{node.leaf, node.axis}, made);
      facts_.push_back(made >= 0);
      return made;
    }
    case Kind::load: {
      z3::expr_vector components(context_);
      for (ExprId operand : node.operands) components.push_back(encode(operand));
      const z3::expr made = unknown_function(fmt::format("array{}", moa::number(node.leaf)),
                                             components, sort_of(node.type));
      loads_.push_back({node.leaf, node.type, components, made});
      return made;
    }
    case Kind::select:
      return z3::ite(encode(node.operands[0]), encode(node.operands[1]), encode(node.operands[2]));
    case Kind::apply:
      return encode_apply(node);
    case Kind::fold:
      return encode_fold(expression, node);
  }
  throw std::logic_error("a node of an unknown kind");
}

z3::expr Encoding::unknown_function(const std::string& name, const z3::expr_vector& operands,
                                    const z3::sort& result) {
  z3::sort_vector domain(context_);
  std::string full = name;
  for (const z3::expr& operand : operands) {
    domain.push_back(operand.get_sort());
    full += " " + operand.get_sort().to_string();
  }
  full += " " + result.to_string();
  return context_.function(full.c_str(), domain, result)(operands);
}

z3::expr Encoding::encode_apply(const Node& node) {
  z3::expr_vector operands(context_);
  for (ExprId operand : node.operands) operands.push_back(encode(operand));
  switch (node.function) {
    case Function::and_:
      return operands[0] && operands[1];
    case Function::or_:
      return operands[0] || operands[1];
    case Function::not_:
      return !operands[0];
    case Function::implies:
      return z3::implies(operands[0], operands[1]);
    case Function::iff:
      return operands[0] == operands[1];
    default:
      break;
  }
  const Scalar type = expressions_[node.operands[0]].type;
  const bool conversion = node.function == Function::convert;
  if (conversion) {
    // Whether an index or a length comes back from the reals is no matter of real numbers.
    const bool of_element = expressions_.reads(node.operands[0]);
    const bool back = is_integer(node.type) && !is_integer(type) && type != Scalar::boolean;
    const auto made = back && !of_element ? std::nullopt : converted(node.type, type, operands[0]);
    if (made) return *made;
  }
  if (!conversion && is_integer(type)) return encode_integer(node, operands);
  if (!conversion) {
    if (const auto made = interpreted(node, operands)) return *made;
  }
  // Whatever equality is, this is its negation.
  const bool differ = node.function == Function::not_equal;
  const int function = static_cast<int>(differ ? Function::equal : node.function);
  const z3::expr made =
      unknown_function(fmt::format("function{}", function), operands, sort_of(node.type));
  return differ ? !made : made;
}

// Nothing where the theory does not know it.
std::optional<z3::expr> Encoding::converted(Scalar to, Scalar from, const z3::expr& operand) {
  const bool reals = theory_ == Theory::ring || theory_ == Theory::field;
  const bool boolean = from == Scalar::boolean;
  if (is_integer(to)) {
    if (boolean) return z3::ite(operand, context_.int_val(1), context_.int_val(0));
    if (is_integer(from)) return operand;
    if (!reals) return std::nullopt;
    // Towards zero.
    const z3::expr below(context_, Z3_mk_real2int(context_, operand));
    const z3::expr above(context_, Z3_mk_real2int(context_, -operand));
    return z3::ite(operand >= 0, below, -above);
  }
  if (to == Scalar::boolean) {
    if (is_integer(from) || (reals && !boolean)) return operand != 0;
    return std::nullopt;
  }
  if (!reals) return std::nullopt;
  if (boolean) return z3::ite(operand, context_.real_val(1), context_.real_val(0));
  if (is_integer(from)) return z3::to_real(operand);
  return std::nullopt;
}

// Of integers and of reals alike; division is another one for each.
std::optional<z3::expr> Encoding::number_operation(Function function,
                                                   const z3::expr_vector& operands) {
  const z3::expr a = operands[0];
  const auto b = [&] { return operands[1]; };
  switch (function) {
    case Function::add:
      return a + b();
    case Function::subtract:
      return a - b();
    case Function::multiply:
      return a * b();
    case Function::negate:
      return -a;
    case Function::minimum:
      return z3::ite(a <= b(), a, b());
    case Function::maximum:
      return z3::ite(a <= b(), b(), a);
    case Function::absolute:
      return z3::ite(a >= 0, a, -a);
    case Function::less:
      return a < b();
    case Function::less_equal:
      return a <= b();
    case Function::greater:
      return a > b();
    case Function::greater_equal:
      return a >= b();
    case Function::equal:
      return a == b();
    case Function::not_equal:
      return a != b();
    default:
      return std::nullopt;
  }
}

z3::expr Encoding::encode_integer(const Node& node, const z3::expr_vector& operands) {
  if (node.function == Function::divide) {
    return z3::expr(context_, Z3_mk_div(context_, operands[0], operands[1]));
  }
  if (node.function == Function::modulo) return z3::mod(operands[0], operands[1]);
  if (const auto made = number_operation(node.function, operands)) return *made;
  return unknown_function(fmt::format("function{}", static_cast<int>(node.function)), operands,
                          sort_of(node.type));
}

std::optional<z3::expr> Encoding::interpreted(const Node& node, const z3::expr_vector& operands) {
  switch (theory_) {
    case Theory::any:
      return std::nullopt;
    case Theory::ieee:
      return ieee_operation(node, operands);
    default:
      return real_operation(node, operands);
  }
}

std::optional<z3::expr> Encoding::real_operation(const Node& node,
                                                 const z3::expr_vector& operands) {
  if (!operands[0].is_real()) return std::nullopt;
  const bool of_rings = node.function == Function::add || node.function == Function::subtract ||
                        node.function == Function::multiply || node.function == Function::negate ||
                        node.function == Function::equal || node.function == Function::not_equal;
  if (!of_rings && theory_ != Theory::field) return std::nullopt;
  if (node.function == Function::divide) return operands[0] / operands[1];
  return number_operation(node.function, operands);
}

std::optional<z3::expr> Encoding::ieee_operation(const Node& node,
                                                 const z3::expr_vector& operands) {
  if (!operands[0].is_fpa()) return std::nullopt;
  // Sums and products of two are the same both ways, which bits show only after long.
  const bool symmetric = node.function == Function::add || node.function == Function::multiply;
  const bool turned = symmetric && operands[1].id() < operands[0].id();
  const z3::expr a = operands[turned ? 1 : 0];
  const auto b = [&] { return operands[turned ? 0 : 1]; };
  switch (node.function) {
    case Function::add:
      return a + b();
    case Function::subtract:
      return a - b();
    case Function::multiply:
      return a * b();
    case Function::divide:
      return ieee_quotient(a, b(), expressions_[node.operands[1]]);
    case Function::negate:
      return -a;
    case Function::absolute:
      return z3::abs(a);
    case Function::less:
      return a < b();
    case Function::less_equal:
      return a <= b();
    case Function::greater:
      return a > b();
    case Function::greater_equal:
      return a >= b();
    case Function::equal:
      return z3::fp_eq(a, b());
    case Function::not_equal:
      return !z3::fp_eq(a, b());
    default:
      return std::nullopt;  // min and max choose between zeros as they like
  }
}

// Bits of a quotient are so many that the solver works on them for half a minute and looks at no
// clock meanwhile. So it is a function of which is known what its signs are, and what it is by a
// power of two, which is the product with the inverse. That proves less, and nothing else.
z3::expr Encoding::ieee_quotient(const z3::expr& a, const z3::expr& b, const Node& divisor) {
  const bool literal = divisor.kind == Kind::real && std::isfinite(divisor.real);
  const bool is_double = a.get_sort().fpa_sbits() == 53;
  const int most = is_double ? 1'000 : 120;  // up to there the inverse has all its bits
  int exponent = 0;
  const bool power = literal && std::abs(std::frexp(divisor.real, &exponent)) == 0.5;
  if (power && std::abs(exponent) < most) {
    const double inverse = 1 / divisor.real;
    return a *
           (is_double ? context_.fpa_val(inverse) : context_.fpa_val(static_cast<float>(inverse)));
  }
  const bool negative = literal && std::signbit(divisor.real);
  z3::expr_vector operands(context_);
  operands.push_back(a);
  operands.push_back(negative ? -b : b);
  const z3::expr made = unknown_function("quotient", operands, a.get_sort());
  return negative ? -made : made;
}

z3::expr Encoding::quantified(const Node& node) {
  const z3::expr index = encode(expressions_.variable(node.variable));
  const z3::expr count = encode(node.operands[0]);
  bound_.push_back(node.variable);
  const z3::expr body = encode(node.operands[1]);
  bound_.pop_back();
  if (node.function == Function::or_) return z3::exists(index, index >= 0 && index < count && body);
  return z3::forall(index, z3::implies(index >= 0 && index < count, body));
}

z3::expr Encoding::encode_fold(ExprId expression, const Node& node) {
  if (node.type == Scalar::boolean &&
      (node.function == Function::and_ || node.function == Function::or_)) {
    return quantified(node);
  }
  const std::string name = fmt::format("fold{}", moa::number(expression));
  if (depends_on_bound(expression)) {
    z3::expr_vector places(context_);
    for (moa::VariableId each : bound_) places.push_back(encode(expressions_.variable(each)));
    return unknown_function(name, places, sort_of(node.type));
  }
  const z3::expr value = context_.constant(name.c_str(), sort_of(node.type));
  for (std::size_t k = 0; k < folds_.size(); ++k) pairs_.emplace_back(k, folds_.size());
  folds_.push_back({value, expression});
  return value;
}

void Encoding::relate(const Fold& one, const Fold& other) {
  const Node a = expressions_[one.expression];
  const Node b = expressions_[other.expression];
  if (a.function != b.function || a.type != b.type) return;
  const moa::VariableId place = expressions_.make_variable("k");
  const ExprId at = expressions_.variable(place);
  const z3::expr k = encode(at);
  const z3::expr left = encode(expressions_.substitute(a.operands[1], a.variable, at));
  const z3::expr right = encode(expressions_.substitute(b.operands[1], b.variable, at));
  const z3::expr counts = encode(a.operands[0]) == encode(b.operands[0]);
  const z3::expr inside = k >= 0 && k < encode(a.operands[0]);
  facts_.push_back((one.value == other.value) || !counts || (inside && left != right));
}

std::vector<z3::expr> Encoding::take_facts() {
  // Relating two may meet more.
  for (const auto& [one, other] : std::exchange(pairs_, {})) {
    if (related_++ < most_pairs) relate(Fold(folds_[one]), Fold(folds_[other]));
  }
  return std::exchange(facts_, {});
}

Counterexample Encoding::read(const z3::model& model) const {
  Counterexample found;
  const auto value = [&](const z3::expr& unknown) {
    std::int64_t number = 0;
    const z3::expr known = model.eval(unknown, true);
    return known.is_numeral_i64(number) ? number : std::int64_t{0};
  };
  for (const auto& [variable, unknown] : variables_) {
    found.variables.emplace(variable, value(unknown));
  }
  for (const auto& [axis, unknown] : extents_) found.extents.emplace(axis, value(unknown));
  const auto real = [&](const z3::expr& unknown) -> std::optional<double> {
    const z3::expr known = model.eval(unknown, true);
    if (!known.is_numeral()) return std::nullopt;
    return Z3_get_numeral_double(context_, known);
  };
  for (const auto& [variable, unknown] : reals_) {
    if (const auto number = real(unknown)) found.reals.emplace(variable, *number);
  }
  for (const Load& load : loads_) {
    Counterexample::Element element{load.leaf, {}, {load.type, 0, 0}};
    for (const z3::expr& each : load.components) element.index.push_back(value(each));
    if (load.value.is_int()) {
      element.value.integer = value(load.value);
    } else if (const auto number = load.value.is_real() ? real(load.value) : std::nullopt) {
      element.value.real = *number;
    } else {
      continue;
    }
    found.elements.push_back(std::move(element));
  }
  return found;
}

}  // namespace rhopsi::smt
