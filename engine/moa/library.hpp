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

}  // namespace rhopsi::moa
