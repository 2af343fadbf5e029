// The nests of a function, wherever they stand. Internal to this folder.
#pragma once

#include <type_traits>
#include <variant>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// Calls `visit` with each nest, in the order of the text, and with the pipeline that it is a stage
// of, or null. `Body`: Statements, const or not.
template <class Body, class Visit>
void each_nest(Body& body, const Visit& visit) {
  for (auto& statement : body) {
    std::visit(
        [&](auto& form) {
          using Form = std::decay_t<decltype(form)>;
          if constexpr (std::is_same_v<Form, Nest>) {
            visit(form, static_cast<const Pipeline*>(nullptr));
          } else if constexpr (std::is_same_v<Form, Pipeline>) {
            for (auto& stage : form.stages) visit(stage.nest, static_cast<const Pipeline*>(&form));
          } else if constexpr (std::is_same_v<Form, If>) {
            each_nest(form.then, visit);
            each_nest(form.otherwise, visit);
          } else {
            if constexpr (requires { form.before; }) each_nest(form.before, visit);
            if constexpr (requires { form.body; }) each_nest(form.body, visit);
          }
        },
        statement.form);
  }
}

}  // namespace rhopsi::onf
