#include "engine/rewrite/refusal.hpp"

#include <optional>
#include <vector>

#include "engine/rewrite/evaluate.hpp"

namespace rhopsi::rewrite {

using term::SymbolId;
using term::TermId;
using Answer = term::Verdict::Answer;

namespace {

// A part of the condition, as the rule has it and at the redex.
struct Part {
  TermId pattern;
  TermId instance;
  term::Verdict verdict;
};

class Explanation {
 public:
  Explanation(const Context& context, const term::Rule& rule, const term::Substitution& binding,
              std::span<const TermId> facts)
      : context_(context),
        store_(context.store),
        rule_(rule),
        binding_(binding),
        facts_(facts.begin(), facts.end()) {}

  std::string text(const term::Verdict& verdict) {
    const std::optional<Part> part = failing_part(verdict.answer);
    if (!part) return verdict.detail;
    const std::string needs = "needs " + term::to_string(store_, part->pattern);
    if (verdict.answer == Answer::unknown) return needs + "; " + part->verdict.detail;
    const std::string values = counterexample(*part);
    if (!values.empty()) return needs + "; fails for " + values;
    // Else it says of the condition what is so.
    const bool by_values = !part->verdict.detail.empty() && part->verdict.detail.front() != '`';
    return needs + (by_values ? "; fails where " : "; ") + part->verdict.detail;
  }

 private:
  // The first one of which the oracle says the same as of the whole. The parts before it hold
  // where it is asked.
  std::optional<Part> failing_part(Answer answer) {
    std::vector<TermId> known = facts_;
    for (TermId pattern : term::conjuncts(store_, *rule_.condition)) {
      const TermId instance = term::substitute(store_, pattern, binding_);
      Part part{pattern, instance, {}};
      part.verdict = context_.oracle.decide(store_, instance, known, context_.interpretation);
      if (part.verdict.answer == answer) {
        facts_ = std::move(known);
        return part;
      }
      known.push_back(instance);
    }
    return std::nullopt;
  }

  // Empty where the rule's variables in that part have no values that were found here: the decider
  // has said what those of the program are.
  std::string counterexample(const Part& part) const {
    Assignment assignment;
    if (const auto found = falsify(store_, context_.interpretation, part.instance, facts_)) {
      assignment = *found;
    } else if (const auto alone = falsify(store_, context_.interpretation, part.instance, {})) {
      // The facts speak of more than numbers; where they matter for the part, nothing is shown.
      if (!alone->empty()) return {};
    }
    std::string text;
    const auto add = [&](const std::string& name, TermId term) {
      const auto value = evaluate(store_, context_.interpretation, term, assignment);
      if (!value) return false;
      const bool predicate = store_.sort(term) == store_.predicate_sort();
      text += (text.empty() ? "" : ", ") + name + " = " +
              (predicate ? (*value != 0 ? "TRUE" : "FALSE") : std::to_string(*value));
      return true;
    };
    for (SymbolId variable : rule_.variables) {
      const auto bound = binding_.find(variable);
      if (bound == binding_.end()) continue;
      const bool shown = add(store_[variable].name, bound->second);
      if (!shown && term::occurs(store_, variable, part.pattern)) return {};
    }
    term::for_each_subterm(store_, part.pattern, [&](TermId each) {
      const term::Symbol& head = store_.head(each);
      const bool constant = head.kind == term::SymbolKind::function && head.parameters.empty();
      if (constant) add(head.name + "()", each);
      return true;
    });
    return text;
  }

  const Context& context_;
  term::Store& store_;
  const term::Rule& rule_;
  const term::Substitution& binding_;
  std::vector<TermId> facts_;
};

}  // namespace

std::string refusal(const Context& context, const term::Rule& rule,
                    const term::Substitution& binding, std::span<const TermId> facts,
                    const term::Verdict& verdict) {
  return Explanation(context, rule, binding, facts).text(verdict);
}

}  // namespace rhopsi::rewrite
