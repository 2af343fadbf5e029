#include "engine/schedule/own_lives.hpp"

#include <initializer_list>
#include <span>
#include <utility>

#include "engine/onf/each_expression.hpp"
#include "engine/schedule/own_sweeps.hpp"

namespace rhopsi::schedule {

using onf::Expr;
using onf::Nest;
using onf::Statement;
using onf::Statements;
using onf::ViewId;

namespace {

// Which arrays are read, whole or by elements, before they are set again. Lengths have other names
// where an array loses its block.
class Liveness {
 public:
  explicit Liveness(const onf::Function& function) : function_(function) {
    Views live;
    for (const onf::Argument& argument : function.arguments) {
      if (argument.view && argument.mode != term::Mode::obs) live.insert(*argument.view);
    }
    pass(function.body, live);
  }

  std::map<ViewId, Views> behind() { return std::move(behind_); }

 private:
  void pass(const Statements& body, Views& live) {
    for (std::size_t k = body.size(); k-- > 0;) {
      std::visit([&](const auto& form) { step(form, body[k], live); }, body[k].form);
    }
  }
  static void read(const Statement& statement, Views& live) {
    const std::span one(&statement, 1);
    onf::each_in(
        one, [](const auto&) {},
        [&](const Expr& whole) {
          onf::each_part(whole, [&](const Expr& e) {
            if (names_elements(e)) live.insert(e.view);
          });
        });
  }

  // The first that is met from the end is the last nest.
  void step(const Nest& s, const Statement& statement, Views& live) {
    behind_.try_emplace(s.target, live);
    for (const Nest::Output& output : s.also) behind_.try_emplace(output.target, live);
    read(statement, live);
    live.insert(s.target);
    for (const Nest::Output& output : s.also) live.insert(output.target);
  }
  void step(const onf::Allocate& s, const Statement&, Views& live) {
    live.erase(s.view);
    if (s.in_place_of) live.insert(*s.in_place_of);
    for (const Expr& extent : *block_of(function_, s.view).extents) condition(extent, live);
  }
  static void step(const onf::Share& s, const Statement&, Views& live) {
    live.erase(s.target);
    live.insert(s.source);
  }
  void step(const onf::If& s, const Statement&, Views& live) {
    Views other = live;
    pass(s.then, live);
    pass(s.otherwise, other);
    live.insert(other.begin(), other.end());
    condition(s.condition, live);
  }
  void step(const onf::For& s, const Statement& statement, Views& live) {
    rounds({&s.body}, statement, live);
  }
  void step(const onf::Iterate& s, const Statement& statement, Views& live) {
    rounds({&s.body}, statement, live);
  }
  void step(const onf::While& s, const Statement& statement, Views& live) {
    rounds({&s.before, &s.body}, statement, live);
  }
  void step(const onf::Scope& s, const Statement&, Views& live) { pass(s.body, live); }
  template <class Form>
  void step(const Form&, const Statement& statement, Views& live) {
    read(statement, live);
  }

  // What a round needs is needed behind the one before it. Nests are looked at with all of that.
  void rounds(std::initializer_list<const Statements*> parts, const Statement& statement,
              Views& live) {
    for (std::size_t known = live.size() + 1; known != live.size();) {
      known = live.size();
      Views around = live;
      for (auto part = parts.end(); part != parts.begin();) {
        forget_nests(**--part);
        pass(**part, around);
      }
      condition_of(statement, around);
      live.insert(around.begin(), around.end());
    }
  }
  void forget_nests(const Statements& body) {
    onf::each_in(
        body,
        [&](const auto& s) {
          if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Nest>) {
            behind_.erase(s.target);
            for (const Nest::Output& output : s.also) behind_.erase(output.target);
          }
        },
        [](const Expr&) {});
  }
  static void condition(const Expr& whole, Views& live) {
    onf::each_part(whole, [&](const Expr& e) {
      if (names_elements(e)) live.insert(e.view);
    });
  }
  static void condition_of(const Statement& statement, Views& live) {
    std::visit(
        [&](const auto& s) {
          if constexpr (requires { s.count; }) condition(s.count, live);
          if constexpr (requires { s.low; }) condition(s.low, live), condition(s.high, live);
          if constexpr (requires { s.condition; }) condition(s.condition, live);
          if constexpr (requires { s.bound; }) condition(s.bound, live);
        },
        statement.form);
  }
  const onf::Function& function_;
  std::map<ViewId, Views> behind_;
};

class Around {
 public:
  Around(const Statements& body, ViewId target) { find(body, target); }
  OwnSurroundings found;

 private:
  static std::vector<const Statements*> lists_of(const Statement& statement) {
    std::vector<const Statements*> lists;
    std::visit(
        [&](const auto& s) {
          using Form = std::decay_t<decltype(s)>;
          if constexpr (std::is_same_v<Form, onf::If>) lists = {&s.then, &s.otherwise};
          if constexpr (std::is_same_v<Form, onf::While>) lists = {&s.before, &s.body};
          if constexpr (std::is_same_v<Form, onf::For> || std::is_same_v<Form, onf::Iterate> ||
                        std::is_same_v<Form, onf::Scope>)
            lists = {&s.body};
        },
        statement.form);
    return lists;
  }
  static bool repeats(const Statement& statement) {
    return std::holds_alternative<onf::For>(statement.form) ||
           std::holds_alternative<onf::Iterate>(statement.form) ||
           std::holds_alternative<onf::While>(statement.form);
  }
  static void all(const Statements& body, std::vector<const Statement*>& into) {
    for (const Statement& statement : body) {
      into.push_back(&statement);
      for (const Statements* list : lists_of(statement)) all(*list, into);
    }
  }
  bool find(const Statements& body, ViewId target) {
    bool within = false;
    for (const Statement& statement : body) {
      const auto* nest = std::get_if<Nest>(&statement.form);
      within = within || (nest != nullptr && nest->target == target);
      if (within) {
        found.behind.push_back(&statement);
        for (const Statements* list : lists_of(statement)) all(*list, found.behind);
        continue;
      }
      found.before.push_back(&statement);
      for (const Statements* list : lists_of(statement)) {
        within = find(*list, target);
        if (within) break;
      }
      if (!within || !repeats(statement)) continue;
      for (const Statements* list : lists_of(statement))
        all(*list, found.before), all(*list, found.behind);
    }
    return within;
  }
};

}  // namespace

std::map<ViewId, Views> needed_behind(const onf::Function& function) {
  return Liveness(function).behind();
}

OwnSurroundings surroundings_of(const Statements& body, ViewId target) {
  return Around(body, target).found;
}

}  // namespace rhopsi::schedule
