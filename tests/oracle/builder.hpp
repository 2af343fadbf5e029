// Expressions that have a value, made from below: what a call computes is known as soon as it is
// made, so that the arguments of the next one can be chosen to fit.
#pragma once

#include <optional>
#include <set>

#include "tests/oracle/evaluation.hpp"
#include "tests/property/choice.hpp"

namespace rhopsi::oracle {

// An expression and its value.
struct Argument {
  Tree tree;
  Value value;
};

struct Operand {
  Tree tree;
  Array value;
};

// What the elements of an operand have to be.
enum class Elements : std::uint8_t {
  any,
  natural,      // small integers from 0 on
  mask,         // 0 and 1
  permutation,  // of 0 .. n - 1, a vector
};

class Builder {
 public:
  // `depth` bounds the calls above each other of operands that are made to fit.
  Builder(unsigned seed, int depth) : choice_(seed), depth_(depth) {}

  property::Choice& choice() { return choice_; }
  const Inputs& inputs() const { return inputs_; }
  // Those whose file holds 32-bit integers.
  const std::set<std::string>& narrow() const { return narrow_; }
  void set_depth(int depth) { depth_ = depth; }

  // Throws Violation where there is no value, or it is too large or no number.
  Operand call(const Operation& operation, const std::vector<Argument>& arguments);

  // A call of `operation` with `x` at parameter `slot` (converted where an integer or an index
  // vector stands), along `axis` if it has one; nothing if no arguments were found that fit.
  std::optional<Operand> apply(const Operation& operation, std::size_t slot, std::int64_t axis,
                               const Operand& x);

  // An input or a literal.
  Operand leaf(const Shape& shape, Elements elements);
  Operand of_shape(const Shape& shape, Elements elements = Elements::any);
  // What holds these very integers.
  Operand vector_of(const std::vector<std::int64_t>& integers);

  // A shape of at least `rank` axes.
  Shape some_shape(std::int64_t rank, Elements elements = Elements::any);
  Shape factors_of(std::int64_t count);

  // Arguments of these values, which are not always literals.
  Argument integer(std::int64_t value);
  Argument index(const Shape& value);
  Argument axis_of(const Operand& array, std::int64_t axis);
  // `x` as an integer between `low` and `high`, by a difference if need be; and as a vector.
  Argument integer_from(const Operand& x, std::int64_t low, std::int64_t high);
  Argument index_from(const Operand& x);

  void remember(const Operand& operand) { made_.push_back(operand); }

 private:
  Array elements(const Shape& shape, Elements elements);
  Operand input_of(const Shape& shape, Elements elements);
  Operand literal_of(const Shape& shape, Elements elements);
  std::optional<Operand> call_of_shape(const Shape& shape, Elements elements);
  std::optional<Operand> known_of_shape(const Shape& shape) const;
  std::string fresh_name() const;

  property::Choice choice_;
  int depth_;
  Inputs inputs_;
  std::set<std::string> narrow_;
  std::vector<Operand> made_;
};

bool holds(const Array& array, Elements elements);
const Operation& operation(const std::string& name, const std::string& parameters);

}  // namespace rhopsi::oracle
