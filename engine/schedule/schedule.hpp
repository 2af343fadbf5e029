// Schedules: steps from one operational form to another that computes the same, bit for bit; but
// `factor`, which is for programs whose reals may be computed in any order.
//
//   recipe.hpp    which steps, in which order
//   outline.hpp   what of a function with loops and branches can be scheduled, as functions
//   graph.hpp     what a step sees: values, sweeps, the offsets at which values are read
//   hoist.hpp     what many elements compute the same, once; before all of these
//   layout.cpp    the order of the axes of arrays in memory (own_layout.hpp: of each alone)
//   transform.cpp the steps that change the graph, in their order: fuse.cpp, inline.cpp,
//                 materialise.cpp, factor.cpp, pipeline.cpp
//   fuse.cpp      several sweeps in one pass
//   factor.cpp    sums of products with common factors taken out (polynomial.hpp)
//   pipeline.cpp  sweeps that read each other a few planes away in one pass, plane by plane; tiles
//   teams.cpp     such a pass for a device: tiles of teams of threads, rings, barriers
//   storage.cpp   values in blocks: in place, blocks used again
//   cost.hpp      passes, traffic and operations, before and after
//   halos.hpp     what of the pads is read
//   machine.hpp   the figures of a machine
//   work.hpp      what a call does, for any lengths of axes
//   time.hpp      how long it takes then
//   choice.hpp    which recipe of several
//   own_shapes.hpp functions whose arrays have shapes of their own
//   places.cpp    the lines that tell apart what has one name
//   boundary.cpp  what lies beyond the ends of axes: from pads, or going around
//   unroll.cpp    several rows in one loop
//   realise.cpp   back to the operational form: one nest or pipeline per pass, pads, refills
//
// Every step is decided for the graph at hand, and refused with the reason where it would change a
// value; the result passes onf::verify as any form does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/onf/form.hpp"
#include "engine/schedule/cost.hpp"
#include "engine/schedule/origin.hpp"
#include "engine/schedule/recipe.hpp"
#include "engine/schedule/tile_folds.hpp"
#include "engine/schedule/work.hpp"

namespace rhopsi::schedule {

// One step at one place, taken or refused.
struct Step {
  std::string name;                    // "fuse"
  std::string site;                    // "step: v1"
  std::string before;                  // what was there
  std::string after;                   // and what is
  std::string condition;               // what had to hold
  bool holds = false;                  // the verdict; refused where it does not
  std::string decider;                 // who said so
  std::string counterexample = {};     // where it does not hold, in numbers; empty: none
  std::optional<std::size_t> of = {};  // the step of the recipe that it is part of
  Origin origin = {};                  // of the value of the site, if it has one
  term::LocationId beside{};           // of another statement that the condition ends in
};
// "fuse at step: v1: ..., because ..."
std::string to_string(const Step& step);

// What a step depends on besides the form.
struct Surroundings {
  std::string no_planes;  // why there are no pipelines; empty: there may be
  bool device = false;  // passes are kernels, and those of several sweeps are for teams of threads
  std::string no_layout = {};  // why axes stay in their order; empty: they need not
  std::string no_hoist = {};   // why elements compute all that is theirs; empty: they need not
  // Why threads are not chosen by the number of elements; empty: they may be.
  std::string no_threads = {};
  std::vector<std::int64_t> extents = {};  // of the domain, where they are known
  bool any_order = false;  // reals may be summed and multiplied in another order than is written
};

// A function that is left as it was.
struct Kept {
  std::string function;
  onf::Problem remark;  // E0529, with the reason
};

struct FunctionCost {
  std::string function;
  Cost before;  // one pass for each array that is computed, all of them stored
  Cost after;
  Work work_before;  // of one call
  Work work_after;   // of as many as the function is
};

// A function of which parts are scheduled, each a function of its own (onf::Function::part_of).
struct Outline {
  struct Call {
    std::string callee;
    double times = 1;           // in one call of the function, as far as the text tells; if not, 16
    std::int64_t in_a_row = 1;  // with nothing in between; 0: many
  };
  std::string function;
  std::vector<Call> calls;  // that it makes as statements
  bool in_a_row = false;    // are several calls of it several in a row of the only one?
};

struct Outcome {
  std::vector<Step> steps;
  std::vector<Kept> kept;
  std::vector<Outline> outlines;
  std::vector<FunctionCost> costs;  // of those that were scheduled
  std::string values;               // the functions as values, after the steps, for people
  std::size_t functions = 0;        // that were scheduled
  std::optional<std::int64_t> serial_below = {};  // elements; nothing: as the runtime has it
  std::vector<Tiled> tiles = {};                  // of folds; apply() makes none
  std::vector<std::string> pads = {};  // of each array, where they were found; apply() finds none
};

// Schedules the functions over domain arrays that the recipe has a step for; what they call becomes
// part of them. Of a function with loops, branches or checks the rows of statements in between
// become functions that are scheduled, called where they stood; where a loop calls one of them and
// computes nothing but numbers beside it, it calls what `repeat` makes of several calls. Of steps
// of one kind on a function the first counts; a step that the recipe does not have is not taken.
// The pad of the module becomes as wide as they need, and never narrower. They refill what they
// read where it is stale and leave pads stale (onf::Function::refills); those functions that keep
// their form refill their arguments on entry. The module must have passed onf::verify. Where arrays
// have shapes of their own the steps are those of own_shapes.hpp, and `hoist`, which comes before
// this (hoist.hpp), is no part of it. Time is that of the graphs, squared in the number of sweeps.
Outcome apply(onf::Module& module, const Recipe& recipe = standard_recipe(),
              const Surroundings& around = {});

// Puts the line of the specification behind a name that several values have, where more than one of
// them is in what a step of the recipe did: "step: u (heat.mg:7)", or "step: u (as it comes in)",
// and the lines of the calls where that does not tell them apart. And the line of a statement that
// a condition speaks of behind it. Once for an outcome.
void tell_places(const term::Store& store, Outcome& outcome);

// Of each step that the recipe requires and that is taken nowhere an error (E0535). Of each other
// one that is refused wherever it is tried a warning, and one if nothing is there to schedule
// (E0534); not of standard steps, which are tried on whatever there is.
std::vector<onf::Problem> remarks_on(const Recipe& recipe, const Outcome& outcome);

// Step by step of the recipe: where it was taken or refused, what for, and who decided it.
std::string describe(const Recipe& recipe, const Outcome& outcome);

}  // namespace rhopsi::schedule
