// Normal forms of many expressions, compiled as one program and run, against the reference
// evaluator's normal forms.
#include "backends/kokkos/batch/batch.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "backends/reference/normal_form.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi {
namespace {

using kokkos::HostArray;
using moa::test::Input;
using onf::Scalar;

struct Given {
  std::string name;
  reference::Array array;
};

template <class T>
Given given(const std::string& name, std::vector<std::int64_t> shape, std::vector<T> elements) {
  return {name, reference::make_array(std::move(shape), std::move(elements))};
}

HostArray host(const reference::Array& array) {
  HostArray made{array.element, array.shape, {}};
  std::visit(
      [&](const auto& elements) {
        made.bytes.resize(elements.size() * sizeof(elements[0]));
        if (!made.bytes.empty()) std::memcpy(made.bytes.data(), elements.data(), made.bytes.size());
      },
      *array.elements);
  return made;
}

// To the bit; only that any NaN is as good as another one.
template <class T>
bool same(const std::vector<T>& expected, const std::vector<char>& bytes) {
  if (bytes.size() != expected.size() * sizeof(T)) return false;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    T found;
    std::memcpy(&found, bytes.data() + k * sizeof(T), sizeof(T));
    if (std::memcmp(&found, &expected[k], sizeof(T)) == 0) continue;
    if (!(found != found && expected[k] != expected[k])) return false;
  }
  return true;
}

template <class T>
std::string elements_text(const std::vector<char>& bytes) {
  std::string text;
  for (std::size_t at = 0; at + sizeof(T) <= bytes.size() && at < 24 * sizeof(T); at += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    text += " " + std::to_string(value);
  }
  return text;
}

std::string text_of(const HostArray& array) {
  std::string text = to_string(array.element) + " [";
  for (std::int64_t length : array.shape) text += std::to_string(length) + " ";
  text += "]";
  switch (array.element) {
    case Scalar::boolean:
      return text + elements_text<std::uint8_t>(array.bytes);
    case Scalar::int32:
      return text + elements_text<std::int32_t>(array.bytes);
    case Scalar::int64:
      return text + elements_text<std::int64_t>(array.bytes);
    case Scalar::float32:
      return text + elements_text<float>(array.bytes);
    case Scalar::float64:
      break;
  }
  return text + elements_text<double>(array.bytes);
}

kokkos::BatchOptions options() {
  kokkos::BatchOptions made;
  made.build.cache = RHOPSI_TEST_CACHE;
  return made;
}

class Batch : public testing::Test {
 protected:
  // An expression of some arrays; those that are `open` have no known shape in the form.
  void add(const std::string& text, std::vector<Given> arrays, bool open = false) {
    std::vector<Input> inputs;
    for (const Given& array : arrays) {
      Input input{array.name, {}, array.array.element};
      for (std::int64_t length : array.array.shape) {
        input.shape.push_back(open ? std::nullopt : std::optional(length));
      }
      inputs.push_back(std::move(input));
    }
    add(text, moa::test::expressions().reduce(text, inputs), std::move(arrays));
  }

  // With folds in parts, and subterms that are stored.
  void add_plan(const std::string& text, std::vector<Given> arrays) {
    std::vector<Input> inputs;
    for (const Given& array : arrays) {
      inputs.push_back({array.name, {}, array.array.element});
      inputs.back().shape.resize(array.array.shape.size());
    }
    add(text, moa::test::expressions().plan(text, inputs), std::move(arrays));
  }

  template <class Form>
  void add(const std::string& text, tl::expected<Form, moa::Problem> form,
           std::vector<Given> arrays) {
    ASSERT_TRUE(form) << text << ": " << form.error().code << " " << form.error().message;
    auto plan = std::make_unique<moa::Plan>(std::move(*form));
    for (moa::Stage& stage : plan->stages) {
      for (moa::Assumption& each : stage.form.assumptions) each.location = {};  // of no store
    }
    texts_.push_back(text);
    plans_.push_back(std::move(plan));
    arrays_.push_back(std::move(arrays));
  }

