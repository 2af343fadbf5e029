#include "frontend/elaborate/scope.hpp"

#include <gtest/gtest.h>

#include "tests/unit/elaborate_bodies/fixture.hpp"

namespace rhopsi::elaborate::test {
namespace {

TEST(Scope, KnowsTypesAndOverloads) {
  term::Store store;
  const Elaborated base =
      elaborate(store, "type T; function f(a: T): T; function f(): T; predicate p(a: T);");
  const Scope scope(store, base.theory);
  EXPECT_EQ(scope.sort("T"), store.sort("T"));
  EXPECT_EQ(scope.sort("Predicate"), store.predicate_sort());
  EXPECT_EQ(scope.sort("U"), std::nullopt);
  EXPECT_EQ(scope.overloads("f").size(), 2u);
  EXPECT_EQ(scope.callable_names(), (std::vector<std::string>{"f", "p"}));
}

TEST(Scope, Nearest) {
  EXPECT_EQ(nearest("rotaet", {"rotate", "psi"}), "rotate");
  EXPECT_EQ(nearest("psi", {"rotate", "shape"}), std::nullopt);
  EXPECT_EQ(nearest("x", {"y"}), std::nullopt);
  EXPECT_EQ(nearest("Aray", {"Array", "Axis"}), "Array");
}

}  // namespace
}  // namespace rhopsi::elaborate::test
