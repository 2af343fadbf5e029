#include "backends/kokkos/emit/names.hpp"

#include <gtest/gtest.h>

namespace rhopsi::kokkos {
namespace {

TEST(Names, OperatorsAreSpelledOut) {
  EXPECT_EQ(identifier("_+_"), "binary_add");
  EXPECT_EQ(identifier("-_"), "unary_sub");
  EXPECT_EQ(identifier("_%_"), "binary_mod");
  EXPECT_EQ(identifier("_<=_"), "binary_le");
  EXPECT_EQ(identifier("!_"), "unary_not");
}

TEST(Names, WhatCppCannotSpellIsMadeLegal) {
  EXPECT_EQ(identifier("template"), "template_");
  EXPECT_EQ(identifier("3DPadded"), "n3DPadded");
  EXPECT_EQ(identifier("\xce\xb1"), "u3b1");
  EXPECT_EQ(identifier("a__b"), "a_x_b");
  EXPECT_EQ(identifier("_Hidden"), "x_Hidden");
  EXPECT_EQ(identifier("substepIx"), "substepIx");
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
