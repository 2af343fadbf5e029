#include "engine/onf/infix.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/onf/print.hpp"

namespace rhopsi::onf {

namespace {

constexpr InfixOperator operators[] = {
    {ScalarFunction::add, "+", Tightness::sum},
    {ScalarFunction::subtract, "-", Tightness::sum},
    {ScalarFunction::multiply, "*", Tightness::product},
    {ScalarFunction::divide, "/", Tightness::product},
    {ScalarFunction::modulo, "%", Tightness::product},
    {ScalarFunction::less, "<", Tightness::comparison},
    {ScalarFunction::less_equal, "<=", Tightness::comparison},
    {ScalarFunction::greater, ">", Tightness::comparison},
    {ScalarFunction::greater_equal, ">=", Tightness::comparison},
    {ScalarFunction::equal, "==", Tightness::comparison},
    {ScalarFunction::not_equal, "!=", Tightness::comparison},
    {ScalarFunction::and_, "&&", Tightness::conjunction},
    {ScalarFunction::or_, "||", Tightness::disjunction},
    {ScalarFunction::implies, "=>", Tightness::implication},
    {ScalarFunction::iff, "<=>", Tightness::implication},
};

class Infix {
 public:
  Infix(const Module& module, const Function& function) : module_(module), function_(function) {}

  std::string text(const Expr& e, Tightness outer = Tightness::loosest) const {
    const auto [made, tightness] = compose(e);
    return tightness < outer ? "(" + made + ")" : made;
  }

 private:
  using Made = std::pair<std::string, Tightness>;

  Made compose(const Expr& e) const {
    switch (e.kind) {
      case Expr::Kind::integer:
        return {std::to_string(e.integer), e.integer < 0 ? Tightness::prefix : Tightness::atom};
      case Expr::Kind::real:
        return {to_string(module_, function_, e), e.real < 0 ? Tightness::prefix : Tightness::atom};
      case Expr::Kind::length:
        return {"shape(" + name(e.view) + ")[" + std::to_string(e.axis) + "]", Tightness::atom};
      case Expr::Kind::load:
        return {name(e.view) + "[" + list(e) + "]", Tightness::atom};
      case Expr::Kind::component:
        return {text(e.operands[0], Tightness::atom) + "[" + std::to_string(e.axis) + "]",
                Tightness::atom};
      case Expr::Kind::make_index:
        return {"[" + list(e) + "]", Tightness::atom};
      case Expr::Kind::call:
        return {module_.functions[number(e.callee)].name + "(" + list(e) + ")", Tightness::atom};
      case Expr::Kind::if_:
        return {"if " + text(e.operands[0]) + " then " + text(e.operands[1]) + " else " +
                    text(e.operands[2]),
                Tightness::loosest};
      case Expr::Kind::apply:
        return applied(e);
      default:
        return {to_string(module_, function_, e), Tightness::atom};
    }
  }

  Made applied(const Expr& e) const {
    if (const InfixOperator* found = infix_operator(e.function)) {
      return {text(e.operands[0], found->tightness) + " " + std::string(found->spelling) + " " +
                  text(e.operands[1], tighter(found->tightness)),
              found->tightness};
    }
    // No operator may follow another one directly.
    const auto prefixed = [&](const char* symbol) {
      return Made{symbol + text(e.operands[0], Tightness::atom), Tightness::prefix};
    };
    if (e.function == ScalarFunction::negate) return prefixed("-");
    if (e.function == ScalarFunction::plus) return prefixed("+");
    if (e.function == ScalarFunction::not_) return prefixed("!");
    return {called(e.function) + "(" + list(e) + ")", Tightness::atom};
  }

  std::string list(const Expr& e) const {
    std::string all;
    for (const Expr& operand : e.operands) all += (all.empty() ? "" : ", ") + text(operand);
    return all;
  }
  const std::string& name(ViewId view) const { return function_.views[number(view)].name; }

  const Module& module_;
  const Function& function_;
};

}  // namespace

const InfixOperator* infix_operator(ScalarFunction function) {
  const auto found = std::ranges::find(operators, function, &InfixOperator::function);
  return found == std::end(operators) ? nullptr : found;
}

// `maximum` is along an axis.
std::string called(ScalarFunction function) {
  switch (function) {
    case ScalarFunction::minimum:
      return "min";
    case ScalarFunction::maximum:
      return "max";
    case ScalarFunction::absolute:
      return "abs";
    default:
      return name_of(function);
  }
}

std::string infix(const Module& module, const Function& function, const Expr& expression) {
  return Infix(module, function).text(expression);
}

}  // namespace rhopsi::onf
