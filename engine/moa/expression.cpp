#include "engine/moa/expression.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "engine/moa/integers.hpp"

namespace rhopsi::moa {

namespace {

using Kind = Node::Kind;

// Functions of reals only: their operands become float64 unless they are float32.
bool is_of_reals(ScalarFunction function) {
  switch (function) {
    case ScalarFunction::sqrt:
    case ScalarFunction::exp:
    case ScalarFunction::log:
    case ScalarFunction::sin:
    case ScalarFunction::cos:
    case ScalarFunction::tanh:
    case ScalarFunction::pow:
      return true;
    default:
      return false;
  }
}

bool is_comparison(ScalarFunction function) {
  return function >= ScalarFunction::less && function <= ScalarFunction::not_equal;
}

bool is_connective(ScalarFunction function) {
  return function >= ScalarFunction::and_ && function <= ScalarFunction::iff;
}

bool is_real(Scalar type) { return type == Scalar::float32 || type == Scalar::float64; }

std::size_t mix(std::size_t seed, std::size_t value) {
  return (seed ^ value) * 0x9e3779b97f4a7c15ULL + (seed >> 7);
}

std::size_t hash_of(const Node& node) {
  std::size_t seed = mix(static_cast<std::size_t>(node.kind), static_cast<std::size_t>(node.type));
  seed = mix(seed, static_cast<std::size_t>(node.function));
  seed = mix(seed, static_cast<std::size_t>(node.integer));
  seed = mix(seed, std::bit_cast<std::uint64_t>(node.real));
  seed = mix(seed, number(node.variable) * 31 + number(node.leaf) * 7 + node.axis);
  if (node.kept) seed = mix(seed, 1);
  for (ExprId operand : node.operands) seed = mix(seed, number(operand));
  return seed;
}

// Equality to the bit: 0.0 and -0.0 differ, a NaN is itself.
bool same(const Node& left, const Node& right) {
  if (std::bit_cast<std::uint64_t>(left.real) != std::bit_cast<std::uint64_t>(right.real)) {
    return false;
  }
  Node a = left;
  Node b = right;
  a.real = b.real = 0;
  return a == b;
}

}  // namespace

bool is_connective(const Node& node) {
  return node.kind == Kind::apply &&
         (node.function == ScalarFunction::and_ || node.function == ScalarFunction::or_);
}

bool divides(const Node& node) {
  return node.type == Scalar::int64 &&
         (node.function == ScalarFunction::divide || node.function == ScalarFunction::modulo);
}

Scalar promoted(Scalar left, Scalar right) {
  const auto rank = [](Scalar type) { return type == Scalar::int32 ? Scalar::int64 : type; };
  return std::max(rank(left), rank(right));
}

Scalar result_type(ScalarFunction function, std::span<const Scalar> operands) {
  if (function == ScalarFunction::true_ || function == ScalarFunction::false_) {
    return Scalar::boolean;
  }
  if (is_comparison(function) || is_connective(function)) return Scalar::boolean;
  if (function == ScalarFunction::select) return promoted(operands[1], operands[2]);
  Scalar type = Scalar::int64;
  for (Scalar operand : operands) type = promoted(type, operand);
  return is_of_reals(function) && !is_real(type) ? Scalar::float64 : type;
}

struct Expressions::Tables {
  std::deque<Node> nodes;
  std::unordered_multimap<std::size_t, ExprId> by_hash;
  std::deque<std::string> variables;
  std::vector<bool> may_fail;
  std::vector<bool> reads;
};

Expressions::Expressions() : tables_(std::make_unique<Tables>()) {}
Expressions::~Expressions() = default;

const Node& Expressions::operator[](ExprId id) const { return tables_->nodes[number(id)]; }
std::size_t Expressions::count() const { return tables_->nodes.size(); }
const std::string& Expressions::name(VariableId variable) const {
  return tables_->variables[number(variable)];
}

ExprId Expressions::intern(Node node) {
  const std::size_t hash = hash_of(node);
  const auto [first, last] = tables_->by_hash.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (same((*this)[it->second], node)) return it->second;
  }
  const auto id = static_cast<ExprId>(tables_->nodes.size());
  const bool divides =
      node.kind == Kind::apply && node.type == Scalar::int64 &&
      (node.function == ScalarFunction::divide || node.function == ScalarFunction::modulo);
  bool fails = divides && constant(node.operands[1]).value_or(0) == 0;
  for (ExprId operand : node.operands) fails = fails || may_fail(operand);
  tables_->may_fail.push_back(fails);
  const bool wraps = node.kept && !divides;
  tables_->reads.push_back(node.kind == Kind::load || wraps ||
                           std::ranges::any_of(node.operands, [&](ExprId o) { return reads(o); }));
  tables_->nodes.push_back(std::move(node));
  tables_->by_hash.emplace(hash, id);
  return id;
}

