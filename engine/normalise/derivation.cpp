#include "engine/normalise/machine.hpp"

namespace rhopsi::normalise {

std::string describe(const term::Store& store, Machine& machine) {
  std::string text;
  for (const Step& step : machine.steps()) {
    text += machine.program().rule_names[step.rule] + ": " + to_string(store, machine, step.redex) +
            " => " + to_string(store, machine, machine.contractum(step)) + "\n";
  }
  return text;
}

}  // namespace rhopsi::normalise
