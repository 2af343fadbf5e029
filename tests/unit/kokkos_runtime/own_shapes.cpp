#include "own_shapes.hpp"

#include <utility>

namespace rhopsi::kokkos::test {
namespace {

using onf::Expr;
using onf::Scalar;
using Kind = onf::Representation::Kind;
using Extents = std::vector<Expr>;

Expr expression(Expr::Kind kind, Scalar type, std::vector<Expr> operands = {}) {
  Expr e;
  e.kind = kind;
  e.type = {Kind::scalar, type, {}};
  e.operands = std::move(operands);
  return e;
}

Expr integer(std::int64_t value) {
  Expr e = expression(Expr::Kind::integer, Scalar::int64);
  e.integer = value;
  return e;
}

Expr real(double value) {
  Expr e = expression(Expr::Kind::real, Scalar::float64);
  e.real = value;
  return e;
}

Expr length(onf::ViewId view, int axis) {
  Expr e = expression(Expr::Kind::length, Scalar::int64);
  e.view = view;
  e.axis = axis;
  return e;
}

Expr apply(onf::ScalarFunction function, Scalar type, std::vector<Expr> operands) {
  Expr e = expression(Expr::Kind::apply, type, std::move(operands));
  e.function = function;
  return e;
}

Expr sum(Expr left, Expr right) {
  return apply(onf::ScalarFunction::add, Scalar::int64, {std::move(left), std::move(right)});
}

// A function that is being written.
class Writer {
 public:
  Writer(const std::string& name, bool procedure) {
    made.name = name;
    made.procedure = procedure;
  }

  onf::ViewId view(const std::string& name, Scalar element, Extents extents) {
    made.blocks.push_back({element, {}, std::move(extents)});
    made.views.push_back(
        {name, static_cast<onf::BlockId>(made.blocks.size() - 1), {}, false, false, {}});
    return static_cast<onf::ViewId>(made.views.size() - 1);
  }

  // Of any shape.
  onf::ViewId argument(const std::string& name, term::Mode mode, Scalar element, int rank) {
    const auto id = static_cast<onf::ViewId>(made.views.size());
    Extents extents;
    for (int axis = 0; axis < rank; ++axis) extents.push_back(length(id, axis));
    return argument(name, mode, element, std::move(extents));
  }
  onf::ViewId argument(const std::string& name, term::Mode mode, Scalar element, Extents extents) {
    const onf::ViewId id = view(name, element, std::move(extents));
    made.views.back().parameter = true;
    made.arguments.push_back({mode, id, {}});
    return id;
  }

  onf::VariableId variable(const std::string& name, Scalar type) {
    made.variables.push_back({name, {Kind::scalar, type, {}}, {}});
    return static_cast<onf::VariableId>(made.variables.size() - 1);
  }
  Expr value(onf::VariableId id) const {
    Expr e = expression(Expr::Kind::variable, made.variables[onf::number(id)].type.scalar);
    e.variable = id;
    return e;
  }

  Expr load(onf::ViewId view, std::vector<Expr> index) const {
    const onf::Block& block = made.blocks[onf::number(made.views[onf::number(view)].block)];
    Expr e = expression(Expr::Kind::load, block.element, std::move(index));
    e.view = view;
    return e;
  }

  void emit(decltype(onf::Statement::form) form) { made.body.push_back({std::move(form), {}}); }

  // target[indices] := element for the indices of the box.
  void nest(onf::ViewId target, std::vector<onf::VariableId> indices,
            std::vector<onf::Interval> box, Expr element, onf::Statements body = {}) {
    onf::Nest nest;
    nest.label = made.name + ": " + made.views[onf::number(target)].name;
    nest.binding = onf::Binding::nested;
    nest.indices = std::move(indices);
    nest.box = std::move(box);
    nest.target = target;
    nest.body = std::move(body);
    nest.element = std::move(element);
    emit(std::move(nest));
  }

