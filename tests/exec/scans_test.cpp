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
    "};\n";

TEST(Scans, GoOnFromElementToElement) {
  const Folder folder;
  const std::string file = folder.write("scans.mg", text);
  const std::vector<std::string> results = {"a", "b", "c", "d", "e", "f"};
  const auto computed = [&](const std::string& shape, const std::string& backend) {
    std::vector<std::string> words = {"run",       file,    "-p",   "P",
                                      "--entry",   "scans", "--in", "A=iota:" + shape + ":0.5",
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
  };
  // Longer than a strip along the last axis and along others, of no elements, of short lines.
  for (const char* shape : {"3,5,31", "1,1,1", "2,300,3", "400,2,2", "3,2,1100", "4,0,3"})
    EXPECT_TRUE(computed(shape, "kokkos") == computed(shape, "reference")) << shape;
  if (on_device()) return;
  const Outcome emitted =
      rhopsi({"emit", file, "-p", "P", "--entry", "scans", "--emit", "cxx", "--rank", "3"});
  std::size_t found = 0;
  for (std::size_t at = 0; (at = emitted.out.find("for_each_running<", at)) != std::string::npos;
       ++at)
    ++found;
  EXPECT_EQ(found, 6u) << emitted.text();
}

}  // namespace
}  // namespace rhopsi::exec
