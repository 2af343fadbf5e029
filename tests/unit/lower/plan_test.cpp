// Normal forms of an expression and of the subterms that it stores, lowered to one function.
#include "backends/kokkos/emit/emit.hpp"
#include "engine/lower/normal_form.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/verify.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi::lower {
namespace {

using moa::test::Input;
using onf::Scalar;

// The module of one function, behind which nothing is left to say.
[[maybe_unused]] onf::Module lowered(const moa::Plan& plan) {
  onf::Module module = module_of_forms("forms");
  const auto id = lower(plan, "f", module);
  EXPECT_TRUE(id) << (id ? "" : id.error().message);
  for (const onf::Problem& problem : onf::verify(module)) {
    ADD_FAILURE() << problem.code << ": " << problem.message << "\n" << to_string(plan);
  }
  return module;
}

TEST(X, Y) {
  std::string u = "u";
  for (int k = 0; k < 2; ++k) {
    u = "((rotate(" + u + ", 0, 1) + rotate(" + u + ", 0, -1) + rotate(" + u + ", 1, 1) + rotate(" +
        u + ", 1, -1)) * 0.25)";
  }
  const std::vector<Input> inputs{{"u", {std::nullopt, getenv("D1") ? std::optional<std::int64_t>(40) : std::nullopt}, Scalar::float64}};
  const auto plan = moa::test::expressions().plan(u, inputs);
  ASSERT_TRUE(plan);
  std::cout << plan->stages.size();
}

}  // namespace
}  // namespace rhopsi::lower
