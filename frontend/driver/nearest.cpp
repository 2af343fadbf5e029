#include "frontend/driver/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace rhopsi::driver {
namespace {

// Distances count in quarters, so that a wrong case weighs less than a wrong letter.
constexpr std::size_t whole = 4;

std::size_t replacement_cost(char left, char right) {
  if (left == right) return 0;
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(left) == lower(right) ? 1 : whole;
}

std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::vector<std::size_t>> table(left.size() + 1,
                                              std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = 0; i <= left.size(); ++i) table[i][0] = i * whole;
  for (std::size_t j = 0; j <= right.size(); ++j) table[0][j] = j * whole;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    for (std::size_t j = 1; j <= right.size(); ++j) {
      std::size_t best = std::min(table[i - 1][j], table[i][j - 1]) + whole;
      best = std::min(best, table[i - 1][j - 1] + replacement_cost(left[i - 1], right[j - 1]));
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
        best = std::min(best, table[i - 2][j - 2] + whole);
      }
      table[i][j] = best;
    }
  }
  return table[left.size()][right.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view name,
                                   const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  std::size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t far = distance(name, candidate);
    const std::size_t limit =
        std::max<std::size_t>(whole, whole * std::max(name.size(), candidate.size()) / 3);
    if (far > limit || (best && far >= best_distance)) continue;
    best = candidate;
    best_distance = far;
  }
  return best;
}

std::string suggest(std::string_view name, const std::vector<std::string>& candidates,
                    std::string_view none, std::size_t most) {
  if (candidates.empty()) return std::string(none);
  if (const auto close = nearest(name, candidates)) return "did you mean '" + *close + "'?";
  std::vector<std::string> listed = candidates;
  if (most != std::string::npos) {
    std::ranges::stable_sort(listed, {},
                             [&](const std::string& one) { return distance(name, one); });
  }
  return std::string(candidates.size() == 1 ? "there is only " : "there are: ") +
         enumerate(listed, most);
}

std::string enumerate(const std::vector<std::string>& names, std::size_t most) {
  if (names.size() > most) {
    const std::size_t left = names.size() - most;
    std::vector<std::string> first(names.begin(), names.end() - static_cast<std::ptrdiff_t>(left));
    first.push_back(std::to_string(left) + (left == 1 ? " other" : " others"));
    return enumerate(first);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace rhopsi::driver
