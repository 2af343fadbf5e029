// What the checker accepts, and what it refuses, of certificates made by hand.
#include <gtest/gtest.h>

#include "tests/unit/check/certificates.hpp"
#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {
namespace {

using check::Certificate;

// f(x) == x + 0 where 0 <= x, used in a loop body and elsewhere.
struct ReplayTest : testing::Test, Algebra {
  const SymbolId f = function("f");
  const SymbolId x = variable("x");
  const SymbolId k = variable("k");
  const SymbolId entry = function("entry", 0);

  check::Operation operation(SymbolId symbol, Arithmetic meaning) {
    check::Operation made;
    made.symbol = symbol;
    made.meaning = meaning;
    for (SortId sort : store[symbol].parameters) {
      made.parameters.push_back(store.fresh_variable("a", sort, false));
    }
    return made;
  }

  Certificate certificate(TermId left, TermId right, std::optional<TermId> condition, TermId from,
                          TermId to, check::Step step) {
    check::Derivation derivation;
    derivation.rules = "Rules";
    derivation.axioms.push_back({"rule", "rules.mg:1", {x}, left, right, condition});
    for (const auto& [symbol, meaning] : meanings) {
      derivation.operations.push_back(operation(symbol, meaning));
    }
    check::Run run{entry, {from, std::nullopt}, {to, std::nullopt}, {}};
    run.passes.push_back({0, {std::move(step)}});
    derivation.runs.push_back(std::move(run));
    return {"p.mg", "P", {std::move(derivation)}};
  }

