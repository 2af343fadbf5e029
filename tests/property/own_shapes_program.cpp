#include "tests/property/own_shapes_program.hpp"

#include <array>
#include <map>

#include "tests/property/choice.hpp"

namespace rhopsi::property {
namespace {

// Lengths that have the same number are the same; of others nothing is known.
using Lengths = std::vector<int>;

struct Expression {
  std::string text;
  Lengths lengths;
};

class Writer {
 public:
  explicit Writer(unsigned seed) : choice_(seed) { made_.seed = seed; }

  OwnShapesProcedure procedure() {
    made_.name = "p" + std::to_string(made_.seed);
    made_.u = shape();
    made_.v = choice_.once_in(3) ? made_.u : shape();
    made_.n = choice_.between(0, 4);
    std::string guard = " guard dim(u) == " + std::to_string(made_.u.size()) +
                        " && dim(v) == " + std::to_string(made_.v.size());
    for (std::size_t axis = 0; axis < made_.u.size(); ++axis) {
      if (!choice_.once_in(4)) continue;
      guard += " && " + length("u", axis) + " == " + std::to_string(made_.u[axis]);
    }
    arrays_ = {{"u", fresh(made_.u.size())}, {"v", fresh(made_.v.size())}};
    if (made_.u == made_.v && choice_.once_in(2)) {
      for (std::size_t axis = 0; axis < made_.u.size(); ++axis) {
        guard += " && " + length("u", axis) + " == " + length("v", axis);
      }
      arrays_["v"] = arrays_["u"];
    }
    std::string body;
    const int count = choice_.between(2, 5);
    for (int k = 0; k < count; ++k) body += statement(0);
    made_.text = "  procedure " + made_.name +
                 "(upd u: Array, upd v: Array, upd n: Int, out total: Number)\n   " + guard +
                 " {\n" + body + "    total = psi([], sum(ravel(u), 0)) + convert(n);\n  };\n";
    return std::move(made_);
  }

 private:
  // --- numbers
  static std::string length(const std::string& array, std::size_t axis) {
    return "at(shape(" + array + "), " + std::to_string(axis) + ")";
  }

  std::vector<std::int64_t> shape() {
    static const std::vector<std::int64_t> lengths = {0, 1, 1, 2, 3, 3, 4, 5};
    std::vector<std::int64_t> made(std::size_t(choice_.between(1, 2)));
    for (std::int64_t& each : made) each = choice_.of(lengths);
    return made;
  }

  Lengths fresh(std::size_t rank) {
    Lengths made(rank);
    for (int& each : made) each = ++lengths_;
    return made;
  }

  std::string number() {
    const std::string array = some_array();
    switch (choice_.between(0, counter_.empty() ? 3 : 4)) {
      case 0:
        return "n";
      case 1:
        return length(array, 0);
      case 2:
        return std::to_string(choice_.between(0, 3));
      case 3:
        return "(n + " + length(array, 0) + ") % 3";
      default:
        return counter_.back();
    }
  }

  // Of an index that may be outside.
  std::string element() {
    const std::string array = some_array();
    std::string index;
    for (std::size_t axis = 0; axis < arrays_[array].size(); ++axis) {
      index +=
          (axis == 0 ? "" : ", ") + (choice_.once_in(3) ? number() : length(array, axis) + " - 1");
    }
    return "psi([" + index + "], " + array + ")";
  }

  std::string condition() {
    if (choice_.once_in(6)) return element() + " < " + std::to_string(choice_.between(0, 9)) + ".0";
    static const std::vector<std::string> relations = {" < ", " <= ", " == "};
    if (choice_.once_in(4)) {
      return "psi([], sum(ravel(" + some_array() + "), 0)) < " +
             std::to_string(choice_.between(0, 40)) + ".0";
    }
    return number() + choice_.of(relations) + number();
  }

  // --- arrays
  std::string some_array() {
    auto place = arrays_.begin();
    std::advance(place, choice_.between(0, int(arrays_.size()) - 1));
    return place->first;
  }

  Expression variable() {
    const std::string name = some_array();
    return {name, arrays_[name]};
  }

  std::string axis_of(const Expression& e, std::size_t& axis) {
    axis = std::size_t(choice_.between(0, int(e.lengths.size()) - 1));
    return std::to_string(axis);
  }

  // Another array with the same lengths, as far as one is known.
  std::string like(const Expression& e) {
    std::vector<std::string> found = {e.text, "reverse(" + e.text + ", 0)", "2 * " + e.text};
    for (const auto& [name, lengths] : arrays_) {
      if (lengths == e.lengths || (lengths.size() == e.lengths.size() && choice_.once_in(24))) {
        found.insert(found.end(), 3, name);
      }
    }
    return choice_.of(found);
  }

