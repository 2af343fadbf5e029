#include "engine/onf/weight.hpp"

namespace rhopsi::onf {

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

}  // namespace rhopsi::onf
