#include "frontend/syntax/scan.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "frontend/syntax/lexer.hpp"

namespace rhopsi::syntax {

namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

template <std::size_t size>
bool is_one_of(std::string_view word, const std::string_view (&words)[size]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

constexpr std::string_view top_words[] = {"concept",  "implementation", "signature", "program",
                                          "renaming", "satisfaction",   "schedule"};
constexpr std::string_view item_words[] = {"type",      "axiom",     "theorem", "function",
                                           "predicate", "procedure", "use",     "require"};

// Whether an item's first word and what must follow it stand at `p`.
bool begins_item(const char* p, const char* end) {
  const char* stop = name_end(p, end);
  if (stop == p || !is_one_of(between(p, stop), item_words)) return false;
  const char* next = skip_blank(stop, end);
  return next != end && (name_end(next, end) != next || symbol_name_end(next, end) != next ||
                         *next == '(' || *next == '{');
}

class Scanner {
 public:
  Scanner(const std::shared_ptr<const SourceFile>& file, Diagnostics& diagnostics)
      : file_(file),
        diagnostics_(diagnostics),
        begin_(file->text().data()),
        end_(begin_ + file->text().size()),
        errors_before_(diagnostics.error_count()) {}

  ScanResult run() {
    if (file_->text().size() > largest_text) {
      diagnostics_.error("E0105", {file_, 0, 0}, "the file is larger than 64 MiB",
                         "split the package into several");
      return {false, {}};
    }
    read_text();
    if (!result_.readable) return std::move(result_);  // too deep: said already
    if (!holds_text_ && !reported_) {
      diagnostics_.error("E0102", {file_, 0, 0}, "the file holds no text",
                         "a package begins with 'package NAME;'");
      result_.readable = false;
    }
    close_open_brackets(end_);
    return std::move(result_);
  }

 private:
  struct Bracket {
    char symbol;
    const char* place;
  };

  void read_text() {
    const char* p = begin_;
    bool line_start = true;
    while (p != end_ && result_.readable) {
      const char c = *p;
      if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
        line_start = line_start || c == '\n';
        ++p;
        continue;
      }
      const char* next = step(p, line_start);
      line_start = line_start && comment_end(p, end_) != p;
      p = next;
    }
  }

  // Passes one token at `p`.
  const char* step(const char* p, bool line_start) {
    bool terminated = true;
    const char* stop = comment_end(p, end_, &terminated);
    if (stop != p) {
      check_bytes_of_comment(p, stop);
      if (!terminated) report_open_comment(p);
      return stop;
    }
    stop = name_end(p, end_);
    if (stop != p) {
      holds_text_ = true;
      if (line_start && !open_.empty() && begins_top_declaration(p, end_)) close_open_brackets(p);
      return stop;
    }
    const CodePoint c = decode(between(p, end_), 0);
    if (!c.valid) return report_invalid(p, end_);
    if (is_control(c.value)) return report_control(p);
    if (!is_blank(c.value)) {
      holds_text_ = true;
      bracket(p);
    }
    return p + c.length;
  }

  void bracket(const char* p) {
    constexpr std::string_view opening = "([{";
    constexpr std::string_view closing = ")]}";
    if (opening.find(*p) != std::string_view::npos) {
      open_.push_back({*p, p});
      if (open_.size() > static_cast<std::size_t>(deepest_nesting)) report_deep(p);
      return;
    }
    const std::size_t kind = closing.find(*p);
    if (kind == std::string_view::npos) return;
    const auto partner = std::find_if(open_.rbegin(), open_.rend(),
                                      [&](const Bracket& b) { return b.symbol == opening[kind]; });
    if (partner == open_.rend()) {
      diagnostics_.error("E0106", span(p, p + 1), std::string("this '") + *p + "' closes nothing",
                         "remove it");
      result_.damage.push_back({offset(p), offset(p) + 1});
      return;
    }
    // What stands open inside the pair is closed here, and reported. A `)` or `]`
    // is not let through a `{`: there it is the superfluous one.
    const bool through_brace =
        *p != '}' &&
        std::any_of(open_.rbegin(), partner, [](const Bracket& b) { return b.symbol == '{'; });
    if (through_brace) {
      diagnostics_.error("E0106", span(p, p + 1),
                         std::string("this '") + *p + "' closes nothing inside the '{' around it",
                         "remove it");
      result_.damage.push_back({offset(p), offset(p) + 1});
      return;
    }
    while (open_.back().symbol != opening[kind]) report_unclosed(p);
    open_.pop_back();
  }

  void close_open_brackets(const char* at) {
    if (open_.empty()) return;
    // Those around the innermost one are most often its consequence.
    const Bracket outermost = open_.front();
    const std::uint32_t damaged_to = offset(at) + 1;
    while (open_.size() > 1 && open_.back().symbol != '{') report_unclosed(at);
    report_unclosed(at);
    result_.damage.push_back({offset(outermost.place), damaged_to});
    open_.clear();
  }

  void report_unclosed(const char* at) {
    const Bracket bracket = open_.back();
    open_.pop_back();
    Diagnostic diagnostic{Severity::error,
                          "E0106",
                          std::string("this '") + bracket.symbol + "' is never closed",
                          span(bracket.place, bracket.place + 1),
                          {},
                          {}};
    if (at != end_)
      diagnostic.related.push_back({span(at, at + 1), "it should be closed before this"});
    const char* partner = bracket.symbol == '(' ? ")" : bracket.symbol == '[' ? "]" : "}";
    diagnostic.note = std::string("add the '") + partner + "'";
    add(std::move(diagnostic));
    result_.damage.push_back({offset(bracket.place), offset(at) + 1});
  }

  void report_deep(const char* p) {
    if (!result_.readable) return;
    result_.readable = false;
    diagnostics_.error("E0104", span(p, p + 1), "brackets are nested more than 2000 deep here",
                       "name the inner parts, as functions or variables");
  }

  void report_open_comment(const char* p) {
    const bool nested = p + 2 != end_ && p[2] == '<';
    diagnostics_.error("E0103", span(p, p + (nested ? 3 : 2)), "this comment is never closed",
                       nested ? "every '/*<' needs its '>*/'" : "add '*/'");
    result_.damage.push_back({offset(p), offset(end_) + 1});
    reported_ = true;
  }

  void check_bytes_of_comment(const char* p, const char* stop) {
    while (p != stop) {
      if (static_cast<unsigned char>(*p) < 0x80) {
        ++p;
        continue;
      }
      const CodePoint c = decode(between(p, stop), 0);
      p = c.valid ? p + c.length : report_invalid(p, stop);
    }
  }

  // One report for a run of bad bytes.
  const char* report_invalid(const char* p, const char* limit) {
    const char* stop = p;
    while (stop != limit && !decode(between(stop, end_), 0).valid) ++stop;
    constexpr char digits[] = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(*p);
    add({Severity::error,
         "E0101",
         std::string("byte 0x") + digits[byte >> 4] + digits[byte & 15] + " at offset " +
             std::to_string(offset(p)) + " is not valid UTF-8",
         span(p, stop),
         "save the file in the encoding UTF-8",
         {}});
    reported_ = true;
    return stop;
  }

  const char* report_control(const char* p) {
    const char* stop = p;
    while (stop != end_) {
      const CodePoint c = decode(between(stop, end_), 0);
      if (!c.valid || !is_control(c.value)) break;
      stop += c.length;
    }
    const bool only_nul = std::all_of(p, stop, [](char c) { return c == '\0'; });
    if (only_nul && p == begin_ && stop == end_) return stop;  // told as a file without text
    add({Severity::error,
         "E0109",
         only_nul ? "the text holds NUL characters" : "the text holds invisible control characters",
         span(p, stop),
         "remove them",
         {}});
    reported_ = reported_ || stop != end_ || p != begin_;
    return stop;
  }

  void add(Diagnostic diagnostic) {
    if (diagnostics_.error_count() < errors_before_ + most_errors)
      diagnostics_.add(std::move(diagnostic));
  }

  std::uint32_t offset(const char* p) const { return static_cast<std::uint32_t>(p - begin_); }
  Span span(const char* from, const char* to) const {
    return {file_, offset(from), std::min(offset(to), offset(end_))};
  }

  std::shared_ptr<const SourceFile> file_;
  Diagnostics& diagnostics_;
  const char* begin_;
  const char* end_;
  std::size_t errors_before_;
  std::vector<Bracket> open_;
  ScanResult result_;
  bool holds_text_ = false;
  bool reported_ = false;
};

// The end of the token at `p`, which is no blank.
const char* token_end(const char* p, const char* end) {
  const char* stop = name_end(p, end);
  if (stop != p) return stop;
  return p + decode(between(p, end), 0).length;
}

enum class Level { statement, item };

// The brackets open at some place. A closing one also closes what was left open
// inside its pair, except that `)` and `]` do not reach through a `{`.
class OpenBrackets {
 public:
  void pass(char c) {
    if (c == '(' || c == '[' || c == '{') open_.push_back(c);
    if (c != ')' && c != ']' && c != '}') return;
    const char partner = c == ')' ? '(' : c == ']' ? '[' : '{';
    for (std::size_t i = open_.size(); i-- > 0;) {
      if (open_[i] == partner) return open_.resize(i);
      if (open_[i] == '{') return;
    }
  }
  bool holds_brace() const { return open_.find('{') != std::string::npos; }
  bool empty() const { return open_.empty(); }

