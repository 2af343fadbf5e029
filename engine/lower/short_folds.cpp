#include "engine/lower/short_folds.hpp"

#include <algorithm>
#include <unordered_map>

#include "engine/onf/scalar_size.hpp"

namespace rhopsi::lower {

namespace {

using moa::ExprId;
using moa::Node;

constexpr std::int64_t most_steps = 32;

// Of integers sums may wrap, which an expression tells of.
bool is_one(const Node& fold) {
  const auto function = fold.function;
  return onf::is_real(fold.type) &&
         (function == onf::ScalarFunction::add || function == onf::ScalarFunction::multiply ||
          function == onf::ScalarFunction::minimum || function == onf::ScalarFunction::maximum);
}

class ShortFolds {
 public:
  explicit ShortFolds(moa::Expressions& expressions) : expressions_(expressions) {}

  // Steps of it and of what is within it; more than most_steps where they are not known.
  std::int64_t steps(ExprId id) {
    if (const auto found = steps_.find(id); found != steps_.end()) return found->second;
    const Node node = expressions_[id];
    std::int64_t most = 1;
    for (const ExprId operand : node.operands) most = std::max(most, steps(operand));
    if (node.kind == Node::Kind::fold) {
      const auto count = expressions_.constant(node.operands[0]);
      const bool few = count && 1 <= *count && *count <= most_steps && most <= most_steps;
      most = few && is_one(node) ? most * *count : most_steps + 1;
    }
    steps_.emplace(id, most);
    return most;
  }

  ExprId written_out(const Node& fold, ExprId body) {
    const std::int64_t count = *expressions_.constant(fold.operands[0]);
    const auto step = [&](std::int64_t k) {
      return expressions_.substitute(body, fold.variable, expressions_.integer(k));
    };
    ExprId made = step(0);
    for (std::int64_t k = 1; k < count; ++k)
      made = expressions_.apply(fold.function, {made, step(k)});
    return expressions_.converted(made, fold.type);
  }

 private:
  moa::Expressions& expressions_;
  std::unordered_map<ExprId, std::int64_t> steps_;
};

}  // namespace

ExprId without_short_folds(moa::Expressions& expressions, ExprId element) {
  ShortFolds folds(expressions);
  if (folds.steps(element) > most_steps) return element;
  return expressions.changed(
      element, [&](ExprId id, std::span<const ExprId> operands) -> std::optional<ExprId> {
        const Node node = expressions[id];
        if (node.kind != Node::Kind::fold) return std::nullopt;
        return folds.written_out(node, operands[1]);
      });
}

}  // namespace rhopsi::lower
