#include "engine/lower/computation.hpp"

#include <algorithm>

namespace rhopsi::lower {

using moa::Node;
using onf::Expr;
using onf::Range;
using onf::Scalar;
using onf::ScalarFunction;
using onf::Statements;

namespace {

onf::Representation scalar_type(Scalar type) {
  return {onf::Representation::Kind::scalar, type, {}};
}

Expr boolean_expr(bool value) {
  Expr e;
  e.kind = Expr::Kind::boolean;
  e.type = scalar_type(Scalar::boolean);
  e.integer = value ? 1 : 0;
  return e;
}

Expr zero_expr(Scalar type) {
  if (type == Scalar::boolean) return boolean_expr(false);
  return type == Scalar::int64 ? integer_expr(0) : real_expr(0, type);
}

bool is_simple(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::real:
    case Expr::Kind::boolean:
    case Expr::Kind::variable:
    case Expr::Kind::length:
      return true;
    default:
      return false;
  }
}

}  // namespace

Expr integer_expr(std::int64_t value) {
  Expr e;
  e.type = scalar_type(Scalar::int64);
  e.integer = value;
  return e;
}

Expr real_expr(double value, Scalar type) {
  Expr e;
  e.kind = Expr::Kind::real;
  e.type = scalar_type(type);
  e.real = value;
  return e;
}

Expr compare_expr(ScalarFunction function, Expr left, Expr right) {
  return apply_expr(function, Scalar::boolean, {std::move(left), std::move(right)});
}

Expr apply_expr(ScalarFunction function, Scalar type, std::vector<Expr> operands) {
  Expr e;
  e.kind = Expr::Kind::apply;
  e.type = scalar_type(type);
  e.function = function;
  e.operands = std::move(operands);
  return e;
}

Computation::Computation(const moa::NormalForm& form, onf::Function& function,
                         std::vector<onf::ViewId> leaves, Known& known)
    : form_(form),
      expressions_(*form.expressions),
      function_(function),
      leaves_(std::move(leaves)),
      given_(known),
      ranges_(known.ranges) {
  for (const onf::View& view : function.views) known.names.insert(view.name);
}

// --- names

onf::VariableId Computation::new_variable(const std::string& name, Scalar type) {
  function_.variables.push_back({name, scalar_type(type), {}});
  return static_cast<onf::VariableId>(function_.variables.size() - 1);
}

std::string Computation::Known::fresh_name(const std::string& wanted, int first) {
  if (names.insert(wanted).second) return wanted;
  const auto place = last_number.try_emplace({wanted, first}, first - 1).first;
  for (;;) {
    std::string name = wanted + std::to_string(++place->second);
    if (names.insert(name).second) return name;
  }
}

// A letter for many things, as in x1 and x2, is counted from 1.
std::string Computation::fresh_name(const std::string& wanted) {
  if (wanted == "x") given_.names.insert(wanted);
  return given_.fresh_name(wanted, 1);
}

Expr Computation::of(onf::VariableId variable) const {
  Expr e;
  e.kind = Expr::Kind::variable;
  e.type = function_.variables[onf::number(variable)].type;
  e.variable = variable;
  return e;
}

void Computation::remember(ExprId expression, Expr value) {
  const auto found = known_.find(expression);
  std::optional<Expr> before;
  if (found != known_.end()) before = found->second;
  trail_.emplace_back(expression, std::move(before));
  known_.insert_or_assign(expression, std::move(value));
}

void Computation::restore(const Mark& mark) {
  for (; trail_.size() > mark.names; trail_.pop_back()) {
    auto& [expression, before] = trail_.back();
    if (before)
      known_.insert_or_assign(expression, std::move(*before));
    else
      known_.erase(expression);
  }
  for (; bound_.size() > mark.bound; bound_.pop_back()) {
    auto& [variable, before] = bound_.back();
    if (before)
      variables_.insert_or_assign(variable, std::move(*before));
    else
      variables_.erase(variable);
  }
  ranges_.forget(mark.facts);
}

void Computation::forget_lazy() {
  for (ExprId expression : lazy_) known_.erase(expression);
  lazy_.clear();
}

void Computation::make_simple(Expr& value) {
  if (!is_simple(value)) value = named(std::move(value), "x");
}

Expr Computation::named(Expr value, const std::string& name) {
  const onf::VariableId variable = new_variable(fresh_name(name), value.type.scalar);
  ranges_.define(variable, value);
  if (value.kind == Expr::Kind::apply && value.type.scalar == Scalar::int64) {
    definitions_.emplace(variable, value);
  }
  emit(onf::Let{variable, std::move(value), true});
  return of(variable);
}

// --- loops

void Computation::open_loop() { loops_.push_back(mark()); }

void Computation::bind(moa::VariableId variable, onf::VariableId index, const Expr& low,
                       const Expr& high) {
  ranges_.counter(index, low, high);
  rebind(variable, of(index));
}

