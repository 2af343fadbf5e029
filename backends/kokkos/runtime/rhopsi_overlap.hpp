// Do arrays with strides share elements? That is whether a linear equation has a solution in
// integers within bounds, and it is searched for as numpy.shares_memory does (P. Virtanen, 2015).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace rhopsi::overlap {

// An axis, counted up from its lowest address: `steps` steps of `stride` > 0. An axis of one
// element is none.
struct Axis {
  std::int64_t stride, steps;
};

// Is sum(stride x) = target for some 0 <= x <= steps? The largest stride first: what those behind
// it can add leaves few values for each, unless strides are made to be difficult. True too where
// that is not known after some ten thousand trials.
class Equation {
 public:
  explicit Equation(std::vector<Axis> terms) : terms_(std::move(terms)) {
    std::sort(terms_.begin(), terms_.end(),
              [](const Axis& a, const Axis& b) { return a.stride > b.stride; });
    std::vector<Axis> merged;
    for (const Axis& term : terms_) {
      if (!merged.empty() && merged.back().stride == term.stride)
        merged.back().steps += term.steps;
      else
        merged.push_back(term);
    }
    terms_ = std::move(merged);
    rest_.assign(terms_.size() + 1, {0, 0});
    for (std::size_t k = terms_.size(); k-- > 0;)
      rest_[k] = {std::gcd(rest_[k + 1].divisor, terms_[k].stride),
                  rest_[k + 1].reach + terms_[k].stride * terms_[k].steps};
  }

  bool has_solution(std::int64_t target) {
    trials_ = 0;
    return solvable(0, target);
  }

 private:
  struct Rest {
    std::int64_t divisor, reach;  // of a term and all behind it
  };

  bool solvable(std::size_t k, std::int64_t target) {
    if (target < 0 || target > rest_[k].reach) return false;
    if (target == 0) return true;
    if (target % rest_[k].divisor != 0) return false;
    if (++trials_ > 10000) return true;
    const std::int64_t stride = terms_[k].stride, behind = rest_[k + 1].reach;
    const std::int64_t most = std::min(terms_[k].steps, target / stride);
    const std::int64_t least = target > behind ? (target - behind + stride - 1) / stride : 0;
    for (std::int64_t x = most; x >= least; --x)
      if (solvable(k + 1, target - stride * x)) return true;
    return false;
  }

  std::vector<Axis> terms_;
  std::vector<Rest> rest_;
  std::int64_t trials_ = 0;
};

// Do two elements of one array lie in one place? In any order of the axes, two indices differ
// first on some axis k, by 1 or more.
inline bool within(std::vector<Axis> axes) {
  std::sort(axes.begin(), axes.end(),
            [](const Axis& a, const Axis& b) { return a.stride < b.stride; });
  std::int64_t reach = 0;
  bool nested = true;  // each stride leads out of all that the lesser ones reach
  for (const Axis& axis : axes) {
    nested = nested && axis.stride > reach;
    reach += axis.stride * axis.steps;
  }
  if (nested) return false;
  for (std::size_t k = 0; k < axes.size(); ++k) {
    std::vector<Axis> terms{{axes[k].stride, axes[k].steps - 1}};
    std::int64_t target = -axes[k].stride;
    for (std::size_t l = k + 1; l < axes.size(); ++l) {
      terms.push_back({axes[l].stride, 2 * axes[l].steps});
      target += axes[l].stride * axes[l].steps;
    }
    if (Equation(std::move(terms)).has_solution(target)) return true;
  }
  return false;
}

// Where an array of at least one element lies.
struct Place {
  std::uintptr_t begin = 0;  // its lowest address
  std::int64_t element = 1;  // bytes of an element
  std::vector<Axis> axes;    // in bytes

  // From the first byte to the last.
  std::int64_t reach() const {
    std::int64_t sum = element - 1;
    for (const Axis& axis : axes) sum += axis.stride * axis.steps;
    return sum;
  }
};

// Do two arrays share a byte?
inline bool between(const Place& a, const Place& b) {
  const std::int64_t apart = static_cast<std::int64_t>(b.begin - a.begin);
  if (apart > a.reach() || -apart > b.reach()) return false;
  std::vector<Axis> terms = a.axes;
  terms.insert(terms.end(), b.axes.begin(), b.axes.end());
  terms.push_back({1, a.element + b.element - 2});
  return Equation(std::move(terms)).has_solution(apart + b.reach());
}

}  // namespace rhopsi::overlap
