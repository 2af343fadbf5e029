// Rows that ask for nothing costly have a loop of their own.
//
//   if 1 <= i then f[i, k] else exp(u[i, k])  =>  const bool here = 1 <= i;
//                                                 if (here) { ... f_row[k] ... }
//                                                 else { ... here ? f_row[k] : exp(u_row[k]) ... }
#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/positions.hpp"
#include "engine/onf/weight.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

// Of a choice by which row it is, the branch that rows without the other one take: nothing where
// neither costs much, or both do.
std::optional<std::size_t> FunctionWriter::plain_branch(const onf::Positions& positions,
                                                        const Expr& condition,
                                                        const Expr& choice) const {
  const std::size_t last = kernel_->by_rows->indices.size() - 1;
  if (last == 0 || !positions.is_positional(condition) || positions.has_index(condition, last)) {
    return std::nullopt;
  }
  const bool first = onf::weight_of_all(choice.operands[1]) > onf::most_unasked;
  const bool second = onf::weight_of_all(choice.operands[2]) > onf::most_unasked;
  return first == second ? std::nullopt : std::optional<std::size_t>(first ? 2 : 1);
}

// In the loop of plain rows that branch, and nothing in the one for all.
std::optional<std::size_t> FunctionWriter::plain_side(const onf::Positions& positions,
                                                      const Expr& condition, const Expr& choice) {
  const auto branch = plain_branch(positions, condition, choice);
  if (!branch) return std::nullopt;
  kernel_->plain.insert((*branch == 1 ? "" : "!") + of_a_row(positions, condition));
  return kernel_->in_plain_rows ? branch : std::nullopt;
}

// The loop of plain rows beside the one for all, if there are any.
void FunctionWriter::add_plain_rows(const onf::Nest& s, int depth, const RowFetch& fetch,
                                    RowLoop& loop) {
  if (kernel_->plain.empty()) return;
  kernel_->in_plain_rows = true;
  kernel_->wrote_angles = false;
  loop.plain = row_bodies(s, depth + 1);
  loop.plain_angles = kernel_->wrote_angles;
  kernel_->in_plain_rows = false;
  if (fetch) fetch(loop.plain);
  for (const std::string& condition : kernel_->plain) {
    loop.plain_where += (loop.plain_where.empty() ? "" : " && ") + condition;
  }
}

}  // namespace rhopsi::kokkos
