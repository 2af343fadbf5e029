// The parts of the driver that need no program.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "backends/io/checkpoint_file.hpp"
#include "backends/io/npy.hpp"
#include "frontend/driver/declared.hpp"
#include "frontend/driver/entries.hpp"
#include "frontend/driver/folder.hpp"
#include "frontend/driver/generated_inputs.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/driver/nearest.hpp"
#include "frontend/driver/places.hpp"
#include "frontend/driver/request.hpp"
#include "frontend/driver/rewritten.hpp"

namespace rhopsi::driver {
namespace {

namespace fs = std::filesystem;

TEST(Nearest, FindsSlips) {
  const std::vector<std::string> names = {"check", "rewrite", "emit", "run"};
  EXPECT_EQ(nearest("chekc", names), "check");
  EXPECT_EQ(nearest("rewrit", names), "rewrite");
  EXPECT_EQ(nearest("RUN", names), "run");
  EXPECT_EQ(nearest("normalise", names), std::nullopt);
  EXPECT_EQ(nearest("", {}), std::nullopt);
}

TEST(Declared, ModulesOfTheLibraryAreFound) {
  EXPECT_EQ(declared_in_library("sum"), "`Expressions` of package moa.library");
  EXPECT_NE(declared_in_library("rotateIxPadded").find("package backend.kokkos"),
            std::string::npos);
  EXPECT_NE(declared_in_library("ix1").find("(rhopsi rules show ix1)"), std::string::npos);
  EXPECT_EQ(declared_in_library("nobodyDeclaresThis"), "");
}

TEST(Nearest, SuggestsOrLists) {
  EXPECT_EQ(suggest("dnf", {"DNF", "Base"}, ""), "did you mean 'DNF'?");
  EXPECT_EQ(suggest("xyz", {"DNF", "Base"}, ""), "there are: DNF and Base");
  EXPECT_EQ(suggest("xyzzy", {"DNF"}, ""), "there is only DNF");
  EXPECT_EQ(suggest("xyz", {}, "none"), "none");
  EXPECT_EQ(enumerate({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(suggest("xyz", {"alpha", "xyabcd", "bbbb", "c"}, "", 2),
            "there are: c, xyabcd and 2 others");
  EXPECT_EQ(suggest("xyz", {"alpha", "b"}, "", 2), "there are: b and alpha");
  EXPECT_EQ(enumerate({"a", "b", "c"}, 2), "a, b and 1 other");
}

TEST(Request, Shapes) {
  syntax::Diagnostics diagnostics;
  EXPECT_EQ(read_shape("20,24,28", diagnostics), (std::vector<std::int64_t>{20, 24, 28}));
  EXPECT_EQ(read_shape("1", diagnostics), (std::vector<std::int64_t>{1}));
  EXPECT_FALSE(diagnostics.has_errors());
  for (const char* wrong : {"", ",", "1,", "1,,2", "0", "-1", "1.5", "3x4", " 3", "1,2,3,4,5,6,7",
                            "4000000000,4000000000", "99999999999999999999"}) {
    syntax::Diagnostics refused;
    EXPECT_EQ(read_shape(wrong, refused), std::nullopt) << wrong;
    EXPECT_TRUE(refused.has_errors()) << wrong;
  }
}

TEST(Request, NumbersAreWholeWords) {
  syntax::Diagnostics diagnostics;
  EXPECT_EQ(read_number("--set x", "-1.5e-3", diagnostics), -1.5e-3);
  EXPECT_EQ(read_number("--set x", "true", diagnostics), 1.0);
  EXPECT_FALSE(diagnostics.has_errors());
  for (const char* wrong : {"", "1x", "nan", "inf", "1e999", "0x10", "1,5"}) {
    EXPECT_EQ(read_number("--set x", wrong, diagnostics), std::nullopt) << wrong;
  }
}

TEST(Request, PairsKeepWhatFollowsTheFirstEquals) {
  syntax::Diagnostics diagnostics;
  const auto pairs = read_pairs("--in", {"u=a=b.npy", "v=c"}, diagnostics);
  ASSERT_TRUE(pairs);
  EXPECT_EQ(pairs->at(0).name, "u");
  EXPECT_EQ(pairs->at(0).value, "a=b.npy");
  EXPECT_EQ(read_pairs("--in", {"u=a", "u=b"}, diagnostics), std::nullopt);
  EXPECT_EQ(read_pairs("--in", {"=a", "u=", "u"}, diagnostics), std::nullopt);
  EXPECT_EQ(diagnostics.error_count(), 4U);
}

TEST(Rewritten, PackageNamesAreLegal) {
  EXPECT_EQ(package_name("3DPadded"), "3DPadded");
  EXPECT_EQ(package_name("my program-2.x"), "my_program_2_x");
  EXPECT_EQ(package_name(""), "rewritten");
}

TEST(Locations, TheSearchPathKeepsItsOrder) {
  ::setenv("RHOPSI_PATH", "first::second", 1);
  const auto folders = search_path({"given"});
  ::unsetenv("RHOPSI_PATH");
  ASSERT_EQ(folders.size(), 4U);
  EXPECT_EQ(folders[0], "given");
  EXPECT_EQ(folders[1], "first");
  EXPECT_EQ(folders[2], "second");
  EXPECT_EQ(folders[3], rule_library().string());
}

TEST(Locations, PathsAreShownAsTheirReadersKnowThem) {
  EXPECT_EQ(shown_path((rule_library() / "moa" / "dnf.mg").string()), "rules/moa/dnf.mg");
  EXPECT_EQ(shown_path((rule_library() / ".." / "rules" / "of" / "a.mg").string()),
            "rules/of/a.mg");
  EXPECT_EQ(shown_path("a/b.mg"), "a/b.mg");
  EXPECT_EQ(shown_path("./a/b.mg"), "a/b.mg");
  EXPECT_EQ(shown_path((fs::current_path() / "a" / "b.mg").string()), "a/b.mg");
  EXPECT_EQ(shown_path("/x.mg"), "/x.mg");
  EXPECT_EQ(shown_path(rule_library().string() + "-of-others/x.mg").find("rules/"),
            std::string::npos);
}

class Folders : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "rhopsi-driver-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root = name;
  }
  void TearDown() override { fs::remove_all(root); }

  std::string text(const std::string& name) const {
    std::ifstream file(root / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

  fs::path root;
  syntax::Diagnostics diagnostics;
};

TEST_F(Folders, APlaceIsTheWordThatStandsThere) {
  std::ofstream(root / "a.mg") << "package a;\n  \xc3\xa9t\xc3\xa9 = f(x);\n";
  Places places;
  const auto span = places.span({(root / "a.mg").string(), 2, 7});
  ASSERT_TRUE(span.file);
  EXPECT_EQ(span.file->text().substr(span.begin, span.end - span.begin), "=");
  const auto word = places.span({(root / "a.mg").string(), 2, 3});
  EXPECT_EQ(word.file->text().substr(word.begin, word.end - word.begin), "\xc3\xa9t\xc3\xa9");
  EXPECT_FALSE(places.span({(root / "none.mg").string(), 1, 1}).file);
  EXPECT_FALSE(places.span({}).file);
  EXPECT_TRUE(places.span({(root / "a.mg").string(), 99, 99}).file);
}

TEST_F(Folders, AreUpdatedFileByFile) {
  const std::string folder = (root / "out/").string();
  ASSERT_TRUE(write_folder(folder, {{"a", "1"}, {"deep/b", "2"}}, false, diagnostics));
  EXPECT_EQ(text("out/deep/b"), "2");
  std::ofstream(root / "out/mine") << "kept";
  ASSERT_TRUE(write_folder(folder, {{"a", "3"}, {"c", "4"}}, false, diagnostics));
  EXPECT_EQ(text("out/a"), "3");
  EXPECT_EQ(text("out/c"), "4");
  EXPECT_EQ(text("out/mine"), "kept");
  EXPECT_FALSE(fs::exists(root / "out/deep/b"));
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST_F(Folders, AnEditedListCannotLeadOutOfTheFolder) {
  const std::string folder = (root / "out").string();
  std::ofstream(root / "outside") << "kept";
  ASSERT_TRUE(write_folder(folder, {{"a", "1"}}, false, diagnostics));
  std::ofstream(root / "out/.rhopsi-folder") << "../outside\n"
                                             << (root / "outside").string() << "\n";
  ASSERT_TRUE(write_folder(folder, {{"a", "2"}}, false, diagnostics));
  EXPECT_EQ(text("outside"), "kept");
}

// What is read has the rank of its file, or of the checkpoint.
TEST_F(Folders, TellTheRanksOfInputs) {
  const auto path = [&](const std::string& name) { return (root / name).string(); };
  const double number = 1;
  io::write_npy(path("a.npy"), {1, 1}, &number);
  io::write_npy(path("s.npy"), {}, &number);
  Entry entry;
  const onf::Representation array{onf::Representation::Kind::array, onf::Scalar::float64, {}};
  entry.arguments = {{"a", array, true, false},
                     {"s", array, true, false},
                     {"u", array, true, true},
                     {"w", array, false, true},
                     {"n", {}, true, false}};
  RunRequest request;
  request.inputs = {{"a", path("a.npy")},
                    {"s", path("s.npy")},
                    {"w", path("a.npy")},
                    {"u", path("none.npy")},
                    {"n", path("a.npy")}};
  EXPECT_EQ(ranks_of(request, entry), (std::map<std::string, std::size_t>{{"a", 2}, {"s", 0}}));
  io::Checkpoint state{"p", "step", 1, {}, {}, {}};
  state.arrays = {{"u", "float64", 0, {}, std::vector<std::int64_t>{0, 2, 3}}};
  state.write(path("state"));
  request.restart = path("state");
  EXPECT_EQ(ranks_of(request, entry),
            (std::map<std::string, std::size_t>{{"a", 2}, {"s", 0}, {"u", 3}}));
}

TEST_F(Folders, HoldGeneratedInputsForAWhile) {
  std::vector<Pair> inputs = {{"a", "iota:2,0"}, {"b", "iota:2:1.5"}, {"c", "c.npy"}};
  std::string made;
  {
    GeneratedInputs generated;
    generated.write(inputs, diagnostics);
    made = inputs[1].value;
    EXPECT_EQ(io::read_npy_header(inputs[0].value).shape, (std::vector<std::int64_t>{2, 0}));
    EXPECT_EQ(io::read_npy<double>(made).data, (std::vector<double>{1.5, 2.5}));
    EXPECT_EQ(inputs[2].value, "c.npy");
    EXPECT_FALSE(diagnostics.has_errors());
    inputs = {{"a", "iota:-1"}};
    generated.write(inputs, diagnostics);
    EXPECT_EQ(diagnostics.all().front().code, "E0810");
  }
  EXPECT_FALSE(fs::exists(made));
}

TEST_F(Folders, WithoutAParentAreRefused) {
  EXPECT_FALSE(write_folder((root / "no/such/out").string(), {{"a", "1"}}, false, diagnostics));
  EXPECT_EQ(diagnostics.all().front().code, "E0830");
  EXPECT_TRUE(fs::is_empty(root));
}

}  // namespace
}  // namespace rhopsi::driver
