// What keeps an array from lying in the block of another one. Internal to this folder.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "engine/schedule/own_copies.hpp"
#include "engine/schedule/own_lives.hpp"
#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

// What placing the arrays of one list says to who places those of all.
struct OwnPlacing {
  Views lost;        // arguments that have lost their blocks
  OwnCopies shared;  // arrays that could be changed in place if they did not begin as other ones
  // May several arrays of a nest that reads them elsewhere lie in the blocks of others, and do any?
  bool may_several = true, several = false;
};

// The arrays of one list, as it is when this is made.
class OwnObstacles {
 public:
  OwnObstacles(const OwnWork& work, const onf::Statements& list, OwnPlacing& placed);

  // Nothing if it is no argument.
  const onf::Argument* argument(onf::ViewId view) const;
  // Has the other array elements of the type, and as many axes, all in rows?
  bool is_like(onf::ViewId target, onf::ViewId view) const;
  // May the sweep make `target` in the block of `view`, which it reads so, if it reads it? `all`:
  // what the sweep reads, where it is asked of the other arrays that it makes, too. `telling`: as
  // it is told, and otherwise with the reasons left out that take long to find. Linear in the
  // function.
  OwnVerdict obstacle(const OwnSweep& sweep, onf::ViewId target, onf::ViewId view,
                      const OwnRead* read, const OwnReads* all, bool telling) const;
  // Of arrays behind the sweep those that may as well be made before it: nothing stands between
  // that may be an error. Places in the list.
  std::vector<std::size_t> earlier_allocations(const OwnSweep& sweep) const;

  // Does the nest write what lies there?
  static bool copies_itself(const onf::Nest& nest);

 private:
  bool all_have_places(const OwnSweep& sweep, onf::ViewId target, onf::ViewId view,
                       const OwnReads& reads) const;
  bool copies(const OwnSweep& sweep, onf::ViewId target, onf::ViewId view, onf::ViewId one,
              onf::ViewId other) const;
  bool keeps_what_it_reads(const OwnSweep& sweep, onf::ViewId target, onf::ViewId view) const;
  void note_copy(const OwnSweep& sweep, onf::ViewId target, onf::ViewId view) const;
  bool has_own_lengths(onf::ViewId view) const;
  std::optional<term::LocationId> named_within(const OwnSweep& sweep, onf::ViewId view) const;
  std::optional<onf::ViewId> shares_its_block(const OwnSurroundings& around, onf::ViewId target,
                                              onf::ViewId view, bool begins_as_copy) const;
  OwnReason needed_by(const OwnSurroundings& around, const OwnSweep& sweep, onf::ViewId view) const;
  std::optional<OwnReason> what_may_fail(const OwnSurroundings& around,
                                         const std::vector<std::size_t>& earlier) const;
  static const onf::Expr& element_of(const onf::Nest& nest, onf::ViewId target);
  static bool is_own_element(const onf::Expr& e, const onf::Nest& nest, onf::ViewId view);

  const OwnWork& work_;
  const onf::Statements& list_;
  OwnPlacing& placed_;
  OwnPlaces places_;
  std::map<onf::ViewId, Views> live_;  // behind the last nest of an array
};

}  // namespace rhopsi::schedule
