// What of a program can be run, and whether a request fits it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "engine/onf/primitive.hpp"
#include "engine/term/theory.hpp"
#include "frontend/driver/request.hpp"
#include "frontend/driver/session.hpp"

namespace rhopsi::driver {

// One argument of an entry as the command line names it; a function's result is the last,
// named `result`. Arrays go through --in and --out, numbers through --set.
struct EntryArgument {
  std::string name;
  onf::Representation type;
  bool read = true;
  bool written = false;
  term::LocationId location{};

  bool array() const { return type.kind == onf::Representation::Kind::array; }
};

struct Entry {
  const term::Callable* callable = nullptr;  // into the program that was asked
  std::string name;
  bool procedure = false;
  std::vector<EntryArgument> arguments;
};

// A run-time parameter: a nullary function that an `external` parameter block declares.
struct RunParameter {
  std::string name;
  onf::Scalar type = onf::Scalar::float64;
  term::LocationId location{};
  term::SymbolId symbol{};
};

// The operations with bodies whose arguments and results are arrays and numbers only, in
// order of declaration.
std::vector<Entry> entries(Session& session, const term::Theory& program);

std::vector<RunParameter> parameters(Session& session, const term::Theory& program);
// Those that a call of the entry may read: a run of it needs their values, and no others.
std::vector<RunParameter> parameters(Session& session, const term::Theory& program,
                                     const Entry& entry);

// Does a type of the program stand for arrays?
bool has_arrays(Session& session, const term::Theory& program);

// Do its arrays have shapes of their own, which inputs bring and functions give? A run then has
// no shape.
bool has_own_shapes(Session& session, const term::Theory& program);

// The entry of that name, or without one the only procedure (E0801, E0802). Messages name a dozen
// of the program's own operations at most, not those of the rule library.
std::optional<Entry> find_entry(Session& session, const term::Theory& program,
                                const std::string& name, syntax::Diagnostics& diagnostics);

// The run's shape before anything is known about the program: --shape, else the
// checkpoint's, else that of the first input that can be read; empty where there is none.
// Unreadable files are left to check_request.
std::vector<std::int64_t> shape_of(const RunRequest& request);
// Of a run whose arrays need one, where there is none (E0816).
void report_missing_shape(syntax::Diagnostics& diagnostics);

// Where arrays have shapes of their own: the number of axes of each array that the entry reads, by
// its name, as the checkpoint and the inputs tell it. What cannot be read is left out, for
// check_request.
std::map<std::string, std::size_t> ranks_of(const RunRequest& request, const Entry& entry);

// What an entry's arrays have, as far as it is known.
struct EntryShapes {
  Entry entry;
  std::map<std::string, std::vector<std::int64_t>> shapes;  // by name
};
// By the checkpoint and the inputs.
EntryShapes shapes_of(const RunRequest& request, const Entry& entry);
// By what EmitRequest says.
EntryShapes shapes_of(const EmitRequest& request, const Entry& entry);

// The lengths of all arrays that an entry reads, by their names: of the one whose lengths a domain
// has, by how many elements along each axis others are shorter, and what those have that only come
// in and are neither as long nor that.
struct OneShape {
  std::vector<std::int64_t> lengths = {};
  std::map<std::string, std::vector<std::int64_t>> less = {};
  std::map<std::string, std::vector<std::int64_t>> others = {};
  // Which axis of arrays with one more than the domain is taken apart (onf::take_stacks_apart);
  // these are among the others.
  std::optional<std::size_t> stacked = std::nullopt;
};

// Of arrays of these lengths, by their names. The domain is that of the first array of most axes
// among those that are written, too, or among all where none is; arrays that are written have its
// lengths, or are a few elements shorter. Where that is not so, it is as long as the longest of
// those that are written, along each axis. Otherwise what they have instead: "u has the shape 3x4,
// v 3x15"; nothing where one cannot be read.
tl::expected<OneShape, std::string> one_shape_of(
    const std::map<std::string, std::vector<std::int64_t>>& shapes, const Entry& entry);
// Of all these entries, by the arrays that each reads; the first array of each has this shape, or
// the first entry has a staggered grid.
tl::expected<OneShape, std::string> one_shape_of(const std::vector<EntryShapes>& entries,
                                                 const std::vector<std::int64_t>& shape);
// The ways in which the arrays may be stacks of arrays over a domain, along their first or last
// axis.
std::vector<OneShape> stacked_shapes_of(const std::vector<EntryShapes>& entries);

// Every name, header, type, shape and parameter of the request against the program, and
// every folder that is to be written to; all mistakes at once (E0810 to E0822, E0830).
// `request.shape` must be set if the program has arrays over the run's domain.
void check_request(Session& session, const RunRequest& request, const term::Theory& program,
                   const Entry& entry, syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
