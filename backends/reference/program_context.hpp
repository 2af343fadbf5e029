// What an expression of a program leaves to the evaluator of its statements.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "backends/reference/value.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::reference {

class ProgramContext {
 public:
  using Variables = std::unordered_map<term::SymbolId, Value>;

  // The value of a block with statements, where these variables have values.
  virtual Value value_of_block(term::TermId block, Variables variables) = 0;
  // The value of an external operation for these arguments.
  virtual Value value_of_external(const term::Callable& callable, std::vector<Value> arguments) = 0;

 protected:
  ~ProgramContext() = default;
};

}  // namespace rhopsi::reference
