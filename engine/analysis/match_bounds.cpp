#include "engine/analysis/match_bounds.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace rhopsi::analysis {

namespace {

using Edge = HeightAutomaton::Edge;
constexpr int what_follows = HeightAutomaton::what_follows;
constexpr int nothing = HeightAutomaton::nothing;
constexpr int no_height = std::numeric_limits<int>::max();
constexpr int most_states = 2000;

// The rules, and for each beginning of a left side one that reads # for the rest.
std::vector<StringRule> with_beginnings(const std::vector<StringRule>& rules) {
  std::vector<StringRule> out = rules;
  for (const StringRule& rule : rules) {
    for (std::size_t length = 1; length < rule.left.size(); ++length) {
      StringRule part{{rule.left.begin(), rule.left.begin() + static_cast<std::ptrdiff_t>(length)},
                      rule.right};
      part.left.push_back(what_follows);
      out.push_back(std::move(part));
    }
  }
  return out;
}

class Completion {
 public:
  explicit Completion(const std::vector<StringRule>& rules) : rules_(with_beginnings(rules)) {
    outgoing_.resize(2);
    incoming_.resize(2);
    add({1, what_follows, 0, 1});
    for (const StringRule& rule : rules) add_way(0, rule.right, 0, 1);
  }

  std::optional<HeightAutomaton> run(int largest, const Deadline& deadline) {
    for (bool changed = true; changed;) {
      changed = false;
      for (int state = 0; state < automaton_.states; ++state) {
        for (const StringRule& rule : rules_) {
          for (const auto& [end, height] : reading(state, rule.left)) {
            if (reaches(state, rule.right, height + 1, end)) continue;
            if (height + 1 > largest || automaton_.states > most_states) return std::nullopt;
            add_way(state, rule.right, height + 1, end);
            changed = true;
          }
        }
        if (deadline.over()) return std::nullopt;
      }
    }
    return automaton_;
  }

 private:
  void add(const Edge& edge) {
    if (!automaton_.edges.insert(edge).second) return;
    automaton_.bound = std::max(automaton_.bound, edge.height);
    outgoing_[static_cast<std::size_t>(edge.from)].push_back(edge);
    incoming_[static_cast<std::size_t>(edge.to)].push_back(edge);
  }

  int fresh() {
    outgoing_.emplace_back();
    incoming_.emplace_back();
    return automaton_.states++;
  }

  // States reached from those given without a letter.
  std::set<int> closure(std::set<int> states, bool backwards) const {
    std::vector<int> open(states.begin(), states.end());
    while (!open.empty()) {
      const auto state = static_cast<std::size_t>(open.back());
      open.pop_back();
      for (const Edge& edge : backwards ? incoming_[state] : outgoing_[state]) {
        const int next = backwards ? edge.from : edge.to;
        if (edge.letter == nothing && states.insert(next).second) open.push_back(next);
      }
    }
    return states;
  }

  // (end, least height) of the ways from the state that read the word.
  std::set<std::pair<int, int>> reading(int state, const std::vector<int>& word) const {
    std::set<std::pair<int, int>> now{{state, no_height}};
    for (int letter : word) {
      std::set<std::pair<int, int>> next;
      for (const auto& [from, least] : now) {
        for (int each : closure({from}, false)) {
          for (const Edge& edge : outgoing_[static_cast<std::size_t>(each)]) {
            if (edge.letter == letter) next.emplace(edge.to, std::min(least, edge.height));
          }
        }
      }
      now = std::move(next);
    }
    std::set<std::pair<int, int>> out;
    for (const auto& [from, least] : now) {
      for (int each : closure({from}, false)) out.emplace(each, least);
    }
    return out;
  }

  // The states after each number of letters, all at one height, from the front or from the back.
  std::vector<std::set<int>> along(int state, std::vector<int> word, int height,
                                   bool backwards) const {
    if (backwards) std::ranges::reverse(word);
    std::vector<std::set<int>> out{closure({state}, backwards)};
    for (int letter : word) {
      std::set<int> next;
      for (int each : out.back()) {
        const auto place = static_cast<std::size_t>(each);
        for (const Edge& edge : backwards ? incoming_[place] : outgoing_[place]) {
          if (edge.letter == letter && edge.height == height) {
            next.insert(backwards ? edge.from : edge.to);
          }
        }
      }
      out.push_back(closure(std::move(next), backwards));
    }
    return out;
  }

