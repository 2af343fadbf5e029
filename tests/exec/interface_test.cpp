// Emitted functions as others call them: from Python on NumPy arrays, from C++ on Views, from C.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/exec/emitted.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

// Swaps, results of another shape, strides, what is refused.
const char* const calls =
    "package calls imports moa.library;\n"
    "program Calls = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure swap(upd u: Array, upd v: Array) guard dim(u) == 1 && dim(v) == 1 {\n"
    "    var t = u; u = v; v = t; }\n"
    "  procedure twice(obs u: Array, out v: Array, obs k: Number) guard dim(u) == 2 {\n"
    "    v = cat(u, u + array(k), 0); }\n"
    "  procedure grow(upd u: Array) guard dim(u) == 1 { u = cat(u, u, 0); }\n"
    "  procedure lambda(obs u: Array, out v: Array, obs k: Int) guard dim(u) == 1 {\n"
    "    v = u + array(k); }\n"
    "  procedure differ(obs u: Array, upd v: Array) guard dim(u) == 1 && dim(v) == 1 {\n"
    "    v = rotate(u, 0, 1) - u; }\n"
    "  procedure both(obs u: Array, out v: Array, out w: Array) guard dim(u) == 1 {\n"
    "    v = u + array(1); w = v; }\n"
    "  procedure same(obs u: Array, out v: Array) guard dim(u) == 1 { v = u; }\n"
    "  procedure late(upd u: Array, out v: Array) guard dim(u) == 1 {\n"
    "    v = u + array(1); u = cat(u, u, 0); }\n"
    "};\n";

const char* const calls_in_python =
    "import gc\n"
    "import resource\n"
    "import numpy as np\n"
    "import Calls\n"
    "u, v = np.arange(10.0)[::2], np.arange(5.0)[::-1]  # neither is dense and forward\n"
    "old_u, old_v = u.copy(), v.copy()\n"
    "Calls.swap(u, v)\n"
    "assert (u == old_v).all() and (v == old_u).all(), (u, v)\n"
    "a, b = np.arange(3.0), np.ones(3)  # both are used where they lie\n"
    "Calls.swap(a, b)\n"
    "assert (a == 1).all() and (b == [0, 1, 2]).all(), (a, b)\n"
    "m = np.arange(6.0).reshape(2, 3)\n"
    "for given in (m, np.asfortranarray(m), m[:, ::-1], m[:0], np.broadcast_to(m[0], (4, 3))):\n"
    "    made = Calls.twice(given, 2.5)\n"
    "    assert (made == np.concatenate([given, given + 2.5])).all(), made\n"
    "part = Calls.twice(m, 0.0)[1:3]\n"
    "gc.collect()\n"
    "assert (part == [[3, 4, 5], [0, 1, 2]]).all(), part\n"
    "w = np.arange(4.0)\n"
    "Calls.differ(w, w)  # what is read lies where it is written\n"
    "assert (w == [1, 1, 1, -3]).all(), w\n"
    "def refused(kind, words, call):\n"
    "    try:\n"
    "        call()\n"
    "    except kind as error:\n"
    "        assert words in str(error), error\n"
    "    else:\n"
    "        assert False, words\n"
    "refused(Calls.Error, 'E0611', lambda: Calls.swap(a, a))\n"
    "n = np.arange(6.0)\n"
    "Calls.swap(n[::2], n[1::2])  # neighbours in one memory\n"
    "assert (n == [1, 0, 3, 2, 5, 4]).all(), n\n"
    "refused(Calls.Error, 'E0611', lambda: Calls.swap(n[:4:2], n[2::2]))\n"
    "again = np.lib.stride_tricks.as_strided(n, (3,), (0,), writeable=True)\n"
    "refused(Calls.Error, 'two elements in one place', lambda: Calls.swap(again, n[3:]))\n"
    "refused(Calls.Error, 'E0611', lambda: Calls.grow(np.ones(3)))\n"
    "refused(TypeError, 'int64', lambda: Calls.swap(a, np.arange(3)))\n"
    "assert (Calls.lambda_(np.zeros(2), 2**63 - 1) == 2.0**63).all()  # a word of Python's\n"
    "refused(OverflowError, 'too large', lambda: Calls.lambda_(np.zeros(2), 2**64 + 1))\n"
    "refused(ValueError, 'axes', lambda: Calls.swap(a, m))\n"
    "refused(ValueError, 'written', lambda: Calls.swap(a, np.broadcast_to(b, 3)))\n"
    "v, w = Calls.both(a)  # no two arrays of Python's have one memory\n"
    "same = Calls.same(a)\n"
    "v[0] = same[0] = -5\n"
    "assert (w == [2, 2, 2]).all() and (a == 1).all(), (w, a)\n"
    "made = Calls.twice(m, 1.0)\n"
    "at, old = made.ctypes.data, made.copy()\n"
    "other = Calls.twice(m, 2.0)\n"
    "assert (made == old).all() and not np.shares_memory(made, other)\n"
    "del made\n"
    "gc.collect()\n"
    "made = Calls.twice(m, 3.0)\n"
    "assert made.ctypes.data == at or ON_DEVICE  # what was freed is used again\n"
    "assert (made[2:] == m + 3).all() and (other[2:] == m + 2).all()\n"
    "large = np.ones(1 << 18)\n"
    "refused(Calls.Error, 'E0611', lambda: Calls.late(large))  # what it has made is lost to "
    "nobody\n"
    "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
    "for _ in range(100):\n"
    "    refused(Calls.Error, 'E0611', lambda: Calls.late(large))\n"
    "for n in range(100):  # of many sizes\n"
    "    Calls.same(np.ones((1 << 18) + n))\n"
    "grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before\n"
    "assert grown < 110 << 10, grown  # 64 MiB, some arrays, and no 400 MB\n"
    "print('all of it')\n";

