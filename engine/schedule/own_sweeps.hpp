// The nests of arrays that have shapes of their own, as steps see them. Internal to this folder.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/onf/lists.hpp"
#include "engine/onf/ranges.hpp"
#include "engine/schedule/schedule.hpp"

namespace rhopsi::schedule {

// The nests that make an array, or several, box by box: places in a list of statements.
struct OwnSweep {
  std::vector<onf::ViewId> targets;
  std::vector<std::size_t> allocations;  // of each target
  std::vector<std::size_t> nests;        // ascending
};
// Those of a list, not of what stands within its statements, in the order of their first nests.
std::vector<OwnSweep> own_sweeps(const onf::Statements& list);
// Calls `visit` with every list of statements that runs outside of nests, inner ones first; not
// with those of what goes line by line, which stays as it is.
template <class Visit>
void each_list(onf::Statements& list, const Visit& visit) {
  for (onf::Statement& statement : list) {
    if (statement.lines) continue;
    onf::each_list_of(statement, [&](onf::Statements& inner) { each_list(inner, visit); });
  }
  visit(list);
}

// How nests read one array.
struct OwnRead {
  bool elsewhere = false;    // at another index than the nest's own, or whole
  std::string access = {};   // such an access: "u[i + 1]", "u as a whole"
  std::string element = {};  // and one that needs it: "[0]", or "[i]"
  std::string needed = {};   // and what that is: "u[1]", or "u[i + 1]"
  bool in_numbers = false;   // as far as the indices go
};
using OwnReads = std::map<onf::ViewId, OwnRead>;
// Of each of these sweeps of the list. Linear in the function.
std::vector<OwnReads> reads_of(const onf::Module& module, const onf::Function& function,
                               const onf::Statements& list, const std::vector<OwnSweep>& sweeps);

// Is it an element of an array, or a whole array?
bool names_elements(const onf::Expr& e);
// Does the access have the indices of the nest?
bool is_own_index(const onf::Expr& load, const onf::Nest& nest);

// Puts the statements at these places, ascending, in front of the one at `to`, in their order.
void bring_forward(onf::Statements& list, const std::vector<std::size_t>& places, std::size_t to);

const onf::Nest& nest_at(const onf::Statements& list, std::size_t place);
onf::Nest& nest_at(onf::Statements& list, std::size_t place);
const onf::Block& block_of(const onf::Function& function, onf::ViewId view);

// A test in the nests that finds an error in an element.
struct OwnCheck {
  std::string message;  // that is told then
  term::LocationId location{};
};
std::optional<OwnCheck> check_of(const onf::Statements& list, const OwnSweep& sweep);
bool has_tile(const onf::Statements& list, const OwnSweep& sweep);
// Is there a test in the statement, or in what stands within it?
bool holds_check(const onf::Statement& statement);
// Is it one of these?
bool contains(const std::vector<onf::ViewId>& views, onf::ViewId view);

// What is known of integers where an array's last nest stands, by one of the arrays that it makes.
class OwnPlaces {
 public:
  OwnPlaces(const onf::Module& module, const onf::Function& function);

  bool equal(onf::ViewId at, const onf::Expr& left, const onf::Expr& right) const;
  bool equal(onf::ViewId at, const std::vector<onf::Interval>& left,
             const std::vector<onf::Interval>& right) const;
  // The first axis whose lengths are not known to be equal; nothing if all are.
  std::optional<std::size_t> other_axis(onf::ViewId at, onf::ViewId left, onf::ViewId right) const;
  // Is what the nest reads so at every index of its box outside of that box?
  bool is_outside(onf::ViewId at, const onf::Nest& nest, const onf::Expr& load) const;
  // Is the array certainly no larger than one that the caller has given?
  bool certainly_fits(onf::ViewId view) const;
  bool at_most(onf::ViewId at, const onf::Expr& left, const onf::Expr& right) const;
  bool is_single(onf::ViewId at, const onf::Interval& interval) const;  // one index
  // All of it.
  const onf::Ranges& known(onf::ViewId at) const { return ranges_.at(at); }
  // Do the boxes cover the array, each element once?
  bool covers(onf::ViewId at, const std::vector<std::vector<onf::Interval>>& boxes) const;

 private:
  const onf::Function& function_;
  mutable std::map<onf::ViewId, onf::Ranges> ranges_;
};

// What is said of a step at one place, as in Step.
struct OwnVerdict {
  std::string condition;
  bool holds = false;
  const char* decider = "form";
  std::string counterexample = {};
  term::LocationId beside{};
};

// A function on which steps are taken, and what became of them.
struct OwnWork {
  const onf::Module& module;
  onf::FunctionId id;
  onf::Function function;
  std::vector<Step> steps;

  // A name that no variable has.
  std::string fresh_name(const std::string& wanted) const;
  const std::string& name(onf::ViewId view) const;
  // As the language writes it, with what was named on the way written out. Linear in the function.
  std::string text(const onf::Expr& e) const;
  // "[shape(u)[0], 3]": the lengths of the array.
  std::string extents(onf::ViewId view) const;
  // "u has 3 elements and v shape(v)[0] elements": along that axis.
  std::string lengths(std::size_t axis, onf::ViewId left, onf::ViewId right) const;
  // "[0, 3) x [1, n)"
  std::string box_text(const std::vector<onf::Interval>& box) const;
  // Adds a step, if none is there that is the same but for what came of it.
  void record(const char* step, onf::ViewId at, const std::string& before, const std::string& after,
              const OwnVerdict& verdict);

  // Of each step: its name and site, where its array is made, what was before, and its condition.
  using Recorded = std::tuple<std::string, std::string, term::LocationId, std::string, std::string>;
  std::set<Recorded> recorded = {};
};

// What a statement does that keeps a step from being taken, as the rest of a sentence, and where.
struct OwnReason {
  std::string what;
  term::LocationId location{};
};
// Why the first of two sweeps of a list, which reads `before`, is not the same if it is made where
// the second one is; nothing if it is.
std::optional<OwnReason> standing_between(const OwnWork& work, const onf::Statements& list,
                                          const OwnSweep& first, const OwnSweep& second,
                                          const OwnReads& before);

// Puts in the place of the array's lengths, wherever they are named, what they are.
void name_lengths(onf::Function& function, onf::ViewId view);
// The same for an argument: its lengths become variables, which the function begins with.
void keep_lengths(OwnWork& work, onf::ViewId argument);

// The steps on one function, each recorded as a Step.
void drop_own(OwnWork& work);
void fuse_own(OwnWork& work, std::optional<std::int64_t> most);
void place_own(OwnWork& work);
void interchange_own(OwnWork& work);
void tile_own(OwnWork& work, std::optional<std::int64_t> most);
void join_own(OwnWork& work, bool rows);
void split_ends_own(OwnWork& work);
// Of one nest, if it gains.
void take_rounds_own(OwnWork& work, onf::Nest& nest);
void take_turns_own(OwnWork& work);
void go_by_lines_own(OwnWork& work);
// Loops whose rounds set single elements are one loop of one thread each (lines without axes).
// Squared in the function for each loop.
void go_in_order_own(OwnWork& work);

}  // namespace rhopsi::schedule
