// Nests: loops whose bodies are compiled for the device.
#include <algorithm>
#include <optional>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/axes.hpp"
#include "engine/onf/circular.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/unrolling.hpp"
#include "engine/onf/weight.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

namespace {

// The template argument of what is for indices of 64 bits otherwise.
std::string as(const std::string& index) {
  return index == "std::int64_t" ? "" : "<" + index + ">";
}

}  // namespace

void FunctionWriter::kernel_body(const onf::Nest& s) {
  const std::string where =
      onf::place(store_, s.element.location == term::LocationId{} ? location_ : s.element.location);
  if (!where.empty()) out_->line("RHOPSI_SITE(" + quoted(where) + ");");
  if (kernel_->at_once > 1) return rows_body(s);
  statements(s.body);
  if (s.also.empty()) {
    const std::string value = expression(s.element);
    out_->line(stored(s, s.target) + " = " + value + ";");
    return;
  }
  // All are computed before the first is stored, which may be one that is read.
  Stores stores;
  computed(s, stores);
  for (const auto& [place, element] : stores) out_->line(place + " = " + element + ";");
}

void FunctionWriter::computed(const onf::Nest& s, Stores& stores) {
  const auto compute = [&](onf::ViewId target, const Expr& value) {
    const std::string text = expression(value);
    const std::string element = locals_.unique(extended(name(target), "new"));
    out_->line("const " + (kernel_->in_lanes ? "auto" : element_type(target)) + " " + element +
               " = " + text + ";");
    stores.emplace_back(stored(s, target), element);
  };
  compute(s.target, s.element);
  for (const onf::Nest::Output& output : s.also) compute(output.target, output.element);
}

onf::Expr FunctionWriter::index_of(const onf::Nest& s, std::size_t axis) const {
  Expr e;
  e.kind = Expr::Kind::variable;
  e.variable = s.indices[axis];
  e.type = function().variables[onf::number(s.indices[axis])].type;
  return e;
}

// The element of a target at the nest's indices.
std::string FunctionWriter::stored(const onf::Nest& s, onf::ViewId target) {
  if (kernel_->team != nullptr) return team_element(target);
  std::string array = extended(name(target), "at");
  if (kernel_->by_rows != nullptr) {
    std::size_t axis = 0;
    if (goes_in_runs()) return stored_in_run(s, target);
    if (kernel_->pipeline != nullptr) {
      array = plane(kernel_->pipeline->written.at(target), index_of(s, axis++),
                    extended(name(target), "plane"));
    }
    std::vector<Expr> outer;
    for (; axis + 1 < s.indices.size(); ++axis) outer.push_back(index_of(s, axis));
    if (kernel_->row > 0) outer.back() = onf::sum_of(outer.back(), kernel_->row);
    return row_to_store(row(row_text(array, outer), extended(name(target), "to"))) + "[" +
           name(s.indices.back()) + "]";
  }
  std::string at;
  for (onf::VariableId index : s.indices) at += (at.empty() ? "" : ", ") + name(index);
  return array + "(" + at + ")";
}

// A row of an array.
std::string FunctionWriter::row_text(const std::string& array, const std::vector<Expr>& outer) {
  ++indexing_;
  std::string text = array + ".row(" + arguments(outer) + ")";
  --indexing_;
  return text;
}

// A row as a variable in front of the last loop.
std::string FunctionWriter::row(const std::string& value, const std::string& wanted) {
  const auto [place, fresh] = kernel_->row_names.try_emplace(value);
  if (fresh) {
    place->second = locals_.unique(wanted);
    kernel_->rows.push_back({"auto", place->second, value});
  }
  return place->second;
}

// "_im1" for i - 1.
std::string moved_name(const std::string& index, std::int64_t offset) {
  if (offset == 0) return {};
  return "_" + index + (offset < 0 ? "m" : "p") + std::to_string(offset < 0 ? -offset : offset);
}

// The plane of a load in a pipeline.
std::string FunctionWriter::plane_of(const Expr& e) {
  const onf::Nest& nest = *kernel_->by_rows;
  const std::int64_t offset = onf::offset_from(nest, e.operands[0], 0).value_or(0);
  const std::string moved = moved_name(name(nest.indices[0]), offset);
  return plane(kernel_->pipeline->read.at(e.view), e.operands[0], name(e.view) + moved + "_plane");
}