const char* const calls_in_cpp =
    "#include \"Calls_kernels.hpp\"\n"
    "template <int R>\n"
    "double first(const rhopsi::Made<double, R>& a) {\n"
    "  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a).data()[0];\n"
    "}\n"
    "int check() {\n"
    "  Kokkos::View<double*, Kokkos::LayoutRight, rhopsi::Memory> u(\"u\", 3);\n"
    "  Kokkos::deep_copy(u, 1.0);\n"
    "  rhopsi::Made<double, 1> v, w;\n"
    "  Calls_kernels::lambda_(u, v, 1);\n"
    "  const double* const at = v.data();\n"
    "  Calls_kernels::lambda_(u, v, 2);  // the same room\n"
    "  if (v.data() != at || first<1>(v) != 3) return 1;\n"
    "  w = v;\n"
    "  Calls_kernels::lambda_(u, v, 3);  // which somebody else reads\n"
    "  if (v.data() == w.data() || first<1>(w) != 3 || first<1>(v) != 4) return 2;\n"
    "  Calls_kernels::lambda_(v, v, 1);  // which the call reads\n"
    "  if (first<1>(v) != 5) return 3;\n"
    "  Calls_kernels::both(v, v, w);\n"
    "  if (first<1>(v) != 6 || first<1>(w) != 6 || v.data() == w.data()) return 4;\n"
    "  try {  // it would set the array that it makes v of\n"
    "    Calls_kernels::late(v, v);\n"
    "    return 7;\n"
    "  } catch (const rhopsi::Error& error) {\n"
    "    if (error.code() != std::string(\"E0611\") || first<1>(v) != 6) return 8;\n"
    "  }\n"
    "  Calls_kernels::same(w, v);\n"
    "  if (first<1>(v) != 6 || v.data() == w.data()) return 5;\n"
    "  Calls_kernels::lambda_(Kokkos::View<double*, Kokkos::LayoutRight, rhopsi::Memory>(\"\", 2), "
    "v, 7);\n"
    "  return v.extent(0) == 2 && first<1>(v) == 7 ? 0 : 6;\n"
    "}\n"
    "int main(int count, char** words) {\n"
    "  Kokkos::initialize(count, words);\n"
    "  const int wrong = check();\n"
    "  Kokkos::finalize();\n"
    "  return wrong;\n"
    "}\n";

