// Expressions over arrays as trees that print themselves in the language.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/oracle/array.hpp"

namespace rhopsi::oracle {

struct Expression;
using Tree = std::shared_ptr<const Expression>;

struct Expression {
  enum class Kind : std::uint8_t {
    input,   // the array `name`
    number,  // a literal array of rank 0
    vector,  // [1, 2], an array of rank 1 or an index vector
    call,    // `name` of arguments
  };
  Kind kind = Kind::input;
  std::string name;
  std::vector<Tree> arguments;
  std::vector<std::int64_t> components;
  Number number;
};

Tree input(std::string name);
Tree literal(std::int64_t number);
Tree literal(double number);
Tree literal(std::vector<std::int64_t> components);
// Operators by their names in the language: "_+_", "-_".
Tree call(std::string name, std::vector<Tree> arguments);

// "take(A, 0, -2) + B"
std::string to_string(const Tree& tree);

// Calls above each other.
int depth(const Tree& tree);
// Every call in the tree, each before its arguments.
std::vector<Tree> calls(const Tree& tree);

// With `replacement` in place of this very part.
Tree replaced(const Tree& tree, const Tree& part, const Tree& replacement);
// With other names of inputs.
Tree renamed(const Tree& tree, const std::map<std::string, std::string>& names);

using Inputs = std::map<std::string, Array>;

// The inputs that the tree mentions; their names in the order of the text.
std::vector<std::string> input_names(const Tree& tree);
Inputs inputs_of(const Tree& tree, const Inputs& inputs);
// "A = int64 <2>: 0 1", a line each.
std::string to_string(const Inputs& inputs);

}  // namespace rhopsi::oracle
