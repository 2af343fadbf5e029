#include "engine/lower/form_nests.hpp"

#include <map>
#include <utility>

namespace rhopsi::lower {

using moa::NormalForm;
using onf::Expr;
using onf::Range;

FormNests::FormNests(const NormalForm& form, Computation& computation, onf::Function& function,
                     onf::Statements& body, IndexNames& names)
    : form_(form),
      computation_(computation),
      function_(function),
      body_(body),
      names_(names),
      outside_(form, roots(), {}) {
  reserve(form, computation, names);
}

void FormNests::reserve(const NormalForm& form, Computation& computation, IndexNames& names) {
  for (std::size_t axis = names.size(); axis < form.rank(); ++axis) {
    names.push_back(computation.fresh_name(form.expressions->name(form.indices[axis])));
  }
}

onf::ViewId FormNests::write(const std::string& name) {
  computation_.write_to(body_);
  for (const moa::Assumption& assumption : form_.assumptions)
    computation_.require(outside_, assumption);
  describe(name);
  std::vector<Part> parts;
  for (std::size_t k = 0; k < form_.pieces.size(); ++k) parts.push_back(part(k));
  // Next to the loops: numbers of the host between the two would keep the array alive longer.
  computation_.emit(onf::Allocate{made_});
  for (std::size_t k = 0; k < parts.size(); ++k) nest(form_.pieces[k], std::move(parts[k]));
  return made_;
}

std::vector<ExprId> FormNests::roots() const {
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

void FormNests::describe(const std::string& name) {
  std::vector<Expr> extents;
  for (std::size_t axis = 0; axis < form_.shape.size(); ++axis) {
    extents.push_back(
        computation_.named_value(outside_, form_.shape[axis], "n" + std::to_string(axis)));
    computation_.check_exact(extents.back());
    computation_.forget_lazy();
  }
  const auto block = static_cast<onf::BlockId>(function_.blocks.size());
  function_.blocks.push_back({form_.element, {}, std::move(extents)});
  made_ = static_cast<onf::ViewId>(function_.views.size());
  function_.views.push_back({computation_.fresh_name(name), block, {}, false, false, {}});
}

FormNests::Part FormNests::part(std::size_t number) {
  const moa::Piece& piece = form_.pieces[number];
  onf::Nest made;
  made.binding = onf::Binding::nested;
  made.label = function_.name + ": " + function_.views[onf::number(made_)].name;
  if (form_.pieces.size() > 1) made.label += ", box " + std::to_string(number + 1);
  made.target = made_;
  made.box.emplace();
  std::map<moa::VariableId, Range> ranges;
  for (std::size_t axis = 0; axis < piece.box.size(); ++axis) {
    Expr low = computation_.value(outside_, piece.box[axis].low);
    Expr high = computation_.value(outside_, piece.box[axis].high);
    computation_.forget_lazy();
    const Range first = computation_.ranges().range(low), end = computation_.ranges().range(high);
    ranges[form_.indices[axis]] = {first.low, end.high == Range::highest ? end.high : end.high - 1};
    made.box->push_back({std::move(low), std::move(high)});
  }
  Part part{Graph(form_, std::span(&piece.element, 1), ranges, positive(piece, *made.box)),
            std::move(made)};
  compute_before(piece, ranges, part);
  return part;
}

// Where there is an element: what it lies below, and that without what is taken from it.
std::set<ExprId> FormNests::positive(const moa::Piece& piece,
                                     const std::vector<onf::Interval>& box) const {
  const moa::Expressions& expressions = *form_.expressions;
  std::set<ExprId> found;
  for (std::size_t axis = 0; axis < box.size(); ++axis) {
    if (computation_.ranges().range(box[axis].low).low < 0) continue;
    const ExprId high = piece.box[axis].high;
    found.insert(high);
    const moa::Node& node = expressions[high];
    const bool less = node.kind == moa::Node::Kind::apply &&
                      node.function == onf::ScalarFunction::subtract &&
                      expressions.constant(node.operands[1]).value_or(-1) >= 0;
    if (less) found.insert(node.operands[0]);
  }
  return found;
}

// What no index changes, if every element needs it, or if it cannot fail. That is only asked for
// where there is an element; what can fail and only some elements need is computed there.
void FormNests::compute_before(const moa::Piece& piece,
                               const std::map<moa::VariableId, Range>& ranges, Part& part) {
  const std::vector<Invariant> invariants = part.graph.invariants(piece.element, form_.indices);
  if (invariants.empty()) return;
  const std::optional<Expr> condition = has_elements(*part.nest.box);
  std::optional<Graph> anywhere;
  if (condition) anywhere.emplace(form_, std::span(&piece.element, 1), ranges);
  std::vector<ExprId> where_needed;
  for (const auto& [expression, certain] : invariants) {
    const bool safe = (anywhere ? *anywhere : part.graph).total(expression) ||
                      computation_.divides_safely(expression);
    if (safe || (certain && !condition)) {
      computation_.named_value(part.graph, expression, "x");
      computation_.forget_lazy();
    } else if (certain || part.graph.total(expression)) {
      where_needed.push_back(expression);
    }
  }
  if (where_needed.empty()) return;
  std::vector<Expr> values = computation_.values_where(*condition, part.graph, where_needed, "x");
  for (std::size_t k = 0; k < where_needed.size(); ++k) {
    part.known.emplace_back(where_needed[k], std::move(values[k]));
  }
}

// Nothing where it is known that it has.
std::optional<Expr> FormNests::has_elements(const std::vector<onf::Interval>& box) {
  std::optional<Expr> all;
  for (const onf::Interval& interval : box) {
    const Range low = computation_.ranges().range(interval.low);
    if (low.high < computation_.ranges().range(interval.high).low) continue;
    Expr one = compare_expr(onf::ScalarFunction::less, interval.low, interval.high);
    all = all ? apply_expr(onf::ScalarFunction::and_, onf::Scalar::boolean,
                           {std::move(*all), std::move(one)})
              : std::move(one);
  }
  return all;
}

void FormNests::nest(const moa::Piece& piece, Part part) {
  onf::Nest& made = part.nest;
  computation_.open_loop();
  computation_.write_to(made.body);
  for (auto& [expression, value] : part.known) computation_.know(expression, std::move(value));
  for (std::size_t axis = 0; axis < made.box->size(); ++axis) {
    const onf::VariableId index = computation_.new_variable(names_[axis], onf::Scalar::int64);
    made.indices.push_back(index);
    const onf::Interval& interval = (*made.box)[axis];
    computation_.bind(form_.indices[axis], index, interval.low, interval.high);
  }
  made.element = computation_.value(part.graph, piece.element);
  computation_.forget_lazy();
  computation_.close_loop();
  computation_.write_to(body_);
  computation_.emit(std::move(made));
}

}  // namespace rhopsi::lower
