#include "frontend/driver/claim_check.hpp"

#include <algorithm>

#include "engine/verify/everywhere.hpp"
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
    const term::Location& other = store()[both.first->location];
    const std::string name =
        both.first->name + " (" + other.file + ":" + std::to_string(other.line) + ")";
    const verify::AgreementVerdict shown = shown_to_agree();
    const bool proved = !request().by_values && shown.holds();
    if (proved && !refuted_by_poles(shown.verdict)) return true;
    const Tried tried = proved ? Tried{} : test();
    if (holds() || report_.status == Status::unknown) refute_agreement(shown);
    if (report_.status == Status::refuted) {
      report_.reason =
          "it contradicts " + name +
          " where both conditions hold: the left side is what that one says, the right "
          "side what this one says" +
          (report_.reason.empty() ? "" : "; " + report_.reason);
      return false;
    }
    if (request().by_values) return true;
    const verify::Verdict& verdict = shown.verdict;
    report_.status = Status::unknown;
    report_.situation = verdict.situation.text;
    report_.reason = "not shown to agree with " + name + " where both conditions hold";
    if (!shown.integers.empty()) report_.reason += " and " + of_integers(shown.integers);
    report_.reason += "; the proof ended at: " + verdict.reason;
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

  // In single expressions, and, where numbers are others there, in programs.
  verify::AgreementVerdict shown_to_agree() {
    if (request().by_values) return {};
    const auto shown = [&](const moa::Library& library) {
      return verify::prove_everywhere(library, axiom_.parameters, claim_,
                                      context_.knowledge.invariants, limits_now());
    };
    verify::AgreementVerdict promoting = shown(context_.libraries.promoting());
    if (!promoting.holds() || !differs()) return promoting;
    return shown(context_.libraries.real());
  }

  // Values of which the small integers that test() tries are none: those of the solver, elements of
  // other types, reals as programs have them, and such as are no numbers.
  void refute_agreement(const verify::AgreementVerdict& shown) {
    const Status before = report_.status;
    const std::string why = report_.reason;
    report_.reason.clear();
    if (try_model(shown.verdict.model, &shown.integers)) return;
    Search search = search_of_types();
    search.reals = Search::Reals::more;
    Tried tried = tried_of_types(search);
    if (!tried.refutation) {
      search = request().search;
      if (!request().by_values) search.end = context_.begin + request().time;
      search.reals = Search::Reals::more;
      search.samples.extreme = true;
      tried = tried_of(search, true);
      if (tried.refutation) report_.reason = of_programs_alone(tried);
    }
    report_.status = tried.refutation ? Status::refuted : before;
    if (!tried.refutation) report_.reason = why;
    report_.refutation = std::move(tried.refutation);
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
      const bool any = verdict.theories.holds_in(smt::Theory::any);
      if (holds() && !any) look_among_integers(verdict.theories);
      if (holds()) prove_of_integers(verdict);
      if (holds() && may_have_poles(verdict)) look_among_poles(verdict.theories);
      if (holds() && !any && met_) look_among_large();
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
    search.reals = Search::Reals::apart;  // it is proved of real numbers, which are not rounded
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
    met_ = tried.spoke > 0 || tried.cut_short;
    take_up(std::move(tried), proved, "integers");
    if (report_.status == Status::refuted) report_.reason = proved + ", and not of integers";
    if (!met_) {
      report_.status = Status::unknown;
      report_.reason = proved + "; no integers were found that meet its conditions, so that it " +
                       "may be wrong of them";
    }
  }

  // What is proved of real numbers alone is shown of integers too, where these compute something in
  // another way: of each mixture of both.
  void prove_of_integers(const verify::Verdict& of_reals) {
    if (!has_to_be_shown_of_integers(of_reals)) return;
    for (const auto& integers : verify::integer_mixtures(of_reals.promoting)) {
      if (!shown_of(integers, of_reals)) return;
    }
  }

  static bool has_to_be_shown_of_integers(const verify::Verdict& of_reals) {
    if (of_reals.promoting.empty()) return false;
    const verify::Theories& theories = of_reals.theories;
    return of_reals.other_of_integers || !theories.holds_in(smt::Theory::field);
  }

  bool shown_of(const std::vector<term::SymbolId>& integers, const verify::Verdict& of_reals) {
    const verify::Verdict verdict =
        verify::prove(context_.libraries.promoting(), axiom_.parameters, claim_,
                      context_.knowledge.invariants, limits_now(), integers);
    report_.cases += verdict.cases;
    if (verdict.outcome == verify::Outcome::proved || verdict.says_nothing) return true;
    const std::string proved =
        prefix() + "it holds of real numbers (" + verify::to_string(of_reals.theories) + ")";
    if (try_model(verdict.model, &integers)) {
      report_.reason = proved + ", and not of integers";
      return false;
    }
    if (refuted_elsewhere()) return false;
    report_.status = Status::unknown;
    report_.situation = verdict.situation.text;
    report_.reason = proved + "; " + of_integers(integers) +
                     " neither a proof nor a counterexample was found; the proof ended "
                     "at: " +
                     verdict.reason;
    if (verdict.out_of_time > 0 || cut_short_) report_.leave_open_for_time();
    return false;
  }

  // "where A and B are of integers"
  std::string of_integers(const std::vector<term::SymbolId>& symbols) {
    std::string text = "where ";
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      text += (k == 0 ? "" : k + 1 == symbols.size() ? " and " : ", ") + store()[symbols[k]].name;
    }
    return text + (symbols.size() == 1 ? " is" : " are") + " of int64";
  }

  // A proof of real numbers gives a quotient by 0 some value, which it does not know; doubles have
  // infinities there, whose signs are those of zeros that are one real number.
  static bool may_have_poles(const verify::Verdict& of_reals) {
    const verify::Theories& theories = of_reals.theories;
    return of_reals.other_of_integers && !theories.holds_in(smt::Theory::any) &&
           !theories.holds_in(smt::Theory::ieee);
  }

  Tried tried_of_poles() {
    Search search = request().search;
    search.reals = Search::Reals::poles;
    search.tries = std::min<std::size_t>(search.tries, 4'000);
    search.spoke = std::min<std::size_t>(search.spoke, 1'000);
    search.end = context_.begin + request().time;
    return tried_of(search, true);
  }

  void look_among_poles(verify::Theories theories) {
    const std::string proved =
        prefix() + "it holds of real numbers (" + verify::to_string(theories) + ")";
    take_up(tried_of_poles(), proved, "quotients by 0");
    if (report_.status == Status::refuted) {
      report_.reason = proved + " where none is divided by 0, and not of doubles";
    }
  }

  bool refuted_by_poles(const verify::Verdict& of_reals) {
    if (!may_have_poles(of_reals)) return false;
    Tried tried = tried_of_poles();
    if (!tried.refutation) return false;
    report_.status = Status::refuted;
    report_.refutation = std::move(tried.refutation);
    return true;
  }

  // Integers that leave 64 bits. Where none did on the way, they refute the claim.
  void look_among_large() {
    const Search search = wrapping();
    Tried tried = tried_of(search);
    if (!tried.refutation) return;
    Search exact = search;
    exact.exact = true;
    Tried without_wrapping = tried_of(exact);
    if (without_wrapping.refutation) {
      report_.status = Status::refuted;
      report_.reason.clear();
      report_.refutation = std::move(without_wrapping.refutation);
    } else if (!report_.wrapping) {
      report_.wrapping = std::move(tried.refutation);
    }
  }

  // What reals of that size make differ is their rounding.
  Search wrapping() {
    Search search = request().search;
    if (!request().by_values) search.end = context_.begin + request().time;
    if (!request().by_values) search.meeting = meeting();
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
    if (!tried.refutation) look_among_large();
    if (report_.status == Status::refuted) return true;
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
  bool try_model(const verify::Model& model,
                 const std::vector<term::SymbolId>* integers = nullptr) {
    if (model.empty()) return false;
    Search search = request().search;
    search.integers = integers;
    if (integers != nullptr) search.reals = Search::Reals::more;
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
    if (tried.refutation) {
      report_.status = Status::refuted;
      report_.refutation = tried.refutation;
    } else if (tried.spoke > 0) {
      if (request().by_values) look_among_large();
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
  bool met_ = false;        // integers were found that meet its conditions
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
