// Pipelines: their stages as function objects over one plane, which the run-time library runs.
#include <algorithm>
#include <span>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/stages.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

namespace {

bool fills(const onf::Halo& halo) {
  return std::ranges::any_of(halo.axes,
                             [](const onf::Margin& margin) { return margin != onf::Margin{}; });
}

// Arrays that a nest reads.
std::set<onf::ViewId> read_by(const onf::Nest& nest) {
  std::set<onf::ViewId> read;
  onf::each_load(nest, [&](const Expr& load) { read.insert(load.view); });
  return read;
}

// As a rhopsi::Reach.
std::string reach_text(const onf::Pipeline::Stage& stage) {
  return "{" + std::to_string(stage.rows.low) + ", " + std::to_string(stage.rows.high) + ", " +
         std::to_string(stage.beyond.low) + ", " + std::to_string(stage.beyond.high) + "}";
}

}  // namespace

// What a stage does of a tile, rows so far beyond it.
std::string first_row(const onf::Margin& rows) {
  if (rows == onf::Margin{}) return "tile.low";
  return "tile.begin(" + std::to_string(rows.low) + ", " + std::to_string(rows.high) + ")";
}
std::string end_of_rows(const onf::Margin& rows) {
  return rows.high == 0 ? "tile.high" : "tile.end(" + std::to_string(rows.high) + ")";
}

std::string moved(const std::string& from, std::int64_t by) {
  if (by == 0) return from;
  return from + (by < 0 ? " - " : " + ") + std::to_string(by < 0 ? -by : by);
}

// The plane that an element of a stage lies in, as a variable in front of its loops.
//   u[i - 1, j, k]  =>  const auto u_im1 = u_at.plane(slab, i - 1);
std::string FunctionWriter::plane(const std::string& array, const Expr& index,
                                  const std::string& wanted) {
  ++indexing_;
  const std::string part = kernel_->pipeline->tiles.empty() ? "slab, " : "slab, tile, ";
  const std::string value = array + ".plane(" + part + expression(index) + ")";
  --indexing_;
  const auto [place, fresh] = kernel_->values.try_emplace(value);
  if (fresh) {
    place->second = locals_.unique(wanted);
    kernel_->planes.push_back({"auto", place->second, value});
  }
  return place->second;
}

void FunctionWriter::write(const onf::Pipeline& s) {
  if (s.teams) return teams(s);
  onf::Pipeline either = s;
  std::vector<onf::Nest*> around;
  for (onf::Pipeline::Stage& stage : either.stages) {
    if (stage.nest.circular == onf::Circular::mask) around.push_back(&stage.nest);
  }
  if (around.empty()) return pipeline(s);
  masked(around, [&] { pipeline(either); });
}

void FunctionWriter::pipeline(const onf::Pipeline& s) {
  if (s.runs) return runs(s);
  const NameTable outer = locals_;
  const term::LocationId location = location_;
  comment(std::to_string(s.stages.size()) + " sweeps in one, plane by plane" +
              (s.tiles ? ", tile by tile" : "") +
              "; slabs of planes in parallel, vectors along rows",
          s.made_by, onf::locations_of(s.stages));
  out_->open("{");
  PipelineNames names;
  pipeline_slabs(s, names);
  if (s.tiles) pipeline_tiles(s, names);
  pipeline_arrays(s, names);
  pipeline_fetch(s, names);
  const std::string stages = pipeline_stages(s, names, &FunctionWriter::pipeline_stage);
  location_ = location;
  out_->line("rhopsi::run_pipeline(" + quoted(s.label) + ", " + names.slabs +
             (s.tiles ? ", " + names.tiles : "") + stages + ");");
  out_->close();
  locals_ = outer;
}

