// The rules that may match at a place, found by one walk over the place's symbols.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/term/rule.hpp"

namespace rhopsi::rewrite {

// A discrimination net over the left sides, from the left: each edge is a symbol with its
// number of parts, or stands for any term where a pattern has a variable. What it gives are
// candidates: sorts of variables, repeated variables and the names of bound variables are the
// matcher's business. So a rule set of 10^4 rules costs no more at a place than one of 10 as
// long as their left sides differ.
class MatchingNet {
 public:
  // The rules are those of the span, by their number in it; the store must outlive this.
  MatchingNet(const term::Store& store, std::span<const term::Rule> rules);

  // Numbers of the rules whose left sides may match here, ascending. Valid until the next
  // call. Linear in the symbols of the left sides that agree with the subject.
  std::span<const std::uint32_t> candidates(term::TermId subject);

  // Nodes of the net that all calls have come by.
  std::uint64_t steps() const { return steps_; }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFFU;
  struct Node {
    std::unordered_map<std::uint64_t, std::uint32_t> edges;  // by symbol and number of parts
    std::uint32_t any = none;
    std::vector<std::uint32_t> rules;  // that end here
  };
  // A list of the subject's subterms that are still to be walked; lists share their ends.
  struct Pending {
    term::TermId subject{};
    std::uint32_t rest = none;
  };
  struct State {
    std::uint32_t node;
    std::uint32_t pending;
  };

  void insert(std::uint32_t rule, term::TermId left);
  std::uint64_t edge_of(term::TermId term) const;
  std::uint32_t child(std::uint32_t node, std::uint64_t edge);
  void walk(State state);

  const term::Store& store_;
  std::vector<Node> nodes_;
  std::vector<Pending> lists_;
  std::vector<State> states_;
  std::vector<std::uint32_t> found_;
  std::uint64_t steps_ = 0;
};

}  // namespace rhopsi::rewrite
