// Decreasing diagrams with one label per rule.
//
// Where right sides have variables twice, a step below one of them is copied. That is decreasing if
// the rules that copy end relative to the others: steps are then labelled by their start first, in
// the order that this gives, and by their rule second; no join in it has a larger start. (Zankl,
// Felgenhauer, Middeldorp 2011.)
//
//   s ->*_{<a} . ->=_b . ->*_{<a or <b} . <-*_{<a or <b} . <-=_a . <-*_{<b} t
//
// joins a pair s <-_a . ->_b t. Labels are found by the solver from the ways in which the pairs can
// be joined, and are then compared again, way by way.
#include <algorithm>
#include <functional>
#include <map>

#include "engine/analysis/closed_pairs.hpp"
#include "engine/analysis/processors.hpp"
#include "engine/smt/constraints.hpp"

namespace rhopsi::analysis {

namespace {

using Way = std::vector<std::size_t>;  // rules in the order of their use

struct Join {
  Way left;
  Way right;
};

struct Reached {
  Term term;
  Way way;
};

// All ways of up to `depth` steps.
std::vector<Reached> ways(TermBank& bank, const RuleIndex& index, Term term, int depth) {
  std::vector<Reached> out{{term, {}}};
  for (std::size_t i = 0; i < out.size() && out.size() < 300; ++i) {
    const Reached from = out[i];
    if (static_cast<int>(from.way.size()) >= depth || bank.size(from.term) > 300) continue;
    for (const Reduct& each : reducts(bank, index, from.term)) {
      Way way = from.way;
      way.push_back(each.step.rule);
      out.push_back({each.term, std::move(way)});
    }
  }
  return out;
}

std::vector<Join> joins(TermBank& bank, const RuleIndex& index, const CriticalPair& pair) {
  std::vector<Join> out;
  const auto right = ways(bank, index, pair.right, 4);
  for (const Reached& a : ways(bank, index, pair.left, 4)) {
    for (const Reached& b : right) {
      if (a.term == b.term) out.push_back({a.way, b.way});
    }
  }
  std::ranges::stable_sort(out, {},
                           [](const Join& join) { return join.left.size() + join.right.size(); });
  if (out.size() > 60) out.resize(60);
  return out;
}

// One side of the diagram: steps below `own`, then one labelled `other`, then steps below either.
// Written once over what a comparison is, for unknown labels and for known ones.
template <class Logic>
auto side(Logic& logic, const Way& way, std::size_t own, std::size_t other) {
  std::vector<typename Logic::Value> cases;
  for (std::size_t middle = 0; middle <= way.size(); ++middle) {
    for (bool with_step : {false, true}) {
      if (with_step && middle == way.size()) continue;
      std::vector<typename Logic::Value> parts;
      for (std::size_t i = 0; i < middle; ++i) parts.push_back(logic.less(way[i], own));
      if (with_step) parts.push_back(logic.equal(way[middle], other));
      for (std::size_t i = middle + (with_step ? 1 : 0); i < way.size(); ++i) {
        parts.push_back(logic.either(logic.less(way[i], own), logic.less(way[i], other)));
      }
      cases.push_back(logic.all(parts));
    }
  }
  return logic.any(cases);
}

struct Unknown {
  using Value = smt::Truth;
  smt::Constraints& constraints;
  const std::vector<smt::Natural>& labels;

  Value less(std::size_t a, std::size_t b) { return constraints.more(labels[b], labels[a]); }
  Value equal(std::size_t a, std::size_t b) { return constraints.equal(labels[a], labels[b]); }
  Value either(Value a, Value b) { return constraints.either(a, b); }
  Value all(const std::vector<Value>& each) { return constraints.all(each); }
  Value any(const std::vector<Value>& each) { return constraints.any(each); }
};

struct Known {
  using Value = char;  // a vector of bool holds no values
  const std::vector<std::uint64_t>& labels;

  Value less(std::size_t a, std::size_t b) const { return labels[a] < labels[b]; }
  Value equal(std::size_t a, std::size_t b) const { return labels[a] == labels[b]; }
  Value either(Value a, Value b) const { return a || b; }
  Value all(const std::vector<Value>& each) const {
    return std::ranges::all_of(each, [](Value value) { return value != 0; });
  }
  Value any(const std::vector<Value>& each) const {
    return std::ranges::any_of(each, [](Value value) { return value != 0; });
  }
};

Rules copying(const TermBank& bank, const Rules& rules) {
  Rules out;
  for (const Rule& rule : rules) {
    if (!linear(bank, rule.right)) out.push_back(rule);
  }
  return out;
}

Proof described(TermBank& bank, const Rules& rules, const std::vector<std::uint64_t>& labels,
                std::size_t pairs, std::optional<Proof> copies) {
  Proof proof{(copies ? "left-linear" : "linear") + std::string(", and all ") +
              std::to_string(pairs) + " critical pairs are decreasing with these labels of rules"};
  for (std::size_t i = 0; i < rules.size(); ++i) {
    proof.add(std::to_string(labels[i]) + ": " + to_string(bank, readable(bank, rules[i])));
  }
  if (copies) {
    proof.add(Proof{"steps of rules that copy are finitely many in any rewriting", {*copies}});
  }
  return proof;
}

}  // namespace

std::optional<Proof> decreasing(TermBank& bank, const Rules& rules,
                                const std::vector<CriticalPair>& pairs, const Deadline& deadline) {
  if (!left_linear(bank, rules) || pairs.size() > 200) return std::nullopt;
  for (const Rule& rule : rules) {
    if (has_fresh_variables(bank, rule)) return std::nullopt;
  }
  const RuleIndex index(bank, rules);
  smt::Constraints constraints;
  std::vector<smt::Natural> labels;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    labels.push_back(constraints.unknown_up_to(std::min<std::size_t>(rules.size(), 15)));
  }
  Unknown unknown{constraints, labels};
  std::vector<std::vector<Join>> all;
  for (const CriticalPair& pair : pairs) {
    if (deadline.over()) return std::nullopt;
    all.push_back(joins(bank, index, pair));
    std::vector<smt::Truth> cases;
    for (const Join& join : all.back()) {
      cases.push_back(constraints.both(side(unknown, join.left, pair.inner, pair.outer),
                                       side(unknown, join.right, pair.outer, pair.inner)));
    }
    constraints.require(constraints.any(cases));
  }
  if (!constraints.solve(deadline.left())) return std::nullopt;
  std::vector<std::uint64_t> values;
  for (smt::Natural each : labels) values.push_back(constraints.value(each));
  Known known{values};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool joined = std::ranges::any_of(all[i], [&](const Join& join) {
      return side(known, join.left, pairs[i].inner, pairs[i].outer) &&
             side(known, join.right, pairs[i].outer, pairs[i].inner);
    });
    if (!joined) return std::nullopt;
  }
  std::optional<Proof> copies;
  if (const Rules twice = copying(bank, rules); !twice.empty()) {
    copies = relative_termination(bank, twice, rules, deadline);
    if (!copies) return std::nullopt;
  }
  return described(bank, rules, values, pairs.size(), std::move(copies));
}

}  // namespace rhopsi::analysis
