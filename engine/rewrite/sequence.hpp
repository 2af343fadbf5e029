// Rules about statements that stand in a row within a block.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/rewrite/match.hpp"
#include "engine/term/rule.hpp"

namespace rhopsi::rewrite {

// Which of the rules about sequences may match in a block, by what their first statement is.
class SequenceIndex {
 public:
  // Rules are numbered as in the span; the store must outlive this.
  SequenceIndex(const term::Store& store, std::span<const term::Rule> rules);

  bool empty() const { return by_first_.empty(); }
  // Ascending. Valid until the next call. Linear in the block's statements and what is found.
  std::span<const std::uint32_t> candidates(term::TermId block);

 private:
  const term::Store& store_;
  std::unordered_map<term::SymbolId, std::vector<std::uint32_t>> by_first_;
  std::vector<std::uint32_t> found_;
};

// After `matcher` has matched the rule's left side in the block, from statement `first` on: do the
// variables that it changes stand for different variables, which nothing else that was bound
// mentions? And does the rest of the block do without what the statements declare?
bool fits_sequence(const term::Store& store, const Matcher& matcher, const term::Rule& rule,
                   std::span<const term::SymbolId> changed, term::TermId block, std::size_t first);

// The block with `length` statements, from number `first` on, replaced by those of the block
// `replacement`; what they declare is declared in it.
term::TermId with_sequence(term::Store& store, term::TermId block, std::size_t first,
                           std::size_t length, term::TermId replacement);

}  // namespace rhopsi::rewrite
