// Pipelines over arrays of one axis: their stages as function objects over a run of elements.
#include <algorithm>
#include <limits>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/print.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

namespace {

// i, i + c, i - c
std::int64_t offset_of(const Expr& index) {
  if (index.kind != Expr::Kind::apply) return 0;
  const std::int64_t by = index.operands[1].integer;
  return index.function == onf::ScalarFunction::subtract ? -by : by;
}

// How far from its own index a nest reads each array: {-least, greatest}.
std::map<onf::ViewId, onf::Margin> reach_of(const onf::Nest& nest) {
  std::map<onf::ViewId, onf::Margin> reach;
  onf::each_load(nest, [&](const Expr& load) {
    onf::Margin& own = reach[load.view];
    own.low = std::max(own.low, -offset_of(load.operands[0]));
    own.high = std::max(own.high, offset_of(load.operands[0]));
  });
  return reach;
}

// As a rhopsi::RunEnds.
std::string ends_text(const onf::Pipeline& s) {
  std::int64_t low = 0, high = std::numeric_limits<std::int64_t>::min();
  for (const onf::Pipeline::Stage& stage : s.stages) {
    onf::Margin reach;
    for (const auto& [view, of] : reach_of(stage.nest)) {
      reach.low = std::max(reach.low, of.low);
      reach.high = std::max(reach.high, of.high);
    }
    low = std::max(low, stage.lag + reach.low);
    high = std::max(high, reach.high - stage.lag);
  }
  return "rhopsi::RunEnds{" + std::to_string(low) + ", " + std::to_string(high) + ", " +
         std::to_string(s.stages.back().lag) + "}";
}

}  // namespace

// A line of an array as a variable in front of the loop of a stage.
std::string FunctionWriter::line_of(const std::string& value, const std::string& wanted) {
  const auto [place, fresh] = kernel_->values.try_emplace(value);
  if (fresh) {
    place->second = locals_.unique(wanted);
    kernel_->planes.push_back({"auto", place->second, value});
  }
  return place->second;
}

// u[i + 1]  =>  u_line[i + 1], from u_at.line(slab, low - 1, high + 1)
std::string FunctionWriter::line_to_read(const Expr& load) {
  const PipelineNames& names = *kernel_->pipeline;
  const onf::Margin reach = reach_of(*kernel_->nest).at(load.view);
  return line_of(names.read.at(load.view) + ".line(" + names.slab + ", " +
                     moved(names.low, -reach.low) + ", " + moved(names.high, reach.high) + ")",
                 extended(name(load.view), "line"));
}

std::string FunctionWriter::stored_in_run(const onf::Nest& s, onf::ViewId target) {
  const PipelineNames& names = *kernel_->pipeline;
  const std::string end = names.rings.contains(target) ? "" : ", " + names.high;
  const std::string line =
      line_of(names.written.at(target) + ".next(" + names.slab + ", " + names.low + end + ")",
              extended(name(target), "to"));
  return row_to_store(line) + "[" + name(s.indices[0]) + "]";
}

