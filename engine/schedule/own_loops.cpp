// The order of the loops over a box, and strips of the innermost.
#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/scalar_size.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Nest;
using onf::VariableId;

namespace {

// How an access moves in memory when one index of the nest goes on by one.
enum class Move : std::uint8_t { none, by_one, far };

bool mentions(const Expr& e, const std::set<VariableId>& variables) {
  bool found = false;
  onf::each_part(e, [&](const Expr& part) {
    found = found || (part.kind == Expr::Kind::variable && variables.contains(part.variable));
  });
  return found;
}

// Is it the variable plus or minus what does not depend on it, or such a thing less the variable?
bool is_moved_by_one(const Expr& e, const std::set<VariableId>& variable) {
  if (e.kind == Expr::Kind::variable) return variable.contains(e.variable);
  if (e.kind != Expr::Kind::apply ||
      (e.function != onf::ScalarFunction::add && e.function != onf::ScalarFunction::subtract)) {
    return false;
  }
  const bool left = mentions(e.operands[0], variable), right = mentions(e.operands[1], variable);
  return left != right && is_moved_by_one(e.operands[left ? 0 : 1], variable);
}

// The accesses of a nest, and what they depend on.
class Accesses {
 public:
  explicit Accesses(const Nest& nest) : nest_(nest) {
    const auto form = [this](const auto& s) {
      using Form = std::decay_t<decltype(s)>;
      folds_ = folds_ || std::is_same_v<Form, onf::Fold>;
      if constexpr (std::is_same_v<Form, onf::Let>) {
        if (s.value) named_.push_back({s.variable, &*s.value});
      }
    };
    const auto look = [this](const Expr& whole) {
      onf::each_part(whole, [&](const Expr& e) {
        if (e.kind == Expr::Kind::load && !e.operands.empty()) loads_.push_back(&e);
      });
    };
    onf::each_in(nest.body, form, look);
    look(nest.element);
    for (const Nest::Output& output : nest.also) look(output.element);
  }

  bool folds() const { return folds_; }

  // Of all accesses, those that go along the axis side by side; a store counts twice, since the
  // line that it is in is read, too.
  std::size_t beside(std::size_t axis) const {
    std::size_t count = 0;
    for (const Expr* load : loads_) count += of(load->operands, axis) != Move::far ? 1 : 0;
    if (axis + 1 == nest_.indices.size()) count += 2 * stores();
    return count;
  }
  std::size_t all() const { return loads_.size() + 2 * stores(); }
  std::size_t stores() const { return 1 + nest_.also.size(); }

  // How many loads go far along the axis `inner`, but side by side along the other one.
  std::size_t across(std::size_t inner, std::size_t other) const {
    return static_cast<std::size_t>(std::ranges::count_if(loads_, [&](const Expr* load) {
      return of(load->operands, inner) == Move::far && of(load->operands, other) == Move::by_one;
    }));
  }

  // A load that goes far along the axis; null if there is none.
  const Expr* far_along(std::size_t axis) const {
    const auto found = std::ranges::find_if(
        loads_, [&](const Expr* load) { return of(load->operands, axis) == Move::far; });
    return found == loads_.end() ? nullptr : *found;
  }

 private:
  // What depends on the index, the names of numbers computed from it too.
  std::set<VariableId> dependent_on(VariableId index) const {
    std::set<VariableId> found{index};
    for (const auto& [variable, value] : named_) {
      if (mentions(*value, found)) found.insert(variable);
    }
    return found;
  }

  Move of(const std::vector<Expr>& components, std::size_t axis) const {
    const std::set<VariableId> index = dependent_on(nest_.indices[axis]);
    for (std::size_t k = 0; k + 1 < components.size(); ++k) {
      if (mentions(components[k], index)) return Move::far;
    }
    if (!mentions(components.back(), index)) return Move::none;
    return is_moved_by_one(components.back(), {nest_.indices[axis]}) ? Move::by_one : Move::far;
  }

