#include "engine/analysis/confluence.hpp"

#include <algorithm>
#include <optional>

#include "engine/analysis/closed_pairs.hpp"
#include "engine/analysis/critical_pairs.hpp"
#include "engine/analysis/divergence.hpp"
#include "engine/analysis/parts.hpp"
#include "engine/analysis/termination.hpp"

namespace rhopsi::analysis {

namespace {

constexpr std::uint32_t deepest = 300;
constexpr int steps_to_normal_form = 100000;

Verdict maybe(std::string reason) { return {Answer::maybe, {std::move(reason)}}; }

std::string text_of(TermBank& bank, const CriticalPair& pair) {
  const Rule shown = readable(bank, {pair.left, pair.right});
  return "<" + to_string(bank, shown.left) + ", " + to_string(bank, shown.right) + ">";
}

class ConfluenceProver {
 public:
  ConfluenceProver(TermBank& bank, const Rules& rules, std::vector<bool> usable, bool conditional,
                   const Verdict* termination, const Deadline& deadline)
      : bank_(bank),
        rules_(rules),
        usable_(std::move(usable)),
        conditional_(conditional),
        termination_(termination),
        deadline_(deadline) {}

  Verdict run() {
    auto pairs = critical_pairs(bank_, rules_, deadline_);
    if (!pairs) return maybe("the time limit was reached before all critical pairs were found");
    pairs_ = std::move(*pairs);
    if (usable_.empty()) {
      if (auto proof = criteria(rules_, pairs_)) return {Answer::yes, std::move(*proof)};
    }
    if (auto found = diverges(2)) return *found;
    if (!usable_.empty()) return with_opaque_rules();
    if (auto answer = by_normal_forms()) return *answer;
    if (auto proof = decreasing(bank_, rules_, pairs_, deadline_.part(0.2))) {
      return {Answer::yes, std::move(*proof)};
    }
    if (auto proof = ending_peaks(bank_, rules_, pairs_, deadline_.part(0.2))) {
      return {Answer::yes, std::move(*proof)};
    }
    if (auto answer = by_commuting_parts()) return *answer;
    if (auto answer = by_other_rules()) return *answer;
    for (int depth : {4, 8}) {
      if (auto found = diverges(depth)) return *found;
    }
    const auto found = find_non_linear_divergence(bank_, rules_, usable_, deadline_.part(0.5));
    if (found) return {Answer::no, describe(bank_, rules_, *found)};
    for (bool deeper : {false, true}) {
      const auto apart =
          find_separated_divergence(bank_, rules_, peaks(deeper), deadline_.part(0.5));
      if (apart) return {Answer::no, describe(bank_, rules_, *apart)};
    }
    return maybe(unjoined());
  }

 private:
  std::optional<Proof> criteria(const Rules& rules, const std::vector<CriticalPair>& pairs) {
    if (auto proof = orthogonal(bank_, rules, pairs)) return proof;
    if (pairs.size() > 500) return std::nullopt;
    if (auto proof = development_closed(bank_, rules, pairs)) return proof;
    return strongly_closed(bank_, rules, pairs);
  }

  std::optional<Verdict> diverges(int depth) {
    const auto found = find_divergence(bank_, rules_, usable_, pairs_, depth, deadline_.part(0.3));
    if (!found) return std::nullopt;
    return Verdict{Answer::no, describe(bank_, rules_, *found)};
  }

  // Knuth and Bendix: with termination, joinability of the critical pairs decides.
  std::optional<Verdict> by_normal_forms() {
    Verdict own;
    if (!termination_) {
      own = termination(bank_, {rules_, Strategy::full, false}, deadline_.part(0.6));
      termination_ = &own;
    }
    const Verdict known = *termination_;
    termination_ = nullptr;
    if (known.answer != Answer::yes) return std::nullopt;
    const RuleIndex index(bank_, rules_);
    for (const CriticalPair& pair : pairs_) {
      const auto left = normalise(bank_, index, pair.left, steps_to_normal_form);
      const auto right = normalise(bank_, index, pair.right, steps_to_normal_form);
      if (!left || !right || deadline_.over()) return maybe("normal forms are too far away");
      if (*left != *right) return two_normal_forms(pair);
    }
    Proof proof{"terminating, and all " + std::to_string(pairs_.size()) +
                " critical pairs are joinable"};
    if (pairs_.empty()) proof.text = "terminating, and there are no critical pairs";
    if (pairs_.size() <= 20) {
      for (const CriticalPair& pair : pairs_) proof.add(joined(index, pair));
    }
    if (!termination_given_) proof.add(Proof{"terminating by", {known.proof}});
    return Verdict{Answer::yes, std::move(proof)};
  }

  std::string joined(const RuleIndex& index, const CriticalPair& pair) {
    const auto normal = normalise(bank_, index, pair.left, steps_to_normal_form);
    const Rule shown = readable(bank_, {pair.peak, *normal});
    return text_of(bank_, pair) + " of " + to_string(bank_, shown.left) + " joins in " +
           to_string(bank_, shown.right);
  }

