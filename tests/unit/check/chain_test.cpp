// Derivations that do not go on from where those before them have ended.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "frontend/driver/certifier.hpp"
#include "tests/exec/process.hpp"
#include "tests/unit/check/certificates.hpp"

namespace rhopsi::test {
namespace {

using check::Certificate;
using term::SymbolId;
using term::TermId;

struct Read {
  term::Store store;
  Certificate certificate;

  Read(const std::string& file, const std::string& program) {
    auto read = check::read(store, test::certificate(file, program));
    if (auto* found = std::get_if<Certificate>(&read)) certificate = std::move(*found);
  }
  TermId falsehood() {
    return store.make(term::builtin_symbol(store, term::Builtin::false_, store.predicate_sort()));
  }
  // The digest fits.
  std::string flaw(const Certificate& changed, check::Outcome* outcome = nullptr) const {
    return flaw_of(check::write(store, changed), outcome);
  }
};

struct Burgers : testing::Test, Read {
  Burgers() : Read("specs/burgers/burgers.mg", "3DPadded") {}

  void SetUp() override {
    ASSERT_GE(certificate.derivations.size(), 3U);
    ASSERT_EQ(flaw(certificate), "");
  }
  static std::set<SymbolId> changed_by(const check::Derivation& derivation) {
    std::set<SymbolId> callables;
    for (const check::Run& each : derivation.runs) callables.insert(each.callable);
    for (const check::Definition& each : derivation.definitions) callables.insert(each.callable);
    return callables;
  }
  // The numbers in `begins` and `ends` of a procedure that was rewritten.
  std::pair<std::size_t, std::size_t> rewritten() const {
    for (std::size_t i = 0; i < certificate.begins.size(); ++i) {
      const check::State& from = certificate.begins[i];
      const auto to = std::ranges::find(certificate.ends, from.callable, &check::State::callable);
      if (store[from.callable].kind != term::SymbolKind::procedure) continue;
      if (to == certificate.ends.end() || to->parts.body == from.parts.body) continue;
      return {i, static_cast<std::size_t>(to - certificate.ends.begin())};
    }
    ADD_FAILURE() << "nothing was rewritten";
    return {};
  }
  static std::string at(const std::string& list, std::size_t number) {
    return list + "[" + std::to_string(number) + "]: ";
  }
  // As if the derivation were all that there is.
  static Certificate by_itself(const check::Derivation& derivation) {
    Certificate alone{"p.mg", "P", {}, {derivation}, {}, {}};
    alone.derivations[0].changes.clear();
    for (const check::Run& run : derivation.runs) {
      alone.begins.push_back({run.callable, run.parameters, run.from});
      alone.ends.push_back({run.callable, run.parameters, run.to});
    }
    for (const check::Operation& each : derivation.operations) {
      const auto run = std::ranges::find(derivation.runs, each.symbol, &check::Run::callable);
      if ((!each.guard && !each.body) || run != derivation.runs.end()) continue;
      alone.begins.push_back({each.symbol, each.parameters, {each.body, each.guard}});
      alone.ends.push_back(alone.begins.back());
    }
    return alone;
  }
  void expect_flaw(const Certificate& changed, const std::string& place,
                   const std::string& message) const {
    const std::string found = flaw(changed);
    EXPECT_TRUE(found.starts_with(place)) << place << " is expected, and not: " << found;
    EXPECT_NE(found.find(message), std::string::npos) << found;
  }
};

// Two beside each other that speak of different operations may as well stand the other way round.
TEST_F(Burgers, DerivationsThatAreSwappedAreFound) {
  const std::size_t count = certificate.derivations.size();
  std::size_t apart = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = i + 1; k < count; ++k) {
      Certificate changed = certificate;
      std::swap(changed.derivations[i], changed.derivations[k]);
      const std::string found = flaw(changed);
      if (found.empty()) {
        ++apart;
        EXPECT_EQ(k, i + 1);
        for (SymbolId each : changed_by(certificate.derivations[i])) {
          EXPECT_FALSE(changed_by(certificate.derivations[k]).contains(each)) << i;
        }
      } else {
        EXPECT_TRUE(found.starts_with("derivations[")) << i << " and " << k << ": " << found;
      }
    }
  }
  EXPECT_EQ(apart, 4U);  // two derivations rewrite `step` alone, between others of `advanceIx`
}

