// The search for path orders and Knuth-Bendix orders.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "engine/analysis/path_order.hpp"
#include "engine/analysis/unknown_usable.hpp"
#include "engine/smt/constraints.hpp"

namespace rhopsi::analysis {

namespace {

using smt::Constraints;
using smt::Natural;
using smt::Truth;

constexpr std::uint64_t path_size_limit = 2'000'000;
constexpr std::size_t permuted_arity = 4;  // symbols with more arguments keep their order

using TermPair = std::pair<Term, Term>;

class PathSearch {
 public:
  PathSearch(const TermBank& bank, const OrderProblem& problem, const PathOrderShape& shape)
      : bank_(bank), problem_(problem), shape_(shape) {}

  std::unique_ptr<PathOrder> run(const Deadline& deadline) {
    deadline_ = &deadline;
    const std::vector<int> symbols = symbols_of(bank_, problem_);
    const std::size_t levels = symbols.size() + (shape_.lowest ? 1 : 0);
    for (int symbol : symbols) {
      declare(symbol, levels);
      if (given_up()) return nullptr;
    }
    UnknownUsable usable(bank_, problem_, c_);
    const auto regarded = [&](int symbol) -> const std::vector<Truth>& {
      return functions_.at(symbol).regarded;
    };
    std::vector<Truth> strict;
    for (const Rule& rule : problem_.oriented) {
      strict.push_back(greater(rule.left, rule.right));
      c_.require(c_.either(strict.back(), equal(rule.left, rule.right)));
      usable.require(rule.right, regarded);
      if (given_up()) return nullptr;
    }
    c_.require(problem_.all_strict ? c_.all(strict) : c_.any(strict));
    for (std::size_t i = 0; i < problem_.rules.size(); ++i) {
      const Rule& rule = problem_.rules[i];
      c_.require(c_.implies(usable[i], at_least(rule.left, rule.right)));
      usable.require_from(i, regarded);
      if (given_up()) return nullptr;
    }
    if (!c_.solve(deadline.left())) return nullptr;
    return read();
  }

 private:
  bool given_up() const { return c_.size() > path_size_limit || deadline_->over(); }

  struct Function {
    Natural precedence;
    Truth collapses;
    std::vector<Truth> regarded;
    std::vector<std::vector<Truth>> slots;  // [argument][slot]
  };

  void declare(int symbol, std::size_t count) {
    const std::size_t arity = bank_.symbol(symbol).arity();
    Function f{c_.unknown_up_to(count - 1), c_.constant(false), {}, {}};
    if (!problem_.monotone && arity > 0) f.collapses = c_.unknown();
    for (std::size_t i = 0; i < arity && !given_up(); ++i) {
      f.regarded.push_back(problem_.monotone ? c_.constant(true) : c_.unknown());
      std::vector<Truth>& slots = f.slots.emplace_back();
      const bool permuted = shape_.permute && arity > 1 && arity <= permuted_arity;
      for (std::size_t k = 0; k < arity; ++k) {
        slots.push_back(permuted ? c_.unknown() : (i == k ? f.regarded[i] : c_.constant(false)));
      }
    }
    if (!given_up()) restrict_slots(f, arity);
    if (shape_.lowest) {
      const Truth above = c_.more(f.precedence, c_.number(0));
      c_.require(shape_.lowest(symbol) ? c_.negate(above) : above);
    }
    functions_.emplace(symbol, std::move(f));
  }

  void restrict_slots(const Function& f, std::size_t arity) {
    const bool permuted = shape_.permute && arity > 1 && arity <= permuted_arity;
    for (std::size_t i = 0; i < arity && !given_up(); ++i) {
      if (permuted) c_.require(c_.same(c_.any(f.slots[i]), f.regarded[i]));
      for (std::size_t j = 0; j < i; ++j) {
        for (std::size_t k = 0; k < arity && permuted; ++k) {
          c_.require(c_.negate(c_.both(f.slots[i][k], f.slots[j][k])));
          for (std::size_t l = 0; l < k && j == 0; ++l) {
            c_.require(c_.negate(c_.both(f.slots[i][k], f.slots[i][l])));
            if (i == 1) c_.require(c_.negate(c_.both(f.slots[0][k], f.slots[0][l])));
          }
        }
        // A term that collapses stands for one argument.
        if (c_.is_false(f.collapses)) continue;
        c_.require(c_.negate(c_.both(f.collapses, c_.both(f.regarded[i], f.regarded[j]))));
      }
    }
    if (arity > 0) c_.require(c_.implies(f.collapses, c_.any(f.regarded)));
  }

