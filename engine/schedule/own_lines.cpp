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
#include "engine/onf/overwritten.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_sweeps.hpp"
#include "engine/schedule/own_variables.hpp"

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
    for (const bool takes : {false, true}) {
      for (std::size_t at = 0; at < list_.size(); ++at) {
        if (std::holds_alternative<onf::For>(list_[at].form) && !list_[at].lines)
          at = group_around(at, takes);
      }
    }
  }

 private:
  // A part of the list as it would be, without what may as well be allocated in front of it.
  struct Group {
    Statements statements;
    std::vector<std::size_t> fresh;  // places in the list
    bool possible = true;            // may these stand there?
  };

  // The place of the last statement of the group around the loop, or of that. Before groups are
  // taken arrays are made anew in them that need not be what others were.
  std::size_t group_around(std::size_t loop, bool takes) {
    const Axes axes = axes_of(group(loop, loop + 1));
    if (axes.empty() || !has_narrow_rounds(list_[loop], axes)) {
      if (takes) refuse(loop);
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
    return takes ? take(first, end, axes) : renew(first, end, axes);
  }

  // An array in the place of another one, of whose elements none is read before it is written, is
  // one of lines alone.
  std::size_t renew(std::size_t first, std::size_t end, const Axes& axes) {
    for (std::size_t at = first; at < end; ++at) {
      const auto* const made = std::get_if<onf::Allocate>(&list_[at].form);
      if (made == nullptr || !made->in_place_of || !places_.certainly_fits(made->view)) continue;
      const std::size_t last = last_nest_of(made->view, at, end);
      if (last == at) continue;
      const auto rest = rest_of(first, end, at, last, axes);
      if (!rest) continue;
      const Statements before = list_;
      std::get<onf::Allocate>(list_[at].form).in_place_of = std::nullopt;
      list_.insert(list_.begin() + std::ptrdiff_t(last) + 1, {*rest, list_[last].location});
      const std::span<const Statement> all(&list_[first], end + 1 - first);
      if (onf::is_of_lines_alone(work_.function, all, rest->target))
        ++end;
      else
        list_ = before;
    }
    return end - 1;
  }
  std::size_t last_nest_of(ViewId view, std::size_t at, std::size_t end) const {
    std::size_t last = at;
    for (std::size_t later = at + 1; later < end; ++later) {
      const auto* const nest = std::get_if<Nest>(&list_[later].form);
      if (nest != nullptr && contains(targets_of(*nest), view)) last = later;
    }
    return last;
  }
  // A nest of zeros for the elements of the array that its own nests, up to the last one, do not
  // write, where these are written again before they are read.
  std::optional<Nest> rest_of(std::size_t first, std::size_t end, std::size_t at, std::size_t last,
                              const Axes& axes) {
    const ViewId view = std::get<onf::Allocate>(list_[at].form).view;
    std::vector<std::vector<onf::Interval>> boxes;
    for (std::size_t own = at + 1; own <= last; ++own) {
      const auto* const nest = std::get_if<Nest>(&list_[own].form);
      if (nest == nullptr) continue;
      bool reads = false;
      onf::each_load(*nest, [&](const Expr& e) { reads = reads || e.view == view; });
      if (reads) return std::nullopt;
      if (contains(targets_of(*nest), view)) boxes.push_back(*nest->box);
    }
    const onf::Block& block = block_of(work_.function, view);
    Nest rest;
    rest.label = work_.function.name + ": " + work_.name(view);
    rest.binding = onf::Binding::nested;
    rest.indices = nest_at(list_, last).indices;
    rest.target = view;
    rest.element = onf::zero_of(block.element);
    rest.box.emplace();
    for (const Expr& extent : *block.extents) rest.box->push_back({onf::integer(0), extent});
    Statements trial(list_.begin() + std::ptrdiff_t(first), list_.begin() + std::ptrdiff_t(end));
    make_alike(trial);
    const std::size_t place = last + 1 - first;
    trial.insert(trial.begin() + std::ptrdiff_t(place), {rest, list_[last].location});
    const auto part = onf::overwritten_in_lines(places_.known(view), trial, place, axes);
    if (!part) return std::nullopt;
    (*rest.box)[part->axis] = {part->low, part->high};
    boxes.push_back(*rest.box);
    if (!places_.covers(view, boxes)) return std::nullopt;
    return with_own_variables(work_.function, rest);
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
      if (fresh != nullptr && !fresh->in_place_of && !is_of_lines_alone(all, fresh->view)) {
        made.fresh.push_back(at);
        made.possible = made.possible && !is_as_long_as_one_of(*fresh, all);
      } else {
        made.statements.push_back(list_[at]);
      }
    }
    make_alike(made.statements);
    return made;
  }
  // Are its lengths those of an array that is declared among these statements?
  bool is_as_long_as_one_of(const onf::Allocate& fresh, std::span<const Statement> all) const {
    const auto declares = [&](ViewId view) {
      return std::ranges::any_of(all, [&](const Statement& statement) {
        const auto* const made = std::get_if<onf::Allocate>(&statement.form);
        const auto* const share = std::get_if<onf::Share>(&statement.form);
        return (made != nullptr && made->view == view) ||
               (share != nullptr && share->target == view);
      });
    };
    bool found = false;
    for (const Expr& extent : *block_of(work_.function, fresh.view).extents) {
      onf::each_part(extent, [&](const Expr& e) {
        found = found || (e.kind == Expr::Kind::length && e.view != fresh.view && declares(e.view));
      });
    }
    return found;
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
    if (nests.empty() || !nests.front()->box || !group.possible) return found;
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
        if (std::ranges::count(axes, axis) == 0 &&
            !places_.is_single(nest->target, (*nest->box)[axis]))
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
  static bool has_extreme(const Expr& whole) {
    bool found = false;
    onf::each_part(whole, [&](const Expr& e) {
      found =
          found || (e.kind == Expr::Kind::apply && (e.function == onf::ScalarFunction::minimum ||
                                                    e.function == onf::ScalarFunction::maximum));
    });
    return found;
  }
  static bool is_plain(const Nest& nest) {
    bool plain = !nest.tile && !nest.row_blocks;
    onf::each_of(nest, [&](const Expr& whole) {
      plain = plain && !has_extreme(whole);
      onf::each_part(whole, [&](const Expr& e) { plain = plain && e.kind != Expr::Kind::if_; });
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
    leave_out(made.statements, axes);
    Statements whole;
    for (const std::size_t at : made.fresh) whole.push_back(std::move(list_[at]));
    std::ranges::move(made.statements, std::back_inserter(whole));
    const auto begin = list_.begin() + std::ptrdiff_t(first);
    list_.erase(begin, list_.begin() + std::ptrdiff_t(end));
    list_.insert(list_.begin() + std::ptrdiff_t(first), std::make_move_iterator(whole.begin()),
                 std::make_move_iterator(whole.end()));
    return first + whole.size() - 1;
  }

  // What is written again before it is read need not be written: a nest, or its part on one side.
  void leave_out(Statements& group, const Axes& axes) {
    for (std::size_t at = 0; at < group.size(); ++at) {
      auto* const nest = std::get_if<Nest>(&group[at].form);
      if (nest == nullptr) continue;
      const onf::Ranges& ranges = places_.known(nest->target);
      const auto part = onf::overwritten_in_lines(ranges, group, at, axes);
      if (!part) continue;
      if (onf::is_within(ranges, *nest, *part)) {
        nest->overwritten = true;
        continue;
      }
      const onf::Interval own = (*nest->box)[part->axis];
      const auto at_most = [&](const Expr& a, const Expr& b) {
        return places_.at_most(nest->target, a, b);
      };
      const bool begins = at_most(part->low, own.low), ends = at_most(own.high, part->high);
      const Expr& cut = begins ? part->high : part->low;
      if (has_extreme(cut)) continue;  // the verifier knows less of boxes that end there
      if (begins == ends || !at_most(own.low, cut) || !at_most(cut, own.high) ||
          (begins ? at_most(cut, own.low) : at_most(own.high, cut)))
        continue;
      Statement rest = group[at];
      Nest kept = with_own_variables(work_.function, *nest);
      onf::Interval &left_out = (*nest->box)[part->axis], &left = (*kept.box)[part->axis];
      (begins ? left_out.high : left_out.low) = cut;
      (begins ? left.low : left.high) = cut;
      nest->overwritten = true;
      rest.form = std::move(kept);
      rest.lines->goes_on = true;
      group.insert(group.begin() + std::ptrdiff_t(at) + 1, std::move(rest));
      ++at;
    }
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
