// Where a rule takes the terms of its variables.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/normalise/rule.hpp"

namespace rhopsi::normalise {

// Of both sides of a rule, the ways to those variables that occur once in each: what is known of
// places inside such a term holds of it where the right side has it.
struct Moves {
  static constexpr std::uint32_t no_variable = ~std::uint32_t{0};
  struct Node {
    std::uint32_t argument;  // of the node above
    std::uint32_t end;       // behind the nodes below
    std::uint32_t variable;  // by number, the same in both sides
  };
  // In pre-order, from the root; empty if there is no such variable.
  std::vector<Node> left;
  std::vector<Node> right;
  std::uint32_t variables = 0;
  std::uint32_t arguments = 0;  // of the nodes of the right side that have some here
};

// A right side that is very large if shared parts are written out moves nothing. Linear in the
// sides written out.
Moves moves_of(const term::Store& store, const Rule& rule);

}  // namespace rhopsi::normalise
