#include "backends/kokkos/build/runtime_object.hpp"

#include <algorithm>

#include "backends/kokkos/build/cache.hpp"

namespace rhopsi::kokkos {
namespace fs = std::filesystem;
namespace {

bool is_of_runtime(const File& file) {
  const auto& own = runtime_files();
  return std::any_of(own.begin(), own.end(), [&](const File& f) { return f.name == file.name; });
}

// Where the folder's kernels run, as its CMakeLists.txt says; empty if it leaves that to Kokkos.
std::string target_of(const std::vector<File>& files) {
  const std::string begin = "set(RHOPSI_TARGET ";
  for (const File& file : files) {
    const std::size_t at =
        file.name == "CMakeLists.txt" ? file.text.find(begin) : std::string::npos;
    if (at == std::string::npos) continue;
    const std::size_t from = at + begin.size();
    return file.text.substr(from, file.text.find(')', from) - from);
  }
  return {};
}

}  // namespace

std::vector<RuntimeObject> RuntimeObject::of(const std::vector<File>& files,
                                             const BuildOptions& options,
                                             const Installation& kokkos, const Tools& tools) {
  Digest common;
  common.add_part(recipe).add_part("object");
  add_tools(common, options, kokkos, tools);
  common.add_part(target_of(files));
  // Of the headers those that the runtime brings; a program's own are not its business.
  for (const File& file : files) {
    const bool read =
        file.name == "rhopsi_program.cmake" || fs::path(file.name).extension() == ".hpp";
    if (read && is_of_runtime(file)) common.add_part(file.name).add_part(file.text);
  }
  std::vector<RuntimeObject> objects;
  for (const std::string name : {"rhopsi_driver", "rhopsi_kokkos", "rhopsi_pool"}) {
    for (const File& file : files) {
      if (file.name != name + ".cpp" || !is_of_runtime(file)) continue;
      Digest own = common;
      own.add_part(file.name).add_part(file.text);
      objects.push_back(RuntimeObject(name + ".o", own.hex()));
    }
  }
  return objects;
}

bool RuntimeObject::copy_to(const fs::path& folder, const fs::path& cache) const {
  const Result<CacheEntry> entry = CacheEntry::open(cache, key_);
  if (!entry || !entry->valid()) return false;
  std::error_code code;
  fs::create_directories(folder, code);
  fs::copy_file(entry->path() / name_, folder / name_, code);
  return !code;
}

void RuntimeObject::keep(const fs::path& build_folder, const fs::path& cache) const {
  const std::string made = fs::path(name_).stem().string() + ".cpp.o";
  std::error_code code;
  for (fs::recursive_directory_iterator at(build_folder, code), end; !code && at != end;
       at.increment(code)) {
    if (at->path().filename() != made) continue;
    const Result<CacheEntry> entry = CacheEntry::open(cache, key_);
    if (!entry || entry->valid()) return;
    const Result<fs::path> work = entry->begin();
    if (!work) return;
    const fs::path out = *work / "out";
    if (fs::create_directory(out, code) && fs::copy_file(at->path(), out / name_, code))
      (void)entry->store(out);
    entry->clear();
    return;
  }
}

}  // namespace rhopsi::kokkos
