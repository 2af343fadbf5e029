#include <algorithm>
#include <numeric>

#include "tests/oracle/operations.hpp"

namespace rhopsi::oracle {
namespace {

// A vector of 0 and 1.
std::vector<bool> mask_of(const Array& mask) {
  require(mask.rank() == 1, "a vector is needed");
  std::vector<bool> chosen;
  for (const Number& number : mask.elements) {
    const double value = real_of(number);
    require(value == 0 || value == 1, "a mask has elements 0 and 1");
    chosen.push_back(value == 1);
  }
  return chosen;
}

Integer ones(const std::vector<bool>& mask) { return std::count(mask.begin(), mask.end(), true); }

}  // namespace

Array grade_up(const Array& v) {
  require(v.rank() == 1, "a vector is needed");
  std::vector<Integer> order(v.elements.size());
  std::iota(order.begin(), order.end(), Integer{0});
  std::stable_sort(order.begin(), order.end(), [&](Integer left, Integer right) {
    const auto at = [&](Integer i) -> const Number& {
      return v.elements[static_cast<std::size_t>(i)];
    };
    return truth_of(apply(Binary::less, at(left), at(right)));
  });
  return vector(order);
}

Array compress(const Array& a, Integer axis, const Array& mask) {
  const std::vector<bool> chosen = mask_of(mask);
  Rows rows = rows_of(a, axis);
  require(std::ssize(chosen) == a.length(axis), "the mask has another length");
  for (auto& row : rows.rows) {
    std::vector<Block> kept;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (chosen[i]) kept.push_back(row[i]);
    }
    row = std::move(kept);
  }
  return from_rows(rows, ones(chosen));
}

Array expand(const Array& a, Integer axis, const Array& mask) {
  const std::vector<bool> chosen = mask_of(mask);
  Rows rows = rows_of(a, axis);
  require(ones(chosen) == a.length(axis), "the mask has another number of ones");
  const Block zeros(static_cast<std::size_t>(product(rows.behind)),
                    converted(Number(false), a.type));
  for (auto& row : rows.rows) {
    std::vector<Block> spread;
    auto next = row.begin();
    for (const bool here : chosen) spread.push_back(here ? *next++ : zeros);
    row = std::move(spread);
  }
  return from_rows(rows, std::ssize(chosen));
}

Array update(const Array& a, const Shape& start, const Shape& counts, const Shape& strides,
             const Array& x) {
  const auto axes = static_cast<std::size_t>(a.rank());
  require(start.size() == axes && counts.size() == axes && strides.size() == axes,
          "a slice needs a component for each axis");
  require(x.shape == counts, "the slice has another shape");
  for (std::size_t k = 0; k < axes; ++k) {
    require(counts[k] >= 0, "a count is negative");
    require(counts[k] < 2 || strides[k] != 0, "a slice meets an element twice");
  }
  Array result = converted(a, wider(a.type, x.type));
  for (const Shape& from : indices_below(counts)) {
    Shape to = start;
    for (std::size_t k = 0; k < axes; ++k) {
      to[k] += from[k] * strides[k];
      require(0 <= to[k] && to[k] < a.shape[k], "the slice is outside");
    }
    result.elements[static_cast<std::size_t>(position_of(to, a.shape))] = element(x, from);
  }
  return converted(result, result.type);
}

}  // namespace rhopsi::oracle
