// Folds: loops, one for each part where the element is chosen at places of the index.
//
//   fold add (k < n) (if k < p then a else b)
//     =>  for (k = 0; k < min(p, n); ++k) x = x + a;   for (; k < n; ++k) x = x + b;
#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/print.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

std::string unit_of(const onf::Fold& s, const std::string& type) {
  if (!s.function) return type + "{}";
  const std::string limits = "std::numeric_limits<" + type + ">::";
  const bool real = type == "float" || type == "double";
  switch (*s.function) {
    case onf::ScalarFunction::multiply:
      return type + "(1)";
    case onf::ScalarFunction::and_:
      return "true";
    case onf::ScalarFunction::minimum:
      return limits + (real ? "infinity()" : "max()");
    case onf::ScalarFunction::maximum:
      return (real ? "-" : "") + limits + (real ? "infinity()" : "lowest()");
    default:
      return type + "{}";
  }
}

namespace {

constexpr std::size_t most_parts = 8;

// Can it be computed before the loop, whatever the loop's index is?
bool is_place(const Expr& e, const std::set<onf::VariableId>& inner) {
  switch (e.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::length:
      return true;
    case Expr::Kind::variable:
      return e.type.kind == onf::Representation::Kind::scalar &&
             e.type.scalar == onf::Scalar::int64 && !inner.contains(e.variable);
    case Expr::Kind::apply:
      return (e.function == onf::ScalarFunction::add ||
              e.function == onf::ScalarFunction::subtract ||
              e.function == onf::ScalarFunction::multiply ||
              e.function == onf::ScalarFunction::negate) &&
             std::ranges::all_of(e.operands, [&](const Expr& o) { return is_place(o, inner); });
    default:
      return false;
  }
}

bool is_variable(const Expr& e, onf::VariableId variable) {
  return e.kind == Expr::Kind::variable && e.variable == variable;
}

// The place, of a condition `index < place`.
const Expr* place_of(const Expr& condition, const onf::Fold& s) {
  const bool compares = condition.kind == Expr::Kind::apply &&
                        condition.function == onf::ScalarFunction::less &&
                        is_variable(condition.operands[0], s.index);
  if (!compares) return nullptr;
  std::set<onf::VariableId> inner = onf::declared_in(s.body);
  inner.insert(s.index);
  return is_place(condition.operands[1], inner) ? &condition.operands[1] : nullptr;
}

// A fold whose element is chosen at a place of the index, as two.
struct Halves {
  Expr place;
  onf::Fold below, above;
};

// var x; ...; if k < p { ...; x = a } else { ...; x = b }: the element is x  =>  a, and b
std::optional<Halves> halves_of_branches(const onf::Fold& s) {
  const auto* branch = s.body.empty() ? nullptr : std::get_if<onf::If>(&s.body.back().form);
  if (branch == nullptr || s.element.kind != Expr::Kind::variable) return std::nullopt;
  const Expr* place = place_of(branch->condition, s);
  if (place == nullptr) return std::nullopt;
  const auto declared = std::ranges::find_if(s.body, [&](const onf::Statement& each) {
    const auto* let = std::get_if<onf::Let>(&each.form);
    return let != nullptr && let->variable == s.element.variable && !let->value;
  });
  if (declared == s.body.end()) return std::nullopt;
  Halves halves{*place, s, s};
  const auto set = [&](const onf::Statements& chosen, onf::Fold& half) {
    const auto* last = chosen.empty() ? nullptr : std::get_if<onf::Assign>(&chosen.back().form);
    if (last == nullptr || last->variable != s.element.variable) return false;
    half.element = last->value;
    half.body.pop_back();
    half.body.erase(half.body.begin() + (declared - s.body.begin()));
    half.body.insert(half.body.end(), chosen.begin(), chosen.end() - 1);
    return true;
  };
  if (!set(branch->then, halves.below) || !set(branch->otherwise, halves.above)) {
    return std::nullopt;
  }
  return halves;
}

std::optional<Halves> halves_of(const onf::Fold& s) {
  if (s.element.kind != Expr::Kind::if_) return halves_of_branches(s);
  const Expr* place = place_of(s.element.operands[0], s);
  if (place == nullptr) return std::nullopt;
  Halves halves{*place, s, s};
  halves.below.element = s.element.operands[1];
  halves.above.element = s.element.operands[2];
  return halves;
}

}  // namespace

