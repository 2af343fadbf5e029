// Arrays with shapes of their own, all of which have one shape: the same form over a domain.
//
//   allocate u2: float64 [n0]                                  allocate u2: float64
//   nest (i) in [0, n0): u2[i] = u[(i + 1) mod length(u, 0)]   nest (i): u2[i] = u[(i + 1) mod N0]
//
//   allocate d: float64 [n0 - 1]                               allocate d: float64
//   nest (i) in [0, n0 - 1): d[i] = u[i + 1]                   nest (i): d[i] = u[(i + 1) mod N0]
//
// What is known of arrays over a domain - pads, passes of planes, tiles, several calls in one - is
// then known of such a program too.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::onf {

// What needs shapes of their own: "makes an array of other lengths".
struct DomainObstacle {
  FunctionId function{};
  std::string what;
  term::LocationId location{};  // none where `what` ends with the place of a test
};

// Takes every function of the module to the domain of these lengths, for runs in which all array
// arguments have this shape, or are so many elements shorter as their blocks say. The form knows it
// as symbols: the lengths decide what is tested, and the form is that of any shape for which the
// tests have the same outcome, which Function::preconditions says, and that has elements. A test
// that they pass is gone; one that they fail is an obstacle, since the form before reports it. So
// is a nest over a part of an array, or whose element takes statements or reads an element that is
// not at a constant circular offset from its own: as it is it has tiles, boxes and strips. An array
// without axes, a number that folds elements, becomes that number. An array of reals that is so
// many elements shorter than the domain along axes, as what windows have in common with an image,
// is the first ones of one over the domain: what lies beyond is computed too, from elements that
// are there, and has no meaning. Where such an array goes out, Argument::less or
// Function::result_less says how many of it do not count. An argument of `others`, which says the
// lengths that it has in these runs, is never written, and read at indices that are numbers, or
// constant offsets from those of a nest, comes in as what is read of it (windows.hpp): as numbers,
// and as arrays over the domain, which may have the same elements along some axes. `less` says of
// arguments whose blocks tell the lengths of the others by how much they are shorter than the
// domain. Nothing: done, and Module::rank and one_shape are set. After an obstacle the module is of
// no use. Linear.
std::optional<DomainObstacle> put_over_domain(
    Module& module, const std::vector<std::int64_t>& lengths,
    const std::map<std::string, std::vector<std::int64_t>>& others = {},
    const std::map<std::string, std::vector<std::int64_t>>& less = {});

}  // namespace rhopsi::onf
