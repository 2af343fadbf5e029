// Random conditions and facts over a small box, against trying every point of it.
#pragma once

#include <array>
#include <chrono>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/rewrite/evaluate.hpp"
#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {

struct Box {
  Algebra& algebra;
  std::mt19937 random;
  std::vector<SymbolId> variables;

  std::uint32_t below(std::uint32_t bound) { return random() % bound; }
  TermId term(int depth) {
    if (depth == 0 || below(4) == 0) {
      return below(3) == 0
                 ? algebra.number(static_cast<std::int64_t>(below(7)) - 3)
                 : algebra.make(variables[below(static_cast<std::uint32_t>(variables.size()))]);
    }
    const std::array binary{algebra.add,      algebra.subtract, algebra.add,
                            algebra.subtract, algebra.modulo,   algebra.divide,
                            algebra.minimum,  algebra.maximum,  algebra.multiply};
    const std::uint32_t which = below(binary.size() + 2);
    if (which == binary.size()) return algebra.make(algebra.negate, {term(depth - 1)});
    if (which > binary.size()) return algebra.make(algebra.absolute, {term(depth - 1)});
    const TermId left = term(depth - 1);
    return algebra.make(binary[which], {left, term(depth - 1)});
  }
  TermId condition(int depth) {
    const std::uint32_t which = below(depth == 0 ? 4 : 8);
    if (which >= 4) {
      const std::array connectives{Builtin::and_, Builtin::or_, Builtin::implies, Builtin::not_};
      const TermId left = condition(depth - 1);
      if (which == 7) return algebra.builtin(Builtin::not_, {left});
      return algebra.builtin(connectives[which - 4], {left, condition(depth - 1)});
    }
    const TermId left = term(2);
    const TermId right = term(1);
    if (which == 0) return algebra.equal(left, right);
    if (which == 1) return algebra.builtin(Builtin::not_equal, {left, right});
    return algebra.make(which == 2 ? algebra.less : algebra.less_equal, {left, right});
  }
};

// What an oracle has said of `rounds` questions; a wrong answer is a failure.
struct Agreement {
  int rounds = 0;  // conditions that were looked at
  int proved = 0;
  int refuted = 0;  // other than by constants
  int unknown = 0;
};

// Nothing where the point is none of the facts' or has no value.
inline bool has_at(bool value, Algebra& algebra, const term::Interpretation& meaning,
                   TermId condition, const std::vector<TermId>& facts,
                   const rewrite::Assignment& point) {
  for (TermId fact : facts) {
    if (rewrite::evaluate(algebra.store, meaning, fact, point).value_or(0) == 0) return false;
  }
  return rewrite::evaluate(algebra.store, meaning, condition, point) == (value ? 1 : 0);
}

inline bool fails_at(Algebra& algebra, const term::Interpretation& meaning, TermId condition,
                     const std::vector<TermId>& facts, const rewrite::Assignment& point) {
  return has_at(false, algebra, meaning, condition, facts, point);
}

// Is there a point of the facts where the condition has that value?
inline bool is_somewhere(bool value, Algebra& algebra, const std::vector<SymbolId>& variables,
                         TermId condition, const std::vector<TermId>& facts) {
  constexpr std::int64_t radius = 5;
  const auto meaning = algebra.interpretation();
  rewrite::Assignment point;
  std::int64_t& a = point[variables[0]];
  std::int64_t& b = point[variables[1]];
  std::int64_t& c = point[variables[2]];
  for (a = -radius; a <= radius; ++a) {
    for (b = -radius; b <= radius; ++b) {
      for (c = -radius; c <= radius; ++c) {
        if (has_at(value, algebra, meaning, condition, facts, point)) return true;
      }
    }
  }
  return false;
}

inline bool fails_somewhere(Algebra& algebra, const std::vector<SymbolId>& variables,
                            TermId condition, const std::vector<TermId>& facts) {
  return is_somewhere(false, algebra, variables, condition, facts);
}

inline Agreement agreement(
    Algebra& algebra, term::ConditionOracle& oracle, std::uint32_t seed, int rounds,
    std::chrono::steady_clock::time_point end = std::chrono::steady_clock::time_point::max()) {
  using Answer = term::Verdict::Answer;
  const std::vector<SymbolId> variables{algebra.variable("i"), algebra.variable("o"),
                                        algebra.variable("s")};
  Box box{algebra, std::mt19937(seed), variables};
  const auto meaning = algebra.interpretation();
  Agreement count;
  for (; count.rounds < rounds && std::chrono::steady_clock::now() < end; ++count.rounds) {
    std::vector<TermId> facts;
    for (std::uint32_t k = box.below(4); k > 0; --k) facts.push_back(box.condition(1));
    const TermId condition = box.condition(2);
    const auto verdict = oracle.decide(algebra.store, condition, facts, meaning);
    std::string shown = to_string(algebra.store, condition) + " from";
    for (TermId fact : facts) shown += " [" + to_string(algebra.store, fact) + "]";
    if (verdict.answer == Answer::unknown) ++count.unknown;
    if (verdict.answer == Answer::proved) {
      ++count.proved;
      EXPECT_FALSE(fails_somewhere(algebra, variables, condition, facts)) << shown;
    } else if (verdict.answer == Answer::refuted && verdict.decider != "constant") {
      ++count.refuted;
      if (verdict.detail.ends_with("is false by what is known there")) {
        EXPECT_FALSE(is_somewhere(true, algebra, variables, condition, facts)) << shown;
        continue;
      }
      // The counterexample is one, read back from the text.
      rewrite::Assignment given;
      for (SymbolId unknown : variables) {
        const std::string key = algebra.store[unknown].name + " = ";
        const auto place = verdict.detail.find(key);
        if (place != std::string::npos) {
          given[unknown] = std::stoll(verdict.detail.substr(place + key.size()));
        }
      }
      EXPECT_TRUE(fails_at(algebra, meaning, condition, facts, given))
          << shown << ": " << verdict.detail;
    }
  }
  return count;
}

}  // namespace rhopsi::test
