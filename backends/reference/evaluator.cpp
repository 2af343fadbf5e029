#include "backends/reference/evaluator.hpp"

#include <new>
#include <utility>

#include "backends/reference/failure.hpp"
#include "backends/reference/machine.hpp"

namespace rhopsi::reference {

struct Evaluator::State {
  Machine machine;

  // Runs `evaluation`, and makes a value of whatever goes wrong.
  template <class Evaluation>
  auto guarded(const Evaluation& evaluation) -> tl::expected<decltype(evaluation()), Error> {
    machine.start();
    try {
      return evaluation();
    } catch (const Failure& failure) {
      return tl::unexpected(Error{failure.code, failure.message, machine.location()});
    } catch (const std::bad_alloc&) {
      return tl::unexpected(Error{codes::size, "The memory is exhausted.", machine.location()});
    } catch (const std::exception& fault) {
      return tl::unexpected(Error{codes::internal,
                                  std::string("The evaluator is at fault: ") + fault.what() + ".",
                                  machine.location()});
    }
  }
};

Evaluator::Evaluator(const term::Store& store, const term::Program& program,
                     const onf::PrimitiveTable& table, Options options)
    : state_(new State{Machine(store, program, table, std::move(options))}) {}

Evaluator::~Evaluator() = default;

Evaluator::Result Evaluator::call(term::SymbolId callable, std::span<Value> arguments) {
  std::vector<Value> values(arguments.begin(), arguments.end());
  Result result =
      state_->guarded([&] { return state_->machine.call_from_outside(callable, values); });
  if (result) std::ranges::move(values, arguments.begin());
  return result;
}

tl::expected<Value, Error> Evaluator::evaluate(term::TermId term,
                                               const std::map<term::SymbolId, Value>& variables) {
  return state_->guarded([&] {
    return state_->machine.evaluate_from_outside(term, {variables.begin(), variables.end()});
  });
}

}  // namespace rhopsi::reference
