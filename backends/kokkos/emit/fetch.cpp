// Pipelines ask for the rows that they read next of arrays in memory.
//   u[i + 1, j, k]  =>  const auto u_next_plane = u_at.plane(slab, slab.within(i + 2));
//                       const auto u_next = u_next_plane.row(j);
#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/circular.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/scalar_size.hpp"
#include "engine/onf/unrolling.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

// Of loads, those at a stage's own indices with offsets: of each array that of the plane which is
// read before others, and in it of the last row.
void FunctionWriter::find_lead(const onf::Pipeline::Stage& stage, const Expr& e,
                               std::map<onf::ViewId, Lead>& leads) {
  const onf::Nest& nest = stage.nest;
  if (e.operands.size() != nest.indices.size()) return;
  std::vector<std::int64_t> offsets;
  for (std::size_t axis = 0; axis < e.operands.size(); ++axis) {
    const auto offset = onf::offset_from(nest, e.operands[axis], axis);
    if (!offset) return;
    offsets.push_back(*offset);
  }
  Lead found{&stage, offsets[0]};
  for (std::size_t axis = 1; axis + 1 < e.operands.size(); ++axis) {
    found.outer.push_back(&e.operands[axis]);
  }
  const auto [place, fresh] = leads.try_emplace(e.view, found);
  Lead& known = place->second;
  const std::int64_t further = (offsets[0] - stage.lag) - (known.ahead - known.stage->lag);
  if (fresh || further < 0) return;
  if (further > 0) {
    known = std::move(found);
    return;
  }
  if (known.stage != &stage) return;
  for (std::size_t k = 0; k < known.outer.size(); ++k) {
    if (onf::offset_from(nest, *known.outer[k], k + 1) < offsets[k + 1])
      known.outer[k] = found.outer[k];
  }
}

// May the stage ask for what `lead` reads? Where planes are rows only the stage that reads it does,
// in strips. Others do where none of their planes and rows, as they are asked for, are in front of
// that stage's: of arrays that are overwritten these are not kept.
bool FunctionWriter::may_ask(const onf::Pipeline::Stage& stage, const Lead& lead) const {
  const onf::Pipeline::Stage& reader = *lead.stage;
  if (&stage == &reader) return true;
  const auto of = [](const onf::Margin& rows) { return rows.low + rows.high; };
  return module_.rank > 2 && stage.beyond.low - stage.lag <= reader.beyond.low - reader.lag &&
         of(stage.rows) <= of(reader.rows) &&
         (module_.rank == 3 || stage.rows.high == reader.rows.high);
}

// Each array is asked for by one stage, of several arrays by several: many requests at once wait
// for one another, and the memory rests while later stages compute.
void FunctionWriter::deal_out(const onf::Pipeline& s, std::map<onf::ViewId, Lead>& leads) const {
  std::size_t k = 0;
  for (auto& [view, lead] : leads) {
    std::vector<const onf::Pipeline::Stage*> askers;
    for (const onf::Pipeline::Stage& stage : s.stages) {
      if (may_ask(stage, lead)) askers.push_back(&stage);
    }
    lead.asker = askers[k++ * askers.size() / leads.size()];
  }
}

// What asks, if there is an array in memory that the stages read.
void FunctionWriter::pipeline_fetch(const onf::Pipeline& s, PipelineNames& names) {
  for (const onf::Pipeline::Stage& stage : s.stages) {
    onf::each_load(stage.nest, [&](const Expr& load) { find_lead(stage, load, names.leads); });
  }
  std::erase_if(names.leads, [&](const auto& lead) {
    const onf::BlockId block = function().views[onf::number(lead.first)].block;
    return !names.read.contains(lead.first) || names.rings.contains(lead.first) ||
           !function().blocks[onf::number(block)].broadcast.empty();
  });
  if (names.leads.empty()) return;
  std::size_t bytes = 0;
  for (const auto& [view, lead] : names.leads) {
    const onf::BlockId block = function().views[onf::number(view)].block;
    bytes += onf::bytes_of(function().blocks[onf::number(block)].element);
  }
  deal_out(s, names.leads);
  names.fetch = locals_.unique("fetch");
  out_->line("const rhopsi::Fetch " + names.fetch + "(domain, " + names.slabs + ".count, " +
             std::to_string(bytes) + ");");
}

// Where planes are rows, these are long: what a stage asks for goes along them in strips, in a loop
// around its own.
bool FunctionWriter::goes_in_strips(const onf::Pipeline::Stage& stage,
                                    const PipelineNames& names) const {
  return module_.rank <= 2 && std::ranges::any_of(names.leads, [&](const auto& each) {
           return each.second.asker == &stage;
         });
}

// The indices of the row that `lead` reads `further` rows behind the stage's own, counted from the
// end of a tile: stages go beyond it by different numbers of rows.
std::vector<Expr> FunctionWriter::asked_row(const onf::Pipeline::Stage& stage, const Lead& lead,
                                            std::int64_t further) {
  further += lead.stage->rows.high - stage.rows.high;
  std::vector<Expr> outer;
  for (const Expr* index : lead.outer) {
    outer.push_back(*index);
    onf::each_part(outer.back(), [&](Expr& part) {
      if (part.kind != Expr::Kind::variable) return;
      const auto own = std::ranges::find(lead.stage->nest.indices, part.variable);
      if (own == lead.stage->nest.indices.end()) return;
      part.variable = stage.nest.indices[std::size_t(own - lead.stage->nest.indices.begin())];
    });
  }
  if (further != 0) outer.back() = onf::moved_by_rows(stage.nest, std::move(outer.back()), further);
  return outer;
}

// The rows that a stage asks for in front of a loop along so many rows, as arguments of
// Fetch::strip; their planes and they themselves become variables in front of its loops.
std::string FunctionWriter::fetched_rows(const onf::Pipeline::Stage& stage,
                                         const PipelineNames& names, std::int64_t at_once) {
  std::string rows;
  const std::string part = names.tiles.empty() ? "slab, " : "slab, tile, ";
  const std::string i = name(stage.nest.indices[0]);
  for (const auto& [view, lead] : names.leads) {
    if (lead.asker != &stage) continue;
    const std::int64_t ahead = lead.ahead + 1 + stage.lag - lead.stage->lag;
    const std::string next =
        line_of(names.read.at(view) + ".plane(" + part + "slab.within(" + moved(i, ahead) + "))",
                extended(name(view), "next") + "_plane");
    for (std::int64_t k = 0; k < at_once; ++k) {
      rows += ", " + row(row_text(next, asked_row(stage, lead, k)), extended(name(view), "next"));
    }
  }
  return rows;
}

}  // namespace rhopsi::kokkos
