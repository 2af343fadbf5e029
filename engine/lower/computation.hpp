// Statements that compute the expressions of a normal form, within one function.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/lower/graph.hpp"
#include "engine/lower/placement.hpp"
#include "engine/onf/form.hpp"
#include "engine/onf/ranges.hpp"

namespace rhopsi::lower {

onf::Expr integer_expr(std::int64_t value);
onf::Expr real_expr(double value, onf::Scalar type);
// A comparison of the two.
onf::Expr compare_expr(onf::ScalarFunction function, onf::Expr left, onf::Expr right);
onf::Expr apply_expr(onf::ScalarFunction function, onf::Scalar type,
                     std::vector<onf::Expr> operands);

class Computation {
 public:
  // Names that a function has given, and what is known of its integers: shared by the computations
  // of one function.
  struct Known {
    Known(const onf::Module& module, const onf::Function& function) : ranges(module, function) {}
    // `wanted` itself if it is free, else with a number behind it, from `first` on.
    std::string fresh_name(const std::string& wanted, int first);
    onf::Ranges ranges;
    std::unordered_set<std::string> names;
    // By what was wanted and the first number, the last one: all between these are given.
    std::map<std::pair<std::string, int>, int> last_number = {};
  };

  // `leaves` are the views of the form's arrays. Other forms may be computed too, whose arrays
  // are the first ones of this form, in the same Expressions. `function` may get more views and
  // variables.
  Computation(const moa::NormalForm& form, onf::Function& function, std::vector<onf::ViewId> leaves,
              Known& known);

  // The view of the form's next array, which had none when this was made.
  void add_leaf(onf::ViewId view) { leaves_.push_back(view); }
  // A number of the form has this value.
  void parameter(moa::VariableId variable, onf::Expr value) {
    variables_.insert_or_assign(variable, std::move(value));
  }
  // Where the expressions stand: the place of all statements. The text follows the messages of
  // checks: " at heat.mg:7".
  void place(term::LocationId location, std::string text) {
    location_ = location;
    place_ = std::move(text);
  }
  // What some branches alone read stands there (placement.hpp).
  void keep_loads_apart() { loads_apart_ = true; }

  // The statements that follow go to the end of these.
  void write_to(onf::Statements& statements) { out_ = &statements; }

  // The value of an expression; what it takes is written before. `graph` holds the expression.
  onf::Expr value(Graph& graph, ExprId root);
  // The same by a name, which is used wherever the expression occurs from here on.
  onf::Expr named_value(Graph& graph, ExprId root, const std::string& name);
  // Variables that have the values of these where the condition holds, and 0 or false elsewhere.
  std::vector<onf::Expr> values_where(const onf::Expr& condition, Graph& graph,
                                      std::span<const ExprId> roots, const std::string& name);
  // From here on the expression's value is this, until the loop around it is closed.
  void know(ExprId expression, onf::Expr value) { remember(expression, std::move(value)); }
  // A quotient or remainder of what needs no computation, by what is known not to be 0.
  bool divides_safely(ExprId expression);
  // Where the expression's value is a constant or has a name.
  bool known(ExprId expression) const { return known_.contains(expression); }

  // A loop: within it an index variable of the form is one of the function, in [low, high).
  void open_loop();
  void bind(moa::VariableId variable, onf::VariableId index, const onf::Expr& low,
            const onf::Expr& high);
  void close_loop();

  // computation_checks.cpp
  void check(onf::Expr condition, const std::string& message, const std::string& code);
  // Of the form of this computation. A condition on all indices is tested at one after the other,
  // so that what is said is what is wrong there.
  void require(Graph& graph, const moa::Assumption& assumption);
  // A length, or a number of a program: it is tested that it is computed within 64 bits, which
  // sums and products of elements are not. What its absolute value does not exceed, where that is
  // known; that of a length of an array is onf::greatest_length. exact.cpp
  std::optional<std::int64_t> check_exact(const onf::Expr& e);
  template <class Form>
  void emit(Form form) {
    out_->push_back(statement(std::move(form)));
  }

