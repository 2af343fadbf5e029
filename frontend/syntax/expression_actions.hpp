// Semantic actions of the expression grammar: how its nodes are put together.
#pragma once

#include <memory>
#include <utility>

#include "frontend/syntax/directives.hpp"

namespace rhopsi::syntax::grammar {

// ------------------------------------------------------------ generic actions

// Moves what was read into the rule's result.
struct TakeAction {
  template <typename Context>
  void operator()(Context& context) const {
    x3::_val(context) = std::move(x3::_attr(context));
  }
};
inline constexpr TakeAction take{};

// Begins an expression node of the given kind.
template <typename Node>
struct BeginNode {
  template <typename Context>
  void operator()(Context& context) const {
    ExprPtr& result = x3::_val(context);
    result = std::make_shared<Expr>();
    result->node.emplace<Node>();
  }
};
template <typename Node>
auto begin_node() {
  return nothing[BeginNode<Node>{}];
}

// Moves what was read into a field of the expression node.
template <auto field>
struct SetField;
template <typename Node, typename Type, Type Node::*field>
struct SetField<field> {
  template <typename Context>
  void operator()(Context& context) const {
    std::get<Node>(x3::_val(context)->node).*field = std::move(x3::_attr(context));
  }
};
template <auto field>
inline constexpr SetField<field> set{};

// The same for a field of a plain structure.
template <auto field>
struct SetMember {
  template <typename Context>
  void operator()(Context& context) const {
    x3::_val(context).*field = std::move(x3::_attr(context));
  }
};
template <auto field>
inline constexpr SetMember<field> set_member{};

template <auto field>
struct RaiseMember {
  template <typename Context>
  void operator()(Context& context) const {
    x3::_val(context).*field = true;
  }
};
template <auto field>
inline constexpr RaiseMember<field> raise_member{};

template <auto field>
struct PushMember {
  template <typename Context>
  void operator()(Context& context) const {
    (x3::_val(context).*field).push_back(std::move(x3::_attr(context)));
  }
};
template <auto field>
inline constexpr PushMember<field> push_member{};

struct PushAction {
  template <typename Context>
  void operator()(Context& context) const {
    x3::_val(context).push_back(std::move(x3::_attr(context)));
  }
};
inline constexpr PushAction push{};

// ------------------------------------------------------------ operator chains

// One operand, with the stretch of text it takes (parentheses and all).
struct Operand {
  ExprPtr expression;
  Iterator begin = nullptr;
  Iterator end = nullptr;
  Name prefix;  // empty where there is none
};

inline ExprPtr operator_call(Name name, std::vector<ExprPtr> arguments, Span span) {
  auto result = std::make_shared<Expr>();
  Call& call = result->node.emplace<Call>();
  call.callee = std::move(name);
  call.arguments = std::move(arguments);
  call.from_operator = true;
  result->span = std::move(span);
  return result;
}

// Operands and operators as they come; operators are applied as soon as a looser
// one follows, so the two stacks never hold more than the number of levels.
struct Chain {
  std::vector<Operand> operands;
  std::vector<std::pair<Name, int>> operators;

  void apply_last(const ParseState& state) {
    Operand right = std::move(operands.back());
    operands.pop_back();
    Operand& left = operands.back();
    std::vector<ExprPtr> arguments;
    arguments.reserve(2);
    arguments.push_back(std::move(left.expression));
    arguments.push_back(std::move(right.expression));
    left.expression = operator_call(std::move(operators.back().first), std::move(arguments),
                                    state.span(left.begin, right.end));
    left.end = right.end;
    operators.pop_back();
  }

  void add_operator(Name name, const ParseState& state) {
    const int level = binary_operator_of_name(name.text)->level;
    while (!operators.empty() && operators.back().second <= level) apply_last(state);
    operators.emplace_back(std::move(name), level);
  }
};

struct AddOperand {
  template <typename Context>
  void operator()(Context& context) const {
    x3::_val(context).operands.push_back(std::move(x3::_attr(context)));
  }
};
struct AddOperator {
  template <typename Context>
  void operator()(Context& context) const {
    x3::_val(context).add_operator(std::move(x3::_attr(context)), state_of(context));
  }
};
struct FinishChain {
  template <typename Context>
  void operator()(Context& context) const {
    Chain& chain = x3::_attr(context);
    while (!chain.operators.empty()) chain.apply_last(state_of(context));
    x3::_val(context) = std::move(chain.operands.front().expression);
  }
};

// Applies the prefix operator, if there is one.
inline void mark_place(Operand& operand, const ParseState& state, Iterator begin, Iterator end) {
  operand.begin = begin;
  operand.end = end;
  if (operand.prefix.text.empty()) return;
  std::vector<ExprPtr> arguments{std::move(operand.expression)};
  operand.expression =
      operator_call(std::move(operand.prefix), std::move(arguments), state.span(begin, end));
}

// ----------------------------------------------------------------- plain names

struct BeginVariable {
  template <typename Context>
  void operator()(Context& context) const {
    ExprPtr& result = x3::_val(context);
    result = std::make_shared<Expr>();
    result->node.emplace<Variable>().name = std::move(x3::_attr(context));
  }
};

// The name was an integer after all.
struct FinishVariable {
  template <typename Context>
  void operator()(Context& context) const {
    Expr& result = *x3::_val(context);
    Variable& variable = std::get<Variable>(result.node);
    if (!is_all_digits(variable.name.text)) return;
    std::string text = std::move(variable.name.text);
    result.node = Literal{Literal::Kind::integer, std::move(text), std::nullopt};
  }
};

struct ToAssignment {
  template <typename Context>
  void operator()(Context& context) const {
    Expr& result = *x3::_val(context);
    Name name = std::move(std::get<Variable>(result.node).name);
    result.node = Assignment{std::move(name), std::move(x3::_attr(context))};
  }
};

struct ToCall {
  template <typename Context>
  void operator()(Context& context) const {
    Expr& result = *x3::_val(context);
    Name name = std::move(std::get<Variable>(result.node).name);
    Call& call = result.node.template emplace<Call>();
    call.callee = std::move(name);
    call.arguments = std::move(x3::_attr(context));
  }
};

struct SetCast {
  template <typename Context>
  void operator()(Context& context) const {
    std::visit(
        [&](auto& node) {
          if constexpr (requires { node.cast; }) node.cast = TypeRef{std::move(x3::_attr(context))};
        },
        x3::_val(context)->node);
  }
};

struct BeginReal {
  template <typename Context>
  void operator()(Context& context) const {
    ExprPtr& result = x3::_val(context);
    result = std::make_shared<Expr>();
    result->node = Literal{Literal::Kind::real, std::move(x3::_attr(context).text), std::nullopt};
  }
};

struct BeginPack {
  template <typename Context>
  void operator()(Context& context) const {
    ExprPtr& result = x3::_val(context);
    result = std::make_shared<Expr>();
    result->node = PackExpansion{std::move(x3::_attr(context))};
  }
};

template <auto field>
struct RaiseField;
template <typename Node, bool Node::*field>
struct RaiseField<field> {
  template <typename Context>
  void operator()(Context& context) const {
    std::get<Node>(x3::_val(context)->node).*field = true;
  }
};

struct AddStatement {
  template <typename Context>
  void operator()(Context& context) const {
    ExprPtr& statement = x3::_attr(context);
    if (!statement) return;  // an error was passed over
    std::get<Block>(x3::_val(context)->node).statements.push_back(std::move(statement));
  }
};

}  // namespace rhopsi::syntax::grammar
