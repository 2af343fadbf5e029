#include "engine/rewrite/rewriter.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "engine/rewrite/candidates.hpp"
#include "engine/rewrite/facts.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::Control;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

namespace {

constexpr std::uint32_t no_rule = Candidates::none;

// May a contextual rule fire, and why (not)?
struct Decision {
  std::optional<TermId> condition;
  term::Verdict verdict{term::Verdict::Answer::proved, "", ""};
  bool allowed() const { return verdict.answer == term::Verdict::Answer::proved; }
};

class Rewriter {
 public:
  Rewriter(const Context& context, term::Theory& target, const term::RuleSet& rules,
           std::uint64_t passes)
      : context_(context),
        store_(context.store),
        target_(target),
        rules_(rules.rules),
        facts_(context, target),
        candidates_(store_, rules_) {
    derivation_.kind = "rewrite";
    derivation_.bound = passes;
  }

  term::Derivation run() {
    for (term::Callable& callable : target_.callables) {
      if (callable.body || callable.guard) run_callable(callable);
    }
    return std::move(derivation_);
  }

 private:
  void run_callable(term::Callable& callable) {
    facts_.enter(callable);
    run_ = {};
    run_.callable = callable.symbol;
    recorded_.clear();
    while (true) {
      refusals_.clear();
      pass_ = run_.passes + 1;
      const std::uint32_t rule = find_rule(callable);
      const bool looked_only = rule != no_rule && run_.passes == derivation_.bound;
      if (!looked_only) keep_refusals(rule);
      if (rule == no_rule) {
        run_.stop = term::CallableRun::Stop::normal_form;
        break;
      }
      if (auto reason = bound_reached(callable)) {
        run_.stop = *reason;
        break;
      }
      ++run_.passes;
      if (callable.body) callable.body = apply(rule, *callable.body, false);
      if (callable.guard) callable.guard = apply(rule, *callable.guard, true);
    }
    derivation_.runs.push_back(run_);
  }

  std::optional<term::CallableRun::Stop> bound_reached(const term::Callable& callable) {
    using Stop = term::CallableRun::Stop;
    if (run_.passes == derivation_.bound) return Stop::pass_bound;
    if (steps_ >= context_.limits.steps) return Stop::step_bound;
    if (made_too_much()) return Stop::size_bound;
    std::size_t size = 0;
    if (callable.body) size += candidates_.summary(*callable.body).size;
    if (callable.guard) size += candidates_.summary(*callable.guard).size;
    if (size > context_.limits.term_size) return Stop::size_bound;
    return std::nullopt;
  }

  bool made_too_much() const {
    return store_.term_count() - terms_before_ >= context_.limits.terms_made;
  }

  // The first rule, in their order, that changes something in the callable.
  std::uint32_t find_rule(const term::Callable& callable) {
    std::uint32_t best = no_rule;
    if (callable.body) best = candidates_.summary(*callable.body).plain;
    if (callable.guard) best = std::min(best, candidates_.summary(*callable.guard).plain);
    if (callable.body) best = find_contextual(*callable.body, false, best);
    if (callable.guard) best = find_contextual(*callable.guard, true, best);
    return best;
  }

  // A contextual rule before `best` that may fire somewhere, or `best`.
  std::uint32_t find_contextual(TermId root, bool in_guard, std::uint32_t best) {
    Path path(store_, facts_, in_guard);
    const auto visit = [&](TermId term) {
      if (candidates_.summary(term).contextual >= best) return;
      for (std::uint32_t rule : candidates_.rules_at(term)) {
        if (rule >= best) break;
        if (!candidates_.traits(rule).contextual() || !candidates_.changes(rule, term)) continue;
        const Decision decision = decide(rule, term, path);
        if (decision.allowed()) {
          best = rule;
          break;
        }
        refuse(rule, term, path, in_guard, decision);
      }
      if (candidates_.summary(term).contextual < best) path.push(term);
    };
    visit(root);
    while (!path.empty()) {
      if (auto child = path.next_child()) {
        visit(*child);
      } else {
        path.pop();
      }
    }
    return best;
  }