  void run() {
    std::vector<kokkos::Case> cases;
    for (std::size_t k = 0; k < plans_.size(); ++k) {
      kokkos::Case made{plans_[k].get(), {}};
      for (const Given& array : arrays_[k]) made.leaves.push_back(host(array.array));
      cases.push_back(std::move(made));
    }
    const auto batch = kokkos::run_batch(cases, options());
    ASSERT_TRUE(batch) << batch.error().code << ": " << batch.error().message << "\n"
                       << batch.error().note;
    batch_ = *batch;
    for (std::size_t k = 0; k < plans_.size(); ++k) compare(k, batch_.results[k]);
  }

  void compare(std::size_t k, const kokkos::CaseResult& found) {
    std::vector<reference::Array> leaves;
    for (const Given& array : arrays_[k]) leaves.push_back(array.array);
    const auto expected = reference::evaluate(term::Store(), *plans_[k], leaves);
    const std::string context = texts_[k] + "\n" + to_string(*plans_[k]);
    if (!expected) {
      ASSERT_FALSE(found.array) << context << expected.error().message << " but "
                                << text_of(*found.array);
      EXPECT_EQ(found.code, expected.error().code) << context << found.message;
      return;
    }
    ASSERT_TRUE(found.array) << context << found.message;
    EXPECT_EQ(found.array->element, expected->element) << context;
    EXPECT_EQ(found.array->shape, expected->shape) << context;
    const bool equal =
        std::visit([&](const auto& elements) { return same(elements, found.array->bytes); },
                   *expected->elements);
    EXPECT_TRUE(equal) << context << "found    " << text_of(*found.array) << "\nexpected "
                       << text_of(host(*expected));
  }

  const std::string& error(std::size_t k) const { return batch_.results[k].message; }

  std::vector<std::string> texts_;
  std::vector<std::unique_ptr<moa::Plan>> plans_;
  std::vector<std::vector<Given>> arrays_;
  kokkos::Batch batch_;
};

template <class T>
std::vector<T> counting(std::size_t count, double step, double start = 0) {
  std::vector<T> made;
  for (std::size_t k = 0; k < count; ++k) {
    made.push_back(static_cast<T>(start + step * static_cast<double>(k)));
  }
  return made;
}

const Given A = given("A", {2, 3}, std::vector<std::int64_t>{4, -1, 7, 0, 2, -9});
const Given C = given("C", {4, 6}, counting<std::int64_t>(24, 3, -20));
const Given v = given("v", {5}, std::vector<std::int64_t>{3, 0, 4, 1, 1});
const Given m = given("m", {5}, std::vector<std::uint8_t>{1, 0, 1, 1, 0});
const Given s = given("s", {4}, std::vector<std::int32_t>{7, -2, 2147483647, 5});
const Given h = given("h", {3, 2}, counting<float>(6, 0.7, -1.3));
const Given f = given("f", {5}, counting<double>(5, 0.37, -0.6));
const Given x = given("x", {}, std::vector<double>{1.25});
const Given e = given("e", {0, 3}, std::vector<std::int64_t>{});
const Given t = given("t", {2, 3, 2, 2, 1, 2}, counting<std::int64_t>(48, 1));

TEST_F(Batch, StructureOfEveryRankAndElementType) {
  add("cat(A, drop(take(C, 1, 3), 0, 1), 0)", {A, C});
  add("rotate(v, 0, 1) + rotate(v, 0, -1)", {v});
  add("reverse(transpose(C), 1)", {C});
  add("reshape(C, [3, 8])", {C});
  add("lift(C, 1, 2)", {C});
  add("pad_circular(f, 0, 2, 3)", {f});
  add("pad_constant(h, 1, 1, 2, 9)", {h});
  add("cat(m, m, 0)", {m});
  add("reverse(s, 0)", {s});
  add("s + s", {s});
  add("h * 2.5", {h});
  add("transpose(h) + s", {h, given("s", {2, 3}, counting<std::int32_t>(6, 2))});
  add("x", {x});
  add("x + A", {x, A});
  add("transpose(t, [5, 0, 3, 1, 4, 2])", {t});
  add("diagonal(t, 0, 2)", {t});
  add("outer_mul(outer_mul(v, m), h)", {v, m, h});
  add("e", {e});
  add("cat(e, A, 0)", {e, A});
  add("sum(e, 0)", {e});
  add("minimum(e, 0)", {e});
  add("sum(e, 1)", {e});
  add("iota(6)", {});
  add("shape(t)", {t});
  add("2.5", {});
  run();
  EXPECT_EQ(batch_.functions, texts_.size());
}

