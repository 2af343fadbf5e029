// The statements of nests that compute one number for each element: folds and constant names.
// Internal to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/onf/each_expression.hpp"
#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

// An element of an array that is stored and read costs what a few steps of a fold do.
inline constexpr std::int64_t fewest_steps = 8;

bool is_fold(const onf::Statement& statement);

// Of a Let or a Fold: the name that it declares.
onf::VariableId name_of(const onf::Statement& statement);

// Adds the variables that are named; of a Let or a Fold, whose own ones are among them. Linear but
// for the set.
void note_names(const onf::Expr& e, std::set<onf::VariableId>& names);
void note_names(const onf::Statement& statement, std::set<onf::VariableId>& names);

// How many steps the fold takes at least, with those of the folds in it, no more than fewest_steps
// of each being counted; nothing where that depends on lengths. Linear.
std::optional<std::int64_t> known_steps(const onf::Fold& fold);

// A loop around what is computed: an axis of a nest, or the steps of a fold.
struct Loop {
  onf::VariableId index;
  std::optional<onf::Expr> length;  // of an array over it; nothing: it does not begin at 0
};
using Loops = std::vector<Loop>;

// A literal of the type of the expression, and at its place.
onf::Expr number_like(const onf::Expr& e, std::int64_t value);

// How many steps there are up to the end: none where that is below 0.
onf::Expr length_of(const onf::Expr& end);

// Those of the axes of a nest over a box, in their order. Whole axes of its target are as long as
// that is.
Loops loops_of(const onf::Function& function, const onf::Nest& nest);

// That of an array over these loops, each of which has a length.
std::vector<onf::Interval> box_over(const Loops& loops);

// Calls `visit` with every place of the statements and the element that reads the variable. Linear.
template <class Visit>
void each_read_of(onf::VariableId variable, onf::Statements& body, onf::Expr& element,
                  const Visit& visit) {
  const auto whole = [&](onf::Expr& e) {
    onf::each_part(e, [&](onf::Expr& part) {
      if (part.kind == onf::Expr::Kind::variable && part.variable == variable) visit(part);
    });
  };
  onf::each_in(
      body, [](auto&) {}, whole);
  whole(element);
}

// Drops statements that are the same as earlier ones, whose names are read instead; were folds
// among them? Quadratic.
bool share_same(const onf::Function& function, onf::Statements& body, onf::Expr& element);

// A new array of these lengths that the function makes: its name is another one than those of all
// other arrays.
onf::ViewId fresh_array(onf::Function& function, const std::string& name, onf::Scalar element,
                        std::vector<onf::Expr> extents, term::LocationId location);
// Takes back the last one.
void forget_array(onf::Function& function);

// The element of the array at these indices, one of each axis.
onf::Expr element_of(const onf::Function& function, onf::ViewId array,
                     const std::vector<onf::VariableId>& indices, const onf::Representation& type);

// Does the nest read an array that lies where the target does? Linear.
bool reads_block_of(const onf::Function& function, const onf::Nest& nest, onf::ViewId target);

}  // namespace rhopsi::schedule
