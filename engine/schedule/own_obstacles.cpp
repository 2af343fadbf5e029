// What keeps an array from lying in the block of another one.
#include "engine/schedule/own_obstacles.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Nest;
using onf::Statement;
using onf::ViewId;

OwnObstacles::OwnObstacles(const OwnWork& work, const onf::Statements& list, OwnPlacing& placed)
    : work_(work),
      list_(list),
      placed_(placed),
      places_(work.module, work.function),
      live_(needed_behind(work.function)) {}

const onf::Argument* OwnObstacles::argument(ViewId view) const {
  const auto& arguments = work_.function.arguments;
  const auto found = std::ranges::find(arguments, view, &onf::Argument::view);
  return found == arguments.end() ? nullptr : &*found;
}

// Has the other array elements of the type, and as many axes, all in rows?
bool OwnObstacles::is_like(ViewId target, ViewId view) const {
  const onf::Block &to = block_of(work_.function, target), &from = block_of(work_.function, view);
  if (to.element != from.element || !from.extents || to.in_blocks != 0 || from.in_blocks != 0)
    return false;
  return to.extents->size() == from.extents->size() && !to.extents->empty();
}

// `all`: what the sweep reads, where it is asked of the other arrays that it makes, too.
OwnVerdict OwnObstacles::obstacle(const OwnSweep& sweep, ViewId target, ViewId view,
                                  const OwnRead* read, const OwnReads* all, bool telling) const {
  const bool needed = live_.at(target).contains(view);
  if (!telling && needed) return {"", false};
  const std::string& name = work_.name(view);
  const auto refused = [](const std::string& why, const char* decider = "form") {
    return OwnVerdict{why, false, decider};
  };
  const onf::Argument* given = argument(view);
  if (given != nullptr && given->mode == term::Mode::obs)
    return refused("nobody needs " + name + " any more, but the caller keeps it");
  const bool elsewhere = read != nullptr && read->elsewhere;
  if (elsewhere && !keeps_what_it_reads(sweep, target, view)) {
    return {name + " is read at its own index alone, but also as " + read->access, false,
            "accesses",
            read->needed + " may be overwritten before element " + read->element + " has read it"};
  }
  const OwnSurroundings around =
      surroundings_of(work_.function.body, nest_at(list_, sweep.nests.front()).target);
  if (needed) {
    const OwnReason reason = needed_by(around, sweep, view);
    return {"nobody needs " + name + " any more, but " + reason.what, false, "live ranges", "",
            reason.location};
  }
  if (const auto axis = places_.other_axis(target, target, view)) {
    return refused("it is as long as " + name + " along axis " + std::to_string(*axis) + ", but " +
                       work_.lengths(*axis, target, view),
                   "affine forms");
  }
  if (has_own_lengths(view))
    return refused("its lengths are known before, but those of " + name +
                   " are what a loop or a branch leaves");
  if (has_tile(list_, sweep)) return refused("it is not computed in tiles, but its folds are");
  if (const auto at = named_within(sweep, view)) {
    return {"nothing else reads " + name + " meanwhile, but what stands between its boxes does",
            false, "form", "", *at};
  }
  if (const auto other = shares_its_block(around, target, view, false)) {
    if (!shares_its_block(around, target, view, true)) note_copy(sweep, target, view);
    return refused("no other array lies in its block, but " + work_.name(*other) + " may");
  }
  // Copies that another array of the sweep needs would write, and be read, beside each other.
  if (elsewhere && sweep.targets.size() > 1 && all != nullptr) {
    if (!placed_.may_several || !all_have_places(sweep, target, view, *all))
      return refused("another array that is made with it keeps a block of its own");
    placed_.several = true;
  }
  if (given == nullptr) return {"", true};
  if (const auto failure = what_may_fail(around, earlier_allocations(sweep))) {
    return {"nothing may fail any more, since the caller has its arrays as they were then, but " +
                failure->what,
            false, "form", "", failure->location};
  }
  return {"", true};
}

