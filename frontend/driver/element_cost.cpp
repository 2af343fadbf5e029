#include "frontend/driver/element_cost.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace rhopsi::driver {

namespace {

using onf::Expr;

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 4;

std::uint64_t added(std::uint64_t a, std::uint64_t b) { return std::min(most, a + b); }

ElementCost times(ElementCost cost, std::uint64_t factor) {
  for (auto* each : {&cost.operations, &cost.index_operations, &cost.reads, &cost.writes}) {
    *each = factor != 0 && *each > most / factor ? most : *each * factor;
  }
  return cost;
}

ElementCost dearer(const ElementCost& a, const ElementCost& b) {
  const auto weight = [](const ElementCost& each) {
    return added(added(each.operations, each.index_operations), added(each.reads, each.writes));
  };
  return weight(a) < weight(b) ? b : a;
}

class Counter {
 public:
  explicit Counter(const onf::Module& module) : module_(module) {}

  ElementCost of(onf::FunctionId id) {
    const auto [place, inserted] = known_.try_emplace(onf::number(id));
    if (!inserted) return place->second;  // nothing while it is counted
    const ElementCost cost = of(module_.functions[onf::number(id)].body);
    return known_[onf::number(id)] = cost;
  }

 private:
  ElementCost of(const onf::Statements& statements) {
    ElementCost cost;
    for (const onf::Statement& each : statements) {
      cost += std::visit([&](const auto& form) { return of(form); }, each.form);
    }
    return cost;
  }

  ElementCost of(const Expr& expr) {
    ElementCost cost;
    switch (expr.kind) {
      case Expr::Kind::load:
        for (const Expr& each : expr.operands) cost += address(each);
        ++cost.reads;
        return cost;
      case Expr::Kind::if_:
        cost = dearer(of(expr.operands[1]), of(expr.operands[2]));
        cost += of(expr.operands[0]);
        return cost;
      case Expr::Kind::call:
        cost = of(expr.callee);
        break;
      case Expr::Kind::apply:
      case Expr::Kind::external:
        ++cost.operations;
        break;
      case Expr::Kind::library:
        ++cost.index_operations;
        break;
      case Expr::Kind::move:
        if (expr.wraps) ++cost.index_operations;
        break;
      default:
        break;
    }
    for (const Expr& each : expr.operands) cost += of(each);
    return cost;
  }

  // Of an index, or of one component.
  ElementCost address(const Expr& expr) {
    if (expr.kind == Expr::Kind::load) return of(expr);
    ElementCost cost;
    const bool free =
        expr.kind == Expr::Kind::apply && (expr.function == onf::ScalarFunction::add ||
                                           expr.function == onf::ScalarFunction::subtract ||
                                           expr.function == onf::ScalarFunction::multiply ||
                                           expr.function == onf::ScalarFunction::negate);
    if (expr.kind == Expr::Kind::apply && !free) ++cost.index_operations;
    if (expr.kind == Expr::Kind::library) ++cost.index_operations;
    if (expr.kind == Expr::Kind::move && expr.wraps) ++cost.index_operations;
    if (expr.kind == Expr::Kind::call) cost += of(expr.callee);
    for (const Expr& each : expr.operands) cost += address(each);
    return cost;
  }

  ElementCost of(const onf::Nest& nest) {
    ElementCost cost = of(nest.body);
    cost += of(nest.element);
    for (const auto& each : nest.also) cost += of(each.element);
    cost.writes += 1 + nest.also.size();
    ++cost.passes;
    return cost;
  }

  // One pass, whatever its stages do in it.
  ElementCost of(const onf::Pipeline& pipeline) {
    ElementCost cost;
    for (const onf::Pipeline::Stage& stage : pipeline.stages) cost += of(stage.nest);
    for (const onf::RowFold& fold : pipeline.folds) cost += of(fold);
    cost.passes = 1;
    return cost;
  }

  // One step for each element that is read.
  static ElementCost of(const onf::RowFold&) {
    ElementCost cost;
    cost.reads = cost.operations = cost.passes = 1;
    return cost;
  }

  ElementCost of(const onf::Whole& whole) {
    ElementCost cost;
    for (const Expr& each : whole.operands) {
      if (each.kind == Expr::Kind::view) {
        ++cost.reads;
      } else {
        cost += of(each);
      }
    }
    ++(whole.pointwise ? cost.operations : cost.index_operations);
    ++cost.writes;
    ++cost.passes;
    return cost;
  }

  ElementCost of(const onf::Fold& fold) {
    ElementCost round = of(fold.body);
    round += of(fold.element);
    if (fold.function) {
      ++round.operations;
    } else {
      round += of(fold.callee);
    }
    const bool constant = fold.count.kind == Expr::Kind::integer && fold.count.integer >= 0;
    ElementCost cost =
        constant ? times(round, static_cast<std::uint64_t>(fold.count.integer)) : round;
    cost += of(fold.count);
    return cost;
  }

  ElementCost of(const onf::If& branch) {
    ElementCost cost = dearer(of(branch.then), of(branch.otherwise));
    cost += of(branch.condition);
    return cost;
  }

  ElementCost of(const onf::While& loop) {
    ElementCost cost = of(loop.before);
    cost += of(loop.condition);
    cost += of(loop.body);
    return cost;
  }

  ElementCost of(const onf::Lazy& lazy) {
    ElementCost cost = of(lazy.body);
    cost += of(lazy.value);
    return cost;
  }

  ElementCost of(const onf::Let& let) { return let.value ? of(*let.value) : ElementCost{}; }
  ElementCost of(const onf::Return& end) { return end.value ? of(*end.value) : ElementCost{}; }
  ElementCost of(const onf::Assign& assign) { return of(assign.value); }
  ElementCost of(const onf::Call& call) { return of(call.call); }
  ElementCost of(const onf::For& loop) { return of(loop.body); }
  ElementCost of(const onf::Iterate& loop) { return of(loop.body); }
  ElementCost of(const onf::Check& check) { return of(check.condition); }
  ElementCost of(const onf::Scope& scope) { return of(scope.body); }
  // Names, allocations, and refills, which are of the boundary alone.
  static ElementCost of(const onf::Declare&) { return {}; }
  static ElementCost of(const onf::Allocate&) { return {}; }
  static ElementCost of(const onf::Mutate&) { return {}; }
  static ElementCost of(const onf::Refill&) { return {}; }
  static ElementCost of(const onf::Share&) { return {}; }

  const onf::Module& module_;
  std::map<std::size_t, ElementCost> known_;
};

}  // namespace

ElementCost& ElementCost::operator+=(const ElementCost& other) {
  operations = added(operations, other.operations);
  index_operations = added(index_operations, other.index_operations);
  reads = added(reads, other.reads);
  writes = added(writes, other.writes);
  passes = added(passes, other.passes);
  return *this;
}

ElementCost element_cost(const onf::Module& module, onf::FunctionId function) {
  return Counter(module).of(function);
}

}  // namespace rhopsi::driver
