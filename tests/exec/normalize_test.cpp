// `rhopsi normalize`: formats, normal forms, bounds, and what is refused.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/exec/inputs.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

const char* const numbers =
    "REC-SPEC numbers % unary\n"
    "SORTS Nat Bit\n"
    "CONS z : -> Nat  s : Nat -> Nat\n"
    " o:->Bit  i:->Bit\n"
    "OPNS\n"
    " add : Nat Nat -> Nat\n"
    " is is : Nat -> Bit\n"
    " same : Nat Nat -> Bit\n"
    "VARS X Y : Nat\n"
    "RULES\n"
    " add (z, Y) -> Y\n"
    " add (s(X), Y) -> s(add(X, Y))\n"
    " same(X, Y) -> i if X -><- Y\n"
    " same(X, Y) -> o if X ->/<- Y and-if z -><- add(z, z)\n"
    "EVAL\n"
    " add(s(s(z)), s(z))\n"
    " same(add(s(z), z), s(z)) same(z, s(z))\n"
    "END-SPEC\n";

std::string without(std::string text, const std::string& part) {
  return text.erase(text.find(part), part.size());
}

TEST(Normalize, PrintsTheNormalFormOfEachTermOfAFile) {
  const Folder folder;
  const std::string file = folder.write("n.rec", without(numbers, " is"));
  const Outcome outcome = rhopsi({"normalize", "--trs", file});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(outcome.out, "s(s(s(z)))\ni\no\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(Normalize, ReadsTheOtherFormatsAndAnyStrategy) {
  const Folder folder;
  const std::string ari = folder.write("add.ari", addition);
  const std::string old =
      folder.write("add.trs", "(VAR x y)(RULES p(0, y) -> y p(s(x), y) -> s(p(x, y)))");
  for (const std::string& file : {ari, old}) {
    for (const std::string strategy : {"innermost", "outermost", "topdown", "bottomup"}) {
      const Outcome outcome = rhopsi({"normalize", "--trs", file, "--strategy", strategy, "--term",
                                      "p(s(s(0)), p(0, unknown))"});
      EXPECT_EQ(outcome.out, "s(s(unknown))\n") << outcome.text();
    }
  }
  EXPECT_TRUE(has(rhopsi({"normalize", "--trs", ari}).err, "error[E0808]"));
}

TEST(Normalize, OfSeveralTermsItSaysWhichHaveNoNormalForm) {
  const Folder folder;
  const std::string file = folder.write("three.rec",
                                        "REC-SPEC T\nSORTS N\nCONS z : -> N  s : N -> N\n"
                                        "OPNS f : N -> N  l : N -> N\nVARS X : N\n"
                                        "RULES f(X) -> s(f(X))  l(X) -> l(X)\n"
                                        "EVAL f(z) s(z) l(z)\nEND-SPEC\n");
  const Outcome outcome =
      rhopsi({"normalize", "--trs", file, "--max-steps", "100000", "--max-nodes", "50", "--stats"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_TRUE(has(outcome.err, "no normal form of term 1: bound on the size of terms, after "))
      << outcome.err;
  EXPECT_TRUE(has(outcome.err, "no normal form of term 3: bound on steps, after 100000 steps"))
      << outcome.err;
  const auto stats = nlohmann::json::parse(outcome.out.substr(outcome.out.find("{\"rewrites")));
  ASSERT_EQ(stats["unfinished"].size(), 2);
  EXPECT_EQ(stats["unfinished"][0]["term"], 1);
  EXPECT_EQ(stats["unfinished"][1]["stop"], "bound on steps");
  EXPECT_EQ(stats["unfinished"][1]["rewrites"], 100000);
}

TEST(Normalize, CountsAndSaysWhichBoundWasHit) {
  const Folder folder;
  const std::string file = folder.write("loop.trs", "(VAR x)(RULES f(x) -> f(s(x)))");
  const Outcome outcome =
      rhopsi({"normalize", "--trs", file, "--term", "f(a)", "--max-steps", "3", "--stats"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(has(outcome.err, "bound on steps, after 3 steps")) << outcome.err;
  ASSERT_TRUE(outcome.out.starts_with("f(s(s(s(a))))\n"));
  const auto stats = nlohmann::json::parse(outcome.out.substr(outcome.out.find('\n') + 1));
  EXPECT_EQ(stats["rewrites"], 3);
  EXPECT_EQ(stats["stop"], "bound on steps");
  EXPECT_GT(stats["bytes_peak"], 0);
  EXPECT_TRUE(stats.contains("seconds") && stats.contains("rewrites_per_second"));

  const Outcome late = rhopsi({"normalize", "--trs", file, "--term", "f(a)", "--max-seconds", "0.1",
                               "--max-nodes", "100000000", "--stats"});
  EXPECT_TRUE(has(late.err, "bound on time")) << late.err;
}

// Whatever bound was hit, what there is then is printed.
TEST(Normalize, WhatABoundLeavesIsPrinted) {
  const Folder folder;
  const std::string file = folder.write("left.rec",
                                        "REC-SPEC T\nSORTS N\nCONS z : -> N s : N -> N\n"
                                        "OPNS g f a : N -> N\nVARS X : N\n"
                                        "RULES g(X) -> g(s(X)) f(X) -> s(f(X))\n"
                                        " a(X) -> z if a(s(X)) -><- X\nEND-SPEC\n");
  for (const bool compiled : {false, true}) {
    const auto run = [&](const std::string& term, const std::string& bound,
                         const std::string& value) {
      std::vector<std::string> words{"normalize", "--trs", file, "--term", term, bound, value};
      if (compiled) words.push_back("--compiled");
      return rhopsi(words);
    };
    for (const std::string name : {"g", "f"}) {
      const Outcome large = run(name + "(z)", "--max-nodes", "10");
      EXPECT_EQ(large.exit_code, 0);
      EXPECT_TRUE(has(large.err, "bound on the size of terms")) << large.err;
      EXPECT_TRUE(large.out.starts_with(name == "g" ? "g(s(s(" : "s(s(s(")) << large.text();
      EXPECT_TRUE(large.out.ends_with(")))\n"));
    }
    const Outcome knot = run("a(z)", "--max-steps", "100");
    EXPECT_EQ(knot.out, "a(z)\n");
    EXPECT_TRUE(has(knot.err, "bound on steps, after 0 steps")) << knot.err;
  }
}

TEST(Normalize, DeepTermsAreReadRewrittenAndPrinted) {
  const Folder folder;
  constexpr std::size_t depth = 1000000;
  std::string term;
  for (std::size_t i = 0; i < depth; ++i) term += "s(";
  term += "p(s(0), 0)" + std::string(depth, ')');
  const Outcome outcome = rhopsi({"normalize", "--trs", folder.write("add.ari", addition),
                                  "--term-file", folder.write("deep.txt", term)});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.size(), 3 * (depth + 1) + 2);
}

TEST(Normalize, MistakesHaveLineAndColumn) {
  const Folder folder;
  const auto error = [&](const std::string& text) {
    const Outcome outcome = rhopsi({"normalize", "--trs", folder.write("m.rec", text)});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, "");
    return outcome.err.substr(0, outcome.err.find('\n'));
  };
  const std::string good = without(numbers, " is");
  EXPECT_TRUE(has(error(numbers), "m.rec:7:5: error[E0132]: `is` is declared twice"));
  const auto with = [&](const std::string& old, const std::string& fresh) {
    std::string text = good;
    return error(text.replace(text.find(old), old.size(), fresh));
  };
  EXPECT_TRUE(has(with("add (z, Y)", "ad (z, Y)"), ":11:2: error[E0132]: nothing called `ad`"));
  EXPECT_TRUE(has(with("add (z, Y)", "add (z)"), ":11:2: error[E0133]"));
  EXPECT_TRUE(has(with("add (z, Y)", "add (o, Y)"), ":11:2: error[E0135]"));
  EXPECT_TRUE(has(with("add (z, Y) -> Y", "add (z, Y) -> o"), ":11:16: error[E0135]"));
  EXPECT_TRUE(has(with("-> Y\n", "->\n"), ":12:16: error[E0130]"));
  EXPECT_TRUE(has(with("X Y : Nat", "X Y : Nut"), ":9:12: error[E0132]"));
  EXPECT_TRUE(has(with("X -><- Y", "X = Y"), "error[E0130]"));
  EXPECT_TRUE(has(with("END-SPEC", ""), "error[E0130]"));
  EXPECT_TRUE(has(with("same(z, s(z))", "same(z, s(z)"), "error[E0130]"));
  EXPECT_TRUE(has(with("add (z, Y) -> Y", "add (z, z) -> Y"), ":11:16: error[E0136]"));
}

TEST(Normalize, WhatOtherToolsWriteIsReadOrRefusedByName) {
  const Folder folder;
  const auto run = [&](const std::string& name, const std::string& text) {
    return rhopsi({"normalize", "--trs", folder.write(name, text), "--term", "f(a)"});
  };
  const std::string rules = "(format TRS)\n(fun f 1)\n(fun a 0)\n(rule (f x) x)\n";
  // A mark of byte order, lines of other systems, strings in metadata.
  EXPECT_EQ(run("mark.ari", "\xEF\xBB\xBF" + rules).out, "a\n");
  EXPECT_EQ(run("meta.ari", "(meta-info (author \"A; (B\"))\n" + rules).out, "a\n");
  EXPECT_EQ(run("lines.rec",
                "REC-SPEC lines\r\nSORTS\r\n\tN\r\nCONS a:->N\r\nOPNS\r\nf:N->N\r\nVARS x:N\r\n"
                "RULES f(x)->x\r\nEND-SPEC\r\n")
                .out,
            "a\n");
  EXPECT_EQ(run("comment.trs",
                "(COMMENT isn't (this) \"nice)\n(VAR x)(STRATEGY INNERMOST)(RULES f(x)->x)")
                .out,
            "a\n");
  const auto refused = [&](const std::string& name, const std::string& text) {
    const Outcome outcome = run(name, text);
    EXPECT_EQ(outcome.exit_code, 1);
    return outcome.err;
  };
  EXPECT_TRUE(has(refused("c.ari", "(format CTRS oriented)\n(fun f 1)"),
                  "c.ari:1:9: error[E0131]: the format `CTRS`"));
  EXPECT_TRUE(has(refused("i.rec", "REC-SPEC i : base\nSORTS N\nEND-SPEC"),
                  "i.rec:1:12: error[E0131]: specifications that import"));
  EXPECT_TRUE(has(refused("t.trs", "(VAR x)\n(THEORY (AC f))(RULES f(x) -> x)"),
                  "t.trs:2:2: error[E0134]"));
  EXPECT_TRUE(
      has(refused("b.trs", "(VAR x)\n(RULES f(x) -> x | x -> a)"), "b.trs:2:18: error[E0131]"));
}

TEST(Normalize, LinesMayEndAsTheyDidOnOldMachines) {
  const Folder folder;
  const Outcome outcome = rhopsi(
      {"normalize", "--trs",
       folder.write("cr.rec",
                    "REC-SPEC lines % the first\rSORTS N\rCONS a:->N\rOPNS f:N->N\rVARS x:N\r"
                    "RULES f(x)->x\rEVAL g(a)\rEND-SPEC\r")});
  EXPECT_TRUE(has(outcome.err, "cr.rec:7:6: error[E0132]: nothing called `g`")) << outcome.text();
}

TEST(Normalize, NormalFormsAreReadAgain) {
  const Folder folder;
  const std::string file = folder.write(
      "names.ari",
      "(format TRS)\n(fun |c d| 0)(fun f 1)(fun a%b 1)(fun x->y 1)(fun , 2)(fun |x)y| 0)\n"
      "(rule (f x) (, |c d| (a%b (x->y x))))");
  const auto normal_form = [&](const std::string& term) {
    return rhopsi({"normalize", "--trs", file, "--term", term}).out;
  };
  const std::string form = "|,|(|c d|, a%b(x->y(|x)y|)))\n";
  EXPECT_EQ(normal_form("f(|x)y|)"), form);
  EXPECT_EQ(normal_form(form), form);
}

TEST(Normalize, WhyAFileIsNotReadIsSaid) {
  const Folder folder;
  for (const std::string command : {"normalize", "analyze"}) {
    EXPECT_TRUE(has(rhopsi({command, "--trs", folder / "none"}).err,
                    "none: the file cannot be read: No such file or directory"));
    EXPECT_TRUE(has(rhopsi({command, "--trs", folder.path().string()}).err,
                    "the file cannot be read: Is a directory"));
  }
}

TEST(Normalize, AVariableThatNothingBindsIsPointedAt) {
  const Folder folder;
  const Outcome outcome =
      rhopsi({"normalize", "--trs", folder.write("a.trs", "(VAR x y)\n(RULES f(x) -> g(x, y))"),
              "--term", "f(a)"});
  EXPECT_TRUE(has(outcome.err, "a.trs:2:21: error[E0136]: `y` does not occur on the left side"))
      << outcome.text();
}

TEST(Normalize, OptionsThatCannotBeReadAreRefused) {
  const Folder folder;
  const std::string file = folder.write("add.ari", addition);
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--strategy", "inside"},
                                                  {"--max-steps", "-1"},
                                                  {"--max-steps", ""},
                                                  {"--max-steps="},
                                                  {"--strategy", ""},
                                                  {"--term-file", ""},
                                                  {"--max-seconds", "soon"},
                                                  {"--max-bytes", "1e3x"}}) {
    std::vector<std::string> all{"normalize", "--trs", file, "--term", "0"};
    all.insert(all.end(), options.begin(), options.end());
    const Outcome outcome = rhopsi(all);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_TRUE(has(outcome.err, "error[E0810]")) << outcome.err;
  }
}

TEST(Normalize, CompiledRulesGiveTheSameResultsAndBounds) {
  const Folder folder;
  const std::string file = folder.write("n.rec", without(numbers, " is"));
  const Outcome outcome = rhopsi({"normalize", "--trs", file, "--compiled", "--stats"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_TRUE(outcome.out.starts_with("s(s(s(z)))\ni\no\n")) << outcome.out;
  const std::string interpreted = rhopsi({"normalize", "--trs", file, "--stats"}).out;
  const auto rewrites = [](const std::string& out) {
    return nlohmann::json::parse(out.substr(out.find('{')))["rewrites"];
  };
  EXPECT_EQ(rewrites(outcome.out), rewrites(interpreted));

  const std::string loop = folder.write("loop.trs", "(VAR x)(RULES f(x) -> f(s(x)))");
  const Outcome bounded =
      rhopsi({"normalize", "--trs", loop, "--term", "f(a)", "--max-steps", "3", "--compiled"});
  EXPECT_EQ(bounded.out, "f(s(s(s(a))))\n");
  EXPECT_TRUE(has(bounded.err, "bound on steps, after 3 steps")) << bounded.err;
  const Outcome late = rhopsi({"normalize", "--trs", loop, "--term", "f(a)", "--max-seconds", "0.1",
                               "--max-nodes", "100000000", "--compiled"});
  EXPECT_TRUE(has(late.err, "bound on time")) << late.err;
}

TEST(Normalize, WithoutACompilerTheCompiledModeIsRefused) {
  const Folder folder;
  const std::string file = folder.write("add.ari", addition);
  const auto error = [&](const std::vector<std::string>& more, const std::string& compiler) {
    std::vector<std::string> all{"normalize", "--trs", file, "--term", "p(0, 0)", "--compiled"};
    all.insert(all.end(), more.begin(), more.end());
    Conditions conditions;
    conditions.environment["CXX"] = compiler;
    const Outcome outcome = rhopsi(all, conditions);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_TRUE(has(error({}, "/nowhere/c++"), "error[E0702]"));
  EXPECT_TRUE(has(error({"--strategy", "outermost"}, "c++"), "error[E0810]"));
  const std::string odd = folder.write(
      "odd", "#!/bin/sh\n[ \"$1\" = --version ] && echo 1 && exit 0\necho no room >&2\nexit 1\n");
  std::filesystem::permissions(odd, std::filesystem::perms::owner_all);
  const std::string refused = error({}, odd);
  EXPECT_TRUE(has(refused, "error[E0704]") && has(refused, "no room")) << refused;
}

}  // namespace
}  // namespace rhopsi::exec
