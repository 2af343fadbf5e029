#include "frontend/driver/example.hpp"

#include <algorithm>
#include <cstdlib>

#include "backends/reference/arrays.hpp"
#include "frontend/driver/judge.hpp"

namespace rhopsi::driver {
namespace {

using reference::Array;
using reference::Index;
using reference::Value;

constexpr std::size_t tries = 3'000;
constexpr std::size_t wanted = 80;  // of those for which the claim holds
constexpr std::size_t patience = 200;

// How far an array is from what is read at a glance: six elements along one or two axes.
long distance(const Array& array) {
  const long count = static_cast<long>(reference::count_elements(array.shape));
  const long axes = static_cast<long>(array.shape.size());
  const long length = count == 0 ? 40 : 2 * std::abs(count - 6);
  return length +
         (axes == 0  ? 10
          : axes > 2 ? 15 * (axes - 2)
                     : 0) +
         (std::ranges::count(array.shape, 1) > 0 ? 8 : 0);
}

long distance(const Value& value) {
  if (const Array* array = std::get_if<Array>(&value)) return distance(*array);
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    return *number == 0 ? 4 : 2 * std::abs(std::clamp<long>(*number, -10, 10));
  }
  if (const Index* index = std::get_if<Index>(&value)) {
    return index->empty() ? 10 : 2 * static_cast<long>(index->size());
  }
  return 0;
}

long distance(const Sample& sample, const Value& result) {
  long sum = distance(result);
  for (const auto& [symbol, value] : sample.values) {
    sum += distance(value) + (value == result ? 60 : 0);
  }
  return sum;
}

}  // namespace

std::optional<Example> find_example(term::Store& store, const term::Theory& theory,
                                    const Tables& tables,
                                    const std::vector<term::SymbolId>& parameters,
                                    const term::Claim& claim,
                                    const std::vector<const term::Axiom*>& invariants) {
  Judge judge(store, theory, tables.promoting, tables.real, parameters, claim, invariants);
  if (!judge.problem().empty()) return std::nullopt;
  Samples samples(1);
  Sample base;
  if (judge.over_domain()) base.domain = samples.domain();
  fill(base, samples, judge, true);
  std::optional<Example> best;
  long best_distance = 0;
  std::size_t holding = 0;
  std::size_t not_computed = 0;
  for (std::size_t k = 0; k < tries && holding < wanted; ++k) {
    if (holding == 0 && not_computed >= patience) break;
    Sample sample = base;
    fill(sample, samples, judge, false);
    const Judgement judgement = judge.judge(sample);
    not_computed += judgement.kind == Judgement::Kind::not_computed ? 1 : 0;
    if (judgement.kind != Judgement::Kind::holds) continue;
    ++holding;
    const long far = distance(sample, *judgement.value);
    if (best && far >= best_distance) continue;
    best = Example{named_values(store, judge, sample), value_text(*judgement.value)};
    best_distance = far;
  }
  return best;
}

}  // namespace rhopsi::driver
