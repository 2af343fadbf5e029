#include "tests/oracle/coverage.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "tests/oracle/ranks.hpp"

namespace rhopsi::oracle {
namespace {

constexpr std::int64_t axes_covered = 3;

bool has_axis(const Operation& operation) {
  return operation.parameters.find('x') != std::string::npos;
}

// In `f(integer(B) + 1)` and `f(index(B))`, B; null where no array was made an argument.
const Tree* converted_array(const Tree& tree) {
  if (tree->kind != Expression::Kind::call) return nullptr;
  if (tree->name == "integer" || tree->name == "index") return &tree->arguments[0];
  const bool shifted = tree->name == "_+_" || tree->name == "_-_";
  return shifted ? converted_array(tree->arguments[0]) : nullptr;
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string kind_of(const Operation& operation) {
  const std::string& name = operation.name;
  const std::string& parameters = operation.parameters;
  if (name.starts_with("outer_")) return "outer_*";
  if (name.starts_with("inner_")) return "inner_*";
  if (is_one_of(name, {"omega_add", "omega_sub", "omega_mul"})) return "omega_*";
  if (name.starts_with("cum")) return "cum*";
  const bool numbers = is_one_of(name, {"sum", "product", "minimum", "maximum"});
  if (parameters == "Ax" && (numbers || name == "all" || name == "any")) return "reductions";
  const bool symbol = name.ends_with("_");
  if (parameters == "AA" && (symbol || is_one_of(name, {"min", "max", "pow"}))) return "A + B";
  if (parameters == "A" && (symbol || is_one_of(name, {"abs", "sqrt", "exp", "log", "sin", "cos",
                                                       "tanh", "real", "integer"}))) {
    return "-A";
  }
  return name + "(" + parameters + ")";
}

const Operation* first_of_kind(const Operation* operation) {
  static const std::map<const Operation*, const Operation*> first = [] {
    std::map<std::string, const Operation*> kinds;
    std::map<const Operation*, const Operation*> found;
    for (const Operation* each : covered_operations()) {
      found[each] = kinds.try_emplace(kind_of(*each), each).first->second;
    }
    return found;
  }();
  return first.at(operation);
}

std::vector<Pair> all_pairs() {
  std::vector<Pair> pairs;
  for (const Operation* above : covered_operations()) {
    for (const std::size_t slot : slots_of(*above)) {
      for (const std::int64_t axis : axes_of(*above)) {
        for (const Operation* below : covered_operations()) {
          for (const std::int64_t axis_below : axes_of(*below)) {
            const Pair pair{{above, slot, axis}, below, axis_below};
            if (possible(pair)) pairs.push_back(pair);
          }
        }
      }
    }
  }
  return pairs;
}

}  // namespace

std::string to_string(const Pair& pair) {
  const auto on_axis = [](std::int64_t axis) {
    return axis < 0 ? std::string() : fmt::format(" on axis {}", axis);
  };
  return fmt::format("argument {} of {}({}){} is {}({}){}", pair.above.slot,
                     pair.above.operation->name, pair.above.operation->parameters,
                     on_axis(pair.above.axis), pair.below->name, pair.below->parameters,
                     on_axis(pair.axis_below));
}

const std::vector<const Operation*>& covered_operations() {
  static const std::vector<const Operation*> found = [] {
    std::vector<const Operation*> arrays;
    for (const Operation& each : operations()) {
      if (each.result == Sort::array) arrays.push_back(&each);
    }
    return arrays;
  }();
  return found;
}

std::vector<std::int64_t> axes_of(const Operation& operation) {
  if (!has_axis(operation)) return {-1};
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = 0; axis < axes_covered; ++axis) axes.push_back(axis);
  return axes;
}

std::vector<std::size_t> slots_of(const Operation& operation) {
  std::vector<std::size_t> slots;
  for (std::size_t i = 0; i < operation.parameters.size(); ++i) {
    if (operation.parameters[i] != 'x') slots.push_back(i);
  }
  return slots;
}

bool possible(const Pair& pair) {
  const Ranks above = operand_ranks(pair.above);
  const Ranks below = result_ranks(*pair.below, pair.axis_below);
  return std::max(above.least, below.least) <= std::min(above.most, below.most);
}

Pair counted(Pair pair, Grain grain) {
  if (grain == Grain::fine) return pair;
  pair.above.operation = first_of_kind(pair.above.operation);
  pair.below = first_of_kind(pair.below);
  return pair;
}

const std::vector<Pair>& possible_pairs(Grain grain) {
  static const std::vector<Pair> fine = all_pairs();
  if (grain == Grain::fine) return fine;
  static const std::vector<Pair> coarse = [] {
    std::set<Pair> pairs;
    for (const Pair& pair : fine) pairs.insert(counted(pair, Grain::coarse));
    return std::vector<Pair>(pairs.begin(), pairs.end());
  }();
  return coarse;
}

Pair top_of(const Tree& tree, const Inputs& inputs) {
  if (tree->kind != Expression::Kind::call) return {};
  const Operation* operation = find_operation(*tree, Sort::array);
  if (operation == nullptr) return {};
  const std::size_t place = operation->parameters.find('x');
  if (place == std::string::npos) return {{}, operation, -1};
  return {{},
          operation,
          std::get<std::int64_t>(evaluate(tree->arguments[place], inputs, Sort::integer))};
}

namespace {

void collect_pairs(const Tree& tree, Sort sort, const Inputs& inputs, std::vector<Pair>& pairs) {
  if (tree->kind != Expression::Kind::call) return;
  const Operation& operation = operation_of(*tree, sort);
  for (std::size_t slot = 0; slot < tree->arguments.size(); ++slot) {
    const Tree& argument = tree->arguments[slot];
    const Sort sort_of_slot = sort_of_parameter(operation.parameters[slot]);
    collect_pairs(argument, sort_of_slot, inputs, pairs);
    if (sort != Sort::array || operation.parameters[slot] == 'x') continue;
    const Tree* below = sort_of_slot == Sort::array ? &argument : converted_array(argument);
    if (below == nullptr) continue;
    const Pair top = top_of(*below, inputs);
    if (top.below == nullptr) continue;
    pairs.push_back(
        {{&operation, slot, top_of(tree, inputs).axis_below}, top.below, top.axis_below});
  }
}

}  // namespace

std::vector<Pair> pairs_in(const Tree& tree, const Inputs& inputs) {
  std::vector<Pair> pairs;
  collect_pairs(tree, Sort::array, inputs, pairs);
  return pairs;
}

void Coverage::add(const Tree& tree, const Inputs& inputs) {
  for (const Pair& pair : pairs_in(tree, inputs)) {
    seen_.insert(counted(pair, grain_));
    operations_.insert({pair.above.operation, pair.below});
  }
  if (const Operation* top = top_of(tree, inputs).below) operations_.insert(top);
}

std::vector<Pair> Coverage::missing() const {
  std::vector<Pair> pairs;
  for (const Pair& pair : possible_pairs(grain_)) {
    if (!contains(pair)) pairs.push_back(pair);
  }
  return pairs;
}

std::vector<const Operation*> Coverage::missing_operations() const {
  std::vector<const Operation*> missing;
  for (const Operation* each : covered_operations()) {
    if (!operations_.contains(each)) missing.push_back(each);
  }
  return missing;
}

std::string Coverage::table() const {
  struct Count {
    std::size_t seen = 0;
    std::size_t possible = 0;
  };
  std::map<std::string, std::map<std::string, Count>> counts;
  Count all;
  for (const Pair& pair : possible_pairs(grain_)) {
    for (Count* count : {&counts[kind_of(*pair.above.operation)][kind_of(*pair.below)], &all}) {
      ++count->possible;
      if (contains(pair)) ++count->seen;
    }
  }
  std::string text = fmt::format("{} of {} pairs\n", all.seen, all.possible);
  for (const auto& [above, row] : counts) {
    text += above + ":";
    for (const auto& [below, count] : row) {
      text += fmt::format(" {} {}/{}", below, count.seen, count.possible);
    }
    text += "\n";
  }
  return text;
}

}  // namespace rhopsi::oracle
