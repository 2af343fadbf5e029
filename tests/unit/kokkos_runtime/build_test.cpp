#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/kokkos/build/cache.hpp"
#include "backends/kokkos/build/digest.hpp"
#include "backends/kokkos/build/kokkos.hpp"
#include "backends/kokkos/build/process.hpp"
#include "sample.hpp"

namespace rhopsi::kokkos::test {
namespace {

namespace fs = std::filesystem;

// Plain C++: what is tested here needs no kernels, and compiles fast.
std::vector<File> small_program(const std::string& body) {
  return {
      {"CMakeLists.txt",
       "cmake_minimum_required(VERSION 3.16)\nproject(small LANGUAGES CXX)\n"
       "add_executable(small main.cpp)\n"},
      {"main.cpp", "#include <cstdio>\n#include <cstdlib>\nint main(int argc, char** argv) {\n" +
                       body + "\n}\n"}};
}

BuildOptions in_cache(const Folder& folder) {
  BuildOptions options;
  options.cache = folder.path() / "cache";
  return options;
}

TEST(Digest, KnownValues) {
  EXPECT_EQ(Digest().add("").hex(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Digest().add("abc").hex(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Digest().add("abcdbcdecdefdefgefghfghighijhijkijkl").add("jklmklmnlmnomnopnopq").hex(),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_NE(Digest().add_part("ab").add_part("c").hex(),
            Digest().add_part("a").add_part("bc").hex());
}

TEST(RuntimeFiles, AreThoseOfTheSource) {
  bool shim = false;
  std::vector<File> all = runtime_files();
  all.insert(all.end(), batch_files().begin(), batch_files().end());
  for (const File& file : all) {
    std::string own;
    for (const char* folder : {"kokkos/runtime/", "io/", "primitives/"}) {
      if (own.empty()) own = contents(RHOPSI_SOURCE_DIR "/backends/" + (folder + file.name));
    }
    EXPECT_EQ(file.text, own) << file.name;
    shim = shim || file.name == "rhopsi_shim.hpp";
  }
  EXPECT_TRUE(shim);
  // A header that is in the folder and not in the list would be missing from emitted folders.
  for (const auto& at : fs::directory_iterator(RHOPSI_SOURCE_DIR "/backends/kokkos/runtime")) {
    const std::string name = at.path().filename().string();
    if (name == "runtime.cmake") continue;
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const File& file) {
      return file.name == name;
    })) << name;
  }
}

TEST(Build, CachesByContent) {
  const Folder folder;
  const auto first = build(small_program("return 3;"), in_cache(folder));
  ASSERT_TRUE(first) << first.error().message << first.error().note;
  EXPECT_FALSE(first->cached);
  EXPECT_EQ(run(*first, {}).value(), 3);
  const auto again = build(small_program("return 3;"), in_cache(folder));
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->cached);
  EXPECT_EQ(again->path, first->path);
  BuildOptions flags = in_cache(folder);
  flags.flags = {"-DOTHER"};
  const auto other = build(small_program("return 3;"), flags);
  ASSERT_TRUE(other);
  EXPECT_NE(other->path, first->path);
}

TEST(Build, RebuildsADamagedEntry) {
  const Folder folder;
  const auto first = build(small_program("return 4;"), in_cache(folder));
  ASSERT_TRUE(first) << first.error().note;
  std::ofstream(first->path, std::ios::app) << "more";
  const auto again = build(small_program("return 4;"), in_cache(folder));
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->cached);
  EXPECT_EQ(run(*again, {}).value(), 4);
}

