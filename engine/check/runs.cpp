#include "engine/check/runs.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "engine/check/arithmetic.hpp"
#include "engine/check/comparison.hpp"
#include "engine/check/facts.hpp"
#include "engine/check/replacement.hpp"
#include "engine/check/sequence.hpp"
#include "engine/check/unfolding.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::check {

using term::Basis;
using term::Control;
using term::SymbolKind;

namespace {

constexpr std::size_t shown_length = 200;

std::string way(const Step& step) {
  std::string text = step.in_guard ? "guard" : "body";
  for (const std::uint32_t child : step.position) text += "." + std::to_string(child);
  return text;
}

// A variable that stands for an expression, changed by the right side?
bool changes_variable(const term::Store& store, const Axiom& axiom) {
  const auto is_variable = [&](TermId term) {
    return std::ranges::find(axiom.variables, store.symbol(term)) != axiom.variables.end();
  };
  return std::ranges::any_of(parts_of(store, axiom.right), [&](TermId part) {
    const term::Symbol& head = store.head(part);
    const auto children = store.children(part);
    if (head.control == Control::assign) return is_variable(children[0]);
    if (head.kind != SymbolKind::procedure) return false;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (head.modes[i] != term::Mode::obs && is_variable(children[i])) return true;
    }
    return false;
  });
}

bool has_block(const term::Store& store, TermId term) {
  return std::ranges::any_of(parts_of(store, term),
                             [&](TermId part) { return store.is(part, Control::block); });
}

// Follows one run of `rewrite` through its passes.
class RunReplay {
 public:
  RunReplay(Terms& terms, const Derivation& derivation, std::size_t number,
            const ReplayOptions& options, Outcome& outcome)
      : terms_(terms),
        store_(terms.store()),
        derivation_(derivation),
        number_(number),
        options_(options),
        outcome_(outcome),
        facts_(terms, derivation.operations),
        judge_(terms, derivation.operations),
        unfoldings_(terms, judge_, derivation) {
    for (const Axiom& axiom : derivation.axioms) {
      traits_.push_back({is_sequence(store_, axiom), has_block(store_, axiom.right),
                         changes_variable(store_, axiom)});
    }
    for (const Operation& operation : derivation.operations) {
      meanings_.emplace(operation.symbol, &operation);
    }
  }

  // The message of the first flaw, with where it is within the run.
  std::optional<Flaw> follow(const Run& run) {
    run_ = &run;
    now_ = run.from;
    facts_.enter(run.from);
    for (pass_ = 0; pass_ < run.passes.size(); ++pass_) {
      if (auto flaw = follow(run.passes[pass_])) {
        flaw->place = numbered("passes", pass_) + flaw->place;
        return flaw;
      }
    }
    if (now_.body != run.to.body) return Flaw{"to", "the steps end with another body"};
    if (now_.guard != run.to.guard) return Flaw{"to", "the steps end with another guard"};
    return std::nullopt;
  }

 private:
  struct Traits {
    bool sequence;
    bool has_block;
    bool changes_variable;
  };

  std::optional<Flaw> follow(const Pass& pass) {
    if (pass.steps.empty()) return Flaw{"", "a pass without a step"};
    std::vector<Replacement> in_body;
    std::vector<Replacement> in_guard;
    for (std::size_t i = 0; i < pass.steps.size(); ++i) {
      const Step& step = pass.steps[i];
      if (auto message = problem(pass.axiom, step)) {
        return Flaw{"." + numbered("steps", i), *message};
      }
      if (!step.in_guard && !in_guard.empty()) {
        return Flaw{"." + numbered("steps", i), "a step in the body after one in the guard"};
      }
      (step.in_guard ? in_guard : in_body).push_back({step.position, step.after});
      ++outcome_.steps;
    }
    for (const auto& [part, replacements] :
         {std::pair{&now_.body, &in_body}, std::pair{&now_.guard, &in_guard}}) {
      if (replacements->empty()) continue;
      if (!are_apart(*replacements)) return Flaw{"", "the steps are not in order, or overlap"};
      *part = replaced(store_, make_, **part, *replacements);
    }
    if (traits_[pass.axiom].has_block) {
      for (const Step& step : pass.steps) facts_.replaced(step.before, step.after);
    }
    return std::nullopt;
  }

