// Programs whose sweeps depend on one another in other ways than those of one equation: nine fields
// that go past one another, staggered fields, points of two colours. What each step of a schedule
// does to them, that their values stay those of the reference, and what is known of these.
#include <cmath>
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "tests/specs/known.hpp"

namespace rhopsi::specs {
namespace {

struct Dependent {
  std::string file;
  std::vector<std::string> fields;  // that are changed
  std::vector<std::string> read = {};
  std::vector<std::string> numbers = {};
};
const Dependent lattice{"specs/lattice/lattice.mg",
                        {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8"},
                        {},
                        {"omega=1.3"}};
const Dependent fdtd{"specs/fdtd/fdtd.mg", {"ez", "hx", "hy"}, {}, {"c=0.6"}};
const Dependent red_black{"specs/relaxation/red_black.mg", {"u"}, {"f"}};

using Fields = std::map<std::string, Values>;

// One to two, so that sums of fields are no zeros.
Fields random_fields(const Dependent& program, const Shape& shape, unsigned seed) {
  Fields made;
  for (const auto* names : {&program.fields, &program.read}) {
    for (const std::string& name : *names) {
      made[name] = exec::random_values(shape, seed++);
      for (double& value : made[name]) value = 1.5 + 0.5 * value;
    }
  }
  return made;
}

class Dependences : public testing::Test {
 protected:
  // What `step` leaves after so many steps.
  Fields ran(const Dependent& program, const Shape& shape, const Fields& fields, int steps,
             const std::vector<std::string>& how) {
    std::vector<std::string> words = {"run",      exec::source(program.file), "--entry", "step",
                                      "--repeat", std::to_string(steps),      "--quiet"};
    for (const std::string& each : program.numbers) words.insert(words.end(), {"--set", each});
    for (const auto& [name, values] : fields) {
      words.insert(words.end(), {"--in", input(folder, name, shape, values)});
    }
    for (const std::string& name : program.fields) {
      words.insert(words.end(), {"--out", name + "=" + (folder / (name + "-out.npy"))});
    }
    words.insert(words.end(), how.begin(), how.end());
    const exec::Outcome outcome = exec::rhopsi(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_EQ(outcome.err.find("E0529"), std::string::npos) << outcome.err;
    Fields result;
    if (outcome.exit_code != 0) return result;
    for (const std::string& name : program.fields) {
      result[name] = io::read_npy<double>(folder / (name + "-out.npy")).data;
    }
    return result;
  }

  // Sides of one and two elements, which are shorter than what is read beyond them, and sides that
  // are cut into slabs.
  void expect_the_references(const Dependent& program, const std::vector<std::string>& schedules) {
    for (const Shape& shape :
         {Shape{1, 1}, Shape{1, 2}, Shape{2, 1}, Shape{2, 5}, Shape{7, 10}, Shape{90, 67}}) {
      const Fields fields = random_fields(program, shape, 3);
      const Fields expected =
          ran(program, shape, fields, 3, {"-p", "Base", "--backend", "reference"});
      for (const std::string& schedule : schedules) {
        const Fields found = ran(program, shape, fields, 3, {"-p", "DNF", "--schedule", schedule});
        EXPECT_EQ(found, expected) << schedule << ", shape " << exec::shape_option(shape);
      }
    }
  }

  // `package more` with this text beside what it imports.
  std::string more(const std::string& package, const std::string& text) {
    return folder.write("more.mg", "package more imports " + package +
                                       ", specs.schedules.stencil;\nprogram P = " + package +
                                       ".DNF;\n" + text);
  }
  static exec::Outcome explained(const std::string& file, const std::string& program,
                                 const std::string& schedule, const std::string& entry = "step") {
    return exec::rhopsi({"explain", file, "-p", program, "-f", entry, "--rank", "2", "-I",
                         exec::source(""), "--schedule", schedule});
  }
  static void expect_parts(const exec::Outcome& outcome, const std::vector<std::string>& parts) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    for (const std::string& part : parts) {
      EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.text();
    }
  }
  static void expect_refused(const exec::Outcome& outcome, const std::string& says) {
    EXPECT_NE(outcome.err.find(says), std::string::npos) << says << "\n" << outcome.text();
  }

  const exec::Folder folder;
};

// --- the lattice Boltzmann method

TEST_F(Dependences, ALatticeComputesWhatTheReferenceDoes) {
  expect_the_references(lattice, {"fused", "in_place", "full"});
}

// Streaming and collision are one pass, of which only the field that rests can stay where it is. Of
// two steps the first waits in planes, and nothing but the lattice is left.
TEST_F(Dependences, ALatticeStreamsAndCollidesInOnePass) {
  expect_parts(explained(exec::source(lattice.file), "DNF", "fused"),
               {"23 passes over memory, ", "1 pass over memory, 144 bytes and 88 operations",
                "8 blocks besides the arguments",
                "taken at step: f0: a block of its own => the block of its argument",
                "refused at step: f1: a block of its own stays", "f1 is read at (-1, 0)",
                "on 2x1 f1 at (1, 0) may be overwritten before element (0, 0) has read it"});
  const std::string file = more("specs.lattice.lattice",
                                "schedule twice on step = { require fuse; use lean;\n"
                                "  pipeline; require repeat(times = 2); };\n"
                                "schedule few on step = { require fuse(max_values = 9); use lean; "
                                "};\n");
  expect_parts(explained(file, "P", "twice"),
               {"cost of step_2_times, after\n  1 pass over memory, 144 bytes",
                "0 blocks besides the arguments, 18 planes in rings"});
  expect_parts(
      explained(file, "P", "few"),
      {"a pass defines no more values than the recipe says, 9", "after\n  3 passes over memory"});
  expect_parts(
      explained(exec::source(lattice.file), "DNF", "in_place"),
      {"taken at step: f0, f1, f3, f2, f4, f5, f7, f8, f6: a block of its own => the block "
       "of its argument, 1 plane behind",
       "1 pass over memory, 144 bytes and 88 operations",
       "0 blocks besides the arguments, 16 planes in rings"});
}

// A fluid that is the same everywhere and does not move stays as it is; collisions keep the mass
// and both momenta.
TEST_F(Dependences, ALatticeKeepsMassAndMomentum) {
  const Shape shape{12, 10};
  const double weights[] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                            1. / 36, 1. / 36, 1. / 36, 1. / 36};
  const int along[] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, across[] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  Fields still;
  for (int k = 0; k < 9; ++k) still["f" + std::to_string(k)] = Values(120, 2 * weights[k]);
  const std::vector<std::string> how = {"-p", "DNF", "--schedule", "fused"};
  const Fields later = ran(lattice, shape, still, 5, how);
  for (const auto& [name, values] : later) expect_near(values, still[name], 1e-13);

  const Fields moving = random_fields(lattice, shape, 9);
  const auto sums = [&](const Fields& fields) {
    Values made(3);
    for (int k = 0; k < 9; ++k) {
      for (const double value : fields.at("f" + std::to_string(k))) {
        made[0] += value, made[1] += along[k] * value, made[2] += across[k] * value;
      }
    }
    return made;
  };
  expect_near(sums(ran(lattice, shape, moving, 5, how)), sums(moving), 1e-9);
}

// --- staggered fields

TEST_F(Dependences, StaggeredFieldsComputeWhatTheReferenceDoes) {
  expect_the_references(fdtd, {"leapfrog", "full"});
}

TEST_F(Dependences, StaggeredFieldsAreOnePassInPlace) {
  expect_parts(explained(exec::source(fdtd.file), "DNF", "leapfrog"),
               {"taken at step: hy: a pass of its own => the pass of hx",
                "refused at step: ez: a pass of its own stays", "hx is read at (0, -1)",
                "on 1x2 element (0, 0) needs hx at (0, 1), which the same pass may not have "
                "computed yet",
                "3 passes over memory, 80 bytes and 11 operations",
                "1 pass over memory, 48 bytes and 11 operations",
                "0 blocks besides the arguments, 3 planes in rings"});
}

// A wave along an axis: ez = cos(k i - w n), h = -cos(k (i + 1/2) - w (n - 1/2)) with
// sin(w / 2) = c sin(k / 2) (Yee 1966; Taflove, Computational Electrodynamics, 4.2).
TEST_F(Dependences, AWaveGoesAsTheSchemeDisperses) {
  const std::int64_t rows = 24, columns = 15;
  const int steps = 20;
  for (const bool first : {true, false}) {
    const std::int64_t n = first ? rows : columns;
    const double k = 4 * M_PI / double(n), w = 2 * std::asin(0.6 * std::sin(k / 2));
    const auto fields_at = [&](double time) {
      Fields made;
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
          const double x = double(first ? i : j);
          const double h = -std::cos(k * (x + 0.5) - w * (time - 0.5));
          made["ez"].push_back(std::cos(k * x - w * time));
          made["hx"].push_back(first ? 0 : -h);
          made["hy"].push_back(first ? h : 0);
        }
      }
      return made;
    };
    const Fields found =
        ran(fdtd, {rows, columns}, fields_at(0), steps, {"-p", "DNF", "--schedule", "leapfrog"});
    const Fields expected = fields_at(steps);
    for (const auto& [name, values] : found) expect_near(values, expected.at(name), 1e-12);
  }
}

