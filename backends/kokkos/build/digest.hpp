// SHA-256 (FIPS 180-4): names the entries of the cache and verifies them.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace rhopsi::kokkos {

class Digest {
 public:
  Digest& add(std::string_view bytes);
  // With its length, so that neighbouring parts cannot run into each other.
  Digest& add_part(std::string_view bytes);
  std::string hex();  // ends the computation

 private:
  void block(const unsigned char* bytes);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};
  std::size_t held_ = 0;
  std::uint64_t length_ = 0;
};

// Of a file's contents; nothing where it cannot be read.
std::optional<std::string> digest_of(const std::filesystem::path& file);

}  // namespace rhopsi::kokkos
