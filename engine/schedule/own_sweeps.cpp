#include "engine/schedule/own_sweeps.hpp"

#include <algorithm>
#include <span>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/infix.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/scalar_size.hpp"
#include "engine/onf/shapes.hpp"
#include "engine/onf/tiling.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Nest;
using onf::ViewId;

void bring_forward(onf::Statements& list, const std::vector<std::size_t>& places, std::size_t to) {
  for (const std::size_t at : places) {
    onf::Statement moved = std::move(list[at]);
    list.erase(list.begin() + std::ptrdiff_t(at));
    list.insert(list.begin() + std::ptrdiff_t(to++), std::move(moved));
  }
}

const Nest& nest_at(const onf::Statements& list, std::size_t place) {
  return std::get<Nest>(list[place].form);
}
Nest& nest_at(onf::Statements& list, std::size_t place) { return std::get<Nest>(list[place].form); }
const onf::Block& block_of(const onf::Function& function, ViewId view) {
  return function.blocks[onf::number(function.views[onf::number(view)].block)];
}

std::vector<OwnSweep> own_sweeps(const onf::Statements& list) {
  std::vector<OwnSweep> sweeps;
  std::map<ViewId, std::size_t> allocated, of;
  for (std::size_t at = 0; at < list.size(); ++at) {
    if (const auto* fresh = std::get_if<onf::Allocate>(&list[at].form)) allocated[fresh->view] = at;
    const auto* nest = std::get_if<Nest>(&list[at].form);
    if (nest == nullptr || !nest->box || !allocated.contains(nest->target)) continue;
    const auto [place, first] = of.try_emplace(nest->target, sweeps.size());
    if (first) {
      OwnSweep sweep{{nest->target}, {allocated.at(nest->target)}, {}};
      for (const Nest::Output& output : nest->also) {
        sweep.targets.push_back(output.target);
        sweep.allocations.push_back(allocated.at(output.target));
      }
      sweeps.push_back(std::move(sweep));
    }
    sweeps[place->second].nests.push_back(at);
  }
  return sweeps;
}

bool contains(const std::vector<ViewId>& views, ViewId view) {
  return std::ranges::count(views, view) > 0;
}

bool names_elements(const Expr& e) {
  return e.kind == Expr::Kind::load || e.kind == Expr::Kind::view;
}

bool is_own_index(const Expr& load, const Nest& nest) {
  return std::ranges::equal(
      load.operands, nest.indices, [](const Expr& component, onf::VariableId index) {
        return component.kind == Expr::Kind::variable && component.variable == index;
      });
}

namespace {

const auto nothing = [](const auto&) {};

void replace_lengths(onf::Function& function, ViewId view, const std::vector<Expr>& lengths) {
  const auto replace = [&](Expr& whole) {
    onf::each_part(whole, [&](Expr& e) {
      if (e.kind != Expr::Kind::length || e.view != view) return;
      e = Expr(lengths[static_cast<std::size_t>(e.axis)]);
    });
  };
  onf::each_in(
      function.body, [](auto&) {}, replace);
  for (onf::Block& block : function.blocks) {
    if (!block.extents || &block == &block_of(function, view)) continue;
    for (Expr& extent : *block.extents) replace(extent);
  }
}

}  // namespace

void name_lengths(onf::Function& function, ViewId view) {
  const std::vector<Expr> extents = *block_of(function, view).extents;
  replace_lengths(function, view, extents);
}

void keep_lengths(OwnWork& work, ViewId argument) {
  onf::Function& function = work.function;
  const std::vector<Expr> extents = *block_of(function, argument).extents;
  onf::Statements lets;
  std::vector<Expr> lengths;
  for (const Expr& extent : extents) {
    if (extent.kind != Expr::Kind::length) {
      lengths.push_back(extent);
      continue;
    }
    Expr length = extent;
    length.kind = Expr::Kind::variable;
    length.variable = static_cast<onf::VariableId>(function.variables.size());
    const std::string wanted = work.name(argument) + "_n" + std::to_string(extent.axis);
    function.variables.push_back({work.fresh_name(wanted), extent.type});
    lets.push_back({onf::Let{length.variable, extent}, function.location});
    lengths.push_back(std::move(length));
  }
  replace_lengths(function, argument, lengths);
  function.body.insert(function.body.begin(), lets.begin(), lets.end());
}

