// What expressions may use, and how they are read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/term/theory.hpp"
#include "frontend/driver/array_inputs.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/elaborate/scope.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// The operations of the rule library, and of a user's files.
struct ExpressionScope {
  std::shared_ptr<const term::Theory> theory;
  elaborate::Scope names;  // of that theory
  term::SortId array{};    // the sort of every expression
};

// An expression whose free variables stand for inputs, one each.
struct Expression {
  term::TermId term;
  std::vector<term::SymbolId> variables;
};

// The file of package `moa.library` on the search path (E0806).
std::optional<std::string> find_library(const Session& session, syntax::Diagnostics& diagnostics);

// `Expressions` of package `moa.library` where the package imports that; otherwise null.
std::shared_ptr<const term::Theory> imported_library(Session& session, const std::string& package,
                                                     syntax::Diagnostics& diagnostics);

// Loads `Expressions` of package `moa.library` from the search path (E0806), and every concept
// of the files `with` (E0805), whose axioms are compared (report_contradictions). Done once for any
// number of expressions.
std::unique_ptr<const ExpressionScope> open_scope(Session& session,
                                                  const std::vector<std::string>& with,
                                                  syntax::Diagnostics& diagnostics);

// The axioms of a concept that stand in this file and in another form in the library (E0321, a
// warning): no expression can have both. Only where the package imports the library, and nothing
// where there is none.
void report_clashes(Session& session, const elaborate::ModuleReference& concept_,
                    const std::string& file, syntax::Diagnostics& diagnostics);

// The expression that is the whole of `text`. Terms keep their places in it, so that later
// stages can show them.
std::optional<Expression> read_expression(Session& session, const ExpressionScope& scope,
                                          const std::shared_ptr<const syntax::SourceFile>& text,
                                          const std::vector<ArrayInput>& inputs,
                                          syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
