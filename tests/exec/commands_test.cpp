// The commands for everyday use: new, doctor, completion.
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

TEST(New, MakesAProjectThatIsChecked) {
  const Folder folder;
  Conditions here;
  here.folder = folder.path();
  ASSERT_EQ(rhopsi({"new", "ripple"}, here).exit_code, 0);
  here.folder = folder / "ripple";
  const Outcome checked = rhopsi({"check", "ripple.mg"}, here);
  EXPECT_EQ(checked.exit_code, 0) << checked.text();
  const Outcome form =
      rhopsi({"eval", "average(A, 0)", "--with", "ripple.mg", "--in", "A=iota:3,1:0"}, here);
  EXPECT_EQ(form.out, "shape: 3 1\n0.5 1.5 1\n") << form.text();
}

TEST(New, LosesNothing) {
  const Folder folder;
  Conditions here;
  here.folder = folder.path();
  folder.write("ripple/mine", "kept");
  const Outcome refused = rhopsi({"new", "ripple"}, here);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("E0831"), std::string::npos) << refused.text();
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"ripple", "ripple/mine"}));
  for (const char* name : {"9x", "Ripple", "a-b", "../up", "a b", ""}) {
    const Outcome named = rhopsi({"new", name}, here);
    EXPECT_EQ(named.exit_code, 1) << name;
    EXPECT_NE(named.err.find("E0810"), std::string::npos) << named.text();
  }
  // No folder of emit's, which would feel free to remove files from it.
  ASSERT_EQ(rhopsi({"new", "fresh"}, here).exit_code, 0);
  const Outcome emitted =
      rhopsi({"emit", source("specs/smooth/smooth.mg"), "-p", "DNF", "-o", "fresh"}, here);
  EXPECT_NE(emitted.err.find("E0831"), std::string::npos) << emitted.text();
}

TEST(Doctor, NamesWhatIsThereAndWhatIsMissing) {
  const Outcome outcome = rhopsi({"doctor"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  for (const char* what : {"rules ", "Z3 ", "CMake ", "Kokkos ", "C++ compiler "})
    EXPECT_NE(outcome.out.find(what), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("MISSING"), std::string::npos) << outcome.out;

  Conditions bare;
  bare.environment["CXX"] = "no-such-compiler";
  const Outcome without = rhopsi({"doctor"}, bare);
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_NE(without.out.find("C++ compiler"), std::string::npos);
  EXPECT_NE(without.out.find("MISSING: install g++"), std::string::npos) << without.out;
}

TEST(Doctor, ACacheThatCannotBeMade) {
  const Folder folder;
  Conditions bad;
  bad.environment["RHOPSI_CACHE"] = folder.write("file", "no folder") + "/cache";
  const Outcome outcome = rhopsi({"doctor"}, bad);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_NE(outcome.out.find("cannot be written: set RHOPSI_CACHE"), std::string::npos);
}

TEST(Doctor, AKokkosThatIsNotWhereItIsSaidToBe) {
  const Folder folder;
  Conditions wrong;
  wrong.environment["Kokkos_ROOT"] = folder / "nothing";
  const Outcome outcome = rhopsi({"doctor"}, wrong);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_NE(outcome.out.find("nothing', which Kokkos_ROOT names, holds no Kokkos installation"),
            std::string::npos)
      << outcome.out;
  const Outcome run = rhopsi({"eval", "A + 1", "--in", "A=iota:3", "--backend", "kokkos"}, wrong);
  EXPECT_EQ(run.exit_code, 1) << run.text();
  EXPECT_NE(run.err.find("error[E0701]"), std::string::npos) << run.text();
}

// A shell completes what the command itself has.
// A script finds an object after a failure too, whatever the failure is.
TEST(Json, IsThereAfterAFailure) {
  const Folder folder;
  const std::string none = folder / "none.mg";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"check"},
                                                {"check", none},
                                                {"check", none, "--unknown"},
                                                {"run", none, "-p", "P"},
                                                {"run", none},
                                                {"eval"},
                                                {"eval", "A +"},
                                                {"analyze"},
                                                {"analyze", "--trs", none},
                                                {"verify", none},
                                                {"verify", none, "--timeout", "x"},
                                                {"test", none},
                                                {"trust", none, "-p", "P"},
                                                {"rules", "show", "tke"},
                                                {"rules", "list", "--rules", none},
                                                {"rules", "lst"},
                                                {"explain-error", "E9"}}) {
    std::vector<std::string> asking = words;
    asking.emplace_back("--json");
    const Outcome outcome = rhopsi(asking);
    EXPECT_EQ(outcome.exit_code, 1) << words[0] << outcome.text();
    const auto object = nlohmann::json::parse(outcome.out, nullptr, false);
    ASSERT_TRUE(object.is_object()) << words[0] << outcome.text();
    EXPECT_EQ(object.at("errors"), 1) << words[0] << outcome.text();
    EXPECT_EQ(rhopsi(words).out, "") << words[0];
  }
}

