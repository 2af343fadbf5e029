// Overload resolution: every sort that an expression can have, at what cost, and the
// term that one of them stands for.
//
// An expression is entered bottom-up, one node per subexpression. A node keeps one
// reading per possible sort; the cost of a reading is the number of literals in it
// that do not take their usual sort (Int, Real, Index), and of equations of a sort that
// has a `==` of its own: these readings are taken where nothing else decides. A reading
// that can be had in two ways at the same cost is ambiguous. Once the sort of the root
// is known, `build` walks down and chooses.
//
// Nothing here recurses over the depth of an expression.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/term/store.hpp"
#include "frontend/elaborate/scope.hpp"
#include "frontend/syntax/ast.hpp"

namespace rhopsi::elaborate {

using NodeId = std::uint32_t;

// The symbol is the callee, the variable or the literal; 0 for constructs.
struct Reading {
  term::SortId sort;
  term::SymbolId symbol{};
  std::uint32_t cost = 0;
  bool ambiguous = false;
};

// The best reading of a node among those asked for.
struct Choice {
  enum class Answer { none, one, several };
  Answer answer = Answer::none;
  term::SortId sort{};
};

// Where an ambiguity comes from: the node, and what it could be.
struct Ambiguity {
  NodeId node;
  std::vector<Reading> candidates;
};

// What the spelling of a literal says. `text` is as written, with a leading `-`
// for a folded prefix minus.
struct LiteralText {
  std::string text;
  bool real = false;
};

class Readings {
 public:
  // `scope` must outlive this.
  explicit Readings(const Scope& scope) : scope_(scope), store_(scope.store()) {}

  // --- entering expressions. `source` (may be null) is kept for messages and places.
  NodeId variable(term::SymbolId variable, const syntax::Expr* source);
  NodeId literal(const LiteralText& literal, const syntax::Expr* source);
  // A prefix minus on a literal: on sorts that declare no `-_` it is folded.
  NodeId negated_literal(const LiteralText& literal, NodeId argument, const syntax::Expr* source);
  NodeId vector(std::vector<term::TermId> components, const syntax::Expr* source);
  // `callee` must outlive this.
  NodeId call(std::string_view callee, std::vector<NodeId> arguments, const syntax::Expr* source);
  NodeId if_(NodeId condition, NodeId then_branch, NodeId else_branch, const syntax::Expr* source);
  // A value block: the statements before `value`, what they declare, the value.
  NodeId block(std::vector<term::TermId> statements, std::vector<term::SymbolId> declared,
               NodeId value, const syntax::Expr* source, const syntax::Expr* value_source);
  NodeId fold(std::string_view operation, term::SymbolId index, term::TermId count, NodeId element,
              const syntax::Expr* source);
  NodeId forall(term::SymbolId index, term::TermId shape, NodeId element,
                const syntax::Expr* source);
  // An expression with an error that was reported; whatever holds it is broken too.
  NodeId broken(const syntax::Expr* source);

  // Keeps the reading of that sort only: a cast.
  void restrict_to(NodeId node, term::SortId sort);
  // Leaves out readings as arrays and real numbers, if others are left.
  void prefer_integers(NodeId node);
  // Computes a call's readings again after its arguments were restricted.
  void refresh(NodeId node);

