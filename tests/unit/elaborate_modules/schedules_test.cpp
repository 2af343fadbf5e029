#include "tests/unit/elaborate_modules/fixture.hpp"

namespace rhopsi::elaborate {
namespace {

class Schedules : public Modules {
 protected:
  // The recipe of that name for a program of package p, as text; its messages where there is none.
  std::string recipe(const std::string& name, const std::string& program = "P") {
    const auto found = workspace->schedule("p", program, name, diagnostics);
    return found ? to_string(*found) : messages();
  }
};

constexpr const char* programs =
    "program P = { predicate f() = TRUE(); predicate g() = TRUE(); predicate step() = TRUE(); };\n"
    "program Q = { predicate f() = TRUE(); };\n";

TEST_F(Schedules, StepsComeInOrderWithTheirBounds) {
  accept(std::string(programs) +
         "schedule s for P on f = { drop; require fuse(max_values = 2); pipeline; "
         "bind(to = nested); };");
  EXPECT_EQ(recipe("s"),
            "schedule s on f = {\n  drop;\n  require fuse(max_values = 2);\n  pipeline;\n"
            "  bind(to = nested);\n};\n");
}

TEST_F(Schedules, UseOneAnother) {
  accept(std::string(programs) +
         "schedule halves = { drop; fuse; };\n"
         "schedule memory = { in_place; drop; require fuse; };\n"
         "schedule s for P on f = { use halves; use memory; share; };\n"
         "schedule both = { use s_f; use s_g; };\n"
         "schedule s_f on f = { fuse; };\nschedule s_g on g = { in_place; };\n"
         "schedule all = { use full; require refill; };\nschedule some = { use auto; };");
  // What both have is one step, in the first place.
  EXPECT_EQ(recipe("s"),
            "schedule s on f = {\n  drop;\n  require fuse;\n  in_place;\n  share;\n};\n");
  EXPECT_EQ(recipe("both"),
            "schedule both_1 on f = {\n  fuse;\n};\nschedule both_2 on g = {\n  in_place;\n};\n"
            "schedule both = {\n  use both_1;\n  use both_2;\n};\n");
  EXPECT_TRUE(
      contains(recipe("all"), "pipeline;\n  tile;\n  pad;\n  in_place;\n  require refill;\n"));
}

// What is printed is read again.
TEST_F(Schedules, TheStandardOneIsASchedule) {
  accept(programs);
  std::string text = recipe("full");
  EXPECT_EQ(recipe("auto"), text);
  text.replace(text.find("full"), 4, "mine");
  restart({});
  accept(programs + text);
  std::string again = recipe("mine");
  again.replace(again.find("mine"), 4, "full");
  EXPECT_EQ(again, recipe("full"));
}

TEST_F(Schedules, AreFoundInImportsAndByQualifiedNames) {
  write("lib/a.mg", "package lib.a; schedule s = { fuse; };");
  write("lib/b.mg", "package lib.b imports lib.a; schedule s = { use lib.a.s; share; };");
  write("p.mg", std::string("package p imports lib.a;\n") + programs);
  ASSERT_TRUE(workspace->load(path("p.mg"), diagnostics));
  EXPECT_EQ(recipe("s"), "schedule s = {\n  fuse;\n};\n");
  EXPECT_EQ(recipe("lib.a.s"), recipe("s"));
  // Not imported.
  EXPECT_EQ(recipe("lib.b.s"), "schedule s = {\n  fuse;\n  share;\n};\n");
  EXPECT_TRUE(contains(recipe("lib.c.s"), "E0403")) << recipe("lib.c.s");
  restart({});
  ASSERT_TRUE(workspace->load(path("p.mg"), diagnostics));
  EXPECT_TRUE(contains(recipe("t"), "unknown schedule `t`")) << recipe("t");
}

TEST_F(Schedules, AreForTheirProgramAlone) {
  accept(std::string(programs) + "schedule s for P = { fuse; };\nschedule g on g = { fuse; };");
  EXPECT_TRUE(contains(recipe("s", "Q"), "E0354"));
  diagnostics = {};
  EXPECT_TRUE(contains(recipe("g", "Q"), "E0355"));
  EXPECT_TRUE(contains(messages(), "program `Q` has no operation of that name"));
  diagnostics = {};
  EXPECT_EQ(recipe("g", "P"), "schedule g on g = {\n  fuse;\n};\n");
}

TEST_F(Schedules, MistakesAreReported) {
  const auto wrong = [&](const std::string& text, const std::string& code, const std::string& place,
                         const std::string& part) {
    restart({});
    check(programs + text);
    const syntax::Diagnostic diagnostic = only(code);
    EXPECT_EQ(marked(diagnostic), place) << messages();
    EXPECT_TRUE(contains(messages(), part)) << messages();
  };
  wrong("schedule s = { fuze; };", "E0351", "fuze", "did you mean `fuse`?");
  wrong("schedule s = { share(most = 2); };", "E0352", "most", "`share` takes no arguments");
  wrong("schedule s = { pipeline(max_plane = 2); };", "E0352", "max_plane", "`max_planes`?");
  wrong("schedule s = { pipeline(max_planes = many); };", "E0352", "many", "from 0 to 64");
  wrong("schedule s = { pipeline(max_planes = 65); };", "E0352", "65", "from 0 to 64");
  wrong("schedule s = { layout(order = 11); };", "E0352", "11", "axes, each once");
  wrong("schedule s = { layout(order = 13); };", "E0352", "13", "axes, each once");
  wrong("schedule s = { bind(to = row); };", "E0352", "row", "one of `nested`, `rows` and `teams`");
  wrong("schedule s = { bind(to = rows, to = rows); };", "E0352", "to", "given twice");
  wrong("schedule s = { pad(widest = 1); pad(widest = 2); };", "E0353", "pad", "the other one");
  wrong("schedule r = { pad(widest = 1); }; schedule s on f = { use r; pad; };", "E0353", "pad",
        "contradicts");
  wrong("schedule r for P = { fuse; }; schedule s for Q = { use r; };", "E0354", "r", "is for `P`");
  wrong("schedule r on f = { fuse; }; schedule s on g = { use r; };", "E0354", "r", "is on `f`");
  wrong("schedule s for P on stpe = { fuse; };", "E0355", "s", "did you mean `step`?");
  wrong("schedule halves = { fuse; }; schedule s = { use halvse; };", "E0301", "halvse",
        "did you mean `halves`?");
  wrong("schedule auto = { fuse; };", "E0356", "auto", "the standard one");
  wrong("schedule full = { fuse; };", "E0356", "full", "the standard one");
  wrong("schedule tuned = { fuse; };", "E0356", "tuned", "the standard one");
  wrong("schedule s = { fuse; use off; };", "E0356", "off", "leave it out here");
  wrong("schedule s = { use tuned; };", "E0356", "tuned", "a schedule cannot use `tuned`");
  wrong("schedule a = { use b; }; schedule b = { use a; };", "E0357", "a", "through itself");
  wrong("schedule s = { use t; };", "E0301", "t", "unknown schedule `t`");
  wrong("schedule s for R = { fuse; };", "E0301", "R", "unknown module `R`");
  wrong("schedule s = { use P; };", "E0305", "P", "`P` is a module, not a schedule");
  wrong("concept C = {}; schedule s for C = { fuse; };", "E0305", "C", "a concept, not a program");
}

TEST_F(Schedules, WhatCannotBeReadOfOneHidesNothingOfOthers) {
  check(std::string(programs) + "schedule a = { fuze; };\nschedule b = { pad(widest 2); };\n" +
        "schedule c = { pipeline(planes = 4); };");
  for (const char* code : {"E0121", "E0351", "E0352"}) EXPECT_TRUE(contains(messages(), code));
  EXPECT_EQ(diagnostics.error_count(), 3u) << messages();
}

// Each uses the one before it twice: no step is looked at more than once.
TEST_F(Schedules, ChainsAreShort) {
  std::string text = "schedule s0 = { fuse; };\n";
  for (int k = 1; k <= 900; ++k) {
    const std::string before = "s" + std::to_string(k - 1);
    text += "schedule s" + std::to_string(k) + " = { use " + before + "; use " + before + "; };\n";
  }
  accept(programs + text);
  EXPECT_EQ(recipe("s900"), "schedule s900 = {\n  fuse;\n};\n");
}

}  // namespace
}  // namespace rhopsi::elaborate
