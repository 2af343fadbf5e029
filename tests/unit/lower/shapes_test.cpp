// Forms made by hand of arrays that have a shape of their own: what the verifier must refuse.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "engine/onf/verify.hpp"
#include "tests/unit/lower/hand_made.hpp"

namespace rhopsi::onf {
namespace {

Expr operator+(Expr left, Expr right) {
  return apply(ScalarFunction::add, std::move(left), std::move(right));
}
Expr operator-(Expr left, Expr right) {
  return apply(ScalarFunction::subtract, std::move(left), std::move(right));
}
Expr operator*(Expr left, Expr right) {
  return apply(ScalarFunction::multiply, std::move(left), std::move(right));
}
Expr load(ViewId view, std::vector<Expr> components) {
  Expr e;
  e.kind = Expr::Kind::load;
  e.type = int64_type;
  e.view = view;
  e.operands = std::move(components);
  return e;
}
Expr length(ViewId view, int axis) {
  Expr e = integer(0);
  e.kind = Expr::Kind::length;
  e.view = view;
  e.axis = axis;
  return e;
}
Expr branch(Expr condition, Expr then, Expr otherwise) {
  Expr e;
  e.kind = Expr::Kind::if_;
  e.type = int64_type;
  e.operands = {std::move(condition), std::move(then), std::move(otherwise)};
  return e;
}

constexpr ViewId a{0};       // an argument [6, 4]
constexpr ViewId u{1};       // an argument of unknown length, rank 1
constexpr ViewId result{2};  // made here
constexpr VariableId i{0}, j{1}, k{2}, x{3}, y{4};

class Shapes : public testing::Test {
 protected:
  explicit Shapes(std::vector<Expr> extents = {integer(6), integer(4)}) {
    f_.name = "f";
    f_.blocks = {{Scalar::int64, {}, std::vector<Expr>{integer(6), integer(4)}},
                 {Scalar::int64, {}, std::vector<Expr>{length(u, 0)}},
                 {Scalar::int64, {}, std::move(extents)}};
    f_.views = {{"a", BlockId{0}, {}, true, false, {}},
                {"u", BlockId{1}, {}, true, false, {}},
                {"result", BlockId{2}, {}, false, false, {}}};
    f_.arguments = {{term::Mode::obs, a, {}}, {term::Mode::obs, u, {}}};
    for (const char* name : {"i", "j", "k", "x", "y"}) {
      f_.variables.push_back({name, int64_type, {}});
    }
    f_.result_view = result;
    add(Allocate{result});
  }

  template <class Form>
  void add(Form form) {
    f_.body.push_back({std::move(form), {}});
  }
  void nest(std::vector<Interval> box, Expr element, Statements body = {}) {
    Nest made;
    made.binding = Binding::nested;
    made.target = result;
    for (std::size_t axis = 0; axis < box.size(); ++axis) {
      made.indices.push_back(static_cast<VariableId>(axis));
    }
    made.box = std::move(box);
    made.body = std::move(body);
    made.element = std::move(element);
    add(std::move(made));
  }
  void rows(std::int64_t low, std::int64_t high) {
    nest({{integer(low), integer(high)}, {integer(0), integer(4)}}, integer(1));
  }
  // All of `result`.
  void all(Expr element, Statements body = {}) {
    nest({{integer(0), integer(6)}, {integer(0), integer(4)}}, std::move(element), std::move(body));
  }

  std::vector<Problem> found() {
    Expr made = integer(0);
    made.kind = Expr::Kind::view;
    made.view = result;
    add(Return{made});
    Module module;
    module.functions = {f_};
    module.order = {FunctionId{0}};
    return verify(module);
  }
  std::vector<std::string> problems() {
    std::vector<std::string> texts;
    for (const Problem& problem : found()) texts.push_back(problem.code + ": " + problem.message);
    return texts;
  }

