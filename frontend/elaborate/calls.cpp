// Procedure calls: which procedure, and what its modes ask of the arguments.
#include <algorithm>

#include "frontend/elaborate/body_codes.hpp"
#include "frontend/elaborate/body_elaborator.hpp"

namespace rhopsi::elaborate {

using term::Mode;
using term::SymbolKind;

bool BodyElaborator::check_assignable(const Local& local, const syntax::Span& span) {
  if (local.fixed == Fixed::parameter && sequence_depth_ == environment_.value_depth()) return true;
  std::string why;
  switch (local.fixed) {
    case Fixed::parameter:
      why = "is an obs parameter";
      break;
    case Fixed::constant:
      why = "is a constant";
      break;
    case Fixed::index:
      why = "is an index";
      break;
    case Fixed::no:
      break;
  }
  const char* code = code::not_assignable;
  std::string note = "copy it to a variable of its own and change that";
  if (why.empty() && local.value_depth < environment_.value_depth()) {
    code = code::changes_outer;
    why = "is declared outside this value block";
    note = "a value block may only change what it declares itself";
  }
  if (why.empty()) return true;
  syntax::Diagnostic& diagnostic = error(
      code, span, "`" + local.name + "` " + why + " and cannot be changed here", std::move(note));
  if (local.span.file) diagnostic.related.push_back({local.span, "it is declared here"});
  return false;
}

bool BodyElaborator::check_assigned(const Local& local, const syntax::Span& span) {
  if (environment_.assigned(local.symbol)) return true;
  syntax::Diagnostic& diagnostic =
      error(code::read_before_set, span, "`" + local.name + "` may not have a value here",
            "give it one on every path that leads here");
  if (local.span.file) diagnostic.related.push_back({local.span, "it is declared here"});
  // One message for a variable is enough.
  environment_.assign(local.symbol);
  return false;
}

// A variable that is an argument itself is not read before the mode is known.
std::vector<BodyElaborator::Argument> BodyElaborator::arguments_of(const syntax::Call& call,
                                                                   Readings& readings) {
  std::vector<Argument> arguments;
  for (const Item& item : expanded(call.arguments)) {
    const auto* variable = std::get_if<syntax::Variable>(&item.expr->node);
    const Local* local = item.member ? environment_.find(*item.member)
                         : variable  ? environment_.find(variable->name.text)
                                     : nullptr;
    if (!local) {
      arguments.push_back({analyse(*item.expr, readings), item.expr, {}});
      continue;
    }
    const Local copy = *local;
    NodeId node =
        copy.broken ? readings.broken(item.expr) : readings.variable(copy.symbol, item.expr);
    if (variable) node = cast(node, variable->cast, readings);
    arguments.push_back({node, item.expr, copy});
  }
  return arguments;
}

void BodyElaborator::unknown_procedure(const syntax::Call& call, const Readings& readings,
                                       const std::vector<NodeId>& arguments) {
  if (is_refused(call.callee)) return;
  const bool declared =
      !scope_.overloads(call.callee.text).empty() || is_builtin_name(call.callee.text);
  if (!declared) {
    unknown_operation(call.callee, readings, arguments, true);
    return;
  }
  error(code::not_a_procedure, call.callee.span,
        "`" + call.callee.text + "` is not a procedure: its value would be lost",
        "only procedures are called as statements; assign the value to a variable");
}

std::optional<term::SymbolId> BodyElaborator::choose_procedure(
    const syntax::Call& call, const Readings& readings, const std::vector<Argument>& arguments) {
  std::vector<NodeId> nodes;
  bool broken = false;
  for (const Argument& argument : arguments) {
    nodes.push_back(argument.node);
    broken = broken || readings.is_broken(argument.node);
  }
  std::vector<term::SymbolId> procedures =
      broken ? scope_.overloads(call.callee.text) : readings.callees(call.callee.text, nodes);
  std::erase_if(procedures, [this](term::SymbolId callee) {
    return store_[callee].kind != SymbolKind::procedure;
  });
  const bool variadic = scope_.has_variadic && scope_.has_variadic(call.callee.text);
  if (procedures.empty() && !(variadic && scope_.overloads(call.callee.text).empty())) {
    unknown_procedure(call, readings, nodes);
    return std::nullopt;
  }
  if (broken) return std::nullopt;
  std::vector<Reading> fitting;
  for (term::SymbolId procedure : procedures) {
    if (std::optional<Reading> way = readings.apply(procedure, nodes)) fitting.push_back(*way);
  }
  if (fitting.empty()) {
    if (!is_refused(call.callee)) no_overload(call.callee, procedures, readings, nodes);
    return std::nullopt;
  }
  const auto cheaper = [](const Reading& a, const Reading& b) { return a.cost < b.cost; };
  const Reading best = *std::min_element(fitting.begin(), fitting.end(), cheaper);
  std::erase_if(fitting, [&](const Reading& way) { return way.cost > best.cost; });
  if (fitting.size() == 1) return best.symbol;
  std::vector<std::string> listed;
  for (const Reading& way : fitting) listed.push_back(described(way.symbol));
  std::sort(listed.begin(), listed.end());
  std::string text = listed[0];
  for (std::size_t i = 1; i < listed.size(); ++i) text += "; " + listed[i];
  error(code::ambiguous, call.callee.span, "this call can mean several procedures: " + text,
        "say which one is meant with a cast `: T` on an argument");
  return std::nullopt;
}

bool BodyElaborator::check_mode(const Argument& argument, Mode mode, term::SymbolId procedure) {
  if (mode == Mode::obs)
    return !argument.local || check_assigned(*argument.local, argument.expr->span);
  if (!argument.local) {
    error(code::argument_not_variable, argument.expr->span,
          "`" + store_[procedure].name + "` changes this argument, which is not a variable",
          "pass a variable");
    return false;
  }
  if (!check_assignable(*argument.local, argument.expr->span)) return false;
  return mode == Mode::out || check_assigned(*argument.local, argument.expr->span);
}

bool BodyElaborator::check_aliases(const term::Symbol& procedure,
                                   const std::vector<Argument>& arguments) {
  bool fine = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    for (std::size_t j = i + 1; j < arguments.size(); ++j) {
      if (!arguments[i].local || !arguments[j].local) continue;
      if (arguments[i].local->symbol != arguments[j].local->symbol) continue;
      if (procedure.modes[i] == Mode::obs && procedure.modes[j] == Mode::obs) continue;
      error(code::aliased, arguments[j].expr->span,
            "`" + arguments[j].local->name + "` is passed twice, and `" + procedure.name +
                "` changes it",
            "pass a copy for one of the two")
          .related.push_back({arguments[i].expr->span, "it is passed here as well"});
      fine = false;
    }
  }
  return fine;
}

