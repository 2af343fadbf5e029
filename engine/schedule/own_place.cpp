// Arrays in the blocks of others: where their elements are read for the last time, or have been.
#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_copies.hpp"
#include "engine/schedule/own_lives.hpp"
#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Nest;
using onf::Statement;
using onf::Statements;
using onf::ViewId;

namespace {

// What placing the arrays of one list says to who places those of all.
struct Placed {
  Views lost;        // arguments that have lost their blocks
  OwnCopies shared;  // arrays that could be changed in place if they did not begin as other ones
  // May several arrays of a nest that reads them elsewhere lie in the blocks of others, and do any?
  bool may_several = true, several = false;
};

class Placing {
 public:
  Placing(OwnWork& work, Statements& list, bool outermost, Placed& placed)
      : work_(work),
        list_(list),
        outermost_(outermost),
        placed_(placed),
        lost_(placed.lost),
        shared_(placed.shared),
        places_(work.module, work.function),
        live_(needed_behind(work.function)) {}

  // Puts one array into the block of another one, if any can be. What is refused is told where none
  // can.
  bool once() {
    const std::vector<OwnSweep> sweeps = own_sweeps(list_);
    const std::vector<OwnReads> reads = reads_of(work_.module, work_.function, list_, sweeps);
    for (const Pass pass : {Pass::back, Pass::any, Pass::telling}) {
      pass_ = pass;
      for (std::size_t at = 0; at < sweeps.size(); ++at) {
        if (place(sweeps[at], reads[at])) return true;
      }
      if (pass == Pass::any && !shared_.empty()) return false;
    }
    for (const auto& [target, verdict] : refused_) {
      work_.record("in_place", target, own_block, own_block, verdict);
    }
    return false;
  }

 private:
  static constexpr const char* own_block = "a block of its own";

  // Blocks that come back to the array that they were taken from go first: others would leave it
  // with theirs.
  enum class Pass { back, any, telling };

  bool place(const OwnSweep& sweep, const OwnReads& reads) {
    for (std::size_t k = 0; k < sweep.targets.size(); ++k) {
      const auto& fresh = std::get<onf::Allocate>(list_[sweep.allocations[k]].form);
      if (fresh.in_place_of) continue;
      if (const auto found = block_for(sweep, sweep.targets[k], reads)) {
        take(sweep, k, *found);
        return true;
      }
    }
    return false;
  }

  const onf::Argument* argument(ViewId view) const {
    const auto& arguments = work_.function.arguments;
    const auto found = std::ranges::find(arguments, view, &onf::Argument::view);
    return found == arguments.end() ? nullptr : &*found;
  }

  // Why not in the place of one array.
  struct Refusal {
    ViewId view;
    OwnVerdict verdict;
  };

  // Refusals are worth telling of what the sweep reads, and of what else there is where it reads
  // nothing that has such a block.
  std::optional<ViewId> block_for(const OwnSweep& sweep, ViewId target, const OwnReads& reads) {
    std::vector<Refusal> refused;
    const auto taken = [&](ViewId view, const std::string& condition) {
      work_.record("in_place", target, own_block, "in place of " + work_.name(view),
                   {condition, true, "affine forms"});
      return view;
    };
    for (const auto& [view, read] : reads) {
      if (std::ranges::count(sweep.targets, view) > 0 || !is_like(target, view)) continue;
      if (pass_ == Pass::back && !becomes(target, view) && !are_of_one(target, view)) continue;
      refused.push_back({view, obstacle(sweep, target, view, &read, &reads)});
      if (refused.back().verdict.holds)
        return taken(view, read.elsewhere
                               ? "it is as large, and keeps what is read of the other one, which "
                                 "nobody needs any more, elsewhere than at its own index"
                               : "it is as large, and reads the other one at its own index alone, "
                                 "for the last time");
    }
    if (pass_ == Pass::back) return std::nullopt;
    std::vector<Refusal> others;
    for (const ViewId view : unread(sweep)) {
      if (reads.contains(view) || !is_like(target, view)) continue;
      others.push_back({view, obstacle(sweep, target, view, nullptr, nullptr)});
      if (others.back().verdict.holds)
        return taken(view, "it is as large, and nobody needs the other one any more");
    }
    refuse(target, refused.empty() ? others : refused);
    return std::nullopt;
  }

