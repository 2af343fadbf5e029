// Rounds that go line by line: what the rounds of some lines have made is read by what follows
// while it is in a cache, and the threads start once.
#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/lines.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Nest;
using onf::Statement;
using onf::Statements;
using onf::ViewId;

namespace {

using Axes = std::vector<std::size_t>;

// The nests of a statement or of its rounds.
void each_nest_of(Statement& statement, const std::function<void(Nest&)>& visit) {
  if (auto* nest = std::get_if<Nest>(&statement.form)) visit(*nest);
  if (auto* loop = std::get_if<onf::For>(&statement.form)) {
    for (Statement& inner : loop->body) each_nest_of(inner, visit);
  }
}

// One group of a list after the other, each around a loop over rounds.
class GoingByLines {
 public:
  GoingByLines(OwnWork& work, Statements& list)
      : work_(work), list_(list), places_(work.module, work.function) {}

  void run() {
    for (std::size_t at = 0; at < list_.size(); ++at) {
      if (std::holds_alternative<onf::For>(list_[at].form) && !list_[at].lines)
        at = group_around(at);
    }
  }

 private:
  // A part of the list as it would be, without what may as well be allocated in front of it.
  struct Group {
    Statements statements;
    std::vector<std::size_t> fresh;  // places in the list
  };

  // The place of the last statement of the group around the loop, or of that.
  std::size_t group_around(std::size_t loop) {
    const Axes axes = axes_of(group(loop, loop + 1));
    if (axes.empty() || !has_narrow_rounds(list_[loop], axes)) {
      refuse(loop);
      return loop;
    }
    std::size_t first = loop, end = loop + 1;
    for (std::size_t at = end; at < list_.size() && may_join(at, axes); ++at) {
      if (holds_nest(at) && goes(first, at + 1, axes)) end = at + 1;
    }
    for (std::size_t at = first; at > 0 && may_join(at - 1, axes); --at) {
      const bool begins = holds_nest(at - 1) && !is_joined(at - 1);
      const bool makes = at == first && std::holds_alternative<onf::Allocate>(list_[at - 1].form);
      if ((begins || makes) && goes(at - 1, end, axes)) first = at - 1;
    }
    while (end < list_.size() && std::holds_alternative<onf::Share>(list_[end].form) &&
           goes(first, end + 1, axes))
      ++end;
    return take(first, end, axes);
  }

  bool goes(std::size_t first, std::size_t end, const Axes& axes) const {
    const Axes found = axes_of(group(first, end));
    return std::ranges::includes(found, axes);
  }

  Group group(std::size_t first, std::size_t end) const {
    Group made;
    const std::span<const Statement> all(&list_[first], end - first);
    for (std::size_t at = first; at < end; ++at) {
      const auto* const fresh = std::get_if<onf::Allocate>(&list_[at].form);
      if (fresh != nullptr && !fresh->in_place_of && !is_of_lines_alone(all, fresh->view))
        made.fresh.push_back(at);
      else
        made.statements.push_back(list_[at]);
    }
    make_alike(made.statements);
    return made;
  }

  // An array whose size may be an error is made.
  bool is_of_lines_alone(std::span<const Statement> all, ViewId view) const {
    return places_.certainly_fits(view) && onf::is_of_lines_alone(work_.function, all, view);
  }

  // Ends of boxes that are known to be equal are written alike.
  void make_alike(Statements& statements) const {
    std::optional<std::vector<onf::Interval>> first;
    const auto visit = [&](Nest& nest) {
      nest.joined = false;
      nest.loops.clear();
      nest.strip = 0;
      if (!nest.box) return;
      if (!first) first = *nest.box;
      for (std::size_t axis = 0; axis < std::min(first->size(), nest.box->size()); ++axis) {
        onf::Interval &own = (*nest.box)[axis], &other = (*first)[axis];
        if (places_.equal(nest.target, own.low, other.low) &&
            places_.equal(nest.target, own.high, other.high))
          own = other;
      }
    };
    for (Statement& statement : statements) each_nest_of(statement, visit);
  }

  Axes axes_of(const Group& group) const {
    const std::vector<const Nest*> nests = onf::nests_in_lines(group.statements);
    Axes found;
    if (nests.empty() || !nests.front()->box) return found;
    for (std::size_t axis = 0; axis < nests.front()->box->size(); ++axis) {
      if (!onf::line_obstacle(work_.function, group.statements, {axis})) found.push_back(axis);
    }
    return found;
  }

