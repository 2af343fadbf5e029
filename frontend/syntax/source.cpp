#include "frontend/syntax/source.hpp"

#include <algorithm>
#include <limits>

#include "frontend/syntax/lexer.hpp"

namespace rhopsi::syntax {

SourceFile::SourceFile(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)), line_starts_{0} {
  constexpr std::size_t addressable = std::numeric_limits<std::uint32_t>::max();
  const std::size_t size = std::min(text_.size(), addressable);
  for (std::size_t at = text_.find('\n'); at < size; at = text_.find('\n', at + 1)) {
    line_starts_.push_back(static_cast<std::uint32_t>(at + 1));
  }
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text_.begin(), text_.end(), is_ascii)) return;
  constexpr std::size_t distance = 1024;
  std::uint32_t code_points = 0;
  for (std::size_t at = 0, next = 0; at < size; at += decode(text_, at).length, ++code_points) {
    if (at < next) continue;
    marks_.push_back({static_cast<std::uint32_t>(at), code_points});
    next = at + distance;
  }
}

std::uint32_t SourceFile::code_points_before(std::size_t offset) const {
  if (marks_.empty()) return static_cast<std::uint32_t>(offset);
  const auto after =
      std::upper_bound(marks_.begin(), marks_.end(), offset,
                       [](std::size_t o, const Mark& mark) { return o < mark.offset; });
  const Mark mark = after == marks_.begin() ? Mark{0, 0} : after[-1];
  std::uint32_t code_points = mark.code_points;
  for (std::size_t at = mark.offset; at < offset; at += decode(text_, at).length) ++code_points;
  return code_points;
}

SourceFile::Position SourceFile::position(std::uint32_t offset) const {
  const std::size_t at = std::min<std::size_t>(offset, text_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), at);
  const auto line = static_cast<std::uint32_t>(after - line_starts_.begin());
  const std::uint32_t begin = line_starts_[line - 1];
  return {line, 1 + code_points_before(at) - code_points_before(begin)};
}

std::string_view SourceFile::line(std::uint32_t line) const {
  if (line == 0 || line > line_starts_.size()) return {};
  const std::size_t begin = line_starts_[line - 1];
  const std::size_t end = line < line_starts_.size() ? line_starts_[line] - 1 : text_.size();
  std::string_view result(text_.data() + begin, end - begin);
  if (!result.empty() && result.back() == '\r') result.remove_suffix(1);
  return result;
}

Diagnostics::Key Diagnostics::key(const Diagnostic& diagnostic) {
  return {diagnostic.span.file.get(), diagnostic.span.begin, diagnostic.span.end,
          diagnostic.severity,        diagnostic.code,       diagnostic.message};
}

Diagnostic& Diagnostics::entry(Diagnostic diagnostic) {
  // What has no place may be said several times.
  if (diagnostic.span.file) {
    const auto [place, inserted] = places_.try_emplace(key(diagnostic), all_.size());
    if (!inserted) return all_[place->second];
  }
  if (diagnostic.severity == Severity::error) ++errors_;
  all_.push_back(std::move(diagnostic));
  return all_.back();
}

void Diagnostics::add(Diagnostic diagnostic) { entry(std::move(diagnostic)); }

namespace {

Diagnostic made(Severity severity, std::string code, Span span, std::string message,
                std::string note) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  diagnostic.span = std::move(span);
  diagnostic.note = std::move(note);
  return diagnostic;
}

}  // namespace

Diagnostic& Diagnostics::error(std::string code, Span span, std::string message, std::string note) {
  return entry(
      made(Severity::error, std::move(code), std::move(span), std::move(message), std::move(note)));
}

Diagnostic& Diagnostics::warning(std::string code, Span span, std::string message,
                                 std::string note) {
  return entry(made(Severity::warning, std::move(code), std::move(span), std::move(message),
                    std::move(note)));
}

}  // namespace rhopsi::syntax
