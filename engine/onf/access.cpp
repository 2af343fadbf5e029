#include "engine/onf/access.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/onf/positions.hpp"

namespace rhopsi::onf {

namespace {

// One component, or one per axis for an index.
using Value = std::vector<Component>;

Component number_of(std::int64_t value) { return {true, -1, value, value}; }

Component sum(const Component& a, const Component& b, int sign) {
  if (!a.known || !b.known || b.axis >= 0) {
    const bool swapped = sign > 0 && a.known && b.known && a.axis < 0;
    return swapped ? sum(b, a, 1) : Component{};
  }
  const std::int64_t low = sign > 0 ? b.low : -b.high;
  const std::int64_t high = sign > 0 ? b.high : -b.low;
  return {true, a.axis, a.low + low, a.high + high, a.reach_low, a.reach_high, a.own};
}

// A component taken modulo the length of `axis` lies on that axis.
Component wrapped(const Component& a, int axis) {
  Component result{true, axis};
  if (a.known && a.axis == axis) {
    result.reach_low = std::min(a.reach_low, a.low);
    result.reach_high = std::max(a.reach_high, a.high);
  }
  return result;
}

class Reader {
 public:
  Reader(const Module& module, const Function& function, std::vector<Access>& accesses)
      : module_(module), function_(function), accesses_(accesses) {}

  void nest(const Nest& nest) {
    const auto rank = static_cast<std::size_t>(module_.rank);
    if (nest.indices.size() == rank && !nest.box) positions_.emplace(nest);
    inside_.assign(rank, {});
    for (std::size_t k = 0; k < nest.indices.size(); ++k) {
      Value value;
      const bool whole = nest.binding == Binding::flat;
      for (std::size_t axis = whole ? 0 : k; axis < (whole ? rank : k + 1); ++axis) {
        value.push_back({true, static_cast<int>(axis), 0, 0, 0, 0, true});
      }
      values_[nest.indices[k]] = value;
    }
    statements(nest.body);
    evaluate(nest.element);
    for (const Nest::Output& output : nest.also) evaluate(output.element);
  }

 private:
  Value unknown() const { return {Component{}}; }

  Value evaluate(const Expr& e) {
    if (e.kind == Expr::Kind::if_) return conditional(e);
    std::vector<Value> parts;
    for (const Expr& operand : e.operands) {
      parts.push_back(operand.kind == Expr::Kind::view ? Value{} : evaluate(operand));
    }
    switch (e.kind) {
      case Expr::Kind::integer:
        return {number_of(e.integer)};
      case Expr::Kind::variable: {
        const auto found = values_.find(e.variable);
        return found == values_.end() ? unknown() : found->second;
      }
      case Expr::Kind::load:
        load(e, parts);
        return unknown();
      case Expr::Kind::apply:
        return apply(e, parts);
      case Expr::Kind::make_index: {
        Value index;
        for (const Value& part : parts) index.push_back(part.empty() ? Component{} : part[0]);
        return index;
      }
      case Expr::Kind::component: {
        const auto axis = static_cast<std::size_t>(e.axis);
        return axis < parts[0].size() && parts[0].size() > 1 ? Value{parts[0][axis]}
               : module_.rank == 1                           ? parts[0]
                                                             : unknown();
      }
      case Expr::Kind::move:
        return moved(e, parts);
      case Expr::Kind::call:
        return call(e, parts);
      default:
        return unknown();
    }
  }

  Value conditional(const Expr& e) {
    evaluate(e.operands[0]);
    ++branches_;
    for (const bool holds : {true, false}) {
      const std::vector<Margin> before = inside_;
      // Of a function that is called the variables are others.
      if (positions_ && depth_ == 0) {
        widen(inside_, distance_from_ends(*positions_, inside_.size(), e.operands[0], holds));
      }
      evaluate(e.operands[holds ? 1 : 2]);
      inside_ = before;
    }
    --branches_;
    return unknown();
  }

  Value apply(const Expr& e, const std::vector<Value>& parts) {
    if (std::ranges::any_of(parts, [](const Value& part) { return part.size() != 1; })) {
      return unknown();
    }
    switch (e.function) {
      case ScalarFunction::add:
        return {sum(parts[0][0], parts[1][0], 1)};
      case ScalarFunction::subtract:
        return {sum(parts[0][0], parts[1][0], -1)};
      case ScalarFunction::negate:
        return {sum(number_of(0), parts[0][0], -1)};
      case ScalarFunction::plus:
      case ScalarFunction::convert:
        return parts[0];
      case ScalarFunction::modulo:
        if (e.operands[1].kind == Expr::Kind::extent) {
          return {wrapped(parts[0][0], e.operands[1].axis)};
        }
        return unknown();
      default:
        return unknown();
    }
  }

  Value moved(const Expr& e, const std::vector<Value>& parts) {
    Value index = parts[0];
    const Component axis = parts[1].empty() ? Component{} : parts[1][0];
    const bool fixed = axis.known && axis.axis < 0 && axis.low == axis.high && axis.low >= 0 &&
                       axis.low < static_cast<std::int64_t>(index.size());
    if (!fixed) {
      std::ranges::fill(index, Component{});
      return index;
    }
    Component& component = index[static_cast<std::size_t>(axis.low)];
    component = sum(component, parts[2][0], 1);
    if (e.wraps) component = wrapped(component, static_cast<int>(axis.low));
    return index;
  }

