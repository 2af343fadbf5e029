// Which recipe of several is taken for a program: the one whose predicted time is least.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/schedule/machine.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/schedule/time.hpp"

namespace rhopsi::schedule {

struct Candidate {
  std::string name;     // "planes"
  std::string meaning;  // in a few words
  Recipe recipe;
};

// What is chosen from: the program as it is written, `off`, first; then more and more steps.
std::vector<Candidate> candidates();

// Those, and with them what is more a matter of measurement: other bounds of the same steps, and
// steps left out. For elements in that number.
std::vector<Candidate> more_candidates(const Candidate& best, std::int64_t elements);

// Of what the choice is for.
struct Question {
  std::vector<std::string> entries;   // functions; empty: all that can be scheduled
  std::vector<std::int64_t> extents;  // of the domain
  Machine machine;
  bool device = false;
  Surroundings around;
  std::int64_t calls = 0;   // in a row, without anything between them; 0: many
  bool given_once = false;  // arrays come in before the first call, and go out when something is
                            // written: another order of their axes costs nothing at a call
  bool copied = false;  // arrays are callers', who have none with pads: these are copied, in and
                        // out at each call
};

struct Answer {
  Candidate candidate;
  double seconds = 0;  // predicted, of one call of each entry; less than 0: nothing is known
  std::vector<std::pair<std::string, Time>> times;  // by function
  std::string same_as;  // of the candidate before it that makes the same passes; or empty
};

// What a candidate would take. Applies the recipe to a copy of the module.
Answer predict(const onf::Module& module, const Candidate& candidate, const Question& question);

struct Choice {
  std::vector<Answer> answers;  // of all candidates, in their order
  std::size_t best = 0;         // among them
  std::string why;              // in a sentence
  const Recipe& recipe() const { return answers[best].candidate.recipe; }
  // Does every schedule leave the entries as they are?
  bool nothing_to_choose() const { return best == 0 && answers.front().seconds < 0; }
};

// Among candidates(). One with more steps has to be faster by a fiftieth than one with fewer. Where
// no entry can be scheduled, or times cannot be told, `off`. Of several calls in one, up to four
// are preferred to fewer that are predicted to be as fast. The best then is one of those with
// planes that stores what several indices compute (of the bounds 2, 4, ... 32 of `materialise` the
// one that is fastest for one call), if that is faster; one with another order of axes (layout),
// which are tried where rows are short, the lengths are known, and arrays are given once, if that
// is faster by a fifth; it reads no pads, if filling them takes longer than the ends of rows do,
// and is given the number of elements below which one thread is faster than all, if these lengths
// are on the other side of the standard number. Where arrays have shapes of their own nothing is
// predicted, and the steps that are proved are taken. The same module, question and machine always
// give the same choice.
Choice choose(const onf::Module& module, const Question& question);

// A line for each candidate: predicted seconds, and its name, with a star before the best one; then
// the reason.
std::string to_string(const Choice& choice);
// The same where another schedule runs, which may be one of the candidates: the star is before that
// one, and the best is what would be chosen.
std::string to_string_beside(const Choice& choice, std::optional<std::size_t> runs);
// The answer whose steps are those of the recipe; nothing where it is none of them.
std::optional<std::size_t> find_answer(const Choice& choice, const Recipe& recipe);

}  // namespace rhopsi::schedule
