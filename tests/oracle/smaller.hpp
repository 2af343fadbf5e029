// What a failing expression is made smaller by.
#pragma once

#include <functional>

#include "tests/oracle/expression.hpp"

namespace rhopsi::oracle {

struct Candidate {
  Tree tree;
  Inputs inputs;
};

// Parts of the expression, and the expression with a part replaced by an input that has its
// value; those that are made smallest first.
std::vector<Candidate> smaller(const Candidate& candidate);

// The smallest that `fails` among these, theirs, and so on.
Candidate smallest(Candidate candidate, const std::function<bool(const Candidate&)>& fails);

}  // namespace rhopsi::oracle
