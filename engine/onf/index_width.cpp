#include "engine/onf/index_width.hpp"

#include <cstddef>

#include "engine/onf/nests.hpp"
#include "engine/onf/shapes.hpp"

namespace rhopsi::onf {

void choose_index_widths(const Module& module, Function& function) {
  const std::vector<IndexWidth> widths = demanded_widths(module, function);
  std::size_t nest = 0;
  // In the order in which the widths are found, which are none of planes.
  each_nest(function.body, [&](Nest& found, const Pipeline* of) {
    if (of == nullptr) found.width = widths.at(nest++);
  });
}

}  // namespace rhopsi::onf
