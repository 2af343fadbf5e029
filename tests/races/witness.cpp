// Loaded into emitted programs by Kokkos (KOKKOS_PROFILE_LIBRARY): prints the labels of the loops
// that come to Kokkos, which deals them out to the threads. Below RHOPSI_SERIAL_BELOW elements, and
// on one thread, the runtime calls a loop's body itself.
#include <cstdint>
#include <cstdio>
#include <set>
#include <string>

namespace {

std::set<std::string>& seen() {
  static std::set<std::string> labels;
  return labels;
}

}  // namespace

// Called by the thread that starts the loops.
extern "C" void kokkosp_begin_parallel_for(const char* label, std::uint32_t, std::uint64_t* id) {
  *id = 0;
  if (seen().insert(label).second) std::fprintf(stderr, "by threads: %s\n", label);
}
extern "C" void kokkosp_end_parallel_for(std::uint64_t) {}
