// One expression on its way back to syntax, together with what overload resolution
// will say about it, so that casts go where they are needed and nowhere else.
// Internal to this folder.
#pragma once

#include <cstddef>
#include <vector>

#include "frontend/elaborate/raiser.hpp"
#include "frontend/elaborate/readings.hpp"

namespace rhopsi::elaborate {

class RaiseUnit {
 public:
  RaiseUnit(const Scope& scope, Raiser& raiser)
      : raiser_(raiser), store_(scope.store()), readings_(scope) {}

  // Enters a term; its syntax has no casts yet. Iterative over the depth of the term.
  std::size_t enter(term::TermId root);
  const syntax::ExprPtr& expr(std::size_t item) const { return items_[item].expr; }
  NodeId node(std::size_t item) const { return items_[item].node; }
  const Readings& readings() const { return readings_; }

  // Adds casts until the item can only be read as its term's sort.
  void pin(std::size_t item);
  // Adds casts until the item, whose sort its place asks for, is read as its term.
  void settle(std::size_t item);
  // As settle, where nothing says which sort is asked for.
  void settle_alone(std::size_t item);

 private:
  struct Item {
    term::TermId term;
    NodeId node;
    syntax::ExprPtr expr;
    std::vector<std::size_t> children;
    bool pinned = false;
  };
  struct Frame {
    term::TermId term;
    std::vector<term::TermId> parts;
    std::vector<std::size_t> done;
    std::vector<syntax::ExprPtr> around;  // a block's statements; a binder's count
    std::string index;
  };

  std::size_t add(term::TermId term, NodeId node, syntax::ExprPtr expr,
                  std::vector<std::size_t> children);
  bool is_leaf(term::TermId term) const;
  std::size_t leaf(term::TermId term);
  std::size_t literal(term::TermId term);
  Frame open(term::TermId term);
  std::size_t close(Frame frame);
  std::size_t close_construct(Frame& frame, std::vector<NodeId> nodes);
  term::SortId sort(std::size_t item) const { return store_.sort(items_[item].term); }
  bool is_decided(std::size_t item) const;
  bool only_reading(std::size_t item) const;
  void pin_operator(std::size_t item, std::size_t depth);
  void pin(std::size_t item, std::size_t depth);
  void settle_call(std::size_t item);
  void settle_element(std::size_t item);

  Raiser& raiser_;
  term::Store& store_;
  Readings readings_;
  std::vector<Item> items_;
};

}  // namespace rhopsi::elaborate
