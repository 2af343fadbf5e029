// Folds to one number in programs for a device, whose terms are computed by its threads.
//
//   x := fold maximum (k < n) absolute(A[k])
//     =>  x = rhopsi::fold_on_device<double, maximum>(..., n, KOKKOS_LAMBDA(k) { ... A_at(k) ... })
#include <type_traits>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/print.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

// Does it read arrays, where each element would be a copy from the device if the host did the fold,
// and may a kernel compute its terms?
bool FunctionWriter::goes_to_device(const onf::Fold& s) const {
  if (!names_.device || kernel_ != nullptr || function().device) return false;
  bool loads = false, fits = true;
  const auto look = [&](const Expr& whole) {
    onf::each_part(whole, [&](const Expr& e) {
      loads = loads || e.kind == Expr::Kind::load;
      fits = fits && e.kind != Expr::Kind::external && e.kind != Expr::Kind::library &&
             (e.kind != Expr::Kind::call || module_.functions[onf::number(e.callee)].device);
    });
  };
  const auto form = [&](const auto& statement) {
    using S = std::decay_t<decltype(statement)>;
    fits = fits && (std::is_same_v<S, onf::Let> || std::is_same_v<S, onf::Assign> ||
                    std::is_same_v<S, onf::If> || std::is_same_v<S, onf::For> ||
                    std::is_same_v<S, onf::Fold> || std::is_same_v<S, onf::Check> ||
                    std::is_same_v<S, onf::Scope>);
    if constexpr (std::is_same_v<S, onf::Fold>) fits = fits && may_be_combined_there(statement);
  };
  onf::each_in(s.body, form, look);
  look(s.element);
  return loads && fits;
}

// What is no scalar function has to be one for kernels.
bool FunctionWriter::may_be_combined_there(const onf::Fold& s) const {
  return s.function.has_value() || module_.functions[onf::number(s.callee)].device;
}

void FunctionWriter::device_fold(const onf::Fold& s) {
  const std::string result = name(s.variable);
  const std::string type = type_of(function().variables[onf::number(s.variable)].type);
  const std::string count = expression(s.count);
  const NameTable outer = locals_;
  const std::size_t variables = variables_.size();
  const term::LocationId location = location_;
  Kernel kernel;
  kernel.local = onf::declared_in(s.body);
  kernel.local.insert(s.index);
  kernel.index = "std::int64_t";
  kernel.boxed = true;
  kernel.branches = 1;  // over nothing no term is computed
  kernel_ = &kernel;
  Text term;
  term.depth = out_->depth + 4;
  Text* const out = std::exchange(out_, &term);
  const std::string leaving = std::exchange(leave_, "return " + type + "{};");
  const std::string where = onf::place(store_, location_);
  if (!where.empty()) term.line("RHOPSI_SITE(" + quoted(where) + ");");
  statements(s.body);
  const std::string element = expression(s.element);
  term.line("return " + element + ";");
  leave_ = leaving;
  out_ = out;
  kernel_ = nullptr;
  location_ = location;

  const bool by = s.function && *s.function != onf::ScalarFunction::subtract;
  comment("its terms by threads of a device");
  out_->line(type + " " + result + ";");
  out_->open("{");
  for (const auto& [view, captured] : kernel.reads) {
    out_->line("const auto " + captured + " = " + name(view) + ".read();");
  }
  if (kernel.uses_self) out_->line("const auto self = *this;");
  for (const std::string& line : kernel.lines) out_->line(line);
  if (!kernel.faults.empty()) {
    out_->line("const rhopsi::Faults faults;");
    out_->line("const rhopsi::FaultRef fault = faults.ref();");
  }
  out_->line(result + " = rhopsi::fold_on_device" +
             (by ? "<" + type + ", " + fold_by(*s.function) + ">(" : "_in_order<" + type + ">(") +
             label(result) + ", " + count + (by ? "," : ", " + unit_of(s, type) + ","));
  out_->line("    KOKKOS_LAMBDA(const std::int64_t " + name(s.index) + ") -> " + type + " {");
  out_->raw(term.str());
  if (by) {
    out_->line("    });");
  } else {
    const std::string so_far = locals_.unique("so_far"), next = locals_.unique("next");
    out_->line("    }, [&](const " + type + " " + so_far + ", const " + type + " " + next +
               ") { return " + combined(s, so_far, next) + "; });");
  }
  if (!kernel.faults.empty()) {
    out_->line("faults.test(" + messages_of(kernel.faults) + ");");
  }
  out_->close();
  locals_ = outer;
  variables_.resize(variables);
}

}  // namespace rhopsi::kokkos
