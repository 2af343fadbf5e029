// Nests that go through their rows by turns (rhopsi_row_blocks.hpp).
#include "engine/onf/row_blocks.hpp"

#include <algorithm>

#include "backends/kokkos/emit/writer.hpp"

namespace rhopsi::kokkos {

// What is allocated in place of another array is that one meanwhile, and takes it behind.
void FunctionWriter::row_blocks(const onf::Statements& body,
                                const std::vector<std::size_t>& nests) {
  std::vector<const onf::Nest*> all;
  for (const std::size_t at : nests) all.push_back(&std::get<onf::Nest>(body[at].form));
  std::vector<onf::Allocate> in_place;
  for (std::size_t at = nests.front(); at < nests.back(); ++at) {
    if (const auto* made = std::get_if<onf::Allocate>(&body[at].form)) in_place.push_back(*made);
  }
  std::vector<onf::ViewId> arrays;
  for (onf::ViewId view : onf::arrays_in_rows(all)) {
    for (auto found = in_place.rbegin(); found != in_place.rend(); ++found) {
      if (found->view == view) view = *found->in_place_of;
    }
    if (std::ranges::find(arrays, view) == arrays.end()) arrays.push_back(view);
  }
  std::string label = function().name + ": ", fields;
  for (const onf::Nest* nest : all)
    label += (nest == all.front() ? "" : ", ") + function().views[onf::number(nest->target)].name;
  for (const onf::ViewId view : arrays) fields += (fields.empty() ? "" : ", ") + name(view);
  const onf::Interval& rows = all.front()->box->front();
  narrow_where_.clear();
  comment("rows of each by turns, as many as a core's cache holds");
  out_->open("rhopsi::for_each_row_block(" + quoted(label) + ", rhopsi::Row{" +
             expression(rows.low) + ", " + expression(rows.high) + "}, rhopsi::row_bytes(" +
             fields + "), [&](const rhopsi::Row block) {");
  in_turns_ = true;
  for (std::size_t at = nests.front(); at <= nests.back(); ++at) {
    location_ = body[at].location;
    if (const auto* nest = std::get_if<onf::Nest>(&body[at].form)) {
      this->nests({nest});
    } else {
      const auto& made = std::get<onf::Allocate>(body[at].form);
      out_->line(type_of(made.view) + "& " + name(made.view) + " = " + name(*made.in_place_of) +
                 ";");
    }
  }
  in_turns_ = false;
  narrow_where_.clear();
  --out_->depth;
  out_->line("});");
  for (const onf::Allocate& made : in_place) write(made);
}

}  // namespace rhopsi::kokkos
