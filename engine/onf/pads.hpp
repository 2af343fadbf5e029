// Pads of each array and axis, where one width for all of them is more than is read.
//
// A module has one width, Module::pad; a block is stored with what its box says, which is that much
// at first. What is read beyond an end of an axis is known of each nest (access.hpp); arrays that
// may be one another's names, an argument and what is passed for it among them, have the same box.
#pragma once

#include <optional>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// What is stored beyond the two ends of an axis: the block's, or the module's where it has no box.
Margin pads_of(const Module& module, const Block& block, std::size_t axis);
// The same for all axes, with corners where two axes have pads.
Halo pads_of(const Module& module, const Block& block);

// The same for a block over the domain, where they are others than the module's.
std::optional<Halo> own_pads(const Module& module, const Block& block);

// Axes before this one are read by a pipeline where they are, and not in pads: planes, rows of
// tiles, and all axes of what teams do. 0 where `pipeline` is null, of a nest that is no stage.
std::size_t first_padded_axis(const Module& module, const Pipeline* pipeline);

// Why an end of an axis has the pad that it has.
struct PadReason {
  enum class Why : std::uint8_t {
    nothing,    // it has none
    read,       // a nest reads so far beyond the end
    computed,   // pads of another array are computed from its pads
    undecided,  // where a nest reads could not be decided; it is the module's width
    element,    // an element is read outside of nests; the same
    user_code,  // a user's own code gets the array, or makes it; the same
  };
  std::int64_t width = 0;
  Why why = Why::nothing;
  term::LocationId location{};  // of what asks for it
};
struct AxisReason {
  PadReason low;
  PadReason high;
};
// Arrays that have the same pads since they may be names of one array.
struct ArrayPads {
  struct Name {
    FunctionId function{};
    ViewId view{};
  };
  std::vector<Name> names;
  std::vector<AxisReason> axes;
};

// Gives every block over the domain the least pads, along each axis and at each end, that what the
// functions of the module read of it asks for, never more than the module's. Refills fill no more
// than that, and those that would fill nothing are gone. For a module that passes verify(), which
// it then passes again; whatever the boxes were before. The time is that of verify().
std::vector<ArrayPads> narrow_pads(Module& module);

// Blocks that may be one another's and have different boxes (E0525).
void check_pads(const Module& module, std::vector<Problem>& problems);

}  // namespace rhopsi::onf
