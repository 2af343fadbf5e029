// Schedules: xs -> array with element p being element(xs, p)  =>  a loop nest.
#include "engine/lower/body.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::lower {

using Kind = Representation::Kind;

// The required operation that takes the schedule's arguments and then only indices.
const Callable* Body::element_of(const Callable& schedule) {
  const auto& wanted = store()[schedule.symbol].parameters;
  for (const auto& operation : schedule.external->block->operations) {
    if (!operation.required) continue;
    const term::Symbol& symbol = store()[operation.symbol];
    if (symbol.parameters.size() <= wanted.size()) continue;
    if (!std::equal(wanted.begin(), wanted.end(), symbol.parameters.begin())) continue;
    const Callable* found = context_.program.find(operation.symbol);
    if (found != nullptr && found->body) return found;
  }
  return nullptr;
}

void Body::bind_arguments(const Callable& element, const std::vector<Expr>& arguments) {
  for (std::size_t k = 0; k < arguments.size() && k < element.parameters.size(); ++k) {
    const SymbolId parameter = element.parameters[k];
    const Expr& given = arguments[k];
    if (given.kind == Expr::Kind::view) {
      meanings_[parameter] = given.view;
    } else if (given.kind == Expr::Kind::make_index) {
      Expr bound = given;
      for (Expr& component : bound.operands) component = atom(std::move(component), "i");
      meanings_[parameter] = std::move(bound);
    } else {
      meanings_[parameter] = atom(given, store()[parameter].name);
    }
  }
}

namespace {

std::string axis_name(std::size_t axis) {
  static const std::string letters = "ijklmn";
  return axis < letters.size() ? std::string(1, letters[axis]) : "i" + std::to_string(axis);
}

}  // namespace

// Index variables are named as the element's parameters where the two agree in kind.
void Body::bind_indices(onf::Nest& nest, const Callable& element, std::size_t first) {
  const auto rank = static_cast<std::size_t>(context_.options.rank);
  const std::size_t given = element.parameters.size() - first;
  const Representation kind =
      context_.represent(store()[element.parameters[first]].result, element.location);
  const bool by_index = kind.kind == Kind::index;
  if (given != (by_index ? 1 : rank)) {
    context_.report("E0509",
                    "the element operation " + store()[element.symbol].name + " takes " +
                        std::to_string(given) + " indices, but the arrays have rank " +
                        std::to_string(rank),
                    "lower with that rank", element.location);
    return;
  }
  if (nest.binding == onf::Binding::flat) {
    const std::string name = by_index ? store()[element.parameters[first]].name : "ix";
    nest.indices = {new_variable(name, index_type, element.location)};
    if (by_index) {
      meanings_[element.parameters[first]] = nest.indices[0];
      return;
    }
    for (std::size_t axis = 0; axis < rank; ++axis) {
      Expr component = made(Expr::Kind::component, int64_type, element.location);
      component.axis = static_cast<int>(axis);
      component.operands = {of(nest.indices[0], element.location)};
      meanings_[element.parameters[first + axis]] = std::move(component);
    }
    return;
  }
  Expr whole = made(Expr::Kind::make_index, index_type, element.location);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::string name =
        by_index ? axis_name(axis) : store()[element.parameters[first + axis]].name;
    nest.indices.push_back(new_variable(name, int64_type, element.location));
    whole.operands.push_back(of(nest.indices.back(), element.location));
    if (!by_index) meanings_[element.parameters[first + axis]] = nest.indices.back();
  }
  if (by_index) meanings_[element.parameters[first]] = std::move(whole);
}

ArrayValue Body::schedule(const onf::Primitive& primitive, const Callable& callable, TermId term,
                          const std::string& name) {
  const LocationId location = store().location(term);
  const std::string called = store()[callable.symbol].name;
  const onf::Scalar type = context_.represent(store().sort(term), location).scalar;
  const Callable* element = element_of(callable);
  if (element == nullptr) {
    context_.report(
        "E0507",
        "the schedule " + called +
            " has no element operation with a body that takes its arguments and indices",
        "require one in its external block and define it in the program", location);
    return {new_view(name, type, location), true};
  }
  const std::vector<Expr> given = arguments(children(term));
  bind_arguments(*element, given);
  const onf::ViewId target = new_view(name, type, location);
  const std::string label = function().name + ": " + name + " = " + called + "(...)";
  onf::Nest nest;
  nest.label = label;
  nest.binding = primitive.nested ? onf::Binding::nested : onf::Binding::flat;
  nest.padded = primitive.padded;
  nest.target = target;

  onf::Statements before;
  nest_floor_ = static_cast<std::uint32_t>(function().variables.size());
  hoisted_.clear();
  bind_indices(nest, *element, given.size());
  before_nest_ = &before;
  inlining_.push_back(element->symbol);
  if (!context_.failed()) {
    nest.body = collected([&] {
      check_guard(*element, {}, location);
      nest.element = scalar(*element->body);
    });
  }
  inlining_.pop_back();
  before_nest_ = nullptr;

  // Other nests may use the names of these indices again.
  for (onf::VariableId index : nest.indices) {
    names_.erase(function().variables[onf::number(index)].name);
  }
  for (onf::Statement& statement : before) statements_->push_back(std::move(statement));
  emit(onf::Allocate{target}, location);
  emit(std::move(nest), location);
  // Only a padded schedule may leave its result with stale pads.
  if (!primitive.padded && context_.module.pad > 0) emit(onf::Refill{target}, location);
  return {target, true};
}

}  // namespace rhopsi::lower
