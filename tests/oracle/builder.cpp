#include "tests/oracle/builder.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rhopsi::oracle {
namespace {

constexpr std::int64_t largest_size = 240;
constexpr std::int64_t largest_rank = 6;

void require_usable(const Array& array) {
  require(array.rank() <= largest_rank, "too many axes");
  require(product(array.shape) <= largest_size, "too many elements");
  for (const Number& number : array.elements) {
    const double* real = std::get_if<double>(&number);
    require(real == nullptr || !std::isnan(*real), "an element is no number");
  }
}

std::vector<Number> consecutive(std::int64_t count, std::int64_t first) {
  std::vector<Number> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.emplace_back(first + i);
  return numbers;
}

}  // namespace

const Operation& operation(const std::string& name, const std::string& parameters) {
  for (const Operation& each : operations()) {
    if (each.name == name && each.parameters == parameters && each.result == Sort::array) {
      return each;
    }
  }
  throw std::invalid_argument("no operation " + name + " of " + parameters);
}

bool holds(const Array& array, Elements elements) {
  const auto all = [&](auto condition) {
    return std::all_of(array.elements.begin(), array.elements.end(), condition);
  };
  switch (elements) {
    case Elements::any:
      return true;
    case Elements::natural:
      return all([](const Number& n) { return 0 <= real_of(n) && real_of(n) < 10; });
    case Elements::mask:
      return all([](const Number& n) { return real_of(n) == 0 || real_of(n) == 1; });
    default:
      break;
  }
  if (array.rank() != 1) return false;
  std::vector<Number> sorted = converted(array, Type::real).elements;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (real_of(sorted[i]) != double(i)) return false;
  }
  return true;
}

Operand Builder::call(const Operation& operation, const std::vector<Argument>& arguments) {
  std::vector<Tree> trees;
  std::vector<Value> values;
  for (const Argument& argument : arguments) {
    trees.push_back(argument.tree);
    values.push_back(argument.value);
  }
  Operand result{oracle::call(operation.name, std::move(trees)),
                 std::get<Array>(operation.meaning(values))};
  require_usable(result.value);
  return result;
}

Array Builder::elements(const Shape& shape, Elements elements) {
  const std::int64_t count = product(shape);
  std::vector<Number> numbers;
  const auto fill = [&](auto next) {
    for (std::int64_t i = 0; i < count; ++i) numbers.emplace_back(next());
  };
  const auto random = [&](int low, int high) {
    fill([&] { return std::int64_t{choice_.between(low, high)}; });
  };
  Type type = Type::integer;
  switch (elements) {
    case Elements::natural:
      random(0, 3);
      break;
    case Elements::mask:
      random(0, 1);
      if (choice_.once_in(2)) type = Type::boolean;
      break;
    case Elements::permutation:
      numbers = consecutive(count, 0);
      for (std::int64_t i = count; i > 1; --i) {
        std::swap(numbers[std::size_t(i - 1)],
                  numbers[std::size_t(choice_.between(0, int(i - 1)))]);
      }
      break;
    default:
      switch (choice_.between(0, 5)) {
        case 0:
          random(-4, 9);
          break;
        case 1:
          random(0, 1);
          type = Type::boolean;
          break;
        case 2:
        case 3:
          fill([&] { return choice_.between(-12, 12) / (choice_.once_in(2) ? 4.0 : 2.0); });
          type = Type::real;
          break;
        default:
          numbers = consecutive(count, choice_.between(-3, 3));
      }
  }
  return make_array(type, shape, std::move(numbers));
}

std::string Builder::fresh_name() const { return "in" + std::to_string(inputs_.size()); }

Operand Builder::input_of(const Shape& shape, Elements wanted) {
  std::vector<std::string> fitting;
  for (const auto& [name, array] : inputs_) {
    if (array.shape == shape && holds(array, wanted)) fitting.push_back(name);
  }
  if (!fitting.empty() && choice_.once_in(2)) {
    const std::string& name = choice_.of(fitting);
    return {input(name), inputs_.at(name)};
  }
  const std::string name = fresh_name();
  const Array array = inputs_[name] = elements(shape, wanted);
  if (array.type == Type::integer && choice_.once_in(3)) narrow_.insert(name);
  return {input(name), array};
}

Operand Builder::literal_of(const Shape& shape, Elements wanted) {
  const Array array = elements(shape, wanted);
  if (array.rank() == 0) {
    const Number number = array.type == Type::boolean ? converted(array.elements[0], Type::integer)
                                                      : array.elements[0];
    const Tree tree = type_of(number) == Type::real ? literal(std::get<double>(number))
                                                    : literal(std::get<std::int64_t>(number));
    return {tree, scalar(number)};
  }
  return vector_of(integers_of(array));
}

Operand Builder::vector_of(const std::vector<std::int64_t>& integers) {
  const bool negative = std::any_of(integers.begin(), integers.end(), [](auto i) { return i < 0; });
  if (!negative && choice_.once_in(2)) return {literal(integers), vector(integers)};
  const std::string name = fresh_name();
  inputs_[name] = vector(integers);
  if (choice_.once_in(3)) narrow_.insert(name);
  return {input(name), inputs_[name]};
}

Operand Builder::leaf(const Shape& shape, Elements wanted) {
  const bool literal =
      shape.empty() ? choice_.once_in(2) : shape.size() == 1 && shape[0] < 6 && choice_.once_in(5);
  return literal ? literal_of(shape, wanted) : input_of(shape, wanted);
}

Shape Builder::some_shape(std::int64_t rank, Elements elements) {
  Shape shape;
  const int longest = elements == Elements::permutation ? 3 : 5;
  while (shape.empty() || product(shape) > 60) {
    shape.clear();
    const std::int64_t more = choice_.once_in(12) ? choice_.between(0, 4) : choice_.between(0, 1);
    const std::int64_t axes = std::min(rank + more, largest_rank);
    for (std::int64_t axis = 0; axis < axes; ++axis) {
      const int low = choice_.once_in(10) ? 0 : (choice_.once_in(4) || axes > 3 ? 1 : 2);
      shape.push_back(choice_.between(low, axes > 3 ? 3 : longest));
    }
    // Two axes of one length, now and then.
    if (axes > 1 && choice_.once_in(4)) shape[std::size_t(axes - 1)] = shape[0];
    if (axes == 0) break;
  }
  return shape;
}

Shape Builder::factors_of(std::int64_t count) {
  Shape shape;
  if (count == 0) {
    shape = {0};
  } else {
    for (std::int64_t factor : {2, 3, 5}) {
      while (count % factor == 0 && shape.size() < 3 && choice_.once_in(2)) {
        shape.push_back(factor);
        count /= factor;
      }
    }
    if (count > 1 || choice_.once_in(8)) shape.push_back(count);
  }
  if (!shape.empty())
    std::rotate(shape.begin(), shape.begin() + choice_.between(0, int(shape.size()) - 1),
                shape.end());
  return shape;
}

}  // namespace rhopsi::oracle
