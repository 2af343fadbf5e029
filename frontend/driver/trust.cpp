#include "frontend/driver/trust.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "engine/term/derivation.hpp"
#include "engine/term/operations.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/driver/own_bodies.hpp"
#include "frontend/driver/rule_library.hpp"

namespace rhopsi::driver {

namespace {

constexpr std::size_t most_of_condition = 200;

using Statement = TrustReport::Statement;
using Condition = TrustReport::Condition;

// Axioms by the assertion that states them (file and line), conditions by who decided them.
struct Ledger {
  std::map<LinePlace, Statement> axioms;
  std::map<LinePlace, Statement> lemmas;
  std::map<std::string, std::map<std::string, Condition>> conditions;
  std::map<std::string, TrustReport::External> externals;
};

std::string basis_of(const term::Step& step) {
  if (!step.verdict.lemmas.empty()) return "lemma";
  if (step.verdict.basis == term::Basis::assumed) return "assumed";
  if (step.verdict.basis == term::Basis::entry_check) return "entry check";
  return step.verdict.decider == "Z3" ? step.verdict.decider : "";
}

Statement& counted_use(std::map<LinePlace, Statement>& statements, const term::Location& place,
                       const std::string& name) {
  Statement& entry = statements[{place.file, place.line}];
  entry.name = name;
  entry.file = place.file;
  entry.line = place.line;
  ++entry.uses;
  return entry;
}

void add_condition(const term::Store& store, const term::Step& step, Ledger& ledger) {
  const std::string basis = basis_of(step);
  if (basis.empty()) return;
  Condition condition{basis, step.rule, store[step.callable].name,
                      term::to_string(store, *step.condition, most_of_condition), 0};
  const std::string key = condition.rule + " in " + condition.callable + ": " + condition.text;
  const auto place = ledger.conditions[basis].try_emplace(key, std::move(condition)).first;
  ++place->second.uses;
}

// What the left side of a rule with a condition is about, if the target gave that no body.
std::string open_case(const term::Store& store, const term::Record& record,
                      const term::Rule& rule) {
  if (!rule.condition) return {};
  const term::SymbolId head = store.symbol(rule.left);
  const auto found = std::ranges::find(record.callables, head, &term::Callable::symbol);
  const bool open = found != record.callables.end() && !found->concrete();
  return open ? term::to_string(store, head) : std::string{};
}

void add_steps(const term::Store& store, const term::Derivation& derivation, Ledger& ledger) {
  const auto use = [&](const term::Rule& rule) {
    Statement& used = counted_use(ledger.axioms, store[rule.location], rule.name);
    used.defines = derivation.kind == "implement";
    used.case_of = open_case(store, *derivation.record, rule);
  };
  for (const term::Step& step : derivation.steps) {
    if (!step.applied) continue;
    use(derivation.record->rules[step.rule_index]);
    if (step.with) use(derivation.record->rules[*step.with]);
    if (!step.condition) continue;
    for (const term::LemmaUse& each : step.verdict.lemmas) {
      const term::Lemma& lemma = derivation.lemmas[each.lemma];
      counted_use(ledger.lemmas, store[lemma.location], lemma.name);
    }
    std::set<std::size_t> laws;
    for (const term::Unfolding& each : step.verdict.unfoldings) {
      if (!each.law || !laws.insert(*each.law).second) continue;
      const term::Rule& law = derivation.laws[*each.law];
      counted_use(ledger.axioms, store[law.location], law.name);
    }
    add_condition(store, step, ledger);
  }
}

void add_externals(const term::Store& store, const term::Theory& theory, Ledger& ledger) {
  for (const term::Callable& callable : theory.callables) {
    if (!callable.external || callable.external->block->backend == "Kokkos") continue;
    const term::ExternalBlock& block = *callable.external->block;
    const std::string operation = term::to_string(store, callable.symbol);
    ledger.externals.emplace(operation + ", " + block.backend + " " + block.path,
                             TrustReport::External{operation, block.backend, block.path});
  }
}

// What `verify` has found of an axiom, and where that stands, as it is shown.
struct Finding {
  std::string file;
  std::uint32_t line = 0;
  AxiomReport report;
  std::set<LinePlace> bodies;  // of a model: where the operations stand that have one
};

int weight(AxiomReport::Status status) {
  using Status = AxiomReport::Status;
  switch (status) {
    case Status::refuted:
      return 5;
    case Status::unknown:
      return 4;
    case Status::proved:
      return 3;
    case Status::assumed:
      return 2;
    default:
      return 1;
  }
}

// Of the axiom of that name which states it: the worst of what was found of its instances, if any
// was; else what it is.
std::optional<AxiomReport> finding_of(
    const std::vector<Finding>& findings, const Statement& statement,
    const std::function<bool(const Finding&)>& counts = [](const Finding&) { return true; }) {
  const std::string name = "." + statement.name.substr(0, statement.name.find('#'));
  const std::string file = shown_path(statement.file);
  const Finding* best = nullptr;
  for (const Finding& each : findings) {
    if (each.file != file || each.line > statement.line) continue;
    if (!each.report.name.ends_with(name) || !counts(each)) continue;
    const std::uint32_t line = best == nullptr ? 0 : best->line;
    if (each.line < line) continue;
    if (each.line > line || weight(each.report.status) > weight(best->report.status)) best = &each;
  }
  return best == nullptr ? std::nullopt : std::optional<AxiomReport>(best->report);
}

// Where the program itself says what operations of the axiom are: what was found of models with
// these bodies; else that the axiom is a definition, or follows from others, tells nothing of the
// program, but for a definition of what the program leaves open.
std::optional<AxiomReport> finding_beside(const std::vector<OwnBody>& bodies,
                                          const std::vector<Finding>& findings,
                                          const Statement& statement) {
  using Status = AxiomReport::Status;
  const auto of_bodies = [&](const Finding& each) {
    return std::ranges::all_of(
        bodies, [&](const OwnBody& body) { return each.bodies.contains(body.place); });
  };
  if (auto found = finding_of(findings, statement, of_bodies)) return found;
  const auto of_concept = [](const Finding& each) { return !each.report.of_model; };
  auto found = finding_of(findings, statement, of_concept);
  if (!found || (found->status != Status::definition && found->status != Status::proved)) {
    return found;
  }
  if (found->status == Status::definition &&
      std::ranges::all_of(bodies, &OwnBody::beside_abstract) &&
      std::ranges::none_of(bodies, &OwnBody::subject)) {
    return found;
  }
  AxiomReport assumed;
  assumed.status = Status::assumed;
  assumed.name = found->name;
  assumed.location = found->location;
  const OwnBody& body = bodies.front();
  assumed.reason = body.operation + " has a body of its own in " + body.module +
                   "; `satisfaction NAME = PROGRAM models " + body.concept_ +
                   ";` has verify look at it";
  return assumed;
}

// The files with the axioms, as `verify` is to be asked of them: of the rule library all, since the
// satisfactions that give its axioms their operations stand in files of their own.
struct AxiomFiles {
  std::vector<std::string> library;  // all of it, or nothing where none of its axioms is used
  std::vector<std::string> others;
};

AxiomFiles axiom_files_of(const Ledger& ledger) {
  const std::vector<std::string> library = source_files(rule_library().string());
  AxiomFiles files;
  std::set<std::string> others;
  std::map<LinePlace, Statement> all = ledger.axioms;
  all.insert(ledger.lemmas.begin(), ledger.lemmas.end());
  for (const auto& [place, use] : all) {
    std::error_code ignored;
    const bool of_library = std::ranges::any_of(library, [&](const std::string& each) {
      return std::filesystem::equivalent(each, place.first, ignored);
    });
    if (of_library) {
      files.library = library;
    } else {
      others.insert(place.first);
    }
  }
  files.others.assign(others.begin(), others.end());
  return files;
}

std::set<LinePlace> places_of_bodies(const term::Store& store, const Stated& stated) {
  std::set<LinePlace> places;
  for (const term::Callable& callable : stated.knowledge.theory.callables) {
    if (!callable.body) continue;
    const term::Location& place = store[callable.location];
    places.insert({place.file, place.line});
  }
  return places;
}

std::optional<std::vector<Finding>> new_findings(const AxiomFiles& files,
                                                 const std::vector<std::string>& include,
                                                 const TrustRequest& request,
                                                 syntax::Diagnostics& diagnostics) {
  VerifyRequest proofs;
  proofs.files = files.library;
  proofs.files.insert(proofs.files.end(), files.others.begin(), files.others.end());
  proofs.limits = request.limits;
  proofs.time = request.time;
  Session prover({.include = include, .numbers_promote = true});
  std::map<std::string, std::set<LinePlace>> bodies;  // by the axiom's name in a model
  proofs.met = [&](const AxiomReport& found, const Stated& stated) {
    if (found.of_model) bodies[found.name] = places_of_bodies(prover.store(), stated);
  };
  const auto report = verify(prover, proofs, diagnostics);
  if (!report) return std::nullopt;
  std::vector<Finding> findings;
  for (const AxiomReport& each : report->axioms) {
    const term::Location& place = prover.store()[each.location];
    const std::set<LinePlace> none;
    findings.push_back(
        {shown_path(place.file), place.line, each, each.of_model ? bodies[each.name] : none});
  }
  return findings;
}

// What `verify` has found before, of the whole library and of each other file by itself.
std::vector<Finding> earlier_findings(const AxiomFiles& files,
                                      const std::vector<std::string>& include) {
  std::vector<std::vector<std::string>> sources;
  if (!files.library.empty()) sources.push_back(files.library);
  for (const std::string& each : files.others) sources.push_back({each});
  std::vector<Finding> findings;
  for (const std::vector<std::string>& each : sources) {
    Session reader({.include = include, .numbers_promote = true});
    syntax::Diagnostics ignored;  // it may be that `verify` was never asked
    RulesRequest looked_up;
    looked_up.files = each;
    const auto entries = rules_of(reader, looked_up, ignored);
    if (!entries) continue;
    for (const RuleEntry& entry : *entries) {
      if (entry.report && entry.report->was_asked()) {
        findings.push_back({shown_path(entry.file), entry.line, *entry.report, {}});
      }
    }
  }
  return findings;
}

std::vector<Statement> with_findings(const std::map<LinePlace, Statement>& statements,
                                     const std::vector<Finding>& findings,
                                     const std::map<LinePlace, std::vector<OwnBody>>& own) {
  std::vector<Statement> result;
  for (const auto& [place, statement] : statements) {
    result.push_back(statement);
    const auto body = own.find(place);
    result.back().finding = body == own.end() ? finding_of(findings, statement)
                                              : finding_beside(body->second, findings, statement);
  }
  return result;
}

// What the program defines or takes from an external is not open, whatever the concept of an axiom
// leaves open.
std::set<std::string> given_operations(const term::Store& store, const term::Theory& theory) {
  std::set<std::string> given;
  for (const term::Callable& callable : theory.callables) {
    if (callable.concrete()) given.insert(term::to_string(store, callable.symbol));
  }
  return given;
}

// Says of what is unknown for want of definitions which ones the program lacks too.
void tell_what_is_open(const std::set<std::string>& given, Statement& statement) {
  if (!statement.finding || statement.finding->undefined.empty()) return;
  AxiomReport& found = *statement.finding;
  if (found.status != AxiomReport::Status::unknown) return;
  std::erase_if(found.undefined, [&](const std::string& each) { return given.contains(each); });
  found.reason.clear();
  for (const std::string& each : found.undefined) {
    found.reason += (found.reason.empty() ? "nothing defines " : ", nothing defines ") + each;
  }
  if (!found.undefined.empty()) return;
  const std::string concept_ = found.name.substr(0, found.name.rfind('.'));
  found.reason = concept_ +
                 " leaves open what the program gives; `satisfaction NAME = PROGRAM models " +
                 concept_.substr(concept_.rfind('.') + 1) + ";` has verify look at it";
}

void tell_open(const std::set<std::string>& given, TrustReport& report) {
  using Status = AxiomReport::Status;
  for (Statement& each : report.axioms) {
    tell_what_is_open(given, each);
    const bool defines = each.finding && each.finding->status == Status::definition;
    if (!defines || each.case_of.empty()) continue;
    each.finding->reason = "of " + each.case_of +
                           " where its condition holds; the program gives that operation no body";
  }
  // An unknown lemma is taken as it is stated.
  for (Statement& each : report.lemmas) {
    tell_what_is_open(given, each);
    if (each.finding && each.finding->status == Status::unknown) {
      each.finding->status = Status::assumed;
    }
  }
}

}  // namespace

std::optional<TrustReport> trust(Session& session, const term::Theory& theory,
                                 const TrustRequest& request, syntax::Diagnostics& diagnostics) {
  Ledger ledger;
  for (const auto& derivation : term::derivations_of(theory)) {
    if (derivation->record) add_steps(session.store(), *derivation, ledger);
  }
  add_externals(session.store(), theory, ledger);
  std::optional<std::vector<Finding>> findings;
  if (!ledger.axioms.empty()) {
    const AxiomFiles files = axiom_files_of(ledger);
    findings = request.prove ? new_findings(files, session.include(), request, diagnostics)
                             : earlier_findings(files, session.include());
    if (!findings) return std::nullopt;
  }
  TrustReport report;
  report.program = theory.name;
  report.asked = request.prove;
  const std::vector<Finding> found = findings.value_or(std::vector<Finding>{});
  report.axioms = with_findings(ledger.axioms, found, own_bodies(session.store(), theory));
  report.lemmas = with_findings(ledger.lemmas, found, {});
  tell_open(given_operations(session.store(), theory), report);
  for (const auto& [basis, conditions] : ledger.conditions) {
    for (const auto& [text, condition] : conditions) report.conditions.push_back(condition);
  }
  for (const auto& [text, external] : ledger.externals) report.externals.push_back(external);
  return report;
}

}  // namespace rhopsi::driver
