// What a backend tells elaboration about the externals that it provides.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/term/oracle.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::term {

// A table of externals bound by path and by the name before renaming
// (language.md 2.7). Backends whose externals are a user's own files (C++ headers)
// accept every path.
class ExternalTable {
 public:
  virtual ~ExternalTable() = default;

  // Is this backend's table closed, so that unknown paths and names are errors?
  virtual bool closed(const std::string& backend) const = 0;
  virtual bool has_path(const std::string& backend, const std::string& path) const = 0;
  virtual std::vector<std::string> paths(const std::string& backend) const = 0;

  // Why `symbol` (a type: no parameters and `type` set) cannot be bound, or nothing.
  // Messages are complete sentences for a diagnostic.
  virtual std::optional<std::string> problem_with_type(const ExternalBlock& block,
                                                       const std::string& original) const = 0;
  virtual std::optional<std::string> problem_with_operation(const Store& store,
                                                            const ExternalBlock& block,
                                                            const std::string& original,
                                                            SymbolId symbol) const = 0;

  // The integer meaning of a bound operation, for deciders.
  virtual Arithmetic arithmetic(const Store& store, const ExternalBinding& binding,
                                SymbolId symbol) const = 0;

  // Is it the shape or the element of arrays that have shapes of their own?
  virtual ArrayFunction array_function(const Store& store, const ExternalBinding& binding,
                                       SymbolId symbol) const {
    (void)store, (void)binding, (void)symbol;
    return ArrayFunction::none;
  }

  // Is it a width of pads that the rules decide on?
  virtual bool is_found_width(const ExternalBinding& binding) const {
    (void)binding;
    return false;
  }

  // Does a program that has it let reals be computed in another order than the one written?
  virtual bool lets_reassociate(const ExternalBinding& binding) const {
    (void)binding;
    return false;
  }
};

}  // namespace rhopsi::term
