// Pipelines: their stages as function objects over one plane, which the run-time library runs.
#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/print.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

namespace {

bool fills(const onf::Halo& halo) {
  return std::ranges::any_of(halo.axes,
                             [](const onf::Margin& margin) { return margin != onf::Margin{}; });
}

std::vector<onf::ViewId> targets_of(const onf::Nest& nest) {
  std::vector<onf::ViewId> targets = {nest.target};
  for (const onf::Nest::Output& output : nest.also) targets.push_back(output.target);
  return targets;
}

// Arrays that a nest reads.
std::set<onf::ViewId> read_by(const onf::Nest& nest) {
  std::set<onf::ViewId> read;
  const auto visit = [&](const auto& self, const Expr& e) -> void {
    if (e.kind == Expr::Kind::load) read.insert(e.view);
    for (const Expr& operand : e.operands) self(self, operand);
  };
  for (const onf::Statement& statement : nest.body) {
    const auto* let = std::get_if<onf::Let>(&statement.form);
    if (let != nullptr && let->value) visit(visit, *let->value);
  }
  visit(visit, nest.element);
  for (const onf::Nest::Output& output : nest.also) visit(visit, output.element);
  return read;
}

}  // namespace

// The plane that an element of a stage lies in, as a variable in front of its loops.
//   u[i - 1, j, k]  =>  const auto u_im1 = u_at.plane(slab, i - 1);
std::string FunctionWriter::plane(const std::string& array, const Expr& index,
                                  const std::string& wanted) {
  ++indexing_;
  const std::string value = array + ".plane(slab, " + expression(index) + ")";
  --indexing_;
  const auto [place, fresh] = kernel_->values.try_emplace(value);
  if (fresh) {
    place->second = locals_.unique(wanted);
    kernel_->planes.push_back("const auto " + place->second + " = " + value + ";");
  }
  return place->second;
}

void FunctionWriter::write(const onf::Pipeline& s) {
  const NameTable outer = locals_;
  const term::LocationId location = location_;
  comment(std::to_string(s.stages.size()) +
          " sweeps in one, plane by plane; slabs of planes in parallel, vectors along rows");
  out_->open("{");
  PipelineNames names;
  names.slabs = locals_.unique("slabs");
  const onf::Pipeline::Stage& widest = *std::ranges::max_element(
      s.stages, {},
      [](const onf::Pipeline::Stage& stage) { return stage.beyond.low + stage.beyond.high; });
  out_->line("const rhopsi::Slabs<" + std::to_string(module_.rank) + "> " + names.slabs +
             "(domain, " + std::to_string(widest.beyond.low + widest.beyond.high) + ");");
  pipeline_arrays(s, names);
  std::string stages;
  for (const onf::Pipeline::Stage& stage : s.stages) {
    const std::string called = locals_.unique("stage_" + std::to_string(names.stages++));
    const NameTable shared = locals_;
    pipeline_stage(stage, names, called);
    locals_ = shared;
    stages += ", rhopsi::pipeline_stage(" + std::to_string(stage.lag) + ", " +
              std::to_string(stage.beyond.low) + ", " + std::to_string(stage.beyond.high) + ", " +
              called + ")";
  }
  location_ = location;
  out_->line("rhopsi::run_pipeline(" + quoted(s.label) + ", " + names.slabs + stages + ");");
  out_->close();
  locals_ = outer;
}

