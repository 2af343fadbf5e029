#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

class Emit : public testing::Test {
 protected:
  Outcome emit(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {
        "emit", source("specs/smooth/smooth.mg"), "-p", "DNF", "--rank", "2", "-o", target};
    words.insert(words.end(), more.begin(), more.end());
    return rhopsi(words);
  }

  const Folder folder;
  const std::string target = folder / "smooth";
};

TEST_F(Emit, WritesACompleteFolder) {
  const Outcome outcome = emit();
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  const auto names = folder.names();
  for (const char* name : {"smooth/CMakeLists.txt", "smooth/main.cpp", "smooth/rhopsi_shim.hpp"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
  // Nothing of the work aside is left.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST_F(Emit, EveryStageIsPrinted) {
  const auto printed = [&](const std::string& file, const std::string& stage) {
    const Outcome outcome =
        rhopsi({"emit", file, "-p", "DNF", "--rank", "2", "--emit", stage, "-I", source("")});
    EXPECT_EQ(outcome.exit_code, 0) << stage << "\n" << outcome.text();
    return outcome.out;
  };
  const std::string smooth = source("specs/smooth/smooth.mg");
  // The tree parses to itself.
  const std::string ast = printed(smooth, "ast");
  EXPECT_NE(ast.find("program DNF = {"), std::string::npos) << ast;
  EXPECT_EQ(printed(folder.write("specs/smooth/smooth.mg", ast), "ast"), ast);
  // Terms are those before the first rule, which rotate whole arrays; the normal form does not.
  const std::string terms = printed(smooth, "terms");
  const std::size_t element = terms.find("smoothIx(Array, Index): Real = ");
  ASSERT_NE(element, std::string::npos) << terms;
  EXPECT_NE(terms.substr(element, terms.find('\n', element) - element).find("rotate(a"),
            std::string::npos)
      << terms;
  const std::string dnf = printed(smooth, "dnf"), normal = "psi(rotateIx(ix, 0, -1), a)";
  EXPECT_EQ(terms.find(normal), std::string::npos) << terms;
  EXPECT_NE(dnf.find(normal), std::string::npos) << dnf;
  const Outcome checked = rhopsi({"check", folder.write("DNF.mg", dnf), "-I", source("")});
  EXPECT_EQ(checked.exit_code, 0) << checked.text();
  for (const auto& [stage, part] : std::vector<std::pair<std::string, std::string>>{
           {"onf", "procedure step("}, {"schedule", "\nsteps\n"}, {"cxx", "struct DNF {"}}) {
    EXPECT_NE(printed(smooth, stage).find(part), std::string::npos) << stage;
  }
  const Outcome unknown = emit({"--emit", "assembler"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_NE(unknown.err.find("E0810"), std::string::npos) << unknown.text();
}

TEST_F(Emit, AgainKeepsWhatDidNotChangeAndWhatIsNotIts) {
  ASSERT_EQ(emit().exit_code, 0);
  const auto time = std::filesystem::last_write_time(target + "/main.cpp");
  std::filesystem::create_directory(target + "/build");
  std::ofstream(target + "/build/mine") << "kept";
  std::ofstream(target + "/CMakeLists.txt") << "changed by hand";
  ASSERT_EQ(emit().exit_code, 0);
  EXPECT_EQ(std::filesystem::last_write_time(target + "/main.cpp"), time);
  EXPECT_EQ(read(target + "/build/mine"), "kept");
  EXPECT_NE(read(target + "/CMakeLists.txt"), "changed by hand");
}

TEST_F(Emit, AForeignFolderIsRefusedWithoutForce) {
  folder.write("smooth/letter.txt", "dear reader");
  const Outcome outcome = emit();
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("E0831"), std::string::npos) << outcome.text();
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"smooth", "smooth/letter.txt"}));
  EXPECT_EQ(emit({"--force"}).exit_code, 0);
  EXPECT_EQ(read(folder / "smooth/letter.txt"), "dear reader");
}

