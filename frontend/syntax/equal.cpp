// Equality of trees. Spans do not count, nor does `from_operator`: how a call was
// spelled is no part of the tree.
#include <algorithm>
#include <vector>

#include "frontend/syntax/children.hpp"
#include "frontend/syntax/print.hpp"

namespace rhopsi::syntax {

namespace {

bool same(const Name& left, const Name& right) { return left.text == right.text; }
bool same(const TypeRef& left, const TypeRef& right) {
  return same(left.name, right.name) && left.variadic == right.variadic;
}
bool same(const ExprPtr& left, const ExprPtr& right) {
  return left && right ? equal(*left, *right) : !left && !right;
}
bool same(const ModulePtr& left, const ModulePtr& right);
bool same(const RenamingItem& left, const RenamingItem& right);
bool same(const Parameter& left, const Parameter& right);
bool same(const StrategyExpr& left, const StrategyExpr& right);
bool same(const StepArgument& left, const StepArgument& right);
bool same(const ScheduleItem& left, const ScheduleItem& right);
bool same(const BodyItem& left, const BodyItem& right);
bool same(const TopDecl& left, const TopDecl& right);
bool same(const RenamingBlock& left, const RenamingBlock& right);

template <typename Part>
bool same(const std::optional<Part>& left, const std::optional<Part>& right) {
  return left && right ? same(*left, *right) : left.has_value() == right.has_value();
}
template <typename Part>
bool same(const std::vector<Part>& left, const std::vector<Part>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const Part& l, const Part& r) { return same(l, r); });
}

// What two nodes of one kind hold beside their children.
bool own(const Variable& l, const Variable& r) {
  return same(l.name, r.name) && same(l.cast, r.cast);
}
bool own(const Literal& l, const Literal& r) {
  return l.kind == r.kind && l.text == r.text && same(l.cast, r.cast);
}
bool own(const VectorLiteral& l, const VectorLiteral& r) { return same(l.cast, r.cast); }
bool own(const PackExpansion& l, const PackExpansion& r) { return same(l.name, r.name); }
bool own(const Call& l, const Call& r) {
  return same(l.callee, r.callee) && same(l.cast, r.cast) &&
         l.is_procedure_call == r.is_procedure_call;
}
bool own(const Declaration& l, const Declaration& r) {
  return same(l.name, r.name) && l.is_constant == r.is_constant && same(l.type, r.type);
}
bool own(const Assignment& l, const Assignment& r) { return same(l.target, r.target); }
bool own(const For& l, const For& r) { return same(l.variable, r.variable); }
bool own(const Fold& l, const Fold& r) {
  return same(l.operation, r.operation) && same(l.variable, r.variable);
}
bool own(const Forall& l, const Forall& r) {
  return same(l.variable, r.variable) && same(l.cast, r.cast);
}
template <typename Node>
bool own(const Node&, const Node&) {
  return true;
}

bool own_parts(const Expr& left, const Expr& right) {
  if (left.node.index() != right.node.index()) return false;
  return std::visit(
      [&](const auto& node) {
        return own(node, std::get<std::decay_t<decltype(node)>>(right.node));
      },
      left.node);
}

std::vector<const Expr*> children_of(const Expr& expression) {
  std::vector<const Expr*> children;
  for_each_child(expression, [&](const ExprPtr& child) { children.push_back(child.get()); });
  return children;
}

