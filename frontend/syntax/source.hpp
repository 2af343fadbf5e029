// Source files, spans and diagnostics.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace rhopsi::syntax {

// One file's text. Immutable; shared by every span into it.
// Positions are byte offsets; lines and columns are counted from 1, columns in
// Unicode code points (a byte that is not valid UTF-8 counts as one).
class SourceFile {
 public:
  SourceFile(std::string path, std::string text);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }

  struct Position {
    std::uint32_t line;
    std::uint32_t column;
  };
  // Where byte `offset` stands (clamped to the end). O(log size), also in a long line.
  Position position(std::uint32_t offset) const;
  // The text of line `line` (from 1) without its end of line.
  std::string_view line(std::uint32_t line) const;

 private:
  std::string path_;
  std::string text_;
  // Code points of the text before `offset`.
  std::uint32_t code_points_before(std::size_t offset) const;

  std::vector<std::uint32_t> line_starts_;
  // Every so many bytes: the code points before the first one that begins from there on.
  struct Mark {
    std::uint32_t offset;
    std::uint32_t code_points;
  };
  std::vector<Mark> marks_;  // empty where every code point is one byte
};

// Half-open byte range [begin, end) of a file; `file` is null for generated nodes.
struct Span {
  std::shared_ptr<const SourceFile> file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

enum class Severity { error, warning, note };

// A message for the user. `code` is stable ("E0102"); `note` says what to do.
struct Diagnostic {
  struct Related {
    Span span;
    std::string message;
  };
  Severity severity = Severity::error;
  std::string code;
  std::string message;
  Span span;  // file may be null: then only the message is printed
  std::string note;
  std::vector<Related> related;
};

// Collects diagnostics. What says the same at the same place is kept once.
class Diagnostics {
 public:
  void add(Diagnostic diagnostic);
  Diagnostic& error(std::string code, Span span, std::string message, std::string note = {});
  Diagnostic& warning(std::string code, Span span, std::string message, std::string note = {});

  bool has_errors() const { return errors_ > 0; }
  std::size_t error_count() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  // Place, severity, code and message, and where in `all_` that stands.
  using Key = std::tuple<const SourceFile*, std::uint32_t, std::uint32_t, Severity, std::string,
                         std::string>;
  static Key key(const Diagnostic& diagnostic);
  Diagnostic& entry(Diagnostic diagnostic);

  std::vector<Diagnostic> all_;
  std::map<Key, std::size_t> places_;
  std::size_t errors_ = 0;
};

// `path:line:column: error[E0102]: message`, the source line, a caret line, the
// note. Tabs and control characters in the source line are made visible safely.
std::string render(const Diagnostic& diagnostic, bool colour = false);

// The diagnostics as a JSON array of objects {severity, code, message, path,
// line, column, end_line, end_column, note, related}.
std::string render_json(const Diagnostics& diagnostics);

}  // namespace rhopsi::syntax
