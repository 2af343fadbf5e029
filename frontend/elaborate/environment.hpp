// The variables in scope at one point of a body, and which of them have a value.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/term/store.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::elaborate {

// Why a variable may not be changed, if it may not.
enum class Fixed { no, parameter, constant, index };

struct Local {
  std::string name;
  term::SymbolId symbol{};
  Fixed fixed = Fixed::no;
  bool broken = false;          // its sort is unknown after an error
  std::size_t value_depth = 0;  // number of value blocks around its declaration
  syntax::Span span;            // no file for parameters
  // Of a variable that is declared without a type: the sorts that its value can have.
  std::vector<term::SortId> sorts = {};
};

class Environment {
 public:
  // The variable of that name, or null. Names never shadow: there is at most one.
  const Local* find(std::string_view name) const;
  const Local* find(term::SymbolId variable) const;
  // The name must be free. `assigned` is false for `var x: T;` and out parameters.
  void declare(Local local, bool assigned);

  // Scopes: what is declared after open() is gone after close().
  void open();
  void close();
  // A value block's scope; variables from outside may not be changed in it.
  void open_value();
  void close_value();
  std::size_t value_depth() const { return value_depth_; }

  // Symbols that may not have a value yet, on some path that leads here.
  using Unassigned = std::set<term::SymbolId>;
  bool assigned(term::SymbolId variable) const { return !unassigned_.contains(variable); }
  void assign(term::SymbolId variable) { unassigned_.erase(variable); }
  const Unassigned& unassigned() const { return unassigned_; }
  void set_unassigned(Unassigned unassigned) { unassigned_ = std::move(unassigned); }
  // Two paths meet: assigned is what both assign.
  void join(const Unassigned& other) { unassigned_.insert(other.begin(), other.end()); }

  std::vector<std::string> names() const;

 private:
  std::unordered_map<std::string, std::size_t> by_name_;
  std::vector<Local> locals_;
  std::vector<std::size_t> marks_;
  std::size_t value_depth_ = 0;
  Unassigned unassigned_;
};

}  // namespace rhopsi::elaborate
