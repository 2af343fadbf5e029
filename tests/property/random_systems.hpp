// Small random rewriting systems over a few symbols.
#pragma once

#include <string>
#include <vector>

#include "engine/analysis/system.hpp"
#include "tests/property/choice.hpp"

namespace rhopsi::property {

class RandomSystem {
 public:
  explicit RandomSystem(unsigned seed);

  // A term without variables.
  analysis::Term ground(int depth) { return term(depth, {}); }
  Choice& choice() { return choice_; }
  std::string text() const;
  // Constants only, so that everything can be decided by looking.
  bool finite() const { return finite_; }

  analysis::TermBank bank;
  analysis::Rules rules;

 private:
  analysis::Term term(int depth, const std::vector<int>& variables);
  analysis::Term leaf(const std::vector<int>& variables);

  Choice choice_;
  int symbols_ = 0;  // those that rules are made of
  int end_ = 0;      // a constant that no rule has
  int variables_in_ten_ = 0;
  bool finite_ = false;
};

}  // namespace rhopsi::property
