#include "engine/rewrite/rewriter.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/rewrite/focus.hpp"
#include "engine/rewrite/reach.hpp"
#include "engine/rewrite/strategy_run.hpp"

namespace rhopsi::rewrite {

using Stop = term::CallableRun::Stop;

namespace {

// One rule set, and what is shared by the callables that it rewrites.
struct Rewriter {
  Rewriter(const Context& each_context, const term::Theory& target, const term::RuleSet& rules,
           std::uint64_t bound)
      : context(each_context),
        record(context, bound),
        facts(context, target),
        firing(context, facts, rules.rules, record),
        passes(context, firing, record),
        reach(rewrite::reach(context.store, rules.rules, firing.candidates())) {}

  term::Derivation take() {
    term::Derivation& derivation = record.derivation();
    derivation.visits += firing.candidates().summarised();
    derivation.attempts += firing.candidates().attempts();
    return record.take();
  }

  const Context& context;
  Record record;
  FactSource facts;
  Firing firing;
  Passes passes;
  std::optional<std::size_t> reach;  // how deep the rules look
};

// The body and the guard of one callable.
class Parts {
 public:
  Parts(Rewriter& rewriter, term::Callable& callable)
      : rewriter_(rewriter), callable_(callable), reach_(rewriter.reach) {
    if (callable.body) add(*callable.body, false);
    if (callable.guard) add(*callable.guard, true);
  }

  // The first rule, in their order, that changes something in the callable.
  std::uint32_t find_rule() {
    std::uint32_t best = Passes::none;
    for (FocusedTerm& part : parts_) best = std::min(best, part.first_plain());
    if (reach_) return best;  // then no rule is contextual
    for (FocusedTerm& part : parts_) best = part.first_contextual(best);
    return best;
  }

  void apply(std::uint32_t rule) {
    for (FocusedTerm& part : parts_) {
      part.apply(rule);
      rewriter_.firing.keep_refusals(rule + 1);
    }
  }

  std::size_t size() {
    std::size_t size = 0;
    for (FocusedTerm& part : parts_) size += part.size();
    return size;
  }

  // Gives the callable what it has become.
  void close() {
    std::size_t i = 0;
    if (callable_.body) callable_.body = parts_[i++].close();
    if (callable_.guard) callable_.guard = parts_[i].close();
  }

 private:
  void add(term::TermId root, bool in_guard) {
    parts_.emplace_back(rewriter_.context, rewriter_.facts, rewriter_.firing, rewriter_.passes,
                        root, in_guard, reach_);
  }

  Rewriter& rewriter_;
  term::Callable& callable_;
  std::optional<std::size_t> reach_;
  std::vector<FocusedTerm> parts_;
};

Stop run_passes(Rewriter& rewriter, Parts& parts) {
  Record& record = rewriter.record;
  while (true) {
    record.pass = record.run.passes + 1;
    const std::uint32_t rule = parts.find_rule();
    const bool at_bound = record.run.passes == record.bound();
    // Beyond the bound it was only looked whether there is a redex.
    rewriter.firing.keep_refusals(rule != Passes::none && at_bound ? 0 : rule);
    if (rule == Passes::none) return Stop::normal_form;
    if (at_bound) return Stop::pass_bound;
    if (const auto reached = record.exhausted()) return *reached;
    if (parts.size() > rewriter.context.limits.term_size) return Stop::size_bound;
    ++record.run.passes;
    parts.apply(rule);
  }
}

// How the strategy left the callable, which it has not left at a bound.
Stop stop_of(Rewriter& rewriter, term::Callable& callable, bool failed) {
  const std::uint32_t rule = Parts(rewriter, callable).find_rule();
  rewriter.firing.keep_refusals(rule);
  if (rule == Passes::none) return Stop::normal_form;
  return failed ? Stop::failed : Stop::completed;
}

Stop run_strategy(Rewriter& rewriter, StrategyRun& strategy, term::Callable& callable) {
  bool failed = true;
  const auto run = [&](std::optional<term::TermId>& root, bool in_guard) {
    if (!root || strategy.stopped()) return;
    Path path(rewriter.context.store, rewriter.facts, in_guard);
    const auto result = strategy.run(*root, path);
    if (!result) return;
    root = *result;
    failed = false;
  };
  strategy.enter(callable);
  run(callable.body, false);
  run(callable.guard, true);
  if (const auto reached = strategy.stopped()) return *reached;
  return stop_of(rewriter, callable, failed);
}

// Makes the record of a derivation whose steps are recorded.
class Recording {
 public:
  Recording(const Context& context, const term::Theory& target) : context_(context) {
    if (context.record_steps) record_.callables = target.callables;
  }

  void add_rules(const std::vector<term::Rule>& rules) {
    if (context_.record_steps)
      record_.rules.insert(record_.rules.end(), rules.begin(), rules.end());
  }

  term::Derivation complete(term::Derivation derivation, const term::Theory& target) {
    if (!context_.record_steps) return derivation;
    record_.interpretation = context_.interpretation;
    record_.results = target.callables;
    derivation.record = std::make_shared<const term::Record>(std::move(record_));
    return derivation;
  }

 private:
  const Context& context_;
  term::Record record_;
};

}  // namespace

term::Derivation rewrite(const Context& context, term::Theory& target, const term::RuleSet& rules,
                         std::uint64_t passes) {
  Rewriter rewriter(context, target, rules, passes);
  Recording recording(context, target);
  recording.add_rules(rules.rules);
  for (term::Callable& callable : target.callables) {
    if (!callable.body && !callable.guard) continue;
    rewriter.facts.enter(callable);
    rewriter.record.begin(callable);
    Parts parts(rewriter, callable);
    const Stop stop = run_passes(rewriter, parts);
    parts.close();
    rewriter.record.finish(stop);
  }
  return recording.complete(rewriter.take(), target);
}

term::Derivation rewrite(const Context& context, term::Theory& target, const term::RuleSet& rules,
                         const Strategy& strategy, std::uint64_t bound) {
  Rewriter rewriter(context, target, rules, bound);
  rewriter.record.derivation().strategy = to_string(strategy);
  rewriter.record.by_steps = true;
  StrategyRun run(context, rewriter.facts, rewriter.firing, rewriter.passes, rewriter.record,
                  strategy);
  Recording recording(context, target);
  recording.add_rules(rules.rules);
  recording.add_rules(run.own_rules());
  for (term::Callable& callable : target.callables) {
    if (!callable.body && !callable.guard) continue;
    rewriter.facts.enter(callable);
    rewriter.record.begin(callable);
    rewriter.record.finish(run_strategy(rewriter, run, callable));
  }
  run.add_work();
  return recording.complete(rewriter.take(), target);
}

}  // namespace rhopsi::rewrite
