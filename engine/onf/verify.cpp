#include "engine/onf/verify.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "engine/onf/access.hpp"
#include "engine/onf/axes.hpp"
#include "engine/onf/circular.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/pads.hpp"
#include "engine/onf/regrouping.hpp"
#include "engine/onf/shapes.hpp"
#include "engine/onf/unrolling.hpp"

namespace rhopsi::onf {

namespace {

// Calls `visit` with every statement, outer ones first.
template <class Visit>
void each_statement(const Statements& body, const Visit& visit) {
  for (const Statement& statement : body) {
    visit(statement);
    std::visit(
        [&](const auto& form) {
          using Form = std::decay_t<decltype(form)>;
          if constexpr (std::is_same_v<Form, If>) {
            each_statement(form.then, visit);
            each_statement(form.otherwise, visit);
          } else if constexpr (std::is_same_v<Form, While>) {
            each_statement(form.before, visit);
            each_statement(form.body, visit);
          } else if constexpr (requires { form.body; }) {
            each_statement(form.body, visit);
          }
        },
        statement.form);
  }
}

class Verifier {
 public:
  explicit Verifier(const Module& module) : module_(module) {}

  std::vector<Problem> run() {
    check_axes();
    for (FunctionId id : module_.order) {
      const Function& function = module_.functions[number(id)];
      check_accesses(function);
      Defined defined;
      for (const Argument& argument : function.arguments) {
        if (argument.mode == term::Mode::out) continue;
        if (argument.view)
          defined.views.insert(*argument.view);
        else
          defined.variables.insert(argument.variable);
      }
      definedness(function, function.body, defined);
      for (const Argument& argument : function.arguments) {
        if (argument.view && argument.mode == term::Mode::upd)
          use(function, *argument.view, function.location, defined);
      }
    }
    check_pads(module_, problems_);
    check_freshness(module_, problems_);
    return std::move(problems_);
  }

  // What there is since the last call.
  std::vector<Problem> access_problems(const Function& function) {
    check_accesses(function);
    return std::exchange(problems_, {});
  }

 private:
  void check_accesses(const Function& function) {
    each_statement(function.body, [&](const Statement& statement) {
      if (const auto* nest = std::get_if<Nest>(&statement.form)) {
        check_rows(*nest, false, statement.location);
        if (!nest->box) check(function, *nest, statement.location);
      }
      if (const auto* pipeline = std::get_if<Pipeline>(&statement.form)) {
        check(function, *pipeline, statement.location);
      }
      if (const auto* fold = std::get_if<RowFold>(&statement.form))
        check(function, *fold, statement.location);
    });
    for (Problem& problem : check_shapes(module_, function)) {
      problems_.push_back(std::move(problem));
    }
  }

  struct Defined {
    std::set<ViewId> views;
    std::set<VariableId> variables;
  };

  void report(std::string code, std::string message, std::string advice, term::LocationId location,
              bool error = true) {
    if (!reported_.insert({code, message, location}).second) return;
    problems_.push_back({std::move(code), std::move(message), std::move(advice), location, error});
  }

  // What names axes as the program has them is not in a form that has others.
  void check_axes() {
    if (module_.axes.empty()) return;
    if (!is_order_of_axes(module_.axes, module_.rank)) {
      return report("E0525",
                    "the axes of arrays of rank " + std::to_string(module_.rank) +
                        " are said to lie in an order in which one is missing",
                    "name each axis once", {});
    }
    const auto obstacle = obstacle_to_axes(module_);
    if (!obstacle) return;
    report("E0525",
           "the axes of arrays lie in another order, but '" +
               module_.functions[number(obstacle->function)].name + "' " + obstacle->what,
           "leave them in the order of the program", obstacle->location);
  }

  void check_written(const Function& function, ViewId target, term::LocationId location) {
    const View& view = function.views[number(target)];
    if (function.blocks[number(view.block)].broadcast.empty()) return;
    report("E0525", "a nest writes " + view.name + ", which has the same elements along an axis",
           "write an array that has all of them", location);
  }

