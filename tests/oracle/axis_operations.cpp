#include <algorithm>
#include <cstdlib>
#include <functional>

#include "tests/oracle/operations.hpp"

namespace rhopsi::oracle {
namespace {

using Row = std::vector<Block>;

// Every row as `change` makes it.
Array along(const Array& a, Integer axis, Integer length, const std::function<Row(Row)>& change) {
  Rows rows = rows_of(a, axis);
  for (Row& row : rows.rows) row = change(std::move(row));
  return from_rows(rows, length);
}

Row part(const Row& row, Integer from, Integer count) {
  return {row.begin() + from, row.begin() + from + count};
}

Row extended(Row left, const Row& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Integer within(Integer k, Integer length, const char* text) {
  require(-length <= k && k <= length, text);
  return std::abs(k);
}

void require_widths(Integer l, Integer r) { require(l >= 0 && r >= 0, "a pad is negative"); }

}  // namespace

Array take(const Array& a, Integer axis, Integer k) {
  require_axis(a, axis);
  const Integer length = a.length(axis);
  const Integer count = within(k, length, "there is not so much to take");
  return along(a, axis, count,
               [&](const Row& row) { return part(row, k < 0 ? length - count : 0, count); });
}

Array drop(const Array& a, Integer axis, Integer k) {
  require_axis(a, axis);
  const Integer length = a.length(axis);
  const Integer left = length - within(k, length, "there is not so much to drop");
  return along(a, axis, left,
               [&](const Row& row) { return part(row, k < 0 ? 0 : length - left, left); });
}

Array cat(const Array& a, const Array& b, Integer axis) {
  const Type type = wider(a.type, b.type);
  Rows rows = rows_of(converted(a, type), axis);
  const Rows right = rows_of(converted(b, type), axis);
  require(rows.before == right.before && rows.behind == right.behind, "other lengths differ");
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    rows.rows[i] = extended(std::move(rows.rows[i]), right.rows[i]);
  }
  return from_rows(rows, a.length(axis) + b.length(axis));
}

Array reverse(const Array& a, Integer axis) {
  require_axis(a, axis);
  return along(a, axis, a.length(axis), [](Row row) {
    std::reverse(row.begin(), row.end());
    return row;
  });
}

Array rotate(const Array& a, Integer axis, Integer o) {
  require_axis(a, axis);
  const Integer length = a.length(axis);
  require(length > 0, "nothing to rotate");
  const Integer first = euclidean_remainder(o, length);
  return along(a, axis, length, [&](Row row) {
    std::rotate(row.begin(), row.begin() + first, row.end());
    return row;
  });
}

// Copies of the row, one behind the other, and what is too much of them taken away.
Array pad_circular(const Array& a, Integer axis, Integer l, Integer r) {
  require_axis(a, axis);
  require_widths(l, r);
  const Integer length = a.length(axis);
  require(length > 0, "nothing to continue");
  const Integer copies_before = (l + length - 1) / length;
  return along(a, axis, l + length + r, [&](const Row& row) {
    Row copies;
    while (std::ssize(copies) < (copies_before + 1) * length + r) copies = extended(copies, row);
    return part(copies, copies_before * length - l, l + length + r);
  });
}

Array pad_constant(const Array& a, Integer axis, Integer l, Integer r, const Array& c) {
  require_axis(a, axis);
  require_widths(l, r);
  require(c.rank() == 0, "a scalar is needed");
  Rows rows = rows_of(a, axis);
  rows.type = wider(a.type, c.type);
  const Block constant(static_cast<std::size_t>(product(rows.behind)), c.elements[0]);
  for (Row& row : rows.rows) {
    row.insert(row.begin(), static_cast<std::size_t>(l), constant);
    row.insert(row.end(), static_cast<std::size_t>(r), constant);
  }
  return from_rows(rows, l + a.length(axis) + r);
}

// The first element before, the last behind, as often as it takes.
Array pad_edge(const Array& a, Integer axis, Integer l, Integer r) {
  require_axis(a, axis);
  require_widths(l, r);
  require(a.length(axis) > 0, "nothing to continue");
  return along(a, axis, l + a.length(axis) + r, [&](const Row& row) {
    Row padded(static_cast<std::size_t>(l), row.front());
    padded = extended(std::move(padded), row);
    padded.resize(padded.size() + static_cast<std::size_t>(r), row.back());
    return padded;
  });
}

// The row backwards on both sides, without the element in which it is mirrored, and what is too
// much of it taken away.
Array pad_reflect(const Array& a, Integer axis, Integer l, Integer r) {
  require_axis(a, axis);
  require_widths(l, r);
  const Integer length = a.length(axis);
  require(l < length && r < length, "a mirror image is no longer than the array");
  return along(a, axis, l + length + r, [&](const Row& row) {
    const Row backwards(row.rbegin(), row.rend());
    const Row all =
        extended(extended(part(backwards, 0, length - 1), row), part(backwards, 1, length - 1));
    return part(all, length - 1 - l, l + length + r);
  });
}

Array lift(const Array& a, Integer axis, Integer q) {
  require_axis(a, axis);
  require(q > 0 && a.length(axis) % q == 0, "the length is no multiple");
  Shape shape = a.shape;
  shape[static_cast<std::size_t>(axis)] /= q;
  shape.insert(shape.begin() + axis + 1, q);
  return reshape(a, shape);
}

Array unlift(const Array& a, Integer axis) {
  require_axis(a, axis);
  require_axis(a, axis + 1);
  Shape shape = a.shape;
  shape[static_cast<std::size_t>(axis)] *= a.length(axis + 1);
  shape.erase(shape.begin() + axis + 1);
  return reshape(a, shape);
}

Array gather(const Array& a, Integer axis, const Array& v) {
  require_axis(a, axis);
  const std::vector<Integer> chosen = integers_of(v);
  for (const Integer i : chosen) require(0 <= i && i < a.length(axis), "the index is outside");
  return along(a, axis, std::ssize(chosen), [&](const Row& row) {
    Row result;
    for (const Integer i : chosen) result.push_back(row[static_cast<std::size_t>(i)]);
    return result;
  });
}

}  // namespace rhopsi::oracle
