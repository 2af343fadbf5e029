// What one call of a function does, counted, and free of the lengths of its arrays: what
// predictions of time (time.hpp) start from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

// An array that a pass reads or writes whole.
struct Stream {
  std::int64_t bytes = 8;   // of an element
  std::int64_t planes = 0;  // of axis 0 that one element needs: how many are read
  std::int64_t span = 0;    // and from the first to the last of them, both included
  std::int64_t rows = 0;    // of the last axis that one element needs
  bool read = false;
  bool written = false;
};

// One sweep over the elements.
struct StageWork {
  double operations = 0;    // of an element: sums and products; a quotient counts as several
  double loads = 0;         // of an element
  double stores = 0;        // of an element, to arrays and to rings
  double wrapped = 0;       // components along the last axis that are taken modulo
  double turned = 0;        // of a row: components of other axes that are
  double peeled = 0;        // elements at the ends of a row that have a loop of their own
  double near_rows = 0;     // rows that are read around these ends; infinite: too far
  bool other_ends = false;  // conditions are others at the ends of a row than between them
  // Of each axis: elements along it at its ends, times the operations that are done there and not
  // between the ends.
  std::vector<double> at_ends = {};
  std::int64_t bytes = 8;  // of the widest element
  bool scalar = false;     // it calls what has no vector form
  onf::Margin beyond{};    // planes that are computed again on both sides of a slab
  onf::Margin rows{};      // and rows beyond both ends of axis 1, in tiles
  double again = 1;        // of teams: elements that are computed, for each that is there
  double streams = 0;      // rows that it follows
};

// What waits in a ring of a pipeline.
struct RingWork {
  std::int64_t bytes = 8;
  std::int64_t planes = 0;  // that wait
  std::int64_t reads = 0;   // planes that one element needs
};

struct PassWork {
  std::string label;
  std::vector<StageWork> stages;
  std::vector<Stream> streams;
  std::vector<RingWork> rings;
  double seams = 0;  // bytes of an element, times planes, that each slab keeps
  double kept = 0;   // and times rows, that each tile keeps and finds
  bool pipelined = false;
  bool tiled = false;
  std::optional<std::int64_t> most_rows = std::nullopt;  // of a tile
  bool nested = false;                                   // not bound to rows
  std::int64_t team_rows = 0;  // that a thread of a team has of a tile; 0: no teams
  // Of teams: elements that are read, for each that is there, where nothing is read twice of memory
  // but by teams of their own.
  double overlap = 1;

  // That one thread has in use for each element of a plane: an element's neighbours, and what waits
  // in rings.
  std::int64_t bytes_in_use() const;
  // Of a pass in runs of elements: for each element of a run.
  std::int64_t bytes_of_run() const;
};

struct RefillWork {
  std::int64_t bytes = 8;
  onf::Halo halo;
};

struct Work {
  std::string function;
  std::vector<PassWork> passes;
  std::vector<RefillWork> refills;
  std::int64_t stored = 0;  // bytes of an element of all arrays together
  std::int64_t times = 1;   // how many calls of the function as written it is
};

}  // namespace rhopsi::schedule
