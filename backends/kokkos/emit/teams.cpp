// Pipelines of teams: one kernel, whose rings lie in the memory that a team shares.
//
//   stage v := u[i - 1, j, k] ...  =>  if (const std::int64_t i = t; team.does(i, 1, 1)) {
//                                        const std::int64_t i_im1 = rhopsi::circular(i - 1, n0);
//                                        const auto v_plane = v_ring.plane(i);
//                                        team.each<Side<1, 8, 1>, Side<1, 32, 1>>(
//                                            [&](const std::int64_t j, const std::int64_t k) {
//                                              v_plane(j, k) = u_at(i_im1, j_in, k_in) ...
#include "engine/onf/teams.hpp"

#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/scalar_size.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

namespace {

std::vector<onf::ViewId> stored_by(const onf::Nest& nest) {
  std::vector<onf::ViewId> targets = {nest.target};
  for (const onf::Nest::Output& output : nest.also) targets.push_back(output.target);
  return targets;
}

// The axes of a tile but the first, with what the stage does beyond them.
std::string sides_text(const onf::Pipeline::Teams& teams, const onf::Pipeline::Stage& stage) {
  std::string text;
  for (std::size_t axis = 1; axis <= teams.sides.size(); ++axis) {
    const onf::Margin beyond = onf::beyond_of(stage, axis);
    text += (text.empty() ? "" : ", ") + std::string("rhopsi::Side<") + std::to_string(beyond.low) +
            ", " + std::to_string(teams.sides[axis - 1]) + ", " + std::to_string(beyond.high) + ">";
  }
  return text;
}

std::int64_t elements_of(const onf::Pipeline::Teams& teams, const onf::Pipeline::Stage& stage) {
  std::int64_t product = 1;
  for (std::size_t axis = 1; axis <= teams.sides.size(); ++axis) {
    const onf::Margin beyond = onf::beyond_of(stage, axis);
    product *= beyond.low + teams.sides[axis - 1] + beyond.high;
  }
  return product;
}

// Does the stage stay in the tile?
bool within_tile(const onf::Pipeline::Teams& teams, const onf::Pipeline::Stage& stage) {
  for (std::size_t axis = 0; axis <= teams.sides.size(); ++axis) {
    if (onf::beyond_of(stage, axis) != onf::Margin{}) return false;
  }
  return true;
}

std::string moved_by(const std::string& from, std::int64_t by) {
  if (by == 0) return from;
  return from + (by < 0 ? " - " : " + ") + std::to_string(by < 0 ? -by : by);
}

}  // namespace

// A variable of the stage that is written.
std::string FunctionWriter::in_front(const std::string& type, const std::string& wanted,
                                     const std::string& value, std::vector<std::string>& lines) {
  const auto [place, fresh] = kernel_->team->known.try_emplace(value);
  if (fresh) {
    place->second = locals_.unique(wanted);
    lines.push_back("const " + type + " " + place->second + " = " + value + ";");
  }
  return place->second;
}

std::string FunctionWriter::team_plane(onf::ViewId ring, const Expr& index) {
  const onf::Nest& nest = kernel_->team->stage->nest;
  const std::string moved =
      moved_name(name(nest.indices[0]), offset_from(nest, index, 0).value_or(0));
  ++indexing_;
  const std::string value = kernel_->team->rings.at(ring) + ".plane(" + expression(index) + ")";
  --indexing_;
  return in_front("auto", name(ring) + (moved.empty() ? "_plane" : moved), value,
                  kernel_->team->planes);
}

