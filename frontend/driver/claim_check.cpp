#include "frontend/driver/claim_check.hpp"

#include <algorithm>

#include "engine/verify/numbers.hpp"

namespace rhopsi::driver {
namespace {

using Status = AxiomReport::Status;

class ClaimCheck {
 public:
  ClaimCheck(const ClaimContext& context, const term::Axiom& axiom, const term::Claim& claim,
             verify::Theories& theories, AxiomReport& report)
      : context_(context), axiom_(axiom), claim_(claim), theories_(theories), report_(report) {}

  void run() {
    if (request().by_values) {
      test();
    } else {
      prove();
    }
    if (holds()) look_among_types();
    if (holds() && differs()) look_among_reals();
  }

  // The claim is that of `both`.
  bool agree(const verify::Agreement& both) {
    verify::Verdict verdict;
    if (!request().by_values) {
      verdict = verify::prove(context_.libraries.promoting(), axiom_.parameters, claim_,
                              context_.knowledge.invariants, limits_now());
      if (verdict.outcome == verify::Outcome::proved || verdict.says_nothing) return true;
    }
    const term::Location& other = store()[both.first->location];
    const std::string name =
        both.first->name + " (" + other.file + ":" + std::to_string(other.line) + ")";
    const Tried tried = test();
    if (report_.status == Status::refuted || try_model(verdict.model)) {
      report_.reason =
          "it contradicts " + name +
          " where both conditions hold: the left side is what that one says, the right "
          "side what this one says";
      return false;
    }
    if (request().by_values) return true;
    report_.status = Status::unknown;
    report_.situation = verdict.situation.text;
    report_.reason = "not shown to agree with " + name +
                     " where both conditions hold; the proof ended at: " + verdict.reason;
    if (tried.spoke > 0) {
      report_.reason += "; " + std::to_string(tried.spoke) + " values do not refute it";
    }
    if (verdict.out_of_time > 0 || tried.cut_short) report_.leave_open_for_time();
    return false;
  }

 private:
  term::Store& store() { return context_.session.store(); }
  const VerifyRequest& request() const { return context_.request; }
  Tables tables() { return {context_.session.table(), context_.real}; }
  bool holds() const {
    return report_.status == Status::proved || report_.status == Status::tested;
  }

  void prove() {
    const verify::Verdict verdict =
        verify::prove(context_.libraries.promoting(), axiom_.parameters, claim_,
                      context_.knowledge.invariants, limits_now());
    theories_ &= verdict.theories;
    report_.cases += verdict.cases;
    if (verdict.outcome == verify::Outcome::proved) {
      if (verdict.most_axes) report_.most_axes = std::max(report_.most_axes, verdict.most_axes);
      look_beyond();
      if (report_.status == Status::proved && !verdict.theories.holds_in(smt::Theory::any)) {
        look_among_integers(verdict.theories);
      }
      return;
    }
    const Tried tried = test();
    if (report_.status == Status::refuted || (tried.as_program && tried.spoke > 0)) return;
    if (try_model(verdict.model)) return;
    if (refuted_elsewhere()) return;
    report_.status = Status::unknown;
    report_.situation = verdict.situation.text;
    report_.reason =
        prefix() +
        "neither a proof nor a counterexample was found; the proof ended at: " + verdict.reason;
    if (verdict.outcome == verify::Outcome::refuted) {
      report_.reason += "? (the solver cannot exclude it; its values do not show it)";
    }
    if (tried.spoke > 0) {
      report_.reason += "; " + std::to_string(tried.spoke) + " values do not refute it";
    }
    if (verdict.out_of_time > 0 || tried.cut_short || cut_short_) report_.leave_open_for_time();
  }

  // Literals, converted integers or comparisons are numbers.
  bool differs() {
    return verify::has_numbers_that_promote(context_.libraries.promoting().contents(),
                                            term::terms_of(claim_));
  }

  // `reals`: numbers do not promote.
  Tried tried_of(const Search& search, bool reals = false) {
    return refute(store(), context_.knowledge.theory,
                  {reals ? context_.real : context_.session.table(), context_.real},
                  axiom_.parameters, claim_, context_.knowledge.invariants, search);
  }

  // What is proved of few axes and components may be wrong of more: some values of these. Without
  // them it counts as open, so that no answer but this one depends on the time.
  void look_beyond() {
    Search search;
    search.seed = request().search.seed;
    search.tries = 300;
    search.spoke = 30;
    search.samples.beyond = true;
    search.end = context_.begin + request().time;
    take_up(tried_of(search), prefix() + "it holds at ranks 0 to 4", "arrays of more axes");
  }

