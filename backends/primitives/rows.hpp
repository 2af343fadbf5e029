// The table as data: a row per type and per form of an operation. What else a new operation
// needs is listed in docs/architecture.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/onf/primitive.hpp"

namespace rhopsi::primitives {

// The families of paths. `schedule.*` differ in flags only.
enum class Path {
  scalar,
  index,
  array,
  schedule_flat,
  schedule_nested,
  schedule_padded,
  padding,
  padding_auto,
  reassociation,
  parameters
};

struct PathRow {
  Path path;
  std::string_view name;
  bool prefix = false;  // `name.*` belongs to it too
};

struct TypeRow {
  Path path;
  std::string_view name;
  onf::Representation::Kind kind;
  // Of scalars. The element type of the run stands as float64 with `run_real`.
  onf::Scalar scalar = onf::Scalar::int64;
  bool run_real = false;
  bool promotes = false;  // where numbers do, else run_real
};

// One form of an operation. `name` may end in '#', which stands for an axis 0 .. 5.
// `pattern` is one letter per argument, '>', and a letter for the result:
//   T  a numeric type, the same at every T      R  the same, real types only
//   S  any numeric or index-like scalar         D  the same, of its own
//   B  Bool                                     P  Predicate or Bool
//   M  Number
//   I  Index                                    A  Array       u  Array, by upd
//   E  the element type                         N  any of Axis, Offset, ScalarIndex, AxisLength
//   X  Axis      O  Offset      C  ScalarIndex      L  AxisLength
//   Z  anything  V  a scalar: a run-time parameter's type
// A letter followed by '+' stands for one or more, by '*' for any number of arguments.
struct OperationRow {
  Path path;
  std::string_view name;
  std::string_view pattern;
  onf::Primitive::Kind kind;
  onf::ScalarFunction function = onf::ScalarFunction::add;
  std::string_view spelling = {};
  bool reals_only = false;  // pointwise: on arrays of reals only
};

inline constexpr int axes = 6;

std::span<const PathRow> path_rows();
std::span<const TypeRow> type_rows();
const std::vector<OperationRow>& operation_rows();

// The family that a path belongs to; nothing for an unknown path.
std::optional<Path> find_path(std::string_view path);

// The axis in which `name` instantiates `row_name`, -1 where there is none to give, or
// nothing if it is another name.
std::optional<int> match_name(std::string_view row_name, std::string_view name);

}  // namespace rhopsi::primitives