  // --- asking
  bool is_broken(NodeId node) const { return nodes_[node].broken; }
  const std::vector<Reading>& of(NodeId node) const { return nodes_[node].readings; }
  const Reading* at(NodeId node, term::SortId sort) const;
  const syntax::Expr* source(NodeId node) const { return nodes_[node].source; }
  const std::vector<NodeId>& children(NodeId node) const { return nodes_[node].children; }
  // What a call names; empty: it is none.
  std::string_view callee(NodeId node) const {
    return nodes_[node].kind == Kind::call ? nodes_[node].name : std::string_view();
  }
  // The cheapest reading; several where two sorts or two ways are equally cheap.
  Choice best(NodeId node) const;
  // The same of an element of a `forall` that is a `result`: as anything else than that, if it can
  // be; but a predicate, if `result` is one.
  Choice element_choice(NodeId element, term::SortId result) const;
  // The sort with integer literals in which all the nodes can be read at the least
  // cost. Several of them: the first in order of declaration, and the answer says so.
  Choice common_integer_sort(const std::vector<NodeId>& nodes) const;
  // The same of the components of a vector: if there is none, one with real literals.
  Choice common_component_sort(const std::vector<NodeId>& nodes) const;
  // Functions and predicates named as the node's callee that take its arguments and
  // give `sort`, with their costs.
  std::vector<Reading> candidates(NodeId node, term::SortId sort) const;
  // Follows an ambiguous reading to the node where the ways part.
  Ambiguity locate_ambiguity(NodeId node, term::SortId sort) const;
  // The cost of passing these arguments to `symbol`, if that is possible.
  std::optional<Reading> apply(term::SymbolId symbol, const std::vector<NodeId>& arguments) const;
  // Callees of that name, of any kind, with instances of variadic ones.
  std::vector<term::SymbolId> callees(std::string_view name,
                                      const std::vector<NodeId>& arguments) const;

  // The term that the node stands for as `sort`, which must be one of its readings
  // and not ambiguous.
  term::TermId build(NodeId node, term::SortId sort) const;

 private:
  enum class Kind : std::uint8_t { leaf, call, if_, block, fold, forall, vector };
  struct Parts {  // of constructs only
    std::vector<term::TermId> terms;
    std::vector<term::SymbolId> bound;
    term::LocationId value_location{};
  };
  struct Node {
    Kind kind = Kind::leaf;
    bool broken = false;
    std::string_view name;
    const syntax::Expr* source = nullptr;
    std::vector<NodeId> children;
    std::vector<Reading> readings;  // one per sort
    std::unique_ptr<Parts> parts;
  };

  NodeId add(Node node);
  bool any_broken(const std::vector<NodeId>& nodes) const;
  void add_literal_readings(Node& node, const LiteralText& literal) const;
  void merge(std::vector<Reading>& readings, const Reading& reading) const;
  std::vector<Reading> builtin_calls(std::string_view name,
                                     const std::vector<NodeId>& arguments) const;
  std::vector<Reading> calls(std::string_view name, const std::vector<NodeId>& arguments) const;
  std::vector<term::SymbolId> likely_callees(std::string_view name,
                                             const std::vector<NodeId>& arguments) const;
  void add_instances(std::string_view name, const std::vector<NodeId>& arguments,
                     std::vector<term::SymbolId>& callees) const;
  bool declares(std::string_view name, term::SortId sort) const;
  bool takes_reals(term::SortId sort) const;
  Choice common_sort(const std::vector<NodeId>& nodes,
                     const std::function<bool(const term::Type&)>& allowed) const;
  // The cheapest reading that is not of that sort.
  Choice best_but(NodeId node, std::optional<term::SortId> sort) const;
  std::vector<std::pair<NodeId, term::SortId>> wanted_children(const Node& node,
                                                               const Reading& reading) const;
  term::TermId make(const Node& node, const Reading& reading,
                    const std::vector<term::TermId>& built) const;
  term::TermId make_construct(const Node& node, const Reading& reading,
                              const std::vector<term::TermId>& children) const;

  const Scope& scope_;
  term::Store& store_;
  std::vector<Node> nodes_;
};

// The value of an integer spelling, if it fits 64 bits.
std::optional<std::int64_t> integer_value(std::string_view text);
// Is the real spelling a finite double?
bool is_finite_real(const std::string& text);
// Is the name that of a predicate that every theory has without declaring it?
bool is_builtin_name(std::string_view name);
// Is the text a bare integer, such as a name that may also be a literal?
bool is_integer_text(std::string_view text);

}  // namespace rhopsi::elaborate
