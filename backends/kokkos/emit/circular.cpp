// Indices that go around, as the nest says that they are computed.
#include "engine/onf/circular.hpp"

#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/scalar_size.hpp"
#include "engine/onf/weight.hpp"

namespace rhopsi::kokkos {

using onf::Circular;
using onf::Expr;

namespace {

std::string offset_name(std::int64_t offset) {
  return (offset < 0 ? "m" : "p") + std::to_string(offset < 0 ? -offset : offset);
}

bool goes_around(const onf::Margin& reach) { return reach != onf::Margin{}; }

}  // namespace

// (k - 1) mod n2, n2 the length of the axis. Empty where the nest does not say how.
std::string FunctionWriter::around(const Expr& e) {
  if (kernel_ == nullptr || kernel_->nest == nullptr) return {};
  const auto found = onf::circular_index(*kernel_->nest, e);
  const Circular how = kernel_->nest->circular;
  if (!found) return {};
  const std::string index = name(kernel_->nest->indices[found->axis]);
  const bool along_row = found->axis + 1 == kernel_->nest->indices.size();
  if (kernel_->between_ends && along_row) return moved(index, found->offset);
  if (how == Circular::modulo) return {};
  const std::string n = expression(e.operands[1]), axis = std::to_string(found->axis);
  if (how == Circular::mask) {
    const std::string mask = hoisted("std::int64_t", "mask" + axis, n + " - 1");
    return "((" + moved(index, found->offset) + ") & " + mask + ")";
  }
  const std::string by = hoisted("std::int64_t", "by" + axis + "_" + offset_name(found->offset),
                                 "rhopsi::ahead(" + std::to_string(found->offset) + ", " + n + ")");
  return "rhopsi::around(" + index + " + " + by + ", " + n + ")";
}

// At an end of a row what a load reads around it is read of a copy. Empty: it goes around nothing.
std::string FunctionWriter::near_element(const std::string& row, const Expr& load) {
  const onf::Nest& nest = *kernel_->by_rows;
  const std::size_t last = nest.indices.size() - 1;
  const auto along = onf::circular_index(nest, load.operands.back());
  if (!along || along->axis != last || along->offset == 0) return {};
  const auto [place, fresh] = kernel_->near.try_emplace(row);
  if (fresh) place->second = {locals_.unique(row + "_near"), type_of(load.type), {}};
  onf::Margin& reach = place->second.reach;
  reach.low = std::max(reach.low, -along->offset);
  reach.high = std::max(reach.high, along->offset);
  return place->second.name + "[" + moved(name(nest.indices[last]), along->offset) + "]";
}

// The copies, as declared in front of the loop over the block.
std::vector<std::string> FunctionWriter::near_rows(const EndNames& end,
                                                   const std::string& length) const {
  std::vector<std::string> lines;
  for (const auto& [row, near] : kernel_->near) {
    lines.push_back("const rhopsi::NearRow<" + near.type + ", " + std::to_string(near.reach.low) +
                    ", " + std::to_string(near.reach.high) + ", " + std::to_string(end.block) +
                    "> " + near.name + "(" + row + ", " + end.at + ", " + length + ");");
  }
  return lines;
}

namespace {

// Elements of an end of a row: whole vectors of the longest that there are.
std::int64_t elements_of_block(const onf::Margin& reach, std::size_t bytes) {
  const std::int64_t vector = 64 / static_cast<std::int64_t>(std::max<std::size_t>(bytes, 4));
  return (std::max(reach.low, reach.high) + vector - 1) / vector * vector;
}

}  // namespace

// Indices of a block are as wide as its elements, so that a comparison has the lanes of what it
// decides.
EndNames FunctionWriter::end_names(const onf::Nest& s, const onf::Margin& reach) {
  const onf::View& target = function().views[onf::number(onf::targets_of(s).front())];
  const std::size_t bytes = onf::bytes_of(function().blocks[onf::number(target.block)].element);
  return {elements_of_block(reach, bytes), bytes < 8 ? "std::int32_t" : "std::int64_t",
          locals_.unique("end"),           locals_.unique("at"),
          locals_.unique("count"),         locals_.unique("x")};
}

// The body of the ends of a row where these are blocks. Empty: they are too long, or to copy the
// rows that are read around them takes longer than to compute few elements one by one.
std::string FunctionWriter::block_body(const onf::Nest& s, const onf::Margin& reach, EndNames& end,
                                       const RowBody& body) {
  if (std::max(reach.low, reach.high) > onf::most_near) return {};
  end = kernel_->end = end_names(s, reach);
  kernel_->near.clear();
  std::string text = body(false, 1);
  kernel_->end = {};
  const auto elements = static_cast<double>(reach.low + reach.high);
  const auto copies = static_cast<double>(kernel_->near.size());
  if (elements * onf::weight_in_row(s) >= copies * onf::of_a_near_row) return text;
  // The names stay: rows have been declared by them in front of the loop.
  end = {};
  return {};
}

// The body of a nest, and where its rows are peeled that of their ends: because the nest says so,
// or because conditions are others there.
RowBodies FunctionWriter::row_bodies(const onf::Nest& s, int depth) {
  const RowBody body = [&](bool between_ends, int deeper) {
    Text text;
    text.depth = depth + deeper;
    Text* const out = std::exchange(out_, &text);
    kernel_->between_ends = between_ends;
    kernel_body(s);
    out_ = out;
    return text.str();
  };
  const onf::Margin far = onf::circular_reach(s).back(), choices = onf::condition_reach(s);
  const bool peeled = (s.circular == Circular::peel && goes_around(far)) || goes_around(choices);
  const onf::Margin reach{std::max(far.low, choices.low), std::max(far.high, choices.high)};
  kernel_->row_reach = reach;
  RowBodies made;
  made.sides = sides_of(s);
  kernel_->between_ends = peeled;
  kernel_->in_lanes = goes_by_lanes(s);
  if (kernel_->in_lanes) made.lanes = element_type(s.target);
  made.inside = body(peeled, static_cast<int>(made.sides.size()));
  kernel_->in_lanes = false;
  if (!peeled) return made;
  made.even = !goes_around(far);
  if (!made.even) made.ends = block_body(s, reach, made.end, body);
  if (made.ends.empty()) made.ends = body(false, 0);
  Expr length;
  length.kind = Expr::Kind::extent;
  length.type = function().variables[onf::number(s.indices[0])].type;
  length.axis = module_.rank - 1;
  made.part = locals_.unique("part");
  made.reach =
      std::to_string(reach.low) + ", " + std::to_string(reach.high) + ", " + expression(length);
  if (made.end.block > 0) made.near = near_rows(made.end, expression(length));
  return made;
}

// The loop over the elements [low, high) of a row, behind what asks for rows ahead. Where planes
// are rows, these are long, and asked for strip by strip.
void FunctionWriter::row_loop(const std::string& index, const std::string& low,
                              const std::string& high, const RowBodies& bodies) {
  const RowRange row{low, high};
  if (bodies.fetched.empty()) return strip_loop(index, row, row, bodies);
  if (module_.rank > 2) {
    out_->line(bodies.fetch + ".row(" + high + bodies.fetched + ");");
    return strip_loop(index, row, row, bodies);
  }
  const std::string from = locals_.unique(index + "_low"), to = locals_.unique(index + "_high");
  out_->open("for (std::int64_t " + from + " = " + low + ", " + to + " = " + low + "; " + from +
             " < " + high + "; " + from + " = " + to + ") {");
  out_->line(to + " = " + bodies.fetch + ".strip(" + from + ", " + high + bodies.fetched + ");");
  strip_loop(index, {from, to}, row, bodies);
  out_->close();
}

// The elements of a strip, of what the loop does of the row.
void FunctionWriter::strip_loop(const std::string& index, const RowRange& strip,
                                const RowRange& row, const RowBodies& bodies) {
  const auto& [low, high] = strip;
  const auto loop = [&](const std::string& from, const std::string& to, const std::string& step,
                        const std::string& body) {
    out_->open("for (std::int64_t " + index + " = " + from + "; " + index + " < " + to + "; " +
               step + ") {");
    out_->raw(body);
    out_->close();
  };
  const std::string& part = bodies.part;
  const bool peeled = !part.empty();
  const auto vectors = [&] {
    if (bodies.vectors) out_->line("RHOPSI_SIMD");
  };
  const auto inside = [&](const std::string& from, const std::string& to) {
    if (bodies.lanes.empty()) {
      vectors();
      return loop(from, to, "++" + index, bodies.inside);
    }
    out_->open("rhopsi::along_row<" + bodies.lanes + ">(" + from + ", " + to + ", " + row.first +
               ", " + row.end + ", [&](const auto " + index + ") RHOPSI_INLINE_BODY {");
    out_->raw(bodies.inside);
    out_->close("});");
  };
  if (peeled && bodies.even) {
    out_->line("const rhopsi::EvenRow " + part + "(" + low + ", " + high + ", " + bodies.reach +
               ");");
    vectors();
    loop(low, part + ".low", "++" + index, bodies.ends);
    on_sides(bodies.sides, [&] { inside(part + ".low", part + ".high"); });
    vectors();
    loop(part + ".high", high, "++" + index, bodies.ends);
    return;
  }
  const bool blocks = bodies.end.block > 0;
  if (peeled) {
    out_->line(
        "const rhopsi::" +
        (blocks ? "PeeledBlocks<" + std::to_string(bodies.end.block) + ", " + bodies.end.type + ">"
                : std::string("PeeledRow")) +
        " " + part + "(" + low + ", " + high + ", " + bodies.reach + ");");
    if (blocks) {
      end_of_row(index, bodies);
      out_->line(part + ".low_end(" + bodies.end.called + ");");
    } else {
      loop(part + ".first()", high, index + " = " + part + ".next(" + index + ")", bodies.ends);
    }
  }
  on_sides(bodies.sides,
           [&] { inside(peeled ? part + ".low" : low, peeled ? part + ".high" : high); });
  if (blocks) out_->line(part + ".high_end(" + bodies.end.called + ");");
}

// What computes the elements at an end of a row: so many as the compiler knows, but for short rows.
void FunctionWriter::end_of_row(const std::string& index, const RowBodies& bodies) {
  const EndNames& end = bodies.end;
  out_->open("const auto " + end.called + " = [&](const auto " + end.at + ") RHOPSI_INLINE_BODY {");
  for (const std::string& line : bodies.near) out_->line(line);
  // GCC takes what is asked for of a loop where its condition calls nothing.
  out_->line("const " + end.type + " " + end.count + " = " + end.at + ".count;");
  out_->line("RHOPSI_BLOCK");
  out_->open("for (" + end.type + " " + end.step + " = 0; " + end.step + " < " + end.count +
             "; ++" + end.step + ") {");
  out_->line("const std::int64_t " + index + " = " + end.at + ".first + " + end.step + ";");
  out_->raw(bodies.ends);
  out_->close();
  out_->close("};");
}

// `write` with the nests as they are where the axes that are gone around have powers of two for
// their lengths, and with comparisons otherwise. All go around by masks.
void FunctionWriter::masked(const std::vector<onf::Nest*>& nests,
                            const std::function<void()>& write) {
  std::vector<onf::Margin> reach(static_cast<std::size_t>(module_.rank));
  for (const onf::Nest* nest : nests) {
    const std::vector<onf::Margin> own = onf::circular_reach(*nest);
    for (std::size_t axis = 0; axis < reach.size(); ++axis) {
      if (goes_around(own[axis])) reach[axis] = own[axis];
    }
  }
  std::string lengths;
  for (std::size_t axis = 0; axis < reach.size(); ++axis) {
    if (!goes_around(reach[axis])) continue;
    lengths +=
        (lengths.empty() ? "" : ", ") + std::string("domain.extent[") + std::to_string(axis) + "]";
  }
  out_->open("if (rhopsi::powers_of_two(" + lengths + ")) {");
  write();
  --out_->depth;
  out_->open("} else {");
  for (onf::Nest* nest : nests) nest->circular = Circular::select;
  write();
  out_->close();
}

}  // namespace rhopsi::kokkos
