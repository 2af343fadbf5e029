// Loops over rounds that go line by line: which do, and what the verifier refuses.
#include "engine/onf/lines.hpp"

#include "tests/unit/lower/own_schedule.hpp"

namespace rhopsi {
namespace {

const std::vector<schedule::RecipeStep> lines = {
    {StepKind::in_place}, {StepKind::bind}, {StepKind::pipeline}};

// Forwards into an array of its own, and backwards.
const std::string implicit =
    "  procedure p(upd x: Array, obs a: Array)\n"
    "    guard dim(x) == 2 && shape(a) == shape(x) && 1 <= at(shape(x), 0) {\n"
    "    var n: Int = at(shape(x), 0);\n"
    "    var d = 0.5 * x;\n"
    "    for z in 1 .. n {\n"
    "      d = forall (p < shape(x)) (if at(p, 0) == z then\n"
    "          psi(p, a) + 0.5 * psi(replace(p, 0, z - 1), d) else psi(p, d));\n"
    "    };\n"
    "    for z in 1 .. n {\n"
    "      x = forall (p < shape(x)) (if at(p, 0) == n - 1 - z then\n"
    "          psi(p, d) - psi(replace(p, 0, n - z), x) else psi(p, x));\n"
    "    };\n"
    "  }\n";

// A loop whose rounds compute that of row z of x, with k the place.
std::string rounds_that_compute(const std::string& element) {
  return "  procedure p(upd x: Array, obs a: Array)\n"
         "    guard dim(x) == 2 && shape(a) == shape(x) {\n"
         "    for z in 1 .. at(shape(x), 0) {\n"
         "      x = forall (p < shape(x)) (if at(p, 0) == z then " +
         element +
         " else psi(p, x));\n"
         "    };\n"
         "  }\n";
}

class ByLines : public OwnSchedule {
 protected:
  // The first of the statements that go line by line, and how many there are.
  static std::pair<std::size_t, std::size_t> group(const onf::Module& module) {
    const onf::Statements& list = module.functions[0].body;
    for (std::size_t at = 0; at < list.size(); ++at) {
      if (list[at].lines) return {at, onf::lines_end(list, at) - at};
    }
    return {list.size(), 0};
  }
};

TEST_F(ByLines, LoopsThatReadTheirOwnLinesAlone) {
  const onf::Module module = scheduled(implicit, lines);
  const std::string text = text_of(module);
  EXPECT_TRUE(says(text, "line by line of axes 1  #")) << text;
  const auto [first, count] = group(module);
  // What a thread has for its lines alone is allocated there.
  const auto* own = std::get_if<onf::Allocate>(&module.functions[0].body.at(first).form);
  ASSERT_NE(own, nullptr) << text;
  EXPECT_FALSE(own->in_place_of);
  EXPECT_EQ(first + count, module.functions[0].body.size()) << text;
  EXPECT_TRUE(says(steps(),
                   "all lines of each round => all rounds of some lines, along axes 1; "
                   "what is written is read at the own indices of these axes alone"))
      << steps();
}

TEST_F(ByLines, OtherLinesKeepRoundsApart) {
  onf::Module module = scheduled(
      rounds_that_compute("psi(replace(replace(p, 0, z - 1), 1, max(at(p, 1) - 1, 0)), x)"), lines);
  EXPECT_EQ(group(module).second, 0u) << text_of(module);
  EXPECT_TRUE(says(steps(), " at other indices of axis 1")) << steps();
  // What nobody writes may be read anywhere.
  module =
      scheduled(rounds_that_compute(
                    "psi(replace(p, 1, max(at(p, 1) - 1, 0)), a) + psi(replace(p, 0, z - 1), x)"),
                lines);
  EXPECT_EQ(group(module).second, 1u) << text_of(module);
}

// Not all of them are a line, and these may be done beside each other.
TEST_F(ByLines, RoundsOfSeveralIndicesStayApart) {
  const onf::Module module = scheduled(
      "  procedure p(upd x: Array, obs a: Array) guard dim(x) == 2 && shape(a) == shape(x) {\n"
      "    for z in 1 .. at(shape(x), 0) {\n"
      "      x = forall (p < shape(x)) (psi(p, a) + psi([0, at(p, 1)], a) * psi(p, x));\n"
      "      x = forall (p < shape(x)) (psi(p, x) + psi([0, at(p, 1)], x));\n"
      "    };\n"
      "  }\n",
      lines);
  EXPECT_EQ(group(module).second, 0u) << text_of(module);
}

TEST_F(ByLines, WhatIsNeededBehindIsThere) {
  onf::Module module = scheduled(implicit, lines);
  const auto [first, count] = group(module);
  const onf::Function& function = module.functions[0];
  const std::span<const onf::Statement> all(&function.body.at(first), count);
  const onf::ViewId own = std::get<onf::Allocate>(function.body.at(first).form).view;
  EXPECT_TRUE(onf::is_of_lines_alone(function, all, own));
  EXPECT_FALSE(onf::is_of_lines_alone(function, all.first(count - 2), own));
  module = scheduled(
      "  procedure p(upd x: Array, out y: Array) guard dim(x) == 2 {\n"
      "    y = 0.5 * x;\n"
      "    for z in 1 .. at(shape(x), 0) {\n"
      "      y = forall (p < shape(x)) (if at(p, 0) == z then\n"
      "          psi(p, x) + 0.5 * psi(replace(p, 0, z - 1), y) else psi(p, y));\n"
      "    };\n"
      "  }\n",
      lines);
  ASSERT_GT(group(module).second, 0u) << text_of(module);
  EXPECT_FALSE(
      std::holds_alternative<onf::Allocate>(module.functions[0].body.at(group(module).first).form))
      << text_of(module);
}

// How often the text has that word.
std::size_t count_in(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++found;
  return found;
}

TEST_F(ByLines, WhatIsWrittenAgainIsLeftOut) {
  // All of d but row 0.
  std::string text = text_of(scheduled(implicit, lines));
  EXPECT_TRUE(says(text, "nest nested overwritten (i, j) in [1, length(x, 0)) x")) << text;
  EXPECT_TRUE(says(text, "nest nested (i, j) in [0, 1) x [0, length(x, 1)) \"p: d\"")) << text;
  // Row z + 1 is read as it was.
  text =
      text_of(scheduled("  procedure p(upd x: Array) guard dim(x) == 2 && 2 <= at(shape(x), 0) {\n"
                        "    var n: Int = at(shape(x), 0);\n"
                        "    var d = 0.5 * x;\n"
                        "    for z in 0 .. n - 1 {\n"
                        "      d = forall (p < shape(x)) (if at(p, 0) == z then\n"
                        "          0.5 * psi(replace(p, 0, z + 1), d) else psi(p, d));\n"
                        "    };\n"
                        "    x = d;\n"
                        "  }\n",
                        lines));
  EXPECT_TRUE(says(text, "line by line of axes 1")) << text;
  EXPECT_FALSE(says(text, " overwritten ")) << text;
}

// The second d is no array that the first one was in the place of.
TEST_F(ByLines, ArraysOfWhichNothingIsReadAreMadeAnew) {
  const std::string solve =
      "    for z in 1 .. at(shape(x), 0) {\n"
      "      d = forall (p < shape(x)) (if at(p, 0) == z then\n"
      "          psi(p, x) + 0.5 * psi(replace(p, 0, z - 1), d) else psi(p, d));\n"
      "    };\n";
  const std::string text = text_of(
      scheduled("  procedure p(upd x: Array) guard dim(x) == 2 && 1 <= at(shape(x), 0) {\n"
                "    var d = 0.5 * x;\n" +
                    solve +
                    "    x = rotate(x, 1, 1) * d;\n"
                    "    d = forall (p < shape(x)) (if at(p, 0) == 0 then 1.0 else psi(p, d));\n" +
                    solve + "    x = x - d;\n  }\n",
                lines));
  EXPECT_EQ(count_in(text, "line by line"), 2u) << text;
  EXPECT_TRUE(says(text, " overwritten ")) << text;
  EXPECT_TRUE(says(text, ":= 0.0")) << text;
}

// Whether an axis has a length of 0 or not, all of it is asked for in front of the rounds.
TEST_F(ByLines, UpdatesOfArraysThatMayBeEmpty) {
  const onf::Module module = scheduled(
      "  procedure p(upd x: Array, obs a: Array)\n"
      "    guard dim(x) == 3 && shape(a) == shape(x) && 1 <= at(shape(x), 0) {\n"
      "    for z in 1 .. at(shape(x), 0) {\n"
      "      x = update(x, [z, 0, 0], [1, at(shape(x), 1), at(shape(x), 2)], [1, 1, 1],\n"
      "                 take(drop(a, 0, z), 0, 1) * take(drop(x, 0, z - 1), 0, 1));\n"
      "    };\n"
      "  }\n",
      lines);
  const std::string text = text_of(module);
  EXPECT_TRUE(says(text, "line by line of axes 1, 2")) << text << steps();
  EXPECT_EQ(text.find("update needs"), std::string::npos) << text;
}

// The scores of alignments: each element of those before it along both axes.
const std::string scores =
    "  procedure p(obs s: Array, obs t: Array, out h: Array) guard dim(s) == 1 && dim(t) == 1 {\n"
    "    h = forall (p < [at(shape(s), 0) + 1, at(shape(t), 0) + 1]) 0.0;\n"
    "    for i in 1 .. at(shape(h), 0) {\n"
    "      for j in 1 .. at(shape(h), 1) {\n"
    "        var up: Number = psi([i - 1, j], h);\n"
    "        var best: Number = if psi([i - 1], s): Number < psi([j - 1], t) then\n"
    "            psi([i - 1, j - 1], h) + 1.0 else max(up, psi([i, j - 1], h));\n"
    "        h = replace(h, [i, j], best);\n"
    "      };\n"
    "    };\n"
    "  }\n";

TEST_F(ByLines, LoopsThatSetSingleElementsAreOneLoop) {
  std::string set = scores;
  const std::string asked = "replace(h, [i, j], best)";
  set.replace(set.find(asked), asked.size(),
              "forall (p < shape(h)) (if at(p, 0) == i && at(p, 1) == j then best else psi(p, h))");
  const onf::Module module = scheduled(set, lines);
  const std::string text = text_of(module);
  EXPECT_TRUE(says(text, "all rounds in one loop")) << text << steps();
  EXPECT_EQ(group(module).second, 1u) << text;
  EXPECT_TRUE(says(steps(), "a loop for each element => all rounds in one loop")) << steps();
  // Rows of all columns are done beside each other.
  EXPECT_FALSE(says(text_of(scheduled(implicit, lines)), "all rounds in one loop"));
}

// What was there before the round is needed behind it.
TEST_F(ByLines, ArraysThatAreKeptArePartOfNoOneLoop) {
  const onf::Module module = scheduled(
      "  procedure p(upd x: Array, obs a: Array) guard dim(x) == 1 && shape(a) == shape(x) {\n"
      "    for i in 1 .. at(shape(x), 0) {\n"
      "      var y = x;\n"
      "      x = forall (p < shape(x)) (if at(p, 0) == i then psi([i - 1], x) else psi(p, x));\n"
      "      x = forall (p < shape(x)) (if at(p, 0) == i then psi([i], y) + psi([i], x)\n"
      "          else psi(p, x));\n"
      "    };\n"
      "  }\n",
      lines);
  EXPECT_FALSE(says(text_of(module), "all rounds in one loop")) << text_of(module);
}

TEST_F(ByLines, AreForHosts) {
  around.device = true;
  EXPECT_EQ(group(scheduled(implicit, lines)).second, 0u);
  EXPECT_TRUE(says(steps(), "a device computes all at once")) << steps();
}

TEST_F(ByLines, TheVerifierRefusesOthers) {
  const onf::Module right = scheduled(implicit, lines);
  const auto [first, count] = group(right);
  ASSERT_GT(count, 1u);
  const auto changed = [&, first = first, count = count](const auto& change) {
    onf::Module module = right;
    onf::Statements& list = body(module);
    for (std::size_t at = first; at < first + count; ++at) change(list[at]);
    return codes(module);
  };
  // Rows depend on each other, columns do not.
  EXPECT_TRUE(changed([](onf::Statement& each) { each.lines->axes = {0}; }).contains("E0525"));
  EXPECT_TRUE(changed([](onf::Statement& each) { each.lines->axes = {}; }).contains("E0525"));
  EXPECT_TRUE(changed([](onf::Statement& each) { each.lines->goes_on = true; }).contains("E0525"));
  // The array of one thread ends where the others go on.
  onf::Module parted = right;
  body(parted)[first + count - 1].lines->goes_on = false;
  EXPECT_TRUE(codes(parted).contains("E0525"));
  // What is left out has to be written again, and there.
  onf::Module none = right;
  for (onf::Statement& each : body(none)) {
    auto* const nest = std::get_if<onf::Nest>(&each.form);
    if (nest != nullptr) nest->overwritten = true;
  }
  EXPECT_TRUE(codes(none).contains("E0525"));
  onf::Module plain = right;
  for (onf::Statement& each : body(plain)) each.lines.reset();
  EXPECT_TRUE(codes(plain).contains("E0525"));
  // What one line writes is read for the next one.
  onf::Module across = right;
  bool moved = false;
  onf::each_nest(body(across), [&](onf::Nest& nest, const onf::Pipeline*) {
    onf::each_part(nest.element, [&](onf::Expr& e) {
      if (e.kind != onf::Expr::Kind::load || e.operands.size() != 2 || moved) return;
      if (!nest.box || e.operands[1].kind != onf::Expr::Kind::variable) return;
      const std::string& name = across.functions[0].views[onf::number(e.view)].name;
      if (name.front() != 'd') return;
      e.operands[1] = e.operands[0];
      moved = true;
    });
  });
  ASSERT_TRUE(moved);
  EXPECT_TRUE(codes(across).contains("E0525"));
}

}  // namespace
}  // namespace rhopsi
