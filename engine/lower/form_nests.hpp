// The statements that compute one normal form within a function: its assumptions tested, its
// shape, a fresh block, and one nest per piece.
#pragma once

#include <string>
#include <vector>

#include "engine/lower/computation.hpp"

namespace rhopsi::lower {

class FormNests {
 public:
  // `computation` writes to `body`, a statement list of `function`, whose views `form` reads.
  FormNests(const moa::NormalForm& form, onf::Function& function, Computation& computation,
            onf::Statements& body);

  // The array, in a view named after `name`. Its shape is computed by names `n0`, `n1`, ...
  onf::ViewId make(const std::string& name);

 private:
  void name_indices();
  std::vector<ExprId> roots() const;
  void assume(Graph& graph, const moa::Assumption& assumption);
  void allocate(Graph& graph, const std::string& name);
  void nest(Graph& outside, std::size_t number);
  void compute_before(Graph& graph, ExprId element, bool runs);
  void element(Graph& graph, ExprId element, onf::Nest& made);

  const moa::NormalForm& form_;
  onf::Function& function_;
  Computation& computation_;
  onf::Statements& body_;
  std::vector<std::string> names_;  // of the index variables
  onf::ViewId result_{};
};

}  // namespace rhopsi::lower