  Expression changed(Expression e) {
    std::size_t axis = 0;
    const std::string at = axis_of(e, axis);
    const std::string length = "at(shape(" + e.text + "), " + at + ")";
    const auto call = [&](const std::string& name, const std::string& rest) {
      e.text = name + "(" + e.text + ", " + at + rest + ")";
    };
    switch (choice_.between(0, 15)) {
      case 0:
      case 1: {
        static const std::vector<std::string> operations = {" + ", " - ", " * "};
        const std::string& operation = choice_.of(operations);
        e.text = "(" + e.text + operation + like(e) + ")";
        break;
      }
      case 2:
        call("rotate", ", " + std::to_string(choice_.between(-2, 2)));
        break;
      case 3:
        call("reverse", "");
        break;
      case 4:
        e.text = "transpose(" + e.text + ")";
        e.lengths.assign(e.lengths.rbegin(), e.lengths.rend());
        break;
      case 5:
        call("take", ", " + (choice_.once_in(3) ? "1" : length + " / 2"));
        e.lengths[axis] = ++lengths_;
        break;
      case 6:
        call("drop", ", " + (choice_.once_in(3) ? "-1" : length + " / 2"));
        e.lengths[axis] = ++lengths_;
        break;
      case 7:
        if (growth_ == 0) break;
        --growth_;
        call("cat", "");
        e.text.insert(e.text.rfind(','),
                      ", " + like({e.text.substr(4, e.text.rfind(',') - 4), e.lengths}));
        e.lengths[axis] = ++lengths_;
        break;
      case 8:
        if (e.lengths.size() < 2) break;
        call("sum", "");
        e.lengths.erase(e.lengths.begin() + std::ptrdiff_t(axis));
        break;
      case 9:
        e.text = "(" + e.text + " + array(convert(" + number() + "): Number))";
        break;
      case 10: {
        static const std::vector<std::string> pads = {"pad_constant", "pad_circular", "pad_edge",
                                                      "pad_reflect"};
        if (growth_ == 0) break;
        --growth_;
        const std::string& pad = choice_.of(pads);
        call(pad, pad == "pad_constant" ? ", 1, 2, 0.5" : ", 1, 1");
        e.lengths[axis] = ++lengths_;
        break;
      }
      case 11:
        if (e.lengths.size() < 2) break;
        e.text = "matmul(" + e.text + ", transpose(" + like(e) + "))";
        e.lengths[1] = e.lengths[0];
        break;
      case 12:
        if (values_.empty()) break;
        e.text = "(" + e.text + " + array(" + choice_.of(values_) + "))";
        break;
      case 13:
        e.text = "select(" + e.text + " < " + std::to_string(choice_.between(0, 4)) + ".0, " +
                 like(e) + ", " + like(e) + ")";
        break;
      case 14: {
        const std::string other = some_array();
        e.text = "(array(shape(" + other + "): Index) + " + std::to_string(choice_.between(0, 2)) +
                 ".0)";
        e.lengths = fresh(1);
        break;
      }
      default:
        if (loops_ > 0 || !choice_.once_in(2)) break;
        e.text = "smoothed(" + e.text + ")";
        break;
    }
    return e;
  }

  Expression expression() {
    Expression made = variable();
    const int count = choice_.between(1, 3);
    for (int k = 0; k < count; ++k) made = changed(std::move(made));
    return made;
  }

  // With as many axes as the variable has.
  Expression expression_for(const std::string& name) {
    for (;;) {
      const int before = growth_;
      Expression made = expression();
      if (made.lengths.size() == arrays_[name].size()) return made;
      growth_ = before;
    }
  }

  // --- statements
  std::string indented(int depth) const { return std::string(std::size_t(4 + 2 * depth), ' '); }

  std::string assignment(int depth) {
    const std::string target = some_array();
    Expression value = expression_for(target);
    arrays_[target] = value.lengths;
    return indented(depth) + target + " = " + value.text + ";\n";
  }

  std::string of_number(int depth) {
    static const std::vector<std::string> operations = {" + 1", " - 1", " * 2"};
    const std::string value = choice_.once_in(2) ? number() : "n" + choice_.of(operations);
    return indented(depth) + "n = " + value + ";\n";
  }

  std::string declaration(int depth) {
    Expression value = expression();
    const std::string name = "t" + std::to_string(++declared_);
    arrays_[name] = value.lengths;
    return indented(depth) + "var " + name + " = " + value.text + ";\n";
  }

  // Of its own: an element that an array expression asks for is read only if the array has any.
  std::string declaration_of_number(int depth) {
    const std::string value = element();
    values_.push_back("x" + std::to_string(++declared_));
    return indented(depth) + "var " + values_.back() + ": Number = " + value + ";\n";
  }

