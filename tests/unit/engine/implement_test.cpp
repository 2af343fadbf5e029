#include <gtest/gtest.h>

#include "tests/unit/engine/algebra.hpp"

namespace rhopsi::test {
namespace {

struct ImplementTest : testing::Test, Algebra {
  const SymbolId f = function("f");
  const SymbolId g = function("g");
  const SymbolId h = function("h");
  const SymbolId x = variable("x");
  term::Theory target;
  std::vector<rewrite::ImplementProblem> problems;

  void give_body(SymbolId symbol, TermId body, std::vector<SymbolId> parameters) {
    target.callables.push_back(callable(symbol, std::move(parameters)));
    target.callables.back().body = body;
  }
  term::Derivation implement(std::vector<term::Axiom> axioms) {
    term::Theory generator;
    generator.name = "Generator";
    generator.axioms = std::move(axioms);
    return rewrite::implement(context(), generator, target, problems);
  }
  std::string body_of(SymbolId symbol) {
    const term::Callable* found = target.find(symbol);
    return found && found->body ? text(*found->body) : "none";
  }
};

TEST_F(ImplementTest, AnEquationBecomesABodyWithItsCallsUnfolded) {
  const SymbolId y = variable("y");
  const SymbolId z = variable("z");
  give_body(g, make(add, {make(h, {make(y)}), number(1)}), {y});
  give_body(h, make(multiply, {make(z), make(z)}), {z});
  const auto derivation =
      implement({equation("define", make(f, {make(x)}), make(g, {make(negate, {make(x)})}))});
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(body_of(f), "-x * -x + 1");
  EXPECT_EQ(body_of(g), "h(y) + 1");
  EXPECT_EQ(derivation.runs.at(0).callable, f);
  // The added function has parameters of its own, which the body uses.
  const term::Callable& added = *target.find(f);
  ASSERT_EQ(added.parameters.size(), 1U);
  EXPECT_NE(added.parameters[0], x);
  EXPECT_EQ(term::free_variables(store, *added.body), added.parameters);
}

TEST_F(ImplementTest, DeclaredFunctionsKeepParametersAndGuard) {
  const SymbolId p = variable("p");
  target.callables.push_back(callable(f, {p}));
  target.callables[0].guard = make(less, {number(0), make(p)});
  target.callables[0].required = true;
  implement({equation("define", make(f, {make(x)}), make(add, {make(x), number(1)}))});
  EXPECT_EQ(body_of(f), "p + 1");
  EXPECT_EQ(text(*target.callables[0].guard), "0 < p");
  EXPECT_FALSE(target.callables[0].required);
}

TEST_F(ImplementTest, ConstantsAndRecursionStayCalls) {
  const SymbolId h2 = function("h2");
  const SymbolId constant = function("constant", 0);
  const SymbolId y = variable("y");
  const SymbolId z = variable("z");
  give_body(constant, number(3), {});
  give_body(g, make(h, {make(add, {make(y), make(constant)})}), {y});
  give_body(h, make(g, {make(z)}), {z});
  implement(
      {equation("define", make(f, {make(x)}), make(add, {make(constant), make(g, {make(x)})}))});
  // The axiom itself asks for the constant; in bodies it keeps its name.
  EXPECT_EQ(body_of(f), "3 + g(x)");
  const SymbolId k = function("k", 0);
  give_body(k, make(constant), {});
  implement({equation("define2", make(h2, {make(x)}), make(add, {make(k), make(x)}))});
  EXPECT_EQ(body_of(h2), "constant() + x");
}

// Copies of what binds an index would not be shared.
TEST_F(ImplementTest, ArraysGivenByTheirElementsStayCalls) {
  const SortId array = store.sort("Array");
  const SymbolId table = function("table", {integer}, array);
  const SymbolId twice = function("twice", {integer}, array);
  const SymbolId y = variable("y");
  const SymbolId i = variable("i");
  const TermId parts[] = {make(y), make(multiply, {make(i), make(y)})};
  give_body(table,
            store.make(store.control(term::Control::forall, array), parts, std::vector{i}, {}),
            {y});
  give_body(g, make(add, {make(x), make(x)}), {x});
  implement({equation("define", make(twice, {make(y)}), make(table, {make(g, {make(y)})}))});
  EXPECT_EQ(body_of(twice), "table(y + y)");
}

TEST_F(ImplementTest, StraightLineBlocksBecomeExpressions) {
  const SymbolId y = variable("y");
  const SymbolId u = variable("u");
  const SymbolId v = variable("v");
  const TermId block =
      control(Control::block, integer,
              {statement(Control::declare, {make(u), make(add, {make(y), number(1)})}),
               statement(Control::declare, {make(v), make(multiply, {make(u), make(u)})}),
               statement(Control::value, {make(subtract, {make(v), make(u)})})},
              {u, v});
  give_body(g, block, {y});
  implement({equation("define", make(f, {make(x)}), make(negate, {make(g, {make(x)})}))});
  EXPECT_EQ(body_of(f), "-((x + 1) * (x + 1) - (x + 1))");
}

TEST_F(ImplementTest, OtherBlocksAreInsertedWithFreshVariables) {
  const SymbolId y = variable("y");
  const SymbolId u = store.fresh_variable("u", integer);
  const TermId block =
      control(Control::block, integer,
              {statement(Control::declare, {make(u), make(y)}),
               statement(Control::assign, {make(u), make(add, {make(u), make(y)})}),
               statement(Control::value, {make(u)})},
              {u});
  give_body(g, block, {y});
  implement({equation("define", make(f, {make(x)}),
                      make(add, {make(g, {make(x)}), make(g, {number(2)})}))});
  EXPECT_EQ(body_of(f),
            "{ var u: Int = x; u = u + x; value u; } + { var u: Int = 2; u = u + 2; value u; }");
  const TermId sum = *target.find(f)->body;
  const SymbolId first = store.bound(store.children(sum)[0])[0];
  const SymbolId second = store.bound(store.children(sum)[1])[0];
  EXPECT_NE(first, second);
  EXPECT_NE(first, u);
}

TEST_F(ImplementTest, SaysWhatCannotBeUsed) {
  give_body(g, number(1), {x});
  term::Axiom guarded = equation("guarded", make(f, {make(x)}), make(x));
  guarded.guard = make(less, {number(0), make(x)});
  implement({guarded, equation("again", make(g, {make(x)}), make(x))});
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_NE(problems[0].message.find("already has a body"), std::string::npos);
  EXPECT_NE(problems[1].message.find("only under a condition"), std::string::npos);
  EXPECT_EQ(body_of(f), "none");
}

TEST_F(ImplementTest, WhatIsSaidTwiceIsSaidOnce) {
  const SymbolId y = variable("y");
  give_body(h, make(multiply, {make(y), make(y)}), {y});
  const std::vector<term::Axiom> axioms = {
      equation("first", make(f, {make(x)}), make(g, {make(x)})),
      equation("second", make(g, {make(x)}), make(add, {make(h, {make(x)}), number(1)}))};
  implement(axioms);
  const std::string before = body_of(f);
  implement(axioms);
  EXPECT_TRUE(problems.empty()) << problems[0].message;
  EXPECT_EQ(body_of(f), before);
  implement({equation("other", make(g, {make(x)}), make(add, {make(h, {make(x)}), number(2)}))});
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].message.find("already has a body"), std::string::npos);
}

