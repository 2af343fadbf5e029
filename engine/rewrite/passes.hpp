// Magnolia's passes over one term.
#pragma once

#include <cstdint>

#include "engine/rewrite/firing.hpp"

namespace rhopsi::rewrite {

// The passes of `rewrite target with rules passes` (rewriter.hpp), on the term at the end of a
// path.
class Passes {
 public:
  static constexpr std::uint32_t none = Candidates::none;

  // Both must outlive this.
  Passes(const Context& context, Firing& firing, Record& record);

  // The first rule before number `best` that changes something regardless of the place, or `best`.
  std::uint32_t find_plain(term::TermId root, std::uint32_t best);
  // The same for rules that the place must allow. What is refused is noted in the firing.
  std::uint32_t find_contextual(term::TermId root, Path& path, std::uint32_t best);

  // Replaces all outermost redexes of the rule, until a bound is reached. Iterative.
  term::TermId apply(std::uint32_t rule, term::TermId root, Path& path);
  // The way from the root of the last `apply` to the place below which all its changes lie.
  const term::Position& way_to_changes() const { return way_; }

 private:
  term::Store& store_;
  Firing& firing_;
  Record& record_;
  term::Position way_;
};

// `term` with these children; the same handle where they are its own.
term::TermId with_children(term::Store& store, term::TermId term,
                           std::span<const term::TermId> children);

}  // namespace rhopsi::rewrite
