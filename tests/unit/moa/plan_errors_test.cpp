// What is wrong with an expression does not depend on what is stored: neither that there is an
// error, nor which of several it is.
#include "backends/reference/normal_form.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi::moa {
namespace {

using reference::Array;
using test::Input;

struct Given {
  std::string name;
  Array array;
};

template <class T>
Given given(const std::string& name, std::vector<T> elements) {
  const auto count = static_cast<std::int64_t>(elements.size());
  return {name, reference::make_array({count}, std::move(elements))};
}

const std::vector<Given> arrays{
    given("a", std::vector<std::int64_t>{3, 0, 4, 1, 0, -2}),
    given("v", std::vector<std::int64_t>{5, 1, 0, 6, 2, 3}),  // 6 is no index
    given("w", std::vector<std::int64_t>{5, 1, 0, 4, 2, 3}),
    given("f", std::vector<double>{0.5, 1e30, 2, -1, 0, 3}),
    given("m", std::vector<std::uint8_t>{1, 0, 1, 1, 0, 1})};

// The elements in words, or what is wrong; `stored` counts.
std::string said(const std::string& text, bool known, const Limits& limits, std::size_t& stored) {
  std::vector<Input> inputs;
  std::vector<Array> values;
  for (const Given& each : arrays) {
    inputs.push_back({each.name, {}, each.array.element});
    inputs.back().shape.push_back(known ? std::optional(each.array.shape[0]) : std::nullopt);
    values.push_back(each.array);
  }
  auto plan = test::expressions().plan(text, inputs, limits);
  if (!plan) return plan.error().code + ": " + plan.error().message;
  stored += plan->stages.size() - 1;
  for (Stage& stage : plan->stages) {
    for (Assumption& assumption : stage.form.assumptions) assumption.location = {};
  }
  const auto found = reference::evaluate(term::Store(), *plan, values);
  if (!found) return found.error().code + ": " + found.error().message;
  std::string elements = to_string(found->element);
  std::visit(
      [&](const auto& all) {
        for (const auto element : all) elements += " " + std::to_string(element);
      },
      *found->elements);
  return elements;
}

TEST(PlanErrors, AreTheSameWhateverIsStored) {
  const std::vector<std::string> parts{"(10 / a)",
                                       "(10 % a)",
                                       "integer(f)",
                                       "(a * a)",
                                       "gather(a, 0, v)",
                                       "gather(a * 2, 0, w)",
                                       "gather(10 / a, 0, w)",
                                       "(a + gather(w, 0, w))",
                                       "cumsum(10 / a, 0)",
                                       "select(a != 0, 10 / a, 7)",
                                       "rotate(a + 1, 0, 2)",
                                       "(f * f)",
                                       "cumsum(a, 0)"};
  std::vector<std::string> wholes;
  for (const std::string& x : parts) {
    for (const std::string part : {"take(X, 0, 1)", "drop(cumsum(X, 0), 0, 2)", "cumsum(X, 0)",
                                   "select(m, X, 0)", "rotate(X, 0, 1) * X", "gather(X, 0, w)",
                                   "take(rotate(X + X, 0, 3), 0, 1)", "compress(X, 0, m)"}) {
      std::string text = part;
      for (std::size_t at = text.find('X'); at != std::string::npos; at = text.find('X', at)) {
        text.replace(at, 1, x);
        at += x.size();
      }
      wholes.push_back(text);
    }
  }
  for (const std::string& x : parts) {
    for (const std::string& y : parts)
      wholes.push_back("cumsum(" + x + ", 0) + cumsum(" + y + ", 0)");
  }
  Limits none, everything;
  none.trials = 0;
  everything.allocation = -1e15;
  std::size_t stored = 0, nothing = 0, errors = 0;
  for (const std::string& text : wholes) {
    for (const bool known : {true, false}) {
      const std::string plain = said(text, known, none, nothing);
      EXPECT_EQ(said(text, known, everything, stored), plain) << text;
      if (plain.starts_with("E06")) ++errors;
    }
  }
  EXPECT_EQ(nothing, 0U);
  EXPECT_GT(stored, wholes.size());
  EXPECT_GT(errors, wholes.size() / 2);
  EXPECT_LT(errors, wholes.size() * 2 - wholes.size() / 4);
}

}  // namespace
}  // namespace rhopsi::moa
