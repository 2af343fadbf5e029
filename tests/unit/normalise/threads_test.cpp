#include <thread>

#include <gtest/gtest.h>

#include "tests/unit/normalise/arithmetic.hpp"

namespace {

using namespace rhopsi;

class Threads : public tests::Arithmetic {};

TEST_F(Threads, OneProgramServesManyMachinesAtOnce) {
  const auto fib = operation("fib", 1);
  rule(make(fib, {make(z, {})}), make(z, {}));
  rule(make(fib, {make(s, {make(z, {})})}), make(s, {make(z, {})}));
  rule(make(fib, {make(s, {make(s, {x})})}),
       make(add, {make(fib, {make(s, {x})}), make(fib, {x})}));
  compile();
  std::vector<std::uint64_t> sizes(4);
  std::vector<std::uint64_t> steps(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    threads.emplace_back([&, i] {
      normalise::Machine machine(program);
      std::vector<normalise::Symbol> text{symbol(fib)};
      text.insert(text.end(), 20, symbol(s));
      text.push_back(symbol(z));
      const auto strategy =
          i % 2 == 0 ? normalise::Strategy::innermost : normalise::Strategy::outermost;
      const auto outcome = machine.normalise(machine.make_preorder(text), strategy);
      sizes[i] = machine.size(outcome.term, 100000).value_or(0);
      steps[i] = outcome.steps;
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(sizes, std::vector<std::uint64_t>(4, 6766));
  EXPECT_EQ(steps[0], steps[2]);
  EXPECT_EQ(steps[1], steps[3]);
}

}  // namespace
