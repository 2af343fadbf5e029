// The array of one normal form, within a function that may make several. Internal to this folder.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
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
  // One piece: its nest without an element, and what is computed before all nests.
  struct Part {
    Graph graph;
    onf::Nest nest;
    std::vector<std::pair<ExprId, onf::Expr>> known = {};  // where the nest has elements
  };

  std::vector<ExprId> roots() const;
  void describe(const std::string& name);
  Part part(std::size_t number);
  std::set<ExprId> positive(const moa::Piece& piece, const std::vector<onf::Interval>& box) const;
  void compute_before(const moa::Piece& piece, const std::map<moa::VariableId, onf::Range>& ranges,
                      Part& part);
  std::optional<onf::Expr> has_elements(const std::vector<onf::Interval>& box);
  void nest(const moa::Piece& piece, Part part);

  const moa::NormalForm& form_;
  Computation& computation_;
  onf::Function& function_;
  onf::Statements& body_;
  IndexNames& names_;
  Graph outside_;  // what is computed outside of the nests
  onf::ViewId made_{};
};

}  // namespace rhopsi::lower
