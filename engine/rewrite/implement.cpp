// Equations as definitions, and declarations that come along with bodies.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "engine/rewrite/guard.hpp"
#include "engine/rewrite/rewriter.hpp"
#include "engine/rewrite/unfold.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::SymbolId;
using term::SymbolKind;
using term::TermId;

namespace {

class Implementer {
 public:
  Implementer(const Context& context, const term::Theory& generator, term::Theory& target,
              std::vector<ImplementProblem>& problems)
      : store_(context.store),
        record_steps_(context.record_steps),
        interpretation_(context.interpretation),
        generator_(generator),
        target_(target),
        problems_(problems),
        rules_(term::rules_of(store_, generator)),
        guards_(context, rules_.rules) {
    if (context.interpretation.array_function) find_array_rules(context.interpretation);
  }

  term::Derivation run() {
    derivation_.kind = "implement";
    derivation_.rules = generator_.name;
    term::Record record;
    if (record_steps_) record = {rules_.rules, interpretation_, target_.callables, {}};
    const std::size_t problems_before = problems_.size();
    for (const auto& [symbol, rules] : arrays_) use(symbol, rules);
    for (const term::Rule& rule : rules_.rules) use(rule);
    if (derivation_.runs.empty() && problems_.size() == problems_before && !repeats_) {
      report_unusable();
    }
    import_declarations(store_, generator_, target_);
    for (auto& [symbol, gap] : gaps_) {
      if (term::Callable* callable = target_.find(symbol)) callable->gap = std::move(gap);
    }
    if (record_steps_) {
      record.results = target_.callables;
      derivation_.record = std::make_shared<const term::Record>(std::move(record));
    }
    return std::move(derivation_);
  }

 private:
  // shape(f(x1, ..., xn)) == s and psi(p, f(x1, ..., xn)) == e: what defines an array operation.
  struct ArrayRules {
    const term::Rule* shape = nullptr;
    const term::Rule* element = nullptr;
  };

  void find_array_rules(const term::Interpretation& interpretation) {
    for (const term::Rule& rule : rules_.rules) {
      const auto function = interpretation.array_function(store_.symbol(rule.left));
      const bool shape = function == term::ArrayFunction::shape;
      if (!shape && function != term::ArrayFunction::element) continue;
      const auto sides = store_.children(rule.left);
      if (!shape && !store_.is_variable(sides[0])) continue;
      const TermId call = sides.back();
      if (store_.head(call).kind != SymbolKind::function) continue;
      const std::size_t others = shape ? 0 : 1;
      if (!has_distinct_variables(call) ||
          rule.variables.size() != store_.children(call).size() + others) {
        continue;
      }
      ArrayRules& found = arrays_[store_.symbol(call)];
      const term::Rule*& place = shape ? found.shape : found.element;
      if (place == nullptr) place = &rule;
    }
  }

  bool has_distinct_variables(TermId call) const {
    std::unordered_set<SymbolId> seen;
    return std::ranges::all_of(store_.children(call), [&](TermId argument) {
      return store_.is_variable(argument) && seen.insert(store_.symbol(argument)).second;
    });
  }

  std::optional<term::Gap> gap_of(SymbolId symbol, const ArrayRules& rules) const {
    const std::string name = "`" + to_string(store_, symbol) + "`";
    if (rules.shape == nullptr || rules.element == nullptr) {
      const bool has_shape = rules.shape != nullptr;
      const term::Rule& rule = has_shape ? *rules.shape : *rules.element;
      return term::Gap{"axiom " + rule.name + " alone does not define " + name + ": no rule for " +
                           observer(has_shape) + "(" + store_[symbol].name + ")",
                       rule.location};
    }
    for (const term::Rule* rule : {rules.shape, rules.element}) {
      if (!rule->condition) continue;
      return term::Gap{
          "axiom " + rule->name + " cannot define " + name + ": it holds only under a condition",
          rule->location};
    }
    return std::nullopt;
  }

