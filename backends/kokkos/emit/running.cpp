// Folds that go on from element to element, as lambdas of single elements for rhopsi_running.hpp.
//
//   y[i, j] := fold add (k < j + 1) A[i, k]
//     =>  for_each_running<..., 1, double, fold_by::add>(..., 1, A_at(i, k), x, y_at(i, j))
#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/tile.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

void FunctionWriter::running(const onf::Nest& s, const std::string& index) {
  const NameTable outer = locals_;
  const onf::TileForm form = *onf::tile_form(function(), s);
  const onf::TileFold& fold = form.folds.front();
  Kernel kernel = tile_kernel(s, index);
  reserve_targets(s);
  const std::string ends = box_text(s);
  kernel_ = &kernel;
  const std::string term =
      tile_lambda(s, {fold.index}, {&fold.element}, "", "", expression(fold.element));
  const bool named = onf::depends_on(form.element, fold.variable);
  const std::string element =
      tile_lambda(s, {}, {&form.element}, ", const auto" + (named ? " " + name(fold.variable) : ""),
                  "", expression(form.element));
  const std::string target = target_lambda(s);
  const onf::RunningFolds running = *onf::running_folds(s, form);
  const std::string steps = expression(running.steps);
  kernel_ = nullptr;

  const std::size_t along = running.axis;
  comment("folds that go on along " + name(s.indices[along]) +
              (running.backwards ? ", from its end" : ""),
          s.made_by, s.also_from);
  out_->open("{");
  captures(s, kernel, index);
  out_->line("rhopsi::for_each_running<" + index + ", " + std::to_string(along) + ", " +
             type_of(function().variables[onf::number(fold.variable)].type) +
             ", rhopsi::fold_by::" + onf::name_of(fold.function) +
             (running.backwards ? ", true" : "") + ">(" + quoted(s.label) + ", rhopsi::Box<" +
             std::to_string(s.box->size()) + ">" + ends + ", " + steps + ",");
  out_->depth += 2;
  out_->line(term + ",");
  out_->line(element + ",");
  out_->line(target + ");");
  out_->depth -= 2;
  out_->close();
  locals_ = outer;
}

}  // namespace rhopsi::kokkos
