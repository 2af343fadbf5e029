#include "rhopsi_kokkos.hpp"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <type_traits>

#include "rhopsi_exec.hpp"

namespace rhopsi::detail {

namespace {

using Range =
    Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<std::int64_t>>;

struct FillWords {
  std::uint64_t* words;
  std::uint64_t value;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const { words[i] = value; }
};

template <class Space>
void copy_between(char* to, char* from, std::size_t bytes, bool to_host) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using OnHost = Kokkos::View<char*, Kokkos::HostSpace, Unmanaged>;
  using OnDevice = Kokkos::View<char*, Space, Unmanaged>;
  if constexpr (std::is_same_v<Space, Kokkos::HostSpace>)
    std::memcpy(to, from, bytes);
  else if (to_host)
    Kokkos::deep_copy(OnHost(to, bytes), OnDevice(from, bytes));
  else
    Kokkos::deep_copy(OnDevice(to, bytes), OnHost(from, bytes));
}

}  // namespace

void start_kokkos(int& count, char** words) {
#ifdef KOKKOS_ENABLE_OPENMP
  // Kokkos warns of threads that are not bound, also where nothing runs on them.
  if constexpr (!std::is_same_v<Exec, Kokkos::OpenMP>) ::setenv("OMP_PROC_BIND", "false", 0);
#endif
  Kokkos::initialize(count, words);
}

void finish_kokkos() { Kokkos::finalize(); }

void before_kokkos_ends(void (*call)()) { Kokkos::push_finalize_hook(call); }

Place place_of_kernels() {
  Place place{Exec::name(), ""};
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
    place.device = Kokkos::Cuda().cuda_device_prop().name;
#endif
  return place;
}

namespace {
thread_local bool alone = false;
}  // namespace

std::int64_t concurrency() { return alone ? 1 : Exec().concurrency(); }

OneThread::OneThread() : before_(alone) { alone = true; }
OneThread::~OneThread() { alone = before_; }

void fence() { Kokkos::fence(); }

bool host_reaches_memory() { return std::is_same_v<Memory, Kokkos::HostSpace>; }

// Kokkos' exceptions for this have changed their types over the versions.
void* allocate(std::size_t bytes) {
  try {
    return Kokkos::kokkos_malloc<Memory>("rhopsi block", bytes);
  } catch (const std::exception&) {
    return nullptr;
  }
}

void deallocate(void* memory) { Kokkos::kokkos_free<Memory>(memory); }

void fill_words(std::uint64_t* words, std::int64_t count, std::uint64_t value) {
  Kokkos::parallel_for("rhopsi: fill", Range(0, count), FillWords{words, value});
}

void copy_bytes(void* to, const void* from, std::size_t bytes, bool to_host) {
  Kokkos::fence();
  char* const source = const_cast<char*>(static_cast<const char*>(from));
  copy_between<Memory>(static_cast<char*>(to), source, bytes, to_host);
}

#if defined(RHOPSI_HOST)
namespace {
struct RunPart {
  HostPart of;
  void operator()(std::int64_t run) const { of.part(of.loop, run, of.runs); }
};
}  // namespace

void run_parts(const char* label, const HostPart& part) {
  Kokkos::parallel_for(label, Range(0, part.runs), RunPart{part});
}
#endif

}  // namespace rhopsi::detail
