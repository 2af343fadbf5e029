#include "frontend/driver/analysis_rules.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "engine/analysis/unify.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "engine/smt/oracle.hpp"
#include "engine/term/operations.hpp"
#include "frontend/driver/restored.hpp"

namespace rhopsi::driver {

namespace {

using analysis::Sort;
using analysis::Term;

class Translation {
 public:
  Translation(const term::Store& store, const term::Interpretation& interpretation,
              BoundVariables bound, AnalysisRules& out)
      : store_(store), interpretation_(interpretation), bound_(bound), out_(out) {}

  // Overloads of one name are told apart by their sorts.
  void note_names(const term::Rule& rule) {
    for (term::TermId side : {rule.left, rule.right}) {
      for (term::SymbolId each : term::operations_in(store_, side)) {
        const auto [known, made] = names_.emplace(store_[each].name, each);
        if (!made && known->second != each) overloaded_.insert(store_[each].name);
      }
    }
  }

  void add(const term::Rule& rule) {
    variables_.clear();
    bound_constants_.clear();
    for (term::SymbolId each : rule.variables) {
      const int variable =
          out_.bank.fresh_variable(sort_of(store_[each].result), store_[each].name);
      variables_.emplace(each, out_.bank.variable(variable));
    }
    binder_seen_ = false;
    const Term left = term_of(rule.left);
    out_.binder_on_left = out_.binder_on_left || binder_seen_;
    binder_seen_ = false;
    const Term right = term_of(rule.right);
    out_.rules.push_back({left, right});
    out_.binders.push_back(binder_seen_);
    std::optional<Term> condition;
    if (rule.condition) condition = term_of(*rule.condition);
    out_.conditions.push_back(condition);
  }

 private:
  static Sort sort_of(term::SortId sort) { return static_cast<Sort>(sort); }

  Term term_of(term::TermId term) {
    const term::SymbolId symbol = store_.symbol(term);
    if (store_.is_variable(term)) {
      if (const auto known = variables_.find(symbol); known != variables_.end()) {
        return known->second;
      }
      return bound_constant(symbol);
    }
    if (!store_.bound(term).empty()) binder_seen_ = true;
    const std::vector<term::TermId> children(store_.children(term).begin(),
                                             store_.children(term).end());
    std::vector<Term> arguments;
    for (term::TermId each : children) arguments.push_back(term_of(each));
    return out_.bank.make(symbol_of(term, arguments), arguments);
  }

  // A construct of the language is a symbol for each number and sorts of its children.
  int symbol_of(term::TermId term, const std::vector<Term>& arguments) {
    analysis::Symbol symbol{name_of(term), {}, sort_of(store_.sort(term))};
    for (Term each : arguments) symbol.parameters.push_back(out_.bank.sort(each));
    const auto key = std::pair(static_cast<std::uint32_t>(store_.symbol(term)), symbol.parameters);
    const auto known = symbols_.find(key);
    if (known != symbols_.end()) return known->second;
    const int made = out_.bank.add_symbol(std::move(symbol));
    symbols_.emplace(key, made);
    if (store_.bound(term).empty()) out_.origins.emplace(made, store_.symbol(term));
    note_meaning(term, made);
    return made;
  }

  void note_meaning(term::TermId term, int symbol) {
    using analysis::Operation;
    using term::Arithmetic;
    const term::Symbol& head = store_.head(term);
    if (head.kind == term::SymbolKind::integer_literal) {
      out_.arithmetic.integers.emplace(symbol, head.integer);
    }
    if (head.control != term::Control::none) return;
    static const std::map<Arithmetic, Operation> operations{
        {Arithmetic::add, Operation::add},       {Arithmetic::subtract, Operation::subtract},
        {Arithmetic::negate, Operation::negate}, {Arithmetic::multiply, Operation::multiply},
        {Arithmetic::and_, Operation::and_},     {Arithmetic::or_, Operation::or_},
        {Arithmetic::not_, Operation::not_},     {Arithmetic::implies, Operation::implies},
        {Arithmetic::iff, Operation::iff},
    };
    const Arithmetic meaning = interpretation_.arithmetic(store_.symbol(term));
    if (const auto found = operations.find(meaning); found != operations.end()) {
      out_.arithmetic.operations.emplace(symbol, found->second);
    } else if (meaning == Arithmetic::true_ || meaning == Arithmetic::false_) {
      out_.arithmetic.truths.emplace(symbol, meaning == Arithmetic::true_);
    }
  }