// The row that a load reads, as a variable in front of the loop along it; empty where its outer
// indices are not those of the nest with offsets. u[i - 1, j, k + 1]  =>  u_im1
std::string FunctionWriter::row_of(const Expr& e) {
  const onf::Nest& nest = *kernel_->by_rows;
  const std::vector<onf::VariableId>& indices = nest.indices;
  if (e.operands.size() != indices.size() ||
      !onf::offset_from(nest, e.operands.back(), indices.size() - 1)) {
    return {};
  }
  std::string wanted = name(e.view);
  for (std::size_t axis = 0; axis + 1 < indices.size(); ++axis) {
    const auto offset = onf::offset_from(nest, e.operands[axis], axis);
    if (!offset) return {};
    wanted += moved_name(name(indices[axis]), *offset);
  }
  if (wanted == name(e.view)) wanted += "_row";
  const bool planar = kernel_->pipeline != nullptr;
  Expr view = e;
  view.kind = Expr::Kind::view;
  const std::vector<Expr> outer(e.operands.begin() + (planar ? 1 : 0), e.operands.end() - 1);
  return row(row_text(planar ? plane_of(e) : argument(view), outer), wanted);
}

// A load by the row that it is in. u[i - 1, j, k + 1]  =>  u_im1[k + 1]
std::string FunctionWriter::row_element(const Expr& e) {
  const std::string from = row_of(e);
  return from.empty() ? from : in_row(from, e);
}

// The element of a row at the place where a load is.
std::string FunctionWriter::in_row(const std::string& row, const Expr& load) {
  if (same_along_rows(load.view)) return row + "[0]";
  const std::string copied = kernel_->end.block > 0 ? near_element(row, load) : std::string();
  return copied.empty() ? row + "[" + along_row(load) + "]" : copied;
}

// Where in its row a load is.
std::string FunctionWriter::along_row(const Expr& load) {
  if (kernel_->in_lanes) return lanes_along_row(load);
  ++indexing_;
  std::string text = expression(load.operands.back());
  --indexing_;
  return text;
}

// The number of a fault, by which the kernel names its message.
std::size_t FunctionWriter::fault(const onf::Check& check) {
  const std::string text = "{" + quoted(check.code) + ", " + quoted(check.message) + "}";
  std::vector<std::string>& known = kernel_->faults;
  const auto found = std::ranges::find(known, text);
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  known.push_back(text);
  return known.size() - 1;
}

// What comes before `f` in for_each_...(label, where, f); `box` is that of the nest, if it has one.
// `by_row`: the innermost loop over the box is in `f`.
std::string FunctionWriter::loop_head(const onf::Nest& s, const std::string& index,
                                      const std::string& box, bool by_row) {
  if (s.plane_tiles) {
    const std::string several =
        s.rows_at_once > 1 ? "<" + std::to_string(s.rows_at_once) + ">" : "";
    const std::string most = s.plane_tiles->most ? ", " + std::to_string(*s.plane_tiles->most) : "";
    return "rhopsi::for_each_row_in_tiles" + several + "(" + quoted(s.label) +
           ", domain, rhopsi::PlaneTiles{" + std::to_string(s.plane_tiles->bytes) + most + "},";
  }
  if (!s.box) {
    const std::string loop = s.binding == onf::Binding::flat     ? "flat("
                             : s.binding == onf::Binding::nested ? "nested("
                             : s.rows_at_once == 1
                                 ? "row("
                                 : "rows<" + std::to_string(s.rows_at_once) + ">(";
    return "rhopsi::for_each_" + loop + quoted(s.label) + ", domain,";
  }
  const std::string over = quoted(s.label) + ", " + box + ",";
  if (s.strip > 0)
    return "rhopsi::for_each_strip" + as(index) + "(" + over + " " + std::to_string(s.strip) + ",";
  return (by_row ? "rhopsi::for_each_row" : "rhopsi::for_each_box") + as(index) + "(" + over;
}

std::string FunctionWriter::box_of(const onf::Nest& s) {
  return "rhopsi::Box<" + std::to_string(s.box->size()) + ">" + box_text(s);
}

// The ends of a box in the order of its loops, as rhopsi::Box takes them.
std::string FunctionWriter::box_text(const onf::Nest& s) {
  std::string low, high;
  const std::vector<onf::Interval> box = onf::in_order(*s.box, s.loops);
  for (std::size_t at = 0; at < box.size(); ++at) {
    const bool in_turn = in_turns_ && (s.loops.empty() ? at == 0 : s.loops[at] == 0);
    low += (low.empty() ? "" : ", ") + (in_turn ? "block.low" : expression(box[at].low));
    high += (high.empty() ? "" : ", ") + (in_turn ? "block.high" : expression(box[at].high));
  }
  return s.box->empty() ? "{}" : "{{" + low + "}, {" + high + "}}";
}

