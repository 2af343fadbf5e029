// What is known of the variables of expressions at a place, and what follows from it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/moa/expression.hpp"
#include "engine/moa/integers.hpp"
#include "engine/moa/normal_form.hpp"
#include "engine/rewrite/linear.hpp"

namespace rhopsi::moa {

// Least and greatest value; nothing where it is unbounded or unknown.
struct Bounds {
  std::optional<std::int64_t> low;
  std::optional<std::int64_t> high;
};

// A stack of facts: `low <= variable < high`, and conditions. Extents are at least 0, and at most
// onf::greatest_length.
// Decisions are certain; "nothing" says nothing. Constants are decided by intervals, in time
// linear in the expression; what mentions extents by linear inequalities besides
// (rewrite::Inequalities).
class Facts {
 public:
  explicit Facts(Expressions& expressions) : expressions_(expressions) {}

  // What is known after mark() is forgotten by restore().
  struct Mark {
    std::size_t ranges;
    std::size_t inequalities;
    std::size_t limits;
  };
  Mark mark() const;
  void restore(const Mark& mark);

  void range(VariableId variable, ExprId low, ExprId high);
  void assume(ExprId condition, bool positive = true);

  // What range() said last; null for a variable that is not known here.
  const Interval* interval(VariableId variable) const;
  std::optional<bool> decide(ExprId condition);
  // Does it divide integers by what may be 0?
  bool may_fail(ExprId expression);
  Bounds bounds(ExprId expression);

  // Euclidean division and remainder, simplified by what is known.
  ExprId divide(ExprId value, ExprId divisor);
  ExprId modulo(ExprId value, ExprId divisor);
  ExprId minimum(ExprId left, ExprId right);
  ExprId maximum(ExprId left, ExprId right);

 private:
  struct Range {
    VariableId variable;
    Bounds bounds;
    Interval interval;
  };
  // A bound of one term by a constant, as a condition has said.
  struct Limit {
    ExprId term;
    Bounds bounds;
  };

  struct Parts {
    ExprId quotient, remainder;
  };

  // What has been asked under the facts that there were then: the terms of a stencil ask for few
  // indices, each of them again and again. What was decided under fewer facts holds under more.
  struct Asked {
    Mark at;
    std::unordered_map<ExprId, Bounds> bounds = {};
    std::map<std::pair<ExprId, ExprId>, std::optional<Parts>> parts = {};
    std::unordered_map<ExprId, std::optional<bool>> comparisons = {};
  };

  std::vector<Range>::const_reverse_iterator find(VariableId variable) const;
  Bounds compute_bounds(ExprId expression);
  Bounds bounds_of_sum(const Sum& sum);
  Bounds bounds_of_apply(const Node& node);
  Bounds bounds_of_fold(const Node& node);
  Bounds unwrapped(ExprId expression, const Bounds& bounds) const;
  std::optional<bool> decide_comparison(const Node& node);
  bool at_most(ExprId left, ExprId right);  // certainly
  // Is the sum certainly at most 0?
  bool at_most_zero(const Sum& sum);
  std::optional<std::pair<Sum, Sum>> alternatives(const Sum& sum) const;
  bool by_cases(const Sum& sum);
  void add_extremes();
  void add_quotients();
  void add_remainder(ExprId term);
  void have_more();  // facts
  // The answer, as it was or is found now; `answers` are the member of Asked.
  template <class Key, class Answers, class Find>
  auto answer(const Key& key, Answers Asked::*answers, const Find& find);
  std::optional<rewrite::Linear> linear(const Sum& sum);
  rewrite::Unknown unknown(ExprId term);
  void add_at_most_zero(const Sum& sum);
  void assume_factors(ExprId product);
  void add_limit(const Sum& at_most_zero);
  // Those of Euclidean division: the remainder certainly lies in [0, divisor).
  std::optional<Parts> parts(ExprId value, ExprId divisor);
  std::optional<Parts> compute_parts(ExprId value, ExprId divisor);

  Expressions& expressions_;
  std::vector<Range> ranges_;
  std::vector<Limit> limits_;
  rewrite::Inequalities inequalities_;
  std::unordered_map<ExprId, rewrite::Unknown> unknowns_;
  std::vector<ExprId> extremes_;   // of these, as they were met
  std::vector<ExprId> quotients_;  // by positive numbers, of what cannot wrap
  int choices_ = 0;                // that are decided within each other
  std::vector<Asked> asked_{Asked{}};
};

}  // namespace rhopsi::moa
