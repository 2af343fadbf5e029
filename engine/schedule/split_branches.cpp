#include "engine/schedule/split_branches.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/lists.hpp"
#include "engine/onf/make_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/schedule/each_call.hpp"
#include "engine/schedule/row.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Statement;
using onf::Statements;
using onf::VariableId;

bool sets_number(const Statement& statement) {
  return std::holds_alternative<onf::Assign>(statement.form);
}

class SplitBranches {
 public:
  explicit SplitBranches(onf::Function& function) : function_(function) {}

  Statements walk(Statements body) {
    std::vector<bool> choices;
    for (const Statement& statement : body) {
      const auto* branch = std::get_if<onf::If>(&statement.form);
      choices.push_back(branch != nullptr && is_choice(body, *branch));
    }
    Statements made;
    for (std::size_t k = 0; k < body.size(); ++k) {
      onf::each_list_of(body[k], [&](Statements& inner) { inner = walk(std::move(inner)); });
      auto* const branch = std::get_if<onf::If>(&body[k].form);
      if (choices[k] && can_be_split(*branch)) {
        split(std::move(*branch), body[k].location, made);
      } else {
        made.push_back(std::move(body[k]));
      }
    }
    return made;
  }

 private:
  // May something within the statement set a number, which the ones that are moved may read?
  static bool assigns(const Statement& statement) {
    return !onf::assigned_in({statement}).empty() || !onf::given_to_calls({statement}).empty();
  }
  static bool can_be_split(const onf::If& branch) {
    const bool numbers = std::ranges::any_of(branch.then, sets_number) ||
                         std::ranges::any_of(branch.otherwise, sets_number);
    return numbers && weight_of(branch.then) + weight_of(branch.otherwise) > 0 &&
           can_be_split(branch.then) && can_be_split(branch.otherwise);
  }
  static bool can_be_split(const Statements& side) {
    const std::set<VariableId> declared = onf::declared_in(side);
    std::set<VariableId> set;
    for (const Statement& statement : side) {
      const auto* assign = std::get_if<onf::Assign>(&statement.form);
      const Mentions mentions = mentions_of({statement});
      const auto named = [&](VariableId each) { return mentions.variables.contains(each); };
      if (assign == nullptr) {
        // What checks, stops or loops stays what it is.
        const bool plain = weight_of({statement}) > 0 ||
                           std::holds_alternative<onf::Let>(statement.form) ||
                           std::holds_alternative<onf::Allocate>(statement.form) ||
                           std::holds_alternative<onf::Declare>(statement.form) ||
                           std::holds_alternative<onf::Share>(statement.form);
        if (!plain || assigns(statement) || std::ranges::any_of(set, named)) return false;
        continue;
      }
      if (onf::names_views(assign->value) || std::ranges::any_of(declared, named)) return false;
      set.insert(assign->variable);
    }
    return true;
  }

  void split(onf::If branch, term::LocationId location, Statements& made) {
    const onf::Representation type = onf::scalar_of(onf::Scalar::boolean);
    const VariableId condition = added(function_, {"taken", type, location});
    made.push_back({onf::Let{condition, std::move(branch.condition)}, location});
    onf::If numbers;
    branch.condition = numbers.condition = onf::of_variable(condition, type, location);
    take_numbers(branch.then, numbers.then);
    take_numbers(branch.otherwise, numbers.otherwise);
    made.push_back({std::move(branch), location});
    made.push_back({std::move(numbers), location});
  }
  static void take_numbers(Statements& side, Statements& numbers) {
    const auto first = std::ranges::stable_partition(
        side, [](const Statement& each) { return !sets_number(each); });
    std::ranges::move(first, std::back_inserter(numbers));
    side.erase(first.begin(), first.end());
  }

  onf::Function& function_;
};

}  // namespace

void split_branches(onf::Function& function) {
  Statements body = std::move(function.body);
  function.body = SplitBranches(function).walk(std::move(body));
}

}  // namespace rhopsi::schedule