  // Replaces all outermost redexes of the rule. Iterative.
  TermId apply(std::uint32_t rule, TermId root, bool in_guard) {
    const bool contextual = candidates_.traits(rule).contextual();
    Path path(store_, facts_, in_guard);
    std::vector<TermId> results;
    std::vector<std::size_t> first_results;
    const auto visit = [&](TermId term) {
      const Candidates::Summary summary = candidates_.summary(term);
      if ((contextual ? summary.contextual : summary.plain) > rule) {
        results.push_back(term);
      } else if (auto contractum = contract(rule, term, path, in_guard)) {
        results.push_back(*contractum);
      } else {
        path.push(term);
        first_results.push_back(results.size());
      }
    };
    visit(root);
    while (!path.empty()) {
      if (auto child = path.next_child()) {
        visit(*child);
        continue;
      }
      const TermId rebuilt =
          rebuild(path.top(), std::span<const TermId>(results).subspan(first_results.back()));
      results.resize(first_results.back());
      results.push_back(rebuilt);
      first_results.pop_back();
      path.pop();
    }
    keep_refusals(rule + 1);
    return results.back();
  }

  TermId rebuild(TermId term, std::span<const TermId> children) {
    if (std::ranges::equal(children, store_.children(term))) return term;
    return store_.make(store_.symbol(term), children, store_.bound(term), store_.location(term));
  }

  std::optional<TermId> contract(std::uint32_t rule, TermId term, Path& path, bool in_guard) {
    if (steps_ >= context_.limits.steps || made_too_much()) return std::nullopt;
    if (store_.symbol(term) != store_.symbol(rules_[rule].left)) return std::nullopt;
    if (!candidates_.changes(rule, term)) return std::nullopt;
    Decision decision;
    if (candidates_.traits(rule).contextual()) {
      decision = decide(rule, term, path);
      if (!decision.allowed()) {
        refuse(rule, term, path, in_guard, decision);
        return std::nullopt;
      }
    }
    const TermId contractum = term::instantiate(
        store_, rules_[rule].right, candidates_.matcher(rule).binding(), place_of(rule, term));
    if (candidates_.traits(rule).has_statements) facts_.add_assigned(contractum);
    ++steps_;
    ++run_.steps;
    ++derivation_.applications[rules_[rule].name];
    if (context_.record_steps) {
      term::Step step = step_at(rule, term, path, in_guard, decision);
      step.after = contractum;
      derivation_.steps.push_back(std::move(step));
    }
    return contractum;
  }

  // Where messages about the contractum should point: at the operation that the rule
  // takes apart, `rotate(a, 0, 1)` in psi(ix, rotate(a, 0, 1)), else at the redex.
  term::LocationId place_of(std::uint32_t rule, TermId redex) const {
    const auto pattern = store_.children(rules_[rule].left);
    for (std::size_t k = 0; k < pattern.size(); ++k) {
      if (store_.is_variable(pattern[k]) || store_.children(pattern[k]).empty()) continue;
      const term::LocationId place = store_.location(store_.children(redex)[k]);
      if (place != term::LocationId{}) return place;
    }
    return store_.location(redex);
  }

  // Follows candidates_.changes(rule, term), whose binding it uses.
  Decision decide(std::uint32_t rule, TermId term, Path& path) {
    using Answer = term::Verdict::Answer;
    const RuleTraits& traits = candidates_.traits(rule);
    const term::Substitution binding = candidates_.matcher(rule).binding();
    Decision decision;
    if (!traits.changed.empty()) {
      decision.verdict = {Answer::refuted, "effects",
                          "the right side would change `" + store_[traits.changed.front()].name +
                              "`, which it does not declare"};
      return decision;
    }
    if (traits.has_statements && !path.allows_statements()) {
      decision.verdict = {Answer::refuted, "effects",
                          "the right side has statements, and none may stand here"};
      return decision;
    }
    if (!rules_[rule].condition) return decision;
    std::vector<TermId> facts = path.facts();
    presupposed(rules_[rule].left, term, facts);
    auto [place, inserted] = decisions_.try_emplace({rule, term, facts});
    if (inserted) {
      place->second.condition = term::substitute(store_, *rules_[rule].condition, binding);
      place->second.verdict =
          context_.oracle.decide(store_, *place->second.condition, facts, context_.interpretation);
    }
    return place->second;
  }

