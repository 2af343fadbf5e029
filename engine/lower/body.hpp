// Lowering of one function's body; split over expression.cpp, index.cpp, array.cpp,
// schedule.cpp and statement.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

#include "engine/lower/context.hpp"

namespace rhopsi::lower {

// Truth values, integers of the form itself (indices, counters), and total indices.
inline const Representation boolean_type{Representation::Kind::scalar, onf::Scalar::boolean, {}};
inline const Representation int64_type{Representation::Kind::scalar, onf::Scalar::int64, {}};
inline const Representation index_type{Representation::Kind::index, onf::Scalar::int64, {}};

// What a variable of the program has become: a variable or a view of the function, or,
// for a parameter of an inlined body, an expression.
using Meaning = std::variant<onf::VariableId, onf::ViewId, Expr>;

struct ArrayValue {
  onf::ViewId view;
  bool temporary;  // made here and named nowhere else
};

class Body {
 public:
  Body(Context& context, const Callable& callable, onf::FunctionId id);
  void lower();

 private:
  // --- expression.cpp
  Expr scalar(TermId term);
  Expr variable(TermId term);
  Expr literal(TermId term);
  Expr control(TermId term);
  Expr operation(TermId term);
  Expr predicate(onf::ScalarFunction function, TermId term);
  Expr equality(onf::ScalarFunction function, Expr left, Expr right, LocationId location);
  Expr primitive(const onf::Primitive& primitive, const Callable& callable, TermId term);
  Expr index_primitive(const onf::Primitive& primitive, std::vector<Expr> operands, Expr made);
  Expr load(TermId term);
  Expr call(const Callable& callable, TermId term);
  Expr inlined(const Callable& callable, TermId term);
  Expr conditional(TermId condition, const std::function<Expr()>& then,
                   const std::function<Expr()>& otherwise, const Representation& type,
                   LocationId location);
  Expr value_block(TermId term);
  Expr fold(TermId term);
  std::vector<Expr> arguments(std::span<const TermId> terms);
  Expr atom(Expr value, const std::string& name);  // bound by a let if it is compound
  Expr made(Expr::Kind kind, const Representation& type, LocationId location) const;
  Expr integer(std::int64_t value) const;
  Expr of(onf::VariableId variable, LocationId location) const;
  Expr of(onf::ViewId view, LocationId location) const;

  // --- array.cpp
  ArrayValue array(TermId term, const std::string& name);
  void array_into(TermId term, onf::ViewId target);
  ArrayValue array_operation(TermId term, const std::string& name);
  ArrayValue whole(const onf::Primitive& primitive, TermId term, const std::string& name);
  Expr external_call(const Callable& callable, TermId term);
  Expr hoisted_view(TermId term);
  bool depends_on_index(TermId term);

  // --- guard.cpp
  bool in_kernel() const;
  bool tests_guard(const Callable& callable);
  // A test of the guard for these arguments, or for what the parameters stand for already.
  void check_guard(const Callable& callable, const std::vector<Expr>& arguments,
                   LocationId location);
  // The same before a call, with each operand computed once.
  void check_call(const Callable& callable, std::vector<Expr>& operands, LocationId location);
  bool evaluable_on_host(TermId guard);
  bool evaluable_in_kernel(TermId root);
  bool kernel_has(TermId part, std::unordered_set<SymbolId>& entered, std::vector<TermId>& bodies);
  bool kernel_has_external(const Callable& callable, TermId call);
  bool compares_arrays(TermId comparison);

  // --- schedule.cpp
  ArrayValue schedule(const onf::Primitive& primitive, const Callable& callable, TermId term,
                      const std::string& name);
  const Callable* element_of(const Callable& schedule);
  void bind_arguments(const Callable& element, const std::vector<Expr>& arguments);
  void bind_indices(onf::Nest& nest, const Callable& element, std::size_t first);

  // --- statement.cpp
  void statement(TermId term);
  void declare(TermId term);
  void assign(TermId target, TermId value, LocationId location);
  void procedure_call(TermId term);
  Expr bound(TermId term);
  void for_statement(TermId term);
  void if_statement(TermId term);
  void while_statement(TermId term);
  void iterate_statement(TermId term);
  void check_statement(TermId term);
  void return_value(TermId term);
  onf::Statements collected(const std::function<void()>& emit);

  onf::Function& function() { return context_.module.functions[onf::number(id_)]; }
  const onf::Function& function() const { return context_.module.functions[onf::number(id_)]; }
  onf::VariableId new_variable(const std::string& name, Representation type, LocationId location);
  onf::ViewId new_view(const std::string& name, onf::Scalar element, LocationId location);
  std::string fresh_name(const std::string& base);
  template <class Form>
  void emit(Form form, LocationId location) {
    statements_->push_back(onf::Statement{std::move(form), location});
  }
  std::vector<TermId> children(TermId term) const {
    const auto found = context_.store.children(term);
    return {found.begin(), found.end()};
  }
  const term::Store& store() const { return context_.store; }

  Context& context_;
  const Callable& callable_;
  onf::FunctionId id_;
  std::unordered_map<SymbolId, Meaning> meanings_;
  std::set<std::string> names_;
  std::unordered_map<std::string, int> tried_;  // numbers behind a name, in fresh_name
  onf::Statements* statements_ = nullptr;
  std::vector<SymbolId> inlining_;
  // Inside the element of a nest: where loop-invariant statements go, the first variable
  // that belongs to the nest, and what was already computed before it.
  onf::Statements* before_nest_ = nullptr;
  std::uint32_t nest_floor_ = 0;
  std::unordered_map<TermId, onf::ViewId> hoisted_;
};

}  // namespace rhopsi::lower
