// A rewriting system to be analysed, answers with their certificates, and the time there is.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "engine/analysis/term.hpp"

namespace rhopsi::analysis {

struct Rule {
  Term left;
  Term right;

  bool operator==(const Rule&) const = default;
};

using Rules = std::vector<Rule>;

enum class Strategy { full, innermost };

// A certificate: a statement, and what it rests on.
struct Proof {
  std::string text;
  std::vector<Proof> parts = {};

  Proof& add(std::string line) {
    parts.push_back({std::move(line)});
    return parts.back();
  }
  Proof& add(Proof part) {
    parts.push_back(std::move(part));
    return parts.back();
  }
};

// One line per statement, indented by two blanks per level.
std::string to_string(const Proof& proof, int level = 0);

enum class Answer { yes, no, maybe };
const char* to_string(Answer answer);  // "YES", "NO", "MAYBE"

struct Verdict {
  Answer answer = Answer::maybe;
  Proof proof;  // for MAYBE the reason
};

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Deadline(Clock::duration time) : end_(Clock::now() + time) {}
  explicit Deadline(Clock::time_point end) : end_(end) {}

  bool over() const { return Clock::now() >= end_; }
  std::chrono::milliseconds left() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
  }
  // An earlier one: after that much time, or this one if it comes first.
  Deadline within(Clock::duration time) const {
    return Deadline(std::min(end_, Clock::now() + time));
  }
  // After that part of the time that is left.
  Deadline part(double share) const {
    return within(std::chrono::duration_cast<Clock::duration>((end_ - Clock::now()) * share));
  }

 private:
  Clock::time_point end_;
};

std::string to_string(const TermBank& bank, const Rule& rule);
// With variables renamed.
Rule rename(TermBank& bank, const Rule& rule);
// With variables renamed to x, y, z, ... for messages.
Rule readable(TermBank& bank, const Rule& rule);

}  // namespace rhopsi::analysis
