// A program's entries as functions that other code calls: on Kokkos::Views, as plain C, and from
// Python; with an example of each, and a page that says how.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/kokkos/build/file.hpp"
#include "backends/kokkos/emit/entries.hpp"

namespace rhopsi::kokkos {

// What callers give, or are given: a slot, or an array that comes in as several.
struct InterfaceArgument {
  std::string name;  // distinct, and legal
  EntrySlot slot;    // of such an array (EntrySlot::window): the array
  std::vector<std::size_t> slots;
};

// An entry under a name that is one in C, C++ and Python.
struct InterfaceEntry {
  EntryPoint point;
  std::string name;  // step, or f_Array_Array where `f` is overloaded
  std::vector<InterfaceArgument> arguments;
  std::vector<std::string> locals;  // by slot: what stands for it in the call of the struct
  std::vector<std::string> parts;   // by slot: the part of an array that it is, where it is one
};

struct Interface {
  const term::Store* store = nullptr;
  const onf::Module* module = nullptr;
  const Names* names = nullptr;
  std::vector<InterfaceEntry> entries;
  std::vector<std::string> made_from = {};  // lines for the folder's page

  const onf::Function& function(const InterfaceEntry& entry) const {
    return module->functions[onf::number(entry.point.id)];
  }
  bool has_parameters() const { return !module->parameters.empty(); }
  // <Program>_kernels, the name of the library and of its headers.
  std::string library() const { return names->program + "_kernels"; }
};

// The entries of the wanted names; without any, all that have arrays.
Interface interface_of(const term::Store& store, const onf::Module& module, const Names& names,
                       const std::vector<std::string>& wanted);

// Lines that say what a function does with its arguments, for comments of any language.
std::vector<std::string> documentation(const Interface& program, const InterfaceEntry& entry);

// The word, or with a `_` where Python has it for itself.
std::string python_word(const std::string& word);

// What Python imports: the program's name, unless it is one of Python's own.
std::string module_name(const Interface& program);

// The axes of the array of a slot, as callers have it.
std::size_t axes(const Interface& program, const EntrySlot& slot);

// The array of an entry that tells the lengths of the domain: one that has them, else one that is
// so many elements shorter, else one of which a part has all axes of it. Null: none does.
const InterfaceArgument* tells_domain(const Interface& program, const InterfaceEntry& entry);

// The entry that examples call: the first procedure, else the first of all; null without any.
const InterfaceEntry* shown_entry(const Interface& program);

// A value for an example's scalar, `truth` where it is a truth value.
std::string sample_value(onf::Scalar scalar, const char* truth);

// The lengths of an example's array: those that the program states, 8 for the others; of functions
// for arrays of one shape at most those that they were emitted for, or these where 8 will not do.
std::vector<std::int64_t> sample_shape(const Interface& program, const EntrySlot& slot);

// <Program>_kernels.h, .hpp and .cpp.
std::vector<File> interface_files(const Interface& program);

// example.cpp and README.md. `python`: the page tells of the Python module too.
std::vector<File> example_files(const Interface& program, bool python);

// <Program>.py (module_name) and example.py.
std::vector<File> python_files(const Interface& program);

}  // namespace rhopsi::kokkos
