// Guards that grow by what bodies presuppose.
#pragma once

#include <vector>

#include "engine/rewrite/rewriter.hpp"

namespace rhopsi::rewrite {

// Conjoins conditions to guards, and leaves out those that the guard implies: one of its
// conjuncts says so, the oracle proves it from them, or an unconditional equation of `rules`
// between predicates turns it into what is implied.
class GuardWriter {
 public:
  GuardWriter(const Context& context, const std::vector<term::Rule>& rules);

  // A condition that has statements, or mentions other variables than the parameters, is no
  // guard and is left out as well.
  void require(term::Callable& callable, term::TermId condition);

 private:
  bool about_parameters(const term::Callable& callable, term::TermId condition) const;
  bool implied(term::TermId condition, const std::vector<term::TermId>& known, int depth);
  bool follows_by_rules(term::TermId condition, const std::vector<term::TermId>& known, int depth);

  const Context& context_;
  term::Store& store_;
  std::vector<const term::Rule*> rules_;
};

}  // namespace rhopsi::rewrite
