// What an emitted main tells the driver of its program.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "rhopsi_driver_values.hpp"

namespace rhopsi::driver {

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

inline std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

inline std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t side : shape) text += (text.empty() ? "" : "x") + std::to_string(side);
  return text.empty() ? "a scalar" : text;
}

// file.npy -> file-40.npy
inline std::string with_step(const std::string& path, std::int64_t step) {
  const std::size_t stem = path.size() - 4;
  return path.substr(0, stem) + "-" + std::to_string(step) + path.substr(stem);
}

template <class P, int R>
void print_help(const Program<P, R>& program) {
  std::printf("usage: %s [options]\n\noptions:\n%s\nentries:\n", program.name, options_text);
  for (const auto& entry : program.entries) {
    std::printf("  %s\n", entry.name);
    for (const Argument& argument : entry.arguments)
      std::printf("    %-7s %s: %s\n", to_string(argument.mode), argument.shown().c_str(),
                  argument.type);
  }
  if (!program.parameters.empty()) std::printf("\nparameters:\n");
  for (const auto& parameter : program.parameters)
    std::printf("  %s: %s\n", parameter.name, parameter.type);
}

}  // namespace rhopsi::driver
