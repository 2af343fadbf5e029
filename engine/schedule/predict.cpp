#include "engine/schedule/predict.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/onf/axes.hpp"

namespace rhopsi::schedule {

namespace {

// Several calls as one take the place of one; those that are left are made one by one.
Time together(const Time& one, Time several, std::int64_t times, std::int64_t calls) {
  if (calls == 0) return several;
  if (times > calls) return one;
  const double left = static_cast<double>(calls % times) / static_cast<double>(calls);
  several.seconds += left * (one.seconds - several.seconds);
  return several;
}

// The times of functions, and of those of which parts were scheduled.
class Times {
 public:
  // `extents` are in the order of axes that the functions have.
  Times(const Outcome& outcome, const Question& question, const std::vector<std::int64_t>& extents,
        bool off)
      : outcome_(outcome) {
    const Setting setting{extents, outcome.serial_below.value_or(usual_serial_below),
                          question.device};
    for (const FunctionCost& cost : outcome.costs) {
      const Time time =
          time_of(off ? cost.work_before : cost.work_after, question.machine, setting);
      known_[cost.work_before.function].push_back({time, cost.work_after.times});
    }
  }

  // Of a call, where so many are made in a row; nothing where the function keeps its form.
  std::optional<Time> of(const std::string& function, std::int64_t calls, int depth = 0) const {
    if (const auto found = known_.find(function); found != known_.end()) {
      Time time = found->second.front().first;
      for (std::size_t k = 1; k < found->second.size(); ++k) {
        time = together(time, found->second[k].first, found->second[k].second, calls);
      }
      return time;
    }
    const auto outline = std::ranges::find(outcome_.outlines, function, &Outline::function);
    if (outline == outcome_.outlines.end() || depth > most_nested) return std::nullopt;
    std::optional<Time> sum;
    for (const Outline::Call& call : outline->calls) {
      const auto time = of(call.callee, outline->in_a_row ? calls : call.in_a_row, depth + 1);
      if (!time) continue;
      if (!sum) sum.emplace();
      sum->seconds += call.times * time->seconds;
      sum->refills += call.times * time->refills;
      sum->passes.insert(sum->passes.end(), time->passes.begin(), time->passes.end());
    }
    return sum;
  }

  // What no function calls that parts were made of, in the order in which they were scheduled.
  std::vector<std::string> outermost() const {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
      if (std::ranges::count(names, name) == 0 && !is_called(name)) names.push_back(name);
    };
    for (const Outline& outline : outcome_.outlines) add(outline.function);
    for (const FunctionCost& cost : outcome_.costs) add(cost.work_before.function);
    return names;
  }

 private:
  static constexpr int most_nested = 16;

  bool is_called(const std::string& name) const {
    return std::ranges::any_of(outcome_.outlines, [&](const Outline& outline) {
      return std::ranges::count(outline.calls, name, &Outline::Call::callee) > 0;
    });
  }

  const Outcome& outcome_;
  std::map<std::string, std::vector<std::pair<Time, std::int64_t>>> known_;  // by function
};

}  // namespace

Answer predict(const onf::Module& module, const Candidate& candidate, const Question& question) {
  Answer answer{candidate, -1, {}, {}};
  onf::Module copy = module;
  // What is taken for `off` is what stands before any step.
  const bool off = candidate.recipe.steps.empty();
  const Outcome outcome =
      apply(copy, off ? Recipe{"off", {{StepKind::share}}, {}} : candidate.recipe, question.around);
  const Times times(outcome, question, onf::in_order(question.extents, copy.axes), off);
  for (const std::string& entry : question.entries.empty() ? times.outermost() : question.entries) {
    auto time = times.of(entry, question.calls);
    if (!time) {
      answer.times.clear();
      break;
    }
    answer.times.emplace_back(entry, std::move(*time));
  }
  if (answer.times.empty()) return answer;
  answer.seconds = 0;
  for (const auto& [name, time] : answer.times) answer.seconds += time.seconds;
  return answer;
}

}  // namespace rhopsi::schedule
