// Reals in another order than the one written: where a run asks for it, or the program lets it be.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

const std::string burgers = source("specs/burgers/burgers.mg");

// Long enough for blocks on all threads.
const Shape shape{300, 401};

class Reassociate : public testing::Test {
 protected:
  static std::string text(const std::string& package, const std::string& uses) {
    return "package " + package +
           " imports moa.library, backend.kokkos;\n"
           "program Sums = implement Expressions in {\n"
           "  use Expressions;\n" +
           uses +
           "  procedure total(obs A: Array, out C: Array) guard dim(A) == 2 {\n"
           "    C = sum(sum(A, 1), 0);\n"
           "  };\n"
           "};\n";
  }

  struct Result {
    double sum = 0;
    bool reassociated = false;
  };
  Result run(const std::string& file, const std::vector<std::string>& options) {
    std::vector<std::string> words{"run",     file,    "-p",       "Sums",   "--in",
                                   "A=" + in, "--out", "C=" + out, "--json", "--quiet"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = rhopsi(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    const auto object = nlohmann::json::parse(outcome.out, nullptr, false);
    const bool said = object.is_object() && object.value("reassociate", false);
    const io::NpyArray<double> read = io::read_npy<double>(out);
    return {read.data.at(0), said};
  }

  const Folder folder;
  const std::string in = folder / "A.npy";
  const std::string out = folder / "C.npy";
};

TEST_F(Reassociate, ByTheRunOrByTheProgram) {
  const std::vector<double> values = random_values(shape, 7);
  io::write_npy(in, shape, values.data());
  double magnitudes = 0;
  for (double each : values) magnitudes += std::abs(each);
  const double bound =
      2 * static_cast<double>(values.size()) * std::numeric_limits<double>::epsilon() * magnitudes;
  const std::string strict = folder.write("strict.mg", text("strict", ""));
  const std::string free = folder.write("free.mg", text("free", "  use Reassociation;\n"));
  const double wanted = run(strict, {"--backend", "reference"}).sum;

  const Result as_written = run(strict, {});
  EXPECT_FALSE(as_written.reassociated);
  EXPECT_EQ(as_written.sum, wanted);
  const Result asked = run(strict, {"--reassociate"});
  EXPECT_TRUE(asked.reassociated);
  EXPECT_NEAR(asked.sum, wanted, bound);
  const Result allowed = run(free, {});
  EXPECT_TRUE(allowed.reassociated);
  EXPECT_EQ(allowed.sum, asked.sum);  // one program, and one order whatever the threads do
  EXPECT_EQ(run(free, {"--backend", "reference"}).sum, wanted);
  const Result checked = run(free, {"--checked"});
  EXPECT_FALSE(checked.reassociated);
  EXPECT_EQ(checked.sum, wanted);
}

TEST_F(Reassociate, IsTheDefaultOfAnEmittedFolder) {
  const std::string line = "set(RHOPSI_FAST_MATH ON CACHE BOOL";
  const auto emitted = [&](const std::string& uses, const std::vector<std::string>& options) {
    const std::string file = folder.write("sums.mg", text("sums", uses));
    std::vector<std::string> words{"emit",   file, "-p", "Sums",
                                   "--rank", "2",  "-o", folder / "emitted"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = rhopsi(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return read(folder / "emitted/CMakeLists.txt").find(line) != std::string::npos;
  };
  EXPECT_FALSE(emitted("", {}));
  EXPECT_TRUE(emitted("", {"--reassociate"}));
  EXPECT_TRUE(emitted("  use Reassociation;\n", {}));
  EXPECT_FALSE(emitted("  use Reassociation;\n", {"--checked"}));
}

// Factors are taken out of the sums of equation (8) in three dimensions.
TEST_F(Reassociate, FactorsAreTakenOutWhereThatIsFaster) {
  const Shape sides{9, 7, 6};
  std::vector<std::string> words{"run",  burgers,   "-p",       "DNF", "--entry",
                                 "step", "--quiet", "--repeat", "3"};
  for (const char* each : {"nu=0.1", "dt=0.01", "dx=0.5", "dy=0.4", "dz=0.3"})
    words.insert(words.end(), {"--set", each});
  for (const std::string name : {"u", "v", "w"}) {
    const std::string path = random_field(folder, name, sides, unsigned(name[0]));
    words.insert(words.end(), {"--in", name + "=" + path});
  }
  const auto result = [&](const std::string& name, const std::vector<std::string>& options) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--out", "v=" + (folder / name)});
    all.insert(all.end(), options.begin(), options.end());
    const Outcome outcome = rhopsi(all);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return folder / name;
  };
  const std::string expected = result("expected.npy", {"--backend", "reference"});
  // Of three steps: some fifty numbers each, none of them larger than 4.
  const double bound = 3 * 2 * 50 * std::numeric_limits<double>::epsilon() * 50 * 4;
  EXPECT_LE(difference(result("v.npy", {"--reassociate", "--schedule", "auto"}), expected), bound);
  const Outcome explained = rhopsi({"explain", burgers, "-p", "DNF", "-f", "step", "--schedule",
                                    "auto", "--shape", "9,7,6", "--reassociate"});
  EXPECT_NE(explained.out.find("48 operations an element => 27 operations an element"),
            std::string::npos)
      << explained.text();
}

// Who builds the folder otherwise would get neither the order of the program nor a word.
TEST_F(Reassociate, AFolderWithFactorsTakenOutSaysSo) {
  const auto header = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words{
        "emit", burgers, "-p", "DNF", "--schedule", "auto", "-o", folder / "emitted", "--force"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = rhopsi(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return read(folder / "emitted/DNF.hpp");
  };
  const std::string guard = "#ifndef RHOPSI_REASSOCIATES\n#error";
  EXPECT_NE(header({"--reassociate"}).find(guard), std::string::npos);
  EXPECT_EQ(header({}).find(guard), std::string::npos);
}

TEST_F(Reassociate, IsRefusedWhereItHasNoMeaning) {
  const std::string file = folder.write("sums.mg", text("sums", ""));
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--checked"}, {"--backend", "reference"}}) {
    std::vector<std::string> words{"run", file, "-p", "Sums", "--shape", "2,2", "--reassociate"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = rhopsi(words);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    EXPECT_NE(outcome.err.find("E0810"), std::string::npos) << outcome.text();
    EXPECT_NE(outcome.err.find("--reassociate"), std::string::npos) << outcome.text();
  }
}

}  // namespace
}  // namespace rhopsi::exec