// Where the stages read and write.
void FunctionWriter::run_arrays(const onf::Pipeline& s, PipelineNames& names) {
  std::map<onf::ViewId, std::int64_t> read;  // by how much more than a run
  std::set<onf::ViewId> written;
  for (const onf::Pipeline::Ring& ring : s.rings) names.rings.insert(ring.view);
  for (const onf::Pipeline::Stage& stage : s.stages) {
    for (const auto& [view, reach] : reach_of(stage.nest)) {
      if (!names.rings.contains(view)) read[view] = std::max(read[view], reach.low + reach.high);
    }
    for (const onf::ViewId target : onf::targets_of(stage.nest)) {
      if (!names.rings.contains(target)) written.insert(target);
    }
  }
  const auto declare = [&](const char* type, onf::ViewId view, const std::string& word,
                           const std::string& more) {
    const std::string made = locals_.unique(extended(name(view), word));
    out_->line("const rhopsi::" + std::string(type) + "<" + element_type(view) + "> " + made + "(" +
               quoted(name(view)) + ", " + names.slabs + ", " + names.runs + more + ");");
    return made;
  };
  for (const onf::Pipeline::Ring& ring : s.rings) {
    names.read[ring.view] = names.written[ring.view] =
        declare("LineRing", ring.view, "ring", ", " + std::to_string(ring.planes - 1));
  }
  for (const auto& [view, reach] : read) {
    const std::string of = ", " + name(view) + ", " + std::to_string(reach);
    if (!written.contains(view)) {
      names.read[view] = declare("LineOfAll", view, "at", of);
      continue;
    }
    const auto seam = std::ranges::find(s.seams, view, &onf::Pipeline::Seam::view);
    const onf::Margin kept = seam == s.seams.end() ? onf::Margin{} : seam->planes;
    names.read[view] =
        declare("LineOfOld", view, "at",
                of + ", " + std::to_string(kept.low) + ", " + std::to_string(kept.high));
  }
  for (const onf::ViewId view : written) {
    names.written[view] = declare("LineOfOwn", view, "own", ", " + name(view));
  }
}

// Whatever owns memory stays where it is.
std::string FunctionWriter::run_captures(const onf::Nest& s, const PipelineNames& names) const {
  std::set<std::string> owners;
  for (const auto& [view, reach] : reach_of(s)) owners.insert(names.read.at(view));
  for (const onf::ViewId target : onf::targets_of(s)) owners.insert(names.written.at(target));
  std::string text;
  for (const std::string& owner : owners) text += ", &" + owner;
  return text;
}

void FunctionWriter::run_stage(const onf::Pipeline::Stage& stage, const PipelineNames& names,
                               const std::string& called) {
  const onf::Nest& s = stage.nest;
  location_ = stage.location;
  Kernel kernel = stage_kernel(s, names);
  kernel_ = &kernel;
  const std::vector<RowLoop> loops = row_loops(s, out_->depth + 3, {});
  kernel_ = nullptr;
  comment(std::to_string(stage.lag) + (stage.lag == 1 ? " element" : " elements") + " behind" +
              (stage.beyond == onf::Margin{} ? "" : "; also beyond the ends of a slab"),
          s.made_by, s.also_from);
  open_stage(
      kernel, called, run_captures(s, names),
      names.slab + ", const std::int64_t " + names.low + ", const std::int64_t " + names.high);
  for (const Declared& line : kernel.planes) out_->line(declaration(line, kernel));
  row_loops(s, loops, "", "", names.low, names.high);
  for (const onf::ViewId target : onf::targets_of(s)) {
    if (names.rings.contains(target)) continue;
    out_->line(names.written.at(target) + ".done(" + names.slab + ", " + names.low + ", " +
               names.high + ");");
  }
  close_stage();
}

void FunctionWriter::runs(const onf::Pipeline& s) {
  const NameTable outer = locals_;
  const term::LocationId location = location_;
  comment(std::to_string(s.stages.size()) +
              " sweeps in one, run by run; slabs of elements in parallel, vectors along runs",
          s.made_by, onf::locations_of(s.stages));
  out_->open("{");
  PipelineNames names;
  pipeline_slabs(s, names);
  names.runs = locals_.unique("runs");
  names.slab = locals_.unique("slab");
  names.low = locals_.unique("low");
  names.high = locals_.unique("high");
  out_->line("const rhopsi::Runs " + names.runs + "(domain, " + std::to_string(s.runs->bytes) +
             (s.runs->most ? ", " + std::to_string(*s.runs->most) : "") + ");");
  run_arrays(s, names);
  const std::string stages = pipeline_stages(s, names, &FunctionWriter::run_stage);
  location_ = location;
  out_->line("rhopsi::run_in_runs(" + quoted(s.label) + ", " + names.slabs + ", " + names.runs +
             ", " + ends_text(s) + stages + ");");
  out_->close();
  locals_ = outer;
}

}  // namespace rhopsi::kokkos
