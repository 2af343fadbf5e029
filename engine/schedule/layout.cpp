// The order in which arrays over the domain have their axes in memory, and that of loops over them.
#include <algorithm>
#include <set>

#include "engine/onf/axes.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

using Order = std::vector<int>;

// A row of so many elements is worth beginning: what is done once for it takes about as long as a
// few vectors of its elements.
constexpr std::int64_t long_row = 64;
// And an array is stored otherwise only where rows become so many times as long.
constexpr std::int64_t much_longer = 4;

Order as_it_is(int rank) {
  Order order;
  for (int axis = 0; axis < rank; ++axis) order.push_back(axis);
  return order;
}

// "axes 0, 2, 1"
std::string axes_text(const Order& order) {
  std::string text;
  for (const int axis : order) text += (text.empty() ? "axes " : ", ") + std::to_string(axis);
  return text;
}

// The digits of the number, which is one less long if axis 0 stays in front.
Order digits_of(std::int64_t number, int rank) {
  Order digits;
  for (; number > 0 || std::ssize(digits) < rank; number /= 10) {
    digits.insert(digits.begin(), static_cast<int>(number % 10));
  }
  return digits;
}

// Of the axes that are long enough the one that is nearest to the last becomes the last, so that
// the fewest change their places; where none is, the longest does.
std::size_t axis_of_rows(const std::vector<std::int64_t>& extents) {
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    if (extents[axis] >= long_row) return axis;
  }
  std::size_t longest = extents.size() - 1;
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    if (extents[axis] > extents[longest]) longest = axis;
  }
  return longest;
}

// Where a recipe names it; nothing if that is none of `rank` axes.
std::optional<Order> order_named(std::int64_t number, int rank, Step& step) {
  Order order = digits_of(number, rank);
  if (onf::is_order_of_axes(order, rank)) return order;
  step = refuse(std::move(step), "each axis of the arrays is named once", "form");
  step.counterexample = std::to_string(number) + " names " + axes_text(order) + " of arrays with " +
                        std::to_string(rank) + (rank == 1 ? " axis" : " axes");
  return std::nullopt;
}

// With long rows; nothing if they are.
std::optional<Order> order_for(const std::vector<std::int64_t>& extents, Step& step) {
  if (extents.empty()) {
    step = refuse(std::move(step),
                  "rows become longer, but how long the axes are is not known here: it is where a "
                  "shape is given, or `order` names the axes",
                  "shape");
    return std::nullopt;
  }
  if (std::ranges::count(extents, 0) > 0) {
    step = refuse(std::move(step), "rows become longer, but the arrays have no elements", "shape");
    return std::nullopt;
  }
  const std::size_t rows = axis_of_rows(extents);
  const std::int64_t before = extents.back(), after = extents[rows];
  step.condition =
      "rows have " + std::to_string(after) + " elements instead of " + std::to_string(before);
  step.decider = "shape";
  if (after < much_longer * before) {
    step = refuse(std::move(step),
                  "rows become " + std::to_string(much_longer) + " times as long, but they have " +
                      std::to_string(before) + " elements, and no more than " +
                      std::to_string(after) + " in another order",
                  "shape");
    return std::nullopt;
  }
  Order order = as_it_is(static_cast<int>(extents.size()));
  order.erase(order.begin() + static_cast<std::ptrdiff_t>(rows));
  order.push_back(static_cast<int>(rows));
  return order;
}

// Those of functions that keep their form are left with it.
void mark_loops(onf::Module& module) {
  const auto mark = [](auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, onf::Nest>)
      add_step(s.made_by, "layout");
  };
  for (onf::Function& function : module.functions)
    onf::each_in(function.body, mark, [](onf::Expr&) {});
}

}  // namespace

bool rows_can_be_longer(const std::vector<std::int64_t>& extents) {
  Step step;
  return order_for(extents, step).has_value();
}

Step layout(onf::Module& module, std::optional<std::int64_t> number, const Surroundings& around) {
  const std::string before = axes_text(as_it_is(module.rank));
  Step step = refused("layout", {module.name},
                      {.before = before,
                       .condition = "the elements of an array are computed in any order",
                       .decider = "form"});
  if (!around.no_layout.empty()) return refuse(std::move(step), around.no_layout, "target");
  const auto order =
      number ? order_named(*number, module.rank, step) : order_for(around.extents, step);
  if (!order) return step;
  if (*order == as_it_is(module.rank)) {
    return refuse(std::move(step), "it is another order than that of the program", "form");
  }
  if (const auto obstacle = onf::obstacle_to_axes(module)) {
    return refuse(std::move(step),
                  "axes are named by numbers in the text alone, but '" +
                      module.functions[onf::number(obstacle->function)].name + "' " +
                      obstacle->what,
                  "form");
  }
  onf::permute_axes(module, *order);
  mark_loops(module);
  step.after = axes_text(*order);
  step.holds = true;
  return step;
}

namespace {

// A read of what an earlier sweep of the pass has computed.
std::string needed_plane(const Graph& graph, const Pass& pass) {
  std::set<ValueId> defined;
  for (std::size_t k = pass.first; k < pass.end; ++k) {
    for (const auto& [value, offsets] : reads_of(graph, graph.sweeps[k])) {
      if (!defined.contains(value)) continue;
      return names_of(graph, graph.sweeps[k]) + " at plane 0 needs " + graph[value].name +
             " at plane " + std::to_string(offsets.front().front());
    }
    defined.insert(graph.sweeps[k].defines.begin(), graph.sweeps[k].defines.end());
  }
  return {};
}

}  // namespace

Step keep_loops(const Graph& graph) {
  const char* order = "loops in the order of the axes";
  const auto planes = std::ranges::find_if(graph.passes, &Pass::pipelined);
  if (planes == graph.passes.end()) {
    return refused(
        "interchange", {graph.name()},
        {.before = order,
         .condition =
             "along another axis more accesses lie side by side, but all arrays have their "
             "axes in one order, in which the last loop goes along rows; layout changes it",
         .decider = "strides"});
  }
  Step step = refused(
      "interchange", {graph.name()},
      {.before = order,
       .condition = "the elements of a pass are computed in any order, but planes of axis 0 come "
                    "one after another",
       .decider = "offsets"});
  step.counterexample = needed_plane(graph, *planes);
  return step;
}

}  // namespace rhopsi::schedule
