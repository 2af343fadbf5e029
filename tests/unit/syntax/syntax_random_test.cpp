// Random trees, printed and read again; and texts that are no programs.
#include <algorithm>
#include <random>

#include "frontend/syntax/format.hpp"
#include "frontend/syntax/format_tokens.hpp"
#include "tests/unit/syntax/syntax_reading.hpp"

namespace rhopsi::syntax::testing {

namespace {

template <typename Node>
ExprPtr make(Node node) {
  auto result = std::make_shared<Expr>();
  result->node = std::move(node);
  return result;
}

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  bool coin() { return below(2) == 0; }

  // An expression that may be an operand.
  ExprPtr operand(int depth) {
    switch (depth <= 0 ? below(4) : below(14)) {
      case 0:
        return make(Variable{name(), cast()});
      case 1:
        return make(Variable{any_name(), std::nullopt});
      case 2:
        return make(Literal{Literal::Kind::integer, std::to_string(below(100)), cast()});
      case 3:
        return make(Literal{Literal::Kind::real, pick({"2.5", "1.5e-3", "1e5"}), cast()});
      case 4:
        return make(VectorLiteral{list(depth, 3), cast()});
      case 5:
        return make(Call{any_callee(), arguments(depth), cast(), false, false});
      case 6:
        return call(pick({"-_", "+_", "!_", "~_"}), {operand(depth - 1)});
      case 7:
        return make(If{operand(depth - 1), operand(depth - 1), operand(depth - 1)});
      case 8:
        return make(Fold{
            {pick({"_+_", "max", "_*_"}), {}}, name(), operand(depth - 1), operand(depth - 1)});
      case 9:
        return make(Forall{name(), operand(depth - 1), operand(depth - 1), cast()});
      case 10:
        return make(Assignment{name(), operand(depth - 1)});
      case 11:
        return make(Assert{operand(depth - 1)});
      default:
        return call(binary(), {operand(depth - 1), operand(depth - 1)});
    }
  }

  // `value (if)` is a call, so a variable named like a form is no result.
  ExprPtr result(int depth) {
    ExprPtr made = operand(depth - 1);
    while (std::holds_alternative<Variable>(made->node)) made = operand(1);
    return made;
  }

  ExprPtr statement(int depth) {
    if (depth <= 0) return make(Assignment{name(), operand(0)});
    switch (below(11)) {
      case 0:
        return make(Declaration{name(), coin(), cast(), coin() ? operand(depth - 1) : nullptr});
      case 1:
        return make(Value{result(depth)});
      case 2:
        return make(Skip{});
      case 3:
        return make(For{name(), operand(depth - 1), operand(depth - 1), block(depth - 1)});
      case 4:
        return make(Iterate{operand(depth - 1), procedure_call(depth)});
      case 5:
        return make(While{operand(depth - 1), operand(depth - 1), block(depth - 1)});
      case 6:
        return make(If{operand(depth - 1), statement(depth - 1), statement(depth - 1)});
      case 7:
        return procedure_call(depth);
      case 8:
        return block(depth - 1);
      default:
        return operand(depth);
    }
  }

  ExprPtr block(int depth) {
    Block result;
    for (int i = below(4); i > 0; --i) result.statements.push_back(statement(depth - 1));
    return make(std::move(result));
  }

 private:
  std::string pick(std::initializer_list<const char*> from) {
    return *(from.begin() + below(static_cast<int>(from.size())));
  }
  Name name() {
    return {pick({"a", "b", "rotate", "3D", "in", "type", "then", "größe", "x_1"}), {}};
  }
  Name any_name() {
    return {pick({"a", "value", "if", "for", "else", "var", "call", "while", "bound"}), {}};
  }
  Name any_callee() {
    return {pick({"f", "psi", "value", "if", "1", "while", "forall", "iterate", "var", "_", "_+_",
                  "-_", "_=_", "_=>_"}),
            {}};
  }
  std::string binary() {
    return pick({"_*_", "_/_", "_%_", "_+_", "_-_", "_<<_", "_.._", "_<_", "_==_", "_!==_", "_&&_",
                 "_||_", "_=>_", "_<=>_"});
  }
  std::optional<TypeRef> cast() {
    return below(4) == 0 ? std::optional<TypeRef>(TypeRef{{"T", {}}, false}) : std::nullopt;
  }
  static ExprPtr call(std::string callee, std::vector<ExprPtr> arguments) {
    return make(Call{{std::move(callee), {}}, std::move(arguments), std::nullopt, false, true});
  }
  std::vector<ExprPtr> list(int depth, int longest) {
    std::vector<ExprPtr> items;
    for (int i = below(longest + 1); i > 0; --i) items.push_back(operand(depth - 1));
    return items;
  }
  std::vector<ExprPtr> arguments(int depth) {
    std::vector<ExprPtr> items = list(depth, 3);
    if (below(5) == 0) items.push_back(make(PackExpansion{name()}));
    return items;
  }
  ExprPtr procedure_call(int depth) {
    const bool with_word = coin();
    const std::string callee = with_word ? pick({"p", "p", "_=_"}) : "p";
    return make(Call{{callee, {}}, arguments(depth), std::nullopt, with_word, false});
  }