TEST_F(Batch, FoldsScansAndGathers) {
  add("sum(sum(A, 0), 0)", {A});
  add("product(A, 1)", {A});
  add("cumsum(f, 0)", {f});
  add("cummaximum(v, 0)", {v});
  add("matmul(h, transpose(h))", {h});
  add("inner_max_add(A, transpose(A))", {A});
  add("all(A < 9, 1)", {A});
  add("f / sum(f, 0)", {f});
  add("(f - sum(f, 0)) * (f - sum(f, 0)) / sum(f * f, 0)", {f});
  add("matmul(A, transpose(A) / sum(v, 0))", {A, v});
  add("gather(f, 0, v)", {f, v});
  add("gather(C, 1, v)", {C, v});
  add("grade_up(v)", {v});
  add("gather(v, 0, grade_up(v))", {v});
  add("compress(f, 0, m)", {f, m});
  add("compress(C, 1, [1, 0, 0, 1, 1, 0])", {C});
  add("cumsum(compress(f, 0, v > 1), 0)", {f, v});
  add("compress(f, 0, v > 100)", {f, v});
  add("expand(compress(f, 0, m), 0, m)", {f, m});
  add("update(C, [1, 2], [2, 2], [2, 3], A)",
      {C, given("A", {2, 2}, counting<std::int64_t>(4, 5))});
  add("cumsum(cumsum(v, 0), 0)", {v});
  run();
}

TEST_F(Batch, FoldsInParts) {
  for (const Given& long_ : {f, given("f", {1}, counting<double>(1, 0.3, 0.7))}) {
    add_plan("sum(rotate(f, 0, 1), 0)", {long_});
    add_plan("cumsum(rotate(f, 0, -1), 0)", {long_});
    add_plan("maximum(pad_circular(f, 0, 1, 1), 0)", {long_});
    add_plan("matmul(outer_mul(f, f), rotate(f * 3, 0, 1))", {long_});
    add_plan("product(cat(f, rotate(f, 0, 1), 0), 0)", {long_});
  }
  add_plan("sum(pad_constant(C, 0, 2, 1, 9), 0)", {C});
  add_plan("matmul(cat(C, C, 0), cat(rotate(C, 1, 1), reverse(C, 0), 1))",
           {given("C", {3, 3}, counting<double>(9, 0.31, -1))});
  add_plan("all(cat(C, C, 0) < 9, 0)", {C});
  run();
}

TEST_F(Batch, NumbersAreComputedAsTheReferenceComputesThem) {
  add("sqrt(f) + exp(f) * sin(f) - log(f)", {f});
  add("tanh(h) + cos(h)", {h});
  add("pow(v, 3)", {v});
  add("v / 3 + v % 3 - (0 - v) / 3 + (0 - v) % 3", {v});
  add("f % 0.25", {f});
  add("min(f, 0) + max(f, v)", {f, v});
  add("abs(A) * (0 - A)", {A});
  add("m + m", {m});
  add("m && !m || v < 2", {m, v});
  add("select(m, f, v)", {m, f, v});
  add("integer(f * 10) + real(v)", {f, v});
  add("s * s * s * s * s", {s});
  add("(f / 0 - 1 / (f * 0)) * 2", {f});
  add("min(0 / (f * 0), f)", {f});
  add("min(f, 0 / (f * 0)) + max(f, 0 / (f * 0))", {f});
  add("max(0 - f * 0, f * 0)", {f});
  run();
}

