// Fields on the cells and faces of a grid, none of which is as long as the others along every axis.
#include <gtest/gtest.h>

#include "tests/exec/compared.hpp"
#include "tests/exec/emitted.hpp"

namespace rhopsi::exec {
namespace {

// `faces` has no field that is as long as the domain, `first` has one that only comes in before the
// others, `turned` turns one around.
const char* const text_of_grid =
    "package grid imports moa.library, specs.schedules.stencil;\n"
    "schedule device = { drop; fuse; pipeline; require bind(to = teams); };\n"
    "program Grid = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure faces(upd u: Array, upd v: Array, upd p: Array, obs c: Number)\n"
    "    guard dim(u) == 2 && dim(v) == 2 && dim(p) == 2 &&\n"
    "      shape(u) == [at(shape(p), 0) + 1, at(shape(p), 1)] &&\n"
    "      shape(v) == [at(shape(p), 0), at(shape(p), 1) + 1] &&\n"
    "      1 <= at(shape(p), 0) && 1 <= at(shape(p), 1) {\n"
    "    p = p - array(c) * (drop(u, 0, 1) - drop(u, 0, -1) + drop(v, 1, 1) - drop(v, 1, -1));\n"
    "    u = u - array(c) * (pad_constant(p, 0, 0, 1, 0.0) - pad_constant(p, 0, 1, 0, 0.0));\n"
    "    v = v - array(c) * (pad_constant(p, 1, 0, 1, 0.0) - pad_constant(p, 1, 1, 0, 0.0));\n"
    "  };\n"
    "  procedure first(obs d: Array, upd u: Array, upd v: Array)\n"
    "    guard dim(u) == 2 && dim(v) == 2 && dim(d) == 2 && shape(d) == drop(shape(u), 0) &&\n"
    "      at(shape(u), 0) == at(shape(v), 0) + 1 && at(shape(v), 1) == at(shape(u), 1) + 1 &&\n"
    "      1 <= at(shape(v), 0) && 1 <= at(shape(u), 1) {\n"
    "    var s = drop(u * d, 0, 1) - drop(u * u, 0, -1) + drop(v, 1, 1) - drop(v, 1, -1);\n"
    "    u = u + 0.1 * (pad_constant(s, 0, 0, 1, 0.0) - pad_constant(s, 0, 1, 0, 0.0));\n"
    "    v = v + 0.1 * (pad_constant(s, 1, 0, 1, 0.0) - pad_constant(s, 1, 1, 0, 0.0));\n"
    "  };\n"
    "  procedure turned(upd u: Array, upd v: Array)\n"
    "    guard dim(u) == 2 && dim(v) == 2 && at(shape(u), 0) == at(shape(v), 0) + 1 &&\n"
    "      at(shape(v), 1) == at(shape(u), 1) + 1 && 1 <= at(shape(v), 0) && 1 <= at(shape(u), 1) "
    "{\n"
    "    u = u + rotate(u, 1, 1);\n"
    "    v = 0.5 * v;\n"
    "  };\n"
    "};\n";

class Staggered : public testing::Test {
 protected:
  Words words(const std::string& entry, const Words& more) const {
    Words words = {"run", file, "-I", source(""), "-p", "Grid", "--entry", entry, "--repeat", "7"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Words fields(const Shape& n) const {
    return {"--in", input("u", {n[0] + 1, n[1]}), "--in", input("v", {n[0], n[1] + 1})};
  }
  std::string input(const std::string& name, const Shape& shape) const {
    return name + "=" + random_field(folder, name, shape, 1);
  }
  void over_domain(const std::string& entry, const std::string& result, const Words& more) const {
    for (const Words& schedule :
         {Words{}, Words{"--schedule", "full"}, Words{"--schedule", "device"},
          Words{"--schedule", "specs.schedules.stencil.peeled", "--every", "3"}}) {
      const std::string told = compared(folder, words(entry, more), result, schedule);
      EXPECT_EQ(told.find("shapes of their own"), std::string::npos) << told;
    }
  }

  const Folder folder;
  const std::string file = folder.write("grid.mg", text_of_grid);
};

TEST_F(Staggered, TheDomainIsAsLongAsTheLongestAlongEachAxis) {
  for (const Shape& n : {Shape{70, 9}, Shape{1, 1}, Shape{2, 5}}) {
    Words given = fields(n);
    given.insert(given.end(), {"--in", input("p", n), "--set", "c=0.3"});
    for (const char* const result : {"u", "v", "p"}) over_domain("faces", result, given);
  }
}

TEST_F(Staggered, WhatOnlyComesInMayStandFirst) {
  for (const Shape& n : {Shape{33, 20}, Shape{1, 1}}) {
    Words given = fields(n);
    given.insert(given.end(), {"--in", input("d", {n[0] + 1, n[1]})});
    for (const char* const result : {"u", "v"}) over_domain("first", result, given);
  }
}

TEST_F(Staggered, WhatIsTurnedKeepsShapesOfItsOwn) {
  const std::string told = compared(folder, words("turned", fields({6, 5})), "u");
  EXPECT_NE(told.find("turned reads u at an index that is no constant offset"), std::string::npos)
      << told;
}

const char* const grid_in_python = R"(
import subprocess
import sys
import numpy as np
import Grid

here, rhopsi, spec, root = sys.argv[1:]


def reference(arrays):
    words = [rhopsi, "run", spec, "-I", root, "-p", "Grid", "--entry", "faces", "--backend",
             "reference", "--quiet", "--set", "c=0.3", "--repeat", "2"]
    for name, array in arrays.items():
        np.save("%s/%s.npy" % (here, name), array)
        words += ["--in", "%s=%s/%s.npy" % (name, here, name)]
        words += ["--out", "%s=%s/%s_out.npy" % (name, here, name)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return {name: np.load("%s/%s_out.npy" % (here, name)) for name in arrays}


random = np.random.default_rng(1)
for n, m in ((24, 40), (1, 1), (7, 5), (90, 33)):
    once = {"u": random.random((n + 1, m)), "v": random.random((n, m + 1)),
            "p": random.random((n, m))}
    wanted = reference(once)
    for place in (np.copy, lambda array: np.array(array, order="F")):
        given = {name: place(array) for name, array in once.items()}
        Grid.faces(*given.values(), 0.3)
        Grid.faces(*given.values(), 0.3)
        for name, array in given.items():
            assert np.array_equal(array, wanted[name]), (n, m, name)
try:
    Grid.faces(np.ones((4, 4)), np.ones((3, 4)), np.ones((3, 4)), 0.3)
except Grid.Error as error:
    print(error)
)";

TEST_F(Staggered, FunctionsTakeThem) {
  const std::string target = folder / "emitted";
  const Outcome emitted = rhopsi({"emit", file, "-I", source(""), "-p", "Grid", "-o", target,
                                  "--entry", "faces", "--shape", "24,40", "--shape", "u=25,40",
                                  "--shape", "v=24,41", "--schedule", "full", "--python"});
  ASSERT_EQ(emitted.exit_code, 0) << emitted.text();
  build_for_python(target, "Grid");
  ASSERT_FALSE(HasFatalFailure());
  folder.write("emitted/check.py", grid_in_python);
  const Outcome checked = execute(RHOPSI_PYTHON, {target + "/check.py", folder.path().string(),
                                                  RHOPSI_BINARY, file, source("")});
  EXPECT_EQ(checked.exit_code, 0) << checked.text();
  EXPECT_EQ(lines(checked.out), Words{"E0611: 'v' has shape 3x4, and needs 3x5 where 'u' has 4x4"})
      << checked.text();
  const Outcome example = execute(target + "/build/Grid_example", {});
  EXPECT_EQ(example.exit_code, 0) << example.text();
}

}  // namespace
}  // namespace rhopsi::exec
