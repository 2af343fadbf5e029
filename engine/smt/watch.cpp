#include "engine/smt/watch.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace rhopsi::smt {

namespace {

using Clock = std::chrono::steady_clock;

// One for each thread that asks, with a thread of its own that lasts: to start one for each
// question and to wait for its end takes longer than most questions do.
class Watch {
 public:
  Watch() : thread_([this] { run(); }) {}
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void begin(z3::context& context, std::chrono::milliseconds time) {
    bool late = false;
    {
      const std::lock_guard lock(mutex_);
      context_ = &context;
      fired_ = false;
      deadline_ = Clock::now() + time;
      late = deadline_ < awake_;
    }
    // Else it wakes before that by itself, and looks what there is to be watched then.
    if (late) changed_.notify_one();
  }

  // Has it interrupted? It does not from here on.
  bool end() {
    const std::lock_guard lock(mutex_);
    context_ = nullptr;
    return fired_;
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!over_) {
      if (context_ == nullptr) {
        awake_ = Clock::time_point::max();
        changed_.wait(lock);
      } else if (Clock::now() < deadline_) {
        awake_ = deadline_;
        changed_.wait_until(lock, awake_);
      } else {
        fired_ = true;
        context_->interrupt();
        context_ = nullptr;
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  z3::context* context_ = nullptr;  // that of the question under way
  bool fired_ = false;
  bool over_ = false;
  Clock::time_point deadline_;
  Clock::time_point awake_ = Clock::time_point::max();  // when the thread looks again by itself
  std::thread thread_;                                  // last: it uses the others
};

// What the solver throws ends the question too.
class Question {
 public:
  Question(Watch& watch, z3::context& context, std::chrono::milliseconds time) : watch_(watch) {
    watch_.begin(context, time);
  }
  ~Question() { watch_.end(); }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

 private:
  Watch& watch_;
};

}  // namespace

Checked check(z3::context& context, z3::solver& solver, std::chrono::milliseconds limit) {
  thread_local Watch watch;
  const Question question(watch, context, limit);
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