bool Expressions::may_fail(ExprId expression) const {
  return tables_->may_fail[number(expression)];
}

bool Expressions::reads(ExprId expression) const { return tables_->reads[number(expression)]; }

ExprId Expressions::integer(std::int64_t value) {
  Node node;
  node.integer = value;
  return intern(std::move(node));
}

ExprId Expressions::real(double value, Scalar type) {
  Node node;
  node.kind = Kind::real;
  node.type = type;
  node.real = type == Scalar::float32 ? static_cast<double>(static_cast<float>(value)) : value;
  return intern(std::move(node));
}

ExprId Expressions::boolean(bool value) {
  Node node;
  node.kind = Kind::boolean;
  node.type = Scalar::boolean;
  node.integer = value ? 1 : 0;
  return intern(std::move(node));
}

ExprId Expressions::extent(LeafId leaf, std::uint32_t axis) {
  Node node;
  node.kind = Kind::extent;
  node.leaf = leaf;
  node.axis = axis;
  return intern(std::move(node));
}

VariableId Expressions::make_variable(std::string name) {
  tables_->variables.push_back(std::move(name));
  return static_cast<VariableId>(tables_->variables.size() - 1);
}

ExprId Expressions::variable(VariableId variable, Scalar type) {
  Node node;
  node.kind = Kind::variable;
  node.type = promoted(type, Scalar::boolean);
  node.variable = variable;
  return intern(std::move(node));
}

ExprId Expressions::load(LeafId leaf, Scalar type, std::span<const ExprId> components) {
  Node node;
  node.kind = Kind::load;
  node.type = type == Scalar::int32 ? Scalar::int64 : type;
  node.leaf = leaf;
  node.operands.assign(components.begin(), components.end());
  return intern(std::move(node));
}

std::optional<std::int64_t> Expressions::constant(ExprId expression) const {
  const Node& node = (*this)[expression];
  if (node.kind == Kind::integer || node.kind == Kind::boolean) return node.integer;
  return std::nullopt;
}

ExprId Expressions::converted(ExprId value, Scalar wanted) {
  const Scalar type = wanted == Scalar::int32 ? Scalar::int64 : wanted;
  const Node& node = (*this)[value];
  if (node.type == type) return value;
  if (const auto known = constant(value)) {
    if (type == Scalar::boolean) return boolean(*known != 0);
    if (type == Scalar::int64) return integer(*known);
    return real(static_cast<double>(*known), type);
  }
  if (node.kind == Kind::real && is_real(type)) return real(node.real, type);
  // What 64 bits do not hold is left to whoever computes it.
  const bool fits = node.real >= -0x1p63 && node.real < 0x1p63;
  if (node.kind == Kind::real && type == Scalar::int64 && fits) {
    return integer(static_cast<std::int64_t>(node.real));
  }
  if (type == Scalar::boolean) {
    const ExprId zero = converted(integer(0), node.type);
    return apply(ScalarFunction::not_equal, {value, zero});
  }
  Node made;
  made.kind = Kind::apply;
  made.function = ScalarFunction::convert;
  made.type = type;
  made.operands = {value};
  return intern(std::move(made));
}

ExprId Expressions::apply(ScalarFunction function, std::initializer_list<ExprId> operands,
                          Scalar type) {
  return apply(function, std::span<const ExprId>(operands.begin(), operands.size()), type);
}

