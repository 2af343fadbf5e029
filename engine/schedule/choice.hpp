// Which recipe of several is taken for a program: the one whose predicted time is least.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/schedule/predict.hpp"

namespace rhopsi::schedule {

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

// A line for each: predicted seconds, and its name, with a star before the one of that number.
std::string to_string(std::span<const Answer> answers, std::optional<std::size_t> star);

// A line for each candidate: predicted seconds, and its name, with a star before the best one; then
// the reason.
std::string to_string(const Choice& choice);
// The same where another schedule runs, which may be one of the candidates: the star is before that
// one, and the best is what would be chosen.
std::string to_string_beside(const Choice& choice, std::optional<std::size_t> runs);
// The answer whose steps are those of the recipe; nothing where it is none of them.
std::optional<std::size_t> find_answer(const Choice& choice, const Recipe& recipe);

}  // namespace rhopsi::schedule
