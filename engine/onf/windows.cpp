#include "engine/onf/windows.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/scalar_size.hpp"
#include "engine/onf/unrolling.hpp"

namespace rhopsi::onf {

namespace {

// Each is an argument: an address, or a number, that a kernel is given.
constexpr std::size_t most_windows = 32;
// As of arrays over the domain (over_domain.hpp): a shorter one is not read where it has ended.
constexpr std::int64_t most_missing = 8;

// The load of an element is that number.
void become(Expr& load, VariableId number) {
  load.kind = Expr::Kind::variable;
  load.variable = number;
  load.view = {};
  load.operands.clear();
}

bool has_axis(const Window::Axis& axis) { return axis.of.has_value(); }

// The axis whose index is in it, if there is one and no other one is.
std::optional<std::size_t> only_axis(const Positions& positions, std::size_t rank, const Expr& e) {
  std::optional<std::size_t> found;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (!positions.has_index(e, axis)) continue;
    if (found) return std::nullopt;
    found = axis;
  }
  return found;
}

}  // namespace

std::optional<Window::Axis> Windows::axis_of(std::int64_t length, const Positions* positions,
                                             const Expr& index) const {
  if (positions == nullptr) {
    const bool inside =
        index.kind == Expr::Kind::integer && 0 <= index.integer && index.integer < length;
    return inside ? std::optional(Window::Axis{std::nullopt, index.integer, length}) : std::nullopt;
  }
  const auto axis = only_axis(*positions, domain_.size(), index);
  std::optional<std::size_t> its = axis;
  const auto where = positions->linear(index, its);
  if (!axis) {
    const bool inside = where && !its && 0 <= where->number && where->number < length;
    return inside ? std::optional(Window::Axis{std::nullopt, where->number, length}) : std::nullopt;
  }
  const std::int64_t more = length - domain_[*axis];
  // What goes around, or is read under conditions, is looked at as of any array over the domain.
  if (more <= 0)
    return more >= -most_missing ? std::optional(Window::Axis{axis, 0, more}) : std::nullopt;
  const bool inside = where && its == axis && where->index == 1 && where->length == 0 &&
                      0 <= where->number && where->number <= more && !positions->is_position(index);
  return inside ? std::optional(Window::Axis{axis, where->number, more}) : std::nullopt;
}

std::optional<Windows::Axes> Windows::axes_of(const Array& array, const Positions* positions,
                                              const Expr& load) const {
  Axes axes;
  std::set<std::size_t> known;
  for (std::size_t k = 0; k < load.operands.size(); ++k) {
    const auto axis = axis_of(array.lengths[k], positions, load.operands[k]);
    if (!axis || (axis->of && !known.insert(*axis->of).second)) return std::nullopt;
    axes.push_back(*axis);
  }
  return axes;
}

std::optional<std::string> Windows::note(const Positions* positions, const Expr& load) {
  Array& array = arrays_.at(load.view);
  const auto axes = axes_of(array, positions, load);
  const bool missing = axes && std::ranges::any_of(*axes, [](const Window::Axis& axis) {
                         return axis.of && axis.more < 0;
                       });
  // What is not there may be read where nothing counts, and is some real number then.
  if (!axes || (missing && !is_real(load.type.scalar)))
    return "reads " + name(load.view) + " at an index that is no constant offset from its own";
  if (std::ranges::find(array.read, *axes) != array.read.end()) return std::nullopt;
  array.read.push_back(*axes);
  if (array.read.size() <= most_windows) return std::nullopt;
  return "reads " + name(load.view) + " at more than " + std::to_string(most_windows) + " places";
}

namespace {

// What the body of a nest names, wherever it stands.
std::map<VariableId, const Expr*> named_in(const Nest& nest) {
  std::map<VariableId, const Expr*> named;
  const auto form = [&](const auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Let>) {
      if (s.constant && s.value) named.emplace(s.variable, &*s.value);
    }
  };
  each_in(nest.body, form, [](const Expr&) {});
  return named;
}

}  // namespace

// What of each array is read; nothing, or why it cannot come in like that.
std::optional<std::string> Windows::look_at_reads() {
  std::optional<std::string> obstacle;
  std::set<const Expr*> in_nests;
  const auto form = [&](const auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Nest>) {
      const auto named = named_in(s);
      const Positions positions(s, [&](VariableId variable) {
        const auto found = named.find(variable);
        return found == named.end() ? nullptr : found->second;
      });
      const bool over_all = s.indices.size() == domain_.size();
      each_load(s, [&](const Expr& load) {
        in_nests.insert(&load);
        if (!obstacle && is_one(load.view)) obstacle = note(over_all ? &positions : nullptr, load);
      });
    }
  };
  const auto visit = [&](const Expr& whole) {
    each_part(whole, [&](const Expr& e) {
      if (obstacle || !names_view(e) || !is_one(e.view) || in_nests.contains(&e)) return;
      if (e.kind == Expr::Kind::load) obstacle = note(nullptr, e);
      if (e.kind == Expr::Kind::view) obstacle = "hands " + name(e.view) + " on";
    });
  };
  each_in(function_.body, form, visit);
  return obstacle;
}

