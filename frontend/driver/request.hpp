// What a user asks `emit` and `run` to do, as plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/onf/primitive.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

enum class Target { serial, openmp, cuda };
enum class Backend { kokkos, reference };
// What emit gives: C++, or an earlier stage as text; `steps` is what explain says of a schedule.
enum class Stage { cxx, ast, terms, dnf, onf, schedule, steps };

// "serial", "openmp", "cuda"; "kokkos", "reference".
std::string to_string(Target target);
std::string to_string(Backend backend);

// name=value of --in, --out or --set.
struct Pair {
  std::string name;
  std::string value;
  syntax::Span place = {};   // where it stands in a file
  std::string written = {};  // by the user, where that is not the value

  const std::string& shown() const { return written.empty() ? value : written; }
};

struct RunRequest {
  std::string file;
  std::string program;
  std::string entry;                // empty: the only procedure
  std::uint64_t repeat = 1;         // the step to reach; a restart counts on
  std::vector<std::int64_t> shape;  // of the domain; empty: the first input's
  std::vector<Pair> inputs;
  std::vector<Pair> outputs;
  std::vector<Pair> settings;
  onf::Scalar real = onf::Scalar::float64;
  std::optional<Target> target;  // absent: the best that the Kokkos at hand has
  Backend backend = Backend::kokkos;
  bool checked = false;
  bool reassociate = false;  // of the kokkos backend; a program may say so itself
  // Of the kokkos backend: a recipe's name; empty: none. Absent: what was tuned, or what is
  // predicted to be fastest.
  std::optional<std::string> schedule;
  std::uint64_t every = 0;  // outputs every so many steps; 0: at the end
  std::string checkpoint;
  std::uint64_t checkpoint_every = 0;
  std::string restart;
  std::vector<double> spacing;  // of .vti files: one for all axes, or one each
  std::string certificate;      // file for the derivation of the program; empty: none
  bool quiet = false;           // no progress
  bool json = false;
};

struct EmitRequest {
  std::string file;
  std::string program;
  std::string entry;                     // empty: all of them
  std::optional<Target> target = {};     // nothing: where Kokkos runs things by default
  int rank = 3;                          // where the program does not state it
  std::vector<std::int64_t> shape = {};  // that the schedule is chosen for; empty: large
  // Of arrays that have another one, by their names.
  std::map<std::string, std::vector<std::int64_t>> shapes = {};
  onf::Scalar real = onf::Scalar::float64;
  bool checked = false;
  bool reassociate = false;             // as of a run
  std::optional<std::string> schedule;  // as of a run
  Stage stage = Stage::cxx;
  bool force = false;
  bool python = false;  // a module for Python too
  std::string folder;
  std::string depfile;      // file for what the folder is made from; empty: none
  std::string certificate;  // as of a run
};

// Of compiled programs.
inline constexpr std::size_t most_axes = 6;

// --- reading options; each adds E0810 or E0811 and returns nothing where it cannot

// `a=b c=d`; the name is what stands before the first `=`. `option` names the option in
// messages. `places` are those of the texts, where they stand in a file, or none.
std::optional<std::vector<Pair>> read_pairs(const std::string& option,
                                            const std::vector<std::string>& texts,
                                            syntax::Diagnostics& diagnostics,
                                            const std::vector<syntax::Span>& places = {});

// "128,128,96": lengths of at least 1 whose product fits into 63 bits. At most 6 axes.
// `name`: what stands before them, "c=", for messages.
std::optional<std::vector<std::int64_t>> read_shape(const std::string& text,
                                                    syntax::Diagnostics& diagnostics,
                                                    const std::string& name = "");

// Of several --shape: one as above, and any number of `name=512,4` for arrays that have another, or
// `name=` for one that has no axes.
struct Shapes {
  std::vector<std::int64_t> domain = {};
  std::map<std::string, std::vector<std::int64_t>> others = {};
};
std::optional<Shapes> read_shapes(const std::vector<std::string>& texts,
                                  syntax::Diagnostics& diagnostics);

// A finite decimal number; "true" and "false" too, as 1 and 0. `option` is what the value
// was given to, for messages: "--set nu".
std::optional<double> read_number(const std::string& option, const std::string& text,
                                  syntax::Diagnostics& diagnostics);

// "0.1" or "0.1,0.1,0.2": positive numbers.
std::optional<std::vector<double>> read_spacing(const std::string& text,
                                                syntax::Diagnostics& diagnostics);

// The number of elements of an array that there is, or whose shape read_shape() has accepted.
std::size_t element_count(const std::vector<std::int64_t>& shape);

// "20x24x28".
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace rhopsi::driver
