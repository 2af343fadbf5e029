// Pipelines of teams: one kernel, whose rings lie in the memory that a team shares.
//
//   stage v := u[i - 1, j, k] ...  =>  team.each<1, rhopsi::Around<1, 1, 1, 1, 1, 1>>(
//                                          now, [&](auto here) {
//                                            v_ring.of(here) = u_ring.at<2, 0, 0>(here) ...
//                                          });
#include "engine/onf/teams.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/circular.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/positions.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/scalar_size.hpp"
#include "engine/onf/stages.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

namespace {

// The axes of a tile but the first, with what any stage does beyond them.
std::string sides_text(const onf::Pipeline& s) {
  const std::vector<onf::Margin> around = onf::region_of(s);
  std::string text;
  for (std::size_t axis = 0; axis < around.size(); ++axis) {
    text += ", rhopsi::Side<" + std::to_string(around[axis].low) + ", " +
            std::to_string(s.teams->sides[axis]) + ", " + std::to_string(around[axis].high) + ">";
  }
  return text;
}

// Below and above, on each axis.
std::string around_text(const onf::Pipeline& s, const onf::Pipeline::Stage& stage) {
  std::string text;
  for (std::size_t axis = 0; axis <= s.teams->sides.size(); ++axis) {
    const onf::Margin beyond = onf::beyond_of(stage, axis);
    text += (text.empty() ? "" : ", ") + std::to_string(beyond.low) + ", " +
            std::to_string(beyond.high);
  }
  return "rhopsi::Around<" + text + ">";
}

bool within_tile(const onf::Pipeline& s, const onf::Pipeline::Stage& stage) {
  for (std::size_t axis = 0; axis <= s.teams->sides.size(); ++axis) {
    if (onf::beyond_of(stage, axis) != onf::Margin{}) return false;
  }
  return true;
}

}  // namespace

// An index of the nest that an element depends on, but by what it loads there.
void FunctionWriter::note_position(onf::VariableId index) const {
  TeamNames& team = *kernel_->team;
  const std::vector<onf::VariableId>& indices = team.stage->nest.indices;
  const auto found = std::ranges::find(indices, index);
  if (found != indices.end()) team.positions.insert(std::size_t(found - indices.begin()));
}

// Is it an index of an element modulo the length of its axis? Those of a team's elements are
// circular as they are.
bool FunctionWriter::is_team_index(const Expr& e) const {
  return kernel_ != nullptr && kernel_->team != nullptr &&
         onf::Positions(kernel_->team->stage->nest).is_position(e);
}

// Of an array in memory that has one element along each row.
std::string FunctionWriter::team_broadcast(const Expr& e, const std::string& array) const {
  const TeamNames& team = *kernel_->team;
  const onf::BlockId block = function().views[onf::number(e.view)].block;
  std::string at;
  for (std::size_t axis = 0; axis < e.operands.size(); ++axis) {
    if (axis > 0) at += ", ";
    const auto by = onf::offset_from(team.stage->nest, e.operands[axis], axis).value_or(0);
    at += function().blocks[onf::number(block)].broadcast[axis]
              ? "0"
              : team.here + ".index(" + std::to_string(axis) +
                    (by == 0 ? "" : ", " + std::to_string(by)) + ")";
  }
  return array + "(" + at + ")";
}

std::string FunctionWriter::team_load(const Expr& e) {
  const TeamNames& team = *kernel_->team;
  const onf::Nest& nest = team.stage->nest;
  const auto ring = team.rings.find(e.view);
  if (ring == team.rings.end()) {
    Expr view = e;
    view.kind = Expr::Kind::view;
    if (same_along_rows(e.view)) return team_broadcast(e, argument(view));
    return team.here + ".read(" + argument(view) + ")";
  }
  const auto by = [&](std::size_t axis) {
    const auto offset = onf::offset_from(nest, e.operands[axis], axis);
    if (!offset) throw std::logic_error("a ring of a team at an index that is no offset");
    return *offset;
  };
  const std::int64_t age = team.stage->lag - by(0) - onf::writer_of(*team.pipeline, e.view).lag;
  std::string text = ring->second + ".at<" + std::to_string(age);
  for (std::size_t axis = 1; axis < e.operands.size(); ++axis) {
    text += ", " + std::to_string(by(axis));
  }
  return text + ">(" + team.here + ")";
}