TEST_F(ImplementTest, OtherAxiomsAreNoProblemWhileOneIsUsable) {
  const SymbolId pair = function("pair", 2);
  const SymbolId y = variable("y");
  const TermId commuted = equal(make(pair, {make(x), make(y)}), make(pair, {make(y), make(x)}));
  const TermId same = equal(make(pair, {make(x), make(x)}), make(x));
  implement({axiom("laws", {assertion(commuted), assertion(same)}),
             equation("use", make(f, {make(x)}), make(pair, {make(x), make(x)}))});
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(body_of(f), "pair(x, x)");
  EXPECT_EQ(body_of(pair), "none");
  target.callables.clear();
  implement({axiom("laws", {assertion(commuted), assertion(same)})});
  EXPECT_EQ(problems.size(), 2U);
}

struct ImplementGuards : ImplementTest {
  const SymbolId y = variable("y");
  const SymbolId small = predicate("small", {integer});

  // The function h: its guard small(y), its body y + 1.
  void SetUp() override {
    give_body(h, make(add, {make(y), number(1)}), {y});
    target.callables.back().guard = make(small, {make(y)});
  }
  std::string guard_of(SymbolId symbol) {
    const term::Callable* found = target.find(symbol);
    return found && found->guard ? text(*found->guard) : "none";
  }
  // The guard that f(x) == right gives to f.
  std::string guard_from(TermId right) {
    implement({equation("define", make(f, {make(x)}), right)});
    return guard_of(f);
  }
};

TEST_F(ImplementGuards, OfWhatIsUnfoldedSpeakOfTheArguments) {
  const SymbolId z = variable("z");
  give_body(g, make(h, {make(multiply, {make(z), make(z)})}), {z});
  target.callables.back().guard = make(less, {number(0), make(z)});
  EXPECT_EQ(guard_from(make(g, {make(negate, {make(x)})})), "0 < -x && small(-x * -x)");
  EXPECT_EQ(body_of(f), "-x * -x + 1");
}