// A component of an index into an array, which may be beyond the ends of the axis.
std::string FunctionWriter::team_circular(const Expr& index, std::size_t axis) {
  TeamNames& team = *kernel_->team;
  const onf::VariableId own = team.stage->nest.indices[axis];
  const std::int64_t offset = offset_from(team.stage->nest, index, axis).value_or(0);
  ++indexing_;
  const std::string text = expression(index);
  --indexing_;
  if (offset == 0 && onf::beyond_of(*team.stage, axis) == onf::Margin{}) return text;
  Expr extent;
  extent.kind = Expr::Kind::extent;
  extent.type = index.type;
  extent.axis = static_cast<int>(axis);
  const std::string moved = moved_name(name(own), offset);
  return in_front("std::int64_t", moved.empty() ? name(own) + "_in" : moved.substr(1),
                  "rhopsi::circular(" + text + ", " + expression(extent) + ")",
                  axis == 0 ? team.planes : team.elements);
}

std::string FunctionWriter::team_load(const Expr& e) {
  std::string indices;
  if (kernel_->team->rings.contains(e.view)) {
    ++indexing_;
    for (std::size_t axis = 1; axis < e.operands.size(); ++axis) {
      indices += (indices.empty() ? "" : ", ") + expression(e.operands[axis]);
    }
    --indexing_;
    return team_plane(e.view, e.operands[0]) + "(" + indices + ")";
  }
  for (std::size_t axis = 0; axis < e.operands.size(); ++axis) {
    indices += (indices.empty() ? "" : ", ") + team_circular(e.operands[axis], axis);
  }
  Expr view = e;
  view.kind = Expr::Kind::view;
  return argument(view) + "(" + indices + ")";
}

// What an element is assigned to: of a ring wherever it is, of an array in the tile alone.
std::string FunctionWriter::team_element(const onf::Nest& s, onf::ViewId target) {
  std::string all, planar;
  for (const onf::VariableId index : s.indices) {
    all += (all.empty() ? "" : ", ") + name(index);
    if (index != s.indices[0]) planar += (planar.empty() ? "" : ", ") + name(index);
  }
  const TeamNames& team = *kernel_->team;
  if (team.rings.contains(target)) return team_plane(target, index_of(s, 0)) + "(" + planar + ")";
  const std::string element = team.written.at(target) + "(" + all + ")";
  const std::string own = "if (" + team.team + ".owns(" + all + ")) ";
  return (team.within ? "" : own) + element;
}

// Where they lie in the memory of a team; how much of it there is.
std::int64_t FunctionWriter::team_rings(const onf::Pipeline& s, TeamNames& names, Text& text) {
  std::int64_t place = 0;
  for (const onf::Pipeline::Ring& ring : s.rings) {
    const auto writer = std::ranges::find_if(s.stages, [&](const onf::Pipeline::Stage& stage) {
      return std::ranges::count(stored_by(stage.nest), ring.view) > 0;
    });
    const std::string made = names.rings[ring.view] = locals_.unique(name(ring.view) + "_ring");
    text.line("const rhopsi::TeamRing<" + element_type(ring.view) + ", " +
              std::to_string(ring.planes) + ", " + sides_text(*s.teams, *writer) + "> " + made +
              "(" + names.team + ", " + std::to_string(place) + ");");
    const onf::Block& block =
        function().blocks[onf::number(function().views[onf::number(ring.view)].block)];
    const std::int64_t bytes = ring.planes * elements_of(*s.teams, *writer) *
                               static_cast<std::int64_t>(onf::bytes_of(block.element));
    place += (bytes + 7) / 8 * 8;
  }
  return place;
}