void FunctionWriter::pipeline_slabs(const onf::Pipeline& s, PipelineNames& names) {
  names.slabs = locals_.unique("slabs");
  std::int64_t again = 0;
  for (const onf::Pipeline::Stage& stage : s.stages) {
    again = std::max(again, stage.beyond.low + stage.beyond.high);
  }
  out_->line("const rhopsi::Slabs<" + std::to_string(module_.rank) + "> " + names.slabs +
             "(domain, " + std::to_string(again) + ");");
}

// Writes each stage, and returns what the run-time library is told of them.
std::string FunctionWriter::pipeline_stages(const onf::Pipeline& s, PipelineNames& names,
                                            StageWriter write_stage) {
  std::string stages;
  const auto add = [&](const onf::Pipeline::Stage& stage, const onf::Margin& beyond,
                       const auto& write) {
    const std::string called = locals_.unique("stage_" + std::to_string(names.stages++));
    const NameTable shared = locals_;
    write(called);
    locals_ = shared;
    stages += ", rhopsi::pipeline_stage(" + std::to_string(stage.lag) + ", " +
              std::to_string(beyond.low) + ", " + std::to_string(beyond.high) + ", " + called + ")";
  };
  for (std::size_t k = 0, end = 0; k < s.stages.size(); k = end) {
    for (end = k + 1; end < s.stages.size() && s.stages[end].by_turns;) ++end;
    const onf::Pipeline::Stage& stage = s.stages[k];
    if (end == k + 1) {
      add(stage, stage.beyond,
          [&](const std::string& called) { (this->*write_stage)(stage, names, called); });
      continue;
    }
    const std::span turns(s.stages.data() + k, end - k);
    add(stage, all_beyond(turns),
        [&](const std::string& called) { stages_by_turns(turns, names, called); });
  }
  return stages;
}

// How many rows a tile has is found when the program runs.
void FunctionWriter::pipeline_tiles(const onf::Pipeline& s, PipelineNames& names) {
  names.tiles = locals_.unique("tiles");
  std::int64_t again = 0, kept = 0;
  for (const onf::Pipeline::Stage& stage : s.stages) {
    again = std::max(again, stage.rows.low + stage.rows.high);
  }
  for (const onf::Pipeline::Seam& seam : s.seams) {
    kept = std::max({kept, seam.rows.low, seam.rows.high, seam.next});
  }
  for (const onf::Pipeline::Stage& stage : s.stages) kept = std::max(kept, stage.rows.high);
  out_->line("const rhopsi::Tiles<" + std::to_string(module_.rank) + "> " + names.tiles + "(" +
             names.slabs + ", " + std::to_string(s.tiles->bytes) + ", " + std::to_string(again) +
             ", " + std::to_string(kept) +
             (s.tiles->most ? ", " + std::to_string(*s.tiles->most) : "") + ");");
}

// What rooms for planes of an array have as their last argument, where its pads are its own.
std::string FunctionWriter::like(onf::ViewId view) const {
  const std::string domain = stored(view);
  return domain == "domain" ? "" : ", " + domain;
}

void FunctionWriter::pipeline_ring(const onf::Pipeline& s, const onf::Pipeline::Ring& ring,
                                   PipelineNames& names) {
  const std::string owner = locals_.unique(extended(name(ring.view), "ring"));
  const std::string planes = locals_.unique(extended(name(ring.view), "at"));
  const std::string type = std::string(s.tiles ? "TileRing<" : "Ring<") + element_type(ring.view) +
                           ", " + std::to_string(module_.rank) + "> ";
  out_->line(
      "rhopsi::" + type + owner + "(" + quoted(name(ring.view)) + ", " + names.slabs + ", " +
      (s.tiles ? names.tiles + ", " : "") + std::to_string(ring.planes) +
      (s.tiles ? ", " + reach_text(onf::writer_of(s, ring.view)) + ", " + std::to_string(ring.kept)
               : "") +
      like(ring.view) + ");");
  out_->line("const auto " + planes + " = " + owner + ".ref(" + halo_text(ring.halo) + ");");
  names.rings.insert(ring.view);
  if (ring.kept > 0) names.kept.insert(ring.view);
  names.read[ring.view] = names.written[ring.view] = planes;
  names.fills[ring.view] = ring.halo;
}

