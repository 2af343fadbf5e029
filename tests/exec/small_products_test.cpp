// Folds of small matrices, many of them, in tiles without panels of rows: the reference's bits.
#include <gtest/gtest.h>

#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

// Products as they are, of columns, of folds in folds, of other operations, and onto an array.
const char* const products_text =
    "package products imports moa.library;\n"
    "program P = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure products(obs A: Array, obs B: Array, upd U: Array, out a: Array, out b: Array,\n"
    "                     out c: Array, out d: Array)\n"
    "    guard dim(A) == 3 && dim(B) == 3 && at(shape(A), 0) == at(shape(B), 0)\n"
    "      && at(shape(A), 2) == at(shape(B), 1)\n"
    "      && shape(U) == [at(shape(A), 0), at(shape(A), 1), at(shape(B), 2)] {\n"
    "    a = forall (p < shape(U)) fold _+_ (k < at(shape(A), 2))\n"
    "      (0.3 * psi([at(p, 0), at(p, 1), k], A) : Number * psi([at(p, 0), k, at(p, 2)], B) : "
    "Number);\n"
    "    b = forall (p < [at(shape(A), 0), at(shape(A), 1), at(shape(A), 1)])\n"
    "      fold _+_ (k < at(shape(A), 2)) (psi([at(p, 0), at(p, 1), k], A) : Number\n"
    "        * abs(psi([at(p, 0), at(p, 2), k], A) : Number));\n"
    "    c = forall (p < shape(U)) fold _+_ (k < at(shape(A), 2)) fold max (l < 1 + k % 3)\n"
    "      (psi([at(p, 0), at(p, 1), k], A) : Number * convert(l + 1)\n"
    "        - psi([at(p, 0), k, at(p, 2)], B) : Number);\n"
    "    d = forall (p < shape(U)) fold min (k < at(shape(A), 2))\n"
    "      (psi([at(p, 0), at(p, 1), k], A) : Number - psi([at(p, 0), k, at(p, 2)], B) : Number);\n"
    "    U = forall (p < shape(U)) 0.1 * psi(p, U) : Number + fold _+_ (k < at(shape(A), 2))\n"
    "      (psi([at(p, 0), at(p, 1), k], A) : Number * psi([at(p, 0), k, at(p, 2)], B) : "
    "Number);\n"
    "  };\n"
    "};\n";

// Terms that read, and divide by, what there is for the lanes of the box alone.
const char* const beside_text =
    "package beside imports moa.library;\n"
    "program P = implement Expressions in {\n"
    "  use Expressions;\n"
    "  procedure beside(obs A: Array, obs B: Array, obs C: Array, out y: Array, out z: Array)\n"
    "    guard dim(A) == 2 && dim(B) == 2 && dim(C) == 2 && at(shape(A), 1) == at(shape(B), 0)\n"
    "      && at(shape(C), 0) == at(shape(A), 0)\n"
    "      && at(shape(C), 1) == 100000 * at(shape(B), 1) {\n"
    "    y = forall (p < [at(shape(A), 0), at(shape(B), 1)]) fold _+_ (k < at(shape(A), 1))\n"
    "      (psi([at(p, 0), k], A) : Number * psi([k, at(p, 1)], B) : Number\n"
    "        * psi([at(p, 0), 100000 * at(p, 1)], C) : Number);\n"
    "    z = forall (p < [at(shape(A), 0), at(shape(B), 1)]) fold _+_ (k < at(shape(A), 1))\n"
    "      (psi([at(p, 0), k], A) : Number * psi([k, at(p, 1)], B) : Number\n"
    "        + convert(k % (at(shape(B), 1) - at(p, 1))));\n"
    "  };\n"
    "};\n";

struct Sizes {
  const char *A, *B, *U;
};

std::vector<std::string> products_of(const Folder& folder, const Sizes& sizes,
                                     const std::string& backend) {
  std::vector<std::string> words = {"run",       folder / "products.mg",
                                    "-p",        "P",
                                    "--entry",   "products",
                                    "--dtype",   "float",
                                    "--backend", backend,
                                    "--in",      std::string("A=iota:") + sizes.A + ":0.7",
                                    "--in",      std::string("B=iota:") + sizes.B + ":-0.3",
                                    "--in",      std::string("U=iota:") + sizes.U + ":0.9"};
  const std::vector<std::string> results = {"U", "a", "b", "c", "d"};
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

// Heights and widths of a tile, what is left of them, nothing, and panels that are too large.
TEST(SmallProducts, AreThoseOfTheReference) {
  const Folder folder;
  folder.write("products.mg", products_text);
  for (const Sizes& sizes :
       {Sizes{"3,8,8", "3,8,8", "3,8,8"}, Sizes{"2,5,7", "2,7,9", "2,5,9"},
        Sizes{"1,1,1", "1,1,1", "1,1,1"}, Sizes{"2,3,0", "2,0,4", "2,3,4"},
        Sizes{"4,0,3", "4,3,2", "4,0,2"}, Sizes{"40,15,4", "40,4,33", "40,15,33"},
        Sizes{"1,11,90", "1,90,70", "1,11,70"}}) {
    EXPECT_TRUE(products_of(folder, sizes, "kokkos") == products_of(folder, sizes, "reference"))
        << sizes.A << " " << sizes.B;
  }
}

TEST(SmallProducts, AskForNothingBeyondTheBox) {
  const Folder folder;
  const std::string file = folder.write("beside.mg", beside_text);
  const auto computed = [&](const char* backend) {
    const Outcome outcome =
        rhopsi({"run", file, "-p", "P", "--backend", backend, "--in", "A=iota:1,9", "--in",
                "B=iota:9,5", "--in", "C=iota:1,500000", "--out", "y=" + (folder / "y.npy"),
                "--out", "z=" + (folder / "z.npy")});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return read(folder / "y.npy") + read(folder / "z.npy");
  };
  EXPECT_TRUE(computed("kokkos") == computed("reference"));
}

}  // namespace
}  // namespace rhopsi::exec
