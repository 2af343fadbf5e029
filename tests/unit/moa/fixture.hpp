// Array expressions over the rule library, reduced.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/moa/plan.hpp"
#include "frontend/elaborate/body.hpp"
#include "frontend/syntax/parse.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi::moa::test {

inline constexpr Scalar real = Scalar::float64;

struct Input {
  std::string name;
  std::vector<std::optional<std::int64_t>> shape;
  Scalar element = Scalar::int64;
};

class Expressions {
 public:
  explicit Expressions(const std::string& file = RHOPSI_SOURCE_DIR "/rules/moa/library.mg",
                       const std::string& module = "Expressions")
      : specification_(file, onf::Scalar::float64, true), theory_(specification_.module(module)) {
    if (theory_) {
      library_ = std::make_unique<Library>(specification_.session().store(), *theory_,
                                           specification_.session().table());
    }
  }

  tl::expected<NormalForm, Problem> reduce(const std::string& text,
                                           const std::vector<Input>& inputs = {},
                                           const Limits& limits = {}) {
    auto given = read(text, inputs);
    if (!given) return tl::unexpected(given.error());
    return moa::reduce(*library_, given->term, std::move(given->leaves), limits);
  }

  tl::expected<Plan, Problem> plan(const std::string& text, const std::vector<Input>& inputs = {},
                                   const Limits& limits = {}) {
    auto given = read(text, inputs);
    if (!given) return tl::unexpected(given.error());
    return moa::plan(*library_, given->term, std::move(given->leaves), limits);
  }

  // The normal form as text, or its problem.
  std::string form(const std::string& text, const std::vector<Input>& inputs = {}) {
    const auto found = reduce(text, inputs);
    if (!found) return found.error().code + ": " + found.error().message + "\n";
    return to_string(*found);
  }

  std::string accesses(const std::string& text, const std::vector<Input>& inputs) {
    const auto found = reduce(text, inputs);
    if (!found) return found.error().code + ": " + found.error().message + "\n";
    return accesses_to_string(*found);
  }

 private:
  struct Read {
    term::TermId term;
    std::vector<Leaf> leaves;
  };

  tl::expected<Read, Problem> read(const std::string& text, const std::vector<Input>& inputs) {
    term::Store& store = specification_.session().store();
    const elaborate::Scope scope(store, *theory_);
    const term::SortId sort = *scope.sort("Array");
    elaborate::Parameters parameters;
    std::vector<Leaf> leaves;
    for (const Input& input : inputs) {
      const term::SymbolId variable = store.fresh_variable(input.name, sort, false);
      parameters.variables.push_back(variable);
      parameters.modes.push_back(term::Mode::obs);
      leaves.push_back({input.name, input.element, input.shape, variable});
    }
    syntax::Diagnostics diagnostics;
    const auto file = std::make_shared<syntax::SourceFile>("expression", text);
    const syntax::ExprPtr parsed = syntax::parse_expression(file, diagnostics);
    std::optional<term::TermId> term;
    if (parsed) {
      term = elaborate::elaborate_body(scope, *parsed, elaborate::BodyKind::function, sort,
                                       parameters, diagnostics);
    }
    if (!term) return tl::unexpected(Problem{"", support::text_of(diagnostics), "", {}});
    return Read{*term, std::move(leaves)};
  }

  support::Specification specification_;
  std::shared_ptr<const term::Theory> theory_;
  std::unique_ptr<Library> library_;
};

// The library is elaborated once for all tests.
inline Expressions& expressions() {
  static Expressions made;
  return made;
}

// The plan, or an empty one after a failed expectation.
inline Plan planned(const std::string& text, const std::vector<Input>& inputs,
                    const Limits& limits = {}) {
  auto made = expressions().plan(text, inputs, limits);
  EXPECT_TRUE(made) << text << ": " << (made ? "" : made.error().message);
  return made ? std::move(*made) : Plan();
}

}  // namespace rhopsi::moa::test
