#include "frontend/driver/normalise.hpp"

#include <algorithm>
#include <chrono>
#include <new>

#include <time.h>

#include "backends/native/compile.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/system_file.hpp"
#include "frontend/trs/read.hpp"
#include "frontend/trs/rec.hpp"

namespace rhopsi::driver {
namespace {

// Offsets into texts are 32-bit numbers.
constexpr std::uint64_t largest_text = 0xfffffff0U;
struct Loaded {
  trs::RecProblem problem;
  trs::TermSyntax syntax = trs::TermSyntax::quoted;  // of terms that stand alone
};

std::optional<Loaded> loaded(const std::string& path, syntax::Diagnostics& diagnostics) {
  const auto file = system_file(path, largest_text, diagnostics);
  if (!file) return std::nullopt;
  if (trs::looks_like_rec(*file)) {
    auto problem = trs::read_rec(file, diagnostics);
    if (!problem) return std::nullopt;
    return Loaded{std::move(*problem), trs::TermSyntax::rec};
  }
  auto system = trs::read(file, diagnostics);
  if (!system) return std::nullopt;
  return Loaded{{std::move(*system), {}}, trs::TermSyntax::quoted};
}

// A system's symbols and rules in a store. Symbols are called there as a term that is read calls
// them, so that what is printed can be read again.
class Rules {
 public:
  Rules(const trs::System& system, trs::TermSyntax syntax) : system_(system) {
    std::vector<term::SortId> sorts;
    for (const std::string& each : system.sorts) sorts.push_back(store.sort(each));
    if (sorts.empty()) sorts.push_back(store.sort("term"));
    for (const trs::Symbol& each : system.symbols) {
      std::vector<term::SortId> parameters;
      for (std::size_t i = 0; i < each.arity; ++i) {
        parameters.push_back(sorts[each.parameters.empty() ? 0 : each.parameters[i]]);
      }
      const bool quotes = syntax == trs::TermSyntax::quoted;
      symbols.push_back(store.operation(term::SymbolKind::function,
                                        quotes ? trs::term_name(each.name) : each.name, parameters,
                                        sorts[each.result]));
    }
    for (const trs::Rule& each : system.rules) add(each, sorts);
  }

  term::Store store;
  std::vector<term::SymbolId> symbols;
  std::vector<normalise::Rule> rules;

 private:
  void add(const trs::Rule& rule, const std::vector<term::SortId>& sorts) {
    std::vector<term::TermId> variables;
    for (const trs::Variable& each : rule.variables) {
      variables.push_back(store.make(store.fresh_variable(each.name, sorts[each.sort])));
    }
    normalise::Rule result{"rule " + std::to_string(rules.size() + 1),
                           make(rule.left, variables),
                           make(rule.right, variables),
                           {}};
    for (const trs::Condition& each : rule.conditions) {
      using Relation = normalise::Condition::Relation;
      result.conditions.push_back({each.different ? Relation::different : Relation::equal,
                                   make(each.left, variables), make(each.right, variables)});
    }
    rules.push_back(std::move(result));
  }

  term::TermId make(const trs::Term& word, const std::vector<term::TermId>& variables) {
    std::vector<term::TermId> made;
    for (std::size_t i = word.size(); i-- > 0;) {
      if (word[i] < 0) {
        made.push_back(variables[static_cast<std::size_t>(~word[i])]);
        continue;
      }
      const auto number = static_cast<std::size_t>(word[i]);
      const std::size_t first = made.size() - system_.symbols[number].arity;
      std::reverse(made.begin() + static_cast<std::ptrdiff_t>(first), made.end());
      const term::TermId term = store.make(symbols[number], std::span(made).subspan(first));
      made.resize(first);
      made.push_back(term);
    }
    return made.back();
  }

  const trs::System& system_;
};

std::string explain(const normalise::Problem& problem) {
  switch (problem.kind) {
    case normalise::Problem::Kind::left_is_variable:
      return "the left side is a variable";
    case normalise::Problem::Kind::unbound_variable:
      return "`" + problem.detail + "` does not occur on the left side";
    case normalise::Problem::Kind::binder:
      return "the rule binds variables";
    case normalise::Problem::Kind::too_large:
      return "the rule is too large: " + problem.detail + " symbols";
  }
  return "";
}

// The variable that stands nowhere on the left, or the rule.
syntax::Span place_of(const normalise::Problem& problem, const trs::System& system) {
  const trs::Rule& rule = system.rules[problem.rule];
  if (problem.kind != normalise::Problem::Kind::unbound_variable) return rule.span;
  const auto variable = std::ranges::find(rule.variables, problem.detail, &trs::Variable::name);
  const bool placed = variable != rule.variables.end() && variable->span.file != nullptr;
  return placed ? variable->span : rule.span;
}

const char* note_of(const normalise::Problem& problem) {
  switch (problem.kind) {
    case normalise::Problem::Kind::left_is_variable:
      return "such a rule would apply everywhere: name the operation that it is about";
    case normalise::Problem::Kind::unbound_variable:
      return "nothing tells what it is: let the left side hold it, or leave it out";
    case normalise::Problem::Kind::binder:
      return "rules like this one cannot be applied";
    case normalise::Problem::Kind::too_large:
      return "give parts of it names, by operations and rules of their own";
  }
  return "";
}

normalise::Strategy strategy_of(const NormaliseRequest& request, const trs::System& system) {
  if (request.strategy) return *request.strategy;
  return system.strategy == trs::Strategy::outermost ? normalise::Strategy::outermost
                                                     : normalise::Strategy::innermost;
}

std::optional<Loaded> with_subject(const NormaliseRequest& request,
                                   syntax::Diagnostics& diagnostics) {
  auto system = loaded(request.system, diagnostics);
  if (!system) return std::nullopt;
  trs::RecProblem& problem = system->problem;
  if (request.term || !request.term_file.empty()) {
    const auto file = request.term
                          ? std::make_shared<const syntax::SourceFile>("--term", *request.term)
                          : system_file(request.term_file, largest_text, diagnostics);
    if (!file) return std::nullopt;
    auto term = trs::read_term(file, problem.system, system->syntax, diagnostics);
    if (!term) return std::nullopt;
    problem.subjects.assign(1, std::move(*term));
  }
  if (problem.subjects.empty()) {
    diagnostics.error(codes::no_term, {}, request.system + ": there is no term to normalise",
                      "give one by --term, or under EVAL in a REC file");
    return std::nullopt;
  }
  return system;
}

double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

class Run {
 public:
  Run(const NormaliseRequest& request, const Rules& rules, const normalise::Program& program,
      const normalise::Native* native)
      : request_(request), rules_(rules), machine_(program, request.bounds, native) {}

