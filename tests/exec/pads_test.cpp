// Pads that are found: each array has the least on each axis and end, and computes what it did.
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "tests/exec/fields.hpp"
#include "tests/exec/process.hpp"
#include "tests/exec/reports.hpp"

namespace rhopsi::exec {
namespace {

// a is read two elements below along axis 0 and one above along axis 1, b one above along the last
// axis, c where the index is. In three axes `last` reads a and b further along the last one.
std::string blending(int axes, const std::string& padding, bool shares = false) {
  const std::string n = std::to_string(axes) + "D";
  const std::string last = axes == 3 ? " + 0.125 * rotate(a, 2, 2)" : "";
  std::string text = R"(package blending
  imports backend.kokkos, arith.equality, moa.dnf, moa.indexwise, of.padding, of.specialize;
program Base = {
  use Arrays;
  function blend(a: Array, b: Array, c: Array): Array =
    0.25 * rotate(a, 0, -2) + 0.5 * rotate(a, 1, 1)LAST + 0.25 * (rotate(b, END, 1) * c);
  procedure step(upd a: Array, upd b: Array, obs c: Array) {
    a = blend(a, b, c);
    b = blend(a, b, c);
  }
  procedure turns(upd u: Array, obs v: Array, upd w: Array) {SHARES
    call step(u, w, v);
    call step(u, w, v);
  }
};
implementation Axes = {
  require type Axis literals integer;
  function axis0(): Axis = 0;
  function axis1(): Axis = 1;
  function axis2(): Axis = 2;
};
implementation OneEach = { require type Offset literals integer; function padding(): Offset = 2; };
implementation Components =
  rewrite
    (rewrite
      (implement SpecializeGeneratorND[op => blend_at, opND => blend_of, E => Real]
       in { use (rewrite
                  (rewrite
                    (rewrite
                      (implement ToIxwiseGenerator[op => blend, opIx => blend_at, E => Real] in Base)
                     with ToIxwise[op => blend] 1)
                   with DNFRules[E => Real] 100)
                 with NameAxesND 10);
            use Axes; use IndicesND; use PsiND[E => Real]; })
     with OFSpecializePsiND[E => Real] 10)
  with OFReduceMakeIxRotateND[E => Real] 20;
program Padded = {
  use (rewrite
        (rewrite { use Components; use PADDING; } with OFEliminateModuloPaddingND[E => Real] 10)
       with PadSchedule[schedulePadded => scheduled] 1);
  use PaddedScheduleND[schedule => scheduled, element => blend_of, E => Real];
  use FlatSchedule[element => blend_at, E => Real];
  use Padding;
};
schedule tiles = { repeat(times = 2); drop; fuse; pipeline; tile(most_rows = 4); pad; in_place;
                   refill; share; bind(to = rows); };
)";
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
  };
  replace("LAST", last);
  replace("SHARES", shares ? "\n    w = u;" : "");
  replace("END", std::to_string(axes - 1));
  replace("PADDING", padding);
  replace("ND[", n + "[");
  replace("ND ", n + " ");
  replace("ND;", n + ";");
  return text;
}

TEST(FoundPads, AreTheLeastOfEachArrayAxisAndEnd) {
  const Folder folder;
  const std::string file = folder.write("blending.mg", blending(2, "AutoPadding"));
  const Outcome form = rhopsi({"emit", file, "-p", "Padded", "--rank", "2", "--emit", "onf"});
  ASSERT_EQ(form.exit_code, 0) << form.text();
  for (const char* line :
       {"procedure step(upd a: array float64 pads [2+0, 0+1], "
        "upd b: array float64 pads [0+0, 0+1], c: array float64 pads [0+0, 0+0])",
        "procedure turns(upd u: array float64 pads [2+0, 0+1], "
        "v: array float64 pads [0+0, 0+0], upd w: array float64 pads [0+0, 0+1])",
        "allocate result: float64 [-2 .. n0 circular, 0 .. n1+1 circular]"}) {
    EXPECT_NE(form.out.find(line), std::string::npos) << line << "\n" << form.out;
  }
  const Outcome told =
      rhopsi({"explain", file, "-p", "Padded", "--schedule", "off", "--rank", "2"});
  EXPECT_NE(told.out.find("pads of each array and axis, the least that is read (padding() = 2)\n"),
            std::string::npos)
      << told.text();
  EXPECT_NE(told.out.find("    axis 0, below: 2, read at "), std::string::npos) << told.text();
  EXPECT_NE(told.out.find("blending.mg:6\n"), std::string::npos) << told.text();
  EXPECT_EQ(told.out.find("axis 0, above"), std::string::npos) << told.text();
}