  // What values say of a claim that holds so far: refuted, or open where they were not all tried.
  void take_up(Tried tried, const std::string& holds, const std::string& what) {
    if (tried.refutation) {
      report_.status = Status::refuted;
      report_.refutation = std::move(tried.refutation);
    } else if (tried.cut_short) {
      report_.status = Status::unknown;
      report_.reason = holds + ", but the time of the run was over before " + what + " were tried";
      report_.out_of_time = true;
    }
  }

  // Elements may be integers, whose `/` is Euclidean and which wrap: a law of real numbers may be
  // wrong of them.
  void look_among_integers(verify::Theories theories) {
    Search search = request().search;
    search.of_integers = true;
    search.end = context_.begin + request().time;
    search.meeting = meeting();
    const std::string proved =
        prefix() + "it holds of real numbers (" + verify::to_string(theories) + ")";
    Tried tried = tried_of(search);
    const bool met = tried.spoke > 0 || tried.cut_short;
    take_up(std::move(tried), proved, "integers");
    if (report_.status == Status::proved && met) look_among_large(search);
    if (report_.status == Status::refuted) report_.reason = proved + ", and not of integers";
    if (!met) {
      report_.status = Status::unknown;
      report_.reason = proved + "; no integers were found that meet its conditions, so that it " +
                       "may be wrong of them";
    }
  }

  void look_among_large(const Search& search) {
    Tried tried = tried_of(wrapping(search));
    if (tried.refutation && !report_.wrapping) report_.wrapping = std::move(tried.refutation);
  }

