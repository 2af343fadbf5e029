// A procedure of two sweeps, which tests put in one pass in their ways, and numbers for it.
#pragma once

#include <cstring>
#include <random>
#include <stdexcept>
#include <vector>

#include "tests/unit/schedule/form_run.hpp"
#include "tests/unit/schedule/forms.hpp"

namespace rhopsi::schedule {

using Offsets = std::vector<std::vector<std::int64_t>>;

// v = the sum of u at these offsets; u = that of v at those, and u.
inline onf::Module two_in_one(const Offsets& first, const Offsets& second, std::int64_t pad = 0) {
  FormBuilder form(int(first[0].size()), pad);
  const auto u = form.argument("u", term::Mode::upd);
  const auto v = form.view("v");
  const auto weighted = [&](onf::ViewId from, const Offsets& offsets) {
    onf::Expr made = form.load(from, offsets[0]);
    for (std::size_t k = 1; k < offsets.size(); ++k) {
      made =
          sum(apply(onf::ScalarFunction::multiply, {made, real(0.7)}), form.load(from, offsets[k]));
    }
    return made;
  };
  form.assign(v, weighted(u, first), true);
  form.assign(u,
              sum(weighted(v, second), form.load(u, std::vector<std::int64_t>(first[0].size()))));
  return form.finish();
}

// The pass that the procedure has become; there is one.
inline const onf::Pipeline& only_pipeline_of(const onf::Module& module) {
  for (const onf::Statement& statement : module.functions[0].body) {
    if (const auto* found = std::get_if<onf::Pipeline>(&statement.form)) return *found;
  }
  throw std::logic_error("no pass of several sweeps");
}

// Beside it on every axis.
inline const Offsets cross = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};

inline Elements numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Elements made(count);
  for (double& element : made) element = uniform(random);
  return made;
}

inline bool equal_bits(const Elements& a, const Elements& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace rhopsi::schedule
