// Expressions written as text over the rule library, or over operations of the test's own.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "backends/primitives/primitives.hpp"
#include "backends/reference/definitions.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "engine/term/rule.hpp"
#include "frontend/elaborate/elaborate.hpp"
#include "tests/unit/reference/temporary_folder.hpp"

namespace rhopsi::reference {

using Inputs = std::map<std::string, Value>;

// A theory with one operation per expression, which an axiom says to be equal to it.
struct Elaborated {
  term::Store store;
  rewrite::IntervalOracle oracle;
  std::unique_ptr<onf::PrimitiveTable> table =
      primitives::make_table(onf::Scalar::float64, primitives::Numbers::promoting);
  std::unique_ptr<elaborate::Workspace> workspace;
  std::shared_ptr<const term::Theory> theory;

  struct Expression {
    term::TermId term{};
    std::map<term::SymbolId, Value> values;
  };
  std::vector<Expression> expressions;
};

using Evaluated = tl::expected<Value, Error>;

// What is expected of expressions is collected, and checked when the test ends: the library is
// elaborated once for all of them.
class Expressions : public ::testing::Test {
 protected:
  struct Case {
    std::string text;
    Inputs inputs;
    std::function<void(const Evaluated&)> check;
    std::string sort = "Array";
  };

  // Operations of the test's own: `own` by shapes and elements, where psi and shape are those
  // of elements; `derived` by what the library has.
  std::string own;
  std::string derived;
  DefinitionLimits limits;

  // The value is an array of this shape, with these elements, of this type.
  template <class T>
  void expect(const std::string& text, const Inputs& inputs, const std::vector<std::int64_t>& shape,
              const std::vector<T>& elements) {
    cases_.push_back({text, inputs, [=](const Evaluated& found) {
                        ASSERT_TRUE(found) << found.error().code << ": " << found.error().message;
                        const Array* array = std::get_if<Array>(&*found);
                        ASSERT_NE(array, nullptr);
                        EXPECT_EQ(array->shape, shape);
                        const auto* data = std::get_if<std::vector<T>>(array->elements.get());
                        ASSERT_NE(data, nullptr) << describe(*found);
                        EXPECT_EQ(*data, elements);
                      }});
  }

  // The value of an expression of another sort.
  void expect_value(const std::string& text, const Inputs& inputs, const std::string& sort,
                    const Value& value) {
    cases_.push_back({text, inputs,
                      [=](const Evaluated& found) {
                        ASSERT_TRUE(found) << found.error().code << ": " << found.error().message;
                        EXPECT_EQ(*found, value) << describe(*found);
                      },
                      sort});
  }

  void expect_error(const std::string& text, const Inputs& inputs, const std::string& code,
                    const std::string& message) {
    cases_.push_back({text, inputs, [=](const Evaluated& found) {
                        ASSERT_FALSE(found) << describe(*found);
                        EXPECT_EQ(found.error().code, code) << found.error().message;
                        EXPECT_EQ(found.error().message, message);
                      }});
  }

  void check(Case one) { cases_.push_back(std::move(one)); }

  void TearDown() override {
    if (cases_.empty()) return;
    const auto elaborated = elaborate(cases_);
    Definitions definitions(elaborated->store, *elaborated->theory, *elaborated->table, limits);
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const auto& [term, values] = elaborated->expressions[i];
      SCOPED_TRACE(cases_[i].text);
      cases_[i].check(definitions.evaluate(term, values));
    }
  }

  std::unique_ptr<Elaborated> elaborate(const std::vector<Case>& cases) {
    std::string text =
        "package p imports moa.library, definitions.arrays, definitions.numbers, "
        "definitions.vectors;\nconcept Own = {\n  use Numbers;\n  use Dimension[E => Number];\n"
        "  use VectorAlgebra;\n" +
        own + "};\nconcept P = {\n  use Own;\n  use Expressions;\n" + derived;
    for (std::size_t i = 0; i < cases.size(); ++i) text += declared(cases[i], i);
    const std::string path = folder.write("p.mg", text + "};\n");
    auto made = std::make_unique<Elaborated>();
    elaborate::Options options;
    options.search_path = {std::string(RHOPSI_SOURCE_DIR) + "/rules"};
    made->workspace = std::make_unique<elaborate::Workspace>(made->store, *made->table,
                                                             made->oracle, std::move(options));
    syntax::Diagnostics diagnostics;
    const auto package = made->workspace->load(path, diagnostics);
    if (package) made->theory = made->workspace->evaluate(*package, "P", diagnostics);
    for (const auto& each : diagnostics.all()) ADD_FAILURE() << render(each);
    // Thrown, since a test cannot go on without its expressions.
    if (!made->theory) throw std::runtime_error("the expressions were not elaborated");
    made->expressions.resize(cases.size());
    for (const term::Rule& rule : rules_of(made->store, *made->theory).rules) {
      if (!rule.name.starts_with("caseRule")) continue;
      const std::size_t number = std::stoul(rule.name.substr(8));
      made->expressions[number].term = rule.right;
      for (term::TermId argument : made->store.children(rule.left)) {
        const term::SymbolId variable = made->store.symbol(argument);
        made->expressions[number].values.emplace(
            variable, cases[number].inputs.at(made->store[variable].name));
      }
    }
    return made;
  }

  TemporaryFolder folder;

 private:
  static std::string declared(const Case& one, std::size_t number) {
    std::string parameters;
    std::string names;
    for (const auto& [name, value] : one.inputs) {
      const bool array = std::holds_alternative<Array>(value);
      const bool index = std::holds_alternative<Index>(value);
      const std::string comma = names.empty() ? "" : ", ";
      parameters += comma + name + ": " + (array ? "Array" : index ? "Index" : "Int");
      names += comma + name;
    }
    const std::string id = std::to_string(number);
    return "\n  function case" + id + "(" + parameters + "): " + one.sort + ";\n  axiom caseRule" +
           id + "(" + parameters + ") { assert case" + id + "(" + names + ") == (" + one.text +
           "); }\n";
  }

  std::vector<Case> cases_;
};

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;
using Truths = std::vector<std::uint8_t>;

// first, first + 1, ... in row-major order.
inline Array counting(std::vector<std::int64_t> shape, std::int64_t first = 0) {
  std::size_t count = 1;
  for (std::int64_t length : shape) count *= static_cast<std::size_t>(length);
  Integers data(count);
  for (std::size_t i = 0; i < count; ++i) data[i] = first + static_cast<std::int64_t>(i);
  return make_array(std::move(shape), std::move(data));
}

inline Array integers(std::vector<std::int64_t> shape, Integers data) {
  return make_array(std::move(shape), std::move(data));
}

inline Array reals(std::vector<std::int64_t> shape, Reals data) {
  return make_array(std::move(shape), std::move(data));
}

}  // namespace rhopsi::reference