TEST_F(ImplementGuards, OfArgumentsThatTheBodyDropsStay) {
  const SymbolId z = variable("z");
  give_body(g, number(3), {z});
  EXPECT_EQ(guard_from(make(g, {make(h, {make(x)})})), "small(x)");
  EXPECT_EQ(body_of(f), "3");
}

TEST_F(ImplementGuards, WhatMayNotBeEvaluatedAsksForNothing) {
  const TermId call = make(h, {make(x)});
  const SymbolId k = variable("k");
  EXPECT_EQ(guard_from(choose(make(less, {make(x), number(0)}), call, number(1))), "none");
  target.find(f)->body.reset();
  EXPECT_EQ(guard_from(fold(add, k, make(x), call)), "none");
  target.find(f)->body.reset();
  const TermId right =
      both(make(less, {make(x), number(0)}), make(less, {call, make(h, {number(7)})}));
  EXPECT_EQ(guard_from(choose(right, number(0), number(1))), "none");
  target.find(f)->body.reset();
  // The condition of an `if` and the count of a fold are always evaluated.
  EXPECT_EQ(guard_from(choose(make(less, {call, number(0)}), number(0), number(1))), "small(x)");
  target.find(f)->body.reset();
  EXPECT_EQ(guard_from(fold(add, k, make(h, {number(5)}), number(1))), "small(x) && small(5)");
}

TEST_F(ImplementGuards, WhatMentionsOtherVariablesIsLeftOut) {
  const SymbolId k = variable("k");
  EXPECT_EQ(guard_from(fold(add, k, number(3), make(h, {make(k)}))), "none");
  const SymbolId u = store.fresh_variable("u", integer);
  target.find(f)->body.reset();
  const TermId changed = control(Control::block, integer,
                                 {statement(Control::declare, {make(u), make(x)}),
                                  statement(Control::assign, {make(u), number(2)}),
                                  statement(Control::value, {make(h, {make(u)})})},
                                 {u});
  EXPECT_EQ(guard_from(changed), "none");
}

TEST_F(ImplementGuards, StraightLineBlocksSayWhatTheirVariablesAre) {
  const SymbolId z = variable("z");
  const SymbolId u = variable("u");
  const TermId block = control(Control::block, integer,
                               {statement(Control::declare, {make(u), make(negate, {make(z)})}),
                                statement(Control::value, {make(h, {make(u)})})},
                               {u});
  give_body(g, block, {z});
  EXPECT_EQ(guard_from(make(g, {number(4)})), "small(-4)");
}

TEST_F(ImplementGuards, WhatTheGuardImpliesIsLeftOut) {
  target.find(h)->guard = both(make(less, {make(y), number(9)}), make(small, {make(y)}));
  target.callables.push_back(callable(f, {x}));
  target.callables.back().guard = both(make(less, {make(x), number(5)}), make(small, {make(x)}));
  const TermId twice = make(add, {make(h, {make(x)}), make(h, {make(x)})});
  EXPECT_EQ(guard_from(twice), "x < 5 && small(x)");
  target.find(f)->body.reset();
  target.find(f)->guard = make(less, {make(x), number(20)});
  EXPECT_EQ(guard_from(twice), "x < 20 && x < 9 && small(x)");
}

TEST_F(ImplementGuards, EquationsOnPredicatesSayWhatIsImplied) {
  const SymbolId z = variable("z");
  target.callables.push_back(callable(f, {x}));
  target.callables.back().guard = make(less, {make(x), number(5)});
  const term::Axiom means =
      axiom("means", {assertion(builtin(Builtin::iff, {make(small, {make(negate, {make(z)})}),
                                                       make(less, {make(z), number(6)})}))});
  implement({equation("define", make(f, {make(x)}), make(h, {make(negate, {make(x)})})), means});
  EXPECT_EQ(guard_of(f), "x < 5");
  // Not all of it: then the guard is asked for as it stands.
  target.find(f)->body.reset();
  target.find(f)->guard = make(less, {make(x), number(7)});
  implement({equation("define", make(f, {make(x)}), make(h, {make(negate, {make(x)})})), means});
  EXPECT_EQ(guard_of(f), "x < 7 && small(-x)");
}

TEST_F(ImplementGuards, OfCallsThatStayAreNotCopied) {
  const SymbolId primitive = function("primitive");
  target.callables.push_back(callable(primitive, {y}));
  target.callables.back().guard = make(small, {make(y)});
  target.callables.back().external = term::ExternalBinding{nullptr, "primitive"};
  EXPECT_EQ(guard_from(make(primitive, {make(x)})), "none");
}