const char* const calls_in_c =
    "#include <stdio.h>\n"
    "#include \"Calls_kernels.h\"\n"
    "int main(void) {\n"
    "  double u[3] = {1, 2, 3}, v[3] = {4, 5, 6}, m[2] = {7, 8};\n"
    "  const int64_t three[1] = {3}, row[2] = {1, 2};\n"
    "  Calls_array* made = 0;\n"
    "  if (Calls_swap(u, three, 0, v, three, 0) != 0 || u[2] != 6 || v[0] != 1) return 1;\n"
    "  if (Calls_twice(m, row, 0, &made, 1.0) != 0) return 2;\n"
    "  if (made->axes != 2 || made->extents[0] != 2 || ((double*)made->data)[3] != 9) return 3;\n"
    "  Calls_free(made);\n"
    "  if (Calls_twice(m, row, 0, 0, 1.0) != 1) return 4;  /* null for what is needed */\n"
    "  printf(\"%s %s\\n\", Calls_error_code(), Calls_error());\n"
    "  if (Calls_swap(u, 0, 0, v, three, 0) != 1 || Calls_swap(0, three, 0, v, three, 0) != 1)\n"
    "    return 5;\n"
    "  const int64_t still[1] = {0}, two[1] = {2}, four[1] = {4};\n"
    "  double w[5] = {1, 2, 3, 4, 5};\n"
    "  if (Calls_swap(u, three, still, v, three, 0) != 1) return 6;  /* one place for all */\n"
    "  printf(\"%s %s\\n\", Calls_error_code(), Calls_error());\n"
    "  if (Calls_swap(w, two, two, w + 1, two, two) != 0 || w[0] != 2 || w[1] != 1) return 7;\n"
    "  if (Calls_swap(w, two, four, w + 2, two, two) != 1) return 8;  /* w[4] is in both */\n"
    "  if (Calls_swap(u, three, 0, u, three, 0) != 1) return 9;\n"
    "  printf(\"%s %s\\n\", Calls_error_code(), Calls_error());\n"
    "  return 0;\n"
    "}\n";

class Interface : public testing::Test {
 protected:
  // Emits, and builds these targets.
  void built(const std::vector<std::string>& words, const std::vector<std::string>& targets,
             const std::string& more = {}) {
    std::vector<std::string> emit = {"emit", "-o", target, "--python"};
    emit.insert(emit.end(), words.begin(), words.end());
    // With a Kokkos for devices, what is emitted for them.
    if (on_device() && std::ranges::count(words, "--target") == 0)
      emit.insert(emit.end(), {"--target", "cuda"});
    const Outcome emitted = rhopsi(emit);
    ASSERT_EQ(emitted.exit_code, 0) << emitted.text();
    if (!more.empty())
      folder.write("emitted/CMakeLists.txt", read(target + "/CMakeLists.txt") + more);
    build_emitted(target, {"-DCMAKE_BUILD_TYPE=Debug"}, targets);
  }

  Outcome python(const std::string& script) {
    folder.write("emitted/check.py", script);
    return execute(RHOPSI_PYTHON, {target + "/check.py"});
  }

  const Folder folder;
  const std::string target = folder / "emitted";
};

TEST_F(Interface, OfArraysWithShapesOfTheirOwn) {
  folder.write("caller.c", calls_in_c);
  folder.write("caller.cpp", calls_in_cpp);
  built({folder.write("calls.mg", calls), "-p", "Calls", "--rank", "2"},
        {"Calls_python", "Calls_example", "caller", "caller_cpp"},
        "add_executable(caller_cpp ../caller.cpp)\n"
        "target_link_libraries(caller_cpp PRIVATE Calls_kernels)\n"
        "enable_language(C)\nadd_executable(caller ../caller.c)\n"
        "target_link_libraries(caller PRIVATE Calls_kernels)\n"
        "set_target_properties(caller PROPERTIES LINKER_LANGUAGE CXX)\n");
  const std::string device = on_device() ? "ON_DEVICE = True\n" : "ON_DEVICE = False\n";
  const Outcome checked = python(device + calls_in_python);
  EXPECT_EQ(checked.out, "all of it\n") << checked.text();
  const Outcome views = execute(target + "/build/caller_cpp", {});
  EXPECT_EQ(views.exit_code, 0) << views.text();
  const Outcome c = execute(target + "/build/caller", {});
  EXPECT_EQ(c.exit_code, 0) << c.text();
  EXPECT_EQ(c.out,
            "E0611 the pointer for 'v' is null\n"
            "E0611 an array that is written has two elements in one place\n"
            "E0611 two of the arrays that are written lie in the same memory\n");
  // What the folder shows how to call does what it says.
  const Outcome example = execute(target + "/build/Calls_example", {});
  EXPECT_EQ(example.exit_code, 0) << example.text();
  EXPECT_NE(example.out.find("u of 8: 0 1 2"), std::string::npos) << example.text();
  const Outcome in_python = execute(RHOPSI_PYTHON, {target + "/example.py"});
  EXPECT_EQ(in_python.exit_code, 0) << in_python.text();
}

