// A text as the formatter sees it: tokens and comments with what stands before them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace rhopsi::syntax {

struct LayoutToken {
  enum class Kind {
    name,    // a name, a number, `_+_`, a path: something that is or ends an operand
    symbol,  // an operator
    mark,    // one of ( ) [ ] { } , ; : and . .. ...
    comment,
  };
  Kind kind;
  std::string_view text;
  bool first = false;       // of its line
  bool after_gap = false;   // an empty line stands before it
  std::size_t blanks = 0;   // columns before it, since the token before or the begin of the line
  std::size_t column = 0;   // of its line
  std::size_t partner = 0;  // of a bracket, the number of the other one; its own without one

  bool is(std::string_view wanted) const { return kind != Kind::comment && text == wanted; }
  bool opens() const { return is("(") || is("[") || is("{"); }
  bool closes() const { return is(")") || is("]") || is("}"); }
};

// The column behind a text that begins in that column.
std::size_t end_column(std::size_t column, std::string_view text);

std::vector<LayoutToken> layout_tokens(std::string_view text);

}  // namespace rhopsi::syntax