std::optional<std::string> Windows::make_arguments() {
  if (arrays_.empty()) return std::nullopt;
  if (auto obstacle = look_at_reads()) return obstacle;
  const std::vector<Argument> given = std::move(function_.arguments);
  const std::vector<std::string> sorts_given = std::move(function_.sorts);
  std::vector<Argument> arguments;
  std::vector<std::string> sorts;
  for (std::size_t k = 0; k < given.size(); ++k) {
    const auto found = given[k].view ? arrays_.find(*given[k].view) : arrays_.end();
    if (found == arrays_.end()) {
      arguments.push_back(given[k]);
      sorts.push_back(sorts_given[k]);
      continue;
    }
    Array& array = found->second;
    // It is asked for its lengths alone, if for anything: it comes in as its first element.
    if (array.read.empty() && std::ranges::count(array.lengths, 0) == 0) {
      array.read.emplace_back();
      for (const std::int64_t length : array.lengths)
        array.read.back().push_back({std::nullopt, 0, length});
    }
    if (array.read.empty()) return "reads no element of " + name(*given[k].view);
    for (const Axes& axes : array.read) {
      array.arguments.push_back(argument(*given[k].view, axes));
      arguments.push_back(array.arguments.back());
      sorts.push_back(sorts_given[k]);
    }
  }
  const auto result = sorts_given.begin() + static_cast<std::ptrdiff_t>(given.size());
  sorts.insert(sorts.end(), result, sorts_given.end());
  function_.arguments = std::move(arguments);
  function_.sorts = std::move(sorts);
  return std::nullopt;
}

// Named by where it begins: w_0_2, and w where that is its beginning.
Argument Windows::argument(ViewId view, const Axes& axes) {
  const View given = function_.views[number(view)];
  const Scalar element = function_.blocks[number(given.block)].element;
  Argument made;
  made.window = Window{given.name, axes};
  std::string called = given.name;
  if (std::ranges::any_of(axes, [](const auto& axis) { return axis.first != 0 || !axis.of; })) {
    for (const Window::Axis& axis : axes) called += "_" + std::to_string(axis.first);
  }
  if (std::ranges::none_of(axes, has_axis)) {
    made.variable = static_cast<VariableId>(function_.variables.size());
    function_.variables.push_back(
        {called, {Representation::Kind::scalar, element, {}}, given.location});
    return made;
  }
  Block block;
  block.element = element;
  block.broadcast.assign(domain_.size(), true);
  for (const Window::Axis& axis : axes) {
    if (axis.of) block.broadcast[*axis.of] = false;
  }
  if (std::ranges::find(block.broadcast, true) == block.broadcast.end()) block.broadcast.clear();
  function_.blocks.push_back(std::move(block));
  made.view = static_cast<ViewId>(function_.views.size());
  function_.views.push_back(
      {called, static_cast<BlockId>(function_.blocks.size() - 1), {}, true, false, given.location});
  return made;
}

bool Windows::is_window(ViewId view) const {
  return std::ranges::any_of(arrays_, [&](const auto& each) {
    return std::ranges::any_of(each.second.arguments,
                               [&](const Argument& made) { return made.view == view; });
  });
}

// A number, or that of an axis of the domain and `more`.
Expr Windows::length_of(const Window::Axis& axis) {
  return axis.of ? sum_of(extent(*axis.of), axis.more) : integer(axis.more);
}

Expr Windows::length(ViewId view, std::size_t axis) const {
  const Array& array = arrays_.at(view);
  for (const Axes& axes : array.read) {
    if (axes[axis].of) return length_of(axes[axis]);
  }
  return length_of({std::nullopt, 0, array.lengths[axis]});
}

const Argument* Windows::argument_for(const Positions* positions, const Expr& load) const {
  const Array& array = arrays_.at(load.view);
  const auto axes = axes_of(array, positions, load);
  const auto found = axes ? std::ranges::find(array.read, *axes) : array.read.end();
  return found == array.read.end()
             ? nullptr
             : &array.arguments[static_cast<std::size_t>(found - array.read.begin())];
}

void Windows::replace(const Nest& nest, Positions::Meaning meaning, Expr& whole) const {
  if (arrays_.empty()) return;
  const Positions positions(nest, std::move(meaning));
  each_part(whole, [&](Expr& e) {
    if (e.kind != Expr::Kind::load || !is_one(e.view)) return;
    const Argument* const made = argument_for(&positions, e);
    if (made == nullptr) return;
    std::vector<Expr> operands;
    for (const VariableId index : nest.indices) {
      Expr own;
      own.kind = Expr::Kind::variable;
      own.type = function_.variables[number(index)].type;
      own.variable = index;
      operands.push_back(std::move(own));
    }
    const Axes& axes = made->window->axes;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      if (!axes[k].of || axes[k].more > 0) continue;
      // What goes around its length goes around that of the axis which it is here.
      each_part(e.operands[k], [&](Expr& part) {
        const bool own = part.kind == Expr::Kind::length && part.view == e.view;
        if (own && static_cast<std::size_t>(part.axis) == k) part = length_of(axes[k]);
      });
      operands[*axes[k].of] = std::move(e.operands[k]);
    }
    if (made->view) {
      e.view = *made->view;
      e.operands = std::move(operands);
      return;
    }
    become(e, made->variable);
  });
}

bool Windows::replace(Expr& load) const {
  const Argument* const made = argument_for(nullptr, load);
  if (made == nullptr || made->view) return false;
  become(load, made->variable);
  return true;
}

}  // namespace rhopsi::onf
