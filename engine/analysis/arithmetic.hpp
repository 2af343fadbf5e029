// Terms up to the laws of arithmetic: sums and products of integers, and truth values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/analysis/term.hpp"

namespace rhopsi::analysis {

enum class Operation { add, subtract, negate, multiply, and_, or_, not_, implies, iff };
bool of_truth_values(Operation operation);

// What symbols mean. Those that are not here are unknown functions of their arguments.
struct Arithmetic {
  std::unordered_map<int, Operation> operations;
  std::unordered_map<int, std::int64_t> integers;  // literals
  std::unordered_map<int, bool> truths;

  bool interprets(int symbol) const { return operations.contains(symbol); }
  bool literal(int symbol) const { return integers.contains(symbol) || truths.contains(symbol); }
  bool empty() const { return operations.empty(); }
};

// One term for all those that commutative rings and Boolean algebra make equal: sums of products of
// what no operation is known of, in an order of their own, at every depth. Complete: two terms of
// one sort that have different ones differ for some meaning of the other symbols.
class CanonicalTerms {
 public:
  CanonicalTerms(TermBank& bank, const Arithmetic& arithmetic)
      : bank_(bank), arithmetic_(arithmetic) {}

  // Nothing where a number does not fit 64 bits, or a sum has more than 1000 products.
  std::optional<Term> of(Term term);

 private:
  // Products of canonical terms, in order, with their coefficients; those of truth values are
  // numbers modulo 2, and a factor stands once.
  using Factors = std::vector<Term>;
  using Polynomial = std::map<Factors, std::int64_t>;
  enum class Kind { integer, truth };
  enum class Shape { sum, product };

  std::optional<Kind> kind_of(Term term) const;
  std::optional<Polynomial> polynomial(Term term, Kind kind);
  std::optional<Polynomial> operation(Operation operation, Term term, Kind kind);
  std::optional<Polynomial> alien(Term term);
  std::optional<Term> alien_term(Term term);
  Term build(const Polynomial& polynomial, Sort sort, Kind kind);
  Term literal(std::int64_t value, Sort sort, Kind kind);
  Term compose(Shape shape, Kind kind, Sort sort, const std::vector<Term>& parts);

  static Polynomial constant(std::int64_t value);
  static std::optional<Polynomial> sum(std::optional<Polynomial> a,
                                       const std::optional<Polynomial>& b, std::int64_t sign,
                                       Kind kind);
  static std::optional<Polynomial> product(const std::optional<Polynomial>& a,
                                           const std::optional<Polynomial>& b, Kind kind);

  TermBank& bank_;
  const Arithmetic& arithmetic_;
  std::unordered_map<Term, std::optional<Term>> known_;
  // What canonical terms are written with.
  struct Made {
    Shape shape;
    Kind kind;
  };
  std::unordered_map<int, Made> made_;
  std::map<std::tuple<Shape, Kind, Sort, std::vector<Sort>>, int> shapes_;
  std::map<std::tuple<Kind, Sort, std::int64_t>, int> literals_;
  std::unordered_map<int, std::pair<Kind, std::int64_t>> made_literals_;
};

}  // namespace rhopsi::analysis
