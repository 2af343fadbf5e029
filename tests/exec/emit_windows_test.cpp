// Functions for callers of programs whose arrays come in with other lengths than the domain: what
// they compute, of arrays where they lie and with strides, and what they refuse.
#include <gtest/gtest.h>

#include "tests/exec/emitted.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

using Words = std::vector<std::string>;

// `step` has a profile along each axis, a table of weights, and values on the faces of its cells;
// `around` changes an array that is an element shorter than the first one; `number` has an array
// without axes.
const char* const text_of_given =
    "package given imports moa.library;\n"
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
    "};\n"
    "program Given = implement Profiles in {\n"
    "  use Profiles;\n"
    "  procedure step(obs c: Array, upd u: Array, obs d: Array, obs w: Array, obs f: Array)\n"
    "    guard dim(u) == 2 && dim(w) == 2 && shape(w) == [2, 3] && dim(f) == 2 && dim(c) == 1 &&\n"
    "      dim(d) == 1 && shape(f) == [at(shape(u), 0) + 1, at(shape(u), 1)] &&\n"
    "      shape(c) == take(shape(u), 1) && shape(d) == drop(shape(u), 1) {\n"
    "    u = along(c, u, 0) * rotate(u, 0, 1) + psi([1, 2], w) * rotate(u, 1, -1)\n"
    "      - 0.1 * (drop(f, 0, 1) - drop(f, 0, -1));\n"
    "    u = along(rotate(d, 0, -2), u, 1) * u + psi([0, 1], w) * rotate(u, 0, -1);\n"
    "  };\n"
    "  procedure around(upd u: Array, upd h: Array)\n"
    "    guard dim(u) == 2 && dim(h) == 2 && 2 <= at(shape(u), 0) &&\n"
    "      at(shape(h), 0) + 1 == at(shape(u), 0) && at(shape(h), 1) == at(shape(u), 1) {\n"
    "    var p = cat(h, take(h, 0, 1), 0);\n"
    "    u = u + p - rotate(p, 0, -1);\n"
    "    h = h + 0.1 * (drop(u, 0, 1) - drop(u, 0, -1));\n"
    "  };\n"
    "  procedure number(upd u: Array, obs k: Array) guard dim(u) == 2 && dim(k) == 0 {\n"
    "    u = psi([], k) * u + rotate(u, 1, 1);\n"
    "  };\n"
    "};\n";

const char* const given_in_python = R"(
import subprocess
import sys
import numpy as np
import Given

here, rhopsi, spec = sys.argv[1:]


def reference(entry, arrays, outputs):
    words = [rhopsi, "run", spec, "-p", "Given", "--entry", entry, "--backend", "reference", "--quiet"]
    for name, array in arrays.items():
        np.save("%s/%s.npy" % (here, name), array)
        words += ["--in", "%s=%s/%s.npy" % (name, here, name)]
    for name in outputs:
        words += ["--out", "%s=%s/%s_out.npy" % (name, here, name)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return {**arrays, **{name: np.load("%s/%s_out.npy" % (here, name)) for name in outputs}}


def apart(array):
    """The same elements, none beside another one."""
    wide = np.full([2 * n + 3 for n in array.shape], np.nan)
    part = wide[(..., *(slice(1, 1 + 2 * n, 2) for n in array.shape))]
    part[...] = array
    return part


def turned(array):
    return np.array(array, order="F")


def shapes(entry, n, m):
    return {
        "step": {"c": (n,), "u": (n, m), "d": (m,), "w": (2, 3), "f": (n + 1, m)},
        "around": {"u": (n, m), "h": (n - 1, m)},
        "number": {"u": (n, m), "k": ()},
    }[entry]


outputs = {"step": ["u"], "around": ["u", "h"], "number": ["u"]}
random = np.random.default_rng(1)
for entry in outputs:
    for n, m in ((24, 40), (2, 1), (7, 5), (90, 33)):
        once = {name: np.array(random.random(shape)) for name, shape in shapes(entry, n, m).items()}
        wanted = [reference(entry, once, outputs[entry])]
        wanted.append(reference(entry, wanted[0], outputs[entry]))
        for call, after in ((entry, wanted[0]), (entry + "_2_times", wanted[1])):
            for place in (np.copy, turned, apart):
                given = {name: place(array) for name, array in once.items()}
                getattr(Given, call)(*given.values())
                for name, array in given.items():
                    assert np.array_equal(array, after[name]), (call, n, m, place, name)

for entry in ("step", "around"):
    for name in shapes(entry, 5, 4):
        arrays = {each: np.ones(shape) for each, shape in shapes(entry, 5, 4).items()}
        arrays[name] = np.ones([n + 1 for n in arrays[name].shape])
        try:
            getattr(Given, entry)(*arrays.values())
        except Given.Error as error:
            print(error)
        else:
            assert False, name
)";

