#include "tests/property/random_program.hpp"

#include <algorithm>

#include "tests/property/choice.hpp"
#include "tests/property/expressions.hpp"
#include "tests/property/pipelines.hpp"

namespace rhopsi::property {
namespace {

const char* const imports =
    " imports\n  backend.kokkos, arith.equality, moa.dnf, moa.indexwise, of.padding, "
    "of.specialize;\n\n"
    "implementation Parameters = external Kokkos parameters {\n"
    "  require type Real;\n  function p(): Real;\n  function q(): Real;\n};\n\n";

// In turn; twice as often those with components of indices in the library.
const std::vector<int> ranks = {1, 2, 3, 1, 2, 3, 4, 5, 6};

class Generator {
 public:
  explicit Generator(unsigned seed)
      : choice_(seed),
        rank_(ranks[seed % ranks.size()]),
        offset_(choice_.once_in(4) ? 1 : 3),
        expressions_(choice_, rank_, offset_) {
    program_.seed = seed;
    program_.package = "random_" + std::to_string(seed);
    program_.rank = rank_;
  }

  RandomProgram make() {
    choose_shape();
    std::string base = "program Base = {\n  use Arrays;\n  use Integers;\n  use Parameters;\n";
    base += functions();
    const bool element_function = choice_.once_in(4);
    if (element_function) base += hand_written_element();
    const std::vector<std::string> kernels = add_kernels(base);
    base += mixing_procedure() + step() + "};\n\n";

    program_.text = "package " + program_.package + imports + base + moa_and_dnf(kernels);
    program_.derived = {"MoA", "DNF"};
    // A schedule that no rule pads leaves its result's padding stale.
    if (!element_function) {
      program_.text += padded(kernels, choice_.once_in(2) ? 1 : offset_);
      program_.derived.push_back("Padded");
      if (rank_ <= 3) {
        program_.text += nested(kernels, rank_, choice_.once_in(2));
        program_.derived.insert(program_.derived.end(), {"Nested", "NestedPadded"});
      }
    }
    program_.parameters = {{"p", 0.375}, {"q", choice_.once_in(2) ? 0.25 : -0.625}};
    return program_;
  }

 private:
  // Unequal sides, with sides of 1 and sides smaller than the offsets; at most about 120 elements.
  void choose_shape() {
    const int longest = rank_ == 1 ? 11 : rank_ == 2 ? 8 : rank_ == 3 ? 5 : 3;
    std::int64_t count = 1;
    for (int axis = 0; axis < rank_; ++axis) {
      std::int64_t side = choice_.between(1, longest);
      if (axis > 0 && side == program_.shape.back()) side = side % longest + 1;
      if (count * side > 120) side = 1 + (program_.shape.back() == 1 ? 1 : 0);
      program_.shape.push_back(side);
      count *= side;
    }
  }

  // A function whose parameters have random sorts, at least one of them an array.
  std::string function(const std::string& name, const Scope& callable, int depth, bool bounded,
                       std::vector<Function>& into) {
    Scope scope = callable;
    Function declared{name, {}};
    std::string parameters;
    const int count = choice_.between(1, 4);
    const int array_at = choice_.between(0, count - 1);
    for (int i = 0; i < count; ++i) {
      const bool is_array = i == array_at || choice_.once_in(2);
      const std::string parameter = "x" + std::to_string(i);
      (is_array ? scope.arrays : scope.reals).push_back(parameter);
      declared.parameters += is_array ? 'a' : 'r';
      parameters += (i > 0 ? ", " : "") + parameter + (is_array ? ": Array" : ": Real");
    }
    std::string body = expressions_.array(scope, depth);
    if (bounded) body = "min(max(" + body + ", -4.0), 4.0)";
    into.push_back(declared);
    return "  function " + name + "(" + parameters + "): Array =\n    " + body + ";\n";
  }

  // Functions of reals and of arrays; later ones call earlier ones.
  std::string functions() {
    std::string text = "  function g0(x: Real, y: Real): Real = " +
                       expressions_.real({{}, {"x", "y"}, {}, {}}, 2) + ";\n";
    scope_.scalar_functions.push_back({"g0", "rr"});
    const int count = choice_.between(0, 2);
    for (int i = 0; i < count; ++i) {
      const Scope callable = {{}, {}, scope_.scalar_functions, scope_.array_functions};
      text += function("f" + std::to_string(i), callable, 2, false, scope_.array_functions);
    }
    return text;
  }

  // An element function and its schedule, written by hand.
  std::string hand_written_element() {
    const std::string axis = std::to_string(choice_.between(0, rank_ - 1));
    const std::string offset = std::to_string(choice_.between(-3, 3));
    scheduled_ = true;
    return "  function element(a: Array, s: Real, ix: Index): Real =\n"
           "    s * psi(ix, a) + psi(rotateIx(ix, " +
           axis + ", " + offset + "), " + expressions_.array({{"a"}, {"s"}, {}, {}}, 2) +
           ");\n  use FlatSchedule[element => element, schedule => everywhere, E => Real];\n";
  }

