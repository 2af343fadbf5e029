#include <algorithm>
#include <utility>

#include "tests/oracle/evaluation.hpp"
#include "tests/oracle/operations.hpp"

namespace rhopsi::oracle {
namespace {

using Values = std::span<const Value>;

// Lets plain functions of arrays, integers and index vectors be meanings.
template <class Result, class... Parameters, std::size_t... positions>
Value applied(Result (*function)(Parameters...), Values values, std::index_sequence<positions...>) {
  return function(std::get<std::remove_cvref_t<Parameters>>(values[positions])...);
}

template <class T>
constexpr Sort sort_of = std::is_same_v<T, Array>     ? Sort::array
                         : std::is_same_v<T, Integer> ? Sort::integer
                                                      : Sort::index;

template <class Result, class... Parameters>
Operation row(std::string name, std::string parameters, Result (*function)(Parameters...)) {
  return {std::move(name), std::move(parameters), sort_of<Result>, [function](Values values) {
            return applied(function, values, std::index_sequence_for<Parameters...>{});
          }};
}

const Array& array(const Value& value) { return std::get<Array>(value); }
Integer integer(const Value& value) { return std::get<Integer>(value); }

void add_structure(std::vector<Operation>& rows) {
  rows.insert(
      rows.end(),
      {row("shape", "A", shape_of), row("dim", "A", dim), row("size", "A", size),
       row("psi", "pA", psi), row("blank_cell", "An", blank_cell), row("iota", "n", iota),
       row("ravel", "A", ravel), row("reshape", "Ap", reshape),
       row(
           "transpose", "A", +[](const Array& a) { return transpose(a); }),
       row(
           "transpose", "Ap", +[](const Array& a, const Shape& t) { return transpose(a, t); }),
       row("diagonal", "Axx", diagonal), row("trace", "A", trace), row("contract", "Axx", contract),
       row(
           "array", "n", +[](Integer k) { return scalar(k); }),
       row(
           "array", "p", +[](const Shape& v) { return vector(v); }),
       row(
           "gamma", "pp", +[](const Shape& p, const Shape& s) { return scalar(gamma(p, s)); }),
       row(
           "gamma_inverse", "np",
           +[](Integer o, const Shape& s) { return vector(gamma_inverse(o, s)); })});
}

void add_axis_operations(std::vector<Operation>& rows) {
  rows.insert(
      rows.end(),
      {row("take", "Axn", take), row("drop", "Axn", drop), row("cat", "AAx", cat),
       row("reverse", "Ax", reverse), row("rotate", "Axn", rotate),
       row("pad_circular", "Axnn", pad_circular), row("pad_constant", "AxnnA", pad_constant),
       row("pad_edge", "Axnn", pad_edge), row("pad_reflect", "Axnn", pad_reflect),
       row("lift", "Axn", lift), row("unlift", "Ax", unlift), row("gather", "AxA", gather),
       row("grade_up", "A", grade_up), row("compress", "AxA", compress),
       row("expand", "AxA", expand), row("update", "ApppA", update)});
}

// Arguments of axes and of domains, and what stands for it.
void add_integers(std::vector<Operation>& rows) {
  using Indices = const Shape&;
  rows.insert(rows.end(),
              {row(
                   "dim", "A", +[](const Array& a) -> Integer { return a.rank(); }),
               row(
                   "size", "A", +[](const Array& a) -> Integer { return product(a.shape); }),
               row(
                   "shape", "A", +[](const Array& a) -> Shape { return a.shape; }),
               row(
                   "len", "p", +[](Indices p) -> Integer { return std::ssize(p); }),
               row(
                   "at", "pn",
                   +[](Indices p, Integer k) -> Integer {
                     require(0 <= k && k < std::ssize(p), "there is no such component");
                     return p[static_cast<std::size_t>(k)];
                   }),
               row(
                   "product", "p", +[](Indices p) -> Integer { return exact_product(p); }),
               row("gamma", "pp", gamma), row("gamma_inverse", "np", gamma_inverse),
               row(
                   "integer", "A",
                   +[](const Array& a) -> Integer {
                     require(a.rank() == 0, "a scalar is needed");
                     return integer_of(converted(a.elements[0], Type::integer));
                   }),
               row(
                   "index", "A", +[](const Array& a) -> Shape { return integers_of(a); }),
               row(
                   "_+_", "nn", +[](Integer a, Integer b) -> Integer { return a + b; }),
               row(
                   "_-_", "nn", +[](Integer a, Integer b) -> Integer { return a - b; }),
               row(
                   "_*_", "nn", +[](Integer a, Integer b) -> Integer { return a * b; }),
               row("_/_", "nn", euclidean_quotient), row("_%_", "nn", euclidean_remainder),
               row(
                   "-_", "n", +[](Integer a) -> Integer { return -a; })});
}

Shape part(const Shape& p, Integer from, Integer to) {
  require(0 <= from && from <= to && to <= std::ssize(p), "there are no such components");
  return {p.begin() + from, p.begin() + to};
}

// Vectors of components.
void add_vectors(std::vector<Operation>& rows) {
  using Indices = const Shape&;
  rows.insert(rows.end(),
              {row(
                   "join", "pp", +[](Indices p, Indices q) { return joined(p, q); }),
               row(
                   "take", "pn",
                   +[](Indices p, Integer k) {
                     return k < 0 ? part(p, std::ssize(p) + k, std::ssize(p)) : part(p, 0, k);
                   }),
               row(
                   "drop", "pn",
                   +[](Indices p, Integer k) {
                     return k < 0 ? part(p, 0, std::ssize(p) + k) : part(p, k, std::ssize(p));
                   }),
               row(
                   "reverse", "p", +[](Indices p) { return Shape(p.rbegin(), p.rend()); }),
               row(
                   "replace", "pnn",
                   +[](Indices p, Integer j, Integer e) {
                     return joined(joined(part(p, 0, j), {e}), part(p, j + 1, std::ssize(p)));
                   }),
               row(
                   "insert", "pnn",
                   +[](Indices p, Integer j, Integer e) {
                     return joined(joined(part(p, 0, j), {e}), part(p, j, std::ssize(p)));
                   }),
               row(
                   "remove", "pn", +[](Indices p, Integer j) {
                     return joined(part(p, 0, j), part(p, j + 1, std::ssize(p)));
                   })});
}

void add_cells(std::vector<Operation>& rows) {
  const auto unary = [&](const std::string& name, Array (*f)(const Array&)) {
    rows.push_back({"omega_" + name, "An", Sort::array,
                    [f](Values v) { return on_cells(f, integer(v[1]), array(v[0])); }});
  };
  const auto binary = [&](const std::string& name, const BinaryOperation& f) {
    rows.push_back({"omega_" + name, "AAnn", Sort::array, [f](Values v) {
                      return on_cells(f, integer(v[2]), integer(v[3]), array(v[0]), array(v[1]));
                    }});
  };
  unary("ravel", ravel);
  unary("transpose", transpose);
  unary("grade_up", grade_up);
  for (const auto& [name, f] : {std::pair{"add", Binary::add}, std::pair{"sub", Binary::sub},
                                std::pair{"mul", Binary::mul}}) {
    binary(name, [f = f](const Array& a, const Array& b) { return pointwise(f, a, b); });
  }
  binary("matmul",
         [](const Array& a, const Array& b) { return inner(Binary::add, Binary::mul, a, b); });
  binary("outer_mul", [](const Array& a, const Array& b) { return outer(Binary::mul, a, b); });
}

using Names = std::vector<std::pair<std::string, Binary>>;

const Names folds = {{"sum", Binary::add},     {"product", Binary::mul}, {"minimum", Binary::min},
                     {"maximum", Binary::max}, {"all", Binary::and_},    {"any", Binary::or_}};
const Names scans = {{"cumsum", Binary::add},
                     {"cumproduct", Binary::mul},
                     {"cumminimum", Binary::min},
                     {"cummaximum", Binary::max}};
const Names words = {{"add", Binary::add},         {"sub", Binary::sub},
                     {"mul", Binary::mul},         {"div", Binary::div},
                     {"mod", Binary::mod},         {"min", Binary::min},
                     {"max", Binary::max},         {"pow", Binary::pow},
                     {"less", Binary::less},       {"less_equal", Binary::less_equal},
                     {"greater", Binary::greater}, {"greater_equal", Binary::greater_equal},
                     {"equal", Binary::equal},     {"not_equal", Binary::not_equal},
                     {"and", Binary::and_},        {"or", Binary::or_}};
const Names symbols = {
    {"_+_", Binary::add},         {"_-_", Binary::sub},        {"_*_", Binary::mul},
    {"_/_", Binary::div},         {"_%_", Binary::mod},        {"min", Binary::min},
    {"max", Binary::max},         {"pow", Binary::pow},        {"_<_", Binary::less},
    {"_<=_", Binary::less_equal}, {"_>_", Binary::greater},    {"_>=_", Binary::greater_equal},
    {"_==_", Binary::equal},      {"_!=_", Binary::not_equal}, {"_&&_", Binary::and_},
    {"_||_", Binary::or_}};

const std::vector<std::pair<std::string, Unary>> unaries = {
    {"-_", Unary::negate}, {"abs", Unary::abs},   {"sqrt", Unary::sqrt},
    {"exp", Unary::exp},   {"log", Unary::log},   {"sin", Unary::sin},
    {"cos", Unary::cos},   {"tanh", Unary::tanh}, {"!_", Unary::not_}};

void add_folds(std::vector<Operation>& rows) {
  for (const auto& [name, f] : folds) {
    rows.push_back({name, "Ax", Sort::array,
                    [f = f](Values v) { return reduce(f, array(v[0]), integer(v[1])); }});
  }
  for (const auto& [name, f] : scans) {
    rows.push_back({name, "Ax", Sort::array,
                    [f = f](Values v) { return scan(f, array(v[0]), integer(v[1])); }});
  }
  rows.push_back(row(
      "product", "A", +[](const Array& v) {
        require(v.rank() == 1, "a vector is needed");
        return reduce(Binary::mul, v, 0);
      }));
}

// Folds of numbers and of truth values, of what is of use below them.
bool is_inner_product(Binary fold, Binary function) {
  const auto one_of = [&](std::initializer_list<Binary> functions) {
    return std::find(functions.begin(), functions.end(), function) != functions.end();
  };
  const bool number = one_of({Binary::add, Binary::sub, Binary::mul, Binary::min, Binary::max});
  const bool truth = one_of({Binary::equal, Binary::less, Binary::and_, Binary::or_});
  if (!has_unit(fold)) return false;
  if (fold == Binary::add) return number || truth;
  return fold == Binary::and_ || fold == Binary::or_ ? truth : number;
}

void add_products(std::vector<Operation>& rows) {
  for (const auto& [name, g] : words) {
    rows.push_back({"outer_" + name, "AA", Sort::array,
                    [g = g](Values v) { return outer(g, array(v[0]), array(v[1])); }});
    for (const auto& [fold_name, f] : words) {
      if (!is_inner_product(f, g)) continue;
      rows.push_back({"inner_" + fold_name + "_" + name, "AA", Sort::array,
                      [f = f, g = g](Values v) { return inner(f, g, array(v[0]), array(v[1])); }});
    }
  }
  rows.push_back(row(
      "matmul", "AA",
      +[](const Array& a, const Array& b) { return inner(Binary::add, Binary::mul, a, b); }));
}

void add_pointwise(std::vector<Operation>& rows) {
  for (const auto& [name, f] : symbols) {
    rows.push_back({name, "AA", Sort::array,
                    [f = f](Values v) { return pointwise(f, array(v[0]), array(v[1])); }});
  }
  for (const auto& [name, f] : unaries) {
    rows.push_back(
        {name, "A", Sort::array, [f = f](Values v) { return pointwise(f, array(v[0])); }});
  }
  rows.push_back(row("select", "AAA", select));
  rows.push_back(row(
      "real", "A", +[](const Array& a) { return converted(a, Type::real); }));
  rows.push_back(row(
      "integer", "A", +[](const Array& a) { return converted(a, Type::integer); }));
}

std::vector<Operation> all_operations() {
  std::vector<Operation> rows;
  add_structure(rows);
  add_axis_operations(rows);
  add_folds(rows);
  add_products(rows);
  add_pointwise(rows);
  add_cells(rows);
  add_integers(rows);
  add_vectors(rows);
  return rows;
}

}  // namespace

const std::vector<Operation>& operations() {
  static const std::vector<Operation> rows = all_operations();
  return rows;
}

}  // namespace rhopsi::oracle
