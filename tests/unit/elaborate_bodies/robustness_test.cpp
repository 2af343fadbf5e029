// Large and deep bodies.
#include <cstddef>
#include <functional>

#include <gtest/gtest.h>
#include <pthread.h>

#include "frontend/elaborate/raise.hpp"
#include "tests/unit/elaborate_bodies/fixture.hpp"

namespace rhopsi::elaborate::test {
namespace {

constexpr std::string_view kOperators = R"(
  type E; type A; type Int literals integer; type Float literals real;
  function one(): E;  function one(): A;
  function _+_(a: E, b: E): E;  function _+_(a: A, b: A): A;  function _+_(a: E, b: A): A;
  function _+_(a: Float, b: Float): Float;
  predicate ok(a: E);
  procedure change(upd a: E);
)";

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

TEST(Robustness, LongOperatorChain) {
  // Built by hand: how deep a text may nest is the parser's affair.
  term::Store store;
  const Elaborated base = elaborate(store, std::string(kOperators) + "function f(): E;");
  ASSERT_EQ(messages(base.diagnostics), "");
  const auto one = [] {
    auto expr = std::make_shared<syntax::Expr>();
    expr->node = syntax::Call{{"one", {}}, {}, {}, false, false};
    return expr;
  };
  syntax::ExprPtr chain = one();
  for (int i = 0; i < 100000; ++i) {
    auto sum = std::make_shared<syntax::Expr>();
    sum->node = syntax::Call{{"_+_", {}}, {chain, one()}, {}, false, true};
    chain = sum;
  }
  const Scope scope(store, base.theory);
  syntax::Diagnostics diagnostics;
  const Parameters none;
  const auto body =
      elaborate_body(scope, *chain, BodyKind::function, store.sort("E"), none, diagnostics);
  ASSERT_TRUE(body) << messages(diagnostics);
  EXPECT_EQ(term::size(store, *body), 200001u);

  term::Theory theory = base.theory;
  term::Callable* f = theory.find(find(store, theory, "f")->symbol);
  f->body = body;
  const syntax::CallableDecl raised = raise_callable(store, theory, *f);
  const auto again =
      elaborate_body(scope, *raised.body, BodyKind::function, store.sort("E"), none, diagnostics);
  ASSERT_TRUE(again) << messages(diagnostics);
  EXPECT_TRUE(term::alpha_equal(store, *body, *again));
}

TEST(Robustness, ChainOfLiterals) {
  term::Store store;
  const Elaborated result = elaborate(store, std::string(kOperators) + "function f(): Float = 1" +
                                                 repeated("\n + 2.5", 20000) + ";");
  EXPECT_EQ(messages(result.diagnostics), "");
}

// The caller's stack is small; elaboration sees to its own.
std::string on_a_small_stack(const std::function<std::string()>& task) {
  struct Work {
    const std::function<std::string()>& task;
    std::string result;
  } work{task, {}};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{384} << 10);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    Work& mine = *static_cast<Work*>(argument);
    mine.result = mine.task();
    return nullptr;
  };
  EXPECT_EQ(pthread_create(&thread, &attributes, run, &work), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return work.result;
}

// The codes for a module with that procedure `p` or function `f`, on either stack.
std::string nested(const std::string& declaration) {
  const auto codes_of = [&] {
    term::Store store;
    return codes(
        elaborate(store, std::string(kOperators) + "type Index literals vector;" + declaration)
            .diagnostics);
  };
  const std::string result = codes_of();
  EXPECT_EQ(on_a_small_stack(codes_of), result);
  return result;
}

// Brackets may be nested 2000 deep; two of them are around what is repeated here.
constexpr std::size_t kBrackets = 1998;

TEST(Robustness, NestedBlocks) {
  const auto blocks = [](std::size_t depth) {
    return nested("procedure p(upd a: E) {" + repeated("{", depth) + "skip;" +
                  repeated("};", depth) + "}");
  };
  EXPECT_EQ(blocks(kBrackets), "");
  EXPECT_EQ(blocks(kBrackets + 1), "E0104");
}

