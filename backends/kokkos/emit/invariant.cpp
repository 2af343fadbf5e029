// What does not depend on the index of a kernel, and integers of its indices.
#include <algorithm>
#include <utility>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/scalar_size.hpp"

namespace rhopsi::kokkos {

using onf::Expr;
using onf::Representation;
using onf::Scalar;
using onf::ScalarFunction;

bool is_integer(const Representation& type) {
  return type.kind == Representation::Kind::scalar && !onf::is_real(type.scalar) &&
         type.scalar != Scalar::boolean;
}

// Inside a kernel, what does not depend on the index becomes a constant before the loop.
std::string FunctionWriter::expression(const Expr& e, int precedence) {
  if (kernel_ == nullptr || !invariant(e)) return plain(e, precedence);
  switch (e.kind) {
    case Expr::Kind::parameter: {
      const std::string& member = names_.parameters[onf::number(e.parameter)];
      return hoisted(type_of(e.type), member, "this->" + member);
    }
    case Expr::Kind::extent:
      return hoisted_integer("n" + std::to_string(e.axis),
                             "this->domain.extent[" + std::to_string(e.axis) + "]");
    case Expr::Kind::length:
      return hoisted_integer(extended(name(e.view), "n") + std::to_string(e.axis), plain(e, 0));
    case Expr::Kind::variable:
      if (narrows()) return hoisted_integer(name(e.variable), name(e.variable));
      return plain(e, precedence);
    case Expr::Kind::integer:
    case Expr::Kind::real:
    case Expr::Kind::boolean:
      return plain(e, precedence);
    default:
      break;
  }
  if (e.type.kind != Representation::Kind::scalar || !may_move(e)) return plain(e, precedence);
  if (e.kind == Expr::Kind::apply && e.function == ScalarFunction::negate &&
      e.operands[0].operands.empty() && e.operands[0].kind != Expr::Kind::parameter) {
    return plain(e, precedence);
  }
  Kernel* kernel = std::exchange(kernel_, nullptr);
  const std::string value = plain(e, 0);
  kernel_ = kernel;
  const std::string wanted = "c" + std::to_string(kernel->constants++);
  return narrows() ? hoisted_integer(wanted, value) : hoisted(type_of(e.type), wanted, value);
}

// Is an integer written that indices are computed from, in a nest whose indices may have 32 bits?
bool FunctionWriter::narrows() const {
  return kernel_ != nullptr && indexing_ > 0 && kernel_->index != "std::int64_t";
}

// As an integer of an index, where it is known to fit.
std::string FunctionWriter::of_index(const std::string& value) const {
  return "static_cast<" + kernel_->index + ">(" + value + ")";
}

std::string FunctionWriter::hoisted_integer(const std::string& name, const std::string& value) {
  return narrows() ? hoisted(kernel_->index, name, of_index(value))
                   : hoisted("std::int64_t", name, value);
}

// Integers that are elements have 64 bits, whatever the indices have.
std::string FunctionWriter::variable(const Expr& e) const {
  if (kernel_ != nullptr && kernel_->team != nullptr) note_position(e.variable);
  const std::string text = name(e.variable) + (lazy_.contains(e.variable) ? "()" : "");
  const bool index = kernel_ != nullptr && kernel_->indices.contains(e.variable);
  if (narrows()) return index ? text : of_index(text);
  return index ? "std::int64_t{" + text + "}" : text;
}

// What an index depends on but is not computed from.
std::string FunctionWriter::no_index(const Expr& e, int precedence) {
  if (!narrows()) return expression(e, precedence);
  const int indexing = std::exchange(indexing_, 0);
  std::string text = expression(e, precedence);
  indexing_ = indexing;
  return text;
}

std::string FunctionWriter::hoisted(const std::string& type, const std::string& wanted,
                                    const std::string& value) {
  const auto found = kernel_->values.find(value);
  if (found != kernel_->values.end()) return found->second;
  // A parameter or extent may hide the member that it copies.
  const bool own = names_.members.contains(wanted) && value == "this->" + wanted;
  const std::string made = own && !locals_.hides(wanted) ? wanted : locals_.unique(wanted);
  kernel_->values.emplace(value, made);
  kernel_->lines.push_back("const " + type + " " + made + " = " + value + ";");
  return made;
}

bool FunctionWriter::invariant(const Expr& e) const {
  switch (e.kind) {
    case Expr::Kind::load:
    case Expr::Kind::view:
      return false;
    case Expr::Kind::variable:
      return !kernel_->local.contains(e.variable);
    default:
      return std::ranges::all_of(e.operands, [this](const Expr& part) { return invariant(part); });
  }
}

// May it be evaluated where nobody asks for it, of any operands? Otherwise it may trap or not end.
bool ends_quietly(const Expr& e) {
  if (e.kind == Expr::Kind::call || e.kind == Expr::Kind::external) return false;
  const bool divides = e.kind == Expr::Kind::apply && (e.function == ScalarFunction::divide ||
                                                       e.function == ScalarFunction::modulo);
  if (divides && is_integer(e.type)) return false;
  return std::ranges::all_of(e.operands, ends_quietly);
}

// What may trap or not end moves only if every index would evaluate it.
bool FunctionWriter::may_move(const Expr& e) const {
  return kernel_->branches == 0 || ends_quietly(e);
}

std::string FunctionWriter::domain() {
  if (kernel_ == nullptr) return "domain";
  return hoisted("rhopsi::Domain<" + std::to_string(module_.rank) + ">", "domain", "this->domain");
}

}  // namespace rhopsi::kokkos
