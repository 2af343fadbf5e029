#include "frontend/syntax/lexer.hpp"

#include <algorithm>

#include <boost/spirit/home/support/char_encoding/unicode/query.hpp>

#include "frontend/syntax/operators.hpp"

namespace rhopsi::syntax {

namespace ucd = boost::spirit::ucd;

namespace {

bool is_ascii_letter(char32_t c) { return (c | 0x20) >= U'a' && (c | 0x20) <= U'z'; }
bool is_ascii_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

std::size_t remaining(const char* p, const char* end) { return static_cast<std::size_t>(end - p); }

bool starts_with(const char* p, const char* end, std::string_view what) {
  return remaining(p, end) >= what.size() && std::string_view(p, what.size()) == what;
}

bool name_continues(const char* p, const char* end) {
  if (p == end) return false;
  const CodePoint c = decode({p, remaining(p, end)}, 0);
  return c.valid && is_name_part(c.value);
}

const char* digits_end(const char* p, const char* end) {
  while (p != end && is_ascii_digit(static_cast<unsigned char>(*p))) ++p;
  return p;
}

const char* exponent_end(const char* p, const char* end) {
  if (p == end || (*p != 'e' && *p != 'E')) return p;
  const char* digits = p + 1;
  if (digits != end && (*digits == '-' || *digits == '+')) ++digits;
  const char* stop = digits_end(digits, end);
  return stop == digits ? p : stop;
}

const char* path_component_end(const char* p, const char* end) {
  const char* stop = name_end(p, end);
  if (stop == p) return p;
  while (stop != end && *stop == '-') {
    const char* next = name_end(stop + 1, end);
    if (next == stop + 1) break;
    stop = next;
  }
  return stop;
}

}  // namespace

CodePoint decode(std::string_view text, std::size_t offset) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const unsigned length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  const CodePoint broken{lead, 1, false};
  if (lead < 0xC2 || lead > 0xF4 || text.size() - offset < length) return broken;
  char32_t value = lead & (0xFFu >> (length + 1));
  for (unsigned i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return broken;
    value = (value << 6) | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return broken;
  return {value, length, true};
}

bool is_name_start(char32_t c) {
  if (c < 0x80) return is_ascii_letter(c) || is_ascii_digit(c) || c == U'_';
  const auto category = ucd::get_major_category(c);
  return category == ucd::properties::letter || category == ucd::properties::number;
}

bool is_name_part(char32_t c) {
  if (c < 0x80) return is_name_start(c);
  return is_name_start(c) || ucd::get_major_category(c) == ucd::properties::mark;
}

bool is_blank(char32_t c) {
  if (c < 0x80) return c == U' ' || (c >= U'\t' && c <= U'\r');
  return ucd::is_white_space(c) || c == 0xFEFF;
}

bool is_symbol(char c) {
  return std::string_view("!#$%&*+-./<=>?@\\^|~").find(c) != std::string_view::npos;
}

bool is_control(char32_t c) {
  if (c < 0x20 || c == 0x7F) return !is_blank(c);
  if (c < 0x80) return false;
  const auto category = ucd::get_category(c);
  return (category == ucd::properties::control || category == ucd::properties::format) &&
         !is_blank(c);
}

unsigned display_width(char32_t c) {
  if (c < 0x300) return 1;
  if (ucd::get_major_category(c) == ucd::properties::mark) return 0;
  struct Range {
    char32_t first, last;
  };
  // Blocks that terminals draw in two columns.
  static constexpr Range wide[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
                                   {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                                   {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};
  const bool is_wide = std::any_of(std::begin(wide), std::end(wide),
                                   [&](Range r) { return c >= r.first && c <= r.last; });
  return is_wide ? 2 : 1;
}

const char* comment_end(const char* p, const char* end, bool* terminated) {
  if (terminated) *terminated = true;
  if (starts_with(p, end, "//")) return std::find(p, end, '\n');
  if (!starts_with(p, end, "/*")) return p;
  if (!starts_with(p, end, "/*<")) {
    const std::string_view text(p, remaining(p, end));
    const std::size_t close = text.find("*/", 2);
    if (close != std::string_view::npos) return p + close + 2;
    if (terminated) *terminated = false;
    return end;
  }
  int open = 1;
  const char* at = p + 3;
  while (at != end && open > 0) {
    if (*at == '/' && starts_with(at, end, "/*<")) {
      ++open;
      at += 3;
    } else if (*at == '>' && starts_with(at, end, ">*/")) {
      --open;
      at += 3;
    } else {
      ++at;
    }
  }
  if (terminated) *terminated = open == 0;
  return at;
}

const char* skip_blank(const char* p, const char* end) {
  while (p != end) {
    const unsigned char lead = static_cast<unsigned char>(*p);
    if (lead == '/') {
      const char* stop = comment_end(p, end);
      if (stop == p) return p;
      p = stop;
    } else if (lead <= 0x20 || lead == 0x7F) {
      ++p;
    } else if (lead < 0x80) {
      return p;
    } else {
      const CodePoint c = decode({p, remaining(p, end)}, 0);
      if (c.valid && !is_blank(c.value) && !is_control(c.value)) return p;
      p += c.length;
    }
  }
  return p;
}

const char* name_end(const char* p, const char* end) {
  bool first = true;
  while (p != end) {
    const unsigned char lead = static_cast<unsigned char>(*p);
    if (lead < 0x80) {
      if (!is_name_start(lead)) break;
      first = false;
      ++p;
      continue;
    }
    const CodePoint c = decode({p, remaining(p, end)}, 0);
    if (!c.valid || !(first ? is_name_start(c.value) : is_name_part(c.value))) break;
    first = false;
    p += c.length;
  }
  return p;
}

const char* path_end(const char* p, const char* end) {
  const char* stop = path_component_end(p, end);
  if (stop == p) return p;
  while (stop != end && *stop == '.') {
    const char* next = path_component_end(stop + 1, end);
    if (next == stop + 1) break;
    stop = next;
  }
  return stop;
}

const char* module_path_end(const char* p, const char* end) {
  const char* stop = path_end(p, end);
  return std::find(p, stop, '.') == stop ? name_end(p, end) : stop;
}

const char* symbol_name_end(const char* p, const char* end) {
  const char* stop = p;
  while (stop != end && is_symbol(*stop)) ++stop;
  if (stop == p && stop != end && *stop == '_') {
    ++stop;
    while (stop != end && is_symbol(*stop)) ++stop;
  }
  if (stop == end || *stop != '_') return p;
  ++stop;
  if (!is_symbol_name({p, remaining(p, stop)}) || name_continues(stop, end)) return p;
  return stop;
}

const char* symbol_end(const char* p, const char* end) {
  const char* stop = p;
  while (stop != end && is_symbol(*stop)) {
    if (*stop == '/' && (starts_with(stop, end, "//") || starts_with(stop, end, "/*"))) break;
    ++stop;
  }
  return stop;
}

const char* real_end(const char* p, const char* end) {
  const char* whole = digits_end(p, end);
  if (whole == p) return p;
  const char* stop = whole;
  if (stop != end && *stop == '.') {
    const char* fraction = digits_end(stop + 1, end);
    if (fraction == stop + 1) return p;
    stop = fraction;
  }
  stop = exponent_end(stop, end);
  if (stop == whole || name_continues(stop, end)) return p;
  return stop;
}

bool is_all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_ascii_digit(static_cast<unsigned char>(c));
  });
}

}  // namespace rhopsi::syntax
