#include "backends/kokkos/batch/batch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "backends/kokkos/batch/exchange.hpp"
#include "backends/kokkos/batch/forms.hpp"

namespace rhopsi::kokkos {

namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() {
    std::error_code code;
    std::string pattern = (fs::temp_directory_path(code) / "rhopsi-batch-XXXXXX").string();
    if (!code && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~Folder() {
    std::error_code code;
    if (!path_.empty()) fs::remove_all(path_, code);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Why the leaves of a case are not those of its form; empty if they are.
std::string misfit(const Case& asked) {
  const std::vector<moa::Leaf>& leaves = asked.plan->leaves();
  if (leaves.size() != asked.leaves.size()) {
    return "the expression has " + std::to_string(leaves.size()) + " arrays, " +
           std::to_string(asked.leaves.size()) + " are given";
  }
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const moa::Leaf& leaf = leaves[k];
    const HostArray& given = asked.leaves[k];
    bool fits = given.element == leaf.element && given.shape.size() == leaf.rank() &&
                bytes_of(given.element, given.shape) == given.bytes.size();
    for (std::size_t axis = 0; fits && axis < leaf.rank(); ++axis) {
      fits = leaf.shape[axis].value_or(given.shape[axis]) == given.shape[axis];
    }
    if (!fits) return "the array " + leaf.name + " is not the one that the expression is for";
  }
  return {};
}

// The last line that the program has said before it ended.
std::string last_words(const fs::path& file) {
  std::ifstream stream(file);
  std::string last;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

// By case, those that have not been run yet without one.
using Results = std::vector<std::optional<CaseResult>>;

// One program for some of the functions, and the cases that call them.
class Run {
 public:
  Run(std::vector<Call> calls, std::vector<std::size_t> places, Results& results)
      : calls_(std::move(calls)), places_(std::move(places)), results_(results) {}

  // Goes on behind the case that ends the program, until all are done.
  Result<void> run(const Executable& program) {
    if (calls_.empty()) return {};
    const Folder folder;
    const fs::path input = folder.path() / "input";
    if (folder.path().empty() || !write_calls(input, calls_)) {
      return failure("E0705", "cannot write the arrays of a batch to a temporary folder",
                     "Is the disk full?");
    }
    for (std::size_t first = 0; first < calls_.size();) {
      const fs::path output = folder.path() / ("output" + std::to_string(first));
      const fs::path said = folder.path() / ("errors" + std::to_string(first));
      RunOptions options;
      options.output = options.errors = said;
      const Result<int> status =
          kokkos::run(program, {input.string(), output.string(), std::to_string(first)}, options);
      if (!status) return tl::unexpected(status.error());
      first = take(read_answers(output, calls_.size()), first, *status, last_words(said));
    }
    return {};
  }

 private:
  // The call to go on with.
  std::size_t take(Answers answers, std::size_t first, int status, const std::string& words) {
    std::size_t next = first;
    for (; next < calls_.size() && answers.results[next]; ++next) {
      results_[places_[next]] = std::move(answers.results[next]);
    }
    if (next == calls_.size()) return next;
    const std::string how = status > 128 ? "by signal " + std::to_string(status - 128)
                                         : "with status " + std::to_string(status);
    results_[places_[next]].emplace(
        CaseResult{std::nullopt, "E0842",
                   "the compiled program ended " + how + (words.empty() ? "" : ": " + words)});
    return next + 1;
  }

  std::vector<Call> calls_;
  std::vector<std::size_t> places_;  // of the calls' results
  Results& results_;
};

class Batching {
 public:
  Batching(std::span<const Case> cases, const BatchOptions& options)
      : cases_(cases), options_(options), forms_(options.prepare) {
    options_.build.program = "batch";
  }

  Result<Batch> run() {
    results_.resize(cases_.size());
    batch_.cached = true;
    for (std::size_t k = 0; k < cases_.size(); ++k) add(k);
    batch_.functions = forms_.count();
    if (batch_.functions > 0) {
      if (auto done = run(0, batch_.functions); !done) return tl::unexpected(done.error());
    }
    for (auto& result : results_) batch_.results.push_back(std::move(*result));
    return std::move(batch_);
  }

 private:
  void add(std::size_t place) {
    functions_.push_back(0);
    if (const std::string why = misfit(cases_[place]); !why.empty()) {
      results_[place].emplace(CaseResult{std::nullopt, "E0602", why});
      return;
    }
    const auto function = forms_.add(*cases_[place].plan);
    if (function)
      functions_.back() = *function + 1;
    else
      results_[place].emplace(function.error());
  }

  // What the compiler rejects is looked for by halves.
  Result<void> run(std::size_t first, std::size_t last) {
    const auto program =
        build(forms_.program(first, last, std::max<std::size_t>(options_.functions_per_file, 1)),
              options_.build);
    if (program) {
      batch_.cached = batch_.cached && program->cached;
      batch_.build_seconds += program->seconds;
      return call(*program, first, last);
    }
    if (program.error().code != "E0704") return tl::unexpected(program.error());
    if (last - first == 1) {
      reject(first, program.error());
      return {};
    }
    const std::size_t middle = first + (last - first) / 2;
    if (auto done = run(first, middle); !done) return done;
    return run(middle, last);
  }

  void reject(std::size_t function, const Error& error) {
    for (std::size_t k = 0; k < cases_.size(); ++k) {
      if (functions_[k] != function + 1) continue;
      results_[k].emplace(CaseResult{std::nullopt, error.code, error.message + ": " + error.note});
    }
  }

  Result<void> call(const Executable& program, std::size_t first, std::size_t last) {
    std::vector<Call> calls;
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < cases_.size(); ++k) {
      if (functions_[k] <= first || functions_[k] > last) continue;
      calls.push_back({functions_[k] - 1 - first, &cases_[k].leaves});
      places.push_back(k);
    }
    const auto begin = std::chrono::steady_clock::now();
    auto done = Run(std::move(calls), std::move(places), results_).run(program);
    batch_.run_seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return done;
  }

  std::span<const Case> cases_;
  BatchOptions options_;
  Forms forms_;
  std::vector<std::size_t> functions_;  // of the cases, from 1 on; 0: none
  Results results_;
  Batch batch_;
};

}  // namespace

Result<Batch> run_batch(std::span<const Case> cases, const BatchOptions& options) {
  return Batching(cases, options).run();
}

}  // namespace rhopsi::kokkos
