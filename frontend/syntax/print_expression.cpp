#include <algorithm>
#include <string_view>

#include "frontend/syntax/expression_printer.hpp"

namespace rhopsi::syntax {

namespace {

// Words that begin a form. A variable of that name is put into parentheses where
// the text after it could be taken for the rest of the form. Not so `skip`, which has no rest: it
// is a variable before an operator alone, and would be the statement in parentheses.
constexpr std::string_view form_words[] = {"assert",  "var",   "if",   "value", "call",
                                           "iterate", "while", "fold", "for",   "forall"};

bool begins_form(std::string_view name) {
  return std::find(std::begin(form_words), std::end(form_words), name) != std::end(form_words);
}

// Can the call be written with its operator between or before the arguments?
bool can_be_infix(const Call& call) {
  const bool packs =
      std::any_of(call.arguments.begin(), call.arguments.end(), [](const ExprPtr& argument) {
        return argument && std::holds_alternative<PackExpansion>(argument->node);
      });
  return !packs && !call.cast && !call.is_procedure_call;
}

const BinaryOperator* binary_operator_of(const Call& call) {
  if (call.arguments.size() != 2 || !can_be_infix(call)) return nullptr;
  return binary_operator_of_name(call.callee.text);
}

bool is_prefix_call(const Call& call) {
  return call.arguments.size() == 1 && is_prefix_operator_name(call.callee.text) &&
         can_be_infix(call);
}

// `-_(x)` would be a call of `-_`, and in `!-_(x)` the operators would run together.
bool sticks_to_operator(const ExprPtr& expression) {
  const Call* call = expression ? std::get_if<Call>(&expression->node) : nullptr;
  return call && (call->callee.text == "_" || is_prefix_operator_name(call->callee.text)) &&
         !is_prefix_call(*call);
}

std::string cast_text(const std::optional<TypeRef>& cast) {
  return cast ? ": " + cast->name.text : std::string();
}

}  // namespace

Layout::Doc ExpressionPrinter::print(const Expr& expression, Place place) {
  return std::visit([&](const auto& inner) { return node(inner, place); }, expression.node);
}

Layout::Doc ExpressionPrinter::child(const ExprPtr& expression, Place place) {
  return expression ? print(*expression, place) : text("");
}

Layout::Doc ExpressionPrinter::parenthesised(Doc inner) {
  return layout_.concat({text("("), layout_.indent(1, inner), text(")")});
}

Layout::Doc ExpressionPrinter::list(std::string open, const std::vector<ExprPtr>& items,
                                    std::string close) {
  if (items.empty()) return text(open + close);
  std::vector<Doc> parts;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) parts.push_back(text(","));
    parts.push_back(layout_.next(i > 0, child(items[i], Place{})));
  }
  const Doc inner = layout_.indent(continuation, layout_.concat(std::move(parts)));
  return layout_.group(layout_.concat({text(std::move(open)), inner, text(std::move(close))}));
}

// Leaves ---------------------------------------------------------------------

Layout::Doc ExpressionPrinter::node(const Variable& variable, Place place) {
  const Doc plain = text(variable.name.text + cast_text(variable.cast));
  const bool ambiguous = !place.closed && !variable.cast && begins_form(variable.name.text);
  return ambiguous ? parenthesised(plain) : plain;
}

Layout::Doc ExpressionPrinter::node(const Literal& literal, Place) {
  return text(literal.text + cast_text(literal.cast));
}

Layout::Doc ExpressionPrinter::node(const VectorLiteral& vector, Place) {
  return list("[", vector.elements, "]" + cast_text(vector.cast));
}

Layout::Doc ExpressionPrinter::node(const PackExpansion& pack, Place) {
  return text(pack.name.text + "...");
}

Layout::Doc ExpressionPrinter::node(const Skip&, Place place) {
  // Before an operator or a `=` it would be a name.
  return place.last && place.assignment ? text("skip") : text("(skip)");
}

// Calls ----------------------------------------------------------------------

