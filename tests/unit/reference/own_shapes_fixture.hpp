// Programs whose arrays have shapes of their own, over operations of the rule library.
#pragma once

#include "tests/unit/reference/program_fixture.hpp"

namespace rhopsi::reference {

class OwnShapes : public Programs {
 protected:
  OwnShapes() {
    imports =
        "backend.kokkos, definitions.numbers, definitions.vectors, definitions.structure, "
        "definitions.pointwise, definitions.folds, definitions.values";
  }

  // `body` in a program over a part of the library; `before` stands in front of it.
  void load_own(const std::string& body, const std::string& before = "",
                onf::Scalar real = onf::Scalar::float64) {
    load(before + R"(
      concept Operations = {
        use Numbers;
        use Size[E => Number];
        use VectorAlgebra;
        use Structure[E => Number];
        use Pointwise[E => Number];
        use Reductions[E => Number];
        use Iota[E => Number];
      };
      program P = implement Operations in { use Operations;
    )" + body +
             "};",
         real);
  }

  // What a procedure leaves in its arguments; a failure of the test after an error.
  std::vector<Value> run(const std::string& name, std::vector<Value> arguments) {
    const auto result = try_call(name, arguments);
    if (!result) ADD_FAILURE() << result.error().code << ": " << result.error().message;
    return arguments;
  }
};

using Reals = std::vector<double>;
using Shape = std::vector<std::int64_t>;

inline void expect_array(const Value& value, const Shape& shape, const Reals& data) {
  const Array* array = std::get_if<Array>(&value);
  ASSERT_NE(array, nullptr) << describe(value);
  EXPECT_EQ(array->shape, shape);
  ASSERT_EQ(array->element, onf::Scalar::float64);
  EXPECT_EQ(std::get<Reals>(*array->elements), data);
}

// first, first + 1, ... in row-major order.
inline Array counting_reals(Shape shape, double first = 0) {
  std::size_t count = 1;
  for (std::int64_t length : shape) count *= static_cast<std::size_t>(length);
  Reals data(count);
  for (std::size_t i = 0; i < count; ++i) data[i] = first + static_cast<double>(i);
  return make_array(std::move(shape), std::move(data));
}

}  // namespace rhopsi::reference
