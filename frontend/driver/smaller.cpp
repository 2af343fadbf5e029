// How a sample becomes smaller.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "backends/reference/arrays.hpp"
#include "frontend/driver/samples.hpp"

namespace rhopsi::driver {

using reference::Array;
using reference::Elements;
using reference::Index;
using reference::Value;

namespace {

// ---------------------------------------------------------------- shapes

// The part of an array at the indices from `first` on, in another shape.
Array part(const Array& array, Index first, const Index& shape,
           const std::function<Index(const Index&)>& place) {
  Elements elements = reference::make_elements(array.element, reference::count_elements(shape));
  reference::for_each_index(shape, [&](const Index& index, std::size_t position) {
    Index from = place(index);
    for (std::size_t k = 0; k < from.size(); ++k) from[k] += first[k];
    reference::set_element(elements, position, reference::load(array, from, 0));
  });
  return reference::make_array(shape, std::move(elements));
}

// Without an axis: what is first along it, or zeros.
Array without_axis(const Array& array, std::size_t axis) {
  Index shape = array.shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  if (array.shape[axis] == 0) {
    return reference::make_array(
        shape, reference::make_elements(array.element, reference::count_elements(shape)));
  }
  return part(array, Index(array.shape.size(), 0), shape, [axis](const Index& index) {
    Index whole = index;
    whole.insert(whole.begin() + static_cast<std::ptrdiff_t>(axis), 0);
    return whole;
  });
}

// One shorter, at the front or at the back.
std::optional<Array> shorter(const Array& array, std::size_t axis, bool front) {
  if (array.shape[axis] == 0) return std::nullopt;
  Index shape = array.shape;
  --shape[axis];
  Index first(shape.size(), 0);
  first[axis] = front ? 1 : 0;
  return part(array, first, shape, [](const Index& index) { return index; });
}

// The first half along a long axis.
std::optional<Array> half(const Array& array, std::size_t axis) {
  constexpr std::int64_t step_by_step = 16;
  if (array.shape[axis] <= step_by_step) return std::nullopt;
  Index shape = array.shape;
  shape[axis] /= 2;
  return part(array, Index(shape.size(), 0), shape, [](const Index& index) { return index; });
}

// A change of one axis of one array, or of one component of one vector.
struct Cut {
  enum class Kind : std::uint8_t { axis, half, front, back } kind;
  std::optional<term::SymbolId> unknown;  // absent: of everything that has this axis
  std::size_t place;
};

std::optional<Value> cut(const Value& value, const Cut& by) {
  if (const Array* array = std::get_if<Array>(&value)) {
    if (by.place >= array->shape.size()) return std::nullopt;
    if (by.kind == Cut::Kind::axis) return without_axis(*array, by.place);
    const auto made = by.kind == Cut::Kind::half
                          ? half(*array, by.place)
                          : shorter(*array, by.place, by.kind == Cut::Kind::front);
    return made ? std::optional<Value>(*made) : std::nullopt;
  }
  const Index* index = std::get_if<Index>(&value);
  if (index == nullptr || by.kind != Cut::Kind::axis || by.place >= index->size()) {
    return std::nullopt;
  }
  Index less = *index;
  less.erase(less.begin() + static_cast<std::ptrdiff_t>(by.place));
  return less;
}

std::optional<Sample> cut(const Sample& sample, const Cut& by) {
  Sample made = sample;
  bool changed = false;
  for (auto& [symbol, value] : made.values) {
    if (by.unknown && *by.unknown != symbol) continue;
    const auto less = cut(value, by);
    if (!less) continue;
    value = *less;
    changed = true;
  }
  if (!sample.domain) return changed ? std::optional(made) : std::nullopt;
  // All arrays have the shape of the domain.
  if (by.unknown || by.place >= sample.domain->size()) return std::nullopt;
  if (by.kind == Cut::Kind::axis) {
    if (sample.domain->size() == 1) return std::nullopt;
    made.domain->erase(made.domain->begin() + static_cast<std::ptrdiff_t>(by.place));
  } else {
    if (by.kind == Cut::Kind::half || (*sample.domain)[by.place] == 1) return std::nullopt;
    --(*made.domain)[by.place];
  }
  return made;
}

std::vector<Cut> cuts_of(const Sample& sample) {
  using Kind = Cut::Kind;
  std::vector<Cut> found;
  std::size_t rank = sample.domain ? sample.domain->size() : 0;
  for (const auto& [symbol, value] : sample.values) {
    const Array* array = std::get_if<Array>(&value);
    const Index* index = std::get_if<Index>(&value);
    const std::size_t own = array != nullptr   ? array->shape.size()
                            : index != nullptr ? index->size()
                                               : 0;
    rank = std::max(rank, own);
  }
  for (Kind kind : {Kind::axis, Kind::half, Kind::back, Kind::front}) {
    for (std::size_t k = 0; k < rank; ++k) found.push_back({kind, std::nullopt, k});
    for (const auto& [symbol, value] : sample.values) {
      for (std::size_t k = 0; k < rank; ++k) found.push_back({kind, symbol, k});
    }
  }
  return found;
}

// The sample with one of its positive numbers less by one.
void add_with_less(const Sample& sample, std::vector<Sample>& found) {
  for (const auto& [symbol, value] : sample.values) {
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr || *number <= 0) continue;
    found.push_back(sample);
    found.back().values.at(symbol) = *number - 1;
  }
}

void add_cuts(const Sample& sample, std::vector<Sample>& found) {
  const std::vector<Cut> cuts = cuts_of(sample);
  std::vector<std::pair<std::size_t, Sample>> once;
  for (std::size_t k = 0; k < cuts.size(); ++k) {
    if (auto made = cut(sample, cuts[k])) once.emplace_back(k, std::move(*made));
  }
  for (const auto& [k, made] : once) found.push_back(made);
  // Two at a time: axes that have to be as long as each other, and an axis with the number that
  // counts it.
  for (const auto& [k, made] : once) {
    if (cuts[k].kind == Cut::Kind::axis) add_with_less(made, found);
    for (std::size_t m = k; m < cuts.size(); ++m) {
      if (auto twice = cut(made, cuts[m])) found.push_back(std::move(*twice));
    }
  }
}

// ---------------------------------------------------------------- numbers

// Those nearer to 0, the nearest first; of a negative number also what it is without its sign, and
// whole numbers count as smaller than others.
template <class Number>
std::vector<Number> smaller_numbers(Number number) {
  constexpr std::int64_t all_below = 12;
  std::vector<Number> found;
  const auto size = std::abs(static_cast<double>(number));
  const auto add = [&](double each) {
    if (std::abs(each) >= size) return;  // it may be no number of this type
    const auto less = static_cast<Number>(number < 0 && each > 0 ? -each : each);
    if (std::ranges::find(found, less) == found.end()) found.push_back(less);
  };
  for (std::int64_t each = 0; each < all_below; ++each) add(static_cast<double>(each));
  if (!std::isfinite(size)) return found;
  if (size != std::trunc(size)) {
    found.push_back(
        static_cast<Number>(std::copysign(std::ceil(size), static_cast<double>(number))));
  }
  add(std::trunc(size / 2));
  add(std::trunc(size));
  add(size - 1);
  // The least of the integers has no counterpart.
  const bool least = std::is_integral_v<Number> && number == std::numeric_limits<Number>::lowest();
  if (number < 0 && !least) found.push_back(static_cast<Number>(-number));
  return found;
}

std::vector<Value> smaller_scalars(const Value& value) {
  return std::visit(
      [](const auto& each) {
        using T = std::decay_t<decltype(each)>;
        std::vector<Value> found;
        if constexpr (std::is_same_v<T, bool>) {
          if (each) found.emplace_back(false);
        } else if constexpr (std::is_arithmetic_v<T>) {
          for (T less : smaller_numbers(each)) found.emplace_back(less);
        }
        return found;
      },
      value);
}

std::vector<Value> smaller_elements(const Array& array) {
  std::vector<Value> found;
  const std::size_t count = std::visit([](const auto& all) { return all.size(); }, *array.elements);
  Elements zeros = reference::make_elements(array.element, count);
  if (zeros == *array.elements) return found;
  found.emplace_back(reference::make_array(array.shape, std::move(zeros)));
  constexpr std::size_t most_one_by_one = 200;
  if (count > most_one_by_one) return found;
  for (std::size_t k = 0; k < count; ++k) {
    for (const Value& less : smaller_scalars(reference::element_at(*array.elements, k))) {
      Elements elements = *array.elements;
      reference::set_element(elements, k, less);
      found.emplace_back(reference::make_array(array.shape, std::move(elements)));
    }
  }
  return found;
}

std::vector<Value> smaller_values(const Value& value) {
  if (const Array* array = std::get_if<Array>(&value)) return smaller_elements(*array);
  const Index* index = std::get_if<Index>(&value);
  if (index == nullptr) return smaller_scalars(value);
  std::vector<Value> found;
  for (std::size_t k = 0; k < index->size(); ++k) {
    for (std::int64_t less : smaller_numbers((*index)[k])) {
      Index made = *index;
      made[k] = less;
      found.emplace_back(std::move(made));
    }
  }
  return found;
}

}  // namespace

std::vector<Sample> smaller(const Sample& sample) {
  std::vector<Sample> found;
  add_cuts(sample, found);
  for (const auto& [symbol, value] : sample.values) {
    for (Value& less : smaller_values(value)) {
      found.push_back(sample);
      found.back().values.at(symbol) = std::move(less);
    }
  }
  return found;
}

}  // namespace rhopsi::driver
