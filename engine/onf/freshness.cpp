// Which halos are stale where: a forward analysis of statements. A state says, per view,
// where its block's halo became stale and what has been refilled since; joins keep what is stale
// on either way.
#include <algorithm>
#include <map>
#include <set>

#include "engine/onf/access.hpp"
#include "engine/onf/pads.hpp"

namespace rhopsi::onf {

namespace {

struct Stale {
  term::LocationId since;
  Halo held;  // what is fresh nevertheless
  friend bool operator==(const Stale&, const Stale&) = default;
};
using State = std::map<ViewId, Stale>;  // what is not in it is fresh

// What an access reads beyond the ends of the axes; nothing where it stays inside.
std::optional<Halo> reach_of(const Access& access) {
  Halo halo;
  int axes = 0;
  for (const Component& c : access.components) {
    halo.axes.push_back(c.beyond());
    axes += halo.axes.back() == Margin{} ? 0 : 1;
  }
  halo.corners = axes > 1;
  return axes > 0 ? std::optional(halo) : std::nullopt;
}

bool covers(const Halo& held, const Halo& wanted) {
  for (std::size_t axis = 0; axis < wanted.axes.size(); ++axis) {
    const Margin margin = axis < held.axes.size() ? held.axes[axis] : Margin{};
    if (margin.low < wanted.axes[axis].low || margin.high < wanted.axes[axis].high) return false;
  }
  return held.corners || !wanted.corners;
}

// What is fresh on both ways.
Halo both(const Halo& a, const Halo& b) {
  Halo halo;
  for (std::size_t axis = 0; axis < std::min(a.axes.size(), b.axes.size()); ++axis) {
    halo.axes.push_back({std::min(a.axes[axis].low, b.axes[axis].low),
                         std::min(a.axes[axis].high, b.axes[axis].high)});
  }
  halo.corners = a.corners && b.corners;
  return halo;
}

void join(State& state, const State& other) {
  for (const auto& [view, stale] : other) {
    const auto [place, inserted] = state.emplace(view, stale);
    if (!inserted) place->second.held = both(place->second.held, stale.held);
  }
}

struct Summary {
  bool done = false;
  std::set<std::size_t> needs_fresh;  // arguments read off-centre
  std::set<std::size_t> leaves_stale;
  bool result_stale = false;
};

class Analysis {
 public:
  Analysis(const Module& module, std::vector<Summary>& summaries, FunctionId id,
           std::vector<Problem>* problems)
      : module_(module),
        summaries_(summaries),
        function_(module.functions[number(id)]),
        problems_(problems) {
    for (std::size_t k = 0; k < function_.arguments.size(); ++k) {
      if (function_.arguments[k].view) argument_of_[*function_.arguments[k].view] = k;
    }
    summary_.done = true;
  }

  Summary run() {
    State state;
    for (const auto& [view, k] : argument_of_) {
      if (function_.refills) state[view] = {function_.location, {}};
    }
    run(function_.body, state);
    for (const auto& [view, k] : argument_of_) {
      if (function_.arguments[k].mode != term::Mode::obs && state.contains(view)) {
        summary_.leaves_stale.insert(k);
      }
    }
    return summary_;
  }

 private:
  void run(const Statements& body, State& state) {
    for (const Statement& statement : body) {
      location_ = statement.location;
      std::visit([&](const auto& form) { step(form, state); }, statement.form);
    }
  }

  // `reach`: of the pads; without it, all of them.
  void need_fresh(ViewId view, const std::optional<Halo>& reach, const State& state,
                  term::LocationId where, const char* why) {
    const auto stale = state.find(view);
    if (stale != state.end() && reach && covers(stale->second.held, *reach)) return;
    if (stale == state.end()) {
      // Where it was stale on entry it has been refilled.
      if (const auto k = argument_of_.find(view);
          k != argument_of_.end() && !function_.refills && !written_.contains(view)) {
        summary_.needs_fresh.insert(k->second);
      }
      return;
    }
    if (problems_ == nullptr || !reported_.insert({view, where}).second) return;
    problems_->push_back(
        {"E0521", "the halo of " + function_.views[number(view)].name + " is stale where " + why,
         "refill it after the statement that wrote it, before it is read off-centre", where, true});
  }

