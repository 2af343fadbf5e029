#include "engine/onf/weight.hpp"

#include "engine/onf/each_expression.hpp"
#include "engine/onf/positions.hpp"

namespace rhopsi::onf {

bool is_elementary(const Expr& e) {
  if (e.kind != Expr::Kind::apply) return false;
  switch (e.function) {
    case ScalarFunction::exp:
    case ScalarFunction::log:
    case ScalarFunction::tanh:
      return true;
    default:
      return false;
  }
}

bool is_sine(const Expr& e) {
  return e.kind == Expr::Kind::apply &&
         (e.function == ScalarFunction::sin || e.function == ScalarFunction::cos);
}

bool is_of_products(const Expr& exponent) {
  return exponent.kind == Expr::Kind::real &&
         (exponent.real == 2 || exponent.real == 3 || exponent.real == 4);
}

double weight_of(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::if_:
      return 1;
    case Expr::Kind::call:
    case Expr::Kind::external:
    case Expr::Kind::library:
      return of_a_call;
    case Expr::Kind::apply:
      break;
    default:
      return 0;
  }
  switch (e.function) {
    case ScalarFunction::divide:
    case ScalarFunction::modulo:
      return of_a_quotient;
    case ScalarFunction::sqrt:
      return of_a_root;
    case ScalarFunction::exp:
    case ScalarFunction::log:
      return of_an_exponential;
    case ScalarFunction::sin:
    case ScalarFunction::cos:
    case ScalarFunction::tanh:
    case ScalarFunction::pow:
      return of_a_call;
    default:
      return 1;
  }
}

double weight_of_all(const Expr& e) {
  double weight = weight_of(e);
  if (e.kind == Expr::Kind::load) return weight;
  for (const Expr& operand : e.operands) weight += weight_of_all(operand);
  return weight;
}

namespace {

double weight_in_row(const Positions& positions, std::size_t last, const Expr& e) {
  if (e.kind == Expr::Kind::load) return 1;
  double weight = weight_of(e);
  std::size_t first = 0;
  if (e.kind == Expr::Kind::if_ && positions.is_positional(e.operands[0])) {
    weight = positions.has_index(e.operands[0], last) ? 1 : 0;
    first = 1;
  }
  for (std::size_t k = first; k < e.operands.size(); ++k)
    weight += weight_in_row(positions, last, e.operands[k]);
  return weight;
}

}  // namespace

double weight_in_row(const Nest& nest) {
  const Positions positions(nest);
  double weight = 0;
  each_of(nest, [&](const Expr& whole) {
    weight += weight_in_row(positions, nest.indices.size() - 1, whole);
  });
  return weight;
}

}  // namespace rhopsi::onf
