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

// A step that is taken, so that `before` becomes `after`.
inline Step taken(std::string name, Site site, std::string before, std::string after,
                  std::string condition, std::string decider) {
  Step step{std::move(name),   std::move(site.name), std::move(before),
            std::move(after),  std::move(condition), true,
            std::move(decider)};
  step.origin = std::move(site.origin);
  return step;
}

// One that is refused, or not decided yet: what was there stays.
inline Step refused(std::string name, Site site, const std::string& before, std::string condition,
                    std::string decider) {
  Step step = taken(std::move(name), std::move(site), before, before, std::move(condition),
                    std::move(decider));
  step.holds = false;
  return step;
}

// "1 element", "2 elements"
inline std::string elements_text(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}

// `threads`, which is taken on every function.
inline Step one_thread_below(std::int64_t least, std::string function) {
  return taken("threads", {std::move(function)}, "all threads for every pass",
               "one thread below " + std::to_string(least) + " elements",
               "the elements of a pass are computed by any thread", "form");
}

}  // namespace rhopsi::schedule