  void step(const Nest& s, State& state) {
    for (const Access& access : accesses_of(module_, function_, s)) {
      // Indices into an array with a shape of its own tell nothing of one over the domain.
      const std::optional<Halo> reach = reach_of(access);
      if (!reach && !s.box) continue;
      need_fresh(access.view, s.box ? std::nullopt : reach, state, access.location,
                 "this loop reads it");
    }
    const auto becomes_stale = [&](ViewId target) {
      written_.insert(target);
      if (module_.pad > 0 && !s.box) state[target] = {location_, {}};
    };
    becomes_stale(s.target);
    for (const Nest::Output& output : s.also) becomes_stale(output.target);
  }
  void step(const Pipeline& s, State& state) {
    std::set<ViewId> rings;
    for (const Pipeline::Ring& ring : s.rings) rings.insert(ring.view);
    for (const Pipeline::Stage& stage : s.stages) {
      for (Access access : accesses_of(module_, function_, stage.nest)) {
        if (rings.contains(access.view) || access.components.empty()) continue;
        const std::size_t padded = first_padded_axis(module_, &s);
        for (std::size_t k = 0; k < std::min(padded, access.components.size()); ++k) {
          access.components[k] = {};  // no pads of it are read
        }
        if (const std::optional<Halo> reach = reach_of(access)) {
          need_fresh(access.view, reach, state, access.location, "this loop reads it");
        }
      }
    }
    const auto becomes_stale = [&](ViewId target) {
      if (rings.contains(target)) return;
      written_.insert(target);
      if (module_.pad > 0) state[target] = {location_, {}};
    };
    for (const Pipeline::Stage& stage : s.stages) {
      becomes_stale(stage.nest.target);
      for (const Nest::Output& output : stage.nest.also) becomes_stale(output.target);
    }
    for (const Pipeline::Fill& fill : s.fills) {
      if (const auto stale = state.find(fill.view); stale != state.end()) {
        stale->second.held = fill.halo;
      }
    }
  }
  void step(const Allocate&, State&) {}
  void step(const Declare&, State&) {}
  void step(const Whole& s, State& state) {
    if (!s.pointwise) return;  // the others make fresh halos from the interior
    for (const Expr& operand : s.operands) {
      if (operand.kind != Expr::Kind::view) continue;
      if (const auto stale = state.find(operand.view); stale != state.end()) {
        state[s.target] = stale->second;
      }
    }
  }
  void step(const Mutate& s, State& state) {
    if (s.refills && !s.operands.empty()) state.erase(s.operands[0].view);
  }
  void step(const Refill& s, State& state) {
    const Halo all =
        pads_of(module_, function_.blocks[number(function_.views[number(s.view)].block)]);
    if (!s.halo || covers(*s.halo, all)) {
      state.erase(s.view);
      return;
    }
    const auto stale = state.find(s.view);
    if (stale == state.end() || covers(stale->second.held, *s.halo)) return;
    stale->second.held = *s.halo;
  }
  void step(const Share& s, State& state) {
    written_.insert(s.target);
    const auto stale = state.find(s.source);
    if (stale == state.end()) {
      state.erase(s.target);
    } else {
      state[s.target] = stale->second;
    }
  }
  void step(const Call& s, State& state) {
    if (s.call.kind != Expr::Kind::call) {  // a user's own code sees only whole arrays
      for (const Expr& operand : s.call.operands) {
        if (operand.kind == Expr::Kind::view) {
          need_fresh(operand.view, std::nullopt, state, location_, "user code reads it");
        }
      }
      return;
    }
    const Summary& callee = summaries_[number(s.call.callee)];
    const Function& function = module_.functions[number(s.call.callee)];
    for (std::size_t k = 0; k < s.call.operands.size(); ++k) {
      const Expr& operand = s.call.operands[k];
      if (operand.kind != Expr::Kind::view) continue;
      if (callee.needs_fresh.contains(k)) {
        need_fresh(operand.view, std::nullopt, state, location_, "the callee reads it off-centre");
      }
      if (function.arguments[k].mode == term::Mode::obs) continue;
      written_.insert(operand.view);
      if (callee.leaves_stale.contains(k)) {
        state[operand.view] = {location_, {}};
      } else if (function.arguments[k].mode == term::Mode::out) {
        state.erase(operand.view);
      }
    }
    if (s.target && callee.result_stale) state[*s.target] = {location_, {}};
  }
  void step(const Return& s, State& state) {
    if (s.value && s.value->kind == Expr::Kind::view && state.contains(s.value->view)) {
      summary_.result_stale = true;
    }
  }
  void step(const If& s, State& state) {
    State other = state;
    run(s.then, state);
    run(s.otherwise, other);
    join(state, other);
  }
  void loop(const Statements& before, const Statements& body, State& state) {
    // What one round makes stale the next one sees.
    State begin;
    do {
      begin = state;
      State after = state;
      run(before, after);
      run(body, after);
      join(state, after);
    } while (state != begin);
  }
  void step(const For& s, State& state) { loop({}, s.body, state); }
  void step(const Iterate& s, State& state) { loop({}, s.body, state); }
  void step(const While& s, State& state) { loop(s.before, s.body, state); }
  void step(const Scope& s, State& state) { run(s.body, state); }
  template <class Other>
  void step(const Other&, State&) {}

  const Module& module_;
  std::vector<Summary>& summaries_;
  const Function& function_;
  std::vector<Problem>* problems_;
  std::map<ViewId, std::size_t> argument_of_;
  std::set<ViewId> written_;
  std::set<std::pair<ViewId, term::LocationId>> reported_;
  Summary summary_;
  term::LocationId location_{};
};

}  // namespace

void check_freshness(const Module& module, std::vector<Problem>& problems) {
  if (module.pad == 0) return;
  std::vector<Summary> summaries(module.functions.size());
  // Callees come first; the second pass sees the summaries of recursive ones too.
  for (const bool final : {false, true}) {
    for (FunctionId id : module.order) {
      summaries[number(id)] = Analysis(module, summaries, id, final ? &problems : nullptr).run();
    }
  }
}

}  // namespace rhopsi::onf
