#include "engine/schedule/own_shapes.hpp"

#include <algorithm>

#include "engine/onf/index_width.hpp"
#include "engine/schedule/own_sweeps.hpp"
#include "engine/schedule/steps.hpp"
#include "engine/schedule/tell.hpp"

namespace rhopsi::schedule {

bool has_own_shapes(const onf::Function& function) {
  return std::ranges::any_of(function.blocks,
                             [](const onf::Block& block) { return block.extents.has_value(); });
}

namespace {

class OwnScheduling {
 public:
  OwnScheduling(onf::Module& module, const Recipe& recipe, const Surroundings& around)
      : module_(module), recipe_(recipe), around_(around) {}

  Outcome run() {
    for (const onf::FunctionId id : module_.order) {
      onf::Function& function = module_.functions[onf::number(id)];
      const Chosen chosen = steps_on(recipe_, function.name);
      if (function.device || chosen.empty() || !has_own_shapes(function)) continue;
      OwnWork work{module_, id, function, {}};
      take(work, chosen);
      for (Step& step : work.steps) {
        step.of = chosen.at(find_step_form(step.name)->kind);
        outcome_.steps.push_back(std::move(step));
      }
      function = std::move(work.function);
      ++outcome_.functions;
    }
    return std::move(outcome_);
  }

 private:
  std::optional<std::int64_t> limit(const Chosen& chosen, StepKind kind) const {
    return recipe_.steps[chosen.at(kind)].limit();
  }

  void take(OwnWork& work, const Chosen& chosen) {
    for (std::size_t k = 0; k < recipe_.steps.size(); ++k) {
      const StepKind kind = recipe_.steps[k].kind;
      const auto found = chosen.find(kind);
      if (found == chosen.end() || found->second != k) continue;
      if (kind == StepKind::drop) drop_own(work);
      if (kind == StepKind::fuse) fuse_own(work, limit(chosen, kind));
      if (kind == StepKind::pipeline && around_.device) refuse_turns(work);
      if (!is_for_own_shapes(kind)) refuse(work, kind);
    }
    if (chosen.contains(StepKind::in_place)) place_own(work);
    if (chosen.contains(StepKind::interchange)) interchange_own(work);
    if (chosen.contains(StepKind::tile)) tile_own(work, limit(chosen, StepKind::tile));
    if (chosen.contains(StepKind::bind)) join_own(work, limit(chosen, StepKind::bind) == 1);
    if (chosen.contains(StepKind::pipeline) && !around_.device) {
      go_in_order_own(work);
      go_by_lines_own(work);
      take_turns_own(work);
    }
    if (chosen.contains(StepKind::bind) && limit(chosen, StepKind::bind) == 1 && !around_.device)
      split_ends_own(work);
    if (chosen.contains(StepKind::threads)) threads(work, *limit(chosen, StepKind::threads));
    onf::choose_index_widths(module_, work.function);
  }

  // What a statement computes twice it computes once as it is lowered; hoist() and lay_out() have
  // been before.
  static bool is_for_own_shapes(StepKind kind) {
    return kind == StepKind::drop || kind == StepKind::fuse || kind == StepKind::in_place ||
           kind == StepKind::hoist || kind == StepKind::layout || kind == StepKind::bind ||
           kind == StepKind::threads || kind == StepKind::share || kind == StepKind::interchange ||
           kind == StepKind::tile || kind == StepKind::pipeline;
  }

  static void refuse_turns(OwnWork& work) {
    work.steps.push_back(refused(
        std::string(form_of(StepKind::pipeline).word), {work.function.name},
        {.before = "all rows of each",
         .condition = "rows are found again in a core's cache, but a device computes all at once",
         .decider = "form"}));
  }

  void refuse(OwnWork& work, StepKind kind) const {
    const std::string word(form_of(kind).word);
    work.steps.push_back(
        refused(word, {work.function.name},
                {.before = "boxes",
                 .condition = "every array has the shape of the run, but those of " +
                              work.function.name + " have shapes of their own",
                 .decider = "form"}));
  }

  // For the whole module: it is a matter of the machine, not of a function.
  void threads(OwnWork& work, std::int64_t least) {
    if (around_.no_threads.empty())
      outcome_.serial_below = std::max(outcome_.serial_below.value_or(0), least);
    work.steps.push_back(one_thread_below(least, work.function.name, around_.no_threads));
  }

  onf::Module& module_;
  const Recipe& recipe_;
  const Surroundings& around_;
  Outcome outcome_;
};

}  // namespace

Outcome apply_to_own_shapes(onf::Module& module, const Recipe& recipe, const Surroundings& around) {
  return OwnScheduling(module, recipe, around).run();
}

}  // namespace rhopsi::schedule
