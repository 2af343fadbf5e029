// Readers and the printer of first-order rewriting systems.
//
//   ARI     (format TRS) (fun f 2) (rule (f x y) x)
//   older   (VAR x y) (RULES f(x, y) -> x), or strings: (RULES a b -> b a)
//
// What a text states beyond a first-order system with a strategy (conditions, equations, relative
// rules, higher order, ...) is refused and not dropped: an answer would be about another problem.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "frontend/syntax/source.hpp"
#include "frontend/trs/system.hpp"

namespace rhopsi::trs {

// Either format, told apart by the text. Nothing after an error.
std::optional<System> read(const std::shared_ptr<const syntax::SourceFile>& file,
                           syntax::Diagnostics& diagnostics);

std::optional<System> read_ari(const std::shared_ptr<const syntax::SourceFile>& file,
                               syntax::Diagnostics& diagnostics);
std::optional<System> read_wst(const std::shared_ptr<const syntax::SourceFile>& file,
                               syntax::Diagnostics& diagnostics);

// As ARI, which `read` accepts again and which then gives the same system.
std::string print(const System& system);
std::string print(const System& system, const Rule& rule, const Term& term);

}  // namespace rhopsi::trs
