#include "engine/schedule/plain_nests.hpp"

#include <algorithm>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/onf/alike.hpp"
#include "engine/onf/each_expression.hpp"
#include "engine/onf/nest_variables.hpp"
#include "engine/onf/shapes.hpp"
#include "engine/schedule/split_folds.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::Fold;
using onf::Lazy;
using onf::Let;
using onf::Nest;
using onf::Statement;
using onf::Statements;
using onf::VariableId;

// Is the variable read whenever e is computed?
bool surely_reads(const Expr& e, VariableId variable) {
  if (e.kind == Expr::Kind::variable) return e.variable == variable;
  const auto read = [&](const Expr& operand) { return surely_reads(operand, variable); };
  return onf::is_lazy(e) ? read(e.operands.front()) : std::ranges::any_of(e.operands, read);
}
// Whenever there is a step of each fold.
bool surely_reads(const Statements& body, VariableId variable) {
  return std::ranges::any_of(body, [&](const Statement& statement) {
    if (const auto* fold = std::get_if<Fold>(&statement.form)) {
      return surely_reads(fold->count, variable) || surely_reads(fold->body, variable) ||
             surely_reads(fold->element, variable);
    }
    const auto* let = std::get_if<Let>(&statement.form);
    return let != nullptr && let->value && surely_reads(*let->value, variable);
  });
}

// The statements with the values of Lazy as names; the Lazy ones are noted.
Statements flattened(const Statements& body, std::vector<VariableId>& lazy) {
  Statements made;
  for (const Statement& statement : body) {
    const auto* one = std::get_if<Lazy>(&statement.form);
    if (one == nullptr) {
      made.push_back(statement);
      continue;
    }
    for (Statement& inner : flattened(one->body, lazy)) made.push_back(std::move(inner));
    made.push_back({Let{one->variable, one->value}, statement.location});
    lazy.push_back(one->variable);
  }
  return made;
}

// Is every access proved to be within its array, wherever its place is reached?
bool is_decided(const onf::Module& module, const onf::Function& function) {
  return std::ranges::none_of(onf::check_shapes(module, function), [](const onf::Problem& problem) {
    return problem.code == "E0524" || problem.error;
  });
}

// The nest's body with the values of Lazy as names. Nothing where one of them is not read for every
// element, or may fail where it is not.
std::optional<Statements> eager_body(const Nest& nest, bool decided) {
  std::vector<VariableId> lazy;
  Statements body = flattened(nest.body, lazy);
  if (lazy.empty()) return body;
  const bool read = std::ranges::all_of(lazy, [&](VariableId variable) {
    return surely_reads(nest.element, variable) || surely_reads(body, variable);
  });
  if (!read || !decided || !never_fails(body)) return std::nullopt;
  return body;
}

class Replacing {
 public:
  Replacing(const onf::Module& module, const onf::Function& function, const InPlaceOf& in_place_of)
      : in_place_of_(in_place_of),
        decided_(has_lazy(function.body) && is_decided(module, function)) {}

  Statements run(Statements body) {
    Statements made;
    for (std::size_t at = 0; at < body.size(); ++at) {
      Statement& statement = body[at];
      std::visit([&](auto& form) { visit(form); }, statement.form);
      const auto* nest = std::get_if<Nest>(&statement.form);
      const auto* next = at + 1 < body.size() ? std::get_if<Nest>(&body[at + 1].form) : nullptr;
      auto parts = nest != nullptr && (next == nullptr || !next->joined)
                       ? replaced(*nest, statement.location)
                       : std::nullopt;
      if (!parts) {
        made.push_back(std::move(statement));
        continue;
      }
      for (Statement& part : *parts) made.push_back(std::move(part));
    }
    return made;
  }

 private:
  std::optional<Statements> replaced(const Nest& nest, term::LocationId location) const {
    const bool plain = nest.box && nest.also.empty() && !nest.padded && !nest.joined && !nest.tile;
    if (!plain || reads_lazily(nest)) return std::nullopt;
    auto body = eager_body(nest, decided_);
    if (!body || !computes(*body)) return std::nullopt;
    return in_place_of_(nest, std::move(*body), location);
  }

  // What is computed where it is read first may be read there.
  bool reads_lazily(const Nest& nest) const {
    const std::set<VariableId> captured = onf::captured_by(nest).variables;
    return std::ranges::any_of(lazy_, [&](VariableId id) { return captured.contains(id); });
  }

  void visit(Nest&) {}
  void visit(Lazy& lazy) { lazy_.insert(lazy.variable); }
  void visit(onf::If& choice) {
    choice.then = run(std::move(choice.then));
    choice.otherwise = run(std::move(choice.otherwise));
  }
  template <class Form>
  void visit(Form& form) {
    if constexpr (requires { form.before; }) form.before = run(std::move(form.before));
    if constexpr (requires { form.body; }) form.body = run(std::move(form.body));
  }

  const InPlaceOf& in_place_of_;
  bool decided_;  // where something is computed where it is read first
  std::set<VariableId> lazy_;
};

}  // namespace

bool is_whole(const onf::Function& function, const Nest& nest) {
  const auto& extents =
      function.blocks[onf::number(function.views[onf::number(nest.target)].block)].extents;
  return nest.box && extents && !extents->empty() &&
         std::ranges::equal(*nest.box, *extents, [](const onf::Interval& a, const Expr& extent) {
           return a.low.kind == Expr::Kind::integer && a.low.integer == 0 &&
                  onf::is_same(a.high, extent);
         });
}

bool never_fails(const Expr& whole) {
  bool never = true;
  onf::each_part(whole, [&](const Expr& e) {
    const bool calls = e.kind == Expr::Kind::call || e.kind == Expr::Kind::external ||
                       e.kind == Expr::Kind::library;
    const bool divides =
        e.kind == Expr::Kind::apply && e.type.scalar == onf::Scalar::int64 &&
        (e.function == onf::ScalarFunction::divide || e.function == onf::ScalarFunction::modulo);
    const bool by_number =
        divides && e.operands[1].kind == Expr::Kind::integer && e.operands[1].integer > 0;
    never = never && !calls && (!divides || by_number);
  });
  return never;
}

bool never_fails(const Statements& body) {
  bool never = true;
  const auto form = [&](const auto& s) {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Fold>)
      never = never && s.function.has_value();
  };
  onf::each_in(body, form, [&](const Expr& e) { never = never && never_fails(e); });
  return never;
}

void replace_plain_nests(const onf::Module& module, onf::Function& function,
                         const InPlaceOf& in_place_of) {
  function.body = Replacing(module, function, in_place_of).run(std::move(function.body));
}

}  // namespace rhopsi::schedule
