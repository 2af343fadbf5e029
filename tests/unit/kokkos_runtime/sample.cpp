#include "sample.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <utility>

#include <gtest/gtest.h>
#include <unistd.h>

namespace rhopsi::kokkos::test {
namespace fs = std::filesystem;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<File> sample_files(const std::string& program) {
  std::vector<File> files = runtime_files();
  const std::string source = program + ".cpp";
  files.push_back(
      {source, contents(RHOPSI_SOURCE_DIR "/tests/unit/kokkos_runtime/program/" + source)});
  files.push_back({"CMakeLists.txt", "cmake_minimum_required(VERSION 3.16)\nproject(" + program +
                                         " LANGUAGES CXX)\ninclude(rhopsi_program.cmake)\n"
                                         "rhopsi_program(" +
                                         program + " " + program + ".cpp)\n"});
  return files;
}

const Executable& sample(const std::string& program, bool checked) {
  static std::map<std::pair<std::string, bool>, Executable> built;
  const auto key = std::pair{program, checked};
  if (const auto found = built.find(key); found != built.end()) return found->second;
  BuildOptions options;
  options.checked = checked;
  auto result = build(sample_files(program), options);
  if (!result) {
    ADD_FAILURE() << result.error().code << ": " << result.error().message << "\n"
                  << result.error().note;
    throw std::runtime_error("the sample program does not build");
  }
  return built.emplace(key, std::move(*result)).first->second;
}

Outcome run_sample(const std::vector<std::string>& arguments, bool checked) {
  const Folder folder;
  RunOptions options;
  options.output = folder / "output";
  options.errors = folder / "errors";
  const auto status = run(sample("sample", checked), arguments, options);
  if (!status) return {-1, "", status.error().message};
  return {*status, contents(folder / "output"), contents(folder / "errors")};
}

void expect_says(const std::string& program, const BuildOptions& options,
                 const std::vector<std::string>& threads, const std::string& says) {
  const auto built = build(sample_files(program), options);
  ASSERT_TRUE(built) << built.error().message << "\n" << built.error().note;
  for (const std::string& number : threads) {
    const Folder folder;
    RunOptions running;
    running.output = folder / "output";
    running.environment["OMP_NUM_THREADS"] = number;
    const auto status = run(*built, {}, running);
    ASSERT_TRUE(status) << status.error().message;
    const std::string output = contents(folder / "output");
    EXPECT_EQ(*status, 0) << output;
    EXPECT_NE(output.find(says), std::string::npos) << output;
  }
}

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "rhopsi-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code code;
  fs::remove_all(path_, code);
}

std::vector<float> write_random(const std::string& path, const std::vector<std::int64_t>& shape,
                                unsigned seed) {
  std::size_t count = 1;
  for (const std::int64_t side : shape) count *= static_cast<std::size_t>(side);
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<float> values(count);
  for (float& value : values) value = uniform(random);
  io::write_npy(path, shape, values.data());
  return values;
}

}  // namespace rhopsi::kokkos::test
