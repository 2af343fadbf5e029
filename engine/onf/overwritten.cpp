#include "engine/onf/overwritten.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/onf/alike.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/lines.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/nest_variables.hpp"

namespace rhopsi::onf {

namespace {

Expr plus_one(Expr e) {
  const bool less = applies(e, ScalarFunction::subtract) &&
                    e.operands[1].kind == Expr::Kind::integer && e.operands[1].integer == 1;
  if (less) return Expr(e.operands[0]);
  return applied(ScalarFunction::add, Scalar::int64, {std::move(e), integer(1)});
}

Expr with(const Expr& e, VariableId variable, const Expr& value) {
  if (e.kind == Expr::Kind::variable && e.variable == variable) return value;
  Expr made = e;
  for (Expr& operand : made.operands) operand = with(operand, variable, value);
  return made;
}

std::int64_t coefficient(const Affine& value, const Affine& variable) {
  if (variable.constant != 0 || variable.terms.size() != 1) return 0;
  for (const auto& [atom, factor] : value.terms) {
    if (atom == variable.terms.front().first) return factor;
  }
  return 0;
}

class Overwriting {
 public:
  Overwriting(const Ranges& ranges, std::span<const Statement> group, std::size_t at,
              const std::vector<std::size_t>& line_axes)
      : ranges_(ranges),
        group_(group),
        at_(at),
        nest_(std::get<Nest>(group[at].form)),
        line_axes_(line_axes),
        blocks_(blocks_in_lines(group)) {}

  std::optional<Overwritten> find(ViewId target) {
    block_ = block_of(target);
    for (std::size_t later = at_ + 1; later < group_.size(); ++later) {
      if (const auto* nest = std::get_if<Nest>(&group_[later].form)) {
        Ranges here = ranges_;
        if (!reads_outside(here, *nest)) return std::nullopt;
      } else if (const auto* loop = std::get_if<For>(&group_[later].form)) {
        if (writes(*loop)) return by_loop(*loop);
        if (!reads_outside_in(*loop)) return std::nullopt;
      }
    }
    return std::nullopt;
  }

 private:
  ViewId block_of(ViewId view) const {
    const auto found = blocks_.find(view);
    return found == blocks_.end() ? view : found->second;
  }
  bool makes(const Nest& nest) const {
    return std::ranges::any_of(targets_of(nest),
                               [&](ViewId target) { return block_of(target) == block_; });
  }
  bool writes(const For& loop) const {
    return std::ranges::any_of(loop.body, [&](const Statement& statement) {
      const auto* nest = std::get_if<Nest>(&statement.form);
      return nest != nullptr && makes(*nest);
    });
  }
  static bool has_loop(const For& loop) {
    return std::ranges::any_of(loop.body, [](const Statement& statement) {
      return std::holds_alternative<For>(statement.form);
    });
  }

  // --- what is read

  // Knows the indices of the nest, and what it names.
  static bool enter(Ranges& here, const Nest& nest) {
    for (std::size_t axis = 0; axis < nest.indices.size(); ++axis)
      here.counter(nest.indices[axis], (*nest.box)[axis].low, (*nest.box)[axis].high);
    return std::ranges::all_of(nest.body, [&](const Statement& statement) {
      const auto* let = std::get_if<Let>(&statement.form);
      if (let == nullptr || !let->constant || !let->value) return false;
      here.define(let->variable, *let->value);
      return true;
    });
  }
  bool is_outside(Ranges& here, const Expr& load) const {
    for (std::size_t axis = 0; axis < load.operands.size() && axis < nest_.box->size(); ++axis) {
      const Expr& index = load.operands[axis];
      const Interval& own = (*nest_.box)[axis];
      if (here.at_most(plus_one(index), own.low) || here.at_most(own.high, index)) return true;
    }
    return false;
  }
  template <class May>
  bool all_reads(const Nest& nest, const May& may) const {
    bool all = true;
    each_load(nest, [&](const Expr& e) { all = all && (block_of(e.view) != block_ || may(e)); });
    return all;
  }
  bool reads_outside(Ranges& here, const Nest& nest) const {
    if (all_reads(nest, [](const Expr&) { return false; })) return true;
    return enter(here, nest) &&
           all_reads(nest, [&](const Expr& load) { return is_outside(here, load); });
  }
  bool reads_outside_in(const For& loop) const {
    if (has_loop(loop)) return false;
    Ranges here = ranges_;
    here.counter(loop.index, loop.low, loop.high);
    for (const Statement& statement : loop.body) {
      if (const auto* let = std::get_if<Let>(&statement.form))
        here.define(let->variable, *let->value);
      const auto* nest = std::get_if<Nest>(&statement.form);
      if (nest == nullptr) continue;
      Ranges inside = here;
      if (!reads_outside(inside, *nest)) return false;
    }
    return true;
  }

  // --- the loop that writes it again

