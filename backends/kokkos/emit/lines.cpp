// Loops over rounds that go line by line (rhopsi_lines.hpp).
#include "engine/onf/lines.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/alike.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

namespace {

// Is it one index?
bool is_single(const onf::Interval& interval) {
  const Expr& high = interval.high;
  return onf::applies(high, onf::ScalarFunction::add) &&
         onf::is_same(high.operands[0], interval.low) &&
         high.operands[1].kind == Expr::Kind::integer && high.operands[1].integer == 1;
}

}  // namespace

// The text of a group: names, and what stands in front of its lambda.
struct FunctionWriter::LineNames {
  std::map<onf::ViewId, onf::ViewId> blocks;
  std::vector<const onf::Allocate*> own;  // of each thread
  std::vector<onf::ViewId> written;       // that are there, each once
  std::vector<std::size_t> axes;
  std::size_t rank = 0;

  onf::ViewId block_of(onf::ViewId view) const {
    const auto found = blocks.find(view);
    return found == blocks.end() ? view : found->second;
  }
  bool is_own(onf::ViewId view) const {
    return std::ranges::any_of(own, [&](const onf::Allocate* made) { return made->view == view; });
  }
  // Do neighbours along the last of the axes lie side by side?
  bool beside() const { return !axes.empty() && axes.back() + 1 == rank; }
  std::string axes_text() const {
    std::string text;
    for (const std::size_t axis : axes) text += (text.empty() ? "" : ", ") + std::to_string(axis);
    return text;
  }
};

