// Arrays in the blocks of others: where their elements are read for the last time, or have been.
#include <algorithm>
#include <initializer_list>
#include <span>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Nest;
using onf::Statement;
using onf::Statements;
using onf::ViewId;

namespace {

using Views = std::set<ViewId>;

// Which arrays are read, whole or by elements, before they are set again. Lengths have other names
// where an array loses its block.
class Liveness {
 public:
  explicit Liveness(const onf::Function& function) : function_(function) {
    Views live;
    for (const onf::Argument& argument : function.arguments) {
      if (argument.view && argument.mode != term::Mode::obs) live.insert(*argument.view);
    }
    pass(function.body, live);
  }

  // Behind the last nest of the array.
  const Views& behind(ViewId target) const { return behind_.at(target); }

 private:
  void pass(const Statements& body, Views& live) {
    for (std::size_t k = body.size(); k-- > 0;) {
      std::visit([&](const auto& form) { step(form, body[k], live); }, body[k].form);
    }
  }
  static void read(const Statement& statement, Views& live) {
    const std::span one(&statement, 1);
    onf::each_in(
        one, [](const auto&) {},
        [&](const Expr& whole) {
          onf::each_part(whole, [&](const Expr& e) {
            if (names_elements(e)) live.insert(e.view);
          });
        });
  }

  // The first that is met from the end is the last nest.
  void step(const Nest& s, const Statement& statement, Views& live) {
    behind_.try_emplace(s.target, live);
    for (const Nest::Output& output : s.also) behind_.try_emplace(output.target, live);
    read(statement, live);
    live.insert(s.target);
    for (const Nest::Output& output : s.also) live.insert(output.target);
  }
  void step(const onf::Allocate& s, const Statement&, Views& live) {
    live.erase(s.view);
    if (s.in_place_of) live.insert(*s.in_place_of);
    for (const Expr& extent : *block_of(function_, s.view).extents) condition(extent, live);
  }
  static void step(const onf::Share& s, const Statement&, Views& live) {
    live.erase(s.target);
    live.insert(s.source);
  }
  void step(const onf::If& s, const Statement&, Views& live) {
    Views other = live;
    pass(s.then, live);
    pass(s.otherwise, other);
    live.insert(other.begin(), other.end());
    condition(s.condition, live);
  }
  void step(const onf::For& s, const Statement& statement, Views& live) {
    rounds({&s.body}, statement, live);
  }
  void step(const onf::Iterate& s, const Statement& statement, Views& live) {
    rounds({&s.body}, statement, live);
  }
  void step(const onf::While& s, const Statement& statement, Views& live) {
    rounds({&s.before, &s.body}, statement, live);
  }
  void step(const onf::Scope& s, const Statement&, Views& live) { pass(s.body, live); }
  template <class Form>
  void step(const Form&, const Statement& statement, Views& live) {
    read(statement, live);
  }

  // What a round needs is needed behind the one before it. Nests are looked at with all of that.
  void rounds(std::initializer_list<const Statements*> parts, const Statement& statement,
              Views& live) {
    for (std::size_t known = live.size() + 1; known != live.size();) {
      known = live.size();
      Views around = live;
      for (auto part = parts.end(); part != parts.begin();) {
        forget_nests(**--part);
        pass(**part, around);
      }
      condition_of(statement, around);
      live.insert(around.begin(), around.end());
    }
  }
  void forget_nests(const Statements& body) {
    onf::each_in(
        body,
        [&](const auto& s) {
          if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Nest>) {
            behind_.erase(s.target);
            for (const Nest::Output& output : s.also) behind_.erase(output.target);
          }
        },
        [](const Expr&) {});
  }
  static void condition(const Expr& whole, Views& live) {
    onf::each_part(whole, [&](const Expr& e) {
      if (names_elements(e)) live.insert(e.view);
    });
  }
  static void condition_of(const Statement& statement, Views& live) {
    std::visit(
        [&](const auto& s) {
          if constexpr (requires { s.count; }) condition(s.count, live);
          if constexpr (requires { s.low; }) condition(s.low, live), condition(s.high, live);
          if constexpr (requires { s.condition; }) condition(s.condition, live);
          if constexpr (requires { s.bound; }) condition(s.bound, live);
        },
        statement.form);
  }
  const onf::Function& function_;
  std::map<ViewId, Views> behind_;
};

