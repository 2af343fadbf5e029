// Nests whose elements are folds, as tiles (form.hpp) take them: which may be tiled, and what of an
// element's terms is the same for all lanes or for all rows of a tile.
#pragma once

#include <string>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// One fold of an element: `variable` is the fold of `element` over index = 0 .. count - 1.
struct TileFold {
  VariableId index{};
  VariableId variable{};
  ScalarFunction function{};
  Expr count;    // of the nest's indices and those of the folds around
  Expr element;  // of these and its own; but for the innermost also of the next fold's variable
  bool goes_on = false;  // the fold around it and this one are axes of one fold
};

// An element that is one fold, or folds within each other, one of each depth: expressions of
// indices alone, since what was named on the way is written out.
struct TileForm {
  std::vector<TileFold> folds;  // from the outermost on, never empty
  Expr element;                 // of the nest's indices and the outermost fold's variable
  // Of a fold outside of nests: what its innermost element is computed from, in this order, each of
  // the indices and of those before it.
  struct Name {
    VariableId variable{};
    Expr value;
  };
  std::vector<Name> names = {};
};

// Nothing where an element is something else: several folds beside each other, a check or a branch
// around statements, calls, truth values, or more than a few hundred operations. `why` then says
// what it is, as a sentence. Linear.
std::optional<TileForm> tile_form(const Function& function, const Nest& nest,
                                  std::string* why = nullptr);

// The same of a fold outside of nests, which may also be one of truth values. `element` is its
// value. What its innermost fold names keeps its name, so that no term is too long for it.
std::optional<TileForm> fold_form(const Function& function, const Fold& fold,
                                  std::string* why = nullptr);

bool depends_on(const Expr& e, VariableId variable);

// Has it quotients, roots, or the functions beyond? What is named before a fold has none, since the
// fold would compute it in each step.
bool is_costly(const Expr& e);

// Drops names that nothing of the innermost element is computed from. Quadratic in their number.
void drop_unused_names(TileForm& form);

// Is e one greater where `variable` is, as its sum with what does not depend on it?
bool counts_with(const Expr& e, VariableId variable);

// Is e where `variable` is one greater the neighbour of e along the last axis? Of a load.
bool is_next_to(const Expr& load, VariableId variable);

// Parts of the innermost term that read arrays, or have functions such as exp, and depend on the
// row and not on the lane, and the other way round: the largest ones, none twice, none within a
// branch, since what is read there depends on the condition.
struct TileOperands {
  std::vector<Expr> rows;
  std::vector<Expr> lanes;
};
TileOperands operands_of(const TileForm& form, VariableId row, VariableId lane);

// Is the fold at that place of the form, with all that is within it, the same whatever the row is?
bool is_of_all_rows(const TileForm& form, std::size_t place, VariableId row);

// e with variables in the place of these parts of it.
Expr with_operands(const Expr& e, const std::vector<Expr>& parts,
                   const std::vector<VariableId>& variables);

// The axis along which each fold is that of the element before, or behind, and one step more.
struct RunningFolds {
  std::size_t axis = 0;
  bool backwards = false;  // of the element behind
  Expr steps;              // of the first element that is gone through; below 1: it has none
};
// Of an element that is one fold, over as many indices as the index of that axis and a number that
// is the same for all elements, or as that number less the index; nothing else of the fold depends
// on the index. Nothing where there is none. Linear.
std::optional<RunningFolds> running_folds(const Nest& nest, const TileForm& form);

// What is wrong with the nest's tile, as the rest of a sentence; empty where nothing is.
std::string wrong_with_tile(const Function& function, const Nest& nest);

}  // namespace rhopsi::onf
