// The words of the format, and its digest.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/term/oracle.hpp"
#include "engine/term/store.hpp"

namespace rhopsi::check {

inline constexpr std::string_view format_name = "rhopsi derivation";
inline constexpr int format_version = 2;

std::string_view word(term::SymbolKind kind);
std::string_view word(term::Control control);
std::string_view word(term::Mode mode);
std::string_view word(term::Arithmetic meaning);
std::string_view word(term::ArrayFunction function);
std::string_view word(term::Basis basis);

std::optional<term::SymbolKind> symbol_kind(std::string_view word);
std::optional<term::Control> control(std::string_view word);
std::optional<term::Mode> mode(std::string_view word);
std::optional<term::Arithmetic> arithmetic(std::string_view word);
std::optional<term::ArrayFunction> array_function(std::string_view word);
std::optional<term::Basis> basis(std::string_view word);

// 16 hexadecimal digits; two texts that differ in one byte have different ones (FNV-1a, 64 bits).
std::string digest(std::string_view text);

// What stands before the digest, which is the last line of a text.
inline constexpr std::string_view digest_key = "\n\"digest\":\"";

}  // namespace rhopsi::check
