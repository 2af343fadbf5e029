// Conditions tried on small numbers.
#include <algorithm>
#include <set>
#include <utility>

#include "engine/check/arithmetic.hpp"

namespace rhopsi::check {

using term::SymbolKind;

namespace {

constexpr std::size_t most_trials = 2000;    // assignments, partial ones too
constexpr std::size_t most_candidates = 24;  // values of one variable
constexpr std::size_t most_parts = 1000;     // of the condition and the facts
constexpr std::int64_t largest_candidate = 1'000'000;

void add_new(std::vector<std::int64_t>& values, std::int64_t value) {
  if (value < -largest_candidate || value > largest_candidate) return;
  if (values.size() >= most_candidates || std::ranges::count(values, value) > 0) return;
  values.push_back(value);
}

}  // namespace

// Goes through the variables in depth: what a part of them already decides is not gone on with.
class Judge::Trial {
 public:
  Trial(Judge& judge, TermId condition, std::span<const Fact> facts)
      : judge_(judge), condition_(condition), facts_(facts) {
    collect(condition);
    for (const Fact& fact : facts) collect(fact.condition);
    candidates_ = {0, 1, -1};
    for (const std::int64_t each : literals_) {
      for (const std::int64_t near : {each, each + 1, each - 1}) add_new(candidates_, near);
    }
    for (const std::int64_t each : {2, 3, 10, -10, 100, -100}) add_new(candidates_, each);
  }

  std::optional<std::string> run() { return from(0); }

 private:
  enum class State { open, excluded, refuted };

  void collect(TermId term) {
    for (TermId part : parts_of(judge_.store_, term)) {
      const term::Symbol& head = judge_.store_.head(part);
      if (head.kind == SymbolKind::integer_literal && head.integer <= largest_candidate &&
          head.integer >= -largest_candidate) {
        literals_.push_back(head.integer);
      }
      const bool number = judge_.integers_.contains(judge_.store_.sort(part));
      if (head.kind == SymbolKind::variable && number &&
          std::ranges::find(variables_, part) == variables_.end()) {
        variables_.push_back(part);
      }
    }
  }

  // Under the values so far.
  State state() {
    auto kept = std::exchange(judge_.values_, {});
    for (std::size_t i = 0; i < values_.size(); ++i) judge_.values_[variables_[i]] = values_[i];
    State found = State::refuted;
    const auto condition = judge_.value(condition_);
    if (condition && *condition != 0) found = State::excluded;
    bool known = condition.has_value();
    for (std::size_t i = 0; i < facts_.size() && found != State::excluded; ++i) {
      const auto fact = judge_.value(facts_[i].condition);
      if (fact && (*fact != 0) != facts_[i].positive) found = State::excluded;
      known = known && fact.has_value();
    }
    judge_.values_ = std::move(kept);
    return found == State::refuted && !known ? State::open : found;
  }

  std::optional<std::string> from(std::size_t number) {
    if (++trials_ > most_trials) return std::nullopt;
    const State now = state();
    if (now == State::refuted) return shown();
    if (now == State::excluded || number == variables_.size()) return std::nullopt;
    for (const std::int64_t each : candidates_) {
      values_.push_back(each);
      auto found = from(number + 1);
      values_.pop_back();
      if (found) return found;
    }
    return std::nullopt;
  }

  std::string shown() const {
    std::string text;
    std::set<std::string> names;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      std::string name = judge_.store_.head(variables_[i]).name;
      while (!names.insert(name).second) name += "'";  // one of another value
      text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(values_[i]);
    }
    return text;
  }

  Judge& judge_;
  TermId condition_;
  std::span<const Fact> facts_;
  std::vector<std::int64_t> literals_;
  std::vector<std::int64_t> candidates_;
  std::vector<TermId> variables_;  // those of the condition first
  std::vector<std::int64_t> values_;
  std::size_t trials_ = 0;
};

std::optional<std::string> Judge::counterexample(TermId condition, std::span<const Fact> facts) {
  std::size_t parts = 0;
  const auto suits = [&](TermId term) {
    const std::vector<TermId> all = parts_of(store_, term);
    parts += all.size();
    return parts <= most_parts &&
           std::ranges::none_of(all, [&](TermId part) { return !store_.bound(part).empty(); });
  };
  if (!suits(condition)) return std::nullopt;
  if (!std::ranges::all_of(facts, [&](const Fact& fact) { return suits(fact.condition); })) {
    return std::nullopt;
  }
  return Trial(*this, condition, facts).run();
}

}  // namespace rhopsi::check
