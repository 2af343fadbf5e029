// Examples: an expression, and what it is.
//
//   rotate([1, 2, 3], 0, 1)  =>  [2, 3, 1]
//   A = [[1, 2], [3, 4]]:  transpose(A)  =>  [[1, 3], [2, 4]]        size(A)  =>  4
//   A of shape [2, 3]:  shape(A)  =>  [2, 3]
//   rotate([1, 2, 3], 1, 1)  =>  error: axis < dim(A)
//
// A value is a number or a list. `A of shape s` has the elements 0, 1, 2, ... in a row. What
// follows `error:` is part of the message.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backends/reference/value.hpp"

namespace rhopsi::library {

struct Row {
  std::string place;  // "structure.txt:12"
  std::map<std::string, reference::Array> arrays;
  std::string expression;  // lists of lists are written as calls of reshape
  std::string expected;
};

// The examples of tables/<name>.txt: every line but blank ones and those that begin with '#'.
std::vector<Row> rows_of_table(const std::string& name);

// The examples in the comments of a package: the lines with an arrow.
std::vector<Row> rows_of_comments(const std::string& path);

}  // namespace rhopsi::library
