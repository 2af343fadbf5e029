// Scans of arrays of any shape, whose folds go on from element to element: the reference's bits.
#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

const char* const text =
    "package scans imports moa.library;\n"
    "program P = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure scans(obs A: Array, out a: Array, out b: Array, out c: Array, out d: Array,\n"
    "                  out e: Array, out f: Array) guard dim(A) == 3 {\n"
    "    a = cumsum(array(0.3) * A, 0);\n"
    "    b = cumsum(array(0.3) * A, 1) - A;\n"
    "    c = cumsum(array(0.3) * A, 2);\n"
    "    d = cumproduct(array(1.0) + array(0.001) * A, 1);\n"
    "    e = cumminimum(rotate(A, 2, 2) % array(7.0), 2) + A;\n"
    "    f = cummaximum(rotate(A, 0, 1) % array(5.0), 0);\n"
    "  };\n"
    "  procedure shifted(obs A: Array, out a: Array, out b: Array, out c: Array, out d: Array,\n"
    "                    out e: Array, out f: Array) guard dim(A) == 3 && 0 < at(shape(A), 0) &&\n"
    "      0 < at(shape(A), 1) && 0 < at(shape(A), 2) {\n"
    "    a = pad_constant(cumsum(array(0.3) * A, 2), 2, 1, 0, 0.5);\n"
    "    b = reverse(cumsum(reverse(array(0.3) * A, 2), 2), 2);\n"
    "    c = rotate(cumproduct(array(1.0) + array(0.001) * A, 1), 1, 2);\n"
    "    d = forall (p < shape(A)) (fold _+_ (k < at(p, 2)) (0.3 * psi([at(p, 0), at(p, 1), k], "
    "A)));\n"
    "    e = forall (p < shape(A)) (fold max (k < at(p, 0) - 1) (psi([k, at(p, 1), at(p, 2)], "
    "A)));\n"
    "    f = reverse(cumminimum(reverse(rotate(A, 2, 2) % array(7.0), 0), 0), 0) + A;\n"
    "  };\n"
    "};\n";

class Scans : public testing::Test {
 protected:
  std::vector<std::string> computed(const std::string& entry, const std::string& shape,
                                    const std::string& backend) const {
    const std::vector<std::string> results = {"a", "b", "c", "d", "e", "f"};
    std::vector<std::string> words = {"run",       file,   "-p",   "P",
                                      "--entry",   entry,  "--in", "A=iota:" + shape + ":0.5",
                                      "--backend", backend};
    if (backend == "kokkos") words.insert(words.end(), {"--schedule", "auto"});
    for (const std::string& name : results)
      words.insert(words.end(), {"--out", name + "=" + (folder / (name + ".npy"))});
    Conditions conditions;
    conditions.environment["OMP_NUM_THREADS"] = "3";
    const Outcome outcome = rhopsi(words, conditions);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    std::vector<std::string> files;
    for (const std::string& name : results) files.push_back(read(folder / (name + ".npy")));
    return files;
  }
  // How many nests of the entry go on so.
  std::size_t running(const std::string& entry) const {
    const Outcome emitted =
        rhopsi({"emit", file, "-p", "P", "--entry", entry, "--emit", "cxx", "--rank", "3"});
    std::size_t found = 0;
    for (std::size_t at = 0; (at = emitted.out.find("for_each_running<", at)) != std::string::npos;
         ++at)
      ++found;
    EXPECT_GT(found, 0u) << emitted.text();
    return found;
  }
  const Folder folder;
  const std::string file = folder.write("scans.mg", text);
};

TEST_F(Scans, GoOnFromElementToElement) {
  // Longer than a strip along the last axis and along others, of no elements, of short lines.
  for (const char* shape : {"3,5,31", "1,1,1", "2,300,3", "400,2,2", "3,2,1100", "4,0,3"})
    EXPECT_TRUE(computed("scans", shape, "kokkos") == computed("scans", shape, "reference"))
        << shape;
  if (on_device()) return;
  EXPECT_EQ(running("scans"), 6u);
}

// Scans that are read elsewhere than where they end, from the end of an axis, or shorter ones: of
// which some elements have no steps.
TEST_F(Scans, GoOnFromAnyElementEitherWay) {
  for (const char* shape : {"3,5,31", "1,1,1", "2,300,3", "400,2,2", "3,2,1100"})
    EXPECT_TRUE(computed("shifted", shape, "kokkos") == computed("shifted", shape, "reference"))
        << shape;
  if (on_device()) return;
  EXPECT_EQ(running("shifted"), 6u);
}

}  // namespace
}  // namespace rhopsi::exec
