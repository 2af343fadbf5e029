// What is said of a recipe's steps that are taken nowhere.
#include <algorithm>
#include <vector>

#include "engine/schedule/schedule.hpp"

namespace rhopsi::schedule {

namespace {

struct Verdicts {
  bool taken = false;
  const Step* refused = nullptr;  // the first time
};

std::string reason_of(const Verdicts& verdicts, const Outcome& outcome) {
  if (verdicts.refused != nullptr) {
    const std::string& more = verdicts.refused->counterexample;
    return "at " + verdicts.refused->site + ", " + verdicts.refused->condition +
           (more.empty() ? "" : ": " + more);
  }
  if (!outcome.kept.empty()) return outcome.kept.front().remark.message;
  return outcome.functions == 0 ? "no function that it is on is there" : "there is nothing to do";
}

}  // namespace

std::vector<onf::Problem> remarks_on(const Recipe& recipe, const Outcome& outcome) {
  std::vector<Verdicts> verdicts(recipe.steps.size());
  for (const Step& step : outcome.steps) {
    if (!step.of) continue;
    Verdicts& of_step = verdicts[*step.of];
    of_step.taken = of_step.taken || step.holds;
    if (!step.holds && of_step.refused == nullptr) of_step.refused = &step;
  }
  std::vector<onf::Problem> remarks;
  const std::string where = " of schedule '" + recipe.name + "' is taken nowhere: ";
  for (std::size_t k = 0; k < recipe.steps.size(); ++k) {
    const RecipeStep& step = recipe.steps[k];
    const bool own = step.location != term::LocationId{};
    if (verdicts[k].taken || (!step.required && !(own && verdicts[k].refused != nullptr))) continue;
    remarks.push_back({step.required ? "E0535" : "E0534",
                       "step '" + to_string(step) + "'" + where + reason_of(verdicts[k], outcome),
                       step.required ? "leave `require` out where it may be refused"
                                     : "it computes the same without; leave it out",
                       own ? step.location : recipe.location, step.required});
  }
  const bool own = recipe.location != term::LocationId{};
  if (own && remarks.empty() && outcome.functions == 0 && outcome.kept.empty()) {
    remarks.push_back({"E0534",
                       "schedule '" + recipe.name +
                           "' changes nothing: no function that it has a step for is there",
                       "take the entry that it is on", recipe.location, false});
  }
  return remarks;
}

std::string describe(const Recipe& recipe, const Outcome& outcome) {
  std::string text;
  for (std::size_t k = 0; k < recipe.steps.size(); ++k) {
    const RecipeStep& of = recipe.steps[k];
    text += std::to_string(k + 1) + ". " + to_string(of) + (of.on.empty() ? "" : " on " + of.on) +
            ": " + std::string(form_of(of.kind).meaning) + "\n";
    bool any = false;
    for (const Step& step : outcome.steps) {
      if (step.of != k) continue;
      any = true;
      text += std::string("   ") + (step.holds ? "taken" : "refused") + " at " + step.site + ": ";
      if (form_of(of.kind).word != step.name) text += step.name + ", ";
      text += step.before + (step.after == step.before ? " stays" : " => " + step.after) +
              "\n     " + step.condition + " (" + step.decider + ")\n";
      if (!step.counterexample.empty()) text += "     " + step.counterexample + "\n";
    }
    if (!any) text += "   nothing to do\n";
  }
  return text;
}

}  // namespace rhopsi::schedule