TEST(Build, TwoAtOnceBuildOnce) {
  const Folder folder;
  std::vector<Executable> built(2);
  std::vector<std::thread> threads;
  for (Executable& one : built)
    threads.emplace_back([&] {
      if (auto result = build(small_program("return 5;"), in_cache(folder))) one = *result;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(built[0].path, built[1].path);
  EXPECT_NE(built[0].cached, built[1].cached);
  EXPECT_EQ(run(built[0], {}).value(), 5);
}

TEST(Build, TellsTheFirstErrors) {
  const Folder folder;
  const auto result = build(small_program("return missing_name;"), in_cache(folder));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "E0704");
  EXPECT_NE(result.error().note.find("main.cpp:4:8: error:"), std::string::npos)
      << result.error().note;
  EXPECT_NE(result.error().note.find("missing_name"), std::string::npos);
  const std::size_t at = result.error().note.find((folder.path() / "cache").string());
  ASSERT_NE(at, std::string::npos);
  EXPECT_NE(contents(result.error().note.substr(at)).find("missing_name"), std::string::npos);
  // Nothing but the lock and the log is left.
  for (const auto& left : fs::directory_iterator(folder.path() / "cache"))
    EXPECT_TRUE(left.path().extension() == ".lock" || left.path().extension() == ".log");
}

TEST(Build, TellsWhatCMakeRejects) {
  const Folder folder;
  auto files = small_program("return 0;");
  files[0].text += "find_package(NoSuchPackageAnywhere REQUIRED)\n";
  const auto result = build(files, in_cache(folder));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, "E0703");
  EXPECT_NE(result.error().note.find("NoSuchPackageAnywhere"), std::string::npos);
}

TEST(Build, RefusesNamesThatLeaveTheFolder) {
  for (const std::string name : {"../x.cpp", "/x.cpp", "a/../../x.cpp", "", "a/"}) {
    auto files = small_program("return 0;");
    files.push_back({name, ""});
    const auto result = build(files);
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.error().code, "E0707") << name;
  }
}

TEST(Build, NamesWhatIsMissing) {
  BuildOptions options;
  options.kokkos = "/nowhere";
  EXPECT_EQ(build(small_program(""), options).error().code, "E0701");
  options = {};
  options.compiler = "no-such-compiler";
  EXPECT_EQ(build(small_program(""), options).error().code, "E0702");
  const Folder folder;
  std::ofstream(folder / "file") << "x";
  options = {};
  options.cache = folder.path() / "file";
  EXPECT_EQ(build(small_program(""), options).error().code, "E0705");
  EXPECT_EQ(run(Executable{folder.path() / "nothing", {}, false, 0}, {}).error().code, "E0706");
}

TEST(Build, WhatWasUsedLongestAgoIsEvicted) {
  const Folder folder;
  auto first = build(small_program("return 1;"), in_cache(folder));
  auto second = build(small_program("return 2;"), in_cache(folder));
  ASSERT_TRUE(first && second);
  first->entry = second->entry = nullptr;
  ASSERT_TRUE(build(small_program("return 1;"), in_cache(folder))->cached);  // used again
  const fs::path cache = folder.path() / "cache";
  evict(cache, 0);  // no limit
  EXPECT_TRUE(fs::exists(first->path) && fs::exists(second->path));
  std::uintmax_t one = 0;
  for (const auto& at : fs::recursive_directory_iterator(first->path.parent_path()))
    one += at.file_size();
  evict(cache, one + one / 2);
  EXPECT_TRUE(fs::exists(first->path));
  EXPECT_FALSE(fs::exists(second->path));
  {
    const auto held = CacheEntry::open(cache, first->path.parent_path().filename().string());
    ASSERT_TRUE(held);
    evict(cache, 1);
    EXPECT_TRUE(fs::exists(first->path));  // somebody is at work on it
  }
  evict(cache, 1);
  EXPECT_TRUE(fs::is_empty(cache));
  EXPECT_FALSE(build(small_program("return 1;"), in_cache(folder))->cached);
}

// Folders that nobody works in any more, and locks of nothing; but logs say why an entry is not
// there.
TEST(Build, WhatKilledBuildsHaveLeftIsCollected) {
  const Folder folder;
  const fs::path cache = folder.path() / "cache";
  const auto made = build(small_program("return 3;"), in_cache(folder));
  ASSERT_TRUE(made);
  const std::string key = made->path.parent_path().filename().string();
  fs::create_directory(cache / (key + ".work.aaaaaa"));
  for (const char* name : {"killed.work.bbbbbb", "unlocked.work.cccccc", "held.work.dddddd"}) {
    fs::create_directory(cache / name);
    std::ofstream(cache / name / "log") << "half";
  }
  for (const char* name : {"killed.lock", "empty.lock", "refused.lock", "refused.log"}) {
    std::ofstream(cache / name) << "";
  }
  const auto is_there = [&](const std::string& name) { return fs::exists(cache / name); };
  {
    const auto held = CacheEntry::open(cache, "held");
    ASSERT_TRUE(held);
    evict(cache, 0);
    EXPECT_TRUE(is_there("held.work.dddddd") && is_there("held.lock"));
  }
  for (const std::string& name : {key + ".work.aaaaaa", std::string("killed.work.bbbbbb"),
                                  std::string("unlocked.work.cccccc"), std::string("killed.lock"),
                                  std::string("unlocked.lock"), std::string("empty.lock")}) {
    EXPECT_FALSE(is_there(name)) << name;
  }
  // As a build does.
  ASSERT_TRUE(build(small_program("return 4;"), in_cache(folder)));
  EXPECT_FALSE(is_there("held.work.dddddd") || is_there("held.lock"));
  EXPECT_TRUE(is_there("refused.lock") && is_there("refused.log"));
  EXPECT_TRUE(build(small_program("return 3;"), in_cache(folder))->cached);
}

