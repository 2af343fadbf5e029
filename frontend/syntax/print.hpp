// Syntax tree to text. The output parses again to the same tree (spans apart).
#pragma once

#include <string>

#include "frontend/syntax/ast.hpp"

namespace rhopsi::syntax {

// Lines are broken near column 100 the way a person would; operators are printed
// infix with the fewest parentheses that keep the tree.
std::string print(const Package& package);
std::string print(const ModuleDecl& declaration);
std::string print(const CallableDecl& callable);
std::string print(const Expr& expression);

// Equal trees, spans apart.
bool equal(const Package& left, const Package& right);
bool equal(const Expr& left, const Expr& right);

}  // namespace rhopsi::syntax
