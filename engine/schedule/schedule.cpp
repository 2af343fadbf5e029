#include "engine/schedule/schedule.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "engine/onf/pads.hpp"
#include "engine/onf/regrouping.hpp"
#include "engine/onf/scalar_size.hpp"
#include "engine/schedule/build.hpp"
#include "engine/schedule/follow.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/outline.hpp"
#include "engine/schedule/own_shapes.hpp"
#include "engine/schedule/repeat_calls.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::FunctionId;

class Scheduling {
 public:
  Scheduling(onf::Module& module, const Recipe& recipe, const Surroundings& around)
      : module_(module), recipe_(recipe), around_(around) {}

  Outcome run() {
    if (module_.rank > 0) {
      lay_out();
      found_ = follow(
          module_, [this](FunctionId id) { return !steps_on(id).empty(); },
          [this](FunctionId id) { return folds_by_rows(id); });
    }
    // Callers first: what they call has become part of them.
    const std::vector<FunctionId> order(module_.order.rbegin(), module_.order.rend());
    for (const FunctionId id : order) {
      if (over_arrays(module_.functions[onf::number(id)])) consider(id);
    }
    states_pads_ = module_.pad > 0;
    if (!works_.empty()) {
      widen_pads();
      set_threads();
      for (Work& work : works_) write(work);
      add_repeated();
      finish_outlined();
      // Of an array and an end of an axis no more than is read there, but of the width that a
      // program states.
      if (!states_pads_ && module_.pad > 0) onf::narrow_pads(module_);
    }
    for (Work& work : works_) {
      for (Step& step : work.steps) {
        module_.regrouped = module_.regrouped || (step.holds && step.name == "factor");
        outcome_.steps.push_back(std::move(step));
      }
    }
    return std::move(outcome_);
  }

 private:
  struct Work {
    FunctionId id;
    Chosen chosen;
    Graph graph;
    std::vector<Step> steps;
    Cost before;
    rhopsi::schedule::Work work_before;
    std::shared_ptr<const onf::Function> form;  // before any step
    // How many calls of the function it is.
    std::int64_t times() const { return form->repeats ? form->repeats->times : 1; }
  };

  // For the whole module: its functions give arrays to one another.
  void lay_out() {
    bool done = false;
    for (std::size_t k = 0; k < recipe_.steps.size(); ++k) {
      const RecipeStep& step = recipe_.steps[k];
      const bool on = std::ranges::any_of(module_.functions, [&](const onf::Function& function) {
        return over_arrays(function) && (step.on.empty() || step.on == function.name);
      });
      if (step.kind != StepKind::layout || !on) continue;
      if (!std::exchange(done, true)) {
        outcome_.steps.push_back(layout(module_, step.limit(), around_));
      } else {
        outcome_.steps.push_back(
            refused("layout", {module_.name},
                    {.before = "one order of axes",
                     .condition = "the arrays of a program have one order of axes, but "
                                  "another step has chosen it",
                     .decider = "recipe"}));
      }
      outcome_.steps.back().of = k;
    }
  }

  // Those on the function, or on the one that it is a part of.
  Chosen steps_on(FunctionId id) const {
    const onf::Function& part = module_.functions[onf::number(id)];
    return schedule::steps_on(
        recipe_, part.part_of ? module_.functions[onf::number(*part.part_of)].name : part.name);
  }
  // Where arrays may be made plane by plane.
  FoldsByRows folds_by_rows(FunctionId id) const {
    if (on_device(recipe_, steps_on(id), around_) || !around_.no_planes.empty())
      return FoldsByRows::none;
    return around_.any_order ? FoldsByRows::of_reals : FoldsByRows::of_any_order;
  }
  bool device(const Work& work) const { return on_device(recipe_, work.chosen, around_); }
  std::optional<std::int64_t> limit(const Chosen& chosen, StepKind kind) const {
    return recipe_.steps[chosen.at(kind)].limit();
  }