ExprId Expressions::apply(ScalarFunction function, std::span<const ExprId> given, Scalar wanted) {
  std::vector<ExprId> operands(given.begin(), given.end());
  if (function == ScalarFunction::convert) return converted(operands[0], wanted);
  if (function == ScalarFunction::select) return select(operands[0], operands[1], operands[2]);
  if (function == ScalarFunction::true_) return boolean(true);
  if (function == ScalarFunction::false_) return boolean(false);
  if (is_connective(function)) return connective(function, operands);

  Scalar type = Scalar::int64;
  for (ExprId operand : operands) type = promoted(type, (*this)[operand].type);
  if (is_of_reals(function) && !is_real(type)) type = Scalar::float64;
  for (ExprId& operand : operands) operand = converted(operand, type);
  if (function == ScalarFunction::plus) return operands[0];
  if (is_comparison(function)) return comparison(function, operands);
  if (type == Scalar::int64) return integer_operation(function, operands);

  Node node;
  node.kind = Kind::apply;
  node.function = function;
  node.type = type;
  node.operands = std::move(operands);
  return intern(std::move(node));
}

ExprId Expressions::kept(ScalarFunction function, std::vector<ExprId> operands) {
  const auto is_known = [this](ExprId operand) { return constant(operand).has_value(); };
  if (std::ranges::all_of(operands, is_known)) return apply(function, operands, Scalar::int64);
  Node node;
  node.kind = Kind::apply;
  node.function = function;
  for (ExprId operand : operands) node.operands.push_back(converted(operand, Scalar::int64));
  node.kept = true;
  return intern(std::move(node));
}

std::optional<ExprId> Expressions::unit(ScalarFunction function, Scalar type) {
  using F = ScalarFunction;
  switch (function) {
    case F::add:
      return converted(integer(0), type);
    case F::multiply:
      return converted(integer(1), type);
    case F::and_:
      return converted(boolean(true), type);
    case F::or_:
      return converted(boolean(false), type);
    case F::minimum:
    case F::maximum: {
      const double sign = function == F::minimum ? 1 : -1;
      if (is_real(type)) return real(sign * std::numeric_limits<double>::infinity(), type);
      return integer(function == F::minimum ? INT64_MAX : INT64_MIN);
    }
    default:
      return std::nullopt;
  }
}

// The same integer so many times.
std::optional<ExprId> Expressions::folded_constant(ScalarFunction function, std::int64_t count,
                                                   ExprId body) {
  const Node& node = (*this)[body];
  if (node.kind == Node::Kind::boolean) return body;
  if (node.kind != Node::Kind::integer) return std::nullopt;
  if (function == ScalarFunction::add) return multiply(body, integer(count));
  const bool itself = function == ScalarFunction::minimum || function == ScalarFunction::maximum ||
                      (function == ScalarFunction::multiply && node.integer == 1);
  return itself ? std::optional(body) : std::nullopt;
}

// The sum over a list of numbers that is written out, `m[j] != 0` for j < n, is a number.
std::optional<ExprId> Expressions::counted(ScalarFunction function, VariableId variable,
                                           std::int64_t count, ExprId body) {
  constexpr std::int64_t most = 256;
  if (function != ScalarFunction::add || (*this)[body].type != Scalar::int64 || count > most) {
    return std::nullopt;
  }
  const auto is_open = [&](ExprId id) {
    const Node& node = (*this)[id];
    return node.kind == Kind::load || node.kind == Kind::extent || node.kind == Kind::fold ||
           (node.kind == Kind::variable && node.variable != variable);
  };
  const auto is_choice = [&](ExprId id) { return (*this)[id].kind == Kind::select; };
  if (any(body, is_open) || !any(body, is_choice)) return std::nullopt;
  ExprId total = integer(0);
  for (std::int64_t k = 0; k < count; ++k) {
    const ExprId term = substitute(body, variable, integer(k));
    if (!constant(term)) return std::nullopt;
    total = add(total, term);
  }
  return total;
}

