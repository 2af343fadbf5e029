// The emitted program of two stacked stencils, once: what it has done, and what it has computed.
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "rhopsi_shim.hpp"

using Real = double;
#define double Counted
#include "forms.hpp"
#undef double

int main() {
  auto u = rhopsi::make_field<Counted>("u", LENGTHS);
  counts.arrays = 0;
  for (std::size_t k = 0; k < u.elements->size(); ++k) {
    (*u.elements)[k] = std::sin(static_cast<Real>(k * k));
  }
  const auto result = forms{}.f(u);
  std::printf("%ld operations, %ld loads, %ld stores, %ld arrays\n", counts.operations,
              counts.loads, counts.stores, counts.arrays);
  for (const Counted& element : *result.elements) std::printf("%a ", element.value());
  std::printf("\n");
}
