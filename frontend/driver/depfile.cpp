// What a folder is made from, for the build systems of those who emit in theirs.
#include <algorithm>
#include <filesystem>
#include <string_view>

#include "backends/io/atomic_file.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/run.hpp"

namespace rhopsi::driver {
namespace {

// As make and ninja read names: backslashes mean themselves but in front of what they quote.
std::string escaped(const std::string& path) {
  std::string text;
  std::size_t backslashes = 0;
  for (const char c : path) {
    if (c == '$') text += '$';
    if (c == ' ' || c == '#') text.append(backslashes + 1, '\\');
    text += c;
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return text;
}

// What ninja does not read as part of a name, and has no way to quote: such a name would be cut off
// without a word, and a change of the file not seen.
bool fits(const std::string& name) {
  return std::ranges::none_of(name, [](unsigned char c) {
    return c < 0x20 || c == 0x7f ||
           std::string_view("\"'`;*<>|&^").find(char(c)) != std::string_view::npos;
  });
}

}  // namespace

bool write_depfile(const EmitRequest& request, const Emitted& emitted,
                   syntax::Diagnostics& diagnostics) {
  if (request.depfile.empty()) return true;
  const std::string about = request.depfile.substr(0, request.depfile.size() - 2);
  std::vector<std::string> names = emitted.sources;
  names.push_back(std::filesystem::absolute(about).lexically_normal().string());
  for (const std::string& name : names) {
    if (fits(name)) continue;
    diagnostics.error(
        codes::unwritable, {}, "a rule for make and ninja cannot name '" + name + "'",
        "call the folder otherwise: without quotes, ; * < > | & ^ and control characters");
    return false;
  }
  std::string text = escaped(names.back()) + ":";
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