// The statements that may run before a sweep and behind its beginning, those within others too.
class Around {
 public:
  Around(const Statements& body, ViewId target) { find(body, target); }
  std::vector<const Statement*> before, behind;

 private:
  static std::vector<const Statements*> lists_of(const Statement& statement) {
    std::vector<const Statements*> lists;
    std::visit(
        [&](const auto& s) {
          using Form = std::decay_t<decltype(s)>;
          if constexpr (std::is_same_v<Form, onf::If>) lists = {&s.then, &s.otherwise};
          if constexpr (std::is_same_v<Form, onf::While>) lists = {&s.before, &s.body};
          if constexpr (std::is_same_v<Form, onf::For> || std::is_same_v<Form, onf::Iterate> ||
                        std::is_same_v<Form, onf::Scope>)
            lists = {&s.body};
        },
        statement.form);
    return lists;
  }
  static bool repeats(const Statement& statement) {
    return std::holds_alternative<onf::For>(statement.form) ||
           std::holds_alternative<onf::Iterate>(statement.form) ||
           std::holds_alternative<onf::While>(statement.form);
  }
  static void all(const Statements& body, std::vector<const Statement*>& found) {
    for (const Statement& statement : body) {
      found.push_back(&statement);
      for (const Statements* list : lists_of(statement)) all(*list, found);
    }
  }
  bool find(const Statements& body, ViewId target) {
    bool found = false;
    for (const Statement& statement : body) {
      const auto* nest = std::get_if<Nest>(&statement.form);
      found = found || (nest != nullptr && nest->target == target);
      if (found) {
        behind.push_back(&statement);
        for (const Statements* list : lists_of(statement)) all(*list, behind);
        continue;
      }
      before.push_back(&statement);
      for (const Statements* list : lists_of(statement)) {
        found = find(*list, target);
        if (found) break;
      }
      if (!found || !repeats(statement)) continue;
      for (const Statements* list : lists_of(statement)) all(*list, before), all(*list, behind);
    }
    return found;
  }
};

class Placing {
 public:
  // Arguments that lose their blocks are added to `lost`.
  Placing(OwnWork& work, Statements& list, bool outermost, Views& lost)
      : work_(work),
        list_(list),
        outermost_(outermost),
        lost_(lost),
        places_(work.module, work.function),
        live_(work.function) {}

  // Puts one array into the block of another one, if any can be. What is refused is told where none
  // can.
  bool once() {
    for (const OwnSweep& sweep : own_sweeps(list_)) {
      const OwnReads reads = reads_of(work_.module, work_.function, list_, sweep);
      for (std::size_t k = 0; k < sweep.targets.size(); ++k) {
        const auto& fresh = std::get<onf::Allocate>(list_[sweep.allocations[k]].form);
        if (fresh.in_place_of) continue;
        if (const auto found = block_for(sweep, sweep.targets[k], reads)) {
          take(sweep, k, *found);
          return true;
        }
      }
    }
    for (const auto& [target, verdict] : refused_) {
      work_.record("in_place", target, own_block, own_block, verdict);
    }
    return false;
  }

 private:
  static constexpr const char* own_block = "a block of its own";

  const onf::Argument* argument(ViewId view) const {
    const auto& arguments = work_.function.arguments;
    const auto found = std::ranges::find(arguments, view, &onf::Argument::view);
    return found == arguments.end() ? nullptr : &*found;
  }

