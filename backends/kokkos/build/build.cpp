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
#include "backends/kokkos/build/runtime_object.hpp"
#include "backends/kokkos/build/tools.hpp"

namespace rhopsi::kokkos {
namespace fs = std::filesystem;
namespace {

tl::unexpected<Error> pass(const Error& error) { return tl::unexpected<Error>(error); }

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

// One build, in a folder of its own.
class Building {
 public:
  Building(const CacheEntry& entry, fs::path work, const Tools& tools, const BuildOptions& options)
      : entry_(entry),
        work_(std::move(work)),
        tools_(tools),
        options_(options),
        log_(work_ / "log") {}

  Result<void> make(const std::vector<File>& files, const Installation& kokkos) {
    if (auto written = write_files(files, work_ / "source"); !written) return written;
    std::vector<std::string> words = configuration(kokkos);
    const fs::path objects = work_ / "objects", cache = entry_.path().parent_path();
    std::vector<RuntimeObject> missing;
    for (const RuntimeObject& object : RuntimeObject::of(files, options_, kokkos, tools_))
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
  std::vector<std::string> configuration(const Installation& kokkos) const {
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
                                   "-DRHOPSI_CHECKED=" + on(options_.checked),
                                   "-DRHOPSI_FAST_MATH=" + on(options_.fast_math),
                                   "-DRHOPSI_NATIVE=" + on(options_.native),
                                   "-DRHOPSI_NARROW_ONLY=" + on(options_.narrow_only)};
    if (!options_.flags.empty()) words.push_back("-DCMAKE_CXX_FLAGS=" + joined(options_.flags));
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
    process.stopped = options_.stopped;
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
  const BuildOptions& options_;
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
    const Result<void> made = Building(*entry, *work, *tools, options).make(files, *kokkos);
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
  process.environment.emplace("RHOPSI_PARENT", std::to_string(getpid()));
  return wait_for(process);
}

}  // namespace rhopsi::kokkos
