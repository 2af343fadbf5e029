#include "frontend/driver/certificate.hpp"

#include "backends/io/atomic_file.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "frontend/driver/certifier.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/syntax/read_file.hpp"

namespace rhopsi::driver {

namespace {

// That of the largest programs has some MB; what a reader makes of a text is some times as large.
constexpr std::uint64_t largest_certificate = std::uint64_t{1} << 30;

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

std::string certificate_of(Session& session, const term::Theory& theory, const std::string& file) {
  return check::write(session.store(), certified(session.store(), theory, shown_path(file)));
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
    const auto problem = std::get<syntax::FileProblem>(content);
    const bool large = problem.kind == syntax::FileProblem::too_large;
    diagnostics.error(codes::certificate_unreadable, {},
                      request.file + (large ? ": is larger than 1 GiB"
                                            : ": cannot be read" + syntax::reason(problem)),
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
  check::ReplayOptions options;
  if (request.ask) options.oracle = &oracle;
  options.given_up = [&] {
    return oracle.use().gave_up + oracle.use().failed + oracle.use().incomplete;
  };
  report.outcome = check::replay(store, report.certificate, options);
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
  for (const std::string& each : outcome.changes) text += "taken as given: " + each + "\n";
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