  const Nest& nest_;
  bool folds_ = false;
  std::vector<std::pair<VariableId, const Expr*>> named_;  // in their order
  std::vector<const Expr*> loads_;
};

std::string loops_text(const onf::Function& function, const Nest& nest,
                       const std::vector<int>& order) {
  std::string text;
  for (const int axis : order) {
    const VariableId index = nest.indices[static_cast<std::size_t>(axis)];
    text += (text.empty() ? "loops " : ", ") + function.variables[onf::number(index)].name;
  }
  return text;
}

std::vector<int> in_their_order(std::size_t rank) {
  std::vector<int> order(rank);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Why the loops of an array stay as they are; empty: they need not.
std::string kept_loops(const OwnSweep& sweep, const Nest& nest, const Accesses& accesses) {
  if (sweep.nests.size() > 1) {
    return "the array has one box, but it has " + std::to_string(sweep.nests.size()) +
           ", and several are one loop over rows";
  }
  if (nest.tile)
    return "the loops are those of the axes, but its folds are computed in tiles, which have loops "
           "of "
           "their own";
  if (accesses.folds()) return "the innermost loop is one of the nest, but its element is a fold";
  return "";
}

std::string of_all(std::size_t count, std::size_t all) {
  return std::to_string(count) + " of " + std::to_string(all);
}

void interchange(OwnWork& work, onf::Statements& list, const OwnSweep& sweep) {
  Nest& nest = nest_at(list, sweep.nests.front());
  const std::size_t rank = nest.indices.size();
  if (rank < 2) return;
  std::vector<int> order = in_their_order(rank);
  const std::string before = loops_text(work.function, nest, order);
  const auto record = [&](const std::string& after, const OwnVerdict& verdict) {
    work.record("interchange", sweep.targets.front(), before, after, verdict);
  };
  const Accesses accesses(nest);
  if (const auto why = kept_loops(sweep, nest, accesses); !why.empty())
    return record(before, {why});
  std::size_t best = rank - 1;
  for (std::size_t axis = rank; axis-- > 0;) {
    if (accesses.beside(axis) > accesses.beside(best)) best = axis;
  }
  const auto named = [&](std::size_t axis) {
    return work.function.variables[onf::number(nest.indices[axis])].name;
  };
  const auto along = [&](std::size_t axis) {
    return "along " + named(axis) + " " + of_all(accesses.beside(axis), accesses.all());
  };
  const std::string last = along(rank - 1) + " accesses lie side by side";
  if (best == rank - 1) {
    std::string others;
    for (std::size_t axis = 0; axis + 1 < rank; ++axis) others += ", and " + along(axis);
    const Expr* far = accesses.far_along(0);
    return record(
        before,
        {"along another axis more accesses lie side by side (stores count twice), but " + last +
             others,
         false, "strides",
         far == nullptr ? ""
                        : "along " + named(0) + " " + work.text(*far) + " goes from row to row"});
  }
  order.erase(order.begin() + static_cast<std::ptrdiff_t>(best));
  order.push_back(static_cast<int>(best));
  record(loops_text(work.function, nest, order),
         {"no element needs another one of the nest; " + along(best) +
              " accesses lie side by side (stores count twice), " + last,
          true, "strides"});
  nest.loops = std::move(order);
  add_step(nest.made_by, "interchange");
}

// Elements in a line of a cache.
std::int64_t elements_of_a_line(const onf::Function& function, const Nest& nest) {
  constexpr std::size_t line = 64;
  return static_cast<std::int64_t>(line / onf::bytes_of(block_of(function, nest.target).element));
}

// The loops with the axis in front of the innermost one.
std::vector<int> beside_innermost(std::vector<int> order, std::size_t axis) {
  const int innermost = order.back();
  std::erase_if(order,
                [&](int other) { return other == static_cast<int>(axis) || other == innermost; });
  order.insert(order.end(), {static_cast<int>(axis), innermost});
  return order;
}

void strip(OwnWork& work, onf::Statements& list, const OwnSweep& sweep,
           std::optional<std::int64_t> most) {
  Nest& nest = nest_at(list, sweep.nests.front());
  const std::size_t rank = nest.indices.size();
  if (rank < 2) return;
  const std::vector<int> order = nest.loops.empty() ? in_their_order(rank) : nest.loops;
  const std::string before = loops_text(work.function, nest, order);
  const auto refuse = [&](const std::string& condition) {
    work.record("tile", sweep.targets.front(), before, before, {condition, false, "strides"});
  };
  const Accesses accesses(nest);
  if (const auto why = kept_loops(sweep, nest, accesses); !why.empty()) return refuse(why);
  const auto inner = static_cast<std::size_t>(order.back());
  std::size_t best = inner, most_loads = 0;
  for (std::size_t axis = rank; axis-- > 0;) {
    if (axis == inner || accesses.across(inner, axis) <= most_loads) continue;
    best = axis;
    most_loads = accesses.across(inner, axis);
  }
  const auto named = [&](std::size_t axis) {
    return work.function.variables[onf::number(nest.indices[axis])].name;
  };
  if (most_loads == 0) {
    const Expr* far = accesses.far_along(inner);
    return refuse("what goes from line to line along " + named(inner) +
                  " lies side by side along another axis, but " +
                  (far == nullptr ? "nothing goes from line to line"
                                  : work.text(*far) + " does so along none"));
  }
  nest.loops = beside_innermost(order, best);
  const std::vector<int> made = nest.loops;
  if (made == in_their_order(rank)) nest.loops.clear();
  nest.strip = std::max<std::int64_t>(1, elements_of_a_line(work.function, nest));
  if (most) nest.strip = std::min(nest.strip, *most);
  work.record("tile", sweep.targets.front(), before,
              loops_text(work.function, nest, made) + " in strips of " + std::to_string(nest.strip),
              {"no element needs another one of the nest; " + std::to_string(most_loads) +
                   (most_loads == 1 ? " load goes" : " loads go") + " from line to line along " +
                   named(inner) + " and side by side along " + named(best),
               true, "strides"});
  add_step(nest.made_by, "tile");
}

}  // namespace

void tile_own(OwnWork& work, std::optional<std::int64_t> most) {
  each_list(work.function.body, [&](onf::Statements& list) {
    for (const OwnSweep& sweep : own_sweeps(list)) strip(work, list, sweep, most);
  });
}

void interchange_own(OwnWork& work) {
  each_list(work.function.body, [&](onf::Statements& list) {
    for (const OwnSweep& sweep : own_sweeps(list)) interchange(work, list, sweep);
  });
}

}  // namespace rhopsi::schedule
