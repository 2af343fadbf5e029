// Programs whose arrays have shapes of their own, emitted for callers whose arrays all have one:
// functions over a domain, with the schedules of these, that test what was decided of the lengths.
#include <regex>

#include <gtest/gtest.h>

#include "tests/exec/emitted.hpp"
#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

using Words = std::vector<std::string>;

// `step` tests lengths, `narrow` has a branch that they choose, `four` a length in its text,
// `wide` lengths that are longer than those that examples have elsewhere; `smooth` tests nothing,
// so that lengths may be 1; `split` gives what it makes to `out` arguments; `often` tests lengths
// in a loop alone.
const char* const texts =
    "package cast imports moa.library;\n"
    "program Cast = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function spread(u: Array): Array\n"
    "    guard dim(u) == 2 && (forall (axis < 2) 2 <= at(shape(u), axis)) =\n"
    "    rotate(u, 0, 1) + rotate(u, 0, -1) + rotate(u, 1, 1) + rotate(u, 1, -1) - 4 * u;\n"
    "  procedure step(upd u: Array, obs w: Array, obs k: Number)\n"
    "    guard dim(u) == 2 && dim(w) == 2 {\n"
    "    var t = u + array(k) * spread(u);\n"
    "    u = t + array(k) * spread(t) + w;\n"
    "  };\n"
    "  procedure narrow(upd u: Array) guard dim(u) == 2 {\n"
    "    if at(shape(u), 1) < 4 then { u = reverse(u, 1); } else { u = u + rotate(u, 0, 1); };\n"
    "  };\n"
    "  procedure four(upd u: Array) guard dim(u) == 2 && at(shape(u), 0) == 4 {\n"
    "    u = u * 2 - rotate(u, 0, 1);\n"
    "  };\n"
    "  procedure smooth(upd u: Array, obs n: Int) guard dim(u) == 2 {\n"
    "    for i in 0 .. n { u = 0.5 * rotate(u, 0, 2) + 0.25 * rotate(u, 1, -1); };\n"
    "  };\n"
    "  procedure split(obs u: Array, out v: Array, out total: Number, out rows: Int)\n"
    "    guard dim(u) == 2 {\n"
    "    v = u * rotate(u, 0, 1);\n"
    "    total = psi([], sum(ravel(v), 0));\n"
    "    rows = at(shape(u), 0);\n"
    "  };\n"
    "  procedure wide(upd u: Array) guard dim(u) == 2 && 12 <= at(shape(u), 1) {\n"
    "    u = u - rotate(u, 1, 1);\n"
    "  };\n"
    "  procedure around(upd u: Array) guard dim(u) == 2 {\n"
    "    var t = u + drop(pad_constant(u, 0, 1, 0, 0.5), 0, -1);\n"
    "    u = t - drop(pad_constant(t, 0, 0, 1, 0.5), 0, 1);\n"
    "  };\n"
    "  procedure often(upd u: Array, obs n: Int) guard dim(u) == 2 {\n"
    "    for i in 0 .. n { u = spread(u); };\n"
    "  };\n"
    "  procedure edges(obs u: Array, out e: Array)\n"
    "    guard dim(u) == 2 && (forall (axis < 2) 4 <= at(shape(u), axis)) {\n"
    "    var x = drop(u, 1, 2) - drop(u, 1, -2);\n"
    "    var g = 0.25 * (drop(x, 0, 2) + 2 * drop(drop(x, 0, 1), 0, -1) + drop(x, 0, -2));\n"
    "    var s = drop(g * g, 1, 1) * drop(g, 1, -1);\n"
    "    e = drop(s, 0, 2) - drop(s, 0, -2);\n"
    "  };\n"
    "  procedure faces(out f: Array, upd u: Array, obs k: Number)\n"
    "    guard dim(u) == 2 && 1 < at(shape(u), 0) {\n"
    "    f = array(k) * (drop(u, 0, 1) - drop(u, 0, -1)); u = u + array(k);\n"
    "  };\n"
    "  procedure shortened(upd u: Array) guard dim(u) == 2 && 1 < at(shape(u), 0) {\n"
    "    u = drop(u, 0, 1);\n"
    "  };\n"
    "};\n";