TEST_F(Emit, AFullDiskLeavesNothing) {
  Conditions full;
  full.largest_file = 1000;
  const Outcome outcome = rhopsi(
      {"emit", source("specs/smooth/smooth.mg"), "-p", "DNF", "--rank", "2", "-o", target}, full);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_NE(outcome.err.find("E0832"), std::string::npos) << outcome.text();
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(Emit, APlaceThatIsNoFolder) {
  folder.write("smooth", "a file");
  EXPECT_EQ(emit().exit_code, 1);
  EXPECT_EQ(read(target), "a file");
}

TEST_F(Emit, RankAndShapeMustAgree) {
  const Outcome outcome = emit({"--shape", "8,8,8"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("E0816"), std::string::npos) << outcome.text();
}

// Compilers warn of what is not used and does not say so.
TEST_F(Emit, WhatNothingReadsSaysSo) {
  const std::string file =
      folder.write("unread.mg",
                   "package unread imports moa.library;\n"
                   "program P = implement Expressions in {\n"
                   "  use Expressions;\n"
                   "  procedure p(upd u: Array, obs f: Array, obs q: Number, obs s: Number,\n"
                   "    obs r: Number)\n"
                   "    guard dim(u) == 2 && dim(f) == 2 {\n"
                   "    var t: Number = s;\n"
                   "    u = array(r) * u;\n"
                   "  };\n"
                   "};\n");
  const auto printed = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"emit", file, "-p", "P", "--emit", "cxx"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = rhopsi(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    std::string text;
    for (const char c : outcome.out) {
      if (c != ' ' && c != '\n') text += c;
    }
    return text;
  };
  const std::string any = printed({});
  EXPECT_NE(any.find("[[maybe_unused]]rhopsi::Field<double,2>f,[[maybe_unused]]doubleq,doubles,"
                     "doubler)const{"),
            std::string::npos)
      << any;
  EXPECT_NE(any.find(";[[maybe_unused]]doublet{};"), std::string::npos) << any;
  const std::string one = printed({"--shape", "20,20"});
  EXPECT_NE(one.find("rhopsi::Field<double,2>f,[[maybe_unused]]doubleq,doubles,doubler)const{"),
            std::string::npos)
      << one;
}

// Each of several arrays is asked for by another stage, of the same rows a plane later.
TEST_F(Emit, ArraysAreAskedForByStagesInTurns) {
  const Outcome outcome =
      rhopsi({"emit", source("specs/burgers/paper.mg"), "-p", "3DPadded", "--emit", "cxx",
              "--schedule", "specs.burgers.recipes.tiled_sweep"});
  for (const char* const asks :
       {"u0_at.plane(slab, tile, slab.within(i + 2))", "fetch.row(n2, u0_next, u1_next)",
        "u2_at.plane(slab, tile, slab.within(i + 3))", "u2_next_plane.row(j + 1)",
        "fetch.row(n2, u2_next)"})
    EXPECT_NE(outcome.out.find(asks), std::string::npos) << asks << "\n" << outcome.text();
}

// What is asked for ahead goes along long rows in strips; what a strip does is inside of it.
TEST_F(Emit, BodiesOfLoopsStandBehindTheirHeads) {
  const std::string file = folder.write("ahead.mg",
                                        "package ahead imports moa.library;\n"
                                        "program P = implement Expressions in {\n"
                                        "  use Expressions;\n"
                                        "  procedure p(upd u: Array) guard dim(u) == 2 {\n"
                                        "    var t = u + rotate(u, 0, 1);\n"
                                        "    u = t - rotate(t, 1, -1);\n"
                                        "  };\n"
                                        "};\n");
  const Outcome outcome = rhopsi(
      {"emit", file, "-p", "P", "--emit", "cxx", "--shape", "300,300", "--schedule", "full"});
  ASSERT_NE(outcome.out.find("fetch.strip("), std::string::npos) << outcome.text();
  std::istringstream lines(outcome.out);
  std::string head;
  for (std::string line; std::getline(lines, line); head = line) {
    const std::size_t at = head.find_first_not_of(' ');
    if (at == std::string::npos || !head.substr(at).starts_with("for (") || !head.ends_with(" {"))
      continue;
    EXPECT_EQ(line.find_first_not_of(' '), at + 2) << head << "\n" << line;
  }
}

// The threads of a device compute what a fold to a number reads, and no host element by element.
TEST_F(Emit, FoldsToANumberAreOfADevicesThreads) {
  const std::string file =
      folder.write("total.mg",
                   "package total imports moa.library;\n"
                   "program P = implement Expressions in {\n"
                   "  use Expressions;\n"
                   "  procedure p(obs u: Array, out m: Number, out s: Number)\n"
                   "    guard dim(u) == 2 {\n"
                   "    m = psi([], maximum(ravel(abs(u)), 0));\n"
                   "    s = psi([], sum(ravel(u * u), 0));\n"
                   "  };\n"
                   "};\n");
  const auto text = [&](const std::string& device) {
    return rhopsi({"emit", file, "-p", "P", "--emit", "cxx", "--target", device}).out;
  };
  const std::string cuda = text("cuda"), openmp = text("openmp");
  for (const char* const by : {"maximum", "add"}) {
    const std::string call =
        std::string("rhopsi::fold_on_device<double, rhopsi::fold_by::") + by + ">(";
    EXPECT_NE(cuda.find(call), std::string::npos) << cuda;
    EXPECT_EQ(openmp.find(call), std::string::npos) << openmp;
  }
  EXPECT_EQ(cuda.find("u.element("), std::string::npos) << cuda;
  // Indices of a team's elements are within the domain as they are.
  const std::string wave =
      rhopsi({"emit", source("specs/wave/wave.mg"), "-p", "Wave", "--entry", "step", "--emit",
              "cxx", "--target", "cuda", "--shape", "1024,1024"})
          .out;
  EXPECT_NE(wave.find("here.index(0)"), std::string::npos) << wave;
  EXPECT_EQ(wave.find("euclid_mod"), std::string::npos) << wave;
}

// The kernels of a padded program are those of the one without.
TEST_F(Emit, PadsChangeNothingForADevice) {
  const auto kernels = [&](const std::string& program, const std::string& shape) {
    const Outcome outcome = rhopsi({"emit", source("specs/burgers/paper.mg"), "-p", program,
                                    "--entry", "step", "--emit", "cxx", "--target", "cuda",
                                    "--schedule", "auto", "--dtype", "float", "--shape", shape});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    const std::size_t begin = outcome.out.find("\nstruct n" + program + " {\n");
    EXPECT_NE(begin, std::string::npos) << outcome.out;
    return begin == std::string::npos ? "" : outcome.out.substr(outcome.out.find('{', begin));
  };
  for (const char* const shape : {"512,512,512", "96,128,200"}) {
    const std::string plain = kernels("3D", shape);
    EXPECT_NE(plain.find("rhopsi::TeamRing<"), std::string::npos) << plain;
    EXPECT_EQ(kernels("3DPadded", shape), plain);
  }
}

}  // namespace
}  // namespace rhopsi::exec
