// Parts of operational forms over domain arrays of numbers, made by hand.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/onf/form.hpp"
#include "engine/onf/verify.hpp"

namespace rhopsi::schedule {

inline const onf::Representation int64_type{
    onf::Representation::Kind::scalar, onf::Scalar::int64, {}};
inline const onf::Representation real_type{
    onf::Representation::Kind::scalar, onf::Scalar::float64, {}};

inline onf::Expr real(double value) {
  onf::Expr e;
  e.kind = onf::Expr::Kind::real;
  e.type = real_type;
  e.real = value;
  return e;
}
inline onf::Expr integer(std::int64_t value) {
  onf::Expr e;
  e.type = int64_type;
  e.integer = value;
  return e;
}
inline onf::Expr extent(int axis) {
  onf::Expr e;
  e.kind = onf::Expr::Kind::extent;
  e.type = int64_type;
  e.axis = axis;
  return e;
}
inline onf::Expr apply(onf::ScalarFunction function, std::vector<onf::Expr> operands) {
  onf::Expr e;
  e.kind = onf::Expr::Kind::apply;
  e.type = operands.front().type;
  e.function = function;
  e.operands = std::move(operands);
  return e;
}
inline onf::Expr sum(onf::Expr a, onf::Expr b) {
  return apply(onf::ScalarFunction::add, {std::move(a), std::move(b)});
}

inline onf::Expr difference(onf::Expr a, onf::Expr b) {
  return apply(onf::ScalarFunction::subtract, {std::move(a), std::move(b)});
}
inline onf::Expr times(onf::Expr a, onf::Expr b) {
  return apply(onf::ScalarFunction::multiply, {std::move(a), std::move(b)});
}

// A truth: a comparison, or what `and`, `or` and `not` make of truths.
inline onf::Expr truth_of(onf::ScalarFunction function, std::vector<onf::Expr> operands) {
  onf::Expr e = apply(function, std::move(operands));
  e.type.scalar = onf::Scalar::boolean;
  return e;
}
inline onf::Expr choice_of(onf::Expr condition, onf::Expr then, onf::Expr otherwise) {
  onf::Expr e;
  e.kind = onf::Expr::Kind::if_;
  e.type = real_type;
  e.operands = {std::move(condition), std::move(then), std::move(otherwise)};
  return e;
}

// A procedure f in a module of its own, statement by statement.
class FormBuilder {
 public:
  FormBuilder(int rank, std::int64_t pad) {
    module.name = "hand";
    module.rank = rank;
    module.pad = pad;
    function.name = "f";
    function.procedure = true;
    static const std::string letters = "ijklmn";
    for (int axis = 0; axis < rank; ++axis) {
      function.variables.push_back({std::string(1, letters[std::size_t(axis)]), int64_type, {}});
      indices.push_back(static_cast<onf::VariableId>(axis));
    }
  }

  onf::ViewId view(const std::string& name, bool parameter = false) {
    onf::Block block;
    block.box.assign(std::size_t(module.rank), {module.pad, module.pad, onf::Outside::circular});
    function.blocks.push_back(block);
    function.views.push_back(
        {name, static_cast<onf::BlockId>(function.blocks.size() - 1), {}, parameter, false, {}});
    return static_cast<onf::ViewId>(function.views.size() - 1);
  }
  onf::ViewId argument(const std::string& name, term::Mode mode) {
    const onf::ViewId made = view(name, true);
    function.arguments.push_back({mode, made, {}});
    return made;
  }

  // The element at the index of the nest plus an offset; modulo where there is no pad.
  onf::Expr load(onf::ViewId from, const std::vector<std::int64_t>& offset) const {
    onf::Expr e;
    e.kind = onf::Expr::Kind::load;
    e.type = real_type;
    e.view = from;
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      onf::Expr at = position(int(axis));
      if (offset[axis] != 0) {
        at = apply(onf::ScalarFunction::add, {std::move(at), integer(offset[axis])});
        if (module.pad == 0) {
          at = apply(onf::ScalarFunction::modulo, {std::move(at), extent(int(axis))});
        }
      }
      e.operands.push_back(std::move(at));
    }
    return e;
  }

  // The index of the nest on this axis.
  onf::Expr position(int axis) const {
    onf::Expr e;
    e.kind = onf::Expr::Kind::variable;
    e.type = int64_type;
    e.variable = indices[std::size_t(axis)];
    return e;
  }

  void nest(onf::ViewId target, onf::Expr element) {
    onf::Nest made;
    made.label = function.views[onf::number(target)].name;
    made.binding = onf::Binding::nested;
    made.padded = module.pad > 0;
    made.indices = indices;
    made.target = target;
    made.element = std::move(element);
    emit(std::move(made));
  }
  // target = element, as programs are lowered: a fresh array, its pads, and its name.
  void assign(onf::ViewId target, onf::Expr element, bool declares = false) {
    const onf::ViewId result = view("result");
    emit(onf::Allocate{result});
    nest(result, std::move(element));
    if (module.pad > 0) emit(onf::Refill{result});
    emit(onf::Share{target, result, declares, true});
  }
  void copy(onf::ViewId target, onf::ViewId source, bool declares = false) {
    emit(onf::Share{target, source, declares, false});
  }
  template <class Form>
  void emit(Form form) {
    function.body.push_back({std::move(form), {}});
  }

  onf::Module finish() {
    module.functions = {function};
    module.order = {onf::FunctionId{0}};
    return module;
  }

  onf::Module module;
  onf::Function function;
  std::vector<onf::VariableId> indices;
};

// The errors that the verifier finds, a line each.
inline std::string errors_of(const onf::Module& module) {
  std::string text;
  for (const onf::Problem& problem : onf::verify(module)) {
    if (problem.error) text += problem.code + " " + problem.message + "\n";
  }
  return text;
}

// Their codes.
inline std::vector<std::string> codes_of(const onf::Module& module) {
  std::vector<std::string> codes;
  for (const onf::Problem& problem : onf::verify(module)) {
    if (problem.error) codes.push_back(problem.code);
  }
  return codes;
}

}  // namespace rhopsi::schedule
