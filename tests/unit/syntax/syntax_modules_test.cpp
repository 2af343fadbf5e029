#include "tests/unit/syntax/syntax_reading.hpp"

namespace rhopsi::syntax::testing {

namespace {

const ModuleExpr& definition(const Reading& reading, std::size_t index = 0) {
  return *std::get<ModuleDecl>(reading.package->declarations.at(index)).definition;
}
const std::vector<BodyItem>& items(const Reading& reading) {
  return std::get<ModuleBody>(definition(reading).node).items;
}
Reading body(const std::string& text) {
  return read_package("package p; concept C = { " + text + " }");
}
const CallableDecl& only_callable(const Reading& reading) {
  return std::get<CallableDecl>(items(reading).at(0));
}

}  // namespace

TEST(Modules, HeadAndImports) {
  const Reading reading = read_package("package examples.pde.mg-src.x imports a.b-c, d;");
  ASSERT_TRUE(reading.package) << reading.rendered();
  EXPECT_EQ(reading.package->name.text, "examples.pde.mg-src.x");
  ASSERT_EQ(reading.package->imports.size(), 2u);
  EXPECT_EQ(reading.package->imports[0].text, "a.b-c");
}

TEST(Modules, TopDeclarationsWithAndWithoutSemicolons) {
  const Reading reading = read_package(
      "package p; concept A = B program P = Q;; renaming R = [a => b, S]\n"
      "satisfaction X = A with B models C[T => U]; satisfaction Y = A approximates B;");
  ASSERT_TRUE(reading.package);
  EXPECT_FALSE(reading.diagnostics.has_errors()) << reading.rendered();
  ASSERT_EQ(reading.package->declarations.size(), 5u);
  const auto& x = std::get<SatisfactionDecl>(reading.package->declarations[3]);
  EXPECT_TRUE(x.with && !x.approximates);
  EXPECT_TRUE(std::get<SatisfactionDecl>(reading.package->declarations[4]).approximates);
}

TEST(Modules, Types) {
  const Reading reading =
      body("type T; type Ts...; require type U literals integer, vector; type R literals real;");
  ASSERT_FALSE(reading.diagnostics.has_errors()) << reading.rendered();
  EXPECT_TRUE(std::get<TypeDecl>(items(reading)[1]).pack);
  const auto& u = std::get<TypeDecl>(items(reading)[2]);
  EXPECT_TRUE(u.required && u.integer_literals && u.vector_literals && !u.real_literals);
  EXPECT_TRUE(std::get<TypeDecl>(items(reading)[3]).integer_literals);
}

TEST(Modules, CallablesOfEveryKind) {
  const Reading reading = body(
      "axiom a(x: T) { assert x == x; }; theorem t() = { skip; } function _+_(a: T, b: T): T;"
      "predicate p(x: T) = x == x; require procedure q(obs a: T, upd b: T, out c: T, obs: T); "
      "function -_(a: T): T;"
      "function f(xs: T...): T = g(xs...);");
  ASSERT_FALSE(reading.diagnostics.has_errors()) << reading.rendered();
  ASSERT_EQ(items(reading).size(), 7u);
  const auto& q = std::get<CallableDecl>(items(reading)[4]);
  EXPECT_TRUE(q.required);
  EXPECT_EQ(q.parameters[2].mode, Mode::out);
  EXPECT_EQ(q.parameters[3].name.text, "obs");
  EXPECT_FALSE(q.parameters[3].mode);
  EXPECT_TRUE(std::get<CallableDecl>(items(reading)[6]).parameters[0].type.variadic);
}

TEST(Modules, GuardsLeaveTheDefinitionAlone) {
  const Reading plain = body("function f(x: T): T guard x = y;");
  ASSERT_FALSE(plain.diagnostics.has_errors()) << plain.rendered();
  EXPECT_EQ(shape(*only_callable(plain).guard), "x");
  EXPECT_EQ(shape(*only_callable(plain).body), "y");
  const Reading chain = body("function f(x: T): T guard p(x) && x = { value y; }");
  EXPECT_EQ(shape(*only_callable(chain).guard), "_&&_(p(x),x)");
  const Reading inner = body("function f(x: T): T guard p((x = y)) { value y; }");
  EXPECT_EQ(shape(*only_callable(inner).guard), "p(x:=y)");
  EXPECT_EQ(shape(*only_callable(body("predicate f(x: T) guard p(x);")).guard), "p(x)");
}

TEST(Modules, UsesAndRequires) {
  const Reading reading =
      body("use M; require N[a => b]; require type; use signature(A[x => y]); require function;");
  ASSERT_FALSE(reading.diagnostics.has_errors()) << reading.rendered();
  EXPECT_TRUE(std::get<UseDecl>(items(reading)[1]).require);
  EXPECT_EQ(std::get<ModuleName>(std::get<UseDecl>(items(reading)[2]).module->node).name.text,
            "type");
}

TEST(Modules, RenamingsBindToTheNearestModule) {
  const Reading reading = read_package(
      "package p; program A = rewrite M[a => b] with N[[c => d, _+_ => -_]][R] 20;"
      "program B = implement G in M[a => b]; program C = (implement G in M)[a => b];"
      "program D = external C++ lib.x { type T; }[T => U];");
  ASSERT_FALSE(reading.diagnostics.has_errors()) << reading.rendered();
  const Rewrite& rewrite = std::get<Rewrite>(definition(reading).node);
  EXPECT_EQ(rewrite.bound, 20u);
  EXPECT_EQ(rewrite.target->renamings.size(), 1u);
  ASSERT_EQ(rewrite.rules->renamings.size(), 2u);
  EXPECT_TRUE(rewrite.rules->renamings[0].partial);
  EXPECT_EQ(rewrite.rules->renamings[0].items[1].source.text, "_+_");
  EXPECT_FALSE(rewrite.rules->renamings[1].items[0].target);
  EXPECT_TRUE(definition(reading, 1).renamings.empty());
  EXPECT_EQ(definition(reading, 2).renamings.size(), 1u);
  EXPECT_TRUE(definition(reading, 3).renamings.empty());
  EXPECT_EQ(std::get<External>(definition(reading, 3).node).module->renamings.size(), 1u);
}

TEST(Modules, NestedTransformations) {
  const Reading reading = read_package(
      "package p; program P = { use (rewrite (rewrite (implement G in M) with A 10) with B[x => y] "
      "1); };"
      "program rewrite = rewrite rewrite rewrite with A 1 with B 2;");
  ASSERT_FALSE(reading.diagnostics.has_errors()) << reading.rendered();
  const Rewrite& outer = std::get<Rewrite>(definition(reading, 1).node);
  EXPECT_EQ(outer.bound, 2u);
  EXPECT_EQ(std::get<ModuleName>(std::get<Rewrite>(outer.target->node).target->node).name.text,
            "rewrite");
}

TEST(Modules, ExternalsKeepTheirAttributes) {
  const Reading reading = read_package(
      "package p; program A = external CUDA[dims(1, [2]), globals] a.b-c { }; program B = external "
      "Kokkos x M;"
      "program C = external;");
  ASSERT_FALSE(reading.diagnostics.has_errors()) << reading.rendered();
  const External& external = std::get<External>(definition(reading).node);
  EXPECT_EQ(external.attributes, "dims(1, [2]), globals");
  EXPECT_EQ(external.path.text, "a.b-c");
  EXPECT_EQ(std::get<ModuleName>(definition(reading, 2).node).name.text, "external");
}

TEST(Modules, Comments) {
  const Reading reading = read_package(
      "// head\npackage p; /* one */ /*< a /*< b >*/ c >*/ concept A = { // end\n type T; }");
  EXPECT_FALSE(reading.diagnostics.has_errors()) << reading.rendered();
}

TEST(Modules, PrintedTextIsReadAgain) {
  const Reading reading = read_package(
      "package a.b-c imports x, y; concept A = { type T...; type R literals integer, real, vector;"
      " require M[[a => b]]; axiom x(a: T, xs: U...) guard p(a) && q { var y = a; assert f(a, y, "
      "xs...) == -y * (a + y); }"
      " procedure p(obs a: T, out b: T) { for i in 0 .. n { b = a; }; iterate (n + 1) call q(b);"
      " while a < b bound 10 { skip; }; value if c then (a + b) * c else d; } }"
      "program B = (external CUDA[x] a.b { type T; })[T => U];"
      "program C = rewrite (implement G in (A[a => b])) with signature(B) 3;"
      "satisfaction S = (rewrite A with B 1) with C models D;");
  ASSERT_FALSE(reading.diagnostics.has_errors()) << reading.rendered();
  const std::string printed = print(*reading.package);
  const Reading again = read_package(printed);
  ASSERT_FALSE(again.diagnostics.has_errors()) << again.rendered() << printed;
  EXPECT_TRUE(equal(*reading.package, *again.package)) << printed;
  EXPECT_EQ(print(*again.package), printed);
}

}  // namespace rhopsi::syntax::testing
