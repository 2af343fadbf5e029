// Folds beside each other in the elements of a nest, as arrays that nests of their own make.
#include "engine/schedule/separate_folds.hpp"

#include <algorithm>
#include <utility>

#include "engine/schedule/fold_statements.hpp"
#include "engine/schedule/plain_nests.hpp"

namespace rhopsi::schedule {

using onf::Nest;
using onf::Statements;

void separate_folds(const onf::Module& module, onf::Function& function, const TileOf& tile_of) {
  replace_plain_nests(module, function,
                      [&](const Nest& nest, Statements body,
                          term::LocationId location) -> std::optional<Statements> {
                        if (!is_whole(function, nest) || std::ranges::count_if(body, is_fold) < 2)
                          return std::nullopt;
                        return separated(function, nest, std::move(body), location, tile_of);
                      });
}

}  // namespace rhopsi::schedule
