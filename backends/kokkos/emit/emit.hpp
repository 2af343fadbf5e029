// The operational form as C++ over Kokkos: the text of the folder that build/ compiles.
//
// <Program>.hpp holds `struct <Program>`: the domain, the run-time parameters, and one
// member function per function that is needed, under the program's own name. main.cpp is the
// table of entries for runtime/rhopsi_driver.hpp. Results are those of the form as written,
// bit for bit: no operation is moved, except that what does not depend on the index is
// computed once before its loop.
//
// A user's C++ header (`external C++ a.b.c`) is included as "a/b.hpp". It defines
//     template <class _T, ..., class _f, ...> struct c { ... };
// with one parameter per required type and then one per required operation, each in order
// of declaration; without requirements c is no template. The struct is made for each use:
// c<...>{f, ...} from function objects that may be called in kernels, or c{}. Its types are
// member types, its operations const or static member functions, operators spelled
// binary_add, unary_sub, ...; procedures take upd and out arguments by reference.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backends/kokkos/build/file.hpp"
#include "engine/onf/form.hpp"

namespace rhopsi::kokkos {

enum class Target { serial, openmp, cuda };

// Who calls the functions of an emitted folder beside its own command: nobody; C++ and C, by a
// library; Python as well.
enum class Callers { none, library, python };

struct Options {
  std::optional<Target> target = {};  // nothing: where Kokkos runs things by default
  bool checked =
      false;  // bounds, stale pads and NaN are tested; messages name the specification's line
  bool reassociate = false;  // reals may be computed in another order: the folder's default
  std::vector<std::string>
      entries;  // functions that may be called from outside; empty: all that can
  Callers callers = Callers::none;
  std::optional<std::int64_t> serial_below = {};  // elements; nothing: as the runtime has it
  std::vector<std::string> made_from = {};        // lines for the folder's page, for callers
};

// The functions that are emitted for these entries, or for all that there are: those that may be
// called from outside, and what they call. Linear in the size of the module.
std::set<onf::FunctionId> emitted_functions(const onf::Module& module,
                                            const std::vector<std::string>& entries);

// <Program>.hpp, main.cpp and CMakeLists.txt, and what callers need (interface.hpp); without the
// files of runtime/. Of the functions those that may be called from outside, and what they call.
// The module must have passed onf::verify. Deterministic; linear in the size of the module.
std::vector<File> emit(const term::Store& store, const onf::Module& module, const Options& options);

// <Program>.hpp alone, with all functions, for those who call these themselves.
File emit_header(const term::Store& store, const onf::Module& module);

}  // namespace rhopsi::kokkos
