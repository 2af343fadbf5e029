// What a command line asks of a program, checked. Part of rhopsi_driver.cpp.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "checkpoint_file.hpp"
#include "npy_header.hpp"
#include "rhopsi_driver_options.hpp"
#include "rhopsi_driver_program.hpp"
#include "rhopsi_driver_values.hpp"

namespace rhopsi::driver {

// Finds everything that can be wrong before Kokkos starts and anything is computed.
class Request {
 public:
  Request(const Program& program, Options given)
      : options(std::move(given)),
        entry(find_entry(program, options.entry)),
        table(entry.arguments),
        own_shapes(std::any_of(table.begin(), table.end(), has_own_shape)),
        program_(program) {
    if (!options.restart.empty()) adopt_checkpoint();
    check_names();
    if (own_shapes)
      find_own_shapes();
    else
      find_shape();
    for (const auto& [name, path] : options.out) check_output(name, path);
    if (!options.checkpoint.empty()) check_folder(options.checkpoint);
  }

  // The array that the checkpoint holds, or null.
  const io::Checkpoint::Array* saved(const std::string& name) const {
    for (const auto& array : checkpoint.arrays)
      if (array.name == name) return &array;
    return nullptr;
  }

  Options options;
  const Entry& entry;
  Table<Argument> table;
  bool own_shapes;            // the entry's arrays have shapes of their own
  io::Checkpoint checkpoint;  // of --restart
  Shape shape;                // of the domain
  std::int64_t elements =
      1;  // of an array over the domain, or of the largest input that has a shape of its own

 private:
  static const Entry& find_entry(const Program& program, const std::string& wanted) {
    std::vector<std::string> names;
    for (const auto& entry : program.entries) {
      if (wanted == entry.name) return entry;
      names.emplace_back(entry.name);
    }
    if (names.empty()) throw Error("this program has no entries", codes::entry_needed);
    if (wanted.empty() && names.size() == 1) return program.entries[0];
    throw Error((wanted.empty() ? "--entry is needed" : "there is no entry '" + wanted + "'") +
                    "; the entries are: " + joined(names),
                wanted.empty() ? codes::entry_needed : codes::unknown_entry);
  }

  const Argument* find_argument(const std::string& name) const {
    for (const Argument& argument : table)
      if (shown(argument) == name) return &argument;
    return nullptr;
  }

  // --- names

  [[noreturn]] void unknown(const std::string& option, const std::string& name,
                            const std::string& what, bool (*fits)(const Argument&),
                            const std::vector<std::string>& more = {}) const {
    std::vector<std::string> names = more;
    for (std::size_t k = 0; k < table.size(); ++k)
      if (fits(table[k]) && !is_further_part(table, k)) names.push_back(shown(table[k]));
    throw Error(option + ": '" + name + "' is no " + what + " of " + entry.name +
                    (names.empty() ? "; it has none" : "; there are: " + joined(names)),
                option == "--set" ? codes::unknown_parameter : codes::unknown_argument);
  }

  bool is_value(const std::string& name) const {
    const auto is_named = [&](const auto& parameter) { return name == parameter.name; };
    const Argument* const argument = find_argument(name);
    return (argument != nullptr && is_setting(*argument)) ||
           std::any_of(program_.parameters.begin(), program_.parameters.end(), is_named);
  }

  void check_names() const {
    std::vector<std::string> parameters;
    for (const auto& parameter : program_.parameters) parameters.emplace_back(parameter.name);
    for (const auto& [name, path] : options.in) {
      const Argument* const argument = find_argument(name);
      if (argument == nullptr || !is_input(*argument))
        unknown("--in", name, "input array", is_input);
    }
    for (const auto& [name, value] : options.set)
      if (!is_value(name)) unknown("--set", name, "parameter or scalar", is_setting, parameters);
    for (const auto& [name, path] : options.out) {
      const Argument* const argument = find_argument(name);
      if (argument == nullptr || !is_output(*argument))
        unknown("--out", name, "array that comes out", is_output);
    }
    check_complete(parameters);
  }

  void check_complete(const std::vector<std::string>& parameters) const {
    std::vector<std::string> missing;
    for (const std::string& name : parameters)
      if (options.set.count(name) == 0) missing.push_back("--set " + name + "=VALUE");
    for (std::size_t k = 0; k < table.size(); ++k) {
      const Argument& argument = table[k];
      const std::string name = shown(argument);
      if (is_further_part(table, k)) continue;
      if (is_setting(argument) && options.set.count(name) == 0)
        missing.push_back("--set " + name + "=VALUE");
      if (is_input(argument) && options.in.count(name) == 0 && saved(name) == nullptr)
        missing.push_back("--in " + name + "=FILE.npy");
    }
    if (!missing.empty())
      throw Error(std::string(entry.name) + " still needs " + joined(missing),
                  codes::missing_values);
  }

