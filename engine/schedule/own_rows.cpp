// The boxes of an array as one loop over rows.
#include <algorithm>
#include <utility>

#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

using onf::Statement;
using onf::Statements;

namespace {

// Why what stands between boxes may not come before them, in words; empty where it may. Numbers
// that a later box needs may, where none of them may be an error.
std::string stays(const OwnWork& work, const Statement& statement) {
  if (holds_check(statement)) return "what may be an error does";
  if (const auto* nest = std::get_if<onf::Nest>(&statement.form))
    return "a loop of " + work.name(nest->target) + " does";
  if (const auto* fresh = std::get_if<onf::Allocate>(&statement.form))
    return work.name(fresh->view) + " is allocated there";
  const bool number = std::holds_alternative<onf::Let>(statement.form) ||
                      std::holds_alternative<onf::Fold>(statement.form) ||
                      std::holds_alternative<onf::Lazy>(statement.form);
  return number ? "" : "another statement does";
}

OwnVerdict verdict_on(const OwnWork& work, const Statements& list, const OwnSweep& sweep) {
  const std::string& name = work.name(sweep.targets.front());
  if (has_tile(list, sweep))
    return {"none of them is computed in tiles, but folds of " + name + " are"};
  if (nest_at(list, sweep.nests.front()).box->empty())
    return {"the array has axes, but " + name + " has none"};
  const Statement* between = nullptr;
  for (std::size_t at = sweep.nests.front(); at < sweep.nests.back(); ++at) {
    if (std::ranges::count(sweep.nests, at) > 0) continue;
    if (between == nullptr) between = &list[at];
    const std::string why = stays(work, list[at]);
    if (why.empty()) continue;
    return {"only numbers that cannot be an error stand between them, but " + why, false, "form",
            "", list[at].location};
  }
  const auto check = between == nullptr ? std::nullopt : check_of(list, sweep);
  if (!check) return {"the elements of an array are computed in any order", true};
  return {
      "nothing is computed between elements that may be an error, but numbers are, and an element "
      "of " +
          name + " may be one: " + check->message,
      false, "form", "", check->location};
}

// Numbers first, then the boxes.
void join(Statements& list, const OwnSweep& sweep) {
  Statements all(list.begin(), list.begin() + std::ptrdiff_t(sweep.nests.front()));
  for (const bool nests : {false, true}) {
    for (std::size_t at = sweep.nests.front(); at <= sweep.nests.back(); ++at) {
      if (std::holds_alternative<onf::Nest>(list[at].form) != nests) continue;
      if (nests) {
        nest_at(list, at).joined = at != sweep.nests.front();
        add_step(nest_at(list, at).made_by, "bind");
      }
      all.push_back(std::move(list[at]));
    }
  }
  all.insert(all.end(),
             std::make_move_iterator(list.begin() + std::ptrdiff_t(sweep.nests.back()) + 1),
             std::make_move_iterator(list.end()));
  list = std::move(all);
}

}  // namespace

void join_own(OwnWork& work, bool rows) {
  each_list(work.function.body, [&](Statements& list) {
    // As many sweeps at the same nests: joining changes the order within each alone.
    for (std::size_t k = 0; k < own_sweeps(list).size(); ++k) {
      const OwnSweep sweep = own_sweeps(list)[k];
      if (sweep.nests.size() < 2) continue;
      const std::string boxes = std::to_string(sweep.nests.size()) + " boxes, a loop for each";
      const OwnVerdict verdict =
          rows ? verdict_on(work, list, sweep)
               : OwnVerdict{"the elements of an array are computed in any order", true};
      const bool joins = rows && verdict.holds;
      work.record("bind", sweep.targets.front(), boxes, joins ? "one loop over rows" : boxes,
                  verdict);
      if (joins) join(list, sweep);
    }
  });
}

}  // namespace rhopsi::schedule
