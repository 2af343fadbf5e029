// What of the functions of a module can be scheduled. Internal to this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/schedule/outline.hpp"

namespace rhopsi::schedule {

// Calls `visit` with every call that is a statement: of what runs on the host, with arrays.
// `Body`: Statements, const or not.
template <class Body, class Visit>
void each_call(Body& body, const Visit& visit) {
  for (auto& statement : body) {
    std::visit(
        [&](auto& form) {
          using Form = std::decay_t<decltype(form)>;
          if constexpr (std::is_same_v<Form, onf::Call>) visit(form.call);
          if constexpr (std::is_same_v<Form, onf::If>) {
            each_call(form.then, visit);
            each_call(form.otherwise, visit);
          } else if constexpr (std::is_same_v<Form, onf::While>) {
            each_call(form.before, visit);
            each_call(form.body, visit);
          } else if constexpr (!std::is_same_v<Form, onf::Nest> && requires { form.body; }) {
            each_call(form.body, visit);
          }
        },
        statement.form);
  }
}

// Does the function run on the host and take arrays?
bool over_arrays(const onf::Function& function);

// By function.
struct Findings {
  std::map<onf::FunctionId, Followed> followed;
  std::map<onf::FunctionId, Graph> graphs;        // of those that are followed as a whole
  std::map<onf::FunctionId, Obstacle> obstacles;  // why no more of it is followed
  std::map<onf::FunctionId, Obstacle> apart;      // and why it is of parts
  // The most calls of it that a function of parts makes in a row, without anything between them.
  std::map<onf::FunctionId, std::int64_t> rounds;
  // Which numbers of it differ from call to call, where calls in a row of another function call it.
  std::map<onf::FunctionId, std::vector<std::size_t>> changing;
  std::vector<std::size_t> changing_of(onf::FunctionId id) const {
    const auto found = changing.find(id);
    return found == changing.end() ? std::vector<std::size_t>{} : found->second;
  }
};

// Follows the functions over arrays, callees first, and outlines those that cannot be followed as a
// whole. One that is not `wanted` keeps its statements, and is of parts where it calls what can be
// scheduled. The module's arrays are over a domain. `folds`: which folds of one may be taken apart.
Findings follow(onf::Module& module, const std::function<bool(onf::FunctionId)>& wanted,
                const std::function<FoldsByRows(onf::FunctionId)>& folds);

}  // namespace rhopsi::schedule
