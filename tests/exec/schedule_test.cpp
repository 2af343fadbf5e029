// Programs with a schedule, against the reference: bit for bit.
#include <sstream>

#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/inputs.hpp"
#include "tests/exec/process.hpp"

namespace rhopsi::exec {
namespace {

using Words = std::vector<std::string>;

constexpr const char* paper = "specs/burgers/paper.mg";

class Schedule : public testing::Test {
 protected:
  std::vector<std::string> words(const std::string& program, const Shape& shape,
                                 const std::string& suffix) {
    std::vector<std::string> made = {"run",     source(paper), "-p",       program, "--entry",
                                     "step",    "--quiet",     "--repeat", "3",     "--set",
                                     "nu=0.05", "--set",       "dt=0.01",  "--set", "dx=0.5"};
    unsigned seed = 1;
    for (const char* name : {"u0", "u1", "u2"}) {
      made.insert(made.end(),
                  {"--in", std::string(name) + "=" + random_field(folder, name, shape, seed++)});
      made.insert(made.end(), {"--out", std::string(name) + "=" + file(name, suffix)});
    }
    return made;
  }
  std::string file(const std::string& name, const std::string& suffix) {
    return folder / (name + suffix + ".npy");
  }
  void expect_the_references(const std::string& program, const Shape& shape,
                             const std::vector<std::string>& more,
                             const std::string& recipe = "full") {
    auto reference = words("Base", shape, "-reference");
    reference.insert(reference.end(), {"--backend", "reference"});
    Outcome outcome = rhopsi(reference);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    auto scheduled = words(program, shape, "-scheduled");
    scheduled.insert(scheduled.end(), {"--schedule", recipe});
    scheduled.insert(scheduled.end(), more.begin(), more.end());
    outcome = rhopsi(scheduled);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_EQ(outcome.err.find("E0529"), std::string::npos) << outcome.err;
    for (const char* name : {"u0", "u1", "u2"}) {
      EXPECT_EQ(difference(file(name, "-reference"), file(name, "-scheduled")), 0.0)
          << name << ", " << program << ", shape " << shape_option(shape);
    }
  }