  std::vector<std::string> add_kernels(std::string& text) {
    std::vector<std::string> names;
    const Scope callable = {{}, {}, scope_.scalar_functions, scope_.array_functions};
    const int count = choice_.once_in(3) ? 2 : 1;
    for (int i = 0; i < count; ++i) {
      names.push_back("k" + std::to_string(i));
      text += function(names.back(), callable, rank_ > 4 ? 3 : 4, true, kernels_);
    }
    return names;
  }

  std::string mixing_procedure() {
    const Scope scope = {{"a", "b"}, {}, {}, {}};
    return "  procedure mix(upd a: Array, obs b: Array) { a = " +
           expressions_.call(choice_.of(kernels_), scope, 0) + "; }\n";
  }

  // Something that may be assigned: a kernel's result, or an operation on whole arrays.
  std::string value(const Scope& scope) {
    if (scheduled_ && choice_.once_in(3)) {
      const std::string array = choice_.of(scope.arrays);
      // Nothing tells a literal 2 which sort a schedule takes.
      static const std::vector<std::string> factors = {"r", "p()", "0.5", "g0(r, 2)"};
      return "everywhere(" + array + ", " + choice_.of(factors) + ")";
    }
    if (choice_.once_in(3)) {
      return "min(max(" + expressions_.array(scope, 2) + ", -4.0), 4.0)";
    }
    const Function& kernel = choice_.of(kernels_);
    return expressions_.call(kernel, scope, choice_.between(0, 1));
  }

  std::string statement(Scope& scope, const std::vector<std::string>& updated, int depth) {
    const std::string target = choice_.of(updated);
    const auto assignment = [&] { return target + " = " + value(scope) + ";"; };
    switch (depth > 0 ? choice_.between(0, 7) : choice_.between(0, 1)) {
      case 2: {
        const std::string name = "t" + std::to_string(++locals_);
        const std::string type = choice_.once_in(2) ? ": Array" : "";
        const std::string text = "var " + name + type + " = " + value(scope) + ";";
        scope.arrays.push_back(name);
        return text;
      }
      case 3: {
        const std::string condition = expressions_.condition(scope);
        Scope inner = scope;
        const std::string yes = statement(inner, updated, depth - 1);
        inner = scope;
        const std::string no = statement(inner, updated, depth - 1);
        return "if " + condition + " then { " + yes + " } else { " + no + " };";
      }
      case 4: {
        Scope inner = scope;
        return "for i" + std::to_string(++locals_) + " in 0 .. n { " +
               statement(inner, updated, depth - 1) + " };";
      }
      case 5: {
        std::string other = choice_.of(scope.arrays);
        if (other == target) other = scope.arrays.front() == target ? "c" : scope.arrays.front();
        return "iterate 2 mix(" + target + ", " + other + ");";
      }
      case 6: {
        const std::string name = "w" + std::to_string(++locals_);
        const std::string first = value(scope);
        Scope inner = scope;
        inner.arrays = {name, choice_.of(scope.arrays)};
        return target + " = { var " + name + " = " + first + "; value " + value(inner) + "; };";
      }
      default:
        return assignment();
    }
  }

  // `c` is always there, read only; up to four more are read and written.
  std::string step() {
    Scope scope = {{}, {"r"}, scope_.scalar_functions, scope_.array_functions};
    std::vector<std::string> updated;
    std::string text = "  procedure step(";
    const int count = choice_.between(1, 4);
    for (int i = 0; i < count; ++i) {
      updated.push_back("u" + std::to_string(i));
      text += "upd " + updated.back() + ": Array, ";
    }
    scope.arrays = updated;
    scope.arrays.push_back("c");
    program_.arrays = scope.arrays;
    program_.numbers["r"] = 0.8125;
    program_.integers["n"] = choice_.between(0, 2);
    text += "obs c: Array, obs r: Real, obs n: Int) {\n";
    const int statements = choice_.between(1, 5);
    for (int i = 0; i < statements; ++i) {
      text += "    " + statement(scope, updated, 2) + "\n";
    }
    return text + "    " + updated.front() + " = " + expressions_.call(kernels_.front(), scope, 0) +
           ";\n  }\n";
  }

  Choice choice_;
  int rank_;
  int offset_;
  Expressions expressions_;
  RandomProgram program_;
  Scope scope_;
  std::vector<Function> kernels_;
  bool scheduled_ = false;
  int locals_ = 0;
};

}  // namespace

std::string RandomProgram::description() const {
  std::string sides;
  for (const std::int64_t side : shape) sides += (sides.empty() ? "" : ",") + std::to_string(side);
  return "seed " + std::to_string(seed) + ", shape " + sides +
         ", n = " + std::to_string(integers.at("n")) + ", r = " + std::to_string(numbers.at("r")) +
         ", p = " + std::to_string(parameters.at("p")) +
         ", q = " + std::to_string(parameters.at("q")) + "\n" + text;
}

RandomProgram random_program(unsigned seed) { return Generator(seed).make(); }

}  // namespace rhopsi::property
