#include "engine/check/replay.hpp"

#include <set>

#include "engine/check/chain.hpp"
#include "engine/check/comparison.hpp"
#include "engine/check/definition.hpp"
#include "engine/check/runs.hpp"

namespace rhopsi::check {

namespace {

using Message = std::optional<std::string>;

// The first message of any, with the place in the list.
template <class List, class Check>
std::optional<Flaw> first_flaw(const std::string& name, const List& list, Check check,
                               const std::string& part = "") {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (Message message = check(list[i])) return Flaw{numbered(name, i) + part, *message};
  }
  return std::nullopt;
}

// Follows the derivations one after the other, each from where those before it have ended.
class Replay {
 public:
  Replay(term::Store& store, const ReplayOptions& options)
      : options_(options), terms_(store), chain_(terms_) {}

  Outcome run(const Certificate& certificate) {
    outcome_.flaw = first_flaw("begins", certificate.begins,
                               [&](const State& state) { return chain_.begin(state); });
    for (const Derivation& derivation : certificate.derivations) {
      if (outcome_.flaw) return std::move(outcome_);
      const std::size_t number = outcome_.derivations;
      outcome_.flaw = follow(derivation, number);
      if (outcome_.flaw) {
        outcome_.flaw->place = numbered("derivations", number) + "." + outcome_.flaw->place;
      } else {
        ++outcome_.derivations;
      }
    }
    if (!outcome_.flaw) outcome_.flaw = changes(certificate.changes, "at the end");
    if (!outcome_.flaw) outcome_.flaw = ends(certificate.ends);
    return std::move(outcome_);
  }

 private:
  std::optional<Flaw> follow(const Derivation& derivation, std::size_t number) {
    const std::string when = "before derivation " + std::to_string(number + 1);
    if (auto flaw = changes(derivation.changes, when)) return flaw;
    if (!derivation.runs.empty() && !derivation.definitions.empty()) {
      return Flaw{"definitions", "a derivation rewrites or defines, and not both"};
    }
    return derivation.definitions.empty() ? rewriting(derivation, number) : defining(derivation);
  }

  std::optional<Flaw> rewriting(const Derivation& derivation, std::size_t number) {
    auto flaw = once("runs", derivation.runs, "is rewritten twice");
    if (!flaw) {
      flaw = first_flaw(
          "runs", derivation.runs, [&](const Run& run) { return chain_.leave(run); }, ".from");
    }
    if (!flaw) flaw = operations(derivation);
    if (!flaw) flaw = follow_runs(terms_, derivation, number, options_, outcome_);
    if (flaw) return flaw;
    return first_flaw("runs", derivation.runs, [&](const Run& run) { return chain_.arrive(run); });
  }

  // What it defines is known to all of its definitions.
  std::optional<Flaw> defining(const Derivation& derivation) {
    if (auto flaw = once("definitions", derivation.definitions, "is defined twice")) return flaw;
    Definitions definitions(terms_, derivation);
    auto flaw = first_flaw("definitions", derivation.definitions, [&](const Definition& each) {
      Message message = definitions.problem(each);
      if (!message) message = chain_.define(each);
      if (!message) ++outcome_.definitions;
      return message;
    });
    return flaw ? flaw : operations(derivation);
  }

  // A derivation comes to each callable once.
  template <class Part>
  std::optional<Flaw> once(const char* field, const std::vector<Part>& parts, const char* what) {
    std::set<term::SymbolId> seen;
    return first_flaw(field, parts, [&](const Part& each) -> Message {
      if (seen.insert(each.callable).second) return std::nullopt;
      return "`" + terms_.store()[each.callable].name + "` " + what;
    });
  }

  std::optional<Flaw> operations(const Derivation& derivation) {
    return first_flaw("operations", derivation.operations,
                      [&](const Operation& each) { return chain_.check(each); });
  }

  std::optional<Flaw> changes(const std::vector<State>& list, const std::string& when) {
    return first_flaw("changes", list, [&](const State& state) {
      std::string told;
      Message message = chain_.change(state, told);
      if (!message) outcome_.changes.push_back(told + ", " + when);
      return message;
    });
  }

  std::optional<Flaw> ends(const std::vector<State>& list) {
    auto flaw = first_flaw("ends", list, [&](const State& state) { return chain_.end(state); });
    if (flaw) return flaw;
    if (Message message = chain_.forgotten()) return Flaw{"ends", *message};
    return std::nullopt;
  }

  const ReplayOptions& options_;
  Terms terms_;
  Chain chain_;
  Outcome outcome_;
};

}  // namespace

Outcome replay(term::Store& store, const Certificate& certificate, const ReplayOptions& options) {
  return Replay(store, options).run(certificate);
}

}  // namespace rhopsi::check
