// Loops along rows that shift what they read of neighbours out of whole vectors: the reference's
// bits, whether vectors are shifted or not.
#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

const char* const shifts_text =
    "package shifts imports moa.library;\n"
    "program P = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function nine(u: Array): Array =\n"
    "      array(0.25) * u + array(0.125) * (rotate(u, 0, 1) + rotate(u, 0, -1) +\n"
    "      rotate(u, 1, 1) + rotate(u, 1, -1)) + array(0.0625) *\n"
    "      (rotate(rotate(u, 0, 1), 1, 1) + rotate(rotate(u, 0, 1), 1, -1) +\n"
    "      rotate(rotate(u, 0, -1), 1, 1) + rotate(rotate(u, 0, -1), 1, -1));\n"
    "  procedure blur(upd u: Array) guard dim(u) == 2 { u = nine(u); };\n"
    "  procedure far(upd u: Array) guard dim(u) == 2 {\n"
    "    var w: Array = rotate(u, 1, -8) - rotate(u, 1, 8) + rotate(u, 1, 3) * u +\n"
    "        rotate(u, 1, 1) / (array(2.0) + u * u) + rotate(u, 1, -5);\n"
    "    u = w * array(0.125) + nine(u);\n"
    "  };\n"
    "  procedure limited(upd u: Array, upd v: Array) guard dim(u) == 2 {\n"
    "    var l: Array = max(rotate(u, 1, -1), rotate(v, 1, 1));\n"
    "    var s: Array = min(abs(u - rotate(u, 1, 1)), abs(rotate(v, 1, -1) - v)) - l;\n"
    "    u = u + array(0.1) * s + array(0.01) * nine(v);\n"
    "    v = -v + array(0.1) * rotate(s, 1, 1) + array(0.01) * (rotate(u, 1, 2) - "
    "rotate(u, 1, -2));\n"
    "  };\n"
    "  procedure line(upd u: Array) guard dim(u) == 1 {\n"
    "    u = array(0.2) * (rotate(u, 0, -2) + rotate(u, 0, -1) + u + rotate(u, 0, 1) + "
    "rotate(u, 0, 2));\n"
    "  };\n"
    "  procedure five(upd u: Array) guard dim(u) == 2 {\n"
    "    u = u + array(0.1) * (rotate(u, 0, 1) + rotate(u, 0, -1) + rotate(u, 1, 1) +\n"
    "        rotate(u, 1, -1) - array(4.0) * u);\n"
    "  };\n"
    "  procedure chosen(upd u: Array) guard dim(u) == 2 {\n"
    "    u = forall (p < shape(u)) (if psi(p, u) < 0.5 then exp(psi(p, nine(u))) else psi(p, u));\n"
    "  };\n"
    "  procedure clipped(upd u: Array, upd v: Array) guard dim(u) == 2 {\n"
    "    u = forall (p < shape(u)) (if psi(p, u) < -0.9 || 0.9 < psi(p, u) &&\n"
    "        !(psi(p, rotate(u, 1, 2)) < -0.5) then 0.5\n"
    "        else if psi(p, v) > 0.0 then psi(p, u) - 0.1 * psi(p, rotate(u, 1, -1))\n"
    "        else 0.25 * (psi(p, rotate(u, 1, 1)) + psi(p, rotate(u, 1, -2))));\n"
    "    v = forall (p < shape(v)) (if psi(p, v) > 0.0 then sqrt(psi(p, v)) - psi(p, nine(v))\n"
    "        else psi(p, rotate(v, 1, 2)) + 0.3);\n"
    "  };\n"
    "  procedure walls(upd u: Array) guard dim(u) == 2 {\n"
    "    u = forall (p < shape(u)) (if 0 < at(p, 0) && at(p, 0) + 1 < at(shape(u), 0) &&\n"
    "        0 < at(p, 1) && at(p, 1) + 1 < at(shape(u), 1)\n"
    "        then 0.2 * psi(p, u) + 0.1 * (psi([at(p, 0) + 1, at(p, 1) + 1], u) +\n"
    "        psi([at(p, 0) + 1, at(p, 1) - 1], u) + psi([at(p, 0) - 1, at(p, 1) + 1], u) +\n"
    "        psi([at(p, 0) - 1, at(p, 1) - 1], u) + psi([at(p, 0) - 1, at(p, 1)], u) +\n"
    "        psi([at(p, 0), at(p, 1) - 1], u) + psi([at(p, 0), at(p, 1) + 1], u)) else psi(p, "
    "u));\n"
    "  };\n"
    "  procedure edges(upd u: Array) guard dim(u) == 2 {\n"
    "    var n: Int = at(shape(u), 0) - 1;\n"
    "    var m: Int = at(shape(u), 1) - 1;\n"
    "    u = forall (p < shape(u)) (0.2 * psi(p, u) +\n"
    "        0.125 * (psi([min(at(p, 0) + 1, n), at(p, 1)], u) +\n"
    "        psi([at(p, 0), max(at(p, 1) - 1, 0)], u) + psi([at(p, 0), min(at(p, 1) + 1, m)], u)) "
    "+\n"
    "        0.1 * (psi([min(at(p, 0) + 1, n), min(at(p, 1) + 1, m)], u) +\n"
    "        psi([min(at(p, 0) + 1, n), max(at(p, 1) - 1, 0)], u) +\n"
    "        psi([max(at(p, 0) - 1, 0), max(at(p, 1) - 1, 0)], u)));\n"
    "  };\n"
    "};\n";

