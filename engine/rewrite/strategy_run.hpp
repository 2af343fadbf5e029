// Carrying out a strategy.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/rewrite/passes.hpp"
#include "engine/rewrite/strategy.hpp"

namespace rhopsi::rewrite {

// One strategy over a rule set, for one callable after the other (rewriter.hpp).
class StrategyRun {
 public:
  using Stop = term::CallableRun::Stop;

  // All must outlive this. `firing` and `passes` are those of the rule set.
  StrategyRun(const Context& context, FactSource& facts, Firing& firing, Passes& passes,
              Record& record, const Strategy& strategy);
  ~StrategyRun();

  void enter(const term::Callable& callable);
  // What the strategy makes of the term at the end of the path; nothing where it fails.
  std::optional<term::TermId> run(term::TermId term, Path& path);
  // The bound at which the callable's run has ended, if one has.
  std::optional<Stop> stopped() const { return stopped_; }
  // Rules of this run's own, whose numbers in what is recorded follow those of the rule set.
  const std::vector<term::Rule>& own_rules() const { return reversed_rules_; }
  // Adds the work of rules of this run's own to the derivation.
  void add_work();

 private:
  struct Node;
  using Result = std::optional<term::TermId>;  // nothing: failed
  struct Next {
    enum class What { keep, enter, climb } what;
    std::size_t levels = 0;
  };

  Node prepare(const Strategy& strategy);
  void prepare_rules(const Strategy& strategy, Node& node);
  void prepare_reversed(const Strategy& strategy);
  std::size_t reach_of(const Node& node) const;
  void forget_marks(Node& node);

  Result run(Node& node, term::TermId term, Path& path);
  Result apply_rules(Node& node, term::TermId term, Path& path);
  Result sequence(Node& node, term::TermId term, Path& path);
  Result choose(Node& node, term::TermId term, Path& path);
  Result repeat(Node& node, term::TermId term, Path& path);
  Result parts(Node& node, term::TermId term, Path& path);
  Result part(Node& node, term::TermId term, Path& path, std::uint64_t number);
  Result statement(Node& node, term::TermId term, Path& path);
  Result definition(Node& node, term::TermId term, Path& path);
  Result top_down(Node& node, term::TermId term, Path& path);
  Result bottom_up(Node& node, term::TermId term, Path& path);
  Result innermost(Node& node, term::TermId term, Path& path);
  Result outermost(Node& node, term::TermId term, Path& path);
  Result once(Node& node, term::TermId term, Path& path);
  std::optional<std::size_t> next_sequence(term::TermId term) const;
  void begin_at(term::TermId term, std::size_t from);
  Result all_passes(Node& node, term::TermId term, Path& path);

  template <class Before, class After>
  term::TermId walk(term::TermId root, Path& path, Before before, After after);

  const Context& context_;
  term::Store& store_;
  FactSource& facts_;
  Firing& firing_;
  Passes& passes_;
  Record& record_;
  std::vector<term::Rule> reversed_rules_;
  std::optional<Firing> reversed_;
  std::unique_ptr<Node> root_;
  std::optional<Stop> stopped_;
};

// The name of a rule's axiom, without the number of its assertion.
std::string_view axiom_of(std::string_view rule);

}  // namespace rhopsi::rewrite
