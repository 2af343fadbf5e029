#include "engine/smt/watch.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace rhopsi::smt {

namespace {

class Watch {
 public:
  Watch(z3::context& context, std::chrono::milliseconds time)
      : thread_([this, &context, time] {
          std::unique_lock lock(mutex_);
          if (done_.wait_for(lock, time, [this] { return over_; })) return;
          fired_ = true;
          context.interrupt();
        }) {}
  ~Watch() { end(); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Has it interrupted?
  bool end() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    done_.notify_one();
    if (thread_.joinable()) thread_.join();
    return fired_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool over_ = false;
  bool fired_ = false;
  std::thread thread_;
};

}  // namespace

Checked check(z3::context& context, z3::solver& solver, std::chrono::milliseconds limit) {
  Watch watch(context, limit);
  Checked found{solver.check(), {}, false};
  found.interrupted = watch.end();
  if (found.result != z3::unknown) return found;
  found.reason = solver.reason_unknown();
  if (found.reason == "timeout" || found.reason == "canceled" ||
      found.reason == "interrupted from keyboard") {
    found.out_of_time = true;
    found.reason = "the solver had no answer within " + std::to_string(limit.count()) + " ms";
  }
  return found;
}

}  // namespace rhopsi::smt
