#include "engine/verify/case.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace rhopsi::verify {

using moa::ExprId;
using moa::Scalar;
using onf::Representation;

std::optional<Unknown> unknown_of(const moa::Library::Contents& library, term::SymbolId symbol) {
  const Representation* found = library.representation(library.store[symbol].result);
  if (found == nullptr) return std::nullopt;
  switch (found->kind) {
    case Representation::Kind::array:
      return Unknown{symbol, Unknown::Kind::array, found->promotes};
    case Representation::Kind::index:
      return Unknown{symbol, Unknown::Kind::vector};
    case Representation::Kind::opaque:
      return std::nullopt;
    case Representation::Kind::scalar:
      break;
  }
  if (found->scalar == Scalar::boolean) return Unknown{symbol, Unknown::Kind::truth};
  const bool integer =
      !found->promotes && (found->scalar == Scalar::int64 || found->scalar == Scalar::int32);
  return Unknown{symbol, integer ? Unknown::Kind::integer : Unknown::Kind::number, found->promotes};
}

namespace {

class Making {
 public:
  Making(const moa::Library::Contents& library, Case& made) : library_(library), case_(made) {}

  void add(std::size_t number, const Unknown& unknown, const Choice& choice) {
    number_ = number;
    const std::string& name = library_.store[unknown.symbol].name;
    switch (unknown.kind) {
      case Unknown::Kind::array:
        return mean(unknown, array(unknown, name, choice.rank));
      case Unknown::Kind::vector: {
        moa::Vector components;
        for (std::size_t k = 0; k < choice.rank; ++k) {
          components.push_back(integer(fmt::format("{}[{}]", name, k), k, choice));
        }
        return mean(unknown, std::move(components));
      }
      case Unknown::Kind::integer:
        return mean(unknown, integer(name, 0, choice));
      case Unknown::Kind::truth:
        return mean(unknown, variable(name, Scalar::boolean));
      case Unknown::Kind::number:
        mean(unknown, variable(name, unknown.type));
        case_.numbers.push_back({number, 0, last_});
    }
  }

 private:
  void mean(const Unknown& unknown, moa::Place::Meaning meaning) {
    case_.place.meanings.emplace_back(unknown.symbol, std::move(meaning));
  }

  moa::LeafId array(const Unknown& unknown, const std::string& name, std::size_t rank) {
    moa::Leaf leaf;
    leaf.name = name;
    leaf.element = unknown.type;
    leaf.shape.resize(rank);
    leaf.variable = unknown.symbol;
    case_.place.leaves.push_back(std::move(leaf));
    return static_cast<moa::LeafId>(case_.place.leaves.size() - 1);
  }

  ExprId variable(const std::string& name, Scalar type) {
    moa::Expressions& expressions = *case_.place.expressions;
    last_ = expressions.make_variable(name);
    case_.place.parameters.push_back(last_);
    return expressions.variable(last_, type);
  }

  ExprId integer(const std::string& name, std::size_t component, const Choice& choice) {
    const auto known = component < choice.values.size() ? choice.values[component] : std::nullopt;
    if (known) return case_.place.expressions->integer(*known);
    const ExprId made = variable(name, Scalar::int64);
    case_.open.push_back({number_, component, last_});
    return made;
  }

  const moa::Library::Contents& library_;
  Case& case_;
  std::size_t number_ = 0;
  moa::VariableId last_{};
};

}  // namespace

Case make_case(const moa::Library::Contents& library, const std::vector<Unknown>& unknowns,
               const Choices& choices) {
  Case made;
  Making making(library, made);
  for (std::size_t k = 0; k < unknowns.size(); ++k) making.add(k, unknowns[k], choices[k]);
  return made;
}

namespace {

// Those of arrays, and numbers.
void add_elements(const std::vector<Unknown>& unknowns, const Case& made,
                  const smt::Counterexample& counterexample, Model& model) {
  std::vector<term::SymbolId> arrays;  // make_case() makes them in this order
  for (const Unknown& each : unknowns) {
    if (each.kind == Unknown::Kind::array) arrays.push_back(each.symbol);
  }
  for (const auto& [leaf, index, value] : counterexample.elements) {
    if (moa::number(leaf) >= arrays.size()) continue;
    model.elements.push_back({arrays[moa::number(leaf)], index, value});
  }
  for (const Open& each : made.numbers) {
    const term::SymbolId symbol = unknowns[each.unknown].symbol;
    const auto real = counterexample.reals.find(each.variable);
    const auto integer = counterexample.variables.find(each.variable);
    if (real != counterexample.reals.end()) {
      model.elements.push_back({symbol, {}, {Scalar::float64, 0, real->second}});
    } else if (integer != counterexample.variables.end()) {
      model.elements.push_back({symbol, {}, {Scalar::int64, integer->second, 0}});
    }
  }
}

}  // namespace

Model model_of(const std::vector<Unknown>& unknowns, const Choices& choices, const Case& made,
               const smt::Counterexample& counterexample) {
  Model model;
  std::uint32_t arrays = 0;  // make_case() makes them in this order
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const Unknown::Kind kind = unknowns[k].kind;
    const bool ranked = kind == Unknown::Kind::array || kind == Unknown::Kind::vector;
    if (!ranked && kind != Unknown::Kind::integer) continue;
    std::vector<std::int64_t> numbers(ranked ? choices[k].rank : 1, 1);
    if (kind == Unknown::Kind::array) {
      const auto leaf = static_cast<moa::LeafId>(arrays++);
      for (std::uint32_t axis = 0; axis < numbers.size(); ++axis) {
        const auto extent = counterexample.extents.find({leaf, axis});
        if (extent != counterexample.extents.end()) numbers[axis] = extent->second;
      }
    }
    for (std::size_t m = 0; m < std::min(numbers.size(), choices[k].values.size()); ++m) {
      if (choices[k].values[m]) numbers[m] = *choices[k].values[m];
    }
    for (const Open& each : made.open) {
      const auto value = counterexample.variables.find(each.variable);
      if (each.unknown != k || value == counterexample.variables.end()) continue;
      numbers[each.component] = value->second;
    }
    model.numbers.emplace_back(unknowns[k].symbol, std::move(numbers));
  }
  add_elements(unknowns, made, counterexample, model);
  return model;
}

std::string describe(const term::Store& store, const std::vector<Unknown>& unknowns,
                     const Choices& choices) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const std::string& name = store[unknowns[k].symbol].name;
    const Choice& choice = choices[k];
    if (unknowns[k].kind == Unknown::Kind::array)
      add(fmt::format("{} of rank {}", name, choice.rank));
    if (unknowns[k].kind == Unknown::Kind::vector) {
      add(fmt::format("{} of length {}", name, choice.rank));
    }
    for (std::size_t m = 0; m < choice.values.size(); ++m) {
      if (!choice.values[m]) continue;
      const bool single = unknowns[k].kind == Unknown::Kind::integer;
      add(single ? fmt::format("{} = {}", name, *choice.values[m])
                 : fmt::format("{}[{}] = {}", name, m, *choice.values[m]));
    }
  }
  return text;
}

}  // namespace rhopsi::verify