  void check(const Function& function, const Nest& nest, term::LocationId location) {
    check_written(function, nest.target, location);
    for (const Nest::Output& output : nest.also) check_written(function, output.target, location);
    const std::size_t wanted =
        nest.binding == Binding::flat ? 1 : static_cast<std::size_t>(module_.rank);
    if (nest.indices.size() != wanted || module_.rank == 0) {
      report("E0525",
             "a nest with " + std::to_string(nest.indices.size()) +
                 " index variables over arrays of rank " + std::to_string(module_.rank),
             "lower with the rank of the arrays", location);
      return;
    }
    if (auto fault = circular_fault(nest)) {
      report("E0525", std::move(*fault), "compute them modulo", location);
    }
    std::set<ViewId> targets = {nest.target};
    for (const Nest::Output& output : nest.also) {
      if (targets.insert(output.target).second) continue;
      report("E0525",
             "a nest writes " + function.views[number(output.target)].name + " twice for one index",
             "write it once", location);
    }
    for (const Access& access : accesses_of(module_, function, nest)) {
      if (targets.contains(access.view) && !is_at_own_point(access)) {
        report("E0527",
               "a nest reads " + function.views[number(access.view)].name +
                   ", which it writes, at another index than its own",
               "write another array", access.location);
      }
      for (std::size_t axis = 0; axis < access.components.size(); ++axis) {
        check(function, nest, access, axis);
      }
    }
  }

  bool has_one_in_a_row(const Function& function, ViewId view) const {
    const Block& block = function.blocks[number(function.views[number(view)].block)];
    return !block.extents && block.same_along_rows() &&
           std::ranges::count(block.broadcast, true) == 1;
  }
  void check(const Function& function, const RowFold& fold, term::LocationId location) {
    const Block& from = function.blocks[number(function.views[number(fold.source)].block)];
    const Block& to = function.blocks[number(function.views[number(fold.target)].block)];
    if (module_.rank > 1 && has_one_in_a_row(function, fold.target) && from.broadcast.empty() &&
        !from.extents && from.element == to.element &&
        step_order(fold.function, from.element) != StepOrder::written)
      return;
    report("E0525",
           "rows of " + function.views[number(fold.source)].name + " are folded into " +
               function.views[number(fold.target)].name +
               ", but these are no arrays over rows of one type, or the order of steps matters",
           "fold them outside of the schedule", location);
  }

  void check_rows(const Nest& nest, bool in_planes, term::LocationId location) {
    if (nest.plane_tiles && (in_planes || nest.binding != Binding::rows || nest.box || nest.tile ||
                             nest.indices.size() < 3 || !nest.plane_tiles->has_room())) {
      report("E0525", "a nest is in tiles of rows, but it has no planes of rows of its own",
             "take the tiles away", location);
    }
    if (auto fault = rows_fault(nest, in_planes)) {
      report("E0525", std::move(*fault), "give each row a loop of its own", location);
    }
  }

  void check(const Function& function, const Pipeline& pipeline, term::LocationId location) {
    for (Problem& problem : check_pipeline(module_, function, pipeline, location)) {
      report(problem.code, problem.message, problem.advice, problem.location, problem.error);
    }
    for (const RowFold& fold : pipeline.folds) check(function, fold, location);
    for (const Pipeline::Stage& stage : pipeline.stages) {
      if (auto fault = circular_fault(stage.nest)) {
        report("E0525", std::move(*fault), "compute them modulo", stage.location);
      }
      check_rows(stage.nest, true, stage.location);
      for (const Access& access : accesses_of(module_, function, stage.nest)) {
        const std::size_t first_padded = first_padded_axis(module_, &pipeline);
        for (std::size_t axis = first_padded; axis < access.components.size(); ++axis) {
          check(function, stage.nest, access, axis);
        }
      }
    }
  }

  void check(const Function& function, const Nest& nest, const Access& access, std::size_t axis) {
    const Component& c = access.components[axis];
    const View& view = function.views[number(access.view)];
    const std::string& name = view.name;
    const Margin pads = pads_of(module_, function.blocks[number(view.block)], axis);
    if (!c.known || (c.axis >= 0 && c.axis != static_cast<int>(axis)) ||
        (c.axis < 0 && c.high > 0 && c.low >= -pads.low)) {
      report("E0524",
             "the access of " + name + " on axis " + std::to_string(axis) + " cannot be decided",
             "run once with --checked", access.location, false);
      return;
    }
    if (c.axis < 0) {
      if (c.high < -pads.low) {
        report("E0523",
               "the index " + std::to_string(c.high) + " on axis " + std::to_string(axis) + " of " +
                   name + " is outside the array",
               "", access.location);
      }
      return;
    }
    if (c.low < -pads.low || c.high > pads.high) {
      return beyond(access, axis, name, c.high > pads.high ? c.high : c.low,
                    c.high > pads.high ? pads.high : pads.low);
    }
    // A padded schedule has no index that wraps further than its pads are wide.
    const std::int64_t widest = module_.pad;
    if (!nest.padded || (c.reach_low >= -widest && c.reach_high <= widest)) return;
    beyond(access, axis, name, c.reach_high > widest ? c.reach_high : c.reach_low, widest);
  }