Layout::Doc ExpressionPrinter::node(const Call& call, Place place) {
  if (const BinaryOperator* found = binary_operator_of(call)) {
    const bool fits = found->level <= place.level;
    return fits ? chain(call, place) : parenthesised(layout_.group(chain(call, Place{})));
  }
  if (is_prefix_call(call))
    return place.level >= 0 ? prefixed(call) : parenthesised(prefixed(call));
  const Doc plain = plain_call(call);
  const bool ambiguous = !place.closed && !call.is_procedure_call && begins_form(call.callee.text);
  return ambiguous ? parenthesised(plain) : plain;
}

Layout::Doc ExpressionPrinter::plain_call(const Call& call) {
  const std::string words = call.is_procedure_call ? "call " : "";
  return list(words + call.callee.text + "(", call.arguments, ")" + cast_text(call.cast));
}

Layout::Doc ExpressionPrinter::prefixed(const Call& call) {
  Place operand;
  operand.level = -1;
  operand.last = operand.assignment = operand.closed = false;
  Doc argument = child(call.arguments[0], operand);
  if (sticks_to_operator(call.arguments[0])) argument = parenthesised(argument);
  return layout_.concat({text(call.callee.text.substr(0, 1)), argument});
}

// The left spine of operators as long as they need no parentheses, from the inside out. The chain
// may be very long, so the spine is walked and not recursed into.
Layout::Doc ExpressionPrinter::chain(const Call& call, Place place) {
  int level = binary_operator_of(call)->level;
  std::vector<const Call*> spine{&call};
  while (const Expr* left = spine.back()->arguments[0].get()) {
    const Call* next = std::get_if<Call>(&left->node);
    const BinaryOperator* tighter = next ? binary_operator_of(*next) : nullptr;
    if (!tighter || tighter->level > level) break;
    level = tighter->level;
    spine.push_back(next);
  }
  // A tighter chain at the far left is part of the spine; each level has its group.
  Place operand;
  operand.last = operand.closed = false;
  operand.assignment = false;
  operand.level = level;
  Doc result = child(spine.back()->arguments[0], operand);
  std::vector<Doc> parts{result};
  int current = level;
  for (std::size_t i = spine.size(); i-- > 0;) {
    const Call& link = *spine[i];
    const BinaryOperator* found = binary_operator_of(link);
    if (found->level != current) {
      result = layout_.group(layout_.indent(indentation, layout_.concat(std::move(parts))));
      parts = {result};
      current = found->level;
    }
    Place right = operand;
    right.level = found->level - 1;
    if (i == 0) {
      right.last = place.last;
      right.assignment = place.assignment && place.last;
      right.closed = place.closed;
    }
    parts.push_back(text(" " + std::string(found->spelling)));
    parts.push_back(layout_.next(true, child(link.arguments[1], right)));
  }
  return layout_.group(layout_.indent(indentation, layout_.concat(std::move(parts))));
}

// Forms that take everything to their right ----------------------------------

Layout::Doc ExpressionPrinter::word_then(std::string words, const ExprPtr& rest, Place place) {
  place.level = loosest_level;
  // Where the rest does not fit beside the word, it is broken inside before it is moved down.
  return layout_.concat({text(std::move(words)), layout_.group(child(rest, place))});
}

Layout::Doc ExpressionPrinter::node(const If& branch, Place place) {
  if (!place.last) return parenthesised(node(branch, Place{}));
  Place condition;
  condition.last = condition.closed = condition.assignment = false;
  Place then_branch;
  then_branch.closed = false;
  place.level = loosest_level;
  const Doc head = layout_.concat({text("if "), child(branch.condition, condition)});
  const Doc then_part =
      layout_.concat({layout_.space(), text("then "), child(branch.then_branch, then_branch)});
  const Doc else_part =
      layout_.concat({layout_.space(), text("else "), child(branch.else_branch, place)});
  return layout_.group(layout_.concat(
      {head, layout_.indent(indentation, then_part), layout_.indent(indentation, else_part)}));
}

Layout::Doc ExpressionPrinter::node(const Assignment& assignment, Place place) {
  if (!place.last || !place.assignment) return parenthesised(node(assignment, Place{}));
  return word_then(assignment.target.text + " = ", assignment.value, place);
}

