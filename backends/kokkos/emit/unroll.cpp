// Rows of a nest: one after another, or several in one loop and those that are left one by one.
//   u[j - 1, k] + u[j + 1, k], by 2 rows  =>  u_jm1[k] + u_jp1[k], u_row[k] + u_jp2[k]
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/near_angles.hpp"
#include "engine/onf/unrolling.hpp"

namespace rhopsi::kokkos {

// All elements of several rows are computed before the first of them is stored. The rows that they
// read are variables in front of the loop, those that several read once.
void FunctionWriter::rows_body(const onf::Nest& s) {
  Stores stores;
  each_row(s, [&](const onf::Nest& own) { computed(own, stores); });
  for (const auto& [place, element] : stores) out_->line(place + " = " + element + ";");
}

// Writes the statements of the nest moved to each row of the loop, and calls `visit` behind them.
void FunctionWriter::each_row(const onf::Nest& s,
                              const std::function<void(const onf::Nest&)>& visit) {
  if (kernel_->at_once == 1) {
    statements(s.body);
    return visit(s);
  }
  const std::vector<std::string> as_declared = variables_;
  for (std::int64_t k = 0; k < kernel_->at_once; ++k) {
    kernel_->row = k;
    const onf::Nest own = onf::moved_by_rows(s, k);
    kernel_->of_row = &own;
    for (const onf::Statement& statement : own.body) {
      const onf::VariableId named = std::get<onf::Let>(statement.form).variable;
      std::string& called = variables_[onf::number(named)];
      if (k > 0) called = locals_.unique(as_declared[onf::number(named)]);
    }
    statements(own.body);
    visit(own);
  }
  kernel_->row = 0;
  kernel_->of_row = nullptr;
  variables_ = as_declared;
}

// The loops along the rows of a nest, the one along most of them first. `fetch` adds what it asks
// for. What is declared in front of one is not there in the next, which may have its names.
std::vector<RowLoop> FunctionWriter::row_loops(const onf::Nest& s, int depth,
                                               const RowFetch& fetch) {
  std::vector<RowLoop> loops;
  const auto test = onf::nearness_test(s);
  const NameTable around = locals_;
  std::optional<NameTable> all;
  for (const std::int64_t at_once : {s.rows_at_once, std::int64_t{1}}) {
    RowLoop loop{at_once};
    kernel_->at_once = at_once;
    kernel_->rows.clear();
    kernel_->row_names.clear();
    kernel_->row_kinds.clear();
    kernel_->plain.clear();
    loop.bodies = row_bodies(s, depth + (test ? 1 : 0));
    if (fetch) fetch(loop.bodies);
    add_plain_rows(s, depth, fetch, loop);
    if (test) add_rows_of_near_angles(s, *test, depth, fetch, loop);
    for (const Declared& row : kernel_->rows) loop.rows.push_back(declaration(row, *kernel_));
    loops.push_back(std::move(loop));
    if (s.rows_at_once == 1) break;
    if (!all) all = std::exchange(locals_, around);
    for (const auto& [text, known] : kernel_->values) locals_.reserve(known);
    for (const auto& [view, known] : kernel_->reads) locals_.reserve(known);
  }
  kernel_->at_once = 1;
  if (all) locals_ = std::move(*all);
  return loops;
}

// What the first condition that holds asks for, and `otherwise` where none does.
void FunctionWriter::in_cases(const Cases& cases, const std::function<void()>& otherwise) {
  if (cases.empty()) return otherwise();
  std::string begin;
  for (const auto& [condition, write] : cases) {
    out_->open(begin + "if (" + condition + ") {");
    write();
    --out_->depth;
    begin = "} else ";
  }
  out_->open("} else {");
  otherwise();
  out_->close();
}

// Over the rows from `first` up to and without `end`, of each the elements [low, high). Where all
// rows are done one by one their loop is around this.
void FunctionWriter::row_loops(const onf::Nest& s, const std::vector<RowLoop>& loops,
                               const std::string& first, const std::string& end,
                               const std::string& low, const std::string& high) {
  const auto along = [&](const RowLoop& loop) {
    for (const std::string& line : loop.rows) out_->line(line);
    const std::string index = name(s.indices.back());
    const auto of = [&](const RowBodies& bodies) {
      return [&] { row_loop(index, low, high, bodies); };
    };
    Cases cases;
    if (!loop.plain_where.empty() && !loop.plain_angles)
      cases.emplace_back(loop.plain_where, of(loop.plain));
    if (!loop.angles_test.empty()) {
      out_->line("// of near angles sines and cosines take no branches");
      out_->open("const auto " + loop.angles_name + " = [&](const std::int64_t " + index + ") {");
      out_->raw(loop.angles_test);
      out_->close("};");
      cases.emplace_back("rhopsi::all_along(" + low + ", " + high + ", " + loop.angles_name + ")",
                         of(loop.near_angles));
    }
    in_cases(cases, of(loop.bodies));
  };
  if (loops.size() == 1) return along(loops.front());
  const std::string row = name(s.indices[s.indices.size() - 2]);
  out_->line("std::int64_t " + row + " = " + first + ";");
  for (const RowLoop& loop : loops) {
    const std::string step =
        loop.at_once == 1 ? "++" + row : row + " += " + std::to_string(loop.at_once);
    out_->open("for (; " + moved(row, loop.at_once - 1) + " < " + end + "; " + step + ") {");
    along(loop);
    out_->close();
  }
}

}  // namespace rhopsi::kokkos
