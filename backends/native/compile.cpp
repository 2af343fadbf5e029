#include "backends/native/compile.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include <dlfcn.h>

#include "backends/kokkos/build/cache.hpp"
#include "backends/kokkos/build/digest.hpp"
#include "backends/kokkos/build/kokkos.hpp"
#include "backends/kokkos/build/process.hpp"

namespace rhopsi::native {
namespace fs = std::filesystem;
namespace {

using kokkos::failure;
using kokkos::Result;

// Calls at the end of a block have to become jumps. Handles and states are written through one
// type each, and words of the stack are read as what they were written.
constexpr std::array flags{"-std=c++17",
                           "-fPIC",
                           "-shared",
                           "-w",
                           "-foptimize-sibling-calls",
                           "-fno-exceptions",
                           "-fno-asynchronous-unwind-tables",
                           "-fno-stack-protector"};
// Compilers take more than linear time over large blocks: from so many bytes on, with less effort.
constexpr std::size_t large_text = std::size_t{1} << 19;
constexpr const char* source_name = "rules.cpp";
constexpr const char* library_name = "rules.so";

struct Compiler {
  std::string path;
  std::string version;
};

Result<Compiler> find_compiler(const CompileOptions& options) {
  std::string name = options.compiler;
  if (name.empty())
    if (const char* const named = std::getenv("CXX"); named != nullptr) name = named;
  if (name.empty()) name = "c++";
  const auto path = kokkos::find_program(name);
  const auto version = path ? kokkos::output_of(path->string(), {"--version"}) : std::nullopt;
  if (!version)
    return failure("E0702", "the C++ compiler '" + name + "' cannot be started",
                   "CXX names another one; without --compiled none is needed");
  return Compiler{path->string(), *version};
}

std::string first_lines(const fs::path& log) {
  std::ifstream file(log);
  std::string text;
  int count = 0;
  for (std::string line; count < 8 && std::getline(file, line); ++count) text += line + "\n";
  return text;
}

Result<void> build(const kokkos::CacheEntry& entry, const std::string& text,
                   const Compiler& compiler) {
  const Result<fs::path> work = entry.begin();
  if (!work) return tl::unexpected(work.error());
  const fs::path out = *work / "out";
  std::error_code code;
  fs::create_directory(out, code);
  std::ofstream source(out / source_name, std::ios::binary);
  source << text;
  source.close();
  if (code || !source)
    return failure("E0705", "cannot write '" + (out / source_name).string() + "'",
                   "Is the disk full?");
  std::vector<std::string> words(flags.begin(), flags.end());
  words.emplace_back(text.size() < large_text ? "-O2" : "-O1");
  for (const std::string& word :
       {(out / source_name).string(), std::string("-o"), (out / library_name).string()})
    words.push_back(word);
  const fs::path log = *work / "log";
  const auto status = kokkos::wait_for({compiler.path, words, {{"LC_ALL", "C"}}, log, log});
  if (!status) return failure("E0702", status.error().message);
  // Who has stopped it has no use for a log.
  if (*status > 128)
    return failure("E0704", "the compiler was ended by signal " + std::to_string(*status - 128));
  if (*status != 0) {
    const std::string lines = first_lines(log);
    fs::rename(log, entry.log(), code);
    return failure("E0704", "the compiler refuses the rules",
                   lines + (code ? "" : "The whole log is in " + entry.log().string() + "; ") +
                       "without --compiled no compiler is needed");
  }
  return entry.store(out);
}

Result<std::shared_ptr<const normalise::Native>> load(const fs::path& path,
                                                      normalise::Emission emission) {
  const std::string advice = "without --compiled nothing is loaded";
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = ::dlerror();
    return failure("E0708", "the compiled rules cannot be loaded",
                   std::string(reason == nullptr ? "" : reason) + "; " + advice);
  }
  auto native = std::make_shared<normalise::Native>();
  native->library.reset(library, [](void* opened) { ::dlclose(opened); });
  const auto* const rules =
      static_cast<const normalise::native::Rules*>(::dlsym(library, "rhopsi_rules"));
  if (rules == nullptr || !rules->calls_are_jumps())
    return failure("E0708", "the compiled rules cannot be run: the compiler makes calls of jumps",
                   "take GCC or Clang on x86-64 or ARM64; " + advice);
  native->rules = *rules;
  native->sites = std::move(emission.sites);
  native->largest_block = emission.largest_block;
  return native;
}

}  // namespace

Result<std::shared_ptr<const normalise::Native>> compile(const normalise::Program& program,
                                                         const CompileOptions& options) {
  const Result<Compiler> compiler = find_compiler(options);
  if (!compiler) return tl::unexpected(compiler.error());
  normalise::Emission emission = normalise::emit(program);
  kokkos::Digest digest;
  digest.add_part("rhopsi rules 1").add_part(compiler->path).add_part(compiler->version);
  for (const char* const flag : flags) digest.add_part(flag);
  digest.add_part(emission.text);
  const fs::path cache = options.cache.empty() ? kokkos::cache_folder() / "rules" : options.cache;
  const auto entry = kokkos::CacheEntry::open(fs::absolute(cache), digest.hex());
  if (!entry) return tl::unexpected(entry.error());
  if (!entry->valid()) {
    if (const auto built = build(*entry, emission.text, *compiler); !built) {
      entry->clear();
      return tl::unexpected(built.error());
    }
    kokkos::evict(fs::absolute(cache), kokkos::cache_limit());
  }
  return load(entry->path() / library_name, std::move(emission));
}

}  // namespace rhopsi::native
