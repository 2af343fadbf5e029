#include "tests/support/evaluate.hpp"

#include <cstring>
#include <random>
#include <utility>

#include "frontend/driver/entries.hpp"

namespace rhopsi::support {
namespace {

reference::Value initial(const driver::EntryArgument& argument, const Inputs& inputs,
                         unsigned position) {
  if (!argument.array()) {
    if (argument.type.scalar == onf::Scalar::int64) return inputs.integers.at(argument.name);
    if (argument.type.scalar == onf::Scalar::float32)
      return float(inputs.numbers.at(argument.name));
    return inputs.numbers.at(argument.name);
  }
  std::size_t count = 1;
  for (const std::int64_t length : inputs.shape) count *= std::size_t(length);
  std::vector<double> elements = random_elements(count, inputs.seed * 16 + position);
  if (argument.type.scalar != onf::Scalar::float32) {
    return reference::make_array(inputs.shape, std::move(elements));
  }
  return reference::make_array(inputs.shape, std::vector<float>(elements.begin(), elements.end()));
}

template <class T>
bool same_bits(const T& left, const T& right) {
  return std::memcmp(&left, &right, sizeof left) == 0;
}

// Compares vectors and single values; returns what differs, or nothing.
template <class T>
std::string compare(const std::vector<T>& left, const std::vector<T>& right) {
  if (left.size() != right.size()) return "sizes differ";
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (same_bits(left[i], right[i])) continue;
    return "element " + std::to_string(i) + ": " + std::to_string(left[i]) + " and " +
           std::to_string(right[i]);
  }
  return {};
}

std::string compare(const reference::Array& left, const reference::Array& right) {
  if (left.shape != right.shape) return "shapes differ";
  if (left.elements->index() != right.elements->index()) return "element types differ";
  return std::visit(
      [&](const auto& elements) {
        return compare(elements, std::get<std::decay_t<decltype(elements)>>(*right.elements));
      },
      *left.elements);
}

}  // namespace

std::vector<double> random_elements(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<double> elements(count);
  for (double& element : elements) element = double(generator()) / 2147483648.0 - 1.0;
  return elements;
}

Outputs evaluate(Specification& specification, const term::Theory& program,
                 const std::string& entry, const Inputs& inputs) {
  Outputs outputs;
  syntax::Diagnostics diagnostics;
  const auto found = driver::find_entry(specification.session(), program, entry, diagnostics);
  if (!found) return {{}, text_of(diagnostics)};
  reference::Options options;
  options.domain = inputs.shape;
  for (const auto& [name, value] : inputs.parameters) options.parameters[name] = value;
  const std::size_t count = found->arguments.size() - (found->procedure ? 0 : 1);
  for (std::size_t i = 0; i < count; ++i) {
    outputs.values.push_back(initial(found->arguments[i], inputs, unsigned(i)));
  }
  reference::Evaluator evaluator(specification.store(), program, specification.session().table(),
                                 std::move(options));
  auto result = evaluator.call(found->callable->symbol, outputs.values);
  if (!result) {
    const auto& place = result.error().location;
    return {{},
            place.file + ":" + std::to_string(place.line) + ": " + result.error().code + ": " +
                result.error().message};
  }
  if (*result) outputs.values.push_back(std::move(**result));
  return outputs;
}

std::string first_difference(const Outputs& left, const Outputs& right) {
  if (left.values.size() != right.values.size()) return "numbers of values differ";
  for (std::size_t i = 0; i < left.values.size(); ++i) {
    const auto* a = std::get_if<reference::Array>(&left.values[i]);
    const auto* b = std::get_if<reference::Array>(&right.values[i]);
    std::string found;
    if (a != nullptr && b != nullptr) {
      found = compare(*a, *b);
    } else if (!(left.values[i] == right.values[i])) {
      found = "values differ";
    }
    if (!found.empty()) return "value " + std::to_string(i) + ": " + found;
  }
  return {};
}

}  // namespace rhopsi::support
