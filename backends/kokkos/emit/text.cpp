#include "backends/kokkos/emit/text.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace rhopsi::kokkos {

namespace {

constexpr std::size_t width = 100;

// Where to break a line: a space outside strings, up to `limit`. Behind a comma or an operator
// in the later half of the line it is the one inside the fewest parentheses, else the last.
std::size_t break_before(const std::string& text, std::size_t limit) {
  constexpr std::size_t none = std::string::npos;
  std::size_t good = none;
  std::size_t any = none;
  int depth = 0;
  int depth_of_good = 0;
  bool quoted = text.starts_with('"');
  for (std::size_t k = 1; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '"' && text[k - 1] != '\\') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (c != ' ') continue;
    if (k > limit && (good != none || any != none)) break;
    any = k;
    // A binary operator has a space on both sides; `T& x` has not.
    const bool operation =
        k > 2 && (text[k - 2] == ' ' || text[k - 2] == text[k - 1] || text[k - 1] == '=') &&
        std::string_view("+-*/=?:&|").find(text[k - 1]) != std::string_view::npos;
    if ((text[k - 1] != ',' && !operation) || 2 * k < limit) continue;
    if (good == none || depth <= depth_of_good) {
      good = k;
      depth_of_good = depth;
    }
  }
  return good != none ? good : any;
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {  // three digits: what follows is none of them
      for (int shift = 6; shift >= 0; shift -= 3)
        made +=
            (shift == 6 ? "\\" : "") + std::string(1, static_cast<char>('0' + (byte >> shift & 7)));
      continue;
    }
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + "\"";
}

std::string in_comment(const std::string& text) {
  std::string made;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::string_view three = std::string_view(text).substr(at, 3);
    // U+200E to U+202E and U+2066 to U+2069 turn round what an editor shows, or end its line.
    const bool turns = three.size() == 3 && byte == 0xe2 &&
                       (three.substr(1) == "\x80\x8e" || three.substr(1) == "\x80\x8f" ||
                        (three[1] == '\x80' && three[2] >= '\xa8' && three[2] <= '\xae') ||
                        (three[1] == '\x81' && three[2] >= '\xa6' && three[2] <= '\xa9'));
    if (turns) at += 2;
    made += turns || byte < 0x20 || byte == 0x7f || byte == '\\' ? '?' : text[at];
    if (byte == '*' && at + 1 < text.size() && text[at + 1] == '/') made += ' ';
  }
  return made;
}

bool mentions(const std::string& code, const std::string& identifier) {
  const auto in_word = [&](std::size_t at) {
    return at < code.size() &&
           (std::isalnum(static_cast<unsigned char>(code[at])) != 0 || code[at] == '_');
  };
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code.compare(at, 2, "//") == 0) {
      at = std::min(code.find('\n', at), code.size());
    } else if (code[at] == '"') {
      for (++at; at < code.size() && code[at] != '"'; ++at) at += code[at] == '\\' ? 1 : 0;
    } else if (in_word(at)) {
      std::size_t end = at;
      while (in_word(end)) ++end;
      if (code.compare(at, end - at, identifier) == 0) return true;
      at = end - 1;
    }
  }
  return false;
}

void Text::line(const std::string& text) {
  const bool comment = text.starts_with("// ");
  std::string rest = comment ? in_comment(text) : text;
  std::size_t indent = static_cast<std::size_t>(depth) * 2;
  for (bool first = true;; first = false) {
    const std::string lead =
        std::string(indent + (first || comment ? 0 : 4), ' ') + (!first && comment ? "// " : "");
    const std::size_t at = lead.size() + rest.size() > width
                               ? break_before(rest, width - lead.size())
                               : std::string::npos;
    const bool last = at == std::string::npos || at < 3 || at + 1 >= rest.size();
    text_ += lead + (last ? rest : rest.substr(0, at)) + '\n';
    if (last) return;
    rest.erase(0, at + 1);
  }
}

}  // namespace rhopsi::kokkos
