// The children of an expression, whatever its kind.
#pragma once

#include <type_traits>

#include "frontend/syntax/ast.hpp"

namespace rhopsi::syntax {

namespace detail {

template <typename Visit>
struct Children {
  Visit& visit;

  template <typename Leaf>
  void operator()(Leaf&) const requires std::is_same_v<std::remove_const_t<Leaf>, Variable> ||
      std::is_same_v<std::remove_const_t<Leaf>, Literal> ||
      std::is_same_v<std::remove_const_t<Leaf>, PackExpansion> ||
      std::is_same_v<std::remove_const_t<Leaf>, Skip> {}

  template <typename Node>
  void operator()(Node& node) const requires requires {
    node.arguments;
  }
  {
    for (auto& child : node.arguments) visit(child);
  }
  template <typename Node>
  void operator()(Node& node) const requires requires {
    node.elements;
  }
  {
    for (auto& child : node.elements) visit(child);
  }
  template <typename Node>
  void operator()(Node& node) const requires requires {
    node.statements;
  }
  {
    for (auto& child : node.statements) visit(child);
  }
  template <typename Node>
  void operator()(Node& node) const requires requires {
    node.then_branch;
  }
  {
    visit(node.condition);
    visit(node.then_branch);
    visit(node.else_branch);
  }
  template <typename Node>
  void operator()(Node& node) const requires requires {
    node.initial;
  }
  { visit(node.initial); }
  template <typename Node>
  void operator()(Node& node) const requires std::is_same_v<std::remove_const_t<Node>, Assignment> {
    visit(node.value);
  }
  template <typename Node>
  void operator()(Node& node) const requires std::is_same_v<std::remove_const_t<Node>, Assert> {
    visit(node.condition);
  }
  template <typename Node>
  void operator()(Node& node) const requires std::is_same_v<std::remove_const_t<Node>, Value> {
    visit(node.result);
  }
  template <typename Node>
  void operator()(Node& node) const requires requires {
    node.low;
  }
  {
    visit(node.low);
    visit(node.high);
    visit(node.body);
  }
  template <typename Node>
  void operator()(Node& node) const requires requires {
    node.call;
  }
  {
    visit(node.count);
    visit(node.call);
  }
  template <typename Node>
  void operator()(Node& node) const requires requires {
    node.bound;
  }
  {
    visit(node.condition);
    visit(node.bound);
    visit(node.body);
  }
  template <typename Node>
  void operator()(Node& node) const requires requires {
    node.operation;
  }
  {
    visit(node.count);
    visit(node.body);
  }
  template <typename Node>
  void operator()(Node& node) const requires requires {
    node.shape;
  }
  {
    visit(node.shape);
    visit(node.body);
  }
};

}  // namespace detail

// Calls `visit` on every child pointer, in the order of the text. A child that is
// absent (`Declaration::initial`) arrives as null.
template <typename Expression, typename Visit>
void for_each_child(Expression& expression, Visit&& visit) {
  std::visit(detail::Children<std::remove_reference_t<Visit>>{visit}, expression.node);
}

}  // namespace rhopsi::syntax
