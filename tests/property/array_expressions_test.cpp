// Random array expressions: what the axioms say operation by operation, what the normal form
// computes, and what the oracle computes, are the same.
#include <chrono>
#include <iostream>

#include <gtest/gtest.h>

#include "tests/oracle/suite.hpp"
#include "tests/property/array_evaluators.hpp"
#include "tests/property/seeds.hpp"

namespace rhopsi::property {
namespace {

using oracle::Case;

TEST(Probe, Probe) {
  ArrayEvaluators evaluators;
  oracle::Suite suite(1);
  double axioms = 0, form = 0, sym = 0, orac = 0;
  const int n = std::getenv("N") ? atoi(std::getenv("N")) : 100;
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    using clock = std::chrono::steady_clock;
    auto t0 = clock::now();
    const Case one = suite.next();
    auto t1 = clock::now();
    const Outcome a = evaluators.by_axioms(one.tree, one.inputs);
    auto t2 = clock::now();
    const Outcome b = evaluators.by_normal_form(one.tree, one.inputs);
    auto t3 = clock::now();
    const Outcome c = evaluators.by_normal_form(one.tree, one.inputs, true);
    auto t4 = clock::now();
    orac += std::chrono::duration<double>(t1 - t0).count();
    axioms += std::chrono::duration<double>(t2 - t1).count();
    form += std::chrono::duration<double>(t3 - t2).count();
    sym += std::chrono::duration<double>(t4 - t3).count();
    if (std::chrono::duration<double>(t4 - t1).count() > 0.5)
      std::cout << "SLOW " << std::chrono::duration<double>(t2 - t1).count() << " "
                << std::chrono::duration<double>(t3 - t2).count() << " "
                << std::chrono::duration<double>(t4 - t3).count() << " " << to_string(one.tree)
                << std::endl;
    const char* names[] = {"axioms", "form", "symbolic"};
    const Outcome* outcomes[] = {&a, &b, &c};
    for (int k = 0; k < 3; ++k) {
      if (!outcomes[k]->value || !identical(*outcomes[k]->value, one.value)) {
        ++bad;
        std::cout << names[k] << " " << to_string(one) << " expected " << to_string(one.value)
                  << "\n found " << to_string(*outcomes[k]) << std::endl;
      }
    }
  }
  std::cout << "oracle " << orac << " axioms " << axioms << " form " << form << " symbolic " << sym
            << " bad " << bad << std::endl;
}

}  // namespace
}  // namespace rhopsi::property
