#include "frontend/driver/entries.hpp"

#include <algorithm>

#include "backends/io/checkpoint_file.hpp"
#include "backends/io/npy.hpp"
#include "engine/lower/reached.hpp"
#include "engine/onf/stacks.hpp"
#include "frontend/driver/codes.hpp"
#include "frontend/driver/locations.hpp"
#include "frontend/driver/nearest.hpp"

namespace rhopsi::driver {
namespace {

using Kind = onf::Representation::Kind;

// What a sort stands for, if values of it can come from outside.
std::optional<onf::Representation> outside(Session& session, const term::Theory& program,
                                           term::SortId sort) {
  auto type = onf::representation_of(session.store(), program, sort, session.table());
  if (!type || (type->kind != Kind::scalar && type->kind != Kind::array)) return std::nullopt;
  return type;
}

std::optional<Entry> entry_of(Session& session, const term::Theory& program,
                              const term::Callable& callable) {
  const term::Symbol& symbol = session.store()[callable.symbol];
  Entry entry{&callable, symbol.name, symbol.kind == term::SymbolKind::procedure, {}};
  for (std::size_t i = 0; i < callable.parameters.size(); ++i) {
    const auto type = outside(session, program, symbol.parameters[i]);
    if (!type) return std::nullopt;
    const term::Mode mode = i < symbol.modes.size() ? symbol.modes[i] : term::Mode::obs;
    entry.arguments.push_back({session.store()[callable.parameters[i]].name, *type,
                               mode != term::Mode::out, mode != term::Mode::obs,
                               callable.location});
  }
  if (entry.procedure) return entry;
  const auto type = outside(session, program, symbol.result);
  if (!type) return std::nullopt;
  entry.arguments.push_back({"result", *type, false, true, callable.location});
  return entry;
}

// Each once, in order. Where the rule library has declared all of them they are the program's own.
std::vector<std::string> own_names(Session& session, const std::vector<Entry>& all) {
  std::vector<std::string> own, others;
  for (const Entry& entry : all) {
    const std::string& file = session.store()[entry.callable->location].file;
    std::vector<std::string>& names = in_rule_library(file) ? others : own;
    if (std::ranges::count(names, entry.name) == 0) names.push_back(entry.name);
  }
  return own.empty() ? others : own;
}

constexpr std::size_t most_names = 12;

bool contains(const std::vector<const term::Callable*>& all, const term::Callable* one) {
  return std::ranges::find(all, one) != all.end();
}

// Why there is no entry of that name.
void explain_unknown(Session& session, const term::Theory& program, const std::string& name,
                     const std::vector<Entry>& all, syntax::Diagnostics& diagnostics) {
  const std::string advice =
      suggest(name, own_names(session, all), "nothing in this program can be run", most_names);
  for (const term::Callable* callable : program.overloads(session.store(), name)) {
    diagnostics.error(codes::unknown_entry, session.span(callable->location),
                      "'" + name + "' cannot be run: " +
                          (callable->body ? "an argument or its result is neither an array nor "
                                            "a number"
                                          : "it is no operation of the program's own"),
                      advice);
    return;
  }
  diagnostics.error(codes::unknown_entry, {},
                    "'" + program.name + "' has no procedure or function '" + name + "'", advice);
}

}  // namespace

std::vector<Entry> entries(Session& session, const term::Theory& program) {
  std::vector<Entry> all;
  for (const term::Callable& callable : program.callables) {
    if (!callable.body) continue;
    if (auto entry = entry_of(session, program, callable)) all.push_back(std::move(*entry));
  }
  return all;
}

std::vector<RunParameter> parameters(Session& session, const term::Theory& program) {
  std::vector<RunParameter> all;
  for (const term::Callable& callable : program.callables) {
    const auto primitive = onf::primitive_of(session.store(), program, callable, session.table());
    if (!primitive || primitive->kind != onf::Primitive::Kind::parameter) continue;
    const term::Symbol& symbol = session.store()[callable.symbol];
    const auto type = outside(session, program, symbol.result);
    all.push_back(
        {symbol.name, type ? type->scalar : session.real(), callable.location, callable.symbol});
  }
  return all;
}

std::vector<RunParameter> parameters(Session& session, const term::Theory& program,
                                     const Entry& entry) {
  std::vector<RunParameter> all = parameters(session, program);
  if (all.empty()) return all;
  const auto needed =
      lower::reached(session.store(), program, session.table(), {entry.callable->symbol});
  std::erase_if(all, [&](const RunParameter& each) { return !needed.contains(each.symbol); });
  return all;
}

bool has_arrays(Session& session, const term::Theory& program) {
  for (const term::Type& type : program.types) {
    const auto outer = outside(session, program, type.sort);
    if (outer && outer->kind == Kind::array) return true;
  }
  return false;
}

bool has_own_shapes(Session& session, const term::Theory& program) {
  return onf::has_own_shapes(session.store(), program, session.table());
}

std::optional<Entry> find_entry(Session& session, const term::Theory& program,
                                const std::string& name, syntax::Diagnostics& diagnostics) {
  const std::vector<Entry> all = entries(session, program);
  const auto defined = program.defined(session.store(), name);
  std::vector<Entry> fitting;
  for (const Entry& entry : all) {
    const bool fits = name.empty() ? entry.procedure : contains(defined, entry.callable);
    if (fits) fitting.push_back(entry);
  }
  if (fitting.size() == 1) return fitting.front();
  if (name.empty()) {
    const bool none = fitting.empty();
    diagnostics.error(
        codes::entry_needed, {},
        "'" + program.name + "' has " + (none ? "no procedure" : "several procedures") +
            ": which operation shall run?",
        all.empty() ? "declare one: procedure NAME(upd a: Array) { ... }"
                    : "name one with --entry; there are: " +
                          enumerate(own_names(session, none ? all : fitting), most_names));
  } else if (fitting.empty()) {
    explain_unknown(session, program, name, all, diagnostics);
  } else {
    diagnostics.error(codes::entry_needed, session.span(fitting[1].callable->location),
                      "'" + program.name + "' has several operations '" + name + "'",
                      "give the one to run a name of its own, by a renaming");
  }
  return std::nullopt;
}

std::vector<std::int64_t> shape_of(const RunRequest& request) {
  if (!request.shape.empty()) return request.shape;
  if (!request.restart.empty()) {
    try {
      return io::Checkpoint::read_head(request.restart).shape;
    } catch (const io::Error&) {
      return {};  // check_request will report it
    }
  }
  for (const Pair& input : request.inputs) {
    try {
      return io::read_npy_header(input.value).shape;
    } catch (const io::Error&) {
      continue;  // check_request will report it
    }
  }
  return {};
}

void report_missing_shape(syntax::Diagnostics& diagnostics) {
  diagnostics.error(codes::bad_shape, {}, "no --shape, and no input tells the shape of the arrays",
                    "add --shape with a length for each axis: --shape 128,128,96");
}

EntryShapes shapes_of(const RunRequest& request, const Entry& entry) {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  const auto add = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
    for (const EntryArgument& argument : entry.arguments) {
      if (argument.name == name && argument.array() && argument.read) shapes[name] = shape;
    }
  };
  try {
    if (!request.restart.empty()) {
      for (const auto& array : io::Checkpoint::read_head(request.restart).arrays) {
        if (array.shape) add(array.name, *array.shape);
      }
    }
  } catch (const io::Error&) {  // check_request will report it
  }
  for (const Pair& input : request.inputs) {
    try {
      add(input.name, io::read_npy_header(input.value).shape);
    } catch (const io::Error&) {
      continue;
    }
  }
  return {entry, std::move(shapes)};
}