  // The name of the function that gives an array's elements, or its shape.
  std::string observer(bool elements) const {
    const auto wanted = elements ? term::ArrayFunction::element : term::ArrayFunction::shape;
    for (const term::Callable& callable : generator_.callables) {
      if (interpretation_.array_function(callable.symbol) == wanted) {
        return store_[callable.symbol].name;
      }
    }
    return elements ? "an element" : "the shape";
  }

  // The body `forall (p < s) e`. Its calls stay calls: what they mean is asked where they are used.
  void use(SymbolId symbol, const ArrayRules& rules) {
    const term::Callable* existing = target_.find(symbol);
    if (existing && (existing->external || existing->body)) return;
    if (auto gap = gap_of(symbol, rules)) {
      gaps_.emplace(symbol, std::move(*gap));
      return;
    }
    const TermId shape_call = store_.children(rules.shape->left)[0];
    const std::vector<SymbolId> parameters = declare(*rules.shape, shape_call, symbol);
    const TermId shape = with_parameters(*rules.shape, shape_call, parameters, {});
    const TermId pattern = store_.children(rules.element->left)[0];
    const term::Symbol index_of_rule = store_[store_.symbol(pattern)];
    const SymbolId index = store_.fresh_variable(index_of_rule.name, index_of_rule.result, false);
    const TermId element =
        with_parameters(*rules.element, store_.children(rules.element->left)[1], parameters,
                        {{store_.symbol(pattern), store_.make(index)}});
    const std::vector<TermId> parts = {shape, element};
    const TermId body = store_.make(store_.control(term::Control::forall, store_[symbol].result),
                                    parts, std::vector<SymbolId>{index}, rules.element->location);
    term::Callable& defined = *target_.find(symbol);
    defined.body = body;
    defined.from_axioms = true;
    defined.by_rule = true;
    ++derivation_.applications[rules.shape->name];
    record(*rules.element, symbol, body, 1);
    if (record_steps_) derivation_.steps.back().with = index_of(*rules.shape);
  }

  // The right side about the parameters in place of the call's variables.
  TermId with_parameters(const term::Rule& rule, TermId call,
                         const std::vector<SymbolId>& parameters, term::Substitution renaming) {
    const auto arguments = store_.children(call);
    const std::vector<TermId> variables(arguments.begin(), arguments.end());
    for (std::size_t i = 0; i < variables.size(); ++i) {
      renaming.emplace(store_.symbol(variables[i]), store_.make(parameters[i]));
    }
    return term::instantiate(store_, rule.right, renaming);
  }

  void use(const term::Rule& rule) {
    if (!defines(rule)) return;
    const SymbolId symbol = store_.symbol(rule.left);
    const term::Callable* existing = target_.find(symbol);
    if (existing && existing->external) return;
    const std::string name = "`" + to_string(store_, symbol) + "`";
    if (rule.condition) {
      problem("axiom " + rule.name + " cannot define " + name + ": it holds only under a condition",
              rule.location);
    } else if (!existing || !existing->body) {
      define(rule, symbol);
    } else if (says(*existing, rule)) {
      declare(rule, rule.left, symbol);
      repeats_ = true;
    } else {
      problem("axiom " + rule.name + " cannot define " + name + ": it already has a body",
              rule.location);
    }
  }

  // Whether the body that is there is what the axiom says: two generators may share a library. What
  // either of them calls may have got its own body in between.
  bool says(const term::Callable& existing, const term::Rule& rule) {
    Unfolder unfolder(store_, target_);
    const TermId right = with_parameters(rule, rule.left, existing.parameters, {});
    const TermId body = unfolder.unfold(term::freshen(store_, *existing.body));
    return term::alpha_equal(store_, unfolder.unfold(right), body);
  }