// One nest, or several that are joined. These have one width.
void FunctionWriter::nests(const std::vector<const onf::Nest*>& nests) {
  bool narrow = true;
  std::vector<Expr> bounded;
  std::set<std::string> known;
  for (const onf::Nest* nest : nests) {
    narrow = narrow && nest->width.narrow;
    for (const Expr& bound : nest->width.bounded) {
      if (known.insert(expression(bound)).second) bounded.push_back(bound);
    }
  }
  if (narrow && !bounded.empty()) return in_both_widths(nests, bounded);
  loops(nests, narrow ? "std::int32_t" : "std::int64_t", narrow);
}

void FunctionWriter::loops(const std::vector<const onf::Nest*>& nests, const std::string& index,
                           bool narrow) {
  if (nests.size() > 1) return boxes(nests, index, narrow);
  if (nests.front()->circular == onf::Circular::mask) {
    onf::Nest either = *nests.front();
    return masked({&either}, [&] { loop(either, index); });
  }
  loop(*nests.front(), index);
}

// The name of a test, which nests share that follow one another.
std::string FunctionWriter::narrow_test(const std::vector<Expr>& bounded) {
  const std::string where = arguments(bounded);
  if (where != narrow_where_) {
    narrow_where_ = where;
    narrow_name_ = locals_.unique("narrow");
    out_->line("const bool " + narrow_name_ + " = rhopsi::narrow({" + where + "});");
  }
  return narrow_name_;
}

// A member function with the type of indices as its parameter, and what chooses between the two.
void FunctionWriter::in_both_widths(const std::vector<const onf::Nest*>& nests,
                                    const std::vector<Expr>& bounded) {
  const std::string called =
      "nest_" + std::to_string(onf::number(id_)) + "_" + std::to_string(nest_count_++);
  onf::Captured captured;
  for (const onf::Nest* nest : nests) {
    onf::Nest named = *nest;
    // The rows are those of the block.
    if (in_turns_) named.box->front() = {onf::integer(0), onf::integer(0)};
    onf::Captured more = onf::captured_by(named);
    captured.views.merge(more.views);
    captured.variables.merge(more.variables);
  }
  std::set<onf::ViewId> written = {nests.front()->target};
  for (const onf::Nest::Output& output : nests.front()->also) written.insert(output.target);
  std::string parameters, passed;
  const auto pass = [&](const std::string& type, const std::string& what) {
    parameters += (parameters.empty() ? "" : ", ") + type + " " + what;
    passed += (passed.empty() ? "" : ", ") + what;
  };
  for (const onf::ViewId view : captured.views) {
    pass((written.contains(view) ? "" : "const ") + type_of(view) + "&", name(view));
  }
  for (const onf::VariableId variable : captured.variables) {
    pass("const " + type_of(function().variables[onf::number(variable)].type), name(variable));
  }
  if (in_turns_) pass("const rhopsi::Row", "block");
  out_->open("if (" + narrow_test(bounded) + ") {");
  out_->line(called + "<std::int32_t>(" + passed + ");");
  --out_->depth;
  out_->open("} else {");
  out_->line(called + "<rhopsi::Wide>(" + passed + ");");
  out_->close();
  both_widths_.depth = 1;
  Text* const out = std::exchange(out_, &both_widths_);
  out_->blank();
  out_->line("template <class Int>");
  out_->open("void " + called + "(" + parameters + ") const {");
  loops(nests, "Int", true);
  out_->close();
  out_ = out;
}

void FunctionWriter::reserve_targets(const onf::Nest& s) {
  locals_.reserve(extended(name(s.target), "at"));
  for (const onf::Nest::Output& output : s.also)
    locals_.reserve(extended(name(output.target), "at"));
}

// What is captured. What is read comes first: an array that is shared gets a block of its own where
// it is written.
void FunctionWriter::captures(const onf::Nest& s, const Kernel& kernel, const std::string& index) {
  for (const auto& [view, captured] : kernel.reads) {
    out_->line("const auto " + captured + " = " + name(view) + ".read" + as(index) + "();");
  }
  const auto written = [&](onf::ViewId target) {
    // Of a box the other elements keep their values.
    out_->line("const auto " + extended(name(target), "at") + " = " + name(target) +
               (s.box ? ".write" + as(index) + "();" : ".overwrite();"));
  };
  written(s.target);
  for (const onf::Nest::Output& output : s.also) written(output.target);
  if (kernel.uses_self) out_->line("const auto self = *this;");
  for (const std::string& line : kernel.lines) out_->line(line);
}

