// The program of docs/architecture.md: a signature, rules, a normal form and its derivation.
#include <fstream>
#include <iostream>
#include <sstream>

#include <gtest/gtest.h>

// [docs]
#include "engine/normalise/machine.hpp"

using namespace rhopsi;

void derive(std::ostream& out) {
  term::Store store;
  const auto nat = store.sort("Nat");
  const auto zero = store.operation(term::SymbolKind::function, "0", {}, nat);
  const auto s = store.operation(term::SymbolKind::function, "s", {{nat}}, nat);
  const auto add = store.operation(term::SymbolKind::function, "add", {{nat, nat}}, nat);
  const auto x = store.make(store.fresh_variable("x", nat));
  const auto y = store.make(store.fresh_variable("y", nat));
  const auto none = store.make(zero);
  const std::vector<normalise::Rule> rules{
      {"add0", store.make(add, {none, y}), y},
      {"addS", store.make(add, {store.make(s, {x}), y}), store.make(s, {store.make(add, {x, y})})}};
  std::vector<normalise::Problem> problems;
  const normalise::Program program = normalise::compile(store, rules, problems);
  normalise::Machine machine(program);
  machine.record_steps(true);
  const auto two = store.make(s, {store.make(s, {none})});
  const auto outcome = machine.normalise(*machine.load(store, store.make(add, {two, two})));
  out << normalise::to_string(store, machine, outcome.term) << "\n" << describe(store, machine);
}
// [docs]

namespace {

TEST(Derivation, OfTwoAndTwo) {
  std::stringstream out;
  derive(out);
  EXPECT_EQ(out.str(),
            "s(s(s(s(0))))\n"
            "addS: add(s(s(0)), s(s(0))) => s(add(s(0), s(s(0))))\n"
            "addS: add(s(0), s(s(0))) => s(add(0, s(s(0))))\n"
            "add0: add(0, s(s(0))) => s(s(0))\n");
}

std::string text_of(const std::string& path) {
  std::ifstream file(RHOPSI_SOURCE_DIR "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Derivation, TheProgramIsTheOneOfTheDocuments) {
  const std::string mark = "// [docs]\n";
  const std::string test = text_of("tests/unit/normalise/derivation_test.cpp");
  const std::size_t begin = test.find("\n" + mark) + 1 + mark.size();
  const std::string program = test.substr(begin, test.find("\n" + mark, begin) - begin);
  EXPECT_GT(program.size(), 1000U);
  EXPECT_NE(text_of("docs/architecture.md").find(program), std::string::npos);
}

}  // namespace
