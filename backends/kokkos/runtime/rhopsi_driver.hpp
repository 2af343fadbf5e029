// What an emitted main.cpp tells of its program. The rest of main() is in rhopsi_driver.cpp.
#pragma once

#include <cstring>
#include <memory>
#include <optional>

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

template <class T>
class ScalarSlot final : public Slot {
 public:
  void* value() override { return &held; }
  void load(const std::vector<std::int64_t>&, const void*) override {}
  void store(void*) const override {}
  std::optional<std::vector<std::int64_t>> shape() const override { return std::nullopt; }
  void refresh() override {}

  T held{};
};

// f(place in the program's order of axes, place in the caller's) for each element, both row-major.
template <int R, class F>
void each_place(const Domain<R>& domain, const Axes<R>& axes, const F& f) {
  std::int64_t lengths[R > 0 ? R : 1] = {}, strides[R > 0 ? R : 1] = {}, index[R > 0 ? R : 1] = {};
  for (int a = 0; a < R; ++a) lengths[axes.of[a]] = domain.extent[a];
  std::int64_t stride = 1;
  for (int a = R - 1; a >= 0; --a) {
    strides[a] = stride;
    stride *= lengths[a];
  }
  const std::int64_t size = domain.size();
  for (std::int64_t k = 0, place = 0; k < size; ++k) {
    f(static_cast<std::size_t>(k), static_cast<std::size_t>(place));
    for (int a = R - 1; a >= 0; --a) {
      place += strides[axes.of[a]];
      if (++index[a] < domain.extent[a]) break;
      place -= index[a] * strides[axes.of[a]];
      index[a] = 0;
    }
  }
}

// Of R axes: over the domain, which has them in that order, or of a shape of its own where there is
// no domain.
template <class T, int R>
class ArraySlot final : public Slot {
 public:
  ArraySlot(const Argument& argument, const std::optional<Domain<R>>& domain,
            const Axes<R>& axes = {})
      : name_(argument.name), domain_(domain), axes_(axes) {
    for (int a = 0; a < R; ++a) in_order_ = in_order_ && axes.of[a] == a;
    if (domain_ && argument.mode != Mode::result) field = Field<T, R>(name_, *domain_);
  }
  void* value() override { return nullptr; }
  void load(const std::vector<std::int64_t>& shape, const void* elements) override {
    if (!domain_) make(shape);
    if (field.domain().size() == 0) return;
    const T* const given = static_cast<const T*>(elements);
    if (in_order_) return copy_from_host(given, field);
    const std::unique_ptr<T[]> own(new T[static_cast<std::size_t>(field.domain().size())]);
    each_place(field.domain(), axes_,
               [&](std::size_t k, std::size_t place) { own[k] = given[place]; });
    copy_from_host(own.get(), field);
  }
  void store(void* elements) const override {
    if (domain_ && !same_shape(field.domain(), *domain_))
      throw Error("it came back with shape " + rhopsi::to_string(field.domain()) + ", not " +
                      rhopsi::to_string(*domain_),
                  codes::shapes);
    if (field.domain().size() == 0) return;
    T* const wanted = static_cast<T*>(elements);
    if (in_order_) return copy_to_host(field, wanted);
    const std::unique_ptr<T[]> own(new T[static_cast<std::size_t>(field.domain().size())]);
    copy_to_host(field, own.get());
    each_place(field.domain(), axes_,
               [&](std::size_t k, std::size_t place) { wanted[place] = own[k]; });
  }
  std::optional<std::vector<std::int64_t>> shape() const override {
    if (!domain_ && field.empty()) return std::nullopt;
    const Domain<R>& domain = domain_ ? *domain_ : field.domain();
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(R));
    for (int a = 0; a < R; ++a) lengths[static_cast<std::size_t>(axes_.of[a])] = domain.extent[a];
    return lengths;
  }
  void refresh() override {
    if (domain_ && !field.empty() && !field.fresh())
      refill_padding("driver: refill", *domain_, field);
  }
  // What has to be named where a slot is used: nvcc compiles the kernels of functions that it sees
  // called, and not of those that only a table of virtual ones names.
  static void kernels(ArraySlot& slot) {
    slot.ArraySlot::load({}, nullptr);
    slot.ArraySlot::store(nullptr);
    slot.ArraySlot::refresh();
  }

  Field<T, R> field;

 private:
  void make(const std::vector<std::int64_t>& shape) {
    Domain<R> own{};
    for (int a = 0; a < R; ++a) own.extent[a] = shape.at(static_cast<std::size_t>(a));
    detail::check_lengths(name_, own.extent, R, sizeof(T));
    field = Field<T, R>(name_, own);
  }

  const char* name_;
  std::optional<Domain<R>> domain_;
  Axes<R> axes_;
  bool in_order_ = true;
};