// Names that the program has and what is emitted has too.
const char* const names =
    "package names imports moa.library, backend.kokkos;\n"
    "implementation Settings = external Kokkos parameters {\n"
    "  require type Number;\n"
    "  function lambda(): Number;\n"
    "  function None(): Number;\n"
    "};\n"
    "program heat = implement Expressions in {\n"
    "  use Expressions;\n"
    "  use Settings;\n"
    "  procedure heat(upd u: Array) guard dim(u) == 1 { u = array(lambda()) * u; };\n"
    "  procedure any(obs y_type: Array, out y: Array, obs failure: Number, obs heat: Number)\n"
    "    guard dim(y_type) == 1 { y = y_type + array(failure + heat); };\n"
    "  procedure y_type(obs x_field: Array, obs x: Array, out y: Array, obs int64_t: Number)\n"
    "    guard dim(x) == 1 && dim(x_field) == 1 && shape(x) == shape(x_field) {\n"
    "    y = x - x_field * array(int64_t * None()); };\n"
    "};\n";

TEST_F(Interface, NamesThatAreTaken) {
  built({folder.write("names.mg", names), "-p", "heat"}, {"heat_python"});
  const Outcome checked = python(
      "import numpy as np\n"
      "import heat\n"
      "set = heat.Parameters(lambda_=2.0, None_=3.0)\n"
      "u = np.arange(3.0)\n"
      "heat.heat(set, u)\n"
      "assert (u == [0, 2, 4]).all(), u\n"
      "assert (heat.any_2(set, u, 1.0, 2.0) == [3, 5, 7]).all()\n"
      "assert (heat.y_type(set, u, u + 1, 2.0) == [1, -9, -19]).all()\n"
      "print('all of it')\n");
  EXPECT_EQ(checked.out, "all of it\n") << checked.text();
  const Outcome example = execute(RHOPSI_PYTHON, {target + "/example.py"});
  EXPECT_EQ(example.exit_code, 0) << example.text();
}

// Of truth values, which C++ packs where it can.
TEST_F(Interface, TruthValues) {
  built({folder.write("truths.mg",
                      "package truths imports backend.kokkos;\n"
                      "implementation Truths = external Kokkos scalar {\n"
                      "  type Bool; function not(a: Bool): Bool; };\n"
                      "implementation Part = (external Kokkos array {\n"
                      "  require type E; require type Index; require type Axis;\n"
                      "  require type Offset; type Array;\n"
                      "  function psi(ix: Index, array: Array): E;\n"
                      "  function rotate(array: Array, axis: Axis, offset: Offset): Array;\n"
                      "})[E => Bool];\n"
                      "program Flips = {\n"
                      "  use Indices; use Truths; use Part;\n"
                      "  function flipIx(u: Array, ix: Index): Bool = not(psi(ix, u));\n"
                      "  use FlatSchedule[element => flipIx, schedule => flip, E => Bool];\n"
                      "  procedure step(upd u: Array) { u = flip(u); }\n"
                      "};\n"),
         "-p", "Flips", "--rank", "1"},
        {"Flips_python"});
  const Outcome checked = python(
      "import numpy as np\n"
      "import Flips\n"
      "u = np.array([True, False, True, True])\n"
      "Flips.step(u)\n"
      "assert (u == [False, True, False, False]).all(), u\n"
      "every = np.array([True, False, True, False])[::2]\n"
      "Flips.step(every)\n"
      "assert (every == [False, False]).all(), every\n"
      "print('all of it')\n");
  EXPECT_EQ(checked.out, "all of it\n") << checked.text();
}