  // One index of each other axis in each round: more of them may be a thread's each.
  bool has_narrow_rounds(const Statement& loop, const Axes& axes) const {
    const std::vector<const Nest*> nests = onf::nests_in_lines(std::span(&loop, 1));
    return std::ranges::all_of(nests, [&](const Nest* nest) {
      for (std::size_t axis = 0; axis < nest->box->size(); ++axis) {
        const onf::Interval& interval = (*nest->box)[axis];
        const Expr behind = onf::applied(onf::ScalarFunction::add, onf::Scalar::int64,
                                         {interval.low, onf::integer(1)});
        if (std::ranges::count(axes, axis) == 0 &&
            !places_.equal(nest->target, behind, interval.high))
          return false;
      }
      return true;
    });
  }

  bool holds_nest(std::size_t at) const {
    return !onf::nests_in_lines(std::span(&list_[at], 1)).empty();
  }
  bool is_joined(std::size_t at) const {
    const auto* const nest = std::get_if<Nest>(&list_[at].form);
    return nest != nullptr && nest->joined;
  }

  // Loops along the same lines, and nests for which it is no loss to be done by these: where
  // nothing is chosen, and of the arrays of the group.
  bool may_join(std::size_t at, const Axes& axes) const {
    const Statement& statement = list_[at];
    if (statement.lines) return false;
    if (const auto* nest = std::get_if<Nest>(&statement.form)) return nest->box && is_plain(*nest);
    if (std::holds_alternative<onf::For>(statement.form))
      return holds_nest(at) && has_narrow_rounds(statement, axes);
    return std::holds_alternative<onf::Allocate>(statement.form) ||
           std::holds_alternative<onf::Share>(statement.form);
  }
  static bool is_plain(const Nest& nest) {
    bool plain = !nest.tile && !nest.row_blocks;
    onf::each_of(nest, [&](const Expr& whole) {
      onf::each_part(whole, [&](const Expr& e) {
        const bool extreme =
            e.kind == Expr::Kind::apply && (e.function == onf::ScalarFunction::minimum ||
                                            e.function == onf::ScalarFunction::maximum);
        plain = plain && e.kind != Expr::Kind::if_ && !extreme;
      });
    });
    return plain && std::ranges::all_of(nest.body, [](const Statement& statement) {
             return std::holds_alternative<onf::Let>(statement.form);
           });
  }

  // What lies there anyway is not stored.
  static void drop_own_copies(Nest& nest) {
    const auto is_copy = [&](ViewId target, const Expr& element) {
      return element.kind == Expr::Kind::load && element.view == target &&
             is_own_index(element, nest);
    };
    std::erase_if(nest.also, [&](const Nest::Output& output) {
      return is_copy(output.target, output.element);
    });
    if (nest.also.empty() || !is_copy(nest.target, nest.element)) return;
    nest.target = nest.also.front().target;
    nest.element = std::move(nest.also.front().element);
    nest.also.erase(nest.also.begin());
  }

  void refuse(std::size_t loop) {
    const Group alone = group(loop, loop + 1);
    const std::vector<const Nest*> nests = onf::nests_in_lines(alone.statements);
    if (nests.empty() || !nests.front()->box || nests.front()->box->empty()) return;
    std::string why = "a round has several indices of other axes, which are done beside each other";
    term::LocationId where{};
    for (std::size_t axis = 0; axis < nests.front()->box->size(); ++axis) {
      if (auto obstacle = onf::line_obstacle(work_.function, alone.statements, {axis}))
        why = std::move(obstacle->what), where = obstacle->location;
    }
    work_.record("pipeline", nests.front()->target, all_rounds, all_rounds,
                 {why, false, "accesses", "", where});
  }

  std::size_t take(std::size_t first, std::size_t end, const Axes& axes) {
    Group made = group(first, end);
    const ViewId target = onf::nests_in_lines(made.statements).front()->target;
    std::string of;
    for (const std::size_t axis : axes) of += (of.empty() ? "" : ", ") + std::to_string(axis);
    work_.record(
        "pipeline", target, all_rounds, "all rounds of some lines, along axes " + of,
        {"what is written is read at the own indices of these axes alone", true, "accesses"});
    for (Statement& statement : made.statements) {
      each_nest_of(statement, [](Nest& nest) {
        add_step(nest.made_by, "pipeline");
        drop_own_copies(nest);
      });
      statement.lines = onf::Lines{axes, &statement != &made.statements.front()};
    }
    Statements whole;
    for (const std::size_t at : made.fresh) whole.push_back(std::move(list_[at]));
    std::ranges::move(made.statements, std::back_inserter(whole));
    std::ranges::move(whole, list_.begin() + std::ptrdiff_t(first));
    return end - 1;
  }

  static constexpr const char* all_rounds = "all lines of each round";

  OwnWork& work_;
  Statements& list_;
  OwnPlaces places_;
};

}  // namespace

void go_by_lines_own(OwnWork& work) {
  each_list(work.function.body, [&](Statements& list) { GoingByLines(work, list).run(); });
}

}  // namespace rhopsi::schedule
