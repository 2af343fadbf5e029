#include "frontend/trs/token.hpp"

#include <array>
#include <string_view>

namespace rhopsi::trs {

namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool at_end() const { return place_ >= text_.size(); }
  char peek() const { return text_[place_]; }
  std::uint32_t place() const { return static_cast<std::uint32_t>(place_); }
  void skip() { ++place_; }
  void skip_line() {
    while (!at_end() && peek() != '\n') ++place_;
  }
  std::string_view rest() const { return text_.substr(place_); }

  void add(Token::Kind kind, std::size_t length) {
    tokens.push_back({kind, std::string(text_.substr(place_, length)), place(),
                      static_cast<std::uint32_t>(place_ + length)});
    place_ += length;
  }

  void finish() { tokens.push_back({Token::Kind::end, "", place(), place()}); }

  std::vector<Token> tokens;

 private:
  std::string_view text_;
  std::size_t place_ = 0;
};

void quoted_word(Scanner& scanner, const std::shared_ptr<const syntax::SourceFile>& file,
                 syntax::Diagnostics& diagnostics) {
  const std::uint32_t begin = scanner.place();
  const std::size_t close = scanner.rest().find('|', 1);
  if (close == std::string_view::npos) {
    diagnostics.error("E0130", {file, begin, begin + 1}, "a quoted name is never closed",
                      "close it with |");
    while (!scanner.at_end()) scanner.skip();
    return;
  }
  scanner.add(Token::Kind::quoted, close + 1);
  std::string& text = scanner.tokens.back().text;
  text = text.substr(1, text.size() - 2);
}

// The length of a string in quotation marks, with them, or of the lone mark that begins none.
std::size_t string_length(std::string_view text) {
  const std::size_t close = text.find_first_of("\"\n", 1);
  const bool closed = close != std::string_view::npos && text[close] == '"';
  return closed ? close + 1 : 1;
}

// The length of an arrow or equality sign that the text begins with; 0 if there is none.
std::size_t relation(std::string_view text) {
  for (std::string_view each : std::array<std::string_view, 3>{"->=", "->", "=="}) {
    if (text.starts_with(each)) return each.size();
  }
  return 0;
}

}  // namespace

std::vector<Token> ari_tokens(const std::shared_ptr<const syntax::SourceFile>& file,
                              syntax::Diagnostics& diagnostics) {
  Scanner scanner(file->text());
  while (!scanner.at_end()) {
    const char c = scanner.peek();
    if (blank(c)) {
      scanner.skip();
    } else if (c == ';') {
      scanner.skip_line();
    } else if (c == '(' || c == ')') {
      scanner.add(c == '(' ? Token::Kind::open : Token::Kind::close, 1);
    } else if (c == '|') {
      quoted_word(scanner, file, diagnostics);
    } else if (c == '"' && string_length(scanner.rest()) > 1) {  // of metadata
      scanner.add(Token::Kind::word, string_length(scanner.rest()));
    } else {
      std::size_t length = 0;
      const std::string_view rest = scanner.rest();
      while (length < rest.size() && !blank(rest[length]) && rest[length] != '(' &&
             rest[length] != ')' && rest[length] != ';') {
        ++length;
      }
      scanner.add(Token::Kind::word, length);
    }
  }
  scanner.finish();
  return std::move(scanner.tokens);
}

std::vector<Token> wst_tokens(const std::shared_ptr<const syntax::SourceFile>& file) {
  Scanner scanner(file->text());
  while (!scanner.at_end()) {
    const char c = scanner.peek();
    const std::string_view rest = scanner.rest();
    if (blank(c)) {
      scanner.skip();
    } else if (c == '(' || c == ')') {
      scanner.add(c == '(' ? Token::Kind::open : Token::Kind::close, 1);
    } else if (c == ',') {
      scanner.add(Token::Kind::comma, 1);
    } else if (c == '|') {
      scanner.add(Token::Kind::bar, 1);
    } else if (c == '"') {
      // A lone quotation mark in a comment quotes nothing.
      const std::size_t length = string_length(rest);
      scanner.add(length > 1 ? Token::Kind::quoted : Token::Kind::word, length);
    } else if (const std::size_t sign = relation(rest)) {
      scanner.add(Token::Kind::word, sign);
    } else {
      std::size_t length = 1;
      while (length < rest.size() && !blank(rest[length]) &&
             std::string_view("(),|\"").find(rest[length]) == std::string_view::npos &&
             relation(rest.substr(length)) == 0) {
        ++length;
      }
      scanner.add(Token::Kind::word, length);
    }
  }
  scanner.finish();
  return std::move(scanner.tokens);
}

}  // namespace rhopsi::trs
