// A rewriter of trees by the definitions of matching and of the strategies, and nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rhopsi::tests {

// A negative symbol is a variable.
struct Tree {
  int symbol = 0;
  std::vector<Tree> arguments{};

  bool operator==(const Tree&) const = default;
};

struct NaiveCondition {
  Tree left;
  Tree right;
  bool different = false;
};

struct NaiveRule {
  Tree left;
  Tree right;
  std::vector<NaiveCondition> conditions;
};

enum class NaiveStrategy { innermost, outermost, top_down, bottom_up };

// Throws TooLong beyond so many applications of rules.
struct TooLong {};
// Beyond so many calls inside each other.
struct TooDeep {};

class NaiveRewriter {
 public:
  NaiveRewriter(std::vector<NaiveRule> rules, std::uint64_t most)
      : rules_(std::move(rules)), most_(most) {}

  Tree normal_form(const Tree& tree, NaiveStrategy strategy);
  // The term as it is after so many steps.
  Tree after(const Tree& tree, NaiveStrategy strategy, std::uint64_t steps);
  std::uint64_t steps() const { return steps_; }
  // That have changed something.
  std::uint64_t passes() const { return passes_; }
  // What rules were applied to, with the numbers of the rules.
  const std::vector<std::pair<std::size_t, Tree>>& redexes() const { return redexes_; }

 private:
  using Match = std::map<int, Tree>;
  static bool matches(const Tree& pattern, const Tree& tree, Match& match);
  static Tree instance(const Tree& pattern, const Match& match);
  bool holds(const NaiveCondition& condition, const Match& match);
  std::optional<Tree> at_root(const Tree& tree);
  Tree innermost(const Tree& tree);
  bool outermost_step(Tree& tree);
  Tree top_down(const Tree& tree, bool& changed);
  Tree bottom_up(const Tree& tree, bool& changed);

  std::vector<NaiveRule> rules_;
  std::uint64_t most_;
  std::uint64_t steps_ = 0;
  std::uint64_t last_ = ~std::uint64_t{0};  // no step after so many
  std::uint64_t passes_ = 0;
  std::vector<std::pair<std::size_t, Tree>> redexes_;
  int depth_ = 0;
};

}  // namespace rhopsi::tests
