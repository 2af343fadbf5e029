// Statements: scopes, what they declare, and which variables have a value after them.
#include <algorithm>

#include "frontend/elaborate/body_codes.hpp"
#include "frontend/elaborate/body_elaborator.hpp"
#include "frontend/syntax/deep_stack.hpp"
#include "frontend/syntax/scan.hpp"

namespace rhopsi::elaborate {

using term::Control;
using term::TermId;

namespace {

// No text that the parser accepts comes near it: a bracket opens two levels of the parser's
// at most, and each of them two of elaboration.
constexpr std::size_t deepest_level = 5 * syntax::deepest_nesting;

}  // namespace

BodyElaborator::Level::Level(BodyElaborator& elaborator, const syntax::Span& span)
    : depth_(elaborator.depth_) {
  ++depth_;
  fits_ = depth_ <= deepest_level && syntax::stack_address() > syntax::stack_floor();
  if (fits_) return;
  elaborator.error(code::nesting, span, "blocks are nested too deep here",
                   "move the inner part to a function or procedure of its own");
}

TermId BodyElaborator::variable_term(term::SymbolId variable, const syntax::Span& span) {
  return store_.make(variable, {}, {}, locate(store_, span));
}

BodyElaborator::MaybeTerm BodyElaborator::make_statement(Control control,
                                                         const std::vector<MaybeTerm>& children,
                                                         const syntax::Expr& expr,
                                                         const std::vector<term::SymbolId>& bound) {
  std::vector<TermId> terms;
  for (const MaybeTerm& child : children) {
    if (!child) return std::nullopt;
    terms.push_back(*child);
  }
  return store_.make(store_.control(control, store_.statement_sort()), terms, bound,
                     locate(store_, expr.span));
}

BodyElaborator::Statements BodyElaborator::statements(const syntax::Block& block,
                                                      bool value_allowed) {
  Statements result;
  const std::size_t level = open_blocks_.size();
  open_blocks_.push_back({&block, 0});
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    open_blocks_[level].next = i;
    const syntax::Expr& current = *block.statements[i];
    if (result.value) {
      error(code::after_value, current.span, "this statement stands after `value`",
            "`value` is the last statement of its block");
      result.broken = true;
      break;
    }
    if (value_allowed && std::holds_alternative<syntax::Value>(current.node)) {
      result.value = &current;
      continue;
    }
    const auto* declared = std::get_if<syntax::Declaration>(&current.node);
    const MaybeTerm term = declared ? declaration(*declared, current, result) : statement(current);
    if (term) {
      result.terms.push_back(*term);
    } else {
      result.broken = true;
    }
  }
  open_blocks_.pop_back();
  return result;
}

BodyElaborator::MaybeTerm BodyElaborator::statement_block(const syntax::Block& block,
                                                          const syntax::Expr& expr) {
  const Level level(*this, expr.span);
  if (!level) return std::nullopt;
  environment_.open();
  Statements inner = statements(block, false);
  environment_.close();
  if (inner.broken) return std::nullopt;
  return store_.make(store_.control(Control::block, store_.statement_sort()), inner.terms,
                     inner.declared, locate(store_, expr.span));
}

BodyElaborator::MaybeTerm BodyElaborator::block_of(MaybeTerm statement, const syntax::Expr& expr) {
  return make_statement(Control::block, {statement}, expr);
}

// Can `name` only be meant as a function or predicate of so many arguments?
bool BodyElaborator::names_a_value(const std::string& name, std::size_t arguments) const {
  bool function = is_builtin_name(name);
  for (term::SymbolId callee : scope_.overloads(name)) {
    if (store_[callee].kind != term::SymbolKind::procedure) {
      function = true;
    } else if (store_[callee].parameters.size() == arguments) {
      return false;
    }
  }
  return function;
}

// Has the expression a value, as far as its form tells?
bool BodyElaborator::is_value(const syntax::Expr& expr) const {
  const syntax::Expr* last = &expr;
  while (const auto* choice = std::get_if<syntax::If>(&last->node)) {
    if (!is_value(*choice->then_branch)) return false;
    last = choice->else_branch.get();
  }
  if (const auto* call = std::get_if<syntax::Call>(&last->node)) {
    return !call->is_procedure_call && names_a_value(call->callee.text, call->arguments.size());
  }
  if (const auto* block = std::get_if<syntax::Block>(&last->node)) return has_value(*block);
  return std::holds_alternative<syntax::Variable>(last->node) ||
         std::holds_alternative<syntax::Literal>(last->node) ||
         std::holds_alternative<syntax::VectorLiteral>(last->node) ||
         std::holds_alternative<syntax::Fold>(last->node) ||
         std::holds_alternative<syntax::Forall>(last->node);
}

