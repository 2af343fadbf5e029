#include "tests/races/programs.hpp"

#include <algorithm>
#include <stdexcept>

#include "tests/exec/process.hpp"

namespace rhopsi::races {
namespace {

using Words = std::vector<std::string>;

// Calls of an entry that updates arrays over one domain, on each of these domains. The first one
// has work for all threads; sides of the others are shorter than what is read beyond them.
std::vector<Call> updates(const std::string& entry, const Words& arrays,
                          const std::vector<Shape>& domains, const Words& numbers = {},
                          int steps = 3) {
  std::vector<Call> calls;
  for (const Shape& domain : domains) {
    Call call{entry, {}, numbers, arrays, steps};
    for (const std::string& name : arrays) call.in.emplace_back(name, domain);
    calls.push_back(call);
  }
  return calls;
}

Words source(const std::string& file, const std::string& program) {
  return {exec::source(file), "-p", program};
}

// ------------------------------------------------------------- over one domain

std::vector<Program> of_burgers() {
  const auto calls =
      updates("step", {"u0", "u1", "u2"}, {Shape{13, 11, 17}, Shape{3, 1, 9}, Shape{1, 2, 5}},
              {"nu=0.05", "dt=0.01", "dx=0.5"});
  // So many planes that teams have slabs of them, by different threads.
  const auto of_teams = updates("step", {"u0", "u1", "u2"}, {Shape{131, 5, 9}, Shape{3, 1, 9}},
                                {"nu=0.05", "dt=0.01", "dx=0.5"});
  const Words padded = source("specs/burgers/paper.mg", "3DPadded");
  const Words recipes = source("tests/races/solver.mg", "P");
  const Words own = source("specs/own_schedule/own_schedule.mg", "Own");
  return {
      {"whole_arrays", source("specs/burgers/paper.mg", "Base"), {"--schedule", "off"}, calls},
      {"refilled", padded, {"--schedule", "off"}, calls},
      {"fused", padded, {"--schedule", "specs.burgers.recipes.halves"}, calls},
      {"planes", padded, {"--schedule", "specs.burgers.recipes.sweep"}, calls},
      {"tiles", recipes, {"--schedule", "few"}, calls},
      {"several_rows", recipes, {"--schedule", "several_rows"}, calls},
      {"tiles_by_pairs", recipes, {"--schedule", "pairs"}, calls},
      {"teams", recipes, {"--schedule", "device"}, of_teams},
      {"peeled",
       source("specs/burgers/paper.mg", "DNF"),
       {"--schedule", "specs.schedules.stencil.peeled"},
       calls},
      {"own_schedule", own, {}, calls, Build::strict, source("specs/burgers/paper.mg", "Base")},
      {"checked", padded, {"--schedule", "off", "--checked"}, calls, Build::checked},
  };
}

std::vector<Program> of_other_solvers() {
  const std::vector<Shape> planes = {Shape{23, 14}, Shape{4, 2}, Shape{1, 5}};
  const Words lattice = source("specs/lattice/lattice.mg", "DNF");
  const auto streams = updates("step", {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8"},
                               planes, {"omega=1.5"});
  std::vector<Call> relaxations = updates("step", {"u"}, planes);
  for (Call& call : relaxations) call.in.emplace_back("f", call.in.front().second);
  // Until little changes, with another number of rounds for each.
  const auto residuals = [](const std::vector<Shape>& shapes) {
    std::vector<Call> calls;
    for (const Shape& shape : shapes) {
      calls.push_back({"solve", {{"u", shape}, {"f", shape}}, {"tol=0.1", "most=8"}, {"u"}});
      calls.push_back({"solve", {{"u", shape}, {"f", shape}}, {"tol=0", "most=4"}, {"u"}});
    }
    return calls;
  };
  const Words residual = source("tests/races/residual.mg", "Residual");
  return {
      {"rows_folded", residual, {"--shape", "23,14", "--schedule", "planes"}, residuals(planes)},
      {"rows_of_tiles_folded",
       residual,
       {"--shape", "9,11,7", "--schedule", "tiles"},
       residuals({Shape{9, 11, 7}, Shape{2, 1, 3}})},
      {"three_steps",
       source("tests/races/leaps.mg", "P"),
       {"--rank", "2", "--schedule", "triples"},
       updates("step", {"h", "e"}, planes, {}, 8)},
      {"lattice_fused", lattice, {"--rank", "2", "--schedule", "fused"}, streams},
      {"lattice_in_place", lattice, {"--rank", "2", "--schedule", "in_place"}, streams},
      {"leapfrog",
       source("specs/fdtd/fdtd.mg", "DNF"),
       {"--rank", "2", "--schedule", "leapfrog"},
       updates("step", {"ez", "hx", "hy"}, planes, {"c=0.5"})},
      {"by_turns",
       source("specs/relaxation/red_black.mg", "DNF"),
       {"--rank", "2", "--schedule", "by_turns"},
       relaxations},
      {"runs",
       source("specs/smooth/smooth.mg", "DNF"),
       {"--rank", "1", "--schedule", "full"},
       updates("step", {"a"}, {Shape{211}, Shape{2}, Shape{1}}, {}, 6)},
  };
}

// ---------------------------------------------------- arrays of shapes of their own

// Of products of small matrices tiles have no panels; those of `matrices` are larger.
std::vector<Program> of_products() {
  return {
      {"contractions",
       source("specs/contractions/contractions.mg", "Contractions"),
       {},
       {
           {"product", {{"A", {37, 29}}, {"B", {29, 83}}}, {}, {"C"}},
           {"gram", {{"A", {41, 7}}}, {}, {"C"}},
           {"batch", {{"A", {5, 9, 6}}, {"B", {5, 6, 13}}}, {}, {"C"}},
           {"contract", {{"A", {19, 4, 3}}, {"B", {4, 3, 11}}}, {}, {"C"}},
           {"filter", {{"u", {31, 23}}, {"w", {3, 5}}}, {}, {"C"}},
           {"compare", {{"A", {17, 9}}, {"B", {21, 9}}}, {}, {"C"}},
           {"apply", {{"A", {33, 14}}, {"x", {14}}}, {}, {"C"}},
           {"columns", {{"A", {25, 70}}}, {}, {"C"}},
           {"rows", {{"A", {70, 25}}}, {}, {"C"}},
           {"total", {{"x", {900}}}, {}, {"C"}},
           {"chain", {{"x", {101}}, {"y", {101}}}, {}, {"C"}},
           {"product", {{"A", {3, 0}}, {"B", {0, 4}}}, {}, {"C"}},
           {"product", {{"A", {1, 5}}, {"B", {5, 1}}}, {}, {"C"}},
       }},
      {"matrices",
       source("specs/matmul/matmul.mg", "Products"),
       {"--entry", "matmul", "--rank", "2"},
       {{"matmul", {{"A", {37, 29}}, {"B", {29, 183}}}, {}, {"result"}}}},
      {"lifted",
       source("specs/matmul/matmul.mg", "Products"),
       {"--entry", "matmul_blocked", "--rank", "2"},
       {{"matmul_blocked", {{"A", {6, 9}}, {"B", {9, 12}}}, {"q=3"}, {"result"}}}},
      {"elimination",
       source("specs/lu/lu.mg", "LU"),
       {"--rank", "2"},
       {{"decompose", {{"A", {11, 11}}}, {}, {"A"}}, {"decompose", {{"A", {1, 1}}}, {}, {"A"}}}},
  };
}

std::vector<Program> of_shapes() {
  // Of long rows threads share the steps, of many rows the rows.
  std::vector<Call> folds;
  for (const Shape& shape : {Shape{3, 9001}, Shape{90, 101}, Shape{1, 9001}, Shape{1, 1}}) {
    for (const char* entry : {"total", "rows", "columns", "largest"}) {
      folds.push_back({entry, {{"A", shape}}, {}, {"C"}});
    }
    folds.push_back({"centre", {{"A", shape}}, {}, {"A"}});
  }
  // More than the caches of the threads hold.
  folds.push_back({"centre", {{"A", {2100, 130}}}, {}, {"A"}});
  const auto heat = [](const Shape& shape) {
    return std::vector<Call>{
        {"circular", {{"u", shape}}, {"r=0.125"}, {"u"}, 2},
        {"mixed", {{"u", shape}}, {"r=0.125", "c=1.5"}, {"u"}, 2},
        {"settle", {{"u", shape}}, {"r=0.125", "c=2", "tolerance=0.001", "most=3"}, {"u"}}};
  };
  std::vector<Call> heats = heat({19, 13});
  for (const Call& call : heat({1, 4})) heats.push_back(call);
  return {
      {"folds", source("tests/races/folds.mg", "Folds"), {"--rank", "2"}, folds},
      {"folds_in_any_order",
       source("tests/races/folds.mg", "Folds"),
       {"--rank", "2", "--reassociate"},
       folds,
       Build::reassociating},
      {"boundaries", source("specs/heat/heat.mg", "Heat"), {"--rank", "2"}, heats},
      {"any_rank",
       source("specs/burgers/shapes.mg", "Equation8"),
       {"--rank", "3"},
       {{"step", {{"u", {2, 15, 9}}, {"h", {2}}}, {"nu=0.1", "dt=0.01"}, {"u"}, 2},
        {"step", {{"u", {2, 2, 3}}, {"h", {2}}}, {"nu=0.1", "dt=0.01"}, {"u"}, 2}}},
  };
}

// The program of that name with the edits, and its first call alone.
Program edited(const std::string& name, const std::string& as, std::vector<Edit> edits) {
  for (Program program : scheduled_programs()) {
    if (program.name != name) continue;
    program.name = as;
    program.calls.resize(1);
    program.edits = std::move(edits);
    return program;
  }
  throw std::logic_error("no program " + name);
}

}  // namespace

std::vector<Program> scheduled_programs() {
  std::vector<Program> all;
  for (auto programs : {of_burgers(), of_other_solvers(), of_products(), of_shapes()}) {
    std::move(programs.begin(), programs.end(), std::back_inserter(all));
  }
  return all;
}

std::vector<Program> racy_programs() {
  // Where the share of one thread ends the next one begins: one item is in both.
  const auto both = [](const std::string& file) {
    return Edit{file, "(run + 1) / runs", "(run + 1) / runs + (run + 1 < runs ? 1 : 0)"};
  };
  return {
      // What a neighbour overwrites is read from where it does so.
      edited("planes", "without_seams",
             {{"n3DPadded.hpp", "= u0_seam.ref();", "= rhopsi::all_planes(u0);"}}),
      // At the same time, so that the sanitizer still knows of the other thread.
      edited("teams", "slabs_from_the_first_plane",
             {{"rhopsi_team.hpp", "low[0] = static_cast<int>(planes * number / teams.count[0]);",
               "low[0] = 0;"}}),
      edited("fused", "rows_of_two", {both("rhopsi_kernels.hpp")}),
      edited("elimination", "boxes_of_two", {both("rhopsi_boxes.hpp")}),
      edited("matrices", "tiles_of_two",
             {both("rhopsi_register_tiles.hpp"), both("rhopsi_wide_tiles.hpp")}),
      edited("contractions", "small_tiles_of_two", {both("rhopsi_small_tiles.hpp")}),
      edited("rows_folded", "rows_in_one_place",
             {{"Residual.hpp", ".plane(slab, i), domain, i)", ".plane(slab, 0), domain, i)"}}),
      edited("folds_in_any_order", "sums_in_one_place",
             {{"rhopsi_fold_blocks.hpp", "block + 1, parts + block * elements);",
               "block + 1, parts);"}}),
  };
}

}  // namespace rhopsi::races