 private:
  std::string open_;
};

Resumption resume(const char* begin, const char* error, const char* end, Level level) {
  OpenBrackets open;
  for (const char* p = skip_blank(begin, end); p != end; p = skip_blank(token_end(p, end), end)) {
    if (begins_top_declaration(p, end)) return {p, true};
    if (*p == '}' && !open.holds_brace()) return {p, false};
    open.pass(*p);
    if (p < error || !open.empty()) continue;
    if (*p == ';' || (level == Level::item && *p == '}')) return {p + 1, false};
    if (level == Level::item && p > begin && begins_item(p, end)) return {p, false};
  }
  return {end, true};
}

}  // namespace

ScanResult scan(const std::shared_ptr<const SourceFile>& file, Diagnostics& diagnostics) {
  return Scanner(file, diagnostics).run();
}

namespace {

// Behind `for PROGRAM on CALLABLE`, each of which may be missing.
const char* past_scheduled(const char* p, const char* end) {
  for (const std::string_view word : {"for", "on"}) {
    const char* stop = name_end(p, end);
    if (between(p, stop) != word) continue;
    const char* name = skip_blank(stop, end);
    const char* after = word == "for" ? module_path_end(name, end) : symbol_name_end(name, end);
    p = skip_blank(after == name ? name_end(name, end) : after, end);
  }
  return p;
}

}  // namespace

bool begins_top_declaration(const char* p, const char* end) {
  const char* stop = name_end(p, end);
  if (stop == p || !is_one_of(between(p, stop), top_words)) return false;
  const char* name = skip_blank(stop, end);
  const char* after = name_end(name, end);
  if (after == name) return false;
  const char* equals = skip_blank(after, end);
  if (between(p, stop) == "schedule") equals = past_scheduled(equals, end);
  return equals != end && symbol_end(equals, end) == equals + 1 && *equals == '=';
}

Resumption resume_statement(const char* begin, const char* error, const char* end) {
  return resume(begin, error, end, Level::statement);
}

Resumption resume_item(const char* begin, const char* error, const char* end) {
  return resume(begin, error, end, Level::item);
}

const char* resume_top(const char* begin, const char* error, const char* end) {
  for (const char* p = skip_blank(begin, end); p != end; p = skip_blank(token_end(p, end), end)) {
    if (p >= error && p > begin && begins_top_declaration(p, end)) return p;
  }
  return end;
}

}  // namespace rhopsi::syntax