// A result lies where the caller has its `out` array, unless somebody else has what is there.
TEST_F(Interface, ResultsInTheBlocksOfOutArguments) {
  if (on_device()) GTEST_SKIP() << "memory of the host is no block there";
  folder.write(
      "caller.cpp",
      "#include <cstdio>\n"
      "#include \"Outs.hpp\"\n"
      "#include \"Outs_kernels.hpp\"\n"
      "#include \"Outs_kernels.h\"\n"
      "using Array = rhopsi::Field<double, 1>;\n"
      "int wrong = 0;\n"
      "void expect(bool right, const char* what) { if (!right) ++wrong, puts(what); }\n"
      "bool same(const double* a, double x, double y, double z) {\n"
      "  return a[0] == x && a[1] == y && a[2] == z;\n"
      "}\n"
      "int main() {\n"
      "  const int64_t three[1] = {3}, two[1] = {2};\n"
      "  double a[5] = {1, 3, 9, 0, 0}, b[5] = {}, c[3] = {};\n"
      "  expect(Outs_step(a, three, 0, b, three, 0) == 0 && same(b, 2, 6, -8), \"apart\");\n"
      "  expect(Outs_step(a, three, 0, a + 1, three, 0) == 0 && same(a + 1, 2, 6, -8),\n"
      "         \"overlapping\");\n"
      "  expect(Outs_step(b, three, 0, b, three, 0) == 0 && same(b, 4, -14, 10), \"one\");\n"
      "  const double d[3] = {1, 3, 9};\n"
      "  expect(Outs_step(d, three, 0, b, three, two) == 0 && b[0] == 2 && b[1] == -14 &&\n"
      "         b[2] == 6 && b[4] == -8, \"every second\");\n"
      "  expect(Outs_both(d, three, 0, b, three, 0, c, three, 0) == 0 && same(b, 4, -14, 10) &&\n"
      "         same(c, 2, 6, -8), \"both\");\n"
      "  Outs program{};\n"
      "  program.domain = {{3}};\n"
      "  Array u(\"u\", program.domain, a), v(\"v\", program.domain, b), none;\n"
      "  a[0] = 1, a[1] = 3, a[2] = 9;\n"
      "  program.step(u, v);\n"
      "  expect(v.lies_at(b) && same(b, 2, 6, -8), \"in its block\");\n"
      "  const Array w = v;\n"
      "  program.step(u, v);\n"
      "  expect(!v.lies_at(b) && w.lies_at(b) && v.element(2) == -8, \"another's block\");\n"
      "  program.step(u, none);\n"
      "  expect(none.element(1) == 6, \"no block\");\n"
      "  program.step(u, u);\n"
      "  expect(!u.lies_at(a) && a[1] == 3 && u.element(1) == 6, \"its own argument\");\n"
      "  return wrong;\n"
      "}\n");
  built({folder.write("outs.mg",
                      "package outs imports backend.kokkos;\n"
                      "program Outs = {\n"
                      "  use Arrays;\n"
                      "  use FlatSchedule[E => Real];\n"
                      "  function element(u: Array, ix: Index): Real =\n"
                      "      psi(rotateIx(ix, 0, 1), u) - psi(ix, u);\n"
                      "  procedure step(obs u: Array, out v: Array) { v = schedule(u); }\n"
                      "  procedure both(obs u: Array, out v: Array, out w: Array) {\n"
                      "    call step(u, v); w = v; call step(w, v);\n"
                      "  }\n"
                      "};\n"),
         "-p", "Outs", "--rank", "1", "--schedule", "off"},
        {"caller"},
        "add_executable(caller ../caller.cpp)\n"
        "target_link_libraries(caller PRIVATE Outs_kernels)\n");
  const Outcome called = execute(target + "/build/caller", {});
  EXPECT_EQ(called.exit_code, 0) << called.text();
  EXPECT_EQ(called.out, "") << called.text();
}

