#include <fmt/format.h>

#include "backends/reference/arrays.hpp"
#include "backends/reference/tabulation.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::reference {

using Form = onf::Representation::Kind;

std::string Tabulation::name(const Instance& instance) const {
  return store_[instance.operation->callable->symbol].name;
}

Value Tabulation::call(const Node& node, Frame& frame) {
  const Instance& instance = typing_[node.instance];
  Frame inner;
  inner.reserve(instance.slots);
  bool arrays = node.type.form == Form::array;
  for (NodeId operand : node.operands) {
    inner.push_back(run(operand, frame));
    arrays = arrays || std::holds_alternative<Array>(inner.back());
  }
  const std::size_t arguments = inner.size();
  // What is computed from whole arrays is not computed again for each element.
  if (arrays) {
    if (const Value* known = calls_.find(node.instance, inner)) return *known;
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
    calls_.keep(node.instance, std::move(inner), value);
  }
  return value;
}

Value Tabulation::invoke(const Instance& instance, Frame& frame) {
  if (instance.guard && !truth(*instance.guard, frame)) {
    fail(codes::guard, violation(instance, frame));
  }
  if (!instance.equations.empty()) {
    return run(chosen(instance.equations, instance, nullptr, frame).value, frame);
  }
  if (instance.result.form == Form::array) return tabulate(instance, frame);
  fail(codes::no_meaning, fmt::format("no rule for {}", name(instance)));
}

// The first clause whose condition holds. `observer` is what the clauses are about, if not the
// operation itself.
const TypedClause& Tabulation::chosen(const std::vector<TypedClause>& clauses,
                                      const Instance& instance, const char* observer,
                                      Frame& frame) {
  for (const TypedClause& clause : clauses) {
    if (!clause.condition || truth(*clause.condition, frame)) return clause;
  }
  const std::string call =
      observer == nullptr ? name(instance) : fmt::format("{}({})", observer, name(instance));
  fail(codes::no_meaning, fmt::format("no rule for {}{}", call,
                                      clauses.empty() ? "" : ": the conditions of all fail"));
}

Index Tabulation::shape_of(const Instance& instance, Frame& frame) {
  const TypedClause& clause = chosen(instance.shapes, instance, "shape", frame);
  return std::get<Index>(run(clause.value, frame));
}

std::size_t Tabulation::count_elements(std::span<const std::int64_t> shape) const {
  const std::size_t count = reference::count_elements(shape);
  if (count <= static_cast<std::size_t>(limits_.elements)) return count;
  fail(codes::size,
       fmt::format("An array of shape {} is too large.", shape_text({shape.begin(), shape.end()})));
}

Value Tabulation::tabulate(const Instance& instance, Frame& frame) {
  const Index shape = shape_of(instance, frame);
  if (instance.elements.empty()) {
    fail(codes::no_meaning, fmt::format("no rule for psi({})", name(instance)));
  }
  const std::size_t count = count_elements(shape);
  Elements elements = make_elements(instance.result.scalar, count);
  const std::size_t slot = instance.arguments.size();
  for_each_index(shape, [&](const Index& index, std::size_t position) {
    frame[slot] = index;
    const TypedClause& clause = chosen(instance.elements, instance, "psi", frame);
    set_element(elements, position, run(clause.value, frame));
  });
  return make_array(shape, std::move(elements));
}

}  // namespace rhopsi::reference
