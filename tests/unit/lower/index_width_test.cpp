// Of how many bits the indices of nests are: forms of expressions, of programs, and made by hand.
#include "engine/onf/index_width.hpp"

#include "engine/lower/normal_form.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/verify.hpp"
#include "tests/unit/lower/shaped_fixture.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi {
namespace {

using moa::test::Input;
using onf::Nest;
using onf::Scalar;

constexpr std::int64_t most = onf::greatest_narrow;

// The nests of the form, line by line, behind what the verifier says of it.
std::string nests(const std::string& text, const std::vector<Input>& inputs = {}) {
  const auto form = moa::test::expressions().reduce(text, inputs);
  if (!form) return form.error().code + ": " + form.error().message + "\n";
  onf::Module module = lower::module_of_forms("forms");
  const auto id = lower::lower(*form, "f", module);
  if (!id) return id.error().code + ": " + id.error().message + "\n";
  std::string found;
  for (const onf::Problem& problem : onf::verify(module)) {
    found += problem.code + ": " + problem.message + "\n";
  }
  std::istringstream lines(onf::to_string(term::Store(), module));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("nest nested ");
    if (at != std::string::npos) found += line.substr(at + 12) + "\n";
  }
  return found;
}

TEST(IndexWidth, AnArrayOfKnownSize) {
  EXPECT_EQ(nests("A + 1", {{"A", {most}}}), "(i) in [0, 2147483647) of 32 bits \"f: result\"\n");
  EXPECT_EQ(nests("A + 1", {{"A", {most + 1}}}), "(i) in [0, 2147483648) \"f: result\"\n");
}

// Each axis is short, but the place of the last element is not.
TEST(IndexWidth, TheNumberOfElementsCounts) {
  EXPECT_EQ(nests("A + 1", {{"A", {46340, 46341}}}),
            "(i, j) in [0, 46340) x [0, 46341) of 32 bits \"f: result\"\n");
  EXPECT_EQ(nests("A + 1", {{"A", {46341, 46341}}}),
            "(i, j) in [0, 46341) x [0, 46341) \"f: result\"\n");
  // Also of an array that is only read.
  EXPECT_EQ(nests("take(A, 0, 3)", {{"A", {46341, 46341}}}),
            "(i, j) in [0, 3) x [0, 46341) \"f: result\"\n");
}

TEST(IndexWidth, LoopsWithoutAnyArray) {
  const std::string fold = "(i) in [0, 2) ";
  EXPECT_EQ(nests("sum(outer_mul(1 + iota(2), iota(2147483647)), 1)"),
            fold + "of 32 bits \"f: result\"\n");
  EXPECT_EQ(nests("sum(outer_mul(1 + iota(2), iota(2147483648)), 1)"), fold + "\"f: result\"\n");
}

// Numbers that are elements have 64 bits in any nest.
TEST(IndexWidth, ElementsMayBeLarge) {
  EXPECT_EQ(nests("take(iota(3000000000), 0, -3)"), "(i) in [0, 3) of 32 bits \"f: result\"\n");
  EXPECT_EQ(nests("iota(3) * 3000000000"), "(i) in [0, 3) of 32 bits \"f: result\"\n");
}

// The index is small, and what it is computed from is not.
TEST(IndexWidth, PartsOfAComponent) {
  const std::vector<Input> v = {{"v", {7}}};
  EXPECT_EQ(nests("gather(v, 0, iota(3) * 715827883 % 7)", v),
            "(i) in [0, 3) of 32 bits \"f: result\"\n");
  EXPECT_EQ(nests("gather(v, 0, iota(3) * 1073741825 % 7)", v), "(i) in [0, 3) \"f: result\"\n");
}

TEST(IndexWidth, ProductsAndSums) {
  const std::vector<Input> v = {{"v", {7}}};
  const std::string box = "(i) in [0, 3) ";
  EXPECT_EQ(nests("gather(v, 0, (iota(3) * 1000000000 + iota(3) * iota(3) * 36870911) % 7)", v),
            box + "of 32 bits \"f: result\"\n");
  EXPECT_EQ(nests("gather(v, 0, (iota(3) * 1000000000 + iota(3) * iota(3) * 36870912) % 7)", v),
            box + "\"f: result\"\n");
  EXPECT_EQ(nests("gather(v, 0, iota(3) * iota(3) * 536870911 % 7)", v),
            box + "of 32 bits \"f: result\"\n");
  EXPECT_EQ(nests("gather(v, 0, iota(3) * iota(3) * 536870912 % 7)", v), box + "\"f: result\"\n");
}

TEST(IndexWidth, AnIndexFromAnArray) {
  EXPECT_EQ(nests("gather(v, 0, w)", {{"v", {7}}, {"w", {4}}}),
            "(i) in [0, 4) of 32 bits \"f: result\"\n");
}

