// Axioms tested on random values: what is refuted, by which values, and what cannot be tested.
#include <set>

#include <gtest/gtest.h>

#include "frontend/driver/samples.hpp"
#include "frontend/driver/verify.hpp"
#include "tests/exec/process.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi::driver {
namespace {

using Status = AxiomReport::Status;

class Values : public ::testing::Test {
 protected:
  // Every axiom of a file, by its name without the package.
  std::map<std::string, AxiomReport> of(const std::string& body, std::uint32_t seed = 1) {
    const std::string file = folder_.write(
        "t.mg", "package t imports moa.library, backend.kokkos, moa.dnf, of.padding;\n" + body);
    Session session({.include = {std::string(RHOPSI_SOURCE_DIR) + "/rules"},
                     .real = onf::Scalar::float64,
                     .record_steps = false,
                     .numbers_promote = true});
    syntax::Diagnostics diagnostics;
    VerifyRequest request;
    request.files = {file};
    request.by_values = true;
    request.search = {.tries = 60'000, .seed = seed, .spoke = 400};
    const auto report = verify(session, request, diagnostics);
    EXPECT_TRUE(report) << support::text_of(diagnostics);
    std::map<std::string, AxiomReport> found;
    for (const AxiomReport& each : report->axioms) found.emplace(each.name.substr(2), each);
    return found;
  }

  // An equation between arrays.
  AxiomReport law(const std::string& assertion, std::uint32_t seed = 1) {
    return of("concept C = { use signature(Expressions); theorem t(A: Array, B: Array, p: Index, "
              "axis: Int, k: Int) { assert " +
                  assertion + "; } };",
              seed)
        .at("C.t");
  }

  static std::string value(const AxiomReport& report, const std::string& name) {
    if (!report.refutation) return "no values";
    for (const auto& [unknown, text] : report.refutation->values) {
      if (unknown == name) return text;
    }
    return "no " + name;
  }

 private:
  exec::Folder folder_;
};

TEST_F(Values, RightAndWrongLaws) {
  const AxiomReport right = law("rotate(rotate(A, axis, k), axis, -k) == A");
  EXPECT_EQ(right.status, Status::tested) << to_string(right);
  EXPECT_EQ(right.values, 400U);
  for (const char* wrong :
       {"rotate(A, axis, k) == A", "transpose(A) == A", "matmul(A, B) == matmul(B, A)",
        "A * A == A", "take(A, axis, k) == drop(A, axis, k)", "0 <= k",
        "(dim(A): Int) == dim(B)"}) {
    const AxiomReport report = law(wrong);
    EXPECT_EQ(report.status, Status::refuted) << wrong << "\n" << to_string(report);
  }
}

// What holds for most arrays: each needs one that is rarer.
TEST_F(Values, ShapesOfAllKinds) {
  EXPECT_EQ(law("dim(A) == 1 => 0 < at(shape(A), 0)").status, Status::refuted);
  EXPECT_EQ(law("dim(A) == 1 => at(shape(A), 0) != 1").status, Status::refuted);
  EXPECT_EQ(law("0 < (dim(A): Int)").status, Status::refuted);
  EXPECT_EQ(law("(dim(A): Int) < 4").status, Status::refuted);
  EXPECT_EQ(law("dim(A) == 2 => at(shape(A), 0) == at(shape(A), 1)").status, Status::refuted);
  EXPECT_EQ(law("dim(A) == 3 && shape(A) == (shape(B): Index) => "
                "psi([0, 1, 0], A) == (psi([0, 1, 0], B): Number)")
                .status,
            Status::refuted);
}

// Whatever was found first, what is shown cannot be made smaller.
TEST_F(Values, CounterexamplesAreMinimal) {
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    const AxiomReport turned = law("reverse(A, axis) == A", seed);
    const std::string array = value(turned, "A");
    EXPECT_TRUE(array == "0 1 of shape [2]" || array == "1 0 of shape [2]") << array;
    EXPECT_EQ(value(turned, "axis"), "0");
    const AxiomReport limit = law("k < 5", seed);
    EXPECT_EQ(value(limit, "k"), "5");
    EXPECT_EQ(value(limit, "A"), "0");
    EXPECT_EQ(value(limit, "p"), "[]");
    const AxiomReport lengths = law("matmul(A, B) == 2 * matmul(A, B)", seed);
    EXPECT_EQ(value(lengths, "A"), "1 of shape [1]") << to_string(lengths);
    EXPECT_EQ(value(lengths, "B"), "1 of shape [1]");
  }
}

TEST_F(Values, SmallerSamplesEnd) {
  std::mt19937 random(3);
  Samples samples(5);
  for (int round = 0; round < 30; ++round) {
    Sample sample;
    samples.begin(std::nullopt);
    const term::SymbolId one{1};
    const term::SymbolId other{2};
    const term::SymbolId third{3};
    sample.values[one] =
        *samples.of({onf::Representation::Kind::array, onf::Scalar::float64, {}, false});
    sample.values[other] =
        *samples.of({onf::Representation::Kind::scalar, onf::Scalar::float64, {}, false});
    sample.values[third] = *samples.of({onf::Representation::Kind::index, {}, {}, false});
    std::size_t steps = 0;
    for (auto less = smaller(sample); !less.empty(); less = smaller(sample)) {
      sample = less[random() % less.size()];
      ASSERT_LT(++steps, 2000U);
    }
    EXPECT_EQ(value_text(sample.values[one]), "0");
    EXPECT_EQ(value_text(sample.values[other]), "0");
    EXPECT_EQ(value_text(sample.values[third]), "[]");
  }
}

TEST_F(Values, TheSeedDecides) {
  const auto text = [&](std::uint32_t seed) {
    return to_string(law("A == B || (dim(A): Int) < 2", seed));
  };
  EXPECT_EQ(text(3).substr(0, 20), text(3).substr(0, 20));
  const auto shown = [&](std::uint32_t seed) {
    const AxiomReport report = law("rotate(A, axis, k) == A", seed);
    return value(report, "A") + value(report, "axis") + value(report, "k");
  };
  EXPECT_EQ(shown(9), shown(9));
}

TEST_F(Values, WhatCannotBeTestedIsUnknown) {
  const AxiomReport never = law("k < k => A == B");
  EXPECT_EQ(never.status, Status::unknown);
  EXPECT_EQ(never.reason, "it says nothing about any value that was tried");
  const auto others = of(R"(
concept Open = {
  use signature(Expressions);
  function f(A: Array): Array;
  axiom t(A: Array) { assert f(f(A)) == A; }
};
implementation Made = external C++ lib.matrices {
  type Matrix;
  function _*_(a: Matrix, b: Matrix): Matrix;
};
concept Commutes = {
  type T;
  function op(a: T, b: T): T;
  axiom commutes(a: T, b: T) { assert op(a, b) == op(b, a); }
};
satisfaction Matrices = Made models Commutes[T => Matrix, op => _*_];
satisfaction Sums = Integers models Commutes[T => Int, op => _+_];
satisfaction Differences = Integers models Commutes[T => Int, op => _-_];
)");
  EXPECT_EQ(others.at("Open.t").status, Status::unknown);
  EXPECT_EQ(others.at("Commutes.commutes").status, Status::instances);
  // That it is tested of another model says nothing of this one.
  EXPECT_EQ(others.at("Matrices.commutes").status, Status::unknown);
  EXPECT_NE(others.at("Matrices.commutes").reason.find("only compiled programs"),
            std::string::npos);
  EXPECT_EQ(others.at("Sums.commutes").status, Status::tested);
  EXPECT_EQ(others.at("Differences.commutes").status, Status::refuted);
}

// Operations of the backend over the domain of a run, which no definition gives.
TEST_F(Values, ExternalsOnDomains) {
  const auto found = of(R"(
concept OnDomain = {
  use Arrays;
  axiom inverse(a: Array, axis: Axis, o: Offset) { assert rotate(rotate(a, axis, o), axis, -o) == a; }
  axiom either(a: Array, axis: Axis, o: Offset) { assert rotate(a, axis, o) == rotate(a, axis, -o); }
  axiom unpadded(ix: Index, a: Array, axis: Axis, o: Offset) guard inside(ix) {
    assert psi(ix, rotate(a, axis, o)) == psi(rotateIxPadded(ix, axis, o), a);
  }
};
implementation Padded = { use Arrays; use Padding; function padding(): Offset = 1; };
concept Further = {
  use signature(PadRotate);
  axiom further(ix: Index, axis: Axis, o: Offset, a: Array) guard inside(ix) && -padding() <= o {
    assert psi(rotateIx(ix, axis, o), a) == psi(rotateIxPadded(ix, axis, o), a);
  }
};
satisfaction Right = Padded models PadRotate[E => Real];
satisfaction Wrong = Padded models Further[E => Real];
)");
  EXPECT_EQ(found.at("OnDomain.inverse").status, Status::tested);
  EXPECT_EQ(found.at("OnDomain.either").status, Status::refuted);
  EXPECT_EQ(value(found.at("OnDomain.either"), "the domain"), "[3]");
  EXPECT_EQ(found.at("OnDomain.unpadded").status, Status::refuted);
  EXPECT_EQ(found.at("Right.rotateIxPadRule").status, Status::tested);
  EXPECT_EQ(found.at("Wrong.further").status, Status::refuted);
}

// Of each variable that the left side changes, whatever the others are.
TEST_F(Values, StatementsByWhatTheyLeave) {
  const auto found = of(R"(
program P = {
  use Integers;
  function f(a: Int): Int = a * a;
  procedure put(obs a: Int, out b: Int) = b = a + 1;
};
concept Statements = {
  type Int;
  function f(a: Int): Int;
  procedure put(obs a: Int, out b: Int);
  axiom shared(x: Int, y: Int, e: Int) {
    assert { x = f(e); y = f(e); } == { x = f(e); y = x; };
  }
  axiom second(x: Int, y: Int, e: Int) {
    assert { x = f(e); y = f(x); } == { x = f(e); y = x; };
  }
  axiom order(x: Int, y: Int, e: Int) { assert { x = f(y); y = e; } == { y = e; x = f(y); }; }
  axiom called(x: Int, e: Int) { assert { call put(e, x); x = f(x); } == { x = f(e + e); }; }
  axiom same(x: Int, e: Int) { assert { call put(e, x); } == { var u = e; call put(u, x); }; }
  function _+_(a: Int, b: Int): Int;
};
satisfaction S = P models Statements;
)");
  EXPECT_EQ(found.at("S.shared").status, Status::tested) << to_string(found.at("S.shared"));
  EXPECT_EQ(found.at("S.same").status, Status::tested) << to_string(found.at("S.same"));
  EXPECT_EQ(found.at("S.second").status, Status::refuted);
  EXPECT_EQ(value(found.at("S.second"), "e"), "2");
  EXPECT_EQ(found.at("S.order").status, Status::refuted);
  EXPECT_EQ(found.at("S.called").status, Status::refuted);
  EXPECT_EQ(found.at("Statements.shared").status, Status::instances);
}

// Bodies with statements, and the parameters of a run.
TEST_F(Values, SatisfactionsOfPrograms) {
  const auto found = of(R"(
implementation Factor = external Kokkos parameters { require type Real; function nu(): Real; };
program P = {
  use Arrays;
  use Factor;
  function f(a: Array): Array = nu() * rotate(a, 0, 1);
  function g(a: Array): Array = { var b = nu() * a; value rotate(b, 0, 1); };
};
concept Same = {
  type Array;
  function f(a: Array): Array;
  function g(a: Array): Array;
  axiom same(a: Array) { assert f(a) == g(a); }
  axiom less(a: Array) { assert f(a) == a; }
};
satisfaction S = P models Same;
)");
  EXPECT_EQ(found.at("S.same").status, Status::tested);
  EXPECT_EQ(found.at("S.less").status, Status::refuted);
  EXPECT_EQ(value(found.at("S.less"), "nu()"), "0");
}

}  // namespace
}  // namespace rhopsi::driver
