// The reference evaluator: programs run as they are written, slowly and plainly.
//
// Every operation is carried out in the program's own element types, one after the other
// in the order of the text; nothing is reordered or contracted. Whatever the other
// backends compute is compared with this.
//
// Padding is a state here, not storage: an array that a schedule or a forall has built is
// stale until it is refilled, and reading its padding then is an error. Arrays that come
// from outside, and results of whole-array rotations, are fresh.
//
// Where a program asks for the shapes of its arrays, each has a shape of its own: its expressions
// are then computed as definitions.hpp says, with bodies for axioms, and its statements as here.
// The table has to be one in which numbers do not promote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <tl/expected.hpp>

#include "backends/reference/error.hpp"
#include "backends/reference/value.hpp"
#include "engine/onf/primitive.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::reference {

// The value of a run-time parameter; it is converted to the parameter's type.
using Parameter = std::variant<double, std::int64_t>;

struct Options {
  std::map<std::string, Parameter> parameters;  // by the name that the program uses
  std::vector<std::int64_t> domain;             // the shape of arrays that have none of their own
  std::size_t max_call_depth = 1000;            // of the program's own callables
  std::size_t stack_bytes = std::size_t{4} << 20;  // of the machine's stack, at most
};

class Evaluator {
 public:
  // `store`, `program` and `table` must outlive the evaluator and stay unchanged.
  Evaluator(const term::Store& store, const term::Program& program,
            const onf::PrimitiveTable& table, Options options);
  ~Evaluator();

  using Result = tl::expected<std::optional<Value>, Error>;

  // Calls a function, predicate or procedure of the program. `arguments` must have the
  // representations of its parameters (what stands at an `out` parameter is ignored). A
  // procedure yields nothing and leaves the values of `upd` and `out` parameters in
  // `arguments`, which are unchanged after an error. Parameters that the callable may
  // need are checked first, all of them at once.
  Result call(term::SymbolId callable, std::span<Value> arguments);

  // The value of a term whose free variables have these values.
  tl::expected<Value, Error> evaluate(term::TermId term,
                                      const std::map<term::SymbolId, Value>& variables);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rhopsi::reference