  std::optional<std::string> problem(std::size_t number, const Step& step) {
    const Axiom& axiom = derivation_.axioms[number];
    const auto& root = step.in_guard ? now_.guard : now_.body;
    if (!root) return "there is no " + std::string(step.in_guard ? "guard" : "body");
    const auto redex = part_at(store_, *root, step.position);
    if (!redex) return "the term has no position " + way(step);
    if (*redex != step.before) {
      return "at " + way(step) + " stands `" + shown(*redex) + "`, and not `" + shown(step.before) +
             "`";
    }
    if (step.binding.size() != axiom.variables.size()) {
      return axiom.name + " has another number of variables";
    }
    Values values;
    for (std::size_t i = 0; i < step.binding.size(); ++i) {
      if (store_[axiom.variables[i]].result != store_.sort(step.binding[i])) {
        return "`" + store_[axiom.variables[i]].name + "` stands for a value of another sort";
      }
      values.emplace(axiom.variables[i], step.binding[i]);
    }
    if (step.before == step.after) return "the step changes nothing";
    const auto message = traits_[number].sequence
                             ? problem_with_sequence(store_, axiom, values, step)
                             : problem_with_term(number, values, *root, step);
    if (message) return message;
    return problem_with_condition(axiom, values, *root, step);
  }

  std::optional<std::string> problem_with_term(std::size_t number, const Values& values,
                                               TermId root, const Step& step) {
    const Axiom& axiom = derivation_.axioms[number];
    if (step.statement) return axiom.name + " is not about statements in a row";
    if (!is_instance(store_, axiom.left, values, step.before)) {
      return "`" + shown(step.before) + "` is not the left side of " + axiom.name +
             " under the substitution";
    }
    if (!is_instance(store_, axiom.right, values, step.after)) {
      return "`" + shown(step.after) + "` is not the right side of " + axiom.name +
             " under the substitution";
    }
    if (traits_[number].changes_variable) return axiom.name + " changes one of its variables";
    if (traits_[number].has_block &&
        !allows_statements(store_, root, step.in_guard, step.position)) {
      return "no statements may stand at " + way(step);
    }
    return std::nullopt;
  }

  std::optional<std::string> problem_with_condition(const Axiom& axiom, const Values& values,
                                                    TermId root, const Step& step) {
    if (axiom.condition.has_value() != step.condition.has_value()) {
      return axiom.name + (axiom.condition ? " has a condition" : " has no condition");
    }
    if (!axiom.condition) return std::nullopt;
    ++outcome_.conditions;
    if (!is_instance(store_, *axiom.condition, values, *step.condition)) {
      return "`" + shown(*step.condition) + "` is not the condition of " + axiom.name +
             " under the substitution";
    }
    const auto value = judge_.value(*step.condition);
    if (value && *value == 0) return "the condition `" + shown(*step.condition) + "` is false";
    term::Position place = step.position;
    if (step.statement) place.push_back(*step.statement);
    std::vector<Fact> facts = facts_.at(root, step.in_guard, place, axiom.left);
    // What the step does not claim to rest on is no fact.
    unclaimed_.clear();
    std::erase_if(facts, [&](const Fact& fact) {
      if (fact.basis > step.basis) unclaimed_.push_back(fact);
      return fact.basis > step.basis;
    });
    // What has to hold: the condition, with the shapes put in, and what that asks for.
    std::vector<TermId> goals{*step.condition};
    if (auto message = unfoldings_.follow(step, goals, facts)) return message;
    if (step.decider == "constant" && !judge_.value(goals.front())) {
      return "the condition is no constant";
    }
    for (const TermId goal : goals) {
      if (step.unfoldings.empty() || !judge_.excluded(goal, facts)) continue;
      return "with its unfoldings the step asks for `" + shown(goal) + "`, which is false there";
    }
    std::vector<TermId> parts = term::conjuncts(store_, *step.condition);
    std::vector<TermId> open;  // has to hold besides
    for (const LemmaUse& use : step.lemmas) {
      if (auto message = add_lemma(use, parts, facts, open)) return message;
    }
    for (const TermId goal : goals) {
      if (!judge_.follows(goal, facts)) open.push_back(goal);
    }
    return open.empty() ? std::nullopt : trust(axiom, step, open, facts);
  }