// An expression as a statement: it is checked, and does nothing. A variable alone is
// not read by that, so it need not have a value yet.
BodyElaborator::MaybeTerm BodyElaborator::unused(const syntax::Expr& expr) {
  const auto* variable = std::get_if<syntax::Variable>(&expr.node);
  const Local* local = variable ? environment_.find(variable->name.text) : nullptr;
  if (local && !local->broken) {
    Readings readings(scope_);
    const NodeId node = readings.variable(local->symbol, &expr);
    if (readings.is_broken(cast(node, variable->cast, readings))) return std::nullopt;
  } else if (!expression(expr)) {
    return std::nullopt;
  }
  diagnostics_.warning(code::unused_value, expr.span, "the value of this expression is not used",
                       "assign it to a variable, or leave it out");
  return make_statement(Control::skip, {}, expr);
}

BodyElaborator::MaybeTerm BodyElaborator::statement(const syntax::Expr& expr) {
  if (is_value(expr)) return unused(expr);
  if (const auto* call = std::get_if<syntax::Call>(&expr.node)) return procedure_call(*call, expr);
  if (const auto* block = std::get_if<syntax::Block>(&expr.node)) {
    return statement_block(*block, expr);
  }
  if (std::holds_alternative<syntax::If>(expr.node)) return if_statement(expr);
  if (const auto* loop = std::get_if<syntax::For>(&expr.node)) return for_statement(*loop, expr);
  if (const auto* loop = std::get_if<syntax::Iterate>(&expr.node)) {
    return iterate_statement(*loop, expr);
  }
  if (const auto* loop = std::get_if<syntax::While>(&expr.node)) {
    return while_statement(*loop, expr);
  }
  if (const auto* change = std::get_if<syntax::Assignment>(&expr.node)) {
    return assignment(change->target, change->target.span, *change->value, expr);
  }
  if (const auto* claim = std::get_if<syntax::Assert>(&expr.node)) {
    return make_statement(Control::assert_, {claimed(*claim->condition)}, expr);
  }
  if (std::holds_alternative<syntax::Skip>(expr.node)) {
    return make_statement(Control::skip, {}, expr);
  }
  if (std::holds_alternative<syntax::Value>(expr.node)) {
    error(code::misplaced_value, expr.span, "`value` where no value is expected",
          "`value` stands directly in the block of a function or of a value block; for a value "
          "that depends on a condition write `value if c then a else b;`");
  } else if (std::holds_alternative<syntax::Declaration>(expr.node)) {
    error(code::misplaced_declaration, expr.span, "a `var` can only stand directly in a block",
          "put braces around it and the statements that use it");
  } else {
    expression(expr);  // a pack where none can be: never right
  }
  return std::nullopt;
}

namespace {

// The blocks of `{ ... } == { ... }`, if neither has a value.
std::optional<std::pair<const syntax::Block*, const syntax::Block*>> blocks_of(
    const syntax::Call& call) {
  if (call.callee.text != "_==_" || call.arguments.size() != 2) return std::nullopt;
  const auto* left = std::get_if<syntax::Block>(&call.arguments[0]->node);
  const auto* right = std::get_if<syntax::Block>(&call.arguments[1]->node);
  if (!left || !right || has_value(*left) || has_value(*right)) return std::nullopt;
  return std::pair{left, right};
}

}  // namespace

