// What a Library holds: the rules of a theory by the operation that they are about.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/moa/reduce.hpp"

namespace rhopsi::moa {

// A rule about `operation(parameters...)`.
struct Equation {
  std::string name;
  std::optional<term::SymbolId> index;  // element rules: the index
  std::vector<term::SymbolId> parameters;
  term::TermId right{};
  std::optional<term::TermId> condition;
  term::LocationId location{};
};

// What a rule with this left side is about, if it says what something means.
struct Subject {
  enum class Part : std::uint8_t { shape, element, meaning };
  Part part = Part::meaning;
  term::SymbolId operation{};
  std::optional<term::SymbolId> index;  // of an element
  std::vector<term::SymbolId> parameters;
};
std::optional<Subject> subject_of(const Library::Contents& contents, term::TermId left);

using Equations = std::unordered_map<term::SymbolId, std::vector<Equation>>;

struct Library::Contents {
  term::Store& store;
  const term::Theory& theory;
  Equations shapes;
  Equations elements;
  Equations meanings;  // of everything else
  std::unordered_map<term::SymbolId, const term::Callable*> callables;
  std::unordered_map<term::SymbolId, onf::Primitive> primitives;
  std::unordered_map<term::SortId, onf::Representation> representations;

  // What the theory calls indexing and the shape of an array.
  std::string element_name;
  std::string shape_name;

  // The kind of a symbol's primitive; nothing for what is not bound to one.
  const onf::Primitive* primitive(term::SymbolId symbol) const;
  bool is_array(term::SortId sort) const;
  bool is_vector(term::SortId sort) const;
  const onf::Representation* representation(term::SortId sort) const;
};

// Reads an element of what the operation makes one element of that argument at most, whichever of
// its axioms says what it is? False where they, or the body made of them, do not show it. Linear in
// these.
bool reads_once(const Library::Contents& contents, term::SymbolId operation, std::size_t argument);

}  // namespace rhopsi::moa