TEST(IndexWidth, LengthsThatAreNotKnown) {
  EXPECT_EQ(nests("u + 1", {{"u", {std::nullopt, 3}}}),
            "(i, j) in [0, length(u, 0)) x [0, 3) of 32 bits where multiply(length(u, 0), 3) fits "
            "\"f: result\"\n");
  // Whatever they are, there are too many elements.
  EXPECT_EQ(nests("take(u, 0, 1)", {{"u", {std::nullopt, most + 1}}}),
            "(i, j) in [0, 1) x [0, 2147483648) \"f: result\"\n");
}

class IndexWidths : public Shaped {};

TEST_F(IndexWidths, NumbersOfAProgram) {
  const std::string text = form_of(
      "  procedure p(upd u: Array, obs o: Int) guard dim(u) == 1 && 0 < at(shape(u), 0) {\n"
      "    u = rotate(u, 0, o);\n"
      "  }\n");
  // However large o is, the remainder is not, and no element divides by anything.
  EXPECT_NE(
      text.find("  let x1: int64 = modulo(o, length(u, 0))  # unit.mg:6\n"
                "  allocate u1: float64 [length(u, 0)]  # unit.mg:6\n"
                "  nest nested (i) in [0, subtract(length(u, 0), modulo(o, length(u, 0)))) of 32 "
                "bits where length(u, 0), x1 fit \"p: u1, box 1\"  # unit.mg:6\n"
                "    u1[i] := u[add(i, x1)]\n"
                "  nest nested (i) in [subtract(length(u, 0), x1), length(u, 0)) of 32 bits where "
                "length(u, 0), x1, add(length(u, 0), x1) fit \"p: u1, box 2\"  # unit.mg:6\n"
                "    u1[i] := u[subtract(add(i, x1), length(u, 0))]\n"),
      std::string::npos)
      << text;
  for (const char* const open : {"E0524", "E0528"})
    EXPECT_EQ(text.find(open), std::string::npos) << text;
}

// Every nest of the module.
template <class Visit>
void each_nest(onf::Module& module, const Visit& visit) {
  for (onf::Statement& statement : module.functions[0].body) {
    if (auto* nest = std::get_if<Nest>(&statement.form)) visit(*nest);
  }
}

std::vector<std::string> remarks(const onf::Module& module) {
  std::vector<std::string> found;
  for (const onf::Problem& problem : onf::verify(module)) {
    EXPECT_FALSE(problem.error);
    found.push_back(problem.code);
  }
  return found;
}

onf::Module module_of(const std::string& text, const std::vector<Input>& inputs) {
  onf::Module module = lower::module_of_forms("forms");
  const auto form = moa::test::expressions().reduce(text, inputs);
  EXPECT_TRUE(form && lower::lower(*form, "f", module));
  return module;
}

TEST(VerifyIndexWidth, WhatIsNotSoIsRemarked) {
  onf::Module module = module_of("A + 1", {{"A", {most + 1}}});
  EXPECT_EQ(remarks(module), std::vector<std::string>{});
  each_nest(module, [](Nest& nest) { nest.width.narrow = true; });
  EXPECT_EQ(remarks(module), std::vector<std::string>{"E0528"});
}

TEST(VerifyIndexWidth, AMissingConditionIsRemarked) {
  onf::Module module = module_of("cat(u, v, 0)", {{"u", {std::nullopt}}, {"v", {std::nullopt}}});
  EXPECT_EQ(remarks(module), std::vector<std::string>{});
  std::size_t nests = 0;
  each_nest(module, [&](Nest& nest) {
    ++nests;
    ASSERT_GT(nest.width.bounded.size(), 1U);
    nest.width.bounded.pop_back();
  });
  EXPECT_EQ(nests, 2U);
  EXPECT_EQ(remarks(module), std::vector<std::string>{"E0528"});  // one message for both
  each_nest(module, [](Nest& nest) { nest.width = {}; });
  EXPECT_EQ(remarks(module), std::vector<std::string>{});
  onf::choose_index_widths(module, module.functions[0]);
  EXPECT_EQ(remarks(module), std::vector<std::string>{});
}

// 64 bits are always right.
TEST(VerifyIndexWidth, MoreConditionsThanNeededAreNone) {
  onf::Module module = module_of("u + 1", {{"u", {std::nullopt}}});
  each_nest(module, [](Nest& nest) {
    onf::Expr seven;
    seven.type = {onf::Representation::Kind::scalar, Scalar::int64, {}};
    seven.integer = 7;
    nest.width.bounded.push_back(seven);
  });
  EXPECT_EQ(remarks(module), std::vector<std::string>{});
}

}  // namespace
}  // namespace rhopsi
