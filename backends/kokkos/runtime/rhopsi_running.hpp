// Folds of which each is that of the element before along an axis, and one step more, for hosts:
//
//   y[i, j] = x[i, 0] op x[i, 1] op ... op x[i, j]
//
// or of the element behind it. Along the last axis a row is gone through from one of its ends to
// the other. Along another axis neighbours on the last one go on side by side, in strips whose
// results so far stay in the nearest cache.
#pragma once

#include <algorithm>
#include <utility>

#include "rhopsi_kernels.hpp"
#include "rhopsi_lanes.hpp"

namespace rhopsi {

namespace detail {

template <class Int, int Along, class T, class By, bool Backwards, int R, class Term, class Element,
          class Target>
class RunningFolds {
  static constexpr int last = R - 1;
  static constexpr bool in_rows = Along == last;
  static constexpr std::int64_t strip = 512;
  // To find out where an item begins takes about as long as some elements.
  static constexpr std::int64_t least_elements = 1024;

 public:
  RunningFolds(const Box<R>& box, std::int64_t steps, const Term& term, const Element& element,
               const Target& target)
      : box_(box), steps_(steps), term_(term), element_(element), target_(target) {
    strips_ = in_rows ? 1 : (box.length(last) + strip - 1) / strip;
    lines_ = strips_;
    for (int axis = 0; axis < last; ++axis)
      if (axis != Along) lines_ *= box.length(axis);
    const std::int64_t elements = box.size() / lines_;
    lines_of_item_ =
        std::max<std::int64_t>(1, least_elements / std::max<std::int64_t>(1, elements));
  }

  // Lines, some to an item: what is gone through from its first element along the axis to the last
  // one, a row, or a strip of all that lie one behind the other.
  std::int64_t items() const { return (lines_ + lines_of_item_ - 1) / lines_of_item_; }

  RHOPSI_INLINED void operator()(std::int64_t item) const {
    const std::int64_t first = item * lines_of_item_;
    const std::int64_t end = std::min(lines_, first + lines_of_item_);
    Int at[R];
    std::int64_t rest = first / strips_, part = first % strips_;
    for (int axis = last - 1; axis >= 0; --axis) {
      if (axis == Along) continue;
      at[axis] = static_cast<Int>(box_.lo[axis] + rest % box_.length(axis));
      rest /= box_.length(axis);
    }
    for (std::int64_t line = first; line < end; ++line) {
      run_line(at, part);
      if (++part < strips_) continue;
      part = 0;
      advance(at);
    }
  }

 private:
  RHOPSI_INLINED void run_line(Int (&at)[R], std::int64_t part) const {
    if constexpr (in_rows) {
      (void)part;
      run_row(at);
    } else {
      const std::int64_t low = box_.lo[last] + part * strip;
      run_strip(at, static_cast<Int>(low),
                static_cast<Int>(std::min<std::int64_t>(strip, box_.hi[last] - low)));
    }
  }
  RHOPSI_INLINED void advance(Int (&at)[R]) const {
    for (int axis = last - 1; axis >= 0; --axis) {
      if (axis == Along) continue;
      if (++at[axis] < box_.hi[axis]) return;
      at[axis] = static_cast<Int>(box_.lo[axis]);
    }
  }

  using Axes = std::make_index_sequence<static_cast<std::size_t>(R)>;

  // The index of the axis at the n-th place that is gone to.
  Int place(std::int64_t n) const {
    return static_cast<Int>(Backwards ? box_.hi[Along] - 1 - n : box_.lo[Along] + n);
  }
  // Elements at the beginning whose folds have no steps.
  std::int64_t without_steps() const {
    const std::int64_t length = box_.length(Along);
    if (steps_ > 0) return 0;
    return steps_ <= -length ? length : std::min(length, 1 - steps_);
  }

