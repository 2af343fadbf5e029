#include "backends/primitives/rows.hpp"

#include <array>

namespace rhopsi::primitives {

using Kind = onf::Primitive::Kind;
using Function = onf::ScalarFunction;
using Form = onf::Representation::Kind;
using onf::Scalar;

namespace {

constexpr auto paths = std::to_array<PathRow>({
    {Path::scalar, "scalar"},
    {Path::index, "index"},
    {Path::array, "array"},
    {Path::schedule_flat, "schedule.flat"},
    {Path::schedule_nested, "schedule.nested"},
    {Path::schedule_padded, "schedule.padded"},
    {Path::padding, "padding"},
    {Path::padding_auto, "padding.auto"},
    {Path::reassociation, "reassociation"},
    {Path::parameters, "parameters", true},
});

constexpr auto types = std::to_array<TypeRow>({
    {Path::scalar, "Real", Form::scalar, Scalar::float64, true},
    {Path::scalar, "Float", Form::scalar, Scalar::float32},
    {Path::scalar, "Double", Form::scalar, Scalar::float64},
    {Path::scalar, "Int", Form::scalar, Scalar::int64},
    {Path::scalar, "Int32", Form::scalar, Scalar::int32},
    {Path::scalar, "Bool", Form::scalar, Scalar::boolean},
    {Path::scalar, "Number", Form::scalar, Scalar::float64, false, true},
    {Path::index, "Index", Form::index, Scalar::int64},
    {Path::index, "Axis", Form::scalar, Scalar::int64},
    {Path::index, "Offset", Form::scalar, Scalar::int64},
    {Path::index, "ScalarIndex", Form::scalar, Scalar::int64},
    {Path::index, "AxisLength", Form::scalar, Scalar::int64},
    {Path::array, "Array", Form::array, Scalar::float64},
});

struct FunctionRow {
  std::string_view name;
  Function function;
  int arity;
  bool reals_only;
};

// Numeric functions, which `scalar` offers on T, `index` on integers and `array` pointwise.
constexpr auto functions = std::to_array<FunctionRow>({
    {"_+_", Function::add, 2, false},
    {"_-_", Function::subtract, 2, false},
    {"_*_", Function::multiply, 2, false},
    {"_/_", Function::divide, 2, false},
    {"_%_", Function::modulo, 2, false},
    {"-_", Function::negate, 1, false},
    {"+_", Function::plus, 1, false},
    {"min", Function::minimum, 2, false},
    {"max", Function::maximum, 2, false},
    {"abs", Function::absolute, 1, false},
    {"sqrt", Function::sqrt, 1, true},
    {"exp", Function::exp, 1, true},
    {"log", Function::log, 1, true},
    {"sin", Function::sin, 1, true},
    {"cos", Function::cos, 1, true},
    {"tanh", Function::tanh, 1, true},
    {"pow", Function::pow, 2, true},
});

struct ComparisonRow {
  std::string_view name;
  Function function;
};

constexpr auto comparisons = std::to_array<ComparisonRow>({
    {"_<_", Function::less},
    {"_<=_", Function::less_equal},
    {"_>_", Function::greater},
    {"_>=_", Function::greater_equal},
    {"_==_", Function::equal},
    {"_!=_", Function::not_equal},
});

const auto others = std::to_array<OperationRow>({
    {Path::scalar, "select", "PTT>T", Kind::scalar, Function::select},
    {Path::scalar, "select", "PBB>B", Kind::scalar, Function::select},
    {Path::scalar, "select", "MMM>M", Kind::scalar, Function::select},
    {Path::scalar, "_&&_", "MM>M", Kind::scalar, Function::and_},
    {Path::scalar, "_||_", "MM>M", Kind::scalar, Function::or_},
    {Path::scalar, "!_", "M>M", Kind::scalar, Function::not_},
    {Path::scalar, "convert", "S>D", Kind::scalar, Function::convert},
    {Path::scalar, "and", "BB>B", Kind::scalar, Function::and_},
    {Path::scalar, "or", "BB>B", Kind::scalar, Function::or_},
    {Path::scalar, "not", "B>B", Kind::scalar, Function::not_},
    {Path::index, "select", "PNN>N", Kind::scalar, Function::select},
    {Path::index, "rotateIx", "IXO>I", Kind::index, {}, "rotate_index"},
    {Path::index, "rotateIxPadded", "IXO>I", Kind::index, {}, "shift_index"},
    {Path::index, "mkIx", "C+>I", Kind::index, {}, "make_index"},
    {Path::index, "inside", "I>P", Kind::index, {}, "inside"},
    {Path::index, "ix#", "I>C", Kind::index, {}, "component"},
    {Path::index, "len", "I>S", Kind::length},
    {Path::index, "at", "IS>S", Kind::component},
    {Path::index, "shape#", ">L", Kind::extent, {}, "extent"},
    {Path::array, "psi", "IA>E", Kind::load},
    {Path::array, "psi", "C+A>E", Kind::load},
    {Path::array, "shape", "A>I", Kind::shape},
    {Path::array, "rotate", "AXO>A", Kind::whole_array, {}, "rotate"},
    {Path::schedule_flat, "schedule", "Z*>A", Kind::schedule},
    {Path::schedule_nested, "schedule", "Z*>A", Kind::schedule},
    {Path::schedule_padded, "schedule", "Z*>A", Kind::schedule},
    {Path::padding, "refillPadding", "u>", Kind::mutate, {}, "refill_padding"},
    {Path::padding_auto, "padding", ">O", Kind::width},
    {Path::reassociation, "reassociates", ">P", Kind::granted},
    {Path::parameters, "*", ">V", Kind::parameter},
});

std::vector<OperationRow> make_operations() {
  std::vector<OperationRow> rows;
  for (const FunctionRow& f : functions) {
    const bool unary = f.arity == 1;
    rows.push_back({Path::scalar, f.name,
                    f.reals_only ? (unary ? "R>R" : "RR>R") : (unary ? "T>T" : "TT>T"),
                    Kind::scalar, f.function});
    if (!f.reals_only) {
      rows.push_back({Path::index, f.name, unary ? "N>N" : "NN>N", Kind::scalar, f.function});
    }
    for (std::string_view pattern : {"AA>A", "EA>A", "AE>A"}) {
      rows.push_back({Path::array,
                      f.name,
                      unary ? "A>A" : pattern,
                      Kind::pointwise,
                      f.function,
                      {},
                      f.reals_only});
      if (unary) break;
    }
  }
  for (const ComparisonRow& c : comparisons) {
    rows.push_back({Path::scalar, c.name, "TT>P", Kind::scalar, c.function});
    rows.push_back({Path::scalar, c.name, "MM>M", Kind::scalar, c.function});
    rows.push_back({Path::index, c.name, "NN>P", Kind::scalar, c.function});
  }
  rows.insert(rows.end(), others.begin(), others.end());
  return rows;
}

}  // namespace

std::span<const PathRow> path_rows() { return paths; }
std::span<const TypeRow> type_rows() { return types; }

const std::vector<OperationRow>& operation_rows() {
  static const std::vector<OperationRow> rows = make_operations();
  return rows;
}

std::optional<Path> find_path(std::string_view path) {
  for (const PathRow& row : paths) {
    if (row.name == path) return row.path;
    if (row.prefix && path.size() > row.name.size() + 1 && path.starts_with(row.name) &&
        path[row.name.size()] == '.') {
      return row.path;
    }
  }
  return std::nullopt;
}

std::optional<int> match_name(std::string_view row_name, std::string_view name) {
  if (row_name == name || row_name == "*") return -1;
  if (!row_name.ends_with('#') || name.size() != row_name.size()) return std::nullopt;
  const std::size_t stem = row_name.size() - 1;
  if (row_name.substr(0, stem) != name.substr(0, stem)) return std::nullopt;
  const int axis = name[stem] - '0';
  if (axis < 0 || axis >= axes) return std::nullopt;
  return axis;
}

}  // namespace rhopsi::primitives
