// Arrays that have shapes of their own: what is emitted for them, and its command line.
#include "own_shapes.hpp"

#include <optional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backends/io/checkpoint_file.hpp"
#include "backends/kokkos/emit/emit.hpp"
#include "engine/onf/verify.hpp"
#include "sample.hpp"

namespace rhopsi::kokkos::test {
namespace {

using Shape = std::vector<std::int64_t>;
using Values = std::vector<double>;

TEST(OwnShapes, TheFormIsOneThatLoweringMayMake) {
  for (const onf::Problem& problem : onf::verify(own_shapes())) {
    ADD_FAILURE() << problem.code << ": " << problem.message;
  }
}

std::string main_file(const onf::Module& module, const Options& options = {}) {
  std::string joined;
  const std::vector<File> files = emit({}, module, options);
  for (const char c : files[1].text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || (!joined.empty() && joined.back() != ' ')) joined += blank ? ' ' : c;
  }
  return joined;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(OwnShapes, EntriesTellTheRanksOfTheirArrays) {
  const std::string text = main_file(own_shapes());
  for (const char* const part :
       {"rhopsi_arguments_0[] = { {\"u\", \"array float64\", Mode::upd, 1}, {\"A\", \"array "
        "float64\", "
        "Mode::obs, 2}, {\"B\", \"array float64\", Mode::out, 2}, {\"k\", \"int64\", Mode::upd}, "
        "};",
        "{\"step\", rhopsi_arguments_0,",
        "p.step(a.array<double, 1>(0), a.array<double, 2>(1), a.array<double, 2>(2), "
        "a.scalar<std::int64_t>(3));",
        "{\"result\", \"array float64\", Mode::result, 1}",
        "a.array<double, 1>(1) = p.total(a.array<double, 2>(0));",
        "a.array<double, 0>(1) = p.twice(a.array<double, 0>(0));",
        // What runs in kernels cannot test shapes itself.
        "rhopsi::expect_shape(a.array<std::int32_t, 1>(0), {3}); a.scalar<std::int32_t>(1) = "
        "rhopsi::evaluate(last_functor<own>{p}, a.array<std::int32_t, 1>(0).read());"}) {
    EXPECT_TRUE(holds(text, part)) << part << "\n--- in\n" << text;
  }
}

TEST(OwnShapes, OnlyWhatIsAskedForIsAnEntry) {
  Options options;
  options.entries = {"total"};
  const std::string text = main_file(own_shapes(), options);
  EXPECT_TRUE(holds(text, "{\"total\", ")) << text;
  EXPECT_FALSE(holds(text, "{\"step\", ")) << text;
}

// One function may be lowered for several ranks.
TEST(OwnShapes, EntriesOfOneNameAndSortsAreToldApartByRanks) {
  onf::Module module = own_shapes();
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
    module.functions[k].name = "f";
    module.functions[k].sorts = {"Array", "Array"};
  }
  const std::string text = main_file(module);
  EXPECT_TRUE(holds(text, "{\"f:Array,Array:2,1\", ")) << text;
  EXPECT_TRUE(holds(text, "{\"f:Array,Array:0,0\", ")) << text;
}

// An array that has no shape yet cannot have a wrong one.
TEST(OwnShapes, NothingIsExpectedOfWhatComesOut) {
  onf::Module module = own_shapes();
  onf::Function& step = module.functions[0];
  for (const std::size_t block : {std::size_t{0}, std::size_t{2}}) {
    onf::Expr& extent = step.blocks[block].extents->front();
    extent.kind = onf::Expr::Kind::integer;
    extent.integer = 4;
  }
  const std::string text = emit_header({}, module).text;
  EXPECT_TRUE(holds(text, "rhopsi::expect_shape(u, {4});")) << text;
  EXPECT_FALSE(holds(text, "expect_shape(B")) << text;
}

// The file of a program over a domain is what it was before there were others.
TEST(OwnShapes, CheckpointsOfADomainSayNothingOfThem) {
  const Folder folder;
  io::Checkpoint state{"heat", "step", 3, {1, 2}, {{"nu", "0.5"}}, {}};
  const std::vector<unsigned char> elements(8);
  state.arrays = {{"u", "float32", 0, elements}};
  state.write(folder / "state");
  const std::string head =
      "RHOPSI-CHECKPOINT 1\nprogram heat\nentry step\nstep 3\nshape 1 2\nvalue nu 0.5\n"
      "array u float32 8\nend\n";
  EXPECT_EQ(contents(folder / "state").substr(0, head.size()), head);
  EXPECT_FALSE(io::Checkpoint::read(folder / "state").arrays[0].shape);

  state.arrays[0].shape = Shape{2, 1};
  state.write(folder / "state");
  EXPECT_EQ(io::Checkpoint::read(folder / "state").arrays[0].shape, (Shape{2, 1}));
  state.arrays[0].shape.emplace();
  state.write(folder / "state");
  EXPECT_EQ(io::Checkpoint::read(folder / "state").arrays[0].shape, Shape());
}

class OwnShapesDriver : public testing::Test {
 protected:
  static const Executable& program() {
    static std::optional<Executable> built;
    if (built) return *built;
    Options options;
    options.target = Target::serial;
    std::vector<File> files = emit({}, own_shapes(), options);
    files.insert(files.end(), runtime_files().begin(), runtime_files().end());
    auto result = build(files, {});
    if (!result) {
      ADD_FAILURE() << result.error().message << "\n" << result.error().note;
      throw std::runtime_error("the program does not build");
    }
    return built.emplace(std::move(*result));
  }