// What owns it.
std::string FunctionWriter::pipeline_seam(const onf::Pipeline& s, const onf::Pipeline::Seam& seam,
                                          const std::string& planes, const PipelineNames& names) {
  const std::string owner = locals_.unique(extended(name(seam.view), "seam"));
  const bool tiled = !names.tiles.empty();
  const auto of = [](const onf::Margin& margin) {
    return std::to_string(margin.low) + ", " + std::to_string(margin.high);
  };
  const std::string kept = tiled ? "{" + of(seam.planes) + ", " + of(seam.rows) + ", " +
                                       std::to_string(seam.next) + ", " +
                                       std::to_string(onf::writer_of(s, seam.view).rows.high) + "}"
                                 : of(seam.planes);
  out_->line(std::string("const rhopsi::") + (tiled ? "TileSeam<" : "Seam<") +
             element_type(seam.view) + ", " + std::to_string(module_.rank) + "> " + owner + "(" +
             quoted("seam of " + name(seam.view)) + ", " + names.slabs + ", " +
             (tiled ? names.tiles + ", " : "") + name(seam.view) + ", " + kept + ");");
  out_->line("const auto " + planes + " = " + owner + ".ref();");
  return owner;
}

// Where the stages read and write.
void FunctionWriter::pipeline_arrays(const onf::Pipeline& s, PipelineNames& names) {
  const std::string of_tiles = s.tiles ? "_of_tiles(" : "(";
  std::set<onf::ViewId> read;
  std::map<onf::ViewId, const onf::Pipeline::Stage*> written;
  for (const onf::Pipeline::Ring& ring : s.rings) pipeline_ring(s, ring, names);
  for (const onf::Pipeline::Stage& stage : s.stages) {
    read.merge(read_by(stage.nest));
    for (const onf::ViewId target : onf::targets_of(stage.nest)) {
      if (!names.rings.contains(target)) written[target] = &stage;
    }
  }
  std::string seams;
  for (const onf::ViewId view : read) {
    if (names.rings.contains(view)) continue;
    const auto seam = std::ranges::find(s.seams, view, &onf::Pipeline::Seam::view);
    const std::string planes = names.read[view] = locals_.unique(extended(name(view), "at"));
    if (seam == s.seams.end()) {
      out_->line("const auto " + planes + " = rhopsi::all_planes" + of_tiles + name(view) + ");");
      continue;
    }
    seams += ", " + pipeline_seam(s, *seam, planes, names);
    names.seams.insert(view);
  }
  if (!seams.empty()) out_->line("rhopsi::keep_seams(" + names.slabs + seams + ");");
  for (const onf::Pipeline::Fill& fill : s.fills) names.fills[fill.view] = fill.halo;
  names.folds = s.folds;
  for (const onf::RowFold& fold : s.folds) {
    const std::string planes = names.written[fold.target] =
        locals_.unique(extended(name(fold.target), "to"));
    out_->line("const auto " + planes + " = rhopsi::own_planes(" + name(fold.target) + ", {});");
  }
  for (const auto& [view, stage] : written) {
    const std::string planes = names.written[view] = locals_.unique(extended(name(view), "to"));
    std::string spare;
    if (stage->beyond != onf::Margin{} || stage->rows != onf::Margin{}) {
      spare = locals_.unique(extended(name(view), "spare"));
      out_->line("auto " + spare + " = " + names.slabs + ".template field<" + element_type(view) +
                 ">(" + quoted("spare planes of " + name(view)) + ", 1" + like(view) + ");");
      spare.insert(0, ", ");
      if (s.tiles) spare += ", " + reach_text(*stage);
    }
    out_->line("const auto " + planes + " = rhopsi::own_planes" + of_tiles + name(view) + ", " +
               halo_text(names.fills[view]) + spare + ");");
  }
}

