// Rules of the library with one token replaced: a wrong one is never called proved, and is refuted
// by values.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/verify/claim_proof.hpp"
#include "engine/verify/knowledge.hpp"
#include "frontend/driver/refutation.hpp"
#include "frontend/driver/session.hpp"
#include "tests/support/specification.hpp"
#include "tests/verify/mutants.hpp"
#include "tests/verify/small_box.hpp"

namespace rhopsi::verify {
namespace {

constexpr std::size_t wanted = 500;

struct Outcomes {
  std::size_t proved = 0;
  std::size_t confirmed = 0;  // of these, by values for which they say something
  std::size_t samples = 0;
  std::size_t refuted = 0;
  std::size_t vacuous = 0;
  std::size_t open = 0;
};

bool is_proved(term::Store& store, const moa::Library& definitions, const term::Axiom& axiom,
               const ProofLimits& limits) {
  const std::vector<term::Claim> claims = term::claims_of(store, axiom);
  return !claims.empty() && std::ranges::all_of(claims, [&](const term::Claim& claim) {
    return prove(definitions, axiom.parameters, claim, {}, limits).outcome == Outcome::proved;
  });
}

TEST(Mutants, OfTheLibraryAreNotProved) {
  driver::Session session({.include = {std::string(RHOPSI_SOURCE_DIR) + "/rules"},
                           .real = onf::Scalar::float64,
                           .record_steps = false,
                           .numbers_promote = true});
  syntax::Diagnostics diagnostics;
  elaborate::Workspace& workspace = session.workspace();
  const std::string rules = std::string(RHOPSI_SOURCE_DIR) + "/rules/";
  for (const char* file : {"moa/laws.mg", "moa/partial.mg", "arith/vectors.mg"}) {
    ASSERT_TRUE(workspace.load(rules + file, diagnostics)) << support::text_of(diagnostics);
  }
  const auto library = workspace.evaluate("moa.library", "Expressions", diagnostics);
  const auto laws = workspace.evaluate("moa.laws", "Laws", diagnostics);
  const auto partial = workspace.evaluate("moa.partial", "PartialIndexRules", diagnostics);
  const auto vectors = workspace.evaluate("arith.vectors", "IndexAlgebra", diagnostics);
  ASSERT_TRUE(library && laws && partial && vectors) << support::text_of(diagnostics);

  const Knowledge knowledge = knowledge_of(session.store(), *library, nullptr, session.table());
  const moa::Library definitions(session.store(), knowledge.theory, session.table());
  ProofLimits limits;
  limits.solver.query = std::chrono::milliseconds(200);
  limits.solver.run = std::chrono::milliseconds(4000);
  limits.ranks.most = 3;
  // The laws, and the definitions, read as claims on what they define.
  std::vector<const term::Axiom*> axioms;
  for (const auto& theory : {laws, partial, vectors}) {
    for (const term::Axiom& axiom : theory->axioms) {
      if (axiom.theorem) axioms.push_back(&axiom);
    }
  }
  const std::size_t count_of_laws = axioms.size();
  for (const term::Axiom& axiom : library->axioms) {
    if (!axiom.theorem && is_proved(session.store(), definitions, axiom, limits)) {
      axioms.push_back(&axiom);
    }
  }
  std::cout << count_of_laws << " laws and " << axioms.size() - count_of_laws << " definitions\n";
  const std::vector<Mutant> all = mutants_of(session.store(), *library, axioms);
  ASSERT_GT(all.size(), wanted);
  Outcomes outcomes;
  for (std::size_t k = 0; k < wanted; ++k) {
    const Mutant& mutant = all[k * all.size() / wanted];
    const driver::Tried tried =
        driver::refute(session.store(), knowledge.theory, {session.table(), session.table()},
                       mutant.axiom->parameters, mutant.claim, {},
                       {.tries = 60'000, .seed = 7, .spoke = 400, .shrinking = 0});
    const auto& refutation = tried.refutation;
    const std::size_t spoke = tried.spoke;
    const Verdict verdict = prove(definitions, mutant.axiom->parameters, mutant.claim, {}, limits);
    if (verdict.outcome == Outcome::proved) {
      // What is proved holds for all values that were looked at, and for every one of a box.
      EXPECT_FALSE(refutation) << mutant.text << "\n" << refutation->difference;
      driver::Judge judge(session.store(), knowledge.theory, session.table(), session.table(),
                          mutant.axiom->parameters, mutant.claim, {});
      const BoxOutcome box = try_box(session.store(), judge, 40'000);
      EXPECT_EQ(box.failure, "") << mutant.text;
      ++outcomes.proved;
      // Where no box is large enough for it to say anything, the random values were.
      outcomes.confirmed += box.spoke > 0 || spoke > 0 ? 1 : 0;
      if (box.spoke == 0 && spoke == 0) {
        std::cout << "proved, and of no value that was tried: " << mutant.text << "\n";
      }
      outcomes.samples += box.samples;
    } else if (refutation) {
      ++outcomes.refuted;
    } else if (spoke == 0) {
      ++outcomes.vacuous;  // it has nothing to say about any of these values
    } else {
      ++outcomes.open;
      std::cout << "open: " << mutant.text << " (" << verdict.reason << "; "
                << verdict.situation.text << ")\n";
    }
  }
  std::cout << fmt::format("{} of {} proved ones say something and hold, {} samples in boxes\n",
                           outcomes.confirmed, outcomes.proved, outcomes.samples);
  EXPECT_GT(2 * outcomes.confirmed, outcomes.proved);
  std::cout << fmt::format(
      "{} mutants of {}: {} proved and true of all values, {} refuted, {} "
      "about nothing, {} open\n",
      wanted, all.size(), outcomes.proved, outcomes.refuted, outcomes.vacuous, outcomes.open);
  const std::size_t wrong = outcomes.refuted + outcomes.open;
  EXPECT_GE(outcomes.refuted * 100, wrong * 99);
  EXPECT_GT(outcomes.refuted, wanted / 2);
}

}  // namespace
}  // namespace rhopsi::verify
