// The stages of a pipeline, by what they write.
#pragma once

#include <algorithm>
#include <cstddef>

#include "engine/onf/form.hpp"
#include "engine/onf/nest_variables.hpp"

namespace rhopsi::onf {

// The stage that stores to the array: of a ring, or of an array that is overwritten, there is one.
// Which it is stands in the form, so that emission and the machine that tests it may both ask here;
// what rows and planes a stage does is computed by each for itself.
inline const Pipeline::Stage& writer_of(const Pipeline& pipeline, ViewId view) {
  return *std::ranges::find_if(pipeline.stages, [&](const Pipeline::Stage& stage) {
    return std::ranges::count(targets_of(stage.nest), view) > 0;
  });
}

// The first of the stages that take turns with this one, itself where it takes none with those in
// front.
inline std::size_t first_by_turns(const Pipeline& pipeline, std::size_t stage) {
  while (pipeline.stages[stage].by_turns) --stage;
  return stage;
}

}  // namespace rhopsi::onf
