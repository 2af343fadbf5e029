// What a folder is made from, for the build systems of those who emit in theirs.
#include <filesystem>

#include "backends/io/atomic_file.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/run.hpp"

namespace rhopsi::driver {
namespace {

// As make reads names.
std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == '$') text += '$';
    if (c == ' ' || c == '#') text += '\\';
    text += c;
  }
  return text;
}

}  // namespace

bool write_depfile(const EmitRequest& request, const Emitted& emitted,
                   syntax::Diagnostics& diagnostics) {
  if (request.depfile.empty()) return true;
  const std::string about = request.depfile.substr(0, request.depfile.size() - 2);
  std::string text = escaped(std::filesystem::absolute(about).lexically_normal().string()) + ":";
  for (const std::string& source : emitted.sources) text += " \\\n  " + escaped(source);
  try {
    io::AtomicFile file(request.depfile);
    file.write(text + "\n");
    file.commit();
    return true;
  } catch (const io::Error& error) {
    diagnostics.error(codes::unwritable, {}, error.what(),
                      "its folder must be one that you may write to");
  }
  return false;
}

}  // namespace rhopsi::driver
