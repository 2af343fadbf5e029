#include "frontend/driver/definition_check.hpp"

#include <algorithm>

namespace rhopsi::driver {
namespace {

using Clock = std::chrono::steady_clock;
using Status = AxiomReport::Status;

class Checking {
 public:
  Checking(const DefinitionCheck& check, const verify::Knowledge& knowledge,
           const moa::Library& library, const term::Axiom& axiom, AxiomReport& report)
      : check_(check), knowledge_(knowledge), library_(library), axiom_(axiom), report_(report) {}

  void run() {
    std::size_t asked = 0;
    for (const term::Claim& claim : term::claims_of(check_.session.store(), axiom_)) {
      for (const verify::Domain& domain : verify::domains_of(library_, claim)) {
        ++asked;
        if (!holds(claim, domain)) return;
      }
    }
    report_.within = asked > 0;
  }

 private:
  bool holds(const term::Claim& claim, const verify::Domain& domain) {
    verify::ProofLimits limits = check_.request.limits;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(check_.end - Clock::now());
    limits.solver.run = std::min(limits.solver.run, std::max(left, std::chrono::milliseconds(0)));
    const verify::Verdict verdict =
        verify::prove(library_, axiom_.parameters, domain, knowledge_.invariants, limits);
    report_.cases += verdict.cases;
    Search search = check_.request.search;
    search.domain = &domain;
    search.end = check_.end;
    if (verdict.outcome == verify::Outcome::proved) {
      if (verdict.most_axes) report_.most_axes = std::max(report_.most_axes, verdict.most_axes);
      return holds_beyond(claim, search);
    }
    const Tried tried = refuted(claim, search);
    if (take(tried)) return false;
    if (!verdict.model.empty() && take(refuted_by(verdict.model, claim, search))) return false;
    report_.status = Status::unknown;
    report_.situation = verdict.situation.text;
    report_.reason = "not shown to stay within its arrays; the proof ended at: " + verdict.reason;
    if (tried.spoke > 0) {
      report_.reason += "; " + std::to_string(tried.spoke) + " values do not refute it";
    }
    if (verdict.out_of_time > 0 || tried.cut_short) report_.leave_open_for_time();
    return false;
  }

  // Some values of more axes than a proof looks at.
  bool holds_beyond(const term::Claim& claim, Search search) {
    search.tries = 300;
    search.spoke = 30;
    search.samples.beyond = true;
    const Tried tried = refuted(claim, search);
    if (take(tried)) return false;
    if (!tried.cut_short) return true;
    report_.status = Status::unknown;
    report_.reason =
        "it stays within its arrays at ranks 0 to 4, but the time of the run was over before "
        "arrays of more axes were tried";
    report_.out_of_time = true;
    return false;
  }

  bool take(const Tried& tried) {
    if (!tried.refutation) return false;
    report_.status = Status::refuted;
    report_.refutation = tried.refutation;
    return true;
  }

  Tried refuted(const term::Claim& claim, const Search& search) {
    return refute(check_.session.store(), knowledge_.theory, check_.tables, axiom_.parameters,
                  claim, knowledge_.invariants, search);
  }
  Tried refuted_by(const verify::Model& model, const term::Claim& claim, const Search& search) {
    return refute_by(model, check_.session.store(), knowledge_.theory, check_.tables,
                     axiom_.parameters, claim, knowledge_.invariants, search);
  }

  const DefinitionCheck& check_;
  const verify::Knowledge& knowledge_;
  const moa::Library& library_;
  const term::Axiom& axiom_;
  AxiomReport& report_;
};

}  // namespace

void check_definition(const DefinitionCheck& check, const verify::Knowledge& knowledge,
                      const moa::Library& library, const term::Axiom& axiom, AxiomReport& report) {
  const auto begin = Clock::now();
  Checking(check, knowledge, library, axiom, report).run();
  report.time = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
}

}  // namespace rhopsi::driver
