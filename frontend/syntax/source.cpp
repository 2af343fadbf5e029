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
}

SourceFile::Position SourceFile::position(std::uint32_t offset) const {
  const std::size_t at = std::min<std::size_t>(offset, text_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), at);
  const auto line = static_cast<std::uint32_t>(after - line_starts_.begin());
  std::uint32_t column = 1;
  const std::string_view before(text_.data(), at);
  for (std::size_t i = line_starts_[line - 1]; i < at; i += decode(before, i).length) ++column;
  return {line, column};
}

std::string_view SourceFile::line(std::uint32_t line) const {
  if (line == 0 || line > line_starts_.size()) return {};
  const std::size_t begin = line_starts_[line - 1];
  const std::size_t end = line < line_starts_.size() ? line_starts_[line] - 1 : text_.size();
  std::string_view result(text_.data() + begin, end - begin);
  if (!result.empty() && result.back() == '\r') result.remove_suffix(1);
  return result;
}

namespace {

bool same_place(const Diagnostic& left, const Diagnostic& right) {
  return left.span.file && left.span.begin == right.span.begin && left.span.end == right.span.end &&
         left.span.file == right.span.file && left.severity == right.severity &&
         left.code == right.code;
}

}  // namespace

void Diagnostics::add(Diagnostic diagnostic) {
  const bool known = std::any_of(all_.begin(), all_.end(), [&](const Diagnostic& other) {
    return same_place(other, diagnostic);
  });
  if (known) return;
  if (diagnostic.severity == Severity::error) ++errors_;
  all_.push_back(std::move(diagnostic));
}

namespace {

// The entry that `add` has kept for this place: the new one or the earlier one.
Diagnostic& entry_for(std::vector<Diagnostic>& all, const Diagnostic& added) {
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const Diagnostic& other) { return same_place(other, added); });
  return found != all.end() ? *found : all.back();
}

}  // namespace

Diagnostic& Diagnostics::error(std::string code, Span span, std::string message, std::string note) {
  Diagnostic made{Severity::error, std::move(code), std::move(message),
                  std::move(span), std::move(note), {}};
  add(made);
  return entry_for(all_, made);
}

Diagnostic& Diagnostics::warning(std::string code, Span span, std::string message,
                                 std::string note) {
  Diagnostic made{Severity::warning, std::move(code), std::move(message),
                  std::move(span),   std::move(note), {}};
  add(made);
  return entry_for(all_, made);
}

}  // namespace rhopsi::syntax