  RHOPSI_INLINED void run_row(Int (&at)[R]) const {
    const std::int64_t count = box_.length(last), none = without_steps();
    for (std::int64_t n = 0; n < none; ++n) {
      at[last] = place(n);
      store(at, By::template unit<T>(), Axes{});
    }
    if (none == count) return;
    at[last] = place(none);
    Int k = static_cast<Int>(steps_ + none);
    T folded = first_steps(at, k);
    store(at, folded, Axes{});
    for (std::int64_t n = none + 1; n < count; ++n, ++k) {
      at[last] = place(n);
      folded = By::combine(folded, term(at, k, Axes{}));
      store(at, folded, Axes{});
    }
  }
  RHOPSI_INLINED T first_steps(const Int (&at)[R], Int steps) const {
    T folded = term(at, Int{0}, Axes{});
    for (Int k = 1; k < steps; ++k) folded = By::combine(folded, term(at, k, Axes{}));
    return folded;
  }

  RHOPSI_INLINED void run_strip(Int (&at)[R], Int low, Int count) const {
    T folded[strip];
    const std::int64_t length = box_.length(Along), none = without_steps();
    for (std::int64_t n = 0; n < none; ++n) {
      at[Along] = place(n);
      for (Int lane = 0; lane < count; ++lane) {
        at[last] = low + lane;
        store(at, By::template unit<T>(), Axes{});
      }
    }
    if (none == length) return;
    at[Along] = place(none);
    Int k = static_cast<Int>(steps_ + none);
    for (Int lane = 0; lane < count; ++lane) {
      at[last] = low + lane;
      folded[lane] = first_steps(at, k);
      store(at, folded[lane], Axes{});
    }
    for (std::int64_t n = none + 1; n < length; ++n, ++k) {
      at[Along] = place(n);
      run_lanes(at, low, count, k, folded, Axes{});
    }
  }

  template <std::size_t... A>
  RHOPSI_INLINED void run_lanes(const Int (&at)[R], Int low, Int count, Int k, T* folded,
                                std::index_sequence<A...>) const {
    RHOPSI_SIMD
    for (Int lane = 0; lane < count; ++lane) {
      const auto index = [&](std::size_t axis)
                             RHOPSI_INLINED { return axis == last ? low + lane : at[axis]; };
      const T made = By::combine(folded[lane], static_cast<T>(term_(index(A)..., k)));
      folded[lane] = made;
      target_(index(A)...) = element_(index(A)..., made);
    }
  }

  template <std::size_t... A>
  RHOPSI_INLINED T term(const Int (&at)[R], Int k, std::index_sequence<A...>) const {
    return static_cast<T>(term_(at[A]..., k));
  }
  template <std::size_t... A>
  RHOPSI_INLINED void store(const Int (&at)[R], T folded, std::index_sequence<A...>) const {
    target_(at[A]...) = element_(at[A]..., folded);
  }

  Box<R> box_;
  std::int64_t steps_;  // of the first element
  Term term_;
  Element element_;
  Target target_;
  std::int64_t strips_, lines_, lines_of_item_;
};

}  // namespace detail

// target(i, ...) = element(i, ..., fold) for every index of the box, where the fold is that of
// term(i, ..., k) by By for k = 0, 1, ... in that order, and beginning with the first term. At the
// first index of the axis Along, or the last one where Backwards, it has so many steps, and one
// more at each one on the way from there; where it has none it is the unit of By. No term depends
// on that index but for k.
template <class Int, int Along, class T, class By, bool Backwards = false, int R, class Term,
          class Element, class Target>
void for_each_running(const char* label, const Box<R>& box, std::int64_t steps, const Term& term,
                      const Element& element, const Target& target) {
  if (box.size() == 0) return;
#ifdef RHOPSI_CHECKED
  const checked::KernelScope scope(label);
#endif
  const detail::RunningFolds<Int, Along, T, By, Backwards, R, Term, Element, Target> folds(
      box, steps, term, element, target);
  detail::each_item(label, folds.items(), box.size(), folds);
}

}  // namespace rhopsi
