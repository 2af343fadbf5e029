#include "frontend/driver/certificate.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "backends/io/atomic_file.hpp"
#include "engine/rewrite/evaluate.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "engine/term/derivation.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/syntax/read_file.hpp"

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
  // `theory` is what the derivation led to in the end.
  Certifier(const term::Store& store, const term::Theory& theory,
            const term::Derivation& derivation)
      : store_(store), theory_(theory), derivation_(derivation), record_(*derivation.record) {}

  check::Derivation run() {
    result_.rules = derivation_.rules;
    if (derivation_.kind == "implement") {
      definitions();
    } else {
      runs();
    }
    operations();
    return std::move(result_);
  }

 private:
  static const term::Callable* find(const std::vector<term::Callable>& callables, SymbolId symbol) {
    const auto found = std::ranges::find(callables, symbol, &term::Callable::symbol);
    return found == callables.end() ? nullptr : &*found;
  }

  std::size_t axiom(std::size_t rule_index) {
    const auto [place, inserted] = axioms_.try_emplace(rule_index, result_.axioms.size());
    if (inserted) {
      const term::Rule& rule = record_.rules[rule_index];
      result_.axioms.push_back({rule.name, place_of(store_, rule.location), rule.variables,
                                rule.left, rule.right, rule.condition});
    }
    return place->second;
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
      check::Run run{each.callable, {before->body, before->guard}, {after->body, after->guard}, {}};
      std::uint64_t pass = 0;
      for (const term::Step* step : steps->second) {
        if (step->pass != pass) run.passes.push_back({axiom(step->rule_index), {}});
        pass = step->pass;
        run.passes.back().steps.push_back({step->in_guard, step->position, step->binding,
                                           step->before, step->after, step->condition,
                                           step->condition ? decider_of(*step) : "",
                                           step->verdict.basis, step->statement, uses_of(*step)});
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
      check::Definition definition{step.callable, callable->parameters, *callable->body, {}};
      if (step.with) definition.axioms.push_back(axiom(*step.with));
      definition.axioms.push_back(axiom(step.rule_index));
      result_.definitions.push_back(std::move(definition));
    }
  }

  // What occurs in the terms, and in what it is defined by.
  void operations() {
    const bool defining = derivation_.kind == "implement";
    const auto& callables = defining ? record_.results : record_.callables;
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
      add(*callable->second, defining);
    }
    // The ranges of indices are stated by predicates that need not occur anywhere else.
    for (const term::Callable& each : callables) {
      const auto meaning = arithmetic(each.symbol);
      const bool order =
          meaning == term::Arithmetic::less || meaning == term::Arithmetic::less_equal;
      if (!defining && order && seen_.insert(each.symbol).second) add(each, defining);
    }
  }

  void add(const term::Callable& callable, bool defining) {
    check::Operation operation;
    operation.symbol = callable.symbol;
    operation.meaning = arithmetic(callable.symbol);
    if (record_.interpretation.array_function) {
      operation.array = record_.interpretation.array_function(callable.symbol);
    }
    operation.parameters = callable.parameters;
    if (!defining) operation.guard = callable.guard;
    auto definition = rewrite::definition_of(record_.interpretation, callable.symbol);
    if (!definition) definition = found_width(callable.symbol);
    operation.body = defining ? callable.body : definition;
    scan(operation.guard);
    scan(operation.body);
    const bool tells = operation.meaning != term::Arithmetic::none || operation.guard ||
                       operation.body || operation.array != term::ArrayFunction::none;
    if (tells) result_.operations.push_back(std::move(operation));
  }

  // A width of pads that steps asked for has the value that the program was given in the end.
  std::optional<TermId> found_width(SymbolId symbol) const {
    const bool asked = std::ranges::any_of(
        derivation_.widths, [&](const term::WidthNeed& need) { return need.width == symbol; });
    const term::Callable* callable = asked ? find(theory_.callables, symbol) : nullptr;
    return callable != nullptr ? callable->body : std::nullopt;
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
      const SymbolId symbol =
          head.control == term::Control::fold ? head.operation : store_.symbol(part);
      if (seen_.insert(symbol).second) found_.push_back(symbol);
      return true;
    });
  }

  const term::Store& store_;
  const term::Theory& theory_;
  const term::Derivation& derivation_;
  const term::Record& record_;
  check::Derivation result_;
  std::map<std::size_t, std::size_t> axioms_;
  std::map<std::size_t, std::size_t> lemmas_;
  std::vector<SymbolId> found_;
  std::unordered_set<SymbolId> seen_;
  std::unordered_set<TermId> seen_terms_;
};