// Arrays that have the blocks of others have the names of these meanwhile: within a kernel they are
// the same memory, and nothing is handed over.
void FunctionWriter::lines(const onf::Statements& body, std::size_t first) {
  const std::size_t end = onf::lines_end(body, first);
  const std::span<const onf::Statement> group(&body[first], end - first);
  const NameTable outer = locals_;
  const std::vector<std::string> views = views_;
  LineNames names{onf::blocks_in_lines(group), {}, {}, group.front().lines->axes, 0};
  for (const auto& [view, block] : names.blocks)
    views_[onf::number(view)] = views[onf::number(block)];
  for (const onf::Statement& statement : group) {
    const auto* const made = std::get_if<onf::Allocate>(&statement.form);
    if (made != nullptr && !made->in_place_of) names.own.push_back(made);
  }
  const std::vector<const onf::Nest*> nests = onf::nests_in_lines(group);
  names.rank = nests.front()->indices.size();

  Kernel kernel;
  kernel.boxed = true;
  kernel.index = "std::int64_t";
  kernel.local = onf::declared_in({group.begin(), group.end()});
  kernel.local.merge(onf::assigned_in({group.begin(), group.end()}));
  for (const onf::Nest* nest : nests) {
    kernel.local.insert(nest->indices.begin(), nest->indices.end());
    for (const onf::ViewId target : onf::targets_of(*nest)) {
      const onf::ViewId block = names.block_of(target);
      if (names.is_own(block) || std::ranges::count(names.written, block) > 0) continue;
      names.written.push_back(block);
    }
  }
  const auto is_changed = [&](onf::ViewId block) {
    return names.is_own(block) || std::ranges::count(names.written, block) > 0;
  };
  // What is read of an array that changes is what is in its block now.
  const auto name_block = [&](onf::ViewId block) {
    locals_.reserve(extended(name(block), "at"));
    kernel.reads[block] = locals_.unique(extended(name(block), "now"));
  };
  for (const onf::ViewId block : names.written) name_block(block);
  for (const onf::Allocate* made : names.own) name_block(made->view);
  for (const auto& [view, block] : names.blocks) {
    if (is_changed(block)) kernel.reads[view] = kernel.reads.at(block);
  }

  kernel_ = &kernel;
  Text rounds;
  const bool in_order = names.axes.empty();
  rounds.depth = out_->depth + (in_order ? 1 : 4);  // inside the block and the lambda
  Text* const out = std::exchange(out_, &rounds);
  std::string own_bytes;
  for (const onf::Allocate* made : names.own) {
    const std::string extents = "rhopsi::make_index(" + extents_of(*made) + ")";
    const std::string of = element_type(made->view) + ", " + names.axes_text();
    out_->line("const auto " + extended(name(made->view), "at") + " = memory.lines" +
               (names.beside() ? "<" : "_apart<") + of + ">(" + quoted(name(made->view)) +
               ", block, " + extents + ");");
    if (reads_block(group, names, made->view))
      out_->line("const auto " + kernel.reads.at(made->view) + " = " +
                 extended(name(made->view), "at") + ".read_only();");
    own_bytes += (own_bytes.empty() ? "" : " + ") + std::string("rhopsi::bytes_of_line<") + of +
                 ">(" + extents + ")";
  }
  lines_of(group, *group.front().lines);
  out_ = out;
  std::string low, high;
  for (const std::size_t axis : names.axes) {
    const onf::Interval& interval = (*nests.front()->box)[axis];
    low += (low.empty() ? "" : ", ") + expression(interval.low);
    high += (high.empty() ? "" : ", ") + expression(interval.high);
  }
  kernel_ = nullptr;
  location_ = group.front().location;

  comment(in_order ? "all rounds by one thread"
                   : "line by line of axes " + names.axes_text() +
                         ", all rounds of as many lines as a core's cache holds");
  out_->open("{");
  std::string shared;
  std::set<std::string> counted;
  const auto count = [&](onf::ViewId view) {
    if (!counted.insert(name(view)).second) return;
    shared += (shared.empty() ? "" : " + ") + std::string("rhopsi::bytes_of_line<") +
              names.axes_text() + ">(" + name(view) + ")";
  };
  std::string label = function().name + ":";
  for (const onf::ViewId view : names.written) {
    out_->line("const auto " + extended(name(view), "at") + " = " + name(view) + ".write();");
    if (reads_block(group, names, view))
      out_->line("const auto " + kernel.reads.at(view) + " = " + extended(name(view), "at") +
                 ".read_only();");
    label += " " + name(view);
    count(view);
  }
  for (const auto& [view, captured] : kernel.reads) {
    if (is_changed(names.block_of(view))) continue;
    out_->line("const auto " + captured + " = " + name(view) + ".read();");
    count(view);
  }
  if (kernel.uses_self) out_->line("const auto self = *this;");
  for (const std::string& line : kernel.lines) out_->line(line);
  if (in_order) {
    out_->line("[[maybe_unused]] const rhopsi::InOrder in_order(" + quoted(label) + ");");
    out_->raw(rounds.str());
    out_->close();
    locals_ = outer;
    views_ = views;
    return;
  }
  const std::string box = "rhopsi::Box<" + std::to_string(names.axes.size()) + ">";
  const std::string own =
      names.own.empty() ? "" : ", " + own_bytes + ", " + std::to_string(names.own.size());
  out_->line("rhopsi::for_each_block_of_lines(" + quoted(label) + ", " + box + "{{" + low + "}, {" +
             high + "}},");
  out_->line("    rhopsi::LineBytes{" + (shared.empty() ? "0" : shared) + own + "}, " +
             (names.beside() ? "true" : "false") + ",");
  const std::string memory = names.own.empty() ? "rhopsi::LineMemory" : "rhopsi::LineMemory memory";
  out_->line("    KOKKOS_LAMBDA(const " + box + "& block, " + memory + ") {");
  out_->raw(rounds.str());
  out_->line("    });");
  out_->close();
  locals_ = outer;
  views_ = views;
  for (const onf::Statement& statement : group) {
    location_ = statement.location;
    const auto* const made = std::get_if<onf::Allocate>(&statement.form);
    const auto* const share = std::get_if<onf::Share>(&statement.form);
    if (made != nullptr && !names.is_own(names.block_of(made->view))) write(*made);
    if (share != nullptr && !names.is_own(names.block_of(share->target))) write(*share);
  }
}

