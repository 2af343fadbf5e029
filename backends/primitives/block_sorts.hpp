// While a block is checked, only the names of its types tell what a sort is.
#pragma once

#include <optional>
#include <string_view>

#include "backends/primitives/matching.hpp"
#include "backends/primitives/rows.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::primitives {

const TypeRow* find_type_row(std::string_view name);

// Does the block know `sort` under the name `name`?
bool has_name(const term::ExternalBlock& block, term::SortId sort, std::string_view name);

// Axis, Offset, ScalarIndex, AxisLength.
bool sort_is_index_scalar(const term::ExternalBlock& block, term::SortId sort);

// An operation of the block, to be matched; `same` holds what T or R stand for. All
// arguments must outlive the subject.
Subject subject_of(const term::Store& store, const term::ExternalBlock& block,
                   const term::Symbol& symbol, std::optional<term::SortId>& same);

}  // namespace rhopsi::primitives
