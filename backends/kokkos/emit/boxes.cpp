// Nests that are joined: boxes of the same arrays in one loop over rows (rhopsi_boxes.hpp).
#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/row_values.hpp"

namespace rhopsi::kokkos {

std::string messages_of(const std::vector<std::string>& messages) {
  std::string text;
  for (const std::string& message : messages) text += (text.empty() ? "" : ", ") + message;
  return "{" + text + "}";
}

// The nest and those that are joined to it, which `end` is behind.
std::vector<const onf::Nest*> FunctionWriter::joined(const onf::Statements& body, std::size_t first,
                                                     std::size_t& end) {
  std::vector<const onf::Nest*> nests;
  for (end = first; end < body.size(); ++end) {
    const auto* nest = std::get_if<onf::Nest>(&body[end].form);
    if (nest == nullptr || (end > first && !nest->joined)) break;
    nests.push_back(nest);
  }
  return nests;
}

// What they read is captured once, and so is what does not depend on the index.
void FunctionWriter::boxes(const std::vector<const onf::Nest*>& nests, const std::string& index,
                           bool narrow) {
  const NameTable outer = locals_;
  const term::LocationId location = location_;
  Kernel kernel;
  kernel.boxed = true;
  kernel.index = index;
  const std::string all = locals_.unique("boxes");
  reserve_targets(*nests.front());
  std::vector<BoxText> made;
  for (const onf::Nest* nest : nests) made.push_back(box(*nest, kernel, narrow));
  location_ = location;
  comment(names_.device ? "a kernel for each box" : "all boxes in one loop over rows",
          nests.front()->made_by, nests.front()->also_from);
  out_->open("{");
  captures(*nests.front(), kernel, index);
  out_->line("rhopsi::Boxes<" + index + ", " + std::to_string(nests.front()->box->size()) + "> " +
             all + "(" +
             quoted(nests.front()->label.substr(0, nests.front()->label.rfind(", box "))) + ");");
  for (std::size_t k = 0; k < nests.size(); ++k) {
    for (const std::string& line : made[k].before) out_->line(line);
    const bool by_row = made[k].by_row;
    out_->line("const auto " + made[k].name + " =" + (by_row ? " rhopsi::by_rows(" : ""));
    out_->line("    KOKKOS_LAMBDA(" + made[k].indices + ") " + (by_row ? "" : inlined(*nests[k])) +
               "{");
    out_->raw(made[k].body);
    out_->line(by_row ? "    });" : "    };");
    out_->line(all + ".add(" + box_text(*nests[k]) + ", " + made[k].name + ");");
  }
  out_->line(all + ".run();");
  for (const BoxText& each : made) {
    if (!each.after.empty()) out_->line(each.after);
  }
  out_->close();
  locals_ = outer;
}

FunctionWriter::BoxText FunctionWriter::box(const onf::Nest& s, Kernel& kernel, bool narrow) {
  kernel.local = onf::declared_in(s.body);
  kernel.local.insert(s.indices.begin(), s.indices.end());
  kernel.indices = narrow ? onf::index_variables(s) : std::set<onf::VariableId>{};
  kernel.faults.clear();
  kernel.branches = 0;
  kernel.fault = locals_.unique("fault");
  Text body;
  body.depth = out_->depth + 4;  // inside the block and the lambda
  Text* const out = std::exchange(out_, &body);
  kernel_ = &kernel;
  const onf::RowValues row_values = onf::row_values(s);
  const bool by_row = row_values.any() || s.period;
  if (by_row)
    row_body(s, row_values, kernel.index);
  else
    kernel_body(s);
  kernel_ = nullptr;
  out_ = out;
  BoxText made{locals_.unique("box"), "", body.str(), {}, "", by_row};
  for (const onf::VariableId variable : s.indices) {
    if (!made.indices.empty()) made.indices += ", ";
    const bool row = by_row && variable == s.indices.back();
    made.indices += row ? "const rhopsi::Row row" : "const " + kernel.index + " " + name(variable);
  }
  if (kernel.faults.empty()) return made;
  const std::string faults = locals_.unique("faults");
  made.before = {"const rhopsi::Faults " + faults + ";",
                 "const rhopsi::FaultRef " + kernel.fault + " = " + faults + ".ref();"};
  made.after = faults + ".test(" + messages_of(kernel.faults) + ");";
  return made;
}

}  // namespace rhopsi::kokkos
