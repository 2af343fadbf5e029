// Renaming inside declarations that are still syntax.
#include <utility>

#include "frontend/elaborate/module_rename.hpp"
#include "frontend/syntax/children.hpp"

namespace rhopsi::elaborate {

namespace {

void rename(syntax::Name& name, const NameMap& names) {
  if (const auto found = names.find(name.text); found != names.end()) name.text = found->second;
}

void rename(std::optional<syntax::TypeRef>& type, const NameMap& names) {
  if (type) rename(type->name, names);
}

// The names of types and callables that the node itself holds.
template <class Node>
void rename_node(Node& node, const NameMap& names) {
  if constexpr (requires { node.callee; }) rename(node.callee, names);
  if constexpr (requires { node.operation; }) rename(node.operation, names);
  if constexpr (requires { node.cast; }) rename(node.cast, names);
  if constexpr (requires { node.type; }) rename(node.type, names);
}

// A copy of the whole tree. Not recursive: operator chains may be very long.
syntax::ExprPtr rename_expression(const syntax::ExprPtr& expression, const NameMap& names) {
  syntax::ExprPtr root = expression;
  std::vector<syntax::ExprPtr*> pending{&root};
  while (!pending.empty()) {
    syntax::ExprPtr& place = *pending.back();
    pending.pop_back();
    if (!place) continue;
    place = std::make_shared<syntax::Expr>(*place);
    std::visit([&](auto& node) { rename_node(node, names); }, place->node);
    syntax::for_each_child(*place, [&](syntax::ExprPtr& child) { pending.push_back(&child); });
  }
  return root;
}

}  // namespace

std::shared_ptr<const syntax::CallableDecl> rename_declaration(
    const syntax::CallableDecl& declaration, const NameMap& names) {
  auto copy = std::make_shared<syntax::CallableDecl>(declaration);
  rename(copy->name, names);
  for (syntax::Parameter& parameter : copy->parameters) rename(parameter.type.name, names);
  rename(copy->result, names);
  copy->guard = rename_expression(declaration.guard, names);
  copy->body = rename_expression(declaration.body, names);
  return copy;
}

}  // namespace rhopsi::elaborate
