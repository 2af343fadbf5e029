#include "engine/onf/narrow_rounds.hpp"

#include <algorithm>
#include <map>
#include <type_traits>
#include <variant>

#include "engine/onf/each_expression.hpp"

namespace rhopsi::onf {

namespace {

class NarrowNest {
 public:
  NarrowNest(const Nest& nest, VariableId round) : nest_(nest), round_(round) {
    for (const Statement& statement : nest.body) {
      const auto* let = std::get_if<Let>(&statement.form);
      if (let != nullptr && let->constant && let->value)
        named_.emplace(let->variable, &*let->value);
    }
  }

  bool is() const {
    const Expr& whole = meant(nest_.element);
    if (!nest_.also.empty()) return false;
    if (whole.kind == Expr::Kind::variable) return is_chosen_by_branch(whole.variable);
    return whole.kind == Expr::Kind::if_ && asks_for_round(whole.operands[0]) &&
           is_own_element(whole.operands[2]);
  }

 private:
  const Expr& meant(const Expr& e) const {
    const auto found = e.kind == Expr::Kind::variable ? named_.find(e.variable) : named_.end();
    return found == named_.end() ? e : meant(*found->second);
  }
  // if k == i { let ...; element := ... } else { element := x[k, j] }
  bool is_chosen_by_branch(VariableId element) const {
    return std::ranges::any_of(nest_.body, [&](const Statement& statement) {
      const auto* const branch = std::get_if<If>(&statement.form);
      if (branch == nullptr || branch->otherwise.size() != 1) return false;
      const auto* const kept = std::get_if<Assign>(&branch->otherwise.front().form);
      return kept != nullptr && kept->variable == element && is_own_element(kept->value) &&
             asks_for_round(branch->condition);
    });
  }
  // Is an index of the nest equal to what the round says, or less so by as much as a number?
  bool asks_for_round(const Expr& named) const {
    const Expr& condition = meant(named);
    if (condition.kind != Expr::Kind::apply) return false;
    if (condition.function == ScalarFunction::and_)
      return asks_for_round(condition.operands[0]) || asks_for_round(condition.operands[1]);
    return condition.function == ScalarFunction::equal && names(condition, round_) &&
           std::ranges::any_of(nest_.indices,
                               [&](VariableId index) { return names(condition, index); });
  }
  bool names(const Expr& named, VariableId variable) const {
    const Expr& e = meant(named);
    return (e.kind == Expr::Kind::variable && e.variable == variable) ||
           std::ranges::any_of(e.operands,
                               [&](const Expr& operand) { return names(operand, variable); });
  }
  bool is_own_element(const Expr& named) const {
    const Expr& e = meant(named);
    if (e.kind != Expr::Kind::load || e.operands.size() != nest_.indices.size()) return false;
    return std::ranges::equal(e.operands, nest_.indices,
                              [&](const Expr& component, VariableId index) {
                                const Expr& at = meant(component);
                                return at.kind == Expr::Kind::variable && at.variable == index;
                              });
  }

  const Nest& nest_;
  const VariableId round_;
  std::map<VariableId, const Expr*> named_;
};

std::size_t nests_in(const Statements& body) {
  std::size_t nests = 0;
  each_in(
      body,
      [&](const auto& form) {
        if constexpr (std::is_same_v<std::decay_t<decltype(form)>, Nest>) ++nests;
      },
      [](const Expr&) {});
  return nests;
}

struct NestsOfLoops {
  std::size_t all = 0, narrow = 0;

  void count(const Statements& body, bool in_loop) {
    for (const Statement& statement : body)
      std::visit([&](const auto& form) { count(form, in_loop); }, statement.form);
  }
  template <class Form>
  void count(const Form& form, bool in_loop) {
    if constexpr (std::is_same_v<Form, Nest>) {
      all += in_loop ? 1 : 0;
    } else if constexpr (std::is_same_v<Form, If>) {
      count(form.then, in_loop);
      count(form.otherwise, in_loop);
    } else if constexpr (std::is_same_v<Form, Scope>) {
      count(form.body, in_loop);
    } else if constexpr (std::is_same_v<Form, For> || std::is_same_v<Form, Iterate> ||
                         std::is_same_v<Form, While>) {
      if constexpr (std::is_same_v<Form, For>) {
        if (has_narrow_rounds(form)) narrow += nests_in(form.body);
      }
      count(form.body, true);
    }
  }
};

}  // namespace

bool has_narrow_loops_alone(const Statements& body) {
  NestsOfLoops nests;
  nests.count(body, false);
  return nests.all > 0 && nests.all == nests.narrow;
}

bool has_narrow_rounds(const For& loop) {
  std::size_t nests = 0;
  const bool narrow = std::ranges::all_of(loop.body, [&](const Statement& statement) {
    const auto* nest = std::get_if<Nest>(&statement.form);
    if (nest == nullptr) return true;
    ++nests;
    return NarrowNest(*nest, loop.index).is();
  });
  return narrow && nests > 0 && nests == nests_in(loop.body);
}

}  // namespace rhopsi::onf
