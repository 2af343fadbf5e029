// Rows of loops over boxes: those that are one along memory, and what is the same for a row.
#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

// a, b, c, d and U are such loops, the first elements of c and the last ones each of their own, and
// those of d as far as the second axis; e reads an element of another array for each row, and f its
// own index.
const char* const rows_text =
    "package rows imports moa.library;\n"
    "program P = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure rows(obs A: Array, obs B: Array, obs s: Array, upd U: Array, out a: Array,\n"
    "                 out b: Array, out c: Array, out d: Array, out e: Array, out f: Array)\n"
    "    guard dim(A) == 3 && 1 <= at(shape(A), 0) && 1 <= at(shape(A), 1)\n"
    "      && shape(B) == shape(A) && shape(U) == shape(A) && shape(s) == [at(shape(A), 0)] {\n"
    "    a = A * array(0.3) + B / (A + array(100.0));\n"
    "    b = drop(A, 0, 1) - array(0.7) * take(B, 0, at(shape(B), 0) - 1);\n"
    "    c = cat(A * A, drop(B, 0, 1), 0);\n"
    "    d = drop(A, 1, 1) * array(0.1) + take(B, 1, at(shape(B), 1) - 1);\n"
    "    e = forall (p < shape(A)) psi(p, A) : Number * psi([at(p, 0)], s) : Number;\n"
    "    f = forall (p < shape(A)) psi(p, A) : Number + convert(at(p, 2));\n"
    "    U = U * array(0.9) + A;\n"
    "  };\n"
    "};\n";

// y divides by what is the same for a row, z computes some of it by condition only, w has its loops
// in another order, and v names what it computes of a row.
const char* const values_text =
    "package values imports moa.library;\n"
    "program P = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure rows(obs A: Array, obs B: Array, obs s: Array, upd U: Array, out y: Array,\n"
    "                 out z: Array, out w: Array, out v: Array)\n"
    "    guard dim(A) == 3 && shape(B) == shape(A) && shape(U) == shape(A)\n"
    "      && shape(s) == [at(shape(A), 0)] {\n"
    "    y = forall (p < shape(A)) (psi(p, A) : Number - psi([at(p, 0)], s) : Number)\n"
    "      / sqrt(psi([at(p, 0)], s) : Number * psi([at(p, 0)], s) : Number + 0.25);\n"
    "    z = forall (p < shape(A)) if psi(p, B) : Number < 1 / (psi([at(p, 0)], s) : Number + 3)\n"
    "      then exp(psi([at(p, 0)], s) : Number) else psi(p, A) : Number;\n"
    "    w = forall (p < [at(shape(A), 2), at(shape(A), 1), at(shape(A), 0)])\n"
    "      psi([at(p, 2), at(p, 1), at(p, 0)], A) : Number * psi([at(p, 2), at(p, 1), at(p, 0)], B)"
    " : Number\n"
    "      / (1 + abs(psi([at(p, 2)], s) : Number)) - 1 / (2 + convert(at(p, 1)));\n"
    "    v = forall (p < shape(A)) exp(0.01 * psi([at(p, 0)], s) : Number) * psi(p, A) : Number\n"
    "      + exp(0.01 * psi([at(p, 0)], s) : Number) / (psi([at(p, 0)], s) : Number + 2);\n"
    "    U = forall (p < shape(U)) psi(p, U) : Number / (1.5 + convert(at(p, 0) % 3));\n"
    "  };\n"
    "};\n";

std::vector<std::string> rows_of(const Folder& folder, const std::string& file,
                                 const std::vector<std::string>& results, const std::string& shape,
                                 const std::vector<std::string>& how) {
  const std::string rows = shape.substr(0, shape.find(','));
  std::vector<std::string> words = {"run", file, "-p", "P", "--entry", "rows"};
  for (const std::string& array : {"A=iota:" + shape + ":0.5", "B=iota:" + shape + ":-0.3",
                                   "U=iota:" + shape + ":1.1", "s=iota:" + rows + ":0.7"})
    words.insert(words.end(), {"--in", array});
  for (const std::string& name : results)
    words.insert(words.end(), {"--out", name + "=" + (folder / (name + ".npy"))});
  words.insert(words.end(), how.begin(), how.end());
  Conditions conditions;
  conditions.environment["OMP_NUM_THREADS"] = "3";
  const Outcome outcome = rhopsi(words, conditions);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  std::vector<std::string> files;
  for (const std::string& name : results) files.push_back(read(folder / (name + ".npy")));
  return files;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

// Without fuse, which puts loops of both kinds together.
void compare_rows(const char* name, const char* text, const std::vector<std::string>& results,
                  const std::string& part, std::size_t times) {
  const Folder folder;
  const std::string file = folder.write(name, text);
  // Dealt out to threads, short rows, one row, and none.
  for (const char* shape : {"700,3,5", "2,3,5", "1,1,1", "1,4,3", "5,1,700", "3,2,0"}) {
    EXPECT_TRUE(rows_of(folder, file, results, shape, {"--schedule", "off"}) ==
                rows_of(folder, file, results, shape, {"--backend", "reference"}))
        << shape;
  }
  const Outcome emitted = rhopsi({"emit", file, "-p", "P", "--entry", "rows", "--emit", "cxx",
                                  "--rank", "3", "--schedule", "off"});
  EXPECT_EQ(count_of(emitted.out, part), times) << emitted.text();
}

TEST(BoxRows, AreOneLoopAlongMemory) {
  compare_rows("rows.mg", rows_text, {"U", "a", "b", "c", "d", "e", "f"}, "joined_axes(", 6);
}
TEST(BoxRows, ComputeOnceWhatIsTheSameForARow) {
  compare_rows("values.mg", values_text, {"U", "y", "z", "w", "v"}, "for_each_row<", 5);
}
// As they are fused, and in the order in which `interchange` has them.
TEST(BoxRows, MayBeFusedAndInterchanged) {
  const Folder folder;
  const std::vector<std::string> results = {"U", "y", "z", "w", "v"};
  const std::string file = folder.write("values.mg", values_text);
  folder.write("both.mg",
               "package both imports values;\n"
               "schedule both = { use full; interchange; };\n");
  for (const char* shape : {"7,3,500", "6,3,1"}) {
    EXPECT_TRUE(rows_of(folder, file, results, shape, {"--schedule", "full"}) ==
                rows_of(folder, file, results, shape, {"--backend", "reference"}))
        << shape;
  }
}

}  // namespace
}  // namespace rhopsi::exec