  // f(x1, ..., xn) == right, with distinct variables, and not of the form f(...) == f(...).
  bool defines(const term::Rule& rule) const {
    const term::Symbol& head = store_.head(rule.left);
    if (head.kind != SymbolKind::function && head.kind != SymbolKind::predicate) return false;
    if (term::builtin(store_, store_.symbol(rule.left)) != term::Builtin::none) return false;
    const auto arguments = store_.children(rule.left);
    const bool all_variables = std::ranges::all_of(
        arguments, [&](TermId argument) { return store_.is_variable(argument); });
    return all_variables && rule.variables.size() == arguments.size() &&
           store_.symbol(rule.right) != store_.symbol(rule.left);
  }

  void define(const term::Rule& rule, SymbolId symbol) {
    const std::vector<SymbolId> parameters = declare(rule, rule.left, symbol);
    term::Substitution renaming;
    const auto arguments = store_.children(rule.left);
    const std::vector<TermId> variables(arguments.begin(), arguments.end());
    for (std::size_t i = 0; i < variables.size(); ++i) {
      renaming.emplace(store_.symbol(variables[i]), store_.make(parameters[i]));
    }
    // Fresh per use of the axiom, which other targets may implement too.
    const TermId right = term::instantiate(store_, rule.right, renaming, place_of(rule));
    Unfolder unfolder(store_, target_);
    const TermId body = unfolder.unfold(right);
    term::Callable& defined = *target_.find(symbol);
    defined.body = body;
    defined.by_rule = true;
    for (TermId condition : unfolder.conditions()) guards_.require(defined, condition);
    record(rule, symbol, body, unfolder.count());
  }

  // Messages about the new body should point at the program: at the definition of the
  // first operation that is unfolded into it. Without one, at each part of the right side itself.
  term::LocationId place_of(const term::Rule& rule) const {
    for (SymbolId operation : term::operations_in(store_, rule.right)) {
      const term::Callable* callable = target_.find(operation);
      // What axioms alone say of an operation stays a call of it.
      if (callable && callable->body && !callable->from_axioms) return callable->location;
    }
    return {};
  }

  // The parameters of the function in the target, which is added if it is missing.
  std::vector<SymbolId> declare(const term::Rule& rule, TermId call, SymbolId symbol) {
    const term::Callable* from = generator_.find(symbol);
    term::Callable* existing = target_.find(symbol);
    if (existing) {
      existing->required = false;
      if (from && from->guard) {
        const TermId guard = guard_for(*from, existing->parameters);
        if (existing->guard) {
          guards_.require(*existing, guard);
        } else {
          existing->guard = guard;
        }
      }
      return existing->parameters;
    }
    term::Callable added;
    added.symbol = symbol;
    for (TermId variable : store_.children(call)) {
      const term::Symbol& old = store_[store_.symbol(variable)];
      added.parameters.push_back(store_.fresh_variable(old.name, old.result, false));
    }
    added.location = from ? from->location : rule.location;
    added.origin = from ? from->origin : generator_.name;
    if (from && from->guard) added.guard = guard_for(*from, added.parameters);
    target_.callables.push_back(added);
    return added.parameters;
  }

  TermId guard_for(const term::Callable& from, const std::vector<SymbolId>& parameters) {
    term::Substitution renaming;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      renaming.emplace(from.parameters[i], store_.make(parameters[i]));
    }
    return term::instantiate(store_, *from.guard, renaming);
  }

  void record(const term::Rule& rule, SymbolId symbol, TermId body, std::uint64_t unfolded) {
    term::CallableRun run;
    run.callable = symbol;
    run.steps = unfolded + 1;
    derivation_.runs.push_back(run);
    ++derivation_.applications[rule.name];
    if (!record_steps_) return;
    term::Step step;
    step.rule = rule.name;
    step.rule_index = index_of(rule);
    step.rule_location = rule.location;
    step.callable = symbol;
    step.before = rule.left;
    step.after = body;
    step.verdict.answer = term::Verdict::Answer::proved;
    derivation_.steps.push_back(std::move(step));
  }

  std::size_t index_of(const term::Rule& rule) const {
    return static_cast<std::size_t>(&rule - rules_.rules.data());
  }

