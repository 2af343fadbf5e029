// Match bounds of string rewriting systems. (Geser, Hofbauer, Waldmann 2004.)
//
// A letter that a rule writes has a height: one more than the least height of the letters that the
// rule has read. If heights are bounded on what the right sides become, where # stands for
// what may follow them, the system terminates.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "engine/analysis/system.hpp"

namespace rhopsi::analysis {

// Letters are symbols.
struct StringRule {
  std::vector<int> left;
  std::vector<int> right;
};

struct HeightAutomaton {
  struct Edge {
    int from;
    int letter;  // or `what_follows`, or `nothing`
    int height;
    int to;
    auto operator<=>(const Edge&) const = default;
  };
  static constexpr int what_follows = -1;  // #
  static constexpr int nothing = -2;       // read without a letter

  int states = 2;  // 0 is where words begin; 1 is behind them, where # follows
  std::set<Edge> edges;
  int bound = 0;  // the greatest height
};

std::optional<HeightAutomaton> find_match_bound(const std::vector<StringRule>& rules, int largest,
                                                const Deadline& deadline);

// Every right side is a word of the automaton at height 0, and for each way that reads a left side,
// or the beginning of one and #, there is one that reads the right side one higher.
bool verify(const std::vector<StringRule>& rules, const HeightAutomaton& automaton);

}  // namespace rhopsi::analysis