bool parts(const TypeDecl& l, const TypeDecl& r) {
  return same(l.name, r.name) && l.required == r.required && l.pack == r.pack &&
         l.integer_literals == r.integer_literals && l.real_literals == r.real_literals &&
         l.vector_literals == r.vector_literals;
}
bool parts(const CallableDecl& l, const CallableDecl& r) {
  return l.kind == r.kind && same(l.name, r.name) && same(l.parameters, r.parameters) &&
         same(l.result, r.result) && same(l.guard, r.guard) && same(l.body, r.body) &&
         l.required == r.required;
}
bool parts(const UseDecl& l, const UseDecl& r) {
  return l.require == r.require && same(l.module, r.module);
}
bool parts(const ModuleBody& l, const ModuleBody& r) { return same(l.items, r.items); }
bool parts(const ModuleName& l, const ModuleName& r) { return same(l.name, r.name); }
bool parts(const SignatureOf& l, const SignatureOf& r) { return same(l.module, r.module); }
bool parts(const Rewrite& l, const Rewrite& r) {
  return same(l.target, r.target) && same(l.rules, r.rules) && same(l.strategy, r.strategy) &&
         l.bound == r.bound;
}
bool parts(const Implement& l, const Implement& r) {
  return same(l.generator, r.generator) && same(l.target, r.target);
}
bool parts(const External& l, const External& r) {
  return same(l.backend, r.backend) && l.attributes == r.attributes && same(l.path, r.path) &&
         same(l.module, r.module);
}
bool parts(const ModuleDecl& l, const ModuleDecl& r) {
  return l.kind == r.kind && same(l.name, r.name) && same(l.definition, r.definition);
}
bool parts(const RenamingDecl& l, const RenamingDecl& r) {
  return same(l.name, r.name) && same(l.block, r.block);
}
bool parts(const SatisfactionDecl& l, const SatisfactionDecl& r) {
  return same(l.name, r.name) && same(l.model, r.model) && same(l.with, r.with) &&
         same(l.specification, r.specification) && l.approximates == r.approximates;
}
bool parts(const ScheduleDecl& l, const ScheduleDecl& r) {
  return same(l.name, r.name) && same(l.program, r.program) && same(l.callable, r.callable) &&
         same(l.items, r.items);
}

template <typename Variant>
bool same_alternative(const Variant& left, const Variant& right) {
  if (left.index() != right.index()) return false;
  return std::visit(
      [&](const auto& node) { return parts(node, std::get<std::decay_t<decltype(node)>>(right)); },
      left);
}

bool same(const ModulePtr& left, const ModulePtr& right) {
  if (!left || !right) return !left && !right;
  return same(left->renamings, right->renamings) && same_alternative(left->node, right->node);
}
bool same(const RenamingItem& l, const RenamingItem& r) {
  return same(l.source, r.source) && same(l.target, r.target);
}
bool same(const RenamingBlock& l, const RenamingBlock& r) {
  return l.partial == r.partial && same(l.items, r.items);
}
bool same(const Parameter& l, const Parameter& r) {
  return same(l.name, r.name) && same(l.type, r.type) && l.mode == r.mode;
}
bool same(const StrategyExpr& l, const StrategyExpr& r) {
  return same(l.word, r.word) && same(l.arguments, r.arguments);
}
bool same(const StepArgument& l, const StepArgument& r) {
  return same(l.name, r.name) && same(l.value, r.value);
}
bool same(const ScheduleItem& l, const ScheduleItem& r) {
  return same(l.word, r.word) && same(l.arguments, r.arguments) && l.use == r.use &&
         l.required == r.required;
}
bool same(const BodyItem& left, const BodyItem& right) { return same_alternative(left, right); }
bool same(const TopDecl& left, const TopDecl& right) { return same_alternative(left, right); }

}  // namespace

bool equal(const Expr& left, const Expr& right) {
  // A list of pairs instead of recursion: operator chains may be very long.
  std::vector<std::pair<const Expr*, const Expr*>> pending{{&left, &right}};
  while (!pending.empty()) {
    const auto [l, r] = pending.back();
    pending.pop_back();
    if (l == r) continue;
    if (!l || !r || !own_parts(*l, *r)) return false;
    const std::vector<const Expr*> of_left = children_of(*l);
    const std::vector<const Expr*> of_right = children_of(*r);
    if (of_left.size() != of_right.size()) return false;
    for (std::size_t i = 0; i < of_left.size(); ++i) pending.emplace_back(of_left[i], of_right[i]);
  }
  return true;
}

bool equal(const Package& left, const Package& right) {
  return same(left.name, right.name) && same(left.imports, right.imports) &&
         same(left.declarations, right.declarations);
}

}  // namespace rhopsi::syntax
