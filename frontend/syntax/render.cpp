// Diagnostics as text for a terminal and as JSON for programs.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "frontend/syntax/lexer.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::syntax {

namespace {

constexpr unsigned widest_line = 96;   // columns of source text that are shown
constexpr unsigned before_caret = 40;  // of them at least so many before the caret

const char* word_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "note";
}

std::string hexadecimal(char32_t value, int digits) {
  std::string result;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
    result += "0123456789ABCDEF"[(value >> shift) & 0xF];
  }
  return result;
}

// One character as it may safely be sent to a terminal, and its columns.
struct Cell {
  std::string text;
  unsigned width;
};

Cell cell_for(std::string_view text, std::size_t offset, CodePoint c) {
  if (!c.valid) return {"\\x" + hexadecimal(c.value, 2), 4};
  if (c.value == '\t') return {"    ", 4};
  if (c.value < 0x20 || c.value == 0x7F) return {"\\x" + hexadecimal(c.value, 2), 4};
  // Marks of writing direction and the like would let the text show otherwise than it reads.
  const bool unseen = c.value >= 0x80 && (is_control(c.value) || is_blank(c.value));
  if (unseen)
    return {"<U+" + hexadecimal(c.value, c.value > 0xFFFF ? 6 : 4) + ">",
            c.value > 0xFFFF ? 10u : 8u};
  return {std::string(text.substr(offset, c.length)), display_width(c.value)};
}

// Messages quote the source, so they go the same way.
std::string sanitised(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint c = decode(text, i);
    result += c.valid && c.value == '\n' ? std::string(" ") : cell_for(text, i, c).text;
    i += c.length;
  }
  return result;
}

// Lines of a note stand under its first word.
std::string indented(std::string_view text, std::size_t columns) {
  std::string result;
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (begin > 0 && end > begin) result += std::string(columns, ' ');
    result += sanitised(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return result;
}

class Colour {
 public:
  explicit Colour(bool on) : on_(on) {}
  std::string of(Severity severity) const {
    return code(severity == Severity::error     ? "1;31"
                : severity == Severity::warning ? "1;35"
                                                : "1;36");
  }
  std::string bold() const { return code("1"); }
  std::string dim() const { return code("34"); }
  std::string off() const { return code("0"); }

 private:
  std::string code(const char* digits) const {
    return on_ ? std::string("\033[") + digits + "m" : std::string();
  }
  bool on_;
};

// The part of a line around a range of its bytes, with the range underlined.
struct Excerpt {
  std::string text;
  std::string marks;
};

// Where to begin in a line too long to be shown: a little before the caret.
std::size_t window_begin(std::string_view line, std::size_t caret) {
  std::vector<std::pair<std::size_t, unsigned>> before;
  unsigned width = 0;
  // Only what can be seen is measured, so that a line of megabytes costs nothing.
  std::size_t start = caret > 4 * before_caret * 4 ? caret - 4 * before_caret * 4 : 0;
  while (start > 0 && start < line.size() &&
         (static_cast<unsigned char>(line[start]) & 0xC0) == 0x80) {
    --start;
  }
  for (std::size_t i = start; i < caret;) {
    const CodePoint c = decode(line, i);
    const unsigned columns = cell_for(line, i, c).width;
    before.emplace_back(i, columns);
    width += columns;
    i += c.length;
  }
  if (start == 0 && width <= widest_line - before_caret / 2) return 0;
  unsigned kept = 0;
  std::size_t begin = caret;
  for (auto at = before.rbegin(); at != before.rend() && kept < before_caret; ++at) {
    kept += at->second;
    begin = at->first;
  }
  return begin;
}

Excerpt excerpt(std::string_view line, std::size_t begin, std::size_t end) {
  begin = std::min(begin, line.size());
  Excerpt result;
  unsigned width = 0;
  std::size_t i = window_begin(line, begin);
  if (i > 0) {
    result.text = "...";
    result.marks = "   ";
  }
  while (i < line.size() && width < widest_line) {
    const CodePoint c = decode(line, i);
    const Cell cell = cell_for(line, i, c);
    result.text += cell.text;
    for (unsigned k = 0; k < cell.width; ++k) {
      const bool marked = i >= begin && i < end;
      result.marks += i == begin && k == 0 ? '^' : marked ? '~' : ' ';
    }
    width += cell.width;
    i += c.length;
  }
  if (i < line.size()) result.text += "...";
  if (begin >= i) result.marks += '^';
  while (!result.marks.empty() && result.marks.back() == ' ') result.marks.pop_back();
  return result;
}

std::string place_of(const Span& span) {
  const SourceFile::Position at = span.file->position(span.begin);
  return sanitised(span.file->path()) + ":" + std::to_string(at.line) + ":" +
         std::to_string(at.column);
}

void append_excerpt(std::string& out, const Span& span, const Colour& colour) {
  const SourceFile::Position at = span.file->position(span.begin);
  const std::string_view line = span.file->line(at.line);
  const auto line_begin = static_cast<std::size_t>(line.data() - span.file->text().data());
  const std::size_t begin = span.begin - std::min<std::size_t>(line_begin, span.begin);
  const std::size_t end =
      std::max<std::size_t>(span.end, span.begin) - std::min<std::size_t>(line_begin, span.begin);
  const Excerpt shown = excerpt(line, begin, std::min(end, line.size()));
  const std::string number = std::to_string(at.line);
  const std::string margin(std::max<std::size_t>(number.size(), 4), ' ');
  out += colour.dim() + margin.substr(number.size()) + number + " | " + colour.off() + shown.text +
         "\n";
  out += colour.dim() + margin + " | " + colour.off() + colour.bold() + shown.marks + colour.off() +
         "\n";
}

nlohmann::json place_json(const Span& span) {
  nlohmann::json object = {{"path", nullptr},
                           {"line", nullptr},
                           {"column", nullptr},
                           {"end_line", nullptr},
                           {"end_column", nullptr}};
  if (!span.file) return object;
  const SourceFile::Position begin = span.file->position(span.begin);
  const SourceFile::Position end = span.file->position(std::max(span.begin, span.end));
  object["path"] = span.file->path();
  object["line"] = begin.line;
  object["column"] = begin.column;
  object["end_line"] = end.line;
  object["end_column"] = end.column;
  return object;
}

}  // namespace

