// What a run of rewriting has done so far, and whether it may go on.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/rewrite/by_term.hpp"
#include "engine/rewrite/rewriter.hpp"

namespace rhopsi::rewrite {

// Sizes of terms, each counted once.
class TermSizes {
 public:
  explicit TermSizes(const term::Store& store) : store_(store) {}
  // Number of nodes, shared ones at each of their places. Linear in the subterms not seen
  // before. Iterative.
  std::size_t of(term::TermId root);

 private:
  const term::Store& store_;
  ByTerm<std::size_t> sizes_;  // 0: unknown
};

// The derivation as it comes about, with the bounds that end it.
class Record {
 public:
  using Stop = term::CallableRun::Stop;

  Record(const Context& context, std::uint64_t bound);

  // --- one callable after the other
  void begin(const term::Callable& callable);
  void finish(Stop stop);
  term::Derivation take();

  // --- steps
  // One application more.
  void applied(const std::string& rule);
  void add(term::Step step);
  // The state that `take_back` returns to: what was applied since counts no longer.
  struct Mark {
    std::size_t applied;
    std::size_t steps;
    std::size_t size;
  };
  Mark mark() const;
  void take_back(const Mark& mark);

  // --- bounds
  // The bound that is reached, if one is; of all callables together it stays so.
  std::optional<Stop> exhausted();
  // What the last call of `exhausted` said.
  std::optional<Stop> reached() const { return reached_; }
  // Is the time over? Looks at the clock.
  bool out_of_time();
  // The same as `exhausted`, and whether the callable has grown too large by a strategy.
  std::optional<Stop> exhausted_or_large();
  // By a strategy a term has grown: of `before` nodes it has become one of `after`.
  void grown(std::size_t before, std::size_t after);

  term::CallableRun run{};
  std::uint64_t pass = 0;        // of the callable at hand
  std::uint64_t contextual = 0;  // left sides of rules that matched where the place has a say
  std::uint64_t visits = 0;
  std::size_t size = 0;  // by a strategy: nodes of the callable's body and guard
  TermSizes sizes;
  bool by_steps = false;  // the bound of the program is one on the steps in a callable
  std::uint64_t bound() const { return derivation_.bound; }
  std::set<std::pair<const term::Rule*, term::TermId>> refused;  // and recorded, in the callable
  term::Derivation& derivation() { return derivation_; }

 private:
  const Context& context_;
  term::Derivation derivation_;
  std::vector<const std::string*> applied_;  // in the callable at hand
  std::uint64_t steps_ = 0;                  // of all callables, those taken back included
  const std::size_t terms_before_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::uint64_t asked_ = 0;
  std::size_t recorded_bytes_ = 0;  // of steps: each holds the whole way to its place
  std::optional<Stop> reached_;
};

}  // namespace rhopsi::rewrite
