// The stages before the operational form, and the one behind it, as text: what --emit prints of
// them.
#pragma once

#include <optional>
#include <string>

#include "engine/term/theory.hpp"
#include "frontend/driver/request.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// `ast`: the package of the file as it was read, without comments; it parses to the same tree.
std::optional<std::string> print_syntax(Session& session, const EmitRequest& request,
                                        syntax::Diagnostics& diagnostics);

// `terms`: each callable of the program with a body, as one line `name(sorts): sort = term`, every
// name resolved: what it was before the first rule was applied, where the session records steps,
// and otherwise what it has become.
std::string print_terms(Session& session, const term::Theory& program);

// `dnf`: what the rules have made of the program, as a package that `check` accepts.
std::optional<std::string> print_normal_form(Session& session, const term::Theory& program,
                                             syntax::Diagnostics& diagnostics);

// `cxx`: the functions of the emitted folder.
std::optional<std::string> print_cxx(Session& session, const EmitRequest& request,
                                     syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