// Pads are the program's affair: callers have arrays without.
TEST_F(Interface, OfPaddedProgramsWithParameters) {
  built({source("specs/burgers/paper.mg"), "-p", "3DPadded", "--schedule", "full"},
        {"n3DPadded", "n3DPadded_python"});
  const Outcome checked = python(
      "import subprocess\n"
      "import numpy as np\n"
      "import n3DPadded as program\n"
      "here = __file__.rsplit('/', 1)[0]\n"
      "u = [np.random.default_rng(k).random((5, 7, 6)) for k in range(3)]\n"
      "values = {name: 0.001 * (k + 1) for k, (name, _) in "
      "enumerate(program.Parameters._fields_)}\n"
      "words = [here + '/build/n3DPadded', '--entry', 'step', '--repeat', '2', '--quiet']\n"
      "for k in range(3):\n"
      "    np.save('%s/u%d.npy' % (here, k), u[k])\n"
      "    words += ['--in', 'u%d=%s/u%d.npy' % (k, here, k), '--out', 'u%d=%s/v%d.npy' % (k, "
      "here, k)]\n"
      "for name, value in values.items():\n"
      "    words += ['--set', '%s=%r' % (name, value)]\n"
      "subprocess.run(words, check=True, stdout=subprocess.DEVNULL)\n"
      "u[1] = np.asfortranarray(u[1])\n"
      "for step in range(2):\n"
      "    program.step(program.Parameters(**values), *u)\n"
      "for k in range(3):\n"
      "    assert (u[k] == np.load('%s/v%d.npy' % (here, k))).all(), k\n"
      "try:\n"
      "    program.step(program.Parameters(**values), u[0], u[1], u[2][1:].copy())\n"
      "except program.Error as error:\n"
      "    print(error)\n");
  EXPECT_EQ(checked.out, "E0611: 'u2' has length 4 on axis 0, not 5\n") << checked.text();
}

// Callers have their arrays as they are, and need not know how the program stores them: what lies
// in its order is used there, anything else is turned around.
TEST_F(Interface, OfArraysThatHaveTheirAxesInAnotherOrder) {
  const std::string solver =
      folder.write("solver.mg",
                   "package solver imports specs.stencils.stencils;\n"
                   "program P = specs.stencils.stencils.Heat;\n"
                   "schedule short_last = { use full; require layout(order = 201); };\n");
  built({solver, "-p", "P", "--rank", "3", "-I", source(""), "--schedule", "short_last"},
        {"P", "P_python"});
  folder.write("input.py",
               "import numpy as np, sys\nnp.save(sys.argv[1], "
               "np.random.default_rng(1).random((5, 7, 3)))\n");
  const std::string in = folder / "u.npy", out = folder / "v.npy";
  ASSERT_EQ(execute(RHOPSI_PYTHON, {folder / "input.py", in}).exit_code, 0);
  const Outcome ran = rhopsi({"run", source("specs/stencils/stencils.mg"), "-p", "Heat", "--entry",
                              "step", "--backend", "reference", "--repeat", "2", "--quiet", "--in",
                              "u=" + in, "--out", "u=" + out});
  ASSERT_EQ(ran.exit_code, 0) << ran.text();
  const Outcome checked = python(
      "import subprocess\n"
      "import numpy as np\n"
      "import P as program\n"
      "here = __file__.rsplit('/', 2)[0]\n"
      "given, wanted = np.load(here + '/u.npy'), np.load(here + '/v.npy')\n"
      "subprocess.run([here + '/emitted/build/P', '--entry', 'step', '--repeat', '2', '--quiet',\n"
      "                '--in', 'u=%s/u.npy' % here, '--out', 'u=%s/w.npy' % here], check=True,\n"
      "               stdout=subprocess.DEVNULL)\n"
      "assert (np.load(here + '/w.npy') == wanted).all()\n"
      "in_its_order = given.transpose(2, 0, 1).copy().transpose(1, 2, 0)\n"
      "for u in (given.copy(), in_its_order, np.asfortranarray(given)):\n"
      "    for step in range(2):\n"
      "        program.step(u)\n"
      "    assert (u == wanted).all(), u\n"
      "program.step(given[:, :0].copy())\n"
      "print('the same')\n");
  EXPECT_EQ(checked.out, "the same\n") << checked.text();
}

