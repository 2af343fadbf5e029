#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/eager.hpp"
#include "engine/onf/weight.hpp"

namespace rhopsi::kokkos {

using onf::Expr;
using onf::Representation;
using onf::Scalar;
using onf::ScalarFunction;

namespace {

// Precedences of C++, loosest first.
enum : int {
  ternary = 1,
  either = 2,
  both = 3,
  equality = 4,
  relation = 5,
  sum = 6,
  product = 7,
  prefix = 8,
  primary = 9
};

// The shortest text that reads back as the same number.
template <class T>
std::string number_text(T value) {
  const std::string limits = std::string("std::numeric_limits<") +
                             (sizeof(T) == sizeof(float) ? "float" : "double") + ">::";
  if (std::isnan(value)) return limits + "quiet_NaN()";
  if (std::isinf(value)) return (value < 0 ? "-" : "") + limits + "infinity()";
  std::array<char, 64> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return sizeof(T) == sizeof(float) ? text + "f" : text;
}

std::string parenthesised(std::string text, int own, int wanted) {
  return own < wanted ? "(" + text + ")" : text;
}

}  // namespace

std::string FunctionWriter::plain(const Expr& e, int precedence) {
  switch (e.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::real:
    case Expr::Kind::boolean: {
      std::string text = constant(e, false);
      const bool negative = text[0] == '-';
      return parenthesised(std::move(text), negative ? prefix : primary, precedence);
    }
    case Expr::Kind::variable:
      return variable(e);
    case Expr::Kind::view:
      return argument(e);
    case Expr::Kind::parameter:
      return names_.parameters[onf::number(e.parameter)];
    case Expr::Kind::extent:
      return "domain.extent[" + std::to_string(e.axis) + "]";
    case Expr::Kind::length:
      return name(e.view) + ".domain().extent[" + std::to_string(e.axis) + "]";
    case Expr::Kind::load:
      return narrows() ? of_index(load(e)) : load(e);
    case Expr::Kind::apply:
      return narrows() ? apply_to_indices(e, precedence) : apply(e, precedence);
    case Expr::Kind::make_index: {
      ++indexing_;
      std::string text = "rhopsi::make_index(" + arguments(e.operands) + ")";
      --indexing_;
      return text;
    }
    case Expr::Kind::component:
      return expression(e.operands[0], primary) + "[" + std::to_string(e.axis) + "]";
    case Expr::Kind::move:
      return "rhopsi::" + e.spelling + "(" + (e.wraps ? domain() + ", " : "") +
             arguments(e.operands) + ")";
    case Expr::Kind::library:
      return "rhopsi::" + e.spelling + "(" + domain() + ", " + arguments(e.operands) + ")";
    case Expr::Kind::call:
      return call(e);
    case Expr::Kind::external:
      return external_call(e);
    case Expr::Kind::if_: {
      if (std::string text = choice_by_place(e, precedence); !text.empty()) return text;
      if (const auto condition = onf::as_condition(e);
          condition && kernel_ != nullptr && onf::may_compute_both(*condition))
        return apply(*condition, precedence);
      if (kernel_ != nullptr && kernel_->in_lanes) {
        return "rhopsi::select(" + expression(e.operands[0]) + ", " + argument(e.operands[1]) +
               ", " + argument(e.operands[2]) + ")";
      }
      const std::string condition = no_index(e.operands[0], ternary + 1);
      if (kernel_ != nullptr) ++kernel_->branches;
      std::string text = condition + " ? " + chosen(e.operands[1]) + " : " + chosen(e.operands[2]);
      if (kernel_ != nullptr) --kernel_->branches;
      return parenthesised(std::move(text), ternary, precedence);
    }
  }
  return "0";
}

// A branch: a literal alone would make an int of both.
std::string FunctionWriter::chosen(const Expr& e) {
  const bool literal = e.kind == Expr::Kind::integer || e.kind == Expr::Kind::real;
  return literal ? argument(e) : expression(e, ternary);
}

std::string FunctionWriter::constant(const Expr& e, bool as_argument) const {
  if (e.kind == Expr::Kind::boolean) return e.integer != 0 ? "true" : "false";
  const double value = e.kind == Expr::Kind::real ? e.real : static_cast<double>(e.integer);
  switch (e.type.scalar) {
    case Scalar::float32:
      return number_text(static_cast<float>(value));
    case Scalar::float64:
      return number_text(value);
    case Scalar::boolean:
      return e.integer != 0 ? "true" : "false";
    default:
      break;
  }
  const std::int64_t whole =
      e.kind == Expr::Kind::real ? static_cast<std::int64_t>(e.real) : e.integer;
  // Its digits are no literal: the sign is not part of one.
  if (whole == std::numeric_limits<std::int64_t>::min()) {
    return "std::numeric_limits<std::int64_t>::min()";
  }
  const std::string text = std::to_string(whole);
  return as_argument ? cpp_type(e.type.scalar) + "{" + text + "}" : text;
}

// Literals as arguments of templates say their type; elsewhere they convert exactly.
std::string FunctionWriter::argument(const Expr& e) {
  if (e.kind == Expr::Kind::integer && is_integer(e.type) && indexing_ == 0) {
    return constant(e, true);
  }
  if (e.kind != Expr::Kind::view) return expression(e);
  if (kernel_ == nullptr) return name(e.view);
  auto [place, fresh] = kernel_->reads.try_emplace(e.view);
  if (fresh) place->second = locals_.unique(extended(name(e.view), "at"));
  return place->second;
}

std::string FunctionWriter::arguments(const std::vector<Expr>& operands) {
  std::string text;
  for (const Expr& operand : operands) {
    if (!text.empty()) text += ", ";
    text += argument(operand);
  }
  return text;
}

std::string FunctionWriter::binary(const Expr& e, const char* symbol, int own, int precedence) {
  // Left-associative: the order of the operations stays that of the form.
  std::string text = expression(e.operands[0], own) + " " + symbol + " ";
  text += expression(e.operands[1], own + 1);
  return parenthesised(std::move(text), own, precedence);
}

std::string FunctionWriter::index_equality(const Expr& e) {
  const bool equal = e.function == ScalarFunction::equal;
  const std::string left = expression(e.operands[0], primary);
  const std::string right = expression(e.operands[1], primary);
  std::string text;
  for (int axis = 0; axis < module_.rank; ++axis) {
    const std::string at = "[" + std::to_string(axis) + "]";
    if (!text.empty()) text += equal ? " && " : " || ";
    text += left + at + (equal ? " == " : " != ") + right + at;
  }
  return "(" + text + ")";
}

// A component that is rotated: (i + o) mod n without a division where it can be.
std::string FunctionWriter::wrapped(const Expr& e) {
  if (std::string text = around(e); !text.empty()) return text;
  const Expr& sum = e.operands[0];
  const bool moved = sum.kind == Expr::Kind::apply && sum.function == ScalarFunction::add;
  const Expr& base = moved ? sum.operands[0] : sum;
  return "rhopsi::wrap(" + expression(base) + ", " + (moved ? expression(sum.operands[1]) : "0") +
         ", " + expression(e.operands[1]) + ")";
}

namespace {

// Sums of elements wrap, within an index too; an index itself never comes near the ends of 64 bits.
bool may_wrap(const Expr& e) {
  constexpr std::int64_t far = onf::greatest_length;
  switch (e.kind) {
    case Expr::Kind::integer:
      return e.integer > far || e.integer < -far;
    case Expr::Kind::load:
      return true;
    case Expr::Kind::apply:
      if (e.function > ScalarFunction::multiply && e.function != ScalarFunction::negate) {
        return false;
      }
      return std::ranges::any_of(e.operands, may_wrap);
    default:
      return false;
  }
}

}  // namespace

std::string FunctionWriter::apply(const Expr& e, int precedence) {
  const bool integral = !e.operands.empty() && is_integer(e.operands[0].type);
  const bool infix = !integral || indexing_ > 0;  // elsewhere integers wrap
  const auto called = [&](const char* function) {
    return std::string("rhopsi::") + function + "(" + arguments(e.operands) + ")";
  };
  // Of two operands of one type, inside an index too.
  const auto called_typed = [&](const char* function) {
    const int indexing = std::exchange(indexing_, 0);
    std::string text = called(function);
    indexing_ = indexing;
    return text;
  };
  if (e.operands.size() == 2 && e.operands[0].type.kind == Representation::Kind::index) {
    return index_equality(e);
  }
  const bool wraps = integral && indexing_ > 0 && may_wrap(e);
  const bool near = kernel_ != nullptr && kernel_->near_angles;
  if (kernel_ != nullptr && onf::is_sine(e)) kernel_->wrote_angles = true;
  switch (e.function) {
    case ScalarFunction::add:
      if (wraps) return called_typed("add");
      if (!infix) return called("add");
      // i + -1  =>  i - 1
      if (indexing_ > 0 && e.operands[1].kind == Expr::Kind::integer && e.operands[1].integer < 0) {
        return parenthesised(
            expression(e.operands[0], sum) + " - " + std::to_string(-e.operands[1].integer), sum,
            precedence);
      }
      return binary(e, "+", sum, precedence);
    case ScalarFunction::subtract:
      if (wraps) return called_typed("subtract");
      return infix ? binary(e, "-", sum, precedence) : called("subtract");
    case ScalarFunction::multiply:
      if (wraps) return called_typed("multiply");
      return infix ? binary(e, "*", product, precedence) : called("multiply");
    case ScalarFunction::divide:
      return integral ? called("euclid_div") : binary(e, "/", product, precedence);
    case ScalarFunction::modulo:
      if (integral && indexing_ > 0 && e.operands[1].kind == Expr::Kind::extent) return wrapped(e);
      if (is_team_index(e)) return expression(e.operands[0], precedence);
      if (is_position(e)) return position(e);
      return called(integral ? "euclid_mod" : "modulo");
    case ScalarFunction::negate:
      if (wraps) return called_typed("negate");
      if (!infix) return called("negate");
      return parenthesised("-" + expression(e.operands[0], primary), prefix, precedence);
    case ScalarFunction::plus:
      return expression(e.operands[0], precedence);
    case ScalarFunction::minimum:
      return called_typed("minimum");
    case ScalarFunction::maximum:
      return called_typed("maximum");
    case ScalarFunction::absolute:
      return called_typed("absolute");
    case ScalarFunction::sqrt:
      return called("sqrt");
    case ScalarFunction::exp:
      return called("exp");
    case ScalarFunction::log:
      return called("log");
    case ScalarFunction::sin:
      return called(near ? "near::sin" : "sin");
    case ScalarFunction::cos:
      return called(near ? "near::cos" : "cos");
    case ScalarFunction::tanh:
      return called("tanh");
    case ScalarFunction::pow:
      return called_typed("pow");
    case ScalarFunction::select:
      return called_typed("select");
    case ScalarFunction::less:
      return binary(e, "<", relation, precedence);
    case ScalarFunction::less_equal:
      return binary(e, "<=", relation, precedence);
    case ScalarFunction::greater:
      return binary(e, ">", relation, precedence);
    case ScalarFunction::greater_equal:
      return binary(e, ">=", relation, precedence);
    case ScalarFunction::equal:
    case ScalarFunction::iff:
      return binary(e, "==", equality, precedence);
    case ScalarFunction::not_equal:
      return binary(e, "!=", equality, precedence);
    case ScalarFunction::and_:
      if (kernel_ != nullptr && onf::may_compute_both(e)) return called("both");
      return binary(e, "&&", both, precedence);
    // Compilers warn of && inside || without parentheses.
    case ScalarFunction::or_: {
      if (kernel_ != nullptr && onf::may_compute_both(e)) return called("either");
      return parenthesised(
          expression(e.operands[0], equality) + " || " + expression(e.operands[1], equality),
          either, precedence);
    }
    case ScalarFunction::implies:
      return parenthesised(
          "!" + expression(e.operands[0], primary) + " || " + expression(e.operands[1], equality),
          either, precedence);
    case ScalarFunction::not_:
      return parenthesised("!" + expression(e.operands[0], primary), prefix, precedence);
    case ScalarFunction::true_:
      return "true";
    case ScalarFunction::false_:
      return "false";
    case ScalarFunction::convert: {
      if (onf::is_through_integer(e)) {
        const Expr& real = e.operands[0].operands[0];
        const std::string whole =
            "rhopsi::through_integer<" + type_of(real.type) + ">(" + expression(real) + ")";
        const bool same = real.type.scalar == e.type.scalar;
        return same ? whole : "static_cast<" + type_of(e.type) + ">(" + whole + ")";
      }
      if (e.operands[0].type.scalar == Scalar::boolean && onf::is_real(e.type.scalar))
        return "rhopsi::number<" + type_of(e.type) + ">(" + expression(e.operands[0]) + ")";
      const bool index = e.operands[0].kind == Expr::Kind::variable && kernel_ != nullptr &&
                         kernel_->indices.contains(e.operands[0].variable);
      return "static_cast<" + type_of(e.type) + ">(" +
             (index ? name(e.operands[0].variable) : expression(e.operands[0])) + ")";
    }
  }
  return "0";
}

// Within an index of either width: nothing overflows, and every operand is of its type.
std::string FunctionWriter::apply_to_indices(const Expr& e, int precedence) {
  const auto called = [&](const char* function) {
    return std::string("rhopsi::") + function + "<" + kernel_->index + ">(" +
           arguments(e.operands) + ")";
  };
  switch (e.function) {
    case ScalarFunction::divide:
      return called("euclid_div");
    case ScalarFunction::modulo:
      return called("euclid_mod");
    case ScalarFunction::minimum:
      return called("minimum");
    case ScalarFunction::maximum:
      return called("maximum");
    case ScalarFunction::absolute:
      return called("absolute");
    case ScalarFunction::select: {
      const std::string condition = no_index(e.operands[0], 0);
      return "rhopsi::select<" + kernel_->index + ">(" + condition + ", " +
             argument(e.operands[1]) + ", " + argument(e.operands[2]) + ")";
    }
    case ScalarFunction::convert:
      return of_index(no_index(e.operands[0], 0));
    default:
      return apply(e, precedence);
  }
}

bool FunctionWriter::same_along_rows(onf::ViewId view) const {
  return function()
      .blocks[onf::number(function().views[onf::number(view)].block)]
      .same_along_rows();
}

// Where an element is that no row of the kernel has: one that is the same along rows is the first.
std::vector<Expr> FunctionWriter::place_of(const Expr& load) const {
  std::vector<Expr> place = load.operands;
  if (!same_along_rows(load.view)) return place;
  place.back().kind = Expr::Kind::integer;
  place.back().integer = 0;
  place.back().operands.clear();
  return place;
}

std::string FunctionWriter::load(const Expr& e) {
  if (kernel_ != nullptr && kernel_->team != nullptr) return team_load(e);
  if (kernel_ != nullptr && kernel_->by_rows != nullptr) {
    if (goes_in_runs()) return line_to_read(e) + "[" + along_row(e) + "]";
    if (std::string text = row_element(e); !text.empty()) return text;
    if (kernel_->pipeline != nullptr) {
      std::vector<Expr> within = place_of(e);
      within.erase(within.begin());
      const std::string from = plane_of(e);
      ++indexing_;
      std::string text = from + "(" + arguments(within) + ")";
      --indexing_;
      return text;
    }
  }
  Expr view = e;
  view.kind = Expr::Kind::view;
  std::string array = argument(view);
  if (kernel_ == nullptr && !function().device) array += ".element";
  ++indexing_;
  std::string text = array + "(" + arguments(place_of(e)) + ")";
  --indexing_;
  return text;
}

std::string FunctionWriter::call(const Expr& e) {
  const onf::Function& callee = module_.functions[onf::number(e.callee)];
  const std::string& name = names_.functions[onf::number(e.callee)];
  const bool on_host = kernel_ == nullptr && !function().device;
  bool reads = false;  // elements, which on a GPU only kernels can
  std::string text;
  for (const Expr& operand : e.operands) {
    if (!text.empty()) text += ", ";
    const int indexing = std::exchange(indexing_, 0);
    text += argument(operand);
    indexing_ = indexing;
    if (!on_host || !callee.device || operand.kind != Expr::Kind::view) continue;
    text += ".read()";
    reads = true;
  }
  if (reads) {
    evaluated_.insert(e.callee);
    return "rhopsi::evaluate(" + name + "_functor<" + names_.program + ">{*this}, " + text + ")";
  }
  if (kernel_ != nullptr) kernel_->uses_self = true;
  return (kernel_ != nullptr ? "self." : "") + name + "(" + text + ")";
}

std::string FunctionWriter::external_call(const Expr& e) {
  const onf::External& external = module_.externals[onf::number(e.external)];
  std::string types, operations;
  for (const auto& requirement : external.requirements) {
    if (!types.empty()) types += ", ";
    if (requirement.type) {
      types += type_of(*requirement.type);
      continue;
    }
    const std::string functor =
        names_.functions[onf::number(requirement.operation)] + "_functor<" + names_.program + ">";
    types += functor;
    if (kernel_ != nullptr) kernel_->uses_self = true;
    operations +=
        (operations.empty() ? "" : ", ") + functor + (kernel_ != nullptr ? "{self}" : "{*this}");
  }
  return external.name + (types.empty() ? "" : "<" + types + ">") + "{" + operations + "}." +
         foreign_identifier(e.spelling) + "(" + arguments(e.operands) + ")";
}

}  // namespace rhopsi::kokkos
