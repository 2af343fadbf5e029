#include "engine/schedule/unread_numbers.hpp"

#include <variant>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/lists.hpp"
#include "engine/onf/positions.hpp"
#include "engine/schedule/row.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Statement;
using onf::Statements;

bool is_unread(const Statement& statement, const Mentions& mentions) {
  const auto* let = std::get_if<onf::Let>(&statement.form);
  return let != nullptr && let->constant && let->value && onf::always_has_value(*let->value) &&
         mentions.variables.at(let->variable) == 1;
}

std::size_t drop(Statements& body, const Mentions& mentions) {
  std::size_t dropped =
      std::erase_if(body, [&](const Statement& each) { return is_unread(each, mentions); });
  for (Statement& statement : body) {
    onf::each_list_of(statement, [&](Statements& inner) { dropped += drop(inner, mentions); });
  }
  return dropped;
}

}  // namespace

void drop_unread_numbers(Statements& body) {
  while (drop(body, mentions_of(body)) > 0) {
  }
}

}  // namespace rhopsi::schedule
