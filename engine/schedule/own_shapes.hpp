// Schedules of functions whose arrays have shapes of their own.
//
// Each assignment has made a fresh array there, by one nest per box. The steps, each at any depth
// of loops and branches:
//
//   hoist        what elements have in common has an array (hoist.hpp, before the others)
//   drop         an array that nobody reads is not made
//   fuse         an array that is read at its own index alone is computed where it is read
//   in_place     an array takes the block of one that is read for the last time, or was before
//   bind         the boxes of an array are one loop over rows
//   interchange  the innermost loop goes along the axis on which most accesses lie side by side
//   tile         that loop goes in strips of a line, where lines are read across it
//   pipeline     arrays that read one another's rows at their own index go through them by turns
//   threads      as for arrays over the domain
//
// What a step may rest on is asked of onf::Ranges at the place, so the lengths that are equal are
// those of which it is proved, by what was tested before. Errors stay what they are, and come in
// the order in which they came: no sweep with a check in it is moved, no array is given up whose
// size may be an error, and no argument is overwritten before something that may still fail.
//
//   own_sweeps.hpp  the nests of an array
//   own_reads.cpp   what they read, and what is told of it
//   own_fuse.cpp    drop, fuse
//   own_between.cpp what stands between two sweeps that are to be one
//   own_place.cpp   in_place: where
//   own_obstacles.cpp  and whether
//   own_lives.hpp   until when arrays are needed
//   own_rows.cpp    bind
//   own_loops.cpp   interchange, tile
//   own_row_blocks.cpp  pipeline
//   own_lines.cpp   pipeline: rounds line by line
//   own_copies.hpp  in_place: arrays that begin as copies
//   own_ends.cpp    bind: the ends of rows by themselves
//   own_periods.cpp bind: rounds of indices whose remainder is known
//
// Internal to this folder.
#pragma once

#include "engine/schedule/schedule.hpp"

namespace rhopsi::schedule {

// Has the function arrays with shapes of their own?
bool has_own_shapes(const onf::Function& function);

// The steps of the recipe on each such function of the module, which must have passed onf::verify;
// it passes again. Squared in the number of sweeps of a function.
Outcome apply_to_own_shapes(onf::Module& module, const Recipe& recipe,
                            const Surroundings& around = {});

}  // namespace rhopsi::schedule
