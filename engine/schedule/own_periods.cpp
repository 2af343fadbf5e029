// Rounds along rows: where elements read at quotients of their index by a number, or differ by its
// remainder, a loop takes as many of them at a time, and knows both.
#include "engine/onf/each_expression.hpp"
#include "engine/onf/periods.hpp"
#include "engine/onf/weight.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

using onf::Nest;

namespace {

// Operations of a round: longer ones fill registers and take long to compile.
constexpr double most_operations = 400;

double weight_of(const Nest& nest) {
  double weight = 0;
  onf::each_of(nest, [&](const onf::Expr& whole) { weight += onf::weight_of_all(whole); });
  return weight;
}

}  // namespace

void take_rounds_own(OwnWork& work, Nest& nest) {
  const std::int64_t length = onf::period_of(nest);
  if (length < 2 || weight_of(nest) * double(length) > most_operations) return;
  const onf::Variable index = work.function.variables[onf::number(nest.indices.back())];
  nest.period = {length, static_cast<onf::VariableId>(work.function.variables.size())};
  work.function.variables.push_back({work.fresh_name(index.name + "_round"), index.type});
  add_step(nest.made_by, "bind");
  work.record("bind", nest.target, "one by one along " + index.name,
              "rounds of " + std::to_string(length) + " along " + index.name,
              {"what " + index.name + " is divided by are numbers", true, "strides"});
}

}  // namespace rhopsi::schedule