bool holds_check(const onf::Statement& statement) {
  bool checks = false;
  const auto form = [&](const auto& s) {
    checks = checks || std::is_same_v<std::decay_t<decltype(s)>, onf::Check>;
  };
  const std::span one(&statement, 1);
  onf::each_in(one, form, [](const onf::Expr&) {});
  return checks;
}

bool has_tile(const onf::Statements& list, const OwnSweep& sweep) {
  return std::ranges::any_of(sweep.nests,
                             [&](std::size_t at) { return nest_at(list, at).tile.has_value(); });
}

OwnPlaces::OwnPlaces(const onf::Module& module, const onf::Function& function)
    : function_(function) {
  // Of the nests of an array only the last one counts: what is known at a place is much to copy.
  std::map<ViewId, const void*> last;
  const auto note = [&](const auto& s) {
    using Form = std::decay_t<decltype(s)>;
    if constexpr (std::is_same_v<Form, onf::Allocate>) last[s.view] = &s;
    if constexpr (std::is_same_v<Form, Nest>) {
      if (!s.box) return;
      for (const ViewId target : targets_of(s)) last[target] = &s;
    }
  };
  onf::each_in(function.body, note, nothing);
  const auto keep = [&](ViewId view, const void* place, const onf::Ranges& ranges) {
    if (last.at(view) == place) ranges_.emplace(view, ranges);
  };
  onf::each_place(module, function, [&](const onf::Statement& statement, onf::Ranges& ranges) {
    if (const auto* fresh = std::get_if<onf::Allocate>(&statement.form))
      keep(fresh->view, fresh, ranges);
    const auto* nest = std::get_if<Nest>(&statement.form);
    if (nest == nullptr || !nest->box) return;
    for (const ViewId target : targets_of(*nest)) keep(target, nest, ranges);
  });
}

bool OwnPlaces::at_most(ViewId at, const Expr& left, const Expr& right) const {
  return ranges_.at(at).at_most(left, right);
}

bool OwnPlaces::is_single(ViewId at, const onf::Interval& interval) const {
  const Expr behind =
      onf::applied(onf::ScalarFunction::add, onf::Scalar::int64, {interval.low, onf::integer(1)});
  return equal(at, behind, interval.high);
}

bool OwnPlaces::covers(ViewId at, const std::vector<std::vector<onf::Interval>>& boxes) const {
  onf::Ranges ranges = ranges_.at(at);
  onf::Region whole;
  std::vector<onf::Region> parts;
  for (const Expr& extent : *block_of(function_, at).extents) {
    const auto length = ranges.affine(extent);
    if (!length) return false;
    whole.push_back({onf::Affine{}, *length});
  }
  for (const std::vector<onf::Interval>& box : boxes) {
    onf::Region& part = parts.emplace_back();
    for (const onf::Interval& interval : box) {
      const auto low = ranges.affine(interval.low), high = ranges.affine(interval.high);
      if (!low || !high) return false;
      part.push_back({*low, *high});
    }
  }
  return onf::tile(ranges, whole, std::move(parts)).verdict == onf::Tiling::Verdict::covers;
}

bool OwnPlaces::is_outside(ViewId at, const Nest& nest, const Expr& load) const {
  if (load.kind != Expr::Kind::load || load.operands.size() != nest.indices.size()) return false;
  onf::Ranges ranges = ranges_.at(at);
  for (std::size_t axis = 0; axis < nest.indices.size(); ++axis) {
    const onf::Interval& interval = (*nest.box)[axis];
    ranges.counter(nest.indices[axis], interval.low, interval.high);
  }
  for (const onf::Statement& statement : nest.body) {
    const auto* let = std::get_if<onf::Let>(&statement.form);
    if (let == nullptr || !let->constant || !let->value) return false;
    ranges.define(let->variable, *let->value);
  }
  for (std::size_t axis = 0; axis < nest.indices.size(); ++axis) {
    const onf::Interval& interval = (*nest.box)[axis];
    const Expr& index = load.operands[axis];
    if (index.type.kind != onf::Representation::Kind::scalar) return false;
    const Expr behind =
        onf::applied(onf::ScalarFunction::add, onf::Scalar::int64, {index, onf::integer(1)});
    if (ranges.at_most(behind, interval.low) || ranges.at_most(interval.high, index)) return true;
  }
  return false;
}

