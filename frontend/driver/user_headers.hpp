// The C++ headers that a program's externals name.
#pragma once

#include <string>
#include <vector>

#include "engine/onf/form.hpp"
#include "frontend/driver/folder.hpp"
#include "frontend/driver/session.hpp"

namespace rhopsi::driver {

// Every header of the module's externals, and what these include by `#include "..."`, as
// files of the emitted folder, so that it stands alone and its digest covers them. A
// header is searched beside the specification that declares the external, below the
// folders of `include`, and on the search path (E0846).
std::vector<TextFile> user_headers(Session& session, const onf::Module& module,
                                   const std::vector<std::string>& include,
                                   syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
