// The way of an array expression to its value or its normal form, in stages:
//
//   open_scope   files of concepts -> ExpressionScope   expression_scope.hpp: once for all cases
//   read_cases   file              -> ExpressionCase    expression_cases.hpp
//   read         ExpressionCase    -> ReadCase          its text is a term, its inputs are arrays
//   value        ReadCase          -> array
//   plan         ReadCase          -> moa::Plan
//
// A stage that cannot keep its promise adds an error, with its place in the expression, and
// returns nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/reference/definitions.hpp"
#include "engine/moa/plan.hpp"
#include "frontend/driver/expression_cases.hpp"
#include "frontend/driver/expression_scope.hpp"
#include "frontend/driver/session.hpp"

namespace rhopsi::driver {

// A case that has been read: the inputs stand for the expression's variables, in order.
struct ReadCase {
  std::shared_ptr<const syntax::SourceFile> text;
  Expression expression;
  std::vector<ArrayInput> inputs;
};

// From the first to the last character that is not blank.
syntax::Span whole(const std::shared_ptr<const syntax::SourceFile>& text);

// What any number of cases share; `session` must outlive it.
class Evaluation {
 public:
  // `limits` are those of normal forms.
  Evaluation(Session& session, std::unique_ptr<const ExpressionScope> scope,
             const moa::Limits& limits = {})
      : session_(session), scope_(std::move(scope)), limits_(limits) {}

  std::optional<ReadCase> read(const ExpressionCase& given, syntax::Diagnostics& diagnostics);

  // Computed operation by operation (backends/reference).
  std::optional<reference::Array> value(const ReadCase& given, syntax::Diagnostics& diagnostics);

  // Its normal form, and those of subterms that are worth storing. The inputs are the leaves, with
  // the shapes that they have.
  std::optional<moa::Plan> plan(const ReadCase& given, syntax::Diagnostics& diagnostics);

 private:
  Session& session_;
  std::unique_ptr<const ExpressionScope> scope_;
  moa::Limits limits_;
  std::optional<reference::Definitions> definitions_;  // where a value has been asked for
  std::optional<moa::Library> rules_;                  // where normal forms have been
};

}  // namespace rhopsi::driver
