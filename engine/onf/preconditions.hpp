// What a form over a domain asks of its lengths. Internal to the engine.
#pragma once

#include <string>
#include <vector>

#include "engine/onf/form.hpp"
#include "engine/onf/ranges.hpp"

namespace rhopsi::onf {

// Adds to Function::preconditions what does not follow from those that are there and from lengths
// of at least 1: so each is there once. They are in the order of the program, since what it tests
// may have become of what the lengths decided before; but what it may leave untested is behind all
// others, so that what each call tests is told as that.
class Preconditions {
 public:
  Preconditions(const Module& module, Function& function, std::size_t rank);

  // `condition`, of extents and numbers, has that value. What is wrong where it has the other is
  // said by it, with the lengths of the first array argument.
  void add(Expr condition, bool holds);
  // The program tests that it holds, and says `otherwise` where it does not: in each call, or
  // `perhaps` not, and it may then compute where it does not hold.
  void add_test(Expr condition, std::string otherwise, bool perhaps);
  // That axis has the length `number`.
  void add_length(std::size_t axis, const Expr& number);
  // Nothing is added any more.
  void finish();

 private:
  void add(Precondition made);
  bool follows(const Expr& e);
  bool below(const Expr& left, const Expr& right, std::int64_t by);
  std::string needed(Expr condition) const;

  const Module& module_;
  Function& function_;
  Ranges ranges_;
  std::vector<Precondition> perhaps_tested_;
};

}  // namespace rhopsi::onf
