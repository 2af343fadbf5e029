// The words in which the table says what it offers and what did not fit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/primitives/matching.hpp"
#include "backends/primitives/rows.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::primitives {

// `Kokkos array`.
std::string quoted_path(const term::ExternalBlock& block);
// `name(Sort, Sort): Sort`, with the sorts as the program calls them.
std::string symbol_text(const term::Store& store, std::string_view original,
                        const term::Symbol& symbol);
std::vector<const OperationRow*> rows_of(Path path);
std::string offered_operations(Path path);
std::string offered_types(Path path);
// What the letters of a pattern stand for: ", T one numeric type of the block".
std::string legend(std::string_view pattern);
std::string misfit_text(const term::Store& store, const term::Symbol& symbol, const Misfit& misfit);

}  // namespace rhopsi::primitives
