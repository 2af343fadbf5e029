#include "backends/reference/definitions.hpp"

#include <new>
#include <string>
#include <utility>

#include "backends/reference/arrays.hpp"
#include "backends/reference/axioms.hpp"
#include "backends/reference/failure.hpp"
#include "backends/reference/numbers.hpp"
#include "backends/reference/tabulation.hpp"
#include "backends/reference/typing.hpp"
#include "backends/reference/watch.hpp"

namespace rhopsi::reference {

struct Definitions::State {
  term::Store& store;
  Axioms axioms;
  Watch watch;
  Typing typing;
  Tabulation tabulation;

  State(term::Store& store, const term::Theory& theory, const onf::PrimitiveTable& table,
        const DefinitionLimits& limits)
      : store(store),
        axioms(store, theory, table),
        watch(limits.stack_bytes),
        typing(axioms, watch),
        tabulation(typing, axioms, limits, watch) {
    axioms.read_rules(store);
  }

  Value evaluate(term::TermId term, const std::map<term::SymbolId, Value>& variables) {
    Scope scope;
    Tabulation::Frame frame;
    for (const auto& [variable, value] : variables) {
      const Type type = typing.type_of_value(value, store[variable].result);
      scope.add(variable, type);
      frame.push_back(
          type.form == onf::Representation::Kind::index ? value : converted(value, type.scalar));
    }
    const NodeId root = typing.node(term, scope);
    frame.resize(scope.slots);
    Value value = tabulation.run(root, frame);
    if (const Array* array = std::get_if<Array>(&value)) check_elements(*array);
    return value;
  }
};

Definitions::Definitions(term::Store& store, const term::Theory& theory,
                         const onf::PrimitiveTable& table, DefinitionLimits limits)
    : state_(new State(store, theory, table, limits)) {}

Definitions::~Definitions() = default;

tl::expected<Value, Error> Definitions::evaluate(term::TermId term,
                                                 const std::map<term::SymbolId, Value>& variables) {
  State& state = *state_;
  const auto error = [&](std::string code, std::string message, std::optional<Access> access = {}) {
    const term::Location place = state.store[state.watch.place()];
    return tl::unexpected(Error{std::move(code), std::move(message), place, std::move(access)});
  };
  state.watch.start();
  state.tabulation.start();
  try {
    return state.evaluate(term, variables);
  } catch (const Failure& failure) {
    state.typing.forget_incomplete();
    return error(failure.code, failure.message, failure.access);
  } catch (const std::bad_alloc&) {
    state.typing.forget_incomplete();
    return error(codes::size, "The memory is exhausted.");
  } catch (const std::exception& fault) {
    state.typing.forget_incomplete();
    return error(codes::internal, std::string("The evaluator is at fault: ") + fault.what() + ".");
  }
}

}  // namespace rhopsi::reference
