// Loops over whole rows, which are one along memory: the reference's bits.
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

TEST(WholeRows, AreOneLoopAlongMemory) {
  const Folder folder;
  const std::string file = folder.write("rows.mg", rows_text);
  const std::vector<std::string> results = {"U", "a", "b", "c", "d", "e", "f"};
  const auto computed = [&](const std::string& shape, const std::string& backend) {
    const std::string rows = shape.substr(0, shape.find(','));
    std::vector<std::string> words = {"run",        file,
                                      "-p",         "P",
                                      "--entry",    "rows",
                                      "--in",       "A=iota:" + shape + ":0.5",
                                      "--in",       "B=iota:" + shape + ":-0.3",
                                      "--in",       "U=iota:" + shape + ":1.1",
                                      "--in",       "s=iota:" + rows + ":0.7",
                                      "--backend",  backend,
                                      "--schedule", "off"};
    for (const std::string& name : results)
      words.insert(words.end(), {"--out", name + "=" + (folder / (name + ".npy"))});
    Conditions conditions;
    conditions.environment["OMP_NUM_THREADS"] = "3";
    const Outcome outcome = rhopsi(words, conditions);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    std::vector<std::string> files;
    for (const std::string& name : results) files.push_back(read(folder / (name + ".npy")));
    return files;
  };
  // Dealt out to threads, short rows, one row, and none.
  for (const char* shape : {"700,3,5", "2,3,5", "1,1,1", "1,4,3", "5,1,700", "3,2,0"})
    EXPECT_TRUE(computed(shape, "kokkos") == computed(shape, "reference")) << shape;
  const Outcome emitted = rhopsi({"emit", file, "-p", "P", "--entry", "rows", "--emit", "cxx",
                                  "--rank", "3", "--schedule", "off"});
  std::size_t found = 0;
  for (std::size_t at = 0; (at = emitted.out.find("joined_axes(", at)) != std::string::npos; ++at)
    ++found;
  EXPECT_EQ(found, 6u) << emitted.text();
}

}  // namespace
}  // namespace rhopsi::exec
