#include "tests/property/pipelines.hpp"

namespace rhopsi::property {
namespace {

std::string rewrite(const std::string& module, const std::string& rules, int passes) {
  return "(rewrite " + module + "\n   with " + rules + " " + std::to_string(passes) + ")";
}

// The schedule of a kernel in one of the programs.
std::string schedule(const std::string& kernel, const std::string& program) {
  return kernel + program;
}

// A `use` of a schedule for each kernel.
std::string schedules(const std::vector<std::string>& kernels, const std::string& schedule_module,
                      const std::string& element, const std::string& program) {
  std::string text;
  for (const std::string& kernel : kernels) {
    text += "  use " + schedule_module + "[element => " + kernel + element + ", schedule => " +
            schedule(kernel, program) + ", E => Real];\n";
  }
  return text;
}

}  // namespace

std::string moa_and_dnf(const std::vector<std::string>& kernels) {
  std::string module = "Base";
  for (const std::string& kernel : kernels) {
    module = "(implement ToIxwiseGenerator[op => " + kernel + ", opIx => " + kernel +
             "Ix, E => Real]\n   in " + module + ")";
  }
  for (const std::string& kernel : kernels) {
    module = rewrite(
        module, "ToIxwise[op => " + kernel + ", schedule => " + schedule(kernel, "All") + "]", 1);
  }
  return "program MoA = {\n  use " + module + ";\n" +
         schedules(kernels, "FlatSchedule", "Ix", "All") + "};\n\n" +
         "program DNF = rewrite MoA with DNFRules[E => Real] 500;\n\n" +
         "program Again = rewrite DNF with DNFRules[E => Real] 500;\n\n";
}

std::string padded(const std::vector<std::string>& kernels, int padding) {
  std::string module = "{ use DNF; use PaddedBy; }";
  for (const std::string& kernel : kernels) {
    module = rewrite(module,
                     "OFPad[schedule => " + schedule(kernel, "All") + ", schedulePadded => " +
                         schedule(kernel, "Padded") + ", E => Real]",
                     20);
  }
  return "implementation PaddedBy = {\n  require type Offset literals integer;\n"
         "  function padding(): Offset = " +
         std::to_string(padding) + ";\n};\n\nprogram Padded = {\n  use " + module + ";\n" +
         schedules(kernels, "PaddedSchedule", "Ix", "Padded") + "  use Padding;\n};\n\n";
}

std::string nested(const std::vector<std::string>& kernels, int rank, bool made_first) {
  const std::string d = std::to_string(rank) + "D";
  std::string text = "implementation Axes = {\n  require type Axis literals integer;\n";
  for (int axis = 0; axis < rank; ++axis) {
    const std::string number = std::to_string(axis);
    text += "  function axis" + number + "(): Axis = " + number + ";\n";
  }
  std::string module = "{ use (rewrite DNF with NameAxes" + d + " 100); use Axes; use Indices" + d +
                       "; use Psi" + d + "[E => Real]; }";
  for (const std::string& kernel : kernels) {
    module = "(implement SpecializeGenerator" + d + "[op => " + kernel + "Ix, op" + d + " => " +
             kernel + "At, E => Real]\n   in " + module + ")";
  }
  if (made_first) module = rewrite(module, "OFRotateMakeIx" + d + "[E => Real]", 100);
  module = rewrite(module, "OFSpecializePsi" + d + "[E => Real]", 100);
  module = rewrite(module, "OFReduceMakeIxRotate" + d + "[E => Real]", 100);
  text += "};\n\nimplementation Specialized = " + module + ";\n\n";

  std::string flat = "Specialized";
  std::string with_padding = "{ use Specialized; use PaddedBy; }";
  for (const std::string& kernel : kernels) {
    flat = rewrite(flat,
                   "FunctionEquality[f => " + schedule(kernel, "All") + ", g => " +
                       schedule(kernel, "Nested") + ", R => Array]",
                   1);
    with_padding = rewrite(with_padding,
                           "PadSchedule[schedule => " + schedule(kernel, "All") +
                               ", schedulePadded => " + schedule(kernel, "NestedPadded") + "]",
                           1);
  }
  with_padding = rewrite(with_padding, "OFEliminateModuloPadding" + d + "[E => Real]", 100);
  return text + "program Nested = {\n  use " + flat + ";\n" +
         schedules(kernels, "Schedule" + d, "At", "Nested") + "};\n\n" +
         "program NestedPadded = {\n  use " + with_padding + ";\n" +
         schedules(kernels, "PaddedSchedule" + d, "At", "NestedPadded") + "  use Padding;\n};\n";
}

}  // namespace rhopsi::property
