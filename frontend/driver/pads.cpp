#include "frontend/driver/pads.hpp"

#include <algorithm>

#include "engine/onf/pads.hpp"
#include "engine/onf/print.hpp"
#include "engine/onf/verify.hpp"
#include "engine/rewrite/derivation.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/driver/stages.hpp"

namespace rhopsi::driver {
namespace {

using onf::PadReason;

using ArrayNames = std::vector<onf::ArrayPads::Name>;

// "step: a, result; smooth: u"
std::string names_of_arrays(const onf::Module& module, const ArrayNames& names) {
  std::string text;
  const onf::Function* last = nullptr;
  for (const onf::ArrayPads::Name& name : names) {
    const onf::Function& function = module.functions[onf::number(name.function)];
    if (&function != last) text += (text.empty() ? "" : "; ") + function.name + ": ";
    if (&function == last) text += ", ";
    text += function.views[onf::number(name.view)].name;
    last = &function;
  }
  return text;
}

const char* words_of(PadReason::Why why) {
  switch (why) {
    case PadReason::Why::nothing:
    case PadReason::Why::read:
      return "read";
    case PadReason::Why::computed:
      return "another array's pads are computed from these";
    case PadReason::Why::undecided:
      return "it could not be decided where it is read";
    case PadReason::Why::element:
      return "an element is read outside of loops over arrays";
    case PadReason::Why::user_code:
      return "a user's own code has the array";
  }
  return "";
}

// In the order of the program's axes.
std::vector<onf::AxisReason> of_program(const onf::Module& module,
                                        const std::vector<onf::AxisReason>& of_form) {
  std::vector<onf::AxisReason> made = of_form;
  for (std::size_t axis = 0; axis < module.axes.size(); ++axis) {
    made[static_cast<std::size_t>(module.axes[axis])] = of_form[axis];
  }
  return made;
}

void add_end(Session& session, std::size_t axis, bool above, const PadReason& reason,
             std::vector<std::string>& lines) {
  if (reason.width == 0) return;
  const term::Location& place = session.store()[reason.location];
  lines.push_back("    axis " + std::to_string(axis) + (above ? ", above: " : ", below: ") +
                  std::to_string(reason.width) + ", " + words_of(reason.why) +
                  (place.file.empty()
                       ? ""
                       : " at " + shown_path(place.file) + ":" + std::to_string(place.line)));
}

}  // namespace

bool has_found_pads(const term::Theory& program) {
  return std::ranges::any_of(term::derivations_of(program),
                             [](const auto& derivation) { return !derivation->widths.empty(); });
}

std::vector<std::string> narrow_pads(Session& session, const term::Theory& program,
                                     onf::Module& module, syntax::Diagnostics& diagnostics) {
  if (module.pad == 0 || !has_found_pads(program)) return {};
  const std::vector<onf::ArrayPads> found = onf::narrow_pads(module);
  // Remarks have been told of the module as it was.
  std::vector<onf::Problem> problems = onf::verify(module);
  std::erase_if(problems, [](const onf::Problem& problem) { return !problem.error; });
  report(session, problems, diagnostics);
  std::vector<std::string> lines{
      "pads of each array and axis, the least that is read (padding() = " +
      std::to_string(module.pad) + ")"};
  ArrayNames bare;
  for (const onf::ArrayPads& pads : found) {
    const std::vector<onf::AxisReason> axes = of_program(module, pads.axes);
    onf::Halo halo;
    for (const onf::AxisReason& axis : axes) {
      halo.axes.push_back({axis.low.width, axis.high.width});
    }
    if (std::ranges::all_of(halo.axes,
                            [](const onf::Margin& margin) { return margin == onf::Margin{}; })) {
      bare.insert(bare.end(), pads.names.begin(), pads.names.end());
      continue;
    }
    lines.push_back("  " + names_of_arrays(module, pads.names) + ": " + onf::to_string(halo));
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      add_end(session, axis, false, axes[axis].low, lines);
      add_end(session, axis, true, axes[axis].high, lines);
    }
  }
  std::ranges::stable_sort(bare, {}, &onf::ArrayPads::Name::function);
  if (!bare.empty()) lines.push_back("  none: " + names_of_arrays(module, bare));
  return lines;
}

}  // namespace rhopsi::driver
