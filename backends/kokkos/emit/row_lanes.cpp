// Loops along rows that go from vector to vector by themselves (rhopsi_along_row.hpp), so that what
// begins within a vector of memory is shifted into place:
//
//   for (k ...) v_to[k] = u_row[k - 1] + u_row[k + 1];
//     =>  along_row<float>(..., [&](const auto k) { v_to[k] = u_row[k - by<1>] + u_row[k + by<1>];
//     });
#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/row_neighbours.hpp"
#include "engine/onf/unrolling.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

// The rows that the loop over `s` reads by shifts, of all rows that it does at once.
std::set<onf::RowPlace> FunctionWriter::rows_to_shift(const onf::Nest& s) const {
  std::set<onf::RowPlace> rows;
  if (kernel_->by_rows == nullptr || kernel_->team != nullptr || kernel_->index != "std::int64_t") {
    return rows;
  }
  for (std::int64_t k = 0; k < kernel_->at_once; ++k) {
    rows.merge(onf::shifted_rows(function(), kernel_->at_once == 1 ? s : onf::moved_by_rows(s, k)));
  }
  return rows;
}

// The row that a load reads, as the loop has to have it.
std::string FunctionWriter::row_to_read(const std::string& row, const Expr& load) const {
  if (kernel_->shifted.empty()) return row;
  const auto place = onf::place_in_row(*kernel_->by_rows, load);
  const bool shifted = place && kernel_->shifted.contains(place->row);
  return std::string("rhopsi::") + (shifted ? "shifted_row(" : "loaded_row(") + row + ")";
}
std::string FunctionWriter::row_to_store(const std::string& row) const {
  return kernel_->shifted.empty() ? row : "rhopsi::stored_row(" + row + ")";
}

// "k - rhopsi::by<1>"; empty outside such a loop.
std::string FunctionWriter::lanes_along_row(const Expr& load) const {
  if (!kernel_->in_lanes) return {};
  const onf::Nest& nest = *kernel_->by_rows;
  const std::string index = name(nest.indices.back());
  const std::int64_t along = onf::place_in_row(nest, load)->along;
  if (along == 0) return index;
  const std::string by = "rhopsi::by<" + std::to_string(along < 0 ? -along : along) + ">";
  return index + (along < 0 ? " - " : " + ") + by;
}

}  // namespace rhopsi::kokkos
