// Where the command finds what belongs to it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rhopsi::driver {

// The folder of the running executable; empty if the system does not tell.
std::filesystem::path executable_folder();

// <prefix>/share/rhopsi for an installed command, whether or not it exists.
std::filesystem::path installed_share();

// The rule library: the installed one where it exists, else the source tree's.
std::filesystem::path rule_library();

// The folders searched for imported packages after the importing package's own root:
// `include` (-I) in order, the folders of RHOPSI_PATH (colons between them, empty parts
// skipped), and the rule library.
std::vector<std::string> search_path(const std::vector<std::string>& include);

// Is it a file of the rule library?
bool in_rule_library(const std::string& path);

// A file as text for readers, the same on every machine where that can be: `rules/moa/dnf.mg`
// for a file of the rule library, else `path` or, if that is shorter, its name from the current
// folder.
std::string shown_path(const std::string& path);

// All .mg files at or below `path`, sorted bytewise; hidden folders and build folders
// (those with a CMakeCache.txt) are left out. A file is returned as it is. Unreadable
// folders below are skipped. Empty if `path` does not exist.
std::vector<std::string> source_files(const std::string& path);

}  // namespace rhopsi::driver