  bool reaches(int state, const std::vector<int>& word, int height, int end) const {
    return along(state, word, height, false).back().contains(end);
  }

  // A way that reads the word, as much as possible of it along edges that are there.
  void add_way(int state, const std::vector<int>& word, int height, int end) {
    if (word.empty()) {
      if (state != end) add({state, nothing, 0, end});
      return;
    }
    const auto front = along(state, word, height, false);
    const auto back = along(end, word, height, true);
    std::size_t first = 0;
    while (first + 1 < word.size() && !front[first + 1].empty()) ++first;
    std::size_t last = 0;
    while (first + last + 1 < word.size() && !back[last + 1].empty()) ++last;
    int from = *front[first].begin();
    if (first == 0) from = state;
    const int to = last == 0 ? end : *back[last].begin();
    const std::size_t stop = word.size() - last;
    for (std::size_t i = first; i < stop; ++i) {
      const int next = i + 1 == stop ? to : fresh();
      add({from, word[i], height, next});
      from = next;
    }
  }

  std::vector<StringRule> rules_;
  HeightAutomaton automaton_;
  std::vector<std::vector<Edge>> outgoing_;
  std::vector<std::vector<Edge>> incoming_;
};

// Follows ways one edge after the other, with no tables.
class Check {
 public:
  explicit Check(const HeightAutomaton& automaton) {
    for (const Edge& edge : automaton.edges) edges_.emplace(edge.from, edge);
  }

  bool reads(int state, const std::vector<int>& word, std::size_t place, int height, int end,
             int silent = 0) const {
    if (place == word.size() && state == end) return true;
    if (silent > 50) return false;
    const auto [begin, behind] = edges_.equal_range(state);
    for (auto each = begin; each != behind; ++each) {
      const Edge& edge = each->second;
      if (edge.letter == nothing) {
        if (reads(edge.to, word, place, height, end, silent + 1)) return true;
      } else if (place < word.size() && edge.letter == word[place] && edge.height == height &&
                 reads(edge.to, word, place + 1, height, end)) {
        return true;
      }
    }
    return false;
  }

  // Every way from `start` that reads the left side has its counterpart.
  bool closed(const StringRule& rule, int start) {
    std::set<std::tuple<int, std::size_t, int>> seen;
    std::vector<std::tuple<int, std::size_t, int>> open{{start, 0, no_height}};
    while (!open.empty()) {
      const auto [state, place, least] = open.back();
      open.pop_back();
      if (!seen.insert({state, place, least}).second) continue;
      if (place == rule.left.size() && !reads(start, rule.right, 0, least + 1, state)) return false;
      const auto [begin, behind] = edges_.equal_range(state);
      for (auto each = begin; each != behind; ++each) {
        const Edge& edge = each->second;
        if (edge.letter == nothing) {
          open.emplace_back(edge.to, place, least);
        } else if (place < rule.left.size() && edge.letter == rule.left[place]) {
          open.emplace_back(edge.to, place + 1, std::min(least, edge.height));
        }
      }
    }
    return true;
  }

 private:
  std::multimap<int, Edge> edges_;
};

}  // namespace

std::optional<HeightAutomaton> find_match_bound(const std::vector<StringRule>& rules, int largest,
                                                const Deadline& deadline) {
  return Completion(rules).run(largest, deadline);
}

bool verify(const std::vector<StringRule>& rules, const HeightAutomaton& automaton) {
  Check check(automaton);
  if (!automaton.edges.contains({1, what_follows, 0, 1})) return false;
  for (const StringRule& rule : rules) {
    if (rule.left.empty() || !check.reads(0, rule.right, 0, 0, 1)) return false;
    for (std::size_t length = 1; length <= rule.left.size(); ++length) {
      StringRule part{{rule.left.begin(), rule.left.begin() + static_cast<std::ptrdiff_t>(length)},
                      rule.right};
      if (length < rule.left.size()) part.left.push_back(what_follows);
      for (int state = 0; state < automaton.states; ++state) {
        if (!check.closed(part, state)) return false;
      }
    }
  }
  return true;
}

}  // namespace rhopsi::analysis
