// Rows whose angles are all near have a loop of their own, which is vectors.
//
//   sin(u[i, k])  =>  const auto near = [&](const std::int64_t k) { return |u_row[k]| < 2^20; };
//                     if (rhopsi::all_along(low, high, near)) { ... rhopsi::near::sin(u_row[k]) ...
//                     } else { ... rhopsi::sin(u_row[k]) ... }
#include <utility>

#include "backends/kokkos/emit/writer.hpp"

namespace rhopsi::kokkos {

// The loop of those rows beside the one for all, which calls functions that vectors do not have.
void FunctionWriter::add_rows_of_near_angles(const onf::Nest& s, const onf::Nest& test, int depth,
                                             const RowFetch& fetch, RowLoop& loop) {
  loop.bodies.vectors = false;
  loop.angles_test = nearness(test, depth);
  loop.angles_name = locals_.unique("near");
  kernel_->near_angles = true;
  loop.near_angles = row_bodies(s, depth + 1);
  kernel_->near_angles = false;
  if (fetch) fetch(loop.near_angles);
}

// What stands in the test: whether the element there has near angles alone, of all rows of the
// loop.
std::string FunctionWriter::nearness(const onf::Nest& test, int depth) {
  Text text;
  text.depth = depth;
  Text* const out = std::exchange(out_, &text);
  kernel_->between_ends = false;
  kernel_->near_angles = true;
  std::vector<std::string> all;
  each_row(test, [&](const onf::Nest& own) { all.push_back(expression(own.element)); });
  kernel_->near_angles = false;
  for (std::size_t k = 0; k + 1 < all.size(); ++k)
    out_->line("if (!(" + all[k] + ")) return false;");
  out_->line("return " + all.back() + ";");
  out_ = out;
  return text.str();
}

}  // namespace rhopsi::kokkos
