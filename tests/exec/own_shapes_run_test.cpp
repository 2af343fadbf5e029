// Programs whose arrays have shapes of their own, run by the reference evaluator.
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

const char* const run_by_reference =
    "package own imports moa.library;\n"
    "program Own = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure heat(upd u: Array, obs k: Number) guard dim(u) == 2 {\n"
    "    u = u + array(k) * (rotate(u, 0, 1) + rotate(u, 0, -1) - 2 * u);\n"
    "  };\n"
    "  procedure grow(upd u: Array, obs v: Array, upd n: Int, out total: Number) {\n"
    "    u = cat(u, v, 0);\n"
    "    n = n + at(shape(u), 0);\n"
    "    total = psi([], sum(ravel(u), 0));\n"
    "  };\n"
    "  procedure split(obs u: Array, out left: Array, out shape: Array) {\n"
    "    left = take(u, 0, at(shape(u), 0) / 2);\n"
    "    shape = array(shape(u): Index);\n"
    "  };\n"
    "  function halves(u: Array): Array = u / 2;\n"
    "};\n";

class OwnShapesRun : public testing::Test {
 protected:
  Outcome run(const std::string& entry, const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"run",     file,  "-p",        "Own",
                                      "--entry", entry, "--backend", "reference"};
    words.insert(words.end(), more.begin(), more.end());
    return rhopsi(words);
  }

  io::NpyArray<double> array(const std::string& name) const {
    return io::read_npy<double>(folder / name);
  }

  const Folder folder;
  const std::string file = folder.write("own.mg", run_by_reference);
};