// --- points of two colours

TEST_F(Dependences, TwoColoursComputeWhatTheReferenceDoes) {
  expect_the_references(red_black, {"by_turns", "full"});
}

// Where all lengths are even, in whatever order the points of a colour are gone through.
TEST_F(Dependences, TwoColoursAreGaussSeidelInPlace) {
  const Shape shape{6, 8};
  const Fields fields = random_fields(red_black, shape, 4);
  Values u = fields.at("u");
  const Values& f = fields.at("f");
  const auto at = [&](std::int64_t i, std::int64_t j) -> double& {
    return u[std::size_t((i + 6) % 6 * 8 + (j + 8) % 8)];
  };
  for (int colour = 0; colour < 2; ++colour) {
    for (std::int64_t i = 5; i >= 0; --i) {
      for (std::int64_t j = 0; j < 8; ++j) {
        if ((i + j) % 2 != colour) continue;
        at(i, j) = 0.25 * (at(i + 1, j) + at(i - 1, j) + at(i, j + 1) + at(i, j - 1) -
                           f[std::size_t(i * 8 + j)]);
      }
    }
  }
  EXPECT_EQ(ran(red_black, shape, fields, 1, {"-p", "DNF", "--schedule", "by_turns"}).at("u"), u);
}

TEST_F(Dependences, TwoColoursAreOnePassInPlace) {
  expect_parts(explained(exec::source(red_black.file), "DNF", "by_turns"),
               {"1 pass over memory, 24 bytes and 18 operations",
                "0 blocks besides the arguments, 3 planes in rings",
                "every plane is read before it is written"});
}