  std::optional<Overwritten> by_loop(const For& loop) {
    if (has_loop(loop)) return std::nullopt;
    Ranges here = ranges_;
    here.counter(loop.index, loop.low, loop.high);
    for (const Statement& statement : loop.body) {
      if (const auto* let = std::get_if<Let>(&statement.form))
        here.define(let->variable, *let->value);
    }
    const Nest* writer = nullptr;
    for (const Statement& statement : loop.body) {
      const auto* nest = std::get_if<Nest>(&statement.form);
      if (nest == nullptr || !makes(*nest)) continue;
      if (std::exchange(writer, nest) != nullptr) return std::nullopt;
    }
    const auto axis = axis_of(here, loop, *writer);
    if (!axis) return std::nullopt;
    const Expr& where = (*writer->box)[*axis].low;
    const std::int64_t step = step_of(here, loop, where);
    if (step == 0 || names_any(where, declared_in(loop.body))) return std::nullopt;
    bool behind = false;
    for (const Statement& statement : loop.body) {
      const auto* nest = std::get_if<Nest>(&statement.form);
      if (nest == nullptr) continue;
      Ranges inside = here;
      const bool plain = enter(inside, *nest);
      const bool fine = all_reads(*nest, [&](const Expr& load) {
        return plain && (is_outside(inside, load) ||
                         is_written(inside, load.operands.at(*axis), where, step, behind));
      });
      if (!fine) return std::nullopt;
      behind = behind || nest == writer;
    }
    const Expr first = with(where, loop.index, loop.low), last = with(where, loop.index, loop.high);
    if (step > 0) return Overwritten{*axis, first, last};
    return Overwritten{*axis, plus_one(last), plus_one(first)};
  }

  static bool names_any(const Expr& whole, const std::set<VariableId>& variables) {
    bool found = false;
    each_part(whole, [&](const Expr& e) {
      found = found || (e.kind == Expr::Kind::variable && variables.contains(e.variable));
    });
    return found;
  }
  // Of which it writes one index in a round, and all that the nest does of the others.
  std::optional<std::size_t> axis_of(Ranges& here, const For& loop, const Nest& writer) const {
    std::optional<std::size_t> found;
    for (std::size_t axis = 0; axis < writer.box->size(); ++axis) {
      if (std::ranges::count(line_axes_, axis) > 0) continue;
      const Interval &each = (*writer.box)[axis], &own = (*nest_.box)[axis];
      bool moves = false;
      each_part(each.low, [&](const Expr& e) {
        moves = moves || (e.kind == Expr::Kind::variable && e.variable == loop.index);
      });
      if (!moves) {
        if (!here.at_most(each.low, own.low) || !here.at_most(own.high, each.high))
          return std::nullopt;
        continue;
      }
      const Expr next = plus_one(each.low);
      if (found || !here.at_most(next, each.high) || !here.at_most(each.high, next))
        return std::nullopt;
      found = axis;
    }
    return found;
  }

  // 1 or -1: that the index goes on by in each round. 0: it does something else.
  static std::int64_t step_of(Ranges& here, const For& loop, const Expr& where) {
    const Expr round = of_variable(loop.index, loop.low.type, loop.low.location);
    const auto value = here.affine(where), counter = here.affine(round),
               low = here.affine(loop.low), first = here.affine(with(where, loop.index, loop.low));
    if (!value || !counter || !low || !first) return 0;
    const std::int64_t step = coefficient(*value, *counter);
    if (step != 1 && step != -1) return 0;
    const auto rest = combined(*value, *counter, -step), same = combined(*first, *low, -step);
    return rest && same && *rest == *same ? step : 0;
  }

  // Has the loop written that index? `behind`: that of this round, too.
  static bool is_written(Ranges& here, const Expr& index, const Expr& where, std::int64_t step,
                         bool behind) {
    if (step > 0) return here.at_most(behind ? index : plus_one(index), where);
    return here.at_most(behind ? where : plus_one(where), index);
  }

  const Ranges& ranges_;
  const std::span<const Statement> group_;
  const std::size_t at_;
  const Nest& nest_;
  const std::vector<std::size_t>& line_axes_;
  const std::map<ViewId, ViewId> blocks_;
  ViewId block_{};
};

}  // namespace

std::optional<Overwritten> overwritten_in_lines(const Ranges& ranges,
                                                std::span<const Statement> group, std::size_t at,
                                                const std::vector<std::size_t>& line_axes) {
  Overwriting overwriting(ranges, group, at, line_axes);
  std::optional<Overwritten> all;
  for (const ViewId target : targets_of(std::get<Nest>(group[at].form))) {
    const auto found = overwriting.find(target);
    if (!found) return std::nullopt;
    if (all && (all->axis != found->axis || !is_same(all->low, found->low) ||
                !is_same(all->high, found->high)))
      return std::nullopt;
    all = found;
  }
  return all;
}

bool is_within(const Ranges& ranges, const Nest& nest, const Overwritten& part) {
  Ranges here = ranges;
  const Interval& own = (*nest.box)[part.axis];
  return here.at_most(part.low, own.low) && here.at_most(own.high, part.high);
}

}  // namespace rhopsi::onf