TEST_F(OwnShapesRun, InputsBringTheirShapes) {
  const Outcome outcome = run("heat", {"--in", "u=iota:3,2", "--set", "k=0.25", "--repeat", "2",
                                       "--out", "u=" + (folder / "u.npy")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  const auto u = array("u.npy");
  EXPECT_EQ(u.shape, (Shape{3, 2}));
  // Each step leaves a quarter of the distance from the mean of a column.
  EXPECT_EQ(u.data, (std::vector<double>{1.875, 2.875, 2, 3, 2.125, 3.125}));
  const Outcome flat = run("heat", {"--in", "u=iota:3", "--set", "k=0.25"});
  EXPECT_EQ(flat.exit_code, 1);
  EXPECT_NE(flat.err.find("heat needs `dim(u) == 2`: 1 and 2"), std::string::npos) << flat.text();
  EXPECT_NE(flat.err.find("E0608"), std::string::npos) << flat.text();
}

// Procedures and functions that are called as operations of the library are.
const char* const namesakes =
    "package namesakes imports moa.library;\n"
    "program P = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure reverse(upd u: Array) guard dim(u) == 1 { u = reverse(u, 0); };\n"
    "  function sum(A: Array): Array guard dim(A) == 1 = sum(A, 0);\n"
    "  procedure iota(upd u: Array) guard dim(u) == 1 {\n"
    "    call reverse(u);\n"
    "    u = iota(at(shape(u), 0)) + sum(u) + u;\n"
    "  };\n"
    "};\n";

TEST(Namesakes, OfOperationsOfTheLibraryRun) {
  const Folder folder;
  const std::string file = folder.write("namesakes.mg", namesakes);
  EXPECT_EQ(rhopsi({"check", file}).err, "");
  const auto ran = [&](const std::string& entry, const std::string& in, const std::string& out,
                       const std::string& backend) {
    const std::string path = folder / "x.npy";
    const Outcome outcome = rhopsi({"run", file, "-p", "P", "--entry", entry, "--in", in, "--out",
                                    out + "=" + path, "--backend", backend, "--quiet"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return io::read_npy<double>(path).data;
  };
  for (const std::string backend : {"reference", "kokkos"}) {
    EXPECT_EQ(ran("iota", "u=iota:3", "u", backend), (std::vector<double>{5, 5, 5}));
    EXPECT_EQ(ran("iota", "u=iota:1:7", "u", backend), (std::vector<double>{14}));
    EXPECT_EQ(ran("iota", "u=iota:0", "u", backend), (std::vector<double>{}));
  }
  EXPECT_EQ(ran("reverse", "u=iota:3", "u", "reference"), (std::vector<double>{2, 1, 0}));
  EXPECT_EQ(ran("sum", "A=iota:3:1", "result", "reference"), (std::vector<double>{6}));
  for (const std::string entry : {"", "reverse", "sum", "iota"}) {
    std::vector<std::string> words{"emit", file, "-p", "P", "-o", folder / ("emitted" + entry)};
    if (!entry.empty()) words.insert(words.end(), {"--entry", entry});
    EXPECT_EQ(rhopsi(words).exit_code, 0) << entry;
  }
}

// The array is called as the program calls it, whichever of its versions is read.
TEST(Emission, AnIndexOutsideNamesTheVariable) {
  const Folder folder;
  const std::string file =
      folder.write("versions.mg",
                   "package versions imports moa.library;\n"
                   "program P = implement Expressions in {\n"
                   "  use Expressions;\n"
                   "  procedure p(upd u: Array, obs v: Array) guard dim(u) == 1 && dim(v) == 1 {\n"
                   "    var w = u;\n"
                   "    for k in 0 .. 3 { w = drop(w, 0, 1); };\n"
                   "    u = gather(w, 0, v);\n"
                   "  };\n"
                   "};\n");
  const Outcome outcome =
      rhopsi({"emit", file, "-p", "P", "--entry", "p", "-o", folder / "emitted"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  std::string text;
  for (const char* name : {"P.hpp", "P_kernels.hpp", "P_kernels.cpp"}) {
    std::ifstream stream(folder / ("emitted/" + std::string(name)));
    text.append(std::istreambuf_iterator<char>(stream), {});
  }
  EXPECT_NE(text.find("an index outside of w on axis 0"), std::string::npos);
}

TEST_F(OwnShapesRun, OutputsHaveTheShapesThatCameOut) {
  Outcome outcome = run("split", {"--in", "u=iota:5,2", "--out", "left=" + (folder / "left.npy"),
                                  "shape=" + (folder / "shape.npy")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(array("left.npy").shape, (Shape{2, 2}));
  EXPECT_EQ(array("left.npy").data, (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(array("shape.npy").data, (std::vector<double>{5, 2}));
  outcome = run("split", {"--in", "u=iota:1,3", "--out", "left=" + (folder / "left.npy")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(array("left.npy").shape, (Shape{0, 3}));
  outcome = run("halves", {"--in", "u=iota::7", "--out", "result=" + (folder / "half.npy")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(array("half.npy").shape, Shape{});
  EXPECT_EQ(array("half.npy").data, std::vector<double>{3.5});
  outcome = run("halves", {"--in", "u=iota:1,1,1,1", "--out", "result=" + (folder / "half.vti")});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("image data has 1 to 3 axes, not 4"), std::string::npos)
      << outcome.text();
}

TEST_F(OwnShapesRun, NumbersHaveTheTypeOfTheRun) {
  const Outcome outcome = run("halves", {"--in", "u=iota:3", "--dtype", "float", "--out",
                                         "result=" + (folder / "half.npy")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(io::read_npy_header(folder / "half.npy").element, io::ElementType::float32);
  EXPECT_EQ(io::read_npy<float>(folder / "half.npy").data, (std::vector<float>{0, 0.5F, 1}));
}

TEST_F(OwnShapesRun, ShapesThatChangeFromStepToStep) {
  const std::vector<std::string> begin = {"--in", "u=iota:0", "v=iota:2:1", "--set", "n=10"};
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const std::string state = folder / "state";
  Outcome whole =
      run("grow",
          with(begin, {"--repeat", "3", "--every", "1", "--out", "u=" + (folder / "whole.npy")}));
  ASSERT_EQ(whole.exit_code, 0) << whole.text();
  EXPECT_EQ(whole.out, "n: 22\ntotal: 9\n");
  EXPECT_EQ(array("whole-1.npy").shape, Shape{2});
  EXPECT_EQ(array("whole-2.npy").shape, Shape{4});
  EXPECT_EQ(array("whole.npy").data, (std::vector<double>{1, 2, 1, 2, 1, 2}));
  Outcome part = run("grow", with(begin, {"--repeat", "2", "--checkpoint", state}));
  ASSERT_EQ(part.exit_code, 0) << part.text();
  part = run("grow", {"--in", "v=iota:2:1", "--restart", state, "--repeat", "3", "--out",
                      "u=" + (folder / "part.npy")});
  ASSERT_EQ(part.exit_code, 0) << part.text();
  EXPECT_EQ(part.out, whole.out);
  EXPECT_EQ(difference(folder / "whole.npy", folder / "part.npy"), 0);
  // An array without elements is one too.
  part = run("grow", with({"--in", "u=iota:0", "v=iota:0", "--set", "n=0"},
                          {"--repeat", "1", "--checkpoint", state}));
  ASSERT_EQ(part.exit_code, 0) << part.text();
  part = run("grow", {"--in", "v=iota:3", "--restart", state, "--repeat", "2"});
  ASSERT_EQ(part.exit_code, 0) << part.text();
  EXPECT_EQ(part.out, "n: 3\ntotal: 3\n");
}

TEST(RunValues, NoNumberHasNoSign) {
  const Folder folder;
  const std::string file =
      folder.write("none.mg",
                   "package none imports moa.library;\n"
                   "program None = implement Expressions in {\n"
                   "  use Expressions;\n"
                   "  procedure p(obs k: Number, out x: Number) { x = -((k - k) / (k - k)); };\n"
                   "};\n");
  for (const std::string backend : {"reference", "kokkos"}) {
    for (const std::string k : {"1", "-1"}) {
      const Outcome outcome =
          rhopsi({"run", file, "-p", "None", "--set", "k=" + k, "--backend", backend});
      EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
      EXPECT_EQ(outcome.out, "x: nan\n") << backend;
    }
  }
}

// Two operations of the user's; of one the axiom of the elements is missing. The programs that need
// it stop, directly or through another operation, and the others do not.
TEST(MissingAxiom, StopsThePrograms) {
  const Folder folder;
  const std::string library =
      "package gaps imports moa.library;\n"
      "concept Turning = {\n"
      "  use Expressions;\n"
      "  function turned(A: Array): Array guard 0 < dim(A);\n"
      "  function around(A: Array): Array guard 0 < dim(A);\n"
      "  function half(A: Array): Array;\n"
      "  axiom turnedShape(A: Array) { assert shape(turned(A)) == (shape(A): Index); };\n"
      "  axiom aroundShape(A: Array) { assert shape(around(A)) == (shape(A): Index); };\n"
      "  axiom aroundElement(p: Index, A: Array) {\n"
      "    assert psi(p, around(A)) == (psi(p, turned(turned(A))): Number); };\n"
      "  axiom halfShape(A: Array) { assert shape(half(A)) == (shape(A): Index); };\n"
      "  axiom halfElement(p: Index, A: Array) {\n"
      "    assert psi(p, half(A)) == (psi(p, A): Number) / 2; };\n"
      "};\n";
  const auto program = [&](const std::string& call) {
    return folder.write("gaps.mg",
                        library + "program Gaps = implement Turning in {\n" + "  use Turning;\n" +
                            "  procedure step(upd u: Array) { u = " + call + "; };\n" + "};\n");
  };
  for (const std::string backend : {"reference", "kokkos"}) {
    const Outcome runs =
        rhopsi({"run", program("half(u)"), "-p", "Gaps", "--entry", "step", "--backend", backend,
                "--in", "u=iota:3", "--out", "u=" + (folder / "u.npy")});
    ASSERT_EQ(runs.exit_code, 0) << runs.text();
    EXPECT_NE(runs.err.find("warning[E0333]"), std::string::npos) << runs.text();
    EXPECT_EQ(io::read_npy<double>(folder / "u.npy").data, (std::vector<double>{0, 0.5, 1}));
    for (const std::string call : {"turned(u)", "half(around(u))"}) {
      const Outcome stops = rhopsi({"run", program(call), "-p", "Gaps", "--entry", "step",
                                    "--backend", backend, "--in", "u=iota:3"});
      EXPECT_EQ(stops.exit_code, 1) << call;
      EXPECT_NE(stops.err.find("error[E0333]"), std::string::npos) << stops.text();
      EXPECT_NE(stops.err.find("no rule for psi(turned)"), std::string::npos) << stops.text();
      EXPECT_NE(stops.err.find("needs it"), std::string::npos) << stops.text();
    }
    // The operation itself can be called by nobody else either.
    const Outcome alone = rhopsi({"run", program("half(u)"), "-p", "Gaps", "--entry", "around",
                                  "--backend", backend, "--in", "A=iota:3"});
    EXPECT_EQ(alone.exit_code, 1) << alone.text();
    EXPECT_NE(alone.err.find("no rule for"), std::string::npos) << alone.text();
  }
}

}  // namespace
}  // namespace rhopsi::exec