// Names that headers have for macros: wherever a name is a string it stays the program's own.
TEST_F(Interface, OfNamesThatAreMacros) {
  const std::string spec = folder.write(
      "macros.mg",
      "package macros imports backend.kokkos;\n"
      "implementation Parameters = external Kokkos parameters {\n"
      "  require type Real;\n"
      "  function M_PI(): Real;\n"
      "  function PRIu64(): Real;\n"
      "};\n"
      "program Macros = {\n"
      "  use Arrays;\n"
      "  use Integers;\n"
      "  use Parameters;\n"
      "  function DBL_MAX(FLT_EPSILON: Array): Array = FLT_EPSILON + FLT_EPSILON;\n"
      "  procedure BUFSIZ(upd SIGINT: Array, obs RAND_MAX: Array, obs INT64_MAX: Int,\n"
      "                   upd EXIT_FAILURE: Int) {\n"
      "    var ENOMEM = M_PI() * RAND_MAX;\n"
      "    SIGINT = DBL_MAX(SIGINT) + ENOMEM + PRIu64() * RAND_MAX;\n"
      "    EXIT_FAILURE = EXIT_FAILURE + INT64_MAX;\n"
      "  }\n"
      "};\n");
  const Outcome ran = rhopsi({"run",     spec,
                              "-p",      "Macros",
                              "--entry", "BUFSIZ",
                              "--in",    "SIGINT=iota:3",
                              "--in",    "RAND_MAX=iota:3",
                              "--set",   "INT64_MAX=1",
                              "--set",   "EXIT_FAILURE=2",
                              "--set",   "M_PI=3",
                              "--set",   "PRIu64=5",
                              "--out",   "SIGINT=" + folder / "out.npy",
                              "--quiet"});
  EXPECT_EQ(ran.exit_code, 0) << ran.text();
  EXPECT_NE(ran.out.find("EXIT_FAILURE: 3"), std::string::npos) << ran.text();
  folder.write("caller.c",
               "#include <errno.h>\n#include <float.h>\n#include <inttypes.h>\n"
               "#include <limits.h>\n#include <math.h>\n#include <signal.h>\n"
               "#include <stdio.h>\n#include <stdlib.h>\n#include \"Macros_kernels.h\"\n"
               "int main(void) {\n"
               "  double u[2] = {1, 2}, v[2] = {1, 1};\n"
               "  const int64_t two[1] = {2};\n"
               "  int64_t n = 7;\n"
               "  Macros_parameters p;\n"
               "  p.M_PI_ = 3;\n"
               "  p.PRIu64_ = 5;\n"
               "  if (Macros_BUFSIZ_(&p, u, two, 0, v, two, 0, 1, &n) != 0) return 1;\n"
               "  if (u[1] != 12 || n != 8) return 2;\n"
               "  if (Macros_BUFSIZ_(0, u, two, 0, v, two, 0, 1, &n) != 1) return 3;\n"
               "  printf(\"%s\\n\", Macros_error());\n"
               "  if (Macros_BUFSIZ_(&p, u, two, 0, v, two, 0, 1, 0) != 1) return 4;\n"
               "  printf(\"%s\\n\", Macros_error());\n"
               "  return 0;\n"
               "}\n");
  built({spec, "-p", "Macros", "--rank", "1"}, {"Macros_python", "Macros_example", "caller"},
        "enable_language(C)\nadd_executable(caller ../caller.c)\n"
        "target_link_libraries(caller PRIVATE Macros_kernels)\n"
        "set_target_properties(caller PROPERTIES LINKER_LANGUAGE CXX)\n");
  const Outcome c = execute(target + "/build/caller", {});
  EXPECT_EQ(c.exit_code, 0) << c.text();
  EXPECT_EQ(c.out,
            "the pointer for the parameters is null\nthe pointer for 'EXIT_FAILURE' is null\n");
  const Outcome checked = execute(RHOPSI_PYTHON, {target + "/example.py"});
  EXPECT_EQ(checked.exit_code, 0) << checked.text();
}