// From when it was found until it has run.
TEST(Build, WhatIsUsedIsNotEvicted) {
  const Folder folder;
  std::optional<Executable> program = build(small_program("return 6;"), in_cache(folder)).value();
  const fs::path cache = folder.path() / "cache";
  evict(cache, 1);
  EXPECT_EQ(run(*program, {}).value(), 6);
  // Others use it at the same time.
  const auto again = build(small_program("return 6;"), in_cache(folder));
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->cached);
  program.reset();
  evict(cache, 1);
  EXPECT_EQ(run(*again, {}).value(), 6);
}

// Processes, not threads: each evicts what it can, while the others build and run.
TEST(Build, ManyAtOnceWithALimitOfNothing) {
  const Folder folder;
  std::vector<pid_t> children;
  for (int child = 0; child < 3; ++child) {
    const pid_t id = fork();
    if (id == 0) {
      setenv("RHOPSI_CACHE_LIMIT", "1", 1);
      int wrong = 0;
      for (int round = 0; round < 3; ++round) {
        const int which = (child + round) % 2;
        const auto program =
            build(small_program("return " + std::to_string(which) + ";"), in_cache(folder));
        if (!program || run(*program, {}) != which) ++wrong;
      }
      _exit(wrong);
    }
    children.push_back(id);
  }
  for (const pid_t id : children) {
    int status = -1;
    ASSERT_EQ(waitpid(id, &status, 0), id);
    EXPECT_EQ(status, 0);
  }
}

TEST(Build, TheLimitOfTheCacheIsRead) {
  const char* const name = "RHOPSI_CACHE_LIMIT";
  unsetenv(name);
  EXPECT_EQ(cache_limit(), std::uintmax_t{2} << 30);
  for (const auto& [text, bytes] :
       std::map<std::string, std::uintmax_t>{{"0", 0},
                                             {"5000", 5000},
                                             {"3K", 3072},
                                             {"1G", 1 << 30},
                                             {"x", std::uintmax_t{2} << 30}}) {
    setenv(name, text.c_str(), 1);
    EXPECT_EQ(cache_limit(), bytes) << text;
  }
  unsetenv(name);
}

// A variable of the environment for the time of one test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const old = std::getenv(name)) old_ = old;
    value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

// A cache that is named for what is compiled need not hold the Kokkos that setup has built.
TEST(Build, KokkosIsFoundBesideAFreshCache) {
  const Folder folder;
  const Variable root("Kokkos_ROOT", ""), package("Kokkos_DIR", ""), path("CMAKE_PREFIX_PATH", "");
  const Variable cache("RHOPSI_CACHE", (folder.path() / "fresh").string()),
      user("XDG_CACHE_HOME", (folder.path() / "user").string());
  const auto settled = [&](const std::string& where, const std::string& prefix) {
    const fs::path config = folder.path() / prefix / "lib" / "cmake" / "Kokkos";
    fs::create_directories(config);
    std::ofstream(config / "KokkosConfig.cmake") << "\n";
    fs::create_directories(folder.path() / where / "kokkos");
    std::ofstream(folder.path() / where / "kokkos" / "current")
        << (folder.path() / prefix).string() << "\n";
  };
  settled("user/rhopsi", "first");
  auto found = find_kokkos();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->prefix, folder.path() / "first");
  EXPECT_EQ(found->source, "scripts/setup");
  settled("fresh", "second");
  found = find_kokkos();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->prefix, folder.path() / "second");
}

