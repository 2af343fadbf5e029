#include "backends/kokkos/emit/writer.hpp"
#include "engine/lower/normal_form.hpp"
#include "engine/schedule/schedule.hpp"
#include "tests/unit/lower/fixture.hpp"
#include "tests/unit/moa/fixture.hpp"

namespace rhopsi {
namespace {

class Emit : public Lowering {
 protected:
  std::string file(const std::string& spec_file, const std::string& name, int rank,
                   std::size_t number, kokkos::Options options = {}) {
    const auto theory = program(spec(spec_file), name);
    if (!theory) return {};
    const auto module = lowered(*theory, rank);
    if (!module) {
      ADD_FAILURE() << messages();
      return {};
    }
    return kokkos::emit(store, *module, options)[number].text;
  }
  // Wherever the lines are broken.
  static void expect_in(const std::string& text, const std::string& part) {
    EXPECT_NE(joined(text).find(joined(part)), std::string::npos) << part << "\n--- in\n" << text;
  }
};

TEST_F(Emit, LoopIsLabelledAndItsInvariantsComeBeforeIt) {
  const std::string text = file("burgers/paper.mg", "3DPadded", 3, 0);
  expect_in(text, "struct n3DPadded {");
  expect_in(text, "rhopsi::for_each_nested(\"step: result = schedule3DPadded(...)\", domain,");
  expect_in(text, "const float c0 = dt / 2.0f;");
  expect_in(text, "const float c1 = 1.0f / dx / dx;");
  expect_in(text, "v0_at(i, j, k) + c0 * (nu * (c1 * (u0_at(i - 1, j, k) +");
  expect_in(text, "rhopsi::refill_padding(\"step: refill_padding\", domain, result);");
}

TEST_F(Emit, LinesAreShort) {
  const std::string text = file("burgers/paper.mg", "3DPadded", 3, 0);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 100u) << text.substr(at, end - at);
    at = end + 1;
  }
}

// A line that goes on with a string is not broken inside it either.
TEST_F(Emit, StringsAreNotBroken) {
  kokkos::Text out;
  const std::string message = "\"" + std::string(30, 'a') + " " + std::string(30, 'b') + "\"";
  out.line("call({" + message + ", " + message + ", " + message + "});");
  EXPECT_EQ(out.str(), "call({" + message + ",\n    " + message + ",\n    " + message + "});\n");
}

TEST(EmittedText, MentionsWordsAlone) {
  EXPECT_TRUE(kokkos::mentions("a = s * b;", "s"));
  EXPECT_TRUE(kokkos::mentions("t; // s\ns", "s"));
  EXPECT_TRUE(kokkos::mentions(R"(f("\"", s))", "s"));
  for (const char* code : {"s_at", "this", "s1", "// s", R"("s and \" s")", "", "2s"}) {
    EXPECT_FALSE(kokkos::mentions(code, "s")) << code;
  }
}

TEST_F(Emit, EntriesNameArgumentsAndParameters) {
  const std::string text = file("burgers/paper.mg", "DNF", 3, 1);
  expect_in(text, "{\"u0\", \"array float32\", Mode::upd}");
  expect_in(text,
            "{\"nu\", \"float32\", [](void* program, double v) { "
            "static_cast<DNF*>(program)->nu = static_cast<float>(v); }},");
}

TEST_F(Emit, UserHeadersAreIncludedAndOperatorsSpelledOut) {
  const std::string text = file("matrix_chain/matrix_chain.mg", "DevProgram", 0, 0);
  expect_in(text, "#include \"lib.hpp\"");
  expect_in(text, "using IntMatrix = int_matrices<std::int64_t>::IntMatrix;");
  expect_in(text, ".binary_mul(B, C)");
}

// One fold, one accumulator, a loop for each part.
TEST_F(Emit, FoldsInPartsAreLoopsThatFollowOneAnother) {
  const moa::test::Input A{"A", {6, 3}, onf::Scalar::float64};
  const auto emitted = [&](const std::string& text) -> std::string {
    const auto plan = moa::test::expressions().plan(text, {A});
    onf::Module module = lower::module_of_forms("forms");
    if (!plan || !lower::lower(*plan, "f", module)) return "no form";
    return kokkos::emit(store, module, {})[0].text;
  };
  const std::string rotated = emitted("sum(rotate(A, 0, 1), 0)");
  expect_in(rotated, "std::int32_t k = 0; for (; k < 5; ++k) {");
  expect_in(rotated, "for (; k < 5; ++k) { const double term = A_at(k + 1, i);");
  expect_in(rotated, "for (; k < 6; ++k) { const double term_2 = A_at(k - 5, i);");
  EXPECT_EQ(rotated.find('%'), std::string::npos) << rotated;
  // Where a part takes statements, too.
  const std::string nested = emitted("sum(sum(rotate(cat(A, A, 1), 1, 2), 0), 0)");
  expect_in(nested, "for (; k < 1; ++k) {");
  expect_in(nested, "for (; k < 4; ++k) {");
  EXPECT_EQ(nested.find("if (k"), std::string::npos) << nested;
  EXPECT_EQ(nested.find('%'), std::string::npos) << nested;
  expect_in(emitted("sum(A, 0)"), "k = 0; k < 6; ++k) {");
  // Up to a place that may be beyond the end.
  expect_in(emitted("cumsum(rotate(A, 0, 2), 0)"),
            "const std::int64_t place = 4; const std::int32_t end = place < x1 ?");
}

// Those that may be called from outside, and what these call, however many there are.
TEST_F(Emit, FunctionsThatNobodyCallsAreNotEmitted) {
  const auto functions = [&](std::vector<std::string> entries, kokkos::Callers callers) {
    const auto theory = program(spec("burgers/paper.mg"), "3DPadded");
    auto module = lowered(*theory, 3);
    EXPECT_TRUE(module) << messages();
    // Both calls of `substep` are followed into `step`, so that nobody but a caller needs it.
    schedule::apply(*module, schedule::standard_recipe(), {});
    kokkos::Options options;
    options.entries = std::move(entries);
    options.callers = callers;
    const std::string text = kokkos::emit(store, *module, options)[0].text;
    std::vector<bool> found;
    for (const char* name : {" step(", " substep(", " substep_part_1(", " substepIx3D("}) {
      found.push_back(text.find(name) != std::string::npos);
    }
    return found;
  };
  using Found = std::vector<bool>;
  EXPECT_EQ(functions({"step"}, kokkos::Callers::none), (Found{true, false, false, false}));
  EXPECT_EQ(functions({"substep"}, kokkos::Callers::none), (Found{false, true, true, false}));
  for (const auto callers : {kokkos::Callers::none, kokkos::Callers::library}) {
    EXPECT_EQ(functions({"step", "substepIx3D"}, callers), (Found{true, false, false, true}));
    EXPECT_EQ(functions({}, callers), (Found{true, true, true, true}));
  }
}

TEST_F(Emit, CheckedIsAnOptionOfTheFolder) {
  kokkos::Options options;
  options.checked = true;
  options.target = kokkos::Target::serial;
  const std::string text = file("smooth/smooth.mg", "DNF", 1, 2, options);
  expect_in(text, "set(RHOPSI_CHECKED ON");
  expect_in(text, "rhopsi_program(DNF main.cpp)");
}

}  // namespace
}  // namespace rhopsi