  void give_back(onf::ViewId view) {
    Expr e;
    e.kind = Expr::Kind::view;
    e.type = {
        Kind::array, made.blocks[onf::number(made.views[onf::number(view)].block)].element, {}};
    e.view = view;
    made.result = e.type;
    made.result_view = view;
    emit(onf::Return{e});
  }

  onf::Function made;
};

onf::Function step() {
  Writer w("step", true);
  const auto u = w.argument("u", term::Mode::upd, Scalar::float64, 1);
  const auto a = w.argument("A", term::Mode::obs, Scalar::float64, 2);
  const auto b = w.argument("B", term::Mode::out, Scalar::float64, 2);
  const auto k = w.variable("k", Scalar::int64);
  w.made.arguments.push_back({term::Mode::upd, std::nullopt, k});
  const auto n = w.variable("n", Scalar::int64);
  const auto i = w.variable("i", Scalar::int64);
  const auto j = w.variable("j", Scalar::int64);

  const auto turned = w.view("turned", Scalar::float64, {length(a, 1), length(a, 0)});
  w.emit(onf::Allocate{turned});
  w.nest(turned, {i, j}, {{integer(0), length(a, 1)}, {integer(0), length(a, 0)}},
         w.load(a, {w.value(j), w.value(i)}));
  w.emit(onf::Share{b, turned, false, true});

  w.emit(onf::Let{n, length(u, 0)});
  const auto longer = w.view("longer", Scalar::float64, {sum(w.value(n), integer(1))});
  w.emit(onf::Allocate{longer});
  w.nest(longer, {i}, {{integer(0), w.value(n)}}, w.load(u, {w.value(i)}));
  Expr last =
      apply(onf::ScalarFunction::multiply, Scalar::float64,
            {real(1.5), apply(onf::ScalarFunction::convert, Scalar::float64, {w.value(k)})});
  w.nest(longer, {i}, {{w.value(n), sum(w.value(n), integer(1))}}, std::move(last));
  w.emit(onf::Share{u, longer, false, true});
  w.emit(onf::Assign{k, sum(w.value(k), integer(1))});
  return std::move(w.made);
}

onf::Function total() {
  Writer w("total", false);
  const auto a = w.argument("A", term::Mode::obs, Scalar::float64, 2);
  const auto i = w.variable("i", Scalar::int64);
  const auto j = w.variable("j", Scalar::int64);
  const auto folded = w.variable("sum", Scalar::float64);
  const auto sums = w.view("sums", Scalar::float64, {length(a, 0)});
  w.emit(onf::Allocate{sums});
  onf::Fold fold;
  fold.variable = folded;
  fold.index = j;
  fold.count = length(a, 1);
  fold.function = onf::ScalarFunction::add;
  fold.element = w.load(a, {w.value(i), w.value(j)});
  w.nest(sums, {i}, {{integer(0), length(a, 0)}}, w.value(folded), {{std::move(fold), {}}});
  w.give_back(sums);
  return std::move(w.made);
}

onf::Function twice() {
  Writer w("twice", false);
  const auto s = w.argument("s", term::Mode::obs, Scalar::float64, 0);
  const auto result = w.view("doubled", Scalar::float64, {});
  w.emit(onf::Allocate{result});
  w.nest(result, {}, {},
         apply(onf::ScalarFunction::add, Scalar::float64, {w.load(s, {}), w.load(s, {})}));
  w.give_back(result);
  return std::move(w.made);
}

onf::Function last() {
  Writer w("last", false);
  const auto v = w.argument("v", term::Mode::obs, Scalar::int32, {integer(3)});
  w.made.device = true;
  w.made.result = {Kind::scalar, Scalar::int32, {}};
  w.emit(onf::Return{w.load(v, {integer(2)})});
  return std::move(w.made);
}

}  // namespace

onf::Module own_shapes() {
  onf::Module module;
  module.name = "own";
  for (onf::Function (*make)() : {step, total, twice, last}) {
    module.order.push_back(static_cast<onf::FunctionId>(module.functions.size()));
    module.functions.push_back(make());
  }
  return module;
}

}  // namespace rhopsi::kokkos::test
