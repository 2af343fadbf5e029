// The operational form: what runs, and where values are stored.
//
// A Module is plain data. A function owns its variables (scalars, indices, a user's own
// values), its blocks (allocations) and its views (names for blocks, through a chain of
// index functions). Arrays are values: `share` lets two views name one block, and what
// executes the form copies a shared block before it is written.
//
// Here are functions and modules; the headers that are included have what these are made of.
// What a form must satisfy is said in verify.hpp; to_string() in print.hpp shows one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/onf/expression.hpp"
#include "engine/onf/loops.hpp"
#include "engine/onf/statement.hpp"
#include "engine/onf/storage.hpp"

namespace rhopsi::onf {

// What an argument is of an array that callers give, and that may come in as several arguments.
struct Window {
  // Of an axis of that array.
  struct Axis {
    // The axis of the domain that it is. It is as long as that, and `more`; nothing: one element of
    // it is meant, and `more` is its length.
    std::optional<std::size_t> of = std::nullopt;
    std::int64_t first = 0;  // where the window begins
    std::int64_t more = 0;   // may be less than 0: what is not there is not read, or has no meaning
    friend bool operator==(const Axis&, const Axis&) = default;
  };
  std::string array;  // as callers name it
  std::vector<Axis> axes = {};
};

struct Argument {
  term::Mode mode = term::Mode::obs;
  std::optional<ViewId> view;  // an array
  VariableId variable{};       // otherwise
  // Of a module of one shape, of an array with other lengths: by how many, along each axis, they
  // are less than those of the domain. What lies beyond has no meaning.
  std::vector<std::int64_t> less = {};
  // There, of an array that comes in with lengths of its own: an array over the domain, or a
  // number.
  std::optional<Window> window = std::nullopt;
};

// A function does what another one does so many times, one after the other, with the same arguments
// but for numbers that differ from time to time, and what folds of rows come to each time.
struct Repeats {
  FunctionId of{};
  std::int64_t times = 1;
  // Which arguments these are, in order: numbers, and what RowFolds write. The first time has them
  // where the other function has them; behind all others are those of the second time, first the
  // numbers and then the rows, of the third and so on.
  std::vector<std::size_t> changing = {};
  std::vector<std::size_t> rows = {};
};

// What the lengths of the domain have to fulfil: the form was made from the answer.
struct Precondition {
  // Which forms of the program compute where it does not hold: none, since each call tests it;
  // the one for arrays with shapes of their own; or perhaps one over a domain of other lengths,
  // too.
  enum class Elsewhere { none, own_shapes, other_lengths };

  Expr condition;         // of extents and numbers
  std::string otherwise;  // what is wrong where it does not hold: "it needs `shape(u)[0] == 4`"
  Elsewhere elsewhere = Elsewhere::none;
};

struct Function {
  std::string name;
  bool device = false;  // callable in kernels: reads arrays, makes none
  bool procedure = false;
  // The pads of its arguments may be stale on entry, and are left so: it refills what it reads.
  bool refills = false;
  std::optional<Repeats> repeats = std::nullopt;
  // Statements of that function, which calls it, and nobody else does.
  std::optional<FunctionId> part_of = std::nullopt;
  std::vector<Argument> arguments;
  std::optional<Representation> result;
  std::optional<ViewId> result_view =
      std::nullopt;  // an array that is returned and has a shape of its own
  std::vector<std::int64_t> result_less = {};  // as Argument::less
  std::vector<std::string>
      sorts;  // of the arguments and, last, of the result, as the program names them
  std::vector<Variable> variables;
  std::vector<Block> blocks;
  std::vector<View> views;
  // Of a module of one shape; besides, arrays have elements. Tested where it is called from
  // outside.
  std::vector<Precondition> preconditions = {};
  Statements body;
  term::LocationId location{};
};

struct Parameter {
  std::string name;
  Scalar type = Scalar::float64;
  term::LocationId location{};
};

// A user's own C++ struct: what it needs and what it is called.
struct External {
  std::string header;  // "a/b.hpp"
  std::string name;    // the struct
  // In order of declaration: a required type, or a required operation that the struct
  // receives as a function object.
  struct Requirement {
    std::optional<Representation> type;
    FunctionId operation{};
    std::string name;  // the name inside the block
  };
  std::vector<Requirement> requirements;
  term::LocationId location{};
};
struct OpaqueType {
  std::string name;  // the program's
  ExternalId external{};
  std::string original;  // member type of the struct
};

struct Module {
  std::string name;
  int rank = 0;
  std::int64_t pad = 0;  // no block stores more on an end of an axis; its box says what it does
  // Axis k is axis axes[k] of the arrays that the program is given and gives (axes.hpp). Empty: the
  // same one.
  std::vector<int> axes = {};
  // The program's arrays have shapes of their own, all of which are that of the domain in the runs
  // that this form is for (over_domain.hpp), and lengths have been decided of this one, in the
  // order of the program's axes. Who gives and takes arrays says the shape of each.
  std::optional<std::vector<std::int64_t>> one_shape = std::nullopt;
  // Sums of reals are in another order than the program has them (schedule's `factor`, or rows that
  // are folded): for those who let reals be computed in any order.
  bool regrouped = false;
  Scalar element = Scalar::float64;
  std::vector<Parameter> parameters;
  std::vector<External> externals;
  std::vector<OpaqueType> types;
  std::vector<Function> functions;
  std::vector<FunctionId> order;  // callees first, except among mutually recursive ones
};

// An error or a remark of lowering or verification.
struct Problem {
  std::string code;     // "E0520"
  std::string message;  // what is wrong
  std::string advice;   // what to do
  term::LocationId location{};
  bool error = true;  // false: could not be decided
};

}  // namespace rhopsi::onf
