// Expressions as documents.
#pragma once

#include "frontend/syntax/ast.hpp"
#include "frontend/syntax/layout.hpp"
#include "frontend/syntax/operators.hpp"

namespace rhopsi::syntax {

class ExpressionPrinter {
 public:
  explicit ExpressionPrinter(Layout& layout) : layout_(layout) {}

  // Where an expression stands, as far as it decides on parentheses.
  struct Place {
    int level = loosest_level;  // looser operators need parentheses
    bool last = true;           // forms that take everything to the right may stand here
    bool assignment = true;     // `x = e` may stand here
    bool closed = true;         // `)`, `,`, `]` or `;` follows
  };

  Layout::Doc print(const Expr& expression, Place place);
  // Followed by a bracket, a comma or the end of a statement.
  Layout::Doc print(const Expr& expression) { return print(expression, Place{}); }
  Layout::Doc block(const Block& block);

 private:
  using Doc = Layout::Doc;

  Doc node(const Variable& variable, Place place);
  Doc node(const Literal& literal, Place place);
  Doc node(const VectorLiteral& vector, Place place);
  Doc node(const PackExpansion& pack, Place place);
  Doc node(const Call& call, Place place);
  Doc node(const If& branch, Place place);
  Doc node(const Block& statements, Place place);
  Doc node(const Declaration& declaration, Place place);
  Doc node(const Assignment& assignment, Place place);
  Doc node(const Assert& assertion, Place place);
  Doc node(const Value& value, Place place);
  Doc node(const Skip& skip, Place place);
  Doc node(const For& loop, Place place);
  Doc node(const Iterate& loop, Place place);
  Doc node(const While& loop, Place place);
  Doc node(const Fold& fold, Place place);
  Doc node(const Forall& forall, Place place);

  Doc chain(const Call& call, Place place);
  Doc prefixed(const Call& call);
  Doc plain_call(const Call& call);
  Doc list(std::string open, const std::vector<ExprPtr>& items, std::string close);
  Doc child(const ExprPtr& expression, Place place);
  Doc parenthesised(Doc inner);
  Doc word_then(std::string words, const ExprPtr& rest, Place place);
  Doc text(std::string text) { return layout_.text(std::move(text)); }

  Layout& layout_;
};

}  // namespace rhopsi::syntax
