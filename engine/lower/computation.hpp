// Statements that compute the expressions of a normal form, within one function.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/lower/graph.hpp"
#include "engine/lower/placement.hpp"
#include "engine/onf/form.hpp"
#include "engine/onf/ranges.hpp"

namespace rhopsi::lower {

onf::Expr integer_expr(std::int64_t value);
onf::Expr apply_expr(onf::ScalarFunction function, onf::Scalar type,
                     std::vector<onf::Expr> operands);

class Computation {
 public:
  // Names that a function has given, and what is known of its integers: shared by the computations
  // of one function.
  struct Known {
    Known(const onf::Module& module, const onf::Function& function) : ranges(module, function) {}
    onf::Ranges ranges;
    std::unordered_set<std::string> names;
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
  // Follows the messages of checks: " at heat.mg:7".
  void place(std::string text) { place_ = std::move(text); }

  // The statements that follow go to the end of these.
  void write_to(onf::Statements& statements) { out_ = &statements; }

  // The value of an expression; what it takes is written before. `graph` holds the expression.
  onf::Expr value(Graph& graph, ExprId root);
  // The same by a name, which is used wherever the expression occurs from here on.
  onf::Expr named_value(Graph& graph, ExprId root, const std::string& name);
  // Where the expression's value is a constant or has a name.
  bool known(ExprId expression) const { return known_.contains(expression); }

  // A loop: within it an index variable of the form is one of the function, in [low, high).
  void open_loop();
  void bind(moa::VariableId variable, onf::VariableId index, const onf::Expr& low,
            const onf::Expr& high);
  void close_loop();

  void check(onf::Expr condition, const std::string& message, const std::string& code);
  template <class Form>
  void emit(Form form) {
    out_->push_back({std::move(form), {}});
  }

  onf::VariableId new_variable(const std::string& name, onf::Scalar type);
  std::string fresh_name(const std::string& wanted);
  onf::Expr of(onf::VariableId variable) const;
  onf::Ranges& ranges() { return ranges_; }
  // Names that only hold within the statements written so far are not used any more.
  void forget_lazy();

 private:
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
  void check_divisor(onf::Expr& divisor);
  void check_conversion(onf::Expr& value);
  void check_index(onf::Expr& index, onf::ViewId view, std::size_t axis);
  // In statements of its own, under a condition.
  template <class Body>
  onf::Statements aside(const Body& body);
  void make_simple(onf::Expr& value);
  void remember(ExprId expression, onf::Expr value);
  void rebind(moa::VariableId variable, onf::Expr value);

  const moa::NormalForm& form_;
  const moa::Expressions& expressions_;
  onf::Function& function_;
  std::vector<onf::ViewId> leaves_;
  onf::Ranges& ranges_;
  std::unordered_set<std::string>& names_;
  std::string place_;
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
};

}  // namespace rhopsi::lower
