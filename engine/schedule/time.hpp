// How long a call takes, predicted: from what it does (work.hpp), the lengths of its axes, and the
// figures of a machine. Nothing is measured, so the same three give the same number anywhere.
//
// A pass takes as long as the slowest of what it waits for, and a share of the others, since they
// overlap in part: the operations of its stages, those that are computed again between slabs
// included; loads and stores at the nearest cache; and at each cache the bytes that cross its far
// side. There an array crosses once, and once more for every further plane that an element needs,
// where the planes that are in use do not fit the cache; a store to what was not read counts twice;
// a ring does not cross where it fits; and nothing does where all arrays of the program fit. Of a
// pass in tiles what is in use is that of a tile, whose rows are as many as the run-time library
// takes; what a tile does beyond its rows is computed, read and, of arrays in place, kept again. To
// this come the start of the threads, of each row, and the pads. (The roofline and the layer
// conditions of stencils: S. Williams, A. Waterman, D. Patterson, CACM 52(4), 2009; H. Stengel,
// J. Treibig, G. Hager, G. Wellein, ICS 2015.)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/schedule/machine.hpp"
#include "engine/schedule/recipe.hpp"
#include "engine/schedule/work.hpp"

namespace rhopsi::schedule {

struct PassTime {
  std::string label;
  double seconds = 0;
  double operations = 0;  // seconds of these alone
  double loads = 0;
  double traffic = 0;     // of the slowest cache or of memory
  std::string from = {};  // and which: "memory", "cache 2"
  double memory_bytes = 0;
  double rest = 0;  // threads, rows, seams
  double tile = 0;  // rows of a tile; 0: planes are whole
  bool threads = false;
  const std::string& bound() const;  // what it mostly waits for
};

struct Time {
  std::vector<PassTime> passes;
  double refills = 0;  // seconds
  double seconds = 0;  // of one call of the function as it was written
};

struct Setting {
  std::span<const std::int64_t> extents;           // one per axis, each at least 1
  std::int64_t serial_below = usual_serial_below;  // passes over fewer elements have one thread
  bool device = false;                             // kernels on a GPU
};

// Linear in the number of passes, stages and streams.
Time time_of(const Work& work, const Machine& machine, const Setting& setting);

// "12.3 ms", with three digits.
std::string seconds_text(double seconds);

// One line for each pass: its seconds, what it waits for, the bytes from memory.
std::string to_string(const Time& time);

}  // namespace rhopsi::schedule
