// The arguments of an entry, whatever their types: fields and scalars in slots.
#pragma once

#include <charconv>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "npy.hpp"
#include "rhopsi_driver_options.hpp"
#include "rhopsi_shim.hpp"
#include "vti.hpp"

namespace rhopsi::driver {

enum class Mode { obs, upd, out, result };

inline const char* to_string(Mode mode) {
  switch (mode) {
    case Mode::obs: return "obs";
    case Mode::upd: return "upd";
    case Mode::out: return "out";
    case Mode::result: return "result";
  }
  return "";
}

struct Argument {
  const char* name;
  const char* type;  // "array float32", "float64", "int64", "bool", ...
  Mode mode;

  bool array() const { return std::string(type).rfind("array ", 0) == 0; }
  bool given() const { return mode == Mode::obs || mode == Mode::upd; }
  std::string element() const { return array() ? std::string(type).substr(6) : type; }
  // A result is called so on the command line, whatever the table says.
  std::string shown() const { return mode == Mode::result ? "result" : name; }
};

// Array files hold truth values as bytes.
template <class T>
using stored_t = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class T>
std::string type_name() {
  return io::to_string(io::element_type_of<stored_t<T>>());
}

// Reals by the shortest decimal that reads back as the same value.
template <class T>
std::string value_text(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else {
    char text[64];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
  }
}

template <class T>
T parse_value(const std::string& text, const std::string& what) {
  if constexpr (std::is_same_v<T, bool>) {
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
    throw Error(what + ": '" + text + "' is neither true nor false");
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(
        parse_integer(text, what, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  } else {
    return static_cast<T>(parse_real(text, what));
  }
}

// One argument. Scalars use parse and text, arrays the rest.
class Slot {
 public:
  explicit Slot(const Argument& argument) : argument(argument) {}
  virtual ~Slot() = default;
  virtual void parse(const std::string& text) = 0;
  virtual std::string text() const = 0;
  virtual void refresh() = 0;
  virtual void read_file(const std::string& path) = 0;
  virtual void write_file(const std::string& path, const std::vector<double>& spacing) const = 0;
  virtual std::vector<unsigned char> bytes() const = 0;
  virtual void restore(const std::vector<unsigned char>& bytes) = 0;

  const Argument argument;
};

template <class T>
class ScalarSlot : public Slot {
 public:
  using Slot::Slot;
  void parse(const std::string& text) override {
    value = parse_value<T>(text, "--set " + argument.shown());
  }
  std::string text() const override { return value_text(value); }
  void refresh() override {}
  void read_file(const std::string&) override {}
  void write_file(const std::string&, const std::vector<double>&) const override {}
  std::vector<unsigned char> bytes() const override { return {}; }
  void restore(const std::vector<unsigned char>&) override {}

  T value{};
};

inline bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

template <class T, int R>
class ArraySlot : public Slot {
 public:
  ArraySlot(const Argument& argument, const Domain<R>& domain) : Slot(argument), domain_(domain) {
    if (argument.mode != Mode::result) field = Field<T, R>(argument.name, domain);
  }
  void parse(const std::string&) override {}
  std::string text() const override { return {}; }

  void refresh() override {
    if (!field.empty() && !field.fresh()) refill_padding("driver: refill", domain_, field);
  }

  void read_file(const std::string& path) override {
    const io::NpyArray<stored_t<T>> file = io::read_npy<stored_t<T>>(path);
    copy_from_host(reinterpret_cast<const T*>(file.data.data()), field);
  }

  void write_file(const std::string& path, const std::vector<double>& spacing) const override {
    const std::vector<unsigned char> held = bytes();
    const auto* const data = reinterpret_cast<const stored_t<T>*>(held.data());
    const std::vector<std::int64_t> shape(domain_.extent, domain_.extent + R);
    if (ends_with(path, ".vti"))
      io::write_vti(path, {shape, spacing, {}}, {io::vti_field(argument.shown(), data)});
    else
      io::write_npy(path, shape, data);
  }

  std::vector<unsigned char> bytes() const override {
    if (!same_shape(field.domain(), domain_))
      throw Error("'" + argument.shown() + "' came back with shape " +
                  rhopsi::to_string(field.domain()) + ", not " + rhopsi::to_string(domain_));
    std::vector<unsigned char> held(static_cast<std::size_t>(domain_.size()) * sizeof(T));
    copy_to_host(field, reinterpret_cast<T*>(held.data()));
    return held;
  }

  void restore(const std::vector<unsigned char>& bytes) override {
    copy_from_host(reinterpret_cast<const T*>(bytes.data()), field);
  }

  Field<T, R> field;

 private:
  Domain<R> domain_;
};

// How to make slots, by type as the table writes it. Only the types that an entry asks for are
// compiled: its call of array<T> or scalar<T> enters T here before main begins.
template <int R>
using SlotMakers =
    std::map<std::string, std::unique_ptr<Slot> (*)(const Argument&, const Domain<R>&)>;

template <int R>
SlotMakers<R>& slot_makers() {
  static SlotMakers<R> makers;
  return makers;
}

template <class T, int R>
struct ArrayMaker {
  static std::unique_ptr<Slot> make(const Argument& argument, const Domain<R>& domain) {
    return std::make_unique<ArraySlot<T, R>>(argument, domain);
  }
  static inline const bool entered =
      slot_makers<R>().emplace("array " + type_name<T>(), make).second;
};

template <class T, int R>
struct ScalarMaker {
  static std::unique_ptr<Slot> make(const Argument& argument, const Domain<R>&) {
    return std::make_unique<ScalarSlot<T>>(argument);
  }
  static inline const bool entered = slot_makers<R>().emplace(type_name<T>(), make).second;
};

// What an entry is called with.
template <int R>
class Arguments {
 public:
  Arguments(const std::vector<Argument>& table, const Domain<R>& domain) {
    for (const Argument& argument : table) {
      const auto maker = slot_makers<R>().find(argument.type);
      if (maker == slot_makers<R>().end())
        throw Error("internal: no entry asks for an argument of type '" +
                    std::string(argument.type) + "'");
      slots_.push_back(maker->second(argument, domain));
    }
  }

  template <class T>
  auto& array(int k) {
    static_assert(R > 0, "a program of rank 0 has no arrays");
    (void)ArrayMaker<T, R>::entered;
    auto* const slot = dynamic_cast<ArraySlot<T, R>*>(slots_.at(static_cast<std::size_t>(k)).get());
    if (slot == nullptr) mistyped(k, "array " + type_name<T>());
    return slot->field;
  }

  template <class T>
  T& scalar(int k) {
    (void)ScalarMaker<T, R>::entered;
    auto* const slot = dynamic_cast<ScalarSlot<T>*>(slots_.at(static_cast<std::size_t>(k)).get());
    if (slot == nullptr) mistyped(k, type_name<T>());
    return slot->value;
  }

  const std::vector<std::unique_ptr<Slot>>& slots() const { return slots_; }

 private:
  [[noreturn]] void mistyped(int k, const std::string& wanted) const {
    const Argument& argument = slots_.at(static_cast<std::size_t>(k))->argument;
    throw Error("internal: argument '" + argument.shown() + "' is " + argument.type +
                " in the table and " + wanted + " in the call");
  }

  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace rhopsi::driver