  std::string name_of(term::TermId term) const {
    const term::Symbol& head = store_.head(term);
    switch (head.control) {
      case term::Control::if_:
        return "if";
      case term::Control::vector_:
        return "vector";
      case term::Control::fold:
        return "fold " + store_[head.operation].name;
      case term::Control::forall:
        return "forall";
      case term::Control::none:
        break;
      default:
        return "statement " + std::to_string(static_cast<int>(head.control));
    }
    if (head.kind == term::SymbolKind::integer_literal) return std::to_string(head.integer);
    if (!overloaded_.contains(head.name)) return head.name;
    std::string sorts;
    for (term::SortId each : head.parameters) {
      sorts += (sorts.empty() ? "" : ",") + store_.name(each);
    }
    return head.name + "[" + sorts + "]";
  }

  Term bound_constant(term::SymbolId variable) {
    const Sort sort = sort_of(store_[variable].result);
    if (bound_ == BoundVariables::one_per_sort) {
      const auto known = by_sort_.find(sort);
      if (known != by_sort_.end()) return known->second;
      const int made = out_.bank.add_symbol({"bound", {}, sort});
      return by_sort_.emplace(sort, out_.bank.make(made, {})).first->second;
    }
    const auto known = bound_constants_.find(variable);
    if (known != bound_constants_.end()) return known->second;
    const int made = out_.bank.add_symbol({store_[variable].name, {}, sort});
    return bound_constants_.emplace(variable, out_.bank.make(made, {})).first->second;
  }

  const term::Store& store_;
  const term::Interpretation& interpretation_;
  BoundVariables bound_;
  AnalysisRules& out_;
  std::map<std::pair<std::uint32_t, std::vector<Sort>>, int> symbols_;
  std::unordered_map<term::SymbolId, Term> variables_;
  std::unordered_map<term::SymbolId, Term> bound_constants_;
  std::map<Sort, Term> by_sort_;
  std::unordered_map<std::string, term::SymbolId> names_;
  std::unordered_set<std::string> overloaded_;
  bool binder_seen_ = false;
};

std::string place(const term::Store& store, term::LocationId location) {
  const term::Location& at = store[location];
  if (at.file.empty()) return "";
  return at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
}

// Asks whether two rules fit one term.
class Meetings {
 public:
  Meetings(term::Store& store, const term::Interpretation& interpretation, AnalysisRules& system)
      : store_(store), interpretation_(interpretation), system_(system), oracle_(intervals_) {}

  // Some term is an instance of both left sides, and their conditions do not exclude each other
  // there.
  bool meet(std::size_t one, std::size_t other) {
    analysis::TermBank& bank = system_.bank;
    if (!analysis::unify_apart(bank, system_.rules[one].left, system_.rules[other].left)) {
      return false;
    }
    analysis::Substitution renaming;
    const Term left = analysis::rename(bank, system_.rules[other].left, renaming);
    const auto common = analysis::unify(bank, system_.rules[one].left, left);
    if (!common) return true;
    std::vector<Term> conditions;
    if (system_.conditions[one]) conditions.push_back(*system_.conditions[one]);
    if (const auto& of_other = system_.conditions[other]) {
      conditions.push_back(analysis::rename(bank, *of_other, renaming));
    }
    Restored restored(store_, system_);
    std::vector<term::TermId> predicates;
    for (const Term each : conditions) {
      if (const auto made = restored.of(analysis::apply(bank, each, *common))) {
        predicates.push_back(*made);
      }
    }
    return !exclude_each_other(store_, oracle_, interpretation_, predicates);
  }

