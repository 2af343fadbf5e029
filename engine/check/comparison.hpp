// Terms held against each other, with and without a substitution.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/check/certificate.hpp"

namespace rhopsi::check {

using Values = std::unordered_map<SymbolId, TermId>;

// Terms of which equal ones are one, whatever their places: those of a certificate as they are,
// and those that are made on the way.
class Terms {
 public:
  // All terms that `store` has, which are different.
  explicit Terms(term::Store& store);

  term::Store& store() { return store_; }
  const term::Store& store() const { return store_; }

  TermId make(SymbolId symbol, std::span<const TermId> children = {},
              std::span<const SymbolId> bound = {});
  TermId make(SymbolId symbol, std::initializer_list<TermId> children) {
    return make(symbol, std::span<const TermId>(children.begin(), children.size()));
  }
  // The term with variables replaced, its binders with variables of their own. Linear in the
  // different subterms; nothing where more than a million are made, or where a variable is bound
  // in one part of the term and free in another.
  std::optional<TermId> substitute(TermId term, const Values& values);

 private:
  using Key = std::vector<std::uint32_t>;
  static Key key(SymbolId symbol, std::span<const TermId> children,
                 std::span<const SymbolId> bound);

  bool binds_what_is_free(TermId root) const;

  term::Store& store_;
  std::map<Key, TermId> known_;
};

// Comparisons stop, and find a difference, after this many nodes: parts that are shared may make
// a term far larger than its text.
inline constexpr std::size_t most_compared = 20'000'000;

// Equal but for the names of bound variables?
bool same(const term::Store& store, TermId left, TermId right);

// Is `subject` the pattern with the values put in? Bound variables may have other names. False
// where a value would be caught by a binder of the pattern.
bool is_instance(const term::Store& store, TermId pattern, const Values& values, TermId subject);

// The same for the statements of a block and those in a row in another block, from number `first`
// on: what they declare there they declare here.
bool is_instance_within(const term::Store& store, TermId pattern, const Values& values,
                        TermId block, std::size_t first);

// The term and what stands below it, each once.
std::vector<TermId> parts_of(const term::Store& store, TermId term);

// Does one of the variables stand anywhere in the term?
bool mentions(const term::Store& store, TermId term, const std::set<SymbolId>& variables);

}  // namespace rhopsi::check
