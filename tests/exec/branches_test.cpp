// Branches around statements of arrays: choices in the elements of one pass, bit for bit what the
// reference computes.
#include <gtest/gtest.h>

#include "tests/exec/compared.hpp"

namespace rhopsi::exec {
namespace {

// What numbers have become goes into v.
const char* const text_of_branches =
    "package branches imports moa.library;\n"
    "program Branches = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function mean(u: Array): Array guard 0 < dim(u) =\n"
    "    array(0.5) * (rotate(u, 0, 1) + rotate(u, 0, -1));\n"
    "  procedure kinds(upd u: Array, upd v: Array, obs n: Int) guard 2 <= dim(u) && dim(u) <= 3 "
    "&&\n"
    "      shape(v) == shape(u) {\n"
    "    var a = v + 0.1 * mean(u);\n"
    "    if n % 3 == 1 then { a = a - 0.1 * u; u = mean(mean(a)) + rotate(u, 1, -1); }\n"
    "    else { if n % 3 == 2 then { a = mean(a) - 0.05 * v; } else { v = a; }; };\n"
    "    v = a + rotate(v, 1, 1);\n"
    "    u = u + 0.1 * v;\n"
    "  };\n"
    "  procedure alternate(upd u: Array, upd v: Array, obs n: Int) guard dim(u) == 2 &&\n"
    "      shape(v) == shape(u) {\n"
    "    for k in 0 .. n {\n"
    "      if k % 2 == 0 then { v = v + 0.1 * mean(u); u = u - 0.1 * rotate(v, 1, 1); }\n"
    "      else { u = 0.9 * rotate(u, 1, -1); v = mean(u) + 0.5 * v; };\n"
    "    };\n"
    "  };\n"
    "  procedure rarely(upd u: Array, upd v: Array, obs n: Int) guard dim(u) == 2 &&\n"
    "      shape(v) == shape(u) {\n"
    "    var s: Number = 0.5;\n"
    "    for k in 0 .. n {\n"
    "      u = mean(u) + array(s) * rotate(v, 1, 1);\n"
    "      if s < 0.3 then { u = u - mean(v); s = 0.7; } else { s = 0.8 * s; };\n"
    "      if k % 3 == 1 then { var t = u; u = v; v = t; } else { };\n"
    "      v = 0.5 * v + 0.25 * u;\n"
    "    };\n"
    "    v = v + array(s);\n"
    "  };\n"
    "  procedure within(upd u: Array, upd v: Array, obs n: Int) guard dim(u) == 2 &&\n"
    "      shape(v) == shape(u) {\n"
    "    var s: Number = 0.9;\n"
    "    var r: Number = 0.2;\n"
    "    for k in 0 .. n {\n"
    "      if k % 2 == 0 then { r = s + 0.1; if k < 3 then { u = mean(u); s = 0.3; } else { }; }\n"
    "      else { u = 0.5 * u; };\n"
    "      u = u + array(r) * rotate(u, 1, 1);\n"
    "      r = r + 10.0 * s;\n"
    "    };\n"
    "    v = array(r) + u;\n"
    "  };\n"
    "};\n"
    "schedule together = {\n"
    "  drop; fuse; pipeline; in_place; share; bind; repeat(times = 3); threads(least = "
    "1);\n"
    "};\n"
    "schedule tiles = {\n"
    "  drop; fuse; pipeline; tile(most_rows = 3); pad; in_place; refill; share; bind;\n"
    "  threads(least = 1);\n"
    "};\n"
    "schedule peeled = {\n"
    "  drop; fuse; pipeline; in_place; share; bind; boundary(as = peel); threads(least = 1);\n"
    "};\n";

class Branches : public testing::Test {
 protected:
  void compare(const std::string& entry, const Shape& shape, const std::string& n,
               const std::string& schedule) const {
    for (const char* const result : {"u", "v"}) {
      (void)compared(folder,
                     {"run", file, "-I", source(""), "-p", "Branches", "--entry", entry, "--repeat",
                      "2", "--in", input("u", shape), "--in", input("v", shape), "--set", "n=" + n},
                     result, {"--schedule", schedule});
    }
  }
  std::string input(const std::string& name, const Shape& shape) const {
    return name + "=" + random_field(folder, name, shape, name == "u" ? 1 : 2);
  }

  const Folder folder;
  const std::string file = folder.write("branches.mg", text_of_branches);
};

TEST_F(Branches, ByANumberOfTheCall) {
  for (const char* const n : {"0", "1", "2"}) {
    for (const Shape& shape : std::vector<Shape>{{13, 70}, {2, 1}, {5, 7, 66}})
      compare("kinds", shape, n, shape.size() == 3 ? "tiles" : "together");
    compare("kinds", {9, 33}, n, "peeled");
  }
}

TEST_F(Branches, ByTheRound) {
  for (const char* const n : {"0", "3", "8"}) {
    for (const char* const schedule : {"together", "peeled"}) {
      compare("alternate", {17, 40}, n, schedule);
      compare("rarely", {17, 40}, n, schedule);
    }
  }
  compare("rarely", {1, 3}, "5", "auto");
  // What a branch within sets is read in front of it.
  for (const char* const n : {"1", "2", "5"}) compare("within", {7, 5}, n, "together");
}

// A condition that is known in front of a row is none in the loop along it.
TEST_F(Branches, EitherSideHasALoop) {
  const Outcome outcome =
      rhopsi({"emit", file, "-I", source(""), "-p", "Branches", "--entry", "alternate", "--rank",
              "2", "--shape", "40,30", "--schedule", "peeled", "-o", folder / "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  const std::string text = read(folder / "out/Branches.hpp");
  EXPECT_NE(text.find("rhopsi::on_side(c0, [&](const auto c0)"), std::string::npos) << text;
}

}  // namespace
}  // namespace rhopsi::exec
