// Which folds are computed in another order than the one that they are written in (Regrouping).
//
// One chain of sums runs on one thread, and each sum waits for the one before: of a long fold that
// is a fraction of what memory and processor give. In blocks and chains it is neither.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/onf/tile.hpp"
#include "engine/schedule/machine.hpp"

namespace rhopsi::schedule {

// Of a fold outside of nests. `reason`: what it is for, or why there is none. Linear.
std::optional<onf::Regrouping> regrouping_of(const onf::Function& function, const onf::Fold& fold,
                                             const Machine& machine, std::string& reason);

// "that of s is i + 1": the length of the first fold that depends on one of these indices.
std::string length_of(const onf::Module& module, const onf::Function& function,
                      const onf::TileForm& form, const std::vector<onf::VariableId>& indices);

// Of the elements of a nest, whose tile is chosen: where the folds are along rows instead of it,
// and else for nests of few elements.
std::optional<onf::Regrouping> regrouping_of(const onf::Module& module,
                                             const onf::Function& function, const onf::Nest& nest,
                                             const onf::Tile& tile, const onf::TileForm& form,
                                             const Machine& machine, std::string& reason);

}  // namespace rhopsi::schedule