  onf::VariableId new_variable(const std::string& name, onf::Scalar type);
  std::string fresh_name(const std::string& wanted);
  onf::Expr of(onf::VariableId variable) const;
  onf::Ranges& ranges() { return ranges_; }
  // Names that only hold within the statements written so far are not used any more.
  void forget_lazy();

 private:
  template <class Form>
  onf::Statement statement(Form form) const {
    return {std::move(form), location_};
  }
  // What holds at a place: names, tested conditions, bound variables.
  struct Mark {
    std::size_t names = 0;
    std::size_t facts = 0;
    std::size_t bound = 0;
  };
  Mark mark() const { return {trail_.size(), ranges_.assumed(), bound_.size()}; }
  void restore(const Mark& mark);

  void region(RegionId region);
  void give_name(ExprId expression);
  onf::Expr built(ExprId expression);
  onf::Expr atom(const moa::Node& node);
  onf::Expr computed(ExprId expression);
  onf::Expr load(const moa::Node& node);
  onf::Expr apply(const moa::Node& node);
  onf::Expr connective(ExprId expression);
  onf::Expr choice(ExprId expression);
  onf::Expr fold(ExprId expression);
  onf::Expr fold_element(const moa::Node& node, onf::VariableId index);
  // check_exact of what a condition compares that has to hold.
  void check_exact_condition(const onf::Expr& condition);
  std::optional<std::int64_t> check_exact_apply(const onf::Expr& e);
  onf::Expr fits(onf::ScalarFunction function, const onf::Expr& a, const onf::Expr& b);
  void require_each(const moa::Assumption& assumption);
  void require(Graph& graph, const moa::Assumption::Claim& claim, const std::string& message,
               const char* code);
  std::optional<onf::Expr> compared(ExprId number, ExprId condition, const onf::Expr& tested);
  std::optional<onf::Expr> told(ExprId number, ExprId condition, const onf::Expr& tested);
  void check_divisor(onf::Expr& divisor);
  void check_conversion(onf::Expr& value);
  void check_index(onf::Expr& index, moa::LeafId leaf, std::size_t axis);
  onf::Expr named(onf::Expr value, const std::string& name);
  // In statements of its own, under a condition.
  template <class Body>
  onf::Statements aside(const Body& body) {
    onf::Statements statements;
    onf::Statements* const outer = std::exchange(out_, &statements);
    const Mark before = mark();
    body();
    restore(before);
    out_ = outer;
    return statements;
  }
  void make_simple(onf::Expr& value);
  void remember(ExprId expression, onf::Expr value);
  void rebind(moa::VariableId variable, onf::Expr value);

  const moa::NormalForm& form_;
  const moa::Expressions& expressions_;
  onf::Function& function_;
  std::vector<onf::ViewId> leaves_;
  Known& given_;
  onf::Ranges& ranges_;
  term::LocationId location_{};
  std::string place_;
  bool loads_apart_ = false;
  onf::Statements* out_ = nullptr;
  Graph* graph_ = nullptr;
  const Placement* placement_ = nullptr;
  std::unordered_map<ExprId, onf::Expr> known_;
  // What known_ held before, to be put back.
  std::vector<std::pair<ExprId, std::optional<onf::Expr>>> trail_;
  std::unordered_map<moa::VariableId, onf::Expr> variables_;
  std::vector<std::pair<moa::VariableId, std::optional<onf::Expr>>> bound_;
  std::vector<Mark> loops_;
  std::vector<ExprId> lazy_;
  std::unordered_map<onf::VariableId, onf::Expr> definitions_;  // of integers
  std::unordered_map<onf::VariableId, std::optional<std::int64_t>> exact_;
};

}  // namespace rhopsi::lower
