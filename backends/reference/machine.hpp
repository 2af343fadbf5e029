// The evaluator's inside: one frame of variables per call, and what each construct does.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/reference/evaluator.hpp"
#include "backends/reference/memo.hpp"
#include "backends/reference/program_expressions.hpp"
#include "backends/reference/value.hpp"
#include "backends/reference/watch.hpp"

namespace rhopsi::reference {

// Everything throws Failure; `location` then tells the innermost place that is known.
class Machine final : public ProgramContext {
 public:
  using Frame = Variables;

  Machine(const term::Store& store, const term::Program& program, const onf::PrimitiveTable& table,
          Options options);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Forgets what an earlier, failed evaluation left behind. The caller's frame counts as
  // the bottom of the stack.
  void start();
  std::optional<Value> call_from_outside(term::SymbolId symbol, std::vector<Value>& arguments);
  Value evaluate_from_outside(term::TermId term, Frame variables);
  const term::Location& location() const { return store_[watch_.place()]; }

 private:
  // machine.cpp
  Value evaluate(term::TermId term);
  Value compute(term::TermId term);
  void execute(term::TermId term);
  std::optional<Value> remember(term::TermId term);
  Value literal(term::TermId term);
  Value read(term::SymbolId variable) const;
  void write(term::SymbolId variable, Value value);
  std::int64_t integer(term::TermId term);
  bool truth(term::TermId term);
  const onf::Representation& representation(term::SortId sort);
  onf::Scalar scalar_of_sort(term::SortId sort);

  // controls.cpp
  Value control_value(term::TermId term);
  void control_statement(term::TermId term);
  std::optional<Value> run_block(term::TermId term);
  void run_declaration(term::TermId term);
  void run_assertion(term::TermId term);
  void run_for(term::TermId term);
  void run_iterate(term::TermId term);
  void run_while(term::TermId term);
  Value fold(term::TermId term);
  Value forall(term::TermId term);
  bool forall_predicate(term::TermId term, std::span<const std::int64_t> shape);
  Value forall_array(term::TermId term, std::vector<std::int64_t> shape);
  Value index_or_counter(term::SymbolId variable, const Index& index);
  Value vector(term::TermId term);
  std::optional<Value> unit(term::SymbolId operation, term::SortId sort);

  // calls.cpp
  Value call_term(term::TermId term);
  void call_procedure(term::TermId term);
  Value apply_symbol(term::SymbolId symbol, std::vector<Value> arguments);
  std::optional<Value> invoke(const term::Callable& callable, std::vector<Value>& arguments);
  std::optional<Value> run_body(const term::Callable& callable, std::vector<Value>& arguments);
  void check_guard(const term::Callable& callable, const std::vector<Value>& arguments);
  Value builtin_term(onf::ScalarFunction function, term::TermId term);
  Value builtin_value(onf::ScalarFunction function, std::span<const Value> arguments);
  Value value_of_block(term::TermId block, Variables variables) override;
  const term::Callable* concrete(term::SymbolId symbol) const;
  std::string name(term::SymbolId symbol) const;

  // externals.cpp
  Value value_of_external(const term::Callable& callable, std::vector<Value> arguments) override;
  std::optional<Value> run_external(const term::Callable& callable, std::vector<Value>& arguments);
  const onf::Primitive& primitive(const term::Callable& callable);
  Value run_index(const onf::Primitive& primitive, std::span<const Value> arguments);
  Value run_component(std::span<const Value> arguments);
  Value run_load(std::span<const Value> arguments);
  Value run_schedule(const term::Callable& callable, std::span<const Value> arguments);
  Value extent(int axis) const;
  bool inside(const Index& index) const;
  Value built_array(std::vector<std::int64_t> shape, Elements elements);

  // parameters.cpp
  Value parameter(const term::Callable& callable);
  void check_parameters(term::SymbolId entry);
  std::vector<term::SymbolId> called_by(const term::Callable& callable) const;
  bool is_missing_parameter(const term::Callable& callable) const;
  std::int64_t padding();
  std::int64_t padding_value(term::SymbolId symbol);

  const term::Store& store_;
  const term::Program& program_;
  const onf::PrimitiveTable& table_;
  const Options options_;

  std::unordered_map<term::SymbolId, const term::Callable*> callables_;
  std::unordered_map<term::SymbolId, onf::Primitive> primitives_;
  std::unordered_map<term::SortId, onf::Representation> representations_;
  std::unordered_set<term::SymbolId> checked_;  // entries whose parameters are there
  std::optional<std::int64_t> padding_;

  Frame* frame_ = nullptr;
  Watch watch_;
  std::size_t depth_ = 0;       // of calls
  std::size_t loop_depth_ = 0;  // of element loops
  Memo memo_;
  // Where arrays have shapes of their own; null where they all have that of the domain.
  std::unique_ptr<ProgramExpressions> expressions_;
};

}  // namespace rhopsi::reference
