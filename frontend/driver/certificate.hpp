// Derivations of a program as certificates, and certificates checked.
#pragma once

#include <optional>
#include <string>

#include "engine/check/replay.hpp"
#include "engine/term/theory.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// Every transformation that led to the theory, of a session that records steps; as text. `file` is
// what it was read from. Steps that were refused are no part of it.
std::string certificate_of(Session& session, const term::Theory& theory, const std::string& file);

// Writes the certificate, whole or not at all; E0830 or E0832 where it cannot be.
bool write_certificate(Session& session, const term::Theory& theory, const std::string& file,
                       const std::string& output, syntax::Diagnostics& diagnostics);

// The same where the request (of `run` or `emit`) asks for it.
template <class Request>
bool certified(Session& session, const term::Theory& theory, const Request& request,
               syntax::Diagnostics& diagnostics) {
  return request.certificate.empty() ||
         write_certificate(session, theory, request.file, request.certificate, diagnostics);
}

struct ReplayRequest {
  std::string file;
  bool ask = false;  // the solver, where the checker's own arithmetic is not enough
  smt::OracleLimits limits;
};

struct ReplayReport {
  check::Certificate certificate;
  check::Outcome outcome;
};

// Nothing where the file cannot be read (E0850), is no certificate, or has a step that does not
// hold (E0851).
std::optional<ReplayReport> replay(const ReplayRequest& request, syntax::Diagnostics& diagnostics);

// What was checked and what is trusted, for people.
std::string to_string(const ReplayReport& report);

}  // namespace rhopsi::driver
