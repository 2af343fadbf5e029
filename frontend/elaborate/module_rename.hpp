// Renaming of a module's types, callables and axioms.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/elaborate/module.hpp"

namespace rhopsi::elaborate {

// Old name -> new name. All of a block at once, so that swaps work.
using NameMap = std::map<std::string, std::string>;

// Everything in the module that a renaming can name.
std::vector<std::string> declared_names(const term::Store& store, const Module& module);

// The module under new names. Two declarations that become one are merged; nothing is
// returned where that fails (an error was reported, `site` shown with it). Parameters
// become new variables; external blocks are copied, with the original names kept.
// Time is linear in the size of the module.
std::optional<Module> rename(ModuleContext& context, const Module& module, const NameMap& names,
                             const syntax::Span& site);

// A declaration under new names: its own name, types and callees; parameters and
// local variables keep theirs.
std::shared_ptr<const syntax::CallableDecl> rename_declaration(
    const syntax::CallableDecl& declaration, const NameMap& names);

}  // namespace rhopsi::elaborate
