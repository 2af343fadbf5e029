// Programs from text to the operational form and on to C++.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "backends/kokkos/emit/emit.hpp"
#include "backends/primitives/primitives.hpp"
#include "engine/lower/lower.hpp"
#include "engine/onf/print.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "frontend/elaborate/elaborate.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi {

class Lowering : public ::testing::Test {
 protected:
  Lowering() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder = std::filesystem::temp_directory_path() /
             ("rhopsi-lower-" + std::to_string(getpid()) + "-" + test->name());
    std::filesystem::create_directories(folder);
  }
  ~Lowering() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  // The module `name` of a file of the repository; null after a failed expectation.
  std::shared_ptr<const term::Theory> program(const std::string& file, const std::string& name) {
    elaborate::Options options;
    options.search_path = {std::string(RHOPSI_SOURCE_DIR) + "/rules"};
    workspace = std::make_unique<elaborate::Workspace>(store, *table, oracle, options);
    syntax::Diagnostics diagnostics;
    const auto package = workspace->load(file, diagnostics);
    if (!package) {
      ADD_FAILURE() << file << " cannot be read\n" << support::text_of(diagnostics);
      return nullptr;
    }
    auto found = workspace->evaluate(*package, name, diagnostics);
    if (!found) {
      ADD_FAILURE() << name << " of " << file << " does not elaborate\n"
                    << support::text_of(diagnostics);
    }
    return found;
  }
  static std::string spec(const std::string& file) {
    return std::string(RHOPSI_SOURCE_DIR) + "/specs/" + file;
  }
  // A file with these declarations over the library of the backend.
  std::string text(const std::string& declarations) {
    const std::filesystem::path file = folder / "unit.mg";
    std::ofstream(file) << "package unit imports backend.kokkos, arith.equality, moa.dnf, "
                           "moa.indexwise, of.padding;\n"
                        << declarations;
    return file.string();
  }

  std::optional<onf::Module> lowered(const term::Theory& theory, int rank,
                                     std::vector<std::string> entries = {}, bool checked = false) {
    problems.clear();
    return lower::lower(store, theory, *table, {rank, std::move(entries), checked, {}}, problems);
  }
  bool has(const std::string& code) const {
    return std::ranges::any_of(problems, [&](const onf::Problem& p) { return p.code == code; });
  }
  // Without spaces: emitted lines may be broken anywhere.
  static std::string joined(const std::string& text) {
    std::string made;
    for (char c : text) {
      if (c != ' ' && c != '\n') made += c;
    }
    return made;
  }
  std::string messages() const {
    std::string all;
    for (const onf::Problem& p : problems) {
      all += onf::place(store, p.location) + ": " + p.code + ": " + p.message + "\n";
    }
    return all;
  }

  std::filesystem::path folder;
  term::Store store;
  std::unique_ptr<onf::PrimitiveTable> table = primitives::make_table(onf::Scalar::float32);
  rewrite::IntervalOracle oracle;
  std::unique_ptr<elaborate::Workspace> workspace;
  std::vector<onf::Problem> problems;
};

}  // namespace rhopsi
