#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/entries.hpp"
#include "backends/kokkos/emit/out_block.hpp"
#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/lines.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/regrouping.hpp"
#include "engine/onf/row_blocks.hpp"

namespace rhopsi::kokkos {

using onf::Expr;
using onf::Representation;

std::string FunctionWriter::type_of(onf::ViewId view) const {
  const onf::Block& block =
      function().blocks[onf::number(function().views[onf::number(view)].block)];
  const std::string elements = cpp_type(block.element) + ", " + std::to_string(rank_of(view));
  if (block.in_blocks > 0)
    return "rhopsi::BlockedField<" + elements + ", " + std::to_string(block.in_blocks) + ">";
  return "rhopsi::Field<" + elements + ">";
}

std::string FunctionWriter::element_type(onf::ViewId view) const {
  return cpp_type(
      function().blocks[onf::number(function().views[onf::number(view)].block)].element);
}

std::size_t FunctionWriter::rank_of(onf::ViewId view) const {
  const onf::Block& block =
      function().blocks[onf::number(function().views[onf::number(view)].block)];
  return block.extents ? block.extents->size() : static_cast<std::size_t>(module_.rank);
}

// A parameter that the body does not mention says so, or compilers warn.
std::string FunctionWriter::head(const std::string& body) const {
  std::string parameters;
  const auto unused = [&](const std::string& parameter) {
    return mentions(body, parameter) ? "" : "[[maybe_unused]] ";
  };
  for (const onf::Argument& a : function().arguments) {
    if (!parameters.empty()) parameters += ", ";
    const bool changes = a.mode != term::Mode::obs;
    if (!a.view) {
      const std::string type = type_of(function().variables[onf::number(a.variable)].type);
      const bool opaque =
          function().variables[onf::number(a.variable)].type.kind == Representation::Kind::opaque;
      parameters += unused(name(a.variable));
      parameters += changes ? type + "& " : opaque ? "const " + type + "& " : type + " ";
      parameters += name(a.variable);
      continue;
    }
    parameters += unused(name(*a.view));
    const onf::Block& block =
        function().blocks[onf::number(function().views[onf::number(*a.view)].block)];
    if (function().device) {
      parameters += "rhopsi::FieldRef<const " + cpp_type(block.element) + ", " +
                    std::to_string(rank_of(*a.view)) + "> ";
    } else if (changes) {
      parameters += type_of(*a.view) + "& ";
    } else {
      // A procedure may change what it observes under another name: it keeps a copy, which
      // shares the block until then.
      parameters +=
          function().procedure ? type_of(*a.view) + " " : "const " + type_of(*a.view) + "& ";
    }
    parameters += name(*a.view);
  }
  const std::string result = function().result_view ? type_of(*function().result_view)
                             : function().result    ? type_of(*function().result)
                                                    : "void";
  return (function().device ? "KOKKOS_INLINE_FUNCTION " : "") + result + " " +
         names_.functions[onf::number(id_)] + "(" + parameters + ") const";
}

void FunctionWriter::write() {
  std::string title = function().name;
  if (const std::string where = onf::place(store_, function().location); !where.empty()) {
    title += ", " + where;
  }
  out_->line("// " + title);
  const auto tell_less = [&](const std::string& array, const std::vector<std::int64_t>& less) {
    if (!less.empty())
      out_->line("// of " + array + " the last " + numbers_text(less) +
                 " elements along its axes do not count");
  };
  for (const onf::Argument& argument : function().arguments)
    if (argument.view) tell_less(name(*argument.view), argument.less);
  tell_less("the result", function().result_less);
  Text body;
  body.depth = out_->depth + 1;
  Text* const out = std::exchange(out_, &body);
  contracts();
  statements(function().body);
  out_ = out;
  out_->open(head(body.str()) + " {");
  out_->raw(body.str());
  out_->close();
  out_->raw(both_widths_.str());
}

std::string contract(const onf::Block& block) {
  std::string lengths;
  bool any = false;
  for (const Expr& extent : *block.extents) {
    const bool known = extent.kind == Expr::Kind::integer;
    any = any || known;
    lengths += (lengths.empty() ? "" : ", ") + (known ? std::to_string(extent.integer) : "-1");
  }
  return any ? lengths : std::string();
}

// What an argument's shape has to be; one that is `out` has none yet.
void FunctionWriter::contracts() {
  if (module_.one_shape) return preconditions();
  for (const onf::Argument& argument : function().arguments) {
    if (!argument.view || argument.mode == term::Mode::out) continue;
    const onf::View& view = function().views[onf::number(*argument.view)];
    const onf::Block& block = function().blocks[onf::number(view.block)];
    if (function().device || !block.extents) continue;
    const std::string lengths = contract(block);
    if (lengths.empty()) continue;
    out_->line("rhopsi::expect_shape(" + name(*argument.view) + ", {" + lengths + "});");
  }
}

namespace {

const char* instead(onf::Precondition::Elsewhere elsewhere) {
  switch (elsewhere) {
    case onf::Precondition::Elsewhere::own_shapes:
      return "any_shapes";
    case onf::Precondition::Elsewhere::other_lengths:
      return "these_lengths";
    default:
      return "none";
  }
}

}  // namespace

// Of a function that others call, not of a part of one.
void FunctionWriter::preconditions() {
  std::string fields;
  for (const onf::Argument& argument : function().arguments) {
    if (argument.view) fields += ", " + name(*argument.view);
  }
  const bool array = function().result && function().result->kind == Representation::Kind::array;
  if (function().part_of || function().device || (fields.empty() && !array)) return;
  const std::string axes = axes_text(module_);
  const std::string called = quoted(function().name) + ", domain, rhopsi::Axes<" +
                             std::to_string(module_.rank) + ">(" + axes + ")";
  out_->line("rhopsi::expect_one_shape(" + called + fields + ");");
  for (const onf::Precondition& each : function().preconditions) {
    out_->open("if (!" + expression(each.condition, 9) + ") {");
    out_->line("rhopsi::refuse_shape(" + called + ", " + quoted(each.otherwise) +
               ", rhopsi::Instead::" + instead(each.elsewhere) + ");");
    out_->close();
  }
}

void FunctionWriter::comment(std::string what, const std::vector<std::string>& made_by,
                             const std::vector<term::LocationId>& also_from) {
  std::string steps;
  for (const std::string& step : made_by) steps += (steps.empty() ? "by " : ", ") + step;
  if (!steps.empty()) what += (what.empty() ? "" : "; ") + steps;
  const std::string where = onf::places(store_, location_, also_from);
  if (what.empty() && where.empty()) return;
  out_->line("// " + (where.empty() ? what : where + (what.empty() ? "" : ": " + what)));
}

std::string FunctionWriter::label(const std::string& what) const {
  return quoted(function().name + ": " + what);
}

void FunctionWriter::statements(const onf::Statements& body) {
  for (std::size_t at = 0; at < body.size(); ++at) {
    const onf::Statement& statement = body[at];
    location_ = statement.location;
    if (statement.lines) {
      narrow_where_.clear();
      lines(body, at);
      at = onf::lines_end(body, at) - 1;
      continue;
    }
    std::size_t end = at;
    if (const auto together = joined(body, at, end); together.size() > 1) {
      nests(together);
      at = end - 1;
      continue;
    }
    if (std::holds_alternative<onf::Nest>(statement.form)) {
      const std::vector<std::size_t> turns = onf::row_blocks_at(body, at);
      if (turns.size() > 1) {
        row_blocks(body, turns);
        at = turns.back();
        continue;
      }
    }
    const bool ends = kernel_ == nullptr && !std::holds_alternative<onf::Nest>(statement.form);
    if (ends) narrow_where_.clear();
    std::visit([this](const auto& form) { write(form); }, statement.form);
    if (ends) narrow_where_.clear();
  }
}

void FunctionWriter::write(const onf::Declare& s) {
  out_->line(type_of(s.view) + " " + name(s.view) + ";");
}

void FunctionWriter::write(const onf::Allocate& s) {
  const onf::Block& block =
      function().blocks[onf::number(function().views[onf::number(s.view)].block)];
  if (block.extents) {
    const std::string lengths = arguments(*block.extents);
    if (s.in_place_of) {
      out_->line(type_of(s.view) + " " + name(s.view) + " = std::move(" + name(*s.in_place_of) +
                 ");");
      return;
    }
    const std::string makes = block.in_blocks > 0
                                  ? "make_blocked_field<" + cpp_type(block.element) + ", " +
                                        std::to_string(block.in_blocks) + ">("
                                  : "make_field<" + cpp_type(block.element) + ">(";
    out_->line(type_of(s.view) + " " + name(s.view) + " = rhopsi::" + makes + quoted(name(s.view)) +
               (lengths.empty() ? "" : ", ") + lengths + ");");
    return;
  }
  const std::string made = "(" + quoted(name(s.view)) + ", " + stored(s.view);
  if (const auto argument = out_argument_of(function(), s.view)) {
    out_->line("auto " + name(s.view) + " = rhopsi::field_in_block_of" + made + ", " +
               name(*argument) + ");");
    return;
  }
  out_->line(type_of(s.view) + " " + name(s.view) + made + ");");
}

void FunctionWriter::write(const onf::Whole& s) {
  std::string function;
  if (s.pointwise) {
    std::string called = onf::name_of(s.function);
    if (called == "and" || called == "or" || called == "not") called += '_';
    if (called == "convert") {
      const onf::View& view = this->function().views[onf::number(s.target)];
      called += "<" + cpp_type(this->function().blocks[onf::number(view.block)].element) + ">";
    }
    function = "rhopsi::pointwise<rhopsi::function::" + called + ">";
  } else {
    function = "rhopsi::" + s.spelling;
  }
  const std::string what = s.pointwise ? onf::name_of(s.function) : s.spelling;
  std::string called = label(name(s.target) + " = " + what + "(...)");
  if (const std::string where = onf::place(store_, location_); !where.empty()) {
    called = "RHOPSI_LABEL(" + called + ", " + quoted(where) + ")";
  }
  out_->line(type_of(s.target) + " " + name(s.target) + " = " + function + "(" + called + ", " +
             stored(s.target) + ", " + arguments(s.operands) + ");");
}

void FunctionWriter::write(const onf::Mutate& s) {
  comment(s.refills ? "pads, axis after axis" : "");
  out_->line("rhopsi::" + s.spelling + "(" + label(s.spelling) + ", domain, " +
             arguments(s.operands) + ");");
}

namespace {

// "{1, 0}, {1, 2}": what is below each axis, and what is above.
std::string ends_text(const onf::Halo& halo) {
  std::string low, high;
  for (const onf::Margin& margin : halo.axes) {
    low += (low.empty() ? "" : ", ") + std::to_string(margin.low);
    high += (high.empty() ? "" : ", ") + std::to_string(margin.high);
  }
  return "{" + low + "}, {" + high + "}";
}

}  // namespace

std::string halo_text(const onf::Halo& halo) {
  if (halo.axes.empty()) return "{}";
  return "{" + ends_text(halo) + ", " + (halo.corners ? "true" : "false") + "}";
}

std::string stored_text(const std::string& over, const onf::Halo& pads) {
  const bool any = std::ranges::any_of(
      pads.axes, [](const onf::Margin& margin) { return margin != onf::Margin{}; });
  if (!any) return "rhopsi::without_pads(" + over + ")";
  return "rhopsi::with_pads(" + over + ", {" + ends_text(pads) + "})";
}

std::string FunctionWriter::stored(onf::ViewId view) const {
  const auto pads = own_pads(module_, function(), view);
  const std::string text = pads ? stored_text("domain", *pads) : "domain";
  return same_along_rows(view) ? "rhopsi::one_in_a_row(" + text + ")" : text;
}

void FunctionWriter::write(const onf::RowFold& s) {
  comment("rows are folded");
  out_->line("rhopsi::fold_rows_of<" + fold_by(s.function) + (s.begins_anew ? ", true" : "") +
             ">(" + label(name(s.target)) + ", " + name(s.source) + ", " + name(s.target) + ");");
}

void FunctionWriter::write(const onf::Refill& s) {
  if (s.halo) {
    out_->line("rhopsi::refill_halo(" + label("pads of " + name(s.view)) + ", " + name(s.view) +
               ", " + halo_text(*s.halo) + ");");
    return;
  }
  out_->line("rhopsi::refill_padding(" + label("pads of " + name(s.view)) + ", domain, " +
             name(s.view) + ");");
}

void FunctionWriter::write(const onf::Share& s) {
  if (s.target == s.source) return;
  comment("");
  const std::string source = s.last_use ? "std::move(" + name(s.source) + ")" : name(s.source);
  out_->line((s.declares ? type_of(s.target) + " " : "") + name(s.target) + " = " + source + ";");
}

void FunctionWriter::write(const onf::Call& s) {
  comment("");
  out_->line((s.target ? type_of(*s.target) + " " + name(*s.target) + " = " : "") +
             expression(s.call) + ";");
}

void FunctionWriter::write(const onf::Let& s) {
  if (kernel_ == nullptr && onf::counts_steps_alone(function(), s)) return;
  const std::string type = type_of(function().variables[onf::number(s.variable)].type);
  const bool read = read_.contains(s.variable) && !is_seen_through(s);
  const std::string unread = read ? "" : "[[maybe_unused]] ";
  if (!s.value) {
    out_->line(unread + type + " " + name(s.variable) + "{};");
    return;
  }
  const bool index = kernel_ != nullptr && kernel_->indices.contains(s.variable);
  if (index) ++indexing_;
  const std::string value = expression(*s.value);
  if (index) --indexing_;
  const bool lanes = kernel_ != nullptr && kernel_->in_lanes;
  const std::string declared = lanes ? "auto" : index ? kernel_->index : type;
  out_->line(unread + (s.constant ? "const " : "") + declared + " " + name(s.variable) + " = " +
             value + ";");
}

void FunctionWriter::write(const onf::Assign& s) {
  const std::string value = expression(s.value);
  out_->line(name(s.variable) + " = " + value + ";");
}

// A lambda that computes the value when it is called first.
void FunctionWriter::write(const onf::Lazy& s) {
  const std::string type = type_of(function().variables[onf::number(s.variable)].type);
  const std::string value = locals_.unique(extended(name(s.variable), "value"));
  const std::string known = locals_.unique(extended(name(s.variable), "known"));
  out_->line(type + " " + value + "{};");
  out_->line("bool " + known + " = false;");
  lazy_.insert(s.variable);
  out_->open("const auto " + name(s.variable) + " = [&]() -> " + type + " {");
  out_->open("if (!" + known + ") {");
  if (kernel_ != nullptr) ++kernel_->branches;
  const std::string leaving = std::exchange(leave_, "return " + type + "{};");
  statements(s.body);
  const std::string text = expression(s.value);
  leave_ = leaving;
  if (kernel_ != nullptr) --kernel_->branches;
  out_->line(value + " = " + text + ";");
  out_->line(known + " = true;");
  out_->close();
  out_->line("return " + value + ";");
  out_->close("};");
}

void FunctionWriter::write(const onf::If& s) {
  const std::string condition = expression(s.condition);
  if (kernel_ != nullptr) ++kernel_->branches;
  out_->open("if (" + condition + ") {");
  statements(s.then);
  if (!s.otherwise.empty()) {
    --out_->depth;
    out_->open("} else {");
    statements(s.otherwise);
  }
  out_->close();
  if (kernel_ != nullptr) --kernel_->branches;
}

// Says where a loop of the host is from; those of kernels and of functions for the device are part
// of what says so already.
void FunctionWriter::host_loop() {
  if (kernel_ == nullptr && !function().device) comment("");
}

void FunctionWriter::write(const onf::For& s) {
  host_loop();
  const std::string index = name(s.index);
  const std::string low = expression(s.low);
  const std::string high = expression(s.high, 6);
  out_->open("for (std::int64_t " + index + " = " + low + "; " + index + " < " + high + "; ++" +
             index + ") {");
  statements(s.body);
  out_->close();
}

void FunctionWriter::write(const onf::Iterate& s) {
  host_loop();
  const std::string round = locals_.unique("round");
  const std::string count = expression(s.count, 6);
  out_->open("for (std::int64_t " + round + " = 0; " + round + " < " + count + "; ++" + round +
             ") {");
  statements(s.body);
  out_->close();
}

// The bound is evaluated once; reaching it ends the loop as a false condition does.
void FunctionWriter::write(const onf::While& s) {
  host_loop();
  const std::string round = locals_.unique("round");
  const std::string bound = locals_.unique("bound");
  out_->line("const std::int64_t " + bound + " = " + expression(s.bound) + ";");
  out_->open("for (std::int64_t " + round + " = 0; " + round + " < " + bound + "; ++" + round +
             ") {");
  statements(s.before);
  out_->line("if (!" + expression(s.condition, 9) + ") break;");
  statements(s.body);
  out_->close();
}

// In a kernel, what follows is evaluated only where the condition holds: nothing that may trap
// moves before the loop.
void FunctionWriter::write(const onf::Check& s) {
  const std::string condition = expression(s.condition, 9);
  out_->open("if (!" + condition + ") {");
  const std::string code = quoted(s.code);
  std::string what = quoted(s.message);
  if (kernel_ != nullptr && kernel_->boxed) {
    out_->line(kernel_->fault + ".raise(" + std::to_string(fault(s)) + ");");
    out_->line(leave_);
  } else if (kernel_ != nullptr || function().device) {
    out_->line("rhopsi::unmet(" + code + ", " + what + ");");
  } else {
    for (std::size_t k = 0; k < s.numbers.size(); ++k) {
      what = (k == 0 ? "std::string(" + quoted(s.pieces[0]) + ")" : what) +
             " + rhopsi::number_text(" + expression(s.numbers[k]) + ") + " +
             quoted(s.pieces[k + 1]);
    }
    out_->line("throw rhopsi::Error(" + what + ", " + code + ");");
  }
  out_->close();
  if (kernel_ != nullptr) ++kernel_->branches;
}

void FunctionWriter::write(const onf::Return& s) {
  if (!s.value) {
    out_->line("return;");
    return;
  }
  const std::string value = expression(*s.value);
  out_->line("return " + value + ";");
}

void FunctionWriter::write(const onf::Scope& s) {
  out_->open("{");
  statements(s.body);
  out_->close();
}

}  // namespace rhopsi::kokkos
