#include "engine/schedule/unread_numbers.hpp"

#include <type_traits>
#include <variant>

#include "engine/onf/each_expression.hpp"
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
  const auto inside = [&](Statements& statements) { dropped += drop(statements, mentions); };
  for (Statement& statement : body) {
    std::visit(
        [&](auto& s) {
          using Form = std::decay_t<decltype(s)>;
          if constexpr (std::is_same_v<Form, onf::If>) {
            inside(s.then);
            inside(s.otherwise);
          } else if constexpr (std::is_same_v<Form, onf::While>) {
            inside(s.before);
            inside(s.body);
          } else if constexpr (std::is_same_v<Form, onf::For> ||
                               std::is_same_v<Form, onf::Iterate> ||
                               std::is_same_v<Form, onf::Scope>) {
            inside(s.body);
          }
        },
        statement.form);
  }
  return dropped;
}

}  // namespace

void drop_unread_numbers(Statements& body) {
  while (drop(body, mentions_of(body)) > 0) {
  }
}

}  // namespace rhopsi::schedule
