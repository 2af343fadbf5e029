// What a theory says of each operation, sorted by what it is good for.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/onf/primitive.hpp"
#include "engine/term/rule.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::reference {

// One equation of an operation. Where several have conditions, the first that holds counts.
struct Clause {
  std::vector<term::SymbolId> parameters;  // as the equation names them, in order
  std::optional<term::SymbolId> index;     // of an element
  term::TermId value{};
  std::optional<term::TermId> condition;
  term::LocationId location{};
};

struct Operation {
  const term::Callable* callable = nullptr;
  std::vector<Clause> shapes;     // shape(op(x, y)) == value
  std::vector<Clause> elements;   // psi(index, op(x, y)) == value
  std::vector<Clause> equations;  // op(x, y) == value, or a body

  bool tabulated() const { return !shapes.empty() && !elements.empty(); }
};

class Axioms {
 public:
  // Bodies alone. Throws nothing. The arguments must outlive this.
  Axioms(const term::Store& store, const term::Theory& theory, const onf::PrimitiveTable& table);

  // The theory's axioms too; what cannot be used as a definition is left out. Throws nothing.
  void read_rules(term::Store& store);

  const term::Store& store() const { return store_; }

  // Null for what the theory does not declare.
  const Operation* find(term::SymbolId symbol) const;
  // Is it an external of a user's own?
  bool foreign(const term::Callable& callable) const {
    return callable.external && !table_.closed(callable.external->block->backend);
  }
  // What an operation of the backend is; null for any other.
  const onf::Primitive* primitive(term::SymbolId symbol) const;
  // What the theory calls the shape of an array, and an element of it.
  const std::string& shape_name() const { return shape_name_; }
  const std::string& element_name() const { return element_name_; }
  // Throws Failure for a sort without values.
  const onf::Representation& representation(term::SortId sort);

 private:
  void read(const term::Rule& rule);
  std::optional<std::vector<term::SymbolId>> distinct_variables(term::TermId call) const;

  const term::Store& store_;
  const term::Theory& theory_;
  const onf::PrimitiveTable& table_;
  std::unordered_map<term::SymbolId, Operation> operations_;
  std::unordered_map<term::SymbolId, onf::Primitive> primitives_;
  std::unordered_map<term::SortId, onf::Representation> representations_;
  std::string shape_name_;
  std::string element_name_;
};

}  // namespace rhopsi::reference
