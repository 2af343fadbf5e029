// What is printed of the worked examples, compared with files in expected/.
//
// UPDATE_GOLDEN=1 rewrites the files and reports the tests as skipped.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <gtest/gtest.h>

#include "backends/kokkos/emit/emit.hpp"
#include "engine/check/replay.hpp"
#include "engine/onf/print.hpp"
#include "engine/rewrite/derivation.hpp"
#include "frontend/driver/certificate.hpp"
#include "frontend/driver/run.hpp"
#include "tests/exec/process.hpp"
#include "tests/support/specification.hpp"

namespace rhopsi {
namespace {

namespace fs = std::filesystem;

enum class Stage {
  derivation,
  without_solver,
  callable,
  program,
  operational,
  entry,
  emitted,
  scheduled
};

// The derivations are those of the last rewriting, with and without the solver. `callable` names an
// operation for Stage::callable and Stage::entry, the operational form of which
// is of that operation alone, a file for Stage::emitted, and a schedule for
// Stage::scheduled.
struct Golden {
  const char* name;
  const char* file;
  const char* program;
  Stage stage;
  const char* callable;
  int rank = 3;
};

const char* const paper = "specs/burgers/paper.mg";
const char* const burgers = "specs/burgers/burgers.mg";
const char* const shapes = "specs/burgers/shapes.mg";
const char* const smooth = "specs/smooth/smooth.mg";
const char* const lanes = "specs/smooth/lanes.mg";
const char* const pads = "specs/burgers/pads.mg";
const char* const leap = "specs/wave/leap.mg";
const char* const lattice = "specs/lattice/lattice.mg";
const char* const fdtd = "specs/fdtd/fdtd.mg";
const char* const red_black = "specs/relaxation/red_black.mg";
const char* const chain = "specs/matrix_chain/matrix_chain.mg";

const Golden goldens[] = {
    {"paper-moa-substepIx", paper, "MoA", Stage::callable, "substepIx"},  // Listing 18
    {"paper-moa-step", paper, "MoA", Stage::callable, "step"},
    {"paper-dnf-substepIx", paper, "DNF", Stage::callable, "substepIx"},
    {"paper-padded-substepIx", paper, "Padded", Stage::callable, "substepIx"},
    {"paper-padded-step", paper, "Padded", Stage::callable, "step"},  // Listing 23
    {"paper-3d-substepIx3D", paper, "3D", Stage::callable, "substepIx3D"},
    {"paper-3dpadded-substepIx3D", paper, "3DPadded", Stage::callable, "substepIx3D"},
    {"paper-3dpadded-step", paper, "3DPadded", Stage::callable, "step"},
    {"paper-dnf-program", paper, "DNF", Stage::program, nullptr},
    {"paper-dnf-operational", paper, "DNF", Stage::operational, nullptr},
    {"paper-3dpadded-operational", paper, "3DPadded", Stage::operational, nullptr},
    {"paper-3dpadded-emitted", paper, "3DPadded", Stage::emitted, ".hpp"},
    {"burgers-moa-advanceIx", burgers, "MoA", Stage::callable, "advanceIx"},
    {"burgers-dnf-advanceIx", burgers, "DNF", Stage::callable, "advanceIx"},
    {"burgers-3d-advanceIx3D", burgers, "3D", Stage::callable, "advanceIx3D"},
    {"burgers-3dpadded-advanceIx3D", burgers, "3DPadded", Stage::callable, "advanceIx3D"},
    {"burgers-3dpadded-step", burgers, "3DPadded", Stage::callable, "step"},
    {"paper-shapes-substep", shapes, "Paper", Stage::entry, "substep"},
    {"smooth-base-program", smooth, "Base", Stage::program, nullptr},
    {"smooth-dnf-smoothIx", smooth, "DNF", Stage::callable, "smoothIx"},
    {"smooth-dnf-operational", smooth, "DNF", Stage::operational, nullptr, 1},
    {"smooth-lanes-derivation", lanes, "AnyLanes", Stage::derivation, nullptr},
    {"smooth-lanes-derivation-smt-off", lanes, "AnyLanes", Stage::without_solver, nullptr},
    {"smooth-lanes-smoothIx", lanes, "AnyLanes", Stage::callable, "smoothIx"},
    {"burgers-anypads-advanceIx3D", pads, "3DAnyPads", Stage::callable, "advanceIx3D"},
    {"burgers-anypads-derivation", pads, "3DAnyPads", Stage::derivation, nullptr},
    {"paper-3dpadded-sweep", paper, "3DPadded", Stage::scheduled, "specs.burgers.recipes.sweep"},
    {"paper-3dpadded-tiles", paper, "3DPadded", Stage::scheduled,
     "specs.burgers.recipes.tiled_sweep"},
    {"wave-leap-turns", leap, "DNF", Stage::scheduled, "turns", 2},
    {"lattice-dnf-streamIx", lattice, "DNF", Stage::callable, "streamIx"},
    {"lattice-dnf-forthIx", lattice, "DNF", Stage::callable, "forthIx"},
    {"lattice-fused", lattice, "DNF", Stage::scheduled, "fused", 2},
    {"fdtd-dnf-acrossIx", fdtd, "DNF", Stage::callable, "acrossIx"},
    {"fdtd-leapfrog", fdtd, "DNF", Stage::scheduled, "leapfrog", 2},
    {"red-black-dnf-redIx", red_black, "DNF", Stage::callable, "redIx"},
    {"red-black-by-turns", red_black, "DNF", Stage::scheduled, "by_turns", 2},
    {"matrix-chain-dev", chain, "DevProgram", Stage::callable, "multiplyThreeMatrices"},
};

std::ostream& operator<<(std::ostream& stream, const Golden& golden) {
  return stream << golden.name;
}

fs::path folder() { return fs::path(RHOPSI_SOURCE_DIR) / "tests" / "golden" / "expected"; }

bool updating() {
  const char* value = std::getenv("UPDATE_GOLDEN");
  return value != nullptr && std::string(value) == "1";
}

std::string emitted(support::Specification& specification, const onf::Module& module,
                    const std::string& ending) {
  kokkos::Options options;
  options.target = kokkos::Target::openmp;
  for (const kokkos::File& file : kokkos::emit(specification.store(), module, options)) {
    if (file.name.ends_with(ending)) return file.text;
  }
  ADD_FAILURE() << "no file *" << ending << " is emitted";
  return {};
}

std::string derivation(support::Specification& specification, const Golden& golden) {
  const auto theory = specification.module(golden.program);
  if (!theory || theory->derivations.empty()) return {};
  return rewrite::describe(specification.store(), *theory->derivations.back(), true,
                           [](const std::string& path) {
                             const std::string root = std::string(RHOPSI_SOURCE_DIR) + "/";
                             return path.starts_with(root) ? path.substr(root.size()) : path;
                           });
}

// As `emit --emit schedule` prints it.
std::string scheduled(support::Specification& specification, const Golden& golden) {
  driver::EmitRequest request;
  request.file = exec::source(golden.file);
  request.program = golden.program;
  request.schedule = golden.callable;
  request.stage = driver::Stage::schedule;
  request.rank = golden.rank;
  syntax::Diagnostics diagnostics;
  const auto text = driver::print_stage(specification.session(), request, diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << support::text_of(diagnostics);
  return text.value_or("");
}

std::string text_of(const Golden& golden) {
  const bool solver = golden.stage != Stage::without_solver;
  support::Specification specification(exec::source(golden.file), onf::Scalar::float64, false,
                                       solver);
  if (golden.stage == Stage::derivation || !solver) return derivation(specification, golden);
  if (golden.stage == Stage::callable) {
    return specification.callable(golden.program, golden.callable);
  }
  if (golden.stage == Stage::program) return specification.printed(golden.program, golden.program);
  if (golden.stage == Stage::scheduled) return scheduled(specification, golden);
  const bool entry = golden.stage == Stage::entry;
  const auto module =
      specification.lowered(golden.program, golden.rank, entry ? golden.callable : "");
  if (!module) return {};
  if (entry || golden.stage == Stage::operational)
    return onf::to_string(specification.store(), *module);
  return emitted(specification, *module, golden.callable);
}

class Goldens : public testing::TestWithParam<Golden> {};

TEST_P(Goldens, ArePrintedAsTheyWere) {
  const std::string text = text_of(GetParam());
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(text.find(RHOPSI_SOURCE_DIR), std::string::npos) << "a path of this machine";
  EXPECT_EQ(text, text_of(GetParam())) << "two runs differ";
  const fs::path file = folder() / (std::string(GetParam().name) + ".golden");
  if (updating()) {
    ASSERT_FALSE(HasFailure());
    std::ofstream(file, std::ios::binary) << text;
    GTEST_SKIP() << "written: " << file.filename().string();
  }
  ASSERT_TRUE(fs::exists(file)) << file.filename() << " is missing; UPDATE_GOLDEN=1 writes it";
  EXPECT_EQ(exec::read(file.string()), text) << "UPDATE_GOLDEN=1 rewrites " << file.filename();
}

std::string test_name(const testing::TestParamInfo<Golden>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Stages, Goldens, testing::ValuesIn(goldens), test_name);

// The derivation of every program above, written, read and checked again.
TEST(GoldenCertificates, AreReplayed) {
  fs::current_path(RHOPSI_SOURCE_DIR);  // places are told from where the command is run
  std::set<std::pair<std::string, std::string>> programs;
  for (const Golden& golden : goldens) programs.emplace(golden.file, golden.program);
  for (const auto& [file, program] : programs) {
    support::Specification specification(exec::source(file));
    const auto theory = specification.module(program);
    ASSERT_NE(theory, nullptr);
    const std::string text = driver::certificate_of(specification.session(), *theory, file);
    EXPECT_EQ(text.find(RHOPSI_SOURCE_DIR), std::string::npos) << "a path of this machine";
    term::Store store;
    const auto read = check::read(store, text);
    const auto* certificate = std::get_if<check::Certificate>(&read);
    ASSERT_NE(certificate, nullptr)
        << file << " " << program << ": " << std::get<check::Flaw>(read).message;
    const check::Outcome outcome = check::replay(store, *certificate);
    EXPECT_FALSE(outcome.flaw) << file << " " << program << ": " << outcome.flaw->place << ": "
                               << outcome.flaw->message;
    // Nothing is taken from a decider, but where the program is there to show what the solver adds.
    EXPECT_TRUE(outcome.trusted.empty() || file == lanes) << file << " " << program;
    for (const check::Trusted& each : outcome.trusted) EXPECT_EQ(each.decider, "Z3") << program;
    std::size_t steps = 0;
    std::size_t definitions = 0;
    for (const auto& derivation : theory->derivations) {
      const bool rewriting = derivation->kind == "rewrite";
      for (const term::CallableRun& run : derivation->runs) {
        (rewriting ? steps : definitions) += rewriting ? run.steps : 1;
      }
    }
    EXPECT_EQ(outcome.steps, steps) << file << " " << program;
    EXPECT_EQ(outcome.definitions, definitions) << file << " " << program;
  }
}

TEST(GoldenFiles, AllBelongToATest) {
  std::set<std::string> known;
  for (const Golden& golden : goldens) {
    EXPECT_TRUE(known.insert(std::string(golden.name) + ".golden").second) << golden.name;
  }
  for (const auto& entry : fs::directory_iterator(folder())) {
    EXPECT_EQ(known.count(entry.path().filename().string()), 1U)
        << entry.path().filename() << " belongs to no test";
  }
}

}  // namespace
}  // namespace rhopsi
