// Where each derivation of a certificate begins, and how the program came to be between them.
#include <algorithm>
#include <map>

#include "engine/term/derivation.hpp"
#include "engine/term/operations.hpp"
#include "frontend/driver/certifier.hpp"

namespace rhopsi::driver {

using term::SymbolId;
using term::TermId;

namespace {

// Finds what no derivation gave. Compares by itself: the checker is to find the mistakes of this.
class History {
 public:
  History(const term::Store& store, check::Certificate& certificate)
      : store_(store), certificate_(certificate) {}

  // A callable whose body is found when all derivations are made.
  void begin_open(check::State state) {
    state.parts.body.reset();
    if (find(state.callable) != nullptr) return;
    begin(state);
    find(state.callable)->open = false;  // what it is found to be is told
  }

  // Before a derivation, or (with the certificate's own list) after all of them.
  void meet(const check::State& state, std::vector<check::State>& changes) {
    Known* known = find(state.callable);
    if (known == nullptr) {
      begin(state);
    } else if (version(*known, state) == nullptr && !completes(*known, state)) {
      changes.push_back(state);
      known->versions = {{state}};
    }
  }

  void add(const check::Derivation& derivation) {
    for (const check::Run& run : derivation.runs) {
      lead({run.callable, run.parameters, run.from}, {run.callable, run.parameters, run.to});
    }
    for (const check::Definition& each : derivation.definitions) {
      const check::State to{each.callable, each.parameters, {each.body, each.guard}};
      Known& known = known_[each.callable];
      if (version(known, to) == nullptr) {
        for (Version& before : known.versions) before.led_on = true;
      }
      reach(known, to);
    }
  }

  // `state` of a callable that was met; nothing where the program has it no more.
  void end(SymbolId callable, std::optional<check::State> state) {
    Known& known = *find(callable);
    if (!state) state = {callable, known.versions[0].state.parameters, {}};
    const Version* last = version(known, *state);
    if (last == nullptr ? !completes(known, *state) : last->led_on) {
      certificate_.changes.push_back(*state);
    }
    certificate_.ends.push_back(*state);
  }

  std::vector<SymbolId> callables() const {
    std::vector<SymbolId> symbols;
    for (const auto& [symbol, known] : known_) symbols.push_back(symbol);
    return symbols;
  }

 private:
  struct Version {
    check::State state;
    bool led_on = false;  // to another one
  };
  struct Known {
    std::vector<Version> versions;
    bool open = false;  // nothing but declared, and so far by no derivation
  };

  Known* find(SymbolId callable) {
    const auto found = known_.find(callable);
    return found == known_.end() ? nullptr : &found->second;
  }

  void begin(const check::State& state) {
    known_[state.callable] = {{{state}}, !state.parts.body};
    certificate_.begins.push_back(state);
  }

  // The body that another module gives what was only declared is the one that it begins with.
  bool completes(Known& known, const check::State& state) {
    if (!known.open || known.versions.size() != 1 || known.versions[0].led_on) return false;
    if (!equal(known.versions[0].state, state, &check::Parts::guard)) return false;
    const auto first =
        std::ranges::find(certificate_.begins, state.callable, &check::State::callable);
    *first = state;
    known = {{{state}}, false};
    return true;
  }

  void lead(const check::State& from, const check::State& to) {
    Known& known = *find(from.callable);
    version(known, from)->led_on = true;  // it was met before the run
    reach(known, to);
  }

  void reach(Known& known, const check::State& to) {
    known.open = false;
    if (Version* there = version(known, to)) {
      there->led_on = false;
    } else {
      known.versions.push_back({to});
    }
  }

  Version* version(Known& known, const check::State& state) const {
    const auto found = std::ranges::find_if(known.versions, [&](const Version& each) {
      return equal(each.state, state, &check::Parts::body) &&
             equal(each.state, state, &check::Parts::guard);
    });
    return found == known.versions.end() ? nullptr : &*found;
  }

  bool equal(const check::State& left, const check::State& right,
             std::optional<TermId> check::Parts::*part) const {
    const auto& one = left.parts.*part;
    const auto& other = right.parts.*part;
    return one.has_value() == other.has_value() &&
           (!one || alpha_equal(store_, *one, *other, left.parameters, right.parameters));
  }

  const term::Store& store_;
  check::Certificate& certificate_;
  std::map<SymbolId, Known> known_;
};

class Chaining {
 public:
  Chaining(term::Store& store, const term::Theory& theory, const std::string& file)
      : store_(store),
        theory_(theory),
        certificate_{file, theory.name, {}, {}, {}, {}},
        history_(store, certificate_) {}

  check::Certificate run() {
    std::vector<CertifiedStep> steps;
    for (const term::Derived& each : theory_.derivations) {
      if (!each->record) continue;
      steps.push_back(certified(store_, *each));
      for (const auto& renaming : each.renamings) rename(store_, steps.back(), *renaming);
      widths_.insert(steps.back().asked.begin(), steps.back().asked.end());
    }
    for (CertifiedStep& step : steps) add(step);
    for (SymbolId callable : history_.callables()) {
      history_.end(callable, last(callable));
    }
    return std::move(certificate_);
  }

 private:
  void add(CertifiedStep& step) {
    for (check::State& state : step.before) {
      if (widths_.contains(state.callable)) {
        history_.begin_open(state);
        state.parts.body = found(state.callable);
      }
      history_.meet(state, step.derivation.changes);
    }
    // A width that steps asked for has the value that the program was given in the end.
    for (check::Operation& operation : step.derivation.operations) {
      if (step.asked.contains(operation.symbol)) {
        operation.body = found(operation.symbol);
      }
    }
    // Of a width only the guard can have been rewritten.
    for (check::Run& run : step.derivation.runs) {
      if (widths_.contains(run.callable)) run.from.body = run.to.body = found(run.callable);
    }
    history_.add(step.derivation);
    certificate_.derivations.push_back(std::move(step.derivation));
  }

  // As the program has it.
  std::optional<check::State> last(SymbolId symbol) const {
    const term::Callable* callable = theory_.find(symbol);
    if (callable == nullptr) return std::nullopt;
    return check::State{symbol, callable->parameters, {callable->body, callable->guard}};
  }

  std::optional<TermId> found(SymbolId width) const {
    const auto state = last(width);
    return state ? state->parts.body : std::nullopt;
  }

  term::Store& store_;
  const term::Theory& theory_;
  check::Certificate certificate_;
  History history_;
  std::set<SymbolId> widths_;
};

}  // namespace

check::Certificate certified(term::Store& store, const term::Theory& theory,
                             const std::string& file) {
  return Chaining(store, theory, file).run();
}

}  // namespace rhopsi::driver
