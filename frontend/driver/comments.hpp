// What the author of a declaration has written above it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// Of one file: of each declaration, by the line that it begins on, its text and what stands above
// it in `//` comments; where that is nothing, above the module that it is in. Nothing for a file
// that cannot be parsed.
struct Written {
  std::string text;
  std::string comment;
};
std::map<std::uint32_t, Written> declarations(std::shared_ptr<const syntax::SourceFile> file);

// The `//` lines that end right above a line, without these signs; each ends in a newline.
std::string comment_above(const syntax::SourceFile& file, std::uint32_t line);

// What stands there, less the indentation of its first line. It ends in a newline.
std::string declared_text(const syntax::SourceFile& file, const syntax::Span& span);

}  // namespace rhopsi::driver
