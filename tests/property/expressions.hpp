// Random expressions of arrays and reals over what is in scope.
#pragma once

#include <string>
#include <vector>

#include "tests/property/choice.hpp"

namespace rhopsi::property {

// A function that expressions may call; sorts of its parameters: 'a' array, 'r' real.
struct Function {
  std::string name;
  std::string parameters;
};

struct Scope {
  std::vector<std::string> arrays;
  std::vector<std::string> reals;
  std::vector<Function> scalar_functions;  // of reals, with a real as result
  std::vector<Function> array_functions;
};

class Expressions {
 public:
  Expressions(Choice& choice, int rank, int largest_offset)
      : choice_(choice), rank_(rank), largest_offset_(largest_offset) {}

  // Expressions with at most `depth` operations on a path, in parentheses where needed.
  std::string array(const Scope& scope, int depth);
  std::string real(const Scope& scope, int depth);
  std::string condition(const Scope& scope);
  // A call with random arguments of that depth.
  std::string call(const Function& function, const Scope& scope, int depth);

 private:
  std::string rotated(const std::string& operand);
  std::string binary(const std::string& left, const std::string& right);

  Choice& choice_;
  int rank_;
  int largest_offset_;
};

}  // namespace rhopsi::property
