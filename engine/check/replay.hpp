// Certificates checked step by step.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/check/certificate.hpp"

namespace rhopsi::check {

struct ReplayOptions {
  // Asked for the conditions that the checker's own arithmetic leaves open; null: they are taken
  // from the decider that the certificate names.
  term::ConditionOracle* oracle = nullptr;
  // How many questions the oracle has left open because of a limit; none: it has no limits. What
  // was left open for that shows no flaw.
  std::function<std::size_t()> given_up = {};
};

// A condition that the checker has not decided itself.
struct Trusted {
  std::string axiom;
  std::string place;      // of the axiom
  std::string where;      // "derivation 3, step, pass 1, body.0.1"
  std::string condition;  // as text, cut where it is long
  std::string decider;
  bool asked = false;  // of ReplayOptions::oracle, and proved there
};

struct Outcome {
  std::optional<Flaw> flaw;  // the first; what follows counts the steps before it
  std::size_t derivations = 0;
  std::size_t steps = 0;
  std::size_t definitions = 0;
  std::size_t conditions = 0;  // of steps; `trusted` among them
  std::vector<Trusted> trusted;
  // "`padding` has been given the body `1`, before derivation 7": taken as the certificate says.
  std::vector<std::string> changes;
  std::vector<std::string> lemmas;  // "NAME (PLACE)": what conditions were decided by, each once
};

// Follows every step: the redex is what stands at its position and is the axiom's left side under
// the substitution, the contractum is the right side under it, the condition is the axiom's, no
// variable is caught by a binder, no statement comes where none may stand, and each run ends with
// what the certificate says. Definitions are their axiom's right side with what it calls unfolded,
// of what has no body. Each run begins with a body and guard that the program began with or a
// derivation before it has ended with, what a derivation takes for the bodies and guards of
// operations is such a one too, and the program ends with those that no run leads on from
// (chain.hpp); what changed in another way is listed in `changes`.
// A condition is decided by plain arithmetic from the facts of its place (arithmetic.hpp,
// facts.hpp) and from instances of lemmas whose conditions are so decided; what that leaves open is
// trusted, and listed, unless the step says that it is a constant or a fact of its place, or it is
// false for numbers that the facts allow (trial.cpp): these are flaws. So it is where the oracle
// refutes it, or proves it only with facts that the step does not claim to rest on. That the axioms
// and the lemmas hold, and are those of the rule library, is not checked here, nor that `begins`
// and `ends` are the programs that someone means. `store` gets the terms between. Linear in the
// changed parts of the terms, but for conditions.
Outcome replay(term::Store& store, const Certificate& certificate,
               const ReplayOptions& options = {});

}  // namespace rhopsi::check
