// Theory and Program: what elaboration makes of modules, as plain data.
//
// A Theory is a signature with axioms; a Program is a theory whose callables have
// bodies or are bound to externals. Both are the same struct with a kind, because
// every module expression yields one and rewriting and implementing turn one into
// another.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/term/store.hpp"

namespace rhopsi::term {

enum class ModuleKind { signature, concept_, implementation, program };

// An `external BACKEND path { ... }` block. The block remembers every declaration
// under the name that it was written with, so that a backend can bind by path and by
// original name however the declarations are called after renaming.
struct ExternalBlock {
  std::string backend;     // "C++", "Kokkos", ...
  std::string attributes;  // CUDA's brackets
  std::string path;        // "lib.int_matrices"
  LocationId location{};
  // Original name -> what it is called now. Renaming a module renames these.
  struct Type {
    std::string original;
    SortId sort;
    bool required = false;  // `require type T;` inside the block
  };
  struct Operation {
    std::string original;
    SymbolId symbol;
    bool required = false;  // reaches the external as a functor
  };
  std::vector<Type> types;
  std::vector<Operation> operations;

  std::optional<SortId> type(std::string_view original) const;
  // The first operation of that original name with `required` as given.
  std::optional<SymbolId> operation(std::string_view original, bool required) const;
};

// How a declaration is bound to an external.
struct ExternalBinding {
  std::shared_ptr<const ExternalBlock> block;
  std::string original;  // the name inside the block
};

struct Type {
  SortId sort;
  bool required = false;
  bool integer_literals = false;
  bool real_literals = false;
  bool vector_literals = false;
  std::optional<ExternalBinding> external;
  LocationId location{};
};

// Why an array operation has no body: of its two axioms, the shape's and the element's, one is
// missing or holds only under a condition.
struct Gap {
  std::string message;
  LocationId location{};  // of the other axiom, or of the one with a condition
};

struct Callable {
  SymbolId symbol;
  std::vector<SymbolId> parameters;  // variables, in order
  std::optional<TermId> guard;       // predicate over the parameters
  // Functions and predicates: a term of the result sort. Procedures: a
  // statement (a block). Absent for what is only declared, and for externals.
  std::optional<TermId> body;
  std::optional<ExternalBinding> external;
  bool required = false;
  LocationId location{};
  std::string origin;  // the module that declared it, for messages
  // What `implement` found of an array operation: a body in its axioms, or what they lack for one.
  bool from_axioms = false;
  // The body is the right side of an axiom, of an array operation or of any other function.
  bool by_rule = false;
  std::optional<Gap> gap;

  bool concrete() const { return body.has_value() || external.has_value(); }
};

struct Axiom {
  std::string name;
  std::vector<SymbolId> parameters;
  std::optional<TermId> guard;
  TermId body;  // a block of declarations and assertions
  bool theorem = false;
  LocationId location{};
  std::string origin;
};

// How one rewrite or implement expression went, for traces and messages.
struct Derivation;  // engine/term/derivation.hpp
struct Renaming;    // engine/term/renaming.hpp

// A derivation that led to a theory, in the names of its own time.
struct Derived {
  std::shared_ptr<const Derivation> derivation;
  // What the module it belongs to was renamed by since, oldest first.
  std::vector<std::shared_ptr<const Renaming>> renamings;

  const Derivation* operator->() const { return derivation.get(); }
  const Derivation& operator*() const { return *derivation; }
  // The same derivation under the same new names.
  bool operator==(const Derived& other) const;
};

struct Theory {
  std::string name;
  ModuleKind kind = ModuleKind::signature;
  std::vector<Type> types;          // one per sort, in order of declaration
  std::vector<Callable> callables;  // one per symbol, in order of declaration
  std::vector<Axiom> axioms;        // in order of declaration
  // Every transformation that led here, oldest first; one that the theory has under several names
  // stands there once for each.
  std::vector<Derived> derivations;

  const Type* find_type(SortId sort) const;
  const Callable* find(SymbolId symbol) const;
  Callable* find(SymbolId symbol);
  // All callables of that name (overloads).
  std::vector<const Callable*> overloads(const Store& store, std::string_view name) const;
  // Those of them with a body: what modules define or, where they define none, what axioms do. A
  // program may give a procedure the name of an operation that it imports.
  std::vector<const Callable*> defined(const Store& store, std::string_view name) const;
};

using Program = Theory;

// The derivations of a theory, each once, under whatever names.
std::vector<std::shared_ptr<const Derivation>> derivations_of(const Theory& theory);

// Predicates and assignment that every theory has without declaring them:
// `_==_`, `_!=_` on each sort; `_&&_ _||_ !_ _=>_ _<=>_ _==_ _!=_ TRUE FALSE` on
// Predicate. Their symbols are ordinary interned predicates.
enum class Builtin { none, equal, not_equal, and_, or_, not_, implies, iff, true_, false_ };
Builtin builtin(const Store& store, SymbolId symbol);
SymbolId builtin_symbol(Store& store, Builtin builtin, SortId operand);

// What a predicate joins by `&&`, from left to right; the predicate itself if it joins nothing.
std::vector<TermId> conjuncts(const Store& store, TermId predicate);
// left && right, at the place of `left`.
TermId conjunction(Store& store, TermId left, TermId right);

}  // namespace rhopsi::term