  Verdict two_normal_forms(const CriticalPair& pair) {
    const RuleIndex index(bank_, rules_);
    Divergence out{pair.peak,
                   {{pair.position, pair.inner}},
                   {{{}, pair.outer}},
                   Divergence::Reason::normal_forms,
                   {}};
    const Rule peak = readable(bank_, {pair.peak, pair.peak});
    out.peak = peak.left;
    for (auto* way : {&out.left, &out.right}) {
      const auto first = rewrite_at(bank_, rules_, out.peak, way->front());
      if (!first) return maybe("a critical pair cannot be replayed");
      normalise(bank_, index, *first, steps_to_normal_form, way);
    }
    if (!verify(bank_, rules_, {}, out)) return maybe("a critical pair cannot be replayed");
    return {Answer::no, describe(bank_, rules_, out)};
  }

  // Parts that do not interfere with one another.
  std::optional<Verdict> by_commuting_parts() {
    if (!left_linear(bank_, rules_)) return std::nullopt;
    for (const Rule& rule : rules_) {
      if (has_fresh_variables(bank_, rule)) return std::nullopt;
    }
    const auto parts = commuting_parts(rules_, pairs_);
    if (parts.size() < 2) return std::nullopt;
    Proof proof{
        "left-linear, and rules of different parts have no critical pairs but those of "
        "equal sides: they commute, and are confluent since each part is"};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Deadline own = deadline_.part(0.5 / static_cast<double>(parts.size() - i));
      Verdict verdict = ConfluenceProver(bank_, parts[i], {}, false, nullptr, own).run();
      if (verdict.answer != Answer::yes) return std::nullopt;
      Proof part{"part " + std::to_string(i + 1)};
      for (const Rule& rule : parts[i]) part.add(to_string(bank_, readable(bank_, rule)));
      part.add(std::move(verdict.proof));
      proof.add(std::move(part));
    }
    return Verdict{Answer::yes, std::move(proof)};
  }

  // Rules that the others can do without: both sides are convertible by the rest, which stays
  // confluent or not with them. Rules whose right sides are rewritten may be added.
  std::optional<Verdict> by_other_rules() {
    if (pairs_.size() > 300) return std::nullopt;
    for (bool add : {false, true}) {
      Rules rules = rules_;
      if (add) add_shortcuts(rules);
      const Rules before = rules;
      for (std::size_t i = rules.size(); i-- > 0;) {
        if (deadline_.over()) return std::nullopt;
        Rules rest = rules;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        const RuleIndex index(bank_, rest);
        if (joinable_within(bank_, index, rules[i].left, rules[i].right, 3, 200)) {
          rules = std::move(rest);
        }
      }
      for (const Rules* each : std::initializer_list<const Rules*>{&rules, &before}) {
        const auto pairs = critical_pairs(bank_, *each, deadline_);
        if (!pairs) return std::nullopt;
        auto proof = criteria(*each, *pairs);
        if (!proof) proof = decreasing(bank_, *each, *pairs, deadline_.part(0.3));
        if (proof) return Verdict{Answer::yes, with_rules(*each, std::move(*proof))};
      }
    }
    return std::nullopt;
  }

  void add_shortcuts(Rules& rules) {
    const RuleIndex index(bank_, rules_);
    for (const CriticalPair& pair : pairs_) {
      for (const auto& [from, to] : {std::pair(pair.left, pair.right), {pair.right, pair.left}}) {
        if (bank_.is_variable(from) || from == to || rules.size() > 60) continue;
        if (!joins_at(index, from, to)) continue;
        const Rule rule{from, to};
        if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
      }
    }
    for (const Rule& rule : rules_) {
      for (const Reduct& each : reducts(bank_, index, rule.right)) {
        const Rule shortcut{rule.left, each.term};
        if (rules.size() > 60 || each.term == rule.left) continue;
        if (std::ranges::find(rules, shortcut) == rules.end()) rules.push_back(shortcut);
      }
    }
  }

  // Of the critical pairs, or of those that there would be with shortcuts, which are reducts of one
  // term after more than one step.
  std::vector<Term> peaks(bool deeper) {
    std::vector<Term> out;
    for (const CriticalPair& pair : pairs_) out.push_back(pair.peak);
    if (!deeper) return out;
    Rules rules = rules_;
    add_shortcuts(rules);
    out.clear();
    for (const CriticalPair& pair :
         critical_pairs(bank_, rules, deadline_).value_or(std::vector<CriticalPair>{})) {
      const bool own = pair.inner < rules_.size() && pair.outer < rules_.size();
      if (!own && out.size() < 60 && bank_.size(pair.peak) < 30) out.push_back(pair.peak);
    }
    return out;
  }

  // from ->* to within a few steps
  bool joins_at(const RuleIndex& index, Term from, Term to) {
    std::vector<Term> terms{from};
    for (std::size_t i = 0, depth = 0; depth < 4 && terms.size() < 200; ++depth) {
      for (const std::size_t end = terms.size(); i < end; ++i) {
        for (const Reduct& each : reducts(bank_, index, terms[i])) {
          if (each.term == to) return true;
          if (bank_.size(each.term) < 300) terms.push_back(each.term);
        }
      }
    }
    return false;
  }

