// Rewritten programs compute what the programs they came from compute.
#include "tests/unit/reference/program_fixture.hpp"

namespace rhopsi::reference {
namespace {

TEST_F(Programs, SmoothingInAllItsForms) {
  const std::string base = R"(program Base = {
    use Arrays;
    function smooth(a: Array): Array =
      0.25 * rotate(a, 0, -1) + 0.5 * a + 0.25 * rotate(a, 1, 1);
    procedure step(upd a: Array) { a = smooth(a); a = smooth(a); }
  };
  program MoA = {
    use (rewrite (implement ToIxwiseGenerator[op => smooth, opIx => smoothIx, E => Real] in Base)
         with ToIxwise[op => smooth] 1);
    use FlatSchedule[element => smoothIx, E => Real];
  };
  program DNF = rewrite MoA with DNFRules[E => Real] 100;
  implementation Width = {
    require type Offset literals integer;
    function padding(): Offset = 1;
  };
  program Padded = {
    use (rewrite { use DNF; use Width; } with OFPad[E => Real] 1);
    use PaddedSchedule[schedule => schedulePadded, element => smoothIx, E => Real];
    use Padding;
  };
)";
  options.domain = {4, 3};
  std::vector<double> expected;
  for (const char* form : {"Base", "MoA", "DNF", "Padded"}) {
    load(base + "program P = { use " + form + "; };\n");
    std::vector<Value> arguments{sample({4, 3})};
    const auto result = try_call("step", arguments);
    ASSERT_TRUE(result) << form << ": " << result.error().message;
    const auto found = elements<double>(arguments[0]);
    if (expected.empty()) expected = found;
    EXPECT_EQ(found, expected) << form;
  }
}

}  // namespace
}  // namespace rhopsi::reference
