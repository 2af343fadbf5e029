// What is looked at before and beside the grammar: the bytes, the brackets, and
// where to go on after an error.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/syntax/source.hpp"

namespace rhopsi::syntax {

inline constexpr std::size_t largest_text = std::size_t{64} << 20;
inline constexpr int deepest_nesting = 2000;
inline constexpr std::size_t most_errors = 100;

// A stretch of the text whose brackets do not match. Its syntax errors would be
// consequences, so they are not reported.
struct Damage {
  std::uint32_t begin;
  std::uint32_t end;
};

struct ScanResult {
  bool readable = true;  // false: do not run the grammar at all
  std::vector<Damage> damage;
};

// Reports invalid UTF-8 (E0101), a file without text (E0102), open comments (E0103),
// brackets nested too deep (E0104), a file too large (E0105), brackets that do not
// match (E0106) and control characters (E0109). Linear in the text.
ScanResult scan(const std::shared_ptr<const SourceFile>& file, Diagnostics& diagnostics);

// Whether `concept NAME =` or one of its like begins at `p`.
bool begins_top_declaration(const char* p, const char* end);

// Where parsing goes on after an error at `error` in something that began at
// `begin`. `lost` is set where the enclosing brackets cannot be found again: the
// place is then the next top-level declaration or the end.
struct Resumption {
  const char* place;
  bool lost = false;
};
// After the `;` of the statement, or before the `}` that closes its block.
Resumption resume_statement(const char* begin, const char* error, const char* end);
// After the item's `;` or block, before the next item, or before the body's `}`.
Resumption resume_item(const char* begin, const char* error, const char* end);
// At the next top-level declaration after `error`, or at the end.
const char* resume_top(const char* begin, const char* error, const char* end);

}  // namespace rhopsi::syntax
