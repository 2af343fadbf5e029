#include "engine/onf/ravel.hpp"

#include <algorithm>
#include <iterator>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/make_expression.hpp"

namespace rhopsi::onf {

namespace {

// The statements among which the fold is, and its place.
const Statements* list_of(const Statements& body, const Fold& fold, std::size_t& place) {
  for (std::size_t k = 0; k < body.size(); ++k) {
    if (std::get_if<Fold>(&body[k].form) == &fold) {
      place = k;
      return &body;
    }
    const Statements* found = nullptr;
    const auto look = [&](const Statements& inner) {
      if (found == nullptr) found = list_of(inner, fold, place);
    };
    std::visit(
        [&](const auto& form) {
          using Form = std::decay_t<decltype(form)>;
          if constexpr (std::is_same_v<Form, If>) {
            look(form.then);
            look(form.otherwise);
          } else {
            if constexpr (requires { form.before; }) look(form.before);
            if constexpr (requires { form.body; }) look(form.body);
          }
        },
        body[k].form);
    if (found != nullptr) return found;
  }
  return nullptr;
}

bool is_zero(const Expr& e) { return e.kind == Expr::Kind::integer && e.integer == 0; }

// Whose lengths the extents are, among views; and the variables that hold one.
constexpr auto of_the_domain = static_cast<ViewId>(-1);
constexpr auto a_variable = static_cast<ViewId>(-2);

template <class T>
std::vector<T> together(const std::vector<T>& left, const std::vector<T>& right) {
  std::vector<T> made;
  std::ranges::merge(left, right, std::back_inserter(made));
  return made;
}

}  // namespace

// What is named is followed no further back than arrays keep their lengths; those of the domain
// never change.
LengthProducts::LengthProducts(const Function& function, const Fold& fold) {
  std::size_t place = 0;
  const Statements* list = list_of(function.body, fold, place);
  bool kept = true;
  for (std::size_t k = place; list != nullptr && k-- > 0;) {
    const auto& form = (*list)[k].form;
    if (const auto* let = std::get_if<Let>(&form)) {
      if (!let->constant || !let->value || (!kept && names_views(*let->value))) continue;
      values_.emplace(let->variable, *let->value);
    } else if (!std::holds_alternative<Fold>(form) && !std::holds_alternative<Check>(form)) {
      kept = false;
    }
  }
  each_in(
      fold.body,
      [&](const auto& form) {
        if constexpr (std::is_same_v<std::decay_t<decltype(form)>, Let>) {
          if (form.constant && form.value) values_.emplace(form.variable, *form.value);
        }
      },
      [](const Expr&) {});
  each_in(
      function.body,
      [&](const auto& form) {
        if constexpr (std::is_same_v<std::decay_t<decltype(form)>, Let>) {
          const bool length = form.constant && form.value && form.value->kind == Expr::Kind::length;
          if (length) lengths_.insert(form.variable);
        }
      },
      [](const Expr&) {});
  count_ = product(fold.count);
}

const Expr& LengthProducts::meant(const Expr& e) const {
  if (e.kind != Expr::Kind::variable) return e;
  const auto found = values_.find(e.variable);
  return found == values_.end() ? e : meant(found->second);
}

Expr LengthProducts::written_out(const Expr& e) const {
  Expr made = meant(e);
  for (Expr& operand : made.operands) operand = written_out(operand);
  return made;
}

std::optional<LengthProducts::Product> LengthProducts::product(const Expr& e) const {
  if (e.kind == Expr::Kind::length) return Product{{e.view, e.axis}};
  if (e.kind == Expr::Kind::extent) return Product{{of_the_domain, e.axis}};
  if (e.kind == Expr::Kind::variable) {
    const auto found = values_.find(e.variable);
    if (found != values_.end()) return product(found->second);
    if (!lengths_.contains(e.variable)) return std::nullopt;
    return Product{{a_variable, static_cast<int>(number(e.variable))}};
  }
  if (!applies(e, ScalarFunction::multiply)) return std::nullopt;
  const auto left = product(e.operands[0]), right = product(e.operands[1]);
  if (!left || !right) return std::nullopt;
  return together(*left, *right);
}

bool LengthProducts::divides_count(const Expr& e) const {
  const auto found = product(e);
  return count_ && found && std::ranges::includes(*count_, *found);
}

// 0 <= remainder < bound; without a bound the first alone.
bool LengthProducts::is_below(const Expr& named, const Expr* bound) const {
  const Expr& remainder = meant(named);
  if (!applies(remainder, ScalarFunction::modulo) || !divides_count(remainder.operands[1]))
    return false;
  return bound == nullptr || product(remainder.operands[1]) == product(*bound);
}

bool LengthProducts::is_certain(const Expr& named) const {
  const Expr& condition = meant(named);
  if (applies(condition, ScalarFunction::and_)) {
    return is_certain(condition.operands[0]) && is_certain(condition.operands[1]);
  }
  if (applies(condition, ScalarFunction::not_equal)) {
    return is_zero(condition.operands[1]) && divides_count(condition.operands[0]);
  }
  if (applies(condition, ScalarFunction::less_equal)) {
    return is_zero(condition.operands[0]) && is_below(condition.operands[1], nullptr);
  }
  return applies(condition, ScalarFunction::less) &&
         is_below(condition.operands[0], &condition.operands[1]);
}

std::optional<LengthProducts::Digit> LengthProducts::digit(const Expr& e, VariableId index) const {
  if (!applies(e, ScalarFunction::modulo)) return std::nullopt;
  const Expr& left = meant(e.operands[0]);
  const auto length = product(e.operands[1]);
  const auto is_index = [&](const Expr& part) {
    return part.kind == Expr::Kind::variable && part.variable == index;
  };
  if (!length) return std::nullopt;
  if (is_index(left)) return Digit{{}, *length};
  if (!applies(left, ScalarFunction::divide) || !is_index(meant(left.operands[0])))
    return std::nullopt;
  const auto stride = product(left.operands[1]);
  return stride ? std::optional(Digit{*stride, *length}) : std::nullopt;
}

// The index itself has all of them.
void LengthProducts::find_digits(const Expr& e, VariableId index, std::set<VariableId>& seen,
                                 std::vector<std::pair<Digit, Expr>>& found) const {
  if (e.kind == Expr::Kind::variable) {
    const auto value = values_.find(e.variable);
    if (e.variable != index && value != values_.end() && seen.insert(e.variable).second)
      find_digits(value->second, index, seen, found);
    return;
  }
  if (auto one = digit(e, index)) {
    const bool known =
        std::ranges::any_of(found, [&](const auto& each) { return each.first == *one; });
    if (!known) found.emplace_back(std::move(*one), written_out(e.operands[1]));
    return;
  }
  for (const Expr& operand : e.operands) find_digits(operand, index, seen, found);
}

// From the one with the greatest stride on; each stride is the length times the stride of the next.
std::optional<std::vector<std::pair<LengthProducts::Digit, Expr>>> LengthProducts::digits(
    const TileForm& form) const {
  if (!count_ || form.folds.size() != 1) return std::nullopt;
  std::vector<std::pair<Digit, Expr>> found;
  std::set<VariableId> seen;
  find_digits(form.folds[0].element, form.folds[0].index, seen, found);
  if (found.size() < 2) return std::nullopt;
  std::ranges::sort(found, [](const auto& left, const auto& right) {
    return left.first.stride.size() > right.first.stride.size();
  });
  Product stride;
  for (auto one = found.rbegin(); one != found.rend(); ++one) {
    if (one->first.stride != stride) return std::nullopt;
    stride = together(stride, one->first.length);
  }
  return stride == *count_ ? std::optional(found) : std::nullopt;
}

std::optional<std::vector<Expr>> LengthProducts::axes(const TileForm& form) const {
  const auto found = digits(form);
  if (!found) return std::nullopt;
  std::vector<Expr> lengths;
  for (const auto& [digit, length] : *found) lengths.push_back(length);
  return lengths;
}

TileForm LengthProducts::over_axes(const TileForm& form,
                                   const std::vector<VariableId>& indices) const {
  const auto found = *digits(form);
  const TileFold& whole = form.folds[0];
  Expr position = of_variable(indices[0], scalar_of(Scalar::int64), whole.element.location);
  for (std::size_t axis = 1; axis < found.size(); ++axis) {
    const Expr index = of_variable(indices[axis], position.type, position.location);
    position = applied(ScalarFunction::add, Scalar::int64,
                       {applied(ScalarFunction::multiply, Scalar::int64,
                                {std::move(position), found[axis].second}),
                        index});
  }
  const auto replaced = [&](const auto& self, const Expr& e) -> Expr {
    if (e.kind == Expr::Kind::variable && e.variable == whole.index) return position;
    if (const auto one = digit(meant(e), whole.index)) {
      const auto at = std::ranges::find(found, *one, &std::pair<Digit, Expr>::first);
      Expr index = e;
      index.kind = Expr::Kind::variable;
      index.operands.clear();
      index.variable = indices[static_cast<std::size_t>(at - found.begin())];
      return index;
    }
    Expr made = e;
    for (Expr& operand : made.operands) operand = self(self, operand);
    return made;
  };
  TileForm made{{}, form.element, form.names};
  for (TileForm::Name& name : made.names) name.value = replaced(replaced, name.value);
  for (std::size_t axis = 0; axis < found.size(); ++axis) {
    TileFold fold = whole;
    fold.index = indices[axis];
    fold.goes_on = axis > 0;
    fold.count = found[axis].second;
    fold.element = axis + 1 < found.size() ? form.element : replaced(replaced, whole.element);
    made.folds.push_back(std::move(fold));
  }
  drop_unused_names(made);  // such as the strides
  return made;
}

}  // namespace rhopsi::onf
