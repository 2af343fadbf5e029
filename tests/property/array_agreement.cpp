#include "tests/property/array_agreement.hpp"

#include <algorithm>
#include <set>

#include "tests/oracle/evaluation.hpp"
#include "tests/oracle/smaller.hpp"

namespace rhopsi::property {
namespace {

using oracle::Candidate;
using oracle::Expression;
using oracle::Inputs;
using oracle::Tree;

constexpr std::int64_t few_ulps = 4;

bool calls_any(const Tree& tree, const std::set<std::string>& names) {
  const std::vector<Tree> all = oracle::calls(tree);
  return std::any_of(all.begin(), all.end(),
                     [&](const Tree& call) { return names.contains(call->name); });
}

std::string described(const Evaluation& evaluation, const Candidate& candidate) {
  return oracle::to_string(candidate.tree) + "\n" + oracle::to_string(candidate.inputs) +
         "expected " + oracle::to_string(oracle::evaluate(candidate.tree, candidate.inputs)) +
         "\n" + evaluation.name + " gives " +
         to_string(evaluation.run(candidate.tree, candidate.inputs)) + "\n";
}

}  // namespace

bool agrees(const Tree& tree, const oracle::Array& expected, const oracle::Array& found) {
  static const std::set<std::string> approximate = {"exp",  "log", "sin",      "cos",
                                                    "tanh", "pow", "outer_pow"};
  return close(expected, found, calls_any(tree, approximate) ? few_ulps : 0);
}

Verdict verdict(const Evaluation& evaluation, const Tree& tree, const Inputs& inputs,
                const oracle::Array& expected) {
  const Outcome outcome = evaluation.run(tree, inputs);
  if (!outcome.value) {
    const bool may = evaluation.may_decline && evaluation.may_decline(tree, outcome.error);
    return may ? Verdict::declined : Verdict::disagreed;
  }
  return agrees(tree, expected, *outcome.value) ? Verdict::agreed : Verdict::disagreed;
}

std::string report(const Evaluation& evaluation, const oracle::Case& one) {
  const Candidate whole{one.tree, one.inputs};
  const auto fails = [&](const Candidate& each) {
    return verdict(evaluation, each.tree, each.inputs, oracle::evaluate(each.tree, each.inputs)) ==
           Verdict::disagreed;
  };
  std::string text = "seed " + std::to_string(one.seed) + ", expression " +
                     std::to_string(one.number) + ": " + described(evaluation, whole);
  const Candidate part = smallest(whole, fails);
  return part.tree == whole.tree ? text : text + "smaller: " + described(evaluation, part);
}

bool has_unknown_rank(const Tree& tree, bool symbolic) {
  const std::vector<Tree> all = oracle::calls(tree);
  return std::any_of(all.begin(), all.end(), [&](const Tree& call) {
    const std::vector<Tree>& arguments = call->arguments;
    if (call->name == "index") {
      const bool reads_lengths = symbolic && !oracle::input_names(arguments[0]).empty();
      return reads_lengths || calls_any(arguments[0], {"index", "integer", "compress"});
    }
    if (!call->name.starts_with("omega_") && call->name != "blank_cell") return false;
    return std::any_of(arguments.begin() + std::ssize(arguments) / 2, arguments.end(),
                       [&](const Tree& rank) {
                         return calls_any(rank, {"integer", "index", "compress"}) ||
                                (symbolic && calls_any(rank, {"size", "at"}));
                       });
  });
}

}  // namespace rhopsi::property
