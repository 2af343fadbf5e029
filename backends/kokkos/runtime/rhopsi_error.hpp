// The failure that programs and their driver report.
#pragma once

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace rhopsi {

// The codes of such failures, those of `rhopsi` where it reports the same; docs/errors.md there.
namespace codes {

inline constexpr const char* unset = "E0606";
inline constexpr const char* index_range = "E0609";
inline constexpr const char* shapes = "E0611";
inline constexpr const char* division_by_zero = "E0612";
inline constexpr const char* size = "E0616";
inline constexpr const char* unknown_entry = "E0801";
inline constexpr const char* entry_needed = "E0802";
inline constexpr const char* malformed_option = "E0810";
inline constexpr const char* given_twice = "E0811";
inline constexpr const char* unknown_argument = "E0812";
inline constexpr const char* unknown_parameter = "E0814";
inline constexpr const char* missing_values = "E0815";
inline constexpr const char* bad_shape = "E0816";
inline constexpr const char* array_unreadable = "E0820";
inline constexpr const char* array_shape = "E0821";
inline constexpr const char* array_type = "E0822";
inline constexpr const char* checkpoint_unusable = "E0823";
inline constexpr const char* unwritable = "E0830";
inline constexpr const char* write_failed = "E0832";
inline constexpr const char* checkpoint_unwritten = "E0833";
inline constexpr const char* run_failed = "E0842";

}  // namespace codes

// A fault that the driver reports in a sentence and exit status 1.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, const char* code = codes::run_failed)
      : std::runtime_error(message), code_(code) {}
  const char* code() const { return code_; }

 private:
  const char* code_;
};

// Of a program that was compiled for indices of 32 bits alone.
class NeedsWide : public Error {
 public:
  NeedsWide()
      : Error(
            "an array is too large for indices of 32 bits, and this program was compiled without "
            "others (RHOPSI_NARROW_ONLY)",
            codes::size) {}
};

// A number as it is told: reals by the shortest decimal that reads back as the same value.
template <class T>
std::string number_text(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return "nan";  // its sign says nothing
  }
  char text[64];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

// Where a kernel's failure is told before the process ends; null without a driver, and standard
// error has to do. `kernel` and `place` ("heat.mg:12:3") may be empty.
struct KernelFailure {
  const char* code;
  std::string message, kernel, place;
};
inline void (*&kernel_failure_reader())(const KernelFailure&) {
  static void (*reader)(const KernelFailure&) = nullptr;
  return reader;
}

}  // namespace rhopsi
