#include "engine/rewrite/derivation.hpp"

#include <unordered_map>

#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::CallableRun;
using term::Step;

namespace {

std::string counted(std::uint64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string stop_reason(const CallableRun& run, bool by_strategy) {
  using Stop = CallableRun::Stop;
  const std::string passes = counted(run.passes, "pass", "passes");
  const std::string after = by_strategy ? "" : " after " + passes;
  const auto bound = [&](const std::string& what) {
    return "stopped at the bound on " + what + after + "; not a normal form";
  };
  switch (run.stop) {
    case Stop::normal_form:
      return "normal form" + after;
    case Stop::completed:
      return "strategy completed; not a normal form";
    case Stop::failed:
      return "strategy failed, nothing changed";
    case Stop::pass_bound:
      return "stopped at the bound of " + passes + "; not a normal form";
    case Stop::step_bound:
      return bound("steps");
    case Stop::size_bound:
      return bound("the size of terms");
    case Stop::memory_bound:
      return bound("memory");
    case Stop::time_bound:
      return bound("time");
  }
  return {};
}

std::string place(const term::Store& store, term::LocationId id, const FileNames& shown) {
  const term::Location& location = store[id];
  if (location.file.empty()) return {};
  return (shown ? shown(location.file) : location.file) + ":" + std::to_string(location.line);
}

std::string path(const Step& step) {
  std::string out = step.in_guard ? "guard" : "body";
  for (std::uint32_t child : step.position) out += "." + std::to_string(child);
  return out;
}

void describe_step(const term::Store& store, const Step& step, const FileNames& shown,
                   bool by_strategy, std::string& out) {
  const std::string rule_place = place(store, step.rule_location, shown);
  const std::string rule = rule_place.empty() ? step.rule : step.rule + " (" + rule_place + ")";
  out +=
      (by_strategy ? "  step " : "  pass ") + std::to_string(step.pass) + ", " + path(step) + ": ";
  if (step.applied) {
    out += rule + "\n    " + to_string(store, step.before) + "\n    => " +
           to_string(store, step.after) + "\n";
  } else {
    const std::string redex_place = place(store, store.location(step.before), shown);
    const std::string where = redex_place.empty() ? "" : " at " + redex_place;
    out += rule + where + " refused: " + step.verdict.detail + "\n    " +
           to_string(store, step.before) + "\n";
  }
  if (!step.condition) return;
  out += "    condition " + to_string(store, *step.condition) + "\n";
  term::Verdict verdict = step.verdict;
  if (!step.applied) verdict.detail.clear();  // it stands in front
  out += "    " + describe(verdict) + "\n";
}

}  // namespace

std::string describe(const term::Verdict& verdict) {
  using Answer = term::Verdict::Answer;
  std::string out;
  switch (verdict.answer) {
    case Answer::proved:
      out = "proved";
      break;
    case Answer::refuted:
      out = "refuted";
      break;
    case Answer::unknown:
      out = "unknown";
      break;
  }
  if (!verdict.decider.empty()) out += " by " + verdict.decider;
  if (verdict.basis == term::Basis::entry_check) out += ", given the entry check";
  if (verdict.basis == term::Basis::assumed) {
    out += ", assumed: ";
    out += verdict.lemmas.empty() ? "the guard of an enclosing operation" : "taken as stated";
  }
  if (!verdict.detail.empty()) out += ": " + verdict.detail;
  return out;
}

std::string describe(const term::Store& store, const term::Derivation& derivation, bool with_steps,
                     const FileNames& shown) {
  std::string out = derivation.kind;
  if (!derivation.rules.empty()) out += " with " + derivation.rules;
  const bool by_strategy = !derivation.strategy.empty();
  if (by_strategy) out += " by " + derivation.strategy;
  if (derivation.kind == "rewrite") {
    out += ", at most " + (by_strategy ? counted(derivation.bound, "step", "steps")
                                       : counted(derivation.bound, "pass", "passes"));
  }
  out += "\n";
  std::unordered_map<term::SymbolId, std::vector<const Step*>> steps_of;
  if (with_steps) {
    for (const Step& step : derivation.steps) steps_of[step.callable].push_back(&step);
  }
  for (const CallableRun& run : derivation.runs) {
    out += to_string(store, run.callable) + ": ";
    out += derivation.kind == "implement" ? "defined" : stop_reason(run, by_strategy);
    out += ", " + counted(run.steps, "step", "steps") + "\n";
    for (const Step* step : steps_of[run.callable]) {
      describe_step(store, *step, shown, by_strategy, out);
    }
  }
  if (derivation.applications.empty()) return out;
  out += "applications:\n";
  for (const auto& [rule, count] : derivation.applications) {
    out += "  " + rule + ": " + std::to_string(count) + "\n";
  }
  return out;
}

}  // namespace rhopsi::rewrite