bool OwnPlaces::equal(ViewId at, const Expr& left, const Expr& right) const {
  return at_most(at, left, right) && at_most(at, right, left);
}

bool OwnPlaces::equal(ViewId at, const std::vector<onf::Interval>& left,
                      const std::vector<onf::Interval>& right) const {
  return std::ranges::equal(left, right, [&](const onf::Interval& a, const onf::Interval& b) {
    return equal(at, a.low, b.low) && equal(at, a.high, b.high);
  });
}

std::optional<std::size_t> OwnPlaces::other_axis(ViewId at, ViewId left, ViewId right) const {
  const auto& a = *block_of(function_, left).extents;
  const auto& b = *block_of(function_, right).extents;
  for (std::size_t axis = 0; axis < std::max(a.size(), b.size()); ++axis) {
    if (axis >= std::min(a.size(), b.size()) || !equal(at, a[axis], b[axis])) return axis;
  }
  return std::nullopt;
}

bool OwnPlaces::certainly_fits(ViewId view) const {
  const onf::Block& block = block_of(function_, view);
  Expr zero;
  zero.type = {onf::Representation::Kind::scalar, onf::Scalar::int64, {}};
  const auto holds = [&](const onf::Argument& argument) {
    if (!argument.view || argument.mode == term::Mode::out) return false;
    const onf::Block& given = block_of(function_, *argument.view);
    if (!given.extents || given.extents->size() != block.extents->size()) return false;
    if (onf::bytes_of(block.element) > onf::bytes_of(given.element)) return false;
    for (std::size_t axis = 0; axis < block.extents->size(); ++axis) {
      const Expr& length = (*block.extents)[axis];
      if (!at_most(view, zero, length) || !at_most(view, length, (*given.extents)[axis]))
        return false;
    }
    return true;
  };
  return block.extents->empty() || std::ranges::any_of(function_.arguments, holds);
}

const std::string& OwnWork::name(ViewId view) const {
  return function.views[onf::number(view)].name;
}
std::string OwnWork::fresh_name(const std::string& wanted) const {
  const auto is_known = [&](const std::string& name) {
    return std::ranges::count(function.variables, name, &onf::Variable::name) > 0;
  };
  std::string name = wanted;
  for (int number = 2; is_known(name); ++number) name = wanted + std::to_string(number);
  return name;
}

std::string OwnWork::extents(ViewId view) const {
  std::string made;
  for (const Expr& extent : *block_of(function, view).extents) {
    made += (made.empty() ? "[" : ", ") + text(extent);
  }
  return made.empty() ? "[]" : made + "]";
}

std::string OwnWork::lengths(std::size_t axis, ViewId left, ViewId right) const {
  const auto told = [&](ViewId view) {
    const std::vector<Expr>& all = *block_of(function, view).extents;
    return axis < all.size() ? text(all[axis]) + " elements" : std::string("no such axis");
  };
  return name(left) + " has " + told(left) + " and " + name(right) + " " + told(right);
}

std::string OwnWork::box_text(const std::vector<onf::Interval>& box) const {
  std::string made;
  for (const onf::Interval& interval : box) {
    made += (made.empty() ? "[" : " x [") + text(interval.low) + ", " + text(interval.high) + ")";
  }
  return made;
}

void OwnWork::record(const char* step, ViewId at, const std::string& before,
                     const std::string& after, const OwnVerdict& verdict) {
  const onf::View& view = function.views[onf::number(at)];
  Step made{step,
            function.name + ": " + view.name,
            before,
            after,
            verdict.condition,
            verdict.holds,
            verdict.decider,
            verdict.counterexample,
            {},
            {view.location},
            verdict.beside};
  if (recorded.insert({made.name, made.site, view.location, made.before, made.condition}).second)
    steps.push_back(std::move(made));
}

}  // namespace rhopsi::schedule
