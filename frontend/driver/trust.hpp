// What a program rests on.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/term/theory.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/driver/verify.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

struct TrustRequest {
  bool prove = false;  // try to prove the axioms; otherwise each is only named
  verify::ProofLimits limits;
  std::chrono::milliseconds time{110'000};  // for all proofs together
};

struct TrustReport {
  // An axiom that was used, or a lemma that conditions were instances of.
  struct Statement {
    std::string name;
    std::string file;
    std::uint32_t line = 0;
    bool defines = false;  // the body of an operation comes from it
    std::size_t uses = 0;
    // Of a rule with a condition: what its left side is about, where the program gave that no body.
    std::string case_of;
    std::optional<AxiomReport> finding;  // of `verify`, now or before
  };
  struct Condition {
    std::string basis;  // "lemma", "assumed", "entry check", "Z3"
    std::string rule;
    std::string callable;
    std::string text;  // cut where it is long
    std::size_t uses = 0;
  };
  struct External {
    std::string operation;
    std::string backend;
    std::string path;
  };

  std::string program;
  bool asked = false;  // `verify`, now: what has no finding then is not listed by it
  std::vector<Statement> axioms;
  std::vector<Statement> lemmas;
  std::vector<Condition> conditions;
  std::vector<External> externals;
};

// The axioms that led to the theory, of a session that records steps, each with the number of its
// uses and what `verify` says of it: with `prove` now, else where it has been asked before, of the
// rule library or of the axiom's own file; the conditions that rest on an entry check, are assumed,
// or were decided by the solver; and the operations that C++ headers bring. Nothing where a file
// with axioms cannot be read.
std::optional<TrustReport> trust(Session& session, const term::Theory& theory,
                                 const TrustRequest& request, syntax::Diagnostics& diagnostics);

// For people, and for programs: one JSON object.
std::string to_string(const TrustReport& report);
std::string to_json(const TrustReport& report);

}  // namespace rhopsi::driver