// What fills the pads of the plane that a stage has stored.
std::string FunctionWriter::filled_behind(const onf::Pipeline::Stage& stage,
                                          const PipelineNames& names, onf::ViewId target,
                                          const onf::Halo& halo, const RowRange& rows) {
  const std::string of =
      plane(names.written.at(target), index_of(stage.nest, 0), extended(name(target), "plane"));
  const std::string end = ", " + domain() + ", " + halo_text(halo) + ");";
  if (names.tiles.empty()) {
    return "rhopsi::fill_plane<" + element_type(target) + ", " + std::to_string(module_.rank - 1) +
           ", " + std::to_string(module_.rank) + ">(" + of + end;
  }
  if (!names.rings.contains(target)) return "rhopsi::fill_tile(" + of + ", tile" + end;
  return "rhopsi::fill_rows(" + of + ", " + rows.first + ", " + rows.end + end;
}

FunctionWriter::Kernel FunctionWriter::stage_kernel(const onf::Nest& nest,
                                                    const PipelineNames& names) {
  Kernel kernel;
  kernel.nest = kernel.by_rows = &nest;
  kernel.pipeline = &names;
  kernel.local = onf::declared_in(nest.body);
  kernel.local.insert(nest.indices.begin(), nest.indices.end());
  kernel.index = "std::int64_t";
  return kernel;
}

// Folds the rows of the plane that a stage has stored for it, where the slab has the plane.
std::string FunctionWriter::folded_behind(const onf::Pipeline::Stage& stage,
                                          const PipelineNames& names, const onf::RowFold& fold) {
  const onf::Expr at = index_of(stage.nest, 0);
  const std::string i = name(stage.nest.indices[0]);
  const std::string from =
      plane(names.written.at(fold.source), at, extended(name(fold.source), "plane"));
  std::string text =
      "rhopsi::fold_rows<" + fold_by(fold.function) + (fold.begins_anew ? ", true" : "") + ">(" +
      from + ", " + names.written.at(fold.target) + ".plane(slab, " + i + "), " + domain() + ", " +
      i +
      (names.tiles.empty() ? "" : ", " + first_row(stage.rows) + ", " + end_of_rows(stage.rows)) +
      ");";
  if (stage.beyond == onf::Margin{}) return text;
  return "if (slab.has(" + i + ")) " + text;
}

// The loops of a stage and what is done before and behind them. `rows`: those of which pads are
// filled at a time.
StageText FunctionWriter::stage_text(const onf::Pipeline::Stage& stage, const PipelineNames& names,
                                     int depth, const RowRange& rows) {
  const onf::Nest& s = stage.nest;
  const bool tiled = !names.tiles.empty();
  StageText text;
  text.loops = row_loops(s, depth, [&](RowBodies& bodies) {
    bodies.fetch = names.fetch;
    bodies.fetched = fetched_rows(stage, names, kernel_->at_once);
  });
  for (int axis = 1; axis < module_.rank; ++axis) {
    Expr extent;
    extent.kind = Expr::Kind::extent;
    extent.type = function().variables[onf::number(s.indices[0])].type;
    extent.axis = axis;
    text.lengths.push_back(tiled && axis == 1 ? rows.end : expression(extent));
  }
  const std::string at = "(slab, tile, " + name(s.indices[0]) + ");";
  for (const onf::ViewId target : onf::targets_of(s)) {
    if (tiled && names.seams.contains(target)) {
      text.before.push_back(names.read.at(target) + ".keep" + at);
    }
    if (tiled && names.kept.contains(target)) {
      text.before.push_back(names.read.at(target) + ".take" + at);
    }
    const auto halo = names.fills.find(target);
    if (halo == names.fills.end() || !fills(halo->second)) continue;
    (names.rings.contains(target) ? text.filled : text.behind)
        .push_back(filled_behind(stage, names, target, halo->second, rows));
  }
  for (const onf::ViewId target : onf::targets_of(s)) {
    if (tiled && names.kept.contains(target)) {
      text.behind.push_back(names.read.at(target) + ".keep" + at);
    }
    for (const onf::RowFold& fold : names.folds) {
      if (fold.source == target) text.behind.push_back(folded_behind(stage, names, fold));
    }
  }
  return text;
}

