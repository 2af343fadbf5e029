// Of the operational form: statements. Included by form.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/onf/expression.hpp"
#include "engine/onf/loops.hpp"
#include "engine/onf/storage.hpp"

namespace rhopsi::onf {

// A handle without a block yet; it must be set before it is read.
struct Declare {
  ViewId view;
};
// A block for `view`. A fresh one's contents are undefined. In place of another view it is that
// one's block, of the same shape and element type, with what lies there; the other view has to be
// set again before it is named.
struct Allocate {
  ViewId view;
  std::optional<ViewId> in_place_of = std::nullopt;  // of arrays that have shapes of their own
};

// A whole-array operation into a view that this statement declares.
struct Whole {
  ViewId target;
  bool pointwise = false;
  ScalarFunction function{};  // pointwise
  std::string spelling;       // otherwise: the run-time library's name
  std::vector<Expr> operands;
  std::optional<std::size_t> axis = std::nullopt;  // the operand that names one, by its number
};

// A library procedure that changes its first array in place.
struct Mutate {
  std::string spelling;
  bool refills = false;
  std::vector<Expr> operands;
};
// Fills what the view stores outside [0, n) by its rule: all of it, or as much as `halo` says.
// With a halo nothing is done where the block is known, while it runs, to hold that much.
struct Refill {
  ViewId view;
  std::optional<Halo> halo = std::nullopt;
};

// `target` becomes another name for source's block.
struct Share {
  ViewId target;
  ViewId source;
  bool declares = false;  // target is declared here
  bool last_use = false;  // source is not named again
};

// A call for its effects or for an array; the target is declared here.
struct Call {
  std::optional<ViewId> target;
  Expr call;
};

struct Let {
  VariableId variable;
  std::optional<Expr> value;
  bool constant = true;
};
struct Assign {
  VariableId variable;
  Expr value;
};
// `variable` has `value`, which `body` and it are evaluated for where the variable is read for
// the first time, if it is read at all. `variable` is declared here.
struct Lazy {
  VariableId variable;
  Statements body;
  Expr value;
};
// variable := fold of element over index = 0 .. count - 1, ascending; the unit of the
// operation where count is 0. `variable` is declared here.
struct Fold {
  VariableId variable;
  VariableId index;
  Expr count;
  std::optional<ScalarFunction> function;  // else `callee`
  FunctionId callee{};
  Statements body;
  Expr element;
  std::optional<Regrouping> regrouping = std::nullopt;  // on the host, outside of nests
};
struct If {
  Expr condition;
  Statements then;
  Statements otherwise;
};
struct For {
  VariableId index;
  Expr low;
  Expr high;  // exclusive
  Statements body;
};
struct Iterate {
  Expr count;
  Statements body;
};
struct While {
  Statements before;  // runs before each test
  Expr condition;
  Expr bound;  // of the number of rounds
  Statements body;
};
struct Check {
  Expr condition;
  std::string message;         // where it does not hold: a sentence
  std::string code = "E0608";  // of the diagnostic: a guard, or E0607, an assertion
  // Numbers whose values are told, and what stands before, between and behind them; on the host
  // only. None: `message` is told.
  std::vector<std::string> pieces = {};
  std::vector<Expr> numbers = {};
};
struct Return {
  std::optional<Expr> value;
};
struct Scope {
  Statements body;
};

// Of a loop over rounds, or of what stands beside one: along the indices of these axes of all nests
// there are lines, and the statements do some of them after the other (lines.hpp: which). Without
// axes there is one line: one thread does all rounds in their order.
struct Lines {
  std::vector<std::size_t> axes;  // ascending
  bool goes_on = false;           // with the statement in front
};

struct Statement {
  std::variant<Declare, Allocate, Nest, Pipeline, RowFold, Whole, Mutate, Refill, Share, Call, Let,
               Assign, Lazy, Fold, If, For, Iterate, While, Check, Return, Scope>
      form;
  term::LocationId location{};
  std::optional<Lines> lines = std::nullopt;
};

}  // namespace rhopsi::onf
