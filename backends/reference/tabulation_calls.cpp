#include <algorithm>

#include <fmt/format.h>

#include "backends/io/memory.hpp"
#include "backends/reference/arrays.hpp"
#include "backends/reference/tabulation.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::reference {

namespace {

// Memory is taken as elements are computed, so that an array that is too large for it ends in an
// error when it really is.
void append(Elements& elements, const Value& value) {
  std::visit(
      [&](auto& data) {
        using T = typename std::decay_t<decltype(data)>::value_type;
        if constexpr (std::is_same_v<T, std::uint8_t>) {
          data.push_back(std::get<bool>(value) ? 1 : 0);
        } else {
          data.push_back(std::get<T>(value));
        }
      },
      elements);
}

}  // namespace

using Form = onf::Representation::Kind;

std::string Tabulation::name(const Instance& instance) const {
  return store_[instance.operation->callable->symbol].name;
}

std::vector<Value> Tabulation::values(const Node& node, Frame& frame) {
  std::vector<Value> values;
  values.reserve(node.operands.size());
  for (NodeId operand : node.operands) values.push_back(run(operand, frame));
  return values;
}

Value Tabulation::statements(const Node& node, Frame& frame) {
  ProgramContext::Variables variables;
  std::vector<Value> read = values(node, frame);
  for (std::size_t i = 0; i < read.size(); ++i) {
    variables.emplace(node.reads[i], std::move(read[i]));
  }
  return context_->value_of_block(node.term, std::move(variables));
}

Value Tabulation::call(InstanceId id, std::vector<Value> inner) {
  const Instance& instance = typing_[id];
  const bool arrays =
      instance.result.form == Form::array ||
      std::ranges::any_of(inner, [](const Value& v) { return std::holds_alternative<Array>(v); });
  const std::size_t arguments = inner.size();
  const auto number = static_cast<std::uint32_t>(id);
  // What is computed from whole arrays is not computed again for each element.
  if (arrays) {
    if (const Value* known = calls_.find(number, inner)) return *known;
  }
  if (depth_ >= limits_.depth) {
    fail(codes::depth, fmt::format("Calls nest more than {} deep, the last of them of {}.",
                                   limits_.depth, name(instance)));
  }
  ++depth_;
  inner.resize(instance.slots);
  Value value = invoke(instance, inner);
  --depth_;
  if (arrays) {
    inner.resize(arguments);
    calls_.keep(number, std::move(inner), value);
  }
  return value;
}

void Tabulation::check_guard(const term::Callable& callable, NodeId guard, Frame& frame) {
  if (!truth(guard, frame)) fail(codes::guard, violation(callable, guard, frame));
}

Value Tabulation::invoke(const Instance& instance, Frame& frame) {
  if (instance.guard) check_guard(*instance.operation->callable, *instance.guard, frame);
  if (!instance.equations.empty()) {
    return run(chosen(instance.equations, instance, {}, frame).value, frame);
  }
  if (instance.result.form == Form::array) return tabulate(instance, frame);
  fail(codes::no_meaning, fmt::format("no rule for {}", name(instance)));
}

// The first clause whose condition holds. `observer` is what the clauses are about, if not the
// operation itself.
const TypedClause& Tabulation::chosen(const std::vector<TypedClause>& clauses,
                                      const Instance& instance, const std::string& observer,
                                      Frame& frame) {
  for (const TypedClause& clause : clauses) {
    if (!clause.condition || truth(*clause.condition, frame)) return clause;
  }
  const std::string call =
      observer.empty() ? name(instance) : fmt::format("{}({})", observer, name(instance));
  fail(codes::no_meaning, fmt::format("no rule for {}{}", call,
                                      clauses.empty() ? "" : ": the conditions of all fail"));
}

Index Tabulation::shape_of(const Instance& instance, Frame& frame) {
  const TypedClause& clause = chosen(instance.shapes, instance, axioms_.shape_name(), frame);
  return std::get<Index>(run(clause.value, frame));
}

std::size_t Tabulation::count_elements(std::span<const std::int64_t> shape) const {
  const std::size_t count = reference::count_elements(shape);
  // Room for elements of the widest type.
  const bool fits = count <= static_cast<std::size_t>(limits_.elements) &&
                    io::has_room_for(count * sizeof(double));
  if (fits) return count;
  fail(codes::size,
       fmt::format("An array of shape {} is too large.", shape_text({shape.begin(), shape.end()})));
}

Value Tabulation::tabulate(const Instance& instance, Frame& frame) {
  const Index shape = shape_of(instance, frame);
  if (instance.elements.empty()) {
    reference::count_elements(shape);  // lengths may be wrong
    return make_shape_only(
        shape, instance.result.scalar,
        fmt::format("no rule for {}({})", axioms_.element_name(), name(instance)));
  }
  const std::size_t depth = depth_, loops = loops_;
  const term::LocationId place = watch_.place();
  try {
    return tabulate(instance, shape, frame);
  } catch (const MissingElement& missing) {
    // It is no error before somebody asks for this array's elements.
    depth_ = depth;
    loops_ = loops;
    watch_.leave(place);
    return make_shape_only(shape, instance.result.scalar, missing.message);
  }
}

Value Tabulation::tabulate(const Instance& instance, const Index& shape, Frame& frame) {
  const std::size_t count = count_elements(shape);
  Elements elements = make_elements(instance.result.scalar, 0);
  std::visit([&](auto& data) { data.reserve(count); }, elements);
  const std::size_t slot = instance.arguments.size();
  ++loops_;
  for_each_index(shape, [&](const Index& index, std::size_t) {
    frame[slot] = index;
    const TypedClause& clause = chosen(instance.elements, instance, axioms_.element_name(), frame);
    append(elements, run(clause.value, frame));
  });
  --loops_;
  return make_array(shape, std::move(elements));
}

}  // namespace rhopsi::reference
