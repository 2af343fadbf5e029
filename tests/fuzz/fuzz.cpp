// The entry of libFuzzer for one target, RHOPSI_FUZZ_TARGET.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>

#include "tests/fuzz/targets.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    rhopsi::fuzz::RHOPSI_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    std::terminate();
  }
  return 0;
}

#ifdef RHOPSI_FUZZ_TOKENS
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string text = rhopsi::fuzz::mutated({reinterpret_cast<char*>(data), size}, seed / 4);
  const std::size_t length = std::min(most, text.size());
  std::memcpy(data, text.data(), length);
  return length;
}
#endif
