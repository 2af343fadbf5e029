#include "engine/schedule/choice.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "engine/onf/scalar_size.hpp"
#include "engine/schedule/own_shapes.hpp"
#include "engine/schedule/steps.hpp"

namespace rhopsi::schedule {

namespace {

// So much faster has to be what has more steps, and what stores arrays otherwise.
constexpr double enough = 0.98;
// And so much slower may be what goes through memory less often, or has what rows share in front of
// them.
constexpr double as_fast = 1.01;
constexpr double enough_for_layout = 0.8;

// Whether the passes and what they do are the same, whatever they are called.
bool alike(const Answer& a, const Answer& b) {
  return a.seconds == b.seconds &&
         std::ranges::equal(a.times, b.times, [](const auto& x, const auto& y) {
           return x.first == y.first && x.second.passes.size() == y.second.passes.size();
         });
}

bool wanted(const Question& question, const std::string& function) {
  return question.entries.empty() || std::ranges::count(question.entries, function) > 0;
}

std::int64_t elements_of(const Question& question) {
  double elements = 1;
  for (const std::int64_t extent : question.extents) elements *= static_cast<double>(extent);
  return static_cast<std::int64_t>(std::min(elements, 1e15));
}

// What keeps an entry from being scheduled, or a function of its, in the words of E0529.
std::string reason_to_keep(const onf::Module& module, const Question& question) {
  onf::Module copy = module;
  const Outcome outcome = apply(copy, standard_recipe(), question.around);
  for (const Kept& kept : outcome.kept) {
    if (!wanted(question, kept.function)) continue;
    const std::size_t colon = kept.remark.message.find(": ");
    if (colon != std::string::npos) return kept.remark.message.substr(colon);
  }
  return {};
}

std::string reason_of(const Choice& choice) {
  const Answer& best = choice.answers[choice.best];
  const Answer& off = choice.answers.front();
  if (choice.best == 0) return "no schedule is predicted to be faster than what is written";
  char ratio[40];
  std::snprintf(ratio, sizeof ratio, "%.2f", best.seconds / off.seconds);
  const PassTime* slowest = nullptr;
  for (const auto& [name, time] : best.times) {
    for (const PassTime& pass : time.passes) {
      if (slowest == nullptr || pass.seconds > slowest->seconds) slowest = &pass;
    }
  }
  std::string why =
      "predicted " + seconds_text(best.seconds) + " a call, " + ratio + " of what is written";
  if (slowest != nullptr) why += "; its slowest pass waits for " + slowest->bound();
  return why;
}

// Of a recipe that has planes: with the bound of `materialise` that is fastest. Nothing where no
// value is stored for any of them.
std::optional<Answer> fastest_materialised(const onf::Module& module, const Question& question,
                                           const Answer& plain) {
  std::optional<Answer> best;
  for (const std::int64_t least : savings) {
    const auto candidate = materialised(plain.candidate, least);
    if (!candidate) break;
    Answer stored = predict(module, *candidate, question);
    if (stored.seconds < 0 || alike(plain, stored)) break;  // nothing saves as much, or more
    // Of the same passes the greatest bound.
    if (!best || stored.seconds <= best->seconds) best = std::move(stored);
  }
  return best;
}

// What several indices compute is stored, where that is faster, in the recipe that is fastest then.
// How much a value has to save is found for one call. Those on a device compute tiles of all axes
// anew, and are not looked at.
void settle_materialised(const onf::Module& module, const Question& question, Choice& choice) {
  if (question.device) return;
  std::optional<std::int64_t> least;
  std::size_t at = choice.best;
  Answer best = choice.answers[choice.best];
  for (std::size_t k = 0; k < choice.answers.size(); ++k) {
    const Answer& plain = choice.answers[k];
    // Of one call, although it may be what there is without planes.
    if (plain.seconds < 0 || (least && !plain.same_as.empty())) continue;
    if (step_of(plain.candidate.recipe, StepKind::pipeline) == nullptr) continue;
    std::optional<Answer> stored;
    if (least) {
      stored = predict(module, *materialised(plain.candidate, *least), question);
    } else {
      stored = fastest_materialised(module, question, plain);
      if (!stored) return;
      least = step_of(stored->candidate.recipe, StepKind::materialise)->bound;
    }
    if (stored->seconds < 0 || stored->seconds >= enough * best.seconds) continue;
    best = std::move(*stored);
    at = k;
  }
  choice.answers[at] = std::move(best);
  choice.best = at;
}

// Common factors are taken out where the order of reals is free and that is faster.
void settle_factored(const onf::Module& module, const Question& question, Choice& choice) {
  const Answer& best = choice.answers[choice.best];
  if (!question.around.any_order || best.candidate.recipe.steps.empty()) return;
  Answer fewer = predict(module, factored(best.candidate), question);
  if (fewer.seconds < 0 || fewer.seconds >= enough * best.seconds) return;
  choice.answers[choice.best] = std::move(fewer);
}

// Rows that are long, where that is worth it: the fastest of all candidates, then.
void settle_layout(const onf::Module& module, const Question& question, Choice& choice) {
  const bool asked = question.given_once && !question.device;
  if (!asked || !rows_can_be_longer(question.around.extents)) return;
  std::optional<Answer> found;
  for (const Candidate& candidate : candidates()) {
    if (candidate.recipe.steps.empty()) continue;
    Answer answer =
        predict(module,
                with_step(candidate, "layout", candidate.meaning + ", and rows are long",
                          StepKind::layout, {}),
                question);
    if (answer.seconds < 0) return;
    if (!found || answer.seconds < enough * found->seconds) found = std::move(answer);
  }
  if (found->seconds >= enough_for_layout * choice.answers[choice.best].seconds) return;
  choice.answers.push_back(std::move(*found));
  choice.best = choice.answers.size() - 1;
}

// One thread or all: what is faster for these lengths, if it is not what the step has anyway.
void settle_threads(const onf::Module& module, const Question& question, Answer& best) {
  const RecipeStep* step = step_of(best.candidate.recipe, StepKind::threads);
  if (step == nullptr || question.device || question.machine.threads <= 1) return;
  const std::int64_t elements = elements_of(question);
  const bool serial = elements < *step->limit();
  const std::int64_t other =
      serial ? power_below(elements) : std::min<std::int64_t>(2 * power_below(elements), 1 << 30);
  Answer turned = predict(
      module, with_step(best.candidate, "", best.candidate.meaning, StepKind::threads, other),
      question);
  if (turned.seconds < 0 || turned.seconds >= enough * best.seconds) return;
  turned.candidate.name = best.candidate.name + (serial ? ", all threads" : ", one thread");
  best = std::move(turned);
}

// From pads or without: what is faster for these lengths. With few elements nothing is to be gained
// that compiling another program for these lengths would not cost.
void settle_boundary(const onf::Module& module, const Question& question, Answer& best) {
  if (step_of(best.candidate.recipe, StepKind::pad) == nullptr || question.device) return;
  if (elements_of(question) < usual_serial_below) return;
  Answer without = predict(module, peeled(best.candidate), question);
  if (without.seconds < 0 || without.seconds >= enough * best.seconds) return;
  best = std::move(without);
}

// Of the arrays of the entries, in and out at each call.
double seconds_of_copies(const onf::Module& module, const Question& question,
                         const Answer& answer) {
  double bytes = 0;
  for (const auto& entry : answer.times) {
    const auto found = std::ranges::find(module.functions, entry.first, &onf::Function::name);
    if (found == module.functions.end()) continue;
    for (const onf::Argument& argument : found->arguments) {
      if (!argument.view) continue;
      const onf::View& view = found->views[onf::number(*argument.view)];
      const auto size = onf::bytes_of(found->blocks[onf::number(view.block)].element);
      const double ways = argument.mode == term::Mode::upd ? 2 : 1;
      // What is written is read into the cache before.
      bytes += ways * 3 * static_cast<double>(size) * static_cast<double>(elements_of(question));
    }
  }
  const bool one = elements_of(question) < usual_serial_below || question.machine.threads <= 1;
  return bytes / (one ? question.machine.memory_one : question.machine.memory_all);
}

// Without the pads of the recipe, where copying arrays that have them takes longer.
void settle_callers(const onf::Module& module, const Question& question, Answer& best) {
  if (!question.copied || question.device || module.pad > 0) return;
  if (step_of(best.candidate.recipe, StepKind::pad) == nullptr) return;
  Answer without = predict(module, peeled(best.candidate), question);
  if (without.seconds < 0) return;
  if (without.seconds >= best.seconds + seconds_of_copies(module, question, best)) return;
  best = std::move(without);
}

// Loops over rows rather than one loop for each axis, where neither is predicted to be faster: what
// is the same for a whole row, as where a component of another axis goes around, stands in front of
// the loop then, and a compiler does not have to find that, which it does of short loops alone.
void settle_rows(const Question& question, Choice& choice) {
  if (question.device || choice.best != 0 || choice.answers.size() < 2) return;
  const Answer& passes = choice.answers[1];
  if (passes.seconds >= 0 && passes.seconds <= as_fast * choice.answers.front().seconds)
    choice.best = 1;
}

// Several rows in one loop, where the step itself finds that they share enough. How much faster
// they are the model does not tell, which knows no registers, nor that what waits for memory may be
// slower: so only what waits for something else, and is predicted to be no slower.
void settle_unrolled(const onf::Module& module, const Question& question, Choice& choice) {
  const Answer& best = choice.answers[choice.best];
  if (question.device || choice.best == 0 || best.seconds < 0) return;
  for (const auto& [name, time] : best.times) {
    for (const PassTime& pass : time.passes) {
      if (pass.bound() == "memory") return;
    }
  }
  Answer several = predict(module, unrolled(best.candidate), question);
  if (several.seconds < 0 || alike(best, several) || several.seconds > best.seconds) return;
  choice.answers[choice.best] = std::move(several);
}

std::int64_t calls_in_one(const Candidate& candidate) {
  const RecipeStep* repeat = step_of(candidate.recipe, StepKind::repeat);
  return repeat == nullptr ? 1 : repeat->limit().value_or(1);
}

// Among those that are predicted to be as fast, more calls in one: memory, which they go through
// less often, others use too, and a prediction knows nothing of them. Behind the fourth call there
// is little left to save.
void settle_repeats(Choice& choice) {
  const Answer& best = choice.answers[choice.best];
  const bool from_memory = std::ranges::any_of(best.times, [](const auto& entry) {
    return std::ranges::any_of(entry.second.passes,
                               [](const PassTime& pass) { return pass.memory_bytes > 0; });
  });
  const std::int64_t calls = calls_in_one(best.candidate);
  if (calls < 2 || !from_memory) return;
  for (std::size_t k = choice.best + 1; k < choice.answers.size(); ++k) {
    const Answer& more = choice.answers[k];
    if (more.seconds < 0 || !more.same_as.empty() || more.seconds > as_fast * best.seconds)
      continue;
    const std::int64_t its_calls = calls_in_one(more.candidate);
    if (its_calls > calls_in_one(choice.answers[choice.best].candidate) && its_calls <= 4)
      choice.best = k;
  }
}

// How long such a program takes is not predicted. Its steps save passes and memory, and no step
// computes anything twice.
Choice choice_for_own_shapes() {
  Choice choice;
  choice.answers.push_back({candidates().front(), -1, {}, {}});
  const Recipe proved{"auto",
                      {{StepKind::drop},
                       {StepKind::fuse},
                       {StepKind::in_place},
                       {StepKind::hoist},
                       {StepKind::layout},
                       {StepKind::tile},
                       {StepKind::bind},
                       {StepKind::pipeline}},
                      {}};
  choice.answers.push_back(
      {{"proved", "the steps that are proved to change no value", proved}, -1, {}, {}});
  choice.best = 1;
  choice.why = "no time is predicted where arrays have shapes of their own";
  return choice;
}

}  // namespace

Choice choose(const onf::Module& module, const Question& question) {
  if (std::ranges::any_of(module.functions, has_own_shapes)) return choice_for_own_shapes();
  Choice choice;
  for (const Candidate& candidate : candidates()) {
    Answer answer = predict(module, candidate, question);
    for (const Answer& before : choice.answers) {
      if (before.candidate.recipe.steps.empty() || answer.seconds < 0) continue;
      if (alike(before, answer)) answer.same_as = before.candidate.name;
      if (!answer.same_as.empty()) break;
    }
    choice.answers.push_back(std::move(answer));
  }
  if (choice.answers.front().seconds < 0) {
    choice.why = "every schedule leaves the entry as it is" + reason_to_keep(module, question);
    return choice;
  }
  for (std::size_t k = 1; k < choice.answers.size(); ++k) {
    const Answer& answer = choice.answers[k];
    if (answer.seconds < 0 || !answer.same_as.empty()) continue;
    if (answer.seconds < enough * choice.answers[choice.best].seconds) choice.best = k;
  }
  settle_rows(question, choice);
  settle_repeats(choice);
  settle_materialised(module, question, choice);
  settle_factored(module, question, choice);
  settle_layout(module, question, choice);
  settle_boundary(module, question, choice.answers[choice.best]);
  settle_callers(module, question, choice.answers[choice.best]);
  settle_unrolled(module, question, choice);
  settle_threads(module, question, choice.answers[choice.best]);
  choice.why = reason_of(choice);
  return choice;
}

std::optional<std::size_t> find_answer(const Choice& choice, const Recipe& recipe) {
  const auto same = [&](const Answer& answer) {
    return std::ranges::equal(answer.candidate.recipe.steps, recipe.steps,
                              [](const RecipeStep& a, const RecipeStep& b) {
                                return a.kind == b.kind && a.limit() == b.limit() && a.on == b.on;
                              });
  };
  const auto found = std::ranges::find_if(choice.answers, same);
  if (found == choice.answers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - choice.answers.begin());
}

std::string to_string(std::span<const Answer> answers, std::optional<std::size_t> star) {
  std::string text;
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const Answer& answer = answers[k];
    std::string line = answer.seconds < 0 ? std::string("?") : seconds_text(answer.seconds);
    line.insert(0, line.size() < 10 ? 10 - line.size() : 0, ' ');
    text += line + "  " + (star == k ? "* " : "  ") + answer.candidate.name + ": " +
            answer.candidate.meaning +
            (answer.same_as.empty() ? "" : " (the same as " + answer.same_as + " here)") + "\n";
  }
  return text;
}

namespace {

std::string best_of(const Choice& choice) {
  return "chosen: " + choice.answers[choice.best].candidate.name + ", " + choice.why + "\n";
}

}  // namespace

std::string to_string(const Choice& choice) {
  return to_string(choice.answers, choice.best) + best_of(choice);
}

std::string to_string_beside(const Choice& choice, std::optional<std::size_t> runs) {
  return to_string(choice.answers, runs) + "would be " + best_of(choice);
}

}  // namespace rhopsi::schedule
