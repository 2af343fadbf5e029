// Looking up rules: names, statements, what is known of them, and for how long.
#include <algorithm>
#include <regex>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

using Json = nlohmann::json;

const char* const wrong =
    "package wrong imports moa.library, definitions.structure;\n"
    "concept Wrong = {\n"
    "  use signature(Structure);\n"
    "  // What is said is not so.\n"
    "  theorem reverseOnce(A: Array, axis: Int) { assert reverse(A, axis) == A; }\n"
    "  theorem reverseTwice(A: Array, axis: Int) { assert reverse(reverse(A, axis), axis) == A; }\n"
    "};\n";

// Nobody else's cache.
class Rules : public testing::Test {
 protected:
  Outcome rules(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "rules");
    return rhopsi(arguments, conditions());
  }
  Conditions conditions() const {
    Conditions own;
    own.environment["RHOPSI_CACHE"] = folder_ / "cache";
    return own;
  }

  const Folder folder_;
};

TEST_F(Rules, EveryAxiomThatVerifyNamesIsListed) {
  const Outcome listed = rules({"list", "--json"});
  ASSERT_EQ(listed.exit_code, 0) << listed.text();
  const Json all = Json::parse(listed.out);
  EXPECT_EQ(all["version"], lines(read(source("rules/VERSION"))).front());
  std::vector<std::string> names;
  for (const Json& each : all["rules"]) {
    EXPECT_FALSE(each["statement"].get<std::string>().empty()) << each;
    EXPECT_TRUE(each["file"].get<std::string>().starts_with("rules/")) << each;
    if (each["kind"] != "operation") names.push_back(each["name"]);
  }
  const Outcome tested = rhopsi({"test", source("rules"), "--values", "1", "--json"}, conditions());
  std::vector<std::string> asked;
  const Json report = Json::parse(tested.out);
  for (const Json& each : report["axioms"]) asked.push_back(each["axiom"]);
  std::ranges::sort(names);
  std::ranges::sort(asked);
  EXPECT_EQ(names, asked);
}

TEST_F(Rules, AnOperationIsShownWithWhatItIs) {
  const Outcome shown = rules({"show", "rotate", "--json"});
  ASSERT_EQ(shown.exit_code, 0) << shown.text();
  const Json all = Json::parse(shown.out)["rules"];
  const auto found = std::ranges::find(all, "definitions.structure.Rotate.rotate",
                                       [](const Json& each) { return each["name"]; });
  ASSERT_NE(found, all.end()) << all;
  EXPECT_EQ((*found)["kind"], "operation");
  EXPECT_TRUE(has((*found)["statement"], "function rotate(A: Array, axis: Int, o: Int): Array"));
  EXPECT_TRUE(has((*found)["comment"], "circularly"));
  EXPECT_EQ((*found)["definitions"][0], "definitions.structure.Rotate.rotateShape");
  const std::vector<std::string> laws = (*found)["laws"];
  EXPECT_TRUE(std::ranges::count(laws, "moa.laws.SameAxis.rotateRotate")) << *found;
  EXPECT_TRUE((*found)["example"]["values"].contains("axis")) << *found;

  const Outcome page = rules({"show", "rotate"});
  EXPECT_TRUE(has(page.out, "operation definitions.structure.Rotate.rotate\n")) << page.out;
  EXPECT_TRUE(has(page.out, "others of that name\n")) << page.out;
}

// What an example says is so: the command itself computes it again.
TEST_F(Rules, AnExampleHolds) {
  const Json whole = Json::parse(rules({"show", "Reductions.sum", "--json"}).out);
  const Json shown = whole["rules"][0];
  const std::string array = shown["example"]["values"]["A"];  // "1 0 2 of shape [3]"
  const auto behind = array.find(" of shape ");
  ASSERT_NE(behind, std::string::npos) << shown;
  std::string elements = array.substr(0, behind);
  std::ranges::replace(elements, ' ', ',');
  const Outcome value =
      rhopsi({"eval", "sum(reshape([" + elements + "], " + array.substr(behind + 10) + "), " +
                          shown["example"]["values"]["axis"].get<std::string>() + ")"});
  const std::string result = shown["example"]["result"];
  EXPECT_EQ(lines(value.out).at(1), result.substr(0, result.find(" of shape"))) << value.text();
}

// Its own concept leaves the types open; a model of it has settled them.
TEST_F(Rules, AGenericRuleHasTheExampleOfAnInstance) {
  const Json all = Json::parse(rules({"show", "moa.dnf.RotateRule.rotateRule", "--json"}).out);
  ASSERT_EQ(all["rules"].size(), 1U) << all;
  EXPECT_TRUE(all["rules"][0].contains("example")) << all;
  std::vector<std::string> instances;
  for (const Json& each : all["rules"][0]["instances"]) instances.push_back(each["name"]);
  EXPECT_TRUE(std::ranges::count(instances, "of.models.DomainHasNormalForms.rotateRule")) << all;
}

