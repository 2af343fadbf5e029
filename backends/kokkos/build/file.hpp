// A text file of an emitted folder.
#pragma once

#include <string>
#include <vector>

namespace rhopsi::kokkos {

struct File {
  std::string name;  // relative to the folder, with '/' between parts
  std::string text;
};

// The headers and the CMake module that every emitted folder carries, from
// backends/kokkos/runtime and backends/io; part of the binary.
const std::vector<File>& runtime_files();
// What a batch carries besides (batch/).
const std::vector<File>& batch_files();

}  // namespace rhopsi::kokkos
