#include "frontend/driver/value_difference.hpp"

#include <algorithm>
#include <cmath>

#include "backends/reference/arrays.hpp"

namespace rhopsi::driver {

using reference::Array;
using reference::Index;
using reference::Value;

namespace {

bool same_number(double left, double right) {
  return left == right || (std::isnan(left) && std::isnan(right));
}

// Real numbers alike but for their last digits, which infinities have not.
bool close(double left, double right) {
  if (std::isinf(left) || std::isinf(right)) return left == right;
  return std::abs(left - right) <= 1e-9 * std::max(std::abs(left), std::abs(right));
}

// Whether the numbers may come from one by rounding, where what it is of is not large.
bool near(double left, double right) {
  if (same_number(left, right)) return true;
  const double scale = std::max({1.0, std::abs(left), std::abs(right)});
  return std::isfinite(scale) && std::abs(left - right) <= 1e-6 * scale;
}

const std::vector<double>* reals(const Array& array) {
  return std::get_if<std::vector<double>>(array.elements.get());
}

bool alike(const Value& left, const Value& right, bool (*equal)(double, double)) {
  if (left == right) return true;
  const Array* a = std::get_if<Array>(&left);
  const Array* b = std::get_if<Array>(&right);
  if (a != nullptr && b != nullptr && a->shape == b->shape && a->element == b->element) {
    const auto* one = reals(*a);
    const auto* other = reals(*b);
    return one != nullptr && other != nullptr && std::ranges::equal(*one, *other, equal);
  }
  const double* x = std::get_if<double>(&left);
  const double* y = std::get_if<double>(&right);
  return x != nullptr && y != nullptr && equal(*x, *y);
}

}  // namespace

bool same(const Value& left, const Value& right) { return alike(left, right, same_number); }

namespace {

// "; at [1, 0] they are 2 and 3": the first place where arrays of one shape differ.
std::string place_of_difference(const Value& left, const Value& right) {
  const Array* a = std::get_if<Array>(&left);
  const Array* b = std::get_if<Array>(&right);
  if (a == nullptr || b == nullptr || a->shape != b->shape || a->shape.empty()) return {};
  std::string text;
  reference::for_each_index(a->shape, [&](const Index& index, std::size_t position) {
    const Value one = reference::element_at(*a->elements, position);
    const Value other = reference::element_at(*b->elements, position);
    if (!text.empty() || same(one, other)) return;
    text = "; at " + value_text(Value(index)) + " " + value_text(one) + " and " + value_text(other);
  });
  return text;
}

// "bool", "array of int64"
std::string type_text(const Value& value) {
  if (const Array* array = std::get_if<Array>(&value)) {
    return "array of " + onf::to_string(array->element);
  }
  if (std::holds_alternative<Index>(value)) return "index";
  return reference::describe(value);
}

bool has_reals(const Value& value) {
  const Array* array = std::get_if<Array>(&value);
  if (array == nullptr) {
    return std::holds_alternative<double>(value) || std::holds_alternative<float>(value);
  }
  return array->element == onf::Scalar::float64 || array->element == onf::Scalar::float32;
}

}  // namespace

Judgement difference(const Value& left, const Value& right) {
  Judgement judgement{Judgement::Kind::fails, "the left side is " + value_text(left) +
                                                  ", the right side " + value_text(right) +
                                                  place_of_difference(left, right)};
  judgement.rounding = alike(left, right, close);
  judgement.apart = !alike(left, right, near);
  judgement.real = has_reals(left) || has_reals(right);
  judgement.types = type_text(left) != type_text(right);
  if (judgement.rounding) judgement.text += ", which is rounding alone";
  if (value_text(left) == value_text(right)) {
    judgement.text += "; the types differ: " + type_text(left) + " and " + type_text(right);
  }
  return judgement;
}

}  // namespace rhopsi::driver