std::string FunctionWriter::combined(const onf::Fold& s, const std::string& left,
                                     const std::string& right) {
  const auto called = [&](const std::string& name) {
    return name + "(" + left + ", " + right + ")";
  };
  if (!s.function) {
    if (kernel_ != nullptr) kernel_->uses_self = true;
    return called((kernel_ != nullptr ? "self." : "") + names_.functions[onf::number(s.callee)]);
  }
  std::string function = onf::name_of(*s.function);
  if (function == "and" || function == "or") function += '_';
  return called("rhopsi::" + function);
}

void FunctionWriter::write(const onf::Fold& s) {
  if (s.regrouping) return regrouped(s);
  if (goes_to_device(s)) return device_fold(s);
  host_loop();
  fold_in_order(s);
}

// From the first element on, so that the operations are those of the fold and no more.
void FunctionWriter::fold_in_order(const onf::Fold& s) {
  const std::string type = type_of(function().variables[onf::number(s.variable)].type);
  const std::string index = name(s.index);
  out_->line(type + " " + name(s.variable) + " = " + unit_of(s, type) + ";");
  const bool narrow = kernel_ != nullptr && kernel_->indices.contains(s.index);
  const std::string counter = narrow ? kernel_->index : "std::int64_t";
  if (narrow) ++indexing_;
  const std::string count = expression(s.count, 6);
  if (narrow) --indexing_;
  if (!halves_of(s)) return fold_loop(s, counter + " " + index + " = 0", count);
  out_->line(counter + " " + index + " = 0;");
  FoldEnd end{count, std::nullopt};
  if (s.count.kind == Expr::Kind::integer && s.count.integer >= 0) end.known = s.count.integer;
  std::size_t left = most_parts;
  fold_parts(s, counter, end, left);
}

// Each part begins where the one before it has ended, which may be beyond its own end.
void FunctionWriter::fold_parts(const onf::Fold& s, const std::string& counter, const FoldEnd& end,
                                std::size_t& left) {
  const auto halves = left > 1 ? halves_of(s) : std::nullopt;
  if (!halves) return fold_loop(s, "", end.text);
  --left;
  fold_parts(halves->below, counter, sooner(halves->place, counter, end), left);
  fold_parts(halves->above, counter, end, left);
}

FunctionWriter::FoldEnd FunctionWriter::sooner(const Expr& place, const std::string& counter,
                                               const FoldEnd& end) {
  if (place.kind == Expr::Kind::integer && end.known) {
    const std::int64_t known = std::clamp<std::int64_t>(place.integer, 0, *end.known);
    return {std::to_string(known), known};
  }
  const std::string value = locals_.unique("place");
  out_->line("const std::int64_t " + value + " = " + expression(place) + ";");
  const std::string cast =
      counter == "std::int64_t" ? value : counter + "(" + value + " < 0 ? 0 : " + value + ")";
  const std::string until = locals_.unique("end");
  out_->line("const " + counter + " " + until + " = " + value + " < " + end.text + " ? " + cast +
             " : " + end.text + ";");
  return {until, std::nullopt};
}

void FunctionWriter::fold_loop(const onf::Fold& s, const std::string& begin,
                               const std::string& end) {
  const std::string type = type_of(function().variables[onf::number(s.variable)].type);
  const std::string result = name(s.variable);
  const std::string index = name(s.index);
  out_->open("for (" + begin + "; " + index + " < " + end + "; ++" + index + ") {");
  // Over nothing the body is not run.
  if (kernel_ != nullptr) ++kernel_->branches;
  statements(s.body);
  const std::string term = locals_.unique("term");
  const std::string element = expression(s.element);
  out_->line("const " + type + " " + term + " = " + element + ";");
  out_->line(result + " = " + index + " == 0 ? " + term + " : " + combined(s, result, term) + ";");
  if (kernel_ != nullptr) --kernel_->branches;
  out_->close();
}

}  // namespace rhopsi::kokkos
