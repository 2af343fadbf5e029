// The name that a user probably meant.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rhopsi::driver {

// The candidate with the smallest edit distance to `name` (insertions, deletions,
// replacements and swaps of neighbours; a wrong case counts as a quarter of a
// replacement), if it is close enough to be a slip: at most a third of the length.
// The first of equals. O(candidates * |name| * |candidate|).
std::optional<std::string> nearest(std::string_view name,
                                   const std::vector<std::string>& candidates);

// "did you mean 'x'?", or "there are: a, b, c", or `none` when there are no candidates. With `most`
// no more of them are listed, the nearest first.
std::string suggest(std::string_view name, const std::vector<std::string>& candidates,
                    std::string_view none, std::size_t most = std::string::npos);

// "a, b and c"; of more than `most` names the first, and "a, b and 5 others".
std::string enumerate(const std::vector<std::string>& names, std::size_t most = std::string::npos);

}  // namespace rhopsi::driver
