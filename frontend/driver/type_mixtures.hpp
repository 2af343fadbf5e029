// Which types the unknowns of a claim have, one beside another.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/onf/primitive.hpp"

namespace rhopsi::driver {

using Types = std::vector<onf::Scalar>;

// Mixtures of bool, int64 and float64 for so many unknowns, each once. Of up to seven all of them;
// of more, those in which at most three unknowns differ from the rest, which are of one type. Of
// none the one that is empty.
std::vector<Types> type_mixtures(std::size_t unknowns);

}  // namespace rhopsi::driver
