#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backends/io/npy.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

using Arguments = std::vector<std::string>;

Outcome eval(Arguments arguments) {
  arguments.insert(arguments.begin(), "eval");
  return rhopsi(arguments);
}

// The output of an expression that has a value.
std::string value(const Arguments& arguments) {
  const Outcome outcome = eval(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

// What is said of an expression that has none.
std::string refusal(const Arguments& arguments) {
  const Outcome outcome = eval(arguments);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  EXPECT_EQ(outcome.out, "") << outcome.text();
  return outcome.err;
}

TEST(Eval, ValuesAreTwoLines) {
  EXPECT_EQ(value({"A + 1", "--in", "A=iota:2,4:100"}),
            "shape: 2 4\n101 102 103 104 105 106 107 108\n");
  EXPECT_EQ(value({"2 * 3"}), "shape:\n6\n");
  EXPECT_EQ(value({"A", "--in", "A=iota:2,0,3"}), "shape: 2 0 3\n\n");
  EXPECT_EQ(value({"A", "--in", "A=iota::5"}), "shape:\n5\n");
  EXPECT_EQ(value({"A < B", "--in", "A=iota:3", "--in", "B=iota::1.5"}), "shape: 3\n1 1 0\n");
}

TEST(Eval, NumbersPromote) {
  EXPECT_EQ(value({"A + B", "--in", "A=iota:2", "--in", "B=iota:2:0.5"}), "shape: 2\n0.5 2.5\n");
  EXPECT_EQ(value({"A / 2", "--in", "A=iota:3:-1"}), "shape: 3\n-1 0 0\n");
  EXPECT_EQ(value({"A % 3", "--in", "A=iota:3:-1"}), "shape: 3\n2 0 1\n");
  EXPECT_EQ(value({"A / 2.0", "--in", "A=iota:3:-1"}), "shape: 3\n-0.5 0 0.5\n");
}

TEST(Eval, VectorsOfReals) {
  EXPECT_EQ(value({"[2.5, 1, -3] * A", "--in", "A=iota:3"}), "shape: 3\n0 1 -6\n");
  EXPECT_EQ(value({"[2.0]"}), "shape: 1\n2\n");
  EXPECT_EQ(value({"sum([0.5, 1.5], 0)"}), "shape:\n2\n");
  EXPECT_TRUE(has(refusal({"reshape(A, [1.5, 2])", "--in", "A=iota:3"}), "error[E0211]"));
}

TEST(Eval, ArraysFromFiles) {
  const Folder folder;
  const std::vector<std::int32_t> whole{1, 2, 3, 4};
  const std::vector<double> real{0.5, -1.5};
  io::write_npy(folder / "a.npy", {2, 2}, whole.data());
  io::write_npy(folder / "b.npy", {2}, real.data());
  EXPECT_EQ(value({"A", "--in", "A=" + folder / "a.npy"}), "shape: 2 2\n1 2 3 4\n");
  EXPECT_EQ(value({"A + B", "--in", "A=" + folder / "b.npy", "--in", "B=iota:2"}),
            "shape: 2\n0.5 -0.5\n");
}

TEST(Eval, ExpressionsMayLookLikeOptionsAndLists) {
  EXPECT_EQ(value({"-A", "--in", "A=iota:2:1"}), "shape: 2\n-1 -2\n");
  EXPECT_EQ(value({"--in", "A=iota:2:1", "-(A)"}), "shape: 2\n-1 -2\n");
  EXPECT_EQ(value({"[1, 2] + [3, 4]"}), "shape: 2\n4 6\n");
  EXPECT_TRUE(has(refusal({"-B", "--in", "A=iota:2"}), "expression:1:2: error[E0201]"));
  EXPECT_TRUE(has(refusal({"1", "-x"}), "unknown option -x"));
  EXPECT_TRUE(has(refusal({"1", "--backend", "kokkos", "--backend", "reference"}),
                  "--backend is given 2 times"));
}

TEST(Eval, MistakesAreShownInTheExpression) {
  const std::string unknown = refusal({"A + rotat(A, 0, 1)", "--in", "A=iota:3"});
  EXPECT_TRUE(has(unknown, "expression:1:5: error[E0202]")) << unknown;
  EXPECT_TRUE(has(unknown, "did you mean `rotate`?")) << unknown;
  const std::string shorter = refusal({"int(A)", "--in", "A=iota:3"});
  EXPECT_TRUE(has(shorter, "did you mean `integer`?")) << shorter;
  const std::string real = refusal({"take(A, 0, 1.5)", "--in", "A=iota:3"});
  EXPECT_TRUE(has(real, "expression:1:1: error[E0211]")) << real;
  EXPECT_TRUE(has(real, "argument 3 becomes Int by `")) << real;
  EXPECT_TRUE(has(real, " or `integer`")) << real;
  const std::string count = refusal({"rotate(A, 0)", "--in", "A=iota:3"});
  EXPECT_TRUE(has(count, "expression:1:1: error[E0210]")) << count;
  const std::string missing = refusal({"A + B", "--in", "A=iota:3"});
  EXPECT_TRUE(has(missing, "expression:1:5: error[E0201]")) << missing;
  EXPECT_TRUE(has(missing, "--in NAME=")) << missing;
  const std::string syntax = refusal({"A + (B", "--in", "A=iota:3"});
  EXPECT_TRUE(has(syntax, "expression:1:5: error[E0106]")) << syntax;
  EXPECT_TRUE(has(refusal({""}), "there is no expression"));
}

TEST(Eval, WhatHasNoValueIsAnError) {
  const std::string shapes = refusal({"cat(A, B, 1)", "--in", "A=iota:3,2", "--in", "B=iota:4,2"});
  EXPECT_TRUE(has(shapes, "expression:1:1: error[E0608]: cat on axis 1 needs")) << shapes;
  EXPECT_TRUE(has(shapes, "3 and 4")) << shapes;
  const std::string division = refusal({" 1 / A", "--in", "A=iota:2"});
  EXPECT_TRUE(has(division, "expression:1:2: error[E0612]")) << division;
  EXPECT_TRUE(has(division, "divided by 0")) << division;
  EXPECT_EQ(value({"1.0 / A", "--in", "A=iota:2"}), "shape: 2\ninf 1\n");
  // The sign of 0.0 / 0 is the machine's.
  const std::string none = refusal({"integer(0.0 / 0)"});
  EXPECT_TRUE(has(none, "error[E0613]: nan cannot be converted to int64")) << none;
}

// Numbers that are elements wrap; lengths do not.
TEST(Eval, LengthsThat64BitsDoNotHold) {
  const std::string most = "9223372036854775807";
  EXPECT_EQ(value({"iota(3) * " + most}), "shape: 3\n0 " + most + " -2\n");
  for (const std::string backend : {"reference", "kokkos"}) {
    const auto refused = [&](const std::string& expression, const std::string& wanted) {
      const std::string said = refusal({expression, "--backend", backend});
      EXPECT_TRUE(has(said, wanted)) << expression << ": " << said;
    };
    refused("iota(" + most + " + 1)", "expression:1:6: error[E0613]: " + most + " + 1 is no");
    refused("iota(4294967296 * 4294967296)",
            "expression:1:6: error[E0613]: 4294967296 * 4294967296 is no 64-bit integer");
    refused("pad_constant(iota(3), 0, " + most + ", " + most + ", 1)",
            "expression:1:1: error[E0613]: " + most + " + 3 is no 64-bit integer");
    refused("reshape(iota(0), [4294967296, 4294967296])",
            "error[E0613]: 4294967296 * 4294967296 is no 64-bit integer");
    refused("1 + iota(4000000000000000)", "error[E0616]");
    refused("outer_mul(iota(30), reshape(iota(0), [4294967296, 4294967296]))", "error[E0613]");
  }
  // There is nothing in it, however long the other axes are.
  EXPECT_EQ(value({"reshape(iota(0), [4294967296, 4294967296, 0])"}),
            "shape: 4294967296 4294967296 0\n\n");
}

TEST(Eval, InputsThatCannotBeRead) {
  EXPECT_TRUE(has(refusal({"A", "--in", "A=nowhere.npy"}), "error[E0820]"));
  EXPECT_TRUE(has(refusal({"A", "--in", "A=iota:2:x"}), "error[E0810]"));
  EXPECT_TRUE(has(refusal({"A", "--in", "A=iota:2", "--in", "A=iota:3"}), "error[E0811]"));
}

// It may be a slip of the pen, but the value does not depend on it.
TEST(Eval, InputsThatAreNotRead) {
  for (const bool form : {false, true}) {
    std::vector<std::string> arguments{"A + 1", "--in", "A=iota:2", "--in", "B=iota:3"};
    if (form) arguments.push_back("--dnf");
    const Outcome outcome = eval(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_TRUE(has(outcome.err, "warning[E0812]: --in B: the expression does not read 'B'"))
        << outcome.text();
    EXPECT_FALSE(has(outcome.err, "'A'")) << outcome.text();
    EXPECT_TRUE(has(outcome.out, "shape: 2\n")) << outcome.text();
  }
  const Folder folder;
  const std::string cases = folder.write("cases.txt", "A + 1 | A=iota:2 B=iota:3\n");
  const Outcome many = eval({"--file", cases});
  EXPECT_EQ(many.out, "shape: 2\n1 2\n");
  EXPECT_EQ(many.err, "");
}

TEST(Eval, OptionsThatDoNotGoTogether) {
  for (const Arguments& arguments : std::vector<Arguments>{{},
                                                           {"1", "--file", "cases"},
                                                           {"--file", "cases", "--in", "A=iota:2"},
                                                           {"--file", "cases", "--dnf"},
                                                           {"--file", "cases", "--onf"},
                                                           {"1", "--reassociate"}}) {
    EXPECT_TRUE(has(refusal(arguments), "error[E0810]"));
  }
}

// The order of reals is chosen where that is allowed.
TEST(Eval, OrdersOfContractions) {
  Arguments arguments{"matmul(matmul(A, B), C)",
                      "--dnf",
                      "--in",
                      "A=iota:100,2:0.5",
                      "--in",
                      "B=iota:2,20:0.5",
                      "--in",
                      "C=iota:20,90:0.5"};
  EXPECT_FALSE(has(value(arguments), "contraction")) << value(arguments);
  arguments.push_back("--reassociate");
  EXPECT_TRUE(has(value(arguments), "as A[i, k] * (B[k, k2] * C[k2, j]): 43 200 operations"))
      << value(arguments);
}

// Integers that are 0 divide no integer, but a real number.
TEST(Eval, RealIndicesDividedByNothing) {
  const std::vector<std::string> inputs = {"--in", "A=iota:3:5", "--in", "F=iota:2:0"};
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--dnf"}}) {
    const auto eval = [&](const std::string& expression) {
      std::vector<std::string> words = {"eval", expression};
      words.insert(words.end(), inputs.begin(), inputs.end());
      words.insert(words.end(), more.begin(), more.end());
      return rhopsi(words);
    };
    const Outcome real = eval("gather(A, 0, 2.5 / F > 3)");
    EXPECT_EQ(real.exit_code, 0) << real.text();
    EXPECT_FALSE(has(real.out, "needs F")) << real.out;
    if (more.empty()) {
      EXPECT_EQ(real.out, "shape: 2\n6 5\n");
      EXPECT_NE(eval("gather(A, 0, 2 / F > 3)").exit_code, 0);
    } else {
      EXPECT_TRUE(has(eval("gather(A, 0, 2 / F > 3)").out, "needs F")) << real.out;
    }
  }
}

TEST(Eval, NormalForms) {
  const Arguments inputs{"cat(B, drop(C, 0, 1), 0)", "--in", "B=iota:2,4", "--in", "C=iota:4,4"};
  Arguments arguments = inputs;
  arguments.push_back("--dnf");
  const std::string dnf = "shape: 5 4\n[0, 2) x [0, 4): B[i, j]\n[2, 5) x [0, 4): C[i - 1, j]\n";
  EXPECT_EQ(value(arguments), dnf);
  arguments.push_back("--onf");
  const std::string onf = "B: start 0 strides 4 1 counts 2 4\nC: start 4 strides 4 1 counts 3 4\n";
  EXPECT_EQ(value(arguments), dnf + onf);
  arguments = inputs;
  arguments.push_back("--onf");
  EXPECT_EQ(value(arguments), onf);
  EXPECT_TRUE(
      has(refusal({"take(A, 0, 3)", "--in", "A=iota:2", "--dnf"}), "expression:1:1: error[E0608]"));
}

TEST(Eval, Json) {
  Outcome outcome = eval({"A / 2.0", "--in", "A=iota:2", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  auto object = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(object.at("shape"), nlohmann::json({2}));
  EXPECT_EQ(object.at("element"), "float64");
  EXPECT_EQ(object.at("elements"), nlohmann::json({0.0, 0.5}));
  outcome = eval({"A + B", "--in", "A=iota:2", "--json"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
  object = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(object.at("errors"), 1);
  EXPECT_EQ(object.at("diagnostics").at(0).at("column"), 5);
  outcome = eval({"A", "--in", "A=iota:2", "--json", "--dnf", "--onf"});
  object = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(object.at("normal_form"), "shape: 2\n[0, 2): A[i]\n");
  EXPECT_EQ(object.at("accesses"), "A: start 0 strides 1 counts 2\n");
}

// ------------------------------------------------------------ many expressions

TEST(EvalFile, EveryCaseHasTwoLines) {
  const Folder folder;
  const std::string file = folder.write("cases",
                                        "A + 1 | A=iota:2:10\n"
                                        "A + rotat(A, 0, 1) | A=iota:2\n"
                                        "\n"
                                        "A | A=iota:0,3\n"
                                        "1 / A | A=iota:2\n"
                                        "A + B | A=iota:2 B=iota:3\n"
                                        "A || B | A=iota:2 B=iota:2\r\n"
                                        "A | A=nowhere.npy\n"
                                        "A | A=iota:x A=iota:2\n"
                                        "   A +  | A=iota:2\n"
                                        "if | \n"
                                        "2 * 3");
  const Outcome outcome = eval({"--file", file});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  const auto found = lines(outcome.out);
  ASSERT_EQ(found.size(), 24U) << outcome.text();
  EXPECT_EQ(found[0], "shape: 2");
  EXPECT_EQ(found[1], "11 12");
  EXPECT_EQ(found[6], "shape: 0 3");
  EXPECT_EQ(found[7], "");
  EXPECT_EQ(found[12], "shape: 2");
  EXPECT_EQ(found[13], "0 1");
  EXPECT_EQ(found[22], "shape:");
  EXPECT_EQ(found[23], "6");
  for (const std::size_t failed : {2, 3, 5, 6, 8, 9, 10, 11}) {
    EXPECT_EQ(found[2 * failed - 2].rfind("error: " + file + ":" + std::to_string(failed) + ":", 0),
              0U)
        << found[2 * failed - 2];
    EXPECT_EQ(found[2 * failed - 1], "");
  }
  EXPECT_TRUE(has(found[2], ":2:5: ")) << found[2];
  EXPECT_TRUE(has(found[8], "divided by 0")) << found[8];
  EXPECT_TRUE(has(found[14], ":8:5: input A=nowhere.npy: ")) << found[14];
  EXPECT_TRUE(has(found[16], ":9:14: input gives 'A' twice [E0811]")) << found[16];
  EXPECT_EQ(outcome.err, "8 of 12 cases failed\n");
}

TEST(EvalFile, NoCasesAndNoFile) {
  const Folder folder;
  EXPECT_EQ(value({"--file", folder.write("none", "")}), "");
  EXPECT_TRUE(has(refusal({"--file", folder / "missing"}), "error[E0807]"));
  EXPECT_TRUE(has(refusal({"--file", folder.path().string()}), "error[E0807]"));
}

TEST(EvalFile, Json) {
  const Folder folder;
  const Outcome outcome =
      eval({"--json", "--file", folder.write("cases", "A | A=iota:2\nA\n1 == 1\n")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  const auto object = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(object.at("errors"), 1);
  ASSERT_EQ(object.at("cases").size(), 3U);
  EXPECT_EQ(object.at("cases")[0].at("elements"), nlohmann::json({0, 1}));
  EXPECT_EQ(object.at("cases")[1].at("diagnostics").at(0).at("code"), "E0201");
  EXPECT_EQ(object.at("cases")[2].at("element"), "bool");
}

// --------------------------------------------------------------- own operations

const char* const own_operations = R"(package own
  imports moa.library, definitions.arrays, definitions.numbers, definitions.vectors;

concept Thinning = {
  use Numbers;
  use Dimension[E => Number];
  use VectorAlgebra;
  function every_second(A: Array, axis: Int): Array guard 0 <= axis && axis < dim(A);
  axiom everySecondShape(A: Array, axis: Int) {
    assert shape(every_second(A, axis)) == replace(shape(A), axis, (at(shape(A), axis) + 1) / 2);
  }
  axiom everySecondElement(p: Index, A: Array, axis: Int) {
    assert psi(p, every_second(A, axis)) == psi(replace(p, axis, 2 * at(p, axis)), A);
  }
};

concept Distance = {
  use Expressions;
  function manhattan(A: Array, B: Array): Array;
  axiom manhattanDefinition(A: Array, B: Array) {
    assert manhattan(A, B) == sum(abs(A - B), dim(A) - 1);
  }
};

concept Chain = {
  use Expressions;
  function chain(A: Array, B: Array, C: Array): Array guard dim(A) == 2 && dim(C) == 2;
  axiom chainDefinition(A: Array, B: Array, C: Array) {
    assert chain(A, B, C) == matmul(matmul(A, B), C);
  }
};
)";

// What is stored does not depend on whether it has a name, where its guard is certain.
TEST(EvalWith, ADefinitionIsStoredAsWhatItSays) {
  const Folder folder;
  const std::string file = folder.write("own.mg", own_operations);
  const auto form = [&](const std::string& text, const std::string& first) {
    return Arguments{text,
                     "--in",
                     "A=iota:" + first,
                     "--in",
                     "B=iota:20,20:1.5",
                     "--in",
                     "C=iota:20,20:2.5",
                     "--dnf",
                     "--with",
                     file};
  };
  const std::string inside = value(form("matmul(matmul(A, B), C)", "20,20:0.5"));
  EXPECT_TRUE(has(inside, "let t1: stored, 16 000 operations")) << inside;
  EXPECT_EQ(value(form("chain(A, B, C)", "20,20:0.5")), inside);
  const std::string wrong = refusal(form("chain(A, B, C)", "20:0.5"));
  EXPECT_TRUE(has(wrong, "error[E0608]: chain needs `dim(A) == 2`: 1 and 2, where A has 1 axis"))
      << wrong;
}

TEST(EvalWith, OperationsOfAUsersFile) {
  const Folder folder;
  const std::string file = folder.write("own.mg", own_operations);
  const Arguments arguments{"manhattan(every_second(A, 0), B)",
                            "--in",
                            "A=iota:4,3",
                            "--in",
                            "B=iota:2,3:5",
                            "--with",
                            file};
  EXPECT_EQ(value(arguments), "shape: 2\n15 6\n");
  Arguments form = arguments;
  form.push_back("--dnf");
  EXPECT_TRUE(has(value(form), "A[i * 2, k] - B[i, k]")) << value(form);
  const std::string guard = refusal({"every_second(A, 1)", "--in", "A=iota:4", "--with", file});
  EXPECT_TRUE(has(guard, "expression:1:1: error[E0608]: every_second on axis 1 needs")) << guard;
  const std::string absent = refusal({"every_second(A, 0)", "--in", "A=iota:4"});
  EXPECT_TRUE(has(absent, "--with")) << absent;
}

// ------------------------------------------------------------------- compiled

// What does not hold is told, not what stands before it in the guard.
TEST(EvalCompiled, GuardsNameThePartThatDoesNotHold) {
  const Folder folder;
  const std::string file = folder.write("cases",
                                        "gather(A, 0, B) | A=iota:3 B=iota:2:2\n"
                                        "gather(A, 0, B) | A=iota:300 B=iota:280:25\n"
                                        "gather(A, 0, B) | A=iota:3 B=iota:12:-1\n"
                                        "compress(A, 0, B) | A=iota:12 B=iota:12\n"
                                        "expand(A, 0, B) | A=iota:300 B=iota:300\n"
                                        "rotate(A, integer(B), 1) | A=iota:3 B=iota::4\n"
                                        "reverse(A, integer(B)) | A=iota:3 B=iota::-2\n"
                                        "reverse(A, 2) | A=iota:3\n"
                                        "psi([0, 1], A) + psi([5], A) | A=iota:3\n"
                                        "[1, 2, 3] + iota(2)\n"
                                        "A + 1 | A=iota:2 B=iota:1,1,1,1,1,1,1\n");
  const auto said = lines(eval({"--file", file, "--backend", "kokkos"}).out);
  const auto wanted = lines(eval({"--file", file}).out);
  EXPECT_EQ(said, wanted);
  ASSERT_EQ(said.size(), 22U);
  EXPECT_TRUE(has(said[0], "3 and 3, where m = 1 [E0608]")) << said[0];
  EXPECT_TRUE(has(said[2], "`entry(v, m) < at(shape(A), axis)`: 300 and 300, where m = 275"))
      << said[2];
  EXPECT_TRUE(has(said[6], "`psi([k], m) == 1`: 2 and 1, where k = 2")) << said[6];
  EXPECT_TRUE(has(said[10], "rotate on axis 4 needs `axis < dim(A)`: 4 and 1")) << said[10];
  EXPECT_EQ(said[20], "shape: 2");
}

TEST(EvalCompiled, ContractionsInAnotherOrder) {
  const Folder folder;
  const std::string file = folder.write(
      "cases",
      "sum(ravel(matmul(matmul(A, B), C)), 0) | A=iota:100,2 B=iota:2,20:-7 C=iota:20,90:3\n"
      "matmul(cumsum(matmul(matmul(A, B), C), 0), D) | A=iota:40,3 B=iota:3,20 C=iota:20,30 "
      "D=iota:30,2\n");
  const std::string expected = value({"--file", file});
  EXPECT_EQ(value({"--file", file, "--backend", "kokkos"}), expected);
  EXPECT_EQ(value({"--file", file, "--backend", "kokkos", "--reassociate"}), expected);
}

// One compiled program for all cases; what fails is told at its own case.
TEST(EvalCompiled, SaysWhatTheReferenceSays) {
  const Folder folder;
  const std::string own = folder.write("own.mg", own_operations);
  const std::string file =
      folder.write("cases",
                   "sum(A * A, 1) / 2.0 | A=iota:2,3:1\n"
                   "1 / A | A=iota:3\n"
                   "cat(A, B, 0) | A=iota:2,3:1 B=iota:1,4\n"
                   "cat(A, rotate(B, 1, 1), 0) | A=iota:2,3:1 B=iota:1,3\n"
                   "compress(A, 0, A % 2) | A=iota:5\n"
                   "cumsum(A, 0) < 4.5 | A=iota:5\n"
                   "manhattan(every_second(A, 0), B) | A=iota:4,3 B=iota:2,3:5\n"
                   "7\n"
                   "take(A, 0, 0) | A=iota:4,2\n");
  const Outcome compiled = eval({"--file", file, "--with", own, "--backend", "kokkos"});
  const Outcome reference = eval({"--file", file, "--with", own});
  EXPECT_EQ(compiled.exit_code, 0) << compiled.text();
  const auto found = lines(compiled.out);
  const auto wanted = lines(reference.out);
  ASSERT_EQ(found.size(), 18U) << compiled.text();
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (k == 2 || k == 4) continue;
    EXPECT_EQ(found[k], wanted[k]) << k;
  }
  EXPECT_TRUE(has(found[2], "cases:2:1: division by zero")) << found[2];
  EXPECT_TRUE(has(found[4], "equal lengths on axis 1: 3 and 4")) << found[4];
  EXPECT_EQ(compiled.err, reference.err);
}

// Of what is no number and what is one, the first of the two: docs/language.md says so.
TEST(EvalCompiled, TheSmallestAndTheLargestBesideNaN) {
  const Folder folder;
  const std::string cases = folder.write("cases.txt",
                                         "min([0.0, 1.0] / [0.0, 1.0], [2.0, 0.5])\n"
                                         "min([2.0, 0.5], [0.0, 1.0] / [0.0, 1.0])\n"
                                         "max([0.0, 1.0] / [0.0, 1.0], [2.0, 0.5])\n"
                                         "max([2.0, 0.5], [0.0, 1.0] / [0.0, 1.0])\n"
                                         "minimum(A / A, 0) | A=iota:5:0.0\n"
                                         "maximum(A / A, 0) | A=iota:5:-2.0\n"
                                         "minimum(reshape(A / A, [2, 3]), 0) | A=iota:6:0.0\n"
                                         "maximum(reshape(A / A, [2, 3]), 1) | A=iota:6:-3.0\n");
  for (const std::string backend : {"reference", "kokkos"}) {
    EXPECT_EQ(value({"--file", cases, "--backend", backend}),
              "shape: 2\nnan 0.5\nshape: 2\n2 0.5\nshape: 2\nnan 1\nshape: 2\n2 1\n"
              "shape:\nnan\nshape:\n1\nshape: 3\nnan 1 1\nshape: 2\n1 nan\n")
        << backend;
  }
}

// Loops that 32 bits do not count, of arrays that take no memory.
TEST(EvalCompiled, IndicesOf64Bits) {
  const Folder folder;
  const std::string cases = folder.write("cases.txt",
                                         "sum(outer_mul(2 + iota(1), iota(2147483650)), 1)\n"
                                         "take(iota(3000000000), 0, -3)\n"
                                         "gather(A, 0, (iota(4) * 3000000001) % 5) | A=iota:5:100\n"
                                         "take(cat(iota(2147483648), iota(10), 0), 0, -11)\n"
                                         "rotate(A, 0, -3000000001) | A=iota:5\n"
                                         "reshape(iota(0), [4294967296, 4294967296, 0])\n");
  EXPECT_EQ(value({"--file", cases, "--backend", "kokkos"}),
            "shape: 1\n4611686024869838850\n"
            "shape: 3\n2999999997 2999999998 2999999999\n"
            "shape: 4\n100 101 102 103\n"
            "shape: 11\n2147483647 0 1 2 3 4 5 6 7 8 9\n"
            "shape: 5\n4 0 1 2 3\n"
            "shape: 4294967296 4294967296 0\n\n");
}

TEST(EvalCompiled, OneExpression) {
  EXPECT_EQ(value({"reverse(A, 0) * 0.5", "--in", "A=iota:3", "--backend", "kokkos"}),
            "shape: 3\n1 0.5 0\n");
  EXPECT_TRUE(has(refusal({"1 % A", "--in", "A=iota::0", "--backend", "kokkos"}), "E0612"));
  EXPECT_TRUE(has(refusal({"1", "--backend", "paper"}), "error[E0810]"));
}

// An index that an expression gives is one of the array's, also where the element would be computed
// without looking at one of its own.
TEST(EvalCompiled, IndicesOutsideOfWhatIsComputed) {
  const Folder folder;
  const std::vector<std::string> outside{
      "forall (j < [3]) (psi([at(j, 0) + 1], iota(3)): Number)",
      "forall (j < [3]) (psi([at(j, 0) + 1], iota(3) * 2): Number)",
      "forall (j < [3]) (psi([at(j, 0) - 1], u * 2): Number)",
      "forall (j < [3]) (psi([at(j, 0) + 1], rotate(u, 0, 1)): Number)",
      "forall (j < [2]) (psi([at(j, 0) + 1], take(u, 0, 2)): Number)",
      "forall (j < [3]) (psi(j, [1, 2]): Number)",
      "forall (j < [3]) (psi([1, at(j, 0)], reshape(cat(u, u, 0), [3, 2])): Number)",
      "forall (j < [2]) (fold _+_ (k < 4) (psi([k], cumsum(u, 0)): Number))"};
  const std::vector<std::string> inside{
      "forall (j < [3]) (psi([2 - at(j, 0)], iota(3) * 2): Number)",
      "forall (j < [1]) (psi([at(j, 0) + 1], take(u, 0, 2)): Number)",
      "forall (j < [0]) (psi([at(j, 0) + 7], rotate(u, 0, 1)): Number)",
      "forall (j < [3]) (if at(j, 0) < 2 then (psi(j, [1, 2]): Number) else (psi([], 7): Number))"};
  std::string cases;
  for (const auto* each : {&outside, &inside}) {
    for (const std::string& expression : *each) cases += expression + " | u=iota:3\n";
  }
  const std::string file = folder.write("cases", cases);
  const auto reference = lines(eval({"--file", file}).out);
  const auto compiled = lines(eval({"--file", file, "--backend", "kokkos"}).out);
  ASSERT_EQ(reference.size(), 2 * (outside.size() + inside.size()));
  ASSERT_EQ(compiled.size(), reference.size());
  for (std::size_t k = 0; k < reference.size(); ++k) {
    if (k >= 2 * outside.size()) {
      EXPECT_EQ(compiled[k], reference[k]) << k;
      EXPECT_FALSE(reference[k].starts_with("error")) << reference[k];
    } else if (k % 2 == 0) {
      EXPECT_TRUE(has(compiled[k], "[E0609]")) << outside[k / 2] << "\n" << compiled[k];
      EXPECT_TRUE(has(reference[k], "[E0609]")) << outside[k / 2] << "\n" << reference[k];
    }
  }
}

// A condition on all numbers is decided at the first where it does not hold: what is asked for at
// later ones need not be there, and where it holds so far it must.
TEST(EvalCompiled, ConditionsOnAllNumbersEndWhereTheyAreDecided) {
  const Folder folder;
  const std::string seven = "(psi([k], u): Number) == 7";
  const std::vector<std::string> expressions{
      "if forall (k < 50) (" + seven + ") then 1 else 2",
      "if forall (k < 5) (" + seven + ") then 1 else 2",
      "if forall (k < total(u) + 9) (" + seven + ") then 1 else 2",
      "if forall (k < 20) (" + seven + " || (psi([k + 1], u): Number) == 7) then 1 else 2",
      "if forall (k < 20) (forall (l < k + 10) ((psi([l], u): Number) == 7 - k)) then 1 else 2",
      "if forall (k < 9) (forall (l < 2) (psi([k + l], u): Number) == 7) then 1 else 2",
      "if forall (k < 20) (7 / ((psi([k], u): Number) - 8) < 0) then 1 else 2",
      "if forall (k < 20) ((psi([(psi([k], u): Int)], u): Number) == 7) then 1 else 2",
      "if forall (k < 7) (12 / (k - total(u)) < 3) then 1 else 2",
      "if forall (k < at(shape(u), 0)) ((psi([k + 2], u): Number) >= 1 || k < 9) then 1 else 2",
      "forall (j < [3]) (if forall (k < 30) ((psi([at(j, 0) + k], u): Number) == 7) then 1 else 2)",
      "forall (j < [2]) (if at(j, 0) > 0 then 5 else "
      "(if forall (k < 30) ((psi([3 * at(j, 0) + k], u): Number) == 7) then 1 else 2))"};
  const std::vector<std::int64_t> sevens{7, 7, 7, 7};
  const std::vector<std::int64_t> last{7, 7, 7, 8};
  io::write_npy(folder / "sevens.npy", {4}, sevens.data());
  io::write_npy(folder / "last.npy", {4}, last.data());
  std::string cases;
  for (const std::string& expression : expressions) {
    for (const std::string& input :
         {std::string("iota:3:7"), std::string("iota:3:6"), std::string("iota:1:7"),
          std::string("iota:0"), std::string("iota:12:-3"), folder / "sevens.npy",
          folder / "last.npy"}) {
      cases += expression + " | u=" + input + "\n";
    }
  }
  const std::string file = folder.write("cases", cases);
  const auto texts = lines(cases);
  const auto reference = lines(eval({"--file", file}).out);
  const auto compiled = lines(eval({"--file", file, "--backend", "kokkos"}).out);
  ASSERT_EQ(reference.size(), 2 * texts.size());
  ASSERT_EQ(compiled.size(), reference.size());
  std::size_t refused = 0;
  for (std::size_t k = 0; k < reference.size(); ++k) {
    const bool wrong = reference[k].starts_with("error");
    refused += wrong ? 1 : 0;
    const auto code = reference[k].find("[E");
    const std::string expected = wrong ? reference[k].substr(code, 7) : reference[k];
    EXPECT_TRUE(wrong ? has(compiled[k], expected) : compiled[k] == expected)
        << texts[k / 2] << "\nreference " << reference[k] << "\ncompiled " << compiled[k];
  }
  EXPECT_GT(refused, texts.size() / 4);
  EXPECT_LT(refused, texts.size() * 3 / 4);
}

// What the rules of an operation ask for is there: it is not tested again in programs.
TEST(EvalCompiled, ElementsThatRulesAskForAreNotTested) {
  const Folder folder;
  const std::string file =
      folder.write("chosen.mg",
                   "package chosen imports moa.library;\n"
                   "program P = implement Expressions in {\n"
                   "  use Expressions;\n"
                   "  procedure p(obs u: Array, out v: Array) guard dim(u) == 1 {\n"
                   "    v = gather(pad_edge(u, 0, 2, 3), 0, grade_up(u));\n"
                   "  };\n"
                   "  procedure q(obs u: Array, obs k: Int, out x: Number) guard dim(u) == 1 {\n"
                   "    x = psi([k], u + u);\n"
                   "  };\n"
                   "};\n");
  const Outcome form = rhopsi({"emit", file, "-p", "P", "--emit", "onf"});
  EXPECT_EQ(form.exit_code, 0) << form.text();
  // Whatever number is asked for, each of the three cases of pad_edge lies within u.
  EXPECT_FALSE(has(form.out, "an index outside of u on axis 0 (chosen.mg:5)")) << form.out;
  EXPECT_FALSE(has(form.out, "out of range on axis 0 of an array of length shape(u)[0] + 5"))
      << form.out;
  EXPECT_TRUE(has(form.out, "the index k is out of range on axis 0 of an array of length "))
      << form.out;
}

// Nobody reads an element before the form is printed, but that is no value all the same.
TEST(EvalWith, AccessesThatAreAlwaysOutside) {
  const Folder folder;
  const auto own = [&](const std::string& element) {
    return folder.write("own.mg",
                        "package own imports moa.library, definitions.arrays, definitions.numbers, "
                        "definitions.vectors;\n"
                        "concept Own = {\n"
                        "  use Numbers;\n"
                        "  use Dimension[E => Number];\n"
                        "  use VectorAlgebra;\n"
                        "  function far(A: Array): Array guard dim(A) == 1;\n"
                        "  axiom farShape(A: Array) { assert shape(far(A)) == [2]; }\n"
                        "  axiom farElement(p: Index, A: Array) { assert psi(p, far(A)) == " +
                            element + "; }\n};\n");
  };
  for (const std::string element :
       {"psi([9], A)", "psi([0 - 1], A)", "psi([at(p, 0) + 3], A)", "psi([at(p, 0) + 2], A)",
        "fold _+_ (k < 4) psi([k], A)", "fold _+_ (k < 2) psi([9], A)"}) {
    const std::string file = own(element);
    for (const std::string option : {"", "--dnf", "--onf"}) {
      std::vector<std::string> arguments{"far(A)", "--in", "A=iota:3", "--with", file};
      if (!option.empty()) arguments.push_back(option);
      const std::string said = refusal(arguments);
      EXPECT_TRUE(has(said, "expression:1:1: error[E0609]")) << element << option << said;
    }
  }
  const std::string said =
      refusal({"far(A)", "--in", "A=iota:3", "--with", own("psi([9], A)"), "--dnf"});
  EXPECT_TRUE(has(said, "the index 9 is out of range on axis 0 of A, which has length 3")) << said;
  // What no element comes to is nothing.
  for (const std::string element : {"(if at(p, 0) == 5 then psi([9], A) else psi([0], A))",
                                    "(if psi([0], A) == 7 then psi([9], A) else psi([0], A))",
                                    "fold _+_ (k < dim(A) - 1) psi([9], A)"}) {
    const Outcome outcome = eval({"far(A)", "--in", "A=iota:3", "--with", own(element), "--dnf"});
    EXPECT_EQ(outcome.exit_code, 0) << element << outcome.text();
  }
}

TEST(EvalWith, MistakesAreShownInTheUsersFile) {
  const Folder folder;
  std::string text = own_operations;
  text.replace(text.find("replace(p, axis"), 7, "replac");
  const std::string wrong = folder.write("own.mg", text);
  const std::string mistake = refusal({"1", "--with", wrong});
  EXPECT_TRUE(has(mistake, "own.mg:13:49: error[E0202]")) << mistake;
  const std::string program = folder.write("p.mg", "package p;\nimplementation P = {};\n");
  EXPECT_TRUE(has(refusal({"1", "--with", program}), "error[E0805]"));
  EXPECT_TRUE(has(refusal({"1", "--with", folder / "missing.mg"}), "error[E0401]"));
}

TEST(EvalWith, AxiomsThatContradictEachOther) {
  const Folder folder;
  const std::string begin =
      "package own imports moa.library, definitions.arrays, definitions.numbers, "
      "definitions.vectors;\n"
      "concept Own = {\n"
      "  use Numbers;\n"
      "  use Dimension[E => Number];\n"
      "  use VectorAlgebra;\n"
      "  function half(A: Array): Array guard dim(A) == 1;\n"
      "  axiom one(A: Array) { assert shape(half(A)) == [at(shape(A), 0) / 2]; }\n"
      "  axiom other(B: Array) { assert shape(half(B)) == ";
  const auto said = [&](const std::string& shape) {
    const std::string file = folder.write("own.mg", begin + shape + "; }\n};\n");
    const Outcome outcome = eval({"shape(half(A))", "--in", "A=iota:6", "--with", file});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_EQ(outcome.out, "shape: 1\n3\n");
    return outcome.err;
  };
  EXPECT_EQ(said("[at(shape(B), 0) / (1 + 1)]"), "");
  const std::string warned = said("[at(shape(B), 0) / 2 + 1]");
  EXPECT_TRUE(has(warned, "own.mg:8:27: warning[E0344]")) << warned;
}

// An operation of one's own whose axioms are called as those of a library's of another spelling.
TEST(EvalWith, AxiomsThatShareTheirNamesOnly) {
  const Folder folder;
  const std::string file =
      folder.write("own.mg",
                   "package own imports definitions.arrays, definitions.numbers;\n"
                   "concept Own = {\n"
                   "  use Numbers;\n"
                   "  use Arrays[E => Number];\n"
                   "  function neg(A: Array): Array;\n"
                   "  axiom negShape(A: Array) { assert shape(neg(A)) == shape(A); }\n"
                   "  axiom negElement(p: Index, A: Array) {\n"
                   "    assert psi(p, neg(A)) == 1 - psi(p, A);\n"
                   "  }\n};\n");
  for (const std::string shape : {"3", "1", "0", "2,3"}) {
    const auto of = [&](const std::string& text) {
      return value({text, "--in", "A=iota:" + shape + ":5", "--with", file});
    };
    EXPECT_EQ(of("neg(A)"), of("1 - A"));
    EXPECT_EQ(of("-neg(A)"), of("A - 1"));
  }
}

TEST(EvalWith, FilesThatContradictEachOther) {
  const Folder folder;
  const std::string first = folder.write("own.mg", own_operations);
  std::string text = own_operations;
  text.replace(text.find("own"), 3, "other");
  EXPECT_EQ(value({"every_second(A, 0)", "--in", "A=iota:3", "--with", first, "--with",
                   folder.write("other.mg", text)}),
            "shape: 2\n0 2\n");
  text.replace(text.find("2 * at"), 1, "3");
  const std::string conflict =
      refusal({"1", "--with", first, "--with", folder.write("other.mg", text)});
  EXPECT_TRUE(has(conflict, "other.mg:12:9: error[E0321]")) << conflict;
}

}  // namespace
}  // namespace rhopsi::exec
