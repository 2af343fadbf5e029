// `rewrite T with R N` and `implement G in T`.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <memory>
#include <string>

#include "engine/rewrite/lemmas.hpp"
#include "engine/rewrite/rewriter.hpp"
#include "engine/rewrite/shape_oracle.hpp"
#include "engine/rewrite/widths.hpp"
#include "engine/term/rule.hpp"
#include "frontend/elaborate/evaluator.hpp"
#include "frontend/elaborate/module_codes.hpp"
#include "frontend/elaborate/module_elaboration.hpp"
#include "frontend/elaborate/strategy.hpp"
#include "frontend/elaborate/widths.hpp"

namespace rhopsi::elaborate {

namespace {

// The expression as it was written, on one line and not too long, for messages.
std::string text_of(const syntax::ModuleExpr& expression) {
  constexpr std::size_t longest = 80;
  const syntax::Span& span = expression.span;
  if (!span.file) return {};
  std::string text;
  for (char each : span.file->text().substr(span.begin, span.end - span.begin)) {
    const bool space = std::isspace(static_cast<unsigned char>(each)) != 0;
    if (space && (text.empty() || text.back() == ' ')) continue;
    text += space ? ' ' : each;
    if (text.size() > longest) return text.substr(0, longest - 3) + "...";
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// Where the target says what an operation means, the rules have no say.
term::Interpretation joint_interpretation(const ModuleContext& context, const term::Theory& target,
                                          const term::Theory& rules) {
  term::Theory joint;
  joint.callables = target.callables;
  for (const term::Callable& callable : rules.callables) {
    term::Callable* present = joint.find(callable.symbol);
    if (present == nullptr) {
      joint.callables.push_back(callable);
    } else if (!present->concrete()) {
      present->external = callable.external;
    }
  }
  return interpretation_of(context.store, joint, context.table);
}

const char* problem_code(term::RuleProblem::Kind kind) {
  switch (kind) {
    case term::RuleProblem::Kind::left_is_variable:
      return codes::left_is_variable;
    case term::RuleProblem::Kind::unbound_right:
      return codes::unbound_right;
    case term::RuleProblem::Kind::unbound_condition:
      return codes::unbound_condition;
    case term::RuleProblem::Kind::sequence:
      return codes::statements_no_rule;
    case term::RuleProblem::Kind::not_an_equation:
    case term::RuleProblem::Kind::same_sides:
      return nullptr;  // no rule, and no mistake
  }
  return nullptr;
}

std::string problem_note(term::RuleProblem::Kind kind) {
  if (kind == term::RuleProblem::Kind::left_is_variable) {
    return "turn the equation round, or keep this axiom out of the rules";
  }
  if (kind == term::RuleProblem::Kind::sequence) {
    return "the statements of the right side may change what those of the left side change, and "
           "nothing else; keep this axiom out of the rules where it says another thing";
  }
  return "every variable of a rule must occur in its left side; turn the equation round, or "
         "keep this axiom out of the rules";
}

}  // namespace

std::optional<Evaluator::Sides> Evaluator::evaluate_sides(const syntax::ModuleExpr& target,
                                                          const syntax::ModuleExpr& rules,
                                                          const Frame& frame) {
  const Frame concept_frame{frame.package, term::ModuleKind::concept_, frame.origin};
  // Both, so that the errors of both are seen.
  std::optional<Module> target_module = evaluate(target, frame);
  std::optional<Module> rules_module = evaluate(rules, concept_frame);
  if (!target_module || !rules_module) return std::nullopt;
  auto instances = instantiate_for(context_, *rules_module, target_module->theory);
  if (!instances) return std::nullopt;
  return Sides{std::move(*target_module), std::move(*rules_module), std::move(*instances)};
}

bool Evaluator::check_rules(const term::RuleSet& rules, const syntax::ModuleExpr& module) {
  bool good = true;
  for (const term::RuleProblem& problem : rules.problems) {
    const char* code = problem_code(problem.kind);
    if (code == nullptr) continue;
    syntax::Diagnostic& error =
        context_.error(code, context_.places.span(problem.location),
                       "axiom " + in_quotes(problem.axiom) + " gives no rule: " + problem.detail,
                       problem_note(problem.kind));
    error.related.push_back({module.span, "used as rules here"});
    good = false;
  }
  return good;
}

std::optional<Module> Evaluator::evaluate_node(const syntax::Rewrite& rewriting, const Frame& frame,
                                               const syntax::Span&) {
  auto sides = evaluate_sides(*rewriting.target, *rewriting.rules, frame);
  if (!sides) return std::nullopt;
  const term::RuleSet rules = term::rules_of(context_.store, sides->instances);
  if (!check_rules(rules, *rewriting.rules)) return std::nullopt;
  if (sides->rules.theory.axioms.empty() &&
      std::ranges::none_of(sides->rules.templates, &Template::axiom)) {
    context_.diagnostics->warning(
        codes::no_rules, rewriting.rules->span,
        "nothing to rewrite with: " + kind_with_article(sides->rules.theory.kind) +
            " without axioms",
        "the rules of `rewrite T with R` are the equations in R's axioms");
  }
  const term::Interpretation interpretation =
      joint_interpretation(context_, sides->target.theory, sides->instances);
  rewrite::ShapeOracle shapes(
      context_.store, context_.oracle, sides->target.theory.callables, interpretation,
      [&](const rewrite::ShapeSymbols& symbols) {
        std::vector<term::Axiom> stated = sides->target.theory.axioms;
        for (const Dropped& each : sides->target.dropped) {
          std::ranges::move(axioms_of(context_.store, each), std::back_inserter(stated));
        }
        std::ranges::copy(sides->instances.axioms, std::back_inserter(stated));
        return rewrite::shape_laws(context_.store, symbols, interpretation, stated);
      });
  rewrite::WidthFinder finder(context_.store, shapes, found_widths(context_, sides->target.theory));
  rewrite::LemmaOracle decider(context_.store, finder,
                               term::lemmas_of(context_.store, sides->instances));
  const bool record = context_.options.record_steps;
  const rewrite::Context context{context_.store, decider, interpretation, context_.options.limits,
                                 record || finder.active()};
  term::Theory& target = sides->target.theory;
  std::optional<rewrite::Strategy> strategy;
  if (rewriting.strategy) {
    const StrategyNames names{context_.store, rules, target};
    strategy = read_strategy(*rewriting.strategy, &names, *context_.diagnostics);
    if (!strategy) return std::nullopt;
  }
  term::Derivation derivation =
      strategy ? rewrite::rewrite(context, target, rules, *strategy, rewriting.bound)
               : rewrite::rewrite(context, target, rules, rewriting.bound);
  derivation.widths = finder.needs(derivation);
  derivation.lemmas = decider.lemmas();
  derivation.laws = shapes.laws();
  if (!record) {
    // What no width lets fire is said wherever the width is.
    std::erase_if(derivation.steps, [&](const term::Step& step) {
      return step.applied || !step.condition || !finder.asks(*step.condition);
    });
    derivation.record.reset();
  }
  derivation.rules = text_of(*rewriting.rules);
  rewrite::import_declarations(context_.store, sides->instances, sides->target.theory);
  sides->target.theory.derivations.push_back(
      {std::make_shared<const term::Derivation>(std::move(derivation)), {}});
  return std::move(sides->target);
}

std::optional<Module> Evaluator::evaluate_node(const syntax::Implement& implementing,
                                               const Frame& frame, const syntax::Span&) {
  auto sides = evaluate_sides(*implementing.target, *implementing.generator, frame);
  if (!sides) return std::nullopt;
  const rewrite::Context context{
      context_.store, context_.oracle,
      joint_interpretation(context_, sides->target.theory, sides->instances),
      context_.options.limits, context_.options.record_steps};
  std::vector<rewrite::ImplementProblem> problems;
  term::Derivation derivation =
      rewrite::implement(context, sides->instances, sides->target.theory, problems);
  for (const rewrite::ImplementProblem& problem : problems) {
    const syntax::Span place = context_.places.span(problem.location);
    syntax::Diagnostic& error = context_.error(
        codes::cannot_implement, place.file ? place : implementing.generator->span, problem.message,
        "an equation of a generator is `f(x, y) == e`: a call with distinct variables to a "
        "function that the target leaves open");
    error.related.push_back({implementing.generator->span, "used as generator here"});
  }
  if (!problems.empty()) return std::nullopt;
  derivation.rules = text_of(*implementing.generator);
  sides->target.dropped.push_back(
      {std::make_shared<const std::vector<term::Axiom>>(sides->instances.axioms), {}});
  rewrite::import_declarations(context_.store, sides->instances, sides->target.theory);
  sides->target.theory.derivations.push_back(
      {std::make_shared<const term::Derivation>(std::move(derivation)), {}});
  return std::move(sides->target);
}

}  // namespace rhopsi::elaborate
