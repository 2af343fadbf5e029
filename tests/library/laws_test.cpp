// The theorems of the library follow from its definitions: both sides are computed on small
// arrays, wherever the condition holds and the left side is defined.
#include <map>
#include <numeric>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "backends/primitives/primitives.hpp"
#include "backends/reference/definitions.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "engine/term/rule.hpp"
#include "frontend/elaborate/elaborate.hpp"
#include "tests/exec/process.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi::library {
namespace {

using reference::Value;

// Values that meet the conditions of many laws: short, small, some of them permutations.
class Samples {
 public:
  Value of(const std::string& sort) {
    if (sort == "Int") return std::int64_t{between(-3, 4)};
    if (sort == "Index") return index();
    return array();
  }

 private:
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

  reference::Index index() {
    static const std::vector<reference::Index> some{
        {},        {0},       {1},       {2},    {6},       {0, 1},    {1, 0},
        {2, 3},    {3, 2},    {0, 0},    {1, 2}, {2, 0, 1}, {1, 2, 0}, {0, 2, 1},
        {2, 3, 2}, {2, 2, 3}, {1, 0, 1}, {12},   {0, 1, 0}};
    return some[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(some.size()) - 1))];
  }

  // A vector of zeros, ones and twos now and then, which may say places.
  reference::Array array() {
    static const std::vector<reference::Index> shapes{
        {}, {2}, {3}, {2}, {3}, {2, 3}, {3, 2}, {2, 2}, {2, 3}, {1, 3}, {2, 3, 2}, {2, 2, 3}};
    const auto& shape =
        shapes[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(shapes.size()) - 1))];
    const std::int64_t count =
        std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
    const std::int64_t largest = between(0, 1) == 0 ? 1 : 9;
    std::vector<std::int64_t> elements(static_cast<std::size_t>(count));
    for (std::int64_t& element : elements) element = between(0, largest);
    return reference::make_array(shape, elements);
  }

  std::mt19937 random_{20261121};
};

class Theorems : public ::testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  void SetUp() override {
    const exec::Folder folder;
    const auto [package_name, module] = GetParam();
    const std::string file =
        folder.write("both.mg", fmt::format("package both imports moa.library, moa.{};\n"
                                            "concept Both = {{ use Expressions; use {}; }};\n",
                                            package_name, module));
    syntax::Diagnostics diagnostics;
    const auto package = workspace.load(file, diagnostics);
    if (package) theory = workspace.evaluate(*package, "Both", diagnostics);
    ASSERT_NE(theory, nullptr) << support::text_of(diagnostics);
  }

  // Does the rule hold for these values? Nothing where it says nothing about them.
  std::optional<bool> holds(reference::Definitions& definitions, const term::Rule& rule,
                            const std::map<term::SymbolId, Value>& values, std::string& problem) {
    if (rule.condition) {
      const auto condition = definitions.evaluate(*rule.condition, values);
      if (!condition || !std::get<bool>(*condition)) return std::nullopt;
    }
    const auto left = definitions.evaluate(rule.left, values);
    if (!left) return std::nullopt;
    const auto right = definitions.evaluate(rule.right, values);
    problem = right ? reference::describe(*left) + " and " + reference::describe(*right)
                    : right.error().message;
    return right && *left == *right;
  }

  std::string text(const std::map<term::SymbolId, Value>& values) {
    std::string all;
    for (const auto& [variable, value] : values) {
      all += store[variable].name + " is " + reference::describe(value);
      if (const auto* index = std::get_if<reference::Index>(&value)) {
        all += " " + reference::shape_text(*index);
      }
      if (const auto* number = std::get_if<std::int64_t>(&value))
        all += fmt::format(" {}", *number);
      all += "; ";
    }
    return all;
  }

  term::Store store;
  rewrite::IntervalOracle oracle;
  std::unique_ptr<onf::PrimitiveTable> table =
      primitives::make_table(onf::Scalar::float64, primitives::Numbers::promoting);
  elaborate::Workspace workspace{
      store, *table, oracle, {{std::string(RHOPSI_SOURCE_DIR) + "/rules"}, {}, false}};
  std::shared_ptr<const term::Theory> theory;
};

TEST_P(Theorems, FollowFromTheDefinitions) {
  constexpr int tries = 4000;
  constexpr int tries_of_rare_conditions = 100'000;
  constexpr int enough = 5;
  reference::Definitions definitions(store, *theory, *table);
  std::map<std::string, bool> theorems;
  for (const term::Axiom& axiom : theory->axioms) {
    if (axiom.theorem) theorems.emplace(axiom.name, false);
  }
  EXPECT_GT(theorems.size(), 20U);
  Samples samples;
  for (const term::Rule& rule : term::rules_of(store, *theory).rules) {
    const auto theorem = theorems.find(rule.name.substr(0, rule.name.find('#')));
    if (theorem == theorems.end()) continue;
    theorem->second = true;
    int seen = 0;
    for (int i = 0; i < (seen < enough ? tries_of_rare_conditions : tries) && seen < 60; ++i) {
      std::map<term::SymbolId, Value> values;
      for (const term::SymbolId variable : rule.variables) {
        values.emplace(variable, samples.of(store.name(store[variable].result)));
      }
      std::string problem;
      const auto held = holds(definitions, rule, values, problem);
      seen += held.has_value() ? 1 : 0;
      ASSERT_NE(held, std::optional(false)) << rule.name << ": " << problem << "\n" << text(values);
    }
    EXPECT_GE(seen, enough) << rule.name << " was hardly tried";
  }
  for (const auto& [name, is_rule] : theorems) EXPECT_TRUE(is_rule) << name << " is no rule";
}

INSTANTIATE_TEST_SUITE_P(Library, Theorems,
                         ::testing::Values(std::pair{"laws", "Laws"},
                                           std::pair{"partial", "PartialIndexRules"}),
                         [](const auto& each) { return std::string(each.param.second); });

// The laws as rules: what is added is only what a condition proves.
TEST(TheoremsAsRules, Rewrite) {
  const exec::Folder folder;
  support::Specification specification(folder.write("w.mg", R"(
package w imports moa.library, moa.laws, moa.partial;
implementation T = { use Expressions;
  function joined(A: Array): Array = rotate(rotate(A, 0, 2), 0, 5);
  function ordered(A: Array): Array = take(take(A, 1, 2), 0, 5);
  function unchanged(A: Array): Array = take(take(A, 0, 2), 1, 5);
  function inside(A: Array): Array = psi([1], reverse(A, 0));
  function behind(A: Array): Array = psi([1], rotate(A, 1, 2));
};
implementation Joined = rewrite T with Laws 10;
implementation Indexed = rewrite T with PartialIndexRules 10;
)"));
  const auto expect = [&](const char* module, const char* callable, const char* body) {
    const std::string text = specification.callable(module, callable);
    EXPECT_NE(text.find(std::string("= ") + body + ";"), std::string::npos) << text;
  };
  expect("Joined", "joined", "rotate(A, 0, 5 + 2)");
  expect("Joined", "ordered", "take(take(A, 0, 5), 1, 2)");
  expect("Joined", "unchanged", "take(take(A, 0, 2), 1, 5)");
  expect("Indexed", "inside", "psi(replace([1], 0, at(shape(A), 0) - 1 - at([1], 0)), A)");
  expect("Indexed", "behind", "rotate(psi([1], A), 1 - len([1]), 2)");
}

}  // namespace
}  // namespace rhopsi::library
