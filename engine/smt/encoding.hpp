// Expressions as terms of Z3. Internal to this folder.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <z3++.h>

#include "engine/smt/prover.hpp"

namespace rhopsi::smt {

// A fold is a constant of which this is known: it equals another fold by the same function if
// the counts are equal, and the elements at one place, about which nothing is known but that it
// lies below the count. (If two folds differ, some pair of their elements does; the place is
// where.) So no quantifier is needed but for conditions on all of a range.
class Encoding {
 public:
  Encoding(z3::context& context, moa::Expressions& expressions, Theory theory);

  z3::expr encode(moa::ExprId expression);
  // Facts about what encode() has met: lengths, folds. To be called until nothing is new.
  std::vector<z3::expr> take_facts();
  Counterexample read(const z3::model& model) const;

 private:
  struct Fold {
    z3::expr value;
    moa::ExprId expression;
  };

  struct Load {
    moa::LeafId leaf;
    moa::Scalar type;
    z3::expr_vector components;
    z3::expr value;
  };

  z3::sort sort_of(moa::Scalar type);
  z3::expr encode_node(moa::ExprId expression);
  z3::expr encode_apply(const moa::Node& node);
  std::optional<z3::expr> converted(moa::Scalar to, moa::Scalar from, const z3::expr& operand);
  static std::optional<z3::expr> number_operation(moa::ScalarFunction function,
                                                  const z3::expr_vector& operands);
  z3::expr encode_integer(const moa::Node& node, const z3::expr_vector& operands);
  std::optional<z3::expr> interpreted(const moa::Node& node, const z3::expr_vector& operands);
  std::optional<z3::expr> real_operation(const moa::Node& node, const z3::expr_vector& operands);
  std::optional<z3::expr> ieee_operation(const moa::Node& node, const z3::expr_vector& operands);
  z3::expr ieee_quotient(const z3::expr& a, const z3::expr& b, const moa::Node& divisor);
  z3::expr encode_fold(moa::ExprId expression, const moa::Node& node);
  z3::expr quantified(const moa::Node& node);
  z3::expr unknown_function(const std::string& name, const z3::expr_vector& operands,
                            const z3::sort& result);
  z3::expr real_constant(const moa::Node& node);
  void relate(const Fold& one, const Fold& other);
  bool depends_on_bound(moa::ExprId expression) const;

  z3::context& context_;
  moa::Expressions& expressions_;
  Theory theory_;
  std::unordered_map<moa::ExprId, z3::expr> known_;
  std::map<moa::VariableId, z3::expr> variables_;
  std::map<std::pair<moa::LeafId, std::uint32_t>, z3::expr> extents_;
  std::map<moa::VariableId, z3::expr> reals_;
  std::vector<Load> loads_;
  std::vector<moa::VariableId> bound_;  // by quantifiers around the present place
  std::vector<Fold> folds_;
  std::vector<z3::expr> facts_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;  // of folds that are to be related
  std::size_t related_ = 0;
};

}  // namespace rhopsi::smt
