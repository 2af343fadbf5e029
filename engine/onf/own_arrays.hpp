// Arrays that have a shape of their own while they are made: from the allocation, through the nests
// that write them, to the first use. Internal to the engine.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/onf/form.hpp"
#include "engine/onf/ranges.hpp"
#include "engine/onf/tiling.hpp"

namespace rhopsi::onf {

// What is wrong with a function, each thing once.
class Found {
 public:
  void add(Problem problem);
  std::vector<Problem> take() { return std::move(problems_); }

 private:
  std::vector<Problem> problems_;
  std::set<std::tuple<std::string, std::string, term::LocationId>> told_;
};

// Whether the nests of each array write every element once, before it is used, and whether a block
// may be taken over. What is wrong goes to `found`. `ranges` knows what holds at the statement that
// is asked about.
class OwnArrays {
 public:
  // Of a statement: `depth` of the lists around it.
  struct Place {
    term::LocationId location{};
    int depth = 0;
  };

  OwnArrays(const Function& function, Ranges& ranges, Found& found)
      : function_(function), ranges_(ranges), found_(found) {}

  // What lies in the block of `from` has to be as much as the new array has, and of its type.
  void take_over(ViewId view, ViewId from, term::LocationId location);
  void allocate(ViewId view, bool in_place, Place place);
  // The nest has one box of each array that it writes.
  void write(const Nest& nest, Place place);
  // The nests of the array have to be done where it is used: with the first use it is made.
  void use(ViewId view);
  void use_all();
  // Is each element that of another array until it is written? Not of one that is made.
  bool is_in_place(ViewId view) const;
  // Of such an array, of which one nest has been met: what that writes. Nothing otherwise.
  const Region* only_part(ViewId view) const;

  // Boxes of one loop are of the same arrays, so that none reads what another one writes.
  void check_joined(const Nest& nest, const Nest* before, term::LocationId location);
  // Whether the nests that go by turns with the one at that place may; where the next one is that
  // does not.
  std::size_t check_turns(const Statements& body, std::size_t first);
  // The same of the statements that go line by line with the one at that place.
  std::size_t check_lines(const Statements& body, std::size_t first);
  void refuse_overwritten(const Nest& nest, term::LocationId location);
  // Whether its box has the order of its loops.
  void check_loops(const Nest& nest, term::LocationId location);

 private:
  struct Made {  // an array whose nests have been met
    Region whole;
    std::vector<Region> boxes;
    bool known = true;
    bool in_place = false;
    Place at;
  };

  void write(const Nest& nest, ViewId target, Place place);
  bool fits(const Nest& nest, ViewId target, term::LocationId location);
  std::optional<Region> region(const std::vector<Interval>& box);
  void report(std::string code, std::string message, std::string advice, term::LocationId location,
              bool error = true) {
    if (location == term::LocationId{}) location = function_.location;
    found_.add({std::move(code), std::move(message), std::move(advice), location, error});
  }
  const std::string& name(ViewId view) const { return function_.views[number(view)].name; }
  const Block& block(ViewId view) const {
    return function_.blocks[number(function_.views[number(view)].block)];
  }

  const Function& function_;
  Ranges& ranges_;
  Found& found_;
  std::map<ViewId, Made> made_;
};

}  // namespace rhopsi::onf
