#include "tests/unit/elaborate_modules/fixture.hpp"

namespace rhopsi::elaborate {
namespace {

TEST_F(Modules, ImportsAreFoundBelowTheRootOfThePackage) {
  write("specs/heat.mg", "package specs.heat imports lib.base;\nsignature S = T;\n");
  write("lib/base.mg", "package lib.base;\nsignature T = { type A; };\n");
  ASSERT_EQ(workspace->load(path("specs/heat.mg"), diagnostics), "specs.heat") << messages();
  EXPECT_EQ(workspace->root("specs.heat"), folder.string());
  const auto value = workspace->evaluate("specs.heat", "S", diagnostics);
  ASSERT_NE(value, nullptr) << messages();
  EXPECT_EQ(types(*value), Names{"A"});
  EXPECT_EQ(value->name, "S");
  EXPECT_TRUE(diagnostics.all().empty()) << messages();
}

TEST_F(Modules, AnInnerFolderMayBeTheRoot) {
  write("deep/er/a.mg", "package a imports b;\nsignature S = T;\n");
  write("deep/er/b.mg", "package b;\nsignature T = {};\n");
  EXPECT_EQ(workspace->load(path("deep/er/a.mg"), diagnostics), "a");
  EXPECT_EQ(workspace->root("a"), path("deep/er"));
  workspace->check("a", diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << messages();
}

TEST_F(Modules, TheSearchPathFollowsTheRoot) {
  write("mine/p.mg", "package p imports lib;\nsignature S = T;\n");
  write("first/lib.mg", "package lib;\nsignature T = { type First; };\n");
  write("second/lib.mg", "package lib;\nsignature T = { type Second; };\n");
  restart({.search_path = {path("first"), path("second")}, .limits = {}});
  ASSERT_EQ(workspace->load(path("mine/p.mg"), diagnostics), "p") << messages();
  EXPECT_EQ(types(*theory("S")), Names{"First"});
}

TEST_F(Modules, ImportsAreNotPassedOn) {
  write("p.mg", "package p imports q;\nsignature S = T;\n");
  write("q.mg", "package q imports r;\nsignature Q = {};\n");
  write("r.mg", "package r;\nsignature T = {};\n");
  workspace->load(path("p.mg"), diagnostics);
  workspace->check("p", diagnostics);
  const auto problem = only("E0301");
  EXPECT_EQ(marked(problem), "T");
  EXPECT_TRUE(contains(problem.note, "imports of imports are not")) << problem.note;
}

TEST_F(Modules, OwnModulesComeBeforeImportedOnesAndTwoImportsAreAmbiguous) {
  write("p.mg",
        "package p imports q, r;\nsignature T = { type Own; };\nsignature S = T;\n"
        "signature U = Both;\nsignature V = q.Both;\nsignature W = p.T;\n");
  write("q.mg", "package q;\nsignature T = { type Q; };\nsignature Both = { type Q; };\n");
  write("r.mg", "package r;\nsignature T = { type R; };\nsignature Both = { type R; };\n");
  workspace->load(path("p.mg"), diagnostics);
  workspace->check("p", diagnostics);
  const auto problem = only("E0302");
  EXPECT_TRUE(contains(problem.note, "`q.Both` and `r.Both`")) << problem.note;
  EXPECT_EQ(types(*theory("S")), Names{"Own"});
  EXPECT_EQ(types(*theory("V")), Names{"Q"});
  EXPECT_EQ(types(*theory("W")), Names{"Own"});
}

TEST_F(Modules, AQualifiedNameNeedsTheImport) {
  check("signature S = far.away.T;\n");
  EXPECT_TRUE(contains(only("E0301").message, "package `far.away` is not imported"));
}

TEST_F(Modules, AMissingImportListsWhereItWasSearched) {
  write("lib/base.mg", "package lib.base;\n");
  write("p.mg", "package p imports lib.bsae;\nsignature S = Unknown;\n");
  restart({.search_path = {path("else")}, .limits = {}});
  workspace->load(path("p.mg"), diagnostics);
  workspace->check("p", diagnostics);  // `Unknown` may stand in the missing package
  const auto problem = only("E0403");
  EXPECT_EQ(marked(problem), "lib.bsae");
  EXPECT_TRUE(contains(problem.message, "did you mean `lib.base`?")) << problem.message;
  EXPECT_TRUE(contains(problem.note, folder.string() + ", " + path("else"))) << problem.note;
}

TEST_F(Modules, ThePackageNameIsThePath) {
  write("specs/heat.mg", "package specs.burgers;\nsignature S = {};\n");
  EXPECT_EQ(workspace->load(path("specs/heat.mg"), diagnostics), "specs.burgers");
  const auto problem = only("E0402");
  EXPECT_EQ(marked(problem), "specs.burgers");
  EXPECT_TRUE(contains(problem.message, path("specs/heat.mg"))) << problem.message;
}

TEST_F(Modules, ImportCyclesAreShown) {
  write("a.mg", "package a imports b;\n");
  write("b.mg", "package b imports c;\n");
  write("c.mg", "package c imports b;\n");
  workspace->load(path("a.mg"), diagnostics);
  const auto problem = only("E0404");
  EXPECT_TRUE(contains(problem.message, "`b` imports `c` imports `b`")) << problem.message;
}

TEST_F(Modules, APackageMayNotImportItself) {
  write("a.mg", "package a imports a;\n");
  workspace->load(path("a.mg"), diagnostics);
  only("E0404");
}

TEST_F(Modules, ADiamondOfImportsIsReadOnce) {
  write("p.mg", "package p imports q, r;\nsignature S = { use Q; use R; };\n");
  write("q.mg", "package q imports base;\nsignature Q = Base;\n");
  write("r.mg", "package r imports base;\nsignature R = Base;\n");
  write("base.mg", "package base;\nsignature Base = { type A; function f(a: A): A; };\n");
  workspace->load(path("p.mg"), diagnostics);
  workspace->check("p", diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << messages();
  EXPECT_EQ(signatures(*theory("S")), Names{"f(A): A"});
}

TEST_F(Modules, UnreadableFilesAreErrors) {
  EXPECT_EQ(workspace->load(path("missing.mg"), diagnostics), std::nullopt);
  EXPECT_EQ(codes(), Names{"E0401"});
  std::filesystem::create_directory(folder / "dir.mg");
  EXPECT_EQ(workspace->load(path("dir.mg"), diagnostics), std::nullopt);
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST_F(Modules, TwoFilesMayNotHoldOnePackage) {
  write("one/p.mg", "package p;\n");
  write("two/p.mg", "package p;\n");
  workspace->load(path("one/p.mg"), diagnostics);
  EXPECT_EQ(workspace->load(path("two/p.mg"), diagnostics), std::nullopt);
  only("E0405");
}

TEST_F(Modules, LoadingTwiceIsLoadingOnce) {
  write("p.mg", "package p;\nsignature S = {};\n");
  EXPECT_EQ(workspace->load(path("p.mg"), diagnostics), "p");
  EXPECT_EQ(workspace->load(path("./p.mg"), diagnostics), "p");
  EXPECT_TRUE(diagnostics.all().empty()) << messages();
  ASSERT_EQ(workspace->modules("p").size(), 1u);
  EXPECT_EQ(workspace->modules("p")[0].first, "S");
  EXPECT_EQ(workspace->modules("p")[0].second, term::ModuleKind::signature);
}

TEST_F(Modules, ANameIsDeclaredOnce) {
  check("signature S = { type A; };\nrenaming S = [A => B];\n");
  EXPECT_EQ(marked(only("E0304")), "S");
}

TEST_F(Modules, AModuleThatIsAskedForMustExist) {
  accept("signature Heat = {};\n");
  EXPECT_EQ(workspace->evaluate("p", "Haet", diagnostics), nullptr);
  ASSERT_EQ(codes(), Names{"E0301"});
  EXPECT_TRUE(contains(messages(), "did you mean `Heat`?")) << messages();
  syntax::Diagnostics others;
  EXPECT_EQ(workspace->evaluate("q", "Heat", others), nullptr);
  EXPECT_EQ(others.all().front().code, "E0406");
}

TEST_F(Modules, AModuleMayNotBeDefinedThroughItself) {
  check("signature A = { use B; };\nsignature B = C;\nsignature C = { use A; };\n");
  const auto problem = only("E0303");
  EXPECT_TRUE(contains(problem.message, "`A` needs `B` needs `C` needs `A`")) << problem.message;
}

TEST_F(Modules, AFailureIsReportedOnceAndOthersGoOn) {
  check(
      "signature Bad = { function f(a: Nowhere): Nowhere; };\n"
      "signature Uses = { use Bad; type A; };\nsignature Again = Uses;\n"
      "signature Other = Elsewhere;\nsignature Good = { type A; };\n");
  EXPECT_EQ(codes(), (Names{"E0309", "E0309", "E0301"})) << messages();
  EXPECT_EQ(types(*theory("Good")), Names{"A"});
}

TEST_F(Modules, AFailureIsToldToEveryCaller) {
  check("signature Bad = { function f(a: Nowhere); };\nsignature Uses = { use Bad; };\n");
  EXPECT_TRUE(diagnostics.has_errors());
  syntax::Diagnostics later;
  EXPECT_EQ(workspace->evaluate("p", "Uses", later), nullptr);
  EXPECT_EQ(later.error_count(), diagnostics.error_count());
}

TEST_F(Modules, ModulesOfSeveralPackagesAreCombined) {
  write("lib/base.mg", "package lib.base;\nconcept A = { type T; function f(a: T): T; };\n");
  write("mine.mg",
        "package mine;\nconcept A = { type T; function g(a: T): T;\n"
        "  axiom law(a: T) { assert g(g(a)) == a; } };\n"
        "implementation I = { type T; function h(a: T): T = a; };\n");
  workspace->load(path("lib/base.mg"), diagnostics);
  workspace->load(path("mine.mg"), diagnostics);
  const auto both =
      workspace->combine("Both", {{"lib.base", "A"}, {"mine", "A"}, {"mine", "I"}}, diagnostics);
  ASSERT_NE(both, nullptr) << messages();
  EXPECT_EQ(both->name, "Both");
  EXPECT_EQ(signatures(*both), (Names{"f(T): T", "g(T): T", "h(T): T"}));
  EXPECT_EQ(both->axioms.size(), 1U);
  EXPECT_EQ(body(*both, "h(T): T"), "no body");  // as in any concept
}

TEST_F(Modules, WhatCannotBeCombinedIsShownInItsFile) {
  write("lib.mg",
        "package lib;\nconcept A = { type T; function f(a: T): T;\n"
        "  axiom law(a: T) { assert f(a) == a; } };\n");
  write("mine.mg",
        "package mine;\nconcept B = { type T; function f(a: T): T;\n"
        "  axiom law(a: T) { assert f(f(a)) == a; } };\n");
  workspace->load(path("lib.mg"), diagnostics);
  workspace->load(path("mine.mg"), diagnostics);
  EXPECT_EQ(workspace->combine("Both", {{"lib", "A"}, {"mine", "B"}}, diagnostics), nullptr);
  const auto problem = only("E0321");
  EXPECT_EQ(problem.span.file->path(), path("mine.mg"));
  diagnostics = {};
  EXPECT_EQ(workspace->combine("Both", {{"lib", "Nothing"}}, diagnostics), nullptr);
  EXPECT_EQ(codes(), Names{"E0301"}) << messages();
}

// The chain S0 to S`last`, each using the next.
std::string chain(int last) {
  std::string text;
  for (int i = 0; i < last; ++i) {
    text += "signature S" + std::to_string(i) + " = { use S" + std::to_string(i + 1) + "; };\n";
  }
  return text + "signature S" + std::to_string(last) + " = { type T; };\n";
}

TEST_F(Modules, ChainsMayBeLong) {
  accept(chain(4999));
  EXPECT_EQ(types(*theory("S0")), (Names{"T"}));
}

TEST_F(Modules, ChainsThatAreTooLongAreAnError) {
  check(chain(9000));
  EXPECT_TRUE(contains(only("E0343").message, "too many modules"));
}

TEST_F(Modules, ChainsOfImportsHaveABound) {
  const auto package = [&](int number, int last) {
    const std::string name = "p" + std::to_string(number);
    const std::string next = number < last ? " imports p" + std::to_string(number + 1) : "";
    write(name + ".mg", "package " + name + next + ";\n");
  };
  for (int i = 0; i < 1000; ++i) package(i, 999);
  EXPECT_EQ(workspace->load(path("p0.mg"), diagnostics), "p0");
  EXPECT_TRUE(diagnostics.all().empty()) << messages();
  package(999, 1000);
  package(1000, 1000);
  restart({});
  workspace->load(path("p0.mg"), diagnostics);
  EXPECT_TRUE(contains(only("E0407").message, "more than 1000 packages"));
}

TEST_F(Modules, FilesHaveABound) {
  write("p.mg", "package p imports q;\nsignature S = {};\n");
  write("q.mg", "package q;\n");
  std::filesystem::resize_file(path("q.mg"), (std::uintmax_t{64} << 20) + 1);
  workspace->load(path("p.mg"), diagnostics);
  EXPECT_EQ(marked(only("E0105")), "q");
  // What has no end, or nobody who writes to it, is not read.
  restart({});
  EXPECT_EQ(workspace->load("/dev/zero", diagnostics), std::nullopt);
  EXPECT_TRUE(contains(messages(), "it is not a regular file")) << messages();
}

TEST_F(Modules, ModulesNestAsDeepAsBrackets) {
  std::string text = "signature S = ";
  for (int i = 0; i < 1999; ++i) text += "{ use ";
  text += "{ type T; }";
  for (int i = 0; i < 1999; ++i) text += "; }";
  accept(text + ";\n");
  EXPECT_EQ(types(*theory("S")), (Names{"T"}));
}

}  // namespace
}  // namespace rhopsi::elaborate