// A folder that is named and holds none is a mistake, whatever else there is.
TEST(Build, KokkosIsWhereItIsSaidToBe) {
  const Folder folder;
  const fs::path there = folder.path() / "there" / "lib" / "cmake" / "Kokkos";
  fs::create_directories(there);
  std::ofstream(there / "KokkosConfig.cmake") << "\n";
  const std::string good = (folder.path() / "there").string(), empty = folder.path().string();
  for (const char* const name : {"Kokkos_ROOT", "Kokkos_DIR"}) {
    const Variable other(name == std::string("Kokkos_DIR") ? "Kokkos_ROOT" : "Kokkos_DIR", "");
    const Variable path("CMAKE_PREFIX_PATH", good);
    for (const std::string& wrong : {empty, empty + "/none"}) {
      const Variable named(name, wrong);
      const auto found = find_kokkos();
      ASSERT_FALSE(found) << name;
      EXPECT_EQ(found.error().code, "E0701");
      EXPECT_EQ(found.error().message,
                "'" + wrong + "', which " + name + " names, holds no Kokkos installation");
    }
    const Variable named(name, good);
    const auto found = find_kokkos();
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->source, name);
  }
  const Variable root("Kokkos_ROOT", ""), package("Kokkos_DIR", "");
  const Variable path("CMAKE_PREFIX_PATH", empty + ":" + good);
  EXPECT_EQ(find_kokkos()->source, "CMAKE_PREFIX_PATH");
}

// Paths go through CMake, Ninja and a shell: what these cannot carry is refused by name, what
// they can is not.
TEST(Build, InFoldersOfOddNames) {
  const Folder folder;
  for (const std::string name :
       {"quote\"", "semi;colon", "back\\slash", "pipe|", "line\n", "$<x>"}) {
    BuildOptions options;
    options.cache = folder.path() / name;
    const auto result = build(small_program("return 0;"), options);
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.error().code, "E0705") << name;
    EXPECT_NE(result.error().message.find("the path holds"), std::string::npos);
    EXPECT_FALSE(fs::exists(options.cache)) << name;
  }
  BuildOptions options;
  options.cache = folder.path() / "it's a (long) name: $HOME #1 & 100% \u00e9,=+~@[]<>*`?!";
  const auto result = build(small_program("return 7;"), options);
  ASSERT_TRUE(result) << result.error().message << result.error().note;
  EXPECT_EQ(run(*result, {}).value(), 7);
}

TEST(Build, CacheIsPrivate) {
  const Folder folder;
  ASSERT_TRUE(build(small_program("return 0;"), in_cache(folder)));
  struct stat status {};
  ASSERT_EQ(stat((folder / "cache").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
}

TEST(Run, PassesArgumentsAndTheEnvironmentOn) {
  const Folder folder;
  const auto program = build(small_program("std::printf(\"%s|%s|%s\", argc > 1 ? argv[1] : \"\", "
                                           "std::getenv(\"OMP_PLACES\"), std::getenv(\"MORE\"));"),
                             in_cache(folder));
  ASSERT_TRUE(program) << program.error().note;
  RunOptions options;
  options.output = folder / "output";
  options.environment = {{"MORE", "a b"}};
  EXPECT_EQ(run(*program, {"$(touch x); 'y' z"}, options).value(), 0);
  const char* const places = std::getenv("OMP_PLACES");
  EXPECT_EQ(contents(folder / "output"),
            std::string("$(touch x); 'y' z|") + (places ? places : "threads") + "|a b");
}

TEST(Run, TellsTheSignal) {
  const Folder folder;
  const auto program = build(small_program("std::abort();"), in_cache(folder));
  ASSERT_TRUE(program) << program.error().note;
  EXPECT_EQ(run(*program, {}).value(), 128 + SIGABRT);
}

TEST(Library, AgreesWithPlainLoops) {
  const Folder folder;
  RunOptions options;
  options.output = folder / "output";
  for (const char* const threads : {"1", "2", "5"}) {
    options.environment["OMP_NUM_THREADS"] = threads;
    EXPECT_EQ(run(sample("library"), {}, options).value(), 0) << contents(folder / "output");
  }
}

}  // namespace
}  // namespace rhopsi::kokkos::test
