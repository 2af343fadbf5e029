// Random rule sets: compiled ones take the same steps to the same terms as interpreted ones.
#include <gtest/gtest.h>

#include "tests/unit/native/native.hpp"
#include "tests/unit/normalise/random_rules.hpp"

namespace {

using namespace rhopsi;

// Many systems without common symbols make one program: one run of the compiler.
class Systems {
 public:
  Systems(unsigned first_seed, int count, int rules_each, bool conditional) {
    for (int i = 0; i < count; ++i) {
      tests::Generator generate(first_seed + static_cast<unsigned>(i));
      terms_.emplace_back(store_, "t" + std::to_string(i) + "_");
      for (const auto& rule : generate.rules(1 + i % rules_each, conditional)) {
        rules_.push_back(terms_.back()(rule));
      }
      for (int j = 0; j < 4; ++j) subjects_.emplace_back(i, generate.tree(5, 0));
    }
    std::vector<normalise::Problem> problems;
    program_ = normalise::compile(store_, rules_, problems);
    EXPECT_TRUE(problems.empty());
    native_ = tests::native_of(program_);
  }

  // How many subjects have a normal form within the bounds.
  int compare(const normalise::Bounds& bounds) {
    int finished = 0;
    if (!native_) return finished;
    for (const auto& [which, subject] : subjects_) {
      normalise::Machine slow(program_, bounds);
      normalise::Machine fast(program_, bounds, native_.get());
      const term::TermId start = terms_[static_cast<std::size_t>(which)](subject);
      const auto expected = slow.normalise(*slow.load(store_, start));
      const auto found = fast.normalise(*fast.load(store_, start));
      if (expected.stop == normalise::Stop::memory) {
        // Frames differ in size, so that they fill the stack at another step.
        EXPECT_NE(found.stop, normalise::Stop::normal_form);
        continue;
      }
      EXPECT_EQ(found.stop, expected.stop) << "system " << which;
      EXPECT_EQ(found.steps, expected.steps) << "system " << which;
      if (expected.stop == normalise::Stop::normal_form) ++finished;
      const auto size = slow.size(expected.term, 20000);
      EXPECT_EQ(fast.size(found.term, 20000), size);
      if (!size) continue;
      EXPECT_EQ(normalise::to_string(store_, fast, found.term),
                normalise::to_string(store_, slow, expected.term))
          << "system " << which;
    }
    return finished;
  }

 private:
  term::Store store_;
  std::vector<tests::Terms> terms_;
  std::vector<normalise::Rule> rules_;
  std::vector<std::pair<int, tests::Tree>> subjects_;
  normalise::Program program_;
  std::shared_ptr<const normalise::Native> native_;
};

normalise::Bounds bounds_of(std::uint64_t steps) {
  normalise::Bounds bounds;
  bounds.steps = steps;
  bounds.bytes = 1 << 22;
  return bounds;
}

void compare(Systems&& systems, int least) {
  for (const std::uint64_t steps : {1U, 2U, 3U, 7U, 20U}) systems.compare(bounds_of(steps));
  EXPECT_GT(systems.compare(bounds_of(20000)), least);
}

TEST(CompiledRules, UnconditionalOnesAgreeWithInterpretedOnes) {
  compare(Systems(0, 60, 12, false), 120);
}

TEST(CompiledRules, ConditionalOnesAgreeWithInterpretedOnes) {
  compare(Systems(100000, 30, 9, true), 50);
}

// Rules of one symbol that overlap so much that they are tried one by one.
TEST(CompiledRules, SetsWhoseTreesGrowBeyondTheirBoundAgreeToo) {
  tests::Generator generate(200001);
  term::Store store;
  tests::Terms terms(store);
  std::vector<normalise::Rule> rules;
  while (rules.size() < 60) {
    for (const auto& rule : generate.rules(101, rules.size() % 2 == 0)) {
      if (rule.left.symbol == 7 && rules.size() < 60) rules.push_back(terms(rule));
    }
  }
  std::vector<normalise::Problem> problems;
  const auto program = normalise::compile(store, rules, problems);
  EXPECT_NE(normalise::emit(program).text.find("static void j"), std::string::npos);
  const auto native = tests::native_of(program);
  ASSERT_TRUE(native);
  int rewritten = 0;
  for (int i = 0; i < 4000; ++i) {
    const term::TermId start = terms(generate.tree(5, 0));
    normalise::Machine slow(program, bounds_of(20000));
    normalise::Machine fast(program, bounds_of(20000), native.get());
    const auto expected = slow.normalise(*slow.load(store, start));
    const auto found = fast.normalise(*fast.load(store, start));
    ASSERT_EQ(found.stop, expected.stop);
    ASSERT_EQ(found.steps, expected.steps);
    ASSERT_EQ(normalise::to_string(store, fast, found.term),
              normalise::to_string(store, slow, expected.term));
    rewritten += expected.steps > 0 ? 1 : 0;
  }
  EXPECT_GT(rewritten, 100);
}

}  // namespace
