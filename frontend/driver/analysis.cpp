#include "frontend/driver/analysis.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/analysis/confluence.hpp"
#include "engine/analysis/termination.hpp"
#include "engine/term/rule.hpp"
#include "frontend/driver/analysis_arithmetic.hpp"
#include "frontend/driver/analysis_rules.hpp"
#include "frontend/driver/expression_scope.hpp"
#include "frontend/driver/stages.hpp"
#include "frontend/driver/system_file.hpp"
#include "frontend/syntax/deep_stack.hpp"
#include "frontend/syntax/scan.hpp"
#include "frontend/trs/read.hpp"
#include "frontend/trs/rec.hpp"

namespace rhopsi::driver {

namespace {

using analysis::Answer;
using analysis::Rules;
using analysis::Term;
using analysis::TermBank;

// Reads a term in pre-order from its end, where arguments come before their symbol.
Term term_of(TermBank& bank, const trs::Term& word, const std::vector<int>& variables) {
  std::vector<Term> stack;
  for (std::size_t i = word.size(); i-- > 0;) {
    if (word[i] < 0) {
      stack.push_back(bank.variable(variables[static_cast<std::size_t>(~word[i])]));
      continue;
    }
    const std::size_t arity = bank.symbol(word[i]).arity();
    const std::vector<Term> arguments(stack.rbegin(),
                                      stack.rbegin() + static_cast<std::ptrdiff_t>(arity));
    stack.resize(stack.size() - arity);
    stack.push_back(bank.make(word[i], arguments));
  }
  return stack.back();
}

Rules rules_of(TermBank& bank, const trs::System& system) {
  for (const trs::Symbol& each : system.symbols) {
    analysis::Symbol symbol{each.name, std::vector<analysis::Sort>(each.arity, 0),
                            static_cast<analysis::Sort>(each.result)};
    for (std::size_t i = 0; i < each.parameters.size(); ++i) {
      symbol.parameters[i] = static_cast<analysis::Sort>(each.parameters[i]);
    }
    bank.add_symbol(std::move(symbol));
  }
  Rules out;
  for (const trs::Rule& each : system.rules) {
    std::vector<int> variables;
    for (const trs::Variable& variable : each.variables) {
      variables.push_back(
          bank.fresh_variable(static_cast<analysis::Sort>(variable.sort), variable.name));
    }
    out.push_back({term_of(bank, each.left, variables), term_of(bank, each.right, variables)});
  }
  return out;
}

void analyse_within_stack(const trs::System& system, const AnalysisRequest& request,
                          const FindingSink& sink) {
  TermBank bank;
  const Rules rules = rules_of(bank, system);
  const analysis::Deadline deadline(request.limit * 95 / 100);  // steps end a little late
  const bool innermost = request.innermost || system.strategy == trs::Strategy::innermost;
  std::optional<analysis::Verdict> known;
  if (request.termination) {
    analysis::TerminationProblem problem{
        rules, innermost ? analysis::Strategy::innermost : analysis::Strategy::full,
        // A reduction with a strategy that is not followed here is one of full rewriting.
        system.strategy == trs::Strategy::outermost};
    known =
        analysis::termination(bank, problem, request.confluence ? deadline.part(0.6) : deadline);
    std::string note = innermost ? "of innermost rewriting" : "";
    if (system.strategy == trs::Strategy::outermost) {
      note = "of outermost rewriting: only termination of all rewriting is looked for";
    }
    sink({"termination", *known, note});
  }
  if (!request.confluence) return;
  const bool full = known && !innermost && system.strategy == trs::Strategy::full;
  sink({"confluence", analysis::confluence(bank, {rules}, full ? &*known : nullptr, deadline),
        innermost || system.strategy == trs::Strategy::outermost ? "of rewriting without a strategy"
                                                                 : ""});
}

std::size_t count(const std::vector<bool>& flags) {
  return static_cast<std::size_t>(std::count(flags.begin(), flags.end(), true));
}

std::size_t count(const std::vector<std::optional<Term>>& conditions) {
  return static_cast<std::size_t>(
      std::ranges::count_if(conditions, [](const auto& each) { return each.has_value(); }));
}

std::string counted(std::size_t number, const char* what) {
  return std::to_string(number) + (number == 1 ? " rule has " : " rules have ") + what;
}

std::string termination_note(const AnalysisRules& system) {
  std::string note = std::to_string(system.rules.size()) + " rules";
  if (count(system.conditions) > 0) {
    note += "; " + counted(count(system.conditions), "a condition") +
            ", which is dropped: what terminates without it does so with it";
  }
  if (count(system.binders) > 0 || system.binder_on_left) {
    note += "; variables that are bound count as constants";
  }
  return note;
}

analysis::Verdict theory_confluence(AnalysisRules& system, const analysis::Verdict* termination,
                                    const analysis::Deadline& deadline) {
  if (system.binder_on_left) {
    return {Answer::maybe, {"a left side binds variables: such overlaps are not computed"}};
  }
  analysis::ConfluenceProblem problem{system.rules, {}, count(system.conditions) > 0};
  for (std::size_t i = 0; i < system.rules.size(); ++i) {
    problem.opaque.push_back(system.conditions[i].has_value() || system.binders[i]);
  }
  return analysis::confluence(system.bank, problem, termination, deadline);
}

// The library that the package imports, or nothing.
std::shared_ptr<const term::Theory> library_of(Session& session, const std::string& file) {
  syntax::Diagnostics unused;
  const auto package = load(session, file, unused);
  return package ? imported_library(session, *package, unused) : nullptr;
}

}  // namespace

std::vector<std::string> analyse(Session& session, const term::Theory& theory,
                                 const AnalysisRequest& request, const FindingSink& sink) {
  const term::RuleSet rules = term::rules_of(session.store(), theory);
  const auto library = library_of(session, request.file);
  const term::Interpretation interpretation = meanings_of(session, theory, library.get());
  const analysis::Deadline deadline(request.limit * 95 / 100);  // steps end a little late
  std::optional<analysis::Verdict> known;
  if (request.termination || request.confluence) {
    AnalysisRules system;
    first_order(session.store(), rules.rules, interpretation, BoundVariables::one_per_sort, system);
    const bool approximate =
        count(system.conditions) > 0 || count(system.binders) > 0 || system.binder_on_left;
    const auto strategy =
        request.innermost ? analysis::Strategy::innermost : analysis::Strategy::full;
    known = analysis::termination(system.bank, {system.rules, strategy, approximate},
                                  deadline.part(0.6));
    if (request.termination) sink({"termination", *known, termination_note(system)});
  }
  AnalysisRules system;
  first_order(session.store(), rules.rules, interpretation, BoundVariables::one_per_binder, system);
  if (request.confluence) {
    const bool full = !request.innermost;
    auto plain = theory_confluence(system, full ? &*known : nullptr, deadline.part(0.5));
    auto found =
        confluence_modulo(session, theory, library.get(), system, std::move(plain), deadline);
    AnalysisFinding finding{
        "confluence", std::move(found.verdict),
        "terms of the theory's sorts, equal up to bound variables and nothing else"};
    if (found.modulo) {
      finding.modulo = "integer arithmetic";
      finding.note = "of the rules and the laws of integers and truth values together";
    }
    sink(finding);
  }
  return lint(session.store(), theory, rules, interpretation, system);
}

std::optional<trs::System> read_system(const std::string& path, syntax::Diagnostics& diagnostics) {
  const auto file = system_file(path, syntax::largest_text, diagnostics);
  if (!file) return std::nullopt;
  if (trs::looks_like_rec(*file)) {
    diagnostics.error("E0131", {file, 0, 0}, "REC specifications are not analysed, only normalised",
                      "write the system in ARI: (format MSTRS), (sort S), (fun f (-> S S)), "
                      "(rule LEFT RIGHT)");
    return std::nullopt;
  }
  return trs::read(file, diagnostics);
}

void analyse(const trs::System& system, const AnalysisRequest& request, const FindingSink& sink) {
  syntax::run_on_deep_stack([&] { analyse_within_stack(system, request, sink); });
}

}  // namespace rhopsi::driver
