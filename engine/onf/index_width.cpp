#include "engine/onf/index_width.hpp"

#include <cstddef>

#include "engine/onf/lists.hpp"
#include "engine/onf/nests.hpp"
#include "engine/onf/shapes.hpp"

namespace rhopsi::onf {

namespace {

void widen_lines(Statements& list, bool in_lines) {
  for (Statement& statement : list) {
    const bool here = in_lines || statement.lines;
    if (auto* nest = std::get_if<Nest>(&statement.form); nest != nullptr && here) nest->width = {};
    each_list_of(statement, [&](Statements& inner) { widen_lines(inner, here); });
  }
}

}  // namespace

void choose_index_widths(const Module& module, Function& function) {
  const std::vector<IndexWidth> widths = demanded_widths(module, function);
  std::size_t nest = 0;
  // In the order in which the widths are found, which are none of planes.
  each_nest(function.body, [&](Nest& found, const Pipeline* of) {
    if (of == nullptr) found.width = widths.at(nest++);
  });
  widen_lines(function.body, false);
}

bool has_both_widths(const Module& module) {
  bool found = false;
  for (const Function& function : module.functions) {
    each_nest(function.body, [&](const Nest& nest, const Pipeline*) {
      found = found || (nest.width.narrow && !nest.width.bounded.empty());
    });
  }
  return found;
}

}  // namespace rhopsi::onf
