// Lines of what is emitted, and names and strings as parts of them.
#pragma once

#include <string>

namespace rhopsi::kokkos {

// As a literal of C++.
std::string quoted(const std::string& text);

// A name or a path as part of a comment of C, C++ or Python: without what ends a comment or a line,
// goes on with it in the next one, or shows it in another order. Names and paths are the user's,
// and may hold anything. Linear.
std::string in_comment(const std::string& text);

// Is this identifier a word of that C++, outside of its literals and comments? Linear.
bool mentions(const std::string& code, const std::string& identifier);

// Lines, indented by two columns per level and wrapped at 100. A line that begins with `// ` is one
// comment, whatever is in it.
class Text {
 public:
  void line(const std::string& text);
  void blank() { text_ += '\n'; }
  void raw(const std::string& text) { text_ += text; }  // `#include`: no indentation
  void open(const std::string& text) {
    line(text);
    ++depth;
  }
  void close(const std::string& text = "}") {
    --depth;
    line(text);
  }
  int depth = 0;
  const std::string& str() const { return text_; }

 private:
  std::string text_;
};

}  // namespace rhopsi::kokkos