  // --- shapes

  // The lengths of the domain where that array, of which not all elements count, has these.
  Shape whole(const std::string& name, Shape lengths) const {
    const Argument* const argument = find_argument(name);
    for (std::size_t a = 0; argument != nullptr && a < lengths.size() && a < rank(); ++a)
      lengths[static_cast<std::size_t>(program_.axes[a])] += argument->less[a];
    return lengths;
  }

  // An array, and whose it is.
  struct Named {
    std::string name;
    Shape shape;
    std::string whose;
  };
  void check_lengths(const Named& array) const {
    for (const Argument& argument : table) {
      if (shown(argument) != array.name) continue;
      const Shape wanted = lengths_of(argument, program_, shape);
      if (array.shape == wanted) continue;
      throw Error(array.whose + " has shape " + shape_text(array.shape) + ", not " +
                      shape_text(wanted) + ", which " + shape_text(shape) +
                      " of other arrays asks for",
                  codes::array_shape);
    }
  }

  // The shape is that of --shape, of the checkpoint, and of every input.
  void find_shape() {
    std::string source;
    const auto agree = [&](const Shape& found, const std::string& whose) {
      if (found.size() != rank())
        throw Error(whose + " has rank " + std::to_string(found.size()) + " (" + shape_text(found) +
                        "), but the program's arrays have rank " + std::to_string(rank()),
                    codes::array_shape);
      if (!source.empty() && found != shape)
        throw Error(whose + " has shape " + shape_text(found) + ", but " + source + " has " +
                        shape_text(shape),
                    codes::array_shape);
      if (source.empty()) source = whose;
      shape = found;
    };
    if (!options.shape.empty()) agree(options.shape, "--shape");
    if (!options.restart.empty() && !program_.one_shape) agree(checkpoint.shape, "the checkpoint");
    std::vector<Named> windows;
    const auto array = [&](const std::string& name, const Shape& found, std::string whose) {
      if (is_window(*find_argument(name)))
        windows.push_back({name, found, std::move(whose)});
      else
        agree(whole(name, found), whose);
    };
    for (const auto& saved : checkpoint.arrays)
      if (saved.shape) array(saved.name, *saved.shape, "'" + saved.name + "' of the checkpoint");
    for (const auto& [name, path] : options.in) {
      const io::NpyHeader header = io::read_npy_header(path);
      check_element(*find_argument(name), header.element, path);
      array(name, header.shape, "'" + path + "'");
    }
    // Of several that tell it the first.
    for (const Named& each : windows) {
      const auto domain = domain_of(*find_argument(each.name), program_, each.shape);
      if (source.empty() && domain) agree(*domain, each.whose);
    }
    if (rank() > 0 && source.empty())
      throw Error("--shape is needed: no input tells it", codes::bad_shape);
    for (const Named& each : windows) check_lengths(each);
    std::int64_t size = 1;
    for (const std::int64_t side : shape) {
      if (side == 0)
        throw Error("shape " + shape_text(shape) + " has no elements", codes::bad_shape);
      if (side > (std::int64_t{1} << 50) / size)
        throw Error("shape " + shape_text(shape) + " is too large", codes::bad_shape);
      size *= side;
    }
    elements = size;
  }

  // Every input brings its own; what comes out has the one that the entry gives it.
  void find_own_shapes() {
    if (!options.shape.empty())
      throw Error("--shape is given, but each array of " + std::string(entry.name) +
                      " has a shape of its own: that of its --in, or the one that comes out",
                  codes::bad_shape);
    elements = 0;
    for (const auto& [name, path] : options.in) {
      const io::NpyHeader header = io::read_npy_header(path);
      const Argument& argument = *find_argument(name);
      check_element(argument, header.element, path);
      check_rank(argument, header.shape, "'" + path + "'");
      elements = std::max(elements, static_cast<std::int64_t>(header.element_count));
    }
    for (const auto& array : checkpoint.arrays)
      elements = std::max(elements, elements_of(*array.shape));
  }

  static void check_rank(const Argument& argument, const Shape& found, const std::string& whose) {
    if (found.size() == static_cast<std::size_t>(argument.rank)) return;
    throw Error(whose + " has rank " + std::to_string(found.size()) + " (" + shape_text(found) +
                    "), but '" + shown(argument) + "' has rank " + std::to_string(argument.rank),
                codes::array_shape);
  }

