// What <Program>_kernels.cpp is made of: the way from arrays of the caller's to fields and back.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "rhopsi_handed_out.hpp"
#include "rhopsi_overlap.hpp"
#include "rhopsi_shim.hpp"
#include "rhopsi_views.hpp"

namespace rhopsi::interface {

namespace detail {

// Starts Kokkos where nobody has, and then sees to its end too.
inline void start_kokkos() {
  if (Kokkos::is_initialized()) return;
  static char name[] = "rhopsi", quiet[] = "--kokkos-disable-warnings";
  char* words[] = {name, quiet, nullptr};
  int count = 2;
  Kokkos::initialize(count, words);
  (void)Pool::instance();  // made before the end is asked for, so that it lives until then
  std::atexit([] {
    if (Kokkos::is_initialized()) Kokkos::finalize();
  });
}

// The pool of memory belongs to one host thread at a time.
inline std::recursive_mutex& one_at_a_time() {
  static std::recursive_mutex mutex;
  return mutex;
}

// Element p is view[p], and back.
template <class T, int R>
struct Gather {
  FieldRef<T, R> out;
  ArrayView<const T, R> in;
  template <class... I>
  KOKKOS_INLINE_FUNCTION void operator()(I... i) const {
    const Index<R> at = make_index(i...);
    std::int64_t place = 0;
    for (int a = 0; a < R; ++a) place += at[a] * in.stride[a];
    out(i...) = in.data[place];
  }
};
template <class T, int R>
struct Scatter {
  ArrayView<T, R> out;
  FieldRef<const T, R> in;
  template <class... I>
  KOKKOS_INLINE_FUNCTION void operator()(I... i) const {
    const Index<R> at = make_index(i...);
    std::int64_t place = 0;
    for (int a = 0; a < R; ++a) place += at[a] * out.stride[a];
    out.data[place] = in(i...);
  }
};

template <class T, int R>
bool dense(const ArrayView<T, R>& view) {
  std::int64_t expected = 1;
  for (int a = R - 1; a >= 0; --a) {
    if (view.extent[a] > 1 && view.stride[a] != expected) return false;
    expected *= view.extent[a];
  }
  return true;
}

// f(place in a dense array, place in the view) for every element, on the host.
template <class T, int R, class F>
void each_place(const ArrayView<T, R>& view, const F& f) {
  std::int64_t index[R > 0 ? R : 1] = {}, place = 0;
  const std::int64_t size = view.size();
  for (std::int64_t k = 0; k < size; ++k) {
    f(static_cast<std::size_t>(k), place);
    for (int a = R - 1; a >= 0; --a) {
      place += view.stride[a];
      if (++index[a] < view.extent[a]) break;
      place -= index[a] * view.stride[a];
      index[a] = 0;
    }
  }
}

}  // namespace detail

// Of `function`, which was emitted for arrays of one shape: each array, behind its name, has to
// have that of the first.
template <class T, int R>
void expect_one_shape(const char*, const char*, const ArrayView<T, R>&) {}
template <class T, class U, int R, class... Rest>
void expect_one_shape(const char* function, const char* first, const ArrayView<T, R>& as,
                      const char* name, const ArrayView<U, R>& view, const Rest&... rest) {
  for (int a = 0; a < R; ++a) {
    if (view.extent[a] == as.extent[a]) continue;
    throw Error("'" + std::string(name) + "' has shape " +
                    rhopsi::detail::shape_text(view.extent, R) + ", and '" + first + "' " +
                    rhopsi::detail::shape_text(as.extent, R) + ": '" + function +
                    "' was emitted for arrays of one shape; emit it without --shape",
                codes::shapes);
  }
  expect_one_shape(function, first, as, rest...);
}

// How long an axis has to be: as that axis of other arrays, where it is none below 0, and `more`.
struct Length {
  int of;
  std::int64_t more;
};

// Of an array with other lengths than those that all the others have, as the first one does.
template <int R, int S, class T, class U>
void expect_lengths(const char* first, const ArrayView<T, R>& as, const char* name,
                    const ArrayView<U, S>& view, const Length (&axes)[S]) {
  std::int64_t wanted[S] = {};
  bool same = true;
  for (int a = 0; a < S; ++a) {
    wanted[a] = axes[a].more + (axes[a].of >= 0 ? as.extent[axes[a].of] : 0);
    if (wanted[a] < 0) wanted[a] = 0;
    same = same && view.extent[a] == wanted[a];
  }
  if (same) return;
  throw Error("'" + std::string(name) + "' has shape " +
                  rhopsi::detail::shape_text(view.extent, S) + ", and needs " +
                  rhopsi::detail::shape_text(wanted, S) + " where '" + first + "' has " +
                  rhopsi::detail::shape_text(as.extent, R),
              codes::shapes);
}

// A number for each axis of an array.
template <int R>
struct OfAxes {
  std::int64_t number[R > 0 ? R : 1];
};

// A part of an array: axis k of the array is axis `of` k of the part, from index `first` on, and
// just that index is meant where `of` is below 0.
template <int R, class T, int S>
ArrayView<T, R> part(const ArrayView<T, S>& given, const OfAxes<S>& first, const OfAxes<S>& of) {
  ArrayView<T, R> made;
  made.data = given.data;
  made.reachable = given.reachable;
  for (int k = 0; k < S; ++k) {
    made.data += first.number[k] * given.stride[k];
    if (of.number[k] < 0) continue;
    made.extent[of.number[k]] = given.extent[k] - first.number[k];
    made.stride[of.number[k]] = given.stride[k];
  }
  return made;
}

// Where an argument of a call lies.
struct Range {
  const char *begin = nullptr, *end = nullptr;
  bool written = false;
  bool repeated = false;  // two of its elements lie in one place
  overlap::Place place;   // if it is written

