// What is known of the integers of a function at one place: the loops around it, the values that
// variables have, and what has been tested. Internal to the engine.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/onf/form.hpp"
#include "engine/onf/range.hpp"

namespace rhopsi::onf {

// constant + the sum of coefficient * atom. An atom is a variable, or an expression that is not
// linear in variables; two equal expressions are one atom.
struct Affine {
  std::int64_t constant = 0;
  std::vector<std::pair<std::uint32_t, std::int64_t>> terms;  // ascending; coefficients not 0
  friend auto operator<=>(const Affine&, const Affine&) = default;
};
// left + scale * right, and left - right; nothing where a coefficient overflows.
std::optional<Affine> combined(const Affine& left, const Affine& right, std::int64_t scale);
std::optional<Affine> difference(const Affine& left, const Affine& right);

// Of a fold of `count` elements; only what lengths that depend on values take is known: sums of
// elements that are not negative.
Range folded(ScalarFunction function, Range count, Range element);

class Ranges {
 public:
  Ranges(const Module& module, const Function& function) : module_(module), function_(function) {}

  // --- what holds from here on
  // low <= variable < high
  void counter(VariableId variable, const Expr& low, const Expr& high);
  void define(VariableId variable, const Expr& value);
  void define(VariableId variable, Range range);
  // A truth value that is set by statements to what the condition is.
  void define_truth(VariableId variable, const Expr& condition);
  void assume(const Expr& condition, bool holds = true);
  void assume_at_most(const Affine& low, const Affine& high);
  // low < high, and what that says of what quotients and extremes in them are of.
  void assume_elements(const Expr& low, const Expr& high);
  // What was assumed since is forgotten.
  std::size_t assumed() const { return facts_.size(); }
  void forget(std::size_t assumed);

  // --- questions about integers
  std::optional<Affine> affine(const Expr& value);
  Range range(const Affine& value) const;
  Range range(const Expr& value);
  // 0 <= value, for all values of the variables. False: it does not follow, from a few of the
  // things that are known.
  bool not_negative(const Affine& value) const;
  bool not_zero(const Expr& value);
  bool at_most(const Expr& left, const Expr& right);
  // Whether a condition on integers holds, where that is certain.
  std::optional<bool> decided(const Expr& condition);
  // The least value, where the variables really take the values that give it.
  std::optional<std::int64_t> least(const Affine& value) const;

  // The smaller or the greater of two, where the atom is that.
  struct Extreme {
    Affine left, right;
    bool least;
  };
  const Extreme* extreme(std::uint32_t atom) const;

  // The length of an axis of a view; nothing where it has no such axis.
  std::optional<Expr> length(ViewId view, std::size_t axis) const;

 private:
  struct Atom {
    Range range;
    std::vector<Affine> lows;   // at least each of these
    std::vector<Affine> highs;  // at most each of these
    bool counts = false;        // takes every value of its range, whatever the others are
  };

  // Of an atom that is one of two numbers: what it is if a condition holds and if it does not, and
  // what is not negative then.
  struct Choice {
    std::array<Affine, 2> values;
    std::array<std::vector<Affine>, 2> facts;
  };

  // Of an atom that is the Euclidean quotient of a value by a positive number.
  struct Quotient {
    Affine value;
    std::int64_t by;
  };

  struct Opaque {  // an expression that is not linear
    std::uint32_t atom = 0;
    std::vector<VariableId> variables;
    std::size_t facts = 0;  // among these are those that its bounds follow from
  };

  static constexpr int most_substitutions = 6;

  static bool is_integer(const Expr& e);
  void forget(VariableId variable);
  std::uint32_t make_atom(Atom atom);
  Affine of_atom(std::uint32_t atom) const { return {0, {{atom, 1}}}; }
  // `by_facts`: the bounds of the atom follow from what is assumed now.
  Affine opaque(const Expr& e, Atom atom, bool by_facts = false);
  std::optional<Affine> apply(const Expr& e);
  std::optional<Affine> divided(const Expr& e);
  std::optional<Affine> remainder(const Expr& e);
  Affine extreme(const Expr& e, bool least);
  std::optional<Affine> length_of(const Expr& e);
  void compare(ScalarFunction function, const Affine& left, const Affine& right);
  std::optional<Affine> lasting(const Expr& e);
  Range lasting_range(const Expr& e);
  Affine chosen(const Expr& e);
  bool follows(const Affine& value, const std::vector<Affine>& known, int substitutions,
               std::vector<Affine>* rests) const;
  bool follows_from(const Affine& value, const std::vector<Affine>& known) const;
  std::optional<Affine> without_quotient(const Affine& value, std::uint32_t atom,
                                         std::int64_t coefficient) const;
  void add_implied(const std::optional<Affine>& fact, std::vector<Affine>& known, int most) const;
  bool follows_by_cases(const Affine& value, std::vector<Affine>& known, int choices) const;
  void add_bounds(const Affine& value, std::vector<Affine>& known) const;

  const Module& module_;
  const Function& function_;
  std::vector<Atom> atoms_;
  std::map<std::uint32_t, Extreme> extremes_;
  std::map<std::uint32_t, Choice> choices_;
  std::map<std::uint32_t, Quotient> quotients_;
  std::map<std::string, Opaque> opaque_;  // by what they are
  std::map<VariableId, Affine> values_;
  std::map<VariableId, Expr> conditions_;  // what truth values were computed from
  std::vector<Affine> facts_;              // not negative
  bool all_facts_ = true;                  // what holds here, and not what holds anywhere or if
};

}  // namespace rhopsi::onf
