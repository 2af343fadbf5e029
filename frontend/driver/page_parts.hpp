// A page of the documentation, taken apart: lines of prose, and blocks between ```.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rhopsi::driver {

struct PagePart {
  bool block = false;
  std::string info;      // of a block: what stands behind its first ```
  std::string text;      // of a block: its lines; otherwise one line, without its end
  std::size_t line = 0;  // where it begins, from 1
};

// In order. A block ends at a line that is ``` alone, or with the page.
std::vector<PagePart> page_parts(const std::string& page);

}  // namespace rhopsi::driver
