// Documents that know where their lines may be broken: what the printer builds, and
// what decides which of the breaks are taken. The algorithm is Oppen's in the form
// with groups: a group stands on one line where it fits, else its breaks are taken.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rhopsi::syntax {

// Columns by which what stands inside a block, and the rest of a broken line, is moved.
inline constexpr int indentation = 2;
inline constexpr int continuation = 4;

class Layout {
 public:
  // A document, by its place in this layout. Children come before parents.
  using Doc = std::uint32_t;

  Doc text(std::string text);
  Doc concat(std::vector<Doc> parts);
  Doc space();      // a blank, or an end of line
  Doc soft();       // nothing, or an end of line
  Doc hard_line();  // always an end of line
  Doc indent(int columns, Doc inner);
  Doc group(Doc inner);
  // The next member of a list or a chain: on the same line where it fits, behind a
  // blank or not, else on the next line.
  Doc next(bool blank, Doc member);

  // The text of `root`, its lines at most `width` columns wide where that can be.
  // Linear in the document; not recursive.
  std::string render(Doc root, unsigned width) const;

 private:
  enum class Kind : std::uint8_t { text, concat, space, soft, hard_line, indent, group };
  struct Node {
    Kind kind;
    int columns = 0;          // of an indent
    std::uint32_t width = 0;  // on one line; `endless` with a hard line inside
    std::uint32_t first = 0;  // into texts_ or parts_
    std::uint32_t count = 0;
  };
  static constexpr std::uint32_t endless = 1u << 30;

  Doc add(Node node);

  std::vector<Node> nodes_;
  std::vector<std::string> texts_;
  std::vector<Doc> parts_;
};

}  // namespace rhopsi::syntax
