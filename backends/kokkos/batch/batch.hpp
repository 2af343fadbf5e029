// Many normal forms at once, compiled and run.
//
// One program is emitted for all of them, built (or found in the cache) and run once; equal forms
// share one function. What goes wrong in a case - a condition on entry, a division by zero, a
// result that is too large, even a crash - is the result of that case and of no other one.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/kokkos/build/build.hpp"
#include "engine/moa/plan.hpp"
#include "engine/onf/form.hpp"

namespace rhopsi::kokkos {

// An array in memory: elements in row-major order, truth values as bytes 0 and 1.
struct HostArray {
  onf::Scalar element = onf::Scalar::float64;
  std::vector<std::int64_t> shape;
  std::vector<char> bytes;
};

// Normal forms, which must outlive the batch, and their leaves in order.
struct Case {
  const moa::Plan* plan = nullptr;
  std::vector<HostArray> leaves;
};

// The codes are those of the reference evaluator where it finds the same, E0842 for a program that
// did not end as it should, and those of lowering and of the compiler.
struct CaseResult {
  std::optional<HostArray> array;  // nothing where something went wrong:
  std::string code;                // "E0612"
  std::string message;             // "division by zero"
};

struct BatchOptions {
  BuildOptions build;                   // its `program` is of no account
  std::size_t functions_per_file = 40;  // files are compiled in parallel
  // What is done to forms after they are lowered, as schedules do; nothing: they stay as they are.
  std::function<void(onf::Module&)> prepare = {};
};

struct Batch {
  std::vector<CaseResult> results;  // by case
  std::size_t functions = 0;        // different ones that were compiled
  bool cached = false;
  double build_seconds = 0;
  double run_seconds = 0;
};

// An error is one of the whole batch: no Kokkos, no compiler, no space.
Result<Batch> run_batch(std::span<const Case> cases, const BatchOptions& options = {});

}  // namespace rhopsi::kokkos