  void beyond(const Access& access, std::size_t axis, const std::string& name, std::int64_t offset,
              std::int64_t pad) {
    report("E0520",
           "offset " + std::to_string(offset) + " on axis " + std::to_string(axis) + " of " + name +
               (pad > 0 ? " is larger than the pad of " + std::to_string(pad)
                        : " leaves the array, which has no pad"),
           "widen the pad to " + std::to_string(offset < 0 ? -offset : offset) +
               ", or keep an index that wraps under a schedule without pads",
           access.location, !access.conditional);
  }

  // --- what is set before it is read
  void use(const Function& function, const Expr& e, const Defined& defined) {
    if (e.kind == Expr::Kind::variable && !defined.variables.contains(e.variable)) {
      report("E0522",
             "the variable " + function.variables[number(e.variable)].name +
                 " may be read before it is set",
             "give it an initial value", e.location);
    }
    if (names_view(e)) use(function, e.view, e.location, defined);
    for (const Expr& operand : e.operands) use(function, operand, defined);
  }
  void use(const Function& function, ViewId view, term::LocationId location,
           const Defined& defined) {
    if (defined.views.contains(view)) return;
    report("E0522",
           "the array " + function.views[number(view)].name + " may be read before it is set",
           "give it an initial value", location);
  }

  void definedness(const Function& f, const Statements& body, Defined& d) {
    for (const Statement& s : body) {
      std::visit([&](const auto& form) { define(f, form, s.location, d); }, s.form);
    }
  }
  void define(const Function&, const Declare&, term::LocationId, Defined&) {}
  void define(const Function& f, const Allocate& s, term::LocationId at, Defined& d) {
    const Block& block = f.blocks[number(f.views[number(s.view)].block)];
    for (const Expr& extent : block.extents.value_or(std::vector<Expr>{})) use(f, extent, d);
    if (s.in_place_of) {
      use(f, *s.in_place_of, at, d);
      d.views.erase(*s.in_place_of);
    }
    // Whether its nests write all of it is asked where it is used.
    if (block.extents) d.views.insert(s.view);
  }
  void define(const Function& f, const Nest& s, term::LocationId, Defined& d) {
    for (const Interval& interval : s.box.value_or(std::vector<Interval>{})) {
      use(f, interval.low, d);
      use(f, interval.high, d);
    }
    Defined inner = d;
    inner.variables.insert(s.indices.begin(), s.indices.end());
    definedness(f, s.body, inner);
    use(f, s.element, inner);
    for (const Nest::Output& output : s.also) use(f, output.element, inner);
    d.views.insert(s.target);
    for (const Nest::Output& output : s.also) d.views.insert(output.target);
  }
  void define(const Function& f, const Pipeline& s, term::LocationId, Defined& d) {
    // What a stage reads is there before, or in a ring; whether it is stored in time is asked of
    // the pipeline as a whole.
    Defined inner = d;
    for (const Pipeline::Ring& ring : s.rings) inner.views.insert(ring.view);
    for (const Pipeline::Stage& stage : s.stages) {
      Defined stored = inner;
      define(f, stage.nest, stage.location, stored);
    }
    for (const Pipeline::Stage& stage : s.stages) {
      d.views.insert(stage.nest.target);
      for (const Nest::Output& output : stage.nest.also) d.views.insert(output.target);
    }
    for (const RowFold& fold : s.folds) d.views.insert(fold.target);
    for (const Pipeline::Ring& ring : s.rings) d.views.erase(ring.view);
  }
  void define(const Function& f, const RowFold& s, term::LocationId at, Defined& d) {
    use(f, s.source, at, d);
    d.views.insert(s.target);
  }
  void define(const Function& f, const Whole& s, term::LocationId, Defined& d) {
    for (const Expr& operand : s.operands) use(f, operand, d);
    d.views.insert(s.target);
  }
  void define(const Function& f, const Mutate& s, term::LocationId, Defined& d) {
    for (const Expr& operand : s.operands) use(f, operand, d);
  }
  void define(const Function& f, const Refill& s, term::LocationId at, Defined& d) {
    use(f, s.view, at, d);
  }
  void define(const Function& f, const Share& s, term::LocationId at, Defined& d) {
    use(f, s.source, at, d);
    d.views.insert(s.target);
  }
  void define(const Function& f, const Call& s, term::LocationId, Defined& d) {
    const bool own = s.call.kind == Expr::Kind::call;
    for (std::size_t k = 0; k < s.call.operands.size(); ++k) {
      const Expr& operand = s.call.operands[k];
      const bool out =
          !s.target &&
          (!own || module_.functions[number(s.call.callee)].arguments[k].mode == term::Mode::out);
      if (!out)
        use(f, operand, d);
      else if (operand.kind == Expr::Kind::view)
        d.views.insert(operand.view);
      else if (operand.kind == Expr::Kind::variable)
        d.variables.insert(operand.variable);
    }
    if (s.target) d.views.insert(*s.target);
  }
  void define(const Function& f, const Let& s, term::LocationId, Defined& d) {
    if (!s.value) return;
    use(f, *s.value, d);
    d.variables.insert(s.variable);
  }
  void define(const Function& f, const Assign& s, term::LocationId, Defined& d) {
    use(f, s.value, d);
    d.variables.insert(s.variable);
  }
  void define(const Function& f, const Lazy& s, term::LocationId, Defined& d) {
    Defined inner = d;
    definedness(f, s.body, inner);
    use(f, s.value, inner);
    d.variables.insert(s.variable);
  }
  void define(const Function& f, const Fold& s, term::LocationId, Defined& d) {
    use(f, s.count, d);
    Defined inner = d;
    inner.variables.insert(s.index);
    definedness(f, s.body, inner);
    use(f, s.element, inner);
    d.variables.insert(s.variable);
  }
  void define(const Function& f, const If& s, term::LocationId, Defined& d) {
    use(f, s.condition, d);
    Defined then = d, otherwise = d;
    definedness(f, s.then, then);
    definedness(f, s.otherwise, otherwise);
    d.views.clear();
    std::ranges::set_intersection(then.views, otherwise.views,
                                  std::inserter(d.views, d.views.end()));
    std::ranges::set_intersection(then.variables, otherwise.variables,
                                  std::inserter(d.variables, d.variables.end()));
  }
  void define(const Function& f, const For& s, term::LocationId, Defined& d) {
    use(f, s.low, d);
    use(f, s.high, d);
    Defined inner = d;
    inner.variables.insert(s.index);
    round(f, {&s.body}, inner, d);
  }
  // What a round leaves without a block is without one in the next, and behind the loop.
  void round(const Function& f, std::initializer_list<const Statements*> parts, Defined first,
             Defined& d) {
    for (;;) {
      Defined after = first;
      for (const Statements* part : parts) definedness(f, *part, after);
      if (std::erase_if(first.views, [&](ViewId view) { return !after.views.contains(view); }) == 0)
        break;
    }
    std::erase_if(d.views, [&](ViewId view) { return !first.views.contains(view); });
  }
  void define(const Function& f, const Iterate& s, term::LocationId, Defined& d) {
    use(f, s.count, d);
    round(f, {&s.body}, d, d);
  }
  void define(const Function& f, const While& s, term::LocationId, Defined& d) {
    definedness(f, s.before, d);
    use(f, s.condition, d);
    use(f, s.bound, d);
    round(f, {&s.body, &s.before}, d, d);
  }
  void define(const Function& f, const Check& s, term::LocationId, Defined& d) {
    use(f, s.condition, d);
    for (const Expr& number : s.numbers) use(f, number, d);
  }
  void define(const Function& f, const Return& s, term::LocationId, Defined& d) {
    if (s.value) use(f, *s.value, d);
  }
  void define(const Function& f, const Scope& s, term::LocationId, Defined& d) {
    definedness(f, s.body, d);
  }

  const Module& module_;
  std::vector<Problem> problems_;
  std::set<std::tuple<std::string, std::string, term::LocationId>> reported_;
};

}  // namespace

std::vector<Problem> verify(const Module& module) { return Verifier(module).run(); }

std::vector<Problem> undecided(const Module& module, const std::set<FunctionId>& functions) {
  Verifier verifier(module);
  std::vector<Problem> remarks;
  for (const FunctionId id : module.order) {
    if (!functions.contains(id)) continue;
    const Function& function = module.functions[number(id)];
    std::vector<Problem> found = verifier.access_problems(function);
    std::erase_if(found, [](const Problem& problem) { return problem.code != "E0524"; });
    if (found.empty()) continue;
    Problem first = std::move(found.front());
    if (const std::size_t more = found.size() - 1; more > 0) {
      first.message += ", nor " + std::to_string(more) + (more == 1 ? " other" : " others") +
                       " of '" + function.name + "'";
    }
    remarks.push_back(std::move(first));
  }
  return remarks;
}

}  // namespace rhopsi::onf
