#include "frontend/driver/project.hpp"

#include <algorithm>
#include <cctype>

namespace rhopsi::driver {
namespace {

const char* const specification = R"~(// Smooths an array of any number of axes, along each of them.
package NAME imports moa.library;

// An operation of your own is what its axioms say: its shape, and its element at an index p.
concept Averages = {
  use Expressions;

  // The mean of an element and the next one along an axis, from the last round to the first.
  function average(A: Array, axis: Int): Array guard 0 <= axis && axis < dim(A);
  axiom averageShape(A: Array, axis: Int) { assert shape(average(A, axis)) == shape(A); }
  axiom averageElement(p: Index, A: Array, axis: Int) {
    assert psi(p, average(A, axis)) ==
      0.5 * (psi(p, A): Number) + 0.5 * psi(p, rotate(A, axis, 1));
  }
};

program Smoothing = implement Averages in {
  use Averages;
  procedure smooth(upd u: Array) guard dim(u) == 2 {
    u = average(average(u, 0), 1);
  }
};
)~";

const char* const cmake = R"~(cmake_minimum_required(VERSION 3.21...3.31)
project(NAME LANGUAGES CXX)

find_package(rhopsi REQUIRED)

rhopsi_add_kernels(NAME_kernels FROM NAME.mg PROGRAM Smoothing)
add_executable(NAME main.cpp)
target_link_libraries(NAME PRIVATE NAME_kernels)
)~";

const char* const program = R"~(// Smooths an array of its own by what is made of NAME.mg.
#include <cstdio>

#include <Kokkos_Core.hpp>

#include "Smoothing_kernels.hpp"

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    Kokkos::View<double**, Kokkos::LayoutRight> u("u", 4, 6);
    const auto host = Kokkos::create_mirror_view(u);
    host(1, 2) = 1;
    Kokkos::deep_copy(u, host);
    Smoothing_kernels::smooth(u);
    Kokkos::deep_copy(host, u);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 6; ++j) std::printf(" %4.2f", host(i, j));
      std::puts("");
    }
  } catch (const rhopsi::Error& error) {
    std::fprintf(stderr, "error[%s]: %s\n", error.code(), error.what());
    return 1;
  }
  return 0;
}
)~";

const char* const page = R"~(# NAME

`NAME.mg` says what is computed, `main.cpp` calls it.

```
rhopsi check NAME.mg                                     # mistakes, with their places
rhopsi verify NAME.mg                                    # are the axioms true of each other?
rhopsi eval "average(A, 0)" --with NAME.mg --in A=iota:3,2:0 --dnf
rhopsi run NAME.mg -p Smoothing --in u=iota:4,6:0 --out u=result.npy
cmake -S . -B build -DCMAKE_PREFIX_PATH="<rhopsi>;<Kokkos>"   # where both are installed
cmake --build build && build/NAME
```
)~";

std::string named(std::string text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find("NAME", at)) != std::string::npos; at += name.size())
    text.replace(at, 4, name);
  return text;
}

}  // namespace

std::vector<TextFile> new_project(const std::string& name) {
  return {{name + ".mg", named(specification, name)},
          {"CMakeLists.txt", named(cmake, name)},
          {"main.cpp", named(program, name)},
          {"README.md", named(page, name)},
          {".gitignore", "build/\n*.npy\n"}};
}

bool is_project_name(const std::string& name) {
  return !name.empty() && std::islower(static_cast<unsigned char>(name.front())) != 0 &&
         std::ranges::all_of(name, [](unsigned char c) {
           return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
         });
}

}  // namespace rhopsi::driver
