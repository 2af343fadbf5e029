#include "engine/onf/axes.hpp"

#include <algorithm>

#include "engine/onf/each_expression.hpp"

namespace rhopsi::onf {

namespace {

bool names_axes(const Representation& type) {
  return type.kind == Representation::Kind::array || type.kind == Representation::Kind::index;
}

class Looking {
 public:
  explicit Looking(const Module& module) : module_(module) {}

  std::optional<AxesObstacle> run() {
    for (const External& external : module_.externals) {
      for (const External::Requirement& requirement : external.requirements) {
        if (!requirement.type) look_at_operation(requirement.operation);
      }
    }
    for (const FunctionId id : module_.order) look_at(id);
    return std::move(found_);
  }

 private:
  void fail(std::string what, term::LocationId location) {
    if (!found_) found_ = AxesObstacle{function_, std::move(what), location};
  }

  // A user's code calls it.
  void look_at_operation(FunctionId id) {
    const Function& operation = module_.functions[number(id)];
    function_ = id;
    bool axes = operation.result && names_axes(*operation.result);
    for (const Argument& argument : operation.arguments) {
      axes =
          axes || argument.view || names_axes(operation.variables[number(argument.variable)].type);
    }
    if (axes) fail("is called by a user's own code, which has its axes in order", {});
  }

  void look_at(FunctionId id) {
    const Function& function = module_.functions[number(id)];
    function_ = id;
    for (const Block& block : function.blocks) {
      if (block.extents) fail("has arrays with shapes of their own", function.location);
    }
    const auto form = [&](const auto& s) {
      using Form = std::decay_t<decltype(s)>;
      if constexpr (std::is_same_v<Form, Whole>) {
        look_at(s, function.location);
      } else if constexpr (std::is_same_v<Form, Mutate>) {
        if (!s.refills) fail("changes an array by a function of the library", function.location);
      }
    };
    each_in(function.body, form, [&](const Expr& e) {
      each_part(e, [&](const Expr& part) { look_at(part, function.location); });
    });
  }

  void look_at(const Whole& s, term::LocationId location) {
    if (s.pointwise) return;
    if (!s.axis) {
      fail("makes a whole array by a function of the library", location);
    } else if (!is_number_of_axis(s.operands[*s.axis])) {
      fail("makes a whole array along an axis that is no number in the text", location);
    }
  }
  bool is_number_of_axis(const Expr& e) const {
    return e.kind == Expr::Kind::integer && e.integer >= 0 && e.integer < module_.rank;
  }

  void look_at(const Expr& e, term::LocationId otherwise) {
    const term::LocationId at = e.location == term::LocationId{} ? otherwise : e.location;
    if (e.kind == Expr::Kind::library) {
      fail("computes with an index by a function of the library", at);
    } else if (e.kind == Expr::Kind::move && !is_number_of_axis(e.operands[1])) {
      fail("moves an index along an axis that is no number in the text", at);
    } else if (e.kind == Expr::Kind::external) {
      const bool axes = names_axes(e.type) || std::ranges::any_of(e.operands, [](const Expr& o) {
                          return names_axes(o.type);
                        });
      if (axes) fail("hands an array or an index to a user's own code", at);
    }
  }

  const Module& module_;
  FunctionId function_{};
  std::optional<AxesObstacle> found_;
};

class Permuting {
 public:
  Permuting(Module& module, const std::vector<int>& order)
      : module_(module), order_(order), place_(order.size()) {
    for (std::size_t k = 0; k < order.size(); ++k) {
      place_[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
    }
  }

  void run() {
    for (Function& function : module_.functions) permute(function);
    std::vector<int> axes;
    for (const int axis : order_) {
      axes.push_back(module_.axes.empty() ? axis : module_.axes[static_cast<std::size_t>(axis)]);
    }
    module_.axes = std::move(axes);
  }

 private:
  template <class T>
  void permute(std::vector<T>& of_axes) const {
    if (of_axes.size() == order_.size()) of_axes = in_order(of_axes, order_);
  }

  void permute(Function& function) const {
    for (Block& block : function.blocks) permute(block.box), permute(block.broadcast);
    for (View& view : function.views) {
      for (IndexFunction& link : view.chain) permute(link.start), permute(link.stride);
    }
    const auto form = [&](auto& s) {
      using Form = std::decay_t<decltype(s)>;
      if constexpr (std::is_same_v<Form, Nest>) {
        if (s.binding != Binding::flat) permute(s.indices);
      } else if constexpr (std::is_same_v<Form, Refill>) {
        if (s.halo) permute(s.halo->axes);
      } else if constexpr (std::is_same_v<Form, Whole>) {
        if (s.axis) {
          Expr& axis = s.operands[*s.axis];
          axis.integer = place_of(axis.integer);
        }
      }
    };
    const auto whole = [&](Expr& e) { each_part(e, [&](Expr& part) { permute(part); }); };
    for (Precondition& each : function.preconditions) whole(each.condition);
    for (Argument& argument : function.arguments) {
      permute(argument.less);
      if (!argument.window) continue;
      for (Window::Axis& axis : argument.window->axes) {
        if (axis.of) axis.of = static_cast<std::size_t>(place_of(std::int64_t(*axis.of)));
      }
    }
    permute(function.result_less);
    each_in(function.body, form, whole);
  }

  int place_of(std::int64_t axis) const { return place_[static_cast<std::size_t>(axis)]; }

  void permute(Expr& e) const {
    switch (e.kind) {
      case Expr::Kind::extent:
      case Expr::Kind::length:
      case Expr::Kind::component:
        e.axis = place_of(e.axis);
        break;
      case Expr::Kind::move:
        e.operands[1].integer = place_of(e.operands[1].integer);
        break;
      case Expr::Kind::make_index:
        permute(e.operands);
        break;
      case Expr::Kind::load:
        if (e.operands.front().type.kind != Representation::Kind::index) permute(e.operands);
        break;
      default:
        break;
    }
  }

  Module& module_;
  const std::vector<int>& order_;
  std::vector<int> place_;  // of each axis in it
};

}  // namespace

std::optional<AxesObstacle> obstacle_to_axes(const Module& module) { return Looking(module).run(); }

bool is_order_of_axes(const std::vector<int>& order, int rank) {
  std::vector<int> sorted = order;
  std::ranges::sort(sorted);
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    if (sorted[k] != static_cast<int>(k)) return false;
  }
  return static_cast<int>(sorted.size()) == rank;
}

void permute_axes(Module& module, const std::vector<int>& order) { Permuting(module, order).run(); }

}  // namespace rhopsi::onf