  // The guards of the operations that the pattern names inside the redex: they are all
  // evaluated when the redex is. Stops at constructs and connectives of predicates, which
  // may leave parts out.
  void presupposed(TermId pattern_root, TermId subject_root, std::vector<TermId>& out) {
    std::vector<std::pair<TermId, TermId>> pending{{pattern_root, subject_root}};
    while (!pending.empty()) {
      const auto [pattern, subject] = pending.back();
      pending.pop_back();
      const SymbolKind kind = store_.head(pattern).kind;
      if (kind != SymbolKind::function && kind != SymbolKind::predicate) continue;
      if (connects_predicates(store_.symbol(pattern))) continue;
      facts_.from_operation(subject, out);
      for (std::size_t i = store_.children(pattern).size(); i-- > 0;) {
        pending.emplace_back(store_.children(pattern)[i], store_.children(subject)[i]);
      }
    }
  }

  bool connects_predicates(SymbolId symbol) const {
    switch (term::builtin(store_, symbol)) {
      case term::Builtin::and_:
      case term::Builtin::or_:
      case term::Builtin::implies:
        return true;
      default:
        return false;
    }
  }

  term::Step step_at(std::uint32_t rule, TermId term, const Path& path, bool in_guard,
                     const Decision& decision) {
    term::Step step;
    step.rule = rules_[rule].name;
    step.rule_location = rules_[rule].location;
    step.callable = run_.callable;
    step.pass = pass_;
    step.position = path.position();
    step.before = term;
    step.after = term;
    step.condition = decision.condition;
    step.verdict = decision.verdict;
    step.in_guard = in_guard;
    return step;
  }

  void refuse(std::uint32_t rule, TermId term, const Path& path, bool in_guard,
              const Decision& decision) {
    if (!context_.record_steps || recorded_.contains({rule, term})) return;
    term::Step step = step_at(rule, term, path, in_guard, decision);
    step.applied = false;
    refusals_.push_back({rule, std::move(step)});
  }

  // Refusals of the rules before `rule` belong to the pass: the others were only
  // looked at ahead of their turn.
  void keep_refusals(std::uint32_t rule) {
    std::ranges::stable_sort(refusals_, {}, &Refusal::rule);
    for (Refusal& refusal : refusals_) {
      if (refusal.rule >= rule) break;
      if (!recorded_.insert({refusal.rule, refusal.step.before}).second) continue;
      derivation_.steps.push_back(std::move(refusal.step));
    }
    refusals_.clear();
  }

  struct Refusal {
    std::uint32_t rule;
    term::Step step;
  };

  const Context& context_;
  term::Store& store_;
  term::Theory& target_;
  const std::vector<term::Rule>& rules_;
  FactSource facts_;
  Candidates candidates_;
  term::Derivation derivation_;
  term::CallableRun run_;
  std::uint64_t pass_ = 0;   // of the callable at hand
  std::uint64_t steps_ = 0;  // of all callables
  const std::size_t terms_before_ = store_.term_count();
  std::map<std::tuple<std::uint32_t, TermId, std::vector<TermId>>, Decision> decisions_;
  std::vector<Refusal> refusals_;
  std::set<std::pair<std::uint32_t, TermId>> recorded_;
};

}  // namespace

term::Derivation rewrite(const Context& context, term::Theory& target, const term::RuleSet& rules,
                         std::uint64_t passes) {
  return Rewriter(context, target, rules, passes).run();
}

}  // namespace rhopsi::rewrite
