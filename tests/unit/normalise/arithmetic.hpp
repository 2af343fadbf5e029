// Numbers in unary, and what tests need to write rules about them.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/normalise/machine.hpp"

namespace rhopsi::tests {

class Arithmetic : public testing::Test {
 protected:
  Arithmetic() {
    sort = store.sort("Nat");
    z = operation("z", 0);
    s = operation("s", 1);
    add = operation("add", 2);
    x = variable("x");
    y = variable("y");
    rule(make(add, {make(z, {}), y}), y);
    rule(make(add, {make(s, {x}), y}), make(s, {make(add, {x, y})}));
  }

  term::SymbolId operation(const std::string& name, std::size_t arity) {
    const std::vector<term::SortId> parameters(arity, sort);
    return store.operation(term::SymbolKind::function, name, parameters, sort);
  }
  term::TermId variable(const std::string& name) {
    return store.make(store.fresh_variable(name, sort));
  }
  term::TermId make(term::SymbolId symbol, std::initializer_list<term::TermId> children) {
    return store.make(symbol, children);
  }
  void rule(term::TermId left, term::TermId right) {
    rules.push_back({"rule" + std::to_string(rules.size()), left, right, {}});
  }
  void compile() {
    std::vector<normalise::Problem> problems;
    program = normalise::compile(store, rules, problems);
    EXPECT_TRUE(problems.empty());
  }
  normalise::Symbol symbol(term::SymbolId id) const {
    return program.of_operation[static_cast<std::size_t>(id)] - 1;
  }

  term::Store store;
  term::SortId sort;
  term::SymbolId z, s, add;
  term::TermId x, y;
  std::vector<normalise::Rule> rules;
  normalise::Program program;
};

// Operations on numbers that rewrite forever, in ways that fill different things.
class EndlessRules : public Arithmetic {
 protected:
  EndlessRules() {
    loop = operation("loop", 1);
    grow = operation("grow", 1);
    pile = operation("pile", 1);
    rule(make(loop, {x}), make(loop, {x}));
    rule(make(grow, {x}), make(grow, {make(s, {x})}));
    rule(make(pile, {x}), make(s, {make(pile, {x})}));
  }

  term::SymbolId loop, grow, pile;
  std::unique_ptr<normalise::Machine> machine;
};

}  // namespace rhopsi::tests
