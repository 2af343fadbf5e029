#include "frontend/driver/system_file.hpp"

#include <string_view>
#include <utility>
#include <variant>

#include "frontend/driver/codes.hpp"
#include "frontend/syntax/read_file.hpp"

namespace rhopsi::driver {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // that some editors write

void end_lines(std::string& text) {
  for (std::size_t at = text.find('\r'); at != std::string::npos; at = text.find('\r', at + 1)) {
    if (at + 1 == text.size() || text[at + 1] != '\n') text[at] = '\n';
  }
}

}  // namespace

std::shared_ptr<const syntax::SourceFile> system_file(const std::string& path, std::uint64_t most,
                                                      syntax::Diagnostics& diagnostics) {
  auto content = syntax::read_file(path, most);
  if (const auto* problem = std::get_if<syntax::FileProblem>(&content)) {
    if (problem->kind == syntax::FileProblem::too_large) {
      diagnostics.error("E0105", {},
                        path + ": the file is larger than " + std::to_string(most >> 20) + " MiB",
                        "give a smaller system");
    } else {
      diagnostics.error(codes::unreadable_file, {},
                        path + ": the file cannot be read" + syntax::reason(*problem),
                        "give the path of a file that can be read");
    }
    return nullptr;
  }
  std::string text = std::move(std::get<std::string>(content));
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  end_lines(text);
  return std::make_shared<const syntax::SourceFile>(path, std::move(text));
}

}  // namespace rhopsi::driver