  Function f_;
};
using List = std::vector<std::string>;

TEST_F(Shapes, OneNestForEachElement) {
  rows(0, 2);
  rows(2, 6);
  EXPECT_EQ(problems(), List{});
}

TEST_F(Shapes, ElementsThatNoNestWrites) {
  rows(0, 2);
  rows(3, 6);
  EXPECT_EQ(problems(), List{"E0526: the nests of result write 20 of its 24 elements"});
}

TEST_F(Shapes, NoNestAtAll) {
  EXPECT_EQ(problems(), List{"E0526: the nests of result write 0 of its 24 elements"});
}

TEST_F(Shapes, ElementsThatTwoNestsWrite) {
  rows(0, 4);
  rows(2, 6);
  EXPECT_EQ(problems(), List{"E0526: the nests of result write its element [2, 0] twice"});
}

TEST_F(Shapes, ElementsThatAreNone) {
  rows(0, 7);
  EXPECT_EQ(problems(), List{"E0526: the nests of result are outside of it at index 6 on axis 0"});
}

TEST_F(Shapes, NestsInBranchesCannotBeCounted) {
  If choice{apply(ScalarFunction::less, length(u, 0), integer(3)), {}, {}};
  Nest made;
  made.binding = Binding::nested;
  made.target = result;
  made.indices = {i, j};
  made.box = {{integer(0), integer(6)}, {integer(0), integer(4)}};
  made.element = integer(1);
  choice.then = {{made, {}}};
  add(choice);
  ASSERT_FALSE(problems().empty());
  EXPECT_EQ(problems()[0].substr(0, 5), "E0526");
}

TEST_F(Shapes, AccessesWithinTheArray) {
  all(load(a, {integer(5) - variable(i), variable(j)}));
  EXPECT_EQ(problems(), List{});
}

TEST_F(Shapes, AnAccessBelowTheArray) {
  all(load(a, {variable(i) - integer(2), variable(j)}));
  EXPECT_EQ(problems(), List{"E0523: the index -2 on axis 0 of a is outside the array"});
}

TEST_F(Shapes, AnAccessAboveTheArray) {
  all(load(a, {variable(i), variable(j) + integer(3)}));
  EXPECT_EQ(problems(),
            List{"E0523: the index 3 beyond the last one on axis 1 of a is outside the array"});
}

TEST_F(Shapes, ANestOverNothingReadsNothing) {
  rows(0, 6);
  nest({{integer(3), integer(3)}, {integer(0), integer(4)}},
       load(a, {variable(i) + integer(9), variable(j)}));
  for (const std::string& problem : problems()) EXPECT_EQ(problem.substr(0, 5), "E0524");
}

TEST_F(Shapes, AConditionBoundsWhatItGuards) {
  const Expr inside = apply(ScalarFunction::less_equal, integer(2), variable(i));
  all(branch(inside, load(a, {variable(i) - integer(2), variable(j)}), integer(0)));
  EXPECT_EQ(problems(), List{});
}

TEST_F(Shapes, AConditionOnSomethingElseDoesNot) {
  const Expr inside = apply(ScalarFunction::less_equal, integer(2), variable(j));
  all(branch(inside, load(a, {variable(i) - integer(2), variable(j)}), integer(0)));
  EXPECT_EQ(problems(), List{"E0524: the access of a on axis 0 cannot be decided"});
}

TEST_F(Shapes, ACheckDecidesWhatNothingElseDoes) {
  const Expr element = load(a, {variable(i), variable(j)});
  Statements body{{Let{x, element, true}, {}}};
  Statements checked = body;
  checked.push_back(
      {Check{apply(ScalarFunction::and_, apply(ScalarFunction::less_equal, integer(0), variable(x)),
                   apply(ScalarFunction::less, variable(x), integer(6))),
             "out"},
       {}});
  const Expr gathered = load(a, {variable(x), variable(j)});
  Shapes::all(gathered, checked);
  EXPECT_EQ(problems(), List{});
}

TEST_F(Shapes, WithoutTheCheckItIsSaid) {
  Statements body{{Let{x, load(a, {variable(i), variable(j)}), true}, {}}};
  all(load(a, {variable(x), variable(j)}), body);
  EXPECT_EQ(problems(), List{"E0524: the access of a on axis 0 cannot be decided"});
}

// Two rows of the result for each element of u, whose length nothing tells.
class TwiceAsLong : public Shapes {
 protected:
  TwiceAsLong() : Shapes({length(u, 0) + length(u, 0), integer(4)}) {}
  // u[(i + plus) / by] in all of them.
  std::vector<std::string> with_quotient(std::int64_t plus, std::int64_t by) {
    nest({{integer(0), length(u, 0) + length(u, 0)}, {integer(0), integer(4)}},
         load(u, {apply(ScalarFunction::divide, variable(i) + integer(plus), integer(by))}));
    return problems();
  }
};

TEST_F(TwiceAsLong, HalfOfAnIndexIsWithin) { EXPECT_EQ(with_quotient(0, 2), List{}); }
TEST_F(TwiceAsLong, AThirdIs) { EXPECT_EQ(with_quotient(0, 3), List{}); }
TEST_F(TwiceAsLong, HalfOfTheNextOneIsNot) {
  EXPECT_EQ(with_quotient(1, 2), List{"E0524: the access of u on axis 0 cannot be decided"});
}
TEST_F(TwiceAsLong, HalfOfTheOneBeforeIsNot) {
  EXPECT_EQ(with_quotient(-1, 2), List{"E0524: the access of u on axis 0 cannot be decided"});
}
TEST_F(Shapes, FoldsRunUpToTheirCount) {
  const auto fold = [](Expr count) {
    Fold made;
    made.variable = x;
    made.index = k;
    made.count = std::move(count);
    made.function = ScalarFunction::add;
    made.element = load(a, {variable(k), variable(j)});
    return Statements{{made, {}}};
  };
  all(variable(x), fold(variable(i) + integer(1)));
  EXPECT_EQ(problems(), List{});
  f_.body.resize(1);
  all(variable(x), fold(variable(i) + integer(2)));
  EXPECT_EQ(problems(), List{"E0524: the access of a on axis 0 cannot be decided"});
  f_.body.resize(1);
  all(variable(x), fold(integer(7)));
  EXPECT_EQ(problems(),
            List{"E0523: the index 1 beyond the last one on axis 0 of a is outside the array"});
}

TEST_F(Shapes, ANestMayNotReadWhatItWrites) {
  all(load(result, {variable(i), variable(j)}));
  const auto found = problems();
  ASSERT_FALSE(found.empty());
  EXPECT_NE(std::ranges::find(found, "E0527: a nest reads result, which it writes"), found.end());
}

TEST_F(Shapes, AsManyComponentsAsAxes) {
  all(load(a, {variable(i)}));
  EXPECT_EQ(problems(), List{"E0525: an element of a, which has 2 axes, is read by 1 components"});
}

TEST_F(Shapes, AnIntervalForEachAxis) {
  nest({{integer(0), integer(6)}}, integer(1));
  const auto found = problems();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].substr(0, 5), "E0525");
}