TEST_F(ImplementTest, TheGuardsOfBothDeclarationsAreKept) {
  const SymbolId p = variable("p");
  target.callables.push_back(callable(f, {p}));
  target.callables[0].guard = make(less, {number(0), make(p)});
  term::Theory generator;
  generator.axioms.push_back(equation("define", make(f, {make(x)}), number(1)));
  generator.callables.push_back(callable(f, {x}));
  generator.callables[0].guard = make(less, {make(x), number(8)});
  rewrite::implement(context(), generator, target, problems);
  EXPECT_EQ(text(*target.find(f)->guard), "0 < p && p < 8");
  rewrite::implement(context(), generator, target, problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(text(*target.find(f)->guard), "0 < p && p < 8");
}

TEST_F(ImplementTest, DeclarationsComeAlong) {
  term::Theory from;
  const SortId wide = store.sort("Long");
  const SymbolId widen = function("widen", {integer}, wide);
  const SymbolId measure = function("measure", {wide}, integer);
  from.types.resize(2);
  from.types[0].sort = integer;
  from.types[1].sort = wide;
  const SymbolId a = variable("a");
  from.callables.push_back(callable(widen, {a}));
  from.callables.back().external = term::ExternalBinding{nullptr, "widen"};
  from.callables.push_back(callable(measure, {store.fresh_variable("b", wide)}));
  from.callables.back().guard = make(less, {make(g, {number(0)}), number(1)});
  from.callables.push_back(callable(g, {variable("c")}));
  from.callables.push_back(callable(h, {variable("d")}));
  target.types.resize(1);
  target.types[0].sort = integer;
  give_body(f, make(measure, {make(widen, {make(x)})}), {x});
  rewrite::import_declarations(store, from, target);
  ASSERT_NE(target.find(widen), nullptr);
  EXPECT_EQ(target.find(widen)->external->original, "widen");
  EXPECT_NE(target.find(measure), nullptr);
  EXPECT_FALSE(target.find(measure)->concrete());
  EXPECT_NE(target.find(g), nullptr) << "needed by a guard that came along";
  EXPECT_EQ(target.find(h), nullptr);
  EXPECT_NE(target.find_type(wide), nullptr);
  EXPECT_EQ(target.types.size(), 2U);
}

// shape(f(A)) == s and psi(p, f(A)) == e.
struct ImplementArrays : ImplementTest {
  const SortId index = store.sort("Index");
  const SymbolId shape = function("shape", {array}, index);
  const SymbolId psi = function("psi", {index, array}, integer);
  const SymbolId twice = function("twice", {array}, array);
  const SymbolId A = store.fresh_variable("A", array, false);
  const SymbolId p = store.fresh_variable("p", index, false);

  term::Axiom shape_axiom() {
    return equation("twiceShape", make(shape, {make(twice, {make(A)})}), make(shape, {make(A)}));
  }
  term::Axiom element_axiom() {
    return equation("twiceElement", make(psi, {make(p), make(twice, {make(A)})}),
                    make(multiply, {number(2), make(psi, {make(p), make(A)})}));
  }
  term::Derivation implement(std::vector<term::Axiom> axioms) {
    rewrite::Context given = context();
    given.interpretation.array_function = [this](SymbolId symbol) {
      if (symbol == shape) return term::ArrayFunction::shape;
      return symbol == psi ? term::ArrayFunction::element : term::ArrayFunction::none;
    };
    term::Theory generator;
    generator.name = "Generator";
    generator.axioms = std::move(axioms);
    generator.callables = {callable(shape, {A}), callable(psi, {p, A}), callable(twice, {A})};
    return rewrite::implement(given, generator, target, problems);
  }
  std::string only_problem() const {
    return problems.size() == 1 ? problems[0].message
                                : std::to_string(problems.size()) + " problems";
  }
};

TEST_F(ImplementArrays, ShapeAndElementAreABody) {
  const auto derivation = implement({element_axiom(), shape_axiom()});
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(body_of(twice), "forall (p < shape(A)) 2 * psi(p, A)");
  // The parameters and the index are of this body alone.
  const term::Callable& made = *target.find(twice);
  EXPECT_EQ(term::free_variables(store, *made.body), made.parameters);
  EXPECT_NE(made.parameters.at(0), A);
  EXPECT_NE(store.bound(*made.body)[0], p);
  EXPECT_EQ(store.sort(*made.body), array);
  // One run for the operation, and each axiom is told.
  ASSERT_EQ(derivation.runs.size(), 1U);
  EXPECT_EQ(derivation.runs[0].callable, twice);
  EXPECT_EQ(derivation.applications.count("twiceShape"), 1U);
  EXPECT_EQ(derivation.applications.count("twiceElement"), 1U);
}

TEST_F(ImplementArrays, WhatTheElementCallsStaysACall) {
  const SymbolId y = variable("y");
  give_body(h, make(add, {make(y), number(1)}), {y});
  implement({shape_axiom(), equation("element", make(psi, {make(p), make(twice, {make(A)})}),
                                     make(h, {make(psi, {make(p), make(A)})}))});
  EXPECT_EQ(body_of(twice), "forall (p < shape(A)) h(psi(p, A))");
}

TEST_F(ImplementArrays, ParametersOfTheTargetAreKept) {
  const SymbolId B = store.fresh_variable("B", array, false);
  target.callables.push_back(callable(twice, {B}));
  target.callables[0].required = true;
  implement({shape_axiom(), element_axiom()});
  EXPECT_EQ(body_of(twice), "forall (p < shape(B)) 2 * psi(p, B)");
  EXPECT_FALSE(target.callables[0].required);
}

TEST_F(ImplementArrays, OneAloneDefinesNothing) {
  implement({shape_axiom()});
  EXPECT_EQ(only_problem(),
            "axiom twiceShape alone does not define `twice(Array): Array`: no rule for psi(twice)");
  problems.clear();
  implement({element_axiom()});
  EXPECT_EQ(only_problem(),
            "axiom twiceElement alone does not define `twice(Array): Array`: no rule for "
            "shape(twice)");
  EXPECT_EQ(body_of(twice), "none");
}

// Of a library that defines something, what lacks an axiom is told of the operation: whether that
// is an error depends on who needs it.
TEST_F(ImplementArrays, OneAloneIsAGapNextToOthers) {
  target.callables.push_back(callable(twice, {A}));
  const SymbolId same = function("same", {array}, array);
  const TermId call = make(same, {make(A)});
  implement({shape_axiom(), equation("sameShape", make(shape, {call}), make(shape, {make(A)})),
             equation("sameElement", make(psi, {make(p), call}), make(psi, {make(p), make(A)}))});
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(body_of(twice), "none");
  ASSERT_TRUE(target.find(twice)->gap);
  EXPECT_EQ(target.find(twice)->gap->message,
            "axiom twiceShape alone does not define `twice(Array): Array`: no rule for psi(twice)");
  EXPECT_TRUE(target.find(same)->from_axioms);
  EXPECT_FALSE(target.find(same)->gap);
}

TEST_F(ImplementArrays, OneWithAConditionDefinesNothing) {
  term::Axiom guarded = element_axiom();
  const SymbolId small = predicate("small", {array});
  guarded.guard = make(small, {make(A)});
  implement({shape_axiom(), guarded});
  EXPECT_EQ(only_problem(),
            "axiom twiceElement cannot define `twice(Array): Array`: it holds only under a "
            "condition");
  EXPECT_EQ(body_of(twice), "none");
}

TEST_F(ImplementArrays, ABodyThatIsThereStays) {
  const SymbolId B = store.fresh_variable("B", array, false);
  give_body(twice, make(B), {B});
  const SymbolId thrice = function("thrice", {array}, array);
  const TermId call = make(thrice, {make(A)});
  implement({shape_axiom(), element_axiom(),
             equation("thriceShape", make(shape, {call}), make(shape, {make(A)})),
             equation("thriceElement", make(psi, {make(p), call}), make(psi, {make(p), make(A)}))});
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(body_of(twice), "B");
  EXPECT_EQ(body_of(thrice), "forall (p < shape(A)) psi(p, A)");
}

// Elements at some index say nothing of the others, and one argument twice nothing of two.
TEST_F(ImplementArrays, OnlyWholeDefinitionsCount) {
  const SymbolId first = function("first", std::vector<SortId>{}, index);
  const SymbolId sum = function("sum", {array, array}, array);
  const TermId same = make(sum, {make(A), make(A)});
  implement({shape_axiom(), element_axiom(),
             equation("atFirst", make(psi, {make(first), make(twice, {make(A)})}), number(0)),
             equation("sumShape", make(shape, {same}), make(shape, {make(A)})),
             equation("sumElement", make(psi, {make(p), same}), make(psi, {make(p), make(A)}))});
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(body_of(twice), "forall (p < shape(A)) 2 * psi(p, A)");
  EXPECT_EQ(body_of(sum), "none");
}

}  // namespace
}  // namespace rhopsi::test
