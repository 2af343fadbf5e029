// Loops whose rounds set single elements, one after the other: no round has anything to deal out,
// so one thread does all of them in one loop, instead of starting a loop over one element for each.
//
//   for i in 1 .. n { for j in 1 .. m { h[i, j] := maximum(h[i - 1, j], h[i, j - 1]) + c[i, j] } }
#include <algorithm>
#include <span>

#include "engine/onf/lines.hpp"
#include "engine/onf/lists.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

using onf::Nest;
using onf::Statement;
using onf::Statements;

namespace {

class GoingInOrder {
 public:
  explicit GoingInOrder(OwnWork& work) : work_(work), places_(work.module, work.function) {}

  // The outermost of loops within each other.
  void look_into(Statements& list) {
    for (Statement& statement : list) {
      if (statement.lines) continue;
      if (std::holds_alternative<onf::For>(statement.form) && goes(statement)) {
        take(statement);
      } else {
        onf::each_list_of(statement, [&](Statements& inner) { look_into(inner); });
      }
    }
  }

 private:
  bool goes(const Statement& loop) const {
    const std::span one(&loop, 1);
    const std::vector<const Nest*> nests = onf::nests_in_lines(one);
    const auto single = [&](const Nest* nest) {
      return nest->box && std::ranges::all_of(*nest->box, [&](const onf::Interval& interval) {
               return places_.is_single(nest->target, interval);
             });
    };
    return std::ranges::all_of(nests, single) && !onf::line_obstacle(work_.function, one, {});
  }

  void take(Statement& loop) {
    const onf::ViewId target = onf::nests_in_lines(std::span(&loop, 1)).front()->target;
    work_.record("pipeline", target, "a loop for each element", "all rounds in one loop",
                 {"each round sets single elements", true, "affine forms"});
    mark(std::get<onf::For>(loop.form).body);
    loop.lines = onf::Lines{};
  }
  static void mark(Statements& list) {
    for (Statement& statement : list) {
      if (auto* nest = std::get_if<Nest>(&statement.form)) {
        add_step(nest->made_by, "pipeline");
        nest->joined = false;
      }
      onf::each_list_of(statement, [](Statements& inner) { mark(inner); });
    }
  }

  OwnWork& work_;
  OwnPlaces places_;
};

}  // namespace

void go_in_order_own(OwnWork& work) { GoingInOrder(work).look_into(work.function.body); }

}  // namespace rhopsi::schedule
