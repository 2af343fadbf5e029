#include "engine/lower/normal_form.hpp"

#include <utility>

#include "engine/lower/computation.hpp"

namespace rhopsi::lower {

using moa::NormalForm;
using onf::Expr;
using onf::Range;

namespace {

class FormFunction {
 public:
  FormFunction(const NormalForm& form, const std::string& name, const onf::Module& module)
      : form_(form),
        function_(named(form, name)),
        computation_(form, module, function_, leaves()) {}

  onf::Function make() {
    computation_.write_to(function_.body);
    index_names();
    Graph graph(form_, roots(), {});
    for (const moa::Assumption& assumption : form_.assumptions) assume(graph, assumption);
    allocate(graph);
    for (std::size_t k = 0; k < form_.pieces.size(); ++k) nest(graph, k);
    Expr result;
    result.kind = Expr::Kind::view;
    result.type = {onf::Representation::Kind::array, form_.element, {}};
    result.view = result_;
    computation_.emit(onf::Return{std::move(result)});
    return std::move(function_);
  }

 private:
  static onf::Function named(const NormalForm& form, const std::string& name) {
    onf::Function made;
    made.name = name;
    made.result = {onf::Representation::Kind::array, form.element, {}};
    for (std::size_t k = 0; k < form.leaves.size(); ++k) {
      const moa::Leaf& leaf = form.leaves[k];
      const auto view = static_cast<onf::ViewId>(k);
      std::vector<Expr> extents;
      for (std::size_t axis = 0; axis < leaf.rank(); ++axis) {
        Expr extent = integer_expr(leaf.shape[axis].value_or(0));
        if (!leaf.shape[axis]) {
          extent.kind = Expr::Kind::length;
          extent.view = view;
          extent.axis = static_cast<int>(axis);
        }
        extents.push_back(std::move(extent));
      }
      made.blocks.push_back({leaf.element, {}, std::move(extents)});
      made.views.push_back({leaf.name, static_cast<onf::BlockId>(k), {}, true, false, {}});
      made.arguments.push_back({term::Mode::obs, view, {}});
    }
    return made;
  }

  std::vector<onf::ViewId> leaves() const {
    std::vector<onf::ViewId> views;
    for (std::size_t k = 0; k < form_.leaves.size(); ++k) {
      views.push_back(static_cast<onf::ViewId>(k));
    }
    return views;
  }

  // Before any variable gets a name: nests that follow each other use the same ones.
  void index_names() {
    for (moa::VariableId index : form_.indices) {
      names_.push_back(computation_.fresh_name(form_.expressions->name(index)));
    }
  }

  // What is computed outside of the nests.
  std::vector<ExprId> roots() const {
    std::vector<ExprId> found;
    for (const moa::Assumption& assumption : form_.assumptions) {
      found.push_back(assumption.condition);
    }
    found.insert(found.end(), form_.shape.begin(), form_.shape.end());
    for (const moa::Piece& piece : form_.pieces) {
      for (const moa::Interval& interval : piece.box) {
        found.insert(found.end(), {interval.low, interval.high});
      }
    }
    return found;
  }

  void assume(Graph& graph, const moa::Assumption& assumption) {
    Expr condition = computation_.value(graph, assumption.condition);
    computation_.check(std::move(condition), assumption.message);
    computation_.forget_lazy();
  }

  void allocate(Graph& graph) {
    std::vector<Expr> extents;
    for (std::size_t axis = 0; axis < form_.shape.size(); ++axis) {
      extents.push_back(
          computation_.named_value(graph, form_.shape[axis], "n" + std::to_string(axis)));
      computation_.forget_lazy();
    }
    const auto block = static_cast<onf::BlockId>(function_.blocks.size());
    function_.blocks.push_back({form_.element, {}, std::move(extents)});
    result_ = static_cast<onf::ViewId>(function_.views.size());
    function_.views.push_back({computation_.fresh_name("result"), block, {}, false, false, {}});
    function_.result_view = result_;
    computation_.emit(onf::Allocate{result_});
  }

  void nest(Graph& outside, std::size_t number) {
    const moa::Piece& piece = form_.pieces[number];
    onf::Nest made;
    made.binding = onf::Binding::nested;
    made.label = function_.name + ": " + function_.views[onf::number(result_)].name;
    if (form_.pieces.size() > 1) made.label += ", box " + std::to_string(number + 1);
    made.target = result_;
    made.box.emplace();
    std::map<moa::VariableId, Range> ranges;
    bool runs = true;
    for (std::size_t axis = 0; axis < piece.box.size(); ++axis) {
      Expr low = computation_.value(outside, piece.box[axis].low);
      Expr high = computation_.value(outside, piece.box[axis].high);
      computation_.forget_lazy();
      const Range first = computation_.ranges().range(low), end = computation_.ranges().range(high);
      runs = runs && first.high < end.low;
      ranges[form_.indices[axis]] = {first.low,
                                     end.high == Range::highest ? end.high : end.high - 1};
      made.box->push_back({std::move(low), std::move(high)});
    }
    Graph graph(form_, std::span(&piece.element, 1), std::move(ranges));
    compute_before(graph, piece.element, runs);
    element(graph, piece.element, made);
    computation_.write_to(function_.body);
    computation_.emit(std::move(made));
  }

  // What no index changes, if it can be computed whatever the elements are, or has to be.
  void compute_before(Graph& graph, ExprId element, bool runs) {
    for (const Invariant& invariant : graph.invariants(element, form_.indices)) {
      const bool needed = invariant.certain && runs;
      if (!needed && !graph.total(invariant.expression)) continue;
      computation_.named_value(graph, invariant.expression, "x");
      computation_.forget_lazy();
    }
  }

  void element(Graph& graph, ExprId element, onf::Nest& made) {
    computation_.open_loop();
    computation_.write_to(made.body);
    for (std::size_t axis = 0; axis < made.box->size(); ++axis) {
      const onf::VariableId index = computation_.new_variable(names_[axis], onf::Scalar::int64);
      made.indices.push_back(index);
      const onf::Interval& interval = (*made.box)[axis];
      computation_.bind(form_.indices[axis], index, interval.low, interval.high);
    }
    made.element = computation_.value(graph, element);
    computation_.forget_lazy();
    computation_.close_loop();
  }

  const NormalForm& form_;
  onf::Function function_;
  Computation computation_;
  std::vector<std::string> names_;  // of the index variables
  onf::ViewId result_{};
};

std::optional<onf::Problem> too_many_axes(const NormalForm& form) {
  const auto problem = [](const std::string& what, std::size_t rank) {
    return onf::Problem{"E0512",
                        what + " has " + std::to_string(rank) +
                            " axes; compiled programs have arrays of at most " +
                            std::to_string(most_axes),
                        "",
                        {},
                        true};
  };
  for (const moa::Leaf& leaf : form.leaves) {
    if (leaf.rank() > most_axes) return problem(leaf.name, leaf.rank());
  }
  if (form.rank() > most_axes) return problem("the result", form.rank());
  return std::nullopt;
}

}  // namespace

tl::expected<onf::FunctionId, onf::Problem> lower(const NormalForm& form, const std::string& name,
                                                  onf::Module& module) {
  if (auto problem = too_many_axes(form)) return tl::unexpected(std::move(*problem));
  onf::Function made = FormFunction(form, name, module).make();
  const auto id = static_cast<onf::FunctionId>(module.functions.size());
  module.functions.push_back(std::move(made));
  module.order.push_back(id);
  return id;
}

onf::Module module_of_forms(const std::string& name) {
  onf::Module module;
  module.name = name;
  return module;
}

}  // namespace rhopsi::lower