  std::mt19937 random_;
};

const std::string program = R"(package a.b imports c;
concept A = { type T; require M[[a => b]]; axiom x(a: T) guard p(a) { assert f(a) == -a * (a + 1.5); } }
program B = (rewrite A with B[a => b] 3)[c => d]; program C = external CUDA[x, [y]] a.b { type T; };
implementation D = { procedure q(upd a: T) { for i in 0 .. n { if a then skip else call p(a); } value [1, 2]; } }
)";

// The same text with other blanks, ends of lines and comments, wherever there may be some.
std::string shaken(const std::string& text, std::mt19937& random) {
  std::string result;
  for (const LayoutToken& token : layout_tokens(text)) {
    const bool apart = token.first || token.blanks > 0;
    // Between two brackets there would be another meaning, and within an operator none.
    const bool may = apart || token.is(",") || token.is(";") || token.is(":") || token.is(")");
    if (may && !result.empty()) {
      if (apart || random() % 2 == 0) result += " ";
      result.append(random() % 3, ' ');
      const std::size_t more = random() % 12;
      if (more == 0) result += "// why \n";
      if (more == 1) result += " /* here */ ";
      if (more < 5) result += std::string(random() % 3, '\n') + std::string(random() % 9, ' ');
    }
    result += token.text;
  }
  return result;
}

void expect_formatted(const std::string& text, const Package& tree) {
  const std::string once = format(text);
  const Reading reading = read_package(once);
  ASSERT_TRUE(reading.package && !reading.diagnostics.has_errors()) << text << "\n---\n"
                                                                    << once << reading.rendered();
  ASSERT_TRUE(equal(tree, *reading.package)) << text << "\n---\n" << once;
  ASSERT_EQ(comments_of(once), comments_of(text)) << text << "\n---\n" << once;
  ASSERT_EQ(format(once), once) << text;
}

}  // namespace

TEST(Format, SaysTheSameAndIsDoneAtOnce) {
  std::mt19937 random(5);
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Generator generator(seed);
    const std::string printed =
        "package a-b.c;\nimplementation I = external C++ d-e.f {\n  procedure q() " +
        print(*generator.block(5)) + "\n};\n";
    const Reading reading = read_package(printed);
    ASSERT_FALSE(reading.diagnostics.has_errors()) << printed << reading.rendered();
    expect_formatted(printed, *reading.package);
    expect_formatted(shaken(printed, random), *reading.package);
    if (::testing::Test::HasFatalFailure()) return;
  }
  std::string modules = program;
  modules.insert(modules.find(" value ["), ";");
  modules +=
      "schedule s for B on q = { drop; require pad(widest = 2, of = a); use a-b.t; }\nconcept E = "
      "{ use a-b.F; };\n";
  for (int round = 0; round < 300; ++round) {
    const std::string text = shaken(modules, random);
    const Reading reading = read_package(text);
    ASSERT_FALSE(reading.diagnostics.has_errors()) << text << reading.rendered();
    expect_formatted(text, *reading.package);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(RandomTrees, StatementsAreReadAgainAsTheyWerePrinted) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Generator generator(seed);
    const ExprPtr tree = generator.block(6);
    const std::string printed = print(*tree);
    const Reading reading = read_expression(printed);
    ASSERT_TRUE(reading.expression) << "seed " << seed << "\n" << printed << reading.rendered();
    ASSERT_TRUE(equal(*tree, *reading.expression)) << "seed " << seed << "\n"
                                                   << printed << "\n"
                                                   << shape(*tree) << "\n"
                                                   << shape(*reading.expression);
    ASSERT_EQ(print(*reading.expression), printed) << "seed " << seed;
  }
}

TEST(RandomTexts, GarbageIsRefusedWithoutHarm) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 300, ' ');
    for (char& c : text) c = static_cast<char>(random());
    const Reading reading = read_package(text);
    for (const Diagnostic& d : reading.diagnostics.all()) render(d, true);
    render_json(reading.diagnostics);
  }
}

TEST(RandomTexts, MutationsAreReadOrRefused) {
  std::mt19937 random(11);
  const std::string symbols = "(){}[];:,.=+-*/<>!&|~ \n_a0";
  for (int round = 0; round < 6000; ++round) {
    std::string text = program;
    for (unsigned edits = 1 + random() % 4; edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      const char c = symbols[random() % symbols.size()];
      switch (random() % 4) {
        case 0:
          text.erase(at, 1 + random() % 5);
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        case 2:
          text[at] = c;
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 30));
          break;
      }
    }
    const Reading reading = read_package(text);
    for (const Diagnostic& d : reading.diagnostics.all()) render(d);
    if (!reading.package || reading.diagnostics.has_errors()) {
      ASSERT_TRUE(reading.diagnostics.has_errors()) << text;
      continue;
    }
    const Reading again = read_package(print(*reading.package));
    ASSERT_FALSE(again.diagnostics.has_errors())
        << text << again.rendered() << print(*reading.package);
    ASSERT_TRUE(equal(*reading.package, *again.package)) << text << print(*reading.package);
    expect_formatted(text, *reading.package);
  }
}

TEST(RandomTexts, EveryPrefixOfAProgram) {
  for (std::size_t length = 0; length < program.size(); ++length) {
    const Reading reading = read_package(program.substr(0, length));
    for (const Diagnostic& d : reading.diagnostics.all()) render(d);
  }
}

}  // namespace rhopsi::syntax::testing
