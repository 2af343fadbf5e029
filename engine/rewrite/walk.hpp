// What the parts of StrategyRun share.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "engine/rewrite/strategy_run.hpp"

namespace rhopsi::rewrite {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

// A strategy with its rules looked up.
struct StrategyRun::Node {
  Strategy::Kind kind{};
  std::uint64_t number = 0;
  std::string name;
  std::vector<Node> parts;
  Firing* firing = nullptr;    // rules, rule, reversed
  std::vector<bool> selected;  // rules of the firing that may be applied; empty: all
  std::size_t reach = 0;
  bool depends_on_callable = false;
  // innermost, outermost: terms that are normal forms wherever they stand.
  ByTerm<bool> normal;
  std::vector<term::TermId> marked;

  void mark_normal(term::TermId term) {
    normal[term] = true;
    if (depends_on_callable) marked.push_back(term);
  }
};

// Goes through the term at the end of the path, from the root and from the left, and puts
// together what comes of it. `before(term)` may replace the term and says what to do with it:
// keep it as it is, enter its parts, or climb that many levels, where the rebuilt term is looked at
// anew. When its parts are done, `after(term, contextual)` may replace it, and says whether the new
// term is looked at anew; `contextual` is what Record::contextual was when the term was
// looked at. Iterative.
template <class Before, class After>
term::TermId StrategyRun::walk(term::TermId root, Path& path, Before before, After after) {
  struct Entered {
    std::size_t first_result;
    std::uint64_t contextual;
  };
  const std::size_t base = path.depth();
  std::vector<term::TermId> results;
  std::vector<Entered> entered;
  const auto leave = [&] {
    results.resize(entered.back().first_result);
    entered.pop_back();
    path.pop();
  };
  const auto done = [&] {
    return std::span<const term::TermId>(results).subspan(entered.back().first_result);
  };
  const auto climb = [&](term::TermId term, std::size_t levels) {
    for (; levels > 0 && path.depth() > base; --levels) {
      const auto old = store_.children(path.top());
      std::vector<term::TermId> children(old.begin(), old.end());
      std::ranges::copy(done(), children.begin());
      children[path.child()] = term;
      term = with_children(store_, path.top(), children);
      leave();
    }
    return term;
  };
  const auto visit = [&](term::TermId term) {
    while (true) {
      const std::uint64_t contextual = record_.contextual;
      const Next next = before(term);
      if (next.what == Next::What::climb) {
        term = climb(term, next.levels);
        continue;
      }
      if (next.what == Next::What::keep) {
        results.push_back(term);
      } else {
        path.push(term);
        entered.push_back({results.size(), contextual});
      }
      return;
    }
  };
  visit(root);
  while (path.depth() > base) {
    if (const auto child = path.next_child()) {
      visit(*child);
      continue;
    }
    term::TermId term = with_children(store_, path.top(), done());
    const std::uint64_t contextual = entered.back().contextual;
    leave();
    if (after(term, contextual)) {
      visit(term);
    } else {
      results.push_back(term);
    }
  }
  return results.back();
}

}  // namespace rhopsi::rewrite
