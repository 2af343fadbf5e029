// What names mean while the bodies of one module are elaborated.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/term/theory.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::elaborate {

class Scope {
 public:
  // `theory` must outlive the scope and holds every type and callable that is
  // visible. Builtin predicates and `_=_` are visible without being declared.
  Scope(term::Store& store, const term::Theory& theory);

  term::Store& store() const { return store_; }
  const term::Theory& theory() const { return theory_; }

  // The type of that name; "Predicate" included.
  std::optional<term::SortId> sort(std::string_view name) const;
  // Declared overloads of that name (functions, predicates, procedures).
  const std::vector<term::SymbolId>& overloads(std::string_view name) const;
  // Those of them, in the same order, whose first parameter is of one of these sorts, which differ.
  // The time grows with their number, and not with that of all.
  std::vector<term::SymbolId> overloads(std::string_view name,
                                        const std::vector<term::SortId>& first) const;
  // Type names and callable names, for did-you-mean.
  std::vector<std::string> type_names() const;
  std::vector<std::string> callable_names() const;

  // Instances of variadic callables of that name for these argument sorts; set by
  // module elaboration, which also adds the instance to the module. May be empty.
  std::function<std::vector<term::SymbolId>(std::string_view name,
                                            const std::vector<term::SortId>& arguments)>
      instantiate_variadic;
  // True where a variadic callable of that name exists.
  std::function<bool(std::string_view name)> has_variadic;
  // True where a declaration of that name was refused: what calls it is not blamed.
  // May be empty.
  std::function<bool(std::string_view name)> is_refused;
  // Options::where_declared; may be empty.
  std::function<std::string(const std::string& name)> where_declared;

 private:
  term::Store& store_;
  const term::Theory& theory_;
  struct Overloads {
    std::vector<term::SymbolId> all;
    std::map<term::SortId, std::vector<std::size_t>> by_first;  // places in `all`
  };

  std::map<std::string, Overloads, std::less<>> overloads_;
  std::map<std::string, term::SortId, std::less<>> sorts_;
};

// How many letters are other ones, missing or too many; swapping two neighbours counts as one.
// Takes time that grows with the product of both lengths.
std::size_t edit_distance(std::string_view left, std::string_view right);

// The nearest of `candidates` by edit distance, if it is near enough to suggest; else one that
// begins or ends with the name, or with which the name begins or ends.
std::optional<std::string> nearest(std::string_view name,
                                   const std::vector<std::string>& candidates);

// A span as an engine location.
term::LocationId locate(term::Store& store, const syntax::Span& span);

}  // namespace rhopsi::elaborate