// How to make slots, by type as the table writes it and by rank. Only what an entry asks for is
// compiled: its call of array<T>, array<T, R> or scalar<T> enters it here before main begins.
template <int R>
struct Maker {
  const char* type;
  int rank;
  std::unique_ptr<Slot> (*make)(const Argument&, const Domain<R>&, const Axes<R>&);
  Maker* next;
};

template <int R>
inline Maker<R>* makers = nullptr;

template <class T, int R>
struct ScalarMaker {
  static constexpr bool array = false;
  static constexpr int rank = of_the_domain;
  static std::unique_ptr<Slot> make(const Argument&, const Domain<R>&, const Axes<R>&) {
    return std::make_unique<ScalarSlot<T>>();
  }
};
template <class T, int R>
struct DomainArrayMaker {
  static constexpr bool array = true;
  static constexpr int rank = of_the_domain;
  static std::unique_ptr<Slot> make(const Argument& argument, const Domain<R>& domain,
                                    const Axes<R>& axes) {
    Pads<R> pads;
    for (int a = 0; a < R; ++a) {
      const auto at = 2 * static_cast<std::size_t>(a);
      pads.low[a] = argument.pads.empty() ? domain.low(a) : argument.pads.at(at);
      pads.high[a] = argument.pads.empty() ? domain.high(a) : argument.pads.at(at + 1);
    }
    return std::make_unique<ArraySlot<T, R>>(argument, with_pads(domain, pads), axes);
  }
};
template <class T, int R, int Own>
struct OwnArrayMaker {
  static constexpr bool array = true;
  static constexpr int rank = Own;
  static std::unique_ptr<Slot> make(const Argument& argument, const Domain<R>&, const Axes<R>&) {
    return std::make_unique<ArraySlot<T, Own>>(argument, std::nullopt);
  }
};

template <class Made, class T, int R>
struct Entered {
  static bool enter() {
    static Maker<R> maker{type_name<T>(Made::array), Made::rank, Made::make, makers<R>};
    makers<R> = &maker;
    return true;
  }
  static inline const bool done = enter();
};

// What an entry is called with.
template <int R>
class Arguments {
 public:
  Arguments(const std::vector<Argument>& table, const Domain<R>& domain, const Axes<R>& axes = {})
      : table_(table) {
    for (const Argument& argument : table) {
      const Maker<R>* maker = makers<R>;
      while (maker != nullptr && !fits(argument, maker->type, maker->rank)) maker = maker->next;
      if (maker == nullptr)
        throw Error(std::string("internal: no entry asks for an argument of type '") +
                    argument.type + "'");
      slots_.push_back(maker->make(argument, domain, axes));
    }
  }

  // Over the domain.
  template <class T>
  auto& array(int k) {
    static_assert(R > 0, "a program of rank 0 has no arrays over its domain");
    (void)Entered<DomainArrayMaker<T, R>, T, R>::done;
    (void)&ArraySlot<T, R>::kernels;
    return static_cast<ArraySlot<T, R>&>(slot(k, type_name<T>(true), of_the_domain)).field;
  }

  // Of a shape of its own.
  template <class T, int Own>
  Field<T, Own>& array(int k) {
    (void)Entered<OwnArrayMaker<T, R, Own>, T, R>::done;
    (void)&ArraySlot<T, Own>::kernels;
    return static_cast<ArraySlot<T, Own>&>(slot(k, type_name<T>(true), Own)).field;
  }

  template <class T>
  T& scalar(int k) {
    (void)Entered<ScalarMaker<T, R>, T, R>::done;
    return static_cast<ScalarSlot<T>&>(slot(k, type_name<T>(), of_the_domain)).held;
  }

  Slot& slot(std::size_t k) { return *slots_.at(k); }

