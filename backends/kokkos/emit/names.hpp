// The program's names as C++ names: legible, legal, and never two the same.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::kokkos {

// One name as an identifier: operators by word (`_+_` => binary_add), a leading digit behind
// an `n`, other characters by their code point (u3b1). What C++ keeps for itself has a trailing
// `_`, and so has what looks like a macro: capitals, digits and underscores, two or more.
std::string identifier(const std::string& name);
// Of several words, with `_` between them.
std::string joined_identifier(const std::vector<std::string>& words);
// A name with a word behind it, as u_at; of one that ends in `_` too there is one between, since
// C++ keeps names with two for itself.
std::string extended(const std::string& name, const std::string& word);
// The same as `identifier` for what is named in C++ that is not emitted, and for programs, whose
// names are those of files: what only looks like a macro is left as it is.
std::string foreign_identifier(const std::string& name);

// Makes names distinct by a number.
class NameTable {
 public:
  void reserve(const std::string& name) { taken_.insert(name); }
  // Of what is emitted whatever a program calls its own: it hides a member of that name.
  void hide(const std::string& name) {
    reserve(name);
    hidden_.insert(name);
  }
  bool hides(const std::string& name) const { return hidden_.contains(name); }
  std::string unique(const std::string& wanted);
  bool contains(const std::string& name) const { return taken_.contains(name); }

 private:
  std::set<std::string> taken_, hidden_;
};

// The names of a module's struct.
struct Names {
  std::string program;
  std::vector<std::string> functions;   // by FunctionId
  std::vector<std::string> parameters;  // by ParameterId
  std::vector<std::string> types;       // of Module::types
  NameTable members;
  bool device = false;  // is it emitted for kernels that run apart from the host?
};

// Overloads keep one name where C++ tells them apart; where it cannot (by the result, or by
// sorts that are the same C++ type) the sorts are appended: one_Offset.
Names names_of(const onf::Module& module);

std::string cpp_type(onf::Scalar scalar);
// Scalars, indices and the user's types.
std::string cpp_type(const Names& names, const onf::Module& module,
                     const onf::Representation& type);

}  // namespace rhopsi::kokkos
