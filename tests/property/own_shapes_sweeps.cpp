// Random procedures of statements that schedules fuse, over whole arrays and over boxes of them.
#include <algorithm>

#include "tests/property/choice.hpp"
#include "tests/property/own_shapes_program.hpp"

namespace rhopsi::property {
namespace {

// Statements over arrays of one shape; over boxes of them, too, where no axis is shorter than 3.
class Sweeps {
 public:
  Sweeps(unsigned seed, bool boxes) : choice_(seed), boxes_(boxes) { made_.seed = seed; }
  // Over arrays of that shape, read beside an index: what goes around, or a condition at an end.
  Sweeps(unsigned seed, std::vector<std::int64_t> shape)
      : choice_(seed), boxes_(false), circular_(true) {
    made_.seed = seed;
    made_.u = std::move(shape);
  }

  OwnShapesProcedure procedure() {
    static const std::vector<std::int64_t> any = {0, 1, 1, 2, 3, 4, 5, 7}, long_ = {3, 3, 4, 5, 7};
    made_.name = (circular_ ? "c" : boxes_ ? "b" : "s") + std::to_string(made_.seed);
    if (!circular_) {
      made_.u.resize(std::size_t(boxes_ ? choice_.between(1, 3) : choice_.between(0, 4)));
      for (std::int64_t& each : made_.u) each = choice_.of(boxes_ ? long_ : any);
    }
    square_ = !boxes_ && !circular_ && made_.u.size() > 1 && choice_.once_in(2);
    if (square_) std::ranges::fill(made_.u, made_.u[0]);
    made_.v = made_.u;
    made_.n = choice_.between(0, 4);
    const std::string rank = std::to_string(made_.u.size());
    std::string guard = " guard dim(u) == " + rank + " && dim(v) == " + rank;
    // Where the guard does not say so the first sum tests it.
    for (std::size_t axis = 0; choice_.once_in(2) && axis < made_.u.size(); ++axis) {
      const std::string at = std::to_string(axis);
      guard += " && at(shape(u), " + at + ") == at(shape(v), " + at + ")";
    }
    for (std::size_t axis = 0; boxes_ && axis < made_.u.size(); ++axis) {
      for (const char* const name : {"u", "v"}) guard += " && 3 <= " + length(name, axis);
    }
    std::string body;
    const int count = choice_.between(2, 7);
    for (int k = 0; k < count; ++k) body += statement(0);
    made_.text = "  procedure " + made_.name +
                 "(upd u: Array, upd v: Array, upd n: Int, out total: Number)\n   " + guard +
                 " {\n" + body + last() + "    total = convert(n);\n  };\n";
    return std::move(made_);
  }