TEST_F(Rules, WhatIsKnownIsKnownOfTheseTextsAlone) {
  const std::string file = folder_.write("mine/wrong.mg", wrong);
  const std::string mine = folder_ / "mine";
  const auto status = [&] {
    const Json all = Json::parse(rules({"list", "--rules", mine, "--json"}).out);
    std::string text;
    for (const Json& each : all["rules"]) text += each["status"].get<std::string>() + ";";
    return text;
  };
  EXPECT_EQ(status(), "not verified here;not verified here;");
  const Outcome page = rules({"show", "reverseOnce", "--rules", mine});
  EXPECT_TRUE(has(page.out, "status: not verified here")) << page.out;
  EXPECT_TRUE(has(page.out, "What is said is not so.")) << page.out;

  const Outcome proved = rules({"show", "reverseTwice", "--rules", mine, "--verify"});
  EXPECT_TRUE(has(proved.out, "status: proved, elements: any")) << proved.text();
  EXPECT_EQ(status(), "not verified here;proved;");

  EXPECT_EQ(rhopsi({"verify", mine}, conditions()).exit_code, 1);
  EXPECT_EQ(status(), "refuted;proved;");
  const Outcome refuted = rules({"show", "Wrong.reverseOnce", "--rules", mine});
  EXPECT_TRUE(has(refuted.out, "counterexample\n  for A = ")) << refuted.out;
  EXPECT_TRUE(has(refuted.out, "the left side is ")) << refuted.out;

  folder_.write("mine/wrong.mg", std::string(wrong) + "// A word more.\n");
  EXPECT_EQ(status(), "not verified here;not verified here;");
  folder_.write("mine/wrong.mg", wrong);
  EXPECT_EQ(status(), "refuted;proved;");
  folder_.write("mine/other.mg", "package other;\nconcept Other = { type T; };\n");
  EXPECT_EQ(status(), "not verified here;not verified here;");
}

TEST_F(Rules, ARecordThatWasChangedIsNone) {
  folder_.write("mine/wrong.mg", wrong);
  const std::string mine = folder_ / "mine";
  ASSERT_EQ(rhopsi({"verify", mine}, conditions()).exit_code, 1);
  for (const std::string& name : folder_.names()) {
    if (!name.ends_with("axioms.json")) continue;
    std::string text = read(folder_ / name);
    const auto at = text.find("refuted");
    ASSERT_NE(at, std::string::npos);
    folder_.write(name, text.replace(at, 7, "proved "));
  }
  const Outcome listed = rules({"list", "--rules", mine});
  EXPECT_EQ(listed.out.find("proved"), std::string::npos) << listed.out;
  EXPECT_TRUE(has(listed.out, "not verified here")) << listed.out;
}

TEST_F(Rules, SearchTakesEveryWord) {
  const Outcome found = rules({"search", "reshape RAVEL theorem"});
  EXPECT_EQ(found.exit_code, 0);
  EXPECT_TRUE(has(found.out, "moa.laws.Rearrangements.reshapeRavel")) << found.out;
  EXPECT_FALSE(has(found.out, "transposeTranspose")) << found.out;
  const Outcome none = rules({"search", "nobody-writes-this"});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_EQ(none.out, "");
  EXPECT_TRUE(has(none.err, "no name")) << none.err;
}

TEST_F(Rules, APageShowsAPackage) {
  folder_.write("mine/turns.mg",
                "// Turns *around*.\n"
                "package turns imports moa.library, definitions.structure;\n\n"
                "// What is turned twice is not turned.\n//\n"
                "//   reverse(reverse(A, 0), 0)  =>  A\n"
                "concept Turns = {\n"
                "  use signature(Structure);\n"
                "  theorem twice(A: Array, axis: Int) { assert reverse(reverse(A, axis), axis) == "
                "A; }\n"
                "};\n");
  const std::string mine = folder_ / "mine";
  ASSERT_EQ(rhopsi({"verify", mine}, conditions()).exit_code, 0);
  const Outcome page = rules({"page", "turns", "--rules", mine});
  ASSERT_EQ(page.exit_code, 0) << page.text();
  for (const char* part :
       {"# turns\n\nTurns \\*around\\*.\n\n", "Imports `moa.library`, `definitions.structure`.",
        "## concept Turns\n\nWhat is turned twice is not turned.\n\n    reverse(reverse(A, 0), 0)",
        "```mg\nconcept Turns = {\n", "};\n```\n\n| law | status |",
        "| `twice` | proved, elements: any | `A = "})
    EXPECT_TRUE(has(page.out, part)) << part << page.out;
  EXPECT_TRUE(has(rules({"page", "--rules", mine}).out, "| [turns](turns.md) | Turns \\*around"));
  const Outcome unknown = rules({"page", "turn", "--rules", mine});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_TRUE(has(unknown.err, "E0855") && has(unknown.err, "did you mean 'turns'?"))
      << unknown.text();
}

TEST_F(Rules, MistakesAreExplained) {
  Outcome outcome = rules({"show", "rotateRotat"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(has(outcome.err, "E0855") && has(outcome.err, "did you mean 'rotateRotate'?"))
      << outcome.text();
  outcome = rules({"serch", "x"});
  EXPECT_TRUE(has(outcome.err, "E0810") && has(outcome.err, "'search'")) << outcome.text();
  EXPECT_EQ(rules({"show"}).exit_code, 1);
  EXPECT_EQ(rules({"list", "--verify"}).exit_code, 1);
  outcome = rules({"list", "--rules", folder_ / "nowhere"});
  EXPECT_TRUE(has(outcome.err, "E0804")) << outcome.text();
  EXPECT_EQ(outcome.exit_code, 1);
}

TEST_F(Rules, TheirVersionIsNamed) {
  const std::string number = lines(read(source("rules/VERSION"))).front();
  EXPECT_TRUE(std::regex_match(number, std::regex("[0-9]+\\.[0-9]+\\.[0-9]+"))) << number;
  const std::string version = "rules " + number + " (";
  EXPECT_TRUE(has(rhopsi({"--version"}).out, version));
  EXPECT_TRUE(rules({"list"}).out.starts_with(version));
}

}  // namespace
}  // namespace rhopsi::exec
