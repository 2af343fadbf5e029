// Arguments as text, as bytes and as files, by the type that the table names. Part of
// rhopsi_driver.cpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "rhopsi_driver_options.hpp"
#include "rhopsi_driver_program.hpp"

namespace rhopsi::driver {

inline const char* to_string(Mode mode) {
  switch (mode) {
    case Mode::obs:
      return "obs";
    case Mode::upd:
      return "upd";
    case Mode::out:
      return "out";
    case Mode::result:
      return "result";
  }
  return "";
}

inline bool starts_with(const std::string& text, const std::string& begin) {
  return text.compare(0, begin.size(), begin) == 0;
}
inline bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

inline bool is_array(const Argument& a) { return starts_with(a.type, "array "); }
inline bool is_given(const Argument& a) { return a.mode == Mode::obs || a.mode == Mode::upd; }
// Is it a part of an array of the callers?
inline bool is_window(const Argument& a) { return a.given_axes >= 0; }
inline bool is_input(const Argument& a) { return (is_array(a) || is_window(a)) && is_given(a); }
inline bool is_setting(const Argument& a) { return !is_array(a) && !is_window(a) && is_given(a); }
// Stands another part of the same array before it?
inline bool is_further_part(const Table<Argument>& table, std::size_t k) {
  return is_window(table[k]) && std::any_of(table.begin(), table.begin() + k, [&](const auto& a) {
           return std::strcmp(a.name, table[k].name) == 0;
         });
}
// The arguments that are parts of that array of the callers, or are that array.
inline std::vector<std::size_t> parts_of(const Table<Argument>& table, std::size_t k) {
  if (!is_window(table[k])) return {k};
  std::vector<std::size_t> parts;
  for (std::size_t j = 0; j < table.size(); ++j)
    if (is_window(table[j]) && std::strcmp(table[j].name, table[k].name) == 0) parts.push_back(j);
  return parts;
}
// Has the callers' array that axis of the domain?
inline bool has_axis(const Argument& a, int axis) {
  return !is_window(a) || std::any_of(a.given, a.given + a.given_axes,
                                      [&](const Argument::Given& each) { return each.of == axis; });
}
inline bool is_output(const Argument& a) { return is_array(a) && a.mode != Mode::obs; }
inline bool has_own_shape(const Argument& a) { return a.rank != of_the_domain; }
inline std::string element_of(const Argument& a) { return is_array(a) ? a.type + 6 : a.type; }
// A result is called so on the command line, whatever the table says.
inline std::string shown(const Argument& a) { return a.mode == Mode::result ? "result" : a.name; }

template <class T>
struct Type {
  using type = T;
};

// Calls f(Type<T>{}) for the element type of that name.
template <class F>
auto with_type(const std::string& name, F f) {
  if (name == "float32") return f(Type<float>{});
  if (name == "float64") return f(Type<double>{});
  if (name == "int32") return f(Type<std::int32_t>{});
  if (name == "int64") return f(Type<std::int64_t>{});
  return f(Type<bool>{});
}

// Array files hold truth values as bytes.
template <class T>
using stored_t = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class T>
std::string value_text(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else {
    return number_text(value);
  }
}

template <class T>
T parse_value(const std::string& text, const std::string& what) {
  if constexpr (std::is_same_v<T, bool>) {
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
    throw Error(what + ": '" + text + "' is neither true nor false", codes::malformed_option);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(
        parse_integer(text, what, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  } else {
    return static_cast<T>(parse_real(text, what));
  }
}

inline std::size_t size_of(const std::string& element) {
  return with_type(element, [](auto type) { return sizeof(typename decltype(type)::type); });
}

inline void set_scalar(const Argument& argument, void* value, const std::string& text) {
  with_type(argument.type, [&](auto type) {
    using T = typename decltype(type)::type;
    *static_cast<T*>(value) = parse_value<T>(text, "--set " + shown(argument));
  });
}

inline std::string scalar_text(const Argument& argument, const void* value) {
  return with_type(argument.type, [&](auto type) {
    return value_text(*static_cast<const typename decltype(type)::type*>(value));
  });
}

using Shape = std::vector<std::int64_t>;

// Of an array that is in memory.
inline std::int64_t elements_of(const Shape& shape) {
  std::int64_t product = 1;
  for (const std::int64_t side : shape) product *= side;
  return product;
}

inline std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

inline std::string shape_text(const Shape& shape) {
  std::string text;
  for (const std::int64_t side : shape) text += (text.empty() ? "" : "x") + std::to_string(side);
  return text.empty() ? "a scalar" : text;
}

// Of an array that is not one over the domain in this program, its lengths where the domain has
// these, in the callers' order of axes.
inline Shape lengths_of(const Argument& argument, const Program& program, const Shape& domain) {
  Shape found;
  for (int k = 0; k < argument.given_axes; ++k) {
    const Argument::Given& axis = argument.given[k];
    const bool whole = axis.of >= 0;
    found.push_back(axis.more +
                    (whole ? domain[static_cast<std::size_t>(program.axes[axis.of])] : 0));
  }
  return found;
}

// The lengths of the domain where such an array has these; nothing where they do not tell all.
inline std::optional<Shape> domain_of(const Argument& argument, const Program& program,
                                      const Shape& lengths) {
  Shape domain(static_cast<std::size_t>(program.rank), -1);
  if (lengths.size() != static_cast<std::size_t>(argument.given_axes)) return std::nullopt;
  for (int k = 0; k < argument.given_axes; ++k) {
    const Argument::Given& axis = argument.given[k];
    if (axis.of < 0) continue;
    domain[static_cast<std::size_t>(program.axes[axis.of])] =
        lengths[static_cast<std::size_t>(k)] - axis.more;
  }
  const bool all = std::all_of(domain.begin(), domain.end(), [](auto n) { return n >= 0; });
  return all ? std::optional(std::move(domain)) : std::nullopt;
}

// file.npy -> file-40.npy
inline std::string with_step(const std::string& path, std::int64_t step) {
  const std::size_t stem = path.size() - 4;
  return path.substr(0, stem) + "-" + std::to_string(step) + path.substr(stem);
}

}  // namespace rhopsi::driver
