// What the entries of an emitted batch are written with.
#pragma once

#include "memory.hpp"
#include "rhopsi_batch_program.hpp"
#include "rhopsi_shim.hpp"

namespace rhopsi::batch {

template <class T>
constexpr Element element_of() {
  if constexpr (std::is_same_v<T, bool>) return Element::boolean;
  if constexpr (std::is_same_v<T, std::int32_t>) return Element::int32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Element::int64;
  if constexpr (std::is_same_v<T, float>) return Element::float32;
  return Element::float64;
}

// One evaluation: the arrays that it is given, and its result.
class Case {
 public:
  explicit Case(std::vector<Array> arrays) : arrays_(std::move(arrays)) {}

  template <class T, int R>
  RHOPSI_NOINLINE const Field<T, R>& array(std::size_t k) {
    const Array& given = arrays_.at(k);
    if (given.element != element_of<T>() || given.shape.size() != static_cast<std::size_t>(R))
      throw Error("array " + std::to_string(k) + " of the case is of another type");
    Domain<R> domain{};
    for (int a = 0; a < R; ++a) domain.extent[a] = given.shape[static_cast<std::size_t>(a)];
    auto field = std::make_shared<Field<T, R>>("array " + std::to_string(k), domain);
    detail::copy_bytes(field->overwrite().origin(), given.bytes.data(), given.bytes.size(), false);
    fields_.push_back(field);
    return *field;
  }

  template <class T, int R>
  RHOPSI_NOINLINE void give(const Field<T, R>& field) {
    const Domain<R>& domain = field.domain();
    result_.element = element_of<T>();
    result_.shape.assign(domain.extent, domain.extent + R);
    if (!io::has_room_for(static_cast<std::size_t>(domain.size()) * sizeof(T)))
      throw Error("out of memory: the result of shape " + to_string(domain), codes::size);
    result_.bytes.resize(static_cast<std::size_t>(domain.size()) * sizeof(T));
    detail::copy_bytes(result_.bytes.data(), field.read().origin(), result_.bytes.size(), true);
  }

  const Array& result() const { return result_; }

 private:
  std::vector<Array> arrays_;
  std::vector<std::shared_ptr<void>> fields_;
  Array result_;
};

}  // namespace rhopsi::batch
