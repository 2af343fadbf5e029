// Arrays half or twice as long as what they are made of, or read around their ends: ends of rows by
// themselves, rounds along rows, and stages that are stored, beside the reference, bit for bit.
#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

const char* const coarse_text = R"(package coarse imports moa.library;
program P = implement Expressions in {
  use Expressions;
  function blurred(a: Array, axis: Int): Array guard dim(a) == 2 && 0 <= axis && axis < 2 {
    var n: Int = at(shape(a), 0) - 1;
    var m: Int = at(shape(a), 1) - 1;
    value if axis == 0 then
      forall (p < shape(a)) (0.5 * psi(p, a) + 0.25 * (psi([max(at(p, 0) - 1, 0), at(p, 1)], a) +
          psi([min(at(p, 0) + 2, n), at(p, 1)], a)))
    else
      forall (p < shape(a)) (0.5 * psi(p, a) + 0.25 * (psi([at(p, 0), max(at(p, 1) - 2, 0)], a) +
          psi([at(p, 0), min(at(p, 1) + 1, m)], a)));
  };
  function half(a: Array): Array guard dim(a) == 2 {
    var c: Array = blurred(blurred(a, 0), 1);
    value forall (p < [at(shape(a), 0) / 2, at(shape(a), 1) / 2]) psi([2 * at(p, 0), 2 * at(p, 1)], c);
  };
  procedure quarter(obs a: Array, out b: Array) guard dim(a) == 2 { b = half(half(a)); };
  procedure twice(obs a: Array, out b: Array)
      guard dim(a) == 2 && 0 < at(shape(a), 0) && 0 < at(shape(a), 1) {
    var n: Int = at(shape(a), 0) - 1;
    var m: Int = at(shape(a), 1) - 1;
    b = forall (p < [2 * n + 2, 2 * m + 2]) (psi([at(p, 0) / 2, at(p, 1) / 2], a) -
        0.5 * psi([min((at(p, 0) + 1) / 2, n), min((at(p, 1) + 1) / 2, m)], a));
  };
  procedure between(obs a: Array, out b: Array)
      guard dim(a) == 2 && 0 < at(shape(a), 0) && 0 < at(shape(a), 1) {
    var m: Int = at(shape(a), 1) - 1;
    b = forall (p < [at(shape(a), 0), 2 * m + 1])
        (if at(p, 1) % 2 == 0 then psi([at(p, 0), at(p, 1) / 2], a)
         else if at(p, 0) % 2 == 0 then 0.5 * (psi([at(p, 0), at(p, 1) / 2], a) +
             psi([at(p, 0), min(at(p, 1) / 2 + 1, m)], a))
         else psi([at(p, 0), min(at(p, 1) / 2 + 1, m)], a));
  };
  procedure thirds(obs a: Array, out b: Array) guard dim(a) == 2 && 0 < at(shape(a), 1) {
    b = forall (p < [at(shape(a), 0), 3 * at(shape(a), 1) - 1]) (psi([at(p, 0), at(p, 1) / 3], a) +
        psi([at(p, 0), min((2 * at(p, 1) + 5) / 6, at(shape(a), 1) - 1)], a));
  };
  procedure board(obs a: Array, out b: Array) guard dim(a) == 2 {
    b = forall (p < [at(shape(a), 0), at(shape(a), 1) + 1])
        (if (at(p, 0) + at(p, 1)) % 2 == 0 then psi([at(p, 0), max(at(p, 1) - 1, 0)], a)
         else 0.5 * psi([at(p, 0), min((at(p, 0) + at(p, 1) + 3) / 2 - at(p, 0) / 2,
             max(at(shape(a), 1) - 1, 0))], a));
  };
  procedure around(obs a: Array, out b: Array)
      guard dim(a) == 2 && 0 < at(shape(a), 0) && 0 < at(shape(a), 1) {
    var c: Array = rotate(a, 1, 3) - rotate(a, 1, -3) + 0.5 * rotate(a, 0, 2) +
        rotate(a, 1, 1) / (2.0 + rotate(a, 0, -1) * rotate(a, 1, -1));
    b = forall (p < [at(shape(a), 0), at(shape(a), 1) + 1])
        (psi([at(p, 0), (at(p, 1) + 4) % at(shape(a), 1)], c) +
         psi([(at(p, 0) + 1) % at(shape(a), 0), (at(p, 1) - 2) % at(shape(a), 1)], a) +
         psi([at(p, 0), (at(p, 1) + at(p, 0)) % at(shape(a), 1)], a));
  };
  procedure line(obs a: Array, out b: Array) guard dim(a) == 1 {
    b = forall (p < [2 * at(shape(a), 0)]) psi([at(p, 0) / 2], a);
  };
  procedure lines(obs a: Array, out b: Array) guard dim(a) == 1 {
    b = forall (p < [2 * at(shape(a), 0)])
        (psi([at(p, 0) / 2], a) * psi([max((at(p, 0) - 1) / 2, 0)], a));
  };
  procedure box(obs a: Array, out b: Array)
      guard dim(a) == 3 && 0 < at(shape(a), 0) && 0 < at(shape(a), 1) && 0 < at(shape(a), 2) {
    b = forall (p < [at(shape(a), 0), at(shape(a), 1), 2 * at(shape(a), 2)])
        (psi([max(at(p, 0) - 1, 0), at(p, 1), max(at(p, 2) / 2 - 1, 0)], a) +
         psi([at(p, 0), min(at(p, 1) + 1, at(shape(a), 1) - 1),
              min((at(p, 2) + 2) / 2, at(shape(a), 2) - 1)], a));
  };
};
)";

