#include "tests/fuzz/targets.hpp"

namespace rhopsi::fuzz {

const std::vector<Target>& targets() {
  static const std::vector<Target> all{{"parser", parser},
                                       {"elaborator", elaborator},
                                       {"systems", systems},
                                       {"arrays", arrays},
                                       {"certificates", certificates}};
  return all;
}

}  // namespace rhopsi::fuzz
