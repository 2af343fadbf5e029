// Packages in a temporary folder, elaborated against a small table of externals.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/rewrite/interval_oracle.hpp"
#include "engine/term/operations.hpp"
#include "frontend/elaborate/elaborate.hpp"

namespace rhopsi::elaborate {

// "Kokkos" is closed and knows three paths; every other backend takes all.
class FakeTable final : public term::ExternalTable {
 public:
  bool closed(const std::string& backend) const override { return backend == "Kokkos"; }
  bool has_path(const std::string&, const std::string& path) const override {
    return path == "scalar" || path == "schedule" || path == "array";
  }
  std::vector<std::string> paths(const std::string&) const override {
    return {"array", "scalar", "schedule"};
  }
  std::optional<std::string> problem_with_type(const term::ExternalBlock&,
                                               const std::string& original) const override {
    if (original != "Unbindable") return std::nullopt;
    return "There is no type `Unbindable`.";
  }
  std::optional<std::string> problem_with_operation(const term::Store& store,
                                                    const term::ExternalBlock&,
                                                    const std::string& original,
                                                    term::SymbolId symbol) const override {
    if (original == "unbindable") return "There is no operation `unbindable`.";
    if (original == "schedule" && store[symbol].parameters.size() > 8) {
      return "`schedule` takes 8 arrays at most.";
    }
    return std::nullopt;
  }
  term::Arithmetic arithmetic(const term::Store&, const term::ExternalBinding& binding,
                              term::SymbolId) const override {
    if (binding.original == "_+_") return term::Arithmetic::add;
    if (binding.original == "_<=_") return term::Arithmetic::less_equal;
    return term::Arithmetic::none;
  }
};

class Modules : public ::testing::Test {
 protected:
  Modules() {
    // One level: the names of tests with parameters hold slashes.
    std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ranges::replace(test, '/', '-');
    folder = std::filesystem::temp_directory_path() /
             ("rhopsi-" + std::to_string(getpid()) + "-" + test);
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    restart({});
  }
  ~Modules() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  void restart(Options options) {
    workspace = std::make_unique<Workspace>(store, table, oracle, std::move(options));
    diagnostics = {};
  }

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = folder / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  std::string path(const std::string& file) const { return (folder / file).string(); }

  // Loads and checks `package p` with these declarations.
  void check(const std::string& declarations) {
    write("p.mg", "package p;\n" + declarations);
    ASSERT_EQ(workspace->load(path("p.mg"), diagnostics), "p") << messages();
    workspace->check("p", diagnostics);
  }
  // The same; nothing may be wrong.
  void accept(const std::string& declarations) {
    check(declarations);
    EXPECT_TRUE(diagnostics.all().empty()) << messages();
  }

  std::shared_ptr<const term::Theory> theory(const std::string& module) {
    auto found = workspace->evaluate("p", module, diagnostics);
    EXPECT_NE(found, nullptr) << messages();
    return found ? found : std::make_shared<const term::Theory>();
  }

  std::vector<std::string> codes() const {
    std::vector<std::string> found;
    for (const auto& each : diagnostics.all()) found.push_back(each.code);
    return found;
  }
  std::string messages() const {
    std::string text;
    for (const auto& each : diagnostics.all()) text += syntax::render(each) + "\n";
    return text;
  }
  // The only diagnostic; it has to name a place.
  syntax::Diagnostic only(const std::string& code) const {
    EXPECT_EQ(codes(), std::vector<std::string>{code}) << messages();
    if (diagnostics.all().empty()) return {};
    EXPECT_NE(diagnostics.all().front().span.file, nullptr) << messages();
    return diagnostics.all().front();
  }
  // The source text that a diagnostic points at.
  static std::string marked(const syntax::Diagnostic& diagnostic) {
    const syntax::Span& span = diagnostic.span;
    if (!span.file) return {};
    return std::string(span.file->text().substr(span.begin, span.end - span.begin));
  }
  static bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  // "f(A, B): C" for every callable, sorted.
  std::vector<std::string> signatures(const term::Theory& theory) const {
    std::vector<std::string> found;
    for (const term::Callable& each : theory.callables) {
      found.push_back(to_string(store, each.symbol));
    }
    std::ranges::sort(found);
    return found;
  }
  const term::Callable* callable(const term::Theory& theory, const std::string& signature) const {
    for (const term::Callable& each : theory.callables) {
      if (to_string(store, each.symbol) == signature) return &each;
    }
    ADD_FAILURE() << "no " << signature;
    return nullptr;
  }
  std::string body(const term::Theory& theory, const std::string& signature) const {
    const term::Callable* found = callable(theory, signature);
    return found != nullptr && found->body ? to_string(store, *found->body) : "no body";
  }
  std::vector<std::string> types(const term::Theory& theory) const {
    std::vector<std::string> found;
    for (const term::Type& each : theory.types) found.push_back(store.name(each.sort));
    std::ranges::sort(found);
    return found;
  }
  std::vector<std::string> axioms(const term::Theory& theory) const {
    std::vector<std::string> found;
    for (const term::Axiom& each : theory.axioms) found.push_back(each.name);
    std::ranges::sort(found);
    return found;
  }

  using Names = std::vector<std::string>;

  std::filesystem::path folder;
  term::Store store;
  FakeTable table;
  rewrite::IntervalOracle oracle;
  syntax::Diagnostics diagnostics;
  std::unique_ptr<Workspace> workspace;
};

}  // namespace rhopsi::elaborate
