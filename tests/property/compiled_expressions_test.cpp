// Random array expressions, compiled in batches: their values are those of the oracle.
#include <cstring>
#include <memory>

#include <gtest/gtest.h>

#include "backends/kokkos/batch/batch.hpp"
#include "tests/property/array_agreement.hpp"
#include "tests/property/seeds.hpp"

namespace rhopsi::property {
namespace {

ArrayEvaluators& evaluators() {
  static ArrayEvaluators shared;
  return shared;
}

kokkos::HostArray host(const reference::Array& array) {
  kokkos::HostArray made{array.element, array.shape, {}};
  std::visit(
      [&](const auto& elements) {
        const auto* first = reinterpret_cast<const char*>(elements.data());
        made.bytes.assign(first, first + elements.size() * sizeof(elements[0]));
      },
      *array.elements);
  return made;
}

oracle::Array of_host(const kokkos::HostArray& array) {
  std::size_t count = 1;
  for (std::int64_t length : array.shape) count *= static_cast<std::size_t>(length);
  reference::Elements elements = reference::make_elements(array.element, count);
  std::visit(
      [&](auto& values) {
        if (count > 0) std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
      },
      elements);
  return from_reference(reference::make_array(array.shape, std::move(elements)));
}

struct Compiled {
  oracle::Case source;
  std::unique_ptr<moa::NormalForm> form;
};

// The number of cases that have no normal form, or one of more axes than are compiled, is given
// back: they are nothing to compare.
unsigned compare(unsigned seed, unsigned count, bool symbolic) {
  oracle::Suite suite(seed);
  std::vector<Compiled> compiled;
  unsigned without = 0;
  for (unsigned number = 0; number < count; ++number) {
    oracle::Case one = suite.next();
    auto form = evaluators().normal_form(one.tree, one.inputs, symbolic);
    if (!form || form->rank() > 6) {
      ++without;
      continue;
    }
    compiled.push_back({std::move(one), std::make_unique<moa::NormalForm>(std::move(*form))});
  }
  std::vector<kokkos::Case> cases;
  for (const Compiled& each : compiled) {
    kokkos::Case made{each.form.get(), {}};
    for (const moa::Leaf& leaf : each.form->leaves) {
      made.leaves.push_back(host(to_reference(each.source.inputs.at(leaf.name))));
    }
    cases.push_back(std::move(made));
  }
  kokkos::BatchOptions options;
  options.build.cache = RHOPSI_TEST_CACHE;
  const auto batch = kokkos::run_batch(cases, options);
  if (!batch) {
    ADD_FAILURE() << batch.error().code << ": " << batch.error().message << batch.error().note;
    return without;
  }
  int failures = 0;
  for (std::size_t k = 0; k < compiled.size() && failures < 5; ++k) {
    const kokkos::CaseResult& found = batch->results[k];
    const oracle::Case& source = compiled[k].source;
    if (found.array && agrees(source.tree, source.value, of_host(*found.array))) continue;
    ++failures;
    ADD_FAILURE() << oracle::to_string(source) << "expected " << oracle::to_string(source.value)
                  << "\nfound    "
                  << (found.array ? oracle::to_string(of_host(*found.array))
                                  : found.code + ": " + found.message)
                  << "\n"
                  << to_string(*compiled[k].form);
  }
  return without;
}

TEST(CompiledExpressions, AgreeWithTheOracle) {
  const unsigned count = seeds(200, 4000);
  EXPECT_LT(compare(7, count, false), count / 10);
}

TEST(CompiledExpressions, OfLengthsThatAreNotKnownAgreeToo) {
  const unsigned count = seeds(60, 2000);
  EXPECT_LT(compare(8, count, true), count / 3);
}

}  // namespace
}  // namespace rhopsi::property
