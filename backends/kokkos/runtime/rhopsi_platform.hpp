// What differs between compilers, Kokkos versions and devices, and the failures of checked
// builds. C++17; Kokkos 3.4 to 5; Serial, OpenMP, CUDA.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

#include <unistd.h>

#include "rhopsi_error.hpp"

// rhopsi_program.cmake defines it where kernels run on the host: what they need of Kokkos are the
// names of its macros, and the functions of rhopsi_kokkos.hpp.
#if defined(RHOPSI_HOST)
#include <Kokkos_Macros.hpp>
#else
#include "rhopsi_exec.hpp"
#endif

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

// The same of a loop over so few elements that are known to the compiler: GCC would write them out,
// and find no vectors in them any more.
#if defined(__GNUC__) && !defined(__clang__) && !defined(RHOPSI_CHECKED) && !RHOPSI_ON_DEVICE
#define RHOPSI_BLOCK _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#else
#define RHOPSI_BLOCK RHOPSI_SIMD
#endif

// Of a function that is called many times in a loop or a tile and has to become part of it.
#if defined(__GNUC__) && !RHOPSI_ON_DEVICE
#define RHOPSI_INLINED __attribute__((always_inline))
#else
#define RHOPSI_INLINED
#endif

// Of a pointer that loops count from: GCC keeps it then, and reads p[k - 1] and p[k + 1] beside it.
// Of one that it has seen computed it keeps the addresses of all three, and there are too few
// registers for these.
#if defined(__GNUC__) && !defined(__clang__) && !RHOPSI_ON_DEVICE
#define RHOPSI_KEPT(pointer) asm("" : "+r"(pointer))
#else
#define RHOPSI_KEPT(pointer) static_cast<void>(pointer)
#endif

#if defined(__GNUC__)
#define RHOPSI_NOINLINE __attribute__((noinline))
#define RHOPSI_LIKELY(condition) __builtin_expect(condition, 1)
// Behind the parameters of a function object that is called in one place: what it has captured is
// in registers there.
#define RHOPSI_INLINE_BODY __attribute__((always_inline))
// At the end of a loop's body: its iterations are not woven into one another. Where GCC does two of
// them at once it reads lines of both in turns, and the processor, which asks for what follows what
// was read last, does not see the row any more.
#define RHOPSI_IN_TURN __asm__ volatile("")
#else
#define RHOPSI_NOINLINE
#define RHOPSI_LIKELY(condition) (condition)
#define RHOPSI_INLINE_BODY
#define RHOPSI_IN_TURN
#endif

// Does the compiler know the number, so that a test of it costs nothing? Those for devices do not
// tell there.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define RHOPSI_KNOWN(value) __builtin_constant_p(value)
#else
#define RHOPSI_KNOWN(value) false
#endif

namespace rhopsi {

#if defined(RHOPSI_HOST)
inline constexpr bool on_host = true;
#else
inline constexpr bool on_host = std::is_same_v<Memory, Kokkos::HostSpace>;
#endif

namespace detail {

// Bytes of a line of a cache.
inline constexpr std::int64_t line_bytes = 64;

// Bytes of the second cache of a core, or what most have at least.
inline std::int64_t core_cache() {
#if defined(RHOPSI_CORE_CACHE)
  return RHOPSI_CORE_CACHE;
#elif defined(_SC_LEVEL2_CACHE_SIZE)
  static const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? bytes : std::int64_t{1} << 20;
#else
  return std::int64_t{1} << 20;
#endif
}

// Of all threads together, or that of one core where the system does not say.
inline std::int64_t last_cache() {
#if defined(RHOPSI_LAST_CACHE)
  return RHOPSI_LAST_CACHE;
#elif defined(_SC_LEVEL3_CACHE_SIZE) && !defined(RHOPSI_CORE_CACHE)
  static const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return bytes > 0 ? bytes : core_cache();
#else
  return core_cache();
#endif
}

}  // namespace detail

namespace checked {

// What the messages of a checked build name: the running kernel, the place in the specification
// that RHOPSI_SITE has set last on this thread, the place where the kernel was started, and
// the iteration that this thread is at.
inline const char*& kernel() {
  static const char* label = "";
  return label;
}
inline const char*& site() {
  thread_local const char* place = nullptr;
  return place;
}
inline const char*& kernel_site() {
  static const char* place = nullptr;
  return place;
}
struct Iteration {
  int rank = 0;  // 0: in no loop
  std::int64_t index[6] = {};
};
inline Iteration& iteration() {
  thread_local Iteration current;
  return current;
}

// Names a kernel for as long as it runs. It may set the site of this thread.
class KernelScope {
 public:
  explicit KernelScope(const char* label)
      : outer_(kernel()), outer_kernel_site_(kernel_site()), outer_site_(site()) {
    kernel() = label;
    kernel_site() = outer_site_;
  }
  ~KernelScope() {
    kernel() = outer_;
    kernel_site() = outer_kernel_site_;
    site() = outer_site_;
  }
  KernelScope(const KernelScope&) = delete;
  KernelScope& operator=(const KernelScope&) = delete;