class Coarse : public testing::Test {
 protected:
  std::string run(const std::string& entry, const Shape& shape,
                  const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"run",     file,
                                      "-p",      "P",
                                      "--entry", entry,
                                      "--in",    "a=" + random_field(folder, "a", shape, 11),
                                      "--out",   "b=" + (folder / "b.npy")};
    words.insert(words.end(), more.begin(), more.end());
    Conditions conditions;
    conditions.environment["OMP_NUM_THREADS"] = "2";
    const Outcome outcome = rhopsi(words, conditions);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_EQ(outcome.err.find("warning["), std::string::npos) << outcome.err;
    return read(folder / "b.npy");
  }
  void compare(const std::string& entry, const std::vector<Shape>& shapes) const {
    for (const Shape& shape : shapes) {
      for (const char* dtype : {"double", "float"}) {
        const std::string wanted = run(entry, shape, {"--backend", "reference", "--dtype", dtype});
        EXPECT_TRUE(wanted == run(entry, shape, {"--backend", "kokkos", "--dtype", dtype}))
            << entry << " of " << shape_option(shape) << ", " << dtype;
      }
    }
  }
  std::string emitted(const std::string& entry, const std::string& stage) const {
    const Outcome outcome =
        rhopsi({"emit", file, "-p", "P", "--entry", entry, "--emit", stage, "--schedule", "full"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  }
  static std::size_t count(const std::string& where, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = where.find(what, at)) != std::string::npos; ++at) ++found;
    return found;
  }

  const Folder folder;
  const std::string file = folder.write("coarse.mg", coarse_text);
  // Of no whole round, of some, and of some and a rest.
  const std::vector<Shape> planes{{1, 1}, {2, 1}, {3, 2}, {2, 5}, {9, 16}, {16, 33}, {5, 100}};
};

TEST_F(Coarse, ArraysOfHalfTheLength) { compare("quarter", planes); }
TEST_F(Coarse, ArraysOfTwiceTheLength) {
  compare("twice", planes);
  compare("box", {{1, 1, 1}, {3, 4, 5}, {2, 3, 17}, {4, 2, 40}});
}
TEST_F(Coarse, ElementsByTheirRemainder) {
  compare("between", planes);
  compare("thirds", planes);
  compare("board", planes);
}
TEST_F(Coarse, ElementsFromBeyondTheOtherEnd) { compare("around", planes); }
TEST_F(Coarse, ArraysOfOneAxis) {
  for (const char* entry : {"line", "lines"}) compare(entry, {{1}, {2}, {3}, {17}, {5000}});
}

// What an index is divided by says that it is within the array, so that nothing is tested, and what
// is read again and again is stored.
TEST_F(Coarse, StagesAreStoredWithoutTests) {
  const std::string form = emitted("quarter", "schedule");
  EXPECT_GE(count(form, "allocate "), 2u) << form;
  EXPECT_EQ(count(form, "check "), 0u) << form;
}

TEST_F(Coarse, WhichLoopsHaveEndsAndRounds) {
  const std::string twice = emitted("twice", "cxx");
  EXPECT_EQ(count(twice, "in_rounds<Int, 2>"), 1u) << twice;
  EXPECT_EQ(count(twice, "boxes.add"), 2u) << twice;
  EXPECT_EQ(count(emitted("thirds", "cxx"), "in_rounds<Int, 3>"), 1u);
  EXPECT_EQ(count(emitted("board", "cxx"), "in_rounds<Int, 2>"), 1u);
  EXPECT_EQ(count(emitted("line", "cxx"), "in_rounds<Int, 2>"), 1u);
  // Clamped along the planes alone: nothing changes along a row.
  EXPECT_EQ(count(emitted("quarter", "cxx"), "in_rounds"), 0u);
}

}  // namespace
}  // namespace rhopsi::exec
