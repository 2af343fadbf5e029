// The arrays and numbers that statements name, wherever they stand.
#pragma once

#include <type_traits>

#include "engine/onf/each_expression.hpp"

namespace rhopsi::onf {

// Calls `view` and `variable` with every place that names one. `Body`: Statements, const or not.
// Linear.
template <class Body, class View, class Variable>
void each_name(Body& body, const View& view, const Variable& variable) {
  const auto form = [&](auto& s) {
    using Form = std::decay_t<decltype(s)>;
    if constexpr (std::is_same_v<Form, Share> || std::is_same_v<Form, RowFold>) {
      view(s.target), view(s.source);
    } else if constexpr (std::is_same_v<Form, Call>) {
      if (s.target) view(*s.target);
    } else if constexpr (std::is_same_v<Form, Nest>) {
      view(s.target);
      for (auto& output : s.also) view(output.target);
      for (auto& index : s.indices) variable(index);
    } else if constexpr (std::is_same_v<Form, Pipeline>) {
      for (auto& ring : s.rings) view(ring.view);
      for (auto& seam : s.seams) view(seam.view);
      for (auto& fill : s.fills) view(fill.view);
      for (auto& fold : s.folds) view(fold.target), view(fold.source);
    } else if constexpr (std::is_same_v<Form, Allocate>) {
      view(s.view);
      if (s.in_place_of) view(*s.in_place_of);
    } else if constexpr (requires { view(s.target); }) {
      view(s.target);
    } else if constexpr (requires { view(s.view); }) {
      view(s.view);
    }
    if constexpr (requires { variable(s.variable); }) variable(s.variable);
    if constexpr (requires { variable(s.index); }) variable(s.index);
  };
  each_in(body, form, [&](auto& whole) {
    each_part(whole, [&](auto& e) {
      if (names_view(e)) view(e.view);
      if (e.kind == Expr::Kind::variable) variable(e.variable);
    });
  });
}

}  // namespace rhopsi::onf
