#include "frontend/elaborate/body.hpp"

#include "frontend/elaborate/body_codes.hpp"
#include "frontend/elaborate/body_elaborator.hpp"
#include "frontend/syntax/deep_stack.hpp"

namespace rhopsi::elaborate {

BodyElaborator::BodyElaborator(const Scope& scope, const Parameters& parameters,
                               syntax::Diagnostics& diagnostics)
    : scope_(scope), store_(scope.store()), diagnostics_(diagnostics), parameters_(parameters) {
  for (std::size_t i = 0; i < parameters.variables.size(); ++i) {
    const term::SymbolId variable = parameters.variables[i];
    const term::Mode mode = i < parameters.modes.size() ? parameters.modes[i] : term::Mode::obs;
    Local local;
    local.name = store_[variable].name;
    local.symbol = variable;
    local.fixed = mode == term::Mode::obs ? Fixed::parameter : Fixed::no;
    environment_.declare(std::move(local), mode != term::Mode::out);
  }
}

bool has_value(const syntax::Block& block) {
  for (const syntax::ExprPtr& statement : block.statements) {
    if (std::holds_alternative<syntax::Value>(statement->node)) return true;
  }
  return false;
}

namespace {

// Is the expression a statement rather than a value?
bool is_statement(const syntax::Expr& expr) {
  if (const auto* block = std::get_if<syntax::Block>(&expr.node)) return !has_value(*block);
  if (const auto* choice = std::get_if<syntax::If>(&expr.node)) {
    return is_statement(*choice->then_branch);
  }
  if (const auto* call = std::get_if<syntax::Call>(&expr.node)) return call->is_procedure_call;
  return !(std::holds_alternative<syntax::Variable>(expr.node) ||
           std::holds_alternative<syntax::Literal>(expr.node) ||
           std::holds_alternative<syntax::VectorLiteral>(expr.node) ||
           std::holds_alternative<syntax::Fold>(expr.node) ||
           std::holds_alternative<syntax::Forall>(expr.node));
}

}  // namespace

std::optional<term::TermId> BodyElaborator::function_body(const syntax::Expr& body,
                                                          term::SortId result) {
  return expression(body, result);
}

std::optional<term::TermId> BodyElaborator::procedure_body(const syntax::Expr& body) {
  const auto* block = std::get_if<syntax::Block>(&body.node);
  const MaybeTerm term = block ? statement_block(*block, body) : block_of(statement(body), body);
  bool all_set = true;
  for (std::size_t i = 0; i < parameters_.variables.size(); ++i) {
    const term::SymbolId variable = parameters_.variables[i];
    if (environment_.assigned(variable)) continue;
    const std::string& name = store_[variable].name;
    error(code::out_not_set, body.span, "the out parameter `" + name + "` is not set on every path",
          "assign `" + name + "` before the end; a loop may run zero times");
    all_set = false;
  }
  return all_set ? term : std::nullopt;
}

std::optional<term::TermId> BodyElaborator::axiom_body(const syntax::Expr& body) {
  in_axiom_ = true;
  const auto* block = std::get_if<syntax::Block>(&body.node);
  if (block && is_statement(body)) return statement_block(*block, body);
  if (is_statement(body)) return block_of(statement(body), body);
  const MaybeTerm claim = claimed(body);
  return block_of(make_statement(term::Control::assert_, {claim}, body), body);
}

std::optional<term::TermId> elaborate_body(const Scope& scope, const syntax::Expr& body,
                                           BodyKind kind, term::SortId result,
                                           const Parameters& parameters,
                                           syntax::Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  BodyElaborator elaborator(scope, parameters, diagnostics);
  std::optional<term::TermId> term;
  syntax::run_on_deep_stack([&] {
    switch (kind) {
      case BodyKind::function:
      case BodyKind::predicate:
        term = elaborator.function_body(body, result);
        break;
      case BodyKind::procedure:
        term = elaborator.procedure_body(body);
        break;
      case BodyKind::axiom:
        term = elaborator.axiom_body(body);
        break;
    }
  });
  return diagnostics.error_count() == errors ? term : std::nullopt;
}

std::optional<term::TermId> elaborate_guard(const Scope& scope, const syntax::Expr& guard,
                                            const Parameters& parameters,
                                            syntax::Diagnostics& diagnostics) {
  return elaborate_body(scope, guard, BodyKind::predicate, scope.store().predicate_sort(),
                        parameters, diagnostics);
}

}  // namespace rhopsi::elaborate
