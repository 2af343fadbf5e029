// The rule library is what expressions mean: an operation is there by its axioms only.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"
#include "tests/oracle/operations.hpp"
#include "tests/property/array_agreement.hpp"

namespace rhopsi::property {
namespace {

using oracle::Array;
using oracle::Case;
using oracle::Tree;

// "take/3": name and number of arguments.
std::set<std::string> operations_of_theory() {
  std::set<std::string> names;
  const term::Store& store = evaluators().store();
  for (const term::Callable& callable : evaluators().theory().callables) {
    const term::Symbol& symbol = store[callable.symbol];
    if (store.name(symbol.result) != "Array") continue;
    names.insert(symbol.name + "/" + std::to_string(callable.parameters.size()));
  }
  return names;
}

TEST(ArrayLibrary, DeclaresWhatTheOracleKnowsAndNothingElse) {
  std::set<std::string> known;
  for (const oracle::Operation* each : oracle::covered_operations()) {
    known.insert(each->name + "/" + std::to_string(each->parameters.size()));
  }
  EXPECT_EQ(operations_of_theory(), known);
}

// The rules that an expression is reduced by, and the expression.
struct Sample {
  Case one;
  std::set<std::string> rules;
};

std::vector<Sample> samples(unsigned count) {
  std::vector<Sample> found;
  oracle::Suite suite(2);
  while (found.size() < count) {
    Sample sample{suite.next(), {}};
    const auto form = evaluators().normal_form(sample.one.tree, sample.one.inputs);
    if (!form) continue;
    for (const moa::RuleUse& use : form->uses) sample.rules.insert(use.rule);
    found.push_back(std::move(sample));
  }
  return found;
}

term::Theory without(const std::string& axiom) {
  term::Theory theory = evaluators().theory();
  std::erase_if(theory.axioms, [&](const term::Axiom& each) { return each.name == axiom; });
  return theory;
}

// Exactly the expressions stop that were reduced by the axiom.
TEST(ArrayLibrary, WithoutAnElementAxiomTheExpressionsThatNeedItStop) {
  const std::vector<Sample> all = samples(1500);
  std::size_t stopped = 0;
  const std::vector<std::pair<std::string, std::string>> axioms = {
      {"rotateElement", "rotate"},
      {"takeElement", "take"},
      {"catElement", "cat"},
      {"transposeByElement", "transpose"},
      {"updateElement", "update"},
      {"innerAddMulElement", "inner_add_mul"},
      {"addElement", "_+_"},
      {"gatherElement", "gather"},
      {"sumElement", "sum"},
      {"cellElement", "psi"},
      {"liftElement", "lift"},
      {"expandElement", "expand"},
      {"iotaElement", "iota"},
      {"cumsumElement", "cumsum"},
      {"outerLessElement", "outer_less"}};
  for (const auto& [axiom, operation] : axioms) {
    const term::Theory theory = without(axiom);
    ASSERT_LT(theory.axioms.size(), evaluators().theory().axioms.size()) << axiom;
    const auto library = evaluators().library_of(theory);
    std::size_t needed = 0;
    for (const Sample& sample : all) {
      const bool needs = sample.rules.contains(axiom);
      if (needs) ++needed;
      if (!needs && sample.one.number % 8 != 0) continue;
      const auto form = evaluators().normal_form(sample.one.tree, sample.one.inputs, *library);
      EXPECT_EQ(!form, needs) << axiom << "\n" << to_string(sample.one);
      if (!form) {
        EXPECT_EQ(form.error(), "E0601: no rule for psi(" + operation + ")");
      }
    }
    EXPECT_GT(needed, 0U) << axiom;
    stopped += needed;
  }
  EXPECT_GT(stopped, 200U);
}

constexpr const char* two_operations = R"(
package weaving imports definitions.arrays, definitions.numbers, definitions.vectors;

// Elements of A and of B in turn along an axis.
concept Weave = {
  use Numbers;
  use Dimension[E => Number];
  use VectorAlgebra;
  function weave(A: Array, B: Array, axis: Int): Array
    guard 0 <= axis && axis < dim(A) && dim(A) == dim(B) &&
      (forall (m < dim(A)) at(shape(A), m) == at(shape(B), m));
  axiom weaveShape(A: Array, B: Array, axis: Int) {
    assert shape(weave(A, B, axis)) == replace(shape(A), axis, 2 * at(shape(A), axis));
  }
  axiom weaveElement(p: Index, A: Array, B: Array, axis: Int) {
    assert psi(p, weave(A, B, axis)) ==
      (if at(p, axis) % 2 == 0
        then psi(replace(p, axis, at(p, axis) / 2), A)
        else psi(replace(p, axis, at(p, axis) / 2), B));
  }
};

// Row i along `by` is rotated along `axis` by i.
concept Shear = {
  use Numbers;
  use Dimension[E => Number];
  use VectorAlgebra;
  function shear(A: Array, axis: Int, by: Int): Array
    guard 0 <= axis && axis < dim(A) && 0 <= by && by < dim(A) && axis != by &&
      0 < at(shape(A), axis);
  axiom shearShape(A: Array, axis: Int, by: Int) {
    assert shape(shear(A, axis, by)) == shape(A);
  }
  axiom shearElement(p: Index, A: Array, axis: Int, by: Int) {
    assert psi(p, shear(A, axis, by)) ==
      psi(replace(p, axis, (at(p, axis) + at(p, by)) % at(shape(A), axis)), A);
  }
};
)";

// Two operations of a file of the user's own, without building anything.
TEST(ArrayLibrary, OperationsOfAUsersFileAreEvaluatedAndReduced) {
  const exec::Folder folder;
  ArrayEvaluators own({folder.write("weaving.mg", two_operations)});
  const Array a = oracle::reshape(oracle::iota(6), {2, 3});
  const Array b = oracle::pointwise(oracle::Binary::mul, a, oracle::scalar(0.5));
  const auto number = [](std::int64_t k) { return oracle::literal(k); };
  const Tree woven = oracle::call("weave", {oracle::input("A"), oracle::input("B"), number(0)});
  const Tree sum = oracle::call("_+_", {woven, number(1)});
  const Tree tree = oracle::call("shear", {sum, number(1), number(0)});
  const Array expected = oracle::make_array(
      oracle::Type::real, {4, 3}, {1.0, 2.0, 3.0, 1.5, 2.0, 1.0, 6.0, 4.0, 5.0, 2.5, 3.0, 3.5});
  for (const Outcome& outcome :
       {own.by_axioms(tree, {{"A", a}, {"B", b}}), own.by_normal_form(tree, {{"A", a}, {"B", b}}),
        own.by_normal_form(tree, {{"A", a}, {"B", b}}, true)}) {
    ASSERT_TRUE(outcome.value) << outcome.error;
    EXPECT_TRUE(identical(*outcome.value, expected)) << to_string(outcome);
  }
  const Outcome wrong =
      own.by_normal_form(oracle::call("shear", {sum, number(1), number(1)}), {{"A", a}, {"B", b}});
  EXPECT_EQ(wrong.error, "E0608: shear on axis 1 needs `axis != by`: 1 and 1");
}

}  // namespace
}  // namespace rhopsi::property