TEST_F(Burgers, ADerivationThatIsMissingIsFound) {
  const std::size_t count = certificate.derivations.size();
  for (std::size_t i = 0; i < count; ++i) {
    Certificate changed = certificate;
    changed.derivations.erase(changed.derivations.begin() + static_cast<std::ptrdiff_t>(i));
    const std::string found = flaw(changed);
    const bool last = i + 2 >= count;  // of `step`, and of all
    EXPECT_TRUE(found.starts_with(last ? "ends[" : "derivations[")) << i << ": " << found;
  }
}

// Under other names each derivation still holds by itself.
TEST_F(Burgers, ADerivationThatBeginsWithAnotherProgramIsFound) {
  const term::Renaming renaming{{{"_+_", "_-_"}, {"_-_", "_+_"}}, {}, {}};
  int altered = 0;
  for (std::size_t i = 1; i < certificate.derivations.size(); ++i) {
    Certificate changed = certificate;
    driver::CertifiedStep step{changed.derivations[i], {}, {}};
    if (step.derivation.runs.empty()) continue;
    driver::rename(store, step, renaming);
    changed.derivations[i] = step.derivation;
    const std::string found = flaw(changed);
    if (check::write(store, changed) == check::write(store, certificate)) continue;
    ++altered;
    EXPECT_TRUE(found.starts_with("derivations[" + std::to_string(i) + "].")) << i << found;

    EXPECT_EQ(flaw(by_itself(step.derivation)), "") << i;
  }
  EXPECT_GE(altered, 3);
}

TEST_F(Burgers, AnotherBeginningIsFound) {
  const auto [first, last] = rewritten();
  Certificate changed = certificate;
  changed.begins[first].parts = changed.ends[last].parts;
  expect_flaw(changed, "derivations[", "].from: no derivation before it has ended with this body");
  expect_flaw(changed, "derivations[", "and the program did not begin with it");
  changed.begins.erase(changed.begins.begin() + static_cast<std::ptrdiff_t>(first));
  expect_flaw(changed, "derivations[", "has not begun");
  changed = certificate;
  changed.begins.push_back(changed.begins.front());
  expect_flaw(changed, at("begins", changed.begins.size() - 1), "begins twice");
}

TEST_F(Burgers, AnotherEndIsFound) {
  const auto [first, last] = rewritten();
  Certificate changed = certificate;
  changed.ends[last] = changed.begins[first];
  expect_flaw(changed, at("ends", last), "a derivation has led on from this body");
  changed.ends[last] = certificate.ends[last];
  changed.ends[last].parts.body = store.children(*changed.ends[last].parts.body)[0];
  expect_flaw(changed, at("ends", last), "no derivation has ended with this body and guard");
  changed.ends[last] = certificate.ends[last];
  changed.ends[last].parts.guard = falsehood();
  expect_flaw(changed, at("ends", last), "no derivation has ended with this body and guard");
  changed = certificate;
  changed.ends.push_back(changed.ends.front());
  expect_flaw(changed, at("ends", changed.ends.size() - 1), "ends twice");
  changed.ends.clear();
  expect_flaw(changed, "ends: ", "nothing says how");
}

TEST_F(Burgers, OnlyWhatHasNoBodyIsDefined) {
  for (std::size_t i = 0; i < certificate.derivations.size(); ++i) {
    if (certificate.derivations[i].definitions.empty()) continue;
    Certificate changed = certificate;
    const check::Definition& made = changed.derivations[i].definitions.front();
    changed.begins.push_back({made.callable, made.parameters, {made.body, {}}});
    std::erase_if(changed.begins, [&](const check::State& state) {
      return state.callable == made.callable && &state != &changed.begins.back();
    });
    changed.begins.back().parts.body = store.make(made.parameters.front());
    expect_flaw(changed, "derivations[" + std::to_string(i) + "].definitions[0]",
                "has a body already");
  }
}

