// The expressions of a program whose arrays have shapes of their own.
//
// They are computed like those over a theory (definitions.hpp), by the bodies of the program's
// operations. A sort has one type here, so an expression is typed once, whatever its variables
// hold when it is met again.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backends/reference/definitions.hpp"
#include "backends/reference/program_context.hpp"
#include "backends/reference/watch.hpp"

namespace rhopsi::reference {

// Everything throws Failure.
class ProgramExpressions {
 public:
  using Variables = ProgramContext::Variables;

  // The arguments must outlive this.
  ProgramExpressions(const term::Store& store, const term::Program& program,
                     const onf::PrimitiveTable& table, const DefinitionLimits& limits, Watch& watch,
                     ProgramContext& context);
  ~ProgramExpressions();

  // Forgets what an earlier, failed evaluation left behind.
  void start();
  Value evaluate(term::TermId term, const Variables& variables);
  // The value of a function or predicate that has a body.
  Value call(term::SymbolId symbol, std::vector<Value> arguments);
  // Fails where the guard of the callable, which has one, does not hold.
  void check_guard(const term::Callable& callable, std::span<const Value> arguments);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rhopsi::reference