TEST(Robustness, NestedValueBlocks) {
  EXPECT_EQ(nested("function f(e: E): E = " + repeated("{ value ", kBrackets) + "e" +
                   repeated(";}", kBrackets) + ";"),
            "");
  EXPECT_EQ(nested("function f(e: E): E = " + repeated("{ var x = ", kBrackets) + "e" +
                   repeated("; value x; }", kBrackets) + ";"),
            "");
}

TEST(Robustness, NestedLoops) {
  std::string heads;
  for (std::size_t i = 0; i + 1 < kBrackets; ++i) {
    heads += "for i" + std::to_string(i) + " in 0..1 {";
  }
  EXPECT_EQ(nested("procedure p(upd a: E) {" + heads + "change(a);" +
                   repeated("};", kBrackets - 1) + "}"),
            "");
}

TEST(Robustness, NestedVectors) {
  EXPECT_EQ(nested("axiom a() { var x = " + repeated("[", kBrackets) + "1" +
                   repeated("]", kBrackets) + "; }"),
            "E0222");
}

TEST(Robustness, NestedBranches) {
  constexpr std::size_t depth = 3900;  // no brackets
  EXPECT_EQ(nested("procedure p(upd a: E) {" + repeated("if ok(a) then skip else ", depth) +
                   "change(a); }"),
            "");
  EXPECT_EQ(nested("procedure p(upd a: E) {" + repeated("if ok(a) then ", depth) + "change(a)" +
                   repeated(" else skip", depth) + "; }"),
            "");
  EXPECT_EQ(nested("function f(a: E): E = " + repeated("if ok(a) then a\n else ", depth) + "a;"),
            "");
}

// Deeper than any text can nest: built by hand.
std::string codes_of_statement(const syntax::ExprPtr& statement) {
  term::Store store;
  Elaborated base = elaborate(store, kOperators);
  const Scope scope(store, base.theory);
  elaborate_body(scope, *statement, BodyKind::procedure, store.statement_sort(), {},
                 base.diagnostics);
  return codes(base.diagnostics);
}

syntax::ExprPtr expr_of(syntax::Expr::Node node) {
  auto expr = std::make_shared<syntax::Expr>();
  expr->node = std::move(node);
  return expr;
}

TEST(Robustness, DeeperThanAnyText) {
  syntax::ExprPtr blocks = expr_of(syntax::Skip{});
  for (int i = 0; i < 100000; ++i) blocks = expr_of(syntax::Block{{blocks}});
  EXPECT_EQ(codes_of_statement(blocks), "E0249");

  syntax::ExprPtr vectors = expr_of(syntax::Skip{});
  for (int i = 0; i < 100000; ++i) vectors = expr_of(syntax::VectorLiteral{{vectors}, {}});
  EXPECT_EQ(codes_of_statement(expr_of(syntax::Assert{vectors})), "E0249");
}

TEST(Robustness, ChainOfElseIfIsNotNested) {
  syntax::ExprPtr chain = expr_of(syntax::Skip{});
  const syntax::ExprPtr condition = expr_of(syntax::Variable{{"TRUE", {}}, {}});
  for (int i = 0; i < 100000; ++i) {
    chain = expr_of(syntax::If{condition, expr_of(syntax::Skip{}), chain});
  }
  EXPECT_EQ(codes_of_statement(chain), "");
}

TEST(Robustness, ManyStatements) {
  term::Store store;
  const Elaborated result = elaborate(
      store, std::string(kOperators) + "procedure p(upd a: E) {" +
                 repeated("a = a + a; change(a); if ok(a) then a = a else skip;\n", 5000) + "}");
  EXPECT_EQ(messages(result.diagnostics), "");
}

}  // namespace
}  // namespace rhopsi::elaborate::test