// A compiler makes vectors of the loop around a function of one element only when it is part of the
// loop, for which GCC finds one of about so many operations too long. An exponential is many.
constexpr double long_element = 24;

std::string inlined(const onf::Nest& nest) {
  double weight = 0;
  onf::each_of(nest, [&](const onf::Expr& whole) { weight += onf::weight_of_all(whole); });
  return weight > long_element ? "RHOPSI_INLINED " : "";
}

void FunctionWriter::loop(const onf::Nest& s, const std::string& index) {
  if (s.tile) return s.tile->running ? running(s, index) : tile(s, index);
  const NameTable outer = locals_;
  const std::size_t variables = variables_.size();
  const term::LocationId location = location_;
  const bool flat = s.binding == onf::Binding::flat;
  const bool rows = s.binding == onf::Binding::rows;
  const onf::RowValues row_values = onf::row_values(s);
  const bool by_row = row_values.any() || s.period;
  Kernel kernel;
  if (!flat && !s.box) kernel.nest = &s;
  if (rows) kernel.by_rows = &s;
  kernel.boxed = s.box.has_value();
  kernel.local = onf::declared_in(s.body);
  kernel.local.insert(s.indices.begin(), s.indices.end());
  kernel.index = index;
  if (s.width.narrow) kernel.indices = onf::index_variables(s);
  const bool several = s.rows_at_once > 1;
  reserve_targets(s);
  const std::string box = s.box ? box_of(s) : "";
  // The body first: it tells what has to be captured. It is inside the block, the lambda and the
  // last loop.
  kernel_ = &kernel;
  Text body;
  std::vector<RowLoop> along_rows;
  if (rows) {
    along_rows = row_loops(s, out_->depth + (several ? 6 : 5), {});
  } else {
    body.depth = out_->depth + 4;
    Text* out = std::exchange(out_, &body);
    if (by_row)
      row_body(s, row_values, index);
    else
      kernel_body(s);
    out_ = out;
  }
  kernel_ = nullptr;
  location_ = location;
  const std::string head = loop_head(s, index, joined_axes(s, kernel.reads, box), by_row);

  std::string order;
  for (const int axis : s.loops)
    order += (order.empty() ? "" : ", ") + name(s.indices[std::size_t(axis)]);
  if (!order.empty()) order = "loops in the order " + order;
  if (s.strip > 0) {
    order += (order.empty() ? "" : ", ") + std::string("strips of ") + std::to_string(s.strip) +
             " along " + name(onf::in_order(s.indices, s.loops).back()) + " around them";
  }
  comment(s.box ? order
                : std::string(flat      ? "all elements in one parallel loop"
                              : several ? "rows in parallel, " + std::to_string(s.rows_at_once) +
                                              " at once, vectors along them"
                              : rows ? "rows in parallel, vectors along them"
                                     : "one loop per axis") +
                      (s.plane_tiles ? ", in tiles of rows of each plane" : "") +
                      (s.padded ? "; the pads are left stale" : ""),
          s.made_by, s.also_from);
  out_->open("{");
  captures(s, kernel, index);
  if (!kernel.faults.empty()) {
    out_->line("const rhopsi::Faults faults;");
    out_->line("const rhopsi::FaultRef fault = faults.ref();");
  }
  std::string indices;
  for (onf::VariableId variable : onf::in_order(s.indices, s.loops)) {
    if (!indices.empty()) indices += ", ";
    if (several && variable == s.indices[s.indices.size() - 2]) {
      indices += "const rhopsi::Row rows, const rhopsi::Row row";
      break;
    }
    if ((rows && variable == s.indices.back()) ||
        (by_row && variable == onf::in_order(s.indices, s.loops).back())) {
      indices += "const rhopsi::Row row";
      break;
    }
    indices += flat ? "const rhopsi::Index<" + std::to_string(module_.rank) + ">& " + name(variable)
                    : "const " + index + " " + name(variable);
  }
  out_->line(head);
  out_->line("    KOKKOS_LAMBDA(" + indices + ") " + (rows || by_row ? "" : inlined(s)) + "{");
  if (rows) {
    out_->depth += 3;
    row_loops(s, along_rows, "rows.low", "rows.high", "row.low", "row.high");
    out_->depth -= 3;
  } else {
    out_->raw(body.str());
  }
  out_->line("    });");
  if (!kernel.faults.empty()) {
    out_->line("faults.test(" + messages_of(kernel.faults) + ");");
  }
  out_->close();
  locals_ = outer;
  variables_.resize(variables);
}

}  // namespace rhopsi::kokkos