  // A function that no step is on keeps its form, and nothing is said of it. What it calls relies
  // on the pads that it leaves.
  void keep(FunctionId id) {
    kept_.push_back(id);
    each_call(module_.functions[onf::number(id)].body, [&](const Expr& call) {
      if (call.kind == Expr::Kind::call) called_.insert(call.callee);
    });
  }
  void keep(FunctionId id, const std::string& why, term::LocationId location) {
    const onf::Function& function = module_.functions[onf::number(id)];
    keep(id);
    outcome_.kept.push_back(remark_on(function, "'" + function.name + "'", why, location));
  }
  static Kept remark_on(const onf::Function& function, const std::string& what,
                        const std::string& why, term::LocationId location) {
    const term::LocationId at = location == term::LocationId{} ? function.location : location;
    return {function.name,
            {"E0529", "the schedule leaves " + what + " as it is: it " + why,
             "it computes the same without a schedule", at, false}};
  }

  void consider(FunctionId id) {
    const onf::Function& function = module_.functions[onf::number(id)];
    const Chosen chosen = steps_on(id);
    if (chosen.empty() && !found_.followed.contains(id)) return keep(id);
    if (module_.rank == 0) return keep(id);
    const auto graph = found_.graphs.find(id);
    if (graph == found_.graphs.end()) {
      const auto obstacle = found_.obstacles.find(id);
      if (!found_.followed.contains(id))
        return keep(id, obstacle->second.what, obstacle->second.location);
      outlined_.push_back(id);
      if (obstacle != found_.obstacles.end()) {
        outcome_.kept.push_back(remark_on(function, "a part of '" + function.name + "'",
                                          obstacle->second.what, obstacle->second.location));
      }
      return;
    }
    schedule(id, chosen, std::move(graph->second));
  }

  void schedule(FunctionId id, const Chosen& chosen, Graph graph) {
    const onf::Function& function = module_.functions[onf::number(id)];
    Work work{id, chosen, std::move(graph), {}, {}, {}, std::make_shared<onf::Function>(function)};
    prepare(work);
    std::optional<Work> repeated;
    if (chosen.contains(StepKind::repeat)) {
      // A part is called by one function alone.
      const std::int64_t times = limit(chosen, StepKind::repeat).value_or(2);
      if (!function.part_of || found_.rounds[id] >= times) {
        repeated = repeat(work);
      } else {
        work.steps.push_back(too_few_in_a_row(id, times));
      }
    }
    works_.push_back(std::move(work));
    if (repeated) works_.push_back(std::move(*repeated));
  }

  void prepare(Work& work) const {
    work.before = cost_of(work.graph);
    count_refills(module_, work.form->body, work.before);
    work.work_before = as_written(work);
    transform(work.graph, *work.form, recipe_, work.chosen, around_, work.steps);
  }

  // One sweep a pass, each into an array of its own, with all pads filled behind it.
  rhopsi::schedule::Work as_written(const Work& work) const {
    Graph graph = work.graph;
    separate(graph);
    std::vector<Step> unused;
    const Storage storage = place(graph, *work.form, false, unused);
    auto made = work_of(graph, storage, {module_.pad, false, {module_.pad}, false, true, false});
    made.function = module_.functions[onf::number(work.id)].name;
    made.refills.clear();
    onf::Halo whole;
    whole.axes.assign(static_cast<std::size_t>(module_.rank), {module_.pad, module_.pad});
    for (const Sweep& sweep : graph.sweeps) {
      for (const ValueId value : sweep.defines) {
        if (module_.pad == 0) break;
        made.refills.push_back({std::int64_t(onf::bytes_of(graph[value].element)), whole});
      }
    }
    return made;
  }

  static bool reads_what_it_changes(const Work& work) {
    const Graph& graph = work.graph;
    std::set<ValueId> read;
    for (const Sweep& sweep : graph.sweeps) {
      for (const auto& [value, offsets] : reads_of(graph, sweep)) read.insert(value);
    }
    return std::ranges::any_of(read, [&](ValueId value) {
      const auto argument = graph[value].argument;
      return argument && std::ranges::any_of(graph.results, [&](const Result& result) {
               return result.argument == argument && result.value != value;
             });
    });
  }

  Cost cost_after(const Work& work) const {
    std::vector<Step> unused;
    const bool in_place = work.chosen.contains(StepKind::in_place);
    const Storage storage = place(work.graph, *work.form, in_place, unused);
    return cost_of(work.graph, storage, work.chosen.contains(StepKind::share));
  }

  static std::string calls_text(std::int64_t times) { return std::to_string(times) + " calls"; }