  Truth at_least(Term s, Term t) { return c_.either(greater(s, t), equal(s, t)); }

  Truth greater(Term s, Term t) {
    if (s == t || bank_.is_variable(s)) return c_.constant(false);
    if (bank_.is_variable(t) && !occurs(bank_, bank_.variable_of(t), s)) return c_.constant(false);
    if (const auto known = greater_.find({s, t}); known != greater_.end()) return known->second;
    if (given_up()) return c_.constant(false);
    const Function& f = functions_.at(bank_.head(s));
    std::vector<Truth> cases;
    for (std::size_t i = 0; i < f.regarded.size(); ++i) {
      const Term argument = bank_.arguments(s)[i];
      const Truth more = greater(argument, t);
      const Truth same = c_.both(c_.negate(f.collapses), equal(argument, t));
      cases.push_back(c_.both(f.regarded[i], c_.either(more, same)));
    }
    if (!bank_.is_variable(t)) {
      const Function& g = functions_.at(bank_.head(t));
      cases.push_back(c_.both(c_.negate(f.collapses), against_call(s, f, t, g)));
    }
    const Truth answer = c_.any(cases);
    greater_.emplace(TermPair{s, t}, answer);
    return answer;
  }

  // s = f(...) > t = g(...), where f does not collapse.
  Truth against_call(Term s, const Function& f, Term t, const Function& g) {
    std::vector<Truth> all_smaller;
    for (std::size_t j = 0; j < g.regarded.size(); ++j) {
      all_smaller.push_back(c_.implies(g.regarded[j], greater(s, bank_.arguments(t)[j])));
    }
    // With one regarded argument this is the comparison with what g collapses to.
    std::vector<Truth> by_root{g.collapses};
    const bool same_symbol = bank_.head(s) == bank_.head(t);
    if (!same_symbol) by_root.push_back(c_.more(f.precedence, g.precedence));
    if (same_symbol || comparable(f, g)) {
      const Truth level = same_symbol ? c_.constant(true) : c_.equal(f.precedence, g.precedence);
      by_root.push_back(c_.both(level, lexicographic(s, f, t, g)));
    }
    all_smaller.push_back(c_.any(by_root));
    return c_.all(all_smaller);
  }

  bool comparable(const Function& f, const Function& g) const {
    return shape_.equals && f.regarded.size() <= permuted_arity &&
           g.regarded.size() <= permuted_arity;
  }

  Truth filled(const Function& f, std::size_t slot) {
    std::vector<Truth> each;
    for (const auto& slots : f.slots) {
      if (slot < slots.size()) each.push_back(slots[slot]);
    }
    return c_.any(each);
  }

  // In the slot both have an argument, and these are related.
  template <class Relate>
  Truth related(Term s, const Function& f, Term t, const Function& g, std::size_t slot,
                Relate relate) {
    std::vector<Truth> cases;
    const bool same_symbol = bank_.head(s) == bank_.head(t);
    for (std::size_t i = 0; i < f.slots.size(); ++i) {
      const std::size_t end = same_symbol ? i + 1 : g.slots.size();
      for (std::size_t j = same_symbol ? i : 0; j < end; ++j) {
        if (slot >= f.slots.size() || slot >= g.slots.size()) continue;
        const Truth here = c_.both(f.slots[i][slot], g.slots[j][slot]);
        if (c_.is_false(here)) continue;
        cases.push_back(c_.both(here, relate(bank_.arguments(s)[i], bank_.arguments(t)[j])));
      }
    }
    return c_.any(cases);
  }

  Truth equal_slot(Term s, const Function& f, Term t, const Function& g, std::size_t slot) {
    const Truth none = c_.both(c_.negate(filled(f, slot)), c_.negate(filled(g, slot)));
    return c_.either(none, related(s, f, t, g, slot, [&](Term a, Term b) { return equal(a, b); }));
  }

