// Does a condition follow from others? Asked of Z3, which stays behind this header.
//
// Integers are those of mathematics: what a sum that leaves 64 bits would do is not asked here.
// `/` and `%` are Euclidean; extents are at least 0. Elements of arrays are what an unknown
// function of the index says. What elements are is said by a Theory, the weakest of which leaves
// every scalar function unknown, so that what holds there holds for elements of any kind.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/moa/expression.hpp"

namespace rhopsi::smt {

enum class Theory : std::uint8_t {
  any,    // nothing is known of a scalar function but that equal arguments give equal results
  ring,   // + - * and negation are those of real numbers
  field,  // `/`, comparisons, min, max and abs besides
  ieee,   // all of these are those of doubles, rounded to nearest
};
std::string to_string(Theory theory);

struct ProverLimits {
  std::chrono::milliseconds query{1000};
  std::chrono::milliseconds run{60'000};  // of all queries of a Prover together
};

// A value of an element: `real` where its type is one of reals, else `integer`.
struct Number {
  moa::Scalar type = moa::Scalar::int64;
  std::int64_t integer = 0;
  double real = 0;
};

// What the unknowns are in a counterexample.
struct Counterexample {
  std::map<moa::VariableId, std::int64_t> variables;
  std::map<std::pair<moa::LeafId, std::uint32_t>, std::int64_t> extents;
  // Elements at places that the question speaks of, and numbers that are reals, as far as a double
  // says what they are.
  struct Element {
    moa::LeafId leaf{};
    std::vector<std::int64_t> index;
    Number value;
  };
  std::vector<Element> elements;
  std::map<moa::VariableId, double> reals;
};

struct Answer {
  enum class Kind : std::uint8_t { proved, refuted, unknown };
  Kind kind = Kind::unknown;
  std::string reason;  // unknown: why
  Counterexample counterexample;
  bool out_of_time = false;  // unknown, because a limit on time was reached
};

// For tests: called before each query; what it throws, and what it returns, is taken for what
// the solver has done. Nothing: the solver is asked.
using Interference = std::function<std::optional<Answer>()>;

// Questions about the expressions of one graph. Never throws: whatever goes wrong is unknown.
class Prover {
 public:
  Prover(moa::Expressions& expressions, ProverLimits limits, Interference interference = {});
  ~Prover();
  Prover(const Prover&) = delete;
  Prover& operator=(const Prover&) = delete;

  // Do the hypotheses imply the goal, for all values of what is unknown in them?
  Answer prove(std::span<const moa::ExprId> hypotheses, moa::ExprId goal, Theory theory);
  // Do they imply that the two are the same value? Of elements: the same, whether or not they
  // compare as equal.
  Answer prove_same(std::span<const moa::ExprId> hypotheses, moa::ExprId left, moa::ExprId right,
                    Theory theory);

  std::size_t queries() const { return queries_; }
  std::chrono::milliseconds spent() const { return spent_; }
  // So many questions were left open because a limit on time was reached.
  std::size_t out_of_time() const { return out_of_time_; }

 private:
  struct Goal;
  Answer ask(std::span<const moa::ExprId> hypotheses, const Goal& goal, Theory theory);
  Answer solve(std::span<const moa::ExprId> hypotheses, const Goal& goal, Theory theory);

  moa::Expressions& expressions_;
  ProverLimits limits_;
  Interference interference_;
  std::chrono::milliseconds spent_{0};
  std::size_t queries_ = 0;
  std::size_t out_of_time_ = 0;
};

}  // namespace rhopsi::smt
