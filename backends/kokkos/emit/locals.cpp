// What the variables and arrays of a function are called in C++.
#include <map>
#include <set>

#include "backends/kokkos/emit/writer.hpp"
#include "engine/onf/each_expression.hpp"

namespace rhopsi::kokkos {

using onf::Expr;

namespace {

// What a nest stores through is called NAME_at where it is, so nothing of the program is.
std::string local(const std::string& wanted) {
  const std::string made = identifier(wanted);
  return made.ends_with("_at") ? made + "_" : made;
}

}  // namespace

FunctionWriter::FunctionWriter(const term::Store& store, const onf::Module& module,
                               const Names& names, onf::FunctionId id, Text& out)
    : store_(store), module_(module), names_(names), id_(id), out_(&out), locals_(names.members) {
  // Parameters of what nests and pipelines emit.
  for (const char* name : {"fault", "faults", "Int", "row", "rows", "slab", "tile", "block"})
    locals_.hide(name);
  onf::each_in(
      function().body, [](const auto&) {},
      [&](const Expr& whole) {
        onf::each_part(whole, [&](const Expr& e) {
          if (e.kind == Expr::Kind::variable) read_.insert(e.variable);
        });
      });
  name_variables();
  name_arrays();
}

// Indices of different nests may have one name, but not that of an argument, which they would hide.
void FunctionWriter::name_variables() {
  std::set<onf::VariableId> given;
  for (const onf::Argument& argument : function().arguments) {
    if (!argument.view) given.insert(argument.variable);
  }
  std::map<std::string, std::string> known;
  for (std::size_t k = 0; k < function().variables.size(); ++k) {
    const std::string& wanted = function().variables[k].name;
    if (given.contains(static_cast<onf::VariableId>(k))) {
      variables_.push_back(locals_.unique(local(wanted)));
      continue;
    }
    auto [place, fresh] = known.try_emplace(wanted);
    if (fresh) place->second = locals_.unique(local(wanted));
    variables_.push_back(place->second);
  }
}

// No two arrays differ by a last underscore alone: what is stored through would have one name.
void FunctionWriter::name_arrays() {
  std::set<std::string> stored_through;
  for (const onf::View& view : function().views) {
    std::string made = locals_.unique(local(view.name));
    while (!stored_through.insert(extended(made, "at")).second) made = locals_.unique(made);
    views_.push_back(made);
  }
}

}  // namespace rhopsi::kokkos