 private:
  // Of what was made last.
  std::string last() {
    const std::string changed = choice_.once_in(2) ? "u" : "v";
    return "    " + changed + " = " + arrays_.back() + " + " + operand() + ";\n";
  }
  std::string operand() {
    const std::string array = choice_.once_in(2) ? arrays_.back() : choice_.of(arrays_);
    if (square_ && choice_.once_in(3)) return "transpose(" + array + ")";
    if (made_.u.empty() || !choice_.once_in(4)) return array;
    const std::string axis = std::to_string(choice_.between(0, int(made_.u.size()) - 1));
    if (circular_ && choice_.once_in(2)) return beside_an_end(array, axis);
    if (circular_)
      return "rotate(" + array + ", " + axis + ", " + std::to_string(choice_.between(-3, 3)) + ")";
    if (choice_.once_in(3)) return "reverse(" + array + ", " + axis + ")";
    return "rotate(" + array + ", " + axis + (choice_.once_in(2) ? ", 1)" : ", -1)");
  }
  // What is read beyond an end is something else than what goes around, or what is there is of
  // another array.
  std::string beside_an_end(const std::string& array, const std::string& axis) {
    const bool before = choice_.once_in(2);
    const std::string width = std::to_string(choice_.between(1, 3)), on = ", " + axis + ", ";
    if (choice_.once_in(4)) {
      const std::string other = choice_.of(arrays_);
      return before ? "cat(take(" + other + on + "1), drop(" + array + on + "1), " + axis + ")"
                    : "cat(drop(" + array + on + "-1), take(" + other + on + "-1), " + axis + ")";
    }
    const bool constant = choice_.once_in(2);
    return "drop(" + std::string(constant ? "pad_constant(" : "pad_edge(") + array + on +
           (before ? width + ", 0" : "0, " + width) + (constant ? ", 0.5)" : ")") + on +
           (before ? "-" : "") + width + ")";
  }
  std::string value() {
    static const std::vector<std::string> operations = {" + ", " - ", " * "};
    std::string text = operand();
    for (int k = choice_.between(0, 2); k > 0; --k) {
      text = "(" + text + choice_.of(operations) + (choice_.once_in(4) ? "0.5" : operand()) + ")";
    }
    return text;
  }
  static std::string length(const std::string& array, std::size_t axis) {
    return "at(shape(" + array + "), " + std::to_string(axis) + ")";
  }
  // `inside` in a box, `outside` elsewhere; both are cut along the axes from that one on. Of each
  // axis the box has all indices but `low` and `high` at its ends, or the index `low` alone.
  std::string over_a_box(const std::string& outside, const std::string& inside, std::size_t axis) {
    if (axis == made_.u.size()) return inside;
    const std::string on = ", " + std::to_string(axis);
    const bool plane = choice_.once_in(4);
    const int low = choice_.between(0, 2), high = choice_.between(0, low == 2 ? 1 : 2);
    const std::string behind =
        plane ? std::to_string(low + 1) : length(outside, axis) + " - " + std::to_string(high);
    const auto middle = [&](const std::string& array) {
      const std::string rest =
          low == 0 ? array : "drop(" + array + on + ", " + std::to_string(low) + ")";
      if (plane) return "take(" + rest + on + ", 1)";
      return high == 0 ? rest : "drop(" + rest + on + ", -" + std::to_string(high) + ")";
    };
    std::string text = over_a_box(middle(outside), middle(inside), axis + 1);
    if (low > 0)
      text = "cat(take(" + outside + on + ", " + std::to_string(low) + "), " + text + on + ")";
    if (plane || high > 0)
      text = "cat(" + text + ", drop(" + outside + on + ", " + behind + ")" + on + ")";
    return text;
  }
  // What neighbours along one or two axes have in common, which is shorter than the arrays, and
  // what is made of it and of a number or an end of another array: as long as they are.
  std::string window(const std::string& indent) {
    const std::string name = "w" + std::to_string(++declared_);
    std::string first = operand(), second = operand(), whole = name;
    const auto rank = int(made_.u.size());
    const int from = choice_.between(0, rank - 1), to = choice_.once_in(2) ? from + 1 : rank;
    for (int axis = from; axis < to; ++axis) {
      const std::string on = ", " + std::to_string(axis);
      first = "drop(" + first + on + ", 1)";
      second = "drop(" + second + on + ", -1)";
      const bool before = choice_.once_in(2);
      whole = "pad_constant(" + whole + on + (before ? ", 1, 0, 0.5)" : ", 0, 1, 0.5)");
    }
    // Where that is more than a few operations it is stored.
    const std::string rest =
        choice_.once_in(2) ? ";\n" : " + sqrt(" + first + " * " + first + ");\n";
    const std::string declared = indent + "var " + name + " = " + first + " - " + second + rest;
    const std::string used = "t" + std::to_string(++declared_);
    const std::string other = operand();
    arrays_.push_back(used);
    return declared + indent + "var " + used + " = " + whole + " + " + other + ";\n";
  }
  std::string block(int depth) {
    const std::size_t known = arrays_.size();
    std::string text = "{\n";
    for (int k = choice_.between(1, 3); k > 0; --k) text += statement(depth + 1);
    arrays_.resize(known);
    return text + std::string(std::size_t(4 + 2 * depth), ' ') + "}";
  }
  std::string statement(int depth) {
    const std::string indent(std::size_t(4 + 2 * depth), ' ');
    if (circular_ && choice_.once_in(6)) return window(indent);
    const int kind = choice_.between(0, 9);
    if (depth < 2 && kind == 0) {
      const std::string index = "k" + std::to_string(++declared_);
      return indent + "for " + index + " in 0 .. n % 3 " + block(depth) + ";\n";
    }
    if (depth < 2 && kind == 1) {
      std::string text = indent + "if n < 2 then " + block(depth);
      return text + " else " + block(depth) + ";\n";
    }
    if (kind == 2) return indent + "n = n + 1;\n";
    if (kind == 3 && choice_.once_in(3))
      return indent + "assert n < " + std::to_string(choice_.between(3, 9)) + ";\n";
    const std::string text = value();
    if (kind <= (boxes_ ? 5 : 6)) {
      arrays_.push_back("t" + std::to_string(++declared_));
      return indent + "var " + arrays_.back() + " = " + text + ";\n";
    }
    const std::string target = choice_.of(arrays_);
    if (!boxes_) return indent + target + " = " + text + ";\n";
    const std::string other = choice_.once_in(3) ? choice_.of(arrays_) : target;
    return indent + target + " = " + over_a_box(other, text, 0) + ";\n";
  }

  Choice choice_;
  bool boxes_;
  bool circular_ = false;
  bool square_ = false;  // all lengths are equal: axes may be turned around
  OwnShapesProcedure made_;
  std::vector<std::string> arrays_ = {"u", "v"};
  int declared_ = 0;
};

}  // namespace

OwnShapesProcedure own_shapes_sweeps(unsigned seed) { return Sweeps(seed, false).procedure(); }
OwnShapesProcedure own_shapes_circular(unsigned seed, std::vector<std::int64_t> shape) {
  return Sweeps(seed, std::move(shape)).procedure();
}
OwnShapesProcedure own_shapes_boxes(unsigned seed) { return Sweeps(seed, true).procedure(); }

}  // namespace rhopsi::property