  Range() = default;
  template <class T, int R>
  explicit Range(const ArrayView<T, R>& view) : written(!std::is_const_v<T>) {
    if (view.size() == 0) return;
    std::int64_t first = 0, last = 0;
    for (int a = 0; a < R; ++a) {
      const std::int64_t reach = (view.extent[a] - 1) * view.stride[a];
      (reach < 0 ? first : last) += reach;
    }
    begin = reinterpret_cast<const char*>(view.data + first);
    end = reinterpret_cast<const char*>(view.data + last + 1);
    if (!written) return;
    place.begin = reinterpret_cast<std::uintptr_t>(begin);
    place.element = sizeof(T);
    for (int a = 0; a < R; ++a) {
      if (view.extent[a] == 1) continue;
      const std::int64_t stride = view.stride[a] < 0 ? -view.stride[a] : view.stride[a];
      if (stride == 0) repeated = true;
      if (stride != 0) place.axes.push_back({stride * place.element, view.extent[a] - 1});
    }
    repeated = repeated || overlap::within(place.axes);
  }
  // Do the memories from first to last element meet, whatever lies between?
  bool meets(const Range& other) const { return begin < other.end && other.begin < end; }
  // Of two that are written and not repeated.
  bool shares_elements(const Range& other) const {
    return meets(other) && overlap::between(place, other.place);
  }
};

// One call of an entry. While it is there no other thread calls one.
class Call {
 public:
  explicit Call(std::initializer_list<Range> arguments)
      : lock_(detail::one_at_a_time()), arguments_(arguments) {
    detail::start_kokkos();
    take_what_was_given_back();
    for (std::size_t k = 0; k < arguments_.size(); ++k) {
      if (arguments_[k].repeated)
        throw Error("an array that is written has two elements in one place", codes::shapes);
      for (std::size_t before = 0; before < k; ++before) {
        if (arguments_[k].written && arguments_[before].written &&
            arguments_[k].shares_elements(arguments_[before]))
          throw Error("two of the arrays that are written lie in the same memory", codes::shapes);
      }
    }
  }
  ~Call() { Kokkos::fence(); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // The array as a field over `domain`, which has its axes in that order, in its own memory where
  // that can be.
  template <class T, int R>
  Field<std::remove_const_t<T>, R> field(const char* name, const Domain<R>& domain,
                                         const ArrayView<T, R>& given,
                                         const Axes<R>& axes = {}) const {
    using Value = std::remove_const_t<T>;
    std::int64_t wanted[R > 0 ? R : 1] = {};
    for (int a = 0; a < R; ++a) wanted[axes.of[a]] = domain.extent[a];
    for (int a = 0; a < R; ++a) rhopsi::detail::check_axis(name, a, given.extent[a], wanted[a]);
    rhopsi::detail::check_lengths(name, given.extent, R, sizeof(T));
    const ArrayView<T, R> view = given.in_order(axes);
    if (!domain.padded() && view.reachable && detail::dense(view) && !disturbed(view))
      return Field<Value, R>(name, domain, const_cast<Value*>(view.data));
    Field<Value, R> copy(name, domain);
    if (domain.size() == 0) return copy;
    load(name, view.read_only(), copy);
    if (domain.padded()) refill_padding(name, domain, copy);
    return copy;
  }

  // Of a shape of its own.
  template <class T, int R>
  Field<std::remove_const_t<T>, R> field(const char* name, const ArrayView<T, R>& view) const {
    return field(name, own_domain(view), view);
  }

  // An array that has fewer elements than the domain: they are the first ones there.
  template <class T, int R>
  Field<std::remove_const_t<T>, R> field_of_first(const char* name, const Domain<R>& domain,
                                                  const ArrayView<T, R>& given,
                                                  const Axes<R>& axes = {}) const {
    return with_first(name, domain, given.in_order(axes).read_only());
  }

  // What begins at element `first` of an array, as a field over the domain: axis k of the array is
  // axis `of` k of the domain, and just one element of it is meant where that is below 0. Along
  // other axes the field is broadcast. What the array has not got, has no meaning there.
  template <class T, int S, int R>
  Field<std::remove_const_t<T>, R> window(const char* name, Domain<R> domain,
                                          const ArrayView<T, S>& given, const OfAxes<S>& first,
                                          const OfAxes<S>& of) const {
    using Value = std::remove_const_t<T>;
    ArrayView<const Value, R> part;
    part.data = place_of(given, first);
    part.reachable = given.reachable;
    for (int a = 0; a < R; ++a) domain.broadcast[a] = true, part.extent[a] = 1;
    bool whole = true;
    for (int k = 0; k < S; ++k) {
      const std::int64_t a = of.number[k];
      if (a < 0) continue;
      const std::int64_t there = given.extent[k] - first.number[k], wanted = domain.extent[a];
      domain.broadcast[a] = false;
      part.extent[a] = there < wanted ? there : wanted;
      part.stride[a] = given.stride[k];
      whole = whole && there >= wanted;
    }
    if (whole && !domain.padded() && part.reachable && detail::dense(part) && !disturbed(part))
      return Field<Value, R>(name, domain, const_cast<Value*>(part.data));
    return with_first(name, domain, part);
  }

  // One element of an array.
  template <class T, int S>
  std::remove_const_t<T> element(const ArrayView<T, S>& given, const OfAxes<S>& at) const {
    const T* const there = place_of(given, at);
    if (on_host || !given.reachable) return *there;
    std::remove_const_t<T> value{};
    rhopsi::detail::copy_bytes(&value, there, sizeof value, true);
    return value;
  }

  // Before anything is stored: an array that has come to lie in another argument's memory gets its
  // own.
  template <class T, int R>
  void detach(Field<T, R>& field, const ArrayView<T, R>& view) const {
    if (!field.lies_at(view.data)) detach(field);
  }
  template <class T, int R>
  void detach(Field<T, R>& field) const {
    if (field.lent()) field = copied(field);
  }

  // What has become of an array goes back to where the caller has it.
  template <class T, int R>
  void store(const char* name, const Field<T, R>& field, const ArrayView<T, R>& given,
             const Axes<R>& axes = {}) const {
    const ArrayView<T, R> view = given.in_order(axes);
    if (!same_shape(field.domain(), own_domain(view)))
      throw Error("'" + std::string(name) + "' comes back with shape " + to_string(field.domain()) +
                      ", and there is room for " + to_string(own_domain(view)),
                  codes::shapes);
    if (view.size() == 0 || field.lies_at(view.data)) return;
    if (view.reachable) {
      for_each_nested(name, field.domain(), detail::Scatter<T, R>{view, field.read()});
      return;
    }
    const std::unique_ptr<T[]> elements(new T[elements_of(view.size())]);
    copy_to_host(field, elements.get());
    detail::each_place(view,
                       [&](std::size_t k, std::int64_t place) { view.data[place] = elements[k]; });
  }

  // The same of an array that has more elements than come out: the first ones.
  template <class T, int R>
  void store_first(const char* name, const Field<T, R>& field, const ArrayView<T, R>& given,
                   const Axes<R>& axes = {}) const {
    const ArrayView<T, R> view = given.in_order(axes);
    const Domain<R> part = own_domain(view);
    if (part.size() == 0) return;
    if (view.reachable)
      return for_each_nested(name, part, detail::Scatter<T, R>{view, field.read()});
    Field<T, R> own(name, part);
    for_each_nested(name, part, rhopsi::detail::CopyInterior<T, R>{own.overwrite(), field.read()});
    store(name, own, given, axes);
  }

  // An array that the call has made becomes the View. Where this has its shape already, and nobody
  // else knows its memory, it is stored there.
  template <class T, int R>
  void make(const char* name, const Field<T, R>& field, Made<T, R>& to) const {
    if (!is_room<T, R>(to, field.domain()))
      to = allocated(name, field, std::make_integer_sequence<int, R>());
    store(name, field, ArrayView<T, R>(to));
  }

  // Or an array for C, in memory of the host: that of the field itself, if it is no other one's.
  template <class T, int R, class Array>
  void make(const char*, Field<T, R>& field, Handing<Array>& to) const {
    to.made = std::make_unique<HandedOut<Array>>();
    if constexpr (on_host) {
      if (!field.has_alone(field.domain()) || field.domain().padded()) field = copied(field);
      to.made->data = field.memory();
      to.made->memory = field.shared_block();
    } else {
      std::shared_ptr<T[]> memory(new T[elements_of(field.domain().size())]);
      if (field.domain().size() > 0) copy_to_host(field, memory.get());
      to.made->data = memory.get();
      to.made->memory = std::move(memory);
    }
    to.made->axes = R;
    for (int a = 0; a < 6; ++a) to.made->extents[a] = a < R ? field.domain().extent[a] : 1;
  }

  // Before anything is computed: what is made becomes a View, which may not be one of those that
  // the call sets. Of C it is made anew.
  template <class View>
  void expect_apart(const View& view) const {
    if (view.use_count() == 0) return;
    const Range own{ArrayView<typename View::non_const_value_type,
                              static_cast<int>(static_cast<std::size_t>(View::rank))>(view)};
    for (const Range& other : arguments_) {
      if (other.written && own.meets(other))
        throw Error("two of the arrays that are written lie in the same memory", codes::shapes);
    }
  }
  template <class Array>
  void expect_apart(const Handing<Array>&) const {}

  // The lengths of the arrays over the domain of a program that has their axes in that order, each
  // as long as that of an array and so much longer.
  template <class T, int R>
  static Domain<R> domain(const ArrayView<T, R>& view, std::int64_t pad, const Axes<R>& axes = {},
                          const OfAxes<R>& more = {}) {
    Domain<R> made = own_domain(view.in_order(axes));
    for (int a = 0; a < R; ++a) made.extent[a] += more.number[a];
    made.pad = pad;
    return made;
  }

 private:
  // At least one, so that there is memory.
  static std::size_t elements_of(std::int64_t size) {
    return static_cast<std::size_t>(size > 0 ? size : 1);
  }
  template <class T, int R>
  static Domain<R> own_domain(const ArrayView<T, R>& view) {
    Domain<R> made{};
    for (int a = 0; a < R; ++a) made.extent[a] = view.extent[a];
    return made;
  }
  template <class T, int R, int... Axes>
  static Made<T, R> allocated(const char* name, const Field<T, R>& field,
                              std::integer_sequence<int, Axes...>) {
    return Made<T, R>(Kokkos::view_alloc(std::string(name), Kokkos::WithoutInitializing),
                      static_cast<std::size_t>(field.domain().extent[Axes])...);
  }
  template <class T, int R>
  bool is_room(const Made<T, R>& view, const Domain<R>& domain) const {
    if (view.use_count() != 1 || !(own_domain(ArrayView<T, R>(view)) == domain)) return false;
    const Range own{ArrayView<T, R>(view)};
    return std::none_of(arguments_.begin(), arguments_.end(),
                        [&](const Range& other) { return own.meets(other); });
  }
  // In a block of its own, without pads.
  template <class T, int R>
  static Field<T, R> copied(const Field<T, R>& field) {
    Domain<R> domain{};
    for (int a = 0; a < R; ++a) domain.extent[a] = field.domain().extent[a];
    Field<T, R> own(field.label(), domain);
    if (domain.size() > 0) {
      for_each_nested("copy", domain,
                      rhopsi::detail::CopyInterior<T, R>{own.overwrite(), field.read()});
    }
    return own;
  }
  // Is there another argument that writes what this one reads?
  template <class T, int R>
  bool disturbed(const ArrayView<T, R>& view) const {
    const Range own(view);
    if (own.written) return false;
    for (const Range& other : arguments_)
      if (other.written && other.meets(own)) return true;
    return false;
  }
  template <class T, int R>
  static const T* place_of(const ArrayView<T, R>& view, const OfAxes<R>& at) {
    const T* place = view.data;
    for (int a = 0; a < R; ++a) place += at.number[a] * view.stride[a];
    return place;
  }
  // A field of which those elements are the first ones.
  template <class T, int R>
  static Field<T, R> with_first(const char* name, const Domain<R>& domain,
                                const ArrayView<const T, R>& given) {
    Field<T, R> made(name, domain);
    const Domain<R> part = own_domain(given);
    if (part.size() == 0) return made;
    if (given.reachable) {
      for_each_nested(name, part, detail::Gather<T, R>{made.overwrite(), given});
    } else {
      Field<T, R> own(name, part);
      load(name, given, own);
      for_each_nested(name, part, rhopsi::detail::CopyInterior<T, R>{made.overwrite(), own.read()});
    }
    if (domain.padded()) refill_padding(name, domain, made);
    return made;
  }
  template <class T, int R>
  static void load(const char* name, const ArrayView<const T, R>& view, Field<T, R>& to) {
    if (view.reachable) {
      for_each_nested(name, to.domain(), detail::Gather<T, R>{to.overwrite(), view});
      return;
    }
    const std::unique_ptr<T[]> elements(new T[elements_of(view.size())]);
    detail::each_place(view,
                       [&](std::size_t k, std::int64_t place) { elements[k] = view.data[place]; });
    copy_from_host(elements.get(), to);
  }

  std::lock_guard<std::recursive_mutex> lock_;
  std::vector<Range> arguments_;
};

// --- the plain C functions

// What the last call of this thread has said.
struct Failure {
  std::string message, code;
};

// 0, or 1 with the reason in `failure`: nothing is thrown into C.
template <class F>
int guarded(Failure& failure, const F& f) {
  failure = {};
  try {
    f();
    return 0;
  } catch (const Error& error) {
    failure = {error.what(), error.code()};
  } catch (const std::bad_alloc&) {
    failure = {"out of memory", codes::size};
  } catch (const std::exception& error) {
    failure = {error.what(), codes::run_failed};
  } catch (...) {
    failure = {"unknown failure", codes::run_failed};
  }
  return 1;
}

// A pointer of the caller's that stands for one thing.
template <class T>
T& given(const char* what, T* pointer) {
  if (pointer == nullptr)
    throw Error("the pointer for " + std::string(what) + " is null", codes::shapes);
  return *pointer;
}

}  // namespace rhopsi::interface
