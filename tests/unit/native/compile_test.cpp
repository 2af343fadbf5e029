// Making, keeping and sharing machine code.
#include <algorithm>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/unit/native/native.hpp"
#include "tests/unit/normalise/arithmetic.hpp"

namespace {

using namespace rhopsi;
namespace fs = std::filesystem;

class Compile : public tests::Arithmetic {
 protected:
  Compile() {
    compile();
    folder = fs::path(testing::TempDir()) / ("rules" + std::to_string(::getpid()));
    fs::create_directories(folder);
    options.cache = folder / "cache";
  }
  ~Compile() override { fs::remove_all(folder); }

  std::string script(const std::string& body) const {
    const fs::path path = folder / "compiler";
    std::ofstream(path) << "#!/bin/sh\n" << body;
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::count_if(fs::directory_iterator(options.cache), fs::directory_iterator(),
                      [](const auto& each) { return each.is_directory(); }));
  }

  fs::path folder;
  native::CompileOptions options;
};

TEST_F(Compile, CodeIsKeptByContent) {
  ASSERT_TRUE(native::compile(program, options));
  EXPECT_EQ(entries(), 1U);
  ASSERT_TRUE(native::compile(program, options));
  EXPECT_EQ(entries(), 1U);
  rule(make(add, {x, make(z, {})}), x);
  compile();
  ASSERT_TRUE(native::compile(program, options));
  EXPECT_EQ(entries(), 2U);
}

TEST_F(Compile, ACompilerThatIsMissingOrRefusesIsSaid) {
  options.compiler = folder / "nothing";
  auto made = native::compile(program, options);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, "E0702");
  options.compiler = script("[ \"$1\" = --version ] && echo 1 && exit 0\necho no >&2; exit 1\n");
  made = native::compile(program, options);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, "E0704");
  EXPECT_NE(made.error().note.find("no\n"), std::string::npos);
  EXPECT_EQ(entries(), 0U);
}

TEST_F(Compile, WhatIsNoLibraryIsNotLoaded) {
  options.compiler = script(
      "[ \"$1\" = --version ] && echo 1 && exit 0\n"
      "while [ $# -gt 1 ]; do [ \"$1\" = -o ] && echo text > \"$2\"; shift; done\n");
  const auto made = native::compile(program, options);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, "E0708");
}

TEST_F(Compile, OneLibraryServesManyMachinesAtOnce) {
  const auto native = tests::native_of(program);
  ASSERT_TRUE(native);
  std::vector<normalise::Symbol> text{symbol(add)};
  text.insert(text.end(), 100000, symbol(s));
  text.insert(text.end(), {symbol(z), symbol(z)});
  std::vector<std::uint64_t> steps(4);
  std::vector<std::thread> threads;
  for (std::uint64_t& each : steps) {
    threads.emplace_back([&] {
      normalise::Machine machine(program, {}, native.get());
      each = machine.normalise(machine.make_preorder(text)).steps;
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(steps, std::vector<std::uint64_t>(4, 100001));
}

}  // namespace
