// The array of one normal form, within a function that may make several. Internal to this folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/lower/computation.hpp"

namespace rhopsi::lower {

// Names of index variables, axis by axis: nests that follow each other use the same ones.
using IndexNames = std::vector<std::string>;

class FormNests {
 public:
  // `computation` is one of the form's Expressions, and its leaves' views are known to it. The
  // statements go to the end of `body`, which is a part of the function.
  FormNests(const moa::NormalForm& form, Computation& computation, onf::Function& function,
            onf::Statements& body, IndexNames& names);

  // Before any variable gets a name.
  static void reserve(const moa::NormalForm& form, Computation& computation, IndexNames& names);

  // The assumptions as checks, the shape, the allocation, and a nest per piece.
  onf::ViewId write(const std::string& name);

 private:
  std::vector<ExprId> roots() const;
  void describe(const std::string& name);
  void nest(std::size_t number);
  void compute_before(Graph& graph, ExprId element, const std::vector<onf::Interval>& box);
  std::optional<onf::Expr> has_elements(const std::vector<onf::Interval>& box);
  void element(Graph& graph, ExprId element, onf::Nest& made);

  const moa::NormalForm& form_;
  Computation& computation_;
  onf::Function& function_;
  onf::Statements& body_;
  IndexNames& names_;
  Graph outside_;  // what is computed outside of the nests
  onf::ViewId made_{};
};

}  // namespace rhopsi::lower
