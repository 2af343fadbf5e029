#include "frontend/driver/schedules.hpp"

namespace rhopsi::driver {

namespace {

std::string indented(const std::string& text) {
  std::string made = "  ";
  for (std::size_t k = 0; k < text.size(); ++k) {
    made += text[k];
    if (text[k] == '\n' && k + 1 < text.size()) made += "  ";
  }
  return made;
}

}  // namespace

schedule::Surroundings surroundings_of(Target target, bool checked) {
  if (target == Target::cuda) return {"slabs of planes are for threads of a host, not for cuda"};
  if (checked) return {"a checked program tells each index as it is, and planes are counted on"};
  return {};
}

std::optional<schedule::Recipe> recipe_of(Session& session, const std::string& file,
                                          const std::string& program, const std::string& name,
                                          syntax::Diagnostics& diagnostics) {
  if (name.empty()) return schedule::Recipe{};
  const auto package = session.workspace().load(file, diagnostics);
  if (!package) return std::nullopt;
  return session.workspace().schedule(*package, program, name, diagnostics);
}

std::string explained(const schedule::Recipe& recipe, const schedule::Outcome& outcome) {
  std::string text = to_string(recipe) + "\n" + schedule::describe(recipe, outcome);
  for (const schedule::FunctionCost& cost : outcome.costs) {
    text += "\ncost of " + cost.function + ", before\n" + indented(to_string(cost.before)) +
            "cost of " + cost.function + ", after\n" + indented(to_string(cost.after));
  }
  return text;
}

}  // namespace rhopsi::driver
