// Pairs that make a measure smaller which may also rise elsewhere and is bounded where they are
// used: in `f(true, x, y) -> f(gt(x, y), x, s(y))` the difference of x and y. What guards say comes
// from Values; the measure, and how often each fact is used, from the solver, and are compared
// again.
#include <algorithm>
#include <map>
#include <set>

#include "engine/analysis/processors.hpp"
#include "engine/analysis/values.hpp"
#include "engine/smt/constraints.hpp"

namespace rhopsi::analysis {

namespace {

using smt::Constraints;
using smt::Natural;
using smt::Truth;

constexpr std::size_t most_pairs = 12;
constexpr std::size_t most_places = 250;
constexpr std::size_t most_facts = 24;

// A factor for each argument of each marked symbol, and a constant.
using Measure = std::map<int, Linear>;

// A pair between one before it and one after it, and what is not negative there.
struct Place {
  std::size_t pair;
  std::vector<Linear> facts;
};

// Per argument: the size, or its bounds where the argument is a call.
struct Sizes {
  std::vector<Linear> least;
  std::vector<std::optional<Linear>> most;
};

class BoundedIncrease {
 public:
  BoundedIncrease(TermBank& bank, const PairProblem& problem, const Deadline& deadline)
      : bank_(bank),
        problem_(problem),
        deadline_(deadline),
        values_(bank, problem.rules, roots(), arguments()) {}

  std::optional<Reduced> run() {
    if (!find_places()) return std::nullopt;
    declare();
    std::vector<Truth> strict;
    for (std::size_t i = 0; i < problem_.pairs.size(); ++i)
      strict.push_back(constraints_.unknown());
    constraints_.require(constraints_.any(strict));
    for (const Place& place : places_) {
      if (deadline_.over()) return std::nullopt;
      const Unknown before = left(place.pair);
      Unknown fall = before;
      subtract(fall, place.pair);
      require(std::move(fall), place, constraints_.constant(true), strict[place.pair]);
      require(before, place, strict[place.pair], constraints_.constant(false));
    }
    if (deadline_.over() || !constraints_.solve(deadline_.left())) return std::nullopt;
    return checked(strict);
  }

 private:
  // A sum whose parts are unknown numbers: those that count for each variable and those against.
  struct Parts {
    std::vector<Natural> plus;
    std::vector<Natural> minus;
  };
  struct Unknown {
    std::map<int, Parts> factors;
    Parts constant;
  };
  struct Factor {
    Natural plus;
    Natural minus;
  };
  // Which places use which facts how often: for the fall of the measure, and for its bound.
  struct Uses {
    std::vector<Natural> times;
  };

  // --- what is asked of values
  std::vector<int> roots() const {
    std::vector<int> out;
    for (const Rule& pair : problem_.pairs) {
      for (Term each : bank_.arguments(pair.left)) add_root(each, out);
    }
    for (const Rule& rule : problem_.rules) add_root(rule.right, out);
    std::erase_if(out, [&](int each) {
      return std::ranges::any_of(problem_.rules, [&](const Rule& rule) {
        return !bank_.is_variable(rule.left) && bank_.head(rule.left) == each;
      });
    });
    return out;
  }

  void add_root(Term term, std::vector<int>& out) const {
    if (bank_.is_variable(term) || std::ranges::find(out, bank_.head(term)) != out.end()) return;
    out.push_back(bank_.head(term));
  }

  std::vector<Term> arguments() const {
    std::vector<Term> out;
    for (const Rule& pair : problem_.pairs) {
      for (Term each : bank_.arguments(pair.right)) out.push_back(each);
    }
    return out;
  }

  // --- places, and what is known there
  bool find_places() {
    const auto edges = estimated_edges(bank_, problem_, deadline_);
    if (!edges) return false;
    for (const auto& [before, pair] : *edges) {
      for (const auto& [same, after] : *edges) {
        if (same != pair) continue;
        if (places_.size() == most_places || deadline_.over()) return false;
        Place place{pair, {}};
        add_facts_before(before, pair, place.facts);
        add_guards(problem_.pairs[pair].right, problem_.pairs[after].left, place.facts);
        if (place.facts.size() > most_facts) place.facts.resize(most_facts);
        places_.push_back(std::move(place));
      }
    }
    return !places_.empty();
  }

  // The arguments that the pair before has left are those of the left side.
  void add_facts_before(std::size_t before, std::size_t pair, std::vector<Linear>& facts) {
    const Rule apart = rename(bank_, problem_.pairs[before]);
    const Term left = problem_.pairs[pair].left;
    add_guards(apart.right, left, facts);
    for (std::size_t i = 0; i < bank_.arguments(left).size(); ++i) {
      const Term from = bank_.arguments(apart.right)[i];
      const Term to = bank_.arguments(left)[i];
      if (!values_.exact(to)) continue;
      const Linear size = values_.at_least(to);
      facts.push_back(Linear(size).add(values_.at_least(from), -1));
      if (auto most = values_.at_most(from)) facts.push_back(most->add(size, -1));
    }
    std::erase_if(facts, [](const Linear& each) { return each.never_negative(); });
  }

