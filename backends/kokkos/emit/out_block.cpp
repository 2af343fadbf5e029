// Results that may lie in the block of the `out` argument that they become.
#include "backends/kokkos/emit/out_block.hpp"

#include <algorithm>

#include "engine/onf/each_name.hpp"

namespace rhopsi::kokkos {

namespace {

using onf::Statement;
using onf::Statements;
using onf::ViewId;

bool is_named_once(const Statements& body, ViewId view) {
  std::size_t found = 0;
  onf::each_name(
      body, [&](ViewId named) { found += named == view ? 1 : 0; }, [](onf::VariableId) {});
  return found == 1;
}

// Computes, and never ends with a diagnostic: a caller has its array as it was behind one.
bool never_fails(const Statement& statement) {
  return std::visit(
      [](const auto& s) {
        using S = std::decay_t<decltype(s)>;
        return std::is_same_v<S, onf::Nest> || std::is_same_v<S, onf::Pipeline> ||
               std::is_same_v<S, onf::Allocate> || std::is_same_v<S, onf::Share> ||
               std::is_same_v<S, onf::RowFold> || std::is_same_v<S, onf::Declare> ||
               std::is_same_v<S, onf::Let> || std::is_same_v<S, onf::Refill>;
      },
      statement.form);
}

// The argument that `view` becomes at the end of its life.
std::optional<ViewId> becomes(const onf::Function& function, ViewId view) {
  for (const Statement& statement : function.body) {
    const auto* share = std::get_if<onf::Share>(&statement.form);
    if (share == nullptr || share->source != view || !share->last_use) continue;
    const bool out = std::ranges::any_of(function.arguments, [&](const onf::Argument& argument) {
      return argument.mode == term::Mode::out && argument.view == share->target;
    });
    if (out) return share->target;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ViewId> out_argument_of(const onf::Function& function, ViewId view) {
  const auto made = std::ranges::find_if(function.body, [&](const Statement& statement) {
    const auto* allocated = std::get_if<onf::Allocate>(&statement.form);
    return allocated != nullptr && allocated->view == view;
  });
  if (made == function.body.end() || !std::all_of(made, function.body.end(), never_fails)) {
    return std::nullopt;
  }
  const auto argument = becomes(function, view);
  if (!argument || !is_named_once(function.body, *argument)) return std::nullopt;
  return argument;
}

}  // namespace rhopsi::kokkos
