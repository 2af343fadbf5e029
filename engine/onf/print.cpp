#include "engine/onf/print.hpp"

#include <array>
#include <charconv>
#include <string_view>

#include "engine/onf/pads.hpp"
#include "engine/onf/print_pipeline.hpp"

namespace rhopsi::onf {

namespace {

std::string real_text(double value) {
  std::array<char, 64> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

class Printer {
 public:
  Printer(const Module& module, const Function& function, const term::Store* store)
      : module_(module), function_(function), store_(store) {}

  std::string expression(const Expr& e) const {
    switch (e.kind) {
      case Expr::Kind::integer:
        return std::to_string(e.integer);
      case Expr::Kind::real:
        return real_text(e.real);
      case Expr::Kind::boolean:
        return e.integer != 0 ? "true" : "false";
      case Expr::Kind::variable:
        return name(e.variable);
      case Expr::Kind::view:
        return name(e.view);
      case Expr::Kind::parameter:
        return module_.parameters[number(e.parameter)].name;
      case Expr::Kind::extent:
        return "n" + std::to_string(e.axis);
      case Expr::Kind::length:
        return "length(" + name(e.view) + ", " + std::to_string(e.axis) + ")";
      case Expr::Kind::load:
        return name(e.view) + "[" + list(e.operands) + "]";
      case Expr::Kind::apply:
        return name_of(e.function) + "(" + list(e.operands) + ")";
      case Expr::Kind::make_index:
        return "<" + list(e.operands) + ">";
      case Expr::Kind::component:
        return expression(e.operands[0]) + "." + std::to_string(e.axis);
      case Expr::Kind::move:
        return (e.wraps ? "wrap(" : "move(") + list(e.operands) + ")";
      case Expr::Kind::library:
        return "library " + e.spelling + "(" + list(e.operands) + ")";
      case Expr::Kind::call:
        return module_.functions[number(e.callee)].name + "(" + list(e.operands) + ")";
      case Expr::Kind::external:
        return module_.externals[number(e.external)].name + "::" + e.spelling + "(" +
               list(e.operands) + ")";
      case Expr::Kind::if_:
        return "if " + expression(e.operands[0]) + " then " + expression(e.operands[1]) + " else " +
               expression(e.operands[2]);
    }
    return "?";
  }

  void statements(const Statements& body, int depth) {
    for (const Statement& statement : body) {
      depth_ = depth;
      location_ = statement.location;
      if (statement.lines && !statement.lines->goes_on) line(lines_of(*statement.lines));
      if (statement.lines) ++depth_;
      std::visit([this](const auto& form) { print(form); }, statement.form);
    }
  }

  // "line by line of axes 1, 2"
  static std::string lines_of(const Lines& lines) {
    std::string text;
    for (const std::size_t axis : lines.axes)
      text += (text.empty() ? "" : ", ") + std::to_string(axis);
    return text.empty() ? "all rounds in one loop" : "line by line of axes " + text;
  }

  std::string argument(const Argument& a) const {
    std::string text = a.mode == term::Mode::upd ? "upd " : a.mode == term::Mode::out ? "out " : "";
    if (a.view) {
      const View& view = function_.views[number(*a.view)];
      const Block& block = function_.blocks[number(view.block)];
      return text + view.name + ": array " + to_string(block.element) +
             (block.extents ? " [" + list(*block.extents) + "]" : pads(block)) + broadcast(block) +
             fewer(a.less) + window(a);
    }
    const Variable& variable = function_.variables[number(a.variable)];
    return text + variable.name + ": " + to_string(variable.type) + window(a);
  }

  // " = z[1 ..., 3]"
  static std::string window(const Argument& a) {
    if (!a.window) return {};
    std::string text;
    for (const Window::Axis& axis : a.window->axes)
      text += (text.empty() ? "" : ", ") + std::to_string(axis.first) + (axis.of ? " ..." : "");
    return " = " + a.window->array + "[" + text + "]";
  }

  // " without the last [2, 0]"
  static std::string fewer(const std::vector<std::int64_t>& less) {
    std::string text;
    for (const std::int64_t by : less) text += (text.empty() ? "" : ", ") + std::to_string(by);
    return text.empty() ? text : " without the last [" + text + "]";
  }

  std::string take() { return std::move(text_); }

 private:
  // " broadcast along 0, 2"
  static std::string broadcast(const Block& block) {
    std::string text;
    for (std::size_t axis = 0; axis < block.broadcast.size(); ++axis) {
      if (!block.broadcast[axis]) continue;
      text += (text.empty() ? " broadcast along " : ", ") + std::to_string(axis);
    }
    return text;
  }
  // " pads [1+0, 0+2]" where they are others than the module's.
  std::string pads(const Block& block) const {
    const auto own = own_pads(module_, block);
    return own ? " pads " + to_string(Halo{own->axes, false}) : "";
  }
  std::string name(VariableId id) const { return function_.variables[number(id)].name; }
  std::string name(ViewId id) const { return function_.views[number(id)].name; }
  std::string list(const std::vector<Expr>& operands) const {
    std::string text;
    for (const Expr& operand : operands) {
      if (!text.empty()) text += ", ";
      text += expression(operand);
    }
    return text;
  }
  void line(const std::string& text, const std::vector<term::LocationId>& also_from = {}) {
    text_ += std::string(static_cast<std::size_t>(depth_) * 2, ' ') + text;
    if (store_ != nullptr) {
      if (const std::string where = places(*store_, location_, also_from); !where.empty()) {
        text_ += "  # " + where;
      }
    }
    text_ += '\n';
  }
  void nested(const Statements& body) {
    const int depth = depth_;
    statements(body, depth + 1);
    depth_ = depth;
  }

  void print(const Declare& s) { line("declare " + name(s.view)); }
  void print(const Allocate& s) {
    const Block& block = function_.blocks[number(function_.views[number(s.view)].block)];
    std::string box = block.extents ? list(*block.extents) : "";
    for (std::size_t axis = 0; !block.extents && axis < block.box.size(); ++axis) {
      const StoredAxis& stored = block.box[axis];
      const std::string n = "n" + std::to_string(axis);
      if (!box.empty()) box += ", ";
      box += stored.low == 0 && stored.high == 0
                 ? n
                 : (stored.low == 0 ? "0 .. " : "-" + std::to_string(stored.low) + " .. ") + n +
                       (stored.high == 0 ? "" : "+" + std::to_string(stored.high)) +
                       (stored.outside == Outside::circular ? " circular" : "");
    }
    line("allocate " + name(s.view) + ": " + to_string(block.element) + " [" + box + "]" +
         (block.in_blocks > 0 ? " in blocks of " + std::to_string(block.in_blocks) : "") +
         (s.in_place_of ? " in place of " + name(*s.in_place_of) : ""));
  }
  void print(const Nest& s) {
    std::string indices;
    for (VariableId index : s.indices) indices += (indices.empty() ? "" : ", ") + name(index);
    static constexpr std::array<const char*, 3> bindings{"flat", "nested", "rows"};
    line(std::string("nest ") + bindings[static_cast<std::size_t>(s.binding)] +
             (s.padded ? " padded" : "") + (s.joined ? " joined" : "") +
             (s.row_blocks ? " by turns" : "") + (s.overwritten ? " overwritten" : "") + " (" +
             indices + ")" + box_of(s) + loops_of(s) + width_of(s.width) + circular_of(s.circular) +
             (s.period ? " in rounds of " + std::to_string(s.period->length) : "") +
             (s.rows_at_once > 1 ? " by " + std::to_string(s.rows_at_once) + " rows" : "") +
             (s.plane_tiles ? " in " + to_string(*s.plane_tiles) : "") +
             (s.tile ? tile_of(s, *s.tile) : "") + " \"" + s.label + "\"",
         s.also_from);
    nested(s.body);
    const int depth = depth_;
    location_ = s.element.location;
    depth_ = depth + 1;
    line(name(s.target) + "[" + indices + "] := " + expression(s.element));
    for (const Nest::Output& output : s.also) {
      location_ = output.element.location;
      line(name(output.target) + "[" + indices + "] := " + expression(output.element));
    }
    depth_ = depth;
  }
  void print(const Pipeline& s) {
    line("pipeline \"" + s.label + "\"");
    const int depth = depth_++;
    for (const std::string& part : parts_of(function_, s)) line(part);
    for (const Pipeline::Stage& stage : s.stages) {
      location_ = stage.location;
      depth_ = depth + 1;
      line(head_of(s, stage));
      ++depth_;
      print(stage.nest);
      --depth_;
      if (stage.barrier) line("barrier");
    }
    depth_ = depth;
  }
  // " in [0, 2) x [1, n)"
  std::string box_of(const Nest& s) const {
    std::string text;
    for (const Interval& interval : s.box.value_or(std::vector<Interval>{})) {
      text += std::string(text.empty() ? " in " : " x ") + "[" + expression(interval.low) + ", " +
              expression(interval.high) + ")";
    }
    return text;
  }
  // " around by select"
  static std::string circular_of(Circular circular) {
    static constexpr std::array<const char*, 4> words{"", " around by select", " around by mask",
                                                      " around by peel"};
    return words[static_cast<std::size_t>(circular)];
  }
  // " loops 1, 0 in strips of 8"
  static std::string loops_of(const Nest& s) {
    std::string text;
    for (const int axis : s.loops) text += (text.empty() ? " loops " : ", ") + std::to_string(axis);
    return s.strip > 0 ? text + " in strips of " + std::to_string(s.strip) : text;
  }
  // " in tiles of 14 i by 2 x 8, packed for 256 of the fold, 131072 and 1048576 elements"
  std::string tile_of(const Nest& s, const Tile& tile) const {
    if (tile.running) return " with folds that go on along " + name(s.indices[*tile.running]);
    std::string text = tile.wide ? " in wide tiles of " : " in tiles of ";
    if (tile.axis) text += std::to_string(tile.rows) + " " + name(s.indices[*tile.axis]) + " by ";
    text += std::to_string(tile.vectors) + " x " + std::to_string(tile.lanes);
    if (tile.packs) {
      text += ", packed for " +
              (tile.fold_block > 0 ? std::to_string(tile.fold_block) : std::string("all")) +
              " of the fold, " + std::to_string(tile.row_elements) + " and " +
              std::to_string(tile.lane_elements) + " elements";
    }
    return text + (tile.regrouping ? ", or" + regrouping_of(*tile.regrouping) : "");
  }
  // " in blocks of 4096, each as 64 folds, where reals may be regrouped"
  static std::string regrouping_of(const Regrouping& regrouping) {
    return " in blocks of " + std::to_string(regrouping.block) + ", each as " +
           std::to_string(regrouping.chains) + " folds" +
           (regrouping.reals ? ", where reals may be regrouped" : "") +
           (regrouping.in_turn ? ", or else one by one with vectors of terms" : "") +
           (regrouping.few ? ", for few elements" : "");
  }
  // " of 32 bits where n0, multiply(n0, n1) fit"
  std::string width_of(const IndexWidth& width) const {
    if (!width.narrow) return {};
    if (width.bounded.empty()) return " of 32 bits";
    return " of 32 bits where " + list(width.bounded) +
           (width.bounded.size() == 1 ? " fits" : " fit");
  }
  void print(const RowFold& s) { line(to_string(function_, s)); }
  void print(const Whole& s) {
    line("array " + name(s.target) + " = " +
         (s.pointwise ? "pointwise " + name_of(s.function) : s.spelling) + "(" + list(s.operands) +
         ")");
  }
  void print(const Mutate& s) { line("mutate " + s.spelling + "(" + list(s.operands) + ")"); }
  void print(const Refill& s) {
    line("refill " + name(s.view) + (s.halo ? " " + to_string(*s.halo) : ""));
  }
  void print(const Share& s) {
    line((s.declares ? "array " : "") + name(s.target) + (s.last_use ? " = take " : " = share ") +
         name(s.source));
  }
  void print(const Call& s) {
    line((s.target ? "array " + name(*s.target) + " = " : std::string("call ")) +
         expression(s.call));
  }
  void print(const Let& s) {
    line(std::string(s.constant ? "let " : "var ") + name(s.variable) + ": " +
         to_string(function_.variables[number(s.variable)].type) +
         (s.value ? " = " + expression(*s.value) : ""));
  }
  void print(const Assign& s) { line(name(s.variable) + " = " + expression(s.value)); }
  void print(const Lazy& s) {
    line("lazy " + name(s.variable) + ": " +
         to_string(function_.variables[number(s.variable)].type));
    nested(s.body);
    ++depth_;
    line(expression(s.value));
    --depth_;
  }
  void print(const Fold& s) {
    line("let " + name(s.variable) + " = fold " +
         (s.function ? name_of(*s.function) : module_.functions[number(s.callee)].name) + " (" +
         name(s.index) + " < " + expression(s.count) + ")" +
         (s.regrouping ? regrouping_of(*s.regrouping) : ""));
    nested(s.body);
    ++depth_;
    line(expression(s.element));
    --depth_;
  }
  void print(const If& s) {
    line("if " + expression(s.condition));
    nested(s.then);
    if (s.otherwise.empty()) return;
    location_ = {};
    line("else");
    nested(s.otherwise);
  }
  void print(const For& s) {
    line("for " + name(s.index) + " in " + expression(s.low) + " .. " + expression(s.high));
    nested(s.body);
  }
  void print(const Iterate& s) {
    line("iterate " + expression(s.count));
    nested(s.body);
  }
  void print(const While& s) {
    line("while " + expression(s.condition) + " bound " + expression(s.bound));
    nested(s.before);
    nested(s.body);
  }
  void print(const Check& s) {
    line("check " + expression(s.condition) + " \"" + s.message + "\"");
  }
  void print(const Return& s) { line(s.value ? "return " + expression(*s.value) : "return"); }
  void print(const Scope& s) {
    line("scope");
    nested(s.body);
  }

  const Module& module_;
  const Function& function_;
  const term::Store* store_;
  term::LocationId location_{};
  int depth_ = 0;
  std::string text_;
};

std::string header(const Module& module) {
  std::string text = "module " + module.name + " rank " + std::to_string(module.rank);
  for (std::size_t k = 0; k < module.axes.size(); ++k) {
    text += (k == 0 ? " axes " : ", ") + std::to_string(module.axes[k]);
  }
  if (module.pad != 0) text += " pad " + std::to_string(module.pad);
  if (module.regrouped) text += " regrouped";
  text += '\n';
  for (const External& external : module.externals) {
    text += "external " + external.name + " in " + external.header + '\n';
    for (const External::Requirement& requirement : external.requirements) {
      text += "  requires " + requirement.name + " = " +
              (requirement.type ? to_string(*requirement.type)
                                : module.functions[number(requirement.operation)].name) +
              '\n';
    }
  }
  for (const OpaqueType& type : module.types) {
    text += "type " + type.name + " = " + module.externals[number(type.external)].name +
            "::" + type.original + '\n';
  }
  for (const Parameter& parameter : module.parameters) {
    text += "parameter " + parameter.name + ": " + to_string(parameter.type) + '\n';
  }
  return text;
}

}  // namespace

std::string to_string(const Module& module, const Function& function, const Expr& expression) {
  return Printer(module, function, nullptr).expression(expression);
}

std::string to_string(const term::Store& store, const Module& module) {
  std::string text = header(module);
  for (FunctionId id : module.order) {
    const Function& function = module.functions[number(id)];
    Printer printer(module, function, &store);
    std::string arguments;
    for (const Argument& argument : function.arguments) {
      if (!arguments.empty()) arguments += ", ";
      arguments += printer.argument(argument);
    }
    text += std::string("\n") + (function.device ? "device " : "") +
            (function.procedure ? "procedure " : "function ") + function.name + "(" + arguments +
            ")";
    if (function.result)
      text += ": " + to_string(*function.result) + Printer::fewer(function.result_less);
    if (const std::string where = place(store, function.location); !where.empty()) {
      text += "  # " + where;
    }
    if (function.repeats) {
      text += std::string(text.back() == ')' ? "  # " : ", ") +
              std::to_string(function.repeats->times) + " calls of " +
              module.functions[number(function.repeats->of)].name;
    }
    text += '\n';
    for (const Precondition& each : function.preconditions) {
      text += "  where " + printer.expression(each.condition) + '\n';
    }
    printer.statements(function.body, 1);
    text += printer.take();
  }
  return text;
}

}  // namespace rhopsi::onf
