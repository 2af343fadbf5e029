// Normal forms by the rules of a rewriting system, as the community's formats state one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/normalise/machine.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

struct NormaliseRequest {
  std::string system;                           // file: REC, ARI or the older format
  std::optional<std::string> term;              // in place of those of the file
  std::string term_file;                        // or this file's
  std::optional<normalise::Strategy> strategy;  // absent: the file's, else innermost
  bool compiled = false;                        // by machine code: innermost alone
  normalise::Bounds bounds;
  std::uint64_t most_printed = 100'000'000;  // symbols of a term that is printed, written out
};

// A term of several that has no normal form within the bounds.
struct UnfinishedTerm {
  std::size_t number = 1;  // from 1 on, in their order
  normalise::Stop stop = normalise::Stop::steps;
  std::uint64_t rewrites = 0;  // of this term
};

struct NormaliseReport {
  std::uint64_t rewrites = 0;
  double compile_seconds = 0;  // of making or finding machine code
  double seconds = 0;          // of rewriting alone
  double cpu_seconds = 0;      // of that, what this thread was running
  std::size_t bytes_peak = 0;
  normalise::Stop stop = normalise::Stop::normal_form;  // the first bound that was hit
  std::size_t terms = 0;
  std::vector<UnfinishedTerm> unfinished;
};

// Writes each term's normal form on a line of its own; where a bound was hit, what there is then.
// Of a term that is larger than what is printed, that it is. Nothing after an error.
std::optional<NormaliseReport> normalise_system(const NormaliseRequest& request,
                                                const normalise::Output& output,
                                                syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