  Truth lexicographic(Term s, const Function& f, Term t, const Function& g) {
    Truth answer = c_.constant(false);
    for (std::size_t slot = std::max(f.slots.size(), g.slots.size()); slot-- > 0 && !given_up();) {
      const Truth longer = c_.both(filled(f, slot), c_.negate(filled(g, slot)));
      const Truth more = related(s, f, t, g, slot, [&](Term a, Term b) { return greater(a, b); });
      const Truth later = c_.both(equal_slot(s, f, t, g, slot), answer);
      answer = c_.either(c_.either(longer, more), later);
    }
    return answer;
  }

  Truth equal(Term s, Term t) {
    if (s == t) return c_.constant(true);
    if (bank_.is_variable(s) && bank_.is_variable(t)) return c_.constant(false);
    if (const auto known = equal_.find({s, t}); known != equal_.end()) return known->second;
    if (given_up()) return c_.constant(false);
    std::vector<Truth> cases;
    if (!bank_.is_variable(s)) collapsed_equal(s, t, cases);
    if (!bank_.is_variable(t)) collapsed_equal(t, s, cases);
    if (!bank_.is_variable(s) && !bank_.is_variable(t)) {
      const Function& f = functions_.at(bank_.head(s));
      const Function& g = functions_.at(bank_.head(t));
      const bool same_symbol = bank_.head(s) == bank_.head(t);
      if (same_symbol || comparable(f, g)) {
        std::vector<Truth> parts{c_.negate(f.collapses), c_.negate(g.collapses)};
        if (!same_symbol) parts.push_back(c_.equal(f.precedence, g.precedence));
        for (std::size_t k = 0; k < std::max(f.slots.size(), g.slots.size()); ++k) {
          if (given_up()) break;
          parts.push_back(equal_slot(s, f, t, g, k));
        }
        cases.push_back(c_.all(parts));
      }
    }
    const Truth answer = c_.any(cases);
    equal_.emplace(TermPair{s, t}, answer);
    return answer;
  }

  void collapsed_equal(Term s, Term t, std::vector<Truth>& cases) {
    const Function& f = functions_.at(bank_.head(s));
    if (c_.is_false(f.collapses)) return;
    for (std::size_t i = 0; i < f.regarded.size(); ++i) {
      cases.push_back(
          c_.both(c_.both(f.collapses, f.regarded[i]), equal(bank_.arguments(s)[i], t)));
    }
  }

  std::unique_ptr<PathOrder> read() const {
    std::map<int, PathOrder::Function> functions;
    for (const auto& [symbol, f] : functions_) {
      PathOrder::Function& out = functions[symbol];
      out.precedence = c_.value(f.precedence);
      out.slots.assign(f.slots.size(), -1);
      const bool collapses = c_.value(f.collapses);
      for (std::size_t i = 0; i < f.slots.size(); ++i) {
        if (collapses && c_.value(f.regarded[i])) out.collapses_to = static_cast<int>(i);
        for (std::size_t k = 0; k < f.slots.size() && !collapses; ++k) {
          if (c_.value(f.slots[i][k])) out.slots[k] = static_cast<int>(i);
        }
      }
    }
    return std::make_unique<PathOrder>(std::move(functions));
  }

  const TermBank& bank_;
  const OrderProblem& problem_;
  const PathOrderShape shape_;
  Constraints c_;
  std::map<int, Function> functions_;
  std::map<TermPair, Truth> greater_;
  std::map<TermPair, Truth> equal_;
  const Deadline* deadline_ = nullptr;  // of the run
};

class KnuthBendixSearch {
 public:
  KnuthBendixSearch(const TermBank& bank, const OrderProblem& problem)
      : bank_(bank), problem_(problem) {}