  // Are they values that one variable of the program has, as far as names tell?
  bool are_of_one(ViewId target, ViewId view) const {
    const auto stem = [&](ViewId each) {
      const std::string& name = work_.name(each);
      return name.substr(0, name.find_last_not_of("0123456789") + 1);
    };
    return stem(target) == stem(view);
  }
  // Does the one array become the other one later?
  bool becomes(ViewId target, ViewId view) const {
    Views known = {target};
    for (std::size_t size = 0; size != known.size();) {
      size = known.size();
      onf::each_in(
          work_.function.body,
          [&](const auto& s) {
            using Form = std::decay_t<decltype(s)>;
            if constexpr (std::is_same_v<Form, onf::Share>) {
              if (known.contains(s.source)) known.insert(s.target);
            }
            if constexpr (std::is_same_v<Form, onf::Allocate>) {
              if (s.in_place_of && known.contains(*s.in_place_of)) known.insert(s.view);
            }
          },
          [](const Expr&) {});
    }
    return known.contains(view);
  }

  // One verdict for the array: of several others each by its name.
  void refuse(ViewId target, const std::vector<Refusal>& refused) {
    if (refused.empty() || pass_ != Pass::telling) return;
    OwnVerdict all = refused.front().verdict;
    for (std::size_t k = 1; k < refused.size(); ++k) {
      const auto& [view, verdict] = refused[k];
      if (k == 1) all.condition.insert(0, "in place of " + work_.name(refused[0].view) + ": ");
      all.condition += "; in place of " + work_.name(view) + ": " + verdict.condition;
      if (verdict.counterexample.empty()) continue;
      all.counterexample += (all.counterexample.empty() ? "" : "; ") + verdict.counterexample;
    }
    // The statement that is told is that of the last condition.
    all.beside = refused.back().verdict.beside;
    refused_.emplace_back(target, std::move(all));
  }

  // What the sweep does not read, but certainly has a block where it begins.
  std::vector<ViewId> unread(const OwnSweep& sweep) const {
    Views taken;
    onf::each_in(
        work_.function.body,
        [&](const auto& s) {
          if constexpr (std::is_same_v<std::decay_t<decltype(s)>, onf::Allocate>) {
            if (s.in_place_of) taken.insert(*s.in_place_of);
          }
        },
        [](const Expr&) {});
    std::vector<ViewId> found;
    for (const OwnSweep& other : own_sweeps(list_)) {
      if (other.nests.back() >= sweep.nests.front()) continue;
      for (const ViewId view : other.targets) {
        if (!taken.contains(view)) found.push_back(view);
      }
    }
    for (const onf::Argument& each : work_.function.arguments) {
      const bool given = each.view && each.mode == term::Mode::upd;
      if (outermost_ && given && !taken.contains(*each.view)) found.push_back(*each.view);
    }
    return found;
  }

  // Has the other array elements of the type, and as many axes, all in rows?
  bool is_like(ViewId target, ViewId view) const {
    const onf::Block &to = block_of(work_.function, target), &from = block_of(work_.function, view);
    if (to.element != from.element || !from.extents || to.in_blocks != 0 || from.in_blocks != 0)
      return false;
    return to.extents->size() == from.extents->size() && !to.extents->empty();
  }