  std::string flaw(const Certificate& certificate, check::Outcome* outcome = nullptr) {
    return flaw_of(check::write(store, certificate), outcome);
  }
};

// f(x) == x where 0 <= h(x), and the lemma 0 <= h(y) where 1 <= y.
TEST_F(ReplayTest, ALemmaDecidesItsInstances) {
  const SymbolId h = function("h");
  const SymbolId y = variable("y");
  const auto positive = [&](TermId term) {
    return make(less_equal, {number(0), make(h, {term})});
  };
  const auto with = [&](int redex, int lemma) {
    const TermId call = make(f, {number(redex)});
    check::Step step{false,         {},     {number(redex)},
                     call,          number(redex), positive(number(redex)),
                     "lemma",       term::Basis::context,
                     {{0, {number(lemma)}}}};
    Certificate made = certificate(make(f, {make(x)}), make(x), positive(make(x)), call,
                                   number(redex), std::move(step));
    made.derivations[0].lemmas.push_back({"hPositive", "rules.mg:2", {y}, positive(make(y)),
                                          make(less_equal, {number(1), make(y)})});
    return made;
  };
  check::Outcome outcome;
  EXPECT_EQ(flaw(with(3, 3), &outcome), "");
  EXPECT_TRUE(outcome.trusted.empty());
  ASSERT_EQ(outcome.lemmas.size(), 1U);
  EXPECT_EQ(outcome.lemmas[0], "hPositive (rules.mg:2)");
  EXPECT_NE(flaw(with(3, 4)).find("is no part of the condition"), std::string::npos);
  EXPECT_NE(flaw(with(0, 0)).find("the condition of the lemma hPositive is false"),
            std::string::npos);
  Certificate nothing = with(3, 3);
  nothing.derivations[0].runs[0].passes[0].steps[0].lemmas.clear();
  EXPECT_NE(flaw(nothing).find("go together"), std::string::npos);
  Certificate missing = with(3, 3);
  missing.derivations[0].lemmas.clear();
  EXPECT_NE(flaw(missing), "");
}

TEST_F(ReplayTest, ARangeOfAnIndexDecidesACondition) {
  // fold _+_ (k < 3) f(k), where 0 <= x => f(x) == x
  const TermId condition = make(less_equal, {number(0), make(x)});
  const TermId call = make(f, {make(k)});
  const TermId index = make(k);
  const TermId from = fold(add, k, number(3), call);
  const TermId to = store.make(store.symbol(from), std::vector{number(3), index}, std::vector{k});
  const TermId instance = make(less_equal, {number(0), index});
  check::Step step{false, {1}, {index}, call, index, instance, "interval", term::Basis::context};
  check::Outcome outcome;
  EXPECT_EQ(flaw(certificate(make(f, {make(x)}), make(x), condition, from, to, step), &outcome),
            "");
  EXPECT_EQ(outcome.steps, 1U);
  EXPECT_EQ(outcome.conditions, 1U);
  EXPECT_TRUE(outcome.trusted.empty());
}

TEST_F(ReplayTest, WhatItCannotDecideIsListed) {
  const SymbolId n = variable("n");
  const TermId condition = make(less_equal, {number(0), make(x)});
  const TermId value = make(n);
  const TermId call = make(f, {value});
  const TermId instance = make(less_equal, {number(0), value});
  check::Step step{false, {}, {value}, call, value, instance, "Z3", term::Basis::context};
  check::Outcome outcome;
  const auto made = certificate(make(f, {make(x)}), make(x), condition, call, value, step);
  EXPECT_EQ(flaw(made, &outcome), "");
  ASSERT_EQ(outcome.trusted.size(), 1U);
  EXPECT_EQ(outcome.trusted[0].decider, "Z3");
  // Asked, the oracle finds a number for which it is false.
  EXPECT_NE(flaw_of(check::write(store, made), nullptr, {&oracle}).find("refuted"),
            std::string::npos);
}

TEST_F(ReplayTest, AFalseConditionIsFound) {
  const TermId condition = make(less_equal, {number(0), make(x)});
  const TermId value = number(-3);
  const TermId call = make(f, {value});
  const TermId instance = make(less_equal, {number(0), value});
  check::Step step{false, {}, {value}, call, value, instance, "Z3", term::Basis::context};
  EXPECT_NE(
      flaw(certificate(make(f, {make(x)}), make(x), condition, call, value, step)).find("is false"),
      std::string::npos);
}

TEST_F(ReplayTest, NoVariableIsCaught) {
  // f(x) == fold _+_ (j < 2) x: with k for x, the binder may not be k itself.
  const SymbolId j = variable("j");
  const TermId right = fold(add, j, number(2), make(x));
  const TermId inner = make(k);
  const TermId call = make(f, {inner});
  const TermId from = fold(add, k, number(3), call);
  const auto after = [&](SymbolId bound) {
    return store.make(store.symbol(right), std::vector{number(2), inner}, std::vector{bound});
  };
  const auto with = [&](TermId contractum) {
    const TermId to =
        store.make(store.symbol(from), std::vector{number(3), contractum}, std::vector{k});
    check::Step step{false, {1}, {inner}, call, contractum, {}, "", term::Basis::context};
    return flaw(certificate(make(f, {make(x)}), right, std::nullopt, from, to, step));
  };
  EXPECT_EQ(with(after(variable("m"))), "");
  EXPECT_NE(with(after(k)).find("is not the right side"), std::string::npos);
}

TEST_F(ReplayTest, NoStatementsInTheElementsOfAFold) {
  const SymbolId v = variable("v");
  const TermId right = control(
      Control::block, integer,
      {statement(Control::declare, {make(v), make(x)}), statement(Control::value, {make(v)})}, {v});
  const TermId value = number(5);
  const TermId call = make(f, {value});
  const TermId block = control(
      Control::block, integer,
      {statement(Control::declare, {make(v), value}), statement(Control::value, {make(v)})}, {v});
  const TermId from = fold(add, k, number(3), call);
  const TermId to = store.make(store.symbol(from), std::vector{number(3), block}, std::vector{k});
  check::Step step{false, {1}, {value}, call, block, {}, "", term::Basis::context};
  EXPECT_NE(flaw(certificate(make(f, {make(x)}), right, std::nullopt, from, to, step))
                .find("no statements may stand"),
            std::string::npos);
  step.position = {0};
  const TermId count = fold(add, k, call, make(k));
  const TermId counted =
      store.make(store.symbol(count), std::vector{block, store.children(count)[1]}, std::vector{k});
  EXPECT_EQ(flaw(certificate(make(f, {make(x)}), right, std::nullopt, count, counted, step)), "");
}

TEST_F(ReplayTest, AnythingElseIsNoCertificate) {
  EXPECT_NE(flaw_of("").find("no JSON"), std::string::npos);
  EXPECT_NE(flaw_of("[1, 2").find("no JSON"), std::string::npos);
  EXPECT_NE(flaw_of("[]").find("no certificate"), std::string::npos);
  EXPECT_NE(flaw_of("{\"format\": \"something\"}").find("no certificate"), std::string::npos);
  EXPECT_NE(flaw_of("{\"format\": \"rhopsi derivation\", \"version\": 9}").find("version 9"),
            std::string::npos);
  EXPECT_NE(flaw_of("{\"format\": \"rhopsi derivation\", \"version\": 1}").find("digest"),
            std::string::npos);
}

}  // namespace
}  // namespace rhopsi::test
