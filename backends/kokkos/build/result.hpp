// Errors of building and running, as values.
#pragma once

#include <string>

#include <tl/expected.hpp>

namespace rhopsi::kokkos {

// E0701  no Kokkos was found, or the one named is none
// E0702  cmake, or the C++ compiler, cannot be started
// E0703  CMake rejects the folder
// E0704  the compiler rejects a file
// E0705  the cache cannot be used: not private, not writable, no space, not a path for CMake
// E0706  the built program cannot be started
// E0707  the emitted folder is not usable: a file's name leaves it, or the program is missing
// E0708  compiled rules cannot be loaded (backends/native)
struct Error {
  std::string code;
  std::string message;  // a sentence
  std::string note;     // more lines, or empty
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(std::string code, std::string message, std::string note = "") {
  return tl::unexpected<Error>(Error{std::move(code), std::move(message), std::move(note)});
}

}  // namespace rhopsi::kokkos
