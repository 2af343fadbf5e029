// Which subterms of an expression may be stored, and what the expression costs then. Internal to
// this folder.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/moa/cost.hpp"
#include "engine/moa/plan.hpp"
#include "engine/moa/stored.hpp"

namespace rhopsi::moa {

// Numbers of candidates, ascending: parts come before what holds them.
using Chosen = std::vector<std::size_t>;

Chosen with(const Chosen& chosen, std::size_t candidate);
Chosen without(const Chosen& chosen, std::size_t candidate);

class Storing {
 public:
  // `plain` is the form of the whole as it is.
  Storing(const Library& library, term::TermId expression, const Place& place,
          const NormalForm& plain, const Limits& limits);

  // Calls of array operations within the expression, of its leaves only: equal ones are one.
  std::size_t candidates() const { return candidates_.size(); }
  // Can it be worth storing at all? Its operations and its stores must be less than those of all,
  // and its array no larger than those that are there anyway, unless it is known to be small.
  bool promises(std::size_t candidate);

  double weight(const Cost& cost) const { return cost.weighted(limits_); }
  // What computing all stages costs, the stores of the result aside; nothing where some subterm
  // has no form of its own, or its form needs what the whole does not need.
  std::optional<Cost> cost(const Chosen& chosen);
  // Are errors the same as without storing?
  bool safe(const Chosen& chosen);
  // The cost of the stage of one of them alone, its stores included.
  Cost own_cost(std::size_t candidate, const Chosen& chosen);

  // Nothing where limits are in the way.
  std::optional<Plan> plan(const Chosen& chosen);

  // Reductions that may still be tried; long ones count as several.
  void allow(std::size_t trials) { trials_ += trials; }

 private:
  struct Candidate {
    std::vector<term::TermId> occurrences;
    std::size_t size = 0;
    bool read_again = false;  // may an element of the whole read more than one of it?
    std::size_t places = 0;
  };
  struct Trial {
    NormalForm form;
    Cost cost;
    double volume = 0;
    std::optional<bool> safe;
  };

  void collect();
  void add(term::TermId term);
  void count_reads(term::TermId term, bool once);
  // Is each of its elements computed once anyway? Nothing is said of folds: two side by side wait
  // for each other.
  bool is_read_once(std::size_t candidate) const;
  bool is_candidate(term::TermId term) const;
  std::size_t whole() const { return candidates_.size(); }
  term::TermId term_of(std::size_t target) const;
  // The chosen ones that the target reads.
  Chosen frontier(std::size_t target, const Chosen& chosen) const;
  // The form of a candidate or the whole over those that are stored; null where it has none.
  Trial* trial(std::size_t target, const Chosen& chosen);
  std::optional<Trial> tried(std::size_t target, const Chosen& read);
  bool needs_no_more(const NormalForm& form) const;

  const Library& library_;
  const term::Store& store_;
  term::TermId expression_;
  Place place_;
  Limits limits_;
  std::size_t trials_;
  double plain_cost_;
  double largest_;  // elements of the largest array that is there anyway
  Vector shape_;    // of the whole
  bool has_folds_;  // the whole
  std::vector<Candidate> candidates_;
  std::unordered_map<term::TermId, std::size_t> candidate_of_;
  std::shared_ptr<Expressions> expressions_;
  std::vector<Assumption> assumptions_;  // of the whole
  std::vector<Assumption> known_;        // these, and what is known at the place
  std::map<std::pair<std::size_t, Chosen>, std::optional<Trial>> tried_;
};

}  // namespace rhopsi::moa