  std::string statements(int depth) {
    const auto before = arrays_;
    const auto values = values_;
    std::string made;
    const int count = choice_.between(1, 2);
    for (int k = 0; k < count; ++k) made += statement(depth);
    // What was declared is gone; what was assigned may have other lengths.
    std::map<std::string, Lengths> after;
    for (const auto& [name, lengths] : before) {
      after[name] = arrays_[name] == lengths ? lengths : fresh(lengths.size());
    }
    arrays_ = std::move(after);
    values_ = values;
    return made;
  }

  std::string branch(int depth) {
    const auto before = arrays_;
    std::string made = indented(depth) + "if " + condition() + " then {\n" + statements(depth + 1);
    const auto then = arrays_;
    arrays_ = before;
    made += indented(depth) + "} else {\n";
    made += choice_.once_in(3) ? indented(depth + 1) + "skip;\n" : statements(depth + 1);
    for (auto& [name, lengths] : arrays_) {
      if (then.at(name) != lengths) lengths = fresh(lengths.size());
    }
    return made + indented(depth) + "};\n";
  }

  std::string loop(int depth) {
    // Any array may have other lengths at the beginning of a round.
    if (choice_.once_in(3)) {
      for (auto& [name, lengths] : arrays_) lengths = fresh(lengths.size());
    }
    ++loops_;
    const int growth = growth_;
    if (growth_ > 1) growth_ = 1;
    std::string made = indented(depth);
    const int kind = choice_.between(0, 3);
    if (kind <= 1) {
      const std::string counter = "k" + std::to_string(++declared_);
      made += "for " + counter + " in 0 .. " + few() + " {\n";
      counter_.push_back(counter);
      made += statements(depth + 1);
      counter_.pop_back();
    } else if (kind == 2) {
      const std::string c = condition();
      made += "while " + c + " bound " + few() + " {\n" + statements(depth + 1);
    } else {
      --loops_;
      growth_ = growth;
      return made + iteration();
    }
    if (growth_ == 0 || growth > 1) growth_ = growth - (growth_ == 0 ? 1 : 0);
    --loops_;
    return made + indented(depth) + "};\n";
  }

  std::string iteration() {
    if (arrays_["u"].size() == arrays_["v"].size() && choice_.once_in(2)) {
      for (const char* const name : {"u", "v"}) arrays_[name] = fresh(arrays_[name].size());
      return "iterate (" + few() + ") exchange(u, v);\n";
    }
    return "iterate (n % 4) count(" + some_array() + ", n);\n";
  }

  std::string few() {
    if (choice_.once_in(2)) return std::to_string(choice_.between(0, 3));
    return choice_.once_in(3) ? "n % 4" : "(n + " + length(some_array(), 0) + ") % 4";
  }

  std::string statement(int depth) {
    const int kind = choice_.between(0, 14);
    if (kind == 14) return declaration_of_number(depth);
    if (kind <= 4) return assignment(depth);
    if (kind == 5) return of_number(depth);
    if (kind == 6) return declaration(depth);
    if (kind == 7 && arrays_["u"].size() == arrays_["v"].size()) {
      std::swap(arrays_["u"], arrays_["v"]);
      return indented(depth) + "call exchange(u, v);\n";
    }
    if (kind == 8) return indented(depth) + "call count(" + some_array() + ", n);\n";
    if (kind == 9 && choice_.once_in(3)) {
      return indented(depth) + "assert " + condition() + ";\n";
    }
    if (depth < 2 && kind <= 11) return branch(depth);
    if (depth < 2) return loop(depth);
    return assignment(depth);
  }

  Choice choice_;
  OwnShapesProcedure made_;
  std::map<std::string, Lengths> arrays_;
  std::vector<std::string> counter_;
  std::vector<std::string> values_;  // variables that are numbers
  int lengths_ = 0;
  int declared_ = 0;
  int growth_ = 2;
  int loops_ = 0;
};

}  // namespace

OwnShapesProcedure own_shapes_procedure(unsigned seed) { return Writer(seed).procedure(); }

std::string own_shapes_program(const std::vector<OwnShapesProcedure>& procedures) {
  std::string text =
      "package own imports moa.library;\n"
      "program P = implement Expressions in {\n"
      "  use Expressions;\n"
      "  procedure exchange(upd a: Array, upd b: Array) { var t = a; a = b; b = t; };\n"
      "  procedure count(obs a: Array, upd m: Int) { m = m + at(shape(a), 0); };\n"
      "  function smoothed(a: Array): Array = {\n"
      "    var t = a;\n"
      "    for k in 0 .. at(shape(a), 0) % 3 { t = t + rotate(a, 0, k); };\n"
      "    value t;\n"
      "  };\n";
  for (const OwnShapesProcedure& each : procedures) text += each.text;
  return text + "};\n";
}

}  // namespace rhopsi::property
