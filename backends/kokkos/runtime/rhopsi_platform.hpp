// What differs between compilers, Kokkos versions and devices, and the failures of checked
// builds. C++17; Kokkos 3.4 to 5; Serial, OpenMP, CUDA.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "rhopsi_error.hpp"

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__SYCL_DEVICE_ONLY__)
#define RHOPSI_ON_DEVICE 1
#else
#define RHOPSI_ON_DEVICE 0
#endif

#ifdef RHOPSI_CHECKED
inline constexpr bool rhopsi_checked = true;
#else
inline constexpr bool rhopsi_checked = false;
#endif

// In front of the innermost loop of a kernel: its iterations are independent of each other.
#if defined(RHOPSI_CHECKED) || RHOPSI_ON_DEVICE
#define RHOPSI_SIMD
#elif defined(_OPENMP) || defined(RHOPSI_OPENMP_SIMD)
#define RHOPSI_SIMD _Pragma("omp simd")
#elif defined(__clang__)
#define RHOPSI_SIMD _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define RHOPSI_SIMD _Pragma("GCC ivdep")
#else
#define RHOPSI_SIMD
#endif

#if defined(__GNUC__)
#define RHOPSI_NOINLINE __attribute__((noinline))
#define RHOPSI_LIKELY(condition) __builtin_expect(condition, 1)
#else
#define RHOPSI_NOINLINE
#define RHOPSI_LIKELY(condition) (condition)
#endif

namespace rhopsi {

using Exec = Kokkos::DefaultExecutionSpace;
using Memory = typename Exec::memory_space;

inline constexpr bool on_host = std::is_same_v<Memory, Kokkos::HostSpace>;

namespace checked {

// What the messages of a checked build name: the running kernel and the place in the
// specification that RHOPSI_SITE has set last.
inline const char*& kernel() {
  static const char* label = "";
  return label;
}
inline const char*& site() {
  thread_local const char* place = nullptr;
  return place;
}

// Names a kernel for as long as it runs.
class KernelScope {
 public:
  explicit KernelScope(const char* label) : outer_(kernel()) { kernel() = label; }
  ~KernelScope() { kernel() = outer_; }
  KernelScope(const KernelScope&) = delete;
  KernelScope& operator=(const KernelScope&) = delete;

 private:
  const char* outer_;
};

KOKKOS_INLINE_FUNCTION void set_site(const char* place) {
#if RHOPSI_ON_DEVICE
  (void)place;
#else
  site() = place;
#endif
}

// Ends the program with a message. The code is a literal, which devices know too. Kernels cannot
// throw, so this leaves at once; of several threads that fail together one is heard.
KOKKOS_INLINE_FUNCTION void fail(const char* code, const char* what, const char* field,
                                 const std::int64_t* index, int rank) {
#if RHOPSI_ON_DEVICE
  (void)code;
  printf("rhopsi: %s: '%s' at [%lld%s]\n", what, field,
         static_cast<long long>(rank > 0 ? index[0] : 0), rank > 1 ? ", ..." : "");
  Kokkos::abort("rhopsi: a check failed");
#else
  static const bool heard = [&] {
    std::string message = std::string(what) + ": '" + field + "' at [";
    for (int a = 0; a < rank; ++a) message += (a > 0 ? ", " : "") + std::to_string(index[a]);
    const KernelFailure failure{code, message + "]", kernel(), site() == nullptr ? "" : site()};
    if (kernel_failure_reader() != nullptr)
      kernel_failure_reader()(failure);
    else
      std::fprintf(stderr, "error[%s]: %s\n", code, failure.message.c_str());
    std::_Exit(1);
    return true;
  }();
  (void)heard;
#endif
}

}  // namespace checked
}  // namespace rhopsi

#ifdef RHOPSI_CHECKED
#define RHOPSI_SITE(place) ::rhopsi::checked::set_site(place)
#else
#define RHOPSI_SITE(place) static_cast<void>(0)
#endif
