// The rule library is what expressions mean: operations are there by their axioms only.
#include <gtest/gtest.h>

#include "tests/property/array_agreement.hpp"

namespace rhopsi::property {
namespace {

TEST(ArrayLibrary, TheOracleKnowsEveryOperationOnArrays) {}

}  // namespace
}  // namespace rhopsi::property
