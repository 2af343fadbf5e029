#include "engine/schedule/behind_folds.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/onf/nest_variables.hpp"
#include "engine/schedule/row.hpp"

namespace rhopsi::schedule {

using onf::Statement;
using onf::Statements;
using onf::ViewId;

namespace {

struct Names {
  std::set<ViewId> all, set;  // arrays that a statement names, and may set
  bool arrays_alone = true;   // it sets nothing else
};

Names names_of(const Statement& statement) {
  Names names;
  for (const auto& [view, count] : mentions_of({statement}).views) names.all.insert(view);
  std::visit(
      [&](const auto& form) {
        using Form = std::decay_t<decltype(form)>;
        if constexpr (std::is_same_v<Form, onf::Fold>) {
          return;
        } else if constexpr (std::is_same_v<Form, onf::Declare> ||
                             std::is_same_v<Form, onf::Allocate>) {
          names.set = {form.view};
        } else if constexpr (std::is_same_v<Form, onf::Share> || std::is_same_v<Form, onf::Whole>) {
          names.set = {form.target};
        } else if constexpr (std::is_same_v<Form, onf::Nest>) {
          const std::vector<ViewId> targets = targets_of(form);
          names.set = {targets.begin(), targets.end()};
        } else {
          names.set = names.all;
          names.arrays_alone = false;
        }
      },
      statement.form);
  return names;
}

bool meet(const std::set<ViewId>& a, const std::set<ViewId>& b) {
  return std::ranges::any_of(a, [&](ViewId view) { return b.contains(view); });
}

}  // namespace

std::optional<PartedRow> parted_by_folds(const Statements& row) {
  std::vector<Names> names;
  for (const Statement& statement : row) names.push_back(names_of(statement));
  std::vector<bool> needed(row.size(), false);
  std::set<ViewId> read;
  for (std::size_t at = row.size(); at-- > 0;) {
    needed[at] = std::holds_alternative<onf::Fold>(row[at].form) || meet(names[at].set, read);
    if (needed[at]) read.insert(names[at].all.begin(), names[at].all.end());
  }
  PartedRow made;
  for (std::size_t at = 0; at < row.size(); ++at) {
    if (!needed[at] && !names[at].arrays_alone) return std::nullopt;
    for (std::size_t later = at + 1; !needed[at] && later < row.size(); ++later) {
      if (needed[later] && meet(names[later].set, names[at].all)) return std::nullopt;
    }
    (needed[at] ? made.folds : made.behind).push_back(row[at]);
  }
  return made;
}

}  // namespace rhopsi::schedule