BodyElaborator::MaybeTerm BodyElaborator::procedure_call(const syntax::Call& call,
                                                         const syntax::Expr& expr) {
  if (call.callee.text == "_=_" && call.arguments.size() == 2) {
    if (const auto* target = std::get_if<syntax::Variable>(&call.arguments[0]->node)) {
      return assignment(target->name, call.arguments[0]->span, *call.arguments[1], expr);
    }
  }
  Readings readings(scope_);
  const std::vector<Argument> arguments = arguments_of(call, readings);
  const std::optional<term::SymbolId> procedure = choose_procedure(call, readings, arguments);
  if (!procedure) {
    // Which arguments it would have set is not known: later reads are not blamed.
    for (const Argument& argument : arguments) {
      if (argument.local) environment_.assign(argument.local->symbol);
    }
    return std::nullopt;
  }
  const term::Symbol& symbol = store_[*procedure];
  bool fine = check_aliases(symbol, arguments);
  std::vector<term::TermId> terms;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    fine = check_mode(arguments[i], symbol.modes[i], *procedure) && fine;
    const MaybeTerm term = resolve(readings, arguments[i].node, symbol.parameters[i]);
    fine = fine && term;
    if (term) terms.push_back(*term);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (symbol.modes[i] == Mode::out && arguments[i].local) {
      environment_.assign(arguments[i].local->symbol);
    }
  }
  if (!fine) return std::nullopt;
  return store_.make(*procedure, terms, {}, locate(store_, expr.span));
}

}  // namespace rhopsi::elaborate
