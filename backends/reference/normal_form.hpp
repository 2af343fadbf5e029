// A normal form of an array expression (engine/moa), computed on concrete arrays as it is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tl/expected.hpp>

#include "backends/reference/error.hpp"
#include "backends/reference/value.hpp"
#include "engine/moa/normal_form.hpp"
#include "engine/moa/plan.hpp"
#include "engine/term/store.hpp"

namespace rhopsi::reference {

struct NormalFormLimits {
  std::int64_t elements = std::int64_t{1} << 31;      // of the result
  std::uint64_t operations = std::uint64_t{1} << 62;  // in all; E0616 where it takes more
  std::size_t stack_bytes = std::size_t{4} << 20;     // of the machine's stack, at most
};

// `leaves` are in the order of the form's, with its ranks, its element types, and its lengths
// where these are given. The assumptions are tested in their order (E0608, with their message),
// then the shape is computed, then for each piece the elements at every index of its box. Pieces
// that overlap, leave the shape, or leave an element out are a fault of the form (E0699), as are
// operands whose types do not go together. `store` tells the places of assumptions.
tl::expected<Array, Error> evaluate(const term::Store& store, const moa::NormalForm& form,
                                    std::span<const Array> leaves,
                                    const NormalFormLimits& limits = {});

// Stage by stage: `leaves` are those that come from outside.
tl::expected<Array, Error> evaluate(const term::Store& store, const moa::Plan& plan,
                                    std::span<const Array> leaves,
                                    const NormalFormLimits& limits = {});

}  // namespace rhopsi::reference
