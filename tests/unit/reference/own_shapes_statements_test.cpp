// Procedures, loops and calls in programs whose arrays have shapes of their own.
#include "tests/unit/reference/own_shapes_fixture.hpp"

namespace rhopsi::reference {
namespace {

TEST_F(OwnShapes, ShapesChangeInALoop) {
  load_own(R"(
    procedure grow(upd u: Array, obs n: Int) {
      for i in 0 .. n { u = cat(u, iota(i), 0); };
    }
    procedure halve(upd u: Array) {
      while 1 < at(shape(u), 0) bound 64 { u = take(u, 0, at(shape(u), 0) / 2); };
    }
    procedure fold_up(upd u: Array) { iterate dim(u) reduced(u); }
    procedure reduced(upd u: Array) guard 0 < dim(u) { u = sum(u, dim(u) - 1); }
  )");
  expect_array(run("grow", {counting_reals({0}), integer(4)})[0], {6}, {0, 0, 1, 0, 1, 2});
  expect_array(run("grow", {counting_reals({1}, 8), integer(0)})[0], {1}, {8});
  expect_array(run("halve", {counting_reals({9}, 3)})[0], {1}, {3});
  expect_array(run("halve", {counting_reals({0})})[0], {0}, {});
  expect_array(run("fold_up", {counting_reals({2, 1, 3}, 1)})[0], {}, {21});
  expect_array(run("fold_up", {counting_reals({}, 4)})[0], {}, {4});
}

TEST_F(OwnShapes, AWhileLoopUntilATolerance) {
  load_own(R"(
    function distance(A: Array, B: Array): Number = {
      var d = abs(A - B);
      while 0 < dim(d) bound 8 { d = maximum(d, 0); };
      value psi([], d);
    };
    procedure relax(upd u: Array, obs tolerance: Number, out steps: Int) guard dim(u) == 1 {
      var last = u + 2 * tolerance;
      steps = 0;
      while (tolerance < distance(u, last)) bound 1000 {
        last = u;
        u = (rotate(u, 0, 1) + rotate(u, 0, -1) + 2 * u) / 4;
        steps = steps + 1;
      };
    }
  )");
  const std::vector<Value> left =
      run("relax", {array_of<double>({4}, {1, 0, 0, 0}), real(1e-6), integer(-1)});
  // The slowest mode halves in each step: 2^-k / 2 is below the tolerance for k = 19.
  const auto data = elements<double>(left[0]);
  for (double x : data) EXPECT_NEAR(x, 0.25, 1e-5);
  EXPECT_GT(std::get<std::int64_t>(left[2]), 10);
  EXPECT_LT(std::get<std::int64_t>(left[2]), 30);
}

TEST_F(OwnShapes, ProceduresCallProcedures) {
  load_own(R"(
    procedure exchange(upd a: Array, upd b: Array) { var c = a; a = b; b = c; }
    procedure split(obs u: Array, obs n: Int, out left: Array, out right: Array) {
      left = take(u, 0, n);
      right = drop(u, 0, n);
    }
    procedure step(upd u: Array, upd v: Array, upd n: Int) {
      var head: Array;
      var rest: Array;
      split(u, n, head, rest);
      call exchange(head, v);
      exchange(u, v);
      if n < at(shape(rest), 0) then { u = rest; } else { skip; };
      n = n + at(shape(v), 0);
    }
    function ends(A: Array): Array = {
      var a: Array;
      var b: Array;
      split(A, 1, a, b);
      value cat(b, a, 0);
    };
  )");
  std::vector<Value> left =
      run("step", {counting_reals({3}, 1), counting_reals({2}, 8), integer(1)});
  expect_array(left[0], {2}, {2, 3});
  expect_array(left[1], {3}, {1, 2, 3});
  EXPECT_EQ(left[2], integer(4));
  left = run("step", {counting_reals({3}, 1), counting_reals({2}, 8), integer(3)});
  expect_array(left[0], {3}, {1, 2, 3});
  expect_array(left[1], {3}, {1, 2, 3});
  expect_array(call("ends", {counting_reals({3})}), {3}, {1, 2, 0});
  expect_array(call("ends", {counting_reals({1, 2})}), {1, 2}, {0, 1});
}

// The same function on arrays of different ranks, and again after a change of its argument.
TEST_F(OwnShapes, AFunctionIsCalledTwice) {
  load_own(R"(
    function norm(A: Array): Number = if dim(A) == 0 then psi([], A) else norm(sum(A * A, dim(A) - 1));
    procedure step(upd u: Array, out before: Number, out after: Number) {
      before = norm(u);
      u = sum(u, 0);
      after = norm(u) + norm(u);
    }
  )");
  const std::vector<Value> left = run("step", {counting_reals({2, 2}), real(0), real(0)});
  EXPECT_EQ(left[1], real(1 + 13 * 13));
  EXPECT_EQ(left[2], real(2 * (4 + 16)));
  expect_array(left[0], {2}, {2, 4});
}

TEST_F(OwnShapes, AHeatEquation) {
  load_own(R"(
    procedure step(upd u: Array, obs k: Number) guard dim(u) == 2 {
      var obs factor: Array = forall (p < []: Index) k;
      u = u + factor * (rotate(u, 0, 1) + rotate(u, 0, -1) - 2 * u);
      assert forall (m < dim(u)) 0 < at(shape(u), m);
    };
  )");
  expect_array(run("step", {array_of<double>({3, 2}, {0, 0, 4, 8, 0, 0}), real(0.25)})[0], {3, 2},
               {1, 2, 2, 4, 1, 2});
  // A loop of one element along the axis is its own neighbour.
  expect_array(run("step", {counting_reals({1, 2}), real(0.5)})[0], {1, 2}, {0, 1});
}

}  // namespace
}  // namespace rhopsi::reference
