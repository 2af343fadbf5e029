// Does a claim hold for given values? Both sides are computed by the reference evaluators.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/onf/primitive.hpp"
#include "engine/term/rule.hpp"
#include "engine/term/theory.hpp"
#include "engine/verify/domain.hpp"
#include "frontend/driver/samples.hpp"

namespace rhopsi::driver {

struct Judgement {
  enum class Kind {
    nothing_said,  // the condition does not hold, or the left side has no value there
    holds,
    fails,
    not_computed,  // something has no meaning to the evaluators
  };
  Kind kind = Kind::nothing_said;
  std::string text;                            // what differs, or what has no meaning
  bool without_value = false;                  // fails: the right side has no value
  std::optional<reference::Value> value = {};  // holds: of the left side
  bool rounding = false;                       // fails: reals alike but for their last digits
  bool real = false;                           // fails: a side has reals
  bool exact = false;                          // fails: of integers alone, none of which wrapped
  bool types = false;                          // fails: the sides are of different types
  bool apart = false;                          // fails: by more than the rounding of small numbers
  bool pole = false;  // something on the way is infinite or no number, its operands being finite
};

// The operations of the claim are computed by the definitions of `theory` (reference::Definitions),
// or as those of a program (reference::Evaluator) where the claim comes to externals that have a
// meaning only there: those on the domain of a run, parameters. Both tables must outlive this;
// numbers promote in the first and do not in the second.
// With a domain it is not the claim that is judged, but whether the definition that it is stays
// within the arrays that it reads.
class Judge {
 public:
  Judge(term::Store& store, const term::Theory& theory, const onf::PrimitiveTable& promoting,
        const onf::PrimitiveTable& real, const std::vector<term::SymbolId>& parameters,
        const term::Claim& claim, const std::vector<const term::Axiom*>& invariants,
        const verify::Domain* domain = nullptr);
  ~Judge();

  // What a sample has to give a value to: the parameters, and operations without arguments that
  // nothing defines.
  struct Unknown {
    term::SymbolId symbol;
    onf::Representation representation;
    bool constant;  // an operation: to change its value costs more
  };
  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  // Why there are no values to try; empty if there are.
  const std::string& problem() const { return problem_; }
  bool over_domain() const { return over_domain_; }
  // The bodies and guards of what the claim comes to.
  std::vector<term::TermId> bodies() const;
  // Is it computed as part of a program, and not by definitions alone?
  bool as_program() const { return as_program_; }

  Judgement judge(const Sample& sample);

 private:
  class Evaluation;

  const onf::PrimitiveTable& table() const { return as_program_ ? real_ : promoting_; }
  void find_operations();
  void find_unknowns(const std::vector<term::SymbolId>& parameters);
  void add_unknown(term::SymbolId symbol, bool constant);
  void choose_evaluator();
  void prepare(const Sample& sample);
  bool define(term::SymbolId symbol, const reference::Value& value);
  term::SortId integer_sort() const;
  Judgement compare(const Sample& sample);
  Judgement judge_domain(const Sample& sample);
  std::optional<Judgement> outside(const Sample& sample);
  bool invariants_hold(const Sample& sample);

  term::Store& store_;
  term::Theory theory_;  // with values for what it leaves open
  const onf::PrimitiveTable& promoting_;
  const onf::PrimitiveTable& real_;
  const term::Claim& claim_;
  const verify::Domain* domain_;
  std::vector<std::pair<term::SymbolId, term::Claim>> invariants_;
  std::vector<term::SymbolId> operations_;  // of the claim and of what defines it
  std::vector<Unknown> unknowns_;
  std::string problem_;
  bool as_program_ = false;
  bool over_domain_ = false;
  std::unique_ptr<Evaluation> evaluation_;  // for these values of what is constant:
  Sample prepared_;
};

// Values for what is constant, or for the rest; arrays first, which others may fit.
void fill(Sample& sample, Samples& samples, const Judge& judge, bool constant);

// What the unknowns are called, with their values; the domain first, where there is one.
std::vector<std::pair<std::string, std::string>> named_values(const term::Store& store,
                                                              const Judge& judge,
                                                              const Sample& sample);

}  // namespace rhopsi::driver
