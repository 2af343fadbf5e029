#include "frontend/driver/analysis_arithmetic.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backends/primitives/primitives.hpp"
#include "engine/analysis/modulo.hpp"
#include "engine/moa/library.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "engine/smt/oracle.hpp"
#include "engine/term/operations.hpp"
#include "engine/verify/claim_proof.hpp"
#include "engine/verify/knowledge.hpp"
#include "frontend/driver/refutation.hpp"
#include "frontend/driver/restored.hpp"

namespace rhopsi::driver {

namespace {

using analysis::Answer;
using analysis::OpenPair;
using analysis::Proof;
using analysis::Term;
using Milliseconds = std::chrono::milliseconds;

constexpr std::size_t most_shown = 10;

// What the definitions say of two terms: whether they have the same values.
class Values {
 public:
  enum class Kind { same, different, open, none };  // none: nothing is defined
  struct Found {
    Kind kind = Kind::open;
    std::string
        text;  // different: for which values; same: of what ("as values", "as real numbers")
  };

  Values(Session& session, const term::Theory& theory, const term::Theory* library,
         AnalysisRules& system)
      : session_(session),
        system_(system),
        promoting_(primitives::make_table(session.real(), primitives::Numbers::promoting)),
        real_(primitives::make_table(session.real(), primitives::Numbers::real)),
        knowledge_(verify::knowledge_of(session.store(), theory, library, *promoting_)),
        definitions_(session.store(), knowledge_.theory, *promoting_) {}

  Found compare(const OpenPair& open, const analysis::Deadline& deadline) {
    Restored restored(session_.store(), system_);
    const auto left = restored.of(open.left);
    const auto right = restored.of(open.right);
    const auto condition = restored.conjunction(open.hypotheses);
    if (!left || !right || (!open.hypotheses.empty() && !condition)) return {};
    term::Claim claim{"pair", condition, *left, *right, {}};
    if (!defined(claim)) return {Kind::none, {}};
    const auto verdict = prove(restored.variables(), claim, deadline);
    if (verdict.outcome == verify::Outcome::proved) return {Kind::same, of_what(verdict)};
    return refuted(restored, claim, open);
  }

  // Is it computed from numbers or truth values alone, whatever its name is?
  bool computes(int symbol) const {
    const auto origin = system_.origins.find(symbol);
    if (origin == system_.origins.end()) return false;
    const term::Symbol& head = session_.store()[origin->second];
    if (head.kind == term::SymbolKind::real_literal || head.control == term::Control::if_) {
      return true;
    }
    if (term::builtin(session_.store(), origin->second) != term::Builtin::none) return true;
    const onf::Primitive* primitive = definitions_.contents().primitive(origin->second);
    return primitive != nullptr && primitive->kind == onf::Primitive::Kind::scalar;
  }

  // Whether each axiom holds by the definitions. What holds, there is.
  bool hold(const term::Theory& theory, const analysis::Deadline& deadline) {
    return std::ranges::all_of(theory.axioms, [&](const term::Axiom& axiom) {
      if (defines(axiom)) return true;
      for (const term::Claim& claim : term::claims_of(session_.store(), axiom)) {
        if (!defined(claim) || !proved(axiom.parameters, claim, deadline)) return false;
      }
      return true;
    });
  }

 private:
  bool defines(const term::Axiom& axiom) const {
    return std::ranges::any_of(knowledge_.definitions, [&](const term::Axiom* each) {
      return each->location == axiom.location && each->name == axiom.name;
    });
  }

  bool defined(const term::Claim& claim) {
    return verify::undefined_operations(session_.store(), knowledge_, *promoting_, claim).empty();
  }

  // A proof by laws of real numbers says nothing of doubles, nor, where it divides, of integers.
  static std::string of_what(const verify::Verdict& verdict) {
    const bool any = verdict.theories.holds_in(smt::Theory::any);
    const bool numbers = any && !(verdict.other_of_integers && !verdict.promoting.empty());
    return numbers ? "as values" : "as real numbers";
  }

  bool proved(const std::vector<term::SymbolId>& parameters, const term::Claim& claim,
              const analysis::Deadline& deadline) {
    return prove(parameters, claim, deadline).outcome == verify::Outcome::proved;
  }

  verify::Verdict prove(const std::vector<term::SymbolId>& parameters, const term::Claim& claim,
                        const analysis::Deadline& deadline) {
    verify::ProofLimits limits;
    limits.solver.run = std::clamp(deadline.left(), Milliseconds(0), Milliseconds(5000));
    return verify::prove(definitions_, parameters, claim, knowledge_.invariants, limits);
  }

