// What has to be small for 32 bits to hold the indices of a nest. Internal to this folder.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "engine/onf/form.hpp"
#include "engine/onf/ranges.hpp"

namespace rhopsi::onf {

// Is what a nest says of its indices enough for what is demanded of them?
bool suffices(const IndexWidth& said, const IndexWidth& demanded);

// The parts of a nest are told in the order in which they are met, each where the ranges know what
// holds there. What has to be small are the ends of loops, each part of a component, and the number
// of elements of each array. A component itself is less than a length of its array, because every
// access is in bounds; and the place of an element is less than the number of elements. What does
// not depend on the indices is computed before the nest, in 64 bits.
//
// Bounds of what depends on an index are computed from those of the index: |i + o| <= n + |o|.
class IndexDemand {
 public:
  IndexDemand(const Function& function, Ranges& ranges, const Nest& nest);

  // The index variable of an axis of length `length`.
  void axis(VariableId index, const Interval& interval, const Expr& length);
  void counter(VariableId index, const Expr& count);
  void constant(VariableId variable, const Expr& value);
  // An element of the array is read or written.
  void array(ViewId view);
  void component(const Expr& e);
  void refuse() { width_.narrow = false; }

  // Without a bound where there is none that suffices.
  IndexWidth width() const { return width_.narrow ? width_ : IndexWidth{}; }

 private:
  std::optional<Expr> bound(const Expr& e);
  std::optional<Expr> bound_of_apply(const Expr& e);
  std::optional<Expr> parts(const Expr& e);
  bool moves_before(const Expr& e) const;
  Expr magnitude(const Expr& e);
  bool is_small(const Expr& e);
  void need(const std::optional<Expr>& bound);

  const Function& function_;
  Ranges& ranges_;
  std::set<VariableId> inner_;  // the variables of the nest
  std::set<VariableId> indices_;
  std::set<VariableId> within_;  // indices of the nest that stay within its target
  std::map<VariableId, std::optional<Expr>> bounds_;
  IndexWidth width_{true, {}};
};

}  // namespace rhopsi::onf