  Outcome run(const std::vector<std::string>& arguments) const {
    const Folder captured;
    RunOptions options;
    options.output = captured / "output";
    options.errors = captured / "errors";
    const auto status = kokkos::run(program(), arguments, options);
    if (!status) return {-1, "", status.error().message};
    return {*status, contents(captured / "output"), contents(captured / "errors")};
  }

  // The path of a new file of these elements.
  template <class T>
  std::string file(const std::string& name, const Shape& shape, const std::vector<T>& values) {
    const std::string path = folder / (name + ".npy");
    io::write_npy(path, shape, values.data());
    return path;
  }

  void expect_file(const std::string& name, const Shape& shape, const Values& values) const {
    const auto array = io::read_npy<double>(folder / name);
    EXPECT_EQ(array.shape, shape) << name;
    EXPECT_EQ(array.data, values) << name;
  }

  void refused(const std::vector<std::string>& arguments, const std::string& code,
               const std::string& why) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 1) << why;
    EXPECT_EQ(outcome.errors.rfind("error[" + code + "]: ", 0), 0U) << outcome.errors;
    EXPECT_NE(outcome.errors.find(why), std::string::npos) << why << "\n" << outcome.errors;
    EXPECT_EQ(outcome.output, "");
  }

  // A step with u of two elements and A of 2 x 3.
  std::vector<std::string> step(const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "--entry", "step",
        "--set",   "k=2",
        "--in",    "u=" + file<double>("u", {2}, {1, -2}),
        "--in",    "A=" + file<double>("A", {2, 3}, {0, 1, 2, 10, 11, 12})};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  Folder folder;
};

TEST_F(OwnShapesDriver, EveryArrayHasItsOwn) {
  const Outcome outcome =
      run(step({"--repeat", "3", "--json", "--every", "1", "--out", "u=" + (folder / "u2.npy"),
                "--out", "B=" + (folder / "B.npy")}));
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  // What is updated goes into the next call as it came out of the last one.
  expect_file("u2-1.npy", {3}, {1, -2, 3});
  expect_file("u2.npy", {5}, {1, -2, 3, 4.5, 6});
  expect_file("B.npy", {3, 2}, {0, 10, 1, 11, 2, 12});
  const std::string line = outcome.output.substr(outcome.output.find('{'));
  const auto object = nlohmann::json::parse(line, nullptr, false);
  EXPECT_EQ(object["shapes"], nlohmann::json::parse(R"({"u":[5],"A":[2,3],"B":[3,2]})")) << line;
  EXPECT_FALSE(object.contains("shape")) << line;
  EXPECT_EQ(object["values"]["k"], 5) << line;
}

TEST_F(OwnShapesDriver, ResultsOfOtherRanks) {
  const std::string a = file<double>("A", {2, 3}, {0, 1, 2, 10, 11, 12});
  ASSERT_EQ(
      run({"--entry", "total", "--in", "A=" + a, "--out", "result=" + (folder / "r.npy")}).status,
      0);
  expect_file("r.npy", {2}, {3, 33});
  // Integers become reals, here too.
  const std::string s = file<std::int64_t>("s", {}, {21});
  const Outcome scalar =
      run({"--entry", "twice", "--in", "s=" + s, "--out", "result=" + (folder / "s2.npy")});
  ASSERT_EQ(scalar.status, 0) << scalar.errors;
  expect_file("s2.npy", {}, {42});
  const std::string v = file<std::int32_t>("v", {3}, {7, 8, 9});
  EXPECT_EQ(run({"--entry", "last", "--in", "v=" + v}).output, "result: 9\n");
}