  // Integers that leave 64 bits. What reals of that size make differ is their rounding.
  static Search wrapping(Search search) {
    search.of_integers = true;
    search.samples.wrapping = true;
    search.tries = std::min<std::size_t>(search.tries, 4'000);
    search.spoke = std::min<std::size_t>(search.spoke, 600);
    return search;
  }

  // Numbers that meet the conditions, by the solver: the same whenever it is asked.
  std::function<verify::Model()> meeting() {
    return [this] {
      verify::ProofLimits limits = limits_now();
      limits.solver.run = std::min(limits.solver.run, std::chrono::milliseconds(5'000));
      limits.cases = std::min<std::size_t>(limits.cases, 500);
      return verify::find_values(context_.libraries.promoting(), axiom_.parameters, claim_,
                                 context_.knowledge.invariants, limits);
    };
  }

  // A proof has elements of one type, and values are integers: that both sides are the same for
  // truth values, integers and reals in any mixture is asked of values. Of reals no more is asked
  // than that both sides are reals, since the claim is proved of these.
  void look_among_types() {
    Search search = search_of_types();
    search.reals = request().by_values ? Search::Reals::more : Search::Reals::type;
    Tried tried = tried_of_types(search);
    const bool matters = tried.numbers || differs();
    const auto unmet = tried.unmet;
    const bool cut_short = tried.cut_short;
    take_up(std::move(tried), prefix() + "it holds", "elements of all types");
    if (report_.status != Status::proved || !unmet || !matters || cut_short) return;
    report_.status = Status::unknown;
    report_.reason = prefix() + "it is proved of elements of one type (" +
                     verify::to_string(theories_) + "); no values that meet its conditions were " +
                     "found" + (unmet->empty() ? "" : " with " + *unmet) +
                     ", so that its sides may be of different types";
  }

  Search search_of_types() {
    Search search;
    search.seed = request().search.seed;
    search.tries = 3'000;
    if (!request().by_values) search.end = context_.begin + request().time;
    if (!request().by_values) search.meeting = meeting();
    return search;
  }

  Tried tried_of_types(const Search& search) {
    return refute_by_types(store(), context_.knowledge.theory, tables(), axiom_.parameters, claim_,
                           context_.knowledge.invariants, search);
  }

  // Of what small integers do not refute and nothing proves: elements of other types, and reals as
  // programs have them. Their rounding alone refutes nothing.
  bool refuted_elsewhere() {
    Search search = search_of_types();
    search.reals = Search::Reals::more;
    Tried tried = tried_of_types(search);
    cut_short_ = tried.cut_short;
    if (!tried.refutation) look_among_large(search);
    if (!tried.refutation && differs()) {
      tried = tried_of(search, true);
      cut_short_ = cut_short_ || tried.cut_short;
      if (tried.refutation) report_.reason = of_programs_alone(tried);
    }
    if (!tried.refutation) return false;
    report_.status = Status::refuted;
    report_.refutation = std::move(tried.refutation);
    return true;
  }

  // Why values refute a claim where numbers are reals; empty where they do so in single expressions
  // too.
  std::string of_programs_alone(const Tried& tried) {
    const bool everywhere = fails_for(*tried.sample, store(), context_.knowledge.theory, tables(),
                                      axiom_.parameters, claim_, context_.knowledge.invariants);
    if (everywhere) return {};
    return prefix() +
           "these values refute it where numbers are reals, as in programs, and not where they "
           "promote, as in single expressions";
  }

  // In programs numbers are reals, literals and converted integers too: what holds where they
  // promote may be wrong there.
  void look_among_reals() {
    std::string ended;
    bool out_of_time = false;
    if (!request().by_values) {
      const verify::Verdict verdict =
          verify::prove(context_.libraries.real(), axiom_.parameters, claim_,
                        context_.knowledge.invariants, limits_now());
      report_.cases += verdict.cases;
      theories_ &= verdict.theories;
      if (verdict.outcome == verify::Outcome::proved) return;
      ended = verdict.reason;
      out_of_time = verdict.out_of_time > 0;
    }
    Search search = request().search;
    if (!request().by_values) search.end = context_.begin + request().time;
    Tried tried = tried_of(search, true);
    if (tried.refutation) {
      report_.status = Status::refuted;
      report_.reason = of_programs_alone(tried);
      report_.refutation = std::move(tried.refutation);
    } else if (!request().by_values) {
      report_.status = Status::unknown;
      report_.reason = prefix() +
                       "it holds where numbers promote, as in single expressions; where they are "
                       "reals, as in programs, neither a proof nor a "
                       "counterexample was found; the proof ended at: " +
                       ended;
      if (out_of_time || tried.cut_short) report_.leave_open_for_time();
    }
  }

  // What the solver takes for a counterexample, where it is one.
  bool try_model(const verify::Model& model) {
    if (model.empty()) return false;
    Search search = request().search;
    search.end = context_.begin + request().time;
    Tried tried = refute_by(model, store(), context_.knowledge.theory, tables(), axiom_.parameters,
                            claim_, context_.knowledge.invariants, search);
    if (!tried.refutation) return false;
    report_.status = Status::refuted;
    report_.reason.clear();
    report_.refutation = std::move(tried.refutation);
    return true;
  }

  Tried test() {
    Search search = request().search;
    if (!request().by_values) search.end = context_.begin + request().time;
    Tried tried = tried_of(search);
    report_.values += tried.spoke;
    report_.status = Status::tested;
    if (request().by_values && !tried.refutation && tried.spoke > 0) look_among_large(search);
    if (tried.refutation) {
      report_.status = Status::refuted;
      report_.refutation = tried.refutation;
    } else if (tried.spoke == 0) {
      report_.status = Status::unknown;
      report_.reason =
          prefix() + (tried.cut_short         ? "the time of the run was over"
                      : tried.problem.empty() ? "it says nothing about any value that was tried"
                                              : "it could not be computed: " + tried.problem);
      report_.out_of_time = tried.cut_short;
    }
    return tried;
  }

  // Of an axiom with several assertions, which one.
  std::string prefix() const { return claim_.name == axiom_.name ? "" : claim_.name + ": "; }

  verify::ProofLimits limits_now() const {
    verify::ProofLimits limits = request().limits;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        context_.begin + request().time - std::chrono::steady_clock::now());
    limits.solver.run = std::min(limits.solver.run, std::max(left, std::chrono::milliseconds(0)));
    return limits;
  }

  const ClaimContext& context_;
  const term::Axiom& axiom_;
  const term::Claim& claim_;
  verify::Theories& theories_;
  AxiomReport& report_;
  bool cut_short_ = false;  // values that might refute an open claim were not all tried
};

}  // namespace

const moa::Library& ClaimLibraries::promoting() {
  if (!promoting_) promoting_.emplace(session_.store(), theory_, session_.table());
  return *promoting_;
}

const moa::Library& ClaimLibraries::real() {
  if (!real_) real_.emplace(session_.store(), theory_, real_table_);
  return *real_;
}

void check_claim(const ClaimContext& context, const term::Axiom& axiom, const term::Claim& claim,
                 verify::Theories& theories, AxiomReport& report) {
  ClaimCheck(context, axiom, claim, theories, report).run();
}

bool agree(const ClaimContext& context, const verify::Agreement& both, AxiomReport& report) {
  term::Axiom asked = *both.second;  // what its name and its parameters are
  asked.parameters = both.parameters;
  verify::Theories unused;
  return ClaimCheck(context, asked, both.claim, unused, report).agree(both);
}

}  // namespace rhopsi::driver