class EmitOneShape : public testing::Test {
 protected:
  Outcome emit(const Words& more) const {
    Words words = {"emit", file, "-p", "Cast"};
    words.insert(words.end(), more.begin(), more.end());
    return rhopsi(words);
  }
  // What one procedure has as that stage.
  std::string printed(const std::string& stage, const std::string& entry, Words more) const {
    more.insert(more.end(), {"--emit", stage, "--entry", entry});
    const Outcome outcome = emit(more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  }

  const Folder folder;
  const std::string file = folder.write("cast.mg", texts);
  const std::string target = folder / "emitted";
};

// Each condition once, and none that lengths of 1 and more fulfil.
TEST_F(EmitOneShape, WhatLengthsHaveDecidedIsSaid) {
  const auto conditions = [&](const std::string& entry, const std::string& shape) {
    std::vector<std::string> found;
    for (const std::string& line : lines(printed("onf", entry, {"--shape", shape})))
      if (has(line, "  where ")) found.push_back(line);
    return found;
  };
  EXPECT_EQ(conditions("step", "300,40"),
            (Words{"  where less_equal(2, n0)", "  where less_equal(2, n1)"}));
  EXPECT_EQ(conditions("narrow", "300,40"), (Words{"  where greater_equal(n1, 4)"}));
  EXPECT_EQ(conditions("four", "4,40"), (Words{"  where equal(n0, 4)"}));
  EXPECT_EQ(conditions("smooth", "300,40"), Words{});
}

TEST_F(EmitOneShape, HasTheSchedulesOfProgramsOverADomain) {
  const std::string any = printed("cxx", "step", {"--rank", "2", "--schedule", "full"});
  EXPECT_EQ(any.find("plane behind"), std::string::npos) << any;
  const std::string one = printed("cxx", "step", {"--shape", "300,40", "--schedule", "full"});
  EXPECT_NE(one.find("plane behind"), std::string::npos) << one;
  EXPECT_NE(one.find("void step_2_times("), std::string::npos) << one;
  const std::string chosen = printed("cxx", "step", {"--shape", "512,512", "--schedule", "auto"});
  EXPECT_NE(chosen.find("plane behind"), std::string::npos) << chosen;
  // Callers have no pads, but the rows of rings may.
  const std::string given = std::regex_replace(chosen, std::regex("rhopsi::Ring<[^;]*;"), "");
  EXPECT_EQ(given.find("with_pads"), std::string::npos) << given;
  const std::string off = printed("cxx", "step", {"--shape", "300,40", "--schedule", "off"});
  EXPECT_EQ(off.find("plane behind"), std::string::npos) << off;
  EXPECT_NE(off.find("rhopsi::Domain<2> domain"), std::string::npos) << off;
}

// Stages of planes outlive what is made in front of them: a kernel holds the row of a number
// itself.
TEST_F(EmitOneShape, KernelsHoldRowsOfNumbers) {
  const std::string text = printed("cxx", "around", {"--shape", "300,40", "--schedule", "full"});
  const std::size_t made = text.find("ConstantRow<double>(0.5"), kernel = text.find("return [=]");
  const std::size_t read = text.find("constant.row()");
  ASSERT_NE(read, std::string::npos) << text;
  EXPECT_LT(made, kernel) << text;
  EXPECT_LT(kernel, read) << text;
}

// Whose indices are tested is for any shapes, as it is in a run.
TEST_F(EmitOneShape, CheckedFunctionsAreForAnyShapes) {
  EXPECT_EQ(printed("cxx", "step", {"--shape", "300,40", "--checked"}),
            printed("cxx", "step", {"--rank", "2", "--checked"}));
}

// Who has given no shape hears of it where there would be such functions.
TEST_F(EmitOneShape, IsToldOfWhereItIsThere) {
  const auto told = [&](const Words& more) {
    Words words = {"-o", target, "--force"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = emit(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.err.find("with --shape they are for arrays that all have one") !=
           std::string::npos;
  };
  EXPECT_TRUE(told({"--entry", "step"}));
  EXPECT_FALSE(told({"--entry", "step", "--shape", "300,40"}));
  EXPECT_FALSE(told({"--entry", "step", "--schedule", "off"}));
  EXPECT_FALSE(told({"--entry", "shortened"}));
}

TEST_F(EmitOneShape, WhatKeepsAProgramFromItIsAnError) {
  const auto refused = [&](const Words& words, const std::string& why) {
    const Outcome outcome = emit(words);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    EXPECT_NE(outcome.err.find(
                  "error[E0816]: there are no functions for arrays that all have the shape " + why),
              std::string::npos)
        << outcome.text();
    EXPECT_TRUE(lines(outcome.out).empty()) << outcome.text();
  };
  refused({"-o", target, "--shape", "4,40"}, "4x40: shortened makes an array of other lengths");
  refused({"--emit", "cxx", "--entry", "narrow", "--shape", "300,3"},
          "300x3: narrow reads u at an index that is no constant offset");
  // Of a test the one place is its own.
  refused({"--emit", "cxx", "--entry", "step", "--shape", "1,40"},
          "1x40: step tests what these lengths do not fulfil: spread needs "
          "`2 <= at(shape(u), axis)` on axis 0: 2 and shape(u)[0] (cast.mg:9)\n");
  refused({"--emit", "cxx", "--entry", "four", "--shape", "5,3"},
          "5x3: four tests what these lengths do not fulfil: four needs `at(shape(u), 0) == 4`: "
          "shape(u)[0] and 4 (cast.mg:15)\n");
  EXPECT_EQ(folder.names(), Words{"cast.mg"});
  const Outcome axes = emit({"-o", target, "--entry", "step", "--shape", "3,4,5"});
  EXPECT_EQ(axes.exit_code, 1);
  EXPECT_NE(axes.err.find("E0821"), std::string::npos) << axes.text();
}

const char* const called_in_python = R"(
import subprocess
import sys
import numpy as np
import Cast

here, rhopsi, spec = sys.argv[1:]


def reference(entry, arrays, values, outputs):
    words = [rhopsi, "run", spec, "-p", "Cast", "--entry", entry, "--backend", "reference", "--quiet"]
    for name, array in arrays.items():
        np.save("%s/%s.npy" % (here, name), array)
        words += ["--in", "%s=%s/%s.npy" % (name, here, name)]
    for name, value in values.items():
        words += ["--set", "%s=%r" % (name, value)]
    for name in outputs:
        words += ["--out", "%s=%s/%s_out.npy" % (name, here, name)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return [np.load("%s/%s_out.npy" % (here, name)) for name in outputs]


def field(shape, seed):
    return np.random.default_rng(seed).random(shape)


def same(found, wanted, what):
    assert found.shape == wanted.shape and (found == wanted).all(), what


for shape in ((300, 40), (2, 2), (3, 71), (33, 5)):
    u, w = field(shape, 1), field(shape, 2)
    wanted, = reference("step", {"u": u, "w": w}, {"k": 0.125}, ["u"])
    for given in (u.copy(), np.asfortranarray(u)):
        Cast.step(given, w, 0.125)
        same(given, wanted, ("step", shape))
    twice, = reference("step", {"u": wanted, "w": w}, {"k": 0.125}, ["u"])
    Cast.step_2_times(u, w, 0.125)
    same(u, twice, ("step_2_times", shape))
for shape in ((1, 1), (1, 7), (9, 1), (6, 130)):
    u = field(shape, 3)
    wanted, = reference("smooth", {"u": u}, {"n": 3}, ["u"])
    Cast.smooth(u, 3)
    same(u, wanted, ("smooth", shape))
    u, v = field(shape, 4), np.zeros(shape)
    wanted, = reference("split", {"u": u}, {}, ["v"])
    total, rows = Cast.split(u, v)
    same(v, wanted, ("split", shape))
    assert rows == shape[0] and abs(total - wanted.sum()) < 1e-12 * wanted.size, (total, rows)
for shape in ((300, 40), (5, 9), (4, 4)):
    u = field(shape, 6)
    wanted, = reference("edges", {"u": u}, {}, ["e"])
    e = np.zeros(wanted.shape)
    Cast.edges(u, e)
    same(e, wanted, ("edges", shape))
    wanted, faces = reference("faces", {"u": u}, {"k": 0.5}, ["u", "f"])
    for f in (np.zeros(faces.shape), np.zeros(faces.shape[::-1]).T):
        changed = u.copy()
        Cast.faces(f, changed, 0.5)
        same(f, faces, ("faces", shape))
        same(changed, wanted, ("faces", shape))
for entry, shape in (("narrow", (5, 4)), ("four", (4, 9))):
    u = field(shape, 5)
    wanted, = reference(entry, {"u": u}, {}, ["u"])
    getattr(Cast, entry)(u)
    same(u, wanted, (entry, shape))


def refused(call):
    try:
        call()
    except Cast.Error as error:
        print(error)
    else:
        assert False


refused(lambda: Cast.step(field((5, 4), 1), field((5, 3), 1), 0.5))
refused(lambda: Cast.step(field((5, 1), 1), field((5, 1), 1), 0.5))
refused(lambda: Cast.step_2_times(field((1, 5), 1), field((1, 5), 1), 0.5))
refused(lambda: Cast.narrow(field((5, 3), 1)))
refused(lambda: Cast.four(field((5, 3), 1)))
refused(lambda: Cast.smooth(field((0, 3), 1), 2))
refused(lambda: Cast.split(field((2, 3), 1), np.zeros((3, 2))))
refused(lambda: Cast.often(field((5, 1), 1), 0))
refused(lambda: Cast.faces(np.zeros((5, 4)), field((5, 4), 1), 0.5))
refused(lambda: Cast.edges(field((3, 4), 1), np.zeros((0, 1))))
)";

// One folder for all shapes: another one than it was emitted for, lengths of 1, shorter than tiles;
// and what it was not emitted for.
TEST_F(EmitOneShape, FunctionsServeEveryShapeThatDecidesAlike) {
  std::string text = texts;
  text.erase(text.find("  procedure shortened"));
  folder.write("cast.mg", text + "};\n");
  const Outcome emitted = emit({"-o", target, "--python", "--shape", "4,40", "--schedule", "full"});
  ASSERT_EQ(emitted.exit_code, 0) << emitted.text();
  build_emitted(target, {"-DCMAKE_BUILD_TYPE=Debug"}, {"Cast", "Cast_python", "Cast_example"});
  folder.write("emitted/check.py", called_in_python);
  const Outcome checked =
      execute(RHOPSI_PYTHON, {target + "/check.py", folder.path().string(), RHOPSI_BINARY, file});
  EXPECT_EQ(checked.exit_code, 0) << checked.text();
  EXPECT_EQ(lines(checked.out),
            (Words{
                "E0611: 'w' has shape 5x3, and 'u' 5x4: 'step' was emitted for arrays of one "
                "shape; emit it without --shape",
                "E0611: 'step' was not emitted for arrays of shape 5x1: spread needs "
                "`2 <= at(shape(u), axis)` on axis 1: 2 and shape(u)[1] (cast.mg:9)",
                "E0611: 'step_2_times' was not emitted for arrays of shape 1x5: spread needs "
                "`2 <= at(shape(u), axis)` on axis 0: 2 and shape(u)[0] (cast.mg:9)",
                "E0611: 'narrow' was not emitted for arrays of shape 5x3: it needs "
                "`shape(u)[1] >= 4`; emit it without --shape, or try --shape 5,3",
                "E0611: 'four' was not emitted for arrays of shape 5x3: four needs "
                "`at(shape(u), 0) == 4`: shape(u)[0] and 4 (cast.mg:15)",
                "E0611: 'smooth' was emitted for arrays with elements, and the shape is 0x3; emit "
                "it without --shape",
                "E0611: 'v' has shape 3x2, and 'u' 2x3: 'split' was emitted for arrays of one "
                "shape; emit it without --shape",
                "E0611: 'often' was not emitted for arrays of shape 5x1: spread needs "
                "`2 <= at(shape(u), axis)` on axis 1: 2 and shape(u)[1] (cast.mg:35); emit it "
                "without --shape",
                "E0611: 'f' has shape 5x4, and needs 4x4 where 'u' has 5x4",
                "E0611: 'edges' was not emitted for arrays of shape 3x4: edges needs "
                "`4 <= at(shape(u), axis)` on axis 0: 4 and shape(u)[0] (cast.mg:37)",
            }))
      << checked.text();
  // Its command says the same, and what the folder shows how to call does what it says.
  const auto command = [&](const Words& more) {
    Words words = {"--entry", "step", "--set", "k=0.5", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return execute(target + "/build/Cast", words);
  };
  const std::string u = random_field(folder, "a", {5, 4}, 1);
  const Outcome other =
      command({"--in", "u=" + u, "--in", "w=" + random_field(folder, "b", {5, 3}, 1)});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_NE(other.err.find("E0821"), std::string::npos) << other.text();
  const std::string thin = random_field(folder, "c", {5, 1}, 1);
  const Outcome failed = command({"--in", "u=" + thin, "--in", "w=" + thin});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_NE(failed.err.find("error[E0611]: 'step' was not emitted for arrays of shape 5x1"),
            std::string::npos)
      << failed.text();
  EXPECT_EQ(command({"--in", "u=" + u, "--in", "w=" + u}).exit_code, 0);
  const Outcome example = execute(target + "/build/Cast_example", {});
  EXPECT_EQ(example.exit_code, 0) << example.text();
}

// Lengths of 8, unless they are less or something does not take them.
TEST_F(EmitOneShape, ExamplesHaveLengthsThatAllFunctionsTake) {
  const auto example_of = [&](const Words& more) {
    const std::string to = folder / more.back();
    Words words = {"-o", to, "--python"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome emitted = emit(words);
    EXPECT_EQ(emitted.exit_code, 0) << emitted.text();
    return read(to + "/example.cpp");
  };
  EXPECT_TRUE(has(example_of({"--shape", "30,4", "--entry", "narrow"}), "(\"u\", 8, 4)"));
  EXPECT_TRUE(has(example_of({"--shape", "30,40", "--entry", "wide"}), "(\"u\", 30, 40)"));
}

}  // namespace
}  // namespace rhopsi::exec