// A copy of a fold may stand inside of it: names of what depends on its variable mean the outer
// one's.
void Computation::rebind(moa::VariableId variable, Expr value) {
  const auto found = variables_.find(variable);
  std::optional<Expr> before;
  if (found != variables_.end()) {
    before = found->second;
    std::vector<ExprId> hidden;
    for (const auto& [expression, unused] : known_) {
      // What another graph has named depends on no variable.
      if (!graph_->holds(expression)) continue;
      if (std::ranges::binary_search(graph_->free(expression), variable)) {
        hidden.push_back(expression);
      }
    }
    for (ExprId expression : hidden) {
      trail_.emplace_back(expression, known_.at(expression));
      known_.erase(expression);
    }
  }
  bound_.emplace_back(variable, std::move(before));
  variables_.insert_or_assign(variable, std::move(value));
}

void Computation::close_loop() {
  restore(loops_.back());
  loops_.pop_back();
}

// --- expressions

Expr Computation::value(Graph& graph, ExprId root) {
  const Placement placement(
      form_, graph, root, [this](ExprId id) { return known(id); }, loads_apart_);
  Graph* const outer_graph = std::exchange(graph_, &graph);
  const Placement* const outer = std::exchange(placement_, &placement);
  region(Placement::whole);
  Expr result = built(root);
  graph_ = outer_graph;
  placement_ = outer;
  return result;
}

Expr Computation::named_value(Graph& graph, ExprId root, const std::string& name) {
  Expr result = value(graph, root);
  if (!is_simple(result)) result = named(std::move(result), name);
  if (!is_atom(expressions_[root])) remember(root, result);
  return result;
}

std::vector<Expr> Computation::values_where(const Expr& condition, Graph& graph,
                                            std::span<const ExprId> roots,
                                            const std::string& name) {
  std::vector<onf::VariableId> variables;
  for (ExprId root : roots) {
    variables.push_back(new_variable(fresh_name(name), expressions_[root].type));
    emit(onf::Let{variables.back(), std::nullopt, false});
  }
  std::vector<Range> ranges;
  Statements elsewhere;
  Statements here = aside([&] {
    ranges_.assume(condition);
    for (std::size_t k = 0; k < roots.size(); ++k) {
      Expr found = value(graph, roots[k]);
      ranges.push_back(ranges_.range(found));
      remember(roots[k], of(variables[k]));
      emit(onf::Assign{variables[k], std::move(found)});
      elsewhere.push_back(
          statement(onf::Assign{variables[k], zero_expr(expressions_[roots[k]].type)}));
    }
    forget_lazy();
  });
  emit(onf::If{condition, std::move(here), std::move(elsewhere)});
  std::vector<Expr> made;
  for (std::size_t k = 0; k < roots.size(); ++k) {
    ranges_.define(variables[k], either(ranges[k], Range{0, 0}));
    made.push_back(of(variables[k]));
  }
  return made;
}

void Computation::region(RegionId region) {
  for (ExprId expression : placement_->values(region)) give_name(expression);
}

void Computation::give_name(ExprId expression) {
  const auto lazy = placement_->lazy(expression);
  if (!lazy) {
    Expr value = computed(expression);
    make_simple(value);
    return remember(expression, std::move(value));
  }
  const onf::VariableId variable = new_variable(fresh_name("x"), expressions_[expression].type);
  onf::Lazy made{variable, {}, {}};
  Range range;
  made.body = aside([&] {
    region(*lazy);
    made.value = computed(expression);
    range = ranges_.range(made.value);
  });
  emit(std::move(made));
  ranges_.define(variable, range);
  remember(expression, of(variable));
  lazy_.push_back(expression);
}

bool Computation::divides_safely(ExprId expression) {
  const Node& node = expressions_[expression];
  if (!divides(node)) return false;
  const auto atomic = [this](ExprId operand) { return is_atom(expressions_[operand]); };
  return std::ranges::all_of(node.operands, atomic) && ranges_.not_zero(built(node.operands[1]));
}

Expr Computation::built(ExprId expression) {
  if (const auto found = known_.find(expression); found != known_.end()) return found->second;
  const Node& node = expressions_[expression];
  return is_atom(node) ? atom(node) : computed(expression);
}

Expr Computation::atom(const Node& node) {
  switch (node.kind) {
    case Node::Kind::integer:
      return integer_expr(node.integer);
    case Node::Kind::real:
      return real_expr(node.real, node.type);
    case Node::Kind::boolean:
      return boolean_expr(node.integer != 0);
    case Node::Kind::variable:
      return variables_.at(node.variable);
    default:
      break;
  }
  Expr e = integer_expr(0);
  e.kind = Expr::Kind::length;
  e.view = leaves_[moa::number(node.leaf)];
  e.axis = static_cast<int>(node.axis);
  return e;
}

Expr Computation::computed(ExprId expression) {
  const Node& node = expressions_[expression];
  switch (node.kind) {
    case Node::Kind::load:
      return load(node);
    case Node::Kind::select:
      return choice(expression);
    case Node::Kind::fold:
      return fold(expression);
    default:
      return is_connective(node) ? connective(expression) : apply(node);
  }
}

