// `schedule N [for P] [on f] = { ... }` to a recipe: one flat list of steps, each with its
// callable.
#include <algorithm>

#include "frontend/elaborate/evaluator.hpp"
#include "frontend/elaborate/module_codes.hpp"

namespace rhopsi::elaborate {

namespace {

using schedule::RecipeStep;
using schedule::StepForm;

// Names that the command has for what it chooses, for the standard recipe, for none, and for what
// was measured. What is chosen depends on more than a package: within one it is chosen from
// everything.
constexpr const char* standard = "full";
constexpr const char* chosen = "auto";
// Of these a schedule cannot use what has no steps, or those of one machine.
bool is_of_command(const std::string& name) { return name == "off" || name == "tuned"; }
bool is_reserved(const std::string& name) {
  return name == standard || name == chosen || is_of_command(name);
}

// `pipeline(max_planes = n)`
std::string usage(const StepForm& form) {
  if (form.parameter.empty()) return in_quotes(form.word) + " takes no arguments";
  std::string values =
      "a number from " + std::to_string(form.least) + " to " + std::to_string(form.most);
  if (!form.allowed.empty()) values += ' ' + std::string(form.allowed);
  if (!form.words.empty()) values = "one of " + listed({form.words.begin(), form.words.end()});
  return "write " +
         in_quotes(std::string(form.word) + "(" + std::string(form.parameter) + " = ...)") +
         " with " + values;
}

bool overlap(const RecipeStep& a, const RecipeStep& b) {
  return a.kind == b.kind && (a.on.empty() || b.on.empty() || a.on == b.on);
}

}  // namespace

// The step as it is written; nothing after an error.
std::optional<RecipeStep> Evaluator::step_of(const syntax::ScheduleItem& item) const {
  const StepForm* form = schedule::find_step_form(item.word.text);
  if (form == nullptr) {
    std::vector<std::string> words;
    for (const StepForm& each : schedule::step_forms()) words.emplace_back(each.word);
    context_.error(
        codes::unknown_step, item.word.span,
        "unknown step " + in_quotes(item.word.text) + did_you_mean(item.word.text, words),
        "the steps are " + listed(words) + "; another schedule is `use NAME;`");
    return std::nullopt;
  }
  RecipeStep step{form->kind, {}, {}, item.required, context_.places.mark(item.span)};
  for (const syntax::StepArgument& argument : item.arguments) {
    const std::string& name = argument.name.text;
    const auto value = value_of(*form, argument.value.text);
    if (name != form->parameter || step.bound) {
      const std::string hint = did_you_mean(name, {std::string(form->parameter)});
      context_.error(codes::step_argument, argument.name.span,
                     step.bound ? in_quotes(name) + " is given twice"
                                : in_quotes(form->word) + " has no argument " + in_quotes(name) +
                                      (form->parameter.empty() ? "" : hint),
                     usage(*form));
      return std::nullopt;
    }
    if (!value) {
      context_.error(codes::step_argument, argument.value.span,
                     in_quotes(argument.value.text) + " is no value for " + in_quotes(name),
                     usage(*form));
      return std::nullopt;
    }
    step.bound = value;
  }
  return step;
}

// Adds a step of a schedule that is on `on`. What is there already with the same bound is one step.
bool Evaluator::add_step(schedule::Recipe& recipe, RecipeStep step, const syntax::Span& place) {
  for (RecipeStep& other : recipe.steps) {
    if (!overlap(step, other)) continue;
    if (step.limit() != other.limit()) {
      syntax::Diagnostic& error =
          context_.error(codes::step_twice, place,
                         in_quotes(to_string(step)) + " contradicts " +
                             in_quotes(to_string(other)) + " of the same schedule",
                         "a step has one bound for each callable; leave one of them out");
      if (other.location != term::LocationId{}) {
        error.related.push_back({context_.places.span(other.location), "the other one"});
      }
      return false;
    }
    if (step.on != other.on) continue;
    other.required = other.required || step.required;
    return true;
  }
  recipe.steps.push_back(std::move(step));
  return true;
}

bool Evaluator::use_schedule(PackageEntry& package, const syntax::ScheduleItem& item,
                             ScheduleValue& into) {
  if (is_of_command(item.word.text)) {
    context_.error(codes::schedule_name, item.word.span,
                   "a schedule cannot use " + in_quotes(item.word.text),
                   "on the command line `--schedule off` takes no steps and `--schedule tuned` "
                   "those that were measured; leave it out here, or name the steps");
    return false;
  }
  schedule::Recipe used = schedule::standard_recipe();
  if (item.word.text != standard && item.word.text != chosen) {
    const auto found = find(package, item.word, "schedule");
    if (!found) return false;
    const auto& declaration = std::get<syntax::ScheduleDecl>(*found->declaration);
    const auto value = schedule(*found->package, declaration, item.word.span);
    if (!value) return false;
    if (value->program != nullptr && value->program != into.program) {
      syntax::Diagnostic& error = context_.error(
          codes::other_schedule, item.word.span,
          "schedule " + in_quotes(item.word.text) + " is for " +
              in_quotes(value->program->name.text) + ", and the one that uses it is not",
          "write `for` in both, or move the steps into a schedule without `for`");
      error.related.push_back({declaration.name.span, "declared here"});
      return false;
    }
    used = value->recipe;
  }
  for (RecipeStep& step : used.steps) {
    if (step.on.empty()) step.on = into.on;
    if (!into.on.empty() && step.on != into.on) {
      context_.error(codes::other_schedule, item.word.span,
                     "schedule " + in_quotes(item.word.text) + " is on " + in_quotes(step.on) +
                         ", and the one that uses it on " + in_quotes(into.on),
                     "leave `on` out in one of them");
      return false;
    }
    if (!add_step(into.recipe, std::move(step), item.word.span)) return false;
  }
  return true;
}

std::optional<ScheduleValue> Evaluator::evaluate_schedule(PackageEntry& package,
                                                          const syntax::ScheduleDecl& declaration) {
  const std::string& name = declaration.name.text;
  ScheduleValue value;
  value.recipe.name = name;
  value.recipe.location = context_.places.mark(declaration.name.span);
  bool good = true;
  if (is_reserved(name)) {
    context_.error(codes::schedule_name, declaration.name.span,
                   "a schedule cannot be called " + in_quotes(name),
                   "`full` is the standard one, `off` is none, `auto` is chosen and `tuned` was "
                   "measured: take another name");
    good = false;
  }
  if (declaration.callable) value.on = declaration.callable->text;
  if (declaration.program) {
    const auto found = find(package, *declaration.program, "module");
    if (!found) return std::nullopt;
    const auto& program = std::get<syntax::ModuleDecl>(*found->declaration);
    if (program.kind != syntax::ModuleKind::program) {
      context_.error(codes::wrong_declaration, declaration.program->span,
                     in_quotes(declaration.program->text) + " is " +
                         kind_with_article(module_kind(program.kind)) + ", not a program",
                     "programs are scheduled");
      good = false;
    }
    value.program = &program;
    value.package = found->package;
  }
  for (const syntax::ScheduleItem& item : declaration.items) {
    if (item.use) {
      good = use_schedule(package, item, value) && good;
    } else if (auto step = step_of(item)) {
      step->on = value.on;
      good = add_step(value.recipe, std::move(*step), item.word.span) && good;
    } else {
      good = false;
    }
  }
  if (!good) return std::nullopt;
  return value;
}

std::optional<ScheduleValue> Evaluator::schedule(PackageEntry& package,
                                                 const syntax::ScheduleDecl& declaration,
                                                 const syntax::Span& reference) {
  constexpr std::size_t longest_chain = 1000;
  if (const auto known = schedules_.find(&declaration); known != schedules_.end()) {
    if (known->second.running) {
      context_.error(codes::schedule_cycle, reference,
                     "schedule " + in_quotes(declaration.name.text) + " is defined through itself",
                     "move the steps that both need into a schedule of their own");
    }
    return known->second.value;
  }
  if (++schedule_depth_ > longest_chain) {
    --schedule_depth_;
    context_.error(codes::modules_too_deep, reference,
                   "too many schedules are defined one through the other here",
                   "use them side by side in one schedule");
    return std::nullopt;
  }
  schedules_[&declaration].running = true;
  auto value = evaluate_schedule(package, declaration);
  schedules_[&declaration] = {false, value};
  --schedule_depth_;
  return value;
}

bool Evaluator::check_callables(const ScheduleValue& schedule, const term::Theory& program) const {
  bool good = true;
  std::vector<std::string> seen;
  for (const RecipeStep& step : schedule.recipe.steps) {
    if (step.on.empty() || std::ranges::find(seen, step.on) != seen.end()) continue;
    seen.push_back(step.on);
    if (!program.overloads(context_.store, step.on).empty()) continue;
    std::vector<std::string> names;
    for (const term::Callable& callable : program.callables) {
      if (callable.body) names.push_back(context_.store[callable.symbol].name);
    }
    const syntax::Span place = context_.places.span(schedule.recipe.location);
    context_.error(codes::scheduled_callable, place,
                   "schedule " + in_quotes(schedule.recipe.name) + " is on " + in_quotes(step.on) +
                       ", and program " + in_quotes(program.name) +
                       " has no operation of that name" + did_you_mean(step.on, names),
                   "write `on NAME` for one that it has, or leave `on` out");
    good = false;
  }
  return good;
}

bool Evaluator::check(PackageEntry& package, const syntax::ScheduleDecl& declaration) {
  const auto value = schedule(package, declaration, declaration.name.span);
  if (!value) return false;
  if (value->program == nullptr) return true;
  const auto program = declared(*value->package, *value->program, declaration.program->span);
  return program && check_callables(*value, program->theory);
}

std::optional<schedule::Recipe> Evaluator::recipe_for(PackageEntry& from, PackageEntry& package,
                                                      const syntax::Name& name,
                                                      const syntax::ModuleDecl& program) {
  if (name.text == standard || name.text == chosen) return schedule::standard_recipe();
  const auto found = find(from, name, "schedule");
  if (!found) return std::nullopt;
  const auto& declaration = std::get<syntax::ScheduleDecl>(*found->declaration);
  const auto value = schedule(*found->package, declaration, declaration.name.span);
  if (!value) return std::nullopt;
  if (value->program != nullptr && value->program != &program) {
    context_.error(codes::other_schedule, declaration.name.span,
                   "schedule " + in_quotes(name.text) + " is for " +
                       in_quotes(value->program->name.text) + ", not for " +
                       in_quotes(program.name.text),
                   "move its steps into a schedule without `for`, and use that one");
    return std::nullopt;
  }
  const auto theory = declared(package, program, program.name.span);
  if (!theory || !check_callables(*value, theory->theory)) return std::nullopt;
  return value->recipe;
}

}  // namespace rhopsi::elaborate