// Do the nests that keep the target's elements as they are do nothing else then? Each array that
// the sweep makes has to lie in the block of the one that it is a copy of there.
bool OwnObstacles::all_have_places(const OwnSweep& sweep, ViewId target, ViewId view,
                                   const OwnReads& reads) const {
  return std::ranges::all_of(sweep.targets, [&](ViewId other) {
    if (other == target || copies(sweep, target, view, other, other)) return true;
    return std::ranges::any_of(reads, [&](const auto& each) {
      const auto& [from, read] = each;
      return from != view && !contains(sweep.targets, from) && is_like(other, from) &&
             copies(sweep, target, view, other, from) &&
             obstacle(sweep, other, from, &read, nullptr, false).holds;
    });
  });
}
// Is the one array that other one wherever the target is the view?
bool OwnObstacles::copies(const OwnSweep& sweep, ViewId target, ViewId view, ViewId one,
                          ViewId other) const {
  return std::ranges::all_of(sweep.nests, [&](std::size_t at) {
    const Nest& nest = nest_at(list_, at);
    return !is_own_element(element_of(nest, target), nest, view) ||
           is_own_element(element_of(nest, one), nest, other);
  });
}

// One nest alone changes elements, and what it reads of them at other indices it leaves as it is.
bool OwnObstacles::keeps_what_it_reads(const OwnSweep& sweep, ViewId target, ViewId view) const {
  const Nest* changing = nullptr;
  bool keeps = true;
  for (const std::size_t at : sweep.nests) {
    const Nest& nest = nest_at(list_, at);
    const bool changes = !is_own_element(element_of(nest, target), nest, view);
    if (changes && std::exchange(changing, &nest) != nullptr) return false;
    onf::each_of(nest, [&](const Expr& whole) {
      onf::each_part(whole, [&](const Expr& e) {
        if (!names_elements(e) || e.view != view) return;
        const bool own = e.kind == Expr::Kind::load && is_own_index(e, nest);
        keeps = keeps && (own || (changes && places_.is_outside(target, nest, e)));
      });
    });
  }
  return changing != nullptr && keeps;
}
// A round that keeps parts of the array changes others in place, if that is the array's own.
void OwnObstacles::note_copy(const OwnSweep& sweep, ViewId target, ViewId view) const {
  for (const std::size_t at : sweep.nests) {
    const Nest& nest = nest_at(list_, at);
    const Expr& element = element_of(nest, target);
    if (is_own_element(element, nest, view))
      placed_.shared.try_emplace(view, OwnCopy{nest.indices, element});
  }
}
const Expr& OwnObstacles::element_of(const Nest& nest, ViewId target) {
  if (nest.target == target) return nest.element;
  return std::ranges::find(nest.also, target, &Nest::Output::target)->element;
}
bool OwnObstacles::is_own_element(const Expr& e, const Nest& nest, ViewId view) {
  return e.kind == Expr::Kind::load && e.view == view && is_own_index(e, nest);
}
// Of what a loop or a branch leaves only the array itself knows the lengths.
bool OwnObstacles::has_own_lengths(ViewId view) const {
  if (argument(view) != nullptr) return false;
  const auto& extents = *block_of(work_.function, view).extents;
  return std::ranges::any_of(extents, [&](const Expr& whole) {
    bool own = false;
    onf::each_part(whole, [&](const Expr& e) {
      own = own || (e.kind == Expr::Kind::length && e.view == view);
    });
    return own;
  });
}

// Where it is named between the first nest and the last one, but for the elements of the nests.
std::optional<term::LocationId> OwnObstacles::named_within(const OwnSweep& sweep,
                                                           ViewId view) const {
  bool found = false;
  const auto visit = [&](const Expr& whole) {
    onf::each_part(whole,
                   [&](const Expr& e) { found = found || (names_elements(e) && e.view == view); });
  };
  for (std::size_t at = sweep.nests.front(); at <= sweep.nests.back(); ++at) {
    if (std::ranges::count(sweep.nests, at) == 0) {
      const std::span one(&list_[at], 1);
      onf::each_in(
          one, [](const auto&) {}, visit);
    } else {
      for (const onf::Interval& interval : *nest_at(list_, at).box)
        visit(interval.low), visit(interval.high);
    }
    if (found) return list_[at].location;
  }
  return std::nullopt;
}

