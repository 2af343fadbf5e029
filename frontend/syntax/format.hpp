// The layout of a specification, as `rhopsi fmt` leaves it.
#pragma once

#include <string>
#include <string_view>

namespace rhopsi::syntax {

// The same tokens and comments, in the same order, on the lines that the author has chosen:
// - a declaration or statement that begins a line is indented by two columns for each brace around
//   it; the lines that go on with it move along with it, so that what stands below each other there
//   still does;
// - one blank between two tokens or none, as is usual; more than one only where the next token
//   stands below or above another one (columns of `==`), or is a comment behind code; products
//   without blanks stay so (`2*x + y`);
// - no blanks at the end of a line, no tabs, at most one empty line in a row, one end of line at
// the
//   end of the text.
//
//   axiom a( x:T ){assert f( x )==x;}   =>   axiom a(x: T) { assert f(x) == x; }
//
// format(format(text)) is format(text). `text` is a package that can be parsed; of anything else
// the result means nothing. Linear in the text but for a few rounds.
std::string format(std::string_view text);

// Only the comments of a text, one a line, without the blanks at the ends of their lines.
std::string comments_of(std::string_view text);

}  // namespace rhopsi::syntax
