// Nests over boxes, row by row: what is the same for a row, and rows that are one.
#include <algorithm>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/axes.hpp"
#include "engine/onf/periods.hpp"
#include "engine/onf/row_values.hpp"
#include "engine/onf/whole_rows.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

// The box, or one row of the same elements, which the program tests.
std::string FunctionWriter::joined_axes(const onf::Nest& s,
                                        const std::map<onf::ViewId, std::string>& reads,
                                        const std::string& box) const {
  if (!onf::reads_along_memory(s)) return box;
  std::string text = "rhopsi::joined_axes(" + box;
  for (const auto& [view, captured] : reads) text += ", " + captured;
  text += ", " + extended(name(s.target), "at");
  for (const onf::Nest::Output& output : s.also) text += ", " + extended(name(output.target), "at");
  return text + ")";
}

// The loop along a row, behind what all its elements compute the same.
//   y[i, j] := a[i, j] / sqrt(v[i])
//     =>  const double row_value = sqrt(v_at(i)); for (j ...) y_at(i, j) = a_at(i, j) / row_value;
void FunctionWriter::row_body(const onf::Nest& s, const onf::RowValues& values,
                              const std::string& index) {
  onf::Nest rest = s;
  std::erase_if(rest.body, [&](const onf::Statement& statement) {
    return std::ranges::any_of(values.names, [&](const onf::Statement& name) {
      return std::get<onf::Let>(name.form).variable == std::get<onf::Let>(statement.form).variable;
    });
  });
  statements(values.names);
  std::vector<onf::VariableId> named;
  for (const Expr& part : values.parts) {
    const std::string value = expression(part);
    named.push_back(lane_variable("row_value"));
    out_->line("const " + type_of(part.type) + " " + name(named.back()) + " = " + value + ";");
  }
  const auto replace = [&](Expr& e) { e = onf::with_row_values(e, values, named); };
  if (!values.parts.empty()) {
    for (onf::Statement& statement : rest.body) replace(*std::get<onf::Let>(statement.form).value);
    replace(rest.element);
    for (onf::Nest::Output& output : rest.also) replace(output.element);
  }
  const std::string along = name(onf::in_order(s.indices, s.loops).back());
  if (s.period) return rounds_body(rest, index);
  out_->line("RHOPSI_SIMD");
  out_->open("for (" + index + " " + along + " = static_cast<" + index + ">(row.low); " + along +
             " < static_cast<" + index + ">(row.high); ++" + along + ") {");
  kernel_body(rest);
  out_->close();
}

// In rounds of several indices, those in front of the first whole round and behind the last one by
// one.
//   f[i, j] := c[i, j / 2]  =>
//     rhopsi::in_rounds<Int, 2>(row, [&](const Int j) { f_at(i, j) = c_at(i, j / 2); },
//         [&](const Int q) { { const Int j = q * 2; f_at(i, j) = c_at(i, q); } ... });
void FunctionWriter::rounds_body(const onf::Nest& s, const std::string& index) {
  const std::string along = name(s.indices.back()), round = name(s.period->round);
  const std::string length = std::to_string(s.period->length);
  const auto function_of = [&](const std::string& variable) {
    return "[&](const " + index + " " + variable + ") RHOPSI_INLINED {";
  };
  out_->line("rhopsi::in_rounds<" + index + ", " + length + ">(row,");
  out_->depth += 2;
  out_->open(function_of(along));
  kernel_body(s);
  --out_->depth;
  out_->line("},");
  out_->open(function_of(round));
  kernel_->local.insert(s.period->round);
  if (!kernel_->indices.empty()) kernel_->indices.insert(s.period->round);
  for (std::int64_t residue = 0; residue < s.period->length; ++residue) {
    out_->open("{");
    out_->line("const " + index + " " + along + " = " + round + " * " + length +
               (residue == 0 ? "" : " + " + std::to_string(residue)) + ";");
    kernel_body(onf::in_period(s, residue));
    out_->close();
  }
  --out_->depth;
  out_->line("});");
  out_->depth -= 2;
}

}  // namespace rhopsi::kokkos
