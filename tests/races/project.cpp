#include "tests/races/project.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

namespace rhopsi::races {
namespace fs = std::filesystem;
namespace {

// Where scripts/setup may have put it, as `rhopsi run` looks for Kokkos.
std::vector<std::string> caches() {
  const auto value = [](const char* name) {
    const char* const text = std::getenv(name);
    return std::string(text == nullptr ? "" : text);
  };
  const std::string shared = value("XDG_CACHE_HOME");
  return {value("RHOPSI_CACHE"),
          shared.empty() ? value("HOME") + "/.cache/rhopsi" : shared + "/rhopsi"};
}

// Not every loop becomes vectors by so little optimisation, and of that there is no word.
constexpr const char* flags = "-fsanitize=thread -O1 -g1 -DNDEBUG -Wno-pass-failed";

void replace_in(const std::string& file, const Edit& edit) {
  std::string text = exec::read(file);
  std::size_t places = 0;
  for (std::size_t at = 0; (at = text.find(edit.from, at)) != std::string::npos;
       at += edit.to.size(), ++places) {
    text.replace(at, edit.from.size(), edit.to);
  }
  ASSERT_GT(places, 0U) << "nothing to edit in " << file << ": " << edit.from;
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace

Toolchain toolchain() {
  for (const std::string& cache : caches()) {
    std::ifstream settled(cache + "/kokkos/thread-sanitizer");
    Toolchain found;
    if (cache.empty() || !std::getline(settled, found.kokkos)) continue;
    if (std::getline(settled, found.compiler) && fs::exists(found.kokkos)) return found;
  }
  return {};
}

Project::Project(Toolchain toolchain, const std::string& name)
    : toolchain_(std::move(toolchain)), folder_(std::string(RHOPSI_RACES_FOLDER) + "/" + name) {
  fs::create_directories(folder_);
  // Older sanitizers do not start where the system spreads addresses widely.
  if (exec::execute("setarch", {"--addr-no-randomize", "true"}).exit_code == 0) {
    starter_ = {"setarch", "--addr-no-randomize"};
  }
}

void Project::emit(const Program& program) const {
  std::vector<std::string> words = {"emit"};
  for (const auto& more : {program.source, program.emission}) {
    words.insert(words.end(), more.begin(), more.end());
  }
  const std::string folder = in_folder(program.name);
  // So that edits are made once.
  fs::remove_all(folder);
  for (const std::string& word : {std::string("--target"), std::string("openmp"), std::string("-I"),
                                  exec::source(""), std::string("-o"), folder}) {
    words.push_back(word);
  }
  const exec::Outcome emitted = exec::rhopsi(words);
  ASSERT_EQ(emitted.exit_code, 0) << program.name << ": " << emitted.text();
  for (const Edit& edit : program.edits) {
    ASSERT_NO_FATAL_FAILURE(replace_in(folder + "/" + edit.file, edit));
  }
}

// The driver is compiled once for all of them. Every folder's files include each other. The
// sanitizer does not look at accesses of more than 16 bytes, so nothing is compiled for the wider
// registers that this machine may have (RHOPSI_NATIVE).
std::string Project::build_file(const std::vector<Program>& programs) const {
  std::string text =
      "cmake_minimum_required(VERSION 3.16)\nproject(races LANGUAGES CXX)\n"
      "set(RHOPSI_NATIVE OFF)\nset(RHOPSI_SERIAL_BELOW 1)\n"
      "set(RHOPSI_TARGET OPENMP)\ninclude(" +
      programs.front().name + "/rhopsi_program.cmake)\nadd_library(witness MODULE \"" +
      exec::source("tests/races/witness.cpp") + "\")\n";
  for (const Program& program : programs) {
    const auto on = [&](Build build) { return program.build == build ? "ON" : "OFF"; };
    text += std::string("set(RHOPSI_FAST_MATH ") + on(Build::reassociating) +
            ")\nset(RHOPSI_CHECKED " + on(Build::checked) + ")\nrhopsi_program(" + program.name +
            " " + program.name + "/main.cpp)\n";
  }
  return text;
}

void Project::build(const std::vector<Program>& programs) {
  for (const Program& program : programs) ASSERT_NO_FATAL_FAILURE(emit(program));
  std::ofstream(in_folder("CMakeLists.txt"), std::ios::binary) << build_file(programs);
  const std::string made = in_folder("build");
  std::vector<std::string> words = {"-S",
                                    folder_,
                                    "-B",
                                    made,
                                    "-DCMAKE_BUILD_TYPE=None",
                                    "-DCMAKE_CXX_COMPILER=" + toolchain_.compiler,
                                    std::string("-DCMAKE_CXX_FLAGS=") + flags,
                                    "-DKokkos_ROOT=" + toolchain_.kokkos};
  if (const std::string launcher = RHOPSI_COMPILER_LAUNCHER; !launcher.empty()) {
    words.push_back("-DCMAKE_CXX_COMPILER_LAUNCHER=" + launcher);
  }
  const exec::Outcome configured = exec::execute("cmake", words);
  ASSERT_EQ(configured.exit_code, 0) << configured.text();
  const unsigned jobs = std::clamp(std::thread::hardware_concurrency(), 1U, 4U);
  const exec::Outcome compiled =
      exec::execute("cmake", {"--build", made, "--parallel", std::to_string(jobs)});
  ASSERT_EQ(compiled.exit_code, 0) << compiled.text();
}

exec::Outcome Project::started(const Program& program, const std::vector<std::string>& arguments,
                               const exec::Conditions& conditions) const {
  std::vector<std::string> words = starter_;
  words.push_back(in_folder("build/" + program.name));
  words.insert(words.end(), arguments.begin(), arguments.end());
  return exec::execute(words.front(), {words.begin() + 1, words.end()}, conditions);
}

exec::Outcome Project::run(const Program& program, const std::vector<std::string>& arguments,
                           int threads) const {
  exec::Conditions conditions;
  // Threads that wait sleep: there may be more of them than cores.
  conditions.environment = {
      {"OMP_NUM_THREADS", std::to_string(threads)},
      {"OMP_PROC_BIND", "false"},
      {"OMP_WAIT_POLICY", "passive"},
      {"KOKKOS_PROFILE_LIBRARY", in_folder("build/libwitness.so")},
      {"TSAN_OPTIONS", "ignore_noninstrumented_modules=1 exitcode=" + std::to_string(reported)}};
  return started(program, arguments, conditions);
}

std::string Project::unusable(const Program& program,
                              const std::vector<std::string>& arguments) const {
  exec::Conditions conditions;
  conditions.environment = {{"OMP_NUM_THREADS", "2"}, {"ARCHER_OPTIONS", "verbose=1"}};
  const exec::Outcome outcome = started(program, arguments, conditions);
  if (exec::has(outcome.err, "FATAL: ThreadSanitizer")) return outcome.err;
  if (exec::has(outcome.text(), "Archer detected OpenMP application with TSan")) return "";
  return "OpenMP's runtime has not loaded libarcher.so";
}

}  // namespace rhopsi::races