TEST(CommandLine, FlagsTakeNoValues) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"eval", "1", "--json=3"},
                                                {"eval", "1", "--json=false"},
                                                {"rules", "list", "--json=1"}}) {
    const Outcome outcome = rhopsi(words);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    EXPECT_NE(outcome.err.find("E0810"), std::string::npos) << outcome.text();
    EXPECT_NE(outcome.err.find("--json takes no value"), std::string::npos) << outcome.text();
  }
}

// What the command goes on without.
TEST(CommandLine, AFolderThatIsNotThereIsTold) {
  const Folder folder;
  const std::string file = folder.write("a.mg", "package a;\nsignature S = { type T; };\n");
  const Outcome outcome = rhopsi({"check", file, "-I", folder / "none"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_NE(outcome.err.find("warning[E0810]: -I " + folder / "none" + ": no such folder"),
            std::string::npos)
      << outcome.text();
  EXPECT_EQ(rhopsi({"check", file, "-I", folder.path().string()}).err, "");
}

TEST(CommandLine, ALimitOfTheCacheThatIsNoSizeIsTold) {
  const auto errors_with = [](const std::string& limit) {
    Conditions conditions;
    conditions.environment["RHOPSI_CACHE_LIMIT"] = limit;
    return rhopsi({"run", "none.mg", "-p", "P"}, conditions).err;
  };
  for (const char* const wrong : {"abc", "-1", "1.5G", "2x", "99999999999999999999"}) {
    EXPECT_NE(errors_with(wrong).find("warning[E0810]: RHOPSI_CACHE_LIMIT="), std::string::npos)
        << wrong;
  }
  for (const char* const right : {"", "0", "4096", "2G"}) {
    EXPECT_EQ(errors_with(right).find("RHOPSI_CACHE_LIMIT"), std::string::npos) << right;
  }
}

TEST(Completion, OfBash) {
  const Folder folder;
  const std::string script = folder.write("script", rhopsi({"completion", "bash"}).out);
  const auto completed = [&](const std::string& words, int at) {
    return execute("bash", {"-c", "source " + script + "; COMP_WORDS=(" + words + "); COMP_CWORD=" +
                                      std::to_string(at) + "; _rhopsi; echo \"${COMPREPLY[*]}\""})
        .out;
  };
  EXPECT_EQ(completed("rhopsi ve", 1), "verify\n");
  EXPECT_EQ(completed("rhopsi emit --pyt", 2), "--python\n");
  EXPECT_EQ(completed("rhopsi emit x.mg --ra", 3), "--rank\n");
  EXPECT_EQ(completed("rhopsi emit fi", 2), "\n");
  EXPECT_EQ(completed("rhopsi rules s", 2), "show search\n");
  EXPECT_EQ(completed("rhopsi rules show s", 3), "\n");
  EXPECT_EQ(completed("rhopsi completion z", 2), "zsh\n");
}

TEST(Completion, NamesEveryCommandAndNoOther) {
  for (const char* kind : {"bash", "zsh", "man"}) {
    const Outcome outcome = rhopsi({"completion", kind});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    for (const char* command : {"check", "rewrite", "emit", "run", "eval", "verify", "doctor"})
      EXPECT_NE(outcome.out.find(command), std::string::npos) << kind;
  }
  EXPECT_EQ(rhopsi({"completion", "fish"}).exit_code, 1);
}

}  // namespace
}  // namespace rhopsi::exec
