// A package of rules as a page for readers: what stands in its file, in its order, and beside each
// module what is known of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/driver/rule_library.hpp"

namespace rhopsi::driver {

// In Markdown: the package's comment and imports; of each declaration its comment and its text; of
// each module its operations with examples, and its axioms, but for definitions, with what `verify`
// has found. `entries` are those of `rules_of`, with examples where there are to be some. Nothing
// for a file that cannot be parsed. Linear in the file and the entries.
std::optional<std::string> rule_page(const std::string& file,
                                     const std::vector<RuleEntry>& entries);

// The name of the package that the file holds; empty for a file that cannot be parsed.
std::string package_in(const std::string& file);

// A table of the packages of the files, with links to their pages and what these begin with.
std::string rule_page_index(const std::vector<std::string>& files,
                            const std::vector<RuleEntry>& entries);

}  // namespace rhopsi::driver
