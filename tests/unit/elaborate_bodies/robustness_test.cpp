// Large and deep bodies.
#include <cstddef>
#include <functional>

#include <gtest/gtest.h>
#include <pthread.h>

#include "frontend/elaborate/raise.hpp"
#include "tests/unit/elaborate_bodies/fixture.hpp"

namespace rhopsi::elaborate::test {
namespace {

constexpr std::string_view kBase = R"(
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
  const Elaborated base = elaborate(store, std::string(kBase) + "function f(): E;");
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
  const Elaborated result = elaborate(
      store, std::string(kBase) + "function f(): Float = 1" + repeated("\n + 2.5", 20000) + ";");
  EXPECT_EQ(messages(result.diagnostics), "");
}

// Elaboration reports what is too deep for the stack that it runs on.
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

TEST(Robustness, NestedBlocks) {
  term::Store store;
  const auto nested = [&](std::size_t depth) {
    return codes(elaborate(store, std::string(kBase) + "procedure p" + std::to_string(depth) +
                                      "(upd a: E) {" + repeated("{", depth) + "change(a);" +
                                      repeated("};", depth) + "}")
                     .diagnostics);
  };
  EXPECT_EQ(nested(900), "");
  EXPECT_EQ(on_a_small_stack([&] { return nested(1900); }), "E0249");
}

TEST(Robustness, NestedValueBlocks) {
  term::Store store;
  const auto nested = [&](std::size_t depth) {
    return codes(elaborate(store, std::string(kBase) +
                                      "function f(e: E): E = " + repeated("{ value ", depth) + "e" +
                                      repeated(";}", depth) + ";")
                     .diagnostics);
  };
  EXPECT_EQ(nested(1900), "");
}

TEST(Robustness, NestedVectorsAndBranches) {
  term::Store store;
  const std::string base = std::string(kBase) + "type Index literals vector;";
  EXPECT_EQ(codes(elaborate(store, base + "axiom a() { var x = " + repeated("[", 900) + "1" +
                                       repeated("]", 900) + "; }")
                      .diagnostics),
            "E0222");
  EXPECT_EQ(codes(elaborate(store, base + "procedure p(upd a: E) {" +
                                       repeated("if ok(a) then skip else ", 3000) + "skip; }")
                      .diagnostics),
            "");
  EXPECT_EQ(codes(elaborate(store, base + "function f(a: E): E = " +
                                       repeated("if ok(a) then a\n else ", 1500) + "a;")
                      .diagnostics),
            "");
}

TEST(Robustness, ManyStatements) {
  term::Store store;
  const Elaborated result = elaborate(
      store, std::string(kBase) + "procedure p(upd a: E) {" +
                 repeated("a = a + a; change(a); if ok(a) then a = a else skip;\n", 5000) + "}");
  EXPECT_EQ(messages(result.diagnostics), "");
}

}  // namespace
}  // namespace rhopsi::elaborate::test
