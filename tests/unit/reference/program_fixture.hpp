// Programs written as text, elaborated over the rule library and run by the evaluator.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "backends/primitives/primitives.hpp"
#include "backends/reference/evaluator.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "frontend/elaborate/elaborate.hpp"
#include "tests/unit/reference/temporary_folder.hpp"

namespace rhopsi::reference {

class Programs : public ::testing::Test {
 protected:
  // What programs are written with: the backend's operations and the rules.
  std::string imports = "backend.kokkos, moa.dnf, moa.indexwise, of.padding";

  // The program P of a package with these imports.
  void load(const std::string& text, onf::Scalar real = onf::Scalar::float64) {
    table = primitives::make_table(real);
    elaborate::Options elaborate_options;
    elaborate_options.search_path = {std::string(RHOPSI_SOURCE_DIR) + "/rules"};
    workspace =
        std::make_unique<elaborate::Workspace>(store, *table, oracle, std::move(elaborate_options));
    const std::string path = folder.write("p.mg", "package p imports " + imports + ";\n" + text);
    syntax::Diagnostics diagnostics;
    const auto package = workspace->load(path, diagnostics);
    if (package) program = workspace->evaluate(*package, "P", diagnostics);
    for (const auto& each : diagnostics.all()) ADD_FAILURE() << render(each);
    // Thrown, since a test cannot go on without its program.
    if (!program) throw std::runtime_error("the program was not elaborated");
  }

  term::SymbolId symbol(const std::string& name) const {
    const auto found = program->overloads(store, name);
    EXPECT_EQ(found.size(), 1u) << name;
    return found.empty() ? term::SymbolId{} : found[0]->symbol;
  }

  Evaluator::Result try_call(const std::string& name, std::vector<Value>& arguments) {
    Evaluator evaluator(store, *program, *table, options);
    return evaluator.call(symbol(name), arguments);
  }

  // The result of a function; a failure of the test, and `false`, after an error.
  Value call(const std::string& name, std::vector<Value> arguments = {}) {
    const auto result = try_call(name, arguments);
    if (result && *result) return **result;
    ADD_FAILURE() << (result ? "no result" : result.error().code + ": " + result.error().message);
    return false;
  }

  Error error(const std::string& name, std::vector<Value> arguments = {}) {
    const auto result = try_call(name, arguments);
    if (!result) return result.error();
    ADD_FAILURE() << name << " succeeds";
    return {};
  }

  void expect_error(const std::string& name, std::vector<Value> arguments, const std::string& code,
                    const std::string& part, std::uint32_t line) {
    const Error found = error(name, std::move(arguments));
    EXPECT_EQ(found.code, code) << found.message;
    EXPECT_NE(found.message.find(part), std::string::npos) << found.message;
    EXPECT_EQ(found.location.line, line) << found.message;
  }

  TemporaryFolder folder;
  term::Store store;
  rewrite::IntervalOracle oracle;
  std::unique_ptr<onf::PrimitiveTable> table;
  std::unique_ptr<elaborate::Workspace> workspace;
  std::shared_ptr<const term::Theory> program;
  Options options;
};

inline Value integer(std::int64_t value) { return value; }
inline Value real(double value) { return value; }

template <class T>
Array array_of(std::vector<std::int64_t> shape, std::vector<T> data) {
  return make_array(std::move(shape), std::move(data));
}

template <class T>
std::vector<T> elements(const Value& value) {
  return std::get<std::vector<T>>(*std::get<Array>(value).elements);
}

// 0, 1, 2, ... scattered, so that no symmetry hides a mistake.
inline Array sample(std::vector<std::int64_t> shape) {
  std::size_t count = 1;
  for (std::int64_t length : shape) count *= static_cast<std::size_t>(length);
  std::vector<double> data(count);
  for (std::size_t i = 0; i < count; ++i) data[i] = static_cast<double>((i * 7 + 3) % 31) - 11.5;
  return make_array(std::move(shape), std::move(data));
}

}  // namespace rhopsi::reference