  Step too_few_in_a_row(FunctionId id, std::int64_t times) {
    const onf::Function& part = module_.functions[onf::number(id)];
    const std::int64_t most = found_.rounds[id];
    const std::string& whole = module_.functions[onf::number(*part.part_of)].name;
    Step step =
        refused("repeat", {part.name},
                {.before = calls_text(times),
                 .condition =
                     "between calls in a row there are only numbers that no array is computed from "
                     "again, but " +
                     whole + " makes " + (most < 2 ? "no two" : "at most " + std::to_string(most)) +
                     " such calls of it",
                 .decider = "form"});
    const auto why = found_.apart.find(*part.part_of);
    if (why == found_.apart.end()) return step;
    step.condition += ": it " + why->second.what;
    step.beside = why->second.location;
    return step;
  }

  // A function for several calls, where these are no more passes than one is.
  std::optional<Work> repeat(Work& once) const {
    const auto wanted = limit(once.chosen, StepKind::repeat);
    const std::int64_t times = wanted.value_or(2);
    Step step = refused("repeat", {once.graph.name()}, {.before = calls_text(times)});
    const auto refuse = [&](const std::string& why, const char* decider) {
      step.condition = why;
      step.decider = decider;
      once.steps.push_back(std::move(step));
      return std::nullopt;
    };
    const std::string next = "what a call leaves goes into the next one, but it ";
    if (!reads_what_it_changes(once))
      return refuse(next + "reads no array that it changes", "form");
    if (!wanted) {
      const Cost cost = cost_after(once);
      if (!waits_for_memory(cost)) {
        return refuse(
            "one call waits for memory: it has fewer than 5 operations for 2 bytes, but "
            "it has " +
                std::to_string(cost.operations()) + " for " + std::to_string(cost.bytes()),
            "cost");
      }
    }
    const auto several = std::make_shared<onf::Function>(
        several_calls_of(module_, once.id, found_.changing_of(once.id), times));
    auto graph = build(module_, *several);
    if (!graph) return refuse(next + graph.error().what, "form");
    Work work{once.id, once.chosen, std::move(*graph), {}, {}, {}, several};
    prepare(work);
    const std::size_t passes = once.graph.passes.size(), together = work.graph.passes.size();
    const std::string condition =
        "they are no more passes than one call, which has " + std::to_string(passes);
    if (together > passes) {
      return refuse(condition + ", but these would be " + std::to_string(together),
                    "count of passes");
    }
    step.after = "one call of " + work.graph.name();
    step.condition = condition;
    step.decider = "count of passes";
    step.holds = true;
    work.steps.push_back(std::move(step));
    return work;
  }

  std::optional<std::int64_t> boundary_as(const Chosen& chosen) const {
    return chosen.contains(StepKind::boundary) ? limit(chosen, StepKind::boundary) : std::nullopt;
  }
  std::optional<Boundary> boundary_of(const Work& work) const {
    const auto as = boundary_as(work.chosen);
    return as ? std::optional(schedule::boundary_of(*as)) : std::nullopt;
  }
  // Has the recipe a step by which pads are not read?
  bool without_pads(Work& work) const {
    if (reads_pads(boundary_as(work.chosen))) return false;
    work.steps.push_back(
        refused("pad", {work.graph.name()},
                {.before = "none that is read",
                 .condition = "what lies beyond an axis is read from pads, but the recipe has " +
                              to_string(recipe_.steps[work.chosen.at(StepKind::boundary)]),
                 .decider = "recipe"}));
    return true;
  }

  void widen_pads() {
    std::vector<PadReader> readers;
    Work* first = nullptr;
    for (Work& work : works_) {
      if (!work.chosen.contains(StepKind::pad) || without_pads(work)) continue;
      if (first == nullptr) first = &work;
      readers.push_back({&work.graph, *limit(work.chosen, StepKind::pad), device(work)});
    }
    if (first != nullptr) first->steps.push_back(pad(module_, readers, kept_));
    pad_ = module_.pad;
    if (states_pads_) return;
    for (const Work& work : works_) {
      if (!device(work) && boundary_of(work) == Boundary::peel) {
        pad_rings(module_, read_of_rings(work.graph));
      }
    }
  }

