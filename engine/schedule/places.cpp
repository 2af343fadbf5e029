// Where in the specification what the steps speak of stands.
#include <map>
#include <set>
#include <utility>

#include "engine/onf/print.hpp"
#include "engine/schedule/schedule.hpp"

namespace rhopsi::schedule {

namespace {

// How much of an origin is told: no more than is needed.
struct Told {
  bool calls = false;  // through which it was come to
  bool round = false;
  bool columns = false;
};

std::string text_of(const term::Store& store, const Origin& origin, const Told& told) {
  const auto place = [&](term::LocationId location) {
    std::string at = onf::place(store, location);
    if (told.columns && !at.empty()) at += ":" + std::to_string(store[location].column);
    return at;
  };
  if (origin.given) return "as it comes in";
  std::string text = place(origin.location);
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (told.calls) {
    for (auto call = origin.calls.rbegin(); call != origin.calls.rend(); ++call) {
      if (const std::string at = place(*call); !at.empty()) add("called at " + at);
    }
  }
  if (told.round) add("call " + std::to_string(origin.round + 1));
  return text;
}

// The least that tells as many of the origins apart as all of it does.
Told needed(const term::Store& store, const std::set<Origin>& origins) {
  const auto apart = [&](const Told& told) {
    std::set<std::string> texts;
    for (const Origin& origin : origins) texts.insert(text_of(store, origin, told));
    return texts.size();
  };
  Told told{true, true, true};
  const std::size_t most = apart(told);
  for (bool Told::*part : {&Told::columns, &Told::round, &Told::calls}) {
    told.*part = false;
    if (apart(told) < most) told.*part = true;
  }
  return told;
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
