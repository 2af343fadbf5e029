#include "frontend/driver/places.hpp"

#include <utility>

#include "frontend/syntax/read_file.hpp"

namespace rhopsi::driver {
namespace {

std::shared_ptr<const syntax::SourceFile> read(const std::string& path) {
  auto content = syntax::read_file(path);
  auto* const text = std::get_if<std::string>(&content);
  return text == nullptr ? nullptr
                         : std::make_shared<const syntax::SourceFile>(path, std::move(*text));
}

bool begins_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

bool part_of_name(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  return code >= 0x80U || byte == '_' || (byte >= '0' && byte <= '9') ||
         (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

// The word that begins at `begin`, or one byte.
std::uint32_t end_of_word(std::string_view text, std::uint32_t begin) {
  std::uint32_t end = begin;
  while (end < text.size() && part_of_name(text[end])) ++end;
  return end > begin ? end : std::min<std::uint32_t>(begin + 1, std::uint32_t(text.size()));
}

}  // namespace

void Places::add(std::shared_ptr<const syntax::SourceFile> text) {
  const std::string path = text->path();
  files_.insert_or_assign(path, std::move(text));
}

syntax::Span Places::span(const term::Location& location) {
  if (location.file.empty() || location.line == 0) return {};
  auto [entry, inserted] = files_.try_emplace(location.file);
  if (inserted) entry->second = read(location.file);
  const auto& file = entry->second;
  if (!file) return {};
  const std::string_view line = file->line(location.line);
  if (line.data() == nullptr) return {file, 0, 0};
  std::size_t offset = 0;
  for (std::uint32_t column = 1; column < location.column && offset < line.size(); ++column) {
    do ++offset;
    while (offset < line.size() && !begins_code_point(line[offset]));
  }
  const auto begin = static_cast<std::uint32_t>(line.data() - file->text().data() + offset);
  return {file, begin, end_of_word(file->text(), begin)};
}

}  // namespace rhopsi::driver
