// A theory from the text of a module body: types and callables are entered as they
// stand, without merging or renaming, and bodies are elaborated against them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/term/operations.hpp"
#include "engine/term/theory.hpp"
#include "frontend/elaborate/body.hpp"
#include "frontend/syntax/parse.hpp"

namespace rhopsi::elaborate::test {

struct Elaborated {
  term::Theory theory;
  syntax::Diagnostics diagnostics;
};

// `body` is what stands between the braces of a module.
Elaborated elaborate(term::Store& store, std::string_view body);
// A whole package with one module whose body holds no `use`.
Elaborated elaborate_package(term::Store& store, const std::string& text);

// The codes of the errors, in order, separated by blanks.
std::string codes(const syntax::Diagnostics& diagnostics);
// All messages, for failures.
std::string messages(const syntax::Diagnostics& diagnostics);

// Whether the part is in the text.
bool contains(const std::string& text, const std::string& part);

// The callable of that name (the first of it).
const term::Callable* find(const term::Store& store, const term::Theory& theory,
                           std::string_view name);
// Its body as text; "" if there is none.
std::string body_of(const term::Store& store, const term::Theory& theory, std::string_view name);

// Same types, callables and axioms, bodies up to bound variables; what differs, or "".
std::string difference(const term::Store& store, const term::Theory& left,
                       const term::Theory& right);

}  // namespace rhopsi::elaborate::test
