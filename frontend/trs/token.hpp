// Tokens of the formats for rewriting systems: brackets and words.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "frontend/syntax/source.hpp"

namespace rhopsi::trs {

struct Token {
  enum class Kind { open, close, comma, bar, word, quoted, end };
  Kind kind = Kind::end;
  std::string text;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool is(Kind other) const { return kind == other; }
  bool is_word(const char* spelling) const { return kind == Kind::word && text == spelling; }
};

inline bool blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// S-expressions with comments from `;` to the end of the line and |quoted words|.
std::vector<Token> ari_tokens(const std::shared_ptr<const syntax::SourceFile>& file,
                              syntax::Diagnostics& diagnostics);
// Words end at `->`, `->=` and `==` too, which are words of their own; "texts" are quoted words.
std::vector<Token> wst_tokens(const std::shared_ptr<const syntax::SourceFile>& file);

}  // namespace rhopsi::trs
