#include "frontend/driver/compiled_cases.hpp"

#include <cstring>

#include "backends/kokkos/batch/batch.hpp"

namespace rhopsi::driver {
namespace {

kokkos::HostArray host_array(const reference::Array& array) {
  kokkos::HostArray made{array.element, array.shape, {}};
  std::visit(
      [&](const auto& elements) {
        const auto* first = reinterpret_cast<const char*>(elements.data());
        made.bytes.assign(first, first + elements.size() * sizeof(elements[0]));
      },
      *array.elements);
  return made;
}

reference::Array array_of(const kokkos::HostArray& array) {
  std::size_t count = 1;
  for (std::int64_t length : array.shape) count *= static_cast<std::size_t>(length);
  reference::Elements elements = reference::make_elements(array.element, count);
  std::visit(
      [&](auto& values) {
        if (count > 0) std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
      },
      elements);
  return reference::make_array(array.shape, std::move(elements));
}

// A case with a normal form.
struct Reduced {
  std::size_t number;
  ReadCase given;
  moa::Plan plan;
};

}  // namespace

std::optional<std::vector<Outcome>> compiled_values(Evaluation& evaluation,
                                                    const std::vector<ExpressionCase>& cases,
                                                    syntax::Diagnostics& diagnostics) {
  std::vector<Outcome> outcomes(cases.size());
  std::vector<Reduced> reduced;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    syntax::Diagnostics& problems = outcomes[k].problems;
    auto given = evaluation.read(cases[k], problems);
    auto plan = given ? evaluation.plan(*given, problems) : std::nullopt;
    if (plan) reduced.push_back({k, std::move(*given), std::move(*plan)});
  }
  if (reduced.empty()) return outcomes;
  std::vector<kokkos::Case> batch;
  for (const Reduced& each : reduced) {
    kokkos::Case made{&each.plan, {}};
    for (const ArrayInput& input : each.given.inputs)
      made.leaves.push_back(host_array(input.array));
    batch.push_back(std::move(made));
  }
  const auto result = kokkos::run_batch(batch);
  if (!result) {
    diagnostics.error(result.error().code, {}, result.error().message, result.error().note);
    return std::nullopt;
  }
  for (std::size_t k = 0; k < reduced.size(); ++k) {
    Outcome& outcome = outcomes[reduced[k].number];
    const kokkos::CaseResult& found = result->results[k];
    if (found.array) {
      outcome.array = array_of(*found.array);
    } else {
      outcome.problems.error(found.code, whole(reduced[k].given.text), found.message);
    }
  }
  return outcomes;
}

}  // namespace rhopsi::driver
