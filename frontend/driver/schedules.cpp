#include "frontend/driver/schedules.hpp"

#include <algorithm>
#include <cmath>

#include "frontend/driver/codes.hpp"
#include "frontend/driver/entries.hpp"

namespace rhopsi::driver {

namespace {

std::string indented(const std::string& text) {
  std::string made = "  ";
  for (std::size_t k = 0; k < text.size(); ++k) {
    made += text[k];
    if (text[k] == '\n' && k + 1 < text.size()) made += "  ";
  }
  return made;
}

bool is(const std::optional<std::string>& name, const char* word) { return name && *name == word; }

}  // namespace

schedule::Surroundings surroundings_of(const ScheduleRequest& request) {
  schedule::Surroundings around;
  around.device = request.target == Target::cuda;
  if (request.target == Target::cuda)
    around.no_threads = "a device starts as many as it takes, however few elements there are";
  if (request.target == Target::serial) around.no_threads = "the target has one thread";
  around.extents = request.shape;
  around.any_order = request.any_order;
  if (request.checked) {
    around.no_planes = "a checked program tells each index as it is, and planes are counted on";
    around.no_layout =
        "axes have any order, but a checked program tells the index of an element as it is";
    around.no_hoist =
        "what is the same for many elements is computed once, but a checked program tells each "
        "access where it is written";
  }
  return around;
}

std::optional<schedule::Recipe> recipe_of(Session& session, const std::string& file,
                                          const std::string& program, const std::string& name,
                                          syntax::Diagnostics& diagnostics) {
  if (name.empty()) return schedule::Recipe{"off", {}, {}};
  const auto package = session.workspace().load(file, diagnostics);
  if (!package) return std::nullopt;
  return session.workspace().schedule(*package, program, name, diagnostics);
}

std::vector<std::int64_t> large_shape(std::size_t rank) {
  if (rank == 0) return {};
  const double side = std::round(std::pow(2.0, 24.0 / static_cast<double>(rank)));
  return std::vector<std::int64_t>(rank, static_cast<std::int64_t>(side));
}

schedule::Question question_of(const ScheduleRequest& request, std::size_t rank,
                               const schedule::Machine& machine) {
  return {request.entries,
          request.shape.empty() ? large_shape(rank) : request.shape,
          machine,
          request.target == Target::cuda,
          surroundings_of(request),
          request.calls,
          request.given_once,
          request.for_callers};
}

namespace {

KnownMachine machine_of(const ScheduleRequest& request, syntax::Diagnostics& diagnostics) {
  return request.elsewhere && !is(request.name, "tuned")
             ? machine_elsewhere(request.target, diagnostics)
             : machine_at_hand(request.target, diagnostics);
}

// Of the recipe that is named.
void predict_for(const onf::Module& module, const ScheduleRequest& request, Plan& plan,
                 syntax::Diagnostics& diagnostics) {
  const KnownMachine machine = machine_of(request, diagnostics);
  if (diagnostics.has_errors()) return;
  plan.machine = machine.name;
  const schedule::Question question =
      question_of(request, static_cast<std::size_t>(module.rank), machine.figures);
  std::vector<schedule::Candidate> candidates{schedule::candidates().front()};
  if (!plan.recipe.steps.empty())
    candidates.push_back({plan.name, "the schedule that is asked for", plan.recipe});
  for (const schedule::Candidate& candidate : candidates)
    plan.predicted.push_back(schedule::predict(module, candidate, question));
}

}  // namespace

std::optional<Plan> plan_of(Session& session, const onf::Module& module,
                            const ScheduleRequest& request, syntax::Diagnostics& diagnostics) {
  Plan plan;
  const bool tuned = is(request.name, "tuned"), chosen = is(request.name, "auto");
  if (request.name && !tuned && !chosen) {
    auto recipe = recipe_of(session, request.file, request.program, *request.name, diagnostics);
    if (!recipe) return std::nullopt;
    plan.recipe = std::move(*recipe);
    plan.name = request.name->empty() ? "off" : *request.name;
    // Of arrays with shapes of their own nothing is predicted.
    const bool predicted =
        request.predicted && (module.one_shape || !has_own_shapes(session, *request.theory));
    if (predicted) predict_for(module, request, plan, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    return plan;
  }
  plan.asked = request.name.has_value();
  plan.recipe = {"off", {}, {}};
  if (request.checked && !tuned && !chosen) {
    plan.name = "off: a checked program runs as it is written";
    return plan;
  }
  const KnownMachine machine = machine_of(request, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  plan.machine = machine.name;
  if (!chosen && request.theory != nullptr && request.entries.size() == 1 &&
      !request.shape.empty()) {
    const TuningKey key =
        tuning_key(session, *request.theory, request.entries.front(), request.shape, request.target,
                   machine.name, request.any_order);
    plan.kept = find_kept(key, diagnostics);
    plan.kept_in = kept_path(key).string();
  }
  if (tuned && !plan.kept) {
    diagnostics.error(codes::nothing_kept, {},
                      "--schedule tuned, and nothing was tuned for '" + request.program +
                          "' with this entry, shape, type, target, machine and order of reals",
                      "run rhopsi tune first, or leave --schedule out");
    return std::nullopt;
  }
  plan.choice =
      choose(module, question_of(request, static_cast<std::size_t>(module.rank), machine.figures));
  // Where every schedule that is asked for leaves the program alone, that is told as of any other.
  if (chosen && plan.choice->nothing_to_choose()) {
    plan.recipe = schedule::standard_recipe();
    plan.name = "auto: full";
  } else if (plan.kept) {
    plan.recipe = plan.kept->recipe;
    plan.name = "tuned: " + plan.kept->name;
  } else {
    plan.recipe = plan.choice->recipe();
    plan.name = "auto: " + plan.choice->answers[plan.choice->best].candidate.name;
  }
  return plan;
}

std::string to_string(const Plan& plan) {
  if (plan.kept) {
    return "schedule " + plan.name + ", measured " +
           schedule::seconds_text(plan.kept->measured.front().seconds) + " a call (" +
           plan.kept_in + "; --schedule auto ignores it)";
  }
  return "schedule " + plan.name + (plan.choice ? ", " + plan.choice->why : "");
}

namespace {

// The first is the fastest, and runs.
std::string kept_text(const Plan& plan) {
  std::string text = "\ntuned, in " + plan.kept_in + " (--schedule auto ignores it)\n";
  bool first = true;
  for (const Measured& measured : plan.kept->measured) {
    text += "  " + schedule::seconds_text(measured.seconds) + (first ? "  * " : "    ") +
            measured.name + "\n";
    first = false;
  }
  return text;
}

std::string predicted_on(const Plan& plan, const std::string& table) {
  return "\npredicted seconds of a call on " + plan.machine + "\n" + indented(table);
}

std::string times_text(const schedule::Answer& answer) {
  std::string text;
  for (const auto& [function, time] : answer.times) {
    text += "\ntime of " + function + ", predicted\n" + indented(schedule::to_string(time));
  }
  return text;
}

std::string choice_text(const Plan& plan) {
  const schedule::Choice& choice = *plan.choice;
  const auto runs =
      plan.kept ? schedule::find_answer(choice, plan.recipe) : std::optional(choice.best);
  const std::string table = plan.kept ? schedule::to_string_beside(choice, runs) +
                                            "runs: " + plan.kept->name + ", which was tuned\n"
                                      : schedule::to_string(choice);
  return predicted_on(plan, table) + (runs ? times_text(choice.answers[*runs]) : "");
}

std::string predicted_text(const Plan& plan) {
  const schedule::Answer& named = plan.predicted.back();
  std::string table = schedule::to_string(plan.predicted, plan.predicted.size() - 1);
  if (named.seconds < 0) table += "no time is predicted of what a schedule leaves as it is\n";
  return predicted_on(plan, table) + times_text(named);
}

}  // namespace

std::string explained(const Plan& plan, const schedule::Outcome& outcome) {
  std::string text = to_string(plan.recipe) + "\n" + schedule::describe(plan.recipe, outcome);
  if (!outcome.tiles.empty()) text += "\nfolds\n" + indented(schedule::describe(outcome.tiles));
  for (const schedule::FunctionCost& cost : outcome.costs) {
    text += "\ncost of " + cost.function + ", before\n" + indented(to_string(cost.before)) +
            "cost of " + cost.function + ", after\n" + indented(to_string(cost.after));
  }
  if (!outcome.pads.empty()) text += "\n";
  for (const std::string& line : outcome.pads) text += line + "\n";
  if (plan.kept) text += kept_text(plan);
  if (plan.choice) text += choice_text(plan);
  if (!plan.predicted.empty()) text += predicted_text(plan);
  return text;
}

}  // namespace rhopsi::driver
