// Emitted programs against the reference, on random data with unequal sides.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"
#include "tests/exec/reports.hpp"

namespace rhopsi::exec {
namespace {

using Json = nlohmann::json;

struct ProgramRun {
  const char* file;
  const char* program;
  std::vector<std::string> fields;
  Shape shape;
  std::vector<std::string> settings;
};

std::ostream& operator<<(std::ostream& stream, const ProgramRun& one) {
  return stream << one.file << " -p " << one.program << " --shape " << shape_option(one.shape);
}

std::vector<std::string> command(const ProgramRun& one, const Folder& folder,
                                 const std::string& suffix, const std::vector<std::string>& more) {
  std::vector<std::string> words = {"run",     source(one.file), "-p",     one.program,
                                    "--entry", "step",           "--json", "--quiet"};
  unsigned seed = 1;
  for (const std::string& field : one.fields) {
    words.insert(words.end(),
                 {"--in", field + "=" + random_field(folder, field, one.shape, seed++)});
    words.insert(words.end(), {"--out", field + "=" + folder / (field + suffix + ".npy")});
  }
  for (const std::string& setting : one.settings) words.insert(words.end(), {"--set", setting});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class Programs : public testing::TestWithParam<ProgramRun> {};

TEST_P(Programs, AgreeWithTheReference) {
  const ProgramRun& one = GetParam();
  const Folder folder;
  const Outcome reference =
      rhopsi(command(one, folder, "-reference", {"--backend", "reference", "--repeat", "2"}));
  ASSERT_EQ(reference.exit_code, 0) << reference.text();
  const Outcome compiled = rhopsi(command(one, folder, "-compiled", {"--repeat", "2"}));
  ASSERT_EQ(compiled.exit_code, 0) << compiled.text();
  for (const std::string& field : one.fields) {
    EXPECT_LE(difference(folder / (field + "-reference.npy"), folder / (field + "-compiled.npy")),
              1e-12)
        << field;
  }
  const Json object = last_line(compiled);
  ASSERT_TRUE(object.is_object()) << compiled.text();
  EXPECT_EQ(object.at("steps"), 2);
  EXPECT_EQ(object.at("backend"), "kokkos");
  EXPECT_GT(object.at("bytes_peak"), 0);
  EXPECT_GE(object.at("seconds_per_step"), 0.0);
  EXPECT_TRUE(object.contains("compile_seconds") && object.contains("target") &&
              object.contains("cached"));
}

const std::vector<std::string> paper_settings = {"nu=0.1", "dt=0.01", "dx=0.5"};
const std::vector<std::string> all_settings = {"nu=0.1", "dt=0.01", "dx=0.5", "dy=0.4", "dz=0.3"};
const std::vector<std::string> uvw = {"u", "v", "w"};
const std::vector<std::string> u012 = {"u0", "u1", "u2"};

INSTANTIATE_TEST_SUITE_P(
    Specifications, Programs,
    testing::Values(
        ProgramRun{"specs/smooth/smooth.mg", "Base", {"a"}, {7, 5}, {}},
        ProgramRun{"specs/smooth/smooth.mg", "DNF", {"a"}, {7, 5}, {}},
        ProgramRun{"specs/burgers/paper.mg", "Base", u012, {5, 4, 6}, paper_settings},
        ProgramRun{"specs/burgers/paper.mg", "MoA", u012, {5, 4, 6}, paper_settings},
        ProgramRun{"specs/burgers/paper.mg", "DNF", u012, {5, 4, 6}, paper_settings},
        ProgramRun{"specs/burgers/paper.mg", "Padded", u012, {5, 4, 6}, paper_settings},
        ProgramRun{"specs/burgers/paper.mg", "3D", u012, {5, 4, 6}, paper_settings},
        ProgramRun{"specs/burgers/paper.mg", "3DPadded", u012, {5, 4, 6}, paper_settings},
        ProgramRun{"specs/burgers/burgers.mg", "Base", uvw, {5, 4, 6}, all_settings},
        ProgramRun{"specs/burgers/burgers.mg", "3DPadded", uvw, {5, 4, 6}, all_settings}));

const ProgramRun smooth = {"specs/smooth/smooth.mg", "DNF", {"a"}, {7, 5}, {}};

// A smaller limit than that of 32 bits says so of small arrays. A folder says it by itself.
TEST(Run, IndicesOf64BitsWhereArraysNeedThem) {
  const Folder folder;
  const std::string file =
      folder.write("longer.mg",
                   "package longer imports moa.library;\n"
                   "program P = implement Expressions in {\n"
                   "  use Expressions;\n"
                   "  procedure step(obs a: Array, out b: Array) guard dim(a) == 2 {\n"
                   "    b = forall (p < [at(shape(a), 0), at(shape(a), 1) + 1])\n"
                   "      (2.0 * psi([at(p, 0), max(at(p, 1) - 1, 0)], a));\n"
                   "  };\n"
                   "};\n");
  Conditions small;
  small.environment["CXXFLAGS"] = "-DRHOPSI_GREATEST_NARROW=20";
  const auto run = [&](const std::string& in, const std::string& backend) {
    return rhopsi({"run", file, "-p", "P", "--backend", backend, "--in", "a=iota:" + in, "--out",
                   "b=" + (folder / (backend + ".npy"))},
                  small);
  };
  const std::string again = "indices need 64 bits";
  const Outcome short_one = run("2,3", "kokkos"), long_one = run("5,7", "kokkos");
  EXPECT_EQ(short_one.exit_code, 0) << short_one.text();
  EXPECT_EQ(short_one.err.find(again), std::string::npos) << short_one.text();
  EXPECT_EQ(long_one.exit_code, 0) << long_one.text();
  EXPECT_NE(long_one.err.find(again), std::string::npos) << long_one.text();
  EXPECT_EQ(run("5,7", "reference").exit_code, 0);
  EXPECT_EQ(read(folder / "kokkos.npy"), read(folder / "reference.npy"));
}

// What another procedure of the program cannot do is none of this one's.
TEST(Run, MistakesAreThoseOfTheEntry) {
  const Folder folder;
  const std::string file =
      folder.write("several.mg",
                   "package several imports backend.kokkos;\n"
                   "program P = {\n"
                   "  use Arrays;\n"
                   "  function same(a: Array, b: Array): Array = if a == b then a else b;\n"
                   "  function other(a: Array, b: Array): Array = if a != b then a else b;\n"
                   "  procedure one(upd a: Array) { a = same(a, a); a = same(a, a); }\n"
                   "  procedure two(upd a: Array) { a = other(a, a); }\n"
                   "};\n");
  const auto run = [&](const std::string& entry) {
    return rhopsi({"run", file, "-p", "P", "--entry", entry, "--in", "a=iota:4", "--quiet"}).err;
  };
  const std::string one = run("one"), two = run("two");
  const std::size_t first = one.find("several.mg:4:");
  EXPECT_NE(first, std::string::npos) << one;
  EXPECT_EQ(one.find("several.mg:4:", first + 1), std::string::npos) << one;
  EXPECT_EQ(one.find("several.mg:5:"), std::string::npos) << one;
  EXPECT_NE(two.find("several.mg:5:"), std::string::npos) << two;
  EXPECT_EQ(two.find("several.mg:4:"), std::string::npos) << two;
}

TEST(Run, TheSecondTimeNothingIsCompiled) {
  const Folder folder;
  ASSERT_EQ(rhopsi(command(smooth, folder, "-1", {})).exit_code, 0);
  const Json object = last_line(rhopsi(command(smooth, folder, "-2", {})));
  EXPECT_EQ(object.value("cached", false), true);
  EXPECT_EQ(difference(folder / "a-1.npy", folder / "a-2.npy"), 0.0);
}

// Derived for all widths of pads: the same values whichever is stated, and one compiled program for
// all sizes.
TEST(Run, PadsOfAnyWidthAndOneProgramForAllSizes) {
  const std::vector<std::string> widths{"Pads1", "Pads3", "FoundPads", "ByIndex"};
  for (const Shape& shape : {Shape{5, 4, 6}, Shape{3, 7, 2}, Shape{1, 8, 4}}) {
    SCOPED_TRACE(shape_option(shape));
    const Folder folder;
    const ProgramRun base{"specs/burgers/burgers.mg", "Base", uvw, shape, all_settings};
    ASSERT_EQ(rhopsi(command(base, folder, "-base", {"--backend", "reference"})).exit_code, 0);
    for (const std::string& width : widths) {
      const ProgramRun one{"specs/burgers/pads.mg", width.c_str(), uvw, shape, all_settings};
      const Outcome outcome = rhopsi(command(one, folder, width, {}));
      ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
      for (const std::string& field : uvw) {
        EXPECT_LE(difference(folder / (field + "-base.npy"), folder / (field + width + ".npy")),
                  1e-13)
            << width << " " << field;
      }
      const bool cached = last_line(outcome).value("cached", false);
      EXPECT_TRUE(cached || shape.front() == 5) << width;
    }
  }
}

TEST(Run, ARestartContinuesToTheBit) {
  const Folder folder;
  const std::string state = folder / "state";
  ASSERT_EQ(rhopsi(command(smooth, folder, "-whole", {"--repeat", "6"})).exit_code, 0);
  Outcome outcome =
      rhopsi(command(smooth, folder, "-half", {"--repeat", "3", "--checkpoint", state}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  outcome = rhopsi({"run", source(smooth.file), "-p", smooth.program, "--repeat", "6", "--restart",
                    state, "--out", "a=" + folder / "a-rest.npy", "--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(difference(folder / "a-whole.npy", folder / "a-rest.npy"), 0.0);
}

TEST(Run, EveryWritesBetween) {
  const Folder folder;
  ASSERT_EQ(rhopsi(command(smooth, folder, "-k", {"--repeat", "4", "--every", "2"})).exit_code, 0);
  ASSERT_EQ(rhopsi(command(smooth, folder, "-r",
                           {"--repeat", "4", "--every", "2", "--backend", "reference"}))
                .exit_code,
            0);
  EXPECT_LE(difference(folder / "a-k-2.npy", folder / "a-r-2.npy"), 1e-12);
  EXPECT_EQ(difference(folder / "a-k-4.npy", folder / "a-k.npy"), 0.0);
}

TEST(Run, WritesImageDataFromBothBackends) {
  const Folder folder;
  const std::string a = random_field(folder, "a", {4, 3}, 7);
  for (const std::string backend : {"kokkos", "reference"}) {
    const std::string out = folder / (backend + ".vti");
    const Outcome outcome =
        rhopsi({"run", source(smooth.file), "-p", smooth.program, "--in", "a=" + a, "--out",
                "a=" + out, "--spacing", "0.5", "--quiet", "--backend", backend});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_NE(read(out).find("Spacing=\"0.5 0.5 1\""), std::string::npos);
    EXPECT_NE(read(out).find("format=\"binary\""), std::string::npos);
  }
}

TEST(Run, AFullDiskUnderTheEmittedProgram) {
  const Folder folder;
  const std::string out = folder.write("a-full.npy", "as it was");
  // Compiled before, so that the limit meets the program and not the compiler.
  ASSERT_EQ(rhopsi(command(smooth, folder, "-before", {})).exit_code, 0);
  Conditions full_disk;
  full_disk.largest_file = 300;
  const auto words = command(smooth, folder, "-full", {});
  const Outcome outcome = rhopsi(words, full_disk);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_EQ(read(out), "as it was");
}

TEST(Run, CheckedRunsGiveTheSame) {
  const Folder folder;
  ASSERT_EQ(rhopsi(command(smooth, folder, "-plain", {})).exit_code, 0);
  const Outcome outcome = rhopsi(command(smooth, folder, "-checked", {"--checked"}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(last_line(outcome).value("checked", false), true);
  EXPECT_LE(difference(folder / "a-plain.npy", folder / "a-checked.npy"), 1e-15);
}

TEST(Run, SinglePrecision) {
  const Folder folder;
  ASSERT_EQ(rhopsi(command(smooth, folder, "-k", {"--dtype", "float"})).exit_code, 0);
  ASSERT_EQ(rhopsi(command(smooth, folder, "-r", {"--dtype", "float", "--backend", "reference"}))
                .exit_code,
            0);
  EXPECT_EQ(io::read_npy_header(folder / "a-k.npy").element, io::ElementType::float32);
  EXPECT_LE(difference(folder / "a-k.npy", folder / "a-r.npy"), 1e-6);
}

// What the compiled program says is in the object, before what is said about it.
TEST(Run, ErrorsOfTheProgramReachTheObject) {
  const Folder folder;
  const std::string file =
      folder.write("fails.mg",
                   "package fails imports backend.kokkos;\n"
                   "program P = {\n"
                   "  use Arrays;\n"
                   "  use Integers;\n"
                   "  function quotient(a: Int, b: Int): Int = a / b;\n"
                   "  function root(u: Array, ix: Index): Real = sqrt(psi(ix, u));\n"
                   "  use FlatSchedule[element => root, E => Real];\n"
                   "  procedure step(upd u: Array) { u = schedule(u); }\n"
                   "};\n");
  const std::string u = random_field(folder, "u", {3, 5}, 1);
  Outcome outcome = rhopsi({"run", file, "-p", "P", "--entry", "quotient", "--shape", "1,1",
                            "--set", "a=1", "b=0", "--json"});
  EXPECT_EQ(outcome.exit_code, 1);
  Json object = last_line(outcome);
  ASSERT_TRUE(object.is_object()) << outcome.text();
  EXPECT_EQ(object["errors"], 2);
  EXPECT_EQ(object["diagnostics"][0]["code"], "E0612") << outcome.text();
  EXPECT_EQ(object["diagnostics"][0]["message"], "integer division by zero");
  EXPECT_EQ(object["diagnostics"][1]["code"], "E0842");

  if (on_device()) GTEST_SKIP() << "a kernel of a device ends the program without a code";
  outcome = rhopsi({"run", file, "-p", "P", "--in", "u=" + u, "--checked", "--json"});
  EXPECT_EQ(outcome.exit_code, 1);
  object = last_line(outcome);
  ASSERT_TRUE(object.is_object()) << outcome.text();
  EXPECT_EQ(object["diagnostics"][0]["code"], "E0619") << outcome.text();
  EXPECT_EQ(object["diagnostics"][0]["path"], file);
  EXPECT_EQ(object["diagnostics"][0]["line"], 6) << outcome.text();
  EXPECT_NE(outcome.err.find("error[E0619]: not a number"), std::string::npos) << outcome.text();
}

}  // namespace
}  // namespace rhopsi::exec
