// Requests to stop, as signal handlers count them.
#pragma once

#include <ctime>

#include <signal.h>

namespace rhopsi::kokkos {

// What stops a job may send one signal to a process and to its group: that is one request, not
// a second one made in impatience. May be used in signal handlers, of one thread at a time.
class StopRequests {
 public:
  // Notes an arrival. True where one came less than 200 ms before, of which this is a part.
  bool part_of_last() {
    constexpr sig_atomic_t together = 200;
    struct timespec now {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const auto milliseconds =
        static_cast<sig_atomic_t>((now.tv_sec % 1000000) * 1000 + now.tv_nsec / 1000000);
    const bool again = any_ != 0 && milliseconds >= begun_ && milliseconds - begun_ < together;
    if (!again) begun_ = milliseconds;
    any_ = 1;
    return again;
  }
  void forget() { any_ = 0; }

 private:
  volatile sig_atomic_t any_ = 0;
  volatile sig_atomic_t begun_ = 0;  // milliseconds
};

}  // namespace rhopsi::kokkos
