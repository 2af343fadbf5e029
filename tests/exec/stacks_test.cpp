// Arrays with an axis more than the domain, of which each index is meant by itself: fields in one
// array, gradients, distributions of a lattice. Bit for bit what the reference computes.
#include <gtest/gtest.h>

#include "tests/exec/compared.hpp"
#include "tests/exec/emitted.hpp"

namespace rhopsi::exec {
namespace {

// `react` has two fields along the first axis, `last` three along the last one; `lattice` tables
// of weights and directions; `mixed` stacks beside a field, rounds and a branch; `diffuse` makes a
// stack, `split` gives one. `turned` takes the other of two fields, `padded` names a longer
// stack. `middle` has fields along an axis in between, and `any` reads them at an index that is no
// number. `joined` puts fields together and replaces one, `folded` names them by the index of a
// fold, `bounced` takes another one where an array says so.
const char* const text_of_stacks =
    "package stacks imports moa.library, specs.schedules.stencil;\n"
    "schedule device = { drop; fuse; pipeline; require bind(to = teams); };\n"
    "program Stacks = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function around(u: Array): Array guard dim(u) == 2 =\n"
    "    rotate(u, 0, 1) + rotate(u, 0, -1) + rotate(u, 1, 1) + rotate(u, 1, -1) - 4.0 * u;\n"
    "  procedure react(upd w: Array, obs f: Number) guard dim(w) == 3 && at(shape(w), 0) == 2 {\n"
    "    var u: Array = psi([0], w);\n"
    "    var v: Array = psi([1], w);\n"
    "    var r = u * v * v;\n"
    "    var un = u + 0.16 * around(u) - r + array(f) * (1.0 - u);\n"
    "    var vn = v + 0.08 * around(v) + r - array(f + 0.06) * v;\n"
    "    w = forall (p < shape(w))\n"
    "      (if at(p, 0) == 0 then psi(drop(p, 1), un) else psi(drop(p, 1), vn));\n"
    "  };\n"
    "  procedure last(upd w: Array) guard dim(w) == 3 && at(shape(w), 2) == 3 {\n"
    "    var a: Array = forall (q < take(shape(w), 2)) (psi(join(q, [0]), w));\n"
    "    var b: Array = forall (q < take(shape(w), 2)) (psi(join(q, [1]), w));\n"
    "    var c: Array = forall (q < take(shape(w), 2)) (psi(join(q, [2]), w));\n"
    "    var an = a + 0.1 * (rotate(b, 0, 1) - rotate(b, 0, -1));\n"
    "    var bn = b + 0.1 * (rotate(c, 1, 1) - rotate(c, 1, -1));\n"
    "    w = forall (p < shape(w)) (if at(p, 2) == 0 then psi(take(p, 2), an)\n"
    "      else if at(p, 2) == 1 then psi(take(p, 2), bn)\n"
    "      else psi(take(p, 2), a * b) + 0.5 * psi(p, w));\n"
    "  };\n"
    "  procedure lattice(upd f: Array, obs w: Array, obs cx: Array, obs cy: Array)\n"
    "    guard dim(f) == 3 && at(shape(f), 0) == 5 && shape(w) == [5] && shape(cx) == [5] &&\n"
    "      shape(cy) == [5] {\n"
    "    f = cat(cat(cat(cat(take(f, 0, 1), rotate(take(drop(f, 0, 1), 0, 1), 1, -1), 0),\n"
    "      rotate(take(drop(f, 0, 2), 0, 1), 2, -1), 0),\n"
    "      rotate(take(drop(f, 0, 3), 0, 1), 1, 1), 0), rotate(drop(f, 0, 4), 2, 1), 0);\n"
    "    var rho = sum(f, 0);\n"
    "    var jx: Array = forall (q < drop(shape(f), 1))\n"
    "      (fold _+_ (k < 5) (psi([k], cx) * psi(join([k], q), f)));\n"
    "    var jy: Array = forall (q < drop(shape(f), 1))\n"
    "      (fold _+_ (k < 5) (psi([k], cy) * psi(join([k], q), f)));\n"
    "    var e: Array = forall (p < shape(f)) (psi(take(p, 1), w) * (psi(drop(p, 1), rho)\n"
    "      + 3.0 * (psi(take(p, 1), cx) * psi(drop(p, 1), jx)\n"
    "      + psi(take(p, 1), cy) * psi(drop(p, 1), jy))));\n"
    "    f = f + 0.8 * (e - f);\n"
    "  };\n"
    "  procedure mixed(upd u: Array, upd w: Array, obs k: Array, upd t: Number)\n"
    "    guard dim(u) == 2 && dim(w) == 3 && dim(k) == 3 && shape(w) == join([2], shape(u)) &&\n"
    "      shape(k) == join([3], shape(u)) {\n"
    "    var d: Array = psi([0], w) - psi([1], w);\n"
    "    w = rotate(w, 0, 1) * 0.5 + rotate(w, 2, 1) * array(0.25 * cos(t));\n"
    "    for i in 0 .. 2 { w = w + 0.1 * rotate(w, 1, 1); };\n"
    "    u = u + d * psi([1], k) + rotate(u, 0, 1) * psi([2], k);\n"
    "    if t < 0.7 then { w = w + w; } else { w = 0.5 * w; };\n"
    "    t = t + 0.25;\n"
    "  };\n"
    "  procedure diffuse(upd u: Array, obs k: Array) guard dim(u) == 2 && shape(k) == shape(u) {\n"
    "    var g: Array = forall (p < join([2], shape(u)))\n"
    "      (if at(p, 0) == 0 then psi(drop(p, 1), rotate(u, 0, 1) - u)\n"
    "       else psi(drop(p, 1), rotate(u, 1, 1) - u));\n"
    "    var f: Array = forall (p < shape(g)) (psi(drop(p, 1), k) * psi(p, g));\n"
    "    var fx: Array = psi([0], f);\n"
    "    var fy: Array = psi([1], f);\n"
    "    u = u + 0.1 * (fx - rotate(fx, 0, -1) + fy - rotate(fy, 1, -1));\n"
    "  };\n"
    "  procedure split(upd u: Array, out w: Array) guard dim(u) == 2 {\n"
    "    w = forall (p < join([3], shape(u))) (if at(p, 0) == 0 then psi(drop(p, 1), u)\n"
    "      else if at(p, 0) == 1 then psi(drop(p, 1), rotate(u, 0, 1))\n"
    "      else psi(drop(p, 1), rotate(u, 1, 1)));\n"
    "    u = sum(w, 0) * array(0.33);\n"
    "  };\n"
    "  procedure before(upd w: Array, upd w_0: Array, obs k: Array)\n"
    "    guard dim(w) == 3 && at(shape(w), 0) == 3 && shape(w_0) == drop(shape(w), 1) &&\n"
    "      dim(k) == 3 && at(shape(k), 0) == 3 && at(shape(w), 1) <= at(shape(k), 1) &&\n"
    "      1 <= at(shape(k), 1) && 2 <= at(shape(k), 2) {\n"
    "    w = forall (p < shape(w)) (if at(p, 0) == 0 then psi(p, w) + psi(drop(p, 1), w_0)\n"
    "      else psi(p, w) + 0.5 * psi(join([at(p, 0) - 1], drop(p, 1)), w));\n"
    "    w_0 = w_0 * array(psi([2, 0, 1], k));\n"
    "  };\n"
    "  function opposite(k: Int): Int = if k == 0 then 1 else 0;\n"
    "  procedure turned(upd w: Array) guard dim(w) == 3 && at(shape(w), 0) == 2 {\n"
    "    w = forall (p < shape(w))\n"
    "      (psi(p, w) + 0.5 * psi(replace(p, 0, opposite(at(p, 0))), rotate(w, 1, 1)));\n"
    "  };\n"
    "  function across(k: Int): Int = if k == 0 then 0 else (k + 1) % 4 + 1;\n"
    "  procedure bounced(upd f: Array, obs wall: Array) guard dim(f) == 3 &&\n"
    "      at(shape(f), 0) == 5 && dim(wall) == 2 && shape(wall) == drop(shape(f), 1) {\n"
    "    var g: Array = forall (p < shape(f)) (if 0.5 < psi(drop(p, 1), wall)\n"
    "      then psi(replace(p, 0, across(at(p, 0))), f)\n"
    "      else psi(p, f) + 0.1 * (psi(drop(p, 1), sum(f, 0)) - psi(p, f)));\n"
    "    f = forall (p < shape(f)) (if at(p, 0) == 0 then psi(p, g)\n"
    "      else if at(p, 0) == 1 then psi(p, rotate(g, 1, -1))\n"
    "      else if at(p, 0) == 2 then psi(p, rotate(g, 2, -1))\n"
    "      else if at(p, 0) == 3 then psi(p, rotate(g, 1, 1)) else psi(p, rotate(g, 2, 1)));\n"
    "  };\n"
    "  procedure padded(upd w: Array)\n"
    "    guard dim(w) == 3 && at(shape(w), 2) == 3 && 1 <= at(shape(w), 0) {\n"
    "    var e = pad_edge(w, 0, 0, 1);\n"
    "    var g = drop(e, 0, 1) - w;\n"
    "    var s = 1.0 / (1.0 + sum(g * g, 2));\n"
    "    var f: Array = forall (p < shape(w)) (psi(take(p, 2), s) * psi(p, g));\n"
    "    w = w + 0.1 * (f - drop(pad_constant(f, 0, 1, 0, 0.0), 0, -1));\n"
    "  };\n"
    "  procedure middle(upd w: Array) guard dim(w) == 3 && at(shape(w), 1) == 2 {\n"
    "    w = forall (p < shape(w))\n"
    "      (psi(p, w) + psi([at(p, 0), 1 - at(p, 1), (at(p, 2) + 1) % at(shape(w), 2)], w));\n"
    "  };\n"
    "  function one(a: Array): Array guard dim(a) == 2 =\n"
    "    reshape(a, [1, at(shape(a), 0), at(shape(a), 1)]);\n"
    "  procedure joined(upd w: Array) guard dim(w) == 3 && at(shape(w), 0) == 3 &&\n"
    "      1 <= at(shape(w), 1) && 1 <= at(shape(w), 2) {\n"
    "    var a: Array = psi([0], w);\n"
    "    var b = psi([1], w) + 0.1 * (rotate(a, 0, 1) - a);\n"
    "    var c = psi([2], w) + 0.1 * (rotate(b, 1, -1) - b);\n"
    "    w = cat(cat(one(0.5 * c), one(b), 0), one(rotate(c, 0, 1)), 0);\n"
    "    w = update(w, [1, 0, 0], [1, at(shape(w), 1), at(shape(w), 2)], [1, 1, 1],\n"
    "               one(psi([0], w) * psi([2], w)));\n"
    "  };\n"
    "  function other(p: Index, w: Array): Number guard len(p) == 3 && dim(w) == 3 &&\n"
    "      at(shape(w), 0) == 2 && 0 <= at(p, 1) && at(p, 1) < at(shape(w), 1) &&\n"
    "      0 <= at(p, 2) && at(p, 2) < at(shape(w), 2) =\n"
    "    if at(p, 0) == 0 then psi(replace(p, 0, 1), w) else psi(replace(p, 0, 0), w);\n"
    "  function slope(u: Array, axis: Int): Array\n"
    "      guard 0 <= axis && axis < dim(u) && 1 <= at(shape(u), axis) = {\n"
    "    var e = pad_edge(u, axis, 1, 1);\n"
    "    value 0.5 * (drop(e, axis, 2) - drop(e, axis, -2));\n"
    "  }\n"
    "  procedure folded(upd u: Array)\n"
    "      guard dim(u) == 2 && 0 < at(shape(u), 0) && 0 < at(shape(u), 1) {\n"
    "    var g: Array = forall (p < join([2], shape(u)))\n"
    "      (if at(p, 0) == 0 then psi(drop(p, 1), u) else psi(drop(p, 1), 2.0 * u));\n"
    "    var h: Array = forall (p < shape(g)) (if 0.5 < psi(drop(p, 1), u) then other(p, g)\n"
    "      else psi(p, g));\n"
    "    u = fold _+_ (a < 2) (psi([a], h) - rotate(psi([a], h), a, -1)) +\n"
    "      0.1 * slope(psi([1], h), 1);\n"
    "  };\n"
    "  procedure any(upd w: Array, obs k: Int)\n"
    "    guard dim(w) == 3 && at(shape(w), 0) == 3 && 0 <= k && k < 3 {\n"
    "    w = forall (p < shape(w)) (psi(p, w) + psi(join([k], drop(p, 1)), w));\n"
    "  };\n"
    "};\n";

class Stacks : public testing::Test {
 protected:
  Words words(const std::string& entry, const Words& more) const {
    Words words = {"run",    file,      "-I",  source(""), "-p",
                   "Stacks", "--entry", entry, "--repeat", "7"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Under all schedules, over a domain; of further lengths under those that depend on them.
  void over_domain(const std::string& entry, const std::string& result, const Words& more,
                   bool further = false) const {
    std::vector<Words> schedules = {{}, {"--schedule", "full"}};
    if (!further) {
      schedules.push_back({"--schedule", "device"});
      schedules.push_back({"--schedule", "specs.schedules.stencil.peeled", "--every", "3"});
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
  const std::string file = folder.write("stacks.mg", text_of_stacks);
};

// 70 rows are more than a tile of a plane; there may be as many as fields, and no elements beside
// one.
const std::vector<Shape> shapes_of_fields = {{70, 9}, {1, 1}, {2, 3}, {9, 2}};

TEST_F(Stacks, FieldsAlongTheFirstAxis) {
  for (const Shape& n : shapes_of_fields)
    over_domain("react", "w", {"--in", input("w", {2, n[0], n[1]}), "--set", "f=0.04"}, n[0] != 70);
}

TEST_F(Stacks, FieldsAlongTheLastAxis) {
  for (const Shape& n : shapes_of_fields)
    over_domain("last", "w", {"--in", input("w", {n[0], n[1], 3})}, n[0] != 70);
}

TEST_F(Stacks, AFieldMayBeToldByAChoice) {
  for (const Shape& n : shapes_of_fields)
    over_domain("turned", "w", {"--in", input("w", {2, n[0], n[1]})}, n[0] != 70);
}

TEST_F(Stacks, AFieldMayBeChosenWhereAnArraySaysSo) {
  for (const Shape& n : shapes_of_fields)
    over_domain("bounced", "f", {"--in", input("f", {5, n[0], n[1]}), "--in", input("wall", n)},
                n[0] != 70);
}

TEST_F(Stacks, NamesOfLongerOnesAreNoArrays) {
  for (const Shape& n : shapes_of_fields)
    over_domain("padded", "w", {"--in", input("w", {n[0], n[1], 3})}, n[0] != 70);
}

TEST_F(Stacks, AreJoinedOfFieldsWithAnAxisOfLengthOne) {
  for (const Shape& n : shapes_of_fields)
    over_domain("joined", "w", {"--in", input("w", {3, n[0], n[1]})}, n[0] != 70);
}

TEST_F(Stacks, AreNamedByTheIndexOfAFoldAndReadByFunctions) {
  for (const Shape& n : shapes_of_fields)
    over_domain("folded", "u", {"--in", input("u", n)}, n[0] != 70);
}

TEST_F(Stacks, DistributionsHaveTablesOfWeights) {
  for (const Shape& n : shapes_of_fields) {
    over_domain("lattice", "f",
                {"--in", input("f", {5, n[0], n[1]}), "--in", input("w", {5}), "--in",
                 input("cx", {5}), "--in", input("cy", {5})},
                n[0] != 70);
  }
}

TEST_F(Stacks, StandBesideFieldsInLoopsAndBranches) {
  for (const Shape& n : shapes_of_fields) {
    for (const char* const result : {"u", "w"}) {
      over_domain("mixed", result,
                  {"--in", input("u", n), "--in", input("w", {2, n[0], n[1]}), "--in",
                   input("k", {3, n[0], n[1]}), "--set", "t=0.1"},
                  n[0] != 70);
    }
  }
}

TEST_F(Stacks, AreMadeAndGiven) {
  for (const Shape& n : shapes_of_fields) {
    over_domain("diffuse", "u", {"--in", input("u", n), "--in", input("k", n)}, n[0] != 70);
    for (const char* const result : {"u", "w"})
      over_domain("split", result, {"--in", input("u", n)}, n[0] != 70);
  }
}

// `w_0` is an array of the program, `k` a table that has no lengths of the domain.
TEST_F(Stacks, StandBesideTablesAndNamesLikeTheirs) {
  for (const char* const result : {"w", "w_0"}) {
    over_domain("before", result,
                {"--in", input("w", {3, 8, 13}), "--in", input("w_0", {8, 13}), "--in",
                 input("k", {3, 11, 2})});
  }
}

TEST_F(Stacks, OthersKeepShapesOfTheirOwn) {
  const std::string middle =
      compared(folder, words("middle", {"--in", input("w", {6, 2, 5})}), "w");
  EXPECT_NE(middle.find("reads w at an index that is no constant offset"), std::string::npos)
      << middle;
  const std::string any =
      compared(folder, words("any", {"--in", input("w", {3, 6, 5}), "--set", "k=1"}), "w");
  EXPECT_NE(any.find("as arrays along axis 0 one by one, any reads w at an index along axis 0 that "
                     "is no number"),
            std::string::npos)
      << any;
}

TEST_F(Stacks, GoOnFromACheckpoint) {
  const std::string state = folder / "state.chk", w = input("w", {2, 12, 17});
  const Words settings = {"--set", "f=0.04", "--quiet"};
  const auto run = [&](Words more) {
    more.insert(more.end(), settings.begin(), settings.end());
    Words all = {"run", file, "-I", source(""), "-p", "Stacks", "--entry", "react"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = rhopsi(all);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  };
  run({"--in", w, "--repeat", "3", "--checkpoint", state});
  run({"--restart", state, "--repeat", "8", "--out", "w=" + (folder / "later.npy")});
  run({"--in", w, "--repeat", "8", "--out", "w=" + (folder / "once.npy")});
  EXPECT_EQ(difference(folder / "later.npy", folder / "once.npy"), 0.0);
}

const char* const stacks_in_python = R"(
import subprocess
import sys
import numpy as np
import Stacks

here, rhopsi, spec, root = sys.argv[1:]


def reference(array):
    np.save(here + "/w.npy", array)
    subprocess.run([rhopsi, "run", spec, "-I", root, "-p", "Stacks", "--entry", "react", "--backend",
                    "reference", "--quiet", "--in", "w=%s/w.npy" % here, "--set", "f=0.04",
                    "--repeat", "2", "--out", "w=%s/w_out.npy" % here],
                   check=True, stdout=subprocess.DEVNULL)
    return np.load(here + "/w_out.npy")


def apart(array):
    """The same elements, none beside another one."""
    wide = np.full([2 * n + 3 for n in array.shape], np.nan)
    part = wide[(..., *(slice(1, 1 + 2 * n, 2) for n in array.shape))]
    part[...] = array
    return part


random = np.random.default_rng(1)
for n, m in ((24, 40), (2, 1), (7, 5), (90, 33)):
    once = random.random((2, n, m))
    wanted = reference(once)
    for place in (np.copy, lambda array: np.array(array, order="F"), apart):
        given = place(once)
        Stacks.react(given, 0.04)
        Stacks.react(given, 0.04)
        assert np.array_equal(given, wanted), (n, m, place)
        given = place(once)
        Stacks.react_2_times(given, 0.04)
        assert np.array_equal(given, wanted), (n, m, place)
try:
    Stacks.react(np.ones((3, 4, 5)), 0.04)
except Stacks.Error as error:
    print(error)
)";

TEST_F(Stacks, FunctionsTakeThemAsOneArray) {
  const std::string target = folder / "emitted";
  const Outcome emitted =
      rhopsi({"emit", file, "-I", source(""), "-p", "Stacks", "-o", target, "--entry", "react",
              "--shape", "2,24,40", "--schedule", "full", "--python"});
  ASSERT_EQ(emitted.exit_code, 0) << emitted.text();
  const std::string page = read(target + "/README.md");
  EXPECT_NE(page.find("  w: read and set, float64, 3 axes, of lengths 2 x n0 x n1\n"
                      "  f: read, float64\n"
                      "  n0 x n1, with elements\n"),
            std::string::npos)
      << page;
  build_for_python(target, "Stacks");
  ASSERT_FALSE(HasFatalFailure());
  folder.write("emitted/check.py", stacks_in_python);
  const Outcome checked = execute(RHOPSI_PYTHON, {target + "/check.py", folder.path().string(),
                                                  RHOPSI_BINARY, file, source("")});
  EXPECT_EQ(checked.exit_code, 0) << checked.text();
  EXPECT_EQ(lines(checked.out),
            Words{"E0611: 'w' has shape 3x4x5, and needs 2x4x5 where 'w' has 4x5"})
      << checked.text();
  const Outcome example = execute(target + "/build/Stacks_example", {});
  EXPECT_EQ(example.exit_code, 0) << example.text();
}

}  // namespace
}  // namespace rhopsi::exec