  // The instance, one of the parts, is a fact where the lemma's own condition holds. No other
  // lemma is needed for that part.
  std::optional<std::string> add_lemma(const LemmaUse& use, std::vector<TermId>& parts,
                                       std::vector<Fact>& facts, std::vector<TermId>& open) {
    const Lemma& lemma = derivation_.lemmas[use.lemma];
    Values values;
    if (auto message = bind(lemma, use, values)) return message;
    const auto statement = terms_.substitute(lemma.statement, values);
    if (!statement) return "the lemma " + lemma.name + " cannot be instantiated";
    const auto part =
        std::ranges::find_if(parts, [&](TermId each) { return same(store_, each, *statement); });
    if (part == parts.end()) {
      return "`" + shown(*statement) + "`, of the lemma " + lemma.name +
             ", is no part of the condition, or one with a lemma before it";
    }
    parts.erase(part);
    name(lemma);
    if (lemma.condition) {
      const auto condition = terms_.substitute(*lemma.condition, values);
      if (!condition) return "the lemma " + lemma.name + " cannot be instantiated";
      if (!judge_.follows(*condition, facts)) {
        if (judge_.excluded(*condition, facts)) {
          return "the condition of the lemma " + lemma.name + " is false there: `" +
                 shown(*condition) + "`";
        }
        open.push_back(*condition);
      }
    }
    facts.push_back({*statement});
    return std::nullopt;
  }

  std::optional<std::string> bind(const Lemma& lemma, const LemmaUse& use, Values& values) const {
    if (use.binding.size() != lemma.variables.size()) {
      return "the lemma " + lemma.name + " has another number of variables";
    }
    for (std::size_t i = 0; i < use.binding.size(); ++i) {
      const SymbolId variable = lemma.variables[i];
      if (store_[variable].result != store_.sort(use.binding[i])) {
        return "`" + store_[variable].name + "` of the lemma " + lemma.name +
               " stands for a value of another sort";
      }
      values.emplace(variable, use.binding[i]);
    }
    return std::nullopt;
  }

  void name(const Lemma& lemma) {
    const std::string text = lemma.name + (lemma.place.empty() ? "" : " (" + lemma.place + ")");
    if (std::ranges::find(outcome_.lemmas, text) == outcome_.lemmas.end()) {
      outcome_.lemmas.push_back(text);
    }
  }

  // All that is open has to hold; one answer stands for the step. That a condition is a fact takes
  // no arithmetic: nobody has to be trusted for it. Nor is anybody where it is false for numbers
  // that all the facts allow which the step rests on.
  std::optional<std::string> trust(const Axiom& axiom, const Step& step,
                                   const std::vector<TermId>& open,
                                   const std::vector<Fact>& facts) {
    if (step.decider == "fact") {
      return "the condition `" + shown(open.front()) + "` does not follow from the facts of " +
             way(step) + " that the step rests on";
    }
    for (const TermId each : open) {
      if (!facts_.settled(each)) continue;
      if (const auto numbers = judge_.counterexample(each, facts)) {
        return "the condition `" + shown(each) + "` does not follow from what the step rests on" +
               (numbers->empty() ? "" : ": it is false for " + *numbers);
      }
    }
    Trusted trusted{axiom.name, axiom.place,
                    "derivation " + std::to_string(number_ + 1) + ", " +
                        store_[run_->callable].name + ", pass " + std::to_string(pass_ + 1) + ", " +
                        way(step),
                    shown(open.front()), step.decider};
    trusted.asked = options_.oracle != nullptr;
    for (std::size_t i = 0; i < open.size() && options_.oracle != nullptr; ++i) {
      const TermId each = open[i];
      const std::size_t given_up = options_.given_up ? options_.given_up() : 0;
      const term::Verdict verdict = ask(each, facts);
      if (verdict.answer == term::Verdict::Answer::refuted) {
        return "the condition `" + shown(each) + "` is refuted: " + verdict.detail;
      }
      const bool by_a_limit = options_.given_up && options_.given_up() > given_up;
      if (verdict.answer == term::Verdict::Answer::unknown && !by_a_limit) {
        if (auto message = understated(each, step, facts)) return message;
      }
      trusted.asked = trusted.asked && verdict.answer == term::Verdict::Answer::proved;
      if (trusted.asked && i + 1 == open.size()) trusted.decider = verdict.decider;
    }
    outcome_.trusted.push_back(std::move(trusted));
    return std::nullopt;
  }