// Where the stages read and write.
void FunctionWriter::pipeline_arrays(const onf::Pipeline& s, PipelineNames& names) {
  const std::string rank = std::to_string(module_.rank);
  std::set<onf::ViewId> read, rings;
  std::map<onf::ViewId, const onf::Pipeline::Stage*> written;
  for (const onf::Pipeline::Ring& ring : s.rings) {
    rings.insert(ring.view);
    const std::string owner = locals_.unique(name(ring.view) + "_ring");
    const std::string planes = locals_.unique(name(ring.view) + "_at");
    out_->line("rhopsi::Ring<" + element_type(ring.view) + ", " + rank + "> " + owner + "(" +
               quoted(name(ring.view)) + ", " + names.slabs + ", " + std::to_string(ring.planes) +
               ");");
    out_->line("const auto " + planes + " = " + owner + ".ref(" + halo_text(ring.halo) + ");");
    names.read[ring.view] = names.written[ring.view] = planes;
    names.fills[ring.view] = ring.halo;
  }
  for (const onf::Pipeline::Stage& stage : s.stages) {
    read.merge(read_by(stage.nest));
    for (const onf::ViewId target : targets_of(stage.nest)) {
      if (!rings.contains(target)) written[target] = &stage;
    }
  }
  std::string seams;
  for (const onf::ViewId view : read) {
    if (rings.contains(view)) continue;
    const auto seam = std::ranges::find(s.seams, view, &onf::Pipeline::Seam::view);
    const std::string planes = names.read[view] = locals_.unique(name(view) + "_at");
    if (seam == s.seams.end()) {
      out_->line("const auto " + planes + " = rhopsi::all_planes(" + name(view) + ");");
      continue;
    }
    const std::string owner = locals_.unique(name(view) + "_seam");
    out_->line("const rhopsi::Seam<" + element_type(view) + ", " + rank + "> " + owner + "(" +
               quoted("seam of " + name(view)) + ", " + names.slabs + ", " + name(view) + ", " +
               std::to_string(seam->planes.low) + ", " + std::to_string(seam->planes.high) + ");");
    out_->line("const auto " + planes + " = " + owner + ".ref();");
    seams += ", " + owner;
  }
  if (!seams.empty()) out_->line("rhopsi::keep_seams(" + names.slabs + seams + ");");
  for (const onf::Pipeline::Fill& fill : s.fills) names.fills[fill.view] = fill.halo;
  for (const auto& [view, stage] : written) {
    const std::string planes = names.written[view] = locals_.unique(name(view) + "_to");
    std::string spare;
    if (stage->beyond != onf::Margin{}) {
      spare = locals_.unique(name(view) + "_spare");
      out_->line("auto " + spare + " = " + names.slabs + ".template field<" + element_type(view) +
                 ">(" + quoted("spare planes of " + name(view)) + ", 1);");
      spare.insert(0, ", ");
    }
    out_->line("const auto " + planes + " = rhopsi::own_planes(" + name(view) + ", " +
               halo_text(names.fills[view]) + spare + ");");
  }
}

void FunctionWriter::pipeline_stage(const onf::Pipeline::Stage& stage, const PipelineNames& names,
                                    const std::string& called) {
  const onf::Nest& s = stage.nest;
  location_ = stage.location;
  Kernel kernel;
  kernel.by_rows = &s;
  kernel.pipeline = &names;
  kernel.local = onf::declared_in(s.body);
  kernel.local.insert(s.indices.begin(), s.indices.end());
  locals_.reserve("slab");
  kernel.index = "std::int64_t";
  Text body;
  const int rank = module_.rank;
  body.depth = out_->depth + rank + 1;  // inside what makes the function object, it and its loops
  Text* out = std::exchange(out_, &body);
  kernel_ = &kernel;
  kernel_body(s);
  std::vector<std::string> lengths, filled;
  for (int axis = 1; axis < rank; ++axis) {
    Expr extent;
    extent.kind = Expr::Kind::extent;
    extent.type = function().variables[onf::number(s.indices[0])].type;
    extent.axis = axis;
    lengths.push_back(expression(extent));
  }
  for (const onf::ViewId target : targets_of(s)) {
    const auto halo = names.fills.find(target);
    if (halo == names.fills.end() || !fills(halo->second)) continue;
    Expr i = index_of(s, 0);
    filled.push_back("rhopsi::fill_plane<" + element_type(target) + ", " +
                     std::to_string(rank - 1) + ", " + std::to_string(rank) + ">(" +
                     plane(names.written.at(target), i, name(target) + "_plane") + ", " + domain() +
                     ", " + halo_text(halo->second) + ");");
  }
  kernel_ = nullptr;
  out_ = out;
  comment(std::to_string(stage.lag) + (stage.lag == 1 ? " plane" : " planes") + " behind" +
          (stage.beyond == onf::Margin{} ? "" : "; also beyond the ends of a slab"));
  out_->open("const auto " + called + " = [&] {");
  if (kernel.uses_self) out_->line("const auto self = *this;");
  for (const std::string& line : kernel.lines) out_->line(line);
  out_->open("return [=](const rhopsi::Slab& slab, const std::int64_t " + name(s.indices[0]) +
             ") {");
  for (const std::string& line : kernel.planes) out_->line(line);
  for (int axis = 1; axis < rank; ++axis) {
    const std::string& index = name(s.indices[static_cast<std::size_t>(axis)]);
    if (axis == rank - 1) {
      for (const std::string& line : kernel.rows) out_->line(line);
      out_->line("RHOPSI_SIMD");
    }
    out_->open("for (std::int64_t " + index + " = 0; " + index + " < " +
               lengths[static_cast<std::size_t>(axis) - 1] + "; ++" + index + ") {");
  }
  out_->raw(body.str());
  for (int axis = 1; axis < rank; ++axis) out_->close();
  for (const std::string& line : filled) out_->line(line);
  out_->close("};");
  out_->close("}();");
}

}  // namespace rhopsi::kokkos
