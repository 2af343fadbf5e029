// How a step tells where it was tried and what became of it. Internal to this folder.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "engine/schedule/graph.hpp"
#include "engine/schedule/schedule.hpp"

namespace rhopsi::schedule {

// Where a step is tried: a whole function, or a value of it.
struct Site {
  std::string name;    // "step", "step: v1"
  Origin origin = {};  // of the value
};

inline Site site_of(const Graph& graph, ValueId value) {
  return {graph.name() + ": " + graph[value].name, graph[value].origin};
}
// The values that it defines, at least one.
inline Site site_of(const Graph& graph, const Sweep& sweep) {
  return {graph.name() + ": " + names_of(graph, sweep), origin_of(graph, sweep)};
}

// What is told of it; what is left out is said later, or not at all.
struct Telling {
  std::string before = {};     // what was there
  std::string after = {};      // what is there then; of a refusal it is what was
  std::string condition = {};  // what had to hold
  std::string decider = {};    // who said so
};

inline Step taken(std::string name, Site site, Telling told) {
  Step step{std::move(name),        std::move(site.name),      std::move(told.before),
            std::move(told.after),  std::move(told.condition), true,
            std::move(told.decider)};
  step.origin = std::move(site.origin);
  return step;
}

// One that is refused, or not decided yet: what was there stays.
inline Step refused(std::string name, Site site, Telling told, std::string counterexample = {}) {
  told.after = told.before;
  Step step = taken(std::move(name), std::move(site), std::move(told));
  step.holds = false;
  step.counterexample = std::move(counterexample);
  return step;
}

// One that was tried, and is not taken for that reason.
inline Step refuse(Step step, std::string why, std::string decider) {
  step.condition = std::move(why);
  step.decider = std::move(decider);
  step.after = step.before;
  step.holds = false;
  return step;
}

// "1 element", "2 elements"
inline std::string elements_text(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}

// `threads`, which is taken on every function unless there is a reason against it.
inline Step one_thread_below(std::int64_t least, std::string function, const std::string& no) {
  if (!no.empty()) {
    return refused("threads", {std::move(function)},
                   {.before = "the same threads for every pass",
                    .condition = "there are threads that a pass over few elements can do without",
                    .decider = "target"},
                   no);
  }
  return taken("threads", {std::move(function)},
               {.before = "all threads for every pass",
                .after = "one thread below " + std::to_string(least) + " elements",
                .condition = "the elements of a pass are computed by any thread",
                .decider = "form"});
}

}  // namespace rhopsi::schedule