 private:
  term::Store& store_;
  const term::Interpretation& interpretation_;
  AnalysisRules& system_;
  rewrite::IntervalOracle intervals_;
  smt::Oracle oracle_;
};

void lint_rules(term::Store& store, const term::RuleSet& rules,
                const term::Interpretation& interpretation, AnalysisRules& system,
                std::vector<std::string>& out) {
  Meetings meetings(store, interpretation, system);
  for (std::size_t i = 0; i < system.rules.size(); ++i) {
    const term::Rule& later = rules.rules[i];
    for (std::size_t j = 0; j < i; ++j) {
      const term::Rule& earlier = rules.rules[j];
      const Term left = system.rules[j].left;
      if (!system.conditions[j] && analysis::match(system.bank, left, system.rules[i].left)) {
        out.push_back(place(store, later.location) + "rule " + later.name +
                      " can never fire: rule " + earlier.name + " takes every term that it fits");
      } else if (meetings.meet(j, i)) {
        out.push_back(place(store, later.location) + "the left sides of rules " + later.name +
                      " and " + earlier.name + " overlap: both fit some terms, and " +
                      earlier.name + " comes first");
      }
    }
  }
}

// Asked of the solver too, where intervals leave it open.
void lint_conditions(term::Store& store, const term::RuleSet& rules,
                     const term::Interpretation& interpretation, std::vector<std::string>& out) {
  rewrite::IntervalOracle intervals;
  smt::Oracle oracle(intervals);
  const term::SymbolId negation =
      term::builtin_symbol(store, term::Builtin::not_, store.predicate_sort());
  for (const term::Rule& rule : rules.rules) {
    if (!rule.condition) continue;
    const term::TermId never = store.make(negation, {*rule.condition});
    const auto verdict = oracle.decide(store, never, {}, interpretation);
    if (verdict.answer != term::Verdict::Answer::proved) continue;
    out.push_back(place(store, rule.location) + "rule " + rule.name +
                  " can never fire: its condition " + term::to_string(store, *rule.condition) +
                  " holds nowhere");
  }
}

void lint_overloads(const term::Store& store, const term::Theory& theory,
                    std::vector<std::string>& out) {
  for (std::size_t i = 0; i < theory.callables.size(); ++i) {
    const term::Symbol& later = store[theory.callables[i].symbol];
    for (std::size_t j = 0; j < i; ++j) {
      const term::Symbol& earlier = store[theory.callables[j].symbol];
      if (later.name != earlier.name || later.kind != earlier.kind) continue;
      if (later.parameters != earlier.parameters || later.result == earlier.result) continue;
      out.push_back(
          place(store, theory.callables[i].location) + "overloads " +
          term::to_string(store, theory.callables[i].symbol) + " and " +
          term::to_string(store, theory.callables[j].symbol) +
          " differ in their results only: where either sort would do, a call needs a cast");
    }
  }
}

}  // namespace

// Each is asked for in turn where the others hold: what a decider finds may hang on that.
bool exclude_each_other(term::Store& store, term::ConditionOracle& oracle,
                        const term::Interpretation& interpretation,
                        const std::vector<term::TermId>& predicates) {
  const auto negation = term::builtin_symbol(store, term::Builtin::not_, store.predicate_sort());
  for (std::size_t i = predicates.size(); i-- > 0;) {
    std::vector<term::TermId> others = predicates;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const term::TermId never = store.make(negation, {predicates[i]});
    const auto verdict = oracle.decide(store, never, others, interpretation);
    if (verdict.answer == term::Verdict::Answer::proved) return true;
  }
  return false;
}

void first_order(const term::Store& store, const std::vector<term::Rule>& rules,
                 const term::Interpretation& interpretation, BoundVariables bound,
                 AnalysisRules& out) {
  Translation translation(store, interpretation, bound, out);
  for (const term::Rule& each : rules) translation.note_names(each);
  for (const term::Rule& each : rules) translation.add(each);
}

std::vector<std::string> lint(term::Store& store, const term::Theory& theory,
                              const term::RuleSet& rules,
                              const term::Interpretation& interpretation, AnalysisRules& system) {
  std::vector<std::string> out;
  lint_rules(store, rules, interpretation, system, out);
  lint_conditions(store, rules, interpretation, out);
  lint_overloads(store, theory, out);
  for (const term::RuleProblem& each : rules.problems) {
    out.push_back(place(store, each.location) + "axiom " + each.axiom +
                  " gives no rule: " + each.detail);
  }
  return out;
}

}  // namespace rhopsi::driver
