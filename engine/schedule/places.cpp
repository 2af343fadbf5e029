// Where in the specification what the steps speak of stands.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/onf/print.hpp"
#include "engine/schedule/schedule.hpp"

namespace rhopsi::schedule {

namespace {

// How much of an origin is told: no more than is needed.
enum class Told : std::uint8_t { line, calls, round };

std::string text_of(const term::Store& store, const Origin& origin, Told told) {
  std::string text = onf::place(store, origin.location);
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (told != Told::line) {
    for (auto call = origin.calls.rbegin(); call != origin.calls.rend(); ++call) {
      if (const std::string at = onf::place(store, *call); !at.empty()) add("called at " + at);
    }
  }
  if (told == Told::round) add("call " + std::to_string(origin.round + 1));
  return text;
}

// What of the origins has to be told so that no more are told as one than have to be.
Told needed(const term::Store& store, const std::set<Origin>& origins) {
  const auto apart = [&](Told told) {
    std::set<std::string> texts;
    for (const Origin& origin : origins) texts.insert(text_of(store, origin, told));
    return texts.size();
  };
  const std::size_t most = apart(Told::round);
  return apart(Told::line) == most ? Told::line : apart(Told::calls) == most ? Told::calls : Told::round;
}

}  // namespace

void tell_places(const term::Store& store, Outcome& outcome) {
  using Place = std::pair<std::optional<std::size_t>, std::string>;
  std::map<Place, std::set<Origin>> origins;
  for (const Step& step : outcome.steps) origins[{step.of, step.site}].insert(step.origin);
  for (Step& step : outcome.steps) {
    const std::set<Origin>& same = origins.at({step.of, step.site});
    if (same.size() > 1) {
      const std::string where = text_of(store, step.origin, needed(store, same));
      if (!where.empty()) step.site += " (" + where + ")";
    }
    if (const std::string at = onf::place(store, step.beside); !at.empty())
      step.condition += " (" + at + ")";
  }
}

}  // namespace rhopsi::schedule
