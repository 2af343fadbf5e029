#include "tests/oracle/smaller.hpp"

#include <algorithm>

#include "tests/oracle/evaluation.hpp"

namespace rhopsi::oracle {
namespace {

// Calls that have arrays as values, each before its arguments.
void collect_arrays(const Tree& tree, Sort sort, std::vector<Tree>& arrays) {
  if (tree->kind != Expression::Kind::call) return;
  if (sort == Sort::array) arrays.push_back(tree);
  const Operation& operation = operation_of(*tree, sort);
  for (std::size_t i = 0; i < tree->arguments.size(); ++i) {
    collect_arrays(tree->arguments[i], sort_of_parameter(operation.parameters[i]), arrays);
  }
}

std::string fresh_name(const Inputs& inputs) {
  for (int i = 1;; ++i) {
    const std::string name = "P" + std::to_string(i);
    if (!inputs.contains(name)) return name;
  }
}

}  // namespace

std::vector<Candidate> smaller(const Candidate& candidate) {
  std::vector<Tree> parts;
  collect_arrays(candidate.tree, Sort::array, parts);
  if (!parts.empty()) parts.erase(parts.begin());  // the whole
  std::vector<Candidate> found;
  for (const Tree& part : parts) {
    found.push_back({part, inputs_of(part, candidate.inputs)});
  }
  std::reverse(found.begin(), found.end());
  for (const Tree& part : parts) {
    Inputs inputs = candidate.inputs;
    const std::string name = fresh_name(inputs);
    inputs[name] = evaluate(part, candidate.inputs);
    const Tree tree = replaced(candidate.tree, part, input(name));
    found.push_back({tree, inputs_of(tree, inputs)});
  }
  return found;
}

Candidate smallest(Candidate candidate, const std::function<bool(const Candidate&)>& fails) {
  for (;;) {
    const std::vector<Candidate> candidates = smaller(candidate);
    const auto next = std::find_if(candidates.begin(), candidates.end(), fails);
    if (next == candidates.end()) return candidate;
    candidate = *next;
  }
}

}  // namespace rhopsi::oracle
