// Indices that go around, as the nest says that they are computed.
#include "engine/onf/circular.hpp"

#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"

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

// The body of a nest, and where its rows are peeled that of their ends: because the nest says so,
// or because conditions are others there.
FunctionWriter::RowBodies FunctionWriter::row_bodies(const onf::Nest& s, int depth) {
  const auto body = [&](bool between_ends) {
    Text text;
    text.depth = depth;
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
  made.inside = body(peeled);
  if (!peeled) return made;
  made.ends = body(false);
  made.even = !goes_around(far);
  Expr length;
  length.kind = Expr::Kind::extent;
  length.type = function().variables[onf::number(s.indices[0])].type;
  length.axis = module_.rank - 1;
  made.part = locals_.unique("part");
  made.reach =
      std::to_string(reach.low) + ", " + std::to_string(reach.high) + ", " + expression(length);
  return made;
}

// The loop over the elements [low, high) of a row, behind what asks for rows ahead. Where planes
// are rows, these are long, and asked for strip by strip.
void FunctionWriter::row_loop(const std::string& index, const std::string& low,
                              const std::string& high, const RowBodies& bodies) {
  if (bodies.fetched.empty()) return strip_loop(index, low, high, bodies);
  if (module_.rank > 2) {
    out_->line(bodies.fetch + ".row(" + high + bodies.fetched + ");");
    return strip_loop(index, low, high, bodies);
  }
  const std::string from = locals_.unique(index + "_low"), to = locals_.unique(index + "_high");
  out_->open("for (std::int64_t " + from + " = " + low + ", " + to + " = " + low + "; " + from +
             " < " + high + "; " + from + " = " + to + ") {");
  out_->line(to + " = " + bodies.fetch + ".strip(" + from + ", " + high + bodies.fetched + ");");
  strip_loop(index, from, to, bodies);
  out_->close();
}

void FunctionWriter::strip_loop(const std::string& index, const std::string& low,
                                const std::string& high, const RowBodies& bodies) {
  const auto loop = [&](const std::string& from, const std::string& to, const std::string& step,
                        const std::string& body) {
    out_->open("for (std::int64_t " + index + " = " + from + "; " + index + " < " + to + "; " +
               step + ") {");
    out_->raw(body);
    out_->close();
  };
  const std::string& part = bodies.part;
  const bool peeled = !part.empty();
  if (peeled && bodies.even) {
    out_->line("const rhopsi::EvenRow " + part + "(" + low + ", " + high + ", " + bodies.reach +
               ");");
    out_->line("RHOPSI_SIMD");
    loop(low, part + ".low", "++" + index, bodies.ends);
    out_->line("RHOPSI_SIMD");
    loop(part + ".low", part + ".high", "++" + index, bodies.inside);
    out_->line("RHOPSI_SIMD");
    loop(part + ".high", high, "++" + index, bodies.ends);
    return;
  }
  if (peeled) {
    out_->line("const rhopsi::PeeledRow " + part + "(" + low + ", " + high + ", " + bodies.reach +
               ");");
    loop(part + ".first()", high, index + " = " + part + ".next(" + index + ")", bodies.ends);
  }
  out_->line("RHOPSI_SIMD");
  loop(peeled ? part + ".low" : low, peeled ? part + ".high" : high, "++" + index, bodies.inside);
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
