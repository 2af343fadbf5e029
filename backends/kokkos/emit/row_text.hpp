// What is emitted of loops along rows, in parts, before it is put together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/onf/positions.hpp"

namespace rhopsi::kokkos {

// Of a block at an end of a row: how many elements, the type of an index in it, and the names of
// what computes it, of the end that it is at, of their number and of that index.
struct EndNames {
  std::int64_t block = 0;
  std::string type = {}, called = {}, at = {}, count = {}, step = {};
};

// What stands in the loop over a row; where its ends have one of their own, how far they go.
struct RowBodies {
  std::string inside;
  std::string ends = {}, part = {}, reach = {};
  bool even = false;
  EndNames end = {};
  std::vector<std::string> near = {};    // rows that are copied for a block at an end
  std::string fetch = {}, fetched = {};  // what goes along it in strips, and rows that it asks for
  bool vectors = true;                   // may all of its elements be?
  std::vector<std::string> sides = {};   // conditions for each of which `inside` has two loops
  std::string lanes = {};  // elements of the loop that goes by vectors itself; empty: it does not
};

// Elements of a row, or rows, as text: from the first on up to and without the end.
struct RowRange {
  std::string first, end;
};

// A loop along rows: how many at a time, what is declared in front of it and what stands in it.
struct RowLoop {
  std::int64_t at_once = 1;
  std::vector<std::string> rows = {};
  RowBodies bodies = {};
  RowBodies plain = {};  // of rows of which this holds; empty: there are none
  std::string plain_where = {};
  RowBodies near_angles = {};  // of rows of whose elements this holds; empty: there are no angles
  std::string angles_test = {}, angles_name = {};
  bool plain_angles = false;  // are there some in plain rows too?
};

// How a choice in a loop along rows is made.
struct RowChoice {
  enum class Kind {
    branch,  // it is always `branch` there
    row,     // of rows: which one it is, is known in front of the loop
    blend,   // both sides are computed
    none     // as any other choice
  };
  onf::Positions positions;
  onf::Expr condition;  // as it is there
  Kind kind = Kind::none;
  const onf::Expr* branch = nullptr;
  std::optional<onf::Expr> load = {};  // one of the elements of these rows
  bool along = false;                  // of a blend: does the place along the row decide it?
};

// A name in front of the loops of a kernel: of what type, which, and of what.
struct Declared {
  std::string type, name, value;
};

// The loops of a stage, the lengths of the axes from 1 on, and lines: those in front of its
// loops, those that fill the pads of rows of a ring, and those behind all of its loops.
struct StageText {
  std::vector<RowLoop> loops = {};
  std::vector<std::string> lengths = {}, before = {}, filled = {}, behind = {};
};

}  // namespace rhopsi::kokkos
