// Left sides as decision trees.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/normalise/assembler.hpp"
#include "engine/normalise/contractum.hpp"

namespace rhopsi::normalise {

// Writes the matching of all rules of one root symbol, and behind each leaf the rule.
//
// A tree tests the position on which most of the rules that are left depend, among those
// that the first of them needs. A rule with a variable there goes into every branch, so trees can
// grow beyond all bounds; from a bound on, the rules that are left are tried one by one from
// the arguments up, by code that all such places share.
class DecisionWriter {
 public:
  DecisionWriter(const term::Store& store, std::span<const Rule> rules, Program& program,
                 Assembler& assembler, ContractumWriter& contracta)
      : store_(store),
        rules_(rules),
        program_(program),
        assembler_(assembler),
        contracta_(contracta) {}

  // `of_root`: places in the rules whose left sides have `symbol` at the root.
  void write(Symbol symbol, std::span<const std::uint32_t> of_root);

 private:
  struct Pending {
    std::uint32_t slot;
    term::TermId pattern;
  };
  // A rule as far as it has been matched.
  struct Row {
    std::uint32_t order;  // place in of_root
    std::vector<Pending> pending;
    std::vector<std::pair<term::SymbolId, std::uint32_t>> variables;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> same;
  };
  // The arguments of `slot`, whose symbol is known, go to the slots from `depth` on.
  struct Load {
    std::uint32_t slot;
    Symbol symbol;
    std::uint32_t depth;
  };
  struct State {
    Label label;
    std::uint32_t depth;
    std::vector<Row> rows;
    std::optional<Load> loaded;
  };
  struct Branch {
    Symbol symbol;
    Label label;
    State state;
  };

  Row fresh_row(std::uint32_t order) const;
  void expect(Row& row, std::uint32_t slot, term::TermId pattern) const;
  void take(Row& row, std::size_t which, std::uint32_t depth) const;
  std::uint32_t column(const std::vector<Row>& rows) const;
  // Is it matched, and without a condition? Then no row behind it is reached.
  bool always_applies(const Row& row) const;
  std::size_t most_work() const;
  void write_state(State state);
  void write_branches(State state);
  void write_switch(std::uint32_t slot, const std::vector<Branch>& branches, Label otherwise);
  void write_dense(const std::vector<Branch>& branches, Label otherwise);
  void write_hashed(const std::vector<Branch>& branches, Label otherwise);
  void write_load(std::uint32_t slot, Symbol symbol, std::uint32_t depth);
  void write_leaf(const Row& row, std::uint32_t depth, Label otherwise);
  void write_conditions(const Rule& rule, const Slots& slots, std::uint32_t depth, Label otherwise);
  Label later(State state);
  Label one_by_one(std::uint32_t order);
  void write_chain();

  const term::Store& store_;
  std::span<const Rule> rules_;
  Program& program_;
  Assembler& assembler_;
  ContractumWriter& contracta_;

  std::span<const std::uint32_t> of_root_;
  std::uint32_t arity_ = 0;
  Label fail_ = 0;
  std::size_t work_ = 0;
  std::vector<State> open_;
  std::vector<Label> chain_;  // by order; what is not asked for is not written
  std::uint32_t chain_from_ = 0;
  // The last choices written, and where the last of them goes.
  std::uint32_t choices_ = 0;
  std::uint32_t end_of_choices_ = 0;
  Label last_choice_ = 0;
};

}  // namespace rhopsi::normalise
