// The version of the command, as the build files state it.
#pragma once

namespace rhopsi::cli {

inline constexpr const char* version = RHOPSI_VERSION;

}  // namespace rhopsi::cli