  // What a statement does that keeps a block from being taken.
  struct Reason {
    std::string what;
    term::LocationId location{};
  };
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
      refused.push_back({view, obstacle(sweep, target, view, &read)});
      if (refused.back().verdict.holds)
        return taken(view,
                     "it is as large, and reads the other one at its own index alone, for the last "
                     "time");
    }
    std::vector<Refusal> others;
    for (const ViewId view : unread(sweep)) {
      if (reads.contains(view) || !is_like(target, view)) continue;
      others.push_back({view, obstacle(sweep, target, view, nullptr)});
      if (others.back().verdict.holds)
        return taken(view, "it is as large, and nobody needs the other one any more");
    }
    refuse(target, refused.empty() ? others : refused);
    return std::nullopt;
  }

  // One verdict for the array: of several others each by its name.
  void refuse(ViewId target, const std::vector<Refusal>& refused) {
    if (refused.empty()) return;
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

  // Has the other array elements of the type, and as many axes?
  bool is_like(ViewId target, ViewId view) const {
    const onf::Block &to = block_of(work_.function, target), &from = block_of(work_.function, view);
    if (to.element != from.element || !from.extents) return false;
    return to.extents->size() == from.extents->size() && !to.extents->empty();
  }

  OwnVerdict obstacle(const OwnSweep& sweep, ViewId target, ViewId view,
                      const OwnRead* read) const {
    const std::string& name = work_.name(view);
    const auto refused = [](const std::string& why, const char* decider = "form") {
      return OwnVerdict{why, false, decider};
    };
    const onf::Argument* given = argument(view);
    if (given != nullptr && given->mode == term::Mode::obs)
      return refused("nobody needs " + name + " any more, but the caller keeps it");
    if (read != nullptr && read->elsewhere) {
      return {
          name + " is read at its own index alone, but also as " + read->access, false, "accesses",
          read->needed + " may be overwritten before element " + read->element + " has read it"};
    }
    const Around around(work_.function.body, nest_at(list_, sweep.nests.front()).target);
    if (live_.behind(target).contains(view)) {
      const Reason reason = needed_by(around, sweep, view);
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
    if (const auto other = shares_its_block(around, target, view))
      return refused("no other array lies in its block, but " + work_.name(*other) + " may");
    if (given == nullptr) return {"", true};
    if (const auto failure = what_may_fail(around)) {
      return {"nothing may fail any more, since the caller has its arrays as they were then, but " +
                  failure->what,
              false, "form", "", failure->location};
    }
    return {"", true};
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

  // An array that is still needed, and may have been shared with this one.
  std::optional<ViewId> shares_its_block(const Around& around, ViewId target, ViewId view) const {
    Views known = {view};
    for (std::size_t size = 0; size != known.size();) {
      size = known.size();
      for (const Statement* statement : around.before) {
        const auto* share = std::get_if<onf::Share>(&statement->form);
        if (share == nullptr) continue;
        if (known.contains(share->target)) known.insert(share->source);
        if (known.contains(share->source)) known.insert(share->target);
      }
    }
    for (const ViewId other : known) {
      if (other != view && live_.behind(target).contains(other)) return other;
    }
    return std::nullopt;
  }

  // What of the statements behind the sweep needs the array.
  Reason needed_by(const Around& around, const OwnSweep& sweep, ViewId view) const {
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

  std::optional<Reason> what_may_fail(const Around& around) const {
    for (const Statement* statement : around.behind) {
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
      if (!found.empty()) return Reason{found, statement->location};
    }
    return std::nullopt;
  }

  void take(const OwnSweep& sweep, std::size_t number, ViewId view) {
    const ViewId target = sweep.targets[number];
    for (const std::size_t at : sweep.nests) {
      read_instead(nest_at(list_, at), view, target);
      add_step(nest_at(list_, at).made_by, "in_place");
    }
    Statement allocation = std::move(list_[sweep.allocations[number]]);
    std::get<onf::Allocate>(allocation.form).in_place_of = view;
    list_.insert(list_.begin() + std::ptrdiff_t(sweep.nests.front()), std::move(allocation));
    list_.erase(list_.begin() + std::ptrdiff_t(sweep.allocations[number]));
    if (argument(view) != nullptr)
      lost_.insert(view);
    else
      name_lengths(work_.function, view);
    name_lengths(work_.function, target);
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
  Views& lost_;
  OwnPlaces places_;
  Liveness live_;
  std::vector<std::pair<ViewId, OwnVerdict>> refused_;
};

}  // namespace

void place_own(OwnWork& work) {
  Views lost;
  each_list(work.function.body, [&](Statements& list) {
    const bool outermost = &list == &work.function.body;
    while (Placing(work, list, outermost, lost).once()) continue;
  });
  // At last: the body gets statements in front of all lists.
  for (const ViewId argument : lost) keep_lengths(work, argument);
}

}  // namespace rhopsi::schedule