  // What the calls among the arguments have become, where a pair of that left side follows.
  void add_guards(Term right, Term left, std::vector<Linear>& facts) const {
    for (std::size_t i = 0; i < bank_.arguments(left).size(); ++i) {
      const Term pattern = bank_.arguments(left)[i];
      if (bank_.is_variable(pattern)) continue;
      for (Linear& each : values_.if_root(bank_.arguments(right)[i], bank_.head(pattern))) {
        facts.push_back(std::move(each));
      }
    }
  }

  Sizes sizes(Term term) const {
    Sizes out;
    for (Term each : bank_.arguments(term)) {
      out.least.push_back(values_.at_least(each));
      out.most.push_back(values_.at_most(each));
    }
    return out;
  }

  // --- the search
  void declare() {
    for (const Rule& pair : problem_.pairs) {
      for (Term side : {pair.left, pair.right}) {
        auto& own = factors_[bank_.head(side)];
        while (own.size() <= bank_.arguments(side).size()) {
          const std::uint64_t most = own.size() == bank_.arguments(side).size() ? 2 : 1;
          const Natural plus = constraints_.unknown_up_to(most);
          own.push_back({plus, constraints_.unknown_up_to(most)});
        }
      }
    }
    for (const Rule& pair : problem_.pairs) {
      for (std::size_t i = 0; i < bank_.arguments(pair.left).size(); ++i) {
        if (!values_.exact(bank_.arguments(pair.left)[i])) forbid(pair.left, i, true, true);
      }
      const Sizes right = sizes(pair.right);
      for (std::size_t i = 0; i < right.most.size(); ++i) {
        if (!right.most[i]) forbid(pair.right, i, true, false);
      }
    }
  }

  void forbid(Term term, std::size_t argument, bool plus, bool minus) {
    const Factor& factor = factors_.at(bank_.head(term))[argument];
    const Natural none = constraints_.number(0);
    if (plus) constraints_.require(constraints_.equal(factor.plus, none));
    if (minus) constraints_.require(constraints_.equal(factor.minus, none));
  }

  // sum += times * each, against it if that is negative.
  void add(Unknown& sum, const Linear& each, Natural times, bool against) {
    const auto add_part = [&](Parts& parts, std::int64_t factor) {
      if (factor == 0) return;
      const auto size = static_cast<std::uint64_t>(factor < 0 ? -factor : factor);
      const Natural part = constraints_.multiply(constraints_.number(size), times);
      ((factor < 0) != against ? parts.minus : parts.plus).push_back(part);
    };
    for (const auto& [variable, factor] : each.factors) {
      add_part(sum.factors[variable], factor);
    }
    add_part(sum.constant, each.constant);
  }

  Unknown left(std::size_t pair) {
    Unknown out;
    const Term term = problem_.pairs[pair].left;
    const auto& own = factors_.at(bank_.head(term));
    const Sizes here = sizes(term);
    for (std::size_t i = 0; i < here.least.size(); ++i) {
      add(out, here.least[i], own[i].plus, false);
      add(out, here.least[i], own[i].minus, true);
    }
    add(out, {{}, 1}, own.back().plus, false);
    add(out, {{}, 1}, own.back().minus, true);
    return out;
  }

  // What is at least the measure of the right side.
  void subtract(Unknown& sum, std::size_t pair) {
    const Term term = problem_.pairs[pair].right;
    const auto& own = factors_.at(bank_.head(term));
    const Sizes here = sizes(term);
    for (std::size_t i = 0; i < here.least.size(); ++i) {
      if (here.most[i]) add(sum, *here.most[i], own[i].plus, true);
      add(sum, here.least[i], own[i].minus, false);
    }
    add(sum, {{}, 1}, own.back().plus, true);
    add(sum, {{}, 1}, own.back().minus, false);
  }

  // That the sum without facts that are added up is not negative; positive if that is asked for.
  void require(Unknown sum, const Place& place, Truth wanted, Truth positive) {
    Uses uses;
    for (const Linear& fact : place.facts) {
      uses.times.push_back(constraints_.unknown_up_to(2));
      add(sum, fact, uses.times.back(), true);
    }
    uses_.push_back(std::move(uses));
    for (auto& entry : sum.factors) {
      constraints_.require(constraints_.implies(wanted, at_least_as_much(entry.second)));
    }
    const Truth more = constraints_.more(constraints_.sum(sum.constant.plus),
                                         constraints_.sum(sum.constant.minus));
    constraints_.require(constraints_.implies(wanted, at_least_as_much(sum.constant)));
    constraints_.require(constraints_.implies(positive, more));
  }

