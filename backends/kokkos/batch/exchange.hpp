// The files by which a batch and its program talk: rhopsi_batch_program.hpp says what is in them.
// Internal to this folder.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/kokkos/batch/batch.hpp"

namespace rhopsi::kokkos {

struct Call {
  std::size_t entry;
  const std::vector<HostArray>* leaves;
};

// False where the file cannot be written.
bool write_calls(const std::filesystem::path& file, std::span<const Call> calls);

// What a run has written: the result of each call that ended, and the call that it was in when it
// ended itself.
struct Answers {
  std::vector<std::optional<CaseResult>> results;
  std::optional<std::size_t> unfinished;
};
Answers read_answers(const std::filesystem::path& file, std::size_t calls);

// The number of bytes that an array of the shape has; nothing where no memory has as many.
std::optional<std::size_t> bytes_of(onf::Scalar element, const std::vector<std::int64_t>& shape);

}  // namespace rhopsi::kokkos
