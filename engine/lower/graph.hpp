// What lowering asks of the expressions of a normal form: which variables they depend on, which
// can fail, which are worth computing once, and what does not change within a loop.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/moa/normal_form.hpp"
#include "engine/onf/range.hpp"

namespace rhopsi::lower {

using moa::ExprId;

// Variables, constants and lengths: no computation.
bool is_atom(const moa::Node& node);

// Does a fold of nothing have a value?
bool has_unit(onf::ScalarFunction function);

// An expression that a loop need not compute in each round. `certain`: each round computes it.
struct Invariant {
  ExprId expression;
  bool certain;
};

// Of everything below some roots; memory and time are linear in that, times the number of folds.
class Graph {
 public:
  // `indices` tells the ranges of variables that no fold binds; each of `positive` is at least 1.
  Graph(const moa::NormalForm& form, std::span<const ExprId> roots,
        std::map<moa::VariableId, onf::Range> indices, std::set<ExprId> positive = {});

  bool holds(ExprId expression) const { return place_.contains(expression); }
  // The variables that no fold within the expression binds, ascending.
  const std::vector<moa::VariableId>& free(ExprId expression) const { return at(expression).free; }
  // Can it be evaluated at any place, whatever the elements of the arrays are?
  bool total(ExprId expression) const { return at(expression).total; }
  // Does it hold a fold, or many operations?
  bool heavy(ExprId expression) const { return at(expression).weight > light; }
  onf::Range range(ExprId expression) const { return at(expression).range; }

  // The largest heavy parts of a fold's element that do not depend on its variable; of
  // `element` those that do not depend on any of `bound`.
  const std::vector<Invariant>& invariants(ExprId fold);
  std::vector<Invariant> invariants(ExprId element, std::span<const moa::VariableId> bound);

 private:
  static constexpr std::uint32_t light = 16;  // operations
  static constexpr std::uint32_t most = 1U << 30;

  struct Entry {
    std::vector<moa::VariableId> free;
    onf::Range range;
    std::uint32_t weight = 0;  // operations, as a tree
    bool total = true;
  };

  const Entry& at(ExprId expression) const { return entries_[place_.at(expression)]; }
  void collect(std::span<const ExprId> roots);
  void describe(ExprId expression);
  onf::Range range_of(const moa::Node& node) const;
  onf::Range range_of_apply(const moa::Node& node) const;
  bool is_total(const moa::Node& node) const;
  bool within(const moa::Node& load) const;
  bool below_length(ExprId index, moa::LeafId leaf, std::size_t axis) const;
  bool is_length(ExprId expression, moa::LeafId leaf, std::size_t axis) const;

  const moa::NormalForm& form_;
  const moa::Expressions& expressions_;
  std::map<moa::VariableId, onf::Range> variables_;
  std::set<ExprId> positive_;
  std::map<moa::VariableId, std::set<ExprId>> counts_;  // of the folds that bind a variable
  std::vector<ExprId> order_;                           // operands first
  std::unordered_map<ExprId, std::uint32_t> place_;
  std::vector<Entry> entries_;
  std::unordered_map<ExprId, std::vector<Invariant>> invariants_;
};

}  // namespace rhopsi::lower
