#include "backends/kokkos/build/build.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <thread>
#include <utility>

#include <unistd.h>

#include "backends/kokkos/build/cache.hpp"
#include "backends/kokkos/build/digest.hpp"
#include "backends/kokkos/build/process.hpp"

namespace rhopsi::kokkos {
namespace fs = std::filesystem;
namespace {

// Changes whenever the same inputs are to be built in another way.
constexpr const char* recipe = "rhopsi build 2";

tl::unexpected<Error> pass(const Error& error) { return tl::unexpected<Error>(error); }

struct Tools {
  std::string compiler, compiler_version;
  std::string cmake;
  bool ninja = false;
};

Result<Tools> find_tools(const BuildOptions& options) {
  Tools tools;
  tools.compiler = options.compiler;
  if (tools.compiler.empty())
    if (const char* const named = std::getenv("CXX"); named != nullptr) tools.compiler = named;
  if (tools.compiler.empty()) tools.compiler = "c++";
  const auto cmake = find_program("cmake");
  if (!cmake)
    return failure("E0702", "cmake was not found",
                   "Programs are built through CMake 3.16 or newer; scripts/setup installs it.");
  tools.cmake = cmake->string();
  const auto compiler = find_program(tools.compiler);
  const auto version = compiler ? output_of(compiler->string(), {"--version"}) : std::nullopt;
  if (!version)
    return failure("E0702", "the C++ compiler '" + tools.compiler + "' cannot be started",
                   "CXX, or the option for the compiler, names another one.");
  tools.compiler = compiler->string();
  tools.compiler_version = *version;
  tools.ninja = find_program("ninja").has_value();
  return tools;
}

// Relative, plain, and unique: a file can neither leave the folder nor hide another.
Result<void> check_names(const std::vector<File>& files) {
  std::set<std::string> seen;
  for (const File& file : files) {
    const fs::path path(file.name);
    bool plain = !file.name.empty() && path.is_relative() && path.has_filename() &&
                 file.name.find('\0') == std::string::npos;
    for (const fs::path& part : path) plain = plain && part != ".." && part != ".";
    if (!plain) return failure("E0707", "'" + file.name + "' is no name of a file in a folder");
    if (!seen.insert(path.lexically_normal().string()).second)
      return failure("E0707", "the emitted folder holds '" + file.name + "' twice");
  }
  if (seen.count("CMakeLists.txt") == 0)
    return failure("E0707", "the emitted folder holds no CMakeLists.txt");
  return {};
}

// With -march=native the machine is part of what is built.
std::string processor() {
  std::string text;
  std::ifstream cpus("/proc/cpuinfo");
  for (std::string line; std::getline(cpus, line) && !line.empty();)
    if (line.rfind("model name", 0) == 0 || line.rfind("flags", 0) == 0 ||
        line.rfind("Features", 0) == 0 || line.rfind("CPU part", 0) == 0)
      text += line;
  return text;
}

void add_tools(Digest& digest, const BuildOptions& options, const Installation& kokkos,
               const Tools& tools) {
  digest.add_part(kokkos.cmake_dir.string()).add_part(kokkos.version);
  // Tells an installation from one that was built anew in the same place.
  for (const char* const name : {"KokkosConfigCommon.cmake", "KokkosTargets.cmake"}) {
    std::error_code code;
    digest.add_part(contents(kokkos.cmake_dir / name));
    const auto time = fs::last_write_time(kokkos.cmake_dir / name, code);
    digest.add_part(code ? "" : std::to_string(time.time_since_epoch().count()));
  }
  digest.add_part(tools.compiler).add_part(tools.compiler_version);
  for (const std::string& flag : options.flags) digest.add_part(flag);
  for (const char* const name : {"CXXFLAGS", "LDFLAGS"}) {  // CMake reads them
    const char* const value = std::getenv(name);
    digest.add_part(value == nullptr ? "" : value);
  }
}

std::string key_of(const std::vector<File>& files, const BuildOptions& options,
                   const Installation& kokkos, const Tools& tools) {
  Digest digest;
  digest.add_part(recipe);
  add_tools(digest, options, kokkos, tools);
  digest.add_part(options.checked ? "checked" : "").add_part(options.fast_math ? "fast" : "");
  digest.add_part(options.native ? processor() : "");
  if (options.narrow_only) digest.add_part("narrow");
  digest.add_part("files");
  for (const File& file : files) digest.add_part(file.name).add_part(file.text);
  return digest.hex();
}

Result<void> write_files(const std::vector<File>& files, const fs::path& folder) {
  for (const File& file : files) {
    const fs::path path = folder / file.name;
    std::error_code code;
    fs::create_directories(path.parent_path(), code);
    std::ofstream stream(path, std::ios::binary);
    stream.write(file.text.data(), static_cast<std::streamsize>(file.text.size()));
    stream.close();
    if (code || !stream)
      return failure("E0705", "cannot write '" + path.string() + "'", "Is the disk full?");
  }
  return {};
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

// The first errors of a log, with the lines that explain them.
std::string first_errors(const fs::path& log, const fs::path& work) {
  std::ifstream file(log);
  std::string text, last;
  int errors = 0, lines = 0;
  for (std::string line; std::getline(file, line) && lines < 16;) {
    const bool starts =
        line.find("error:") != std::string::npos || line.find(": error") != std::string::npos ||
        line.rfind("CMake Error", 0) == 0 || line.find("undefined reference") != std::string::npos;
    if (starts && ++errors > 3) break;
    if (!line.empty()) last = line;
    if (errors == 0) continue;
    text += line + "\n";
    ++lines;
  }
  if (errors == 0) text = last + "\n";
  replace_all(text, (work / "source").string() + "/", "");
  replace_all(text, work.string() + "/", "");
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// A source of the runtime, compiled: it is the same for all programs that run in the same place,
// and is kept like a program.
class RuntimeObject {
 public:
  // Those of the folder that rhopsi_program.cmake compiles once for all targets of a project.
  static std::vector<RuntimeObject> of(const std::vector<File>& files, const BuildOptions& options,
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

  // A copy of it comes to `folder`; false where nobody has compiled it yet.
  bool copy_to(const fs::path& folder, const fs::path& cache) const {
    const Result<CacheEntry> entry = CacheEntry::open(cache, key_);
    if (!entry || !entry->valid()) return false;
    std::error_code code;
    fs::create_directories(folder, code);
    fs::copy_file(entry->path() / name_, folder / name_, code);
    return !code;
  }

  // Keeps what CMake has compiled in that folder. Whoever fails to has lost nothing but time.
  void keep(const fs::path& build_folder, const fs::path& cache) const {
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

 private:
  RuntimeObject(std::string name, std::string key) : name_(std::move(name)), key_(std::move(key)) {}

  static bool is_of_runtime(const File& file) {
    const auto& own = runtime_files();
    return std::any_of(own.begin(), own.end(), [&](const File& f) { return f.name == file.name; });
  }

  // Where the folder's kernels run, as its CMakeLists.txt says; empty if it leaves that to Kokkos.
  static std::string target_of(const std::vector<File>& files) {
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

  std::string name_, key_;
};

// One build, in a folder of its own.
class Building {
 public:
  Building(const CacheEntry& entry, fs::path work, const Tools& tools)
      : entry_(entry), work_(std::move(work)), tools_(tools), log_(work_ / "log") {}

  Result<void> make(const std::vector<File>& files, const BuildOptions& options,
                    const Installation& kokkos) {
    if (auto written = write_files(files, work_ / "source"); !written) return written;
    std::vector<std::string> words = configuration(options, kokkos);
    const fs::path objects = work_ / "objects", cache = entry_.path().parent_path();
    std::vector<RuntimeObject> missing;
    for (const RuntimeObject& object : RuntimeObject::of(files, options, kokkos, tools_))
      if (!object.copy_to(objects, cache)) missing.push_back(object);
    words.push_back("-DRHOPSI_RUNTIME_OBJECTS=" + objects.string());
    if (auto done = cmake(std::move(words), "E0703", "CMake rejects the emitted program"); !done)
      return done;
    if (auto done = cmake({"--build", (work_ / "build").string(), "--parallel", jobs()}, "E0704",
                          "the emitted program does not compile");
        !done)
      return done;
    for (const RuntimeObject& object : missing) object.keep(work_ / "build", cache);
    return entry_.store(work_ / "bin");
  }

 private:
  std::vector<std::string> configuration(const BuildOptions& options,
                                         const Installation& kokkos) const {
    const auto on = [](bool value) { return value ? std::string("ON") : std::string("OFF"); };
    std::vector<std::string> words{"-S",
                                   (work_ / "source").string(),
                                   "-B",
                                   (work_ / "build").string(),
                                   "-G",
                                   tools_.ninja ? "Ninja" : "Unix Makefiles",
                                   "-DCMAKE_BUILD_TYPE=Release",
                                   "-DCMAKE_CXX_COMPILER=" + tools_.compiler,
                                   "-DKokkos_DIR=" + kokkos.cmake_dir.string(),
                                   "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=" + (work_ / "bin").string(),
                                   "-DRHOPSI_CHECKED=" + on(options.checked),
                                   "-DRHOPSI_FAST_MATH=" + on(options.fast_math),
                                   "-DRHOPSI_NATIVE=" + on(options.native),
                                   "-DRHOPSI_NARROW_ONLY=" + on(options.narrow_only)};
    if (!options.flags.empty()) words.push_back("-DCMAKE_CXX_FLAGS=" + joined(options.flags));
    return words;
  }

  // Several kernels may be several files; a laptop's cores are not all ours.
  static std::string jobs() {
    const unsigned cores = std::thread::hardware_concurrency();
    return std::to_string(cores > 4 ? 4 : cores > 0 ? cores : 1);
  }

  Result<void> cmake(std::vector<std::string> arguments, const char* code,
                     const std::string& message) const {
    Process process{tools_.cmake, std::move(arguments), {}, log_, log_};
    process.environment["LC_ALL"] = "C";  // the words that first_errors looks for
    const Result<int> status = wait_for(process);
    if (!status) return failure("E0702", status.error().message);
    if (*status == 0) return {};
    // Who has stopped it has no use for a log.
    if (*status > 128)
      return failure(code, "cmake was ended by signal " + std::to_string(*status - 128));
    std::string errors = first_errors(log_, work_);
    std::error_code moved;
    fs::rename(log_, entry_.log(), moved);
    if (!errors.empty() && errors.back() != '\n') errors += '\n';
    return failure(code, message,
                   errors + (moved ? "" : "The whole log is in " + entry_.log().string()));
  }

  const CacheEntry& entry_;
  fs::path work_;
  const Tools& tools_;
  fs::path log_;
};

Result<fs::path> program_in(const fs::path& folder, const std::string& wanted) {
  if (!wanted.empty()) {
    if (access((folder / wanted).c_str(), X_OK) == 0) return folder / wanted;
    return failure("E0707", "the emitted folder builds no program '" + wanted + "'");
  }
  std::vector<fs::path> programs;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
    if (at->path().filename() != "manifest") programs.push_back(at->path());
  if (programs.size() == 1) return programs.front();
  return failure("E0707", "the emitted folder builds " + std::to_string(programs.size()) +
                              " programs, and none was named");
}

}  // namespace

Result<Executable> build(const std::vector<File>& files, const BuildOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  if (const auto checked = check_names(files); !checked) return pass(checked.error());
  auto kokkos = find_kokkos(options.kokkos);
  if (!kokkos) return pass(kokkos.error());
  const Result<Tools> tools = find_tools(options);
  if (!tools) return pass(tools.error());

  const fs::path cache = options.cache.empty() ? cache_folder() / "programs" : options.cache;
  const Result<CacheEntry> entry =
      CacheEntry::open(fs::absolute(cache), key_of(files, options, *kokkos, *tools));
  if (!entry) return pass(entry.error());
  const bool cached = entry->valid();
  if (!cached) {
    const Result<fs::path> work = entry->begin();
    if (!work) return pass(work.error());
    const Result<void> made = Building(*entry, *work, *tools).make(files, options, *kokkos);
    if (!made) {
      entry->clear();
      return pass(made.error());
    }
    evict(fs::absolute(cache), cache_limit());
  }
  const auto kept = entry->keep();
  if (!kept) return pass(kept.error());
  const Result<fs::path> program = program_in(entry->path(), options.program);
  if (!program) return pass(program.error());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return Executable{*program, *kokkos, cached, took.count(), *kept};
}

Result<int> run(const Executable& executable, const std::vector<std::string>& arguments,
                const RunOptions& options) {
  Process process{executable.path.string(), arguments, options.environment, options.output,
                  options.errors};
  for (const auto& [name, value] :
       {std::pair{"OMP_PROC_BIND", "spread"}, std::pair{"OMP_PLACES", "threads"}})
    if (std::getenv(name) == nullptr) process.environment.emplace(name, value);
  return wait_for(process);
}

}  // namespace rhopsi::kokkos