Expr Computation::load(const Node& node) {
  Expr e;
  e.kind = Expr::Kind::load;
  e.view = leaves_[moa::number(node.leaf)];
  e.type = scalar_type(form_.leaves[moa::number(node.leaf)].element);
  for (ExprId component : node.operands) e.operands.push_back(built(component));
  for (std::size_t axis = 0; axis < e.operands.size(); ++axis) {
    check_index(e.operands[axis], node.leaf, axis);
  }
  if (e.type.scalar == node.type) return e;
  return apply_expr(ScalarFunction::convert, node.type, {std::move(e)});
}

Expr Computation::apply(const Node& node) {
  std::vector<Expr> operands;
  for (ExprId operand : node.operands) operands.push_back(built(operand));
  if (divides(node)) check_divisor(operands[1]);
  const bool from_real = !operands.empty() && (operands[0].type.scalar == Scalar::float32 ||
                                               operands[0].type.scalar == Scalar::float64);
  if (node.function == ScalarFunction::convert && node.type == Scalar::int64 && from_real) {
    check_conversion(operands[0]);
  }
  return apply_expr(node.function, node.type, std::move(operands));
}

// a && b  =>  if a then b else false, where b takes statements
Expr Computation::connective(ExprId expression) {
  const Node& node = expressions_[expression];
  const bool is_and = node.function == ScalarFunction::and_;
  Expr left = built(node.operands[0]);
  Expr right;
  const RegionId branch = placement_->branch(expression, 0);
  Statements body = aside([&] {
    ranges_.assume(left, is_and);
    region(branch);
    right = built(node.operands[1]);
  });
  if (body.empty()) {
    return apply_expr(node.function, Scalar::boolean, {std::move(left), std::move(right)});
  }
  const onf::VariableId result = new_variable(fresh_name("x"), Scalar::boolean);
  const Expr both = apply_expr(node.function, Scalar::boolean, {left, right});
  emit(onf::Let{result, std::nullopt, false});
  body.push_back(statement(onf::Assign{result, std::move(right)}));
  Statements other;
  other.push_back(statement(onf::Assign{result, boolean_expr(!is_and)}));
  if (!is_and) std::swap(body, other);
  emit(onf::If{std::move(left), std::move(body), std::move(other)});
  ranges_.define_truth(result, both);
  return of(result);
}

Expr Computation::choice(ExprId expression) {
  const Node& node = expressions_[expression];
  Expr condition = built(node.operands[0]);
  if (const auto holds = ranges_.decided(condition)) {
    const std::size_t k = *holds ? 0 : 1;
    region(placement_->branch(expression, k));
    return built(node.operands[k + 1]);
  }
  Expr values[2];
  Statements bodies[2];
  Range ranges[2];
  for (std::size_t k = 0; k < 2; ++k) {
    bodies[k] = aside([&] {
      ranges_.assume(condition, k == 0);
      region(placement_->branch(expression, k));
      values[k] = built(node.operands[k + 1]);
      ranges[k] = ranges_.range(values[k]);
    });
  }
  if (bodies[0].empty() && bodies[1].empty()) {
    Expr e;
    e.kind = Expr::Kind::if_;
    e.type = scalar_type(node.type);
    e.operands = {std::move(condition), std::move(values[0]), std::move(values[1])};
    return e;
  }
  const onf::VariableId result = new_variable(fresh_name("x"), node.type);
  emit(onf::Let{result, std::nullopt, false});
  for (std::size_t k = 0; k < 2; ++k) {
    bodies[k].push_back(statement(onf::Assign{result, std::move(values[k])}));
  }
  emit(onf::If{std::move(condition), std::move(bodies[0]), std::move(bodies[1])});
  ranges_.define(result, either(ranges[0], ranges[1]));
  return of(result);
}

Expr Computation::fold(ExprId expression) {
  const Node& node = expressions_[expression];
  Expr count = built(node.operands[0]);
  make_simple(count);
  if (!has_unit(node.function) && ranges_.range(count).low <= 0) {
    check(compare_expr(ScalarFunction::less, integer_expr(0), count),
          "a fold over no elements has no value", "E0614");
  }
  const onf::VariableId index =
      new_variable(fresh_name(expressions_.name(node.variable)), Scalar::int64);
  const onf::VariableId result = new_variable(fresh_name("x"), node.type);
  onf::Fold made{result, index, count, node.function, {}, {}, {}};
  Range range;
  made.body = aside([&] {
    bind(node.variable, index, integer_expr(0), count);
    made.element = fold_element(node, index);
    range = onf::folded(node.function, ranges_.range(count), ranges_.range(made.element));
  });
  emit(std::move(made));
  ranges_.define(result, range);
  return of(result);
}

Expr Computation::fold_element(const Node& node, onf::VariableId index) {
  Expr element = value(*graph_, node.operands[1]);
  if (!divides(node)) return element;
  // The first element is not divided by.
  make_simple(element);
  check(apply_expr(ScalarFunction::or_, Scalar::boolean,
                   {compare_expr(ScalarFunction::equal, of(index), integer_expr(0)),
                    compare_expr(ScalarFunction::not_equal, element, integer_expr(0))}),
        "division by zero", "E0612");
  return element;
}

}  // namespace rhopsi::lower
