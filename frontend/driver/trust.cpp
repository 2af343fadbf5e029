#include "frontend/driver/trust.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "engine/term/derivation.hpp"
#include "engine/term/operations.hpp"
#include "frontend/driver/locations.hpp"

namespace rhopsi::driver {

namespace {

constexpr std::size_t most_of_condition = 200;

struct Use {
  std::string name;
  std::string kind;  // of the transformation
  std::size_t count = 0;
};

// Axioms by the assertion that states them, conditions by who decided them.
struct Ledger {
  std::map<std::pair<std::string, std::uint32_t>, Use> axioms;  // file and line
  std::map<std::pair<std::string, std::uint32_t>, Use> lemmas;
  std::map<std::string, std::map<std::string, std::size_t>> conditions;
  std::set<std::string> externals;
};

std::string place_of(const std::pair<std::string, std::uint32_t>& place) {
  return shown_path(place.first) + ":" + std::to_string(place.second);
}

std::string kind_of(const term::Verdict& verdict) {
  if (verdict.basis == term::Basis::assumed) return "assumed";
  if (verdict.basis == term::Basis::entry_check) return "entry check";
  return verdict.decider == "Z3" ? verdict.decider : "";
}

void add_steps(const term::Store& store, const term::Derivation& derivation, Ledger& ledger) {
  const auto use = [&](const term::Rule& rule) {
    const term::Location& place = store[rule.location];
    Use& entry = ledger.axioms[{place.file, place.line}];
    entry.name = rule.name;
    entry.kind = derivation.kind;
    ++entry.count;
  };
  for (const term::Step& step : derivation.steps) {
    if (!step.applied) continue;
    use(derivation.record->rules[step.rule_index]);
    if (step.with) use(derivation.record->rules[*step.with]);
    if (!step.condition) continue;
    for (const term::LemmaUse& each : step.verdict.lemmas) {
      const term::Lemma& lemma = derivation.lemmas[each.lemma];
      const term::Location& place = store[lemma.location];
      Use& entry = ledger.lemmas[{place.file, place.line}];
      entry.name = lemma.name;
      ++entry.count;
    }
    const std::string kind = step.verdict.lemmas.empty() ? kind_of(step.verdict) : "lemma";
    if (kind.empty()) continue;
    ++ledger.conditions[kind][step.rule + " in " + store[step.callable].name + ": " +
                              term::to_string(store, *step.condition, most_of_condition)];
  }
}

void add_externals(const term::Store& store, const term::Theory& theory, Ledger& ledger) {
  for (const term::Callable& callable : theory.callables) {
    if (!callable.external || callable.external->block->backend == "Kokkos") continue;
    const term::ExternalBlock& block = *callable.external->block;
    ledger.externals.insert(term::to_string(store, callable.symbol) + ", " + block.backend + " " +
                            block.path);
  }
}

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

// What `verify` says of the axiom of that name which states it: the worst of what was proved of
// its instances, if any were; else what it is.
std::string status_of(const term::Store& store, const VerifyReport& report,
                      const std::pair<std::string, std::uint32_t>& place, const std::string& rule) {
  const std::string name = "." + rule.substr(0, rule.find('#'));
  const AxiomReport* best = nullptr;
  for (const AxiomReport& each : report.axioms) {
    const term::Location& location = store[each.location];
    if (location.file != place.first || location.line > place.second) continue;
    if (!each.name.ends_with(name)) continue;
    const std::uint32_t line = best == nullptr ? 0 : store[best->location].line;
    if (location.line < line) continue;
    if (location.line > line || weight(each.status) > weight(best->status)) best = &each;
  }
  if (best == nullptr) return "not examined, since verify does not list it";
  std::string text = to_string(best->status);
  if (best->was_asked()) text += " as " + best->name;
  if (!best->theory.empty()) text += ", " + scope(*best);
  if (!best->reason.empty()) text += ": " + best->reason;
  return text;
}

// The files with the axioms; of the rule library all, since the satisfactions that give its axioms
// their operations stand in files of their own.
std::vector<std::string> files_to_prove(const Ledger& ledger) {
  const std::vector<std::string> library = source_files(rule_library().string());
  std::set<std::string> files;
  std::map<std::pair<std::string, std::uint32_t>, Use> all = ledger.axioms;
  all.insert(ledger.lemmas.begin(), ledger.lemmas.end());
  for (const auto& [place, use] : all) {
    std::error_code ignored;
    const bool of_library = std::ranges::any_of(library, [&](const std::string& each) {
      return std::filesystem::equivalent(each, place.first, ignored);
    });
    if (of_library) {
      files.insert(library.begin(), library.end());
    } else {
      files.insert(place.first);
    }
  }
  return {files.begin(), files.end()};
}

// The report's places are those of the store `proofs`.
std::string text_of(const Ledger& ledger, const std::optional<VerifyReport>& report,
                    const term::Store* proofs) {
  std::string text = "axioms\n";
  if (ledger.axioms.empty()) text += "  none: nothing was transformed\n";
  for (const auto& [place, use] : ledger.axioms) {
    text += "  " + use.name + " (" + place_of(place) + "), " +
            (use.kind == "implement" ? "defines, " : "") + std::to_string(use.count) +
            (use.count == 1 ? " use" : " uses");
    if (report) text += ": " + status_of(*proofs, *report, place, use.name);
    text += "\n";
  }
  if (!ledger.lemmas.empty())
    text += "assumed: lemmas that conditions were instances of, as they are stated\n";
  for (const auto& [place, use] : ledger.lemmas) {
    text += "  " + use.name + " (" + place_of(place) + "), " + std::to_string(use.count) +
            (use.count == 1 ? " use" : " uses");
    if (report) text += ": " + status_of(*proofs, *report, place, use.name);
    text += "\n";
  }
  const std::pair<const char*, const char*> sections[] = {
      {"lemma", "assumed: conditions that are instances of these, which nothing here has proved"},
      {"assumed", "assumed: conditions that follow only from guards nothing has shown to hold"},
      {"entry check",
       "entry checks: conditions that follow from the operation's own guard, which "
       "its callers see to, or from an assertion before"},
      {"Z3", "conditions that the solver has proved"}};
  for (const auto& [kind, title] : sections) {
    const auto found = ledger.conditions.find(kind);
    if (found == ledger.conditions.end()) continue;
    text += std::string(title) + "\n";
    for (const auto& [condition, count] : found->second) {
      text += "  " + condition + (count > 1 ? ", " + std::to_string(count) + " times" : "") + "\n";
    }
  }
  if (!ledger.externals.empty()) text += "operations of other libraries, taken as they are\n";
  for (const std::string& each : ledger.externals) text += "  " + each + "\n";
  return text;
}

}  // namespace

std::optional<std::string> trust(Session& session, const term::Theory& theory,
                                 const TrustRequest& request, syntax::Diagnostics& diagnostics) {
  Ledger ledger;
  for (const auto& derivation : term::derivations_of(theory)) {
    if (derivation->record) add_steps(session.store(), *derivation, ledger);
  }
  add_externals(session.store(), theory, ledger);
  std::optional<VerifyReport> report;
  if (request.prove && !ledger.axioms.empty()) {
    VerifyRequest proofs;
    proofs.files = files_to_prove(ledger);
    proofs.limits = request.limits;
    proofs.time = request.time;
    Session prover({.include = session.include(), .numbers_promote = true});
    report = verify(prover, proofs, diagnostics);
    if (!report) return std::nullopt;
    return text_of(ledger, report, &prover.store());
  }
  return text_of(ledger, report, nullptr);
}

}  // namespace rhopsi::driver
