#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "backends/primitives/primitives.hpp"
#include "backends/reference/arrays.hpp"
#include "backends/reference/failure.hpp"
#include "backends/reference/machine.hpp"
#include "backends/reference/scalars.hpp"

namespace rhopsi::reference {

using onf::Primitive;
using onf::Representation;
using term::Callable;
using term::SymbolId;

namespace {

std::int64_t as_integer(const Value& value) {
  return std::get<std::int64_t>(convert(value, onf::Scalar::int64));
}

}  // namespace

const Primitive& Machine::primitive(const Callable& callable) {
  const auto known = primitives_.find(callable.symbol);
  if (known != primitives_.end()) return known->second;
  const term::ExternalBlock& block = *callable.external->block;
  if (!table_.closed(block.backend)) {
    fail(codes::foreign,
         fmt::format("{} is the external `{} {}`, which this evaluator cannot run: use the backend "
                     "kokkos, which compiles it.",
                     name(callable.symbol), block.backend, block.path));
  }
  for (term::SortId sort : store_[callable.symbol].parameters) representation(sort);
  auto found = onf::primitive_of(store_, program_, callable, table_);
  if (!found) {
    fail(codes::primitive,
         fmt::format("{} does not fit what `{} {}` provides as `{}`.", name(callable.symbol),
                     block.backend, block.path, callable.external->original));
  }
  return primitives_.emplace(callable.symbol, std::move(*found)).first->second;
}

std::optional<Value> Machine::run_external(const Callable& callable,
                                           std::vector<Value>& arguments) {
  const Primitive& found = primitive(callable);
  switch (found.kind) {
    case Primitive::Kind::scalar:
      if (found.function == onf::ScalarFunction::convert) {
        return convert(arguments[0], scalar_of_sort(store_[callable.symbol].result));
      }
      return builtin_value(found.function, arguments);
    case Primitive::Kind::index:
      return run_index(found, arguments);
    case Primitive::Kind::extent:
      return extent(found.axis);
    case Primitive::Kind::load:
      return run_load(arguments);
    case Primitive::Kind::shape:
      return Index(std::get<Array>(arguments[0]).shape);
    case Primitive::Kind::length:
      return static_cast<std::int64_t>(std::get<Index>(arguments[0]).size());
    case Primitive::Kind::component:
      return run_component(arguments);
    case Primitive::Kind::pointwise:
      return pointwise(found.function, arguments,
                       representation(store_[callable.symbol].result).scalar);
    case Primitive::Kind::whole_array:
      if (found.spelling != "rotate") break;
      return rotate(std::get<Array>(arguments[0]), as_integer(arguments[1]),
                    as_integer(arguments[2]));
    case Primitive::Kind::mutate:
      if (!found.refills) break;
      std::get<Array>(arguments[0]).fresh = true;
      return std::nullopt;
    case Primitive::Kind::schedule:
      return run_schedule(callable, arguments);
    case Primitive::Kind::parameter:
      return parameter(callable);
    case Primitive::Kind::granted:
      return true;
    case Primitive::Kind::width:
      fail(codes::no_meaning,
           fmt::format("{} has a number in a program alone.", name(callable.symbol)));
  }
  fail(codes::internal, fmt::format("{} is not known to the evaluator.", name(callable.symbol)));
}

Value Machine::value_of_external(const Callable& callable, std::vector<Value> arguments) {
  return run_external(callable, arguments).value();
}

bool Machine::inside(const Index& index) const {
  if (index.size() != options_.domain.size()) return false;
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    if (index[axis] < 0 || index[axis] >= options_.domain[axis]) return false;
  }
  return true;
}

namespace {

std::int64_t component(const Index& index, std::int64_t axis) {
  if (axis >= 0 && axis < static_cast<std::int64_t>(index.size())) {
    return index[static_cast<std::size_t>(axis)];
  }
  fail(codes::index_range,
       fmt::format("An index of {} components has no component {}.", index.size(), axis));
}

}  // namespace

Value Machine::run_component(std::span<const Value> arguments) {
  return component(std::get<Index>(arguments[0]), as_integer(arguments[1]));
}

Value Machine::run_index(const Primitive& found, std::span<const Value> arguments) {
  if (found.spelling == "make_index") {
    Index index;
    for (const Value& component : arguments) index.push_back(as_integer(component));
    return index;
  }
  const Index& index = std::get<Index>(arguments[0]);
  if (found.spelling == "inside") return inside(index);
  if (found.spelling == "component") return component(index, found.axis);
  const bool wraps = found.spelling == "rotate_index";
  if (wraps || found.spelling == "shift_index") {
    return rotate_index(index, options_.domain, as_integer(arguments[1]), as_integer(arguments[2]),
                        wraps);
  }
  fail(codes::internal, fmt::format("`{}` is not known to the evaluator.", found.spelling));
}

Value Machine::extent(int axis) const {
  if (static_cast<std::size_t>(axis) < options_.domain.size()) {
    return options_.domain[static_cast<std::size_t>(axis)];
  }
  fail(codes::index_range,
       fmt::format("The domain {} has no axis {}.", shape_text(options_.domain), axis));
}

Value Machine::run_load(std::span<const Value> arguments) {
  const Array& array = std::get<Array>(arguments.back());
  if (const Index* index = std::get_if<Index>(&arguments[0])) return load(array, *index, padding());
  Index index;
  for (const Value& component : arguments.first(arguments.size() - 1)) {
    index.push_back(as_integer(component));
  }
  return load(array, index, padding());
}

// The padding of what a loop has written is stale, if there is any.
Value Machine::built_array(std::vector<std::int64_t> shape, Elements elements) {
  Array array = make_array(std::move(shape), std::move(elements));
  array.fresh = padding() == 0;
  return array;
}

Value Machine::run_schedule(const Callable& callable, std::span<const Value> arguments) {
  const term::ExternalBlock& block = *callable.external->block;
  const auto element = primitives::element_of(store_, block, callable.symbol);
  if (!element) {
    fail(codes::primitive,
         fmt::format("`{} {}` has no required operation `element` with the arguments of {}.",
                     block.backend, block.path, name(callable.symbol)));
  }
  const onf::Scalar type = representation(store_[callable.symbol].result).scalar;
  const term::SortId last = store_[*element].parameters.back();
  const bool components = representation(last).kind == Representation::Kind::scalar;
  const std::size_t indices = store_[*element].parameters.size() - arguments.size();
  if (components && indices != options_.domain.size()) {
    fail(codes::shapes,
         fmt::format("{} takes {} components; the domain {} has {} axes.", name(*element), indices,
                     shape_text(options_.domain), options_.domain.size()));
  }
  Elements elements = make_elements(type, count_elements(options_.domain));
  ++loop_depth_;
  for_each_index(options_.domain, [&](const Index& index, std::size_t position) {
    std::vector<Value> all(arguments.begin(), arguments.end());
    if (components) {
      all.insert(all.end(), index.begin(), index.end());
    } else {
      all.emplace_back(index);
    }
    set_element(elements, position, apply_symbol(*element, std::move(all)));
  });
  if (--loop_depth_ == 0) memo_.clear();
  return built_array(options_.domain, std::move(elements));
}

}  // namespace rhopsi::reference
