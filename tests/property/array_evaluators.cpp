#include "tests/property/array_evaluators.hpp"

#include <map>
#include <stdexcept>
#include <utility>

#include "backends/reference/normal_form.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi::property {
namespace {

Outcome failed(const std::string& code, const std::string& message) {
  return {std::nullopt, code + ": " + message};
}

Outcome outcome_of(const tl::expected<reference::Array, reference::Error>& value) {
  if (!value) return failed(value.error().code, value.error().message);
  return {from_reference(*value), ""};
}

}  // namespace

std::string to_string(const Outcome& outcome) {
  return outcome.value ? oracle::to_string(*outcome.value) : outcome.error;
}

ArrayEvaluators& evaluators() {
  static ArrayEvaluators shared;
  return shared;
}

moa::Limits storing_everything() {
  moa::Limits limits;
  limits.allocation = -1e15;
  return limits;
}

reference::Array to_reference(const oracle::Array& array) {
  const auto elements = [&]<class T>(std::vector<T> converted, auto convert) {
    for (const oracle::Number& number : array.elements) converted.push_back(T(convert(number)));
    return reference::make_array(array.shape, std::move(converted));
  };
  switch (array.type) {
    case oracle::Type::boolean:
      return elements(std::vector<std::uint8_t>(), oracle::truth_of);
    case oracle::Type::integer:
      return elements(std::vector<std::int64_t>(), oracle::integer_of);
    default:
      return elements(std::vector<double>(), oracle::real_of);
  }
}

oracle::Array from_reference(const reference::Array& array) {
  const auto type_of = [&] {
    switch (array.element) {
      case onf::Scalar::boolean:
        return oracle::Type::boolean;
      case onf::Scalar::int64:
        return oracle::Type::integer;
      case onf::Scalar::float64:
        return oracle::Type::real;
      default:
        throw std::logic_error("elements of type " + onf::to_string(array.element));
    }
  };
  std::vector<oracle::Number> numbers;
  std::visit(
      [&](const auto& elements) {
        for (const auto element : elements) {
          using T = std::decay_t<decltype(element)>;
          if constexpr (std::is_floating_point_v<T>) {
            numbers.emplace_back(double(element));
          } else {
            numbers.emplace_back(std::int64_t{element});
          }
        }
      },
      *array.elements);
  return oracle::make_array(type_of(), array.shape, std::move(numbers));
}

ArrayEvaluators::ArrayEvaluators(const std::vector<std::string>& with)
    : session_({{std::string(RHOPSI_SOURCE_DIR) + "/rules"}, onf::Scalar::float64, false, true}) {
  syntax::Diagnostics diagnostics;
  scope_ = driver::open_scope(session_, with, diagnostics);
  if (!scope_) throw std::runtime_error(support::text_of(diagnostics));
  theory_ = scope_->theory;
  definitions_ =
      std::make_unique<reference::Definitions>(session_.store(), *theory_, session_.table());
  library_ = std::make_unique<moa::Library>(session_.store(), *theory_, session_.table());
}

std::vector<moa::Leaf> ArrayEvaluators::leaves_of(const Read& given, bool symbolic) {
  std::vector<moa::Leaf> leaves;
  for (std::size_t i = 0; i < given.inputs.size(); ++i) {
    const auto& [name, array] = given.inputs[i];
    moa::Leaf leaf{name,
                   array.element,
                   {array.shape.begin(), array.shape.end()},
                   given.expression.variables[i]};
    if (symbolic) leaf.shape.assign(array.shape.size(), std::nullopt);
    leaves.push_back(std::move(leaf));
  }
  return leaves;
}

std::optional<ArrayEvaluators::Read> ArrayEvaluators::read(const oracle::Tree& tree,
                                                           const oracle::Inputs& inputs,
                                                           std::string& error) {
  Read given;
  for (const auto& [name, array] : inputs) given.inputs.push_back({name, to_reference(array)});
  syntax::Diagnostics diagnostics;
  const auto text =
      std::make_shared<const syntax::SourceFile>("expression", oracle::to_string(tree));
  const auto expression =
      driver::read_expression(session_, *scope_, text, given.inputs, diagnostics);
  if (!expression) {
    error = support::text_of(diagnostics);
    return std::nullopt;
  }
  given.expression = *expression;
  return given;
}

Outcome ArrayEvaluators::by_axioms(const oracle::Tree& tree, const oracle::Inputs& inputs) {
  std::string error;
  const auto given = read(tree, inputs, error);
  if (!given) return {std::nullopt, error};
  std::map<term::SymbolId, reference::Value> values;
  for (std::size_t i = 0; i < given->inputs.size(); ++i) {
    values.emplace(given->expression.variables[i], given->inputs[i].array);
  }
  const auto value = definitions_->evaluate(given->expression.term, values);
  if (!value) return failed(value.error().code, value.error().message);
  return {from_reference(std::get<reference::Array>(*value)), ""};
}

Outcome ArrayEvaluators::by_normal_form(const oracle::Tree& tree, const oracle::Inputs& inputs,
                                        bool symbolic) {
  const auto made = plan(tree, inputs, symbolic);
  return made ? by_plan(*made, inputs) : Outcome{std::nullopt, made.error()};
}

Outcome ArrayEvaluators::by_plan(const moa::Plan& plan, const oracle::Inputs& inputs) {
  std::vector<reference::Array> leaves;
  for (const auto& [name, array] : inputs) leaves.push_back(to_reference(array));
  reference::NormalFormLimits limits;
  limits.operations = 20'000'000;
  return outcome_of(reference::evaluate(session_.store(), plan, leaves, limits));
}

tl::expected<moa::Plan, std::string> ArrayEvaluators::plan(const oracle::Tree& tree,
                                                           const oracle::Inputs& inputs,
                                                           bool symbolic,
                                                           const moa::Limits& limits) {
  std::string error;
  const auto given = read(tree, inputs, error);
  if (!given) return tl::unexpected(error);
  auto made = moa::plan(*library_, given->expression.term, leaves_of(*given, symbolic), limits);
  if (!made) return tl::unexpected(made.error().code + ": " + made.error().message);
  return std::move(*made);
}

tl::expected<moa::NormalForm, std::string> ArrayEvaluators::normal_form(
    const oracle::Tree& tree, const oracle::Inputs& inputs) {
  return normal_form(tree, inputs, *library_);
}

tl::expected<moa::NormalForm, std::string> ArrayEvaluators::normal_form(
    const oracle::Tree& tree, const oracle::Inputs& inputs, const moa::Library& library) {
  std::string error;
  const auto given = read(tree, inputs, error);
  if (!given) return tl::unexpected(error);
  auto form = moa::reduce(library, given->expression.term, leaves_of(*given, false));
  if (!form) return tl::unexpected(form.error().code + ": " + form.error().message);
  return std::move(*form);
}

std::unique_ptr<moa::Library> ArrayEvaluators::library_of(const term::Theory& theory) {
  return std::make_unique<moa::Library>(session_.store(), theory, session_.table());
}

}  // namespace rhopsi::property