  Truth at_least_as_much(const Parts& parts) {
    return constraints_.at_least(constraints_.sum(parts.plus), constraints_.sum(parts.minus));
  }

  // --- what was found, with plain numbers
  std::optional<Reduced> checked(const std::vector<Truth>& strict) {
    Measure measure;
    for (const auto& [symbol, own] : factors_) {
      Linear& out = measure[symbol];
      for (std::size_t i = 0; i + 1 < own.size(); ++i) {
        const std::int64_t factor = value(own[i].plus) - value(own[i].minus);
        if (factor != 0) out.factors[static_cast<int>(i)] = factor;
      }
      out.constant = value(own.back().plus) - value(own.back().minus);
    }
    Reduced out;
    std::vector<bool> gone;
    for (Truth each : strict) gone.push_back(constraints_.value(each));
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Place& place = places_[i];
      const auto before = of_side(measure, problem_.pairs[place.pair].left, false);
      auto after = of_side(measure, problem_.pairs[place.pair].right, true);
      if (!before || !after) return std::nullopt;
      Linear fall = Linear(*before).add(*after, -1);
      if (gone[place.pair]) fall.constant -= 1;
      if (!follows(fall, place, uses_[2 * i])) return std::nullopt;
      if (gone[place.pair] && !follows(*before, place, uses_[2 * i + 1])) return std::nullopt;
    }
    describe(measure, gone, out);
    return out;
  }

  std::int64_t value(Natural number) const {
    return static_cast<std::int64_t>(constraints_.value(number));
  }

  // The measure of a side, or what is at least that.
  std::optional<Linear> of_side(const Measure& measure, Term side, bool bound) const {
    const Linear& own = measure.at(bank_.head(side));
    Linear out{{}, own.constant};
    for (const auto& [argument, factor] : own.factors) {
      const Term term = bank_.arguments(side)[static_cast<std::size_t>(argument)];
      if (!bound && !values_.exact(term)) return std::nullopt;
      const auto size = factor > 0 ? values_.at_most(term) : std::optional(values_.at_least(term));
      if (!size) return std::nullopt;
      out.add(*size, factor);
    }
    return out;
  }

  bool follows(Linear claim, const Place& place, const Uses& uses) const {
    for (std::size_t i = 0; i < place.facts.size(); ++i) {
      claim.add(place.facts[i], -value(uses.times[i]));
    }
    return claim.never_negative();
  }

  void describe(const Measure& measure, const std::vector<bool>& gone, Reduced& out) const {
    out.proof.text =
        "bounded increase: no pair makes this sum of sizes larger (of a constant 0, of other "
        "terms of constructors 1 and those of the arguments)";
    for (const auto& [symbol, own] : measure) {
      out.proof.add("[" + with_arguments(bank_, symbol) + "] = " + text_of(own));
    }
    Proof strict{"made smaller where it is not below 0, by what calls have become:"};
    for (std::size_t i = 0; i < gone.size(); ++i) {
      const Rule& pair = problem_.pairs[i];
      if (gone[i]) {
        TermBank& bank = bank_;
        strict.add(to_string(bank, readable(bank, pair)));
      } else {
        out.rest.push_back(pair);
      }
    }
    out.proof.add(std::move(strict));
  }

  static std::string text_of(const Linear& sum) {
    std::string text;
    for (const auto& [argument, factor] : sum.factors) {
      const std::string sign = factor < 0 ? "-" : text.empty() ? "" : "+";
      if (!text.empty()) text += " ";
      text += sign + (sign.empty() || text.empty() ? "" : " ");
      if (factor != 1 && factor != -1) text += std::to_string(factor < 0 ? -factor : factor) + " ";
      text += "x" + std::to_string(argument + 1);
    }
    if (text.empty()) return std::to_string(sum.constant);
    if (sum.constant == 0) return text;
    return text + (sum.constant < 0 ? " - " : " + ") +
           std::to_string(sum.constant < 0 ? -sum.constant : sum.constant);
  }

  TermBank& bank_;
  const PairProblem& problem_;
  const Deadline& deadline_;
  Values values_;
  std::vector<Place> places_;
  Constraints constraints_;
  std::map<int, std::vector<Factor>> factors_;  // of the arguments; last the constant
  std::vector<Uses> uses_;                      // two of each place
};

}  // namespace

std::optional<Reduced> bounded_increase(TermBank& bank, const PairProblem& problem,
                                        const Deadline& deadline) {
  if (!problem.innermost || problem.pairs.size() > most_pairs) return std::nullopt;
  const Deadline own = deadline.within(std::chrono::seconds(3));
  return BoundedIncrease(bank, problem, own).run();
}

}  // namespace rhopsi::analysis
