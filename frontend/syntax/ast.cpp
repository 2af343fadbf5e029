#include "frontend/syntax/ast.hpp"

#include "frontend/syntax/children.hpp"

namespace rhopsi::syntax {

// A chain of 100000 operators is a tree as deep: its nodes are taken apart from a
// list, since one destructor calling the next would exhaust the stack.
Expr::~Expr() {
  std::vector<ExprPtr> pending;
  const auto release = [&](ExprPtr& child) {
    if (child) pending.push_back(std::move(child));
  };
  for_each_child(*this, release);
  while (!pending.empty()) {
    const ExprPtr last = std::move(pending.back());
    pending.pop_back();
    // Nobody else can see a node that only this list owns, so it may be emptied.
    if (last.use_count() == 1) for_each_child(*last, release);
  }
}

}  // namespace rhopsi::syntax
