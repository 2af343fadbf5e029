#include "engine/onf/index_width.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "engine/onf/shapes.hpp"

namespace rhopsi::onf {

namespace {

// In the order in which their widths are found.
template <class Visit>
void each_nest(Statements& body, const Visit& visit) {
  for (Statement& statement : body) {
    std::visit(
        [&](auto& form) {
          using Form = std::decay_t<decltype(form)>;
          if constexpr (std::is_same_v<Form, Nest>) {
            visit(form);
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

}  // namespace

void choose_index_widths(const Module& module, Function& function) {
  const std::vector<IndexWidth> widths = demanded_widths(module, function);
  std::size_t nest = 0;
  each_nest(function.body, [&](Nest& found) { found.width = widths.at(nest++); });
}

}  // namespace rhopsi::onf
