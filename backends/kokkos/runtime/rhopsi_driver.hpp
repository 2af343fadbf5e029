// What an emitted main.cpp tells of its program. The rest of main() is in rhopsi_driver.cpp.
#pragma once

#include <memory>

#include "rhopsi_driver_program.hpp"
#include "rhopsi_shim.hpp"

namespace rhopsi::driver {

template <class T>
constexpr const char* type_name(bool array = false) {
  static_assert(std::is_same_v<T, bool> || std::is_same_v<T, std::int32_t> ||
                    std::is_same_v<T, std::int64_t> || std::is_same_v<T, float> ||
                    std::is_same_v<T, double>,
                "arguments are bool, int32, int64, float32 and float64, or arrays of them");
  const char* name = "array bool";
  if (std::is_same_v<T, std::int32_t>) name = "array int32";
  if (std::is_same_v<T, std::int64_t>) name = "array int64";
  if (std::is_same_v<T, float>) name = "array float32";
  if (std::is_same_v<T, double>) name = "array float64";
  return array ? name : name + 6;
}

template <class T, int R>
class ArrayOf final : public Array {
 public:
  bool empty() const override { return field.empty(); }
  void make(const char* name, const std::int64_t* extent, const std::int64_t* low,
            const std::int64_t* high, const bool* broadcast) override {
    Domain<R> domain{};
    Pads<R> pads;
    for (int a = 0; a < R; ++a) {
      domain.extent[a] = extent[a];
      domain.broadcast[a] = broadcast != nullptr && broadcast[a];
      if (low != nullptr) pads.low[a] = low[a], pads.high[a] = high[a];
    }
    if (low == nullptr) rhopsi::detail::check_lengths(name, domain.extent, R, sizeof(T));
    field = Field<T, R>(name, with_pads(domain, pads));
  }
  ArrayMemory read() const override {
    const Layout<T, R>& layout = field.layout();
    ArrayMemory there{field.memory(), layout.elements, layout.origin, {}, {}, {}, {}};
    for (int a = 0; a < R; ++a) {
      there.extent[a] = field.domain().extent[a];
      there.stride[a] = a == R - 1 ? 1 : layout.stride[a];
      there.low[a] = field.domain().low(a);
      there.high[a] = field.domain().high(a);
    }
    return there;
  }
  ArrayMemory overwrite() override {
    (void)field.overwrite();
    field.mark_fresh();
    return read();
  }
  // What has to be named where an array is used: nvcc compiles the kernels of functions that it
  // sees called, and not of those that only a table of virtual ones names.
  static void kernels(ArrayOf& array) { (void)array.ArrayOf::overwrite(); }

  static std::unique_ptr<Array> made() { return std::make_unique<ArrayOf>(); }
  static inline ArrayMaker maker{type_name<T>(true), R, made};
  static inline const bool entered = enter(maker);

  Field<T, R> field;
};

template <class T, int R>
Field<T, R>& Arguments::array(int k) {
  (void)ArrayOf<T, R>::entered;
  (void)&ArrayOf<T, R>::kernels;
  return static_cast<ArrayOf<T, R>&>(array(k, type_name<T>(true), R)).field;
}

template <class T, int R>
Field<T, R>& Arguments::fresh(int k) {
  Field<T, R>& field = array<T, R>(k);
  if (!field.fresh()) refill_padding("driver: refill", field.domain(), field);
  return field;
}

template <class T>
T& Arguments::scalar(int k) {
  return *static_cast<T*>(scalar(k, type_name<T>()));
}

template <class P, int R>
void* make_program(const std::int64_t* extent, int pad) {
  Domain<R> domain{};
  for (int a = 0; a < R; ++a) domain.extent[a] = extent[a];
  domain.pad = pad;
  return new P{domain};
}
template <class P>
void destroy_program(void* program) {
  delete static_cast<P*>(program);
}

// Of the emitted struct P, over domains of R axes, which is made as P{Domain<R>}. What the tables
// say of it is still to be set.
template <class P, int R>
Program program_of() {
  static_assert(R <= most_axes);
  Program program;
  program.rank = R;
  program.make = make_program<P, R>;
  program.destroy = destroy_program<P>;
  program.checked = rhopsi_checked;
  return program;
}

}  // namespace rhopsi::driver
