#include "engine/moa/plan.hpp"

namespace rhopsi::moa {

namespace {

// 320 000
std::string grouped(std::int64_t value) {
  if (value >= most_counted) return "more than 4 * 10^18";
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, " ");
  return text;
}

std::string counted(std::int64_t count, const std::string& noun) {
  return grouped(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string indented(const std::string& lines) {
  std::string text;
  bool fresh = true;
  for (const char c : lines) {
    if (fresh) text += "  ";
    text += c;
    fresh = c == '\n';
  }
  return text;
}

std::string heading(const Stage& stage) {
  return "let " + stage.name + ": stored, " + counted(stage.choice.operations, "operation") +
         " and " + counted(stage.choice.stores, "store") + "; recomputed it would be " +
         counted(stage.choice.recomputed, "operation") + "\n";
}

std::string line_of(const ContractionOrder& chosen) {
  return "contraction " + chosen.contraction + "\n  as " + chosen.order + ": " +
         counted(chosen.operations, "operation") + "; at each element as it is written, " +
         grouped(chosen.written) + "\n";
}

template <class Heading, class Text>
std::string in_order(const Plan& plan, const Heading& heading, const Text& text) {
  std::string lines;
  for (std::size_t k = 0; k + 1 < plan.stages.size(); ++k) {
    lines += heading(plan.stages[k]) + indented(text(plan.stages[k].form));
  }
  return lines + text(plan.result());
}

}  // namespace

std::string to_string(const Plan& plan) {
  std::string lines;
  for (const ContractionOrder& chosen : plan.contractions) lines += line_of(chosen);
  return lines + in_order(plan, heading, [](const NormalForm& form) { return to_string(form); });
}

std::string accesses_to_string(const Plan& plan) {
  return in_order(
      plan, [](const Stage& stage) { return "let " + stage.name + ":\n"; },
      [](const NormalForm& form) { return accesses_to_string(form); });
}

}  // namespace rhopsi::moa
