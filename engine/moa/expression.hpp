// Scalar expressions at explicit index components: what elements, extents and conditions of a
// normal form are made of.
//
// An Expressions owns its nodes; they are immutable, interned (equal nodes have one handle), and
// form a graph without cycles, not a tree: a subterm that is used twice is one node. The
// constructors simplify: integer sums and products by constants are kept in a canonical order,
// constants are folded (Euclidean `/` and `%`), `select` of a constant chooses.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/onf/primitive.hpp"

namespace rhopsi::moa {

enum class ExprId : std::uint32_t {};
enum class VariableId : std::uint32_t {};  // an index of a box or of a fold; a number from outside
enum class LeafId : std::uint32_t {};      // an array that comes from outside

using onf::Scalar;
using onf::ScalarFunction;
using Vector = std::vector<ExprId>;  // an index or a shape, a component per axis

template <class Id>
std::size_t number(Id id) {
  return static_cast<std::size_t>(id);
}

struct Node {
  enum class Kind : std::uint8_t {
    integer,   // `integer`
    real,      // `real`
    boolean,   // `integer` != 0
    variable,  // `variable`
    extent,    // length of axis `axis` of `leaf`; an unknown >= 0
    load,      // element of `leaf` at the operands, a component per axis
    apply,     // `function` of the operands, which have been converted to one type
    select,    // operands: condition, then, else; only the chosen one is evaluated
    fold,      // `function` over body (operand 1) for variable = 0 .. count (operand 0) - 1,
               // ascending, from the first element; the function's unit where count is 0
  };
  Kind kind = Kind::integer;
  Scalar type = Scalar::int64;  // boolean, int64, float32 or float64
  ScalarFunction function{};
  std::int64_t integer = 0;
  double real = 0;
  VariableId variable{};
  LeafId leaf{};
  std::uint32_t axis = 0;
  bool kept = false;  // apply, of integers: stays as it is, see Expressions::kept
  std::vector<ExprId> operands;

  friend bool operator==(const Node&, const Node&) = default;
};

// `&&` and `||`: their right side is evaluated where the left one does not decide.
bool is_connective(const Node& node);
// An integer division or remainder, an error where the divisor is 0.
bool divides(const Node& node);

// The type that arithmetic on both has: boolean < int64 < float32 < float64 (int32 counts as
// int64).
Scalar promoted(Scalar left, Scalar right);
// That of a function's result for operands of these types, `convert` aside.
Scalar result_type(ScalarFunction function, std::span<const Scalar> operands);

class Expressions {
 public:
  Expressions();
  Expressions(const Expressions&) = delete;
  Expressions& operator=(const Expressions&) = delete;
  ~Expressions();

  const Node& operator[](ExprId id) const;  // valid for as long as this lives
  std::size_t count() const;

  ExprId integer(std::int64_t value);
  ExprId real(double value, Scalar type = Scalar::float64);
  ExprId boolean(bool value);
  ExprId extent(LeafId leaf, std::uint32_t axis);
  // A fresh variable each time; `name` is for printing.
  VariableId make_variable(std::string name);
  const std::string& name(VariableId variable) const;
  // An index, or a number of a program (NormalForm::parameters), which may be of another type.
  ExprId variable(VariableId variable, Scalar type = Scalar::int64);
  // `type` is that of the leaf's elements; what is narrower than int64 is converted.
  ExprId load(LeafId leaf, Scalar type, std::span<const ExprId> components);
  // Operands are promoted to their common type first, and to float64 where the function is of
  // reals only; comparisons and connectives are boolean. `convert` goes to `type`.
  ExprId apply(ScalarFunction function, std::span<const ExprId> operands,
               Scalar type = Scalar::float64);
  ExprId apply(ScalarFunction function, std::initializer_list<ExprId> operands,
               Scalar type = Scalar::float64);
  // Integer arithmetic that is not simplified, and that what stands above it takes for one value:
  // elements whose sum leaves 64 bits and wraps; a remainder that keeps a sum from leaving them.
  ExprId kept(ScalarFunction function, std::vector<ExprId> operands);
  ExprId select(ExprId condition, ExprId then, ExprId otherwise);
  ExprId fold(ScalarFunction function, VariableId variable, ExprId count, ExprId body);
  ExprId converted(ExprId value, Scalar type);
  // What a fold of nothing is; nothing where the function has no unit.
  std::optional<ExprId> unit(ScalarFunction function, Scalar type);

  // Integer arithmetic.
  ExprId add(ExprId left, ExprId right);
  ExprId subtract(ExprId left, ExprId right);
  ExprId multiply(ExprId left, ExprId right);
  // constant + sum of factor * term; the terms are different and no sums themselves.
  ExprId sum(const std::vector<std::pair<ExprId, std::int64_t>>& terms, std::int64_t constant);

  // The same node of other operands, simplified.
  ExprId with_operands(ExprId expression, std::vector<ExprId> operands);
  // Replaces variables by other expressions, rebuilding (and so simplifying) what holds them.
  ExprId substitute(ExprId expression, VariableId variable, ExprId replacement);
  // Changes an expression from its innermost operands outwards: `change` is given each node within
  // it, once, with its operands as they have become, and says what takes its place; nothing: the
  // node with these operands, simplified anew.
  using Change = std::function<std::optional<ExprId>(ExprId, std::span<const ExprId>)>;
  ExprId changed(ExprId expression, const Change& change);

  std::optional<std::int64_t> constant(ExprId expression) const;  // of an integer or boolean
  bool mentions(ExprId expression, VariableId variable) const;
  // Is it true of the expression or of any within it? Each is asked once.
  bool any(ExprId expression, const std::function<bool(ExprId)>& predicate) const;
  // Evaluating it may be an error (an integer division by what may be zero), so that it must
  // not be dropped.
  bool may_fail(ExprId expression) const;
  // Does it hold elements of arrays, or others that wrap? If not, it is of the size of shapes, and
  // no sum of it leaves 64 bits.
  bool reads(ExprId expression) const;

 private:
  ExprId intern(Node node);
  ExprId connective(ScalarFunction function, std::vector<ExprId> operands);
  ExprId comparison(ScalarFunction function, std::vector<ExprId> operands);
  std::optional<ExprId> only_one(ExprId left, ExprId right);
  std::optional<ExprId> negated(ExprId condition);
  std::optional<ExprId> compared_truth(ScalarFunction function, ExprId left, ExprId right);
  // integers.cpp
  ExprId integer_operation(ScalarFunction function, std::vector<ExprId> operands);
  ExprId binary(ScalarFunction function, ExprId left, ExprId right);
  ExprId product(ExprId left, ExprId right);
  std::optional<ExprId> folded_constant(ScalarFunction function, std::int64_t count, ExprId body);
  std::optional<ExprId> counted(ScalarFunction function, VariableId variable, std::int64_t count,
                                ExprId body);
  ExprId rebuilt(const Node& node, std::vector<ExprId> operands);

  struct Tables;
  std::unique_ptr<Tables> tables_;
};

}  // namespace rhopsi::moa