TEST_F(Burgers, ADerivationComesToACallableOnce) {
  bool rewritten_once = false;
  bool defined_once = false;
  for (std::size_t i = 0; i < certificate.derivations.size(); ++i) {
    Certificate changed = certificate;
    auto& runs = changed.derivations[i].runs;
    auto& definitions = changed.derivations[i].definitions;
    if (!runs.empty()) {
      runs.push_back(runs.front());
      rewritten_once = true;
      expect_flaw(changed, "derivations[" + std::to_string(i) + "].runs[", "is rewritten twice");
    } else if (!definitions.empty()) {
      definitions.push_back(definitions.front());
      defined_once = true;
      expect_flaw(changed, "derivations[" + std::to_string(i) + "].definitions[",
                  "is defined twice");
    }
  }
  EXPECT_TRUE(rewritten_once && defined_once);
}

// The body still speaks of the callable's own parameter, which the run does not have any more.
TEST_F(Burgers, ARunWithAnotherParameterIsFound) {
  int altered = 0;
  for (std::size_t i = 0; i < certificate.derivations.size(); ++i) {
    for (std::size_t r = 0; r < certificate.derivations[i].runs.size(); ++r) {
      const auto& own = certificate.derivations[i].runs[r];
      for (std::size_t k = 0; k < own.parameters.size(); ++k) {
        const term::Symbol& parameter = store[own.parameters[k]];
        if (!own.from.body || !term::occurs(store, own.parameters[k], *own.from.body)) continue;
        Certificate changed = certificate;
        changed.derivations[i].runs[r].parameters[k] =
            store.fresh_variable("other", parameter.result, parameter.assignable);
        ++altered;
        EXPECT_NE(flaw(changed), "") << i << " " << r << " " << k;
      }
    }
  }
  EXPECT_GE(altered, 10);
}

TEST_F(Burgers, TheCommandNamesThePlace) {
  Certificate changed = certificate;
  std::swap(changed.derivations[2], changed.derivations[3]);
  const exec::Folder folder;
  const std::string file = folder.write("swapped.json", check::write(store, changed));
  syntax::Diagnostics diagnostics;
  EXPECT_FALSE(driver::replay({.file = file, .ask = false, .limits = {}}, diagnostics));
  const std::string text = support::text_of(diagnostics);
  EXPECT_NE(text.find("E0851"), std::string::npos) << text;
  EXPECT_NE(text.find("derivations[2].runs[1].from: no derivation before it has ended with"),
            std::string::npos)
      << text;
}

// A change that no derivation made is told, and lets nothing else pass.
TEST_F(Burgers, AChangeIsTold) {
  Certificate changed = certificate;
  changed.derivations.back().changes.push_back(changed.begins.front());
  check::Outcome outcome;
  EXPECT_NE(flaw(changed, &outcome), "");
  ASSERT_EQ(outcome.changes.size(), 1U);
  EXPECT_NE(outcome.changes[0].find("is again what it was before a derivation"), std::string::npos);
}

// --- what stands between derivations

struct Between : testing::Test {
  static check::Outcome outcome(const std::string& program, std::size_t derivations) {
    const Read read("tests/unit/check/chain.mg", program);
    EXPECT_EQ(read.certificate.derivations.size(), derivations) << program;
    check::Outcome outcome;
    EXPECT_EQ(read.flaw(read.certificate, &outcome), "") << program;
    EXPECT_TRUE(outcome.trusted.empty()) << program;
    // Nothing holds because nothing is said.
    for (std::size_t i = 0; i < derivations; ++i) {
      Certificate changed = read.certificate;
      changed.derivations.erase(changed.derivations.begin() + static_cast<std::ptrdiff_t>(i));
      if (!certain(changed, read.certificate.derivations[i])) continue;
      EXPECT_NE(read.flaw(changed), "") << program << " without derivation " << i;
    }
    return outcome;
  }

