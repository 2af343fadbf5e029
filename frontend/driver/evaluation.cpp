#include "frontend/driver/evaluation.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "engine/moa/faults.hpp"
#include "engine/term/operations.hpp"
#include "frontend/driver/codes.hpp"

namespace rhopsi::driver {

syntax::Span whole(const std::shared_ptr<const syntax::SourceFile>& text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::string_view characters = text->text();
  const std::size_t begin = characters.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {text, 0, 0};
  return {text, static_cast<std::uint32_t>(begin),
          static_cast<std::uint32_t>(characters.find_last_not_of(blanks) + 1)};
}

namespace {

// What went wrong inside a definition is shown at the expression all the same: its user may
// never have seen the file that the definition stands in.
syntax::Diagnostic problem_of(const ReadCase& given, const syntax::Span& place, std::string code,
                              std::string message, std::string note = {}) {
  syntax::Diagnostic problem;
  problem.code = std::move(code);
  problem.message = std::move(message);
  problem.note = std::move(note);
  problem.span = place;
  if (place.file == given.text) return problem;
  problem.span = whole(given.text);
  if (place.file) problem.related.push_back({place, "it is computed here"});
  return problem;
}

// What is given and not read is no part of what is computed, whatever it is. Its names.
std::vector<std::string> leave_out_unused(const term::Store& store, Expression& expression,
                                          std::vector<ArrayInput>& inputs) {
  std::vector<std::string> unused;
  const std::vector<term::SymbolId> used = term::free_variables(store, expression.term);
  for (std::size_t k = inputs.size(); k-- > 0;) {
    if (std::ranges::find(used, expression.variables[k]) != used.end()) continue;
    const auto place = static_cast<std::ptrdiff_t>(k);
    unused.insert(unused.begin(), inputs[k].name);
    expression.variables.erase(expression.variables.begin() + place);
    inputs.erase(inputs.begin() + place);
  }
  return unused;
}

}  // namespace

std::optional<ReadCase> Evaluation::read(const ExpressionCase& given,
                                         syntax::Diagnostics& diagnostics) {
  auto inputs = read_inputs(given.option, given.inputs, diagnostics, given.places);
  if (!inputs) return std::nullopt;
  auto expression = read_expression(session_, *scope_, given.text, *inputs, diagnostics);
  if (!expression) return std::nullopt;
  const std::vector<std::string> unused = leave_out_unused(session_.store(), *expression, *inputs);
  for (const std::string& name : unused) {
    diagnostics.warning(codes::unknown_argument, {},
                        given.option + " " + name + ": the expression does not read '" + name + "'",
                        "leave it out");
  }
  return ReadCase{given.text, std::move(*expression), std::move(*inputs)};
}

std::optional<reference::Array> Evaluation::value(const ReadCase& given,
                                                  syntax::Diagnostics& diagnostics) {
  if (!definitions_) {
    reference::DefinitionLimits limits;
    limits.stack_bytes = limits_.stack_bytes;
    definitions_.emplace(session_.store(), *scope_->theory, session_.table(), limits);
  }
  std::map<term::SymbolId, reference::Value> values;
  for (std::size_t i = 0; i < given.inputs.size(); ++i) {
    values.emplace(given.expression.variables[i], given.inputs[i].array);
  }
  auto value = definitions_->evaluate(given.expression.term, values);
  if (!value) {
    const reference::Error& error = value.error();
    diagnostics.add(problem_of(given, session_.span(error.location), error.code, error.message));
    return std::nullopt;
  }
  return std::get<reference::Array>(std::move(*value));
}

std::optional<moa::Plan> Evaluation::plan(const ReadCase& given, syntax::Diagnostics& diagnostics) {
  if (!rules_) rules_.emplace(session_.store(), *scope_->theory, session_.table());
  std::vector<moa::Leaf> leaves;
  for (std::size_t i = 0; i < given.inputs.size(); ++i) {
    const auto& [name, array] = given.inputs[i];
    leaves.push_back({name,
                      array.element,
                      {array.shape.begin(), array.shape.end()},
                      given.expression.variables[i]});
  }
  auto plan = moa::plan(*rules_, given.expression.term, std::move(leaves), limits_);
  if (!plan) {
    const moa::Problem& problem = plan.error();
    diagnostics.add(problem_of(given, session_.span(problem.location), problem.code,
                               problem.message, problem.advice));
    return std::nullopt;
  }
  if (const auto fault = moa::certain_fault(*plan)) {
    diagnostics.add(problem_of(given, session_.span(fault->location), fault->code, fault->message,
                               fault->advice));
    return std::nullopt;
  }
  return std::move(*plan);
}

}  // namespace rhopsi::driver
