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
// that did not exist (or was empty) appears at once with all files; in one that was
// written by this function before, files whose text changed are replaced one by one,
// files that are no longer wanted are removed, and what others put there stays.
// `.rhopsi-folder` in it lists what was written. Without `force`, a folder with other
// contents is refused (E0831). If writing fails (E0832, E0830), nothing has changed.
bool write_folder(const std::string& folder, const std::vector<TextFile>& files, bool force,
                  syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
