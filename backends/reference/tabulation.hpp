// The values of typed nodes. Arrays are computed in full, element by element.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/reference/definitions.hpp"
#include "backends/reference/typing.hpp"

namespace rhopsi::reference {

// Everything throws Failure.
class Tabulation {
 public:
  using Frame = std::vector<Value>;

  Tabulation(const Typing& typing, const term::Store& store, const DefinitionLimits& limits,
             Watch& watch)
      : typing_(typing), store_(store), limits_(limits), watch_(watch) {}

  // Forgets what an earlier evaluation has left.
  void start();
  Value run(NodeId id, Frame& frame);

 private:
  // tabulation.cpp
  const Value& operand(const Node& node, std::size_t i, Frame& frame, Value& scratch);
  Value compute(const Node& node, NodeId id, Frame& frame);
  bool truth(NodeId id, Frame& frame);
  std::int64_t integer(NodeId id, Frame& frame);
  Value apply(const Node& node, Frame& frame);
  Value fold(const Node& node, Frame& frame);
  Value component(const Node& node, Frame& frame);
  Value vector(const Node& node, Frame& frame);
  Value build(const Node& node, Frame& frame);
  Value sequence(const Node& node, Frame& frame);
  // Calls `use` for each value of the node's bound variable until it returns false.
  void each_index(const Node& node, Frame& frame, const std::function<bool(const Index&)>& use);
  Index bounds(const Node& node, Frame& frame);

  // tabulation_calls.cpp
  Value call(NodeId id, Frame& frame);
  Value invoke(const Instance& instance, Frame& frame);
  Value tabulate(const Instance& instance, Frame& frame);
  const TypedClause& chosen(const std::vector<TypedClause>& clauses, const Instance& instance,
                            const char* observer, Frame& frame);
  Index shape_of(const Instance& instance, Frame& frame);
  std::size_t count_elements(std::span<const std::int64_t> shape) const;
  std::string name(const Instance& instance) const;
  const Value* remembered(NodeId id, std::span<const Value> arguments) const;
  void remember(NodeId id, std::span<const Value> arguments, const Value& value);

  // violation.cpp
  std::string violation(const Instance& instance, Frame& frame);
  NodeId failing(NodeId condition, std::optional<std::size_t>& loop, Frame& frame);
  NodeId telling(NodeId condition) const;
  bool compares_lengths(NodeId condition) const;
  std::string numbers(NodeId condition, Frame& frame);

  struct Call {
    std::vector<Value> arguments;
    Value value;
  };

  const Typing& typing_;
  const term::Store& store_;
  const DefinitionLimits limits_;
  Watch& watch_;
  std::size_t depth_ = 0;  // of calls
  std::unordered_map<NodeId, std::vector<Call>> calls_;
};

}  // namespace rhopsi::reference
