// Normal forms of every operation of the library, computed, against the operations by axioms.
#include "backends/reference/normal_form.hpp"
#include "engine/moa/reduce.hpp"
#include "tests/unit/reference/expression_fixture.hpp"

namespace rhopsi::reference {
namespace {

class Reduced : public Expressions {
 protected:
  // With the lengths of the arrays known, and with only their ranks known.
  void compare(const std::vector<std::string>& texts, const Inputs& inputs) {
    std::vector<Case> cases;
    for (const std::string& text : texts) cases.push_back({text, inputs, {}});
    const auto elaborated = elaborate(cases);
    Definitions definitions(elaborated->store, *elaborated->theory, *elaborated->table);
    const moa::Library library(elaborated->store, *elaborated->theory, *elaborated->table);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      SCOPED_TRACE(texts[i]);
      const auto& [term, values] = elaborated->expressions[i];
      const auto wanted = definitions.evaluate(term, values);
      ASSERT_TRUE(wanted) << wanted.error().message;
      for (const bool known : {true, false}) {
        std::vector<moa::Leaf> leaves;
        std::vector<Array> arrays;
        for (const auto& [variable, value] : values) {
          const Array& array = std::get<Array>(value);
          moa::Leaf leaf{elaborated->store[variable].name, array.element, {}, variable};
          leaf.shape.assign(array.shape.begin(), array.shape.end());
          if (!known) leaf.shape.assign(array.shape.size(), std::nullopt);
          leaves.push_back(std::move(leaf));
          arrays.push_back(array);
        }
        const auto form = moa::reduce(library, term, std::move(leaves));
        if (!form && !known) continue;  // some operations need to know more
        ASSERT_TRUE(form) << form.error().message;
        const auto found = reference::evaluate(elaborated->store, *form, arrays);
        ASSERT_TRUE(found) << found.error().message << "\n" << to_string(*form);
        const Array& array = std::get<Array>(*wanted);
        EXPECT_EQ(found->shape, array.shape) << to_string(*form);
        EXPECT_EQ(to_string(found->element), to_string(array.element)) << to_string(*form);
        EXPECT_TRUE(*found == array) << to_string(*form);
      }
    }
  }
};

TEST_F(Reduced, Structure) {
  compare({"psi([1], A)",
           "psi([1, 1, 4], A)",
           "ravel(A)",
           "reshape(A, [5, 4])",
           "shape(A)",
           "dim(A)",
           "size(A)",
           "take(A, 1, 2)",
           "take(A, 2, -2)",
           "drop(A, 2, 3)",
           "drop(A, 1, -1)",
           "cat(A, B, 1)",
           "cat(B, A, 1)",
           "reverse(A, 2)",
           "rotate(A, 2, 2)",
           "rotate(A, 1, -4)",
           "transpose(A)",
           "transpose(A, [2, 0, 1])",
           "diagonal(A, 0, 0 + 1)",
           "pad_circular(A, 1, 1, 2)",
           "pad_circular(A, 2, 7, 0)",
           "pad_constant(A, 2, 1, 2, 9)",
           "pad_edge(A, 1, 2, 3)",
           "pad_reflect(A, 2, 1, 4)",
           "lift(B, 1, 2)",
           "unlift(A, 1)",
           "unlift(lift(B, 1, 2), 1) - B"},
          {{"A", counting({2, 2, 5}, 1)}, {"B", counting({2, 4, 5}, 50)}});
}

TEST_F(Reduced, Elements) {
  compare({"A + A",
           "A * 2 - 7 / (A + 1)",
           "A % 4",
           "min(A, 7)",
           "max(7, A)",
           "abs(A - 9)",
           "-A",
           "sqrt(A) + exp(A / 100.0)",
           "pow(A, 2)",
           "A < 9 && A % 2 == 0",
           "!(A >= 5) || A == 9",
           "select(A > 5, A, 0)",
           "sum(A, 0)",
           "sum(A, 2)",
           "product(A, 1)",
           "minimum(A, 2)",
           "maximum(A, 0)",
           "all(A > 0, 1)",
           "any(A > 25, 2)",
           "cumsum(A, 2)",
           "cumproduct(A, 1)",
           "cumminimum(-A, 2)",
           "cummaximum(A, 0)",
           "outer_sub(A, B)",
           "outer_less(B, B)",
           "inner_add_mul(A, B)",
           "inner_min_add(A, B)",
           "inner_or_equal(A, B)",
           "matmul(A, B)",
           "matmul(transpose(B), B)",
           "real(A) / 2",
           "integer(A / 2.0)"},
          {{"A", counting({2, 3, 4}, 1)}, {"B", counting({4, 2}, -3)}});
}

TEST_F(Reduced, SelectionAndCells) {
  compare({"gather(A, 1, v)", "grade_up(v)", "gather(v, 0, grade_up(v))", "compress(A, 1, m)",
           "expand(compress(A, 1, m), 1, m)",
           "update(A, [0, 1], [1, 2], [1, 1], take(drop(A, 0, 1), 1, 2))", "iota(5)",
           "iota(integer(psi([0], v)))", "omega_ravel(lift(A, 1, 1), 2)",
           "omega_transpose(lift(A, 1, 3), 2)", "omega_add(A, v, 1, 1)", "omega_grade_up(-A, 1)",
           "omega_matmul(lift(A, 1, 3), lift(A, 1, 1), 2, 2)", "omega_outer_mul(A, A, 1, 1)"},
          {{"A", counting({2, 3}, 1)},
           {"v", integers({3}, {2, 0, 1})},
           {"m", make_array({3}, Truths{1, 0, 1})}});
}

// Boxes by where the lengths stand among each other: some have no index, and end before they begin.
TEST_F(Reduced, BoxesThatMayEndBeforeTheyBegin) {
  const std::string order = "grade_up(shape(gather(A, 0, [1, 0, 1])))";
  const std::vector<std::string> texts = {
      "diagonal(omega_outer_mul([0, 1, 2], " + order + ", 1, 1), 1, 0)", "[0, 1, 2] * " + order,
      "[0, 0, 2] * " + order, "[0, 0, 2] * reverse(" + order + ", 0)"};
  for (const std::vector<std::int64_t>& shape : std::vector<std::vector<std::int64_t>>{
           {2, 4, 2}, {2, 2, 4}, {2, 1, 1}, {2, 3, 3}, {2, 4, 5}, {2, 5, 4}, {2, 3, 1}}) {
    compare(texts, {{"A", counting(shape, 1)}});
  }
}

}  // namespace
}  // namespace rhopsi::reference
