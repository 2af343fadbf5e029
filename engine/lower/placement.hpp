// Where the values of an expression graph are computed: those that are used more than once get
// a name, in the innermost region that holds all uses, and none is computed that the graph, read
// as a lazy expression, would not compute.
//
//   if c then a / b else (if d then a / b + 1 else 0)
//   =>  one a / b, computed where it is read first, since c and d may choose the 0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/lower/graph.hpp"

namespace rhopsi::lower {

// The element of a loop, a branch, or the value of what is lazy.
enum class RegionId : std::uint32_t {};

// Below one root and outside of the folds' elements, each of which is a root of its own.
class Placement {
 public:
  static constexpr RegionId whole{0};

  // What is `known` has a name already. `loads_apart`: what some branches read has no name, and
  // stands where it is asked for, since what is known of its indices is known there.
  Placement(const moa::NormalForm& form, Graph& graph, ExprId root,
            const std::function<bool(ExprId)>& known, bool loads_apart = false);

  // What gets its name in a region, operands first.
  const std::vector<ExprId>& values(RegionId region) const {
    return regions_[static_cast<std::size_t>(region)].values;
  }
  // The branches of a select; the first one is the right side of a connective.
  RegionId branch(ExprId expression, std::size_t which) const {
    return entries_.at(expression).branches[which];
  }
  // The region of its own that a lazy value is computed in.
  std::optional<RegionId> lazy(ExprId expression) const { return entries_.at(expression).lazy; }

 private:
  enum class Kind : std::uint8_t { whole, branch, lazy };
  struct Region {
    RegionId parent{};
    std::uint32_t depth = 0;
    Kind kind = Kind::whole;
    RegionId sibling{};  // of a branch
    std::vector<ExprId> values;
  };
  struct Entry {
    std::vector<RegionId> uses;   // regions that compute it if they are entered
    std::vector<RegionId> loops;  // regions that hold a loop that may compute it
    std::size_t count = 0;        // of uses
    bool named = false;
    std::uint32_t depth = 0;  // of operations in one expression
    RegionId home{};
    std::vector<RegionId> branches;
    std::optional<RegionId> lazy;
  };

  RegionId make(RegionId parent, Kind kind);
  Region& at(RegionId region) { return regions_[static_cast<std::size_t>(region)]; }
  const Region& at(RegionId region) const { return regions_[static_cast<std::size_t>(region)]; }
  RegionId common(RegionId a, RegionId b) const;
  bool certain(const Entry& entry) const;
  void collect(ExprId root, const std::function<bool(ExprId)>& known);
  std::vector<ExprId> parts(ExprId expression) const;
  void place(ExprId expression);
  void use(ExprId expression, RegionId region);
  void use_in_loop(const Invariant& invariant, ExprId fold, RegionId region);
  void limit_depth(ExprId expression);

  const moa::Expressions& expressions_;
  Graph& graph_;
  bool loads_apart_;
  std::vector<ExprId> order_;  // operands first
  std::unordered_map<ExprId, Entry> entries_;
  std::vector<Region> regions_;
};

}  // namespace rhopsi::lower
