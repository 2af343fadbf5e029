#include "engine/schedule/hoist.hpp"

#include "engine/schedule/hoisting.hpp"
#include "engine/schedule/nest_steps.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

Step keep_elements(const Graph& graph) {
  return refused(
      "hoist", {graph.name()},
      {.before = "what is written",
       .condition = "every array has the shape of the run, but one of what many elements "
                    "compute the same would have fewer axes",
       .decider = "form"});
}

std::vector<Step> hoist(onf::Module& module, const Recipe& recipe, const Surroundings& around) {
  return take_in_nests(module, StepKind::hoist, hoisted, recipe, around.no_hoist);
}

}  // namespace rhopsi::schedule
