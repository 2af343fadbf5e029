// Sorts, symbols and terms.
//
// A Store owns all three; everything else holds 32-bit handles into it. Terms are
// immutable and are never freed before their store. A term is a symbol with
// children; a binder is a symbol that also carries bound variables, whose scope is
// all of its children. Statements are terms of sort Stmt. There is no other form.
//
// A variable is a symbol of its own (not interned): bound variables therefore have
// unique identities, and two variables of the same spelling are never confused.
// A block binds every variable that a `var` directly inside it declares.
//
// A Store is not safe for concurrent changes.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rhopsi::term {

enum class SortId : std::uint32_t {};
enum class SymbolId : std::uint32_t {};
enum class TermId : std::uint32_t {};
enum class LocationId : std::uint32_t {};  // 0: unknown place

enum class Mode : std::uint8_t { obs, upd, out };

enum class SymbolKind : std::uint8_t {
  function,
  predicate,
  procedure,
  variable,
  integer_literal,  // `integer` holds the value
  real_literal,     // `name` holds the spelling, `real` the nearest double
  control,          // a construct of the language: `control` says which
};

// The constructs of the language. Children, and bound variables in angle brackets:
enum class Control : std::uint8_t {
  none,
  block,    // <declared variables> statements...; sort Stmt, or the value's sort
  declare,  // variable [, initial expression]; sort Stmt
  assign,   // variable, expression; sort Stmt
  value,    // expression; sort Stmt
  skip,     // ; sort Stmt
  assert_,  // predicate; sort Stmt
  if_,      // predicate, then, else; sort of the branches
  for_,     // <i> low, high, body; i = low .. high - 1
  iterate,  // count, procedure call
  while_,   // predicate, bound, body
  fold,     // <k> count, element; `operation` is the folded function
  forall,   // <i> shape, element
  vector_,  // components...; an index or shape vector
};

// A place in a source file, from 1; file is empty for generated terms.
struct Location {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct Symbol {
  SymbolKind kind;
  Control control = Control::none;
  std::string name;
  std::vector<SortId> parameters;
  std::vector<Mode> modes;  // one per parameter; all obs but for procedures
  SortId result;
  std::int64_t integer = 0;
  double real = 0;
  SymbolId operation{};    // fold only
  bool assignable = true;  // variables: false for `var obs`, parameters by obs, bound indices
};

class Store {
 public:
  Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store();

  // --- sorts, interned by name
  SortId sort(std::string_view name);
  const std::string& name(SortId sort) const;
  SortId statement_sort() const { return statement_; }  // no user can write its name
  SortId predicate_sort() const { return predicate_; }  // "Predicate"

  // --- symbols. Operations are interned by kind, name, parameters, modes, result.
  SymbolId operation(SymbolKind kind, std::string_view name, std::span<const SortId> parameters,
                     SortId result, std::span<const Mode> modes = {});
  SymbolId integer_literal(std::int64_t value, SortId sort);
  SymbolId real_literal(std::string_view spelling, SortId sort);
  SymbolId control(Control control, SortId result, SymbolId operation = SymbolId{});
  SymbolId fresh_variable(std::string_view name, SortId sort, bool assignable = true);
  const Symbol& operator[](SymbolId symbol) const;

  // --- terms
  TermId make(SymbolId symbol, std::span<const TermId> children = {},
              std::span<const SymbolId> bound = {}, LocationId location = {});
  TermId make(SymbolId symbol, std::initializer_list<TermId> children, LocationId location = {});
  SymbolId symbol(TermId term) const;
  SortId sort(TermId term) const;                       // the result sort of its symbol
  std::span<const TermId> children(TermId term) const;  // valid until the next make()
  std::span<const SymbolId> bound(TermId term) const;   // valid until the next make()
  // Does the term, or a term in it, bind variables? Constant time.
  bool has_binder(TermId term) const;
  LocationId location(TermId term) const;
  const Symbol& head(TermId term) const { return (*this)[symbol(term)]; }
  bool is(TermId term, Control control) const;
  bool is_variable(TermId term) const;

  // --- places
  LocationId location(const Location& location);
  const Location& operator[](LocationId location) const;

  std::size_t term_count() const;
  std::size_t symbol_count() const;  // their handles are the numbers below it
  std::size_t bytes() const;         // memory held by terms

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
  SortId statement_{};
  SortId predicate_{};
};

}  // namespace rhopsi::term
