// Angles of sines and cosines that are near: of them these functions have a form without branches,
// of which loops are vectors (backends/primitives/sines.hpp).
#pragma once

#include <optional>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// Below it, and above its negative, an angle is near: elementary::is_near.
inline constexpr double near_angles_below = 0x1p20;

// A nest over the same elements whose element is whether all angles are near of which the given one
// computes sines or cosines for that element: it has those names of its body that this needs, and
// no other outputs. A branch's angles count where the branch is taken; an angle that is known to be
// near, as a sine is, or is the same for all elements is not asked for. Nothing where no such
// function varies from one element to another, where the body
// does anything else than to give names, or where to ask takes longer than it saves, as of angles
// of angles of angles. Quadratic in how deep these are.
std::optional<Nest> nearness_test(const Nest& nest);

}  // namespace rhopsi::onf
