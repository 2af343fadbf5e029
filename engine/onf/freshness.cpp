// Which halos are stale where: a forward analysis of statements. A state says, per view,
// where its block's halo became stale; joins keep what is stale on either way.
#include <algorithm>
#include <map>
#include <set>

#include "engine/onf/access.hpp"

namespace rhopsi::onf {

namespace {

using State = std::map<ViewId, term::LocationId>;  // stale views

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

  void need_fresh(ViewId view, const State& state, term::LocationId where, const char* why) {
    const auto stale = state.find(view);
    if (stale == state.end()) {
      if (const auto k = argument_of_.find(view);
          k != argument_of_.end() && !written_.contains(view)) {
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
      const bool off_centre =
          s.box || std::ranges::any_of(access.components, [](const Component& component) {
            return component.known && component.axis >= 0 &&
                   (component.low < 0 || component.high > 0);
          });
      if (off_centre) need_fresh(access.view, state, access.location, "this loop reads it");
    }
    written_.insert(s.target);
    if (module_.pad > 0 && !s.box) state[s.target] = location_;
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
  void step(const Refill& s, State& state) { state.erase(s.view); }
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
          need_fresh(operand.view, state, location_, "user code reads it");
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
        need_fresh(operand.view, state, location_, "the callee reads it off-centre");
      }
      if (function.arguments[k].mode == term::Mode::obs) continue;
      written_.insert(operand.view);
      if (callee.leaves_stale.contains(k)) {
        state[operand.view] = location_;
      } else if (function.arguments[k].mode == term::Mode::out) {
        state.erase(operand.view);
      }
    }
    if (s.target && callee.result_stale) state[*s.target] = location_;
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
    state.insert(other.begin(), other.end());
  }
  void loop(const Statements& before, const Statements& body, State& state) {
    // Twice round reaches the fixpoint: what one round makes stale the next one sees.
    for (int round = 0; round < 2; ++round) {
      State after = state;
      run(before, after);
      run(body, after);
      state.insert(after.begin(), after.end());
    }
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