  // Is what the derivation came to not what another one of them has come to?
  static bool certain(const Certificate& others, const check::Derivation& derivation) {
    for (const check::Derivation& each : others.derivations) {
      if (!each.changes.empty()) return false;
      for (const check::Run& run : each.runs) {
        for (const check::Run& gone : derivation.runs) {
          if (run.callable == gone.callable && run.to.body == gone.to.body) return false;
        }
      }
    }
    return others.changes.empty() && !derivation.runs.empty();
  }

  static std::vector<std::string> names(const std::string& program) {
    const Read read("tests/unit/check/chain.mg", program);
    std::vector<std::string> names;
    for (const check::State& each : read.certificate.ends) {
      names.push_back(read.store[each.callable].name);
    }
    std::ranges::sort(names);
    return names;
  }
};

using Names = std::vector<std::string>;

TEST_F(Between, NothingElse) {
  EXPECT_TRUE(outcome("Doubled", 2).changes.empty());
  EXPECT_TRUE(outcome("Halved", 4).changes.empty());
}

// abs(entry(e)) has become entry(e) where its guard says so.
TEST_F(Between, GuardsAndBodiesOfOperationsAreWhatTheyAre) {
  Read read("tests/unit/check/chain.mg", "Doubled");
  int guards = 0;
  for (std::size_t i = 0; i < read.certificate.derivations.size(); ++i) {
    for (std::size_t k = 0; k < read.certificate.derivations[i].operations.size(); ++k) {
      Certificate changed = read.certificate;
      check::Operation& operation = changed.derivations[i].operations[k];
      const std::string place =
          "derivations[" + std::to_string(i) + "].operations[" + std::to_string(k) + "]: ";
      if (operation.guard) {
        ++guards;
        operation.guard = read.falsehood();
        EXPECT_TRUE(read.flaw(changed).starts_with(place)) << read.flaw(changed);
      }
      if (operation.body) {
        operation.body = read.certificate.ends.front().parts.body;
        EXPECT_TRUE(read.flaw(changed).starts_with(place)) << read.flaw(changed);
      }
    }
  }
  EXPECT_GT(guards, 0);
}

TEST_F(Between, NewNames) {
  EXPECT_TRUE(outcome("Renamed", 2).changes.empty());
  EXPECT_EQ(names("Renamed"), (Names{"other", "start"}));
  EXPECT_TRUE(outcome("Swapped", 2).changes.empty());
  EXPECT_EQ(names("Swapped"), (Names{"entry", "other"}));
  EXPECT_TRUE(outcome("BothDoubled", 3).changes.empty());
  EXPECT_EQ(names("BothDoubled"), (Names{"another", "first", "one", "second"}));
}

TEST_F(Between, OneProgramRewrittenInTwoModules) {
  EXPECT_TRUE(outcome("Meeting", 3).changes.empty());
}

TEST_F(Between, ABodyFromAnotherModule) { EXPECT_TRUE(outcome("Completed", 2).changes.empty()); }

TEST_F(Between, ANarrowerGuard) {
  const auto changes = outcome("NarrowerDoubled", 2).changes;
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0], "`entry` has a narrower guard, before derivation 2");
}

TEST_F(Between, AnotherBody) {
  const auto changes = outcome("Replaced", 2).changes;
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0], "`entry` has another body, `(a + a) * a`, before derivation 2");
  EXPECT_EQ(changes[1], "`other` has another body, `a`, at the end");
}

TEST_F(Between, AWidthThatIsFound) {
  const Read read("specs/burgers/pads.mg", "FoundPads");
  check::Outcome outcome;
  EXPECT_EQ(read.flaw(read.certificate, &outcome), "");
  ASSERT_EQ(outcome.changes.size(), 1U);
  EXPECT_EQ(outcome.changes[0], "`padding` has been given the body `1`, before derivation 9");
  // Another width is another program.
  Certificate changed = read.certificate;
  for (check::State& state : changed.derivations.back().changes) state.parts.body.reset();
  EXPECT_NE(read.flaw(changed), "");
}

}  // namespace
}  // namespace rhopsi::test
