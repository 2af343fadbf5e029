// Which blocks of a module may be one, through names, calls and results. Internal to this folder.
#pragma once

#include <vector>

#include "engine/onf/pads.hpp"

namespace rhopsi::onf {

class PadFlow {
 public:
  // Of all functions that run on the host; what kernels call sees the arrays of who calls it.
  explicit PadFlow(const Module& module);

  // The class of a block: blocks of one class may be one.
  std::size_t class_of(FunctionId function, BlockId block) const;
  std::size_t class_of(FunctionId function, ViewId view) const;
  std::size_t classes() const { return parent_.size(); }

  // The pads of `part` go into those of `whole`, so it has at least as wide ones.
  struct Inclusion {
    std::size_t whole, part;
    term::LocationId location;
  };
  std::vector<Inclusion> inclusions() const;

  // A class that has to keep the pads of the module.
  struct Kept {
    std::size_t of;
    PadReason::Why why;
    term::LocationId location;
  };
  std::vector<Kept> kept() const;

 private:
  using Node = std::size_t;
  Node node(FunctionId function, ViewId view) const;
  Node find(Node node) const;
  void join(Node a, Node b);
  void meet(ViewId view, FunctionId other_function, ViewId other);
  void keep(ViewId view, PadReason::Why why, term::LocationId location);
  void arguments(const Expr& call);
  void host(const Expr& e);
  void result_of(const Expr& call, Node into);
  void statements(const Statements& body);
  template <class Form>
  void visit(const Form& form);

  const Module& module_;
  const Function* function_ = nullptr;
  FunctionId id_{};
  term::LocationId location_{};
  std::vector<Node> first_;   // by function: of its blocks, and then of its result
  std::vector<Node> parent_;  // towards the node that stands for the class, which is the least
  std::vector<Inclusion> inclusions_;  // of nodes
  std::vector<Kept> kept_;             // of nodes
};

}  // namespace rhopsi::onf