  Proof with_rules(const Rules& rules, Proof proof) {
    Proof out{"with these rules in place of the given ones, whose conversions are the same:"};
    for (const Rule& rule : rules) out.add(to_string(bank_, readable(bank_, rule)));
    out.add(std::move(proof));
    return out;
  }

  // What is known where rules have conditions or binders: pairs are joined by the other rules.
  Verdict with_opaque_rules() {
    if (!conditional_ && pairs_.empty() && left_linear(bank_, rules_)) {
      return {Answer::yes, {"orthogonal: left-linear, and left sides do not overlap"}};
    }
    Rules plain;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (usable_[i]) plain.push_back(rules_[i]);
    }
    const RuleIndex index(bank_, plain);
    const std::string what = conditional_ ? "conditions" : "binders";
    std::size_t open = 0;
    Proof proof{"critical pairs that rules without " + what + " do not join:"};
    for (const CriticalPair& pair : pairs_) {
      const bool twice = !conditional_ && pair.inner == pair.outer && !usable_[pair.inner];
      if (!twice && joinable_within(bank_, index, pair.left, pair.right, 6)) continue;
      if (++open <= 10) proof.add(text_of(bank_, pair));
    }
    if (open > 10) proof.add("and " + std::to_string(open - 10) + " more");
    if (open > 0) return {Answer::maybe, std::move(proof)};
    proof.text = "all " + std::to_string(pairs_.size()) +
                 " critical pairs are joined by rules without " + what;
    if (conditional_) {
      proof.text +=
          ": confluent if the system terminates and a condition that holds before a "
          "step holds after it";
      return {Answer::maybe, std::move(proof)};
    }
    if (!termination_ || termination_->answer != Answer::yes) {
      proof.text += "; not known to terminate";
      return {Answer::maybe, std::move(proof)};
    }
    proof.text = "terminating, and " + proof.text;
    return {Answer::yes, std::move(proof)};
  }

  std::string unjoined() {
    if (deadline_.over()) return "the time limit was reached";
    const RuleIndex index(bank_, rules_);
    for (const CriticalPair& pair : pairs_) {
      if (!joinable_within(bank_, index, pair.left, pair.right, 5)) {
        return "not known to terminate, and the critical pair " + text_of(bank_, pair) +
               " was not joined";
      }
    }
    return "not known to terminate; all " + std::to_string(pairs_.size()) +
           " critical pairs are joinable, but no criterion for systems that may not terminate "
           "applies";
  }

  TermBank& bank_;
  const Rules& rules_;
  std::vector<bool> usable_;  // empty: all
  bool conditional_;
  const Verdict* termination_;
  bool termination_given_ = termination_ != nullptr;
  Deadline deadline_;
  std::vector<CriticalPair> pairs_;
};

Verdict by_parts(TermBank& bank, const std::vector<Rules>& parts, const Verdict* termination,
                 const Deadline& deadline) {
  Verdict out{
      Answer::yes,
      {"with sorts as different as the rules let them be, they are confluent if and only if "
       "those are that terms of one sort can be rewritten by"}};
  const bool known = termination && termination->answer == Answer::yes;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Deadline own = deadline.part(1.0 / static_cast<double>(parts.size() - i));
    Verdict verdict =
        ConfluenceProver(bank, parts[i], {}, false, known ? termination : nullptr, own).run();
    if (verdict.answer == Answer::no) return verdict;
    if (verdict.answer == Answer::maybe) out.answer = Answer::maybe;
    Proof part{"part " + std::to_string(i + 1) + ": " + to_string(verdict.answer)};
    for (const Rule& rule : parts[i]) part.add(to_string(bank, readable(bank, rule)));
    part.add(std::move(verdict.proof));
    out.proof.add(std::move(part));
  }
  return out;
}

}  // namespace

Verdict confluence(TermBank& bank, const ConfluenceProblem& problem, const Verdict* termination,
                   const Deadline& deadline) {
  bool fresh = false;
  for (const Rule& rule : problem.rules) {
    if (bank.depth(rule.left) > deepest || bank.depth(rule.right) > deepest) {
      return maybe("terms nested deeper than " + std::to_string(deepest) +
                   " levels are not analysed");
    }
    if (bank.is_variable(rule.left)) return maybe("a left side is a variable");
    fresh = fresh || has_fresh_variables(bank, rule);
  }
  std::vector<bool> usable;
  if (std::ranges::find(problem.opaque, true) != problem.opaque.end()) {
    for (bool each : problem.opaque) usable.push_back(!each);
  } else if (!fresh) {
    const auto parts = persistent_parts(bank, problem.rules);
    if (parts.size() > 1) return by_parts(bank, parts, termination, deadline);
  }
  return ConfluenceProver(bank, problem.rules, usable, problem.conditional, termination, deadline)
      .run();
}

}  // namespace rhopsi::analysis