ExprId Expressions::fold(ScalarFunction function, VariableId variable, ExprId count, ExprId body) {
  Scalar type = (*this)[body].type;
  // The smallest of truth values, as a number, is whether all hold; of none it is 1.
  const bool least = function == ScalarFunction::minimum;
  if (type == Scalar::boolean && (least || function == ScalarFunction::maximum)) {
    const ScalarFunction same = least ? ScalarFunction::and_ : ScalarFunction::or_;
    return converted(fold(same, variable, count, body), Scalar::int64);
  }
  const bool logical = function == ScalarFunction::and_ || function == ScalarFunction::or_;
  if (logical) type = Scalar::boolean;
  if (!logical && type == Scalar::boolean) type = Scalar::int64;
  body = converted(body, type);
  // However many there are: a sum of zeros, a product of ones. A length is never negative, and
  // neither zero nor one rounds.
  const bool adds = function == ScalarFunction::add || function == ScalarFunction::multiply;
  if ((adds || logical) && unit(function, type) == body) return body;
  if (const auto known = constant(count)) {
    if (*known == 1) return substitute(body, variable, integer(0));
    if (*known <= 0) {
      if (const auto nothing = unit(function, type)) return *nothing;
    } else if (const auto total = folded_constant(function, *known, body)) {
      return *total;
    } else if (const auto sum = counted(function, variable, *known, body)) {
      return *sum;
    }
  }
  Node node;
  node.kind = Kind::fold;
  node.function = function;
  node.type = type;
  node.variable = variable;
  node.operands = {count, body};
  return intern(std::move(node));
}

ExprId Expressions::rebuilt(const Node& node, std::vector<ExprId> operands) {
  switch (node.kind) {
    case Kind::load:
      return load(node.leaf, node.type, operands);
    case Kind::apply:
      if (node.kept) return kept(node.function, std::move(operands));
      return apply(node.function, operands, node.type);
    case Kind::select:
      return select(operands[0], operands[1], operands[2]);
    case Kind::fold:
      return fold(node.function, node.variable, operands[0], operands[1]);
    default:
      return intern(node);
  }
}

ExprId Expressions::with_operands(ExprId expression, std::vector<ExprId> operands) {
  const Node node = (*this)[expression];
  return rebuilt(node, std::move(operands));
}

ExprId Expressions::changed(ExprId expression, const Change& change) {
  std::unordered_map<ExprId, ExprId> made;
  const std::function<ExprId(ExprId)> walk = [&](ExprId id) -> ExprId {
    if (const auto found = made.find(id); found != made.end()) return found->second;
    const Node node = (*this)[id];
    std::vector<ExprId> operands;
    for (ExprId operand : node.operands) operands.push_back(walk(operand));
    ExprId result = id;
    if (const auto replacement = change(id, operands)) {
      result = *replacement;
    } else if (operands != node.operands) {
      result = rebuilt(node, std::move(operands));
    }
    made.emplace(id, result);
    return result;
  };
  return walk(expression);
}

ExprId Expressions::substitute(ExprId expression, VariableId variable, ExprId replacement) {
  return changed(expression, [&](ExprId id, auto) -> std::optional<ExprId> {
    const Node& node = (*this)[id];
    if (node.kind == Kind::variable && node.variable == variable) return replacement;
    return std::nullopt;
  });
}

bool Expressions::any(ExprId expression, const std::function<bool(ExprId)>& predicate) const {
  std::vector<ExprId> work{expression};
  std::unordered_set<ExprId> seen;
  while (!work.empty()) {
    const ExprId id = work.back();
    work.pop_back();
    if (!seen.insert(id).second) continue;
    if (predicate(id)) return true;
    const std::vector<ExprId>& operands = (*this)[id].operands;
    work.insert(work.end(), operands.begin(), operands.end());
  }
  return false;
}

bool Expressions::mentions(ExprId expression, VariableId variable) const {
  return any(expression, [&](ExprId id) {
    const Node& node = (*this)[id];
    return node.kind == Kind::variable && node.variable == variable;
  });
}

}  // namespace rhopsi::moa
