// Stages of a tile row by row, by turns: one function object, in whose loop over rows each of them
// does its own.
#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/print.hpp"

namespace rhopsi::kokkos {

namespace {

// The rows that any of the stages does.
onf::Margin all_rows(std::span<const onf::Pipeline::Stage> stages) {
  onf::Margin all = stages.front().rows;
  for (const onf::Pipeline::Stage& stage : stages) {
    all.low = std::max(all.low, stage.rows.low);
    all.high = std::max(all.high, stage.rows.high);
  }
  return all;
}

}  // namespace

onf::Margin FunctionWriter::all_beyond(Stages stages) {
  onf::Margin all = stages.front().beyond;
  for (const onf::Pipeline::Stage& stage : stages) {
    all.low = std::max(all.low, stage.beyond.low);
    all.high = std::max(all.high, stage.beyond.high);
  }
  return all;
}

// What stages have in common is declared once: constants, and planes.
FunctionWriter::Kernel FunctionWriter::next_kernel(Kernel&& before, const onf::Nest& nest,
                                                   const PipelineNames& names) {
  Kernel next = stage_kernel(nest, names);
  next.reads = std::move(before.reads);
  next.values = std::move(before.values);
  next.lines = std::move(before.lines);
  next.planes = std::move(before.planes);
  next.constants = before.constants;
  next.branches = before.branches;
  next.uses_self = before.uses_self;
  return next;
}

// Is the plane one that the stage does? Empty: all of them are.
std::string FunctionWriter::does_plane(const onf::Pipeline::Stage& stage, const onf::Margin& all,
                                       const std::string& i) {
  const onf::Margin& own = stage.beyond;
  if (own == all) return {};
  if (own == onf::Margin{}) return "slab.has(" + i + ")";
  return moved("slab.low", -own.low) + " <= " + i + " && " + i + " < " +
         moved("slab.high", own.high);
}

// Is the row one that the stage does? Empty: all from `first` to `end` are.
std::string FunctionWriter::does_row(const onf::Pipeline::Stage& stage, const RowRange& all,
                                     const std::string& j) {
  const std::string first = first_row(stage.rows), end = end_of_rows(stage.rows);
  std::string text;
  if (first != all.first) text = first + " <= " + j;
  if (end != all.end) text += (text.empty() ? "" : " && ") + j + " < " + end;
  return text;
}

// The texts of all stages; the kernel has what is declared in front of their loops.
std::vector<StageText> FunctionWriter::turn_texts(Stages stages, const PipelineNames& names,
                                                  Kernel& kernel) {
  // Inside what makes the function object, it, the loop over rows, the block of a stage and its own
  // loops.
  const int depth = out_->depth + module_.rank + 2;
  const NameTable around = locals_;
  const std::string j = name(stages.front().nest.indices[1]);
  std::vector<StageText> texts;
  for (const onf::Pipeline::Stage& stage : stages) {
    location_ = stage.location;
    kernel = next_kernel(std::move(kernel), stage.nest, names);
    kernel_ = &kernel;
    texts.push_back(stage_text(stage, names, depth, {j, moved(j, 1)}));
    // Those of rows are in the block of the stage.
    locals_ = around;
    for (const auto& [text, known] : kernel.values) locals_.reserve(known);
    for (const auto& [view, known] : kernel.reads) locals_.reserve(known);
  }
  kernel_ = nullptr;
  return texts;
}

// Declares which planes stages do, and returns for each what to ask; empty: it does all of them.
std::vector<std::string> FunctionWriter::turn_tests(Stages stages, const std::string& i) {
  const onf::Margin beyond = all_beyond(stages);
  std::map<std::string, std::string> known = {{"", ""}};  // tests, and their names
  std::vector<std::string> does;
  for (const onf::Pipeline::Stage& stage : stages) {
    const auto [test, fresh] = known.try_emplace(does_plane(stage, beyond, i));
    if (fresh) {
      test->second = locals_.unique(stage.beyond == onf::Margin{} ? "own_plane" : "does_plane");
      out_->line("const bool " + test->second + " = " + test->first + ";");
    }
    does.push_back(test->second);
  }
  return does;
}

void FunctionWriter::turn_loops(Stages stages, const std::vector<StageText>& texts,
                                const std::vector<std::string>& does, const RowRange& all) {
  const std::string j = name(stages.front().nest.indices[1]);
  out_->open("for (std::int64_t " + j + " = " + all.first + "; " + j + " < " + all.end + "; ++" +
             j + ") {");
  for (std::size_t k = 0; k < stages.size(); ++k) {
    std::string where = does[k];
    const std::string in_rows = does_row(stages[k], all, j);
    if (!in_rows.empty()) where += (where.empty() ? "" : " && ") + in_rows;
    location_ = stages[k].location;
    comment(module_.rank > 3 ? "the rows of an index" : "a row", stages[k].nest.made_by,
            stages[k].nest.also_from);
    out_->open(where.empty() ? "{" : "if (" + where + ") {");
    stage_loops(stages[k].nest, texts[k], 2, "0");
    for (const std::string& line : texts[k].filled) out_->line(line);
    out_->close();
  }
  out_->close();
}

void FunctionWriter::stages_by_turns(Stages stages, const PipelineNames& names,
                                     const std::string& called) {
  const onf::Pipeline::Stage& front = stages.front();
  const onf::Margin beyond = all_beyond(stages), rows = all_rows(stages);
  // In front of the first tile a stage does `low` rows more, of the others it has done `high`.
  std::int64_t done = rows.high;
  for (const onf::Pipeline::Stage& stage : stages) done = std::min(done, stage.rows.high);
  Kernel kernel;
  const std::vector<StageText> texts = turn_texts(stages, names, kernel);
  location_ = front.location;
  comment(std::to_string(stages.size()) + " sweeps by turns, row by row, " +
              std::to_string(front.lag) + (front.lag == 1 ? " plane" : " planes") + " behind" +
              (beyond == onf::Margin{} ? "" : "; some also beyond the ends of a slab") +
              (rows == onf::Margin{} ? "" : "; some also beyond the end of a tile"),
          {}, onf::locations_of(stages));
  const std::string i = name(front.nest.indices[0]);
  open_stage(kernel, names, called, i);
  const std::vector<std::string> does = turn_tests(stages, i);
  const auto lines = [&](std::vector<std::string> StageText::*which) {
    for (std::size_t k = 0; k < stages.size(); ++k) {
      for (const std::string& line : texts[k].*which) {
        out_->line((does[k].empty() ? "" : "if (" + does[k] + ") ") + line);
      }
    }
  };
  lines(&StageText::before);
  for (const Declared& plane : kernel.planes) out_->line(declaration(plane, kernel));
  turn_loops(stages, texts, does, {first_row({rows.low, done}), end_of_rows(rows)});
  lines(&StageText::behind);
  close_stage();
}

}  // namespace rhopsi::kokkos