  static void check_element(const Argument& argument, io::ElementType held,
                            const std::string& path) {
    const std::string wanted = element_of(argument);
    const bool real = held == io::ElementType::float32 || held == io::ElementType::float64;
    if (real && wanted.rfind("float", 0) != 0)
      throw Error("'" + path + "' holds " + io::to_string(held) + ", but '" + shown(argument) +
                      "' is an array of " + wanted,
                  codes::array_type);
  }

  // --- what is written

  void check_output(const std::string& name, const std::string& path) const {
    if (!ends_with(path, ".npy") && !ends_with(path, ".vti"))
      throw malformed("--out " + name + ": '" + path + "' ends neither in .npy nor in .vti");
    const Argument& argument = *find_argument(name);
    const std::size_t axes = is_window(argument) ? static_cast<std::size_t>(argument.given_axes)
                             : has_own_shape(argument) ? static_cast<std::size_t>(argument.rank)
                                                       : rank();
    const bool image = ends_with(path, ".vti");
    if (image && (axes < 1 || axes > 3))
      throw malformed("--out " + name + ": .vti holds arrays of rank 1 to 3, not " +
                      std::to_string(axes));
    // Elsewhere the ranks differ, and only those of images matter.
    if (options.spacing.size() > 1 && options.spacing.size() != axes && (image || !own_shapes))
      throw malformed("--spacing needs one distance or " + std::to_string(axes));
    for (const auto& [other, other_path] : options.out)
      if (other != name && other_path == path)
        throw malformed("--out: '" + name + "' and '" + other + "' are both to go to '" + path +
                        "'");
    check_folder(path);
  }

  static void check_folder(const std::string& path) {
    std::string folder = std::filesystem::path(path).parent_path().string();
    if (folder.empty()) folder = ".";
    if (access(folder.c_str(), W_OK | X_OK) != 0)
      throw Error("cannot write '" + path + "': " + std::strerror(errno), codes::unwritable);
  }

  // --- the checkpoint

  [[noreturn]] void refuse(const std::string& why) const {
    throw io::Error("restart from", options.restart, why);
  }

  // What the checkpoint saved stands in for --set; what both say is the user's choice. One that was
  // written by more of the program than is here may hold parameters of other entries.
  void adopt_checkpoint() {
    checkpoint = io::Checkpoint::read(options.restart);
    if (checkpoint.program != program_.name || checkpoint.entry != entry.name)
      refuse("it is of " + checkpoint.program + ", entry " + checkpoint.entry);
    if (checkpoint.step > options.repeat)
      refuse("it is of step " + std::to_string(checkpoint.step) + ", beyond --repeat " +
             std::to_string(options.repeat));
    for (const auto& array : checkpoint.arrays) check_saved(array);
    for (const auto& [name, value] : checkpoint.values) {
      if (!is_value(name)) continue;
      const auto [at, taken] = options.set.emplace(name, value);
      if (!taken && at->second != value && !options.quiet)
        std::fprintf(stderr, "note: %s is %s from here on; the checkpoint has %s\n", name.c_str(),
                     at->second.c_str(), value.c_str());
    }
    for (const Argument& argument : table)
      if (is_array(argument) && argument.mode == Mode::upd && saved(shown(argument)) == nullptr)
        refuse("it does not hold '" + shown(argument) + "'");
  }

  void check_saved(const io::Checkpoint::Array& array) const {
    const Argument* const argument = find_argument(array.name);
    if (argument == nullptr || argument->mode != Mode::upd ||
        argument->type != "array " + array.type)
      refuse("its array '" + array.name + "' of " + array.type + " is not one of this program's");
    if (options.in.count(array.name) > 0)
      refuse("--in " + array.name + " is given too, but the checkpoint holds it");
    if (array.shape.has_value() != (has_own_shape(*argument) || program_.one_shape))
      refuse("its array '" + array.name + "' has " +
             (array.shape ? "a shape of its own" : "the shape of the domain"));
    if (array.shape && !program_.one_shape)
      check_rank(*argument, *array.shape, "'" + array.name + "' of the checkpoint");
    if (!array.fills(array.shape.value_or(checkpoint.shape), size_of(array.type)))
      refuse("'" + array.name + "' has the wrong size");
  }

  std::size_t rank() const { return static_cast<std::size_t>(program_.rank); }

  const Program& program_;
};

}  // namespace rhopsi::driver
