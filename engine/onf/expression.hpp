// Of the operational form: what names things in it, and expressions. Included by form.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/onf/primitive.hpp"
#include "engine/term/store.hpp"

namespace rhopsi::onf {

enum class VariableId : std::uint32_t {};
enum class BlockId : std::uint32_t {};
enum class ViewId : std::uint32_t {};
enum class FunctionId : std::uint32_t {};
enum class ExternalId : std::uint32_t {};
enum class ParameterId : std::uint32_t {};

template <class Id>
std::size_t number(Id id) {
  return static_cast<std::size_t>(id);
}

struct Variable {
  std::string name;
  Representation type;
  term::LocationId location{};
};

struct Expr {
  enum class Kind : std::uint8_t {
    integer,     // `integer` of an integer or real type
    real,        // `real`
    boolean,     // `integer` != 0
    variable,    // `variable`
    view,        // an array as an argument
    parameter,   // `parameter`, given at run time
    extent,      // length of `axis` of the domain
    length,      // length of `axis` of `view`
    load,        // element of `view`; one index or one component per axis
    apply,       // `function` of scalars
    make_index,  // one component per axis
    component,   // component `axis` of an index
    move,        // (index, axis, offset): that component plus offset; `wraps`: modulo its length
    library,     // any other function of the run-time library, `spelling`
    call,        // `callee` of this module
    external,    // operation `spelling` of `external`
    if_,         // condition, then, else; only the chosen branch is evaluated
  };
  Kind kind = Kind::integer;
  Representation type;
  term::LocationId location{};
  std::int64_t integer = 0;
  double real = 0;
  VariableId variable{};
  ViewId view{};
  ParameterId parameter{};
  FunctionId callee{};
  ExternalId external{};
  ScalarFunction function{};
  int axis = 0;
  bool wraps = false;
  std::string spelling;
  std::vector<Expr> operands;
};

}  // namespace rhopsi::onf