// What an element is assigned to.
std::string FunctionWriter::team_element(onf::ViewId target) {
  const TeamNames& team = *kernel_->team;
  const auto ring = team.rings.find(target);
  if (ring != team.rings.end()) return ring->second + ".of(" + team.here + ")";
  return team.here + ".of(" + team.written.at(target) + ")";
}

// Where they lie in the memory of a team; how much of it there is.
std::int64_t FunctionWriter::team_rings(const onf::Pipeline& s, TeamNames& names, Text& text) {
  const auto bytes_of = [&](const onf::Pipeline::Ring& ring) {
    const onf::View& view = function().views[onf::number(ring.view)];
    return static_cast<std::int64_t>(
        onf::bytes_of(function().blocks[onf::number(view.block)].element));
  };
  std::int64_t widest = 1;
  for (const onf::Pipeline::Ring& ring : s.rings) widest = std::max(widest, bytes_of(ring));
  const std::int64_t guard =
      (widest * onf::guard_of(s.teams->sides, onf::region_of(s)) + 15) / 16 * 16;
  std::int64_t place = guard;
  for (const onf::Pipeline::Ring& ring : s.rings) {
    const std::string made = names.rings[ring.view] =
        locals_.unique(extended(name(ring.view), "ring"));
    text.line("rhopsi::TeamRing<" + element_type(ring.view) + ", " + std::to_string(ring.planes) +
              ", Plane> " + made + "(" + names.team + ", " + std::to_string(place) + ");");
    const std::int64_t bytes = ring.planes * s.teams->threads * s.teams->rows * bytes_of(ring);
    place += (bytes + 15) / 16 * 16;
  }
  return place + guard;
}

// Asks for the planes that stages read of arrays.
void FunctionWriter::team_fetch(const onf::Pipeline& s, TeamNames& names) {
  for (const onf::Pipeline::Stage& stage : s.stages) {
    if (!stage.fetch) continue;
    const auto ask = [&](onf::ViewId target, const Expr& element) {
      Expr view = element;
      view.kind = Expr::Kind::view;
      out_->line(names.team + ".fetch(" + names.now + ", " + names.rings.at(target) + ", " +
                 argument(view) + ");");
    };
    names.stage = &stage;
    ask(stage.nest.target, stage.nest.element);
    for (const onf::Nest::Output& output : stage.nest.also) ask(output.target, output.element);
  }
}

void FunctionWriter::team_stage(const onf::Pipeline::Stage& stage, TeamNames& names) {
  const onf::Nest& nest = stage.nest;
  location_ = stage.location;
  names.stage = &stage;
  names.positions.clear();
  if (stage.fetch) {
    comment("what was asked for a moment ago, also beyond the tile", {});
    for (const onf::ViewId target : onf::targets_of(nest)) {
      out_->line(names.rings.at(target) + ".arrived(" + names.now + ", " + names.team + ");");
    }
    if (stage.barrier) out_->line(names.team + ".barrier();");
    return;
  }
  kernel_->local = onf::declared_in(nest.body);
  kernel_->local.insert(nest.indices.begin(), nest.indices.end());
  Text body;
  body.depth = out_->depth + 3;
  Text* const out = std::exchange(out_, &body);
  kernel_body(nest);
  out_ = out;
  location_ = stage.location;
  comment(std::to_string(stage.lag) + (stage.lag == 1 ? " plane" : " planes") + " behind" +
              (within_tile(*names.pipeline, stage) ? "" : "; also beyond the tile"),
          stage.nest.made_by, stage.nest.also_from);
  bool quiet = true;
  onf::each_of(nest, [&](const Expr& e) { quiet = quiet && ends_quietly(e); });
  out_->line(names.team + (quiet ? ".each<" : ".each_within<") + std::to_string(stage.lag) + ", " +
             around_text(*names.pipeline, stage) + ">(");
  out_->line("    " + names.now + ", [&](auto " + names.here + ") {");
  out_->depth += 3;
  for (const std::size_t axis : names.positions) {
    out_->line("const std::int64_t " + name(nest.indices[axis]) + " = " + names.here + ".index(" +
               std::to_string(axis) + ");");
  }
  out_->depth -= 3;
  out_->raw(body.str());
  out_->line("    });");
  if (stage.barrier) out_->line(names.team + ".barrier();");
}

