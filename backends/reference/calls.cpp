#include <fmt/format.h>

#include "backends/reference/arrays.hpp"
#include "backends/reference/failure.hpp"
#include "backends/reference/machine.hpp"
#include "backends/reference/scalars.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::reference {

using onf::ScalarFunction;
using term::Callable;
using term::Mode;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

std::string Machine::name(SymbolId symbol) const { return "`" + to_string(store_, symbol) + "`"; }

const Callable* Machine::concrete(SymbolId symbol) const {
  const auto found = callables_.find(symbol);
  if (found == callables_.end() || !found->second->concrete()) return nullptr;
  return found->second;
}

std::optional<Value> Machine::call_from_outside(SymbolId symbol, std::vector<Value>& arguments) {
  const Callable* callable = concrete(symbol);
  if (callable == nullptr) {
    fail(codes::no_meaning, fmt::format("{} has neither a body nor an external.", name(symbol)));
  }
  watch_.enter(callable->location);
  const auto& parameters = store_[symbol].parameters;
  if (parameters.size() != arguments.size()) {
    fail(codes::arguments, fmt::format("{} takes {} arguments; {} are given.", name(symbol),
                                       parameters.size(), arguments.size()));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const onf::Representation& wanted = representation(parameters[i]);
    if (store_[symbol].modes[i] == Mode::out) continue;
    if (!has_representation(arguments[i], wanted)) {
      fail(codes::arguments, fmt::format("Argument {} of {} has to be {}; {} is given.", i + 1,
                                         name(symbol), describe(wanted), describe(arguments[i])));
    }
    if (Array* array = std::get_if<Array>(&arguments[i])) array->fresh = true;
  }
  count_elements(options_.domain);
  check_parameters(symbol);
  if (expressions_ && callable->body && store_[symbol].kind != SymbolKind::procedure) {
    return expressions_->call(symbol, arguments);
  }
  return invoke(*callable, arguments);
}

Value Machine::value_of_block(TermId block, Variables variables) {
  Frame* const outer = frame_;
  frame_ = &variables;
  std::optional<Value> value = run_block(block);
  frame_ = outer;
  if (value) return std::move(*value);
  fail(codes::internal, "A block without a value stands where a value is needed.");
}

Value Machine::call_term(TermId term) {
  const SymbolId symbol = store_.symbol(term);
  if (store_[symbol].kind == SymbolKind::procedure) {
    fail(codes::internal, "A procedure is called where a value is needed.");
  }
  if (concrete(symbol) == nullptr) {
    if (const auto function = onf::builtin_function(store_, symbol)) {
      return builtin_term(*function, term);
    }
  }
  std::vector<Value> arguments;
  for (TermId argument : store_.children(term)) arguments.push_back(evaluate(argument));
  return apply_symbol(symbol, std::move(arguments));
}

// Connectives look at their right side only where it matters, as compiled code does.
Value Machine::builtin_term(ScalarFunction function, TermId term) {
  const auto operands = store_.children(term);
  if (function == ScalarFunction::and_) return truth(operands[0]) && truth(operands[1]);
  if (function == ScalarFunction::or_) return truth(operands[0]) || truth(operands[1]);
  if (function == ScalarFunction::implies) return !truth(operands[0]) || truth(operands[1]);
  std::vector<Value> arguments;
  for (TermId operand : operands) arguments.push_back(evaluate(operand));
  return builtin_value(function, arguments);
}

Value Machine::builtin_value(ScalarFunction function, std::span<const Value> arguments) {
  const bool whole = !arguments.empty() && (std::holds_alternative<Index>(arguments[0]) ||
                                            std::holds_alternative<Array>(arguments[0]));
  if (whole && function == ScalarFunction::equal) return arguments[0] == arguments[1];
  if (whole && function == ScalarFunction::not_equal) return arguments[0] != arguments[1];
  return apply_scalar(function, arguments);
}

Value Machine::apply_symbol(SymbolId symbol, std::vector<Value> arguments) {
  const Callable* callable = concrete(symbol);
  if (callable == nullptr) {
    if (const auto function = onf::builtin_function(store_, symbol)) {
      return builtin_value(*function, arguments);
    }
    fail(codes::no_meaning, fmt::format("{} has neither a body nor an external.", name(symbol)));
  }
  std::optional<Value> result = invoke(*callable, arguments);
  if (!result) fail(codes::internal, fmt::format("{} has no value.", name(symbol)));
  return std::move(*result);
}

void Machine::call_procedure(TermId term) {
  const SymbolId symbol = store_.symbol(term);
  const Callable* callable = concrete(symbol);
  if (callable == nullptr) {
    fail(codes::no_meaning, fmt::format("{} has neither a body nor an external.", name(symbol)));
  }
  const auto& modes = store_[symbol].modes;
  const auto terms = store_.children(term);
  std::vector<Value> arguments;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    arguments.push_back(modes[i] == Mode::out ? Value(false) : evaluate(terms[i]));
  }
  invoke(*callable, arguments);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (modes[i] != Mode::obs) write(store_.symbol(terms[i]), std::move(arguments[i]));
  }
}

std::optional<Value> Machine::invoke(const Callable& callable, std::vector<Value>& arguments) {
  if (depth_ >= options_.max_call_depth) {
    fail(codes::depth, fmt::format("Calls nest more than {} deep, the last of them of {}.",
                                   options_.max_call_depth, name(callable.symbol)));
  }
  ++depth_;
  if (callable.guard) check_guard(callable, arguments);
  std::optional<Value> result =
      callable.body ? run_body(callable, arguments) : run_external(callable, arguments);
  --depth_;
  return result;
}

void Machine::check_guard(const Callable& callable, const std::vector<Value>& arguments) {
  if (expressions_) return expressions_->check_guard(callable, arguments);
  Frame frame;
  for (std::size_t i = 0; i < callable.parameters.size(); ++i) {
    if (store_[callable.symbol].modes[i] == Mode::out) continue;
    frame.emplace(callable.parameters[i], arguments[i]);
  }
  Frame* const outer = frame_;
  frame_ = &frame;
  const bool holds = truth(*callable.guard);
  frame_ = outer;
  if (holds) return;
  fail(codes::guard, fmt::format("The guard `{}` of {} does not hold.",
                                 to_string(store_, *callable.guard), name(callable.symbol)));
}

std::optional<Value> Machine::run_body(const Callable& callable, std::vector<Value>& arguments) {
  const term::Symbol& symbol = store_[callable.symbol];
  Frame frame;
  for (std::size_t i = 0; i < callable.parameters.size(); ++i) {
    if (symbol.modes[i] != Mode::out) frame.emplace(callable.parameters[i], arguments[i]);
  }
  Frame* const outer = frame_;
  frame_ = &frame;
  std::optional<Value> result;
  if (symbol.kind == SymbolKind::procedure) {
    execute(*callable.body);
    for (std::size_t i = 0; i < callable.parameters.size(); ++i) {
      if (symbol.modes[i] == Mode::obs) continue;
      const auto left = frame.find(callable.parameters[i]);
      if (left == frame.end()) {
        fail(codes::unset, fmt::format("{} ends without setting its parameter `{}`.",
                                       name(callable.symbol), store_[callable.parameters[i]].name));
      }
      arguments[i] = std::move(left->second);
    }
  } else {
    result = evaluate(*callable.body);
  }
  frame_ = outer;
  return result;
}

}  // namespace rhopsi::reference
