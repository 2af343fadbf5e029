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
#include "engine/smt/prover.hpp"
#include "engine/term/store.hpp"

namespace rhopsi::driver {

// What the unknowns of a claim are.
struct Sample {
  std::map<term::SymbolId, reference::Value> values;
  // The shape of all arrays, where none has a shape of its own.
  std::optional<reference::Index> domain;
};

// What samples are made of besides small numbers.
struct SampleOptions {
  // Arrays have 5 or 6 axes, and vectors as many components: more than proofs look at.
  bool beyond = false;
  // Integers that promote, and elements of them, are now and then so large that sums, products or
  // negation leave 64 bits.
  bool wrapping = false;
  // Reals are now and then no numbers, infinite, zeros of both signs, so large that 1 more makes no
  // difference, or such as no double is.
  bool extreme = false;
  // Numbers that conditions speak of: taken now and then for integers, elements and, as far as the
  // limit on elements allows, for lengths.
  std::vector<std::int64_t> numbers = {};
};

// Which numbers redrawn elements are.
enum class Range : std::uint8_t { truths, natural, whole, negative };

class Samples {
 public:
  // Numbers that promote, and arrays of them, are integers.
  explicit Samples(std::uint32_t seed, SampleOptions options = {})
      : random_(seed), options_(std::move(options)) {}

  // Forgets the shapes of the sample before. With a domain every array has that shape.
  void begin(const std::optional<reference::Index>& domain);
  reference::Index domain();
  // Arrays come first, so that what is asked for later may fit them. Nothing for a user's own type.
  std::optional<reference::Value> of(const onf::Representation& representation);

  // Gives an array this shape with elements of its own, other values these numbers. False if there
  // are no such values: an array of that shape would be too large, or have less than no elements.
  bool take(const std::vector<std::int64_t>& numbers, reference::Value& value);

  // An array of the same shape, or a number, of this type, drawn anew. Truth values are false or
  // true, reals halves, whatever the range is.
  reference::Value redrawn(const reference::Value& value, onf::Scalar type, Range range);

 private:
  std::int64_t between(std::int64_t low, std::int64_t high);
  template <class Container>
  const typename Container::value_type& one_of(const Container& some);
  std::int64_t integer();
  std::int64_t near(std::int64_t number);
  reference::Index index();
  reference::Index inside(const reference::Index& shape);
  reference::Index shape();
  reference::Array array(onf::Scalar element, bool promotes);
  reference::Array of_shape(const reference::Index& shape, onf::Scalar type);

  reference::Index long_shape();
  reference::Index long_index();
  std::optional<reference::Index> named_shape();
  std::int64_t wrapping(std::int64_t otherwise);
  reference::Value drawn(std::int64_t number, onf::Scalar type);

  std::mt19937 random_;
  SampleOptions options_;
  std::vector<reference::Index> shapes_;
  bool fixed_ = false;
};

// Makes this the element of an array at the index, or with no index the value of a number; not
// where there is no such element, or its type is another.
void put(const std::vector<std::int64_t>& index, const smt::Number& number,
         reference::Value& value);

// Samples that are smaller in one respect, the shapes before the numbers; each smaller by a measure
// of which there are no infinite descents.
std::vector<Sample> smaller(const Sample& sample);

// An array of integers, or an integer, as one of this type: truth values are whether they are not
// 0.
reference::Value converted(const reference::Value& value, onf::Scalar type);

// With float64 in the place of int64 in all arrays.
Sample with_reals(const Sample& sample);

// "[0, 1]", "0 1 2 of shape [3]", "0.5"; of more than 100 elements the first ones.
std::string value_text(const reference::Value& value);

}  // namespace rhopsi::driver