  const Folder folder;
};

// Sides of one element are shorter than what is read beyond them.
TEST_F(Schedule, APaddedProgramComputesWhatTheReferenceDoes) {
  for (const Shape& shape : {Shape{5, 7, 6}, Shape{1, 2, 9}, Shape{20, 24, 33}}) {
    expect_the_references("3DPadded", shape, {});
  }
}

TEST_F(Schedule, SoDoesOneWhoseIndicesAreModulo) {
  expect_the_references("DNF", {4, 6, 5}, {"--target", "serial"});
}

// Two sweeps in one over rows as planes, each of which reads the other's result beside its own
// index.
TEST_F(Schedule, ARunPlaneByPlaneComputesWhatTheReferenceDoes) {
  for (const Shape& shape : {Shape{1, 1}, Shape{3, 5}, Shape{90, 70}}) {
    std::vector<std::string> words = {"run",  source(leap), "-p",       "DNF", "--entry",
                                      "step", "--quiet",    "--repeat", "3"};
    for (const char* name : {"h", "e"}) {
      words.insert(words.end(),
                   {"--in", std::string(name) + "=" + random_field(folder, name, shape, 7)});
    }
    const auto results = [&](const std::string& suffix, const std::vector<std::string>& more) {
      auto all = words;
      for (const char* name : {"h", "e"}) {
        all.insert(all.end(), {"--out", std::string(name) + "=" + file(name, suffix)});
      }
      all.insert(all.end(), more.begin(), more.end());
      const Outcome outcome = rhopsi(all);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    };
    results("-reference", {"--backend", "reference"});
    for (const char* recipe : {"full", "auto", "turns"}) {
      results("-pipelined", {"--schedule", recipe});
      for (const char* name : {"h", "e"}) {
        EXPECT_EQ(difference(file(name, "-reference"), file(name, "-pipelined")), 0.0)
            << name << ", shape " << shape_option(shape) << ", " << recipe;
      }
    }
  }
}

// By schedules of another package; one of them, of the file itself, has none of what makes it fast.
TEST_F(Schedule, SchedulesByNameComputeWhatOffDoes) {
  // Which requires that arrays are written in place, as a device does not.
  if (!on_device()) expect_the_references("3DPadded", {6, 5, 7}, {}, "specs.burgers.recipes.sweep");
  std::string text =
      "package solver imports specs.burgers.paper;\n"
      "program P = specs.burgers.paper.3DPadded;\n"
      "schedule slow on step = { fuse(max_values = 2); bind(to = nested); };\n";
  const std::string program = folder.write("solver.mg", text);
  auto off = words("P", {6, 5, 7}, "-off"), slow = words("P", {6, 5, 7}, "-slow");
  for (auto* run : {&off, &slow}) {
    (*run)[1] = program;
    run->insert(run->end(), {"-I", exec::source("")});
  }
  slow.insert(slow.end(), {"--schedule", "slow"});
  for (const auto& run : {off, slow}) {
    const Outcome outcome = rhopsi(run);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  }
  for (const char* name : {"u0", "u1", "u2"}) {
    EXPECT_EQ(difference(file(name, "-off"), file(name, "-slow")), 0.0) << name;
  }
}

// Of so few rows that there are several, also where two steps are one pass.
TEST_F(Schedule, TilesComputeWhatTheReferenceDoes) {
  for (const char* more : {"", " require repeat(times = 2);"}) {
    const std::string program = folder.write(
        "solver.mg",
        "package solver imports specs.burgers.paper;\n"
        "program P = specs.burgers.paper.3DPadded;\n"
        "schedule few on step = { fuse; require pipeline; in_place; pad; refill; share; bind;\n"
        "  require tile(most_rows = 5);" +
            std::string(more) + " };\n");
    for (const Shape& shape :
         {Shape{20, 24, 33}, Shape{3, 1, 9}, Shape{2, 17, 5}, Shape{1, 9, 1}}) {
      auto reference = words("Base", shape, "-reference"), tiles = words("P", shape, "-tiles");
      reference.insert(reference.end(), {"--backend", "reference"});
      tiles[1] = program;
      tiles.insert(tiles.end(), {"-I", exec::source(""), "--schedule", "few"});
      for (const auto& run : {reference, tiles}) {
        const Outcome outcome = rhopsi(run);
        ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
      }
      for (const char* name : {"u0", "u1", "u2"}) {
        EXPECT_EQ(difference(file(name, "-reference"), file(name, "-tiles")), 0.0)
            << name << ", shape " << shape_option(shape) << more;
      }
    }
  }
}

// Axes in another order, with short ones; in files they are as ever.
TEST_F(Schedule, ArraysInAnotherOrderOfAxesAreTheReferences) {
  const std::string program =
      folder.write("solver.mg",
                   "package solver imports specs.stencils.stencils;\n"
                   "program P = specs.stencils.stencils.Waves;\n"
                   "schedule short_last = { use full; require layout(order = 201); };\n");
  for (const Shape& shape : {Shape{20, 33, 3}, Shape{70, 5, 1}, Shape{1, 9, 2}, Shape{4, 1, 3}}) {
    std::vector<std::string> words = {"--entry", "step", "--quiet", "--repeat", "3"};
    for (const char* name : {"p", "q"}) {
      words.insert(words.end(),
                   {"--in", std::string(name) + "=" + random_field(folder, name, shape, 7)});
    }
    const auto results = [&](const std::string& suffix, std::vector<std::string> run) {
      run.insert(run.end(), words.begin(), words.end());
      for (const char* name : {"p", "q"}) {
        run.insert(run.end(), {"--out", std::string(name) + "=" + file(name, suffix)});
      }
      const Outcome outcome = rhopsi(run);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    };
    results("-reference",
            {"run", source("specs/stencils/stencils.mg"), "-p", "Waves", "--backend", "reference"});
    results("-layout", {"run", program, "-p", "P", "-I", source(""), "--schedule", "short_last"});
    for (const char* name : {"p", "q"}) {
      EXPECT_EQ(difference(file(name, "-reference"), file(name, "-layout")), 0.0)
          << name << ", shape " << shape_option(shape);
    }
  }
}

// What names axes and indices in its elements, rotates whole arrays, and folds along an axis and
// over all of them, in the order of the program's axes, whatever the order in memory.
const std::string names_axes = R"(package axes imports backend.kokkos;
implementation Conversions = external Kokkos scalar {
  require type Real; require type Int; require type ScalarIndex; require type AxisLength;
  function convert(i: ScalarIndex): Real;
  function convert(i: Int): ScalarIndex;
  function convert(i: AxisLength): Int;
};
implementation Places = external Kokkos index {
  require type ScalarIndex;
  function _+_(a: ScalarIndex, b: ScalarIndex): ScalarIndex;
  function _*_(a: ScalarIndex, b: ScalarIndex): ScalarIndex;
};
program Axes = {
  use Arrays; use Integers; use Indices3D; use Conversions; use Places;
  function length0(): Int = convert(shape0());
  function length1(): Int = convert(shape1());
  function length2(): Int = convert(shape2());
  function placed(u: Array, v: Array, ix: Index): Real =
    psi(ix, u) + 0.01 * convert(ix0(ix) * 100 + ix1(ix) * 10 + ix2(ix))
    + psi(mkIx(ix2(ix) % shape0(), ix0(ix) % shape1(), ix1(ix) % shape2()), v)
    * (if ix == [0, 0, 0] then 2.0 else psi(rotateIx(rotateIx(ix, 0, 1), 2, -2), v));
  function along(u: Array, ix: Index): Real =
    fold _+_ (k < length1()) psi(mkIx(ix0(ix), convert(k), ix2(ix)), u);
  use FlatSchedule[element => placed, schedule => all, E => Real];
  use FlatSchedule[element => along, schedule => sums, E => Real];
  function total(u: Array): Real = fold _+_ (k < length0() * (length1() * length2()))
    psi(mkIx(convert(k / (length1() * length2())), convert((k / length2()) % length1()),
             convert(k % length2())), u);
  procedure step(upd u: Array, upd v: Array, out w: Array) guard length0() * length2() < 99 {
    w = sums(v);
    for k in 0 .. 2 { u = all(u, v); v = 0.5 * rotate(v, 1, -1); };
    w = u * total(u) + rotate(w, 2, 1);
    v = v / (1.0 + psi([0, 0, 0], u));
  }
};
schedule other = { use full; require layout(order = 120); };
)";

TEST_F(Schedule, NamedAxesAreTheProgramsInAnotherOrder) {
  const std::string program = folder.write("axes.mg", names_axes);
  for (const Shape& shape : {Shape{5, 7, 3}, Shape{1, 2, 9}, Shape{4, 1, 1}}) {
    for (const bool laid_out : {false, true}) {
      const std::string as = laid_out ? "layout" : "reference";
      std::vector<std::string> run = {"run",  program,    "-p", "Axes",   "--entry",
                                      "step", "--repeat", "2",  "--quiet"};
      if (!laid_out) run.insert(run.end(), {"--backend", "reference"});
      if (laid_out) run.insert(run.end(), {"--schedule", "other"});
      for (const char* name : {"u", "v"})
        run.insert(run.end(), {"--in", name + ("=" + random_field(folder, name, shape, 5))});
      for (const char* name : {"u", "v", "w"})
        run.insert(run.end(), {"--out", name + ("=" + file(name, as))});
      const Outcome outcome = rhopsi(run);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
    }
    for (const char* name : {"u", "v", "w"}) {
      EXPECT_EQ(difference(file(name, "reference"), file(name, "layout")), 0.0)
          << name << ", shape " << shape_option(shape);
    }
  }
}

// As on a device, by teams of threads: their tiles are larger than the arrays, or not by far, and a
// host does their threads one after the other. What reads pads elsewhere is circular.
TEST_F(Schedule, TeamsComputeWhatTheReferenceDoes) {
  for (const char* more : {"", " require repeat(times = 2);"}) {
    const std::string program = folder.write(
        "solver.mg",
        "package solver imports specs.burgers.paper;\n"
        "program P = specs.burgers.paper.3DPadded;\n"
        "schedule device on step = { drop; fuse; require pipeline; tile; refill; share;\n"
        "  require bind(to = teams);" +
            std::string(more) + " };\n");
    for (const Shape& shape : {Shape{37, 24, 70}, Shape{3, 1, 9}, Shape{1, 33, 17}}) {
      auto reference = words("Base", shape, "-reference"), teams = words("P", shape, "-teams");
      reference.insert(reference.end(), {"--backend", "reference"});
      teams[1] = program;
      teams.insert(teams.end(), {"-I", exec::source(""), "--schedule", "device"});
      for (const auto& run : {reference, teams}) {
        const Outcome outcome = rhopsi(run);
        ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
      }
      for (const char* name : {"u0", "u1", "u2"}) {
        EXPECT_EQ(difference(file(name, "-reference"), file(name, "-teams")), 0.0)
            << name << ", shape " << shape_option(shape) << more;
      }
    }
  }
}

// Four planes away, of an array that is read at its own index alone; fields that read one another;
// staggered ones; nine of them; several calls in one.
TEST_F(Schedule, TeamsOfOtherProgramsComputeWhatTheReferenceDoes) {
  struct Case {
    std::string package, program, fields, settings, more;
    std::vector<Shape> shapes;
  };
  const std::vector<Shape> planes = {{1, 1}, {3, 5}, {40, 70}, {6, 300}};
  for (const Case& each : std::vector<Case>{
           {"specs.stencils.late",
            "Acoustic",
            "p q v",
            "",
            "",
            {{1, 2, 3}, {9, 5, 70}, {17, 33, 4}}},
           {"specs.stencils.late", "GrayScott", "u v", "", " require repeat(times = 3);", planes},
           {"specs.fdtd.fdtd", "DNF", "ez hx hy", "c=0.5", " require repeat(times = 2);", planes},
           {"specs.lattice.lattice", "DNF", "f0 f1 f2 f3 f4 f5 f6 f7 f8", "omega=1.2", "",
            planes}}) {
    const std::string program = folder.write(
        "other.mg", "package other imports " + each.package + ";\nprogram P = " + each.package +
                        "." + each.program +
                        ";\nschedule device on step = { drop; fuse; require pipeline;\n" +
                        "  share; require bind(to = teams);" + each.more + " };\n");
    for (const Shape& shape : each.shapes) {
      std::vector<std::string> words = {"run",     program,    "-p", "P",  "--entry",       "step",
                                        "--quiet", "--repeat", "5",  "-I", exec::source("")};
      if (!each.settings.empty()) words.insert(words.end(), {"--set", each.settings});
      std::vector<std::string> names;
      std::istringstream fields(each.fields);
      for (std::string name; fields >> name;) names.push_back(name);
      for (const std::string& name : names) {
        words.insert(words.end(), {"--in", name + "=" + random_field(folder, name, shape, 3)});
      }
      for (const char* form : {"-reference", "-teams"}) {
        std::vector<std::string> run = words;
        for (const std::string& name : names) {
          if (name != "v" || each.program != "Acoustic")
            run.insert(run.end(), {"--out", name + "=" + file(name, form)});
        }
        const bool teams = form == std::string("-teams");
        if (teams) run.insert(run.end(), {"--schedule", "device"});
        if (!teams) run.insert(run.end(), {"--backend", "reference"});
        const Outcome outcome = rhopsi(run);
        ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
      }
      for (const std::string& name : names) {
        if (name == "v" && each.program == "Acoustic") continue;
        EXPECT_EQ(difference(file(name, "-reference"), file(name, "-teams")), 0.0)
            << name << " of " << each.program << ", shape " << shape_option(shape);
      }
    }
  }
}

// On a GPU padding cannot lose: what is emitted is the program without pads, and no refill.
TEST_F(Schedule, PaddedProgramsAreTheOthersOnADevice) {
  const auto kernels = [&](const std::string& program) {
    const Outcome outcome = rhopsi({"emit", source(paper), "-p", program, "--entry", "step",
                                    "--target", "cuda", "--emit", "cxx"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    EXPECT_EQ(outcome.out.find("refill"), std::string::npos) << outcome.out;
    // From the kernel on, without the places in the specification, which differ.
    std::istringstream lines(outcome.out.substr(outcome.out.find("void step(")));
    std::string text, line;
    while (std::getline(lines, line)) {
      const bool place = line.find("paper.mg:") != std::string::npos;
      if (!place) text += line + "\n";
    }
    return text;
  };
  const std::string padded = kernels("3DPadded"), unpadded = kernels("3D");
  EXPECT_EQ(padded, unpadded);
  EXPECT_NE(padded.find("rhopsi::run_teams<"), std::string::npos) << padded;
}

// Three steps in one pass, and those that are left, or that end where something is written, alone.
TEST_F(Schedule, StepsInARowComputeWhatTheyDoAlone) {
  const std::string program = folder.write(
      "solver.mg",
      "package solver imports specs.wave.leap;\nprogram P = specs.wave.leap.DNF;\n"
      "schedule triples on step = {\n"
      "  require pipeline(max_planes = 24); in_place; pad; refill; share; bind(to = rows);\n"
      "  require repeat(times = 3);\n};\n");
  for (const Shape& shape : {Shape{23, 9}, Shape{4, 2}, Shape{1, 5}}) {
    const std::vector<std::string> begin = {"run",
                                            program,
                                            "-p",
                                            "P",
                                            "--entry",
                                            "step",
                                            "--quiet",
                                            "-I",
                                            source(""),
                                            "--repeat",
                                            "8",
                                            "--in",
                                            "h=" + random_field(folder, "h", shape, 5),
                                            "--in",
                                            "e=" + random_field(folder, "e", shape, 6),
                                            "--every",
                                            "4"};
    const auto results = [&](const std::string& suffix, const std::vector<std::string>& more) {
      std::vector<std::string> all = begin;
      for (const char* name : {"h", "e"}) {
        all.insert(all.end(), {"--out", std::string(name) + "=" + file(name, suffix)});
      }
      all.insert(all.end(), more.begin(), more.end());
      const Outcome outcome = rhopsi(all);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    };
    results("-one", {"--backend", "reference"});
    results("-three", {"--schedule", "triples"});
    for (const char* name : {"h", "e"}) {
      for (const char* step : {"", "-4", "-8"}) {
        EXPECT_EQ(difference(file(name, std::string("-one") + step),
                             file(name, std::string("-three") + step)),
                  0.0)
            << name << step << ", shape " << shape_option(shape);
      }
    }
  }
  const Outcome emitted = rhopsi({"emit", program, "-p", "P", "--rank", "2", "--schedule",
                                  "triples", "-I", source(""), "-o", folder / "emitted"});
  ASSERT_EQ(emitted.exit_code, 0) << emitted.text();
  EXPECT_NE(read(folder / "emitted/P_kernels.h").find("does what 3 calls of step in a row do"),
            std::string::npos);
}

// Numbers that are called as the loops, the shared terms and the variables of emitted text are.
TEST_F(Schedule, ArgumentsMayHaveTheNamesOfIndices) {
  const std::vector<std::string> names = {"i",   "j",    "k",    "t0",   "t1",    "n0",
                                          "row", "low",  "high", "team", "plane", "count",
                                          "t",   "body", "s",    "p",    "value", "domain_"};
  std::string parameters, given, sum;
  std::vector<std::string> settings;
  for (const std::string& name : names) {
    parameters += name + ": Real, ";
    given += ", " + name;
    sum += (sum.empty() ? "" : " + ") + name;
    settings.insert(settings.end(), {"--set", name + "=0." + std::to_string(11 + settings.size())});
  }
  std::string modes;
  for (const std::string& name : names) modes += ", obs " + name + ": Real";
  const std::string program =
      folder.write("names.mg",
                   "package names imports backend.kokkos, moa.dnf, moa.indexwise;\n"
                   "program Names = {\n"
                   "  use Arrays;\n"
                   "  function nextIx(u: Array, " +
                       parameters +
                       "ix: Index): Real =\n"
                       "    (psi(rotateIx(ix, 0, 1), u) + k) * (psi(rotateIx(ix, 0, 1), u) + k)\n"
                       "      + psi(rotateIx(ix, 1, -1), u) * k + (" +
                       sum +
                       ") * psi(rotateIx(ix, 2, 1), u);\n"
                       "  use FlatSchedule[element => nextIx, schedule => next, E => Real];\n"
                       "  procedure step(upd u: Array" +
                       modes +
                       ") {\n"
                       "    u = next(u" +
                       given + "); u = next(u" + given +
                       ");\n"
                       "  };\n"
                       "};\n"
                       "schedule teams for Names on step = { pipeline; bind(to = teams); };\n");
  const std::string u = random_field(folder, "u", {5, 4, 3}, 3);
  const auto run = [&](const std::vector<std::string>& more, const std::string& out) {
    std::vector<std::string> words = {"run",
                                      program,
                                      "-p",
                                      "Names",
                                      "--entry",
                                      "step",
                                      "--quiet",
                                      "--repeat",
                                      "2",
                                      "--in",
                                      "u=" + u,
                                      "--out",
                                      "u=" + (folder / out)};
    words.insert(words.end(), settings.begin(), settings.end());
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = rhopsi(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  };
  run({"--backend", "reference"}, "reference.npy");
  for (const char* recipe : {"off", "auto", "full", "teams"}) {
    run({"--schedule", recipe}, "scheduled.npy");
    EXPECT_EQ(difference(folder / "reference.npy", folder / "scheduled.npy"), 0.0) << recipe;
  }
}

// Members that are called as what a loop's function object is given hide nothing of it.
TEST_F(Schedule, ParametersMayHaveTheNamesOfWhatIsEmitted) {
  const std::vector<std::string> names = {"slab", "tile", "row", "rows",  "fault", "team",
                                          "here", "part", "low", "plane", "fetch"};
  std::string declared, sum;
  std::vector<std::string> words = {"run", "", "-p", "Names", "--entry", "step", "--quiet"};
  for (const std::string& name : names) {
    declared += " function " + name + "(): Real;";
    sum += " + " + name + "()";
    words.insert(words.end(), {"--set", name + "=0." + std::to_string(10 + words.size())});
  }
  words[1] = folder.write(
      "members.mg",
      "package members imports backend.kokkos, moa.dnf, moa.indexwise;\n"
      "implementation Numbers = external Kokkos parameters { require type Real;" +
          declared +
          " };\n"
          "program Names = {\n"
          "  use Arrays; use Numbers;\n"
          "  function nextIx(u: Array, ix: Index): Real =\n"
          "    psi(rotateIx(ix, 0, 1), u) * slab() + psi(rotateIx(ix, 1, -1), u) * tile()\n"
          "      + row() * psi(rotateIx(ix, 2, 1), u)" +
          sum +
          ";\n"
          "  use FlatSchedule[element => nextIx, schedule => next, E => Real];\n"
          "  procedure step(upd u: Array) { u = next(u); u = next(u); };\n"
          "};\n"
          "schedule teams for Names on step = { pipeline; bind(to = teams); };\n"
          "schedule two for Names on step = { bind; unroll(most_rows = 2); };\n");
  words.insert(words.end(), {"--in", "u=" + random_field(folder, "u", {5, 4, 3}, 3), "--out"});
  const auto run = [&](const std::string& out, std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    more.insert(more.begin() + std::ptrdiff_t(words.size()), "u=" + (folder / out));
    const Outcome outcome = rhopsi(more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  };
  run("reference.npy", {"--backend", "reference"});
  for (const char* recipe : {"off", "full", "teams", "two"}) {
    run("scheduled.npy", {"--schedule", recipe});
    EXPECT_EQ(difference(folder / "reference.npy", folder / "scheduled.npy"), 0.0) << recipe;
  }
}

TEST_F(Schedule, IsExplained) {
  const Outcome outcome = rhopsi({"explain", source(paper), "-p", "3DPadded", "--schedule",
                                  "specs.burgers.recipes.sweep", "--dtype", "float"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(outcome.err, "");
  for (const char* part :
       {"schedule sweep on step = {\n  require fuse;\n",
        "on 2x1x1 element (0, 0, 0) needs v0 at (1, 0, 0), which the same pass may not have",
        "3. pad(widest = 2) on step: ", "taken at step: v0: ring, a block => 3 planes\n",
        "6 passes over memory, 108 bytes and 126 operations per element, 6 refills of 36 layers",
        "1 pass over memory, 24 bytes and ", "\npredicted seconds of a call on ",
        "    off: as it is written\n",
        "  * specs.burgers.recipes.sweep: the schedule that is asked for\n",
        "\ntime of step, predicted\n"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  }
  const Outcome off = rhopsi({"explain", source(paper), "-p", "3DPadded", "--schedule", "off"});
  EXPECT_NE(off.out.find("  * off: as it is written\n"), std::string::npos) << off.text();
  // Without a name the one that is chosen, and it may stand last.
  const Outcome standard =
      rhopsi({"explain", source(leap), "-p", "DNF", "--rank", "2", "--schedule"});
  EXPECT_EQ(standard.out.rfind("schedule auto = {\n  drop;\n", 0), 0u) << standard.text();
}

TEST_F(Schedule, WhatARecipeDoesNotGetIsTold) {
  const std::string file = folder.write(
      "two.mg",
      "package two imports specs.wave.leap;\nprogram P = specs.wave.leap.DNF;\n"
      "schedule tight on step = { pipeline(max_planes = 1); };\n"
      "schedule must on step = { require fuse; };\n"
      "schedule elsewhere on leap = { in_place; };\n"
      "program Rounds = { use specs.wave.leap.DNF;\n"
      "  procedure run(upd h: Array, upd e: Array) { iterate 3: Offset step(h, e); } };\n"
      "schedule inner on step = { in_place; };\n");
  const auto told = [&](const std::string& name, int code, const std::string& says) {
    const Outcome outcome = rhopsi({"emit", file, "-p", "P", "--entry", "step", "--rank", "2", "-I",
                                    source(""), "-o", folder / name, "--schedule", name});
    EXPECT_EQ(outcome.exit_code, code) << outcome.text();
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
  };
  told("tight", 0,
       "two.mg:3:28: warning[E0534]: step 'pipeline(max_planes = 1)' of schedule 'tight' is taken "
       "nowhere: at step: e, at most 1 plane waits, or is computed again for each slab, but these "
       "would be");
  told("must", 1, "two.mg:4:27: error[E0535]: step 'fuse' of schedule 'must' is taken nowhere: ");
  // Who calls it keeps its form, and refills what it reads.
  const Outcome inner = rhopsi({"emit", file, "-p", "Rounds", "--entry", "run", "--rank", "2", "-I",
                                source(""), "--emit", "schedule", "--schedule", "inner"});
  EXPECT_EQ(inner.err, "");
  EXPECT_NE(inner.out.find("in_place at step: "), std::string::npos) << inner.text();
  told("elsewhere", 0, "warning[E0534]: schedule 'elsewhere' changes nothing");
}

// Loops, branches, guards, numbers that change and calls: what stands between them is scheduled.
TEST_F(Schedule, ProceduresWithLoopsAndBranchesComputeWhatTheReferenceDoes) {
  const std::string file = folder.write(
      "loops.mg",
      "package loops imports backend.kokkos, moa.dnf, moa.indexwise;\n"
      "program Base = {\n"
      "  use Arrays; use Integers;\n"
      "  function mean(u: Array, f: Array): Array = 0.25 * (rotate(u, 0, 1) + rotate(u, 0, -1)\n"
      "    + rotate(u, 1, 1) + rotate(u, 1, -1)) + f;\n"
      "  procedure once(upd u: Array, obs f: Array) { u = mean(u, f); };\n"
      "  procedure solve(upd u: Array, upd f: Array, obs n: Int) guard 0 <= n {\n"
      "    var k: Int = 0;\n"
      "    iterate n once(u, f);\n"
      "    for i in 0 .. n {\n"
      "      u = mean(u, f); f = mean(f, u);\n"
      "      if i < 2 then { u = mean(mean(u, f), f); k = k + 1; } else { var w = u * f; u = w; "
      "};\n"
      "    };\n"
      "    while k < 7 bound 9 { call once(u, f); k = k + 2; };\n"
      "    f = u;\n"
      "  };\n"
      "};\n"
      "program P = {\n"
      "  use (rewrite (rewrite\n"
      "    (implement ToIxwiseGenerator[op => mean, opIx => meanIx, E => Real] in Base)\n"
      "    with ToIxwise[op => mean] 1) with DNFRules[E => Real] 100);\n"
      "  use FlatSchedule[element => meanIx, E => Real];\n"
      "};\n");
  for (const Shape& shape : {Shape{1, 1}, Shape{2, 9}, Shape{40, 33}}) {
    std::vector<std::string> words = {"run", file, "--entry", "solve", "--quiet", "--set", "n=5"};
    unsigned seed = 5;
    for (const char* name : {"u", "f"}) {
      words.insert(words.end(),
                   {"--in", std::string(name) + "=" + random_field(folder, name, shape, seed++)});
    }
    const auto run = [&](const std::string& suffix, const std::vector<std::string>& more) {
      auto all = words;
      for (const char* name : {"u", "f"}) {
        all.insert(all.end(), {"--out", std::string(name) + "=" + this->file(name, suffix)});
      }
      all.insert(all.end(), more.begin(), more.end());
      const Outcome outcome = rhopsi(all);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
      EXPECT_EQ(outcome.err.find("E0529"), std::string::npos) << outcome.err;
    };
    run("-reference", {"-p", "Base", "--backend", "reference"});
    run("-full", {"-p", "P", "--schedule", "full"});
    run("-auto", {"-p", "P", "--schedule", "auto", "--target", "serial"});
    for (const std::string suffix : {"-full", "-auto"}) {
      for (const char* name : {"u", "f"}) {
        EXPECT_EQ(difference(this->file(name, "-reference"), this->file(name, suffix)), 0.0)
            << name << suffix << ", shape " << shape_option(shape);
      }
    }
  }
}

TEST_F(Schedule, TheStagesArePrinted) {
  const std::vector<std::string> words = {"emit", source(paper), "-p", "3DPadded", "--emit"};
  const auto printed = [&](const char* stage) {
    auto all = words;
    all.insert(all.end(), {stage, "--schedule", "full"});
    return rhopsi(all);
  };
  const Outcome onf = printed("onf");
  EXPECT_EQ(onf.exit_code, 0) << onf.text();
  EXPECT_EQ(onf.out.rfind("module 3DPadded rank 3 pad 1\n", 0), 0u) << onf.out;
  const Outcome schedule = printed("schedule");
  EXPECT_EQ(schedule.exit_code, 0) << schedule.text();
  for (const char* part :
       {"schedule full = {\n  drop;\n", "values of step\n", "u0 becomes ",
        "fuse at step: v1: ", "in_place at step: u2: ", "refused, a pass of its own stays",
        "pipeline at step: u0, u1, u2: a pass of its own => 1 plane behind",
        "ring v2: float64, 3 planes [0+0, 0+0, 1+1], keeps 2 rows\n",
        "seam u2 [2+2], rows [2+2], 0 for the next tile\n",
        "tiles of rows, 144 bytes for each element\n", "nest rows padded"}) {
    const auto from = std::string(part);
    const bool found =
        schedule.out.find(from) != std::string::npos ||
        schedule.out.find(from.substr(0, from.size() - 1) + "  #") != std::string::npos;
    EXPECT_TRUE(found) << part << "\n" << schedule.out;
  }
}

TEST_F(Schedule, ArraysWithShapesOfTheirOwn) {
  const auto wave = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = {
        "emit", source("specs/wave/wave.mg"), "-p", "Wave", "--entry", "step", "--rank", "2"};
    all.insert(all.end(), more.begin(), more.end());
    return rhopsi(all);
  };
  const Outcome outcome = wave({"--emit", "schedule"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
  EXPECT_EQ(outcome.err.find("E0529"), std::string::npos) << outcome.err;
  for (const char* part :
       {"schedule auto = {\n  drop;\n  fuse;\n  in_place;\n  hoist;\n  layout;\n  tile;\n  "
        "bind;\n  pipeline;\n};\n",
        "in_place at step: next: a block of its own => in place of v; ",
        "a loop for each => one loop over rows; ", "nest nested joined (i, j) in"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  }
  const Outcome off = wave({"--emit", "schedule", "--schedule", "off"});
  EXPECT_EQ(off.out.find("in place of"), std::string::npos) << off.out;
}

TEST_F(Schedule, RecipesForArraysWithShapesOfTheirOwn) {
  const std::string file = folder.write(
      "own.mg",
      "package own imports moa.library;\n"
      "program P = implement Expressions in {\n"
      "  use Expressions;\n"
      "  procedure step(upd u: Array, upd v: Array) guard dim(u) == 1 && dim(v) == 1 {\n"
      "    v = 2 * u + v;\n"
      "    u = rotate(v, 0, 1);\n"
      "  };\n"
      "};\n"
      "schedule blocks for P on step = { require in_place; bind(to = nested); };\n"
      "schedule one for P on step = { require fuse; };\n"
      "schedule planes for P on step = { in_place; pipeline; };\n");
  const auto emitted = [&](const std::string& schedule) {
    return rhopsi({"emit", file, "-p", "P", "--emit", "schedule", "--schedule", schedule});
  };
  const Outcome blocks = emitted("blocks");
  EXPECT_EQ(blocks.exit_code, 0) << blocks.text();
  EXPECT_NE(blocks.out.find("in_place at step: v1: refused"), std::string::npos) << blocks.out;
  EXPECT_NE(blocks.out.find("] in place of u"), std::string::npos) << blocks.out;
  EXPECT_EQ(blocks.out.find("joined"), std::string::npos) << blocks.out;
  const Outcome one = emitted("one");
  EXPECT_EQ(one.exit_code, 1) << one.text();
  EXPECT_NE(
      one.err.find("error[E0535]: step 'fuse' of schedule 'one' is taken nowhere: at step: u1, "
                   "what it reads of v1 it reads at its own index, but it reads v1["),
      std::string::npos)
      << one.err;
  // What was decided is told all the same.
  const Outcome why = rhopsi({"explain", file, "-p", "P", "--schedule", "one"});
  EXPECT_EQ(why.exit_code, 1) << why.text();
  EXPECT_NE(why.out.find("   refused at step: u1: "), std::string::npos) << why.text();
  const Outcome planes = emitted("planes");
  EXPECT_EQ(planes.exit_code, 0) << planes.text();
  EXPECT_NE(
      planes.err.find("warning[E0534]: step 'pipeline' of schedule 'planes' is taken nowhere"),
      std::string::npos)
      << planes.err;
  const Outcome explained = rhopsi({"explain", file, "-p", "P", "--schedule", "blocks"});
  EXPECT_NE(explained.out.find("1. in_place on step: "), std::string::npos) << explained.text();
}

// A procedure with an axis argument that is called with numbers becomes a part of its callers, and
// then nothing of it is left that could not be decided.
TEST_F(Schedule, WhatIsNotEmittedIsNotSpokenOf) {
  const std::string file =
      folder.write("axis.mg",
                   "package axis imports backend.kokkos, moa.dnf, moa.indexwise;\n"
                   "program P = {\n"
                   "  use Arrays;\n"
                   "  function shiftIx(u: Array, axis: Axis, ix: Index): Real =\n"
                   "    psi(rotateIx(ix, axis, 1), u) + psi(rotateIx(ix, axis, -1), u);\n"
                   "  use FlatSchedule[element => shiftIx, schedule => shift, E => Real];\n"
                   "  procedure along(upd u: Array, obs axis: Axis) { u = shift(u, axis); }\n"
                   "  procedure step(upd u: Array) { call along(u, 0); call along(u, 1); }\n"
                   "};\n");
  const auto told = [&](const std::string& schedule) {
    const Outcome outcome = rhopsi({"emit", file, "-p", "P", "--entry", "step", "--rank", "2",
                                    "--emit", "schedule", "--schedule", schedule});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.err;
  };
  EXPECT_EQ(told("full"), "");
  const std::string off = told("off");
  EXPECT_NE(
      off.find("warning[E0524]: the access of u on axis 0 cannot be decided, nor 3 others of "),
      std::string::npos)
      << off;
  EXPECT_EQ(off.find("E0524"), off.rfind("E0524")) << off;
}

// The number of elements chooses between threads of a host alone, whatever shapes arrays have.
TEST_F(Schedule, ThreadsAreForTargetsThatHaveSeveral) {
  const auto told = [](const std::string& file, const std::string& program, const Words& more) {
    Words words{"explain", file, "-p", program, "-f", "step", "--schedule"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = rhopsi(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text();
    return outcome.out;
  };
  const std::string taken =
      "taken at step: all threads for every pass => one thread below 4096 elements\n";
  const std::string refused = "refused at step: the same threads for every pass stays\n";
  const auto expect = [&](const std::string& text, bool holds, const std::string& why) {
    EXPECT_EQ(text.find(taken) != std::string::npos, holds) << text;
    EXPECT_EQ(text.find(refused) != std::string::npos, !holds) << text;
    EXPECT_NE(text.find(why), std::string::npos) << text;
  };
  const std::string own_shapes =
      folder.write("twice.mg",
                   "package twice imports moa.library;\n"
                   "program P = implement Expressions in {\n"
                   "  use Expressions;\n"
                   "  procedure step(upd u: Array) guard dim(u) == 1 { u = cat(u, u, 0); };\n"
                   "};\n");
  const std::vector<std::pair<std::string, std::string>> programs = {
      {source("specs/wave/leap.mg"), "DNF"}, {own_shapes, "P"}};
  for (const auto& [file, program] : programs) {
    const Words full = program == "DNF" ? Words{"full", "--rank", "2"} : Words{"full"};
    const auto on = [&](const std::string& target) {
      Words more = full;
      more.insert(more.end(), {"--target", target});
      return told(file, program, more);
    };
    expect(on("openmp"), true, "the elements of a pass are computed by any thread");
    expect(on("serial"), false, "the target has one thread");
    expect(on("cuda"), false, "a device starts as many as it takes");
  }
}

TEST_F(Schedule, MistakesAreReported) {
  const auto fails = [&](const std::vector<std::string>& all, const std::string& says) {
    const Outcome outcome = rhopsi(all);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.text();
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
  };
  fails({"emit", source(paper), "-p", "DNF"}, "no folder to write");
  fails({"emit", source(paper), "-p", "DNF", "-o", "-"}, "a folder is not printed");
  fails({"emit", source(paper), "-p", "DNF", "--emit", "onv"}, "--emit cannot be 'onv'");
  fails({"emit", source(paper), "-p", "DNF", "-o", folder / "x", "--schedule", "best"},
        "error[E0301]: unknown schedule `best`");
  fails({"emit", source(paper), "-p", "DNF", "--emit", "schedule", "--schedule",
         "specs.burgers.recipes.sweep"},
        "error[E0354]: schedule `specs.burgers.recipes.sweep` is for `3DPadded`, not for `DNF`");
  fails({"explain", source(paper), "-p", "DNF", "--step", "2", "--schedule"},
        "--step, --why-not and --at have no meaning with --schedule");
  fails({"run", source(paper), "-p", "DNF", "--entry", "step", "--backend", "reference",
         "--schedule", "auto"},
        "--schedule has no meaning for the reference backend");
}

}  // namespace
}  // namespace rhopsi::exec