EntryShapes shapes_of(const EmitRequest& request, const Entry& entry) {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  for (const EntryArgument& argument : entry.arguments) {
    if (!argument.array() || !argument.read) continue;
    const auto own = request.shapes.find(argument.name);
    shapes[argument.name] = own == request.shapes.end() ? request.shape : own->second;
  }
  return {entry, std::move(shapes)};
}

std::map<std::string, std::size_t> ranks_of(const RunRequest& request, const Entry& entry) {
  std::map<std::string, std::size_t> ranks;
  for (const auto& [name, shape] : shapes_of(request, entry).shapes) ranks[name] = shape.size();
  return ranks;
}

namespace {

using Lengths = std::vector<std::int64_t>;

// By how many elements it is shorter along each axis; nothing: by many, or it is longer.
std::optional<std::vector<std::int64_t>> shorter_by(const std::vector<std::int64_t>& lengths,
                                                    const std::vector<std::int64_t>& than) {
  // What is computed over longer arrays than it has is work for nothing.
  constexpr std::int64_t few = 8;
  if (lengths.size() != than.size()) return std::nullopt;
  std::vector<std::int64_t> less;
  for (std::size_t axis = 0; axis < than.size(); ++axis) {
    less.push_back(than[axis] - lengths[axis]);
    if (less.back() < 0 || less.back() > few) return std::nullopt;
  }
  return less;
}

// Of arrays none of which is as long as the others along every axis, as the fields on the faces of
// a staggered grid: the domain is as long as the longest along each. Nothing where those that are
// written are more than a few elements shorter.
std::optional<OneShape> longest_of(const std::vector<const EntryArgument*>& arrays,
                                   const std::map<std::string, Lengths>& shapes, std::size_t rank) {
  OneShape found;
  found.lengths.assign(rank, 0);
  for (const EntryArgument* const argument : arrays) {
    const Lengths& lengths = shapes.at(argument->name);
    if (!argument->written) continue;
    if (lengths.size() != rank) return std::nullopt;
    for (std::size_t axis = 0; axis < rank; ++axis)
      found.lengths[axis] = std::max(found.lengths[axis], lengths[axis]);
  }
  for (const EntryArgument* const argument : arrays) {
    const Lengths& lengths = shapes.at(argument->name);
    if (lengths == found.lengths) continue;
    if (auto less = shorter_by(lengths, found.lengths)) {
      found.less[argument->name] = std::move(*less);
    } else if (argument->written) {
      return std::nullopt;
    } else {
      found.others[argument->name] = lengths;
    }
  }
  if (std::ranges::count(found.lengths, 0) > 0) return std::nullopt;
  return found;
}

}  // namespace

