#include "tests/unit/syntax/syntax_reading.hpp"

namespace rhopsi::syntax::testing {

namespace {

std::string cast_of(const std::optional<TypeRef>& cast) {
  return cast ? ":" + cast->name.text : "";
}

struct Shape {
  std::string operator()(const Variable& n) const { return n.name.text + cast_of(n.cast); }
  std::string operator()(const Literal& n) const {
    return (n.kind == Literal::Kind::integer ? "#" : "#.") + n.text + cast_of(n.cast);
  }
  std::string operator()(const VectorLiteral& n) const {
    return "[" + all(n.elements) + "]" + cast_of(n.cast);
  }
  std::string operator()(const PackExpansion& n) const { return n.name.text + "..."; }
  std::string operator()(const Call& n) const {
    return (n.is_procedure_call ? "call " : "") + n.callee.text + "(" + all(n.arguments) + ")" +
           cast_of(n.cast);
  }
  std::string operator()(const If& n) const {
    return "if(" + shape(*n.condition) + "," + shape(*n.then_branch) + "," + shape(*n.else_branch) +
           ")";
  }
  std::string operator()(const Block& n) const { return "{" + all(n.statements) + "}"; }
  std::string operator()(const Declaration& n) const {
    return std::string(n.is_constant ? "constant " : "var ") + n.name.text + cast_of(n.type) +
           (n.initial ? "=" + shape(*n.initial) : "");
  }
  std::string operator()(const Assignment& n) const {
    return n.target.text + ":=" + shape(*n.value);
  }
  std::string operator()(const Assert& n) const { return "assert<" + shape(*n.condition) + ">"; }
  std::string operator()(const Value& n) const { return "value<" + shape(*n.result) + ">"; }
  std::string operator()(const Skip&) const { return "<skip>"; }
  std::string operator()(const For& n) const {
    return "for<" + n.variable.text + "," + shape(*n.low) + "," + shape(*n.high) + "," +
           shape(*n.body) + ">";
  }
  std::string operator()(const Iterate& n) const {
    return "iterate<" + shape(*n.count) + "," + shape(*n.call) + ">";
  }
  std::string operator()(const While& n) const {
    return "while<" + shape(*n.condition) + "," + shape(*n.bound) + "," + shape(*n.body) + ">";
  }
  std::string operator()(const Fold& n) const {
    return "fold<" + n.operation.text + "," + n.variable.text + "," + shape(*n.count) + "," +
           shape(*n.body) + ">";
  }
  std::string operator()(const Forall& n) const {
    return "forall<" + n.variable.text + "," + shape(*n.shape) + "," + testing::shape(*n.body) +
           ">" + cast_of(n.cast);
  }
  static std::string all(const std::vector<ExprPtr>& items) {
    std::string out;
    for (const ExprPtr& item : items) out += (out.empty() ? "" : ",") + shape(*item);
    return out;
  }
};

}  // namespace

std::string shape(const Expr& expression) { return std::visit(Shape{}, expression.node); }

TEST(Expressions, OperatorsFollowThePrecedenceTable) {
  EXPECT_EQ(shape_of("a + b * c"), "_+_(a,_*_(b,c))");
  EXPECT_EQ(shape_of("a - b - c"), "_-_(_-_(a,b),c)");
  EXPECT_EQ(shape_of("a << b + c"), "_<<_(a,_+_(b,c))");
  EXPECT_EQ(shape_of("a .. b << c"), "_.._(a,_<<_(b,c))");
  EXPECT_EQ(shape_of("a == b .. c"), "_==_(a,_.._(b,c))");
  EXPECT_EQ(shape_of("a && b === c"), "_&&_(a,_===_(b,c))");
  EXPECT_EQ(shape_of("a || b && c"), "_||_(a,_&&_(b,c))");
  EXPECT_EQ(shape_of("a => b || c => d"), "_=>_(_=>_(a,_||_(b,c)),d)");
  EXPECT_EQ(shape_of("a <=> b"), "_<=>_(a,b)");
  EXPECT_EQ(shape_of("a !== b != c"), "_!=_(_!==_(a,b),c)");
  EXPECT_EQ(shape_of("a % b / c"), "_/_(_%_(a,b),c)");
}

TEST(Expressions, PrefixOperatorsBindTightest) {
  EXPECT_EQ(shape_of("-a * b"), "_*_(-_(a),b)");
  EXPECT_EQ(shape_of("a * -b"), "_*_(a,-_(b))");
  EXPECT_EQ(shape_of("-one(): Offset"), "-_(one():Offset)");
  EXPECT_EQ(shape_of("!a && ~b"), "_&&_(!_(a),~_(b))");
  EXPECT_EQ(shape_of("-(-a)"), "-_(-_(a))");
  EXPECT_EQ(shape_of("a*-b"), "error E0107");
  EXPECT_EQ(shape_of("--a"), "error E0107");
  EXPECT_EQ(shape_of("- -a"), "error E0119");
  EXPECT_EQ(shape_of("a ? b"), "error E0107");
  EXPECT_EQ(shape_of("a +// comment\n b"), "_+_(a,b)");
}

TEST(Expressions, LiteralsAndNamesThatBeginWithDigits) {
  EXPECT_EQ(shape_of("1"), "#1");
  EXPECT_EQ(shape_of("1: Offset"), "#1:Offset");
  EXPECT_EQ(shape_of("1()"), "1()");
  EXPECT_EQ(shape_of("3D"), "3D");
  EXPECT_EQ(shape_of("2.5: Float"), "#.2.5:Float");
  EXPECT_EQ(shape_of("1.5e-3"), "#.1.5e-3");
  EXPECT_EQ(shape_of("1e5"), "#.1e5");
  EXPECT_EQ(shape_of("0..n"), "_.._(#0,n)");
  EXPECT_EQ(shape_of("2."), "error E0108");
  EXPECT_EQ(shape_of("1.5x"), "error E0108");
  EXPECT_EQ(shape_of("[0, 1, n]: Index"), "[#0,#1,n]:Index");
  EXPECT_EQ(shape_of("[]"), "[]");
  EXPECT_EQ(shape_of("größe + ρ"), "_+_(größe,ρ)");
}

TEST(Expressions, CastsFollowCallsAndNamesOnly) {
  EXPECT_EQ(shape_of("f(a: T, b): U"), "f(a:T,b):U");
  EXPECT_EQ(shape_of("(a): T"), "error E0115");
}

TEST(Expressions, OperatorsAreCalledByName) {
  EXPECT_EQ(shape_of("_+_(a, b)"), shape_of("a + b"));
  EXPECT_EQ(shape_of("-_(a) * b"), shape_of("-a * b"));
  EXPECT_EQ(shape_of("- _(a)"), shape_of("-(_(a))"));
  EXPECT_EQ(shape_of("a -_(b)"), shape_of("a - (_(b))"));
  EXPECT_EQ(shape_of("_+_ + 1"), shape_of("(_ + _) + 1"));
  EXPECT_EQ(shape_of("_x_(a)"), shape_of("(_x_(a))"));
  for (const char* text : {"f(_+_(a, b): T)", "-_(a): T", "_=_(a, b)", "-(_(a))", "_+_(xs...)"}) {
    EXPECT_EQ(print(*read_expression(text).expression), text);
  }
  EXPECT_EQ(statement_of("call _=_(x, e)"), statement_of("call _=_ (x, e)"));
  EXPECT_EQ(read_expression("{ call _=_(x, e); }").codes(), "");
}

TEST(Expressions, WordsAreNotReserved) {
  EXPECT_EQ(shape_of("value(x)"), "value(x)");
  EXPECT_EQ(shape_of("value"), "value");
  EXPECT_EQ(shape_of("value + 1"), "_+_(value,#1)");
  EXPECT_EQ(shape_of("value x"), "value<x>");
  EXPECT_EQ(shape_of("f(in, type, value)"), "f(in,type,value)");
  EXPECT_EQ(shape_of("if(x)"), "if(x)");
  EXPECT_EQ(shape_of("if (x) then y else z"), "if(x,y,z)");
  EXPECT_EQ(shape_of("if then then then else else"), "if(then,then,else)");
  EXPECT_EQ(shape_of("if(if(if(x))) + if"), "_+_(if(if(if(x))),if)");
  EXPECT_EQ(shape_of("if = 3"), "if:=#3");
  EXPECT_EQ(shape_of("assert == x"), "_==_(assert,x)");
  EXPECT_EQ(shape_of("var"), "var");
  EXPECT_EQ(shape_of("call(x)"), "call(x)");
  EXPECT_EQ(shape_of("skip"), "<skip>");
  EXPECT_EQ(shape_of("skip(x)"), "skip(x)");
  EXPECT_EQ(shape_of("skip: T"), "skip:T");
  EXPECT_EQ(shape_of("-skip <= n"), "_<=_(-_(skip),n)");
  EXPECT_EQ(shape_of("for + fold + forall + while + iterate"),
            "_+_(_+_(_+_(_+_(for,fold),forall),while),iterate)");
  EXPECT_EQ(shape_of("forall(i < n)"), "forall(_<_(i,n))");
  EXPECT_EQ(shape_of("while(a)"), "while(a)");
  EXPECT_EQ(shape_of("iterate(n)"), "iterate(n)");
  EXPECT_EQ(shape_of("fold(k < n)"), "fold(_<_(k,n))");
}

TEST(Expressions, Statements) {
  EXPECT_EQ(statement_of("x = y == z"), "x:=_==_(y,z)");
  EXPECT_EQ(statement_of("x = y = z"), "x:=y:=z");
  EXPECT_EQ(statement_of("var x"), "var x");
  EXPECT_EQ(statement_of("var obs x: T = 1"), "constant x:T=#1");
  EXPECT_EQ(statement_of("var obs = 1"), "var obs=#1");
  EXPECT_EQ(statement_of("assert c => l == r"), "assert<_=>_(c,_==_(l,r))>");
  EXPECT_EQ(statement_of("assert (a) == b"), "assert<_==_(a,b)>");
  EXPECT_EQ(statement_of("call p(a, b)"), "call p(a,b)");
  EXPECT_EQ(statement_of("p(a)"), "p(a)");
  EXPECT_EQ(statement_of("if a then skip else { x = 1; }"), "if(a,<skip>,{x:=#1})");
  EXPECT_EQ(statement_of("{ value x; }"), "{value<x>}");
}

TEST(Expressions, ResultsThatBeginWithAParenthesisOrASign) {
  EXPECT_EQ(statement_of("value (a + b) * c"), "value<_*_(_+_(a,b),c)>");
  EXPECT_EQ(statement_of("value -x"), "value<-_(x)>");
  EXPECT_EQ(statement_of("value (a)"), "value(a)");
  EXPECT_EQ(statement_of("if c then value (a) + b else value -a"),
            "if(c,value<_+_(a,b)>,value<-_(a)>)");
  EXPECT_EQ(statement_of("x = value(a) + b"), "x:=_+_(value(a),b)");
}

TEST(Expressions, Loops) {
  EXPECT_EQ(statement_of("for i in 0 .. n - 1 { x = i; }"), "for<i,#0,_-_(n,#1),{x:=i}>");
  EXPECT_EQ(statement_of("iterate n step(u, v)"), "iterate<n,step(u,v)>");
  EXPECT_EQ(statement_of("iterate (n + 1) call step(u)"), "iterate<_+_(n,#1),call step(u)>");
  EXPECT_EQ(statement_of("iterate f(x) step(u)"), "iterate<f(x),step(u)>");
  EXPECT_EQ(statement_of("iterate 10 step(u)"), "iterate<#10,step(u)>");
  EXPECT_EQ(statement_of("while a < b bound n * 2 { skip; }"),
            "while<_<_(a,b),_*_(n,#2),{<skip>}>");
}

TEST(Expressions, Binders) {
  EXPECT_EQ(shape_of("fold _+_ (k < n) a * k + 1"), "fold<_+_,k,n,_+_(_*_(a,k),#1)>");
  EXPECT_EQ(shape_of("1 + fold max (k < n) psi([k], a)"), "_+_(#1,fold<max,k,n,psi([k],a)>)");
  EXPECT_EQ(shape_of("forall (i < s) psi(i, a): Float"), "forall<i,s,psi(i,a):Float>");
  EXPECT_EQ(shape_of("forall (i < s) (a + b): Array"), "forall<i,s,_+_(a,b)>:Array");
}

TEST(Expressions, PacksExpandAmongArguments) {
  EXPECT_EQ(shape_of("f(a, xs...)"), "f(a,xs...)");
  EXPECT_EQ(shape_of("xs..."), "error E0115");
}

TEST(Expressions, SpansCoverTheirText) {
  const Reading reading = read_expression(" (a + b) * -c ");
  ASSERT_TRUE(reading.expression) << reading.rendered();
  const auto text = [&](const Span& span) {
    return std::string(reading.file->text().substr(span.begin, span.end - span.begin));
  };
  EXPECT_EQ(text(reading.expression->span), "(a + b) * -c");
  const Call& product = std::get<Call>(reading.expression->node);
  EXPECT_EQ(text(product.callee.span), "*");
  EXPECT_EQ(text(product.arguments[0]->span), "a + b");
  EXPECT_EQ(text(product.arguments[1]->span), "-c");
}

TEST(Expressions, LongChainsAreNoRecursion) {
  std::string text = "x";
  for (int i = 0; i < 100000; ++i) text += " + x";
  const Reading one = read_expression(text);
  ASSERT_TRUE(one.expression) << one.rendered();
  const std::string printed = print(*one.expression);
  const Reading two = read_expression(printed);
  ASSERT_TRUE(two.expression);
  EXPECT_TRUE(equal(*one.expression, *two.expression));
}

}  // namespace rhopsi::syntax::testing
