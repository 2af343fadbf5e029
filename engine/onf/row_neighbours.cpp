#include "engine/onf/row_neighbours.hpp"

#include <algorithm>
#include <map>

#include "engine/onf/circular.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/weight.hpp"

namespace rhopsi::onf {

std::optional<PlaceInRow> place_in_row(const Nest& nest, const Expr& load) {
  if (load.operands.size() != nest.indices.size() || load.operands.empty()) return std::nullopt;
  PlaceInRow found{{load.view, {}}};
  const std::size_t last = load.operands.size() - 1;
  for (std::size_t axis = 0; axis <= last; ++axis) {
    const std::optional<std::int64_t> offset = offset_from(nest, load.operands[axis], axis);
    if (!offset) return std::nullopt;
    if (axis < last) {
      found.row.outer.push_back(*offset);
    } else {
      const bool around = circular_index(nest, load.operands[axis]).has_value();
      if (around && nest.circular != Circular::peel) return std::nullopt;
      found.along = *offset;
    }
  }
  return found;
}

namespace {

bool is_shared_by_vectors(ScalarFunction function) {
  switch (function) {
    case ScalarFunction::add:
    case ScalarFunction::subtract:
    case ScalarFunction::multiply:
    case ScalarFunction::divide:
    case ScalarFunction::negate:
    case ScalarFunction::plus:
    case ScalarFunction::minimum:
    case ScalarFunction::maximum:
    case ScalarFunction::absolute:
      return true;
    default:
      return false;
  }
}

class Reading {
 public:
  Reading(const Function& function, const Nest& nest)
      : function_(function), nest_(nest), named_(declared_in(nest.body)) {}

  // Where each row is read; nothing where vectors do not have what the nest does.
  using Places = std::map<RowPlace, std::set<std::int64_t>>;
  std::optional<Places> places() {
    const std::optional<Scalar> element = element_of(nest_.target);
    if (!element || !is_real(*element)) return std::nullopt;
    type_.scalar = *element;
    for (const Nest::Output& output : nest_.also) {
      if (element_of(output.target) != element) return std::nullopt;
    }
    const auto names = [&](const Statement& statement) {
      const auto* let = std::get_if<Let>(&statement.form);
      return let != nullptr && let->value && note(*let->value);
    };
    const auto outputs = [&](const Nest::Output& output) { return note(output.element); };
    const bool all = std::ranges::all_of(nest_.body, names) && note(nest_.element) &&
                     std::ranges::all_of(nest_.also, outputs);
    return all ? std::optional(std::move(places_)) : std::nullopt;
  }

 private:
  std::optional<Scalar> element_of(ViewId view) const {
    const Block& block = function_.blocks[number(function_.views[number(view)].block)];
    if (block.same_along_rows()) return std::nullopt;
    return block.element;
  }

  // The same for all elements of a row, and computed without a choice or a call.
  bool is_of_row(const Expr& e) const {
    switch (e.kind) {
      case Expr::Kind::integer:
      case Expr::Kind::real:
      case Expr::Kind::parameter:
      case Expr::Kind::extent:
      case Expr::Kind::length:
        return true;
      case Expr::Kind::variable:
        return e.variable != nest_.indices.back() && !named_.contains(e.variable);
      case Expr::Kind::apply:
        return !is_sine(e) &&
               std::ranges::all_of(e.operands, [&](const Expr& part) { return is_of_row(part); });
      default:
        return false;
    }
  }

  bool note(const Expr& e) {
    if (!is_same_type(e)) return false;
    if (is_of_row(e)) return true;
    if (e.kind == Expr::Kind::variable) return named_.contains(e.variable);
    if (e.kind == Expr::Kind::load) return note_load(e);
    return e.kind == Expr::Kind::apply && is_shared_by_vectors(e.function) &&
           std::ranges::all_of(e.operands, [&](const Expr& part) { return note(part); });
  }

  bool note_load(const Expr& load) {
    if (element_of(load.view) != type_.scalar) return false;
    const std::optional<PlaceInRow> place = place_in_row(nest_, load);
    if (!place) return false;
    places_[place->row].insert(place->along);
    return true;
  }

  bool is_same_type(const Expr& e) const {
    return e.type.kind == Representation::Kind::scalar && e.type.scalar == type_.scalar;
  }

  const Function& function_;
  const Nest& nest_;
  std::set<VariableId> named_;
  Representation type_;
  Places places_;
};

// What begins within a vector of memory lies in two.
std::int64_t vectors_alone(const std::set<std::int64_t>& along) {
  return 2 * static_cast<std::int64_t>(along.size()) - static_cast<std::int64_t>(along.count(0));
}
// The one at the index, and those before and behind it.
std::int64_t vectors_shifted(const std::set<std::int64_t>& along) {
  return 1 + static_cast<std::int64_t>(*along.begin() < 0) +
         static_cast<std::int64_t>(*along.rbegin() > 0);
}

}  // namespace

std::set<RowPlace> shifted_rows(const Function& function, const Nest& nest) {
  std::set<RowPlace> shifted;
  const auto places = Reading(function, nest).places();
  if (!places) return shifted;
  std::int64_t fewer = 0;
  for (const auto& [row, along] : *places) {
    const std::int64_t alone = vectors_alone(along), together = vectors_shifted(along);
    const bool near = *along.begin() >= -most_shifted && *along.rbegin() <= most_shifted;
    if (!near || together >= alone) continue;
    shifted.insert(row);
    fewer += alone - together;
  }
  return fewer < least_fewer ? std::set<RowPlace>() : shifted;
}

}  // namespace rhopsi::onf
