// The lines that tell apart what has one name.
#include <gtest/gtest.h>

#include "engine/schedule/schedule.hpp"

namespace rhopsi::schedule {
namespace {

class Places : public testing::Test {
 protected:
  term::LocationId line(std::uint32_t number, std::uint32_t column = 3) {
    return store.location({"folder/heat.mg", number, column});
  }
  void add(const std::string& site, Origin origin, std::size_t of = 0) {
    Step step{"fuse", site, "a pass of its own", "", "c", false, "offsets"};
    step.of = of;
    step.origin = std::move(origin);
    outcome.steps.push_back(std::move(step));
  }
  std::vector<std::string> sites() {
    tell_places(store, outcome);
    std::vector<std::string> found;
    for (const Step& step : outcome.steps) found.push_back(step.site);
    return found;
  }
  using Words = std::vector<std::string>;

  term::Store store;
  Outcome outcome;
};

TEST_F(Places, AreToldWhereANameIsThatOfSeveralValues) {
  add("step: u", {line(7)});
  add("step: u", {line(9)});
  add("step: v", {line(8)});
  add("step: v", {line(8)});     // the same one
  add("step: u", {line(7)}, 1);  // alone in what another step did
  EXPECT_EQ(sites(),
            (Words{"step: u (heat.mg:7)", "step: u (heat.mg:9)", "step: v", "step: v", "step: u"}));
}

TEST_F(Places, AreThoseOfCallsWhereTheLineIsOne) {
  add("step: u", {line(4), {line(12)}});
  add("step: u", {line(4), {line(15), line(2)}});
  EXPECT_EQ(sites(), (Words{"step: u (heat.mg:4, called at heat.mg:12)",
                            "step: u (heat.mg:4, called at heat.mg:2, called at heat.mg:15)"}));
}

TEST_F(Places, AreNumbersOfCallsAndColumnsWhereNothingElseIsLeft) {
  add("twice: u", {line(4), {}, 0});
  add("twice: u", {line(4), {}, 1});
  add("one: u", {line(4, 3)});
  add("one: u", {line(4, 20)});
  EXPECT_EQ(sites(), (Words{"twice: u (heat.mg:4, call 1)", "twice: u (heat.mg:4, call 2)",
                            "one: u (heat.mg:4:3)", "one: u (heat.mg:4:20)"}));
}

TEST_F(Places, AreNoLinesOfWhatComesIn) {
  add("step: u", {{}, {}, 0, true});
  add("step: u", {line(7)});
  EXPECT_EQ(sites(), (Words{"step: u (as it comes in)", "step: u (heat.mg:7)"}));
}

TEST_F(Places, OfAnotherStatementStandBehindTheCondition) {
  add("step: u", {line(7)});
  outcome.steps[0].beside = line(11);
  tell_places(store, outcome);
  EXPECT_EQ(outcome.steps[0].condition, "c (heat.mg:11)");
}

}  // namespace
}  // namespace rhopsi::schedule
