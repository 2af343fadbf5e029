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
                          TermId to, check::Step step, std::vector<SymbolId> variables = {}) {
    check::Derivation derivation;
    derivation.rules = "Rules";
    if (variables.empty()) variables = {x};
    derivation.axioms.push_back({"rule", "rules.mg:1", variables, left, right, condition});
    for (const auto& [symbol, meaning] : meanings) {
      derivation.operations.push_back(operation(symbol, meaning));
    }
    check::Run run{entry, {}, {from, std::nullopt}, {to, std::nullopt}, {}};
    run.passes.push_back({0, {std::move(step)}});
    derivation.runs.push_back(std::move(run));
    return {"p.mg",
            "P",
            {{entry, {}, {from, std::nullopt}}},
            {std::move(derivation)},
            {},
            {{entry, {}, {to, std::nullopt}}}};
  }

  std::string flaw(const Certificate& certificate, check::Outcome* outcome = nullptr) {
    return flaw_of(check::write(store, certificate), outcome);
  }
};

// f(x) == x where 0 <= h(x), and the lemma 0 <= h(y) where 1 <= y.
TEST_F(ReplayTest, ALemmaDecidesItsInstances) {
  const SymbolId h = function("h");
  const SymbolId y = variable("y");
  const auto positive = [&](TermId term) { return make(less_equal, {number(0), make(h, {term})}); };
  const auto with = [&](int redex, int lemma) {
    const TermId call = make(f, {number(redex)});
    check::Step step{false,           {},
                     {number(redex)}, call,
                     number(redex),   positive(number(redex)),
                     "lemma",         term::Basis::assumed,
                     std::nullopt,    {{0, {number(lemma)}}}};
    Certificate made = certificate(make(f, {make(x)}), make(x), positive(make(x)), call,
                                   number(redex), std::move(step));
    made.derivations[0].lemmas.push_back({"hPositive",
                                          "rules.mg:2",
                                          {y},
                                          positive(make(y)),
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
  Certificate sure = with(3, 3);
  sure.derivations[0].runs[0].passes[0].steps[0].basis = term::Basis::context;
  EXPECT_NE(flaw(sure).find("what rests on a lemma is assumed"), std::string::npos);
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
  const TermId condition = make(less_equal, {make(x), number(5'000'000)});
  const TermId value = make(n);
  const TermId call = make(f, {value});
  const TermId instance = make(less_equal, {value, number(5'000'000)});
  check::Step step{false, {}, {value}, call, value, instance, "Z3", term::Basis::context};
  check::Outcome outcome;
  const auto made = certificate(make(f, {make(x)}), make(x), condition, call, value, step);
  EXPECT_EQ(flaw(made, &outcome), "");
  ASSERT_EQ(outcome.trusted.size(), 1U);
  EXPECT_EQ(outcome.trusted[0].decider, "Z3");
  // Asked, the oracle finds a number for which it is false, and which is too large to be tried.
  EXPECT_NE(flaw_of(check::write(store, made), nullptr, {&oracle}).find("refuted"),
            std::string::npos);
}

TEST_F(ReplayTest, WhatIsFalseForASmallNumberIsFound) {
  const SymbolId n = variable("n");
  const TermId condition = make(less_equal, {make(x), number(12345)});
  const TermId value = make(n);
  const TermId call = make(f, {value});
  const TermId instance = make(less_equal, {value, number(12345)});
  check::Step step{false, {}, {value}, call, value, instance, "Z3", term::Basis::context};
  const std::string said =
      flaw(certificate(make(f, {make(x)}), make(x), condition, call, value, step));
  EXPECT_NE(said.find("does not follow from what the step rests on: it is false for n = 12346"),
            std::string::npos)
      << said;
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

// y = f(e); z = f(e); == y = f(e); z = y; within longer blocks.
struct SequenceReplay : ReplayTest {
  const SymbolId y = store.fresh_variable("y", integer);
  const SymbolId z = store.fresh_variable("z", integer);
  const SymbolId a = store.fresh_variable("a", integer);
  const SymbolId b = store.fresh_variable("b", integer);

  TermId set(SymbolId target, TermId value) {
    return statement(Control::assign, {make(target), value});
  }
  TermId twice(SymbolId one, SymbolId other, TermId value) {
    return statement(Control::block, {set(one, make(f, {value})), set(other, make(f, {value}))});
  }
  TermId shared(SymbolId one, SymbolId other, TermId value) {
    return statement(Control::block, {set(one, make(f, {value})), set(other, make(one))});
  }
  // The statements of `block` between two others.
  TermId within(TermId block) {
    const TermId first = set(a, number(1));  // before the children are looked at: it adds terms
    const auto inner = store.children(block);
    std::vector<TermId> statements{first};
    statements.insert(statements.end(), inner.begin(), inner.end());
    statements.push_back(set(b, make(a)));
    return statement(Control::block, statements);
  }
  std::string of(std::vector<TermId> binding, TermId before, TermId after,
                 std::optional<std::uint32_t> place = 1) {
    check::Step step{false, {}, std::move(binding), before, after, {}, "", term::Basis::context};
    step.statement = place;
    return flaw(certificate(twice(y, z, make(x)), shared(y, z, make(x)), std::nullopt, before,
                            after, step, {y, z, x}));
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(SequenceReplay, StatementsInARowAreReplaced) {
  const TermId five = number(5);
  const std::vector<TermId> binding{make(a), make(b), five};
  const TermId before = within(twice(a, b, five));
  const TermId after = within(shared(a, b, five));
  EXPECT_EQ(of(binding, before, after), "");
  EXPECT_TRUE(has(of(binding, before, after, std::nullopt), "does not say which statements"));
  EXPECT_TRUE(has(of(binding, before, after, 0), "are not the left side"));
  EXPECT_TRUE(has(of(binding, before, after, 9), "are not the left side"));
  EXPECT_TRUE(has(of({make(b), make(a), five}, before, after), "are not the left side"));
  EXPECT_TRUE(has(of(binding, before, within(shared(a, b, number(6)))), "are not the right side"));
  const TermId other = statement(Control::block, {set(a, number(2)), set(a, make(f, {five})),
                                                  set(b, make(a)), set(b, make(a))});
  EXPECT_TRUE(has(of(binding, before, other), "changes other statements"));
}

TEST_F(SequenceReplay, WhatIsChangedIsNoPartOfAValue) {
  const TermId own = make(a);
  EXPECT_TRUE(has(of({make(a), make(b), own}, within(twice(a, b, own)), within(shared(a, b, own))),
                  "mentions what rule changes"));
  const TermId five = number(5);
  EXPECT_TRUE(
      has(of({make(a), make(a), five}, within(twice(a, a, five)), within(shared(a, a, five))),
          "mentions what rule changes"));
}

TEST_F(SequenceReplay, TheRestDoesWithoutWhatIsDeclaredThere) {
  // var y = f(x); == skip; where y is used behind it, and where it is not.
  const SymbolId local = store.fresh_variable("local", integer);
  const auto declared = [&](SymbolId variable, TermId value) {
    return statement(Control::declare, {make(variable), make(f, {value})});
  };
  const TermId skip = statement(Control::skip, {});
  const TermId left = statement(Control::block, {declared(y, make(x))}, {y});
  const TermId right = statement(Control::block, {skip});
  const TermId five = number(5);
  const auto result = [&](TermId rest, std::vector<SymbolId> bound) {
    const TermId before = statement(Control::block, {declared(local, five), rest}, {local});
    const TermId after = statement(Control::block, {skip, rest}, std::move(bound));
    check::Step step{false, {}, {five}, before, after, {}, "", term::Basis::context};
    step.statement = 0;
    return flaw(certificate(left, right, std::nullopt, before, after, step));
  };
  EXPECT_EQ(result(set(a, five), {}), "");
  EXPECT_TRUE(has(result(set(a, five), {local}), "declares other variables"));
  EXPECT_TRUE(has(result(set(a, make(local)), {}), "mentions a variable"));
}

TEST_F(ReplayTest, AnythingElseIsNoCertificate) {
  EXPECT_NE(flaw_of("").find("no JSON"), std::string::npos);
  EXPECT_NE(flaw_of("[1, 2").find("no JSON"), std::string::npos);
  EXPECT_NE(flaw_of("[]").find("no certificate"), std::string::npos);
  EXPECT_NE(flaw_of("{\"format\": \"something\"}").find("no certificate"), std::string::npos);
  EXPECT_NE(flaw_of("{\"format\": \"rhopsi derivation\", \"version\": 9}").find("version 9"),
            std::string::npos);
  EXPECT_NE(flaw_of("{\"format\": \"rhopsi derivation\", \"version\": 1}").find("version 1"),
            std::string::npos);
  EXPECT_NE(flaw_of("{\"format\": \"rhopsi derivation\", \"version\": 2}").find("digest"),
            std::string::npos);
}

}  // namespace
}  // namespace rhopsi::test