  // `all`: what the sweep reads, where it is asked of the other arrays that it makes, too.
  OwnVerdict obstacle(const OwnSweep& sweep, ViewId target, ViewId view, const OwnRead* read,
                      const OwnReads* all) const {
    const bool needed = live_.at(target).contains(view);
    if (pass_ != Pass::telling && needed) return {"", false};
    const std::string& name = work_.name(view);
    const auto refused = [](const std::string& why, const char* decider = "form") {
      return OwnVerdict{why, false, decider};
    };
    const onf::Argument* given = argument(view);
    if (given != nullptr && given->mode == term::Mode::obs)
      return refused("nobody needs " + name + " any more, but the caller keeps it");
    const bool elsewhere = read != nullptr && read->elsewhere;
    if (elsewhere && !keeps_what_it_reads(sweep, target, view)) {
      return {
          name + " is read at its own index alone, but also as " + read->access, false, "accesses",
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
      return refused("it is as long as " + name + " along axis " + std::to_string(*axis) +
                         ", but " + work_.lengths(*axis, target, view),
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
    if (const auto other = shares_its_block(around, target, view)) {
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
  bool all_have_places(const OwnSweep& sweep, ViewId target, ViewId view,
                       const OwnReads& reads) const {
    return std::ranges::all_of(sweep.targets, [&](ViewId other) {
      if (other == target || copies(sweep, target, view, other, other)) return true;
      return std::ranges::any_of(reads, [&](const auto& each) {
        const auto& [from, read] = each;
        return from != view && !contains(sweep.targets, from) && is_like(other, from) &&
               copies(sweep, target, view, other, from) &&
               obstacle(sweep, other, from, &read, nullptr).holds;
      });
    });
  }
  // Is the one array that other one wherever the target is the view?
  bool copies(const OwnSweep& sweep, ViewId target, ViewId view, ViewId one, ViewId other) const {
    return std::ranges::all_of(sweep.nests, [&](std::size_t at) {
      const Nest& nest = nest_at(list_, at);
      return !is_own_element(element_of(nest, target), nest, view) ||
             is_own_element(element_of(nest, one), nest, other);
    });
  }

  // One nest alone changes elements, and what it reads of them at other indices it leaves as it is.
  bool keeps_what_it_reads(const OwnSweep& sweep, ViewId target, ViewId view) const {
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
  void note_copy(const OwnSweep& sweep, ViewId target, ViewId view) const {
    for (const std::size_t at : sweep.nests) {
      const Nest& nest = nest_at(list_, at);
      const Expr& element = element_of(nest, target);
      if (is_own_element(element, nest, view))
        shared_.try_emplace(view, OwnCopy{nest.indices, element});
    }
  }
  static const Expr& element_of(const Nest& nest, ViewId target) {
    if (nest.target == target) return nest.element;
    return std::ranges::find(nest.also, target, &Nest::Output::target)->element;
  }
  static bool is_own_element(const Expr& e, const Nest& nest, ViewId view) {
    return e.kind == Expr::Kind::load && e.view == view && is_own_index(e, nest);
  }
  // Does it write what lies there?
  static bool copies_itself(const Nest& nest) {
    return nest.body.empty() && std::ranges::all_of(targets_of(nest), [&](ViewId target) {
             return is_own_element(element_of(nest, target), nest, target);
           });
  }

  // Of what a loop or a branch leaves only the array itself knows the lengths.
  bool has_own_lengths(ViewId view) const {
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
  std::optional<term::LocationId> named_within(const OwnSweep& sweep, ViewId view) const {
    bool found = false;
    const auto visit = [&](const Expr& whole) {
      onf::each_part(
          whole, [&](const Expr& e) { found = found || (names_elements(e) && e.view == view); });
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
  std::optional<ViewId> shares_its_block(const OwnSurroundings& around, ViewId target, ViewId view,
                                         bool begins_as_copy = false) const {
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
  OwnReason needed_by(const OwnSurroundings& around, const OwnSweep& sweep, ViewId view) const {
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
  std::vector<std::size_t> earlier_allocations(const OwnSweep& sweep) const {
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
  std::optional<OwnReason> what_may_fail(const OwnSurroundings& around,
                                         const std::vector<std::size_t>& earlier) const {
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

  void take(const OwnSweep& sweep, std::size_t number, ViewId view) {
    const ViewId target = sweep.targets[number];
    std::vector<std::size_t> earlier;
    if (argument(view) != nullptr) earlier = earlier_allocations(sweep);
    for (const std::size_t at : sweep.nests) {
      read_instead(nest_at(list_, at), view, target);
      add_step(nest_at(list_, at).made_by, "in_place");
    }
    Statement allocation = std::move(list_[sweep.allocations[number]]);
    std::get<onf::Allocate>(allocation.form).in_place_of = view;
    list_.insert(list_.begin() + std::ptrdiff_t(sweep.nests.front()), std::move(allocation));
    list_.erase(list_.begin() + std::ptrdiff_t(sweep.allocations[number]));
    // The one and the other leave what stands behind the first nest where it was; then come these.
    bring_forward(list_, earlier, sweep.nests.front() - 1);
    if (argument(view) != nullptr)
      lost_.insert(view);
    else
      name_lengths(work_.function, view);
    name_lengths(work_.function, target);
    drop_copies(target);
  }

  // What has become of copies of the other array's elements: each would be written where it lies.
  void drop_copies(ViewId target) {
    const auto makes = [&](const Nest* nest) {
      return nest != nullptr && std::ranges::count(targets_of(*nest), target) > 0;
    };
    std::erase_if(list_, [&](const Statement& statement) {
      const auto* nest = std::get_if<Nest>(&statement.form);
      return makes(nest) && copies_itself(*nest);
    });
    const Nest* before = nullptr;
    for (Statement& statement : list_) {
      auto* nest = std::get_if<Nest>(&statement.form);
      if (makes(nest) && before == nullptr) nest->joined = false;
      before = makes(nest) ? nest : nullptr;
    }
  }

  static void read_instead(Nest& nest, ViewId view, ViewId target) {
    const auto replace = [&](Expr& whole) {
      onf::each_part(whole, [&](Expr& e) {
        if (e.kind == Expr::Kind::load && e.view == view) e.view = target;
      });
    };
    onf::each_in(
        nest.body, [](auto&) {}, replace);
    replace(nest.element);
    for (Nest::Output& output : nest.also) replace(output.element);
  }

  OwnWork& work_;
  Statements& list_;
  bool outermost_;
  Placed& placed_;
  Views& lost_;
  OwnCopies& shared_;
  OwnPlaces places_;
  std::map<ViewId, Views> live_;  // behind the last nest of an array
  Pass pass_ = Pass::any;
  std::vector<std::pair<ViewId, OwnVerdict>> refused_;
};

Placed place_all(OwnWork& work, bool may_several) {
  Placed placed;
  placed.may_several = may_several;
  do {
    placed.shared.clear();
    each_list(work.function.body, [&](Statements& list) {
      const bool outermost = &list == &work.function.body;
      while (Placing(work, list, outermost, placed).once()) continue;
    });
  } while (copy_own(work, placed.shared));
  // At last: the body gets statements in front of all lists.
  for (const ViewId argument : placed.lost) keep_lengths(work, argument);
  return placed;
}

bool has_errors(const OwnWork& work) {
  onf::Module module = work.module;
  module.functions[onf::number(work.id)] = work.function;
  return std::ranges::any_of(onf::verify(module), &onf::Problem::error);
}

}  // namespace

// Where several arrays of one nest are placed, the first of them rests on what is foreseen of the
// others.
void place_own(OwnWork& work) {
  const onf::Function before = work.function;
  const std::vector<Step> steps = work.steps;
  const auto recorded = work.recorded;
  if (!place_all(work, true).several || !has_errors(work)) return;
  work.function = before;
  work.steps = steps;
  work.recorded = recorded;
  place_all(work, false);
}

}  // namespace rhopsi::schedule