// What `assert` claims: in an axiom also that statements are equal, perhaps under conditions.
BodyElaborator::MaybeTerm BodyElaborator::claimed(const syntax::Expr& expr) {
  std::vector<const syntax::Expr*> conditions;
  const syntax::Expr* claim = &expr;
  const auto* call = std::get_if<syntax::Call>(&claim->node);
  while (call && call->callee.text == "_=>_" && call->arguments.size() == 2) {
    conditions.push_back(call->arguments[0].get());
    claim = call->arguments[1].get();
    call = std::get_if<syntax::Call>(&claim->node);
  }
  const auto blocks = call && in_axiom_ ? blocks_of(*call) : std::nullopt;
  if (!blocks) return expression(expr, store_.predicate_sort());
  std::vector<MaybeTerm> given;
  for (const syntax::Expr* each : conditions) {
    given.push_back(expression(*each, store_.predicate_sort()));
  }
  const MaybeTerm left = sequence(*blocks->first, *call->arguments[0]);
  const MaybeTerm right = sequence(*blocks->second, *call->arguments[1]);
  const bool fine = left && right && std::ranges::all_of(given, [](const MaybeTerm& each) {
                      return each.has_value();
                    });
  if (!fine) return std::nullopt;
  const auto relation = [&](term::Builtin builtin, term::SortId sort, TermId one, TermId other,
                            const syntax::Expr& source) {
    return store_.make(term::builtin_symbol(store_, builtin, sort), {one, other},
                       locate(store_, source.span));
  };
  TermId result = relation(term::Builtin::equal, store_.statement_sort(), *left, *right, *claim);
  for (std::size_t i = given.size(); i-- > 0;) {
    result = relation(term::Builtin::implies, store_.predicate_sort(), *given[i], result, expr);
  }
  return result;
}

// Statements that a rule is about: they may change what the axiom is for all values of.
BodyElaborator::MaybeTerm BodyElaborator::sequence(const syntax::Block& block,
                                                   const syntax::Expr& expr) {
  environment_.open_value();
  sequence_depth_ = environment_.value_depth();
  const MaybeTerm result = statement_block(block, expr);
  sequence_depth_.reset();
  environment_.close_value();
  return result;
}

// The value, and all sorts that it can have.
BodyElaborator::MaybeTerm BodyElaborator::untyped_value(const syntax::Expr& expr,
                                                        std::vector<term::SortId>& sorts) {
  Readings readings(scope_);
  const NodeId root = analyse(expr, readings);
  const MaybeTerm result = resolve_best(readings, root);
  if (!result) return result;
  for (const Reading& reading : readings.of(root)) {
    if (!reading.ambiguous) sorts.push_back(reading.sort);
  }
  return result;
}

// The initial value, and the sort that it or the declared type gives the variable.
BodyElaborator::Initial BodyElaborator::initial_value(const syntax::Declaration& declaration,
                                                      const syntax::Expr& expr) {
  Initial result;
  if (declaration.type) {
    result.sort = type(*declaration.type);
    result.broken = !result.sort;
  }
  if (declaration.initial) {
    result.term = result.sort ? expression(*declaration.initial, *result.sort)
                              : untyped_value(*declaration.initial, result.sorts);
    result.broken = result.broken || !result.term;
    if (result.term) result.sort = store_.sort(*result.term);
  } else if (declaration.is_constant) {
    error(code::constant_without_value, expr.span,
          "the constant `" + declaration.name.text + "` has no value",
          "write `var obs " + declaration.name.text + " = e;`");
    result.broken = true;
  } else if (!declaration.type) {
    error(code::untyped_declaration, expr.span,
          "`" + declaration.name.text + "` has neither a type nor a value",
          "write `var " + declaration.name.text + ": T;` or `var " + declaration.name.text +
              " = e;`");
    result.broken = true;
  }
  return result;
}

BodyElaborator::MaybeTerm BodyElaborator::declaration(const syntax::Declaration& declaration,
                                                      const syntax::Expr& expr, Statements& block) {
  const Initial initial = initial_value(declaration, expr);
  if (!check_name_free(declaration.name)) return std::nullopt;
  Local local;
  local.name = declaration.name.text;
  local.span = declaration.name.span;
  local.sorts = initial.sorts;
  local.fixed = declaration.is_constant ? Fixed::constant : Fixed::no;
  // Where only the value is wrong, uses of the variable can still be checked.
  local.broken = !initial.sort;
  local.symbol = store_.fresh_variable(local.name, initial.sort.value_or(store_.predicate_sort()),
                                       !declaration.is_constant);
  const term::SymbolId symbol = local.symbol;
  environment_.declare(std::move(local), declaration.initial || initial.broken);
  if (initial.broken) return std::nullopt;
  block.declared.push_back(symbol);
  std::vector<MaybeTerm> children{variable_term(symbol, declaration.name.span)};
  if (initial.term) children.push_back(initial.term);
  return make_statement(Control::declare, children, expr);
}

