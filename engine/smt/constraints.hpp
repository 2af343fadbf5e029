// Finite constraints for a solver: truth values, bounded natural numbers, sums, products,
// comparisons. What searches for orders and interpretations states its problem with these and reads
// the answer back; no solver is visible here.
//
// Numbers never wrap: each is represented as wide as its largest possible value needs. Constants
// are folded while constraints are stated.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace rhopsi::smt {

struct Truth {
  std::uint32_t id = 0;
};
struct Natural {
  std::uint32_t id = 0;
};

class Constraints {
 public:
  Constraints();
  Constraints(const Constraints&) = delete;
  Constraints& operator=(const Constraints&) = delete;
  ~Constraints();

  Truth constant(bool value);
  Truth unknown();
  Truth negate(Truth a);
  Truth all(std::span<const Truth> each);
  Truth any(std::span<const Truth> each);
  Truth both(Truth a, Truth b);
  Truth either(Truth a, Truth b);
  Truth implies(Truth a, Truth b) { return either(negate(a), b); }
  Truth same(Truth a, Truth b);
  bool is_true(Truth a) const;
  bool is_false(Truth a) const;

  Natural number(std::uint64_t value);
  Natural unknown_up_to(std::uint64_t most);  // 0 .. most
  Natural sum(std::span<const Natural> each);
  Natural add(Natural a, Natural b);
  Natural multiply(Natural a, Natural b);
  Natural choose(Truth condition, Natural a, Natural b);
  Truth at_least(Natural a, Natural b);
  Truth more(Natural a, Natural b);
  Truth equal(Natural a, Natural b);

  void require(Truth a);

  // Bits of all numbers so far: what a problem costs a solver before it has begun.
  std::uint64_t size() const;

  // Whether all that is required can hold. Not found, given up and broken are one answer.
  bool solve(std::chrono::milliseconds limit);

  // After solve() has said yes.
  bool value(Truth a) const;
  std::uint64_t value(Natural a) const;

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace rhopsi::smt