 private:
  static bool fits(const Argument& argument, const char* type, int rank) {
    return std::strcmp(argument.type, type) == 0 && argument.rank == rank;
  }
  Slot& slot(int k, const char* wanted, int rank) {
    const Argument& argument = table_.at(static_cast<std::size_t>(k));
    if (fits(argument, wanted, rank)) return *slots_[static_cast<std::size_t>(k)];
    throw Error(std::string("internal: argument '") + argument.name + "' is " + argument.type +
                " in the table and " + wanted + " in the call");
  }

  const std::vector<Argument>& table_;
  std::vector<std::unique_ptr<Slot>> slots_;
};

// P: the emitted struct, constructible as P{Domain<R>}.
template <class P, int R>
struct Entry {
  const char* name;
  std::vector<Argument> arguments;
  void (*call)(P&, Arguments<R>&);
  bool refills = false;  // the pads of its arguments itself
  // As much as so many calls in a row, where there is such a thing.
  std::int64_t times = 1;
  void (*calls)(P&, Arguments<R>&) = nullptr;
};

template <class P>
struct Parameter {
  const char* name;
  const char* type;
  void (*set)(P&, double);
};

template <class P, int R>
struct Program {
  const char* name;
  const char* element;  // "float32" or "float64"
  int pad;
  std::vector<Parameter<P>> parameters;
  std::vector<Entry<P, R>> entries;
  Axes<R> axes = {};
  bool one_shape = false;  // of arrays that have shapes of their own elsewhere
};

template <class P, int R>
class ProgramOf final : public AnyProgram {
 public:
  explicit ProgramOf(const Program<P, R>& program) : program_(program) {
    name = program.name;
    element = program.element;
    rank = R;
    one_shape = program.one_shape;
    for (const auto& parameter : program.parameters)
      parameters.push_back({parameter.name, parameter.type});
    for (const auto& entry : program.entries)
      entries.push_back({entry.name, &entry.arguments, entry.refills, entry.times});
  }
  ~ProgramOf() override { ProgramOf::close(); }
  ProgramOf(const ProgramOf&) = delete;
  ProgramOf& operator=(const ProgramOf&) = delete;

  void start(int& count, char** words) override {
#ifdef KOKKOS_ENABLE_OPENMP
    // Kokkos warns of threads that are not bound, also where nothing runs on them.
    if constexpr (!std::is_same_v<Exec, Kokkos::OpenMP>) ::setenv("OMP_PROC_BIND", "false", 0);
#endif
    kokkos_.emplace(count, words);
  }
  void open(std::size_t entry, const std::vector<std::int64_t>& shape) override {
    Domain<R> domain{};
    for (int a = 0; a < R; ++a)
      domain.extent[a] = shape[static_cast<std::size_t>(program_.axes.of[a])];
    domain.pad = program_.pad;
    entry_ = &program_.entries.at(entry);
    state_.reset(new P{domain});
    arguments_ = std::make_unique<Arguments<R>>(entry_->arguments, domain, program_.axes);
  }
  void set(std::size_t parameter, double value) override {
    program_.parameters[parameter].set(*state_, value);
  }
  Slot& slot(std::size_t argument) override { return arguments_->slot(argument); }
  void call(bool several) override {
    (several ? entry_->calls : entry_->call)(*state_, *arguments_);
    Kokkos::fence();
  }
  void close() override {
    arguments_.reset();
    state_.reset();
    kokkos_.reset();
  }
  Machine machine() const override {
    Machine machine{Exec::name(), "", static_cast<int>(Exec().concurrency()), rhopsi_checked};
#ifdef KOKKOS_ENABLE_CUDA
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
      machine.device = Kokkos::Cuda().cuda_device_prop().name;
#endif
    return machine;
  }
  std::size_t peak_bytes() const override { return memory_use().peak; }

 private:
  const Program<P, R>& program_;
  std::optional<Kokkos::ScopeGuard> kokkos_;
  const Entry<P, R>* entry_ = nullptr;
  std::unique_ptr<P> state_;
  std::unique_ptr<Arguments<R>> arguments_;
};

template <class P, int R>
int run(int argc, char** argv, const Program<P, R>& program) {
  ProgramOf<P, R> any(program);
  return drive(argc, argv, any);
}

}  // namespace rhopsi::driver
