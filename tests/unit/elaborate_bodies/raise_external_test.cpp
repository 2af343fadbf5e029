// How external blocks are re-stated.
#include <gtest/gtest.h>

#include "frontend/elaborate/raise.hpp"
#include "frontend/syntax/print.hpp"
#include "tests/unit/elaborate_bodies/fixture.hpp"

namespace rhopsi::elaborate::test {
namespace {

// Binds types and operations of the theory to one block, each with its original name.
struct Binding {
  std::string now;
  std::string original;
  bool required = false;
};

void bind(term::Store& store, term::Theory& theory, const std::string& path,
          const std::vector<Binding>& types, const std::vector<Binding>& operations) {
  auto block = std::make_shared<term::ExternalBlock>();
  block->backend = "C++";
  block->path = path;
  for (const Binding& type : types) {
    block->types.push_back({type.original, store.sort(type.now), type.required});
  }
  for (const Binding& operation : operations) {
    for (const term::Callable& callable : theory.callables) {
      if (store[callable.symbol].name != operation.now) continue;
      block->operations.push_back({operation.original, callable.symbol, operation.required});
    }
  }
  for (term::Type& type : theory.types) {
    for (const Binding& bound : types) {
      if (!bound.required && store.sort(bound.now) == type.sort) {
        type.external = {block, bound.original};
      }
    }
  }
  for (term::Callable& callable : theory.callables) {
    for (const Binding& bound : operations) {
      if (!bound.required && store[callable.symbol].name == bound.now) {
        callable.external = {block, bound.original};
      }
    }
  }
}

TEST(RaiseExternal, OriginalNamesAndTheWayBack) {
  term::Store store;
  Elaborated base = elaborate(store, R"(
    type Float literals real;  type Array;
    function _+_(a: Float, b: Float): Float;
    function run(a: Array): Array;
    function element(a: Array): Float = 1.5;
  )");
  ASSERT_EQ(messages(base.diagnostics), "");
  bind(store, base.theory, "lib.base", {{"Float", "E"}, {"Array", "Array", true}},
       {{"_+_", "plus"}, {"run", "run"}, {"element", "kernel", true}});
  const std::string text = syntax::print(raise(store, base.theory, "test"));
  syntax::Diagnostics diagnostics;
  const auto file = std::make_shared<const syntax::SourceFile>("t.mg", text);
  EXPECT_TRUE(syntax::parse_package(file, diagnostics));
  EXPECT_EQ(messages(diagnostics), "") << text;
  EXPECT_TRUE(contains(text, "external C++ lib.base")) << text;
  EXPECT_TRUE(contains(text, "type E literals")) << text;
  EXPECT_TRUE(contains(text, "require type Array;")) << text;
  EXPECT_TRUE(contains(text, "function plus(a: E, b: E): E;")) << text;
  EXPECT_TRUE(contains(text, "require function kernel(a: Array): E;")) << text;
  EXPECT_TRUE(contains(text, "plus => _+_")) << text;
  EXPECT_TRUE(contains(text, "kernel => element")) << text;
  EXPECT_TRUE(contains(text, "E => Float")) << text;
  // The body of what the block requires stands outside.
  EXPECT_TRUE(contains(text, "function element(a: Array): Float = 1.5;")) << text;
}

TEST(RaiseExternal, OneNameThatBecameTwo) {
  term::Store store;
  Elaborated base = elaborate(store, "type A; type B; function f(a: A): A; function g(b: B): B;");
  bind(store, base.theory, "lib.two", {{"A", "A"}, {"B", "B"}}, {{"f", "op"}, {"g", "op"}});
  const syntax::Package package = raise(store, base.theory, "test");
  const auto& module = std::get<syntax::ModuleDecl>(package.declarations[0]);
  std::size_t uses = 0;
  std::size_t bound_types = 0;
  for (const syntax::BodyItem& item : std::get<syntax::ModuleBody>(module.definition->node).items) {
    const auto* use = std::get_if<syntax::UseDecl>(&item);
    if (!use) continue;
    ++uses;
    const auto& external = std::get<syntax::External>(use->module->node);
    for (const auto& inner : std::get<syntax::ModuleBody>(external.module->node).items) {
      const auto* type = std::get_if<syntax::TypeDecl>(&inner);
      if (type && !type->required) ++bound_types;
    }
  }
  EXPECT_EQ(uses, 2u);
  EXPECT_EQ(bound_types, 2u);  // in the first block only
}

TEST(RaiseExternal, ForeignTypeWhoseNameIsTaken) {
  term::Store store;
  Elaborated base = elaborate(store, "type T; type U; function f(a: T, b: U): T;");
  // What the block calls `U` is called `T` now; today's `U` is none of its business.
  bind(store, base.theory, "lib.x", {{"T", "U"}}, {{"f", "f"}});
  const std::string text = syntax::print(raise(store, base.theory, "test"));
  EXPECT_TRUE(contains(text, "function f(a: U, b: U_): U;")) << text;
  EXPECT_TRUE(contains(text, "U_ => U")) << text;
  EXPECT_TRUE(contains(text, "U => T")) << text;
}

TEST(RaiseExternal, GuardsStandOutside) {
  term::Store store;
  Elaborated base =
      elaborate(store, "type T; predicate ok(a: T); function f(a: T): T guard ok(a);");
  bind(store, base.theory, "lib.x", {{"T", "T"}}, {{"f", "f"}});
  const std::string text = syntax::print(raise(store, base.theory, "test"));
  EXPECT_TRUE(contains(text, "function f(a: T): T guard ok(a);")) << text;
}

}  // namespace
}  // namespace rhopsi::elaborate::test
