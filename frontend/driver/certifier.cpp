#include "frontend/driver/certifier.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "engine/rewrite/evaluate.hpp"
#include "engine/term/derivation.hpp"
#include "engine/term/operations.hpp"
#include "frontend/driver/locations.hpp"

namespace rhopsi::driver {

using term::SymbolId;
using term::TermId;

namespace {

std::string place_of(const term::Store& store, term::LocationId id) {
  const term::Location& location = store[id];
  if (location.file.empty()) return {};
  return shown_path(location.file) + ":" + std::to_string(location.line);
}

// One derivation; the axioms that were used and the operations that occur, in the order of their
// first use.
class Certifier {
 public:
  Certifier(const term::Store& store, const term::Derivation& derivation)
      : store_(store),
        derivation_(derivation),
        record_(*derivation.record),
        defining_(derivation.kind == "implement") {}

  CertifiedStep run() {
    for (const term::WidthNeed& need : derivation_.widths) step_.asked.insert(need.width);
    result_.rules = derivation_.rules;
    if (defining_) {
      definitions();
    } else {
      runs();
    }
    operations();
    return std::move(step_);
  }

 private:
  static const term::Callable* find(const std::vector<term::Callable>& callables, SymbolId symbol) {
    const auto found = std::ranges::find(callables, symbol, &term::Callable::symbol);
    return found == callables.end() ? nullptr : &*found;
  }

  std::size_t axiom(std::size_t rule_index) {
    const auto [place, inserted] = axioms_.try_emplace(rule_index, result_.axioms.size());
    if (inserted) result_.axioms.push_back(stated(record_.rules[rule_index]));
    return place->second;
  }

  check::Axiom stated(const term::Rule& rule) const {
    return {rule.name,     place_of(store_, rule.location), rule.variables, rule.left, rule.right,
            rule.condition};
  }

  void runs() {
    std::map<SymbolId, std::vector<const term::Step*>> by_callable;
    for (const term::Step& step : derivation_.steps) {
      if (step.applied) by_callable[step.callable].push_back(&step);
    }
    for (const term::CallableRun& each : derivation_.runs) {
      const auto steps = by_callable.find(each.callable);
      if (steps == by_callable.end()) continue;
      const term::Callable* before = find(record_.callables, each.callable);
      const term::Callable* after = find(record_.results, each.callable);
      check::Run run{each.callable,
                     before->parameters,
                     {before->body, before->guard},
                     {after->body, after->guard},
                     {}};
      add_before(*before);
      std::uint64_t pass = 0;
      for (const term::Step* step : steps->second) {
        if (step->pass != pass) run.passes.push_back({axiom(step->rule_index), {}});
        pass = step->pass;
        run.passes.back().steps.push_back(
            {step->in_guard, step->position, step->binding, step->before, step->after,
             step->condition, step->condition ? decider_of(*step) : "", step->verdict.basis,
             step->statement, uses_of(*step), unfoldings_of(*step)});
      }
      result_.runs.push_back(std::move(run));
    }
  }

  // What a lemma has decided names the lemmas beside it.
  static std::string decider_of(const term::Step& step) {
    return step.verdict.lemmas.empty() ? step.verdict.decider : "lemma";
  }

  std::vector<check::LemmaUse> uses_of(const term::Step& step) {
    std::vector<check::LemmaUse> uses;
    for (const term::LemmaUse& each : step.verdict.lemmas) {
      uses.push_back({lemma(each.lemma), each.binding});
    }
    return uses;
  }

  std::vector<check::Unfolding> unfoldings_of(const term::Step& step) {
    std::vector<check::Unfolding> unfoldings;
    for (const term::Unfolding& each : step.verdict.unfoldings) {
      std::optional<std::size_t> axiom;
      if (each.law) axiom = law(*each.law);
      unfoldings.push_back({axiom, each.binding, each.before, each.after});
    }
    return unfoldings;
  }

  std::size_t law(std::size_t number) {
    const auto [place, inserted] = laws_.try_emplace(number, result_.axioms.size());
    if (inserted) result_.axioms.push_back(stated(derivation_.laws[number]));
    return place->second;
  }

  std::size_t lemma(std::size_t number) {
    const auto [place, inserted] = lemmas_.try_emplace(number, result_.lemmas.size());
    if (inserted) {
      const term::Lemma& lemma = derivation_.lemmas[number];
      result_.lemmas.push_back({lemma.name, place_of(store_, lemma.location), lemma.variables,
                                lemma.statement, lemma.condition});
    }
    return place->second;
  }

  void definitions() {
    for (const term::Step& step : derivation_.steps) {
      const term::Callable* callable = find(record_.results, step.callable);
      check::Definition definition{
          step.callable, callable->parameters, *callable->body, callable->guard, {}};
      defined_.insert(step.callable);
      if (const term::Callable* before = find(record_.callables, step.callable)) {
        add_before(*before);
      }
      if (step.with) definition.axioms.push_back(axiom(*step.with));
      definition.axioms.push_back(axiom(step.rule_index));
      result_.definitions.push_back(std::move(definition));
    }
  }

