// The project's evaluations of array expressions, beside the oracle's.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/driver/evaluation.hpp"
#include "tests/oracle/expression.hpp"

namespace rhopsi::property {

// A value, or why there is none.
struct Outcome {
  std::optional<oracle::Array> value;
  std::string error;  // "E0608: rotate ..."
};

std::string to_string(const Outcome& outcome);

class ArrayEvaluators {
 public:
  // Over the rule library and the concepts of these files.
  explicit ArrayEvaluators(const std::vector<std::string>& with = {});

  // The operations of that theory that give arrays.
  const term::Theory& theory() const { return *theory_; }
  const term::Store& store() { return session_.store(); }

  // Operation by operation, by the axioms.
  Outcome by_axioms(const oracle::Tree& tree, const oracle::Inputs& inputs);
  // Reduced, with the lengths of these inputs' axes unknown until then, and interpreted. What is
  // worth storing is stored.
  Outcome by_normal_form(const oracle::Tree& tree, const oracle::Inputs& inputs,
                         bool symbolic = false);
  // The same of any plan.
  // E0616 where it takes more than 20 million operations.
  Outcome by_plan(const moa::Plan& plan, const oracle::Inputs& inputs);
  tl::expected<moa::Plan, std::string> plan(const oracle::Tree& tree, const oracle::Inputs& inputs,
                                            bool symbolic, const moa::Limits& limits = {});
  // By the rules of the theory, or by those of another one over the same terms.
  tl::expected<moa::NormalForm, std::string> normal_form(const oracle::Tree& tree,
                                                         const oracle::Inputs& inputs);
  tl::expected<moa::NormalForm, std::string> normal_form(const oracle::Tree& tree,
                                                         const oracle::Inputs& inputs,
                                                         const moa::Library& library);
  std::unique_ptr<moa::Library> library_of(const term::Theory& theory);

 private:
  struct Read {
    driver::Expression expression;
    std::vector<driver::ArrayInput> inputs;
  };
  std::optional<Read> read(const oracle::Tree& tree, const oracle::Inputs& inputs,
                           std::string& error);

  static std::vector<moa::Leaf> leaves_of(const Read& given, bool symbolic);

  driver::Session session_;
  std::unique_ptr<const driver::ExpressionScope> scope_;
  std::shared_ptr<const term::Theory> theory_;
  std::unique_ptr<reference::Definitions> definitions_;
  std::unique_ptr<moa::Library> library_;
};

// Over the rule library alone: read once for all tests.
ArrayEvaluators& evaluators();

// Whatever can be stored is stored.
moa::Limits storing_everything();

reference::Array to_reference(const oracle::Array& array);
oracle::Array from_reference(const reference::Array& array);

}  // namespace rhopsi::property
