// Folds of a form: on the host, and of the rows of an array.
#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tests/unit/schedule/form_run.hpp"

namespace rhopsi::schedule {

namespace {

double start_of(onf::ScalarFunction function) {
  if (function == onf::ScalarFunction::add) return 0;
  if (function == onf::ScalarFunction::maximum) return -std::numeric_limits<double>::infinity();
  throw std::logic_error("a fold that is not known here");
}

double combined(onf::ScalarFunction function, double a, double b) {
  return function == onf::ScalarFunction::add ? a + b : a < b ? b : a;
}

}  // namespace

void FormRun::step(const onf::Fold& s) {
  const std::int64_t count = whole(s.count);
  const bool outside = read_.empty();
  if (outside) read_ = views_;
  double result = start_of(*s.function);
  for (std::int64_t k = 0; k < count; ++k) {
    indices_[s.index] = k;
    follow(s.body);
    result = combined(*s.function, result, value(s.element));
  }
  if (outside) read_.clear();
  numbers_[s.variable] = result;
}

// Of the rows from `low` up to and without `high`, by their indices; `element` is that of the
// source. What the target has of a row stands at 0 there.
void FormRun::fold_rows(const onf::RowFold& s, const Index& low, Index high,
                        const std::function<double(const Index&)>& element) {
  const std::int64_t length = high.back();
  high.back() = 1;
  each(low, high, [&](const Index& row) {
    double result = start_of(s.function);
    if (s.begins_anew && length > 0) result = element(row);
    for (Index index = row; index.back() < length; ++index.back())
      result = combined(s.function, result, element(index));
    views_.at(s.target)->elements[place(row)] = result;
  });
}

void FormRun::step(const onf::RowFold& s) {
  written(s.target);
  const std::shared_ptr<Block> from = views_.at(s.source);
  fold_rows(s, Index(shape_.size(), 0), shape_,
            [&](const Index& index) { return from->elements[place(index)]; });
}

// Of what a stage of a pipeline has stored of a plane, of which rows [first, end) of axis 1.
void FormRun::fold_plane(const onf::Pipeline& s, const onf::Nest& nest, Slab& slab,
                         std::int64_t plane, std::int64_t first, std::int64_t end) {
  for (const onf::RowFold& fold : s.folds) {
    const bool stores = nest.target == fold.source ||
                        std::ranges::count(nest.also, fold.source, &onf::Nest::Output::target) > 0;
    if (!stores || !slab.has(plane)) continue;
    Plane& from = *ring_at(slab, fold.source, plane);
    Index low(shape_.size(), 0), high = shape_;
    low[0] = plane;
    high[0] = plane + 1;
    low[1] = std::max<std::int64_t>(first, 0);
    high[1] = std::min(end, shape_[1]);
    const bool rows = shape_.size() > 2;
    if (!rows) low[1] = 0, high[1] = shape_[1];
    fold_rows(fold, low, high, [&](Index index) {
      if (!s.tiles) return from.elements[within_plane(index)];
      index[0] = 0;
      return from.in_tile.at(index);
    });
  }
}

}  // namespace rhopsi::schedule
