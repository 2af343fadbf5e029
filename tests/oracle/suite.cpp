#include "tests/oracle/suite.hpp"

#include <algorithm>

#include "tests/oracle/completion.hpp"
#include "tests/oracle/ranks.hpp"

namespace rhopsi::oracle {
namespace {

constexpr int greatest_depth = 6;

// Operations that move elements come more often than each of the many products.
const std::vector<const Operation*>& weighted_operations() {
  static const std::vector<const Operation*> found = [] {
    std::vector<const Operation*> weighted;
    for (const Operation* each : covered_operations()) {
      const std::string& name = each->name;
      const bool product = name.starts_with("outer_") || name.starts_with("inner_");
      const bool axis = axes_of(*each).size() > 1;
      weighted.insert(weighted.end(), product ? 1 : axis ? 6 : 3, each);
    }
    return weighted;
  }();
  return found;
}

Place some_place(property::Choice& choice) {
  const Operation* operation = choice.of(weighted_operations());
  const std::vector<std::int64_t> axes = axes_of(*operation);
  std::int64_t axis = choice.of(axes);
  if (axis == 2 && choice.once_in(5)) axis = choice.between(3, 5);
  return {operation, choice.of(slots_of(*operation)), axis};
}

std::size_t first_array_slot(const Operation& operation, property::Choice& choice) {
  std::vector<std::size_t> arrays;
  for (const std::size_t slot : slots_of(operation)) {
    if (operation.parameters[slot] == 'A') arrays.push_back(slot);
  }
  return arrays.empty() ? choice.of(slots_of(operation)) : choice.of(arrays);
}

const std::string letters = "ABCDFGHKLMNPQRSTUVWXYZ";

// Attempts that led to nothing have taken names.
Case named_in_order(const Operand& made, const Builder& builder, unsigned seed,
                    std::size_t number) {
  Case one{seed, number, nullptr, {}, {}, made.value};
  std::map<std::string, std::string> names;
  for (const std::string& old : input_names(made.tree)) {
    const std::size_t count = names.size();
    std::string name(1, letters[count % letters.size()]);
    if (count >= letters.size()) name += std::to_string(count / letters.size());
    names[old] = name;
    one.inputs[name] = builder.inputs().at(old);
    if (builder.narrow().contains(old)) one.narrow.insert(name);
  }
  one.tree = renamed(made.tree, names);
  return one;
}

}  // namespace

std::string to_string(const Case& one) {
  return "seed " + std::to_string(one.seed) + ", expression " + std::to_string(one.number) + ": " +
         to_string(one.tree) + "\n" + to_string(one.inputs);
}

Suite::Suite(unsigned seed, Grain grain)
    : seed_(seed), coverage_(grain), waiting_(possible_pairs(Grain::fine)) {
  property::Choice choice(seed);
  for (std::size_t i = waiting_.size(); i > 1; --i) {
    std::swap(waiting_[i - 1], waiting_[std::size_t(choice.between(0, int(i) - 1))]);
  }
}

std::optional<Operand> Suite::with_pair(Builder& builder, const Pair& pair, int attempts) {
  property::Choice& choice = builder.choice();
  const Elements wanted = elements_at(*pair.above.operation, pair.above.slot);
  const Ranks ranks = operand_ranks(pair.above);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::size_t slot = first_array_slot(*pair.below, choice);
    const Ranks base = operand_ranks({pair.below, slot, pair.axis_below});
    const auto rank = choice.between(int(base.least), int(std::min(base.most, base.least + 3)));
    Shape shape = builder.some_shape(rank, wanted);
    if (base.most < std::ssize(shape)) shape.resize(std::size_t(base.most));
    const Elements elements = choice.once_in(4) ? Elements::any : wanted;
    const bool vector = std::ssize(shape) == 1 || elements != Elements::permutation;
    const Operand leaf = builder.leaf(shape, vector ? elements : Elements::mask);
    const auto below = builder.apply(*pair.below, slot, pair.axis_below, leaf);
    if (!below || below->value.rank() < ranks.least || below->value.rank() > ranks.most) continue;
    if (!holds(below->value, wanted)) continue;
    auto above = builder.apply(*pair.above.operation, pair.above.slot, pair.above.axis, *below);
    if (above) return above;
  }
  return std::nullopt;
}

Operand Suite::start(Builder& builder) {
  property::Choice& choice = builder.choice();
  while (!waiting_.empty() && coverage_.contains(waiting_.back())) waiting_.pop_back();
  if (!waiting_.empty() && !choice.once_in(5)) {
    const Pair pair = waiting_.back();
    waiting_.pop_back();
    if (auto found = with_pair(builder, pair, 200)) return *found;
    waiting_.insert(waiting_.begin(), pair);
  }
  return builder.leaf(builder.some_shape(choice.between(0, 3)), Elements::any);
}

Operand Suite::grown(Builder& builder, Operand operand, int depth_wanted) {
  for (int attempt = 0; attempt < 60 && depth(operand.tree) < depth_wanted; ++attempt) {
    const Place place = some_place(builder.choice());
    const Ranks ranks = operand_ranks(place);
    if (operand.value.rank() < ranks.least || operand.value.rank() > ranks.most) continue;
    Pair pair = top_of(operand.tree, builder.inputs());
    pair.above = place;
    if (pair.below != nullptr && coverage_.contains(pair) && attempt % 4 != 3) continue;
    builder.set_depth(std::min(2, depth_wanted - 1));
    if (const auto higher = builder.apply(*place.operation, place.slot, place.axis, operand)) {
      if (depth(higher->tree) > greatest_depth) continue;
      operand = *higher;
      builder.remember(operand);
    }
  }
  return operand;
}

Case Suite::next() {
  const std::size_t number = number_++;
  Builder builder(seed_ * 1'000'003U + unsigned(number), 1);
  const int depth = builder.choice().between(2, greatest_depth);
  const Operand made = grown(builder, start(builder), depth);
  coverage_.add(made.tree, builder.inputs());
  return named_in_order(made, builder, seed_, number);
}

}  // namespace rhopsi::oracle
