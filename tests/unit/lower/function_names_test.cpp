// Names in functions, where arrays have shapes of their own: which keep their arrays.
#include "tests/unit/lower/own_schedule.hpp"

namespace rhopsi {
namespace {

class FunctionNames : public OwnSchedule {
 protected:
  // The form of b = f(u), where f names s and has that value.
  std::string form(const std::string& named, const std::string& value) {
    const onf::Module module = scheduled(
        "  function f(u: Array): Array guard dim(u) == 2 && 3 <= at(shape(u), 0) = {\n"
        "    var s = " +
            named + ";\n    value " + value + ";\n  }\n" +
            "  procedure p(obs u: Array, out b: Array)\n"
            "    guard dim(u) == 2 && 3 <= at(shape(u), 0) { b = f(u); }\n",
        {});
    return text_of(module);
  }
};

TEST_F(FunctionNames, OfFoldsThatAreReadAgainKeepTheirArrays) {
  const std::string text = form("cumsum(cumsum(u, 1), 0)", "drop(s, 0, 2) - drop(s, 0, -2)");
  EXPECT_TRUE(says(text, "allocate s: ")) << text;
}

TEST_F(FunctionNames, OfWhatIsReadOnceAreNone) {
  EXPECT_FALSE(says(form("cumsum(u, 0)", "2.0 * s"), "allocate s: "));
  // Nor of a copy, nor of a few operations.
  EXPECT_FALSE(says(form("rotate(u, 0, 1)", "drop(s, 0, 2) - drop(s, 0, -2)"), "allocate s: "));
  EXPECT_FALSE(says(form("u * u", "s + rotate(s, 0, 1)"), "allocate s: "));
}

// Each call has its own, of what it is called with.
TEST_F(FunctionNames, OfSeveralCalls) {
  const onf::Module module = scheduled(
      "  function f(u: Array): Array guard dim(u) == 1 && 3 <= at(shape(u), 0) = {\n"
      "    var s = cumsum(u, 0);\n    value rotate(s, 0, 1) - s;\n  }\n"
      "  procedure p(obs u: Array, out b: Array) guard dim(u) == 1 && 3 <= at(shape(u), 0) {\n"
      "    b = f(f(u)) + f(2.0 * u);\n  }\n",
      {});
  const std::string text = text_of(module);
  std::size_t count = 0;
  for (std::size_t at = text.find("allocate s"); at != std::string::npos;
       at = text.find("allocate s", at + 1))
    ++count;
  EXPECT_EQ(count, 3u) << text;
}

}  // namespace
}  // namespace rhopsi
