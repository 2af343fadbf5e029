#include "engine/onf/primitive.hpp"

#include <algorithm>

namespace rhopsi::onf {

using term::Builtin;
using term::Callable;
using term::Control;
using term::SortId;
using term::Store;
using term::Symbol;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;
using term::Theory;

std::string to_string(Scalar scalar) {
  switch (scalar) {
    case Scalar::boolean:
      return "bool";
    case Scalar::int32:
      return "int32";
    case Scalar::int64:
      return "int64";
    case Scalar::float32:
      return "float32";
    case Scalar::float64:
      return "float64";
  }
  return "";
}

namespace {

// What the table says of a sort, before the element type of an array is looked up.
std::optional<Representation> direct_representation(const Store& store, const Theory& program,
                                                    SortId sort, const PrimitiveTable& table) {
  if (sort == store.predicate_sort())
    return Representation{Representation::Kind::scalar, Scalar::boolean, {}};
  const term::Type* type = program.find_type(sort);
  if (type == nullptr || !type->external) return std::nullopt;
  const term::ExternalBlock& block = *type->external->block;
  if (!table.closed(block.backend)) {
    return Representation{Representation::Kind::opaque, Scalar::float64, store.name(sort)};
  }
  return table.representation(block, type->external->original);
}

}  // namespace

std::optional<Representation> representation_of(const Store& store, const Theory& program,
                                                SortId sort, const PrimitiveTable& table) {
  std::optional<Representation> found = direct_representation(store, program, sort, table);
  if (!found || found->kind != Representation::Kind::array || found->opaque.empty()) return found;
  // The table knows only the name, inside the block, of the element type.
  const std::optional<SortId> element =
      program.find_type(sort)->external->block->type(found->opaque);
  if (!element) return std::nullopt;
  const auto scalar = direct_representation(store, program, *element, table);
  if (!scalar || scalar->kind != Representation::Kind::scalar) return std::nullopt;
  found->scalar = scalar->scalar;
  found->promotes = scalar->promotes;
  found->opaque.clear();
  return found;
}

std::optional<Primitive> primitive_of(const Store& store, const Theory& program,
                                      const Callable& callable, const PrimitiveTable& table) {
  if (!callable.external) return std::nullopt;
  const Symbol& symbol = store[callable.symbol];
  std::vector<Representation> arguments;
  for (SortId sort : symbol.parameters) {
    std::optional<Representation> argument = representation_of(store, program, sort, table);
    if (!argument) return std::nullopt;
    arguments.push_back(std::move(*argument));
  }
  std::optional<Representation> result;
  if (symbol.kind != SymbolKind::procedure) {
    result = representation_of(store, program, symbol.result, table);
    if (!result) return std::nullopt;
  }
  return table.primitive(*callable.external->block, callable.external->original, arguments, result);
}

bool has_own_shapes(const term::Store& store, const term::Theory& program,
                    const PrimitiveTable& table) {
  return std::ranges::any_of(program.callables, [&](const term::Callable& callable) {
    const auto primitive = primitive_of(store, program, callable, table);
    return primitive && primitive->kind == Primitive::Kind::shape;
  });
}

std::optional<ScalarFunction> builtin_function(const Store& store, SymbolId symbol) {
  switch (term::builtin(store, symbol)) {
    case Builtin::none:
      return std::nullopt;
    case Builtin::equal:
      return ScalarFunction::equal;
    case Builtin::not_equal:
      return ScalarFunction::not_equal;
    case Builtin::and_:
      return ScalarFunction::and_;
    case Builtin::or_:
      return ScalarFunction::or_;
    case Builtin::not_:
      return ScalarFunction::not_;
    case Builtin::implies:
      return ScalarFunction::implies;
    case Builtin::iff:
      return ScalarFunction::iff;
    case Builtin::true_:
      return ScalarFunction::true_;
    case Builtin::false_:
      return ScalarFunction::false_;
  }
  return std::nullopt;
}

namespace {

using Constant = std::optional<std::int64_t>;

Constant euclidean(ScalarFunction function, std::int64_t a, std::int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
  const std::int64_t remainder = a % b;
  const std::int64_t modulus = remainder < 0 ? remainder + (b < 0 ? -b : b) : remainder;
  if (function == ScalarFunction::modulo) return modulus;
  return remainder < 0 ? a / b - (b < 0 ? -1 : 1) : a / b;
}

Constant unary(ScalarFunction function, std::int64_t a) {
  switch (function) {
    case ScalarFunction::plus:
    case ScalarFunction::convert:
      return a;
    case ScalarFunction::negate:
      return a == INT64_MIN ? Constant{} : Constant{-a};
    case ScalarFunction::absolute:
      return a == INT64_MIN ? Constant{} : Constant{a < 0 ? -a : a};
    default:
      return std::nullopt;
  }
}

Constant binary(ScalarFunction function, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (function) {
    case ScalarFunction::add:
      return __builtin_add_overflow(a, b, &result) ? Constant{} : Constant{result};
    case ScalarFunction::subtract:
      return __builtin_sub_overflow(a, b, &result) ? Constant{} : Constant{result};
    case ScalarFunction::multiply:
      return __builtin_mul_overflow(a, b, &result) ? Constant{} : Constant{result};
    case ScalarFunction::divide:
    case ScalarFunction::modulo:
      return euclidean(function, a, b);
    case ScalarFunction::minimum:
      return std::min(a, b);
    case ScalarFunction::maximum:
      return std::max(a, b);
    default:
      return std::nullopt;
  }
}

// Folds integer expressions; definitions may be circular, hence the bound on depth.
class ConstantFolder {
 public:
  ConstantFolder(const Store& store, const Theory& program, const PrimitiveTable& table)
      : store_(store), program_(program), table_(table) {}

