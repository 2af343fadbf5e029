#include "backends/kokkos/emit/names.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "backends/kokkos/emit/writer.hpp"

namespace rhopsi::kokkos {
namespace {

TEST(Names, OperatorsAreSpelledOut) {
  EXPECT_EQ(identifier("_+_"), "binary_add");
  EXPECT_EQ(identifier("-_"), "unary_sub");
  EXPECT_EQ(identifier("_%_"), "binary_mod");
  EXPECT_EQ(identifier("_<=_"), "binary_le");
  EXPECT_EQ(identifier("!_"), "unary_not");
}

// Names and paths are the user's: whatever is in them stays in the comment or the literal.
TEST(Names, CommentsHoldAnything) {
  EXPECT_EQ(in_comment("a/b.mg:7: u = v * w"), "a/b.mg:7: u = v * w");
  EXPECT_EQ(in_comment("\xce\xb1 \xe2\x88\x98 \xc3\xa9"), "\xce\xb1 \xe2\x88\x98 \xc3\xa9");
  EXPECT_EQ(in_comment("x */ int y; /*"), "x * / int y; /*");
  EXPECT_EQ(in_comment("**/"), "** /");
  EXPECT_EQ(in_comment("x\n#include \"y\"\r\x7f"), "x?#include \"y\"??");
  EXPECT_EQ(in_comment("x\\"), "x?");
  EXPECT_EQ(in_comment("a\xe2\x80\xae"
                       "b\xe2\x81\xa6"
                       "c\xe2\x80\xa8"),
            "a?b?c?");
}

TEST(Names, LiteralsHoldAnything) {
  EXPECT_EQ(quoted("a \"b\" \\"), "\"a \\\"b\\\" \\\\\"");
  EXPECT_EQ(quoted("1\n2\r"
                   "3\x01"
                   "4"),
            "\"1\\0122\\0153\\0014\"");
}

TEST(Names, LinesOfCommentsStayComments) {
  Text text;
  text.line("// " + std::string(120, 'x') + " \\ " + std::string(60, 'y') + "\nint z;");
  std::istringstream lines(text.str());
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with("// ")) << line;
    EXPECT_NE(line.back(), '\\');
  }
}

TEST(Names, WhatCppCannotSpellIsMadeLegal) {
  EXPECT_EQ(identifier("template"), "template_");
  EXPECT_EQ(identifier("3DPadded"), "n3DPadded");
  EXPECT_EQ(identifier("\xce\xb1"), "u3b1");
  EXPECT_EQ(identifier("a__b"), "a_x_b");
  EXPECT_EQ(identifier("_Hidden"), "x_Hidden");
  EXPECT_EQ(identifier("substepIx"), "substepIx");
}

TEST(Names, WhatLooksLikeAMacroDoesNotAnyMore) {
  for (const std::string name :
       {"M_PI",        "INT_MAX",  "INT64_MAX", "UINT64_MAX", "SIZE_MAX", "LONG_MAX",     "DBL_MAX",
        "FLT_EPSILON", "HUGE_VAL", "RAND_MAX",  "BUFSIZ",     "CHAR_BIT", "SEEK_SET",     "SIGINT",
        "O_RDONLY",    "ENOMEM",   "PRIu64",    "SCNiMAX",    "M_PIf64",  "EXIT_FAILURE", "EOF",
        "NAN",         "si_value", "stdin",     "P_tmpdir"}) {
    EXPECT_EQ(identifier(name), name + "_");
    EXPECT_EQ(joined_identifier({name}), name + "_");
  }
  for (const std::string name : {"A", "Ab", "aB", "A_b", "u0", "Pri", "Array"})
    EXPECT_EQ(identifier(name), name);
  EXPECT_EQ(joined_identifier({"NAN", "Array"}), "NAN_Array");
  EXPECT_EQ(joined_identifier({"INT", "MAX"}), "INT_MAX_");
  // Programs name files, and types of the user's are defined elsewhere.
  EXPECT_EQ(foreign_identifier("DNF"), "DNF");
  EXPECT_EQ(foreign_identifier("EOF"), "EOF_");
}

onf::Function nullary(const std::string& name, onf::Scalar scalar, const std::string& sort) {
  onf::Function made;
  made.name = name;
  made.device = true;
  made.result = {onf::Representation::Kind::scalar, scalar, {}};
  made.sorts = {sort};
  return made;
}

TEST(Names, OverloadsThatCppCannotTellApartGetTheirSorts) {
  onf::Module module;
  module.name = "P";
  module.functions = {nullary("one", onf::Scalar::int64, "Axis"),
                      nullary("one", onf::Scalar::int64, "Offset"),
                      nullary("three", onf::Scalar::int64, "Offset")};
  module.order = {onf::FunctionId{0}, onf::FunctionId{1}, onf::FunctionId{2}};
  const Names names = names_of(module);
  EXPECT_EQ(names.functions, (std::vector<std::string>{"one_Axis", "one_Offset", "three"}));
}

TEST(Names, ParametersAndFunctionsDoNotCollide) {
  onf::Module module;
  module.name = "P";
  module.parameters = {{"nu", onf::Scalar::float64, {}}};
  module.functions = {nullary("nu", onf::Scalar::int64, "Int")};
  module.order = {onf::FunctionId{0}};
  const Names names = names_of(module);
  EXPECT_EQ(names.parameters[0], "nu");
  EXPECT_EQ(names.functions[0], "nu_Int");
}

}  // namespace
}  // namespace rhopsi::kokkos
