#include "tests/unit/syntax/syntax_reading.hpp"

namespace rhopsi::syntax::testing {

namespace {

const ScheduleDecl& schedule(const Reading& reading, std::size_t index = 0) {
  return std::get<ScheduleDecl>(reading.package->declarations.at(index));
}

}  // namespace

TEST(Schedules, HaveAProgramACallableAndSteps) {
  const Reading reading = read_package(
      "package p; schedule fast for a.3DPadded on step = { use b.c; drop; require fuse;\n"
      "  pipeline(max_planes = 4); bind(to = rows); };\n"
      "schedule on on on = { fuse; }; schedule for = {} schedule plus on _+_ = {};");
  ASSERT_FALSE(reading.diagnostics.has_errors()) << reading.rendered();
  ASSERT_EQ(reading.package->declarations.size(), 4u);
  const ScheduleDecl& fast = schedule(reading);
  EXPECT_EQ(fast.name.text, "fast");
  EXPECT_EQ(fast.program->text, "a.3DPadded");
  EXPECT_EQ(fast.callable->text, "step");
  ASSERT_EQ(fast.items.size(), 5u);
  EXPECT_TRUE(fast.items[0].use);
  EXPECT_EQ(fast.items[0].word.text, "b.c");
  EXPECT_TRUE(fast.items[2].required && !fast.items[1].required);
  ASSERT_EQ(fast.items[3].arguments.size(), 1u);
  EXPECT_EQ(fast.items[3].arguments[0].name.text, "max_planes");
  EXPECT_EQ(fast.items[3].arguments[0].value.text, "4");
  EXPECT_EQ(fast.items[4].arguments[0].value.text, "rows");
  EXPECT_FALSE(schedule(reading, 1).program);
  EXPECT_EQ(schedule(reading, 1).callable->text, "on");
  EXPECT_EQ(schedule(reading, 2).name.text, "for");
  EXPECT_EQ(schedule(reading, 3).callable->text, "_+_");
}

TEST(Schedules, PrintAndReadAgain) {
  const std::string text =
      "package p;\n\nschedule fast for a.P on step = {\n  use b.c;\n  require fuse(max_values = "
      "2);\n"
      "  in_place;\n};\n\nschedule empty = {};\n";
  const Reading reading = read_package(text);
  ASSERT_FALSE(reading.diagnostics.has_errors()) << reading.rendered();
  EXPECT_EQ(print(*reading.package), text);
  EXPECT_TRUE(equal(*reading.package, *read_package(print(*reading.package)).package));
  // What differs is seen.
  for (const char* other :
       {"schedule fast on step = { fuse; };", "schedule fast = { require fuse; };",
        "schedule fast = { use fuse; };", "schedule fast = { fuse(most = 2); };"}) {
    EXPECT_FALSE(equal(*read_package(std::string("package p; ") + other).package,
                       *read_package("package p; schedule fast = { fuse; };").package))
        << other;
  }
}

// The word is no reserved one.
TEST(Schedules, AreNotMeantWhereAnOperationIsCalledSo) {
  const Reading reading = read_package(
      "package p; program P = {\n  procedure step(upd u: A) {\n"
      "schedule(u);\nu =\nschedule(u); };\n  use S[\nschedule => all]; };");
  EXPECT_FALSE(reading.diagnostics.has_errors()) << reading.rendered();
}

TEST(Schedules, MistakesAreToldAndTheNextDeclarationIsRead) {
  const auto told = [](const std::string& schedule, const std::string& code) {
    const Reading reading = read_package("package p; " + schedule + "\nconcept C = {}");
    ASSERT_TRUE(reading.package);
    ASSERT_EQ(reading.diagnostics.all().size(), 1u) << reading.rendered();
    EXPECT_EQ(reading.diagnostics.all()[0].code, code) << reading.rendered();
    EXPECT_EQ(reading.package->declarations.size(), 1u) << reading.rendered();
  };
  told("schedule S = fuse;", "E0121");
  told("schedule S for = { fuse; };", "E0121");
  told("schedule S = { fuse };", "E0114");
  told("schedule S = { fuse(); };", "E0121");
  told("schedule S = { fuse(2); };", "E0121");
  told("schedule S = { fuse(most = ); };", "E0121");
  told("schedule S = { fuse(most = 2; };", "E0106");
  told("schedule S = { use; };", "E0121");
  told("schedule = { fuse; };", "E0113");
}

}  // namespace rhopsi::syntax::testing
