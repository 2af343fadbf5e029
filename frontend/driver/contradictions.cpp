#include "frontend/driver/contradictions.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "engine/moa/library.hpp"
#include "engine/term/operations.hpp"
#include "engine/verify/agreement.hpp"
#include "engine/verify/claim_proof.hpp"
#include "engine/verify/knowledge.hpp"
#include "frontend/driver/codes.hpp"

namespace rhopsi::driver {
namespace {

using moa::Subject;
using term::Axiom;
using term::Claim;

// What an axiom says of one operation.
struct Said {
  const Axiom* axiom;
  Claim claim;
  Subject subject;
};

class Contradictions {
 public:
  Contradictions(Session& session, const term::Theory& theory, syntax::Diagnostics& diagnostics,
                 const std::vector<std::string>& files)
      : session_(session),
        store_(session.store()),
        diagnostics_(diagnostics),
        files_(files),
        knowledge_(verify::knowledge_of(session.store(), theory, nullptr, session.table())),
        library_(session.store(), knowledge_.theory, session.table()) {}

  void run() {
    for (const Axiom* axiom : knowledge_.definitions) {
      for (const Said& each : said_in(*axiom)) first_.emplace(place_of(each), each);
    }
    for (const Axiom* axiom : knowledge_.open) {
      if (axiom->theorem) continue;
      for (const Said& each : said_in(*axiom)) {
        const auto first = first_.find(place_of(each));
        if (first == first_.end() || each.claim.condition) continue;
        if (is_asked(first->second) || is_asked(each)) compare(first->second, each);
      }
    }
    for (const verify::Agreement& each : verify::agreements(store_, knowledge_, session_.table())) {
      if (is_asked(each.first_location) || is_asked(each.second_location)) compare(each);
    }
  }

 private:
  using Place = std::pair<term::SymbolId, Subject::Part>;

  static Place place_of(const Said& said) { return {said.subject.operation, said.subject.part}; }

  // An equation of any other kind may be a law: f(a, b) == f(b, a).
  std::vector<Said> said_in(const Axiom& axiom) {
    std::vector<Said> found;
    for (Claim& claim : term::claims_of(store_, axiom)) {
      auto subject = moa::subject_of(library_.contents(), claim.left);
      if (!subject || !claim.right || subject->part == Subject::Part::meaning) continue;
      found.push_back({&axiom, std::move(claim), std::move(*subject)});
    }
    return found;
  }

  bool is_asked(const Said& said) const { return is_asked(said.claim.location); }
  bool is_asked(term::LocationId location) const {
    return files_.empty() || std::ranges::find(files_, store_[location].file) != files_.end();
  }

  static std::vector<term::SymbolId> variables_of(const Said& said) {
    std::vector<term::SymbolId> variables = said.subject.parameters;
    if (said.subject.index) variables.push_back(*said.subject.index);
    return variables;
  }

  void compare(const Said& first, const Said& second) {
    if (term::alpha_equal(store_, *first.claim.right, *second.claim.right, variables_of(first),
                          variables_of(second))) {
      return;
    }
    const auto verdict = prove(second.axiom->parameters, second.claim);
    if (verdict.outcome != verify::Outcome::proved) {
      report(first.claim.location, second.claim.location, second.claim.left, "");
    }
  }

  // Nothing is said of operations without values: nothing can be said of what they are then.
  void compare(const verify::Agreement& both) {
    if (!verify::undefined_operations(store_, knowledge_, session_.table(), both.claim).empty()) {
      return;
    }
    const auto verdict = prove(both.parameters, both.claim);
    if (verdict.outcome == verify::Outcome::proved || verdict.says_nothing) return;
    const bool cases = both.first_conditional && both.second_conditional;
    report(both.first_location, both.second_location, both.left,
           cases ? "where the conditions of both hold, " : "where the condition of one holds, ");
  }

  verify::Verdict prove(const std::vector<term::SymbolId>& parameters, const Claim& claim) {
    verify::ProofLimits limits;
    limits.ranks.most = 3;
    limits.solver.run = std::chrono::milliseconds(2'000);
    return verify::prove(library_, parameters, claim, knowledge_.invariants, limits);
  }

  void report(term::LocationId first, term::LocationId second, term::TermId left,
              const std::string& where) {
    syntax::Diagnostic& found = diagnostics_.warning(
        codes::contradiction, session_.span(second),
        "two axioms say what " + term::to_string(store_, left) + " is, and " + where +
            (where.empty() ? "" : "they ") + "could not be proved to say the same",
        "keep one, or make the other a `theorem` if it follows; `rhopsi verify` looks for values "
        "for which they differ");
    found.related.push_back({session_.span(first), "the other axiom"});
  }

  Session& session_;
  term::Store& store_;
  syntax::Diagnostics& diagnostics_;
  const std::vector<std::string>& files_;
  const verify::Knowledge knowledge_;
  const moa::Library library_;
  std::map<Place, Said> first_;
};

}  // namespace

void report_contradictions(Session& session, const term::Theory& theory,
                           syntax::Diagnostics& diagnostics,
                           const std::vector<std::string>& files) {
  Contradictions(session, theory, diagnostics, files).run();
}

}  // namespace rhopsi::driver