std::string render(const Diagnostic& diagnostic, bool use_colour) {
  const Colour colour(use_colour);
  std::string out;
  if (diagnostic.span.file) out += colour.bold() + place_of(diagnostic.span) + ": " + colour.off();
  out += colour.of(diagnostic.severity) + word_of(diagnostic.severity);
  if (!diagnostic.code.empty()) out += "[" + diagnostic.code + "]";
  out += ": " + colour.off() + sanitised(diagnostic.message) + "\n";
  if (diagnostic.span.file) append_excerpt(out, diagnostic.span, colour);
  for (const Diagnostic::Related& related : diagnostic.related) {
    out += "  ";
    if (related.span.file) out += place_of(related.span) + ": ";
    out += colour.of(Severity::note) + "note: " + colour.off() + sanitised(related.message) + "\n";
    if (related.span.file) append_excerpt(out, related.span, colour);
  }
  if (!diagnostic.note.empty()) {
    const std::string_view label = "  note: ";
    out += "  " + colour.of(Severity::note) + "note: " + colour.off() +
           indented(diagnostic.note, label.size());
  }
  return out;
}

std::string render_json(const Diagnostics& diagnostics) {
  nlohmann::json array = nlohmann::json::array();
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    nlohmann::json object = place_json(diagnostic.span);
    object["severity"] = word_of(diagnostic.severity);
    object["code"] = diagnostic.code;
    object["message"] = diagnostic.message;
    object["note"] = diagnostic.note;
    object["related"] = nlohmann::json::array();
    for (const Diagnostic::Related& related : diagnostic.related) {
      nlohmann::json entry = place_json(related.span);
      entry["message"] = related.message;
      object["related"].push_back(std::move(entry));
    }
    array.push_back(std::move(object));
  }
  // Bytes that are not UTF-8 can stand in paths and quoted text.
  return array.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace rhopsi::syntax
