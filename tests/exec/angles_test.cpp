// Sines and cosines: rows of near angles have loops of their own, and where one angle is far the
// row is computed by the other loop. Bit for bit what the reference computes.
#include <gtest/gtest.h>

#include "tests/exec/compared.hpp"

namespace rhopsi::exec {
namespace {

const char* const text_of_angles =
    "package angles imports moa.library;\n"
    "program Angles = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure waves(upd u: Array, upd v: Array, obs s: Number)\n"
    "    guard dim(u) == 2 && shape(u) == shape(v) {\n"
    "    var next = 2 * u - v + array(0.1) * (rotate(u, 0, 1) + rotate(u, 0, -1)\n"
    "      + rotate(u, 1, 1) + rotate(u, 1, -1) - 4 * u) - array(0.1) * sin(array(s) * u);\n"
    "    v = u;\n"
    "    u = next;\n"
    "  };\n"
    "  procedure chain(upd u: Array, obs s: Number) guard dim(u) == 1 {\n"
    "    u = cos(array(s) * u + sin(array(s) * rotate(u, 0, 1)))\n"
    "      - 0.5 * sin(array(s) * rotate(u, 0, -2));\n"
    "  };\n"
    "  procedure both(upd u: Array, obs s: Number) guard dim(u) == 2 {\n"
    "    var a = array(s) * u;\n"
    "    u = select(u > 0.5, sin(a) * cos(a), 0.5 * u - cos(rotate(a, 1, 1)));\n"
    "  };\n"
    "};\n";

class Angles : public testing::Test {
 protected:
  void compare(const std::string& entry, const Shape& shape, const Words& inputs,
               const std::string& scale) const {
    Words words = {"run", file, "-p", "Angles", "--entry", entry, "--repeat", "5"};
    for (const std::string& name : inputs)
      words.insert(words.end(), {"--in", name + "=" + random_field(folder, name, shape, 1)});
    words.insert(words.end(), {"--set", "s=" + scale});
    SCOPED_TRACE(entry + " by " + scale);
    for (const Words& schedule :
         {Words{}, Words{"--schedule", "full"}, Words{"--schedule", "off"}, Words{"--checked"}})
      compared(folder, words, "u", schedule);
    if (scale == "1e300") return;  // no float
    words.insert(words.end(), {"--dtype", "float"});
    compared(folder, words, "u");
  }

  const Folder folder;
  const std::string file = folder.write("angles.mg", text_of_angles);
};

// With 1060000, a little more than 2^20, some rows have far angles and others none; with 1e300
// nearly all are far.
TEST_F(Angles, NearAndFarAreTheSame) {
  for (const std::string scale : {"1", "1060000", "1e300"}) {
    compare("waves", {21, 35}, {"u", "v"}, scale);
    compare("both", {5, 67}, {"u"}, scale);
  }
  compare("chain", {203}, {"u"}, "1");
  compare("chain", {203}, {"u"}, "1060000");
}

TEST_F(Angles, RowsAskFirst) {
  const Outcome outcome = rhopsi(
      {"emit", file, "-p", "Angles", "--entry", "both", "--shape", "512,512", "--emit", "cxx"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.out.find("if (rhopsi::all_along("), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("rhopsi::near::sin("), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("rhopsi::sin("), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace rhopsi::exec