TEST_F(Shapes, ANestOverTheDomainCannotWriteIt) {
  Nest made;
  made.target = result;
  made.indices = {i};
  made.element = integer(1);
  add(made);
  const auto found = problems();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].substr(0, 5), "E0525");
}

TEST_F(Shapes, LazyValuesAreLookedInto) {
  Lazy made{x, {}, load(a, {variable(i) + integer(6), variable(j)})};
  all(variable(x), {{made, {}}});
  EXPECT_EQ(problems(), List{"E0524: the access of a on axis 0 cannot be decided"});
}

TEST_F(Shapes, WhatABranchAssignsIsBoundedByBoth) {
  If choice{apply(ScalarFunction::less, variable(i), integer(3)),
            {{Assign{x, variable(i)}, {}}},
            {{Assign{x, integer(5) - variable(i)}, {}}}};
  Statements body{{Let{x, std::nullopt, false}, {}}, {choice, {}}};
  all(load(a, {variable(x), variable(j)}), body);
  EXPECT_EQ(problems(), List{});
}

// Lengths that are known at the run.
class SymbolicShapes : public Shapes {
 protected:
  SymbolicShapes() : Shapes({length(u, 0) * integer(2)}) {}
  Expr n() const { return length(u, 0); }
};

TEST_F(SymbolicShapes, PiecesMeetWhereTheyEnd) {
  nest({{integer(0), n()}}, load(u, {variable(i)}));
  nest({{n(), n() * integer(2)}}, load(u, {variable(i) - n()}));
  EXPECT_EQ(problems(), List{});
}

TEST_F(SymbolicShapes, PiecesThatMayOverlapAreSaid) {
  nest({{integer(0), n() + integer(1)}}, integer(1));
  nest({{n(), n() * integer(2)}}, integer(1));
  EXPECT_EQ(problems(), List{"E0524: whether the nests of result write each element once cannot "
                             "be decided"});
}

TEST_F(SymbolicShapes, AccessesAreComparedWithTheLength) {
  nest({{integer(0), n() * integer(2)}}, load(u, {variable(i)}));
  EXPECT_EQ(problems(), List{"E0524: the access of u on axis 0 cannot be decided"});
}

TEST_F(SymbolicShapes, ACutAtTheSmallerOfTwo) {
  const Expr cut = apply(ScalarFunction::minimum, n(), integer(3));
  nest({{integer(0), cut}}, load(u, {variable(i)}));
  nest({{cut, n() * integer(2)}}, integer(1));
  EXPECT_EQ(problems(), List{});
}

