// Folds whose steps are taken in another order, as lambdas of single steps for
// rhopsi_fold_blocks.hpp.
//
//   x := fold add (k < n) A[k] * B[k]
//     =>  x = fold_in_blocks<...>(..., fold_level<double, add, false>(n, A_at(k) * B_at(k)), ...)
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/ravel.hpp"
#include "engine/onf/regrouping.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

std::string FunctionWriter::blocks_type(const onf::Regrouping& regrouping) const {
  return "rhopsi::FoldBlocks<" + std::to_string(regrouping.block) + ", " +
         std::to_string(regrouping.chains) +
         (regrouping.in_turn ? ", false, true>"
          : regrouping.few   ? ", true>"
                             : ">");
}

// What combines the steps of a fold.
std::string FunctionWriter::fold_by(onf::ScalarFunction function) {
  std::string by = onf::name_of(function);
  if (by == "and" || by == "or") by += '_';
  return "rhopsi::fold_by::" + by;
}

// The term of one of the folds, as a function of the nest's indices and of those of the folds.
std::string FunctionWriter::fold_term(const onf::Nest& s, const onf::TileForm& form,
                                      std::size_t level,
                                      const std::vector<onf::VariableId>& indices) {
  const onf::TileFold& fold = form.folds[level];
  const std::string type = type_of(function().variables[onf::number(fold.variable)].type);
  std::vector<const Expr*> uses{&fold.element};
  std::string next, before;
  if (level + 1 < form.folds.size()) {
    const onf::VariableId value = form.folds[level + 1].variable;
    next = ", const " + type_of(function().variables[onf::number(value)].type) +
           (onf::depends_on(fold.element, value) ? " " + name(value) : "");
  } else {
    for (const onf::TileForm::Name& named : form.names) {
      uses.push_back(&named.value);
      before += "const " + type_of(function().variables[onf::number(named.variable)].type) + " " +
                name(named.variable) + " = " + expression(named.value) + "; ";
    }
  }
  return tile_lambda(s, indices, uses, next, type, expression(fold.element), before);
}

// The range of the innermost fold's index: none where one of the outer indices is in none.
std::string FunctionWriter::fold_range(const onf::Nest& s, const onf::FoldInside& inside,
                                       const std::vector<onf::VariableId>& outer) {
  const auto ends_of = [&](const onf::FoldInside::Range& range) {
    std::set<std::string> ends;
    for (const Expr& end : range.until) ends.insert(expression(end));
    return ends;
  };
  std::vector<Expr> used;
  std::string conditions;
  const auto demand = [&](const std::string& condition, onf::VariableId index) {
    conditions += (conditions.empty() ? "" : " && ") + condition;
    used.emplace_back();
    used.back().kind = Expr::Kind::variable;
    used.back().variable = index;
  };
  for (std::size_t k = 0; k < outer.size(); ++k) {
    const onf::FoldInside::Range& range = inside.ranges[k];
    if (range.from > 0) demand(std::to_string(range.from) + " <= " + name(outer[k]), outer[k]);
    for (const std::string& end : ends_of(range)) demand(name(outer[k]) + " < " + end, outer[k]);
  }
  std::string until;
  for (const std::string& end : ends_of(inside.ranges.back())) {
    until = until.empty() ? end : "std::min<std::int64_t>(" + until + ", " + end + ")";
  }
  if (until.empty()) until = "std::numeric_limits<std::int64_t>::max()";
  const std::string range =
      "rhopsi::FoldRange{" + std::to_string(inside.ranges.back().from) + ", " + until + "}";
  std::vector<const Expr*> uses;
  for (const Expr& index : used) uses.push_back(&index);
  return tile_lambda(
      s, outer, uses, "", "",
      conditions.empty() ? range : conditions + " ? " + range + " : rhopsi::FoldRange{}");
}