  // For the whole module: it is a matter of the machine, not of a function.
  void set_threads() {
    for (Work& work : works_) {
      if (!work.chosen.contains(StepKind::threads)) continue;
      const std::int64_t least = *limit(work.chosen, StepKind::threads);
      if (around_.no_threads.empty())
        outcome_.serial_below = std::max(outcome_.serial_below.value_or(0), least);
      work.steps.push_back(one_thread_below(least, work.graph.name(), around_.no_threads));
    }
  }

  bool by_rows(Work& work) const {
    if (!work.chosen.contains(StepKind::bind)) return false;
    const bool device = this->device(work);
    const bool rows = !device && *limit(work.chosen, StepKind::bind) == bound_to_rows;
    const bool planes = std::ranges::any_of(work.graph.passes, &Pass::pipelined);
    const Site site{work.graph.name()};
    const char* before = "one loop per axis";
    if (planes && !device && !rows) {
      work.steps.push_back(refused("bind", site,
                                   {.before = before,
                                    .condition = "the planes of a pipeline are made of rows",
                                    .decider = "form"}));
      return false;
    }
    work.steps.push_back(taken("bind", site,
                               {.before = before,
                                .after = device ? "a thread of a device for each element"
                                         : rows ? "the last axis as a loop over rows"
                                                : before,
                                .condition = "the elements of a pass are computed in any order",
                                .decider = "form"}));
    return rows;
  }

  void write(Work& work) {
    const onf::Function& function = *work.form;
    const auto wanted = [&](StepKind kind) { return work.chosen.contains(kind); };
    const Storage storage = place(work.graph, function, wanted(StepKind::in_place), work.steps);
    const bool rows = by_rows(work), device = this->device(work);
    if (wanted(StepKind::interchange)) work.steps.push_back(keep_loops(work.graph));
    if (wanted(StepKind::hoist)) work.steps.push_back(keep_elements(work.graph));
    const Beyond beyond = boundary(work.graph, boundary_as(work.chosen),
                                   {pad_, module_.pad, rows, device}, work.steps);
    Writing writing{module_.pad, device, beyond, wanted(StepKind::refill), wanted(StepKind::share),
                    rows};
    writing.laid_out = !module_.axes.empty();
    writing.by_turns = turns(work.graph, storage);
    if (wanted(StepKind::unroll)) {
      writing.rows_at_once = unroll(
          work.graph, storage,
          {limit(work.chosen, StepKind::unroll), rows, device, writing.by_turns}, work.steps);
    }
    keep_turns(work.graph, writing.rows_at_once, writing.by_turns, work.steps);
    if (work.times() > 1) add_step(writing.made_by, "repeat");
    // Elements are threads of a device also without the step.
    if (wanted(StepKind::bind) && (rows || device)) add_step(writing.made_by, "bind");
    auto made = realise(function, work.graph, storage, writing, work.steps);
    if (!made) {
      work.steps.clear();
      if (work.times() > 1) return not_repeated(work);
      return keep(work.id, "has an element that is too large", function.location);
    }
    Cost after = cost_of(work.graph, storage, writing.share);
    count_refills(module_, made->body, after);
    for (Step& step : work.steps) step.of = origin(work.chosen, step.name);
    note_order(work.graph);
    auto after_work = work_of(work.graph, storage, writing);
    after_work.times = work.times();
    outcome_.costs.push_back({work.graph.name(), std::move(work.before), std::move(after),
                              std::move(work.work_before), std::move(after_work)});
    outcome_.values += to_string(module_, function, work.graph);
    if (work.times() > 1) {
      made->name = work.form->name;
      made->repeats = work.form->repeats;
      repeated_.push_back(std::move(*made));
      return;
    }
    module_.functions[onf::number(work.id)] = std::move(*made);
    ++outcome_.functions;
  }

  // Sums of reals that are folded row by row are in another order than the program has them.
  void note_order(const Graph& graph) {
    for (const RowsFolded& fold : graph.folds) {
      const auto order = onf::step_order(fold.function, graph[fold.value].element);
      module_.regrouped = module_.regrouped || order == onf::StepOrder::reals;
    }
  }