  // Where the term that both sides come from has a value, and both have one.
  Found refuted(Restored& restored, term::Claim claim, const OpenPair& open) {
    term::Store& store = session_.store();
    const auto peak = restored.of(open.pair.peak);
    if (!peak) return {};
    const auto equal = term::builtin_symbol(store, term::Builtin::equal, store.sort(*peak));
    const auto valued = store.make(equal, {*peak, *peak});
    claim.condition = claim.condition ? term::conjunction(store, valued, *claim.condition) : valued;
    Search search;
    search.tries = 2'000;
    search.spoke = 500;
    search.both_sides = true;
    const Tried tried = refute(store, knowledge_.theory, {*promoting_, *real_},
                               restored.variables(), claim, knowledge_.invariants, search);
    if (!tried.refutation) return {};
    const std::string values = assignments(tried.refutation->values);
    return {Kind::different,
            (values.empty() ? "for" : "for " + values) + ": " + tried.refutation->difference};
  }

  Session& session_;
  AnalysisRules& system_;
  std::unique_ptr<onf::PrimitiveTable> promoting_;
  std::unique_ptr<onf::PrimitiveTable> real_;
  verify::Knowledge knowledge_;
  moa::Library definitions_;
};

class Modulo {
 public:
  Modulo(Session& session, const term::Theory& theory, const term::Theory* library,
         AnalysisRules& system, const analysis::Deadline& deadline)
      : session_(session),
        theory_(theory),
        system_(system),
        deadline_(deadline),
        intervals_(),
        oracle_(intervals_, {.query = Milliseconds(200), .run = Milliseconds(15'000)}),
        interpretation_(meanings_of(session, theory, library)),
        values_(session, theory, library, system) {}

  // Is there anything in the rules that is computed, so that terms which are written in two ways
  // may be equal?
  bool concerned() const {
    return system_.conditional() || !system_.arithmetic.empty() ||
           std::ranges::any_of(system_.rules, [&](const analysis::Rule& rule) {
             return !beyond_laws(rule.left).empty() || !beyond_laws(rule.right).empty();
           });
  }

  ModuloVerdict run(analysis::Verdict plain) {
    analysis::ModuloProblem problem{
        system_.rules, system_.conditions, system_.binders,
        [this](const std::vector<Term>& known, std::optional<Term> goal) {
          return follows(known, goal);
        }};
    const auto found =
        analysis::join_modulo(system_.bank, problem, system_.arithmetic, deadline_.part(0.6));
    if (found.open.empty() && found.complete && found.obstacle.empty()) {
      return all_join(found);
    }
    return some_do_not(found, std::move(plain));
  }

 private:
  bool follows(const std::vector<Term>& known, std::optional<Term> goal) {
    if (deadline_.over()) return false;
    term::Store& store = session_.store();
    Restored restored(store, system_);
    std::vector<term::TermId> facts;
    for (Term each : known) {
      if (const auto fact = restored.of(each)) facts.push_back(*fact);
    }
    if (!goal) return exclude_each_other(store, oracle_, interpretation_, facts);
    const auto wanted = restored.of(*goal);
    return wanted && oracle_.decide(store, *wanted, facts, interpretation_).answer ==
                         term::Verdict::Answer::proved;
  }

  // What is computed in the term, and is to canonical forms a function of which nothing is known.
  std::set<int> beyond_laws(Term term) const {
    std::set<int> found;
    for (const Term each : analysis::subterms(system_.bank, term)) {
      if (system_.bank.is_variable(each)) continue;
      const int symbol = system_.bank.head(each);
      const bool by_laws =
          system_.arithmetic.interprets(symbol) || system_.arithmetic.literal(symbol);
      if (!by_laws && values_.computes(symbol)) found.insert(symbol);
    }
    return found;
  }

  // "min, _/_", of one side of the rules.
  std::string functions_beyond_laws(Term analysis::Rule::*side) const {
    std::set<int> all;
    for (const analysis::Rule& rule : system_.rules) all.merge(beyond_laws(rule.*side));
    std::string text;
    for (const int symbol : all) {
      const analysis::Symbol& each = system_.bank.symbol(symbol);
      if (each.arity() > 0) text += (text.empty() ? "" : ", ") + each.name;
    }
    return text;
  }

  // "45 critical pairs, 1 of which has conditions that exclude each other,"
  static std::string counted(const analysis::ModuloFinding& found) {
    std::string text = std::to_string(found.pairs) + " critical pairs";
    if (found.excluded > 0) {
      text += ", " + std::to_string(found.excluded) +
              (found.excluded == 1 ? " of which has" : " of which have") +
              " conditions that exclude each other,";
    }
    return text;
  }

  ModuloVerdict all_join(const analysis::ModuloFinding& found) {
    Proof proof{"all " + counted(found) +
                " come to one canonical form, left sides hold no "
                "arithmetic, and every rule becomes smaller where arithmetic is below all else"};
    proof.add(found.order);
    const std::string on_right = functions_beyond_laws(&analysis::Rule::right);
    const std::string on_left = functions_beyond_laws(&analysis::Rule::left);
    if (!on_left.empty()) {
      Proof open{"all " + counted(found) + " come to one canonical form"};
      open.add("no proof of confluence: left sides hold " + on_left +
               ", and do not match what only laws of these make equal");
      return {{Answer::maybe, std::move(open)}, true};
    }
    if (!on_right.empty()) {
      proof.add("no laws are known there of " + on_right +
                ": terms that only these make equal count as different");
    }
    if (!system_.conditional()) return {{Answer::yes, std::move(proof)}, true};
    proof.add("a condition counts as holding where it follows from the rules and arithmetic");
    if (values_.hold(theory_, deadline_)) {
      proof.add(
          "the rules hold by the definitions (verify), so what follows before a step does so after "
          "it");
      return {{Answer::yes, std::move(proof)}, true};
    }
    proof.add("confluent if the rules hold of anything, which was not shown here");
    return {{Answer::maybe, std::move(proof)}, true};
  }

  ModuloVerdict some_do_not(const analysis::ModuloFinding& found, analysis::Verdict plain) {
    const std::size_t joined = found.pairs - found.excluded - found.open.size();
    Proof proof{"of " + counted(found) + " " + std::to_string(joined) +
                " come to one canonical form"};
    if (found.open.empty()) proof.text = "all " + counted(found) + " come to one canonical form";
    if (!found.complete)
      proof.text = "the time limit was reached before all critical pairs were joined";
    if (!found.obstacle.empty()) proof.add("no proof of confluence: " + found.obstacle);
    std::size_t shown = 0;
    for (const OpenPair& each : found.open) {
      if (deadline_.over() || shown == most_shown) break;
      ++shown;
      const OpenPair open = with_names(each);
      const auto judged = values_.compare(open, deadline_);
      Proof line{text_of(open)};
      if (judged.kind == Values::Kind::different) {
        line.text += ": different values";
        line.add(judged.text);
        return {{Answer::no, std::move(line)}, true};
      }
      const bool by_laws_alone = beyond_laws(open.left).empty() && beyond_laws(open.right).empty();
      if (judged.kind == Values::Kind::none && open.apart && by_laws_alone) {
        line.text += ": normal, and different up to arithmetic too";
        Proof whole{"one term has two normal forms"};
        whole.add(std::move(line));
        if (plain.answer == Answer::no) whole.add(std::move(plain.proof));
        return {{Answer::no, std::move(whole)}, true};
      }
      line.text += judged.kind == Values::Kind::same ? ": equal " + judged.text : ": not joined";
      proof.add(std::move(line));
    }
    if (found.open.size() > shown) {
      proof.add("and " + std::to_string(found.open.size() - shown) + " more");
    }
    return {{Answer::maybe, std::move(proof)}, true};
  }

  // With variables named x, y, z, ... in all parts alike.
  OpenPair with_names(OpenPair open) {
    std::vector<Term*> parts{&open.pair.peak, &open.left, &open.right};
    for (Term& each : open.hypotheses) parts.push_back(&each);
    std::vector<Term> terms;
    for (const Term* each : parts) terms.push_back(*each);
    const int tuple =
        system_.bank.add_symbol({"", std::vector<analysis::Sort>(terms.size(), 0), 0});
    const Term whole = system_.bank.make(tuple, terms);
    const Term named = readable(system_.bank, {whole, whole}).left;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      *parts[i] = system_.bank.arguments(named)[i];
    }
    return open;
  }

  std::string text_of(const OpenPair& open) const {
    std::string text =
        "<" + to_string(system_.bank, open.left) + ", " + to_string(system_.bank, open.right) + ">";
    for (std::size_t i = 0; i < open.hypotheses.size(); ++i) {
      text += (i == 0 ? " where " : " and ") + to_string(system_.bank, open.hypotheses[i]);
    }
    return text;
  }

  Session& session_;
  const term::Theory& theory_;
  AnalysisRules& system_;
  const analysis::Deadline& deadline_;
  rewrite::IntervalOracle intervals_;
  smt::Oracle oracle_;
  term::Interpretation interpretation_;
  Values values_;
};

}  // namespace

term::Interpretation meanings_of(Session& session, const term::Theory& theory,
                                 const term::Theory* library) {
  auto own = elaborate::interpretation_of(session.store(), theory, session.table());
  if (library == nullptr) return own;
  const auto other = elaborate::interpretation_of(session.store(), *library, session.table());
  own.arithmetic = [first = own.arithmetic, second = other.arithmetic](term::SymbolId symbol) {
    const auto meaning = first(symbol);
    return meaning == term::Arithmetic::none ? second(symbol) : meaning;
  };
  own.real = [first = own.real, second = other.real](term::SortId sort) {
    return first(sort) || second(sort);
  };
  return own;
}

ModuloVerdict confluence_modulo(Session& session, const term::Theory& theory,
                                const term::Theory* library, AnalysisRules& system,
                                analysis::Verdict plain, const analysis::Deadline& deadline) {
  if (plain.answer == Answer::yes || system.binder_on_left) return {std::move(plain), false};
  Modulo modulo(session, theory, library, system, deadline);
  if (!modulo.concerned()) return {std::move(plain), false};
  return modulo.run(std::move(plain));
}

}  // namespace rhopsi::driver