// That of the largest programs has some MB; what a reader makes of a text is some times as large.
constexpr std::uint64_t largest_certificate = std::uint64_t{1} << 30;

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

std::string certificate_of(Session& session, const term::Theory& theory, const std::string& file) {
  check::Certificate certificate{shown_path(file), theory.name, {}};
  for (const auto& derivation : theory.derivations) {
    if (derivation->record) {
      certificate.derivations.push_back(Certifier(session.store(), theory, *derivation).run());
    }
  }
  return check::write(session.store(), certificate);
}

bool write_certificate(Session& session, const term::Theory& theory, const std::string& file,
                       const std::string& output, syntax::Diagnostics& diagnostics) {
  try {
    io::AtomicFile target(output);
    target.write(certificate_of(session, theory, file));
    target.commit();
    return true;
  } catch (const io::Error& error) {
    diagnostics.error(codes::write_failed, {}, error.what(),
                      "nothing was left behind; name another file with --certificate");
    return false;
  }
}

std::optional<ReplayReport> replay(const ReplayRequest& request, syntax::Diagnostics& diagnostics) {
  const auto content = syntax::read_file(request.file, largest_certificate);
  const auto* const text = std::get_if<std::string>(&content);
  if (text == nullptr) {
    const bool large = std::get<syntax::FileProblem>(content) == syntax::FileProblem::too_large;
    diagnostics.error(codes::certificate_unreadable, {},
                      request.file + (large ? ": is larger than 1 GiB" : ": cannot be read"),
                      "name a file that --certificate has written");
    return std::nullopt;
  }
  term::Store store;
  auto read = check::read(store, *text);
  if (const auto* flaw = std::get_if<check::Flaw>(&read)) {
    const std::string place = flaw->place.empty() ? "" : flaw->place + ": ";
    diagnostics.error(codes::certificate_unreadable, {},
                      request.file + ": " + place + flaw->message,
                      "write the certificate anew with --certificate");
    return std::nullopt;
  }
  ReplayReport report{std::move(std::get<check::Certificate>(read)), {}};
  rewrite::IntervalOracle intervals;
  smt::Oracle oracle(intervals, request.limits);
  report.outcome = check::replay(store, report.certificate, {request.ask ? &oracle : nullptr});
  if (report.outcome.flaw) {
    diagnostics.error(
        codes::step_does_not_hold, {},
        request.file + ": " + report.outcome.flaw->place + ": " + report.outcome.flaw->message,
        "the steps before it hold: " + std::to_string(report.outcome.steps));
    return std::nullopt;
  }
  return report;
}

std::string to_string(const ReplayReport& report) {
  const check::Outcome& outcome = report.outcome;
  std::string text = report.certificate.program + " of " + report.certificate.file + ": " +
                     counted(outcome.derivations, "derivation", "derivations") + ", " +
                     counted(outcome.steps, "step", "steps") + ", " +
                     counted(outcome.definitions, "definition", "definitions") + ": all hold\n";
  if (outcome.conditions == 0) return text;
  text += counted(outcome.conditions, "condition", "conditions") + ", " +
          std::to_string(outcome.conditions - outcome.trusted.size()) + " of them decided again\n";
  for (const std::string& each : outcome.lemmas)
    text += "given the lemma " + each + ", as it is stated\n";
  for (const check::Trusted& each : outcome.trusted) {
    const std::string where = each.place.empty() ? "" : " (" + each.place + ")";
    text += (each.asked ? "asked again, proved by " : "trusted, as decided by ") + each.decider +
            ": " + each.axiom + where + "\n  " + each.where + ": " + each.condition + "\n";
  }
  return text;
}

}  // namespace rhopsi::driver
