// Recurrences along an axis, a row or an element in each round of a loop: the reference's bits, and
// loops over what changes alone.
#include <gtest/gtest.h>

#include "tests/exec/compared.hpp"

namespace rhopsi::exec {
namespace {

const char* const text_of_recurrences =
    "package recurrences imports moa.library;\n"
    "program P = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure rows(upd x: Array, obs a: Array) guard dim(x) == 2 && shape(a) == shape(x) {\n"
    "    for i in 1 .. at(shape(x), 0) {\n"
    "      x = forall (p < shape(x)) (if at(p, 0) == i then psi(p, a) + 0.5 * psi([i - 1, at(p, "
    "1)],"
    " x)\n"
    "                                 else psi(p, x));\n"
    "    };\n"
    "  };\n"
    "  procedure thomas(upd x: Array, obs a: Array) guard dim(x) == 2 && shape(a) == shape(x) &&\n"
    "      1 <= at(shape(x), 0) {\n"
    "    var n: Int = at(shape(x), 0);\n"
    "    var c = 0.25 * a + 2.0;\n"
    "    for i in 1 .. n {\n"
    "      c = update(c, [i, 0], [1, at(shape(x), 1)], [1, 1],\n"
    "                 2.5 - take(drop(a, 0, i), 0, 1) / take(drop(c, 0, i - 1), 0, 1));\n"
    "      x = update(x, [i, 0], [1, at(shape(x), 1)], [1, 1],\n"
    "                 take(drop(x, 0, i), 0, 1) - take(drop(x, 0, i - 1), 0, 1) /\n"
    "                 take(drop(c, 0, i - 1), 0, 1));\n"
    "    };\n"
    "    for k in 1 .. n {\n"
    "      x = update(x, [n - 1 - k, 0], [1, at(shape(x), 1)], [1, 1],\n"
    "                 (take(drop(x, 0, n - 1 - k), 0, 1) - take(drop(x, 0, n - k), 0, 1)) /\n"
    "                 take(drop(c, 0, n - 1 - k), 0, 1));\n"
    "    };\n"
    "  };\n"
    "  procedure columns(upd x: Array, obs a: Array) guard dim(x) == 2 && shape(a) == shape(x) {\n"
    "    for j in 0 .. at(shape(x), 1) {\n"
    "      x = forall (p < shape(x)) (if at(p, 1) == j && 0 < at(p, 0) then psi(p, a) * psi(p, x)\n"
    "                                 else psi(p, x));\n"
    "    };\n"
    "  };\n"
    "  procedure mixed(upd x: Array, obs a: Array) guard dim(x) == 2 && shape(a) == shape(x) &&\n"
    "      0 < at(shape(x), 0) {\n"
    "    for i in 0 .. at(shape(x), 0) {\n"
    "      x = forall (p < shape(x)) (if at(p, 0) == i then psi(p, a) + psi(p, x) else psi(p, "
    "x));\n"
    "      x = 0.5 * (x + rotate(x, 0, 1));\n"
    "    };\n"
    "  };\n"
    "  procedure beside(upd x: Array, obs a: Array) guard dim(x) == 2 && shape(a) == shape(x) &&\n"
    "      0 < at(shape(x), 0) {\n"
    "    for i in 0 .. at(shape(x), 0) {\n"
    "      x = forall (p < shape(x)) (if at(p, 0) == i then psi(p, a) + psi(p, x) else psi(p, "
    "x));\n"
    "    };\n"
    "    for k in 0 .. 7 { x = 0.5 * (x + rotate(x, 0, 1)); };\n"
    "  };\n"
    // One that begins as another one, in a loop that makes more than that.
    "  procedure begun(upd x: Array, obs a: Array) guard dim(x) == 2 && shape(a) == shape(x) {\n"
    "    var d = x;\n"
    "    for z in 1 .. at(shape(x), 0) {\n"
    "      x = forall (p < shape(x)) (psi(p, x) / (2.5 + psi(p, a)));\n"
    "      d = forall (p < shape(x)) (if at(p, 0) == z then psi(p, a) * psi(p, a) else psi(p, "
    "d));\n"
    "    };\n"
    "    x = 0.5 * x + d;\n"
    "  };\n"
    // Rows of the one, which reads others of its own, and all of the other one.
    "  procedure joint(upd x: Array, obs a: Array) guard dim(x) == 2 && shape(a) == shape(x) {\n"
    "    var d = 0.5 * a;\n"
    "    for z in 1 .. at(shape(x), 0) {\n"
    "      x = forall (p < shape(x)) (0.5 * psi(p, x) + psi(p, a));\n"
    "      d = forall (p < shape(x)) (if at(p, 0) == z then\n"
    "          psi(p, a) + psi(replace(p, 0, z - 1), d) else psi(p, d));\n"
    "    };\n"
    "    x = x + d;\n"
    "  };\n"
    // Lines that do not lie side by side, of a cube too.
    "  procedure across(upd x: Array, obs a: Array) guard 1 <= dim(x) && shape(a) == shape(x) {\n"
    "    var l: Int = dim(x) - 1;\n"
    "    var m: Int = at(shape(x), l);\n"
    "    var d = 0.5 * a;\n"
    "    for j in 1 .. m {\n"
    "      d = forall (p < shape(x)) (if at(p, l) == j then\n"
    "          psi(p, x) / (2.0 + psi(replace(p, l, j - 1), d)) else psi(p, d));\n"
    "    };\n"
    "    for j in 1 .. m {\n"
    "      x = forall (p < shape(x)) (if at(p, l) == m - 1 - j then\n"
    "          psi(p, d) - psi(p, a) * psi(replace(p, l, m - j), x) else psi(p, x));\n"
    "    };\n"
    "  };\n"
    // Two arrays in one loop, and one that begins as another that is needed.
    "  procedure implicit(upd x: Array, obs a: Array) guard dim(x) == 2 && shape(a) == shape(x) "
    "&&\n"
    "      1 <= at(shape(x), 0) {\n"
    "    var n: Int = at(shape(x), 0);\n"
    "    var c: Array = forall (p < shape(x)) (if at(p, 0) == 0 then\n"
    "        -psi(replace(p, 0, min(1, n - 1)), a) / (3.0 + psi(p, a)) else 0.0);\n"
    "    var d: Array = forall (p < shape(x)) (if at(p, 0) == 0 then psi(p, x) / (3.0 + psi(p, "
    "a))\n"
    "        else 0.0);\n"
    "    for z in 1 .. n {\n"
    "      d = forall (p < shape(x)) (if at(p, 0) == z then\n"
    "          (psi(p, x) + psi(p, a) * psi(replace(p, 0, z - 1), d)) /\n"
    "          (3.0 + psi(p, a) + psi(p, a) * psi(replace(p, 0, z - 1), c)) else psi(p, d));\n"
    "      c = forall (p < shape(x)) (if at(p, 0) == z then\n"
    "          -psi(p, a) / (3.0 + psi(p, a) + psi(p, a) * psi(replace(p, 0, z - 1), c))\n"
    "          else psi(p, c));\n"
    "    };\n"
    "    x = d;\n"
    "    for z in 1 .. n {\n"
    "      x = forall (p < shape(x)) (if at(p, 0) == n - 1 - z then\n"
    "          psi(p, d) - psi(p, c) * psi(replace(p, 0, n - z), x) else psi(p, x));\n"
    "    };\n"
    "  };\n"
    // Single elements, in loops within loops, of what several elements have become.
    "  procedure table(upd x: Array, obs a: Array) guard dim(x) == 2 && shape(a) == shape(x) {\n"
    "    for i in 1 .. at(shape(x), 0) {\n"
    "      for j in 1 .. at(shape(x), 1) {\n"
    "        var up: Number = psi([i - 1, j], x);\n"
    "        var best = max(up + psi([i, j], a), psi([i - 1, j - 1], x)) - 0.25;\n"
    "        x = forall (p < shape(x)) (if at(p, 0) == i && at(p, 1) == j then\n"
    "            best + 0.5 * psi([i, j - 1], x) else psi(p, x));\n"
    "      };\n"
    "    };\n"
    "  };\n"
    // Of two arrays with other numbers of axes, by branches, and with a sum.
    "  procedure places(upd x: Array, obs a: Array) guard dim(x) == 2 && shape(a) == shape(x) {\n"
    "    var best: Array = forall (p < [at(shape(x), 0)]) 0.0;\n"
    "    var all: Number = 0.0;\n"
    "    for i in 0 .. at(shape(x), 0) {\n"
    "      for j in 0 .. at(shape(x), 1) {\n"
    "        var here: Number = psi([i, j], a);\n"
    "        all = all + here;\n"
    "        if psi([i], best) < here then {\n"
    "          best = forall (p < shape(best)) (if at(p, 0) == i then here else psi(p, best));\n"
    "          x = forall (p < shape(x)) (if at(p, 0) == i && at(p, 1) == j then\n"
    "              sqrt(1.0 + all * all) + psi(p, x) else psi(p, x));\n"
    "        } else {\n"
    "          x = forall (p < shape(x)) (if at(p, 0) == i && at(p, 1) == j then\n"
    "              psi([i], best) else psi(p, x));\n"
    "        };\n"
    "      };\n"
    "    };\n"
    "  };\n"
    "};\n";

class Recurrences : public testing::Test {
 protected:
  void compare(const std::string& entry, const Shape& shape, const std::string& schedule) const {
    (void)compared(folder,
                   {"run", file, "-I", source(""), "-p", "P", "--entry", entry, "--repeat", "2",
                    "--in", "x=" + random_field(folder, "x", shape, 1), "--in",
                    "a=" + random_field(folder, "a", shape, 2)},
                   "x", {"--schedule", schedule});
  }
  const Folder folder;
  const std::string file = folder.write("recurrences.mg", text_of_recurrences);
};

TEST_F(Recurrences, AreThoseOfTheReference) {
  for (const char* const entry :
       {"rows", "thomas", "columns", "mixed", "beside", "implicit", "across", "table", "places"}) {
    for (const Shape& shape : std::vector<Shape>{{9, 13}, {2, 1}, {1, 5}}) {
      for (const char* const schedule : {"auto", "full"}) compare(entry, shape, schedule);
    }
  }
}

// In programs that test what they do arrays have shapes of their own.
TEST_F(Recurrences, ArraysThatBeginAsOthersAreCopied) {
  for (const char* const entry : {"begun", "joint", "table", "places"}) {
    const Words words = {"run",     file,
                         "-I",      source(""),
                         "-p",      "P",
                         "--entry", entry,
                         "--in",    "x=" + random_field(folder, "x", {5, 6}, 1),
                         "--in",    "a=" + random_field(folder, "a", {5, 6}, 2)};
    (void)compared(folder, words, "x", {"--checked"});
  }
}

// Blocks of lines end within them, for each thread; lines of other axes than one.
TEST_F(Recurrences, OfMoreLinesThanABlock) {
  compare("implicit", {5, 300}, "auto");
  compare("across", {70, 9}, "auto");
  compare("across", {5, 9, 7}, "auto");
  compare("across", {40}, "auto");
}

// A round has one loop, over its row; a program with loops of whole arrays stays over the domain.
TEST_F(Recurrences, WriteWhatChanges) {
  if (on_device()) return;
  const auto stages = [&](const std::string& entry) {
    return rhopsi({"emit", file, "-I", source(""), "-p", "P", "--entry", entry, "--shape", "9,13",
                   "--emit", "schedule"})
        .out;
  };
  const std::string rows = stages("rows");
  EXPECT_NE(rows.find("in [i, add(i, 1)) x [0, "), std::string::npos) << rows;
  EXPECT_EQ(rows.find("in [0, i) x"), std::string::npos) << rows;
  const std::string implicit = stages("implicit");
  EXPECT_NE(implicit.find("in [z, add(z, 1)) x [0, "), std::string::npos) << implicit;
  for (const char* const all : {"in [0, z) x", "in [0, subtract(n, z"})
    EXPECT_EQ(implicit.find(all), std::string::npos) << implicit;
  // Rows, and what stands beside them, of some columns at a time.
  EXPECT_NE(stages("thomas").find("in [i2, add(i2, 1)) x [0, "), std::string::npos);
  for (const char* const entry : {"rows", "implicit"})
    EXPECT_NE(stages(entry).find("line by line of axes 1"), std::string::npos) << entry;
  EXPECT_NE(stages("across").find("line by line of axes 0"), std::string::npos);
  for (const char* const entry : {"table", "places"})
    EXPECT_NE(stages(entry).find("all rounds in one loop"), std::string::npos) << stages(entry);
  for (const char* const entry : {"mixed", "beside"})
    EXPECT_EQ(stages(entry).find("in [i, add(i, 1))"), std::string::npos) << entry;
}

}  // namespace
}  // namespace rhopsi::exec
