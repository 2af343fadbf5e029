#include "engine/schedule/schedule.hpp"

#include <algorithm>
#include <set>

#include "engine/schedule/build.hpp"
#include "engine/schedule/steps.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::FunctionId;

// Calls `visit` with every call that is a statement: of what runs on the host, with arrays.
template <class Visit>
void each_call(const onf::Statements& body, const Visit& visit) {
  for (const onf::Statement& statement : body) {
    std::visit(
        [&](const auto& form) {
          using Form = std::decay_t<decltype(form)>;
          if constexpr (std::is_same_v<Form, onf::Call>) visit(form.call);
          if constexpr (std::is_same_v<Form, onf::If>) {
            each_call(form.then, visit);
            each_call(form.otherwise, visit);
          } else if constexpr (std::is_same_v<Form, onf::While>) {
            each_call(form.before, visit);
            each_call(form.body, visit);
          } else if constexpr (!std::is_same_v<Form, onf::Nest> && requires { form.body; }) {
            each_call(form.body, visit);
          }
        },
        statement.form);
  }
}

bool calls_user_code(const onf::Statements& body) {
  bool found = false;
  each_call(body, [&](const Expr& call) { found = found || call.kind != Expr::Kind::call; });
  return found;
}

bool over_arrays(const onf::Function& function) {
  return !function.device && std::ranges::any_of(function.arguments, [](const auto& argument) {
    return argument.view.has_value();
  });
}

// Of what is read of pads: a pipeline takes planes from where they are.
std::int64_t widest_offset(const Graph& graph, std::int64_t limit) {
  std::int64_t widest = 0;
  for (const Pass& pass : graph.passes) {
    const std::size_t first_axis = pass.pipelined() ? 1 : 0;
    for (std::size_t k = pass.first; k < pass.end; ++k) {
      for (const auto& [value, offsets] : reads_of(graph, graph.sweeps[k])) {
        for (const Offset& offset : offsets) {
          for (std::size_t axis = first_axis; axis < offset.size(); ++axis) {
            const std::int64_t distance = offset[axis] < 0 ? -offset[axis] : offset[axis];
            if (distance <= limit) widest = std::max(widest, distance);
          }
        }
      }
    }
  }
  return widest;
}

class Scheduling {
 public:
  Scheduling(onf::Module& module, const Recipe& recipe) : module_(module), recipe_(recipe) {}

  Outcome run() {
    // Callers first: what they call has become part of them.
    std::vector<FunctionId> order(module_.order.rbegin(), module_.order.rend());
    for (const FunctionId id : order) {
      const onf::Function& function = module_.functions[onf::number(id)];
      if (!over_arrays(function)) continue;
      if (module_.rank > 0) {
        consider(id);
      } else {
        keep(id, "has arrays with shapes of their own", function.location);
      }
    }
    if (graphs_.empty()) return std::move(outcome_);
    widen_pads();
    for (const auto& [id, graph] : graphs_) write(id, graph);
    for (const FunctionId id : kept_) refill_arguments(id);
    return std::move(outcome_);
  }

 private:
  void keep(FunctionId id, const std::string& why, term::LocationId location) {
    const onf::Function& function = module_.functions[onf::number(id)];
    kept_.push_back(id);
    each_call(function.body, [&](const Expr& call) {
      if (call.kind == Expr::Kind::call) called_.insert(call.callee);
    });
    const term::LocationId at = location == term::LocationId{} ? function.location : location;
    outcome_.kept.push_back(
        {function.name,
         {"E0529", "the schedule leaves '" + function.name + "' as it is: it " + why,
          "it computes the same without a schedule", at, false}});
  }

  void consider(FunctionId id) {
    const onf::Function& function = module_.functions[onf::number(id)];
    if (called_.contains(id)) {
      return keep(id, "is called by a function that keeps its form", function.location);
    }
    auto graph = build(module_, id);
    if (!graph) return keep(id, graph.error().what, graph.error().location);
    drop_unused(*graph, outcome_.steps);
    if (recipe_.fuse) fuse(*graph, outcome_.steps);
    pipeline(*graph, function, recipe_.pipeline, outcome_.steps);
    graphs_.emplace_back(id, std::move(*graph));
  }

  // Wider pads change nothing for the others: they read no further, and refill all of them.
  void widen_pads() {
    std::int64_t pad = module_.pad;
    for (const auto& [id, graph] : graphs_) {
      pad = std::max(pad, widest_offset(graph, recipe_.widest_pad));
    }
    if (pad == module_.pad) return;
    const std::string before = std::to_string(module_.pad) + " on each end";
    Step step{"pad",
              module_.name,
              before,
              std::to_string(pad) + " on each end",
              "the least that holds what is read beyond an axis",
              true,
              "offsets"};
    for (const FunctionId id : kept_) {
      if (!calls_user_code(module_.functions[onf::number(id)].body)) continue;
      step.holds = false;
      step.after = before;
      step.condition = "no function that keeps its form hands arrays to a user's own code, but '" +
                       module_.functions[onf::number(id)].name + "' does";
    }
    outcome_.steps.push_back(step);
    if (!step.holds) return;
    module_.pad = pad;
    for (onf::Function& function : module_.functions) {
      for (onf::Block& block : function.blocks) {
        for (onf::StoredAxis& axis : block.box) axis = {pad, pad, onf::Outside::circular};
      }
    }
  }

  void write(FunctionId id, const Graph& graph) {
    onf::Function& function = module_.functions[onf::number(id)];
    const Storage storage = place(graph, function, recipe_.in_place, outcome_.steps);
    auto made = realise(function, graph, storage, module_.pad, recipe_.share, outcome_.steps);
    if (!made) return keep(id, "has an element that is too large", function.location);
    outcome_.values += to_string(module_, function, graph);
    function = std::move(*made);
    ++outcome_.functions;
  }

  // Its callers may have left their pads stale.
  void refill_arguments(FunctionId id) {
    onf::Function& function = module_.functions[onf::number(id)];
    if (module_.pad == 0 || called_.contains(id)) return;
    onf::Halo all;
    all.axes.assign(static_cast<std::size_t>(module_.rank), {module_.pad, module_.pad});
    all.corners = true;
    std::size_t at = 0;
    function.refills = true;
    for (const onf::Argument& argument : function.arguments) {
      if (!argument.view || argument.mode == term::Mode::out) continue;
      function.body.insert(function.body.begin() + std::ptrdiff_t(at++),
                           {onf::Refill{*argument.view, all}, function.location});
    }
  }

  onf::Module& module_;
  const Recipe& recipe_;
  Outcome outcome_;
  std::vector<std::pair<FunctionId, Graph>> graphs_;
  std::vector<FunctionId> kept_;
  std::set<FunctionId> called_;  // by those that keep their form
};

}  // namespace

std::string to_string(const Step& step) {
  return step.name + " at " + step.site + ": " + (step.holds ? "" : "refused, ") + step.before +
         (step.after == step.before ? " stays" : " => " + step.after) + "; " + step.condition +
         " (" + step.decider + ")";
}

Outcome apply(onf::Module& module, const Recipe& recipe) {
  return Scheduling(module, recipe).run();
}

}  // namespace rhopsi::schedule
