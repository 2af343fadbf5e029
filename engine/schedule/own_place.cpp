// Arrays in the blocks of others: where their elements are read for the last time, or have been.
#include <algorithm>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/verify.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_obstacles.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Nest;
using onf::Statement;
using onf::Statements;
using onf::ViewId;

namespace {

class Placing {
 public:
  Placing(OwnWork& work, Statements& list, bool outermost, OwnPlacing& placed)
      : work_(work),
        list_(list),
        outermost_(outermost),
        placed_(placed),
        obstacles_(work, list, placed) {}

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
      if (pass == Pass::any && !placed_.shared.empty()) return false;
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
      if (std::ranges::count(sweep.targets, view) > 0 || !obstacles_.is_like(target, view))
        continue;
      if (pass_ == Pass::back && !becomes(target, view) && !are_of_one(target, view)) continue;
      refused.push_back(
          {view, obstacles_.obstacle(sweep, target, view, &read, &reads, pass_ == Pass::telling)});
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
      if (reads.contains(view) || !obstacles_.is_like(target, view)) continue;
      others.push_back({view, obstacles_.obstacle(sweep, target, view, nullptr, nullptr,
                                                  pass_ == Pass::telling)});
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

  void take(const OwnSweep& sweep, std::size_t number, ViewId view) {
    const ViewId target = sweep.targets[number];
    std::vector<std::size_t> earlier;
    if (obstacles_.argument(view) != nullptr) earlier = obstacles_.earlier_allocations(sweep);
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
    if (obstacles_.argument(view) != nullptr)
      placed_.lost.insert(view);
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
      return makes(nest) && OwnObstacles::copies_itself(*nest);
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
  OwnPlacing& placed_;
  OwnObstacles obstacles_;
  Pass pass_ = Pass::any;
  std::vector<std::pair<ViewId, OwnVerdict>> refused_;
};

OwnPlacing place_all(OwnWork& work, bool may_several) {
  OwnPlacing placed;
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