// What callers hand in has them too: an array without pads is used where it lies.
TEST(FoundPads, AreThoseOfArguments) {
  const Folder folder;
  const std::string file = folder.write("blending.mg", blending(2, "AutoPadding"));
  const Outcome emitted = rhopsi(
      {"emit", file, "-p", "Padded", "--rank", "2", "--schedule", "off", "-o", folder / "out"});
  ASSERT_EQ(emitted.exit_code, 0) << emitted.text();
  const auto text_of = [&](const std::string& name) {
    std::ifstream in(folder / ("out/" + name));
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string kernels = text_of("Padded_kernels.cpp"), table = text_of("main.cpp");
  EXPECT_NE(kernels.find("call.field(\"c\", rhopsi::without_pads(p.domain), c)"), std::string::npos)
      << kernels;
  EXPECT_NE(kernels.find("rhopsi::with_pads(p.domain, {{2, 0}, {0, 1}})"), std::string::npos);
  EXPECT_NE(table.find("{\"b\", \"array float64\", Mode::upd, rhopsi::driver::of_the_domain, "
                       "{0, 0, 0, 1}}"),
            std::string::npos)
      << table;
}

// Where one is assigned to the other, two arrays have the pads that either needs, and so have the
// arguments of procedures that they are passed to.
TEST(FoundPads, ArraysThatMayBeOneHaveTheSame) {
  const Folder folder;
  const std::string file = folder.write("blending.mg", blending(2, "AutoPadding", true));
  const Outcome form = rhopsi({"emit", file, "-p", "Padded", "--rank", "2", "--emit", "onf"});
  ASSERT_EQ(form.exit_code, 0) << form.text();
  EXPECT_NE(form.out.find("procedure step(upd a: array float64 pads [2+0, 0+1], "
                          "upd b: array float64 pads [2+0, 0+1], "
                          "c: array float64 pads [0+0, 0+0])"),
            std::string::npos)
      << form.out;
}

// Arrays that only another procedure makes one do not need each other's pads.
TEST(FoundPads, AreThoseOfTheEntryThatRuns) {
  const Folder folder;
  const auto peak = [&](bool shares) {
    const std::string file = folder.write("blending.mg", blending(2, "AutoPadding", shares));
    std::vector<std::string> words = {"run",        file,  "-p",     "Padded",   "--entry", "step",
                                      "--schedule", "off", "--json", "--target", "serial"};
    for (const char* name : {"a", "b", "c"}) {
      words.insert(words.end(), {"--in", std::string(name) + "=iota:8,16"});
    }
    const Outcome ran = rhopsi(words);
    EXPECT_EQ(ran.exit_code, 0) << ran.text();
    const auto json = last_line(ran);
    return json.is_object() ? json.value("bytes_peak", std::int64_t{0}) : 0;
  };
  const std::int64_t alone = peak(false);
  EXPECT_GT(alone, 0);
  EXPECT_EQ(peak(true), alone);
}

// A width that a program states is that of all arrays.
TEST(FoundPads, AWidthThatIsStatedStays) {
  const Folder folder;
  const std::string file = folder.write("blending.mg", blending(2, "OneEach"));
  const Outcome form = rhopsi({"emit", file, "-p", "Padded", "--rank", "2", "--emit", "onf"});
  ASSERT_EQ(form.exit_code, 0) << form.text();
  EXPECT_EQ(form.out.find("pads ["), std::string::npos) << form.out;
  EXPECT_NE(form.out.find("[-2 .. n0+2 circular, -2 .. n1+2 circular]"), std::string::npos);
  const Outcome told = rhopsi({"explain", file, "-p", "Padded", "--schedule", "off"});
  EXPECT_EQ(told.out.find("pads of each array"), std::string::npos) << told.text();
}

class Blending : public testing::Test {
 protected:
  void run(const std::string& program, const Shape& shape, const std::string& suffix,
           const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "run", folder / "blending.mg", "-p", program, "--entry", "turns", "--quiet", "--repeat",
        "3"};
    unsigned seed = 1;
    for (const char* name : {"u", "v", "w"}) {
      words.insert(words.end(),
                   {"--in", std::string(name) + "=" + random_field(folder, name, shape, seed++)});
    }
    for (const char* name : {"u", "w"}) {
      words.insert(words.end(), {"--out", std::string(name) + "=" + folder / (name + suffix)});
    }
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = rhopsi(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text();
  }
  void expect_the_references(const Shape& shape, const std::vector<std::string>& more) {
    run("Base", shape, "-reference.npy", {"--backend", "reference"});
    run("Padded", shape, "-padded.npy", more);
    for (const std::string name : {"u", "w"}) {
      EXPECT_EQ(difference(folder / (name + "-reference.npy"), folder / (name + "-padded.npy")),
                0.0)
          << name << ", shape " << shape_option(shape);
    }
  }

  const Folder folder;
};

// Sides of one element are shorter than the pads; --checked tests every access and NaN.
TEST_F(Blending, ComputesWhatTheReferenceDoes) {
  for (const bool shares : {false, true}) {
    folder.write("blending.mg", blending(2, "AutoPadding", shares));
    for (const Shape& shape : {Shape{1, 1}, Shape{1, 6}, Shape{5, 7}, Shape{40, 70}}) {
      for (const char* schedule : {"off", "full"})
        expect_the_references(shape, {"--schedule", schedule});
      expect_the_references(shape, {"--checked"});
    }
  }
}

// Planes and rows that are kept beside slabs and tiles, of arrays with other pads at each end.
TEST_F(Blending, InTilesToo) {
  folder.write("blending.mg", blending(3, "AutoPadding"));
  for (const Shape& shape : {Shape{1, 2, 1}, Shape{5, 40, 9}, Shape{30, 33, 20}}) {
    for (const char* schedule : {"off", "full", "tiles"}) {
      expect_the_references(shape, {"--schedule", schedule});
    }
  }
}

}  // namespace
}  // namespace rhopsi::exec