  // What occurs in the terms, and in what it is defined by.
  void operations() {
    const auto& callables = defining_ ? record_.results : record_.callables;
    std::map<SymbolId, const term::Callable*> known;
    for (const term::Callable& each : callables) known.emplace(each.symbol, &each);
    for (const check::Axiom& axiom : result_.axioms) {
      scan(axiom.left);
      scan(axiom.right);
      scan(axiom.condition);
    }
    for (const check::Lemma& lemma : result_.lemmas) {
      scan(lemma.statement);
      scan(lemma.condition);
    }
    for (const check::Run& run : result_.runs) {
      scan(run.from.body);
      scan(run.from.guard);
    }
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const auto callable = known.find(found_[i]);
      if (callable == known.end()) continue;
      add(*callable->second);
    }
    // The ranges of indices are stated by predicates that need not occur anywhere else.
    for (const term::Callable& each : callables) {
      const auto meaning = arithmetic(each.symbol);
      const bool order =
          meaning == term::Arithmetic::less || meaning == term::Arithmetic::less_equal;
      if (!defining_ && order && seen_.insert(each.symbol).second) add(each);
    }
    tell_reals(callables);
  }

  // That `==` compares reals is told by an operation on them.
  void tell_reals(const std::vector<term::Callable>& callables) {
    if (defining_ || !record_.interpretation.real) return;
    for (const term::SortId sort : compared_) {
      if (!record_.interpretation.real(sort)) continue;
      const auto found = std::ranges::find_if(callables, [&](const term::Callable& each) {
        return term::is_of_reals(arithmetic(each.symbol)) &&
               std::ranges::count(store_[each.symbol].parameters, sort) > 0;
      });
      if (found != callables.end() && seen_.insert(found->symbol).second) add(*found);
    }
  }

  bool is_equality(TermId term) const {
    const term::Builtin which = term::builtin(store_, store_.symbol(term));
    return which == term::Builtin::equal || which == term::Builtin::not_equal;
  }

  void add(const term::Callable& callable) {
    check::Operation operation;
    operation.symbol = callable.symbol;
    operation.meaning = arithmetic(callable.symbol);
    if (record_.interpretation.array_function) {
      operation.array = record_.interpretation.array_function(callable.symbol);
    }
    operation.parameters = callable.parameters;
    if (!defining_) operation.guard = callable.guard;
    operation.body =
        defining_ ? callable.body : rewrite::definition_of(record_.interpretation, callable.symbol);
    scan(operation.guard);
    scan(operation.body);
    if (operation.guard || operation.body || step_.asked.contains(callable.symbol)) {
      add_before(callable);
    } else if (operation.meaning == term::Arithmetic::none &&
               operation.array == term::ArrayFunction::none) {
      return;  // nothing to tell
    }
    result_.operations.push_back(std::move(operation));
  }

  // What is defined now was declared at most; `add` is given what it became.
  void add_before(const term::Callable& callable) {
    const bool given = callable.body && defined_.contains(callable.symbol);
    const auto known = std::ranges::find(step_.before, callable.symbol, &check::State::callable);
    if (given || known != step_.before.end()) return;
    step_.before.push_back({callable.symbol, callable.parameters, {callable.body, callable.guard}});
  }

  term::Arithmetic arithmetic(SymbolId symbol) const {
    if (!record_.interpretation.arithmetic) return term::Arithmetic::none;
    return record_.interpretation.arithmetic(symbol);
  }

  void scan(const std::optional<TermId>& root) {
    if (!root) return;
    term::for_each_subterm(store_, *root, [&](TermId part) {
      if (!seen_terms_.insert(part).second) return false;
      const term::Symbol& head = store_.head(part);
      if (is_equality(part)) compared_.insert(store_.sort(store_.children(part)[0]));
      const SymbolId symbol =
          head.control == term::Control::fold ? head.operation : store_.symbol(part);
      if (seen_.insert(symbol).second) found_.push_back(symbol);
      return true;
    });
  }

  const term::Store& store_;
  const term::Derivation& derivation_;
  const term::Record& record_;
  bool defining_;
  CertifiedStep step_;
  check::Derivation& result_ = step_.derivation;
  std::set<SymbolId> defined_;
  std::map<std::size_t, std::size_t> axioms_;
  std::map<std::size_t, std::size_t> lemmas_;
  std::map<std::size_t, std::size_t> laws_;  // where they are among the axioms
  std::vector<SymbolId> found_;
  std::unordered_set<SymbolId> seen_;
  std::unordered_set<TermId> seen_terms_;
  std::set<term::SortId> compared_;  // by `==` and `!=`
};

}  // namespace

CertifiedStep certified(const term::Store& store, const term::Derivation& derivation) {
  return Certifier(store, derivation).run();
}

}  // namespace rhopsi::driver
