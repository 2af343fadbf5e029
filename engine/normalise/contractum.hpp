// Right sides, and the sides of conditions, as build programs.
#pragma once

#include <optional>
#include <unordered_map>

#include "engine/normalise/assembler.hpp"

namespace rhopsi::normalise {

// Where each pattern variable of a rule is on the frame.
using Slots = std::unordered_map<term::SymbolId, std::uint32_t>;

class ContractumWriter {
 public:
  ContractumWriter(const term::Store& store, Program& program, Assembler& assembler)
      : store_(store), program_(program), assembler_(assembler) {}

  // Evaluates `term` into a slot: that of a variable, or `depth`, the first that is free.
  std::uint32_t value(term::TermId term, const Slots& slots, std::uint32_t depth);
  // Evaluates `term` as the frame's result; a call at its root takes the frame over.
  void result(term::TermId term, const Slots& slots, std::uint32_t depth);

  // Whether a rule may be about a term in `term`, so that its value takes a call.
  bool calls(term::TermId term) const;

  // The term of every machine that stands for `term`, if it is ground and no rule could
  // apply in it.
  std::optional<Handle> permanent(term::TermId term);

 private:
  struct Application;
  void apply(const Application& application);
  void finish(const Application& application);
  void build(Op fixed, Op any, std::uint32_t a, Symbol symbol, const Application& application);
  void call(Op fixed, Op any, std::uint32_t a, Symbol symbol, const Application& application);
  std::optional<std::uint32_t> known(term::TermId term, const Slots& slots, std::uint32_t depth);
  Application applied(term::TermId term, const Slots& slots, std::uint32_t depth);

  const term::Store& store_;
  Program& program_;
  Assembler& assembler_;
  std::unordered_map<term::TermId, std::optional<Handle>> permanent_;
};

}  // namespace rhopsi::normalise
