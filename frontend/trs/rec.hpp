// The reader of the format of the rewrite engines competitions.
//
//   REC-SPEC name
//   SORTS Nat
//   CONS  z : -> Nat   s : Nat -> Nat
//   OPNS  add : Nat Nat -> Nat
//   VARS  x y : Nat
//   RULES add(z, y) -> y
//         add(s(x), y) -> s(add(x, y)) if x -><- y and-if x ->/<- z
//   EVAL  add(s(z), z)
//   END-SPEC
//
// `-><-` asks for equal normal forms, `->/<-` for different ones; `%` begins a comment.
// A section may be missing, or stand more than once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/trs/system.hpp"

namespace rhopsi::trs {

struct RecProblem {
  System system;
  std::vector<Term> subjects;  // of EVAL
};

// Whether the text begins as this format does.
bool looks_like_rec(const syntax::SourceFile& file);

// Nothing after an error.
std::optional<RecProblem> read_rec(const std::shared_ptr<const syntax::SourceFile>& file,
                                   syntax::Diagnostics& diagnostics);

// How terms are written that stand alone.
enum class TermSyntax {
  rec,     // as in a REC specification: `%` begins a comment, `->` ends a name
  quoted,  // names of any characters, and |quoted| ones that hold blanks, brackets or commas
};

// One term without variables over the symbols of `system`, as f(a, b). In a system without
// sorts a name that is new becomes a symbol.
std::optional<Term> read_term(const std::shared_ptr<const syntax::SourceFile>& file, System& system,
                              TermSyntax syntax, syntax::Diagnostics& diagnostics);

// A symbol's name as `read_term` reads it under TermSyntax::quoted. Symbols of a REC specification
// have names that are read as they are.
std::string term_name(const std::string& name);

}  // namespace rhopsi::trs