// Without planes a colour is another array: that the points it reads are all of the other colour is
// nothing that offsets say. Neither is there one pass for what all points read of their neighbours.
TEST_F(Dependences, TwoColoursDoNotFuseAndAreNotOverwrittenAtOnce) {
  const std::string file =
      more("specs.relaxation.red_black",
           "schedule passes on step = { use lean; };\n"
           "schedule fused on step = { require fuse; use lean; };\n"
           "schedule tight on step = { use lean; require pipeline(max_planes = 1); };\n"
           "schedule unmasked on jacobi = { require in_place; };\n"
           "schedule behind on jacobi = { use planes; };\n"
           "schedule apart on jacobi = { require pipeline; };\n");
  expect_parts(explained(file, "P", "passes"),
               {"2 passes over memory, 48 bytes", "1 block besides the arguments"});
  const auto refused = [&](const std::string& schedule, const std::string& entry,
                           const std::string& says) {
    const exec::Outcome outcome = explained(file, "P", schedule, entry);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    expect_refused(outcome, "error[E0535]");
    expect_refused(outcome, says);
  };
  // Of one colour: no element is named that may be of the other.
  refused("fused", "step", "an element needs u at (1, 0) from its own index");
  refused("tight", "step", "at most 1 plane waits");
  refused("unmasked", "jacobi",
          "on 2x1 u at (1, 0) may be overwritten before element (0, 0) has read it");
  refused("apart", "jacobi", "there is nothing to do");
  // A plane behind, where all that is overwritten has been read, it may.
  expect_parts(explained(file, "P", "behind", "jacobi"),
               {"the block of its argument, 1 plane behind",
                "0 blocks besides the arguments, 2 planes in rings"});
}

// The same text for the same program, whatever was run before.
TEST_F(Dependences, SchedulesAreTheSameEachTime) {
  for (const auto& [program, schedule] :
       {std::pair(&lattice, "full"), std::pair(&fdtd, "full"), std::pair(&red_black, "full")}) {
    const auto printed = [&, schedule = schedule] {
      return exec::rhopsi({"emit", exec::source(program->file), "-p", "DNF", "--entry", "step",
                           "--rank", "2", "--schedule", schedule, "--emit", "schedule"})
          .out;
    };
    const std::string once = printed();
    EXPECT_NE(once.find("pipeline \"step"), std::string::npos) << once;
    EXPECT_EQ(printed(), once);
  }
}

}  // namespace
}  // namespace rhopsi::specs
