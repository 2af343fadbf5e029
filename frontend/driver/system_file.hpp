// Texts of rewriting systems and of terms, from files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// The text of a file, with lines that end in LF, and without a byte order mark: a CR that is the
// whole end of a line counts as one, so that places and comments are what the author sees. Nothing
// after an error: E0401 with what the system says, E0105 for one of more than `most` bytes. Linear.
std::shared_ptr<const syntax::SourceFile> system_file(const std::string& path, std::uint64_t most,
                                                      syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
