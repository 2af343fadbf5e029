#include "frontend/syntax/read_file.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace rhopsi::syntax {

namespace {

constexpr std::size_t portion = std::size_t{1} << 16;

bool is_open_already(const std::string& path) {
  return path == "/dev/stdin" || path.starts_with("/dev/fd/");
}

}  // namespace

std::variant<std::string, FileProblem> read_file(const std::string& path, std::uint64_t most) {
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  if (std::filesystem::is_directory(status)) return FileProblem::unreadable;
  const bool regular = std::filesystem::is_regular_file(status);
  if (std::filesystem::exists(status) && !regular && !is_open_already(path)) {
    return FileProblem::not_regular;
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return FileProblem::unreadable;
  // The size is a guess: of a pipe it is not known, and a file may grow meanwhile.
  const std::uint64_t expected = std::filesystem::file_size(path, failure);
  if (!failure && expected > most) return FileProblem::too_large;
  std::string text;
  if (!failure) text.reserve(expected);
  while (stream && text.size() <= most) {
    const std::size_t held = text.size();
    text.resize(held + portion);
    stream.read(text.data() + held, portion);
    text.resize(held + static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > most) return FileProblem::too_large;
  if (stream.bad()) return FileProblem::unreadable;
  return text;
}

std::string reason(FileProblem problem) {
  return problem == FileProblem::not_regular ? ": it is not a regular file" : "";
}

}  // namespace rhopsi::syntax
