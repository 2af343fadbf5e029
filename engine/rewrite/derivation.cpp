#include "engine/rewrite/derivation.hpp"

#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::CallableRun;
using term::Step;

namespace {

std::string counted(std::uint64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string stop_reason(const CallableRun& run) {
  const std::string passes = counted(run.passes, "pass", "passes");
  switch (run.stop) {
    case CallableRun::Stop::normal_form:
      return "normal form after " + passes;
    case CallableRun::Stop::pass_bound:
      return "stopped at the bound of " + passes + "; not a normal form";
    case CallableRun::Stop::step_bound:
      return "stopped at the bound on steps after " + passes + "; not a normal form";
    case CallableRun::Stop::size_bound:
      return "stopped at the bound on the size of terms after " + passes + "; not a normal form";
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

std::string verdict(const term::Verdict& verdict) {
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
  if (!verdict.detail.empty()) out += ": " + verdict.detail;
  return out;
}

void describe_step(const term::Store& store, const Step& step, const FileNames& shown,
                   std::string& out) {
  const std::string rule_place = place(store, step.rule_location, shown);
  const std::string rule = rule_place.empty() ? step.rule : step.rule + " (" + rule_place + ")";
  out += "  pass " + std::to_string(step.pass) + ", " + path(step) + ": ";
  if (step.applied) {
    out += rule + "\n    " + to_string(store, step.before) + "\n    => " +
           to_string(store, step.after) + "\n";
  } else {
    const std::string redex_place = place(store, store.location(step.before), shown);
    out += redex_place.empty() ? "refused: " : "refused at " + redex_place + ": ";
    out += rule + "\n    " + to_string(store, step.before) + "\n";
  }
  if (step.condition) out += "    condition " + to_string(store, *step.condition) + "\n";
  if (step.condition || !step.applied) out += "    " + verdict(step.verdict) + "\n";
}

}  // namespace

std::string describe(const term::Store& store, const term::Derivation& derivation, bool with_steps,
                     const FileNames& shown) {
  std::string out = derivation.kind;
  if (!derivation.rules.empty()) out += " with " + derivation.rules;
  if (derivation.kind == "rewrite") {
    out += ", at most " + counted(derivation.bound, "pass", "passes");
  }
  out += "\n";
  for (const CallableRun& run : derivation.runs) {
    out += to_string(store, run.callable) + ": ";
    out += derivation.kind == "implement" ? "defined" : stop_reason(run);
    out += ", " + counted(run.steps, "step", "steps") + "\n";
    if (!with_steps) continue;
    for (const Step& step : derivation.steps) {
      if (step.callable == run.callable) describe_step(store, step, shown, out);
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