  // Nothing at all came of the generator: say what each of its axioms lacks.
  void report_unusable() {
    for (const auto& [symbol, gap] : gaps_) problem(gap.message, gap.location);
    if (!gaps_.empty()) return;
    for (const term::RuleProblem& unused : rules_.problems) {
      problem("axiom " + unused.axiom + " defines nothing: " + unused.detail, unused.location);
    }
    for (const term::Rule& rule : rules_.rules) {
      problem("axiom " + rule.name + " defines nothing: its left side `" +
                  to_string(store_, rule.left) +
                  "` is no call with distinct variables to a function that lacks a body",
              rule.location);
    }
    if (rules_.problems.empty() && rules_.rules.empty()) {
      problem("`" + generator_.name + "` has no axiom that could define a function", {});
    }
  }

  void problem(std::string message, term::LocationId location) {
    problems_.push_back({std::move(message), location});
  }

  term::Store& store_;
  bool record_steps_;
  const term::Interpretation& interpretation_;
  const term::Theory& generator_;
  term::Theory& target_;
  std::vector<ImplementProblem>& problems_;
  const term::RuleSet rules_;
  GuardWriter guards_;
  std::map<SymbolId, ArrayRules> arrays_;
  bool repeats_ = false;                // an axiom says what is there already
  std::map<SymbolId, term::Gap> gaps_;  // of what only a program that needs it has to define
  term::Derivation derivation_;
};

// Brings over what the terms of a theory mention, callable by callable.
class Importer {
 public:
  Importer(const term::Store& store, const term::Theory& from, term::Theory& to)
      : store_(store), from_(from), to_(to) {
    for (const term::Callable& callable : to.callables) present_.insert(callable.symbol);
    for (const term::Callable& callable : from.callables) {
      available_.emplace(callable.symbol, &callable);
    }
    for (const term::Type& type : to.types) sorts_.insert(type.sort);
  }

  void run() {
    // The list grows while it is walked: what is added is scanned in its turn.
    for (std::size_t i = 0; i < to_.callables.size(); ++i) {
      const std::optional<TermId> body = to_.callables[i].body;
      const std::optional<TermId> guard = to_.callables[i].guard;
      add_sorts(store_[to_.callables[i].symbol]);
      if (body) scan(*body);
      if (guard) scan(*guard);
    }
  }

 private:
  void scan(TermId root) {
    term::for_each_subterm(store_, root, [&](TermId subterm) {
      if (!seen_.insert(subterm).second) return false;
      const term::Symbol& head = store_.head(subterm);
      if (symbols_.insert(store_.symbol(subterm)).second) {
        add_sorts(head);
        add_callable(head.control == term::Control::fold ? head.operation : store_.symbol(subterm));
      }
      for (SymbolId variable : store_.bound(subterm)) add_sort(store_[variable].result);
      return true;
    });
  }

  void add_callable(SymbolId symbol) {
    auto found = available_.find(symbol);
    if (found == available_.end() || !present_.insert(symbol).second) return;
    to_.callables.push_back(*found->second);
  }

  void add_sorts(const term::Symbol& symbol) {
    add_sort(symbol.result);
    for (term::SortId sort : symbol.parameters) add_sort(sort);
  }

  void add_sort(term::SortId sort) {
    if (!sorts_.insert(sort).second) return;
    if (const term::Type* type = from_.find_type(sort)) to_.types.push_back(*type);
  }

  const term::Store& store_;
  const term::Theory& from_;
  term::Theory& to_;
  std::unordered_set<SymbolId> present_;
  std::unordered_map<SymbolId, const term::Callable*> available_;
  std::unordered_set<SymbolId> symbols_;
  std::unordered_set<TermId> seen_;
  std::unordered_set<term::SortId> sorts_;
};

}  // namespace

term::Derivation implement(const Context& context, const term::Theory& generator,
                           term::Theory& target, std::vector<ImplementProblem>& problems) {
  return Implementer(context, generator, target, problems).run();
}

void import_declarations(const term::Store& store, const term::Theory& from, term::Theory& to) {
  Importer(store, from, to).run();
}

}  // namespace rhopsi::rewrite
