// Text to syntax tree.
#pragma once

#include <memory>
#include <optional>

#include "frontend/syntax/ast.hpp"

namespace rhopsi::syntax {

// Parses one package. Every problem goes to `diagnostics`; after a syntax error
// parsing resumes at the next declaration, so that several are reported. The
// package is returned whenever its head could be read, holding the declarations
// that parsed. Never throws on input, whatever its bytes.
// Limits: 64 MiB of text, nesting 2000 deep (E0105, E0104).
std::optional<Package> parse_package(std::shared_ptr<const SourceFile> file,
                                     Diagnostics& diagnostics);

// Parses a single expression (used by tests and by the command line).
ExprPtr parse_expression(std::shared_ptr<const SourceFile> file, Diagnostics& diagnostics);

}  // namespace rhopsi::syntax
