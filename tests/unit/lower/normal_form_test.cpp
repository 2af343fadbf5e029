// Normal forms of expressions over the library, lowered.
#include "engine/lower/normal_form.hpp"

#include "engine/onf/print.hpp"
#include "engine/onf/verify.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi::lower {
namespace {

using moa::test::Input;
using onf::Scalar;

const Input A{"A", {2, 3}};
const Input B{"B", {2, 4}};
const Input C{"C", {4, 6}};
const Input v{"v", {5}};
const Input f{"f", {4}, Scalar::float64};

// The function as text, behind what the verifier says of it.
std::string lowered(const std::string& text, const std::vector<Input>& inputs = {A, B, C, v, f}) {
  const auto form = moa::test::expressions().reduce(text, inputs);
  if (!form) return form.error().code + ": " + form.error().message + "\n";
  onf::Module module = module_of_forms("forms");
  const auto id = lower(*form, "f", module);
  if (!id) return id.error().code + ": " + id.error().message + "\n";
  std::string found;
  for (const onf::Problem& problem : onf::verify(module)) {
    found += problem.code + ": " + problem.message + "\n";
  }
  const std::string all = onf::to_string(term::Store(), module);
  return found + all.substr(all.find("function"));
}

TEST(LowerForm, Try) {
  for (const char* text :
       {"cat(B, drop(drop(C, 0, 1), 1, 2), 0)", "rotate(v, 0, 1) + rotate(v, 0, -1)", "sum(A, 0)", "cumsum(v, 0)",
        "matmul(A, transpose(A))", "v / (v - 1)", "gather(f, 0, v)", "compress(f, 0, [1, 0, 1, 1])", "compress(v, 0, v > 2)",
        "select(v > 0, 10 / v, 0 - v)", "(v * v + v * 2 + 1) * sqrt(v * v + v * 2 + 1)", "2.5", "sum(v, 0)", "f / sum(f, 0)",
        "integer(f)", "expand(v, 0, [1, 0, 1, 1, 1, 1])", "grade_up(v)", "reshape(C, [3, 8])", "outer_div(v, v)", "take(A, 0, 0)"}) {
    std::cout << "--- " << text << "\n" << moa::test::expressions().form(text, {A,B,C,v,f}) << lowered(text);
  }
  std::cout << lowered("rotate(u, 0, 2) + 1", {Input{"u", {std::nullopt, 3}}});
  std::cout << lowered("cat(u, u, 0)", {Input{"u", {std::nullopt, 3}}});
}

}  // namespace
}  // namespace rhopsi::lower
