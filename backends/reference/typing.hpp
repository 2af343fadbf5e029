// From terms to nodes in which every type is known, so that they can be evaluated: sorts whose
// numbers promote get their types from the values of the variables, calls the clauses of the
// called operation for the types of the arguments. Every other sort has one type.
#pragma once

#include <compare>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backends/reference/axioms.hpp"
#include "backends/reference/program_context.hpp"
#include "backends/reference/value.hpp"
#include "backends/reference/watch.hpp"

namespace rhopsi::reference {

struct Type {
  onf::Representation::Kind form = onf::Representation::Kind::scalar;
  onf::Scalar scalar = onf::Scalar::boolean;  // of an array: of its elements

  friend auto operator<=>(const Type&, const Type&) = default;
};

inline constexpr Type integer_type{onf::Representation::Kind::scalar, onf::Scalar::int64};
inline constexpr Type index_type{onf::Representation::Kind::index, onf::Scalar::int64};

enum class NodeId : std::uint32_t {};
enum class InstanceId : std::uint32_t {};

struct Node {
  enum class Kind {
    constant,    // `constant`
    variable,    // of the slot
    convert,     // operand 0 in the node's type
    apply,       // `function` of scalars
    same,        // operands 0 and 1, indices or arrays, are equal (not_equal: differ)
    choose,      // operand 1 if operand 0 holds, else operand 2
    fold,        // operand 0: count, 1: element in `slot`, 2: of the values in `slot` + 1 (so far)
                 // and + 2 (next); `unit` where the count is 0
    all,         // operand 1 holds for all values of `slot` in [0, operand 0)
    build,       // the index vector or array of operand 1 for `slot` in [0, operand 0)
    vector,      // the index vector, or the array, of the operands
    shape,       // of array 0, as an index
    length,      // of index 0
    component,   // of index 0 at 1
    element,     // at index 0 of array 1
    sequence,    // the operands in order; the value is that of the last
    set,         // `slot` = operand 0
    assertion,   // that operand 0 holds
    call,        // of `instance`
    statements,  // the block `term`, whose variables `reads` have the values of the operands
    external,    // the external operation `callable` of the operands
  };
  Kind kind = Kind::constant;
  Type type;
  onf::ScalarFunction function{};
  std::size_t slot = 0;
  InstanceId instance{};
  std::vector<NodeId> operands{};
  std::optional<Value> constant{};  // fold: the unit, if there is one
  bool by_index = false;            // all, build: the slot holds an index, not a component of one
  std::vector<term::SymbolId> reads{};
  std::vector<std::size_t> free_slots{};  // build: those that the array depends on
  const term::Callable* callable = nullptr;
  term::TermId term{};
  bool exact = false;  // apply: of integers that are no elements, which do not wrap
  bool wide = false;   // apply: the same on the way to an element, where only results have to fit
};

struct TypedClause {
  std::optional<NodeId> condition;
  NodeId value{};
};

// An operation for arguments of these types. A frame has its arguments in the first slots, then
// the index of an element.
struct Instance {
  const Operation* operation = nullptr;
  std::vector<Type> arguments;
  Type result;
  std::optional<NodeId> guard{};
  std::vector<TypedClause> shapes{};
  std::vector<TypedClause> elements{};
  std::vector<TypedClause> equations{};
  std::size_t slots = 0;
  bool complete = false;
  bool assumed = false;  // its result's type was needed before it was known
};

// Which slot a variable has, and of which type it is.
struct Scope {
  std::unordered_map<term::SymbolId, std::pair<std::size_t, Type>> variables;
  std::size_t slots = 0;

  std::size_t add(term::SymbolId variable, Type type) {
    variables.insert_or_assign(variable, std::pair{slots, type});
    return slots++;
  }
};

// Everything throws Failure.
class Typing {
 public:
  // Without a context there are no statements and no externals but those that nodes stand for.
  Typing(Axioms& axioms, Watch& watch, ProgramContext* context = nullptr)
      : axioms_(axioms), store_(axioms.store()), watch_(watch), context_(context) {}

  NodeId node(term::TermId term, Scope& scope);

  const Node& operator[](NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  const Instance& operator[](InstanceId id) const {
    return instances_[static_cast<std::size_t>(id)];
  }
  std::size_t node_count() const { return nodes_.size(); }

  // After a failure: operations that are typed in part are typed again when they are next needed.
  void forget_incomplete();

  // The operation for arguments of these types.
  InstanceId instance(term::SymbolId symbol, const std::vector<Type>& arguments);

  // The type of a value of a sort, where `value` is given for it.
  Type type_of_value(const Value& value, term::SortId sort);
  // The one type of a sort's values. Of one that promotes, the type that holds them all.
  Type type_of_sort(term::SortId sort);

 private:
  // typing.cpp
  NodeId add(Node node);
  NodeId variable(std::size_t slot, Type type, term::TermId term = {});
  NodeId in_type(NodeId id, Type type);
  // In the sort's own type, if it has one.
  NodeId in_sort(NodeId id, term::SortId sort);
  NodeId truth(term::TermId term, Scope& scope);
  NodeId integer(term::TermId term, Scope& scope);
  NodeId compute(term::TermId term, Scope& scope);
  NodeId read(term::SymbolId variable, const Scope& scope, term::TermId term);
  NodeId literal(term::TermId term);
  NodeId control(term::TermId term, Scope& scope);
  NodeId choose(NodeId condition, NodeId then, NodeId otherwise, term::TermId term);
  NodeId fold(term::TermId term, Scope& scope);
  NodeId forall(term::TermId term, Scope& scope);
  NodeId vector(term::TermId term, Scope& scope);
  std::optional<Value> unit(term::SymbolId operation, onf::Scalar type) const;
  std::optional<onf::ScalarFunction> scalar_function(term::SymbolId operation) const;

  // typing_blocks.cpp
  NodeId block(term::TermId term, Scope& scope);
  NodeId sequence(term::TermId term, Scope& scope);
  NodeId statements(term::TermId term, const Scope& scope);

  // typing_calls.cpp
  NodeId call(term::SymbolId symbol, std::vector<NodeId> operands, term::TermId term);
  NodeId apply(onf::ScalarFunction function, std::vector<NodeId> operands, Type result,
               bool promotes, term::TermId term);
  NodeId external(const onf::Primitive& primitive, term::SymbolId symbol,
                  std::vector<NodeId> operands, term::TermId term);
  [[noreturn]] NodeId no_expression(term::SymbolId symbol) const;
  NodeId left_to_context(const term::Callable& callable, std::vector<NodeId> operands,
                         term::TermId term);
  NodeId element(std::vector<NodeId> operands, term::TermId term);
  void fill(InstanceId id);
  void forget_from(std::size_t first);
  TypedClause clause(const Clause& clause, const std::vector<Type>& arguments, std::size_t& slots,
                     bool of_element = false);
  void settle(std::vector<TypedClause>& clauses, Type type);
  std::string name(term::SymbolId symbol) const;

  using Key = std::pair<term::SymbolId, std::vector<Type>>;

  Axioms& axioms_;
  const term::Store& store_;
  Watch& watch_;
  ProgramContext* context_;
  bool in_element_ = false;  // what is typed computes an element of an array
  // While a node is computed, statements in it may bring new ones: nothing may move.
  std::deque<Node> nodes_;
  std::deque<Instance> instances_;
  std::map<Key, InstanceId> known_;
};

// The type that holds values of both; they have the same form.
Type joined(Type left, Type right);

std::string describe(Type type);

}  // namespace rhopsi::reference
