// What statements compute from numbers that are known. Variables are a, b, c; text is what they
// come to, "a=1 " for a constant, "a:=b+1 " for an assignment.
#include "engine/onf/literals.hpp"

#include <string>

#include <gtest/gtest.h>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/folded.hpp"
#include "engine/onf/make_expression.hpp"

namespace rhopsi::onf {
namespace {

constexpr VariableId a{0}, b{1}, c{2};

Expr named(VariableId id) {
  Expr e = integer(0);
  e.kind = Expr::Kind::variable;
  e.variable = id;
  return e;
}
Expr next(Expr e) {
  return applied(ScalarFunction::add, Scalar::int64, {std::move(e), integer(1)});
}
Expr is(Expr e, std::int64_t value) {
  return applied(ScalarFunction::equal, Scalar::boolean, {std::move(e), integer(value)});
}
Statement declare(VariableId id) { return {Let{id, std::nullopt, false}}; }
Statement let(VariableId id, Expr value) { return {Let{id, std::move(value), true}}; }
Statement assign(VariableId id, Expr value) { return {Assign{id, std::move(value)}}; }
Statement branch(Expr condition, Statements then, Statements otherwise) {
  return {If{std::move(condition), std::move(then), std::move(otherwise)}};
}

std::string text(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::integer:
    case Expr::Kind::boolean:
      return std::to_string(e.integer);
    case Expr::Kind::variable:
      return {static_cast<char>('a' + number(e.variable))};
    default:
      return text(e.operands[0]) + (e.function == ScalarFunction::add ? "+" : "==") +
             text(e.operands[1]);
  }
}
std::string text(const Statements& body) {
  std::string said;
  for (const Statement& statement : body) {
    if (const auto* made = std::get_if<Let>(&statement.form)) {
      said += text(named(made->variable)) + (made->value ? "=" + text(*made->value) : "?") + " ";
    } else if (const auto* set = std::get_if<Assign>(&statement.form)) {
      said += text(named(set->variable)) + ":=" + text(set->value) + " ";
    } else if (const auto* both = std::get_if<If>(&statement.form)) {
      said += "if " + text(both->condition) + " {" + text(both->then) + "} {" +
              text(both->otherwise) + "} ";
    } else if (const auto* loop = std::get_if<For>(&statement.form)) {
      said += "for {" + text(loop->body) + "} ";
    }
  }
  return said;
}

// What the statements come to, where c is 3.
std::string through(Statements body) {
  Literals literals;
  literals.set(c, integer(3));
  literals.through(body, [&](Expr& whole) {
    const auto rename = [&](auto&& self, Expr& e) -> void {
      for (Expr& operand : e.operands) self(self, operand);
      const Expr* const known =
          e.kind == Expr::Kind::variable ? literals.find(e.variable) : nullptr;
      e = folded(known != nullptr ? *known : e);
    };
    rename(rename, whole);
  });
  return text(body);
}

TEST(Literals, OfConstantsAreKnownBehindThem) {
  EXPECT_EQ(through({let(a, next(named(c))), let(b, next(named(a)))}), "a=4 b=5 ");
}

TEST(Literals, DecideBranchesWhichLeaveConstants) {
  EXPECT_EQ(through({declare(a),
                     branch(is(named(c), 3), {assign(a, named(b))}, {assign(a, integer(0))})}),
            "a=b ");
  EXPECT_EQ(
      through({declare(a), branch(is(named(c), 4), {assign(a, named(b))}, {assign(a, named(c))}),
               branch(is(named(a), 3), {}, {assign(b, integer(7))})}),
      "a=3 ");
}

TEST(Literals, AreForgottenWhereABranchMayAssign) {
  EXPECT_EQ(through({declare(a), assign(a, integer(1)), let(c, next(named(a))),
                     branch(is(named(b), 0), {assign(a, integer(2))}, {}), let(c, named(a))}),
            "a? a:=1 c=2 if b==0 {a:=2 } {} c=a ");
  // One branch is not run behind the other one.
  EXPECT_EQ(through({declare(a), branch(is(named(b), 0), {assign(a, integer(2))},
                                        {assign(c, named(a)), assign(a, named(b))})}),
            "a? if b==0 {a:=2 } {c:=a a:=b } ");
}

TEST(Literals, AreForgottenInLoops) {
  EXPECT_EQ(through({declare(a),
                     assign(a, integer(1)),
                     {For{b, integer(0), named(c), {assign(a, next(named(a)))}}},
                     let(c, named(a))}),
            "a? a:=1 for {a:=a+1 } c=a ");
}

TEST(Literals, OfWhatIsAssignedTwiceAreNoConstants) {
  EXPECT_EQ(through({declare(a), assign(a, named(b)), let(c, named(a)), assign(a, integer(2)),
                     let(b, named(a))}),
            "a? a:=b c=a a:=2 b=2 ");
}

}  // namespace
}  // namespace rhopsi::onf
