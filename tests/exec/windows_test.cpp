// Arrays that only come in and have other lengths than the domain: profiles along an axis, tables,
// values on the faces of cells. Bit for bit what the reference computes.
#include <gtest/gtest.h>

#include "tests/exec/compared.hpp"

namespace rhopsi::exec {
namespace {

const char* const texts_of_windows =
    "package other imports moa.library, specs.schedules.stencil;\n"
    "schedule device = { drop; fuse; pipeline; require bind(to = teams); };\n"
    "concept Profiles = {\n"
    "  use Expressions;\n"
    "  function along(c: Array, u: Array, axis: Int): Array\n"
    "    guard dim(c) == 1 && 0 <= axis && axis < dim(u) &&\n"
    "      at(shape(c), 0) == at(shape(u), axis);\n"
    "  axiom alongShape(c: Array, u: Array, axis: Int) {\n"
    "    assert shape(along(c, u, axis)) == shape(u);\n"
    "  }\n"
    "  axiom alongElement(p: Index, c: Array, u: Array, axis: Int) {\n"
    "    assert psi(p, along(c, u, axis)): Number == psi([at(p, axis)], c);\n"
    "  }\n"
    "  function without(c: Array, u: Array, axis: Int): Array\n"
    "    guard dim(c) == 2 && dim(u) == 3 && 0 <= axis && axis < 3 &&\n"
    "      shape(c) == remove(shape(u), axis);\n"
    "  axiom withoutShape(c: Array, u: Array, axis: Int) {\n"
    "    assert shape(without(c, u, axis)) == shape(u);\n"
    "  }\n"
    "  axiom withoutElement(p: Index, c: Array, u: Array, axis: Int) {\n"
    "    assert psi(p, without(c, u, axis)): Number == psi(remove(p, axis), c);\n"
    "  }\n"
    "  function turned(c: Array, u: Array): Array\n"
    "    guard dim(c) == 2 && dim(u) == 2 && shape(c) == reverse(shape(u));\n"
    "  axiom turnedShape(c: Array, u: Array) { assert shape(turned(c, u)) == shape(u); }\n"
    "  axiom turnedElement(p: Index, c: Array, u: Array) {\n"
    "    assert psi(p, turned(c, u)): Number == psi(reverse(p), c);\n"
    "  }\n"
    "  function weighed(u: Array, w: Array): Array guard dim(u) == 2 && dim(w) == 2;\n"
    "  axiom weighedShape(u: Array, w: Array) { assert shape(weighed(u, w)) == shape(u); }\n"
    "  axiom weighedElement(p: Index, u: Array, w: Array) {\n"
    "    assert psi(p, weighed(u, w)): Number ==\n"
    "      fold _+_ (a < at(shape(w), 0)) (fold _+_ (b < at(shape(w), 1))\n"
    "        (psi([a, b], w) * psi([(at(p, 0) + a) % at(shape(u), 0),\n"
    "          (at(p, 1) + b) % at(shape(u), 1)], u)));\n"
    "  }\n"
    "};\n"
    "program Other = implement Profiles in {\n"
    "  use Profiles;\n"
    "  function second(u: Array, axis: Int): Array guard 0 <= axis && axis < dim(u) =\n"
    "    rotate(u, axis, 1) - 2 * u + rotate(u, axis, -1);\n"
    "  procedure lines(obs c: Array, upd u: Array, obs d: Array)\n"
    "    guard dim(c) == 1 && dim(u) == 3 && dim(d) == 1 && at(shape(c), 0) == at(shape(u), 0) &&\n"
    "      at(shape(d), 0) == at(shape(u), 1) {\n"
    "    u = u + 0.1 * along(c, u, 0) * (second(u, 0) + second(u, 1))\n"
    "      + along(rotate(d, 0, 1) - d, u, 1) * second(u, 2);\n"
    "    u = u - 0.1 * along(d * d, u, 1) * second(u, 1) + 0.1 * along(rotate(c, 0, -1), u, 0);\n"
    "  };\n"
    "  procedure planes(upd u: Array, obs a: Array, obs b: Array, obs c: Array)\n"
    "    guard dim(u) == 3 && dim(a) == 2 && dim(b) == 2 && dim(c) == 2 &&\n"
    "      shape(a) == drop(shape(u), 1) && shape(b) == [at(shape(u), 0), at(shape(u), 2)] &&\n"
    "      shape(c) == take(shape(u), 2) {\n"
    "    u = u + 0.1 * (without(a, u, 0) * second(u, 0) + without(b, u, 1) * second(u, 1)\n"
    "      + without(c, u, 2) * second(u, 2));\n"
    "    u = u + 0.1 * without(rotate(c, 1, 1), u, 2) * second(u, 1)\n"
    "      + 0.1 * without(rotate(a, 1, -2), u, 0) * second(u, 0);\n"
    "  };\n"
    "  procedure both(upd u: Array, obs c: Array)\n"
    "    guard dim(u) == 2 && dim(c) == 1 && at(shape(c), 0) == at(shape(u), 0) &&\n"
    "      at(shape(c), 0) == at(shape(u), 1) {\n"
    "    u = u + 0.1 * along(c, u, 0) * second(u, 0) + 0.1 * along(c, u, 1) * second(u, 1);\n"
    "  };\n"
    "  procedure taps(obs w: Array, upd u: Array, obs rows: Array)\n"
    "    guard dim(u) == 2 && dim(w) == 2 && shape(w) == [2, 3] && dim(rows) == 2 &&\n"
    "      at(shape(rows), 0) == 2 && at(shape(rows), 1) == at(shape(u), 1) {\n"
    "    u = psi([0, 0], w) * rotate(u, 0, -1) + psi([0, 2], w) * u + psi([1, 1], w) * second(u, "
    "1);\n"
    "    u = u + 0.1 * along(ravel(take(rows, 0, 1)), u, 1) * second(u, 1)\n"
    "      + 0.1 * along(ravel(drop(rows, 0, 1)), u, 1) * second(u, 0);\n"
    "  };\n"
    "  procedure filtered(upd u: Array, obs w: Array)\n"
    "    guard dim(u) == 2 && dim(w) == 2 && at(shape(w), 0) <= at(shape(u), 0) &&\n"
    "      at(shape(w), 1) <= at(shape(u), 1) {\n"
    "    u = u + 0.01 * weighed(u, w);\n"
    "    u = u - 0.02 * weighed(u, w);\n"
    "  };\n"
    "  procedure blurred(upd u: Array, obs w: Array)\n"
    "    guard dim(u) == 2 && dim(w) == 1 && at(shape(w), 0) == 3 && 0 < at(shape(u), 0) {\n"
    "    var p = pad_edge(u, 0, 1, 1);\n"
    "    var b = 0 * u;\n"
    "    for k in 0 .. 3 {\n"
    "      var part = take(drop(p, 0, k), 0, at(shape(u), 0));\n"
    "      b = b + array(psi([k], w)) * part + rotate(b, 1, k);\n"
    "    };\n"
    "    u = b;\n"
    "  };\n"
    "  procedure cells(upd u: Array, obs f: Array, obs g: Array)\n"
    "    guard dim(u) == 2 && dim(f) == 2 && dim(g) == 2 &&\n"
    "      shape(f) == [at(shape(u), 0) + 1, at(shape(u), 1)] &&\n"
    "      shape(g) == [at(shape(u), 0), at(shape(u), 1) + 2] {\n"
    "    u = u - 0.1 * (drop(f, 0, 1) - drop(f, 0, -1)) - 0.1 * (drop(g, 1, 2) - drop(g, 1, -2));\n"
    "    u = u + 0.1 * (second(u, 0) + second(u, 1));\n"
    "  };\n"
    "  procedure inside(obs f: Array, upd u: Array)\n"
    "    guard dim(u) == 1 && dim(f) == 1 && at(shape(f), 0) + 1 == at(shape(u), 0) {\n"
    "    u = u + rotate(pad_constant(f, 0, 0, 1, 0.5), 0, 1) + 0.1 * second(u, 0);\n"
    "  };\n"
    "  procedure around(upd u: Array, upd f: Array)\n"
    "    guard dim(u) == 2 && dim(f) == 2 && 2 <= at(shape(u), 0) &&\n"
    "      at(shape(f), 0) + 1 == at(shape(u), 0) && at(shape(f), 1) == at(shape(u), 1) {\n"
    "    var p = cat(f, take(f, 0, 1), 0);\n"
    "    u = u + p - rotate(p, 0, -1);\n"
    "    f = f + 0.1 * (drop(u, 0, 1) - drop(u, 0, -1));\n"
    "  };\n"
    "  procedure mirrored(upd u: Array, obs c: Array)\n"
    "    guard dim(u) == 2 && dim(c) == 2 && shape(c) == reverse(shape(u)) {\n"
    "    u = u + turned(c, u) * second(u, 0);\n"
    "  };\n"
    "  procedure whole(upd u: Array, out n: Number) guard dim(u) == 1 {\n"
    "    u = integer(u) / 3;\n"
    "    n = 0;\n"
    "  };\n"
    "};\n";

class Windows : public testing::Test {
 protected:
  Words words(const std::string& entry, const Words& more) const {
    Words words = {"run", file, "-I", source(""), "-p", "Other", "--entry", entry, "--repeat", "3"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Under all schedules, over a domain; of further lengths under those that depend on them.
  void over_domain(const std::string& entry, const std::string& result, const Words& more,
                   bool further = false) const {
    std::vector<Words> schedules = {{}, {"--schedule", "full"}};
    if (!further) {
      schedules.push_back({"--schedule", "device"});
      schedules.push_back({"--schedule", "specs.schedules.stencil.peeled"});
    }
    for (const Words& schedule : schedules) {
      const std::string told = compared(folder, words(entry, more), result, schedule);
      EXPECT_EQ(told.find("shapes of their own"), std::string::npos) << told;
    }
  }
  std::string input(const std::string& name, const Shape& shape) const {
    return name + "=" + random_field(folder, name, shape, 1);
  }

  const Folder folder;
  const std::string file = folder.write("other.mg", texts_of_windows);
};

// 70 rows are more than a tile of a plane; and there are no elements beside one.
TEST_F(Windows, ArraysOfFewerAxesAreBroadcast) {
  for (const Shape& shape : {Shape{3, 70, 9}, Shape{2, 1, 5}}) {
    over_domain(
        "lines", "u",
        {"--in", input("u", shape), "--in", input("c", {shape[0]}), "--in", input("d", {shape[1]})},
        shape[1] == 1);
    over_domain("planes", "u",
                {"--in", input("u", shape), "--in", input("a", {shape[1], shape[2]}), "--in",
                 input("b", {shape[0], shape[2]}), "--in", input("c", {shape[0], shape[1]})},
                shape[1] == 1);
  }
}

TEST_F(Windows, OneArrayMayBeSeveralArguments) {
  over_domain("both", "u", {"--in", input("u", {19, 19}), "--in", input("c", {19})});
}

TEST_F(Windows, ElementsAtNumbersAreNumbers) {
  over_domain(
      "taps", "u",
      {"--in", input("u", {23, 40}), "--in", input("w", {2, 3}), "--in", input("rows", {2, 40})});
}

TEST_F(Windows, FiltersByWeightsThatComeInAreStencils) {
  for (const Shape& weights : {Shape{3, 3}, Shape{1, 5}, Shape{4, 2}}) {
    over_domain("filtered", "u", {"--in", input("u", {41, 29}), "--in", input("w", weights)},
                weights[0] != 3);
  }
}

TEST_F(Windows, RoundsOfShortLoopsStandOneAfterTheOther) {
  for (const Shape& shape : {Shape{41, 29}, Shape{1, 2}})
    over_domain("blurred", "u", {"--in", input("u", shape), "--in", input("w", {3})},
                shape[0] == 1);
}

TEST_F(Windows, LongerArraysAreReadFromWhereTheyBegin) {
  for (const Shape& shape : {Shape{40, 23}, Shape{1, 1}}) {
    over_domain("cells", "u",
                {"--in", input("u", shape), "--in", input("f", {shape[0] + 1, shape[1]}), "--in",
                 input("g", {shape[0], shape[1] + 2})},
                shape[0] == 1);
  }
}

// An element at one end is read around the other one, at the length of the domain.
TEST_F(Windows, ShorterArraysGoAroundWithTheDomain) {
  for (const std::int64_t length : {2, 5, 300}) {
    over_domain("inside", "u", {"--in", input("u", {length}), "--in", input("f", {length - 1})},
                length == 5);
    for (const char* const result : {"u", "f"}) {
      over_domain("around", result,
                  {"--in", input("u", {length, 7}), "--in", input("f", {length - 1, 7})},
                  length == 5);
    }
  }
}

TEST_F(Windows, AxesInAnotherOrder) {
  over_domain("mirrored", "u", {"--in", input("u", {7, 40}), "--in", input("c", {40, 7})});
  over_domain("mirrored", "u", {"--in", input("u", {12, 12}), "--in", input("c", {12, 12})});
}

TEST_F(Windows, LengthsThatDoNotFitAreTold) {
  for (const Shape& shape : {Shape{4, 5}, Shape{}}) {
    const Outcome axes = rhopsi(words("lines", {"--in", input("u", {4, 5, 6}), "--in",
                                                input("c", shape), "--in", input("d", {5})}));
    EXPECT_NE(axes.exit_code, 0);
    EXPECT_NE(axes.text().find("E0821"), std::string::npos) << axes.text();
  }
  const Outcome outcome = rhopsi(words(
      "lines", {"--in", input("u", {4, 5, 6}), "--in", input("c", {5}), "--in", input("d", {5})}));
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_NE(outcome.text().find("E0608"), std::string::npos) << outcome.text();
}

// Of what was an integer zero has no sign.
TEST_F(Windows, NumbersThatWereIntegers) {
  const std::string path = folder / "u.npy";
  const std::vector<double> values = {-0.25, 0.25, -3, 0, -0.0, 2.5, -7.5};
  io::write_npy(path, Shape{7}, values.data());
  compared(folder, words("whole", {"--in", "u=" + path}), "u");
  for (const double each : io::read_npy<double>(folder / "found.npy").data)
    EXPECT_EQ(std::signbit(each), each < 0) << each;
}

}  // namespace
}  // namespace rhopsi::exec
