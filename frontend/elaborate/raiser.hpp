// Terms of one callable back to syntax. Internal to this folder; see raise.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/term/theory.hpp"
#include "frontend/elaborate/scope.hpp"
#include "frontend/syntax/ast.hpp"

namespace rhopsi::elaborate {

// --- syntax without spans
syntax::Name plain_name(std::string text);
syntax::TypeRef type_reference(const term::Store& store, term::SortId sort);
syntax::ExprPtr make_expr(syntax::Expr::Node node);

// The names that variables get: unique in their scope, legal, and as near as can be
// to what they were called.
class Names {
 public:
  explicit Names(const term::Store& store) : store_(store) {}
  // Gives the variable a name that is free here; it is taken until the scope closes.
  const std::string& bind(term::SymbolId variable);
  const std::string& of(term::SymbolId variable);
  void open() { marks_.push_back(bound_.size()); }
  void close();

 private:
  const term::Store& store_;
  std::unordered_map<term::SymbolId, std::string> names_;
  std::unordered_set<std::string> taken_;
  std::vector<term::SymbolId> bound_;
  std::vector<std::size_t> marks_;
};

class Raiser {
 public:
  // `scope` is that of the theory which the terms belong to, and outlives this.
  explicit Raiser(const Scope& scope) : scope_(scope), store_(scope.store()), names_(store_) {}

  Names& names() { return names_; }
  // An expression where `expected` is the sort that its place asks for.
  syntax::ExprPtr expression(term::TermId term, std::optional<term::SortId> expected);
  // Bounds of loops, or components of a vector: all of one sort.
  std::vector<syntax::ExprPtr> numbers(const std::vector<term::TermId>& terms, bool components);
  syntax::ExprPtr procedure_call(term::TermId term);
  // --- raise_statement.cpp
  syntax::ExprPtr statement(term::TermId term);
  syntax::ExprPtr block(term::TermId term);
  std::vector<syntax::ExprPtr> statements(const std::vector<term::TermId>& terms);

 private:
  syntax::ExprPtr claim(term::TermId term);
  syntax::ExprPtr loop(term::TermId term, const std::vector<term::TermId>& children);
  syntax::ExprPtr loop_body(term::TermId term);

  const Scope& scope_;
  const term::Store& store_;
  Names names_;
};

// --- raise_external.cpp
// The external blocks of the theory, re-stated; each `use` stands for one block.
std::vector<syntax::UseDecl> raise_externals(const term::Store& store, const term::Theory& theory);
// The head of a declaration: kind, name, parameters with fresh names, result.
syntax::CallableDecl raise_head(const term::Store& store, term::SymbolId symbol,
                                const std::vector<std::string>& parameters);

}  // namespace rhopsi::elaborate