TEST_F(SymbolicShapes, AModuloStaysBelowItsModulus) {
  add(Check{apply(ScalarFunction::less, integer(0), n()), "empty"});
  nest({{integer(0), n() * integer(2)}},
       load(u, {apply(ScalarFunction::modulo, variable(i) + integer(5), n())}));
  EXPECT_EQ(problems(), List{});
}

TEST_F(SymbolicShapes, AModuloByWhatMayBeZeroDoesNot) {
  nest({{integer(0), n() * integer(2)}},
       load(u, {apply(ScalarFunction::modulo, variable(i) + integer(5), n())}));
  EXPECT_EQ(problems(), List{"E0524: the access of u on axis 0 cannot be decided"});
}

// By what is equal to it, and that to something else.
TEST_F(SymbolicShapes, AModulusIsKnownByWhatItIsEqualTo) {
  const auto equal = [](Expr left, Expr right) {
    return Check{apply(ScalarFunction::equal, std::move(left), std::move(right)), "not equal"};
  };
  for (const VariableId each : {x, y, k})
    add(Let{each, load(a, {integer(0), integer(std::int64_t(number(each)) - 2)}), true});
  add(equal(n(), variable(x)));
  add(equal(variable(y), variable(x)));
  add(equal(variable(k), variable(y)));
  add(Check{apply(ScalarFunction::less, integer(0), variable(k)), "empty"});
  nest({{integer(0), n() * integer(2)}},
       load(u, {apply(ScalarFunction::modulo, variable(i) + integer(5), n())}));
  EXPECT_EQ(problems(), List{});
}

// Where statements have no place, what is told has that of the array, or else of the function.
TEST_F(SymbolicShapes, WhatIsNotDecidedHasAPlace) {
  const Function before = f_;
  const auto places = [&](term::LocationId array, term::LocationId function) {
    f_ = before;
    f_.views[number(result)].location = array;
    f_.location = function;
    nest({{integer(0), n() + integer(1)}}, load(u, {variable(i)}));
    nest({{n(), n() * integer(2)}}, integer(1));
    std::vector<std::pair<std::string, term::LocationId>> told;
    for (const Problem& problem : found()) told.emplace_back(problem.code, problem.location);
    return told;
  };
  constexpr term::LocationId seven{7}, three{3};
  const auto both = [](term::LocationId at) {
    return std::vector<std::pair<std::string, term::LocationId>>{{"E0524", at}, {"E0524", at}};
  };
  EXPECT_EQ(places(seven, three), both(seven));
  EXPECT_EQ(places({}, three), both(three));
}

// Boxes of what goes around at both ends of axes of unknown lengths: where an axis has one element
// only, the ends meet in another order.
class GridShapes : public Shapes {
 protected:
  GridShapes() : Shapes({length(u, 0), length(u, 0)}) {}

  static Expr n() { return length(u, 0); }
  static Expr smaller() { return apply(ScalarFunction::minimum, integer(1), n() - integer(1)); }
  static Expr greater() { return apply(ScalarFunction::maximum, integer(1), n() - integer(1)); }
  static std::vector<Interval> around() {
    return {{integer(0), smaller()},
            {integer(1), n() - integer(1)},
            {n() - integer(1), integer(1)},
            {greater(), n()}};
  }
  static std::vector<Interval> whole() { return {{integer(0), n()}}; }

  // A nest for each pair, except for the one of that number.
  List grid(const std::vector<Interval>& rows, const std::vector<Interval>& columns,
            std::size_t without = 100) {
    std::size_t number = 0;
    for (const Interval& row : rows) {
      for (const Interval& column : columns) {
        if (number++ != without) nest({row, column}, integer(1));
      }
    }
    return problems();
  }
  void not_empty() { add(Check{apply(ScalarFunction::less, integer(0), n()), "empty"}); }

  const List undecided{
      "E0524: whether the nests of result write each element once cannot be decided"};
};

TEST_F(GridShapes, OneAxis) {
  not_empty();
  EXPECT_EQ(grid(around(), whole()), List{});
}

TEST_F(GridShapes, TwoAxes) {
  not_empty();
  EXPECT_EQ(grid(around(), around()), List{});
}

// The third span begins at -1 where the length is 0.
TEST_F(GridShapes, NotWithoutElements) { EXPECT_EQ(grid(around(), whole()), undecided); }

