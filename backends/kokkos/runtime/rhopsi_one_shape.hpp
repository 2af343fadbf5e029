// Functions that were emitted for arrays that all have one shape, with elements: what they are
// called with is tested here.
#pragma once

#include <string>

#include "rhopsi_field.hpp"

namespace rhopsi {
namespace detail {

// As the caller has the axes: "5x1", or "5,1" for an option.
template <int R>
std::string lengths_text(const Domain<R>& domain, const Axes<R>& axes, const char* between) {
  std::int64_t lengths[R > 0 ? R : 1] = {};
  for (int a = 0; a < R; ++a) lengths[axes.of[a]] = domain.extent[a];
  std::string text;
  for (int a = 0; a < R; ++a) text += (a > 0 ? between : "") + std::to_string(lengths[a]);
  return text;
}

}  // namespace detail

// How to come by a function for lengths that this one is not for: there is none, since the program
// tests them in each call; the one for any shapes; perhaps one that is emitted for these, too.
enum class Instead { none, any_shapes, these_lengths };

// Throws: what was decided where `function` was emitted is otherwise for these lengths.
template <int R>
[[noreturn]] RHOPSI_NOINLINE void refuse_shape(const char* function, const Domain<R>& domain,
                                               const Axes<R>& axes, const char* why,
                                               Instead instead) {
  std::string remedy;
  if (instead != Instead::none) remedy = "; emit it without --shape";
  if (instead == Instead::these_lengths)
    remedy += ", or try --shape " + detail::lengths_text(domain, axes, ",");
  throw Error("'" + std::string(function) + "' was not emitted for arrays of shape " +
                  detail::lengths_text(domain, axes, "x") + ": " + why + remedy,
              codes::shapes);
}

// Throws where there are no elements, or a field that has a value has another shape.
template <int R, class... Fields>
RHOPSI_NOINLINE void expect_one_shape(const char* function, const Domain<R>& domain,
                                      const Axes<R>& axes, const Fields&... fields) {
  if (domain.size() == 0)
    throw Error("'" + std::string(function) +
                    "' was emitted for arrays with elements, and the shape is " +
                    detail::lengths_text(domain, axes, "x") + "; emit it without --shape",
                codes::shapes);
  const auto expect = [&](const auto& field) {
    if (field.empty() || same_shape(field.domain(), domain)) return;
    throw Error("'" + field.label() + "' has shape " +
                    detail::lengths_text(field.domain(), axes, "x") + ", and the domain " +
                    detail::lengths_text(domain, axes, "x") + ": '" + function +
                    "' was emitted for arrays of one shape; emit it without --shape",
                codes::shapes);
  };
  (expect(fields), ...);
}

}  // namespace rhopsi
