// What programs ask of Kokkos outside of kernels on devices. It is compiled once for all programs
// (rhopsi_kokkos.cpp), since Kokkos' headers take longer to read than most programs: of one whose
// kernels run on the host nothing else includes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rhopsi::detail {

// Kokkos, with its own options, which it takes from the words.
void start_kokkos(int& count, char** words);
// Ends it. Memory and everything that lies there has to be given back before.
void finish_kokkos();
// Both, for as long as it lives.
class KokkosScope {
 public:
  KokkosScope(int& count, char** words) { start_kokkos(count, words); }
  ~KokkosScope() { finish_kokkos(); }
  KokkosScope(const KokkosScope&) = delete;
  KokkosScope& operator=(const KokkosScope&) = delete;
};
// To be called when Kokkos ends, while its memory can still be given back.
void before_kokkos_ends(void (*call)());

// Where kernels run, as Kokkos calls it, and what the device is called: empty on a host.
struct Place {
  std::string space, device;
};
Place place_of_kernels();

// How many threads there are, on a device at once; one, where this one is to have no others.
std::int64_t concurrency();
// For as long as it lives, loops that this thread begins have one thread.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  bool before_;
};
// Waits for every kernel that was started.
void fence();

// Does the host reach memory of kernels?
bool host_reaches_memory();
// Memory that kernels reach; null where there is not so much.
void* allocate(std::size_t bytes);
void deallocate(void* memory);
// Stores `value` to so many words, each by the thread that kernels will take it with.
void fill_words(std::uint64_t* words, std::int64_t count, std::uint64_t value);
// Between memory of kernels and memory of the host, after every kernel that was started.
void copy_bytes(void* to, const void* from, std::size_t bytes, bool to_host);

// A loop on the host in parts: part(loop, k, runs) for k = 0, ..., runs - 1.
struct HostPart {
  void (*part)(const void* loop, std::int64_t run, std::int64_t runs);
  const void* loop;
  std::int64_t runs;
};
// All of them, each by a thread of its own as long as there are threads. Only where
// kernels run on the host.
void run_parts(const char* label, const HostPart& part);

}  // namespace rhopsi::detail