void FunctionWriter::team_stage(const onf::Pipeline::Stage& stage, TeamNames& names,
                                const onf::Pipeline& s) {
  const onf::Nest& nest = stage.nest;
  location_ = stage.location;
  names.stage = &stage;
  names.known.clear();
  names.planes.clear();
  names.elements.clear();
  kernel_->local = onf::declared_in(nest.body);
  kernel_->local.insert(nest.indices.begin(), nest.indices.end());
  names.within = within_tile(*s.teams, stage);
  Text body;
  body.depth = out_->depth + 4;
  Text* const out = std::exchange(out_, &body);
  kernel_body(nest);
  out_ = out;
  location_ = stage.location;
  comment(std::to_string(stage.lag) + (stage.lag == 1 ? " plane" : " planes") + " behind" +
              (names.within ? "" : "; also beyond the tile"),
          stage.nest.made_by);
  const std::string i = name(nest.indices[0]);
  out_->open("if (const std::int64_t " + i + " = " + moved_by(names.moment, -stage.lag) + "; " +
             names.team + ".does(" + i + ", " + std::to_string(stage.beyond.low) + ", " +
             std::to_string(stage.beyond.high) + ")) {");
  for (const std::string& line : names.planes) out_->line(line);
  std::string indices;
  for (std::size_t axis = 1; axis < nest.indices.size(); ++axis) {
    indices += (indices.empty() ? "" : ", ") + std::string("const std::int64_t ") +
               name(nest.indices[axis]);
  }
  out_->line(names.team + ".each<" + sides_text(*s.teams, stage) + ">(");
  out_->line("    [&](" + indices + ") {");
  out_->depth += 3;
  for (const std::string& line : names.elements) out_->line(line);
  out_->depth -= 3;
  out_->raw(body.str());
  out_->line("    });");
  out_->close();
  if (stage.barrier) out_->line(names.team + ".barrier();");
}

void FunctionWriter::teams(const onf::Pipeline& s) {
  const NameTable outer = locals_;
  const term::LocationId location = location_;
  TeamNames names;
  names.team = locals_.unique("team");
  names.moment = locals_.unique("t");
  Kernel kernel;
  kernel.team = &names;
  kernel.index = "std::int64_t";
  std::vector<std::pair<std::string, onf::ViewId>> written;
  Text inside;
  inside.depth = out_->depth + 4;
  const std::int64_t scratch = team_rings(s, names, inside);
  for (const onf::Pipeline::Stage& stage : s.stages) {
    for (const onf::ViewId target : stored_by(stage.nest)) {
      if (names.rings.contains(target)) continue;
      names.written[target] = locals_.unique(name(target) + "_to");
      written.emplace_back(names.written[target], target);
    }
  }
  std::int64_t before = 0, behind = 0;
  for (const onf::Pipeline::Stage& stage : s.stages) {
    before = std::max(before, stage.beyond.low - stage.lag);
    behind = std::max(behind, stage.beyond.high + stage.lag);
  }
  inside.open("for (std::int64_t " + names.moment + " = " +
              moved_by(names.team + ".low[0]", -before) + "; " + names.moment + " < " +
              moved_by(names.team + ".high[0]", behind) + "; ++" + names.moment + ") {");
  Text* const out = std::exchange(out_, &inside);
  kernel_ = &kernel;
  for (const onf::Pipeline::Stage& stage : s.stages) team_stage(stage, names, s);
  kernel_ = nullptr;
  out_ = out;
  inside.close();
  location_ = location;

  const std::size_t sweeps = s.stages.size();
  comment((sweeps == 1 ? "" : std::to_string(sweeps) + " sweeps in one, ") +
              "plane by plane; teams of threads in parallel, a tile each",
          s.made_by);
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
  const std::string made = locals_.unique("teams");
  std::string arguments = "domain, " + std::to_string(s.teams->planes) + ", " +
                          std::to_string(s.teams->threads) + ", " + std::to_string(scratch);
  for (const std::int64_t side : s.teams->sides) arguments += ", " + std::to_string(side);
  out_->line("const rhopsi::Teams<" + rank + "> " + made + "(" + arguments + ");");
  out_->line("rhopsi::run_teams(" + quoted(s.label) + ", " + made + ",");
  out_->line("    KOKKOS_LAMBDA(const rhopsi::Team<" + rank + ">& " + names.team + ") {");
  out_->raw(inside.str());
  out_->line("    });");
  out_->close();
  locals_ = outer;
}

}  // namespace rhopsi::kokkos
