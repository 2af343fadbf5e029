// Variables, literals, vectors, casts and expanded packs.
#include <algorithm>

#include "frontend/elaborate/body_codes.hpp"
#include "frontend/elaborate/body_elaborator.hpp"

namespace rhopsi::elaborate {

// The literal that an expression is, where no variable has that spelling.
std::optional<LiteralText> BodyElaborator::literal_of(const syntax::Expr& expr) const {
  if (const auto* literal = std::get_if<syntax::Literal>(&expr.node)) {
    if (environment_.find(literal->text)) return std::nullopt;
    return LiteralText{literal->text, literal->kind == syntax::Literal::Kind::real};
  }
  const auto* variable = std::get_if<syntax::Variable>(&expr.node);
  if (!variable || !is_integer_text(variable->name.text)) return std::nullopt;
  if (environment_.find(variable->name.text)) return std::nullopt;
  return LiteralText{variable->name.text, false};
}

NodeId BodyElaborator::variable(const syntax::Variable& variable, const syntax::Expr& expr,
                                Readings& into) {
  const std::string& name = variable.name.text;
  NodeId node = 0;
  if (const Local* local = environment_.find(name)) {
    node = local_node(*local, expr, into);
  } else if (std::optional<LiteralText> text = literal_of(expr)) {
    node = literal(*text, expr, into);
  } else if (name == "TRUE" || name == "FALSE") {
    node = into.call(name, {}, &expr);
  } else {
    unknown_variable(variable.name);
    node = into.broken(&expr);
  }
  return cast(node, variable.cast, into);
}

NodeId BodyElaborator::local_node(const Local& local, const syntax::Expr& expr, Readings& into) {
  if (local.broken || !check_assigned(local, expr.span)) return into.broken(&expr);
  return into.variable(local.symbol, &expr);
}

NodeId BodyElaborator::member_node(const Item& item, Readings& into) {
  const Local* local = environment_.find(*item.member);
  return local ? local_node(*local, *item.expr, into) : into.variable(*item.member, item.expr);
}

NodeId BodyElaborator::literal(const LiteralText& text, const syntax::Expr& expr, Readings& into) {
  const bool in_range =
      text.real ? is_finite_real(text.text) : integer_value(text.text).has_value();
  if (!in_range) {
    error(code::literal_range, expr.span, "`" + text.text + "` is out of range",
          text.real ? "reals have the range of doubles" : "integers have 64 bits");
    return into.broken(&expr);
  }
  const NodeId node = into.literal(text, &expr);
  if (!into.of(node).empty()) return node;
  const std::string kind = text.real ? "real" : "integer";
  error(code::literal_sort, expr.span, "no type here takes " + kind + " literals",
        "declare one with `type T literals " + kind + ";`");
  return into.broken(&expr);
}

// -9223372036854775808 is in range although its digits alone are not.
std::optional<NodeId> BodyElaborator::large_negative(const syntax::Call& call,
                                                     const syntax::Expr& expr, Readings& into) {
  if (call.callee.text != "-_" || call.arguments.size() != 1) return std::nullopt;
  const std::optional<LiteralText> text = literal_of(*call.arguments[0]);
  if (!text || text->real || integer_value(text->text)) return std::nullopt;
  if (!integer_value("-" + text->text)) return std::nullopt;
  return cast(literal({"-" + text->text, false}, expr, into), call.cast, into);
}

// The sort of a vector does not tell the sort of its components: they are resolved
// on their own, to one common sort.
NodeId BodyElaborator::vector(const syntax::VectorLiteral& vector, const syntax::Expr& expr,
                              Readings& into) {
  Readings components(scope_);
  std::vector<NodeId> nodes;
  bool broken = false;
  const Level level(*this, expr.span);
  if (!level) return into.broken(&expr);
  for (const syntax::ExprPtr& element : vector.elements) {
    nodes.push_back(analyse(*element, components));
    broken = broken || components.is_broken(nodes.back());
  }
  if (broken) return into.broken(&expr);
  const Choice choice = components.common_component_sort(nodes);
  if (choice.answer == Choice::Answer::none && !nodes.empty()) {
    const bool nested = std::ranges::all_of(vector.elements, [](const syntax::ExprPtr& element) {
      return std::holds_alternative<syntax::VectorLiteral>(element->node);
    });
    error(code::vector_component, expr.span,
          "the components of this vector have no common sort of numbers",
          nested ? "a vector has no vectors for components: rows are made from the vector of all "
                   "their elements, by giving it another shape"
                 : "components are integers, or reals where the vector is an array of reals");
    return into.broken(&expr);
  }
  std::vector<term::TermId> terms;
  for (NodeId node : nodes) {
    const MaybeTerm term = resolve(components, node, choice.sort);
    if (!term) return into.broken(&expr);
    terms.push_back(*term);
  }
  const NodeId node = into.vector(std::move(terms), &expr);
  if (!into.of(node).empty()) return node;
  error(code::literal_sort, expr.span, "no type here takes vector literals",
        "declare one with `type T literals vector;`");
  return into.broken(&expr);
}

NodeId BodyElaborator::cast(NodeId node, const std::optional<syntax::TypeRef>& reference,
                            Readings& into) {
  if (!reference) return node;
  const std::optional<term::SortId> sort = type(*reference);
  if (sort && into.is_broken(node)) return node;
  const syntax::Expr* source = into.source(node);
  if (!sort) return into.broken(source);
  if (!into.at(node, *sort)) {
    wrong_sort(into, node, *sort);
    return into.broken(source);
  }
  into.restrict_to(node, *sort);
  return node;
}

std::vector<BodyElaborator::Item> BodyElaborator::expanded(
    const std::vector<syntax::ExprPtr>& arguments) {
  std::vector<Item> items;
  for (const syntax::ExprPtr& argument : arguments) {
    const auto* pack = std::get_if<syntax::PackExpansion>(&argument->node);
    const auto found = pack ? parameters_.packs.find(pack->name.text) : parameters_.packs.end();
    if (found == parameters_.packs.end()) {
      items.push_back({argument.get(), {}});
      continue;
    }
    for (term::SymbolId member : found->second) items.push_back({argument.get(), member});
  }
  return items;
}

}  // namespace rhopsi::elaborate
