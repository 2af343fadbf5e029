// Normal forms made by hand: what they compute, and which faults of them are found.
#include "backends/reference/normal_form.hpp"

#include <limits>

#include "tests/unit/reference/expression_fixture.hpp"

namespace rhopsi::reference {
namespace {

using moa::ExprId;
using moa::LeafId;
using moa::VariableId;
using onf::Scalar;
using onf::ScalarFunction;

class Forms : public ::testing::Test {
 protected:
  Forms() { form.expressions = std::make_shared<moa::Expressions>(); }

  moa::Expressions& e() { return *form.expressions; }
  ExprId number(std::int64_t value) { return e().integer(value); }

  // An array A of this element type whose lengths are not known.
  LeafId leaf(Scalar element, std::size_t rank) {
    moa::Leaf made;
    made.name = "A";
    made.element = element;
    made.shape.resize(rank);
    form.leaves.push_back(std::move(made));
    return static_cast<LeafId>(form.leaves.size() - 1);
  }

  // An axis of the result.
  ExprId axis(ExprId length) {
    form.shape.push_back(length);
    form.indices.push_back(e().make_variable("i"));
    return e().variable(form.indices.back());
  }

  void piece(std::vector<std::pair<ExprId, ExprId>> box, ExprId element) {
    moa::Piece made;
    for (const auto& [low, high] : box) made.box.push_back({low, high});
    made.element = element;
    form.pieces.push_back(std::move(made));
  }

  tl::expected<Array, Error> run(const std::vector<Array>& leaves = {}) {
    return evaluate(store, form, leaves, limits);
  }

  void expect(const std::vector<Array>& leaves, const Array& wanted) {
    const auto found = run(leaves);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(*found, wanted);
  }

  void expect_error(const std::vector<Array>& leaves, const char* code, const std::string& part) {
    const auto found = run(leaves);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, code) << found.error().message;
    EXPECT_NE(found.error().message.find(part), std::string::npos) << found.error().message;
  }

  term::Store store;
  moa::NormalForm form;
  NormalFormLimits limits;
};

// cat(drop(A, 0, 1), A, 0) + 1, along one axis.
class Joined : public Forms {
 protected:
  Joined() {
    form.element = Scalar::int64;
    const LeafId a = leaf(Scalar::int64, 1);
    const ExprId length = e().extent(a, 0);
    first = e().subtract(length, number(1));
    whole = e().add(first, length);
    const ExprId i = axis(whole);
    const ExprId shifted[] = {e().add(i, number(1))};
    const ExprId behind[] = {e().subtract(i, first)};
    dropped = e().add(e().load(a, Scalar::int64, shifted), number(1));
    all = e().add(e().load(a, Scalar::int64, behind), number(1));
  }

