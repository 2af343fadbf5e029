#include "engine/analysis/system.hpp"

#include "engine/analysis/unify.hpp"

namespace rhopsi::analysis {

std::string to_string(const Proof& proof, int level) {
  std::string text = std::string(static_cast<std::size_t>(2 * level), ' ') + proof.text + "\n";
  for (const Proof& part : proof.parts) text += to_string(part, level + 1);
  return text;
}

const char* to_string(Answer answer) {
  switch (answer) {
    case Answer::yes:
      return "YES";
    case Answer::no:
      return "NO";
    case Answer::maybe:
      break;
  }
  return "MAYBE";
}

std::string to_string(const TermBank& bank, const Rule& rule) {
  return to_string(bank, rule.left) + " -> " + to_string(bank, rule.right);
}

Rule rename(TermBank& bank, const Rule& rule) {
  Substitution renaming;
  const Term left = rename(bank, rule.left, renaming);
  return {left, rename(bank, rule.right, renaming)};
}

Rule readable(TermBank& bank, const Rule& rule) {
  Substitution renaming;
  int count = 0;
  for (Term side : {rule.left, rule.right}) {
    for (int each : variables(bank, side)) {
      if (renaming.find(each)) continue;
      static const char* const names[] = {"x", "y", "z", "u", "v", "w"};
      const std::string name = count < 6 ? names[count] : "x" + std::to_string(count - 5);
      ++count;
      const int fresh = bank.fresh_variable(bank.variable_sort(each), name);
      renaming.bind(each, bank.variable(fresh));
    }
  }
  return {apply(bank, rule.left, renaming), apply(bank, rule.right, renaming)};
}

}  // namespace rhopsi::analysis