// A program for one thread runs on one, whatever else this Kokkos has; its callers know it too.
TEST_F(Interface, RunsWhereItsTargetSays) {
  folder.write("where.cpp",
               "#include <cstdio>\n#include <type_traits>\n#include \"Calls_kernels.hpp\"\n"
               "static_assert(std::is_same_v<rhopsi::Exec, Kokkos::Serial>, \"one thread\");\n"
               "int main(int argc, char** argv) {\n"
               "  const Kokkos::ScopeGuard kokkos(argc, argv);\n"
               "  std::printf(\"%s\", rhopsi::Exec::name());\n}\n");
  built({folder.write("calls.mg", calls), "-p", "Calls", "--rank", "2", "--target", "serial"},
        {"where"},
        "add_executable(where ../where.cpp)\n"
        "target_link_libraries(where PRIVATE Calls_kernels)\n");
  Conditions threads;
  threads.environment = {{"OMP_NUM_THREADS", "2"}, {"OMP_PROC_BIND", "spread"}};
  EXPECT_EQ(execute(target + "/build/where", {}, threads).out, "Serial");
  const Outcome ran = rhopsi({"run", folder / "calls.mg", "-p", "Calls", "--entry", "lambda",
                              "--in", "u=iota:100", "--set", "k=1", "--target", "serial", "--json"},
                             threads);
  EXPECT_EQ(ran.exit_code, 0) << ran.text();
  EXPECT_NE(ran.err.find(", Serial\n"), std::string::npos) << ran.text();
  EXPECT_NE(ran.out.find("\"concurrency\":1"), std::string::npos) << ran.text();
}

// What runs in different places shares the runtime's functions, and cannot be one program.
TEST_F(Interface, LibrariesOfTwoTargetsAreNotLinked) {
  std::string folders;
  for (const std::string device : {"serial", "openmp"}) {
    const std::string name = device == "serial" ? "One" : "Two";
    std::string text = calls;
    text.replace(text.find("program Calls"), 13, "program " + name);
    const std::string spec = folder.write(device + "/calls.mg", text);
    const Outcome emitted = rhopsi({"emit", spec, "-p", name, "--rank", "2", "--target", device,
                                    "--schedule", "off", "-o", folder / name});
    ASSERT_EQ(emitted.exit_code, 0) << emitted.text();
    folders += "add_subdirectory(" + name + ")\n";
  }
  folder.write("main.cpp", "int main() {}\n");
  const auto configured = [&](const std::string& linked) {
    folder.write("CMakeLists.txt",
                 "cmake_minimum_required(VERSION 3.16)\nproject(both LANGUAGES CXX)\n" + folders +
                     "add_executable(both main.cpp)\ntarget_link_libraries(both " + linked + ")\n");
    return execute("cmake", {"-S", folder.path(), "-B", folder / ("build " + linked)});
  };
  if (configured("Two_kernels").err.find("has no OPENMP backend") != std::string::npos)
    GTEST_SKIP() << "this Kokkos runs both in one place";
  EXPECT_EQ(configured("One_kernels").exit_code, 0);
  const Outcome both = configured("One_kernels Two_kernels");
  EXPECT_NE(both.exit_code, 0) << both.text();
  EXPECT_NE(both.err.find("RHOPSI_RUNS_ON"), std::string::npos) << both.text();
}

TEST_F(Interface, DepfilesNameAllThatIsRead) {
  const std::string spec = folder.write("calls.mg", calls);
  ASSERT_EQ(rhopsi({"emit", spec, "-p", "Calls", "--rank", "1", "-o", target, "--depfile",
                    folder / "with space.d"})
                .exit_code,
            0);
  const std::string text = read(folder / "with space.d");
  EXPECT_EQ(text.find(folder / "with\\ space:"), 0u) << text;
  EXPECT_NE(text.find(" " + spec), std::string::npos) << text;
  EXPECT_NE(text.find("definitions/structure.mg"), std::string::npos) << text;
  const Outcome refused =
      rhopsi({"emit", spec, "-p", "Calls", "-o", target, "--depfile", folder / "rule"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("E0810"), std::string::npos) << refused.text();
}

}  // namespace
}  // namespace rhopsi::exec