// Conditions on elements: what is not chosen is not computed.
TEST_F(Batch, BranchesAreLazy) {
  add("select(v > 0, 12 / v, 0 - v)", {v});
  add("select(v > 0, 12 / v, select(v < 4, 1, 24 / v))", {v});
  add("select(m, 12 / v, 1) + select(m, 12 / v + 1, 2)", {m, v});
  add("select(m, select(v > 0, 12 / v, 3), 12 / v * 2)", {m, v});
  add("select(v > 0, sum(gather(f, 0, v), 0) / v, sum(f, 0))", {v, f});
  add("select(v > 0 && 12 / v > 3, 1, 0)", {v});
  run();
}

TEST_F(Batch, ShapesThatAreNotKnownBeforeTheRun) {
  add("rotate(v, 0, 2) + 1", {v}, true);
  add("cat(A, A, 0)", {A}, true);
  add("transpose(take(C, 0, 2))", {C}, true);
  add("matmul(A, B)", {A, given("B", {3, 2}, counting<std::int64_t>(6, 1))}, true);
  add("matmul(A, B)", {A, given("B", {4, 2}, counting<std::int64_t>(8, 1))}, true);
  add("compress(f, 0, m)", {f, m}, true);
  add("ravel(A)", {A}, true);
  add("sum(e, 0)", {e}, true);
  add("rotate(e, 0, 1)", {e}, true);
  run();
  EXPECT_NE(error(4).find("matmul needs"), std::string::npos) << error(4);
}

TEST_F(Batch, ErrorsAreThoseOfTheirCase) {
  const Given zeros = given("v", {5}, std::vector<std::int64_t>{1, 0, 3, 0, 5});
  add("v + 1", {zeros});                                                           // 0
  add("10 / v", {zeros});                                                          // 1
  add("10 % v", {zeros});                                                          // 2
  add("gather(f, 0, v)", {f, given("v", {2}, std::vector<std::int64_t>{1, 5})});   // 3
  add("gather(f, 0, v)", {f, given("v", {2}, std::vector<std::int64_t>{1, -1})});  // 4
  add("integer(f)", {given("f", {2}, std::vector<double>{1e30, 1})});              // 5
  add("integer(f)", {given("f", {1}, std::vector<double>{NAN})});                  // 6
  add("compress(f, 0, v)", {f, v});                                                // 7
  add("iota(4611686018427387904)", {});                                            // 8
  add("outer_add(iota(4294967296), iota(4294967296))", {});                        // 9
  add("v * 2", {zeros});                                                           // 10
  run();
  EXPECT_EQ(error(1), "division by zero");
  EXPECT_EQ(error(2), "division by zero");
  EXPECT_NE(error(3).find("gather on axis 0 needs"), std::string::npos) << error(3);
  EXPECT_NE(error(8).find("is larger than the memory of this machine"), std::string::npos)
      << error(8);
}

TEST_F(Batch, EqualFormsShareAFunction) {
  for (int k = 0; k < 30; ++k) {
    add("v * 2 + 1", {given("v", {3}, counting<std::int64_t>(3, k))});
  }
  add("v * 2 + 1", {given("v", {4}, counting<std::int64_t>(4, 1))});
  run();
  EXPECT_EQ(batch_.functions, 2u);
}

TEST_F(Batch, LargeArraysRunOnAllThreads) {
  const Given big = given("b", {300, 200}, counting<double>(60000, 0.001, -3));
  add("rotate(b, 1, 1) + transpose(reshape(b, [200, 300]))", {big});
  add("10 / integer(b)", {big});
  add("sum(b, 1)", {big});
  run();
  EXPECT_EQ(error(1), "division by zero");
}

TEST_F(Batch, NothingToDo) {
  run();
  EXPECT_EQ(batch_.functions, 0u);
}

}  // namespace
}  // namespace rhopsi
