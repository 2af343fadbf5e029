// The lists of statements within a statement.
#pragma once

#include <type_traits>
#include <variant>

#include "engine/onf/statement.hpp"

namespace rhopsi::onf {

// Calls `visit` with each list of statements that stands right in the statement and runs outside of
// nests: the sides of a branch, the body of a loop or a scope, and what comes before a condition.
template <class Visit>
void each_list_of(Statement& statement, const Visit& visit) {
  std::visit(
      [&](auto& form) {
        using Form = std::decay_t<decltype(form)>;
        if constexpr (std::is_same_v<Form, If>) {
          visit(form.then);
          visit(form.otherwise);
        } else if constexpr (std::is_same_v<Form, While>) {
          visit(form.before);
          visit(form.body);
        } else if constexpr (std::is_same_v<Form, For> || std::is_same_v<Form, Iterate> ||
                             std::is_same_v<Form, Scope>) {
          visit(form.body);
        }
      },
      statement.form);
}

}  // namespace rhopsi::onf
