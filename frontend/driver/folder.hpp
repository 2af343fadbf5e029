// Folders that appear whole or not at all.
#pragma once

#include <string>
#include <vector>

#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

struct TextFile {
  std::string name;  // relative to the folder; may hold `/`
  std::string text;
  std::string origin = {};  // the file that it was read from, if it was
};

// Writes the files aside, next to `folder`, and then moves them to their places: a folder
// that did not exist (or was empty) appears at once with all files, and one that holds only what
// this function has written is exchanged at once. Where others put files too, these stay, files
// whose text changed are replaced one by one, those that are no longer wanted are removed, and
// there is no CMakeLists.txt meanwhile. Files that do not change keep their times.
// `.rhopsi-folder` in it lists what was written. Without `force`, a folder with other
// contents is refused (E0831). If writing fails (E0832, E0830), nothing has changed.
bool write_folder(const std::string& folder, const std::vector<TextFile>& files, bool force,
                  syntax::Diagnostics& diagnostics);

// A folder for the user to go on with, which appears at once and is nobody's afterwards. One that
// exists is refused (E0831).
bool create_folder(const std::string& folder, const std::vector<TextFile>& files,
                   syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
