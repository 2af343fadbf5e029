#include "tests/property/random_systems.hpp"

namespace rhopsi::property {

namespace {

using analysis::Term;

struct Shape {
  std::vector<int> arities;
  int rules;
  int depth;
  int variables_in_ten;  // how many leaves are variables
};

const std::vector<Shape> shapes{
    {{0, 0, 1, 2}, 3, 2, 5}, {{1, 1, 1}, 2, 4, 10},      {{0, 1, 1, 2}, 3, 2, 6},
    {{0, 0, 0, 0}, 5, 0, 0}, {{0, 2, 2}, 2, 2, 6},       {{0, 1, 2, 3}, 3, 2, 6},
    {{1, 1}, 1, 6, 10},      {{0, 0, 1, 1, 2}, 4, 2, 4}, {{0, 0, 0, 2}, 4, 2, 3},
    {{0, 1, 1}, 3, 2, 7},    {{0, 0, 3}, 2, 1, 7},
};

}  // namespace

RandomSystem::RandomSystem(unsigned seed) : choice_(seed) {
  const Shape& shape = choice_.of(shapes);
  finite_ = shape.depth == 0;
  variables_in_ten_ = shape.variables_in_ten;
  for (int arity : shape.arities) {
    bank.add_symbol(std::string(1, static_cast<char>('a' + symbols_++)),
                    static_cast<std::size_t>(arity));
  }
  end_ = bank.add_symbol("end", 0);
  const std::vector<int> own{bank.fresh_variable(0, "x"), bank.fresh_variable(0, "y")};
  const int count = choice_.between(1, shape.rules);
  for (int attempt = 0; attempt < 100 && static_cast<int>(rules.size()) < count; ++attempt) {
    const Term left = term(shape.depth, own);
    if (bank.is_variable(left)) continue;
    const Term right = term(shape.depth, variables(bank, left));
    if (left != right) rules.push_back({left, right});
  }
}

std::string RandomSystem::text() const {
  std::string out;
  for (const analysis::Rule& rule : rules) out += to_string(bank, rule) + "\n";
  return out;
}

Term RandomSystem::leaf(const std::vector<int>& variables) {
  if (!variables.empty() && choice_.between(1, 10) <= variables_in_ten_) {
    return bank.variable(choice_.of(variables));
  }
  std::vector<int> constants;
  for (int i = 0; i < symbols_; ++i) {
    if (bank.symbol(i).arity() == 0) constants.push_back(i);
  }
  return bank.make(constants.empty() ? end_ : choice_.of(constants), {});
}

Term RandomSystem::term(int depth, const std::vector<int>& variables) {
  if (depth == 0 || choice_.once_in(5)) return leaf(variables);
  const int symbol = choice_.between(0, symbols_ - 1);
  std::vector<Term> arguments;
  for (std::size_t i = 0; i < bank.symbol(symbol).arity(); ++i) {
    arguments.push_back(term(depth - 1, variables));
  }
  return bank.make(symbol, arguments);
}

}  // namespace rhopsi::property
