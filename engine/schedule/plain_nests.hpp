// Nests over a box whose elements are folds and names of numbers alone, and what takes their place.
// Internal to this folder.
#pragma once

#include <functional>
#include <optional>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

// Is the box that of all elements of the target, which has a shape of its own?
bool is_whole(const onf::Function& function, const onf::Nest& nest);

// Is there no error in it, but for accesses? Calls may test something, and divisors may be 0 where
// nobody asks for the quotient. Linear.
bool never_fails(const onf::Expr& whole);
bool never_fails(const onf::Statements& body);

// What takes the place of a nest, the last statement of it being a nest of the same array; nothing:
// the nest stays as it is. `body` is that of the nest, with what is computed where it is read first
// as constant names.
using InPlaceOf = std::function<std::optional<onf::Statements>(
    const onf::Nest& nest, onf::Statements body, term::LocationId location)>;

// Asks of each nest of the function that makes one array over a box, is not joined to another one,
// has no tile, and whose body computes(): what is computed where it is read first is read for every
// element there, and neither that nor an access of the function can fail, or else the nest is not
// asked of. Linear but for what is asked.
void replace_plain_nests(const onf::Module& module, onf::Function& function,
                         const InPlaceOf& in_place_of);

}  // namespace rhopsi::schedule
