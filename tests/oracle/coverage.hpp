// Which operations stand directly below which, at which argument and along which axes.
#pragma once

#include <compare>
#include <set>
#include <vector>

#include "tests/oracle/evaluation.hpp"

namespace rhopsi::oracle {

// An argument of an operation, along an axis if the operation has one (otherwise -1).
struct Place {
  const Operation* operation = nullptr;
  std::size_t slot = 0;
  std::int64_t axis = -1;

  auto operator<=>(const Place&) const = default;
};

// `below` along `axis_below` stands at a place, as it is or made an integer or an index vector.
struct Pair {
  Place above;
  const Operation* below = nullptr;
  std::int64_t axis_below = -1;

  auto operator<=>(const Pair&) const = default;
};

// "take(A) on axis 1 of sum on axis 0"
std::string to_string(const Pair& pair);

// The operations of arrays that give arrays.
const std::vector<const Operation*>& covered_operations();
// 0, 1 and 2 of operations that work along an axis, -1 of others.
std::vector<std::int64_t> axes_of(const Operation& operation);
// The arguments of an operation where an array may stand, as it is or made an integer or vector.
std::vector<std::size_t> slots_of(const Operation& operation);

// Operations that differ in a function on elements only are one in a coarse count: outer_* and
// inner_* products, pointwise operations, reductions, scans.
enum class Grain : std::uint8_t { coarse, fine };

// The pair with the first operation of its kind in place of each.
Pair counted(Pair pair, Grain grain);

// Every pair that some expression has: those whose ranks fit.
const std::vector<Pair>& possible_pairs(Grain grain);
bool possible(const Pair& pair);

// The pairs in a tree, along whatever axes.
std::vector<Pair> pairs_in(const Tree& tree, const Inputs& inputs);
// The operation of a call that has an array as its value, and its axis; null of other trees.
Pair top_of(const Tree& tree, const Inputs& inputs);

class Coverage {
 public:
  explicit Coverage(Grain grain) : grain_(grain) {}

  void add(const Tree& tree, const Inputs& inputs);
  bool contains(const Pair& pair) const { return seen_.contains(counted(pair, grain_)); }
  std::vector<Pair> missing() const;
  // Operations that are nowhere.
  std::vector<const Operation*> missing_operations() const;
  // How many of the possible pairs were seen, a line for each operation above.
  std::string table() const;

 private:
  Grain grain_;
  std::set<Pair> seen_;
  std::set<const Operation*> operations_;
};

}  // namespace rhopsi::oracle
