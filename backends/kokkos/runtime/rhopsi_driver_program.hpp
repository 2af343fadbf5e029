// What the driver knows of a program: tables of constants, and functions that know its types. Free
// of Kokkos and of templates over the program's types, so that rhopsi_driver.cpp is compiled once
// for all programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rhopsi_error.hpp"

namespace rhopsi {

template <class T, int R>
class Field;

namespace driver {

inline constexpr int most_axes = 6;

// A constant table, which stays where it is.
template <class T>
class Table {
 public:
  constexpr Table() = default;
  template <std::size_t N>
  constexpr Table(const T (&rows)[N]) : first_(rows), count_(N) {}  // NOLINT: meant to convert
  const T* begin() const { return first_; }
  const T* end() const { return first_ + count_; }
  std::size_t size() const { return count_; }
  const T& operator[](std::size_t k) const { return first_[k]; }

 private:
  const T* first_ = nullptr;
  std::size_t count_ = 0;
};

enum class Mode { obs, upd, out, result };  // a function's result is the last argument

// An argument that has the shape of the run's domain, or is no array.
inline constexpr int of_the_domain = -1;

struct Argument {
  const char* name;
  const char* type;  // "array float32", "float64", "int64", "bool", ...
  Mode mode;
  int rank = of_the_domain;  // of an array that has a shape of its own
  // Of an array over the domain that has other pads than the program says: on each axis what it has
  // below, and then what it has above.
  std::int64_t pads[2 * most_axes] = {-1};
  // Of one of which only the first elements count: how many there are more on each axis.
  std::int64_t less[most_axes] = {};
  // Of one that is a part of an array that callers give under this name: for each axis of that
  // array the axis of the domain that it is, or -1 where it is one element; where it begins; and by
  // how many elements that array is longer than the domain, or how many it has. An array has the
  // same elements along the domain's other axes; what is no array is one element.
  struct Given {
    int of;
    std::int64_t first, more;
  };
  int given_axes = -1;  // it is none
  Given given[most_axes] = {};
};

// An array as it lies in memory of kernels, with pads around it; the last axis has stride 1.
struct ArrayMemory {
  void* block = nullptr;
  std::int64_t elements = 0;  // of the block
  std::int64_t origin = 0;    // of element (0, ..., 0) in it
  std::int64_t extent[most_axes] = {}, stride[most_axes] = {};
  std::int64_t low[most_axes] = {}, high[most_axes] = {};  // pads
};

// An array of some type and rank, which may have no value yet.
class Array {
 public:
  virtual ~Array() = default;
  virtual bool empty() const = 0;
  // Of these lengths and pads, without pads where they are null, and broadcast along these axes,
  // none where they are null.
  virtual void make(const char* name, const std::int64_t* extent, const std::int64_t* low,
                    const std::int64_t* high, const bool* broadcast) = 0;
  virtual ArrayMemory read() const = 0;
  // To be stored to, with its pads.
  virtual ArrayMemory overwrite() = 0;
};

// How to make arrays, by type as the table writes it and by rank. Only what an entry asks for is
// compiled: its call of array<T, R> enters it here before main begins.
struct ArrayMaker {
  const char* type;
  int rank;
  std::unique_ptr<Array> (*make)();
  const ArrayMaker* next = nullptr;
};
bool enter(ArrayMaker& maker);

// What an entry is called with, by number. Each has to be of the type that its table says.
class Arguments {
 public:
  explicit Arguments(const Table<Argument>& table, int rank);

  template <class T, int R>
  Field<T, R>& array(int k);
  // The same with its pads filled.
  template <class T, int R>
  Field<T, R>& fresh(int k);
  template <class T>
  T& scalar(int k);

  Array& array(int k, const char* type, int rank) const;
  void* scalar(int k, const char* type) const;

  // Null for what is no array, and the other way round.
  Array* array(std::size_t k) const { return arguments_[k].array.get(); }
  void* scalar(std::size_t k) const { return arguments_[k].scalar.get(); }

 private:
  struct One {
    std::unique_ptr<Array> array;
    std::unique_ptr<std::uint64_t> scalar;
  };
  const Argument& row(int k) const { return table_[static_cast<std::size_t>(k)]; }

  Table<Argument> table_;
  int rank_;
  std::vector<One> arguments_;
};

struct Parameter {
  const char* name;
  const char* type;
  void (*set)(void* program, double value);
};

struct Entry {
  const char* name;
  Table<Argument> arguments;
  void (*call)(void* program, Arguments& arguments);
  // As much as so many calls in a row, where there is such a thing.
  std::int64_t times = 1;
  void (*calls)(void* program, Arguments& arguments) = nullptr;
};

struct Program {
  const char* name = "";
  const char* element = "";  // "float32" or "float64"
  int rank = 0;
  int pad = 0;
  Table<Parameter> parameters = {};
  Table<Entry> entries = {};
  void* (*make)(const std::int64_t* extent, int pad) = nullptr;
  void (*destroy)(void* program) = nullptr;
  bool checked = false;  // its kernels test what they read and store
  // In which order it keeps the axes of its callers' arrays: its axis a is their axis axes[a].
  int axes[most_axes] = {0, 1, 2, 3, 4, 5};
  // Arrays over the domain are told of, and kept, as arrays with shapes of their own.
  bool one_shape = false;
};

// All of main(): the exit status.
int run(int argc, char** argv, const Program& program);

}  // namespace driver
}  // namespace rhopsi