tl::expected<OneShape, std::string> one_shape_of(
    const std::map<std::string, std::vector<std::int64_t>>& shapes, const Entry& entry) {
  OneShape found;
  std::vector<const EntryArgument*> arrays;
  for (const EntryArgument& argument : entry.arguments) {
    if (!argument.array() || !argument.read) continue;
    if (!shapes.contains(argument.name)) return tl::unexpected(std::string());
    arrays.push_back(&argument);
  }
  const bool any_written = std::ranges::any_of(arrays, &EntryArgument::written);
  auto first = shapes.end();
  for (const EntryArgument* const argument : arrays) {
    if (any_written && !argument->written) continue;
    const auto shape = shapes.find(argument->name);
    if (first == shapes.end() || shape->second.size() > first->second.size()) first = shape;
  }
  bool before = true;  // the first one
  for (const EntryArgument* const argument : arrays) {
    const auto shape = shapes.find(argument->name);
    if (shape == first) before = false;
    if (first->second == shape->second) continue;
    if (auto less = before ? std::nullopt : shorter_by(shape->second, first->second)) {
      found.less[argument->name] = std::move(*less);
    } else if (!argument->written) {
      found.others[argument->name] = shape->second;
    } else if (auto longest = longest_of(arrays, shapes, first->second.size())) {
      return std::move(*longest);
    } else {
      return tl::unexpected(first->first + " has the shape " + shape_text(first->second) + ", " +
                            shape->first + " " + shape_text(shape->second));
    }
  }
  if (first == shapes.end()) return tl::unexpected(std::string("no array comes in"));
  if (first->second.empty()) return tl::unexpected(first->first + " has no axes");
  found.lengths = first->second;
  if (std::ranges::count(first->second, 0) == 0) return found;
  return tl::unexpected(first->first + " has no elements");
}

