// Overload resolution, and what is said where it fails.
#include <gtest/gtest.h>

#include "tests/unit/elaborate_bodies/fixture.hpp"

namespace rhopsi::elaborate::test {
namespace {

// Constants that are told apart by their result alone, as in programs without literals.
constexpr std::string_view kOverloads = R"(
  type E; type Array; type Axis; type Offset; type Index;
  function _+_(a: E, b: E): E;  function _+_(a: E, b: Array): Array;
  function _+_(a: Array, b: Array): Array;
  function _*_(a: E, b: E): E;  function _*_(a: E, b: Array): Array;
  function -_(a: E): E;  function -_(a: Offset): Offset;
  function one(): E;  function one(): Axis;  function one(): Offset;  function zero(): Axis;
  function rotate(a: Array, x: Axis, o: Offset): Array;
  function psi(i: Index, a: Array): E;
  procedure refill(upd a: Array);
  predicate even(o: Offset);
)";

std::string overload_codes(const std::string& text) {
  term::Store store;
  const Elaborated result = elaborate(store, std::string(kOverloads) + text);
  return codes(result.diagnostics);
}

std::string function(const std::string& text) {
  term::Store store;
  const Elaborated result = elaborate(store, std::string(kOverloads) + text);
  EXPECT_EQ(messages(result.diagnostics), "");
  return body_of(store, result.theory, "f");
}

TEST(Expressions, ResultSortChoosesTheOverload) {
  const std::string base(kOverloads);
  term::Store store;
  const Elaborated result =
      elaborate(store, base + "function f(v: Array): Array = one() * rotate(v, one(), -one());");
  ASSERT_EQ(messages(result.diagnostics), "");
  const term::TermId body = *find(store, result.theory, "f")->body;
  const term::TermId rotate = store.children(body)[1];
  EXPECT_EQ(store.name(store.sort(store.children(body)[0])), "E");
  EXPECT_EQ(store.name(store.sort(store.children(rotate)[1])), "Axis");
  EXPECT_EQ(store.name(store.sort(store.children(rotate)[2])), "Offset");
}

TEST(Expressions, AnotherOperationOfTheNameMayGiveWhatIsNeeded) {
  term::Store store;
  const Elaborated result = elaborate(store,
                                      "type A; type N; function array(n: N): A;\n"
                                      "function element(a: A): N; function element(a: A): A;\n"
                                      "function _*_(a: A, b: A): A; function _*_(a: N, b: N): N;\n"
                                      "function f(n: N, a: A): A = n * element(a);");
  const std::string told = messages(result.diagnostics);
  EXPECT_NE(told.find("`_*_` gives A where argument 1 becomes A by `array`"), std::string::npos)
      << told;
}

TEST(Expressions, CastChooses) {
  EXPECT_EQ(overload_codes("axiom a() { var x = one(): Axis; assert x == one(); }"), "");
  EXPECT_EQ(overload_codes("axiom a() { assert one() == one(); }"), "E0212");
  EXPECT_EQ(overload_codes("axiom a() { assert one(): Axis == one(); }"), "");
  EXPECT_EQ(overload_codes("axiom a() { assert one(): Index == one(); }"), "E0213");
  EXPECT_EQ(overload_codes("axiom a() { assert one(): Indx == one(); }"), "E0203");
}

TEST(Expressions, AmbiguityListsCandidates) {
  term::Store store;
  const Elaborated result =
      elaborate(store, std::string(kOverloads) + "axiom a() { var x = one(); }");
  ASSERT_EQ(codes(result.diagnostics), "E0212");
  const std::string text = messages(result.diagnostics);
  EXPECT_NE(text.find("one(): Axis (test.mg:"), std::string::npos) << text;
  EXPECT_NE(text.find("one(): Offset"), std::string::npos) << text;
  EXPECT_NE(text.find("cast"), std::string::npos) << text;
}

TEST(Expressions, UnknownNamesSuggest) {
  term::Store store;
  const Elaborated result = elaborate(
      store, std::string(kOverloads) +
                 "function f(value: Array): Array = rotaet(valeu, zero(), one()) + zero;");
  EXPECT_EQ(codes(result.diagnostics), "E0201 E0202 E0201");
  const std::string text = messages(result.diagnostics);
  EXPECT_NE(text.find("did you mean `rotate`"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean `value`"), std::string::npos) << text;
  EXPECT_NE(text.find("write `zero()`"), std::string::npos) << text;
}

TEST(Expressions, NoOverload) {
  EXPECT_EQ(overload_codes("function f(a: Array): Array = rotate(a, zero());"), "E0210");
  EXPECT_EQ(overload_codes("function f(a: Array): Array = rotate(a, zero(), zero());"), "E0211");
  EXPECT_EQ(overload_codes("function f(a: Array): E = rotate(a, zero(), one());"), "E0213");
  EXPECT_EQ(overload_codes("function f(a: Array): Array = { value a; } + zero();"), "E0211");
}

// What makes of an argument what is asked for, whatever it is called; not of one that fits.
TEST(Expressions, NoOverloadTellsWhatConverts) {
  term::Store store;
  const Elaborated result =
      elaborate(store, std::string(kOverloads) +
                           "function along(a: Axis): Offset; function count(e: E): Offset;"
                           "function f(a: Array): Array = rotate(a, zero(), zero());");
  ASSERT_EQ(codes(result.diagnostics), "E0211");
  const std::string text = messages(result.diagnostics);
  EXPECT_NE(text.find("argument 3 becomes Offset by `along`\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("argument 2"), std::string::npos) << text;
}

// Where no name is near: what takes the arguments, in the order of the distance of names.
TEST(Expressions, UnknownNamesTellWhatTakesTheArguments) {
  const std::string more =
      "function total(e: E): Offset; function along(a: Axis): Offset;"
      "function toll(a: Axis): E; procedure store(upd a: Axis); predicate even(a: Axis, b: Axis);";
  const auto note = [&](const std::string& body) {
    term::Store store;
    const Elaborated result = elaborate(store, std::string(kOverloads) + more + body);
    EXPECT_EQ(codes(result.diagnostics), "E0202");
    const std::string text = messages(result.diagnostics);
    const std::size_t at = text.find("; (");
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(note("function f(a: Axis): E = roll_up_all(a);"),
            "; (Axis) is taken by `toll`, `along`, `f`");
  EXPECT_EQ(note("procedure f(upd a: Axis) { call elsewhere(a); }"),
            "; (Axis) is taken by `store`, `f`");
  EXPECT_EQ(note("function f(a: Axis): E = whatever();"), "");
  EXPECT_EQ(note("function f(a: Axis): E = whatever(a, a, a, a);"), "");
}

// Beyond what a slip of the pen would change.
TEST(Expressions, NamesThatAreShorterOrLonger) {
  for (const auto& [written, meant] : std::vector<std::pair<std::string, std::string>>{
           {"rot", "rotate"}, {"arrayRotate", "rotate"}, {"rotateAlongAxis", "rotate"}}) {
    term::Store store;
    const Elaborated result = elaborate(
        store, std::string(kOverloads) + "function f(a: Array): Array = " + written + "(a);");
    const std::string text = messages(result.diagnostics);
    EXPECT_NE(text.find("did you mean `" + meant + "`"), std::string::npos) << text;
  }
  term::Store store;
  const Elaborated result =
      elaborate(store, std::string(kOverloads) + "function f(a: Array): Array = unlike(a);");
  const std::string text = messages(result.diagnostics);
  EXPECT_EQ(text.find("did you mean"), std::string::npos) << text;
}

TEST(Expressions, SeveralErrorsInOneExpression) {
  EXPECT_EQ(overload_codes("function f(a: Array): Array = (x + a) + (y + a);"), "E0201 E0201");
}

TEST(Expressions, ProceduresAreNoValues) {
  EXPECT_EQ(overload_codes("function f(a: Array): Array = refill(a);"), "E0218");
  EXPECT_EQ(overload_codes("procedure p(upd a: Array) { a = call refill(a); }"), "E0218");
}

TEST(Expressions, PredicatesAreValues) {
  EXPECT_EQ(overload_codes("predicate f(o: Offset) = even(o) && !even(-o) || TRUE() => FALSE;"),
            "");
  EXPECT_EQ(overload_codes("predicate f(a: Array, b: Array) = a == b <=> a != b == TRUE;"), "");
  EXPECT_EQ(overload_codes("predicate f(a: Array) = a === a;"), "E0202");
}

TEST(Expressions, DeclaredEqualityStandsBesideTheBuiltin) {
  const std::string with = "predicate _==_(a: Array, i: Index);\n";
  EXPECT_EQ(overload_codes(with + "predicate f(a: Array, i: Index) = a == i && a == a;"), "");
  EXPECT_EQ(overload_codes("function _==_(a: E, b: E): E; axiom a(x: E) { assert x == x; }"), "");
  EXPECT_EQ(overload_codes("predicate _==_(a: E, b: E); axiom a(x: E) { assert x == x; }"), "");
}

TEST(Expressions, If) {
  EXPECT_EQ(
      overload_codes("function f(a: Array, o: Offset): Array = if even(o) then a else a + a;"), "");
  EXPECT_EQ(
      overload_codes("function f(a: Array, o: Offset): E = if even(o) then one() else one();"), "");
  EXPECT_EQ(overload_codes("function f(a: Array, o: Offset): Array = if even(o) then a else o;"),
            "E0214");
  EXPECT_EQ(overload_codes("function f(a: Array, o: Offset): Array = if o then a else a;"),
            "E0213");
}

TEST(Expressions, ValueBlocks) {
  EXPECT_EQ(function("function f(a: Array): Array { var b = a + a; refill(b); value b + a; }"),
            function("function f(a: Array): Array = { var b: Array = a + a; call refill(b); "
                     "value b + a; };"));
  EXPECT_EQ(overload_codes("function f(a: Array): Array = a + { value a; };"), "");
  EXPECT_EQ(overload_codes("function f(a: Array): Array = a + { skip; };"), "E0240");
  EXPECT_EQ(overload_codes("function f(a: Array): Array { value a; skip; }"), "E0241");
  EXPECT_EQ(overload_codes("function f(a: Array): Array { var b = a; }"), "E0240");
}

TEST(Expressions, FoldAndForall) {
  const std::string with = "type Int literals integer; function at(k: Int): E;\n";
  EXPECT_EQ(overload_codes(with + "function f(n: Int): E = fold _+_ (k < n) at(k) * at(k);"), "");
  EXPECT_EQ(overload_codes(with + "function f(n: Int): E = fold plus (k < n) at(k);"), "E0202");
  EXPECT_EQ(overload_codes(with + "function f(n: Int): Int = fold _+_ (k < n) k;"), "E0215");
  EXPECT_EQ(overload_codes(with + "function f(n: Int): E = fold _+_ (n < n) at(n);"), "E0205");
  EXPECT_EQ(overload_codes(with + "function f(s: Int): Array = forall (i < s) at(i);"), "");
  EXPECT_EQ(overload_codes(with + "predicate f(s: Int) = forall (i < s) at(i) == at(i);"), "");
  EXPECT_EQ(overload_codes(with + "axiom f(s: Int) { var a = forall (i < s) at(i); }"), "E0216");
  EXPECT_EQ(overload_codes(with + "predicate f(s: Int) = fold _&&_ (k < s) at(k) == at(k);"), "");
}

// An element is no array of the type that the whole is, where it can be anything else.
TEST(Expressions, ElementsOfAForallAreNoArrays) {
  const std::string with =
      "type Int literals integer; function at(k: Int, a: Array): E; function at(k: Int, a: Array): "
      "Array; function _*_(a: E, b: E): E; function _*_(a: Array, b: Array): Array; ";
  const std::string head = with + "function f(s: Int, a: Array): ";
  EXPECT_EQ(overload_codes(head + "Array = forall (i < s) at(i, a);"), "");
  EXPECT_EQ(overload_codes(head + "Array = forall (i < s) at(i, a) * at(i, a);"), "");
  EXPECT_EQ(function(head + "Array = forall (i < s) at(i, a);"),
            function(head + "Array = forall (i < s) (at(i, a): E);"));
  // Of an array it is one, if it is nothing else; and one of two other types is not decided.
  EXPECT_EQ(overload_codes(head + "Array = forall (i < s) a;"), "");
  EXPECT_EQ(overload_codes(head + "Index = forall (i < s) at(i, a);"), "E0212");
}

TEST(Expressions, Guards) {
  EXPECT_EQ(overload_codes("function f(o: Offset): Offset guard even(o);"), "");
  EXPECT_EQ(overload_codes("function f(o: Offset): Offset guard even(p);"), "E0201");
  EXPECT_EQ(overload_codes("function f(o: Offset): Offset guard -o;"), "E0213");
  EXPECT_EQ(overload_codes("procedure f(out o: Offset) guard even(o);"), "E0234");
}

TEST(Expressions, StatementsAreNoValues) {
  EXPECT_EQ(overload_codes("function f(a: Array): Array = a + skip;"), "E0247");
  EXPECT_EQ(overload_codes("function f(a: Array): Array = rotate(a..., zero(), one());"), "E0206");
}

TEST(Expressions, PacksExpand) {
  term::Store store;
  const Elaborated base = elaborate(store, kOverloads);
  const Scope scope(store, base.theory);
  const term::SortId array = store.sort("Array");
  Parameters parameters;
  parameters.variables = {store.fresh_variable("xs_1", array, false),
                          store.fresh_variable("xs_2", array, false)};
  parameters.modes = {term::Mode::obs, term::Mode::obs};
  parameters.packs["xs"] = parameters.variables;
  const auto file = std::make_shared<const syntax::SourceFile>("t.mg", "g(xs...)");
  syntax::Diagnostics diagnostics;
  const syntax::ExprPtr call = syntax::parse_expression(file, diagnostics);
  ASSERT_TRUE(call) << messages(diagnostics);
  Scope variadic(store, base.theory);
  const term::SymbolId instance = store.operation(term::SymbolKind::function, "g",
                                                  std::vector<term::SortId>{array, array}, array);
  variadic.has_variadic = [](std::string_view name) { return name == "g"; };
  std::size_t asked = 0;
  variadic.instantiate_variadic = [&](std::string_view, const std::vector<term::SortId>& sorts) {
    ++asked;
    EXPECT_EQ(sorts.size(), 2u);
    return std::vector<term::SymbolId>{instance};
  };
  const auto body =
      elaborate_body(variadic, *call, BodyKind::function, array, parameters, diagnostics);
  ASSERT_TRUE(body) << messages(diagnostics);
  EXPECT_EQ(store.symbol(*body), instance);
  EXPECT_EQ(store.children(*body).size(), 2u);
  EXPECT_EQ(asked, 1u);
}

}  // namespace
}  // namespace rhopsi::elaborate::test
