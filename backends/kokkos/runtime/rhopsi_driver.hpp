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
  void load(const void*) override {}
  void store(void*) const override {}
  void refresh() override {}

  T held{};
};

template <class T, int R>
class ArraySlot final : public Slot {
 public:
  ArraySlot(const Argument& argument, const Domain<R>& domain) : domain_(domain) {
    if (argument.mode != Mode::result) field = Field<T, R>(argument.name, domain);
  }
  void* value() override { return nullptr; }
  void load(const void* elements) override {
    copy_from_host(static_cast<const T*>(elements), field);
  }
  void store(void* elements) const override {
    if (!same_shape(field.domain(), domain_))
      throw Error("it came back with shape " + rhopsi::to_string(field.domain()) + ", not " +
                      rhopsi::to_string(domain_),
                  codes::shapes);
    copy_to_host(field, static_cast<T*>(elements));
  }
  void refresh() override {
    if (!field.empty() && !field.fresh()) refill_padding("driver: refill", domain_, field);
  }

  Field<T, R> field;

 private:
  Domain<R> domain_;
};

// How to make slots, by type as the table writes it. Only the types that an entry asks for are
// compiled: its call of array<T> or scalar<T> enters T here before main begins.
template <int R>
struct Maker {
  const char* type;
  std::unique_ptr<Slot> (*make)(const Argument&, const Domain<R>&);
  Maker* next;
};

template <int R>
inline Maker<R>* makers = nullptr;

template <class S, class T, int R, bool Array>
struct Entered {
  static std::unique_ptr<Slot> make(const Argument& argument, const Domain<R>& domain) {
    if constexpr (Array)
      return std::make_unique<S>(argument, domain);
    else
      return std::make_unique<S>();
  }
  static bool enter() {
    static Maker<R> maker{type_name<T>(Array), make, makers<R>};
    makers<R> = &maker;
    return true;
  }
  static inline const bool done = enter();
};

// What an entry is called with.
template <int R>
class Arguments {
 public:
  Arguments(const std::vector<Argument>& table, const Domain<R>& domain) : table_(table) {
    for (const Argument& argument : table) {
      const Maker<R>* maker = makers<R>;
      while (maker != nullptr && std::strcmp(maker->type, argument.type) != 0) maker = maker->next;
      if (maker == nullptr)
        throw Error(std::string("internal: no entry asks for an argument of type '") +
                    argument.type + "'");
      slots_.push_back(maker->make(argument, domain));
    }
  }

  template <class T>
  auto& array(int k) {
    static_assert(R > 0, "a program of rank 0 has no arrays");
    (void)Entered<ArraySlot<T, R>, T, R, true>::done;
    return static_cast<ArraySlot<T, R>&>(slot(k, type_name<T>(true))).field;
  }

  template <class T>
  T& scalar(int k) {
    (void)Entered<ScalarSlot<T>, T, R, false>::done;
    return static_cast<ScalarSlot<T>&>(slot(k, type_name<T>())).held;
  }

  Slot& slot(std::size_t k) { return *slots_.at(k); }

 private:
  Slot& slot(int k, const char* wanted) {
    const Argument& argument = table_.at(static_cast<std::size_t>(k));
    if (std::strcmp(argument.type, wanted) == 0) return *slots_[static_cast<std::size_t>(k)];
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
};

template <class P, int R>
class ProgramOf final : public AnyProgram {
 public:
  explicit ProgramOf(const Program<P, R>& program) : program_(program) {
    name = program.name;
    element = program.element;
    rank = R;
    for (const auto& parameter : program.parameters)
      parameters.push_back({parameter.name, parameter.type});
    for (const auto& entry : program.entries) entries.push_back({entry.name, &entry.arguments});
  }
  ~ProgramOf() override { ProgramOf::close(); }
  ProgramOf(const ProgramOf&) = delete;
  ProgramOf& operator=(const ProgramOf&) = delete;

  void start(int& count, char** words) override { kokkos_.emplace(count, words); }
  void open(std::size_t entry, const std::vector<std::int64_t>& shape) override {
    Domain<R> domain{};
    for (int a = 0; a < R; ++a) domain.extent[a] = shape[static_cast<std::size_t>(a)];
    domain.pad = program_.pad;
    entry_ = &program_.entries.at(entry);
    state_.reset(new P{domain});
    arguments_ = std::make_unique<Arguments<R>>(entry_->arguments, domain);
  }
  void set(std::size_t parameter, double value) override {
    program_.parameters[parameter].set(*state_, value);
  }
  Slot& slot(std::size_t argument) override { return arguments_->slot(argument); }
  void call() override {
    entry_->call(*state_, *arguments_);
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
      machine.device = Exec().cuda_device_prop().name;
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
