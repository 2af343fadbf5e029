// Tiles: nests whose elements are folds, as lambdas of single elements for rhopsi_fold_tiles.hpp.
//
//   C[i, j] := fold add (k < n) A[i, k] * B[k, j]
//     =>  for_each_tile(..., tile_fold(n, a * b), operands(A_at(i, k)), operands(B_at(k, j)), ...)
#include "engine/onf/tile.hpp"

#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/alike.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/scalar_size.hpp"

namespace rhopsi::kokkos {

using onf::Expr;
using onf::ScalarFunction;

// What is written while a tile is: variables that have a value for each lane.
struct FunctionWriter::LaneText {
  onf::VariableId index;             // the last one of the nest: that of the first lane
  std::set<onf::VariableId> values;  // of type rhopsi::Lanes
  std::map<onf::VariableId, onf::Representation> types;
  std::string tile, count;  // names
};

namespace {

bool is_float(const Expr& e) {
  return e.type.kind == onf::Representation::Kind::scalar && onf::is_real(e.type.scalar);
}

// The view of the first access in an expression.
const Expr* first_load(const Expr& e) {
  if (e.kind == Expr::Kind::load) return &e;
  for (const Expr& operand : e.operands) {
    if (const Expr* found = first_load(operand)) return found;
  }
  return nullptr;
}

// Are neighbours along the variable neighbours in memory wherever the variable matters?
bool all_next_to(const Expr& e, onf::VariableId variable) {
  if (e.kind == Expr::Kind::load && onf::depends_on(e, variable) && !onf::is_next_to(e, variable)) {
    return false;
  }
  return std::ranges::all_of(e.operands,
                             [&](const Expr& part) { return all_next_to(part, variable); });
}

}  // namespace

onf::VariableId FunctionWriter::lane_variable(const std::string& wanted) {
  variables_.push_back(locals_.unique(wanted));
  const auto made = static_cast<onf::VariableId>(variables_.size() - 1);
  kernel_->local.insert(made);
  return made;
}

// Is there one value for each lane?
bool FunctionWriter::varies(const Expr& e) const {
  return onf::depends_on(e, lanes_->index) ||
         std::ranges::any_of(lanes_->values,
                             [&](onf::VariableId value) { return onf::depends_on(e, value); });
}

// A lambda of the nest's indices and of those of folds; those that `body` does not name have no
// name. `more` are parameters behind them; `before` are statements in front of the value.
std::string FunctionWriter::tile_lambda(const onf::Nest& s,
                                        const std::vector<onf::VariableId>& folds,
                                        const std::vector<const Expr*>& uses,
                                        const std::string& more, const std::string& result,
                                        const std::string& body, const std::string& before) {
  std::string parameters;
  std::vector<onf::VariableId> indices = s.indices;
  indices.insert(indices.end(), folds.begin(), folds.end());
  for (const onf::VariableId index : indices) {
    const bool used =
        std::ranges::any_of(uses, [&](const Expr* e) { return onf::depends_on(*e, index); });
    parameters += (parameters.empty() ? "const " : ", const ") + kernel_->index +
                  (used ? " " + name(index) : "");
  }
  return "[=](" + parameters + more + ") RHOPSI_INLINED" + (result.empty() ? "" : " -> " + result) +
         " { " + before + "return " + body + "; }";
}

// --- expressions that have one value for each lane

std::string FunctionWriter::lane_expression(const Expr& e, int precedence) {
  if (!varies(e)) return expression(e, precedence);
  if (e.kind == Expr::Kind::variable && lanes_->values.contains(e.variable)) {
    return name(e.variable);
  }
  // Where what a fold has come to is an index, each lane reads for itself.
  const bool by_value = std::ranges::any_of(
      lanes_->values, [&](onf::VariableId value) { return onf::depends_on(e, value); });
  if (e.kind == Expr::Kind::load && !by_value && onf::is_next_to(e, lanes_->index)) {
    return "rhopsi::load_lanes<" + lanes_->tile + "::lanes>(" + lanes_->count + ", " + load(e) +
           ")";
  }
  if (e.kind == Expr::Kind::if_ && !varies(e.operands[0])) {
    const auto branch = [&](const Expr& chosen) {
      const std::string text = lane_expression(chosen, 0);
      return varies(chosen) ? text
                            : "rhopsi::all_lanes<" + type_of(e.type) + ", " + lanes_->tile +
                                  "::lanes>(" + lanes_->count + ", " + text + ")";
    };
    return "(" + expression(e.operands[0], 2) + " ? " + branch(e.operands[1]) + " : " +
           branch(e.operands[2]) + ")";
  }
  if (e.kind == Expr::Kind::apply) {
    if (std::string text = lane_apply(e, precedence); !text.empty()) return text;
  }
  return lane_by_lane(e);
}

// Sums, products and the like, which vectors have too; empty for others.
std::string FunctionWriter::lane_apply(const Expr& e, int precedence) {
  const bool alike =
      std::ranges::all_of(e.operands, [&](const Expr& operand) { return operand.type == e.type; });
  if (!alike || e.operands.empty()) return {};
  const auto infix = [&](const char* symbol, int own) {
    std::string text = lane_expression(e.operands[0], own) + " " + symbol + " " +
                       lane_expression(e.operands[1], own + 1);
    return own < precedence ? "(" + text + ")" : text;
  };
  const auto called = [&](const char* function) {
    std::string text;
    for (const Expr& operand : e.operands) {
      text += (text.empty() ? "" : ", ") +
              (varies(operand) ? lane_expression(operand, 0) : argument(operand));
    }
    return std::string("rhopsi::") + function + "(" + text + ")";
  };
  constexpr int sum = 6, product = 7;
  switch (e.function) {
    case ScalarFunction::add:
      return is_float(e) ? infix("+", sum) : called("add");
    case ScalarFunction::subtract:
      return is_float(e) ? infix("-", sum) : called("subtract");
    case ScalarFunction::multiply:
      return is_float(e) ? infix("*", product) : called("multiply");
    case ScalarFunction::divide:
      return is_float(e) ? infix("/", product) : std::string();
    case ScalarFunction::negate:
      return called("negate");
    case ScalarFunction::absolute:
      return called("absolute");
    case ScalarFunction::plus:
      return lane_expression(e.operands[0], precedence);
    case ScalarFunction::minimum:
      return called("minimum");
    case ScalarFunction::maximum:
      return called("maximum");
    default:
      return {};
  }
}

// What is read of arrays in blocks at the lanes, each with a variable that stands for it from now
// on: one lane after the other would look for its block. All of it is there, whatever conditions
// around it say.
std::vector<std::pair<onf::VariableId, Expr>> FunctionWriter::read_in_blocks(Expr& e) {
  std::vector<std::pair<onf::VariableId, Expr>> found;
  onf::each_part(e, [&](Expr& part) {
    if (part.kind != Expr::Kind::load || !onf::is_next_to(part, lanes_->index)) return;
    const onf::View& view = function().views[onf::number(part.view)];
    const bool by_value = std::ranges::any_of(
        lanes_->values, [&](onf::VariableId value) { return onf::depends_on(part, value); });
    if (by_value || function().blocks[onf::number(view.block)].in_blocks == 0) return;
    auto known = std::ranges::find_if(
        found, [&](const auto& other) { return onf::is_same(other.second, part); });
    if (known == found.end())
      known = found.insert(found.end(), {lane_variable(extended(name(part.view), "lane")), part});
    part.kind = Expr::Kind::variable;
    part.variable = known->first;
    part.operands.clear();
  });
  return found;
}

// Any other expression, one lane after the other: within it names stand for one lane.
std::string FunctionWriter::lane_by_lane(const Expr& whole) {
  Expr e = whole;
  const auto in_blocks = read_in_blocks(e);
  std::string parameters = "const " + kernel_->index +
                           (onf::depends_on(e, lanes_->index) ? " " + name(lanes_->index) : "");
  std::string passed = name(lanes_->index);
  for (const auto& [value, read] : in_blocks) {
    parameters += ", const " + type_of(read.type) + " " + name(value);
    passed += ", " + lane_expression(read, 0);
  }
  for (const onf::VariableId value : lanes_->values) {
    if (!onf::depends_on(e, value)) continue;
    parameters += ", const " + type_of(lanes_->types.at(value)) + " " + name(value);
    passed += ", " + name(value);
  }
  return "rhopsi::each_lane<" + type_of(e.type) + ", " + lanes_->tile + "::lanes>(" +
         lanes_->count + ", [=](" + parameters + ") RHOPSI_INLINED { return " + expression(e, 0) +
         "; }, " + passed + ")";
}

// --- the parts of a tile

// Operands that are computed before, with the variables that stand for them.
std::string FunctionWriter::tile_operands(const onf::Nest& s, const std::vector<Expr>& parts,
                                          const std::vector<onf::VariableId>& folds,
                                          onf::VariableId along) {
  std::string text;
  for (const Expr& part : parts) {
    const std::string by_lane = all_next_to(part, along) ? "true" : "false";
    // Where it is an element, its neighbours are there, too.
    const std::string result = part.kind == Expr::Kind::load ? "decltype(auto)" : "";
    text += (text.empty() ? "" : ", ") + std::string("rhopsi::operand<") + type_of(part.type) +
            ", " + by_lane + ">(" + tile_lambda(s, folds, {&part}, "", result, expression(part)) +
            ")";
  }
  return "rhopsi::operands(" + text + ")";
}

std::string FunctionWriter::tile_count(const onf::Nest& s, const onf::TileFold& fold,
                                       const std::vector<onf::VariableId>& folds) {
  const bool narrow = kernel_->indices.contains(fold.index);
  if (narrow) ++indexing_;
  const std::string count = expression(fold.count);
  if (narrow) --indexing_;
  return tile_lambda(s, folds, {&fold.count}, "", kernel_->index,
                     narrow ? count : "static_cast<" + kernel_->index + ">(" + count + ")");
}

// rhopsi::tile_fold for each fold, from the outermost on. `term` is the innermost one's.
std::string FunctionWriter::tile_folds(const onf::Nest& s, const onf::TileForm& form,
                                       const Expr& term,
                                       const std::vector<onf::VariableId>& row_values,
                                       const std::vector<onf::VariableId>& lane_values) {
  std::string text;
  std::vector<onf::VariableId> indices;
  for (std::size_t k = 0; k < form.folds.size(); ++k) {
    const onf::TileFold& fold = form.folds[k];
    const bool innermost = k + 1 == form.folds.size();
    const Expr& element = innermost ? term : fold.element;
    const std::string count = tile_count(s, fold, indices);
    indices.push_back(fold.index);
    const std::string body = lane_expression(element, 0);
    const auto parameter = [&](onf::VariableId value) {
      return ", const auto" + (onf::depends_on(element, value) ? " " + name(value) : "");
    };
    std::string more =
        ", const auto" + (body.find(lanes_->count) == std::string::npos ? "" : " " + lanes_->count);
    if (innermost) {
      for (const onf::VariableId value : row_values) more += parameter(value);
      for (const onf::VariableId value : lane_values) more += parameter(value);
    } else {
      more += parameter(form.folds[k + 1].variable);
    }
    std::vector<const Expr*> uses{&element};
    // The first lane's index is passed on.
    if (body.find("rhopsi::each_lane") != std::string::npos) uses.push_back(&lane_index_);
    const bool of_all_rows =
        k > 0 && s.tile->axis && onf::is_of_all_rows(form, k, s.indices[*s.tile->axis]);
    const std::string type = type_of(function().variables[onf::number(fold.variable)].type);
    text += (text.empty() ? "" : ", ") + std::string("rhopsi::tile_fold<") + type +
            ", rhopsi::fold_by::" + onf::name_of(fold.function) + (of_all_rows ? ", true" : "") +
            ">(" + count + ", " + tile_lambda(s, indices, uses, more, "", body) + ")";
  }
  return "std::tuple(" + text + ")";
}

FunctionWriter::Kernel FunctionWriter::tile_kernel(const onf::Nest& s,
                                                   const std::string& index) const {
  Kernel kernel;
  kernel.local = onf::declared_in(s.body);
  kernel.local.insert(s.indices.begin(), s.indices.end());
  kernel.index = index;
  kernel.boxed = true;
  kernel.branches = 1;  // over nothing no element is computed
  if (s.width.narrow) kernel.indices = onf::index_variables(s);
  return kernel;
}

// Of its element at the indices.
std::string FunctionWriter::target_lambda(const onf::Nest& s) {
  std::vector<Expr> at;
  for (std::size_t axis = 0; axis < s.indices.size(); ++axis) at.push_back(index_of(s, axis));
  std::vector<const Expr*> all;
  for (const Expr& each : at) all.push_back(&each);
  return tile_lambda(s, {}, all, "", "decltype(auto)", stored(s, s.target));
}

void FunctionWriter::tile(const onf::Nest& s, const std::string& index) {
  const NameTable outer = locals_;
  const std::size_t variables = variables_.size();
  const term::LocationId location = location_;
  const onf::Tile& tile = *s.tile;
  const onf::TileForm form = *onf::tile_form(function(), s);
  const onf::VariableId lane = s.indices.back();
  Kernel kernel = tile_kernel(s, index);
  locals_.reserve(extended(name(s.target), "at"));
  const std::string ends = box_text(s);
  kernel_ = &kernel;
  LaneText lanes{lane, {}, {}, locals_.unique("Tile"), locals_.unique("count")};
  lanes_ = &lanes;
  lane_index_ = index_of(s, s.indices.size() - 1);
  for (std::size_t k = 0; k < form.folds.size(); ++k) {
    const onf::TileFold& fold = form.folds[k];
    lanes.values.insert(fold.variable);
    lanes.types.emplace(fold.variable, function().variables[onf::number(fold.variable)].type);
  }
  onf::TileOperands operands;
  if (tile.packs) operands = onf::operands_of(form, s.indices[*tile.axis], lane);
  const auto named = [&](const std::vector<Expr>& parts, const char* end) {
    std::vector<onf::VariableId> made;
    for (const Expr& part : parts) {
      const Expr* load = first_load(part);
      made.push_back(lane_variable((load != nullptr ? name(load->view) : "x") + end));
    }
    return made;
  };
  const std::vector<onf::VariableId> row_values = named(operands.rows, "_row");
  const std::vector<onf::VariableId> lane_values = named(operands.lanes, "_lanes");
  for (std::size_t k = 0; k < lane_values.size(); ++k) {
    lanes.values.insert(lane_values[k]);
    lanes.types.emplace(lane_values[k], operands.lanes[k].type);
  }
  Expr term = onf::with_operands(form.folds.back().element, operands.rows, row_values);
  term = onf::with_operands(term, operands.lanes, lane_values);
  std::vector<onf::VariableId> folds;
  for (const onf::TileFold& fold : form.folds) folds.push_back(fold.index);
  const auto direct = [&](const Expr& e) {
    return onf::depends_on(e, lane) || (tile.axis && onf::depends_on(e, s.indices[*tile.axis]));
  };
  bool reads_beside = direct(term);
  for (std::size_t k = 0; k + 1 < form.folds.size(); ++k) {
    reads_beside = reads_beside || direct(form.folds[k].element);
  }

  const std::string folds_text = tile_folds(s, form, term, row_values, lane_values);
  const std::string rows_text =
      tile_operands(s, operands.rows, folds, tile.axis ? s.indices[*tile.axis] : lane);
  const std::string lanes_text = tile_operands(s, operands.lanes, folds, lane);
  const std::string value = lane_expression(form.element, 0);
  std::vector<const Expr*> uses{&form.element};
  if (value.find("rhopsi::each_lane") != std::string::npos) uses.push_back(&lane_index_);
  const std::string more =
      ", const auto" + (value.find(lanes.count) == std::string::npos ? "" : " " + lanes.count) +
      ", const auto" +
      (onf::depends_on(form.element, form.folds[0].variable) ? " " + name(form.folds[0].variable)
                                                             : "");
  const std::string element_text = tile_lambda(s, {}, uses, more, "", value);
  const std::string target_text = target_lambda(s);
  const std::string blocks_text = tile.regrouping ? blocks(s, form, ends, target_text) : "";
  lanes_ = nullptr;
  kernel_ = nullptr;
  location_ = location;

  const auto number = [](std::int64_t value) { return std::to_string(value); };
  comment(tile.wide ? "neighbours side by side, the fold around them"
          : tile.axis
              ? number(tile.rows) + " by " + number(tile.vectors * tile.lanes) +
                    " elements side by side, the fold around them"
              : number(tile.vectors * tile.lanes) + " elements side by side, the fold around them",
          s.made_by, s.also_from);
  if (tile.regrouping) {
    comment(std::string("or ") + (tile.regrouping->few ? "few elements" : "each element") +
            " in blocks of " + number(tile.regrouping->block) + " steps" +
            (tile.regrouping->reals ? " where reals may be regrouped" : ""));
  }
  out_->open("{");
  for (const auto& [view, captured] : kernel.reads) {
    out_->line("const auto " + captured + " = " + name(view) + ".read" +
               (index == "std::int64_t" ? "" : "<" + index + ">") + "();");
  }
  out_->line("const auto " + extended(name(s.target), "at") + " = " + name(s.target) + ".write" +
             (index == "std::int64_t" ? "" : "<" + index + ">") + "();");
  for (const std::string& line : kernel.lines) out_->line(line);
  const std::string sum =
      type_of(function().variables[onf::number(form.folds.back().variable)].type);
  out_->line("using " + lanes.tile + " = rhopsi::" + (tile.wide ? "WideTile<" : "RegisterTile<") +
             sum + ", " + number(tile.lanes) + ", " + number(tile.vectors) +
             (tile.wide
                  ? ""
                  : ", " + (tile.axis ? number(static_cast<std::int64_t>(*tile.axis)) : "-1") +
                        ", " + number(tile.rows) + ", " + (reads_beside ? "true" : "false")) +
             ">;");
  if (tile.regrouping) {
    const std::string done = locals_.unique("done");
    out_->line("const bool " + done + " = " + blocks_text + ";");
    out_->line("if (!" + done + ")");
    ++out_->depth;
  }
  out_->line("rhopsi::for_each_tile<" + index + ", " + lanes.tile + ">(" + quoted(s.label) +
             ", rhopsi::Box<" + number(static_cast<std::int64_t>(s.box->size())) + ">" + ends +
             ", rhopsi::TileBlocks{" + number(tile.fold_block) + ", " + number(tile.row_elements) +
             ", " + number(tile.lane_elements) + "},");
  out_->depth += 2;
  out_->line(folds_text + ",");
  out_->line(rows_text + ",");
  out_->line(lanes_text + ",");
  out_->line(element_text + ",");
  out_->line(target_text + ");");
  out_->depth -= tile.regrouping ? 3 : 2;
  out_->close();
  locals_ = outer;
  variables_.resize(variables);
}

}  // namespace rhopsi::kokkos
