#include <algorithm>

#include "tests/oracle/operations.hpp"

namespace rhopsi::oracle {
namespace {

// Folds and scans of these numbers, each as far as it goes.
std::vector<Number> running(Binary function, Type type, const std::vector<Number>& numbers) {
  std::vector<Number> results;
  for (const Number& number : numbers) {
    results.push_back(
        converted(results.empty() ? number : apply(function, results.back(), number), type));
  }
  return results;
}

Number folded(Binary function, Type type, const std::vector<Number>& numbers) {
  return numbers.empty() ? unit_of(function, type) : running(function, type, numbers).back();
}

// The smallest of no truth values is 1, the greatest 0.
Number nothing_of_truths(Binary function, Type type) {
  if (function == Binary::min) return std::int64_t{1};
  if (function == Binary::max) return std::int64_t{0};
  return unit_of(function, type);
}

// The numbers at one place of all blocks.
std::vector<Number> column(const std::vector<Block>& row, std::size_t place) {
  std::vector<Number> numbers;
  for (const Block& block : row) numbers.push_back(block[place]);
  return numbers;
}

}  // namespace

Array reduce(Binary function, const Array& a, Integer axis) {
  const Rows rows = rows_of(a, axis);
  Array result{result_type(function, a.type, a.type), joined(rows.before, rows.behind), {}};
  for (const auto& row : rows.rows) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(product(rows.behind)); ++i) {
      result.elements.push_back(row.empty() && a.type == Type::boolean
                                    ? nothing_of_truths(function, result.type)
                                    : folded(function, result.type, column(row, i)));
    }
  }
  return result;
}

Array scan(Binary function, const Array& a, Integer axis) {
  Rows rows = rows_of(a, axis);
  rows.type = result_type(function, a.type, a.type);
  for (auto& row : rows.rows) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(product(rows.behind)); ++i) {
      const std::vector<Number> results = running(function, rows.type, column(row, i));
      for (std::size_t k = 0; k < row.size(); ++k) row[k][i] = results[k];
    }
  }
  return from_rows(rows, a.length(axis));
}

Array pointwise(Unary function, const Array& a) {
  Array result{result_type(function, a.type), a.shape, {}};
  for (const Number& number : a.elements) result.elements.push_back(apply(function, number));
  return result;
}

Array pointwise(Binary function, const Array& a, const Array& b) {
  require(a.shape == b.shape || a.rank() == 0 || b.rank() == 0, "shapes differ");
  Array result{result_type(function, a.type, b.type), a.rank() == 0 ? b.shape : a.shape, {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(product(result.shape)); ++i) {
    const Number& left = a.elements[a.rank() == 0 ? 0 : i];
    const Number& right = b.elements[b.rank() == 0 ? 0 : i];
    result.elements.push_back(apply(function, left, right));
  }
  return result;
}

Array select(const Array& condition, const Array& a, const Array& b) {
  Shape shape;
  for (const Array* each : {&condition, &a, &b}) {
    if (each->rank() > 0) shape = each->shape;
  }
  std::vector<Number> elements;
  for (const Array* each : {&condition, &a, &b}) {
    require(each->rank() == 0 || each->shape == shape, "shapes differ");
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(product(shape)); ++i) {
    const auto at = [&](const Array& each) -> const Number& {
      return each.elements[each.rank() == 0 ? 0 : i];
    };
    elements.push_back(truth_of(at(condition)) ? at(a) : at(b));
  }
  return make_array(wider(a.type, b.type), shape, std::move(elements));
}

Array outer(Binary function, const Array& a, const Array& b) {
  Array result{result_type(function, a.type, b.type), joined(a.shape, b.shape), {}};
  for (const Number& left : a.elements) {
    for (const Number& right : b.elements) {
      result.elements.push_back(apply(function, left, right));
    }
  }
  return result;
}

Array inner(Binary fold, Binary function, const Array& a, const Array& b) {
  require(a.rank() > 0 && b.rank() > 0, "an inner product needs axes");
  const Rows left = rows_of(a, a.rank() - 1);
  const Rows right = rows_of(b, 0);
  require(a.shape.back() == b.shape.front(), "the lengths that are joined differ");
  const Type each = result_type(function, a.type, b.type);
  Array result{result_type(fold, each, each), joined(left.before, right.behind), {}};
  for (const auto& row : left.rows) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(product(right.behind)); ++i) {
      std::vector<Number> products;
      for (std::size_t k = 0; k < row.size(); ++k) {
        products.push_back(apply(function, row[k][0], right.rows[0][k][i]));
      }
      result.elements.push_back(folded(fold, result.type, products));
    }
  }
  return result;
}

}  // namespace rhopsi::oracle
