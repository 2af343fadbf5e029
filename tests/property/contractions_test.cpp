// Random contractions in every order of writing: what is computed in another order is the same, for
// integers to the bit.
#include <algorithm>
#include <iostream>

#include <gtest/gtest.h>

#include "tests/oracle/evaluation.hpp"
#include "tests/property/array_evaluators.hpp"
#include "tests/property/choice.hpp"
#include "tests/property/seeds.hpp"

namespace rhopsi::property {
namespace {

using oracle::Inputs;
using oracle::Tree;

// Chains of products with sums, scalars and other functions in between, of matrices whose sides
// have few different lengths.
class Contractions {
 public:
  Contractions(unsigned seed, oracle::Type type) : choice_(seed), type_(type) {}

  Tree next() {
    inputs_.clear();
    Tree tree = chain(length(), length(), choice_.between(2, 5));
    if (choice_.once_in(4)) tree = oracle::call("cumsum", {tree, axis(choice_.between(0, 1))});
    if (choice_.once_in(3)) tree = oracle::call("sum", {tree, axis(choice_.between(0, 1))});
    if (choice_.once_in(4)) tree = oracle::call("max", {tree, leaf({})});
    if (choice_.once_in(4)) {
      const Tree other = oracle::call("take", {tree, axis(0), oracle::literal(std::int64_t{0})});
      tree = oracle::call("cat", {tree, other, axis(0)});
    }
    return tree;
  }

  const Inputs& inputs() const { return inputs_; }

 private:
  using Length = std::int64_t;

  static Tree axis(int number) { return oracle::literal(std::int64_t{number}); }
  Length length() { return choice_.of(std::vector<Length>{0, 1, 2, 3, 3, 4, 7}); }

  // A product of `count` matrices, of that shape as a whole.
  Tree chain(Length rows, Length columns, int count) {
    if (count <= 1) return factor(rows, columns);
    const Length middle = length();
    const int left = choice_.between(1, count - 1);
    const Tree a = chain(rows, middle, left);
    const Tree b = chain(middle, columns, count - left);
    if (choice_.once_in(8)) {
      // The same as a reduction of an outer product.
      const Tree outer = oracle::call("outer_mul", {a, b});
      return oracle::call("sum", {oracle::call("diagonal", {outer, axis(1), axis(2)}), axis(1)});
    }
    return oracle::call("matmul", {a, b});
  }

  Tree factor(Length rows, Length columns) {
    switch (choice_.between(0, 8)) {
      case 0:
        return oracle::call("transpose", {leaf({columns, rows})});
      case 1:
        return oracle::call("_*_", {leaf({}), leaf({rows, columns})});
      case 2:
        return oracle::call("_*_", {leaf({rows, columns}), leaf({rows, columns})});
      case 3:
        return oracle::call("outer_mul", {leaf({rows}), leaf({columns})});
      case 4:
        return oracle::call("sum", {leaf({rows, length(), columns}), axis(1)});
      case 5:
        return oracle::call("cumsum", {leaf({rows, columns}), axis(choice_.between(0, 1))});
      case 6:
        return oracle::call("_-_", {leaf({rows, columns}), leaf({rows, columns})});
      case 7:  // the same in each row
        if (rows == 0) return leaf({rows, columns});
        return oracle::call("pad_edge",
                            {leaf({1, columns}), axis(0), axis(0), axis(int(rows) - 1)});
      default:
        return leaf({rows, columns});
    }
  }

  Tree leaf(const oracle::Shape& shape) {
    const std::string name = "A" + std::to_string(inputs_.size());
    std::vector<oracle::Number> elements;
    for (std::int64_t k = 0; k < oracle::product(shape); ++k) {
      if (type_ == oracle::Type::integer) {
        // Large ones too, so that products wrap.
        const std::int64_t value = choice_.between(-9, 9);
        elements.emplace_back(choice_.once_in(5) ? value * 4'611'686'018'427'387 : value);
      } else {
        elements.emplace_back(choice_.between(-8, 8) / 4.0);
      }
    }
    inputs_.emplace(name, oracle::make_array(type_, shape, std::move(elements)));
    return oracle::input(name);
  }

  Choice choice_;
  oracle::Type type_;
  Inputs inputs_;
};

struct Mode {
  const char* name;
  double allocation;
  bool symbolic;
};

const std::vector<Mode> modes = {{"free allocations", 0, false},
                                 {"everything stored", -1e15, false},
                                 {"unknown lengths, free allocations", 0, true},
                                 {"unknown lengths, everything stored", -1e15, true}};

// The reals are few multiples of a power of two, so that their sums are exact in every order, but
// for the sign of a zero.
bool same(const oracle::Array& left, const oracle::Array& right) {
  if (left.type != oracle::Type::real) return close(left, right, 0);
  return left.type == right.type && left.shape == right.shape &&
         std::ranges::equal(left.elements, right.elements,
                            [](const oracle::Number& a, const oracle::Number& b) {
                              return oracle::real_of(a) == oracle::real_of(b);
                            });
}

void compare(oracle::Type type, bool reassociate, unsigned first_seed) {
  std::size_t reordered = 0;
  std::size_t stored = 0;
  const Seeds numbers = expressions_of(400, 650);
  int failures = 0;
  for (unsigned number = numbers.begin; number < numbers.end; ++number) {
    Contractions random(first_seed + number, type);
    const Tree tree = random.next();
    const Outcome wanted = evaluators().by_axioms(tree, random.inputs());
    ASSERT_TRUE(wanted.value) << wanted.error << "\n" << oracle::to_string(tree);
    for (const Mode& mode : modes) {
      moa::Limits limits;
      limits.allocation = mode.allocation;
      limits.reassociate = reassociate;
      const auto plan = evaluators().plan(tree, random.inputs(), mode.symbolic, limits);
      ASSERT_TRUE(plan) << plan.error() << "\n" << oracle::to_string(tree);
      reordered += plan->contractions.size();
      stored += plan->stages.size() - 1;
      const Outcome found = evaluators().by_plan(*plan, random.inputs());
      if (found.value && same(*wanted.value, *found.value)) continue;
      ADD_FAILURE() << mode.name << ", seed " << first_seed + number << ": "
                    << oracle::to_string(tree) << "\n"
                    << oracle::to_string(random.inputs()) << "expected " << to_string(wanted)
                    << "\nfound " << to_string(found) << "\n"
                    << to_string(*plan);
      ASSERT_LT(++failures, 3) << "and so on";
    }
  }
  std::cout << reordered << " contractions in another order, " << stored << " stages\n";
  if (part == 1) {
    EXPECT_GT(reordered, numbers.size());
  }
}

TEST(Contractions, OfIntegersMeanTheSameInEveryOrder) { compare(oracle::Type::integer, false, 1); }

TEST(Contractions, OfRealsMeanTheSameWhereTheyMayBeRegrouped) {
  compare(oracle::Type::real, true, 100'001);
}

TEST(Contractions, OfRealsStayAsTheyAreWrittenOtherwise) {
  for (unsigned number = 0; number < 50; ++number) {
    Contractions random(number, oracle::Type::real);
    const Tree tree = random.next();
    moa::Limits limits;
    limits.allocation = 0;
    const auto plan = evaluators().plan(tree, random.inputs(), false, limits);
    ASSERT_TRUE(plan) << plan.error();
    EXPECT_TRUE(plan->contractions.empty()) << oracle::to_string(tree);
  }
}

}  // namespace
}  // namespace rhopsi::property
