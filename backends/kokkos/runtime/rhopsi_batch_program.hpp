// What the parts of an emitted batch agree on: entries by number, and the arrays that they are
// called with. Sees no Kokkos.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rhopsi::batch {

// As numbers in files.
enum class Element : std::int64_t { boolean, int32, int64, float32, float64 };

// Elements in row-major order, truth values as bytes.
struct Array {
  Element element = Element::float64;
  std::vector<std::int64_t> shape;
  std::vector<char> bytes;
};

class Case;
using Entry = void (*)(Case&);

// The entries of one file.
struct Table {
  const Entry* entries;
  std::size_t count;
};

// PROGRAM <input> <output> <first>: runs the cases of the input from number `first` on.
//
// Both files are sequences of 64-bit integers and bytes, as the machine has them.
//   input:   the number of cases, then for each: entry, number of arrays, the arrays
//   array:   element, rank, the lengths, the elements
//   output:  case, `begun`; then case, `result`, an array, or case, `error`, length, text
// The output is written through after each record, so that what a crash ends is known.
enum class Record : std::int64_t { begun, result, error };

int run(int argc, char** argv, const std::vector<Table>& tables);

}  // namespace rhopsi::batch
