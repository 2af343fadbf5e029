// Programs whose arrays have shapes of their own: what a request for them has to say.
#include <gtest/gtest.h>

#include "backends/io/checkpoint_file.hpp"
#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

const char* const asked_to_run =
    "package own imports backend.kokkos;\n"
    "implementation OwnShapes = external Kokkos array {\n"
    "  require type E;\n"
    "  require type Index;\n"
    "  type Array;\n"
    "  function shape(a: Array): Index;\n"
    "  function psi(ix: Index, a: Array): E;\n"
    "  function _+_(a: Array, b: Array): Array;\n"
    "};\n"
    "program Own = {\n"
    "  use Reals;\n"
    "  use Indices;\n"
    "  use OwnShapes[E => Real];\n"
    "  procedure step(upd u: Array, obs v: Array, out w: Array) { w = u + v; u = w; }\n"
    "};\n"
    "program Functions = {\n"
    "  use Reals;\n"
    "  use Indices;\n"
    "  use OwnShapes[E => Real];\n"
    "  function twice(u: Array): Array = u + u;\n"
    "};\n";

class OwnShapes : public testing::Test {
 protected:
  void refused(const std::vector<std::string>& more, const std::vector<std::string>& wanted,
               const std::string& without = "E0816") const {
    std::vector<std::string> words = {"run", file, "-p", "Own"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = rhopsi(words);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    for (const std::string& word : wanted) {
      EXPECT_NE(outcome.err.find(word), std::string::npos) << word << "\n" << outcome.text();
    }
    EXPECT_EQ(outcome.err.find(without), std::string::npos) << outcome.text();
  }

  std::string input(const std::string& name, const Shape& shape) const {
    return name + "=" + random_field(folder, name, shape, 1);
  }

  const Folder folder;
  const std::string file = folder.write("own.mg", asked_to_run);
};

TEST_F(OwnShapes, TheRunHasNone) {
  refused({"--in", input("u", {2}), input("v", {2}), "--shape", "2"},
          {"E0816", "every array of 'Own' has a shape of its own"}, "E0821");
  // Nothing asks for one either.
  refused({}, {"E0813", "'step' reads u and v"});
}

TEST_F(OwnShapes, AnInputMayHaveNoElementsButNotAnyNumberOfAxes) {
  refused({"--in", input("u", {0, 3}), input("v", {1, 1, 1, 1, 1, 1, 1})},
          {"E0821", "--in v: ", "has 7 axes"}, "--in u");
}

// Why no time is told, and what may be done about it.
TEST_F(OwnShapes, NoTimeIsPredictedOfThem) {
  const std::string several = folder.write(
      "several.mg",
      "package several imports moa.library;\n"
      "program P = implement Expressions in {\n"
      "  use Expressions;\n"
      "  procedure sides(upd u: Array, upd w: Array) guard dim(u) == 2 && dim(w) == 1 {\n"
      "    u = u + rotate(u, 0, 1);\n"
      "    w = w + rotate(w, 0, 1);\n"
      "  };\n"
      "  procedure mean(upd u: Array) guard dim(u) == 2 { u = u + rotate(u, 0, 1); };\n"
      "};\n");
  const auto explained = [&](const std::string& entry, const std::string& schedule,
                             const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"explain", several, "-p",         "P",
                                      "-f",      entry,   "--schedule", schedule};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = rhopsi(words);
    return outcome.exit_code == 0 ? outcome.out : outcome.err;
  };
  const auto ends = [](const std::string& text, const std::string& last) {
    EXPECT_TRUE(text.ends_with(last)) << text;
  };
  const std::string none = "no time is predicted where arrays have shapes of their own\n";
  const std::string no_shape =
      "arrays have shapes of their own; 'sides' has arrays of 1 and 2 axes, and no --shape is that "
      "of all\n";
  ends(explained("sides", "full"), "\n\n" + no_shape + none);
  const std::string chosen = explained("sides", "auto");
  ends(chosen, "  chosen: proved, " + none + "\n" + no_shape);
  ends(
      explained("sides", "full", {"--shape", "4,40"}),
      "'w' of 'sides' has 1 axis, what is given for it 2 axes\n"
      "  note: 'sides' has arrays of 1 and 2 axes: --shape NAME=N,... says what one has that comes "
      "in with others\n");
  ends(explained("mean", "full", {"--shape", "4"}), "  note: give --shape 2 lengths\n");
  ends(explained("mean", "full"),
       "; --shape tells what a run does where all have that one\n" + none);
  ends(explained("mean", "off", {"--shape", "4,40"}),
       "arrays have shapes of their own, as they are written\n" + none);
  const std::string of_shape = explained("mean", "full", {"--shape", "4,40"});
  EXPECT_NE(of_shape.find("  * full: the schedule that is asked for\n"), std::string::npos)
      << of_shape;
  EXPECT_EQ(of_shape.find(none), std::string::npos) << of_shape;
}