// rhopsi::fold_level for each fold, from the outermost on, as functions of the nest's indices.
std::string FunctionWriter::fold_levels(const onf::Nest& s, const onf::TileForm& form,
                                        const std::optional<onf::FoldInside>& inside) {
  std::string text;
  std::vector<onf::VariableId> indices;
  for (std::size_t level = 0; level < form.folds.size(); ++level) {
    const onf::TileFold& fold = form.folds[level];
    const std::string count = tile_count(s, fold, indices);
    const std::vector<onf::VariableId> outer = indices;
    indices.push_back(fold.index);
    const std::string type = type_of(function().variables[onf::number(fold.variable)].type);
    text += (text.empty() ? "" : ", ") + std::string("rhopsi::fold_level<") + type + ", " +
            fold_by(fold.function) + ", " +
            (onf::is_joined(function(), form, level) ? "true" : "false") + ">(" + count + ", " +
            fold_term(s, form, level, indices);
    if (inside && level + 1 == form.folds.size()) {
      text +=
          ", " + fold_range(s, *inside, outer) + ", " + fold_term(s, inside->form, level, indices);
    }
    text += ")";
  }
  return "std::tuple(" + text + ")";
}

void FunctionWriter::regrouped(const onf::Fold& s) {
  onf::TileForm form = *onf::fold_form(function(), s);
  const std::string result = name(s.variable);
  const std::string type = type_of(function().variables[onf::number(s.variable)].type);
  const onf::Nest alone{};  // without indices
  const NameTable outer = locals_;
  const std::size_t variables = variables_.size();
  Kernel kernel;
  kernel.local = onf::declared_in(s.body);
  kernel.local.insert(s.index);
  kernel.index = "std::int64_t";
  kernel.branches = 1;  // over nothing no step is taken
  kernel_ = &kernel;
  const onf::LengthProducts lengths(function(), s);
  const auto axes = lengths.axes(form);
  if (axes) {
    std::vector<onf::VariableId> indices;
    for (std::size_t axis = 0; axis < axes->size(); ++axis) {
      indices.push_back(lane_variable(name(s.index)));
    }
    form = lengths.over_axes(form, indices);
  }
  const std::string levels = fold_levels(alone, form, onf::fold_inside(form, lengths));
  // Where steps may have to be taken in their order. Levels that are axes have it themselves.
  const bool also_in_order = s.regrouping->reals && !axes;
  Text in_order;
  if (also_in_order) {
    in_order.depth = out_->depth + 4;
    Text* const out = std::exchange(out_, &in_order);
    fold_in_order(s);
    out_ = out;
  }
  kernel_ = nullptr;

  const std::string blocks = "in blocks of " + std::to_string(s.regrouping->block) + " steps";
  comment(s.regrouping->reals ? "step by step; " + blocks + " where reals may be regrouped"
                              : blocks);
  out_->line(type + " " + result + ";");
  out_->open("{");
  for (const auto& [view, captured] : kernel.reads) {
    out_->line("const auto " + captured + " = " + name(view) + ".read();");
  }
  for (const std::string& line : kernel.lines) out_->line(line);
  const std::string call = result + " = rhopsi::" + (axes ? "fold_over_axes<" : "fold_in_blocks<") +
                           blocks_type(*s.regrouping) + ">(" +
                           quoted(function().name + ": " + result) + ",";
  out_->line(call);
  out_->depth += 2;
  if (also_in_order) {
    out_->line(levels + ",");
    out_->open("[&] {");
    out_->raw(in_order.str());
    out_->line("return " + result + ";");
    out_->close("});");
  } else {
    out_->line(levels + ");");
  }
  out_->depth -= 2;
  out_->close();
  locals_ = outer;
  variables_.resize(variables);
}

// The call for a nest; its tile is for where this is not taken.
std::string FunctionWriter::blocks(const onf::Nest& s, const onf::TileForm& form,
                                   const std::string& ends, const std::string& target) {
  const onf::TileFold& outermost = form.folds.front();
  const std::string value =
      ", const " + type_of(function().variables[onf::number(outermost.variable)].type) +
      (onf::depends_on(form.element, outermost.variable) ? " " + name(outermost.variable) : "");
  return "rhopsi::for_each_in_blocks<" + kernel_->index + ", " + blocks_type(*s.tile->regrouping) +
         ">(" + quoted(s.label) + ", rhopsi::Box<" + std::to_string(s.box->size()) + ">" + ends +
         ", " + fold_levels(s, form, std::nullopt) + ", " +
         tile_lambda(s, {}, {&form.element}, value, "", expression(form.element)) + ", " + target +
         ")";
}

}  // namespace rhopsi::kokkos
