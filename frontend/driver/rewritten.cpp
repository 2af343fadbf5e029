#include "frontend/driver/rewritten.hpp"

#include <algorithm>
#include <sstream>

#include "engine/rewrite/derivation.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/driver/nearest.hpp"
#include "frontend/driver/nesting.hpp"
#include "frontend/elaborate/raise.hpp"
#include "frontend/syntax/print.hpp"

namespace rhopsi::driver {
namespace {

// Comments line by line, so that no text in a term can end them early.
std::string as_comments(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    result += line.empty() ? "//\n" : "// " + line + "\n";
  }
  return result;
}

std::string trace_of(Session& session, const term::Theory& theory) {
  std::string text;
  for (const auto& derivation : term::derivations_of(theory)) {
    if (!text.empty()) text += "\n";
    text += rewrite::describe(session.store(), *derivation, true, shown_path);
  }
  return as_comments(text);
}

std::vector<std::string> callable_names(Session& session, const term::Theory& theory) {
  std::vector<std::string> names;
  for (const auto& callable : theory.callables) {
    if (!callable.body) continue;
    const std::string& name = session.store()[callable.symbol].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::optional<std::string> print_callable(Session& session, const term::Theory& theory,
                                          const std::string& name,
                                          syntax::Diagnostics& diagnostics) {
  const auto found = theory.overloads(session.store(), name);
  if (found.empty()) {
    diagnostics.error(codes::unknown_callable, {},
                      "'" + theory.name + "' has no operation '" + name + "'",
                      suggest(name, callable_names(session, theory), "it has none"));
    return std::nullopt;
  }
  term::Theory shown;
  for (const term::Callable* callable : found) shown.callables.push_back(*callable);
  if (!check_nesting(session.store(), shown, diagnostics)) return std::nullopt;
  std::string text;
  for (const term::Callable* callable : found) {
    std::string one = syntax::print(elaborate::raise_callable(session.store(), theory, *callable));
    if (!one.empty() && one.back() != '\n') one += '\n';
    text += one;
  }
  return text;
}

std::string counted(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string plural_passes(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " pass" : " passes");
}

const char* reason(term::CallableRun::Stop stop) {
  using Stop = term::CallableRun::Stop;
  switch (stop) {
    case Stop::normal_form:
      return "normal form";
    case Stop::completed:
      return "strategy completed";
    case Stop::failed:
      return "strategy failed";
    case Stop::pass_bound:
      return "bound on passes reached";
    case Stop::step_bound:
      return "bound on steps reached";
    case Stop::size_bound:
      return "bound on size reached";
    case Stop::memory_bound:
      return "bound on memory reached";
    case Stop::time_bound:
      return "bound on time reached";
  }
  return "stopped";
}

std::string summary(const term::Derivation& derivation) {
  std::uint64_t passes = 0;
  std::uint64_t steps = 0;
  auto stop = term::CallableRun::Stop::normal_form;
  for (const auto& run : derivation.runs) {
    passes = std::max(passes, run.passes);
    steps += run.steps;
    stop = std::max(stop, run.stop);
  }
  std::string text = derivation.kind + " with " + derivation.rules;
  if (!derivation.strategy.empty()) text += " by " + derivation.strategy;
  text += ": ";
  if (derivation.kind != "rewrite") return text + counted(steps, "step");
  text += reason(stop);
  const auto failed = std::ranges::count(derivation.runs, term::CallableRun::Stop::failed,
                                         &term::CallableRun::stop);
  if (stop == term::CallableRun::Stop::failed && failed < std::ssize(derivation.runs)) {
    text += " in " + std::to_string(failed) + " of " + std::to_string(derivation.runs.size()) +
            " bodies and guards";
  }
  if (derivation.strategy.empty()) text += " after " + plural_passes(passes);
  text += ", " + counted(steps, "step");
  const auto refused = std::count_if(derivation.steps.begin(), derivation.steps.end(),
                                     [](const term::Step& step) { return !step.applied; });
  if (refused > 0) text += ", " + counted(std::uint64_t(refused), "refusal");
  return text;
}

}  // namespace

std::optional<std::string> print_rewritten(Session& session, const term::Theory& theory,
                                           const Printing& printing,
                                           syntax::Diagnostics& diagnostics) {
  std::string text = printing.trace ? trace_of(session, theory) : std::string();
  if (!text.empty()) text += "\n";
  if (printing.callable) {
    const auto one = print_callable(session, theory, *printing.callable, diagnostics);
    if (!one) return std::nullopt;
    return text + *one;
  }
  if (!check_nesting(session.store(), theory, diagnostics)) return std::nullopt;
  text += syntax::print(elaborate::raise(session.store(), theory, printing.package));
  if (text.back() != '\n') text += '\n';
  return text;
}

std::vector<std::string> summaries(const term::Theory& theory) {
  std::vector<std::string> lines;
  for (const auto& derivation : term::derivations_of(theory)) lines.push_back(summary(*derivation));
  return lines;
}

std::string package_name(const std::string& stem) {
  std::string name;
  for (const char c : stem) {
    const auto byte = static_cast<unsigned char>(c);
    const bool legal = byte >= 0x80U || byte == '_' || (byte >= '0' && byte <= '9') ||
                       (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    name += legal ? c : '_';
  }
  return name.empty() ? "rewritten" : name;
}

}  // namespace rhopsi::driver