 private:
  const char* outer_;
  const char* outer_kernel_site_;
  const char* outer_site_;
};

// One thread's part of a kernel: nothing that it did before counts.
class PartScope {
 public:
  PartScope() { site() = kernel_site(); }
  ~PartScope() { iteration().rank = 0; }
  PartScope(const PartScope&) = delete;
  PartScope& operator=(const PartScope&) = delete;
};

// A kernel's label that also names the place it comes from, until the end of the expression.
class PlacedLabel {
 public:
  PlacedLabel(const char* label, const char* place) : label_(label), outer_(site()) {
    site() = place;
  }
  ~PlacedLabel() { site() = outer_; }
  PlacedLabel(const PlacedLabel&) = delete;
  PlacedLabel& operator=(const PlacedLabel&) = delete;
  operator const char*() const { return label_; }

 private:
  const char* label_;
  const char* outer_;
};

KOKKOS_INLINE_FUNCTION void set_site(const char* place) {
#if RHOPSI_ON_DEVICE
  (void)place;
#else
  site() = place;
#endif
}

// Ends the program with "WHAT: 'FIELD' at [INDEX]", the kernel and the site; without a field or
// an index if there is none. Of several threads that fail together one is heard.
inline void report_and_exit(const char* code, const char* what, const char* field,
                            const std::int64_t* index, int rank) {
  static const bool heard = [&] {
    std::string message = what;
    if (field != nullptr) message += std::string(": '") + field + "'";
    for (int a = 0; a < rank; ++a) message += (a > 0 ? ", " : " at [") + std::to_string(index[a]);
    if (rank > 0) message += "]";
    const KernelFailure failure{code, message, kernel(), site() == nullptr ? "" : site()};
    if (kernel_failure_reader() != nullptr)
      kernel_failure_reader()(failure);
    else
      std::fprintf(stderr, "error[%s]: %s\n", code, failure.message.c_str());
    std::fflush(stderr);
    std::_Exit(1);
    return true;
  }();
  (void)heard;
}

// Ends the program with a message. The code is a literal, which devices know too. Kernels cannot
// throw, so this leaves at once.
KOKKOS_INLINE_FUNCTION void fail(const char* code, const char* what, const char* field,
                                 const std::int64_t* index, int rank) {
#if RHOPSI_ON_DEVICE
  (void)code;
  printf("rhopsi: %s: '%s' at [%lld%s]\n", what, field,
         static_cast<long long>(rank > 0 ? index[0] : 0), rank > 1 ? ", ..." : "");
  Kokkos::abort("rhopsi: a check failed");
#else
  report_and_exit(code, what, field, index, rank);
#endif
}

}  // namespace checked

// A guard or an assertion that does not hold inside a kernel: `what` says so.
KOKKOS_INLINE_FUNCTION void unmet(const char* code, const char* what) {
#if RHOPSI_ON_DEVICE
  (void)code;
  printf("rhopsi: %s\n", what);
  Kokkos::abort("rhopsi: a check failed");
#else
  const checked::Iteration& at = checked::iteration();
  checked::report_and_exit(code, what, nullptr, at.index, at.rank);
#endif
}

}  // namespace rhopsi

#ifdef RHOPSI_CHECKED
#define RHOPSI_SITE(place) ::rhopsi::checked::set_site(place)
#define RHOPSI_LABEL(label, place) ::rhopsi::checked::PlacedLabel(label, place)
#else
#define RHOPSI_SITE(place) static_cast<void>(0)
#define RHOPSI_LABEL(label, place) label
#endif