TEST_F(OwnShapes, ImagesHaveTheAxesOfTheirArray) {
  const std::vector<std::string> inputs = {"--in", input("u", {2, 2}), input("v", {2, 2, 2, 2})};
  auto words = inputs;
  words.insert(words.end(), {"--out", "u=" + (folder / "u.vti"), "--spacing", "1,2,3"});
  refused(words, {"E0810", "--spacing gives 3 distances for 2 axes"});
  words = {"--in", input("u", {}), input("v", {}), "--out", "u=" + (folder / "u.vti")};
  refused(words, {"E0810", "image data has one to three axes"});
}

TEST_F(OwnShapes, ACheckpointHoldsThem) {
  io::Checkpoint state;
  state.program = "Own";
  state.entry = "step";
  state.step = 1;
  const std::vector<unsigned char> elements(6 * sizeof(double));
  const std::string path = folder / "state";
  const auto restart = [&](const std::optional<Shape>& shape, const std::string& type = "float64") {
    state.arrays = {{"u", type, 0, elements, shape}};
    state.write(path);
    return std::vector<std::string>{"--restart",        path,    "--repeat",       "2", "--in",
                                    input("v", {2, 3}), "--out", "w=missing/w.npy"};
  };
  // The folder of the output is all that is wrong here.
  refused(restart(Shape{2, 3}), {"E0830"}, "E082");
  refused(restart(Shape{2, 2}), {"E0823", "its array 'u' has the wrong size"});
  refused(restart(Shape{-2, -3}), {"E0823", "its array 'u' has the wrong size"});
  refused(restart(std::nullopt), {"E0823", "its array 'u' has the shape of a domain"});
  refused(restart(Shape{2, 3}, "float32"), {"E0823", "is of float32, the program's of float64"});
}

TEST_F(OwnShapes, EmitTakesProcedures) {
  const auto emit = [&](const std::string& program, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"emit", file, "-p", program, "-o", folder / "emitted"};
    words.insert(words.end(), more.begin(), more.end());
    return rhopsi(words);
  };
  const Outcome none = emit("Functions", {});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.err.find("E0802"), std::string::npos) << none.text();
  EXPECT_NE(none.err.find("twice"), std::string::npos) << none.text();
  const Outcome unknown = emit("Functions", {"--entry", "twic"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_NE(unknown.err.find("did you mean 'twice'?"), std::string::npos) << unknown.text();
}

// Of a program over a domain: what it calls comes along, and it alone is an entry.
TEST_F(OwnShapes, EmitOfOneEntry) {
  const std::string path = folder.write("two.mg",
                                        "package two imports backend.kokkos;\n"
                                        "program Two = {\n"
                                        "  use Arrays;\n"
                                        "  function twice(u: Array): Array = u + u;\n"
                                        "  procedure step(upd u: Array) { u = twice(u); }\n"
                                        "  procedure other(upd u: Array) { u = u * u; }\n"
                                        "};\n");
  const Outcome outcome =
      rhopsi({"emit", path, "-p", "Two", "--rank", "2", "--entry", "step", "-o", folder / "two"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  const std::string header = read(folder / "two/Two.hpp");
  EXPECT_NE(header.find(" step("), std::string::npos) << header;
  // Its sum has become a part of the step.
  EXPECT_EQ(header.find(" twice("), std::string::npos) << header;
  EXPECT_EQ(header.find(" other("), std::string::npos) << header;
  const std::string main = read(folder / "two/main.cpp");
  EXPECT_NE(main.find("{\"step\", "), std::string::npos) << main;
  EXPECT_EQ(main.find("{\"twice\", "), std::string::npos) << main;
}

// Inputs that are told instead of named, for both backends.
TEST(Inputs, NumbersInOrder) {
  for (const char* const backend : {"reference", "kokkos"}) {
    const Folder folder;
    const std::string file = folder.write("scale.mg",
                                          "package scale imports backend.kokkos;\n"
                                          "program Scale = {\n"
                                          "  use Arrays;\n"
                                          "  procedure step(upd u: Array) { u = u + u; }\n"
                                          "};\n");
    const std::string out = folder / "u.npy";
    const Outcome outcome = rhopsi({"run", file, "-p", "Scale", "--backend", backend, "--in",
                                    "u=iota:2,3:5", "--out", "u=" + out});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    const auto array = io::read_npy<double>(out);
    EXPECT_EQ(array.shape, (Shape{2, 3}));
    EXPECT_EQ(array.data, (std::vector<double>{10, 12, 14, 16, 18, 20}));
    const Outcome wrong =
        rhopsi({"run", file, "-p", "Scale", "--backend", backend, "--in", "u=iota:2,x"});
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_NE(wrong.err.find("E0810"), std::string::npos) << wrong.text();
    EXPECT_NE(wrong.err.find("'x' is not the length of an axis"), std::string::npos)
        << wrong.text();
  }
}

}  // namespace
}  // namespace rhopsi::exec
