// Expressions over a theory whose operations are given by axioms, computed operation by
// operation with concrete numbers.
//
// An operation on arrays has a shape axiom and an element axiom,
//   shape(op(A, k)) == s        psi(p, op(A, k)) == e
// and its value is the array of shape s whose element at each index p, in row-major order, is e.
// Any other operation has a defining equation `f(x, y) == e`, or a body. The domain condition is
// the operation's guard; a violated one is an error that says which numbers violate it. Arguments
// are computed before they are passed; only `if`, `select` and the connectives leave a part out.
// Nothing is simplified, and nothing here knows the name of an operation.
//
// Numbers promote as numbers.hpp says, where their sort does. The types of all elements follow
// from those of the variables' values, so that both branches of an `if` have one type, and an
// array without elements has one too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include <tl/expected.hpp>

#include "backends/reference/error.hpp"
#include "backends/reference/value.hpp"
#include "engine/onf/primitive.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::reference {

struct DefinitionLimits {
  std::int64_t elements = std::int64_t{1} << 31;   // of one array or index vector
  std::size_t depth = 1000;                        // of calls
  std::size_t stack_bytes = std::size_t{4} << 20;  // of the machine's stack, at most
};

class Definitions {
 public:
  // The axioms are read once. `store`, `theory` and `table` must outlive this, and the theory
  // stay unchanged.
  Definitions(term::Store& store, const term::Theory& theory, const onf::PrimitiveTable& table,
              DefinitionLimits limits = {});
  ~Definitions();

  // The value of a term whose free variables have these values. Integers are int64 in the result,
  // whatever they were in the arguments.
  tl::expected<Value, Error> evaluate(term::TermId term,
                                      const std::map<term::SymbolId, Value>& variables);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rhopsi::reference