BodyElaborator::MaybeTerm BodyElaborator::assignment(const syntax::Name& target,
                                                     const syntax::Span& target_span,
                                                     const syntax::Expr& value,
                                                     const syntax::Expr& expr) {
  const Local* found = environment_.find(target.text);
  if (!found) {
    unknown_variable(target);
    expression(value);
    return std::nullopt;
  }
  const Local local = *found;
  if (local.broken) return std::nullopt;
  const bool assignable = check_assignable(local, target_span);
  const MaybeTerm result = expression(value, store_[local.symbol].result);
  environment_.assign(local.symbol);
  if (!assignable) return std::nullopt;
  return make_statement(Control::assign, {variable_term(local.symbol, target_span), result}, expr);
}

BodyElaborator::MaybeTerm BodyElaborator::branch(const syntax::Expr& expr) {
  const Level level(*this, expr.span);
  return level ? statement(expr) : std::nullopt;
}

BodyElaborator::MaybeTerm BodyElaborator::branch_of_if(const syntax::Expr& part) {
  if (!is_value(part)) return branch(part);
  error(code::different_branches, part.span,
        "this branch of the `if` has a value and the other one has none",
        "both are statements, or both are expressions; `skip` does nothing");
  return std::nullopt;
}

// A chain of `else if` may be long: it is walked along, not recursed into.
BodyElaborator::MaybeTerm BodyElaborator::if_statement(const syntax::Expr& expr) {
  struct Link {
    const syntax::Expr* expr;
    MaybeTerm condition;
    MaybeTerm then_branch;
  };
  std::vector<Link> chain;
  Environment::Unassigned after_branches;
  const syntax::Expr* rest = &expr;
  while (const auto* choice = std::get_if<syntax::If>(&rest->node)) {
    if (!chain.empty() && is_value(*rest)) break;
    const MaybeTerm condition = expression(*choice->condition, store_.predicate_sort());
    const Environment::Unassigned before = environment_.unassigned();
    chain.push_back({rest, condition, branch_of_if(*choice->then_branch)});
    after_branches.insert(environment_.unassigned().begin(), environment_.unassigned().end());
    environment_.set_unassigned(before);
    rest = choice->else_branch.get();
  }
  MaybeTerm result = branch_of_if(*rest);
  environment_.join(after_branches);
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    result =
        make_statement(Control::if_, {link->condition, link->then_branch, result}, *link->expr);
  }
  return result;
}

// A loop's body may run zero times: what it assigns has no value after it for sure.
BodyElaborator::MaybeTerm BodyElaborator::for_statement(const syntax::For& loop,
                                                        const syntax::Expr& expr) {
  const std::vector<MaybeTerm> range = bounds({loop.low.get(), loop.high.get()});
  const bool known = range[0] && range[1];
  const bool free = check_name_free(loop.variable);
  const Environment::Unassigned before = environment_.unassigned();
  environment_.open();
  term::SymbolId index{};
  if (free) {
    const term::SortId sort = known ? store_.sort(*range[0]) : store_.predicate_sort();
    index = store_.fresh_variable(loop.variable.text, sort, false);
    environment_.declare({loop.variable.text, index, Fixed::index, !known, 0, loop.variable.span},
                         true);
  }
  const MaybeTerm body = branch(*loop.body);
  environment_.close();
  environment_.set_unassigned(before);
  if (!free) return std::nullopt;
  return make_statement(Control::for_, {range[0], range[1], body}, expr, {index});
}

BodyElaborator::MaybeTerm BodyElaborator::iterate_statement(const syntax::Iterate& loop,
                                                            const syntax::Expr& expr) {
  const std::vector<MaybeTerm> count = bounds({loop.count.get()});
  const auto* call = std::get_if<syntax::Call>(&loop.call->node);
  if (!call) {
    error(code::iterate_call, loop.call->span, "`iterate` repeats a call of a procedure",
          "write `iterate n p(x);`");
    return std::nullopt;
  }
  const Environment::Unassigned before = environment_.unassigned();
  const MaybeTerm round = procedure_call(*call, *loop.call);
  environment_.set_unassigned(before);
  return make_statement(Control::iterate, {count[0], round}, expr);
}

BodyElaborator::MaybeTerm BodyElaborator::while_statement(const syntax::While& loop,
                                                          const syntax::Expr& expr) {
  const MaybeTerm condition = expression(*loop.condition, store_.predicate_sort());
  const std::vector<MaybeTerm> bound = bounds({loop.bound.get()});
  const Environment::Unassigned before = environment_.unassigned();
  const MaybeTerm body = branch(*loop.body);
  environment_.set_unassigned(before);
  return make_statement(Control::while_, {condition, bound[0], body}, expr);
}

}  // namespace rhopsi::elaborate