class EmitWindows : public testing::Test {
 protected:
  Outcome emit(Words more) const {
    Words words = {"emit", file, "-p", "Given", "-o", target};
    words.insert(words.end(), more.begin(), more.end());
    return rhopsi(words);
  }

  const Folder folder;
  const std::string file = folder.write("given.mg", text_of_given);
  const std::string target = folder / "emitted";
};

const Words shapes_given = {"--shape", "24,40",   "--shape", "c=24",    "--shape",
                            "d=40",    "--shape", "w=2,3",   "--shape", "f=25,40",
                            "--shape", "h=23,40", "--shape", "k="};

TEST_F(EmitWindows, FunctionsTakeArraysAsTheyAre) {
  Words words = {"--python", "--schedule", "full"};
  words.insert(words.end(), shapes_given.begin(), shapes_given.end());
  const Outcome emitted = emit(words);
  ASSERT_EQ(emitted.exit_code, 0) << emitted.text();
  const std::string page = read(target + "/README.md");
  EXPECT_NE(page.find("  d: read, float64, 1 axis, of lengths n1\n"
                      "  w: read, float64, 2 axes, of lengths 2 x 3\n"
                      "  f: read, float64, 2 axes, of lengths n0+1 x n1\n"
                      "  all other arrays have one shape, n0 x n1, with elements\n"),
            std::string::npos)
      << page;
  build_for_python(target, "Given");
  ASSERT_FALSE(HasFatalFailure());
  folder.write("emitted/check.py", given_in_python);
  const Outcome checked =
      execute(RHOPSI_PYTHON, {target + "/check.py", folder.path().string(), RHOPSI_BINARY, file});
  EXPECT_EQ(checked.exit_code, 0) << checked.text();
  EXPECT_EQ(lines(checked.out), (Words{
                                    "E0611: 'c' has shape 6, and needs 5 where 'u' has 5x4",
                                    "E0611: 'c' has shape 5, and needs 6 where 'u' has 6x5",
                                    "E0611: 'd' has shape 5, and needs 4 where 'u' has 5x4",
                                    "E0611: 'w' has shape 3x4, and needs 2x3 where 'u' has 5x4",
                                    "E0611: 'f' has shape 7x5, and needs 6x4 where 'u' has 5x4",
                                    "E0611: 'h' has shape 4x4, and needs 5x5 where 'u' has 6x5",
                                    "E0611: 'h' has shape 5x5, and needs 4x4 where 'u' has 5x4",
                                }))
      << checked.text();
  const Outcome example = execute(target + "/build/Given_example", {});
  EXPECT_EQ(example.exit_code, 0) << example.text();
}

TEST_F(EmitWindows, RefusesShapesThatNoFunctionIsFor) {
  const auto refused = [&](const Words& words, const std::string& why) {
    const Outcome outcome = emit(words);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.text();
    EXPECT_EQ(folder.names(), Words{"given.mg"});
  };
  refused({"--shape", "24,40", "--shape", "z=3"},
          "error[E0816]: --shape z=...: no array of that name comes in\n"
          "  note: there are: c, d, f, h, k, u and w\n");
  refused({"--shape", "z=3"}, "error[E0810]: --shape z=3: what the other arrays have is not said");
  refused({"--shape", "24,40", "--shape", "c=0"},
          "error[E0810]: --shape c=0: '0' is not a length\n"
          "  note: give the lengths of the axes, at least 1 each: --shape c=128,128,96");
  refused({"--entry", "step", "--shape", "24,40"},
          "note: 'step' has arrays of 1 and 2 axes: --shape NAME=N,... says what one has that "
          "comes in with others");
  refused({"--shape", "24,40", "--shape", "c=24", "--shape", "c=24"},
          "error[E0811]: --shape gives 'c' twice");
  refused({"--shape", "24,40", "--shape", "24,40"},
          "error[E0811]: --shape gives lengths of all arrays twice");
  refused({"--entry", "around", "--shape", "24,40", "--shape", "h=2,40"},
          "error[E0816]: there are no functions for arrays of shape 24x40, h of shape 2x40: "
          "around: u has the shape 24x40, h 2x40");
  const Outcome outcome = rhopsi({"emit", source("specs/smooth/smooth.mg"), "-p", "DNF", "-o",
                                  target, "--shape", "24", "--shape", "a=3"});
  EXPECT_NE(outcome.err.find("error[E0816]: --shape a=...: all arrays of 'DNF' have one shape"),
            std::string::npos)
      << outcome.text();
}

}  // namespace
}  // namespace rhopsi::exec