  ExprId first;
  ExprId whole;
  ExprId dropped;
  ExprId all;
};

TEST_F(Joined, PiecesByTheLengthsOfTheRun) {
  piece({{number(0), first}}, dropped);
  piece({{first, whole}}, all);
  expect({integers({3}, {4, 5, 6})}, integers({5}, {6, 7, 5, 6, 7}));
  expect({integers({1}, {4})}, integers({1}, {5}));
}

TEST_F(Joined, BoxesThatOverlapLeaveOutOrLeave) {
  piece({{number(0), first}}, dropped);
  piece({{e().subtract(first, number(1)), whole}}, dropped);
  expect_error({integers({3}, {4, 5, 6})}, codes::internal, "two boxes hold the index (1,)");
  form.pieces.pop_back();
  expect_error({integers({3}, {4, 5, 6})}, codes::internal, "no box holds element 2");
  piece({{first, e().add(whole, number(1))}}, number(0));
  expect_error({integers({3}, {4, 5, 6})}, codes::internal, "a box holds the index (5,)");
  form.pieces[1] = {{}, number(0)};
  expect_error({integers({3}, {4, 5, 6})}, codes::internal, "not the rank");
}

TEST_F(Joined, AssumptionsAreTestedInTheirOrderAndFirst) {
  piece({{number(0), first}}, dropped);
  piece({{first, whole}}, all);
  const ExprId length = e().extent(static_cast<LeafId>(0), 0);
  const auto less = [&](std::int64_t low) {
    return e().apply(ScalarFunction::less, {number(low), length});
  };
  const term::LocationId place = store.location(term::Location{"p.mg", 3, 7});
  form.assumptions = {{less(0), "one", {}}, {less(1), "two", place}, {less(2), "three", {}}};
  expect({integers({3}, {4, 5, 6})}, integers({5}, {6, 7, 5, 6, 7}));
  expect_error({integers({2}, {4, 5})}, codes::guard, "three");
  expect_error({integers({1}, {4})}, codes::guard, "two");
  EXPECT_EQ(run({{integers({1}, {4})}}).error().location.line, 3u);
  // Before the shape, which would be negative here.
  expect_error({integers({0}, {})}, codes::guard, "one");
  form.assumptions.clear();
  expect_error({integers({0}, {})}, codes::shapes, "negative");
}

TEST_F(Joined, ArraysThatAreNotTheOnesOfTheForm) {
  piece({{number(0), first}}, dropped);
  piece({{first, whole}}, all);
  expect_error({}, codes::arguments, "1 arrays; 0 are given");
  expect_error({reals({3}, {1, 2, 3})}, codes::arguments, "The array A");
  expect_error({counting({3, 1})}, codes::arguments, "The array A");
  form.leaves[0].shape[0] = 4;
  expect_error({counting({3})}, codes::arguments, "The array A");
  limits.elements = 6;
  expect_error({counting({4})}, codes::size, "too large");
}

TEST_F(Forms, RankZero) {
  form.element = Scalar::float64;
  const LeafId a = leaf(Scalar::float64, 0);
  piece({}, e().apply(ScalarFunction::sqrt, {e().load(a, Scalar::float64, {})}));
  expect({reals({}, {9})}, reals({}, {3}));
}

TEST_F(Forms, FoldsWithinFoldsAndOfNothing) {
  // sum over k < i of (sum over j < k of j), for i < 5; minimum where i is 0.
  form.element = Scalar::int64;
  const ExprId i = axis(number(5));
  const VariableId j = e().make_variable("j");
  const VariableId k = e().make_variable("k");
  const ExprId inner = e().fold(ScalarFunction::add, j, e().variable(k), e().variable(j));
  piece({{number(0), number(5)}}, e().fold(ScalarFunction::add, k, i, inner));
  expect({}, integers({5}, {0, 0, 0, 1, 4}));
  form.pieces.clear();
  piece({{number(0), number(5)}}, e().fold(ScalarFunction::minimum, k, i, inner));
  expect({}, integers({5}, {std::numeric_limits<std::int64_t>::max(), 0, 0, 0, 0}));
}

// The same fold, with its variable, inside itself.
TEST_F(Forms, AVariableThatIsBoundTwice) {
  form.element = Scalar::int64;
  const ExprId i = axis(number(1));
  const VariableId k = e().make_variable("k");
  const ExprId kk = e().variable(k);
  const ExprId inner = e().fold(ScalarFunction::add, k, number(3), kk);  // 0 + 1 + 2
  const ExprId body = e().add(e().multiply(number(10), kk), e().multiply(inner, e().add(i, kk)));
  piece({{number(0), number(1)}}, e().fold(ScalarFunction::add, k, number(2), body));
  expect({}, integers({1}, {13}));  // (0 + 3 * 0) + (10 + 3 * 1)
}

TEST_F(Forms, OnlyTheChosenBranchIsEvaluated) {
  form.element = Scalar::int64;
  const LeafId a = leaf(Scalar::int64, 1);
  const ExprId i = axis(number(3));
  const ExprId loaded = e().load(a, Scalar::int64, std::vector<ExprId>{i});
  const ExprId inside = e().apply(ScalarFunction::less, {i, e().extent(a, 0)});
  piece({{number(0), number(3)}}, e().select(inside, loaded, number(-1)));
  expect({integers({2}, {8, 9})}, integers({3}, {8, 9, -1}));
  form.pieces.clear();
  piece({{number(0), number(3)}}, loaded);
  expect_error({integers({2}, {8, 9})}, codes::index_range, "(2,) is out of range");
  form.pieces.clear();
  piece({{number(0), number(3)}}, e().apply(ScalarFunction::divide, {number(7), loaded}));
  expect_error({integers({3}, {1, 0, 1})}, codes::division_by_zero, "7 is divided by 0");
}

TEST_F(Forms, TypesOfElements) {
  form.element = Scalar::float64;
  const LeafId a = leaf(Scalar::int32, 1);
  const LeafId b = leaf(Scalar::boolean, 1);
  const ExprId i = axis(number(2));
  const std::vector<ExprId> index{i};
  const ExprId x = e().load(a, Scalar::int32, index);
  const ExprId y = e().load(b, Scalar::boolean, index);
  const ExprId sum = e().apply(ScalarFunction::add, {x, y});
  piece({{number(0), number(2)}}, e().apply(ScalarFunction::divide, {sum, e().real(2)}));
  const Array narrow = make_array({2}, std::vector<std::int32_t>{3, 4});
  const Array truths = make_array({2}, Truths{1, 0});
  expect({narrow, truths}, reals({2}, {2, 2}));
  form.element = Scalar::int64;
  expect_error({narrow, truths}, codes::internal, "an element of type int64 is float64");
}

}  // namespace
}  // namespace rhopsi::reference
