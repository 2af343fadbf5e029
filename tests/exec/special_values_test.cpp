// NaN, zeros of both signs, and numbers that a compiler would like to know: the reference's bits.
#include <gtest/gtest.h>

#include "tests/exec/compared.hpp"

namespace rhopsi::exec {
namespace {

const char* const text =
    "package special imports moa.library;\n"
    "program P = implement Expressions in {\n"
    "  use Expressions;\n"
    "  function holes(u: Array, z: Number): Array =\n"
    "    forall (p < shape(u)) (if psi(p, u) < 0.3 then z / z else psi(p, u));\n"
    "  function listed(a: Number, b: Number, c: Number): Array =\n"
    "    forall (p < [3]) (if at(p, 0) == 0 then a else if at(p, 0) == 1 then b else c);\n"
    // A NaN in front of a row is what the row comes to, and is passed over behind others.
    "  procedure extremes(obs u: Array, obs z: Number, out x: Array)\n"
    "    guard dim(u) == 2 && 1 <= at(shape(u), 0) && 1 <= at(shape(u), 1) {\n"
    "    var v = holes(u, z);\n"
    "    var r = maximum(v, 1);\n"
    "    var a: Number = psi([], maximum(r, 0));\n"
    "    var b: Number = psi([], minimum(minimum(v, 0), 0));\n"
    "    var c: Number = psi([], maximum(ravel(v), 0));\n"
    "    x = listed(if a == a then a else -1.0, if b == b then b else -1.0,\n"
    "               if c == c then c else -1.0);\n"
    "  };\n"
    "  procedure domain(upd x: Array, obs u: Array, obs z: Number)\n"
    "    guard dim(x) == 2 && shape(x) == shape(u) && 1 <= at(shape(u), 0) && 1 <= at(shape(u), 1) "
    "{\n"
    "    var v = holes(rotate(u, 0, 1), z);\n"
    "    var a: Number = psi([], maximum(maximum(v, 1), 0));\n"
    "    x = x + array(if a == a then a else -1.0);\n"
    "  };\n"
    // A square root is another function, and a quotient another number.
    "  procedure powers(upd x: Array, obs z: Number) {\n"
    "    var y = x * x;\n"
    "    var less = y * array(-z);\n"
    "    var root = pow(less, array(0.5));\n"
    "    var sign = select(array(0.0) < array(1.0) / root, array(1.0), array(2.0));\n"
    "    x = pow(y, array(0.5)) + pow(array(0.1) + y, array(-1.0)) + sign;\n"
    "  };\n"
    "  procedure rests(upd x: Array, obs z: Number) {\n"
    "    var wide = x * array(1.0e18);\n"
    "    x = (x * array(1000.0) - array(500.0)) % array(0.37) + x % array(-0.1) + wide % "
    "array(0.7)\n"
    "      + (array(0.3) - x) % array(1.0) + (array(3.0) * array(0.1)) % array(0.1);\n"
    "  };\n"
    "};\n";

class SpecialValues : public testing::Test {
 protected:
  void compare(const std::string& entry, const Shape& shape, const Words& inputs,
               const Words& schedule) const {
    Words words{"run", file, "-I", source(""), "-p", "P", "--entry", entry, "--set", "z=0.0"};
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      words.push_back("--in");
      words.push_back(inputs[k] + "=" +
                      random_field(folder, inputs[k], shape, static_cast<unsigned>(k) + 5));
    }
    (void)compared(folder, words, "x", schedule);
  }
  const Folder folder;
  const std::string file = folder.write("special.mg", text);
};

TEST_F(SpecialValues, ExtremesOfExtremes) {
  for (const Shape& shape : std::vector<Shape>{{7, 9}, {1, 5}, {40, 3}, {3, 200}}) {
    for (const char* const schedule : {"auto", "off"}) {
      compare("extremes", shape, {"u"}, {"--schedule", schedule});
      compare("domain", shape, {"x", "u"}, {"--schedule", schedule});
    }
  }
}

TEST_F(SpecialValues, PowersWithStatedExponents) {
  compare("powers", {5, 37}, {"x"}, {"--schedule", "auto"});
}

TEST_F(SpecialValues, RestsOfReals) {
  compare("rests", {5, 37}, {"x"}, {"--schedule", "auto"});
  compare("rests", {300}, {"x"}, {"--schedule", "off"});
}

}  // namespace
}  // namespace rhopsi::exec