void FunctionWriter::pipeline_stage(const onf::Pipeline::Stage& stage, const PipelineNames& names,
                                    const std::string& called) {
  const onf::Nest& s = stage.nest;
  location_ = stage.location;
  Kernel kernel = stage_kernel(s, names);
  kernel_ = &kernel;
  // Inside what makes the function object, it and its loops.
  const int depth = out_->depth + module_.rank + 1 + (goes_in_strips(stage, names) ? 1 : 0);
  const RowRange rows = names.tiles.empty()
                            ? RowRange{"0", ""}
                            : RowRange{first_row(stage.rows), end_of_rows(stage.rows)};
  const StageText text = stage_text(stage, names, depth, rows);
  kernel_ = nullptr;
  comment(std::to_string(stage.lag) + (stage.lag == 1 ? " plane" : " planes") + " behind" +
              (stage.beyond == onf::Margin{} ? "" : "; also beyond the ends of a slab") +
              (stage.rows == onf::Margin{} ? "" : "; also beyond the end of a tile") +
              (s.rows_at_once > 1 ? "; " + std::to_string(s.rows_at_once) + " rows at once" : ""),
          s.made_by, s.also_from);
  open_stage(kernel, names, called, name(s.indices[0]));
  for (const std::string& line : text.before) out_->line(line);
  for (const Declared& plane : kernel.planes) out_->line(declaration(plane, kernel));
  stage_loops(s, text, 1, rows.first);
  for (const auto* lines : {&text.filled, &text.behind}) {
    for (const std::string& line : *lines) out_->line(line);
  }
  close_stage();
}

// What makes the function object of a stage, and its head. `captured`: besides copies.
void FunctionWriter::open_stage(const Kernel& kernel, const std::string& called,
                                const std::string& captured, const std::string& parameters) {
  out_->open("const auto " + called + " = [&] {");
  if (kernel.uses_self) out_->line("const auto self = *this;");
  for (const std::string& line : kernel.lines) out_->line(line);
  out_->open("return [=" + captured + "](const rhopsi::Slab& " + parameters +
             ") RHOPSI_INLINE_BODY {");
}
// Of one over planes.
void FunctionWriter::open_stage(const Kernel& kernel, const PipelineNames& names,
                                const std::string& called, const std::string& plane) {
  open_stage(kernel, called, "",
             std::string("slab, ") + (names.tiles.empty() ? "" : "const rhopsi::Tile& tile, ") +
                 "const std::int64_t " + plane);
}
void FunctionWriter::close_stage() {
  out_->close("};");
  out_->close("}();");
}

// The loops of the axes from `outermost` on, the rows of axis 1 from `first` on.
void FunctionWriter::stage_loops(const onf::Nest& s, const StageText& text, int outermost,
                                 const std::string& first) {
  const auto low = [&](int axis) { return axis == 1 ? first : std::string("0"); };
  const bool several = text.loops.size() > 1;
  const int rows = module_.rank - 2;  // the axis of these, if there is one
  const int around = several ? rows : module_.rank - 1;
  for (int axis = outermost; axis < around; ++axis) {
    const std::string index = name(s.indices[static_cast<std::size_t>(axis)]);
    out_->open("for (std::int64_t " + index + " = " + low(axis) + "; " + index + " < " +
               text.lengths[static_cast<std::size_t>(axis) - 1] + "; ++" + index + ") {");
  }
  const std::string end = several ? text.lengths[static_cast<std::size_t>(rows) - 1] : "";
  row_loops(s, text.loops, low(rows), end, "0", text.lengths.back());
  for (int axis = outermost; axis < around; ++axis) out_->close();
}

}  // namespace rhopsi::kokkos
