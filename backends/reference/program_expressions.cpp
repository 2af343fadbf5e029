#include "backends/reference/program_expressions.hpp"

#include <fmt/format.h>

#include "backends/reference/axioms.hpp"
#include "backends/reference/failure.hpp"
#include "backends/reference/tabulation.hpp"
#include "backends/reference/typing.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::reference {

using term::SymbolId;
using term::TermId;

struct ProgramExpressions::State {
  struct Typed {
    NodeId root{};
    std::vector<SymbolId> variables;  // in the first slots
    std::size_t slots = 0;
  };

  const term::Store& store;
  Axioms axioms;
  Typing typing;
  Tabulation tabulation;
  std::unordered_map<TermId, Typed> known;

  State(const term::Store& store, const term::Program& program, const onf::PrimitiveTable& table,
        const DefinitionLimits& limits, Watch& watch, ProgramContext& context)
      : store(store),
        axioms(store, program, table),
        typing(axioms, watch, &context),
        tabulation(typing, axioms, limits, watch, &context) {}

  const Typed& typed(TermId term, std::vector<SymbolId> variables) {
    Typed typed;
    Scope scope;
    for (SymbolId variable : variables) {
      scope.add(variable, typing.type_of_sort(store[variable].result));
    }
    typed.root = typing.node(term, scope);
    typed.variables = std::move(variables);
    typed.slots = scope.slots;
    return known.emplace(term, std::move(typed)).first->second;
  }

  const Typed& expression(TermId term) {
    const auto found = known.find(term);
    return found != known.end() ? found->second : typed(term, free_variables(store, term));
  }

  const Typed& guard(const term::Callable& callable) {
    const auto found = known.find(*callable.guard);
    return found != known.end() ? found->second : typed(*callable.guard, callable.parameters);
  }
};

ProgramExpressions::ProgramExpressions(const term::Store& store, const term::Program& program,
                                       const onf::PrimitiveTable& table,
                                       const DefinitionLimits& limits, Watch& watch,
                                       ProgramContext& context)
    : state_(new State(store, program, table, limits, watch, context)) {}

ProgramExpressions::~ProgramExpressions() = default;

void ProgramExpressions::start() {
  state_->typing.forget_incomplete();
  state_->tabulation.start();
}

Value ProgramExpressions::evaluate(TermId term, const Variables& variables) {
  const State::Typed& typed = state_->expression(term);
  Tabulation::Frame frame;
  frame.reserve(typed.slots);
  for (SymbolId variable : typed.variables) {
    const auto found = variables.find(variable);
    if (found == variables.end()) {
      fail(codes::unset, fmt::format("The variable `{}` is read before it is set.",
                                     state_->store[variable].name));
    }
    frame.push_back(found->second);
  }
  frame.resize(typed.slots);
  Value value = state_->tabulation.run(typed.root, frame);
  state_->tabulation.finish();
  return value;
}

Value ProgramExpressions::call(SymbolId symbol, std::vector<Value> arguments) {
  std::vector<Type> types;
  for (term::SortId sort : state_->store[symbol].parameters) {
    types.push_back(state_->typing.type_of_sort(sort));
  }
  Value value =
      state_->tabulation.call(state_->typing.instance(symbol, types), std::move(arguments));
  state_->tabulation.finish();
  return value;
}

void ProgramExpressions::check_guard(const term::Callable& callable,
                                     std::span<const Value> arguments) {
  const State::Typed& typed = state_->guard(callable);
  Tabulation::Frame frame(arguments.begin(), arguments.end());
  frame.resize(typed.slots);
  state_->tabulation.check_guard(callable, typed.root, frame);
  state_->tabulation.finish();
}

}  // namespace rhopsi::reference
