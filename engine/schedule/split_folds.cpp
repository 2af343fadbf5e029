// Folds of folds outside of nests, as a fold of an array that a nest makes.
#include "engine/schedule/split_folds.hpp"

#include <algorithm>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/tile.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Fold;
using onf::Statement;
using onf::Statements;
using onf::VariableId;

bool is_number(onf::Scalar scalar) { return scalar != onf::Scalar::boolean; }

// The indices of the folds in the body.
void note_indices(const Statements& body, std::vector<VariableId>& indices) {
  for (const Statement& statement : body) {
    const auto* fold = std::get_if<Fold>(&statement.form);
    if (fold == nullptr) continue;
    indices.push_back(fold->index);
    note_indices(fold->body, indices);
  }
}

template <class Visit>
void each_load_in(const Fold& fold, const Visit& visit) {
  onf::each_in(
      fold.body, [](const auto&) {},
      [&](const Expr& whole) {
        onf::each_part(whole, [&](const Expr& e) {
          if (e.kind == Expr::Kind::load && !e.operands.empty()) visit(e);
        });
      });
}

// Is there an array as long as the fold? One of its results takes no more memory then.
bool is_over_an_axis(const Fold& fold) {
  bool found = false;
  each_load_in(fold, [&](const Expr& load) {
    found = found || std::ranges::any_of(load.operands, [&](const Expr& component) {
              return component.kind == Expr::Kind::variable && component.variable == fold.index;
            });
  });
  return found;
}

// Do the inner folds read from row to row, and the outer one along rows?
bool is_across_rows(const Fold& fold, const std::vector<VariableId>& inner) {
  bool across = false, along = false;
  each_load_in(fold, [&](const Expr& load) {
    const Expr& last = load.operands.back();
    along = along || std::ranges::any_of(
                         inner, [&](VariableId index) { return onf::depends_on(last, index); });
    across = across || onf::depends_on(last, fold.index);
  });
  return across && !along;
}

// A length that no fold has below 0.
bool is_length(const Expr& count) {
  return count.kind == Expr::Kind::length ||
         (count.kind == Expr::Kind::integer && count.integer >= 0);
}

class Splitting {
 public:
  Splitting(onf::Function& function, const std::function<bool(const Fold&)>& waits)
      : function_(function), waits_(waits) {}

  Statements run(Statements body) {
    Statements made;
    for (Statement& statement : body) {
      location_ = statement.location;
      std::visit([&](auto& form) { visit(form, made); }, statement.form);
      made.push_back(std::move(statement));
    }
    return made;
  }

 private:
  bool can_be_split(const Fold& fold) const {
    std::vector<VariableId> inner;
    note_indices(fold.body, inner);
    return !inner.empty() && is_length(fold.count) && computes(fold.body) &&
           is_over_an_axis(fold) && is_number(fold.element.type.scalar) &&
           (is_across_rows(fold, inner) || waits_(fold));
  }

  void visit(Fold& fold, Statements& made) {
    if (!can_be_split(fold)) return;
    const onf::ViewId parts = array_of(fold);
    made.push_back({onf::Allocate{parts}, location_});
    made.push_back({nest_of(fold, parts), location_});
    fold.index = another(fold.index);
    fold.body.clear();
    fold.element = element_of(parts, fold);
  }
  void visit(onf::If& choice, Statements&) {
    choice.then = run(std::move(choice.then));
    choice.otherwise = run(std::move(choice.otherwise));
  }
  void visit(onf::Nest&, Statements&) {}
  void visit(onf::Lazy&, Statements&) {}
  template <class Form>
  void visit(Form& form, Statements&) {
    if constexpr (requires { form.before; }) form.before = run(std::move(form.before));
    if constexpr (requires { form.body; }) form.body = run(std::move(form.body));
  }

  onf::ViewId array_of(const Fold& fold) {
    onf::Block block;
    block.element = fold.element.type.scalar;
    block.extents = {fold.count};
    function_.blocks.push_back(std::move(block));
    onf::View view;
    view.name = function_.variables[onf::number(fold.variable)].name + "_parts";
    view.block = static_cast<onf::BlockId>(function_.blocks.size() - 1);
    view.temporary = true;
    view.location = location_;
    function_.views.push_back(std::move(view));
    return static_cast<onf::ViewId>(function_.views.size() - 1);
  }
  onf::Nest nest_of(const Fold& fold, onf::ViewId parts) const {
    onf::Nest nest;
    nest.label = function_.name + ": " + function_.views[onf::number(parts)].name;
    nest.binding = onf::Binding::nested;
    nest.indices = {fold.index};
    Expr zero;
    zero.type = fold.count.type;
    zero.location = fold.count.location;
    nest.box = {{zero, fold.count}};
    nest.target = parts;
    nest.body = fold.body;
    nest.element = fold.element;
    return nest;
  }
  VariableId another(VariableId index) {
    function_.variables.push_back(function_.variables[onf::number(index)]);
    return static_cast<VariableId>(function_.variables.size() - 1);
  }
  Expr element_of(onf::ViewId parts, const Fold& fold) const {
    Expr index;
    index.kind = Expr::Kind::variable;
    index.variable = fold.index;
    index.type = function_.variables[onf::number(fold.index)].type;
    Expr load;
    load.kind = Expr::Kind::load;
    load.view = parts;
    load.type = fold.element.type;
    load.location = fold.element.location;
    load.operands = {std::move(index)};
    return load;
  }

  onf::Function& function_;
  const std::function<bool(const Fold&)>& waits_;
  term::LocationId location_{};
};

}  // namespace

bool computes(const Statements& body) {
  return std::ranges::all_of(body, [](const Statement& statement) {
    if (const auto* fold = std::get_if<Fold>(&statement.form)) return computes(fold->body);
    const auto* let = std::get_if<onf::Let>(&statement.form);
    return let != nullptr && let->constant && let->value;
  });
}

bool has_lazy(const Statements& body) {
  bool found = false;
  onf::each_in(
      body,
      [&](const auto& s) { found = found || std::is_same_v<std::decay_t<decltype(s)>, onf::Lazy>; },
      [](const Expr&) {});
  return found;
}

void split_folds(onf::Function& function, const std::function<bool(const Fold&)>& waits) {
  // What is computed where it is read first may be read by a fold.
  if (has_lazy(function.body)) return;
  function.body = Splitting(function, waits).run(std::move(function.body));
}

}  // namespace rhopsi::schedule
