// Values to try a claim on, and smaller ones.
//
// They meet the conditions of many claims: short, small, with unequal sides, lengths of 0 and 1,
// permutations among the vectors; shapes and lengths that one value has come again in others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "backends/reference/value.hpp"
#include "engine/onf/primitive.hpp"
#include "engine/term/store.hpp"

namespace rhopsi::driver {

// What the unknowns of a claim are.
struct Sample {
  std::map<term::SymbolId, reference::Value> values;
  // The shape of all arrays, where none has a shape of its own.
  std::optional<reference::Index> domain;
};

class Samples {
 public:
  // With `beyond` arrays have 5 or 6 axes, and vectors as many components: more than proofs look
  // at. With `of_types` numbers that promote, and arrays of them, are of any of the types that they
  // may have, else integers.
  explicit Samples(std::uint32_t seed, bool beyond = false, bool of_types = false)
      : random_(seed), beyond_(beyond), of_types_(of_types) {}

  // Forgets the shapes of the sample before. With a domain every array has that shape.
  void begin(const std::optional<reference::Index>& domain);
  reference::Index domain();
  // Arrays come first, so that what is asked for later may fit them. Nothing for a user's own type.
  std::optional<reference::Value> of(const onf::Representation& representation);

  // Gives an array this shape with elements of its own, other values these numbers. False if there
  // are no such values: an array of that shape would be too large, or have less than no elements.
  bool take(const std::vector<std::int64_t>& numbers, reference::Value& value);

 private:
  std::int64_t between(std::int64_t low, std::int64_t high);
  template <class Container>
  const typename Container::value_type& one_of(const Container& some);
  std::int64_t integer();
  reference::Index index();
  reference::Index inside(const reference::Index& shape);
  reference::Index shape();
  onf::Scalar promoting();
  reference::Array array(onf::Scalar element, bool promotes);
  reference::Array of_shape(const reference::Index& shape, onf::Scalar type);

  reference::Index long_shape();
  reference::Index long_index();

  std::mt19937 random_;
  bool beyond_;
  bool of_types_;
  std::vector<reference::Index> shapes_;
  bool fixed_ = false;
};

// Samples that are smaller in one respect, the shapes before the numbers; each smaller by a measure
// of which there are no infinite descents.
std::vector<Sample> smaller(const Sample& sample);

// With float64 in the place of int64 in all arrays.
Sample with_reals(const Sample& sample);

// "[0, 1]", "0 1 2 of shape [3]", "0.5"; of more than 100 elements the first ones.
std::string value_text(const reference::Value& value);

}  // namespace rhopsi::driver
