// Rules as the normaliser takes them, and what may be wrong with one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/term/store.hpp"

namespace rhopsi::normalise {

// Holds if the normal forms of both sides by the same rules are equal, or differ. A truth
// value `b` as a condition is the equation of b with the constant that stands for truth.
struct Condition {
  enum class Relation { equal, different };
  Relation relation = Relation::equal;
  term::TermId left{};
  term::TermId right{};
};

// left -> right if all conditions hold. Symbols of kind `variable` are the pattern
// variables; one that occurs twice in `left` stands for equal terms.
struct Rule {
  std::string name;
  term::TermId left{};
  term::TermId right{};
  std::vector<Condition> conditions{};
};

// Why a rule cannot be compiled.
struct Problem {
  enum class Kind { left_is_variable, unbound_variable, binder, too_large };
  Kind kind;
  std::size_t rule;    // its place in the rules
  std::string detail;  // of an unbound variable: its name
};

}  // namespace rhopsi::normalise