  std::unique_ptr<ReductionPair> run(const Deadline& deadline) {
    const std::vector<int> symbols = symbols_of(bank_, problem_);
    variable_weight_ = c_.unknown_up_to(largest_weight);
    c_.require(c_.at_least(variable_weight_, c_.number(1)));
    for (int symbol : symbols) {
      functions_.emplace(
          symbol, Function{c_.unknown_up_to(largest_weight), c_.unknown_up_to(symbols.size() - 1)});
    }
    for (int symbol : symbols) {
      admissible(symbol);
      if (c_.size() > path_size_limit || deadline.over()) return nullptr;
    }
    std::vector<Truth> strict;
    for (const Rule& rule : problem_.oriented) {
      strict.push_back(greater(rule.left, rule.right));
      c_.require(c_.either(strict.back(), c_.constant(rule.left == rule.right)));
      if (c_.size() > path_size_limit || deadline.over()) return nullptr;
    }
    c_.require(problem_.all_strict ? c_.all(strict) : c_.any(strict));
    if (!c_.solve(deadline.left())) return nullptr;
    std::map<int, KnuthBendixOrder::Function> functions;
    for (const auto& [symbol, f] : functions_) {
      functions[symbol] = {static_cast<std::int64_t>(c_.value(f.weight)), c_.value(f.precedence)};
    }
    return std::make_unique<KnuthBendixOrder>(static_cast<std::int64_t>(c_.value(variable_weight_)),
                                              std::move(functions));
  }

 private:
  struct Function {
    Natural weight;
    Natural precedence;
  };
  static constexpr std::uint64_t largest_weight = 15;

  void admissible(int symbol) {
    const Function& f = functions_.at(symbol);
    const std::size_t arity = bank_.symbol(symbol).arity();
    if (arity == 0) c_.require(c_.at_least(f.weight, variable_weight_));
    if (arity != 1) return;
    std::vector<Truth> highest;
    for (const auto& [other, g] : functions_) {
      if (other != symbol) highest.push_back(c_.more(f.precedence, g.precedence));
    }
    c_.require(c_.either(c_.more(f.weight, c_.number(0)), c_.all(highest)));
  }

  Natural weight(Term term) {
    if (bank_.is_variable(term)) return variable_weight_;
    if (const auto known = weights_.find(term); known != weights_.end()) return known->second;
    Natural sum = functions_.at(bank_.head(term)).weight;
    for (Term each : bank_.arguments(term)) sum = c_.add(sum, weight(each));
    weights_.emplace(term, sum);
    return sum;
  }

  bool variables_suffice(Term s, Term t) const {
    const auto more = variable_occurrences(bank_, s);
    const auto fewer = variable_occurrences(bank_, t);
    return std::ranges::all_of(fewer, [&](int each) {
      return std::ranges::count(more, each) >= std::ranges::count(fewer, each);
    });
  }

  Truth greater(Term s, Term t) {
    if (s == t || bank_.is_variable(s) || !variables_suffice(s, t)) return c_.constant(false);
    if (bank_.is_variable(t)) return c_.constant(true);
    const Natural ws = weight(s);
    const Natural wt = weight(t);
    return c_.either(c_.more(ws, wt), c_.both(c_.equal(ws, wt), tie(s, t)));
  }

  Truth tie(Term s, Term t) {
    if (bank_.head(s) != bank_.head(t)) {
      return c_.more(functions_.at(bank_.head(s)).precedence,
                     functions_.at(bank_.head(t)).precedence);
    }
    for (std::size_t i = 0; i < bank_.arguments(s).size(); ++i) {
      if (bank_.arguments(s)[i] == bank_.arguments(t)[i]) continue;
      return greater(bank_.arguments(s)[i], bank_.arguments(t)[i]);
    }
    return c_.constant(false);
  }

  const TermBank& bank_;
  const OrderProblem& problem_;
  Constraints c_;
  Natural variable_weight_;
  std::map<int, Function> functions_;
  std::unordered_map<Term, Natural> weights_;
};

}  // namespace

std::unique_ptr<PathOrder> find_path_order(const TermBank& bank, const OrderProblem& problem,
                                           const PathOrderShape& shape, const Deadline& deadline) {
  return PathSearch(bank, problem, shape).run(deadline);
}

std::unique_ptr<ReductionPair> find_knuth_bendix_order(const TermBank& bank,
                                                       const OrderProblem& problem,
                                                       const Deadline& deadline) {
  return KnuthBendixSearch(bank, problem).run(deadline);
}

}  // namespace rhopsi::analysis
