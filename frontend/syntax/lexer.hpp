// The lexical layer, as functions over raw text: where blanks, names, numbers and
// symbols end. The grammar's terminals and the scan for recovery are built on it.
#pragma once

#include <string_view>

namespace rhopsi::syntax {

// One code point read from `text` at `offset`. A byte that begins no valid UTF-8
// sequence (truncated, overlong, surrogate, beyond U+10FFFF) is read alone.
struct CodePoint {
  char32_t value;
  unsigned length;
  bool valid;
};
CodePoint decode(std::string_view text, std::size_t offset);

bool is_name_start(char32_t c);  // letter, number of any script, `_`
bool is_name_part(char32_t c);   // the same and combining marks
bool is_blank(char32_t c);       // white space of any script
bool is_symbol(char c);          // what operators are made of
bool is_control(char32_t c);     // neither printable nor blank
// Columns the character takes on a terminal: 0, 1 or 2.
unsigned display_width(char32_t c);

// Each function below returns the end of what it looks for at `p`, or `p` itself
// where it is not there. All are linear in what they pass over.

// Blanks, comments, and bytes that were already reported as unreadable.
const char* skip_blank(const char* p, const char* end);
// One comment. `*terminated`, where given, tells whether it was closed.
const char* comment_end(const char* p, const char* end, bool* terminated = nullptr);
const char* name_end(const char* p, const char* end);
// Names joined by `.`, each with `-` allowed inside.
const char* path_end(const char* p, const char* end);
// The same, but for a name alone, in which `-` is the symbol: packages lie in folders, modules do
// not.
const char* module_path_end(const char* p, const char* end);
// `_+_`, `-_`, ...
const char* symbol_name_end(const char* p, const char* end);
// The longest run of symbol characters that holds no start of a comment.
const char* symbol_end(const char* p, const char* end);
// A decimal: `2.5`, `1.5e-3`, `1e5`. Not `2`, `2.`, `0..n`, `3D`.
const char* real_end(const char* p, const char* end);

bool is_all_digits(std::string_view text);

}  // namespace rhopsi::syntax
