// Schedules: steps from one operational form to another that computes the same, bit for bit.
//
//   graph.hpp     what a step sees: values, sweeps, the offsets at which values are read
//   fuse.cpp      several sweeps in one pass
//   pipeline.cpp  sweeps that read each other a few planes away in one pass, plane by plane
//   storage.cpp   values in blocks: in place, blocks used again
//   realise.cpp   back to the operational form: one nest or pipeline per pass, pads, refills
//
// Every step is decided for the graph at hand, and refused with the reason where it would change a
// value; the result passes onf::verify as any form does.
#pragma once

#include <string>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

// One step at one place, taken or refused.
struct Step {
  std::string name;       // "fuse"
  std::string site;       // "step: v1"
  std::string before;     // what was there
  std::string after;      // and what is
  std::string condition;  // what had to hold
  bool holds = false;     // the verdict; refused where it does not
  std::string decider;    // who said so
};
// "fuse at step: v1: ..., because ..."
std::string to_string(const Step& step);

// Which steps are tried.
struct Recipe {
  bool fuse = true;  // sweeps that depend on each other at their own index alone, in one pass
  bool in_place =
      true;  // a value in the block of one that is read at its own index for the last time
  // Sweeps that depend on each other at a few planes' distance, in one pass; for hosts.
  bool pipeline = true;
  bool share = true;  // common subexpressions of a sweep are computed once
  // A read that goes no further beyond the end of an axis is one of a pad, others are modulo.
  std::int64_t widest_pad = 8;
};

// A function that is left as it was.
struct Kept {
  std::string function;
  onf::Problem remark;  // E0529, with the reason
};

struct Outcome {
  std::vector<Step> steps;
  std::vector<Kept> kept;
  std::string values;         // the functions as values, after the steps, for people
  std::size_t functions = 0;  // that were scheduled
};

// Schedules the functions over domain arrays that no other function calls which keeps its form;
// what they call becomes part of them. The pad of the module becomes as wide as they need, and
// never narrower. They refill what they read where it is stale and leave pads stale
// (onf::Function::refills); those functions that keep their form refill their arguments on entry.
// The module must have passed onf::verify. Modules whose arrays have shapes of their own are left
// alone. Time is that of the graphs, squared in the number of sweeps.
Outcome apply(onf::Module& module, const Recipe& recipe = {});

}  // namespace rhopsi::schedule
