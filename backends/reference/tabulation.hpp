// The values of typed nodes. Arrays are computed in full, element by element.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/reference/definitions.hpp"
#include "backends/reference/known_values.hpp"
#include "backends/reference/numbers.hpp"
#include "backends/reference/program_context.hpp"
#include "backends/reference/typing.hpp"

namespace rhopsi::reference {

// Everything throws Failure.
class Tabulation {
 public:
  using Frame = std::vector<Value>;

  Tabulation(const Typing& typing, const Axioms& axioms, const DefinitionLimits& limits,
             Watch& watch, ProgramContext* context = nullptr)
      : typing_(typing),
        axioms_(axioms),
        store_(axioms.store()),
        limits_(limits),
        watch_(watch),
        context_(context) {}

  // Forgets what an earlier evaluation has left.
  void start();
  Value run(NodeId id, Frame& frame);
  // The operation of these arguments.
  Value call(InstanceId id, std::vector<Value> arguments);
  // The condition of an operation on the arguments that the frame begins with.
  void check_guard(const term::Callable& callable, NodeId guard, Frame& frame);
  // Forgets the known values, unless it stands in a loop over elements, which may need them again.
  void finish();

 private:
  // tabulation.cpp
  const Value& operand(const Node& node, std::size_t i, Frame& frame, Value& scratch);
  Value compute(NodeId id, const Node& node, Frame& frame);
  bool truth(NodeId id, Frame& frame);
  std::int64_t integer(NodeId id, Frame& frame);
  Value apply(const Node& node, Frame& frame);
  Value apply_widely(const Node& node, Frame& frame);
  Wide wide(NodeId id, Frame& frame);
  Value fold(const Node& node, Frame& frame);
  bool is_product_of_nothing(const Node& node, std::int64_t count, Frame& frame);
  Value element(const Node& node, Frame& frame);
  Value component(const Node& node, Frame& frame);
  Value vector(const Node& node, Frame& frame);
  Value build(NodeId id, const Node& node, Frame& frame);
  Value build(const Node& node, Frame& frame);
  Value sequence(const Node& node, Frame& frame);
  void check_assertion(const Node& statement, Frame& frame);
  // Calls `use` for each value of the node's bound variable until it returns false.
  void each_index(const Node& node, Frame& frame, const std::function<bool(const Index&)>& use);
  Index bounds(const Node& node, Frame& frame);

  // tabulation_calls.cpp
  std::vector<Value> values(const Node& node, Frame& frame);
  Value statements(const Node& node, Frame& frame);
  Value invoke(const Instance& instance, Frame& frame);
  Value tabulate(const Instance& instance, Frame& frame);
  Value tabulate(const Instance& instance, const Index& shape, Frame& frame);
  const TypedClause& chosen(const std::vector<TypedClause>& clauses, const Instance& instance,
                            const std::string& observer, Frame& frame);
  Index shape_of(const Instance& instance, Frame& frame);
  std::size_t count_elements(std::span<const std::int64_t> shape) const;
  std::string name(const Instance& instance) const;
  // violation.cpp
  std::string violation(const term::Callable& callable, NodeId guard, Frame& frame);
  NodeId failing(NodeId condition, Frame& frame, const Node*& counter);
  bool is_shape(NodeId id) const;
  struct Extent {
    term::TermId array;
    std::int64_t axis;
    bool counted;  // the axis is the index of a condition on all axes
  };
  std::optional<Extent> extent_of(NodeId id, const term::Callable& callable, Frame& frame);
  std::optional<std::string> compared_extents(const Node& comparison,
                                              const term::Callable& callable, Frame& frame);

  const Typing& typing_;
  const Axioms& axioms_;
  const term::Store& store_;
  const DefinitionLimits limits_;
  Watch& watch_;
  ProgramContext* context_;
  std::size_t depth_ = 0;  // of calls
  std::size_t loops_ = 0;  // over elements
  KnownValues calls_;      // by instance
  KnownValues arrays_;     // by node
};

}  // namespace rhopsi::reference
