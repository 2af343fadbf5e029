// What lowering and the backends need to know of the externals that a backend
// provides: how values are represented and which kind each operation is. The table
// itself, with its names, is backends/primitives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/term/external.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::onf {

enum class Scalar : std::uint8_t { boolean, int32, int64, float32, float64 };

// "bool", "int32", "int64", "float32", "float64".
std::string to_string(Scalar scalar);

// How values of a sort are represented.
struct Representation {
  enum class Kind : std::uint8_t {
    scalar,  // `scalar`; axes, offsets, scalar indices and lengths are int64
    index,   // a total index: one int64 per axis
    array,   // elements of type `scalar`
    opaque,  // a user's C++ type, `opaque` is the program's name for it
  };
  Kind kind = Kind::scalar;
  Scalar scalar = Scalar::float64;
  std::string opaque;
  // A number whose values are of the narrowest of bool, int64 and float64 that holds what they
  // are computed from, as single expressions have it (engine/moa). The table of a program's run
  // has none: there it is of the run's real type.
  bool promotes = false;

  friend bool operator==(const Representation&, const Representation&) = default;
};

// The scalar functions that programs are lowered to; name_of() in print.hpp names them. The
// table says which external is which, the backends what they compute.
enum class ScalarFunction : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  modulo,
  negate,
  plus,
  minimum,
  maximum,
  absolute,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tanh,
  pow,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  and_,
  or_,
  not_,
  implies,
  iff,
  true_,
  false_,
  select,   // (Predicate, T, T)
  convert,  // one scalar type to another
};

// One operation of a backend's table, resolved for given argument representations.
struct Primitive {
  enum class Kind : std::uint8_t {
    scalar,       // a ScalarFunction of scalars; usable in kernels
    index,        // computes an index or a component of one, in kernels
    extent,       // the length of axis `axis` of the domain
    load,         // the element of an array at an index (index first, array last)
    shape,        // the lengths of an array's axes, as an index vector
    length,       // the number of components of an index vector
    component,    // (index vector, k): component k
    pointwise,    // a ScalarFunction lifted to arrays; scalars are extended
    whole_array,  // arrays to a fresh array, by the library function `spelling`
    mutate,       // procedure on arrays in place, by the library function `spelling`
    schedule,     // builds an array from the required operation `element`
    parameter,    // a run-time parameter
    width,        // of pads, found from the conditions of rules; programs have a number instead
    granted,      // true; having it is what counts (ExternalTable::lets_reassociate)
  };
  Kind kind;
  ScalarFunction function{};  // scalar and pointwise
  std::string spelling;       // index, whole_array, mutate: function in the shim header
  int axis = -1;              // extent; component number for components of an index
  std::optional<std::size_t> axis_argument =
      std::nullopt;      // whole_array: the argument that names an axis
  bool padded = false;   // schedule: writes the interior of padded blocks, leaving
                         // the halo stale; index: may leave [0, s) into the pad
  bool refills = false;  // mutate: makes the halo fresh
  bool nested = false;   // schedule: one loop per axis instead of a flat one
};

// The closed table of backend "Kokkos" for one choice of the program's real type.
class PrimitiveTable : public term::ExternalTable {
 public:
  // How `original` type of `block` is represented; nothing if the path has no such type.
  virtual std::optional<Representation> representation(const term::ExternalBlock& block,
                                                       const std::string& original) const = 0;
  // The primitive that `original` of `block` is for these argument representations
  // (the result's last); nothing if there is none.
  virtual std::optional<Primitive> primitive(const term::ExternalBlock& block,
                                             const std::string& original,
                                             const std::vector<Representation>& arguments,
                                             const std::optional<Representation>& result) const = 0;
};

// How the sorts of a program are represented: through the bindings of its types,
// Predicate as boolean. Throws nothing; unbound sorts give nothing.
std::optional<Representation> representation_of(const term::Store& store,
                                                const term::Theory& program, term::SortId sort,
                                                const PrimitiveTable& table);

// The primitive that a callable of the program is bound to, if it is bound to one.
std::optional<Primitive> primitive_of(const term::Store& store, const term::Theory& program,
                                      const term::Callable& callable, const PrimitiveTable& table);

// Do the program's arrays have shapes of their own, which it can ask for (kind `shape`)? The
// others all have the shape of the run's domain.
bool has_own_shapes(const term::Store& store, const term::Theory& program,
                    const PrimitiveTable& table);

// Builtin predicates (`_==_`, `_&&_`, ...) as scalar functions.
std::optional<ScalarFunction> builtin_function(const term::Store& store, term::SymbolId symbol);

// The constant value of a nullary function whose body is an integer expression over
// literals and such functions (a pad width, an axis), if it is one.
std::optional<std::int64_t> constant_value(const term::Store& store, const term::Theory& program,
                                           term::TermId term, const PrimitiveTable& table);

}  // namespace rhopsi::onf
