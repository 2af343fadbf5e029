// Blocks with a value. Those of declarations and assertions are nodes; what else stands in a
// program's block is left to its context.
#include <algorithm>

#include <fmt/format.h>

#include "backends/reference/typing.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::reference {

using term::Control;
using term::SymbolId;
using term::TermId;

NodeId Typing::block(TermId term, Scope& scope) {
  const bool plain = std::ranges::all_of(store_.children(term), [&](TermId statement) {
    const bool initialised =
        store_.is(statement, Control::declare) && store_.children(statement).size() > 1;
    return initialised || store_.is(statement, Control::assert_) ||
           store_.is(statement, Control::value);
  });
  return plain || context_ == nullptr ? sequence(term, scope) : statements(term, scope);
}

// A value block changes nothing but what it declares itself.
NodeId Typing::statements(TermId term, const Scope& scope) {
  Node block{.kind = Node::Kind::statements, .type = type_of_sort(store_.sort(term))};
  block.term = term;
  block.reads = term::free_variables(store_, term);
  for (SymbolId variable : block.reads) block.operands.push_back(read(variable, scope, term));
  return add(std::move(block));
}

NodeId Typing::sequence(TermId term, Scope& scope) {
  Node sequence{.kind = Node::Kind::sequence, .type = {}};
  sequence.term = term;
  for (TermId statement : store_.children(term)) {
    const auto parts = store_.children(statement);
    if (store_.is(statement, Control::value)) {
      sequence.operands.push_back(node(parts[0], scope));
      sequence.type = (*this)[sequence.operands.back()].type;
      return add(std::move(sequence));
    }
    Node step;
    step.term = statement;
    if (store_.is(statement, Control::declare) && parts.size() > 1) {
      step.kind = Node::Kind::set;
      step.operands = {node(parts[1], scope)};
      step.slot = scope.add(store_.symbol(parts[0]), (*this)[step.operands[0]].type);
    } else if (store_.is(statement, Control::assert_)) {
      step.kind = Node::Kind::assertion;
      step.operands = {truth(parts[0], scope)};
    } else {
      fail(codes::no_meaning, fmt::format("The statement `{}` has no meaning in an expression.",
                                          to_string(store_, statement)));
    }
    sequence.operands.push_back(add(std::move(step)));
  }
  fail(codes::internal, "A block without a value stands where a value is needed.");
}

}  // namespace rhopsi::reference