  // The term is given back before it is rewritten: two of them are not needed.
  normalise::Handle load(trs::Term& term) {
    for (std::int32_t& each : term) {
      const auto id = static_cast<std::size_t>(rules_.symbols[static_cast<std::size_t>(each)]);
      each = static_cast<std::int32_t>(machine_.program().of_operation[id] - 1);
    }
    const auto* const first = reinterpret_cast<const normalise::Symbol*>(term.data());
    const normalise::Handle handle = machine_.make_preorder({first, term.size()});
    trs::Term().swap(term);
    return handle;
  }

  void run(trs::Term& term, normalise::Strategy strategy, const normalise::Output& output,
           NormaliseReport& report) {
    const normalise::Handle start = load(term);
    const double thread_begin = thread_seconds();
    const auto begin = std::chrono::steady_clock::now();
    const auto outcome = machine_.normalise(start, strategy);
    report.seconds += seconds_since(begin);
    report.cpu_seconds += thread_seconds() - thread_begin;
    report.rewrites += outcome.steps;
    report.bytes_peak = std::max(report.bytes_peak, machine_.peak_bytes());
    if (report.stop == normalise::Stop::normal_form) report.stop = outcome.stop;
    ++report.terms;
    if (outcome.stop != normalise::Stop::normal_form) {
      report.unfinished.push_back({report.terms, outcome.stop, outcome.steps});
    }
    if (machine_.size(outcome.term, request_.most_printed)) {
      normalise::print(rules_.store, machine_, outcome.term, output);
    } else {
      output("a term of more than " + std::to_string(request_.most_printed) + " symbols");
    }
    output("\n");
  }

 private:
  const NormaliseRequest& request_;
  const Rules& rules_;
  normalise::Machine machine_;
};

// Machine code for the rules, where it is wanted. False after an error.
bool compile_rules(const NormaliseRequest& request, const trs::System& system,
                   const normalise::Program& program,
                   std::shared_ptr<const normalise::Native>& native,
                   syntax::Diagnostics& diagnostics) {
  if (!request.compiled) return true;
  if (strategy_of(request, system) != normalise::Strategy::innermost) {
    diagnostics.error(codes::malformed_option, {}, "--compiled: compiled rules rewrite innermost",
                      "add --strategy innermost, or leave --compiled out");
    return false;
  }
  auto compiled = native::compile(program);
  if (!compiled) {
    diagnostics.error(compiled.error().code, {}, compiled.error().message, compiled.error().note);
    return false;
  }
  native = std::move(*compiled);
  return true;
}

}  // namespace

std::optional<NormaliseReport> normalise_system(const NormaliseRequest& request,
                                                const normalise::Output& output,
                                                syntax::Diagnostics& diagnostics) {
  auto subject = with_subject(request, diagnostics);
  if (!subject) return std::nullopt;
  trs::RecProblem* const problem = &subject->problem;
  const Rules rules(problem->system, subject->syntax);
  std::vector<normalise::Problem> problems;
  const normalise::Program program = normalise::compile(rules.store, rules.rules, problems);
  for (const normalise::Problem& each : problems) {
    diagnostics.error("E0136", place_of(each, problem->system), explain(each), note_of(each));
  }
  if (!problems.empty()) return std::nullopt;
  NormaliseReport report;
  std::shared_ptr<const normalise::Native> native;
  const auto begin = std::chrono::steady_clock::now();
  if (!compile_rules(request, problem->system, program, native, diagnostics)) return std::nullopt;
  report.compile_seconds = native ? seconds_since(begin) : 0;
  try {
    Run run(request, rules, program, native.get());
    for (trs::Term& each : problem->subjects) {
      run.run(each, strategy_of(request, problem->system), output, report);
    }
  } catch (const std::bad_alloc&) {
    diagnostics.error(codes::term_too_large, {}, "the term does not fit into memory",
                      "raise --max-bytes");
    return std::nullopt;
  }
  return report;
}

}  // namespace rhopsi::driver