  void load(const Expr& e, const std::vector<Value>& parts) {
    const Block& block = function_.blocks[number(function_.views[number(e.view)].block)];
    if (depth_ == 0 && block.extents) return;
    Access access{resolve(e.view), {}, branches_ > 0, e.location};
    if (parts.size() == 1) {
      access.components = parts[0];
      access.components.resize(static_cast<std::size_t>(module_.rank));
    } else {
      for (const Value& part : parts) {
        access.components.push_back(part.size() == 1 ? part[0] : Component{});
      }
    }
    for (Component& c : access.components) {
      if (c.own) c.inside = inside_[static_cast<std::size_t>(c.axis)];
    }
    if (access.location == term::LocationId{}) access.location = call_location_;
    accesses_.push_back(std::move(access));
  }

  Value call(const Expr& e, const std::vector<Value>& parts) {
    if (depth_ >= 8) return unknown();  // recursion, or deeper than what is worth deciding
    const Function& callee = module_.functions[number(e.callee)];
    auto values = std::move(values_);
    auto views = std::move(views_);
    values_.clear();
    views_.clear();
    for (std::size_t k = 0; k < callee.arguments.size() && k < parts.size(); ++k) {
      const Argument& argument = callee.arguments[k];
      if (!argument.view) {
        values_[argument.variable] = parts[k];
        continue;
      }
      const ViewId given = e.operands[k].view;
      const auto found = views.find(given);
      views_[*argument.view] = depth_ == 0 || found == views.end() ? given : found->second;
    }
    ++depth_;
    statements(callee.body);
    --depth_;
    values_ = std::move(values);
    views_ = std::move(views);
    return unknown();
  }

  ViewId resolve(ViewId view) const {
    const auto found = views_.find(view);
    return found == views_.end() ? view : found->second;
  }

  void statements(const Statements& body) {
    for (const Statement& statement : body) {
      std::visit([this](const auto& form) { read(form); }, statement.form);
    }
  }
  void read(const Let& s) {
    Value value = s.value ? evaluate(*s.value) : unknown();
    values_[s.variable] = s.constant ? std::move(value) : unknown();
  }
  void read(const Assign& s) { evaluate(s.value); }
  void read(const Lazy& s) {
    ++branches_;
    statements(s.body);
    evaluate(s.value);
    --branches_;
  }
  void read(const Fold& s) {
    values_[s.index] = counter(number_of(0), evaluate(s.count), s.count);
    statements(s.body);
    evaluate(s.element);
  }
  void read(const For& s) {
    const Value low = evaluate(s.low);
    values_[s.index] = counter(low.empty() ? Component{} : low[0], evaluate(s.high), s.high);
    statements(s.body);
  }
  void read(const If& s) {
    evaluate(s.condition);
    ++branches_;
    statements(s.then);
    statements(s.otherwise);
    --branches_;
  }
  void read(const While& s) {
    statements(s.before);
    evaluate(s.condition);
    ++branches_;
    statements(s.body);
    --branches_;
  }
  void read(const Iterate& s) {
    evaluate(s.count);
    statements(s.body);
  }
  void read(const Return& s) {
    if (s.value) evaluate(*s.value);
  }
  void read(const Scope& s) { statements(s.body); }
  void read(const Check& s) {
    evaluate(s.condition);
    for (const Expr& number : s.numbers) evaluate(number);
  }
  template <class Other>
  void read(const Other&) {}

  Value counter(const Component& low, const Value& high, const Expr& bound) const {
    if (!low.known || low.axis >= 0 || high.size() != 1) return unknown();
    if (bound.kind == Expr::Kind::extent && low.low >= 0) {
      return {{true, bound.axis}};
    }
    if (!high[0].known || high[0].axis >= 0) return unknown();
    return {{true, -1, low.low, high[0].high - 1}};
  }

  const Module& module_;
  const Function& function_;
  std::vector<Access>& accesses_;
  std::optional<Positions> positions_;  // of the nest, where it has an index for each axis
  std::vector<Margin> inside_;          // by the conditions that hold
  std::unordered_map<VariableId, Value> values_;
  std::unordered_map<ViewId, ViewId> views_;
  term::LocationId call_location_{};
  int branches_ = 0;
  int depth_ = 0;
};

}  // namespace

bool is_at_own_point(const Access& access) {
  for (std::size_t axis = 0; axis < access.components.size(); ++axis) {
    const Component& c = access.components[axis];
    const bool own = c.known && c.axis == static_cast<int>(axis) && c.low == 0 && c.high == 0 &&
                     c.reach_low == 0 && c.reach_high == 0;
    if (!own) return false;
  }
  return true;
}

std::vector<Access> accesses_of(const Module& module, const Function& function, const Nest& nest) {
  std::vector<Access> accesses;
  Reader(module, function, accesses).nest(nest);
  for (Access& access : accesses) {
    if (access.location == term::LocationId{}) access.location = nest.element.location;
  }
  return accesses;
}

}  // namespace rhopsi::onf