TEST_F(GridShapes, AHoleInOneCase) {
  not_empty();
  auto rows = around();
  rows.erase(rows.begin() + 2);  // nothing writes the only element
  EXPECT_EQ(grid(rows, around()), undecided);
}

TEST_F(GridShapes, AnOverlapInOneCase) {
  not_empty();
  auto rows = around();
  rows[0].high = integer(1);  // two write the only element
  EXPECT_EQ(grid(around(), rows), undecided);
}

TEST_F(GridShapes, AHoleInTheGrid) {
  not_empty();
  EXPECT_EQ(grid(around(), around(), 5), undecided);
}

// The smaller of two is 3 whatever they are called.
TEST_F(GridShapes, AnExtremeThatIsKnown) {
  not_empty();
  const Expr three = apply(ScalarFunction::minimum, integer(3), integer(5));
  EXPECT_EQ(grid({{integer(0), three - integer(3)}, {three - integer(3), n()}}, whole()), List{});
}

TEST_F(GridShapes, ABoxTwice) {
  not_empty();
  nest({around()[3], around()[3]}, integer(1));
  EXPECT_EQ(grid(around(), around()), undecided);
}

// Ends of what is constant beyond both ends, which has a value without elements too.
TEST_F(GridShapes, ExtremesOfExtremes) {
  const Expr one = apply(ScalarFunction::minimum, integer(1), n());
  const auto last_or = [](std::int64_t other) {
    return apply(ScalarFunction::maximum, n() - integer(1), integer(other));
  };
  std::vector<Interval> ends{{integer(0), apply(ScalarFunction::minimum, n() - integer(1), one)},
                             {last_or(0), one},
                             {integer(1), n() - integer(1)},
                             {last_or(1), n()}};
  const Function before = f_;
  EXPECT_EQ(grid(ends, ends), List{});
  f_ = before;
  ends[1].high = integer(1);  // is written where there is no element
  EXPECT_EQ(grid(ends, whole()), undecided);
}

// An end of a box with its value for a length.
struct End {
  Expr text;
  std::function<std::int64_t(std::int64_t)> at;
};

End random_end(std::mt19937& random, int depth) {
  const std::int64_t by = std::int64_t(random() % 3);
  const bool extreme = depth > 0 && random() % 2 == 0;
  if (!extreme && random() % 2 == 0) return {integer(by), [by](std::int64_t) { return by; }};
  if (!extreme)
    return {length(u, 0) - integer(by), [by](std::int64_t length) { return length - by; }};
  const End left = random_end(random, depth - 1), right = random_end(random, depth - 1);
  const bool least = random() % 2 == 0;
  return {apply(least ? ScalarFunction::minimum : ScalarFunction::maximum, left.text, right.text),
          [=](std::int64_t length) {
            const std::int64_t a = left.at(length), b = right.at(length);
            return least ? std::min(a, b) : std::max(a, b);
          }};
}

// Is each index of that length in one of the spans between ends that follow each other?
bool covered(const std::vector<End>& ends, std::int64_t length) {
  std::map<std::int64_t, int> written;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    for (std::int64_t at = ends[k].at(length); at < ends[k + 1].at(length); ++at) ++written[at];
  }
  bool once = std::ssize(written) == length;
  for (const auto& [at, times] : written) once = once && 0 <= at && at < length && times == 1;
  return once;
}

TEST_F(GridShapes, WhatIsDecidedIsSo) {
  std::mt19937 random(7);
  const Function before = f_;
  int decided = 0, rightly_not = 0, all_covered = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<End> ends{{integer(0), [](std::int64_t) { return 0; }}};
    for (std::size_t cuts = 1 + random() % 3; cuts > 0; --cuts)
      ends.push_back(random_end(random, 2));
    ends.push_back({n(), [](std::int64_t length) { return length; }});
    std::vector<Interval> spans;
    for (std::size_t k = 0; k + 1 < ends.size(); ++k)
      spans.push_back({ends[k].text, ends[k + 1].text});
    bool covers = true;
    for (std::int64_t length = 0; length < 9; ++length) covers = covers && covered(ends, length);
    f_ = before;
    const bool found = grid(spans, whole()).empty();
    EXPECT_TRUE(covers || !found) << "round " << round;
    decided += found ? 1 : 0;
    all_covered += covers ? 1 : 0;
    rightly_not += !covers && !found ? 1 : 0;
  }
  std::cout << decided << " of " << all_covered << " that cover are decided\n";
  EXPECT_GT(decided, 100);
  EXPECT_GT(rightly_not, 100);
}

}  // namespace
}  // namespace rhopsi::onf