  // The calls are made one by one, then.
  void not_repeated(Work& work) const {
    Step step = refused("repeat", {module_.functions[onf::number(work.id)].name},
                        {.before = calls_text(work.times()),
                         .condition = "no element is too large, but one of these together is",
                         .decider = "size"});
    step.of = work.chosen.at(StepKind::repeat);
    work.steps.push_back(std::move(step));
  }

  // Each behind the function that it is calls of.
  void add_repeated() {
    for (onf::Function& function : repeated_) {
      const auto id = static_cast<FunctionId>(module_.functions.size());
      repeated_of_.emplace(function.repeats->of, id);
      const auto place = std::ranges::find(module_.order, function.repeats->of);
      module_.order.insert(place + 1, id);
      module_.functions.push_back(std::move(function));
    }
  }

  // Which step of the recipe this one is part of. Fusing drops what is not read any more, and a
  // pipeline has rings.
  static std::optional<std::size_t> origin(const Chosen& chosen, const std::string& name) {
    const StepForm* form = find_step_form(name);
    StepKind kind = form == nullptr ? StepKind::pipeline : form->kind;
    if (kind == StepKind::drop && !chosen.contains(kind)) kind = StepKind::fuse;
    const auto found = chosen.find(kind);
    return found == chosen.end() ? std::nullopt : std::optional(found->second);
  }

  // Functions of which parts were scheduled call these, and several rounds at once where a loop
  // does nothing else.
  void finish_outlined() {
    // What others call is several calls of it before they are looked at.
    std::ranges::reverse(outlined_);
    for (const FunctionId id : outlined_) {
      Outline outline{module_.functions[onf::number(id)].name, {}};
      for (const CallSite& site : call_sites(module_, id)) {
        outline.calls.push_back(
            {module_.functions[onf::number(site.callee)].name, site.times, site.in_a_row});
        calls_of_outlined_.insert(site.callee);
      }
      const auto each = called_each_time(module_, id);
      outline.in_a_row = each.has_value();
      outcome_.outlines.push_back(std::move(outline));
      repeat_in_loops(module_, id, repeated_of_);
      if (each) repeat_calls(id, *each);
    }
    std::ranges::copy(repeated_outlined_, std::back_inserter(outlined_));
    for (const FunctionId id : kept_) {
      if (calls_of_outlined_.contains(id)) called_.erase(id);
    }
    for (const FunctionId id : kept_) refill_arguments(id);
    for (const FunctionId id : outlined_) refill_what_is_read(module_, id, module_.pad);
  }

  // Where the function calls once what there are several calls of, several calls of it.
  void repeat_calls(FunctionId id, const EachCall& each) {
    const auto several = repeated_of_.find(each.callee);
    if (several == repeated_of_.end() || !gives_all(module_, each, several->second)) return;
    const auto made = static_cast<FunctionId>(module_.functions.size());
    module_.functions.push_back(calls_in_a_row(module_, id, several->second));
    module_.order.insert(std::ranges::find(module_.order, id) + 1, made);
    repeated_of_.emplace(id, made);
    repeated_outlined_.push_back(made);
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
  const Surroundings& around_;
  Outcome outcome_;
  std::vector<Work> works_;
  bool states_pads_ = false;  // does the program?
  std::int64_t pad_ = 0;      // of arrays; the module's may be wider, for rings
  std::vector<onf::Function> repeated_;
  std::vector<FunctionId> kept_;
  std::set<FunctionId> called_;  // by those that keep their form
  Findings found_;
  std::vector<FunctionId> outlined_;           // what is left of those of which parts are scheduled
  std::vector<FunctionId> repeated_outlined_;  // several calls of these
  std::set<FunctionId> calls_of_outlined_;
  std::map<FunctionId, FunctionId> repeated_of_;
};

}  // namespace

std::string to_string(const Step& step) {
  return step.name + " at " + step.site + ": " + (step.holds ? "" : "refused, ") + step.before +
         (step.after == step.before ? " stays" : " => " + step.after) + "; " + step.condition +
         (step.counterexample.empty() ? "" : ": " + step.counterexample) + " (" + step.decider +
         ")";
}

Outcome apply(onf::Module& module, const Recipe& recipe, const Surroundings& around) {
  if (std::ranges::any_of(module.functions, has_own_shapes))
    return apply_to_own_shapes(module, recipe, around);
  return Scheduling(module, recipe, around).run();
}

}  // namespace rhopsi::schedule