  Constant fold(TermId term, int depth = 0) const {
    constexpr int deepest = 256;
    if (depth > deepest) return std::nullopt;
    const Symbol& head = store_.head(term);
    if (head.kind == SymbolKind::integer_literal) {
      return is_integer(head.result) ? Constant{head.integer} : Constant{};
    }
    if (head.kind == SymbolKind::control) return value_block(term, depth);
    const Callable* callable = program_.find(store_.symbol(term));
    if (callable == nullptr) return std::nullopt;
    if (callable->body && callable->parameters.empty()) return fold(*callable->body, depth + 1);
    return apply(*callable, term, depth);
  }

 private:
  // A sort that nothing represents yet keeps its integer literals.
  bool is_integer(SortId sort) const {
    const auto found = representation_of(store_, program_, sort, table_);
    return !found || (found->kind == Representation::Kind::scalar &&
                      (found->scalar == Scalar::int32 || found->scalar == Scalar::int64));
  }

  // `{ value e; }`
  Constant value_block(TermId term, int depth) const {
    if (!store_.is(term, Control::block) || store_.children(term).size() != 1) return std::nullopt;
    const TermId only = store_.children(term)[0];
    if (!store_.is(only, Control::value)) return std::nullopt;
    return fold(store_.children(only)[0], depth + 1);
  }

  Constant apply(const Callable& callable, TermId term, int depth) const {
    const auto primitive = primitive_of(store_, program_, callable, table_);
    if (!primitive || primitive->kind != Primitive::Kind::scalar) return std::nullopt;
    if (!is_integer(store_.sort(term))) return std::nullopt;
    std::vector<std::int64_t> arguments;
    for (TermId child : store_.children(term)) {
      const Constant argument = fold(child, depth + 1);
      if (!argument) return std::nullopt;
      arguments.push_back(*argument);
    }
    if (arguments.size() == 1) return unary(primitive->function, arguments[0]);
    if (arguments.size() == 2) return binary(primitive->function, arguments[0], arguments[1]);
    return std::nullopt;
  }

  const Store& store_;
  const Theory& program_;
  const PrimitiveTable& table_;
};

}  // namespace

std::optional<std::int64_t> constant_value(const Store& store, const Theory& program, TermId term,
                                           const PrimitiveTable& table) {
  return ConstantFolder(store, program, table).fold(term);
}

}  // namespace rhopsi::onf