class Shifts : public testing::Test {
 protected:
  // Five calls of an entry whose arrays are `names`, in `folder` as they came out.
  std::string run(const std::string& entry, const std::vector<std::string>& names,
                  const Shape& shape, const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"run", file, "-p", "P", "--entry", entry, "--repeat", "5"};
    for (const std::string& name : names) {
      words.insert(words.end(),
                   {"--in", name + "=" + random_field(folder, name + "_in", shape, 7u + name[0]),
                    "--out", name + "=" + (folder / (name + ".npy"))});
    }
    words.insert(words.end(), more.begin(), more.end());
    Conditions conditions;
    conditions.environment["OMP_NUM_THREADS"] = "3";
    const Outcome outcome = rhopsi(words, conditions);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    std::string found;
    for (const std::string& name : names) found += read(folder / (name + ".npy"));
    return found;
  }
  // Rows shorter than a vector, of some whole ones, and of some and a rest.
  void compare(const std::string& entry, const std::vector<std::string>& names,
               const std::vector<Shape>& shapes) const {
    for (const Shape& shape : shapes) {
      for (const char* dtype : {"double", "float"}) {
        const std::string wanted =
            run(entry, names, shape, {"--backend", "reference", "--dtype", dtype});
        for (const char* schedule : {"auto", "full"}) {
          EXPECT_TRUE(wanted ==
                      run(entry, names, shape,
                          {"--backend", "kokkos", "--dtype", dtype, "--schedule", schedule}))
              << entry << " of " << shape_option(shape) << ", " << dtype << ", " << schedule;
        }
      }
    }
  }
  // How many loops of an entry shift.
  std::size_t loops(const std::string& entry, const std::string& shape) const {
    const Outcome emitted = rhopsi({"emit", file, "-p", "P", "--entry", entry, "--emit", "cxx",
                                    "--shape", shape, "--schedule", "full"});
    EXPECT_EQ(emitted.exit_code, 0) << emitted.text();
    std::size_t found = 0;
    for (std::size_t at = 0; (at = emitted.out.find("along_row<", at)) != std::string::npos; ++at)
      ++found;
    return found;
  }
  const Folder folder;
  const std::string file = folder.write("shifts.mg", shifts_text);
};

TEST_F(Shifts, OfRowsOfAnyLength) {
  compare("blur", {"u"}, {{9, 5}, {1, 1}, {3, 17}, {4, 16}, {3, 48}, {5, 100}, {2, 257}});
  compare("far", {"u"}, {{9, 5}, {3, 17}, {7, 33}, {2, 131}});
  compare("limited", {"u", "v"}, {{9, 5}, {21, 41}, {2, 130}});
}

TEST_F(Shifts, OfRunsOfElements) { compare("line", {"u"}, {{1}, {17}, {40}, {700}, {4000}}); }

// By elements, by rows, and by the place in a row.
TEST_F(Shifts, OfWhatIsChosen) {
  compare("clipped", {"u", "v"}, {{9, 5}, {3, 17}, {2, 131}});
  compare("walls", {"u"}, {{9, 5}, {1, 1}, {4, 33}, {5, 100}});
  compare("edges", {"u"}, {{9, 5}, {1, 1}, {4, 33}, {5, 100}});
  EXPECT_GT(loops("clipped", "40,100"), 0u);
  EXPECT_GT(loops("walls", "40,100"), 0u);
  EXPECT_GT(loops("edges", "40,100"), 0u);
}

// Two vectors less are nothing gained, and an exponential is none that vectors have here.
TEST_F(Shifts, WhereLoopsHaveManyNeighbours) {
  EXPECT_GT(loops("blur", "40,100"), 0u);
  EXPECT_GT(loops("far", "40,100"), 0u);
  EXPECT_GT(loops("limited", "40,100"), 0u);
  EXPECT_GT(loops("line", "100000"), 0u);
  EXPECT_EQ(loops("five", "40,100"), 0u);
  EXPECT_EQ(loops("chosen", "40,100"), 0u);
}

}  // namespace
}  // namespace rhopsi::exec