Layout::Doc ExpressionPrinter::node(const Declaration& declaration, Place place) {
  if (!place.last) return parenthesised(node(declaration, Place{}));
  std::string words = declaration.is_constant ? "var obs " : "var ";
  words += declaration.name.text + cast_text(declaration.type);
  if (!declaration.initial) return place.closed ? text(words) : parenthesised(text(words));
  return word_then(words + " = ", declaration.initial, place);
}

Layout::Doc ExpressionPrinter::node(const Assert& assertion, Place place) {
  if (!place.last) return parenthesised(node(assertion, Place{}));
  return word_then("assert ", assertion.condition, place);
}

Layout::Doc ExpressionPrinter::node(const Value& value, Place place) {
  if (!place.last) return parenthesised(node(value, Place{}));
  // `value (f(x))` would be a call of `value`, so a plain call goes without parentheses.
  const Call* call = value.result ? std::get_if<Call>(&value.result->node) : nullptr;
  if (call && !binary_operator_of(*call) && !is_prefix_call(*call)) place.closed = true;
  return word_then("value ", value.result, place);
}

Layout::Doc ExpressionPrinter::node(const Fold& fold, Place place) {
  if (!place.last) return parenthesised(node(fold, Place{}));
  const Doc head =
      layout_.concat({text("fold " + fold.operation.text + " (" + fold.variable.text + " < "),
                      child(fold.count, Place{}), text(") ")});
  place.level = loosest_level;
  return layout_.group(layout_.concat({head, child(fold.body, place)}));
}

Layout::Doc ExpressionPrinter::node(const Forall& forall, Place place) {
  if (!place.last) return parenthesised(node(forall, Place{}));
  const Doc head = layout_.concat(
      {text("forall (" + forall.variable.text + " < "), child(forall.shape, Place{}), text(") ")});
  place.level = loosest_level;
  // Without parentheses the type would be the body's.
  const Doc body =
      forall.cast ? parenthesised(child(forall.body, Place{})) : child(forall.body, place);
  return layout_.group(layout_.concat({head, body, text(cast_text(forall.cast))}));
}

// Blocks and loops -----------------------------------------------------------

Layout::Doc ExpressionPrinter::block(const Block& block) {
  if (block.statements.empty()) return text("{}");
  std::vector<Doc> lines;
  for (const ExprPtr& statement : block.statements) {
    lines.push_back(layout_.hard_line());
    lines.push_back(layout_.group(child(statement, Place{})));
    lines.push_back(text(";"));
  }
  const Doc inner = layout_.indent(indentation, layout_.concat(std::move(lines)));
  return layout_.concat({text("{"), inner, layout_.hard_line(), text("}")});
}

Layout::Doc ExpressionPrinter::node(const Block& statements, Place) { return block(statements); }

Layout::Doc ExpressionPrinter::node(const For& loop, Place) {
  Place bound;
  bound.level = range_level - 1;
  bound.last = bound.assignment = bound.closed = false;
  return layout_.concat({text("for " + loop.variable.text + " in "), child(loop.low, bound),
                         text(" .. "), child(loop.high, bound), text(" "),
                         child(loop.body, Place{})});
}

Layout::Doc ExpressionPrinter::node(const Iterate& loop, Place) {
  Place place;
  place.level = -1;
  place.last = place.assignment = place.closed = false;
  const Expr* counted = loop.count.get();
  const Call* call = counted ? std::get_if<Call>(&counted->node) : nullptr;
  const bool simple = counted && (std::holds_alternative<Variable>(counted->node) ||
                                  std::holds_alternative<Literal>(counted->node) ||
                                  (call && !call->is_procedure_call));
  const Doc count = simple ? child(loop.count, place) : parenthesised(child(loop.count, Place{}));
  return layout_.concat({text("iterate "), count, text(" "), child(loop.call, Place{})});
}

Layout::Doc ExpressionPrinter::node(const While& loop, Place) {
  Place place;
  place.last = place.assignment = place.closed = false;
  return layout_.concat({text("while "), child(loop.condition, place), text(" bound "),
                         child(loop.bound, place), text(" "), child(loop.body, Place{})});
}

}  // namespace rhopsi::syntax
