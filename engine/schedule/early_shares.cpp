#include "engine/schedule/early_shares.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/each_name.hpp"
#include "engine/onf/lists.hpp"
#include "engine/schedule/row.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Statement;
using onf::Statements;
using onf::ViewId;

bool makes(const Statement& statement, ViewId array) {
  const auto* const nest = std::get_if<onf::Nest>(&statement.form);
  return nest != nullptr &&
         (nest->target == array ||
          std::ranges::any_of(nest->also, [&](const auto& each) { return each.target == array; }));
}

// What each statement names; kept beside the statements, since to find it goes through them.
using Named = std::vector<std::map<ViewId, std::size_t>>;

Named named_in(const Statements& body) {
  Named named;
  for (const Statement& statement : body) named.push_back(mentions_of({statement}).views);
  return named;
}

// Numbers alone come of it, or an array that is another one.
bool only_reads(const Statement& statement, ViewId array) {
  bool reads = true;
  const auto form = [&](const auto& s) {
    using S = std::decay_t<decltype(s)>;
    const bool computes = std::is_same_v<S, onf::Let> || std::is_same_v<S, onf::Fold> ||
                          std::is_same_v<S, onf::Check> || std::is_same_v<S, onf::Declare> ||
                          std::is_same_v<S, onf::Assign> || std::is_same_v<S, onf::Nest>;
    reads = reads && computes;
  };
  const Statements alone{statement};
  onf::each_in(alone, form, [&](const onf::Expr& whole) {
    onf::each_part(whole, [&](const onf::Expr& e) {
      if (e.kind == onf::Expr::Kind::view && e.view == array) reads = false;
    });
  });
  return reads && !makes(statement, array);
}

// Where the source of the share at `at` is made, if the name can move there.
std::optional<std::size_t> place_of(const Statements& body, const Named& named, std::size_t at) {
  const auto& share = std::get<onf::Share>(body[at].form);
  const auto behind = named.begin() + static_cast<std::ptrdiff_t>(at) + 1;
  const bool named_again = std::any_of(
      behind, named.end(), [&](const auto& each) { return each.contains(share.source); });
  if (share.declares || named_again) return std::nullopt;
  for (std::size_t k = at; k-- > 0;) {
    if (makes(body[k], share.source)) return k + 1 < at ? std::optional(k) : std::nullopt;
    if (named[k].contains(share.target)) return std::nullopt;
    if (named[k].contains(share.source) && !only_reads(body[k], share.source)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

void share_early(Statements& body) {
  for (Statement& statement : body) onf::each_list_of(statement, share_early);
  Named named = named_in(body);
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (!std::holds_alternative<onf::Share>(body[at].form)) continue;
    const auto made = place_of(body, named, at);
    if (!made) continue;
    const auto share = std::get<onf::Share>(body[at].form);
    const auto begin = [&](std::size_t k) { return body.begin() + static_cast<std::ptrdiff_t>(k); };
    // What stood between, behind it.
    Statements behind(std::make_move_iterator(begin(*made + 1)),
                      std::make_move_iterator(begin(at)));
    onf::each_name(
        behind,
        [&](ViewId& view) {
          if (view == share.source) view = share.target;
        },
        [](onf::VariableId&) {});
    body[*made + 1] = std::move(body[at]);
    std::ranges::move(behind, begin(*made + 2));
    named = named_in(body);
  }
}

}  // namespace rhopsi::schedule
