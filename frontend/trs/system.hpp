// Rewriting systems as the community's formats state them: symbols, variables, rules, and what
// the problem says about strategy and conditions. Plain data, without any meaning.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/syntax/source.hpp"

namespace rhopsi::trs {

// A term in pre-order: a symbol as its number, a variable v of the rule as ~v. Terms of any depth
// are copied, compared and freed without recursion.
using Term = std::vector<std::int32_t>;

struct Symbol {
  std::string name;
  std::uint32_t arity = 0;
  // Indices into System::sorts; empty and 0 where the system has no sorts.
  std::vector<std::uint32_t> parameters;
  std::uint32_t result = 0;

  bool operator==(const Symbol&) const = default;
};

struct Variable {
  std::string name;
  std::uint32_t sort = 0;
  syntax::Span span = {};  // of its first occurrence in the rule

  bool operator==(const Variable& other) const { return name == other.name && sort == other.sort; }
};

struct Condition {
  Term left;
  Term right;
  bool different = false;  // the normal forms of the sides have to differ, not to be equal

  bool operator==(const Condition&) const = default;
};

struct Rule {
  Term left;
  Term right;
  std::vector<Condition> conditions;
  std::vector<Variable> variables;  // in order of first occurrence
  syntax::Span span;                // of the whole rule

  bool operator==(const Rule& other) const {
    return left == other.left && right == other.right && conditions == other.conditions &&
           variables == other.variables;
  }
};

enum class Strategy { full, innermost, outermost };

struct System {
  std::vector<std::string> sorts;  // empty: no sorts
  std::vector<Symbol> symbols;
  std::vector<Rule> rules;
  Strategy strategy = Strategy::full;

  bool operator==(const System&) const = default;
};

}  // namespace rhopsi::trs
