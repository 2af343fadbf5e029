// Scalar operations of emitted programs, counted while they run: with what is worth storing
// stored, and without.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "backends/kokkos/emit/emit.hpp"
#include "engine/lower/normal_form.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi {
namespace {

namespace fs = std::filesystem;
using moa::test::Input;

struct Ran {
  long operations = 0;
  long loads = 0;
  long stores = 0;
  long arrays = 0;
  std::string elements;
};

// The function of the plan, emitted and compiled with numbers that count.
Ran ran(const moa::Plan& plan, const std::string& name, const std::string& lengths) {
  onf::Module module = lower::module_of_forms("forms");
  EXPECT_TRUE(lower::lower(plan, "f", module));
  const fs::path folder = fs::path(RHOPSI_TEST_FOLDER) / name;
  fs::create_directories(folder);
  const auto header = kokkos::emit_header(term::Store(), module);
  std::ofstream(folder / header.name) << header.text;
  const std::string program = (folder / "program").string();
  const std::string said = (folder / "said").string();
  const std::string compile =
      std::string(RHOPSI_CXX_COMPILER) + " -std=c++20 \"-DLENGTHS=" + lengths + "\" -I" +
      RHOPSI_SOURCE_DIR "/tests/exec/counting -I" + folder.string() +
      " " RHOPSI_SOURCE_DIR "/tests/exec/counting/main.cpp -o " + program + " > " + said + " 2>&1";
  const bool done =
      std::system(compile.c_str()) == 0 && std::system((program + " > " + said).c_str()) == 0;
  std::ifstream stream(said);
  Ran found;
  std::string word;
  stream >> found.operations >> word >> found.loads >> word >> found.stores >> word >>
      found.arrays >> word;
  std::getline(stream >> std::ws, found.elements);
  std::stringstream text;
  text << std::ifstream(said).rdbuf();
  EXPECT_TRUE(done) << compile << "\n" << text.str() << header.text;
  return found;
}

struct Both {
  moa::Plan plan;
  Ran stored;
  Ran plain;
};

Both both(const std::string& text, const Input& input, const std::string& name,
          const std::string& lengths, const moa::Limits& limits = {}) {
  moa::Limits none;
  none.trials = 0;
  auto plan = moa::test::expressions().plan(text, {input}, limits);
  const auto plain = moa::test::expressions().plan(text, {input}, none);
  EXPECT_TRUE(plan && plain) << (plan ? "" : plan.error().message);
  if (!plan || !plain) return {};
  Both found{std::move(*plan), {}, {}};
  found.stored = ran(found.plan, name + "_stored", lengths);
  found.plain = ran(*plain, name + "_plain", lengths);
  if (!limits.reassociate) {
    EXPECT_EQ(found.stored.elements, found.plain.elements);
  }
  EXPECT_FALSE(found.plain.elements.empty());
  return found;
}

std::string three_points(const std::string& u) {
  return "((rotate(" + u + ", 0, 1) + 2 * " + u + " + rotate(" + u + ", 0, -1)) / 4)";
}

std::string five_points(const std::string& u) {
  return "((rotate(" + u + ", 0, 1) + rotate(" + u + ", 0, -1) + rotate(" + u +
         ", 1, 1) + rotate(" + u + ", 1, -1)) * 0.25)";
}

// Four operations for an element: at three places and once more, or once in each stage.
TEST(Counting, TwoStackedStencilsOnALine) {
  const Both found = both(three_points(three_points("u")), {"u", {400}, onf::Scalar::float64},
                          "line", "std::int64_t{400}");
  ASSERT_EQ(found.plan.stages.size(), 2U);
  EXPECT_EQ(found.stored.operations, 2 * 4 * 400);
  EXPECT_EQ(found.stored.stores, 2 * 400);
  EXPECT_EQ(found.stored.arrays, 2);
  EXPECT_EQ(found.plain.operations, (3 + 1) * 4 * 400);
  EXPECT_EQ(found.plain.stores, 400);
  EXPECT_EQ(found.plain.arrays, 1);
  // What is printed is what is done.
  const moa::Choice& choice = found.plan.stages[0].choice;
  EXPECT_EQ(choice.operations, found.stored.operations / 2);
  EXPECT_EQ(choice.stores, found.stored.stores / 2);
  EXPECT_EQ(choice.recomputed, found.plain.operations - found.stored.operations / 2);
}

TEST(Counting, TwoStackedStencilsInThePlane) {
  const Both found = both(five_points(five_points("u")), {"u", {30, 40}, onf::Scalar::float64},
                          "plane", "std::int64_t{30}, std::int64_t{40}");
  ASSERT_EQ(found.plan.stages.size(), 2U);
  EXPECT_EQ(found.stored.operations, 2 * 4 * 1200);
  EXPECT_EQ(found.plain.operations, (4 + 1) * 4 * 1200);
  EXPECT_EQ(found.stored.arrays, 2);
  EXPECT_EQ(found.plain.arrays, 1);
  EXPECT_EQ(found.plan.stages[0].choice.recomputed,
            found.plain.operations - found.stored.operations / 2);
}

// 40 x 3, 3 x 40, 40 x 3: the last two first.
TEST(Counting, AProductOfThreeMatricesInTheCheaperOrder) {
  moa::Limits limits;
  limits.reassociate = true;
  const Both found =
      both("matmul(matmul(u, transpose(u)), u)", {"u", {40, 3}, onf::Scalar::float64}, "three",
           "std::int64_t{40}, std::int64_t{3}", limits);
  ASSERT_EQ(found.plan.contractions.size(), 1U);
  // A sum of n products takes n multiplications and n - 1 additions, which count as n.
  EXPECT_EQ(found.stored.operations, 3 * 3 * (40 + 39) + 40 * 3 * (3 + 2));
  EXPECT_EQ(found.stored.stores, 3 * 3 + 40 * 3);
  EXPECT_EQ(found.plan.contractions[0].operations, found.stored.operations + 3 * 3 + 40 * 3);
  EXPECT_EQ(found.plan.contractions[0].written, found.plain.operations + 40 * 3 * (40 + 1));
}

// Nothing is computed twice, so that nothing is stored.
TEST(Counting, AChainOfElementwiseOperations) {
  const Both found = both("(u * u + 1) * (u - 2) / 3", {"u", {4000}, onf::Scalar::float64}, "chain",
                          "std::int64_t{4000}");
  EXPECT_EQ(found.plan.stages.size(), 1U);
  EXPECT_EQ(found.stored.operations, 5 * 4000);
  EXPECT_EQ(found.stored.arrays, 1);
}

}  // namespace
}  // namespace rhopsi