// An array that is still needed, and may have been shared with this one, also where this one
// begins as a copy instead.
std::optional<ViewId> OwnObstacles::shares_its_block(const OwnSurroundings& around, ViewId target,
                                                     ViewId view, bool begins_as_copy) const {
  Views known = {view};
  for (std::size_t size = 0; size != known.size();) {
    size = known.size();
    for (const Statement* statement : around.before) {
      const auto* share = std::get_if<onf::Share>(&statement->form);
      if (share == nullptr) continue;
      if (begins_as_copy && share->declares && share->target == view) continue;
      if (known.contains(share->target)) known.insert(share->source);
      if (known.contains(share->source)) known.insert(share->target);
    }
  }
  // What the array itself was in the round before ends where it is made anew.
  for (const ViewId other : known) {
    if (other != view && other != target && live_.at(target).contains(other)) return other;
  }
  return std::nullopt;
}

// What of the statements behind the sweep needs the array.
OwnReason OwnObstacles::needed_by(const OwnSurroundings& around, const OwnSweep& sweep,
                                  ViewId view) const {
  for (const Statement* statement : around.behind) {
    const auto* nest = std::get_if<Nest>(&statement->form);
    if (nest != nullptr && nest->target == nest_at(list_, sweep.nests.front()).target) continue;
    std::string found;
    const auto note = [&](bool does, const std::string& what) {
      if (does && found.empty()) found = what;
    };
    const auto form = [&](const auto& s) {
      using Form = std::decay_t<decltype(s)>;
      if constexpr (std::is_same_v<Form, onf::Allocate>)
        note(s.in_place_of == view, work_.name(s.view) + " takes its block");
      if constexpr (std::is_same_v<Form, onf::Share>)
        note(s.source == view, work_.name(s.target) + " becomes it");
    };
    const std::span one(statement, 1);
    onf::each_in(one, form, [&](const Expr& whole) {
      onf::each_part(
          whole, [&](const Expr& e) { note(names_elements(e) && e.view == view, "it is read"); });
    });
    if (!found.empty()) return {found, statement->location};
  }
  return {"the caller gets it back", {}};
}

// Of arrays behind the sweep those that may as well be made before it: nothing stands between
// that may be an error. Places in the list.
std::vector<std::size_t> OwnObstacles::earlier_allocations(const OwnSweep& sweep) const {
  std::vector<std::size_t> found;
  for (std::size_t at = sweep.nests.front(); at < list_.size(); ++at) {
    const auto* const fresh = std::get_if<onf::Allocate>(&list_[at].form);
    if (fresh != nullptr && !fresh->in_place_of) found.push_back(at);
    if (fresh == nullptr &&
        (!std::holds_alternative<Nest>(list_[at].form) || holds_check(list_[at])))
      break;
  }
  return found;
}
std::optional<OwnReason> OwnObstacles::what_may_fail(
    const OwnSurroundings& around, const std::vector<std::size_t>& earlier) const {
  for (const Statement* statement : around.behind) {
    if (std::ranges::any_of(earlier, [&](std::size_t at) { return &list_[at] == statement; }))
      continue;
    std::string found;
    const auto note = [&](const std::string& what) {
      if (found.empty()) found = what;
    };
    const auto form = [&](const auto& s) {
      using Form = std::decay_t<decltype(s)>;
      if constexpr (std::is_same_v<Form, onf::Check>) note("this may: " + s.message);
      if constexpr (std::is_same_v<Form, onf::Call>) note("another operation is called");
      if constexpr (std::is_same_v<Form, onf::Allocate>) {
        if (!s.in_place_of && !places_.certainly_fits(s.view)) {
          note("there may be no room for " + work_.name(s.view) + " of the lengths " +
               work_.extents(s.view));
        }
      }
    };
    const std::span one(statement, 1);
    onf::each_in(one, form, [](const Expr&) {});
    if (!found.empty()) return OwnReason{found, statement->location};
  }
  return std::nullopt;
}

bool OwnObstacles::copies_itself(const Nest& nest) {
  return nest.body.empty() && std::ranges::all_of(targets_of(nest), [&](ViewId target) {
           return is_own_element(element_of(nest, target), nest, target);
         });
}

}  // namespace rhopsi::schedule