  // Of a condition that does not follow: does it with what the step does not claim to rest on?
  std::optional<std::string> understated(TermId condition, const Step& step,
                                         const std::vector<Fact>& facts) {
    const std::array<std::pair<Basis, std::string>, 2> more{
        {{Basis::entry_check, "an entry check"}, {Basis::assumed, "what is assumed"}}};
    std::vector<Fact> with = facts;
    for (const auto& [basis, what] : more) {
      if (basis <= step.basis) continue;
      const std::size_t before = with.size();
      std::ranges::copy_if(unclaimed_, std::back_inserter(with),
                           [&](const Fact& fact) { return fact.basis == basis; });
      if (with.size() == before) continue;
      if (judge_.follows(condition, with) ||
          ask(condition, with).answer == term::Verdict::Answer::proved) {
        return "the condition `" + shown(condition) +
               "` does not follow from what the step rests on, but with " + what;
      }
    }
    return std::nullopt;
  }

  term::Verdict ask(TermId condition, const std::vector<Fact>& facts) {
    std::vector<TermId> stated;
    for (const Fact& fact : facts) {
      stated.push_back(fact.positive
                           ? fact.condition
                           : terms_.make(term::builtin_symbol(terms_.store(), term::Builtin::not_,
                                                              store_.predicate_sort()),
                                         {fact.condition}));
    }
    const term::Interpretation interpretation{
        [this](SymbolId symbol) {
          const auto found = meanings_.find(symbol);
          const auto meaning =
              found == meanings_.end() ? term::Arithmetic::none : found->second->meaning;
          return meaning;
        },
        [this](SymbolId symbol) -> std::optional<TermId> {
          const auto found = meanings_.find(symbol);
          if (found == meanings_.end() || !found->second->parameters.empty()) return std::nullopt;
          return found->second->body;
        },
        {},
        [this](term::SortId sort) {
          return std::ranges::any_of(derivation_.operations, [&](const Operation& each) {
            return term::is_of_reals(each.meaning) &&
                   std::ranges::count(store_[each.symbol].parameters, sort) > 0;
          });
        }};
    return options_.oracle->decide(store_, condition, stated, interpretation);
  }

  std::string shown(TermId term) const { return to_string(store_, term, shown_length); }

  Terms& terms_;
  const term::Store& store_;
  const Derivation& derivation_;
  std::size_t number_;
  const ReplayOptions& options_;
  Outcome& outcome_;
  Facts facts_;
  Judge judge_;
  Unfoldings unfoldings_;
  const Maker make_ = [this](SymbolId symbol, const std::vector<TermId>& children,
                             const std::vector<SymbolId>& bound) {
    return terms_.make(symbol, children, bound);
  };
  std::vector<Traits> traits_;
  std::unordered_map<SymbolId, const Operation*> meanings_;
  const Run* run_ = nullptr;
  std::size_t pass_ = 0;
  Parts now_;
  std::vector<Fact> unclaimed_;  // at the place at hand: what the step does not claim to rest on
};

}  // namespace

std::optional<Flaw> follow_runs(Terms& terms, const Derivation& derivation, std::size_t number,
                                const ReplayOptions& options, Outcome& outcome) {
  RunReplay replay(terms, derivation, number, options, outcome);
  for (std::size_t i = 0; i < derivation.runs.size(); ++i) {
    if (auto flaw = replay.follow(derivation.runs[i])) {
      flaw->place = numbered("runs", i) + "." + flaw->place;
      return flaw;
    }
  }
  return std::nullopt;
}

}  // namespace rhopsi::check
