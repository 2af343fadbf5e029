// Normal forms of array expressions to the operational form.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "engine/moa/plan.hpp"
#include "engine/onf/form.hpp"

namespace rhopsi::lower {

// Arrays of more axes have no compiled form.
inline constexpr std::size_t most_axes = 6;

// Adds to `module` a function `name` of the form's arrays, in their order, that returns an array.
// It tests the form's assumptions, computes the shape, allocates the result, and runs one nest per
// piece. What is used twice is computed once, and nothing that the form does not evaluate: the
// branches of conditions stay lazy. Integer divisions by what may be zero, accesses that are not
// known to be within their array and conversions to integers are tested where they stand.
//
//   shape: 5
//   [0, 2): v[i + 3]
//   [2, 5): v[i - 2]
//   =>
//   allocate result: int64 [5]
//   nest nested (i) in [0, 2) "f: result, box 1"
//     result[i] := v[add(i, 3)]
//   ...
//
// E0513  an array has more axes than the compiled form can have
tl::expected<onf::FunctionId, onf::Problem> lower(const moa::NormalForm& form,
                                                  const std::string& name, onf::Module& module);

// The same for several forms: each stage is computed and stored in an array of its own, in order,
// before the next one.
tl::expected<onf::FunctionId, onf::Problem> lower(const moa::Plan& plan, const std::string& name,
                                                  onf::Module& module);

// A module for such functions: without a domain of its own.
onf::Module module_of_forms(const std::string& name);

}  // namespace rhopsi::lower