std::string FunctionWriter::extents_of(const onf::Allocate& made) {
  const onf::View& view = function().views[onf::number(made.view)];
  return arguments(*function().blocks[onf::number(view.block)].extents);
}

// Is the block read by any of the statements?
bool FunctionWriter::reads_block(std::span<const onf::Statement> group, const LineNames& names,
                                 onf::ViewId block) {
  bool reads = false;
  const auto look = [&](const Expr& e) {
    reads = reads || (e.kind == Expr::Kind::load && names.block_of(e.view) == block);
  };
  onf::each_in(
      group, [](const auto&) {}, [&](const Expr& whole) { onf::each_part(whole, look); });
  return reads;
}

void FunctionWriter::lines_of(std::span<const onf::Statement> list, const onf::Lines& lines) {
  for (const onf::Statement& statement : list) {
    location_ = statement.location;
    if (const auto* nest = std::get_if<onf::Nest>(&statement.form)) {
      if (!nest->overwritten) nest_of_lines(*nest, lines);
    } else if (const auto* let = std::get_if<onf::Let>(&statement.form)) {
      write(*let);
    } else if (const auto* assign = std::get_if<onf::Assign>(&statement.form)) {
      write(*assign);
    } else if (const auto* branch = std::get_if<onf::If>(&statement.form)) {
      ++kernel_->branches;
      out_->open("if (" + expression(branch->condition) + ") {");
      lines_of(branch->then, lines);
      if (!branch->otherwise.empty()) {
        --out_->depth;
        out_->open("} else {");
        lines_of(branch->otherwise, lines);
      }
      out_->close();
      --kernel_->branches;
    } else if (const auto* loop = std::get_if<onf::For>(&statement.form)) {
      comment("");
      const std::string index = name(loop->index);
      out_->open("for (std::int64_t " + index + " = " + expression(loop->low) + "; " + index +
                 " < " + expression(loop->high, 6) + "; ++" + index + ") {");
      ++kernel_->branches;
      lines_of(loop->body, lines);
      --kernel_->branches;
      out_->close();
    }
  }
}

// The loops of a nest over the lines of the block. Where these lie apart they are the inner ones,
// as they depend on nothing of each other.
void FunctionWriter::nest_of_lines(const onf::Nest& s, const onf::Lines& lines) {
  const std::size_t rank = s.indices.size();
  const auto place = [&](std::size_t axis) {
    return std::ranges::find(lines.axes, axis) - lines.axes.begin();
  };
  const auto is_of_lines = [&](std::size_t axis) {
    return std::ranges::count(lines.axes, axis) > 0;
  };
  std::vector<std::size_t> order;
  for (std::size_t axis = 0; axis < rank; ++axis) order.push_back(axis);
  if (!is_of_lines(rank - 1))
    std::ranges::stable_partition(order, [&](std::size_t axis) { return !is_of_lines(axis); });
  comment("", s.made_by, s.also_from);
  for (const std::size_t axis : order) {
    const std::string index = name(s.indices[axis]);
    const onf::Interval& interval = (*s.box)[axis];
    if (!is_of_lines(axis) && is_single(interval)) {
      out_->open("{");
      out_->line("const std::int64_t " + index + " = " + expression(interval.low) + ";");
      continue;
    }
    const std::string at = "[" + std::to_string(place(axis)) + "]";
    const std::string low = is_of_lines(axis) ? "block.lo" + at : expression(interval.low);
    const std::string high = is_of_lines(axis) ? "block.hi" + at : expression(interval.high, 6);
    if (axis == order.back()) out_->line("RHOPSI_SIMD");
    out_->open("for (std::int64_t " + index + " = " + low + "; " + index + " < " + high + "; ++" +
               index + ") {");
  }
  std::string at;
  for (const onf::VariableId index : s.indices) at += (at.empty() ? "" : ", ") + name(index);
  out_->line("rhopsi::at_element(" + at + ");");
  kernel_body(s);
  for (std::size_t axis = 0; axis < rank; ++axis) out_->close();
}

}  // namespace rhopsi::kokkos
