#include "frontend/driver/evaluation.hpp"

#include <map>
#include <utility>

namespace rhopsi::driver {

std::optional<ReadCase> Evaluation::read(const ExpressionCase& given,
                                         syntax::Diagnostics& diagnostics) {
  auto inputs = read_inputs(given.option, given.inputs, diagnostics);
  if (!inputs) return std::nullopt;
  const auto expression = read_expression(session_, *scope_, given.text, *inputs, diagnostics);
  if (!expression) return std::nullopt;
  return ReadCase{*expression, std::move(*inputs)};
}

std::optional<reference::Array> Evaluation::value(const ReadCase& given,
                                                  syntax::Diagnostics& diagnostics) {
  if (!definitions_) {
    definitions_.emplace(session_.store(), *scope_->theory, session_.table());
  }
  std::map<term::SymbolId, reference::Value> values;
  for (std::size_t i = 0; i < given.inputs.size(); ++i) {
    values.emplace(given.expression.variables[i], given.inputs[i].array);
  }
  auto value = definitions_->evaluate(given.expression.term, values);
  if (!value) {
    const reference::Error& error = value.error();
    diagnostics.error(error.code, session_.span(error.location), error.message);
    return std::nullopt;
  }
  return std::get<reference::Array>(std::move(*value));
}

std::optional<moa::NormalForm> Evaluation::normal_form(const ReadCase& given,
                                                       syntax::Diagnostics& diagnostics) {
  if (!rules_) rules_.emplace(session_.store(), *scope_->theory, session_.table());
  std::vector<moa::Leaf> leaves;
  for (std::size_t i = 0; i < given.inputs.size(); ++i) {
    const auto& [name, array] = given.inputs[i];
    leaves.push_back({name,
                      array.element,
                      {array.shape.begin(), array.shape.end()},
                      given.expression.variables[i]});
  }
  auto form = moa::reduce(*rules_, given.expression.term, std::move(leaves));
  if (!form) {
    const moa::Problem& problem = form.error();
    diagnostics.error(problem.code, session_.span(problem.location), problem.message,
                      problem.advice);
    return std::nullopt;
  }
  return std::move(*form);
}

}  // namespace rhopsi::driver
