#include "frontend/driver/page_parts.hpp"

#include <sstream>
#include <string_view>
#include <utility>

namespace rhopsi::driver {
namespace {

constexpr std::string_view fence = "```";

}  // namespace

std::vector<PagePart> page_parts(const std::string& page) {
  std::vector<PagePart> parts;
  std::istringstream stream(page);
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    PagePart part{line.starts_with(fence), {}, line, ++number};
    if (part.block) {
      part.info = line.substr(fence.size());
      part.text.clear();
      while (std::getline(stream, line) && ++number > 0 && line != fence) part.text += line + "\n";
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace rhopsi::driver