// Have they the same pads, and elements of one size? Rows of padded arrays begin where lines of the
// cache do.
bool FunctionWriter::lie_alike(const std::vector<onf::ViewId>& arrays) const {
  const auto block_of = [&](onf::ViewId view) -> const onf::Block& {
    return function().blocks[onf::number(function().views[onf::number(view)].block)];
  };
  const onf::Block& first = block_of(arrays.front());
  const bool padded = std::ranges::any_of(
      first.box, [](const onf::StoredAxis& axis) { return axis.low != 0 || axis.high != 0; });
  return std::ranges::all_of(arrays, [&](onf::ViewId view) {
    const onf::Block& block = block_of(view);
    if (!block.broadcast.empty()) return false;
    if (padded && onf::bytes_of(block.element) != onf::bytes_of(first.element)) return false;
    return std::ranges::equal(block.box, first.box, [](const auto& a, const auto& b) {
      return a.low == b.low && a.high == b.high;
    });
  });
}

void FunctionWriter::teams(const onf::Pipeline& s) {
  const NameTable outer = locals_;
  const term::LocationId location = location_;
  TeamNames names;
  names.pipeline = &s;
  names.team = locals_.unique("team");
  names.now = locals_.unique("now");
  names.here = locals_.unique("here");
  Kernel kernel;
  kernel.team = &names;
  kernel.index = "std::int64_t";
  std::vector<std::pair<std::string, onf::ViewId>> written;
  Text inside;
  inside.depth = out_->depth + 4;
  const std::int64_t scratch = team_rings(s, names, inside);
  const std::int64_t planes = s.rings.empty() ? 1 : s.rings.front().planes;
  for (const onf::Pipeline::Stage& stage : s.stages) {
    for (const onf::ViewId target : onf::targets_of(stage.nest)) {
      if (names.rings.contains(target)) continue;
      names.written[target] = locals_.unique(extended(name(target), "to"));
      written.emplace_back(names.written[target], target);
    }
  }
  std::int64_t before = 0, behind = 0;
  for (const onf::Pipeline::Stage& stage : s.stages) {
    before = std::max(before, stage.beyond.low - stage.lag);
    behind = std::max(behind, stage.beyond.high + stage.lag);
  }
  Text* const out = std::exchange(out_, &inside);
  kernel_ = &kernel;
  inside.line(names.team + ".moments<" + std::to_string(planes) + ">(" + std::to_string(before) +
              ", " + std::to_string(behind) + ",");
  inside.line("    [&](auto " + names.now + ") {");
  inside.depth += 3;
  team_fetch(s, names);
  inside.depth -= 3;
  inside.line("    },");
  inside.line("    [&](auto " + names.now + ") {");
  inside.depth += 3;
  for (const onf::Pipeline::Stage& stage : s.stages) team_stage(stage, names);
  inside.depth -= 3;
  inside.line("    });");
  kernel_ = nullptr;
  out_ = out;
  location_ = location;

  std::vector<onf::ViewId> arrays;
  for (const auto& [view, captured] : kernel.reads) arrays.push_back(view);
  for (const auto& [target, view] : written) arrays.push_back(view);
  const bool alike = lie_alike(arrays);

  const auto sweeps = std::ranges::count_if(
      s.stages, [](const onf::Pipeline::Stage& stage) { return !stage.fetch; });
  comment((sweeps == 1 ? "" : std::to_string(sweeps) + " sweeps in one, ") +
              "plane by plane; teams of threads in parallel, a tile each",
          s.made_by, onf::locations_of(s.stages));
  out_->open("{");
  for (const auto& [view, captured] : kernel.reads) {
    out_->line("const auto " + captured + " = " + name(view) + ".read();");
  }
  for (const auto& [target, view] : written) {
    out_->line("const auto " + target + " = " + name(view) + ".overwrite();");
  }
  if (kernel.uses_self) out_->line("const auto self = *this;");
  for (const std::string& line : kernel.lines) out_->line(line);
  const std::string rank = std::to_string(module_.rank);
  out_->line("using Plane = rhopsi::TilePlane<" + std::to_string(s.teams->rows) + ", " +
             (alike ? "true" : "false") + sides_text(s) + ">;");
  out_->line("rhopsi::run_teams<Plane>(" + quoted(s.label) + ", domain, " +
             std::to_string(s.teams->planes) + ", " + std::to_string(before + behind) + ", " +
             std::to_string(scratch) + ", " + written.front().first + ",");
  out_->line("    KOKKOS_LAMBDA(rhopsi::Team<" + rank + ", Plane>& " + names.team + ") {");
  out_->raw(inside.str());
  out_->line("    });");
  out_->close();
  locals_ = outer;
}

}  // namespace rhopsi::kokkos
