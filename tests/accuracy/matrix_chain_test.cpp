// The matrix chain of the paper's Listings 1 and 2: associativity, applied once, saves
// multiplications and keeps the product. The example counts them itself.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/exec/process.hpp"

namespace rhopsi {
namespace {

// The integer that a function of the program returns.
std::int64_t result(const std::string& program, const std::string& entry) {
  const exec::Outcome outcome =
      exec::rhopsi({"run", exec::source("specs/matrix_chain/matrix_chain.mg"), "-p", program,
                    "--entry", entry, "--backend", "kokkos", "--json", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  const std::size_t end = outcome.out.find_last_not_of('\n');
  const std::size_t begin = outcome.out.find_last_of('\n', end);
  const auto object = nlohmann::json::parse(
      outcome.out.substr(begin == std::string::npos ? 0 : begin + 1), nullptr, false);
  if (!object.is_object() || !object.contains("values")) {
    ADD_FAILURE() << outcome.text();
    return -1;
  }
  return object.at("values").value("result", std::int64_t(-1));
}

TEST(MatrixChain, AssociativitySavesMultiplications) {
  EXPECT_EQ(result("ExampleProgram", "countMultiplications"), 184000);
  EXPECT_EQ(result("DevProgram", "countMultiplications"), 21600);
}

TEST(MatrixChain, TheProductStaysTheSame) {
  const std::int64_t checksum = result("ExampleProgram", "productChecksum");
  EXPECT_NE(checksum, 0);
  EXPECT_EQ(result("DevProgram", "productChecksum"), checksum);
}

// What people see.
TEST(MatrixChain, TheResultIsPrinted) {
  const exec::Outcome outcome =
      exec::rhopsi({"run", exec::source("specs/matrix_chain/matrix_chain.mg"), "-p", "DevProgram",
                    "--entry", "countMultiplications", "--backend", "kokkos", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(outcome.out, "result: 21600\n");
}

}  // namespace
}  // namespace rhopsi