TEST_F(OwnShapesDriver, ArraysWithoutElements) {
  const Outcome outcome =
      run({"--entry", "step", "--set", "k=4", "--in", "u=" + file<double>("u", {0}, {}), "--in",
           "A=" + file<double>("A", {0, 3}, {}), "--out", "u=" + (folder / "u2.npy"), "--out",
           "B=" + (folder / "B.npy")});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  expect_file("u2.npy", {1}, {6});
  expect_file("B.npy", {3, 0}, {});
  // Folds over nothing.
  ASSERT_EQ(run({"--entry", "total", "--in", "A=" + file<double>("A", {2, 0}, {}), "--out",
                 "result=" + (folder / "r.npy")})
                .status,
            0);
  expect_file("r.npy", {2}, {0, 0});
}

TEST_F(OwnShapesDriver, ARestartGoesOnWithTheShapesThatItSaved) {
  const std::string state = folder / "state";
  const Outcome first = run(step({"--repeat", "2", "--checkpoint", state}));
  ASSERT_EQ(first.status, 0) << first.errors;
  const io::Checkpoint saved = io::Checkpoint::read_head(state);
  ASSERT_EQ(saved.arrays.size(), 1U);
  EXPECT_EQ(saved.arrays[0].shape, Shape{4});
  const std::vector<std::string> again = {"--entry",   "step",
                                          "--repeat",  "3",
                                          "--restart", state,
                                          "--in",      "A=" + (folder / "A.npy"),
                                          "--out",     "u=" + (folder / "u2.npy")};
  const Outcome second = run(again);
  ASSERT_EQ(second.status, 0) << second.errors;
  EXPECT_EQ(second.output, "k: 5\n");
  expect_file("u2.npy", {5}, {1, -2, 3, 4.5, 6});

  const auto changed = [&](std::optional<Shape> shape) {
    io::Checkpoint other = io::Checkpoint::read(state);
    other.arrays[0].shape = std::move(shape);
    other.write(state);
  };
  changed(Shape{2, 2});
  refused(again, "E0821", "'u' of the checkpoint has rank 2 (2x2), but 'u' has rank 1");
  changed(Shape{5});
  refused(again, "E0823", "'u' has the wrong size");
  changed(std::nullopt);
  refused(again, "E0823", "its array 'u' has the shape of the domain");
}

TEST_F(OwnShapesDriver, ShapesThatDoNotFit) {
  const std::string flat = file<double>("flat", {6}, {1, 2, 3, 4, 5, 6});
  refused({"--entry", "total", "--in", "A=" + flat}, "E0821",
          "flat.npy' has rank 1 (6), but 'A' has rank 2");
  refused({"--entry", "total"}, "E0815", "total still needs --in A=FILE.npy");
  refused(step({"--shape", "2,3"}), "E0816",
          "--shape is given, but each array of step has a shape of its own");
  refused({"--entry", "last", "--in", "v=" + file<std::int32_t>("v", {2}, {7, 8})}, "E0611",
          "'v' has length 2 on axis 0, not 3");
  refused({"--entry", "last", "--in", "v=" + flat}, "E0822", "holds float64");
  refused({"--entry", "twice", "--in", "s=" + file<double>("s", {}, {1}), "--out",
           "result=" + (folder / "r.vti")},
          "E0810", ".vti holds arrays of rank 1 to 3, not 0");
  refused(step({"--spacing", "1,2,3", "--out", "B=" + (folder / "B.vti")}), "E0810",
          "--spacing needs one distance or 2");
}

// Each file has the axes of its own array.
TEST_F(OwnShapesDriver, Images) {
  const Outcome outcome = run(step({"--spacing", "0.5", "--out", "u=" + (folder / "u.vti"), "--out",
                                    "B=" + (folder / "B.vti")}));
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(holds(contents(folder / "u.vti"), "WholeExtent=\"0 2 0 0 0 0\""));
  EXPECT_TRUE(holds(contents(folder / "B.vti"), "WholeExtent=\"0 2 0 1 0 0\""));
}

}  // namespace
}  // namespace rhopsi::kokkos::test
