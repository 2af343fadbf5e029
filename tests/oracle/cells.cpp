#include <algorithm>
#include <optional>

#include "tests/oracle/operations.hpp"

namespace rhopsi::oracle {
namespace {

Shape part(const Shape& shape, Integer from, Integer to) {
  return {shape.begin() + from, shape.begin() + to};
}

// The axes before the cells.
Shape frame_of(const Array& a, Integer rank) {
  require(0 <= rank && rank <= a.rank(), "cells have more axes than the array");
  return part(a.shape, 0, a.rank() - rank);
}

Array zeros_like_cell(const Array& a, Integer rank) {
  const Shape shape = part(a.shape, a.rank() - rank, a.rank());
  return make_array(a.type, shape, Block(static_cast<std::size_t>(product(shape)), false));
}

// One result behind the other, in a frame.
class Gathered {
 public:
  explicit Gathered(Shape frame) : frame_(std::move(frame)) {}

  void add(const Array& cell) {
    if (!cell_) cell_ = Array{cell.type, cell.shape, {}};
    require(cell_->shape == cell.shape, "results on cells differ in shape");
    cell_->type = wider(cell_->type, cell.type);
    cell_->elements.insert(cell_->elements.end(), cell.elements.begin(), cell.elements.end());
  }

  bool empty() const { return !cell_.has_value(); }

  // Of an empty frame, the result of a cell of zeros tells type and shape.
  void like(const Array& cell) { cell_ = Array{cell.type, cell.shape, {}}; }

  Array result() const {
    return make_array(cell_->type, joined(frame_, cell_->shape), cell_->elements);
  }

 private:
  Shape frame_;
  std::optional<Array> cell_;
};

}  // namespace

Array on_cells(const UnaryOperation& operation, Integer rank, const Array& a) {
  const Shape frame = frame_of(a, rank);
  Gathered results(frame);
  for (const Shape& index : indices_below(frame)) results.add(operation(psi(index, a)));
  if (results.empty()) results.like(operation(zeros_like_cell(a, rank)));
  return results.result();
}

Array on_cells(const BinaryOperation& operation, Integer left_rank, Integer right_rank,
               const Array& a, const Array& b) {
  const Shape left = frame_of(a, left_rank);
  const Shape right = frame_of(b, right_rank);
  const Integer common = std::min(std::ssize(left), std::ssize(right));
  const Shape left_only = part(left, 0, std::ssize(left) - common);
  const Shape right_only = part(right, 0, std::ssize(right) - common);
  const Shape both = part(left, std::ssize(left) - common, std::ssize(left));
  require(both == part(right, std::ssize(right) - common, std::ssize(right)), "frames differ");
  Gathered results(joined(joined(left_only, right_only), both));
  for (const Shape& i : indices_below(left_only)) {
    for (const Shape& j : indices_below(right_only)) {
      for (const Shape& k : indices_below(both)) {
        results.add(operation(psi(joined(i, k), a), psi(joined(j, k), b)));
      }
    }
  }
  if (results.empty()) {
    results.like(operation(zeros_like_cell(a, left_rank), zeros_like_cell(b, right_rank)));
  }
  return results.result();
}

}  // namespace rhopsi::oracle
