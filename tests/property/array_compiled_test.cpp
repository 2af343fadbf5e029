// Random array expressions compiled for Kokkos, all of them in one program.
#include <algorithm>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "backends/kokkos/batch/batch.hpp"
#include "engine/schedule/hoist.hpp"
#include "engine/schedule/own_layout.hpp"
#include "engine/schedule/tile_folds.hpp"
#include "tests/property/array_agreement.hpp"
#include "tests/property/seeds.hpp"

namespace rhopsi::property {
namespace {

using kokkos::HostArray;

HostArray to_host(const oracle::Array& array) {
  const reference::Array given = to_reference(array);
  HostArray host{given.element, given.shape, {}};
  std::visit(
      [&](const auto& elements) {
        host.bytes.resize(elements.size() * sizeof elements[0]);
        if (!elements.empty()) {
          std::memcpy(host.bytes.data(), elements.data(), host.bytes.size());
        }
      },
      *given.elements);
  return host;
}

template <class T>
std::vector<T> elements_of(const HostArray& host) {
  std::vector<T> elements(host.bytes.size() / sizeof(T));
  if (!elements.empty()) std::memcpy(elements.data(), host.bytes.data(), host.bytes.size());
  return elements;
}

oracle::Array from_host(const HostArray& host) {
  switch (host.element) {
    case onf::Scalar::boolean:
      return from_reference(reference::make_array(host.shape, elements_of<std::uint8_t>(host)));
    case onf::Scalar::int64:
      return from_reference(reference::make_array(host.shape, elements_of<std::int64_t>(host)));
    default:
      return from_reference(reference::make_array(host.shape, elements_of<double>(host)));
  }
}

struct Compiled {
  oracle::Case one;
  std::unique_ptr<moa::Plan> plan;
};

// The tree with the inputs of the case; nothing where it has no value.
std::optional<oracle::Case> as(oracle::Tree made, oracle::Case one) {
  try {
    one.value = oracle::evaluate(made, one.inputs);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  one.tree = std::move(made);
  return one;
}

// Two or three folds of an array of several axes along the same one of them, as one element;
// nothing where they have no value.
std::optional<oracle::Case> folds_beside_each_other(oracle::Case one) {
  if (one.value.rank() < 2 || one.value.rank() > 4) return std::nullopt;
  static const std::vector<std::string> folds = {"sum", "maximum", "product", "minimum"};
  static const std::vector<std::string> operations = {"_+_", "_-_", "_*_", "min"};
  const std::size_t number = one.number;
  const oracle::Tree axis = oracle::literal(static_cast<std::int64_t>(number) % one.value.rank());
  const auto fold = [&](std::size_t which, const oracle::Tree& tree) {
    return oracle::call(folds[which % folds.size()], {tree, axis});
  };
  const auto both = [&](std::size_t which, oracle::Tree left, oracle::Tree right) {
    return oracle::call(operations[which % operations.size()], {std::move(left), std::move(right)});
  };
  const oracle::Tree square = both(2, one.tree, one.tree);
  oracle::Tree made = both(number / 2, fold(number, one.tree), fold(number / 3, square));
  if (number % 3 == 0) made = both(number / 5, std::move(made), fold(number + 2, one.tree));
  return as(std::move(made), std::move(one));
}

// All pairs of a fold of such an array and of another one, each of which is the same for many
// elements.
std::optional<oracle::Case> pairs_of_folds(oracle::Case one) {
  if (one.value.rank() < 2 || one.value.rank() > 3) return std::nullopt;
  static const std::vector<std::string> folds = {"sum", "maximum", "product", "minimum"};
  const std::size_t number = one.number;
  const oracle::Tree axis = oracle::literal(static_cast<std::int64_t>(number) % one.value.rank());
  const oracle::Tree first = oracle::call(folds[number % folds.size()], {one.tree, axis});
  const oracle::Tree second = oracle::call(folds[number / 2 % folds.size()], {one.tree, axis});
  oracle::Tree made = oracle::call("outer_mul", {first, second});
  return as(std::move(made), std::move(one));
}

// Of each row of a matrix that is given, the least of what it makes with the rows of such an array.
std::optional<oracle::Case> products_of_rows(oracle::Case one) {
  const auto given =
      std::ranges::find_if(one.inputs, [](const auto& input) { return input.second.rank() == 2; });
  if (given == one.inputs.end() || one.value.rank() != 2) return std::nullopt;
  const auto fold = [](const char* which, oracle::Tree tree, std::int64_t axis) {
    return oracle::call(which, {std::move(tree), oracle::literal(axis)});
  };
  oracle::Tree made = oracle::call("outer_mul", {oracle::input(given->first), one.tree});
  made = fold("minimum", fold("sum", fold("maximum", std::move(made), 3), 1), 1);
  return as(std::move(made), std::move(one));
}

enum class Which : std::uint8_t { any, folds_beside_each_other, pairs_of_folds, products_of_rows };

std::optional<oracle::Case> folds_of(Which which, oracle::Case one) {
  switch (which) {
    case Which::pairs_of_folds:
      return pairs_of_folds(std::move(one));
    case Which::products_of_rows:
      return products_of_rows(std::move(one));
    default:
      return folds_beside_each_other(std::move(one));
  }
}

// Every third one is compiled for all lengths, and of every fourth one all subterms are stored that
// can be; of those that are made of folds, each one is, and none. What has no normal
// form is left out.
std::vector<Compiled> expressions(ArrayEvaluators& evaluators, Seeds numbers, Which which) {
  std::vector<Compiled> found;
  oracle::Suite suite(4);
  while (found.size() < numbers.end) {
    Compiled next{suite.next(), nullptr};
    bool symbolic = next.one.number % 3 == 0;
    moa::Limits limits = next.one.number % 4 == 0 ? storing_everything() : moa::Limits();
    if (which != Which::any) {
      auto folds = folds_of(which, std::move(next.one));
      if (!folds) continue;
      next.one = std::move(*folds);
      symbolic = true;
      limits = {};
      limits.trials = 0;
    }
    auto plan = evaluators.plan(next.one.tree, next.one.inputs, symbolic, limits);
    if (!plan) continue;
    for (moa::Stage& stage : plan->stages) {
      for (moa::Assumption& assumption : stage.form.assumptions) assumption.location = {};
    }
    next.plan = std::make_unique<moa::Plan>(std::move(*plan));
    found.push_back(std::move(next));
  }
  found.erase(found.begin(), found.begin() + numbers.begin);
  return found;
}

void compare(Seeds numbers, const std::function<void(onf::Module&)>& prepare,
             Which which = Which::any, std::vector<std::string> flags = {}) {
  ArrayEvaluators evaluators;
  const std::vector<Compiled> all = expressions(evaluators, numbers, which);
  std::vector<kokkos::Case> cases;
  std::size_t stored = 0;
  for (const Compiled& each : all) {
    stored += each.plan->stages.size() - 1;
    kokkos::Case made{each.plan.get(), {}};
    for (const auto& [name, array] : each.one.inputs) made.leaves.push_back(to_host(array));
    cases.push_back(std::move(made));
  }
  kokkos::BatchOptions options;
  options.build.cache = RHOPSI_TEST_CACHE;
  options.build.flags = std::move(flags);
  options.prepare = prepare;
  const auto batch = kokkos::run_batch(cases, options);
  ASSERT_TRUE(batch) << batch.error().message << "\n" << batch.error().note;
  if (which == Which::any) {
    EXPECT_GT(stored, all.size() / 10);
  }
  std::cout << batch->functions << " functions with " << stored << " stored subterms, built in "
            << batch->build_seconds << " s, run in " << batch->run_seconds << " s\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const kokkos::CaseResult& result = batch->results[i];
    const oracle::Case& one = all[i].one;
    const bool right = result.array && agrees(one.tree, one.value, from_host(*result.array));
    EXPECT_TRUE(right) << to_string(one) << "expected " << to_string(one.value) << "\nKokkos gives "
                       << (result.array ? to_string(from_host(*result.array))
                                        : result.code + ": " + result.message)
                       << "\n"
                       << moa::to_string(*all[i].plan);
  }
}

TEST(CompiledArrayExpressions, AgreeWithTheOracle) { compare(seeds(40, 70), {}); }

// Every fold that can be is computed in a tile or in blocks; most sides are smaller than that. Of
// tiles some are small ones, and others have panels.
TEST(CompiledArrayExpressions, InTilesAgreeWithTheOracle) {
  std::size_t tiles = 0, regrouped = 0;
  const auto tile = [&](onf::Module& module) {
    for (const schedule::Tiled& one : tile_folds(module, schedule::standard_machine())) {
      tiles += one.taken ? 1 : 0;
      regrouped += one.regrouped ? 1 : 0;
    }
  };
  const Seeds numbers = seeds(30, 50);
  compare(numbers, tile, Which::any, {"-DRHOPSI_SMALL_TILES=256"});
  std::cout << tiles << " tiles, " << regrouped << " regrouped\n";
  EXPECT_GT(tiles, numbers.size() / 4);
  EXPECT_GT(regrouped, numbers.size() / 4);
}

// Each of them by a nest of its own.
TEST(CompiledArrayExpressions, FoldsBesideEachOtherAgreeWithTheOracle) {
  std::size_t separate = 0, tiles = 0;
  const auto prepare = [&](onf::Module& module) {
    for (const schedule::Tiled& one : tile_folds(module, schedule::standard_machine())) {
      separate += one.site.ends_with("_1") && one.taken ? 1 : 0;
      tiles += one.taken ? 1 : 0;
    }
  };
  const Seeds numbers = seeds(25, 55);
  compare(numbers, prepare, Which::folds_beside_each_other);
  std::cout << separate << " with folds beside each other, " << tiles << " tiles\n";
  EXPECT_GT(separate, numbers.size() / 5);
}

// What elements have in common by a nest of its own, and by tiles there.
TEST(CompiledArrayExpressions, HoistedFoldsAgreeWithTheOracle) {
  std::size_t hoisted = 0;
  const auto prepare = [&](onf::Module& module) {
    for (const schedule::Step& one : schedule::hoist(module)) hoisted += one.holds ? 1 : 0;
    tile_folds(module, schedule::standard_machine());
  };
  const Seeds numbers = seeds(15, 30);
  compare(numbers, prepare, Which::pairs_of_folds);
  std::cout << hoisted << " hoisted\n";
  EXPECT_GT(hoisted, numbers.size() / 5);
}

// However few they are: the number of lanes that are laid out anew is all that there are.
void lay_all_out(onf::Module& module) {
  for (onf::Function& function : module.functions) {
    for (onf::Statement& statement : function.body) {
      auto* let = std::get_if<onf::Let>(&statement.form);
      if (let == nullptr ||
          !function.variables[onf::number(let->variable)].name.ends_with("_across"))
        continue;
      const onf::Expr all = let->value->operands.front();
      let->value = all;
    }
  }
}

// What is read across rows by copies, and short rows by columns.
TEST(CompiledArrayExpressions, LaidOutFoldsAgreeWithTheOracle) {
  const schedule::Recipe layout{"layout", {{schedule::StepKind::layout}}, {}};
  std::size_t laid_out = 0, blocks = 0;
  const auto prepare = [&](onf::Module& module) {
    for (const schedule::Step& one : schedule::lay_out(module, layout)) laid_out += one.holds;
    lay_all_out(module);
    tile_folds(module, schedule::standard_machine());
    for (const onf::Function& function : module.functions) {
      for (const onf::Block& block : function.blocks) blocks += block.in_blocks > 0;
    }
  };
  const Seeds numbers = seeds(20, 45);
  compare(numbers, prepare, Which::products_of_rows);
  std::cout << laid_out << " laid out, " << blocks << " in blocks\n";
  EXPECT_GT(laid_out, numbers.size() / 16);
  EXPECT_GT(blocks, 0u);
}

}  // namespace
}  // namespace rhopsi::property
