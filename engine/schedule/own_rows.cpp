// The boxes of an array as one loop over rows.
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/schedule/made_by.hpp"
#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

using onf::Statement;
using onf::Statements;

namespace {

// Numbers that a later box needs, of which none may be an error.
bool may_come_first(const Statement& statement) {
  const bool number = std::holds_alternative<onf::Let>(statement.form) ||
                      std::holds_alternative<onf::Fold>(statement.form) ||
                      std::holds_alternative<onf::Lazy>(statement.form);
  bool checks = false;
  const auto form = [&](const auto& s) {
    checks = checks || std::is_same_v<std::decay_t<decltype(s)>, onf::Check>;
  };
  const std::span one(&statement, 1);
  onf::each_in(one, form, [](const onf::Expr&) {});
  return number && !checks;
}

std::string obstacle(const Statements& list, const OwnSweep& sweep) {
  if (has_tile(list, sweep)) return "none of them is computed in tiles";
  if (nest_at(list, sweep.nests.front()).box->empty()) return "the array has axes";
  bool moves = false;
  for (std::size_t at = sweep.nests.front(); at < sweep.nests.back(); ++at) {
    const bool own = std::ranges::count(sweep.nests, at) > 0;
    moves = moves || !own;
    if (!own && !may_come_first(list[at]))
      return "nothing stands between them but numbers that cannot be an error";
  }
  if (moves && has_checks(list, sweep))
    return "what is computed between them stays behind elements that may be an error";
  return "";
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
      const std::string why = rows ? obstacle(list, sweep) : "";
      const bool joins = rows && why.empty();
      work.record("bind", sweep.targets.front(), boxes, joins ? "one loop over rows" : boxes,
                  why.empty() ? "the elements of an array are computed in any order" : why,
                  why.empty(), "form");
      if (joins) join(list, sweep);
    }
  });
}

}  // namespace rhopsi::schedule
