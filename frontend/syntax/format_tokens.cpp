#include "frontend/syntax/format_tokens.hpp"

#include "frontend/syntax/lexer.hpp"

namespace rhopsi::syntax {
namespace {

using Kind = LayoutToken::Kind;

constexpr std::size_t tab = 8;

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    count += display_width(c.value);
    at += c.length;
  }
  return count;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  std::vector<LayoutToken> run() {
    for (skip_blanks(); at_ != end_; skip_blanks()) add(read());
    match();
    return std::move(tokens_);
  }

 private:
  void skip_blanks() {
    while (at_ != end_) {
      const CodePoint c = decode({at_, static_cast<std::size_t>(end_ - at_)}, 0);
      if (!c.valid || !is_blank(c.value)) return;
      if (c.value == U'\n') {
        ++lines_;
        column_ = 0;
        blanks_ = 0;
      } else if (c.value != U'\r' && c.value != 0xFEFF) {
        const std::size_t width = c.value == U'\t' ? tab - column_ % tab : 1;
        column_ += width;
        blanks_ += width;
      }
      at_ += c.length;
    }
  }

  struct Read {
    Kind kind;
    const char* end;
  };

  Read read() {
    if (const char* stop = comment_end(at_, end_); stop != at_) return {Kind::comment, stop};
    if (last_ == "external" && name_end(at_, end_) != at_) return {Kind::name, backend_end()};
    if (const char* stop = attributes_end(at_); after_backend_ && stop != at_) {
      return {Kind::name, stop};
    }
    if (const char* stop = path_end(at_, end_); stop != at_) {
      // Anywhere else `a-b` is a difference, and `a-b.c` a path.
      const std::string_view path(at_, static_cast<std::size_t>(stop - at_));
      const bool dotted = path.find('-') != path.npos && path.find('.') != path.npos;
      if (in_head_ || after_backend_ || dotted) return {Kind::name, stop};
    }
    if (const char* stop = real_end(at_, end_); stop != at_) return {Kind::name, stop};
    if (const char* stop = symbol_name_end(at_, end_); stop != at_ && is_whole(stop)) {
      return {Kind::name, stop};
    }
    if (const char* stop = qualified_end(); stop != at_) return {Kind::name, stop};
    if (const char* stop = symbol_end(at_, end_); stop != at_) return {Kind::symbol, stop};
    const char* stop = at_ + 1;
    while (*at_ == '.' && stop != end_ && *stop == '.') ++stop;
    while (stop != end_ && (static_cast<unsigned char>(*stop) & 0xC0) == 0x80) ++stop;
    return {Kind::mark, stop};
  }

  // `-_` of `-_(x)`, and not of `-_+_(x, y)` or `-_x`.
  bool is_whole(const char* stop) const {
    return stop == end_ || !(is_symbol(*stop) || name_end(stop, end_) != stop);
  }

  // `moa.dnf.DNFRules`, and not `0..n`.
  const char* qualified_end() const {
    const char* stop = name_end(at_, end_);
    if (stop == at_) return stop;
    while (stop != end_ && *stop == '.') {
      const char* next = name_end(stop + 1, end_);
      if (next == stop + 1) break;
      stop = next;
    }
    return stop;
  }

  // `C++`, `CUDA[...]`.
  const char* backend_end() const {
    const char* stop = at_ + 1;
    while (stop != end_ && *stop != '[' && static_cast<unsigned char>(*stop) > 0x20) ++stop;
    return attributes_end(stop);
  }

  // Of what stands in brackets behind the backend, where nothing is changed.
  const char* attributes_end(const char* p) const {
    if (p == end_ || *p != '[') return p;
    int open = 0;
    for (const char* at = p; at != end_; ++at) {
      open += *at == '[' ? 1 : *at == ']' ? -1 : 0;
      if (open == 0) return at + 1;
    }
    return p;
  }

  void add(Read read) {
    LayoutToken token{read.kind, {at_, static_cast<std::size_t>(read.end - at_)}};
    if (token.kind == Kind::comment) {
      while (token.text.back() == '\r' || token.text.back() == ' ' || token.text.back() == '\t')
        token.text.remove_suffix(1);
    }
    token.first = tokens_.empty() || lines_ > 0;
    token.after_gap = !tokens_.empty() && lines_ > 1;
    token.blanks = blanks_;
    token.column = column_;
    if (token.kind != Kind::comment) {
      after_backend_ = last_ == "external" || (after_backend_ && token.text.front() == '[');
      last_ = token.text;
      in_head_ = (in_head_ || token.is("package")) && !token.is(";") && !head_done_;
      head_done_ = head_done_ || token.is(";");
    }
    tokens_.push_back(token);
    column_ = end_column(column_, token.text);
    lines_ = 0;
    blanks_ = 0;
    at_ = read.end;
  }

  void match() {
    std::vector<std::size_t> open;
    for (std::size_t k = 0; k < tokens_.size(); ++k) {
      tokens_[k].partner = k;
      if (tokens_[k].opens()) open.push_back(k);
      if (!tokens_[k].closes() || open.empty()) continue;
      tokens_[k].partner = open.back();
      tokens_[open.back()].partner = k;
      open.pop_back();
    }
  }

  const char* at_;
  const char* end_;
  std::size_t lines_ = 0;
  std::size_t column_ = 0;
  std::size_t blanks_ = 0;
  std::string_view last_;  // token that is no comment
  bool in_head_ = false;
  bool head_done_ = false;
  bool after_backend_ = false;
  std::vector<LayoutToken> tokens_;
};

}  // namespace

std::size_t end_column(std::size_t column, std::string_view text) {
  const auto newline = text.rfind('\n');
  return newline == std::string_view::npos ? column + columns(text)
                                           : columns(text.substr(newline + 1));
}

std::vector<LayoutToken> layout_tokens(std::string_view text) { return Lexer(text).run(); }

}  // namespace rhopsi::syntax
