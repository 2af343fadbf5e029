// Whether the two sides of a claim have the same value, and how they differ.
#pragma once

#include "frontend/driver/judge.hpp"

namespace rhopsi::driver {

// Equal, and of one type; what is no number is the same as another one. Linear in the elements.
bool same(const reference::Value& left, const reference::Value& right);

// Of sides that are not the same: that the claim fails, with both values, the first place where
// arrays of one shape differ, and whether it may be rounding. Linear in the elements.
Judgement difference(const reference::Value& left, const reference::Value& right);

}  // namespace rhopsi::driver