tl::expected<OneShape, std::string> one_shape_of(const std::vector<EntryShapes>& entries,
                                                 const std::vector<std::int64_t>& shape) {
  OneShape all;
  all.lengths = shape;
  for (const EntryShapes& each : entries) {
    const auto& [entry, shapes] = each;
    auto found = one_shape_of(shapes, entry);
    if (!found && shapes.empty()) continue;  // it makes its arrays
    if (!found) return tl::unexpected(entry.name + ": " + found.error());
    // Of a staggered grid no array may have the lengths of the domain.
    const bool staggered = std::ranges::none_of(
        shapes, [&](const auto& named) { return named.second == found->lengths; });
    if (staggered && &each == &entries.front()) all.lengths = found->lengths;
    if (found->lengths != all.lengths)
      return tl::unexpected("the first array of " + entry.name + " has the shape " +
                            shape_text(found->lengths));
    all.less.merge(found->less);
    all.others.merge(found->others);
  }
  return all;
}

namespace {

Lengths without(Lengths lengths, std::size_t axis) {
  lengths.erase(lengths.begin() + static_cast<std::ptrdiff_t>(axis));
  return lengths;
}

// The array whose axes, but for one, are those of the domain.
const Lengths* most_axes_of(const EntryShapes& entry) {
  const Lengths* most = nullptr;
  const bool any_written = std::ranges::any_of(entry.entry.arguments, [&](const auto& argument) {
    return argument.written && entry.shapes.contains(argument.name);
  });
  for (const EntryArgument& argument : entry.entry.arguments) {
    const auto shape = entry.shapes.find(argument.name);
    if (shape == entry.shapes.end() || (any_written && !argument.written)) continue;
    if (most == nullptr || shape->second.size() > most->size()) most = &shape->second;
  }
  return most;
}

// Its arrays are over the domain, stacks of such, or only come in.
bool add_stacks(const EntryShapes& entry, OneShape& all) {
  for (const EntryArgument& argument : entry.entry.arguments) {
    const auto shape = entry.shapes.find(argument.name);
    if (!argument.array() || !argument.read) continue;
    if (shape == entry.shapes.end()) return false;
    const Lengths& lengths = shape->second;
    if (lengths == all.lengths) continue;
    if (argument.written && !onf::is_stack_over(lengths, *all.stacked, all.lengths)) return false;
    all.others[argument.name] = lengths;
  }
  return true;
}

}  // namespace

std::vector<OneShape> stacked_shapes_of(const std::vector<EntryShapes>& entries) {
  std::vector<OneShape> found;
  const Lengths* most = nullptr;
  for (const EntryShapes& entry : entries) {
    const Lengths* const here = most_axes_of(entry);
    if (here != nullptr && (most == nullptr || here->size() > most->size())) most = here;
  }
  if (most == nullptr || most->size() < 2 || std::ranges::count(*most, 0) > 0) return found;
  for (const std::size_t axis : {std::size_t{0}, most->size() - 1}) {
    OneShape one;
    one.lengths = without(*most, axis);
    one.stacked = axis;
    const bool all = std::ranges::all_of(
        entries, [&](const EntryShapes& entry) { return add_stacks(entry, one); });
    if (all && (*most)[axis] <= onf::longest_stack) found.push_back(std::move(one));
  }
  return found;
}

}  // namespace rhopsi::driver
