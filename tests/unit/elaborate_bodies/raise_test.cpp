// elaborate(raise(theory)) is the theory.
#include "frontend/elaborate/raise.hpp"

#include <gtest/gtest.h>

#include "frontend/syntax/print.hpp"
#include "tests/unit/elaborate_bodies/fixture.hpp"

namespace rhopsi::elaborate::test {
namespace {

// Raises, prints, reads again and compares; gives the text that was printed.
std::string round_trip(const std::string& text) {
  term::Store store;
  const Elaborated before = elaborate(store, text);
  EXPECT_EQ(messages(before.diagnostics), "");
  const std::string printed = syntax::print(raise(store, before.theory, "test"));
  const Elaborated after = elaborate_package(store, printed);
  EXPECT_EQ(messages(after.diagnostics), "") << printed;
  EXPECT_EQ(difference(store, before.theory, after.theory), "") << printed;
  return printed;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

constexpr const char* kBurgers = R"(
  type Float; type Array; type Axis; type Offset;
  function _+_(a: Array, b: Array): Array;   function _-_(a: Array, b: Array): Array;
  function _*_(a: Float, b: Array): Array;   function _*_(a: Array, b: Array): Array;
  function _*_(a: Float, b: Float): Float;   function _/_(a: Float, b: Float): Float;
  function rotate(a: Array, x: Axis, o: Offset): Array;
  function -_(a: Offset): Offset;  function -_(a: Float): Float;
  function one(): Float;  function two(): Float;  function three(): Float;
  function zero(): Axis;  function one(): Axis;  function two(): Axis;  function one(): Offset;
  function nu(): Float;  function dt(): Float;  function dx(): Float;
)";

TEST(Raise, CastsOnlyWhereNeeded) {
  const std::string text = round_trip(std::string(kBurgers) + R"(
    function substep(u: Array, v: Array): Array =
      u + dt()/(two(): Float) * (nu() * ((one(): Float)/dx()/dx() *
        (rotate(v, zero(), -one(): Offset) + rotate(v, one(): Axis, one(): Offset)) -
        three() * (two(): Float)/dx()/dx() * u) -
        (one(): Float)/(two(): Float)/dx() * (rotate(v, two(): Axis, -one(): Offset) * u));
  )");
  // Every constant is decided by the operation around it.
  EXPECT_EQ(count(text, "(): Float) "), 0u) << text;
  EXPECT_FALSE(contains(text, "one(): Offset)")) << text;
}

TEST(Raise, CastsAmbiguousOperands) {
  const std::string text = round_trip(std::string(kBurgers) + R"(
    axiom a() { assert one(): Axis == one(); assert two() == two(): Float; }
    axiom b(v: Array) { assert rotate(v, zero(), one()) == rotate(v, one(), -one()); }
  )");
  EXPECT_TRUE(contains(text, "one(): Axis == one()")) << text;
  EXPECT_TRUE(contains(text, "two(): Float == two()")) << text;
  EXPECT_TRUE(contains(text, "rotate(v, zero(), one()) == rotate(v, one(), -one())")) << text;
}

TEST(Raise, OperatorsGetCastsBelow) {
  round_trip(R"(
    type A; type B; type C;
    function one(): A;  function one(): B;
    function _+_(a: A, b: A): A;  function _+_(a: B, b: B): B;
    function f(a: A): C;  function f(b: B): C;
    function g(): C = f(one(): A + one() + one());
    axiom x() { assert one() + (one(): B + one()) == one(); }
    function h(): A = if one(): B == one() then one() else one() + one();
  )");
}

TEST(Raise, Literals) {
  const std::string text = round_trip(R"(
    type Int literals integer;  type Float literals real;  type Offset literals integer;
    type Index literals vector;
    function _+_(a: Int, b: Int): Int;  function _+_(a: Float, b: Float): Float;
    function from(a: Int): Float;  function from(a: Offset): Float;  function from(a: Float): Float;
    function at(i: Index): Float;
    function f(): Float = from(1) + from(2: Offset) + from(3: Float) + 2.5 + 1;
    function g(): Float = from(-2: Offset) + at([0, -1, 2]) + at([]) + -1.5e-3;
    function h(o: Offset): Float = at([o, 1]) + at([1 + 2]) + at([0: Offset]);
    axiom a() { assert 1: Float == 1; assert 1 + 1 == 2; }
    function k(): Offset = -9223372036854775808;
  )");
  EXPECT_TRUE(contains(text, "from(1) + from(2: Offset) + from(3: Float) + 2.5 + 1")) << text;
}

TEST(Raise, Statements) {
  const std::string text = round_trip(R"(
    type T;  type Int literals integer;
    function g(a: T): T;  function at(i: Int): T;  predicate ok(a: T);
    procedure change(upd a: T);  procedure make(out a: T);  procedure move(obs a: T, out b: T);
    procedure p(upd a: T, out b: T, obs n: Int) {
      var c = g(a);
      var obs d = c;
      var e: T;
      e = { var r = g(c); change(r); value r; };
      make(b);
      if ok(a) then { b = g(b); } else skip;
      for i in 0 .. n { var c1 = at(i); change(c1); a = c1; };
      iterate 3 change(a);
      while ok(a) && !ok(b) bound n { move(a, b); };
      { var x = d; a = x; };
      assert ok(a);
    }
    function f(a: T): T { var b = a; call change(b); value if ok(b) then b else g(b); }
    predicate q(a: T, b: T) guard ok(a) = ok(a) => ok(b) || TRUE();
    axiom x(a: T) guard ok(a) { var b = g(a); assert ok(b) => g(b) == b; }
    theorem y(a: T) = g(a) != a;
  )");
  EXPECT_TRUE(contains(text, "var r: T = g(c);")) << text;
  EXPECT_TRUE(contains(text, "\n")) << text;
}

TEST(Raise, Binders) {
  round_trip(R"(
    type Int literals integer;  type E;  type A;  type S;
    function _+_(a: E, b: E): E;  function at(k: Int): E;  function at(k: S): E;
    function shape(): S;  function n(): Int;  function take(a: A): E;
    function f(n: Int): E = (fold _+_ (k < n) at(k)) + fold _+_ (k < 3) at(k) + at(k);
    function g(): A = forall (i < shape()) at(i);
    function h(): E = take(forall (i < shape()) at(i)) + at(n());
    predicate p(s: S) = forall (i < s) at(i) == at(i);
    function part(k: S, a: A): E;  function part(k: S, a: A): A;
    function elements(a: A): A = forall (i < shape()) part(i, a);
    function nested(a: A): A = forall (i < shape()) (part(i, a) : A);
    axiom a() { var x = forall (i < shape()) (at(i)) : A; assert take(x) == take(x); }
  )");
}

TEST(Raise, ProcedureOverloads) {
  round_trip(R"(
    type A;  type B;
    function one(): A;  function one(): B;
    procedure p(obs a: A);  procedure p(obs b: B);
    procedure q() { p(one(): A); p(one(): B); }
  )");
}

TEST(Raise, NamesStayLegalAndUnique) {
  term::Store store;
  Elaborated base = elaborate(store, "type T; function g(a: T): T; function f(x: T): T;");
  ASSERT_EQ(messages(base.diagnostics), "");
  // { var x = g(x); var x = g(x'); value x''; } with three different x, and a `1`.
  term::Callable* f = base.theory.find(find(store, base.theory, "f")->symbol);
  const term::SortId sort = store.sort("T");
  const term::SymbolId g = find(store, base.theory, "g")->symbol;
  const term::SymbolId first = store.fresh_variable("x", sort);
  const term::SymbolId second = store.fresh_variable("x", sort);
  const term::SymbolId number = store.fresh_variable("1", sort);
  const term::SortId statement = store.statement_sort();
  const auto declare = [&](term::SymbolId variable, term::SymbolId from) {
    const term::TermId call = store.make(g, {store.make(from)});
    return store.make(store.control(term::Control::declare, statement),
                      {store.make(variable), call});
  };
  const std::vector<term::TermId> statements{
      declare(first, f->parameters[0]), declare(second, first), declare(number, second),
      store.make(store.control(term::Control::value, statement), {store.make(number)})};
  f->body = store.make(store.control(term::Control::block, sort), statements,
                       std::vector<term::SymbolId>{first, second, number});
  const std::string printed = syntax::print(raise(store, base.theory, "test"));
  const Elaborated after = elaborate_package(store, printed);
  EXPECT_EQ(messages(after.diagnostics), "") << printed;
  EXPECT_EQ(difference(store, base.theory, after.theory), "") << printed;
}

TEST(Raise, CallableAlone) {
  term::Store store;
  const Elaborated base =
      elaborate(store, "type T; function g(a: T): T; function f(x: T): T = g(x);");
  const std::string printed =
      syntax::print(raise_callable(store, base.theory, *find(store, base.theory, "f")));
  EXPECT_TRUE(contains(printed, "function f(x: T): T = g(x);")) << printed;
}

}  // namespace
}  // namespace rhopsi::elaborate::test
