#include "frontend/driver/kokkos_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <unistd.h>

#include "frontend/driver/codes.hpp"
#include "frontend/driver/nearest.hpp"
#include "frontend/driver/stages.hpp"
#include "frontend/driver/user_headers.hpp"

namespace rhopsi::driver {

namespace fs = std::filesystem;

namespace {

const char* device(Target target) {
  switch (target) {
    case Target::serial:
      return "SERIAL";
    case Target::openmp:
      return "OPENMP";
    case Target::cuda:
      return "CUDA";
  }
  return "SERIAL";
}

}  // namespace

bool any_order_of_reals(Session& session, const term::Theory& program, bool requested,
                        bool checked) {
  if (checked) return false;
  return requested || std::ranges::any_of(program.callables, [&](const term::Callable& each) {
           return each.external && session.table().lets_reassociate(*each.external);
         });
}

kokkos::Target backend_target(Target target) {
  switch (target) {
    case Target::serial:
      return kokkos::Target::serial;
    case Target::openmp:
      return kokkos::Target::openmp;
    case Target::cuda:
      return kokkos::Target::cuda;
  }
  return kokkos::Target::serial;
}

void report(const kokkos::Error& error, syntax::Diagnostics& diagnostics) {
  diagnostics.error(error.code, {}, error.message, error.note);
}

std::optional<std::vector<kokkos::File>> files_of(Session& session, const onf::Module& module,
                                                  const kokkos::Options& options,
                                                  syntax::Diagnostics& diagnostics,
                                                  std::vector<std::string>* sources) {
  const auto headers = user_headers(session, module, session.include(), diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  std::vector<kokkos::File> files = kokkos::emit(session.store(), module, options);
  if (sources != nullptr) {
    for (const TextFile& header : headers) sources->push_back(header.origin);
  }
  const auto& runtime = kokkos::runtime_files();
  files.insert(files.end(), runtime.begin(), runtime.end());
  for (const TextFile& header : headers) files.push_back({header.name, header.text});
  // A program, or a header of the user's, that is called as a file of the runtime.
  std::set<std::string> seen;
  for (const kokkos::File& file : files) {
    if (seen.insert(file.name).second) continue;
    diagnostics.error("E0707", {}, "the emitted folder would hold '" + file.name + "' twice",
                      "call the program, or the header, otherwise");
    return std::nullopt;
  }
  return files;
}

namespace {

std::string axes_text(std::size_t rank) {
  return std::to_string(rank) + (rank == 1 ? " axis" : " axes");
}

std::string remedy_of(Given given, std::size_t rank, const std::string& several) {
  if (given == Given::inputs) return "give an array of " + axes_text(rank);
  if (!several.empty())
    return several + ": --shape NAME=N,... says what one has that comes in with others";
  return "give --shape " + std::to_string(rank) + (rank == 1 ? " length" : " lengths");
}

}  // namespace

namespace {

// Of a function's arrays.
std::set<std::size_t> ranks_of(const onf::Function& function) {
  std::set<std::size_t> ranks;
  const auto add = [&](onf::ViewId id) {
    const onf::View& view = function.views[onf::number(id)];
    const onf::Block& block = function.blocks[onf::number(view.block)];
    if (block.extents) ranks.insert(block.extents->size());
  };
  for (const onf::Argument& argument : function.arguments) {
    if (argument.view) add(*argument.view);
  }
  if (function.result_view) add(*function.result_view);
  return ranks;
}
std::set<std::size_t> ranks_of(const onf::Module& module, const lower::Options& options) {
  std::set<std::size_t> ranks;
  for (const onf::Function& function : module.functions) {
    if (std::ranges::count(options.entries, function.name) > 0) ranks.merge(ranks_of(function));
  }
  return ranks;
}

}  // namespace

std::string several_ranks(const onf::Module& module, const lower::Options& options) {
  for (const onf::Function& function : module.functions) {
    if (std::ranges::count(options.entries, function.name) == 0) continue;
    const std::set<std::size_t> ranks = ranks_of(function);
    if (ranks.size() < 2) continue;
    std::vector<std::string> words;
    for (const std::size_t rank : ranks) words.push_back(std::to_string(rank));
    return "'" + function.name + "' has arrays of " + enumerate(words) + " axes";
  }
  return {};
}

void check_ranks(const onf::Module& module, const lower::Options& options, Given by,
                 syntax::Diagnostics& diagnostics) {
  for (const onf::Function& function : module.functions) {
    if (std::ranges::count(options.entries, function.name) == 0) continue;
    for (const onf::Argument& argument : function.arguments) {
      if (!argument.view) continue;
      const onf::View& view = function.views[onf::number(*argument.view)];
      const onf::Block& block = function.blocks[onf::number(view.block)];
      const auto given = options.ranks.find(view.name);
      if (!block.extents || given == options.ranks.end()) continue;
      if (given->second == block.extents->size()) continue;
      const std::size_t rank = block.extents->size();
      diagnostics.error(codes::array_shape, {},
                        "'" + view.name + "' of '" + function.name + "' has " + axes_text(rank) +
                            ", what is given for it " + axes_text(given->second),
                        remedy_of(by, rank, several_ranks(module, options)));
    }
  }
}

lower::Options lowering_of(Session& session, const term::Theory& program,
                           const std::vector<Entry>& entries, std::size_t rank,
                           std::map<std::string, std::size_t> ranks, bool checked) {
  lower::Options options;
  options.rank = static_cast<int>(rank);
  options.checked = checked;
  for (const Entry& entry : entries) options.entries.push_back(entry.name);
  if (has_own_shapes(session, program)) options.ranks = std::move(ranks);
  return options;
}

namespace {

// Every array that the entries read has `rank` axes.
std::map<std::string, std::size_t> ranks_alike(const std::vector<Entry>& entries,
                                               std::size_t rank) {
  std::map<std::string, std::size_t> ranks;
  for (const Entry& entry : entries) {
    for (const EntryArgument& argument : entry.arguments) {
      if (argument.array() && argument.read) ranks[argument.name] = rank;
    }
  }
  return ranks;
}

using Shape = std::vector<std::int64_t>;

// What lowering is told of arrays of these lengths.
lower::Options told(lower::Options lowering, const OneShape& shape) {
  lowering.less = shape.less;
  lowering.others = shape.others;
  lowering.stacked = shape.stacked;
  return lowering;
}

// `shape`: of all arrays, or why they have none that counts. `stacked`: what else they may be.
std::optional<Form> form_of(Session& session, const term::Theory& program, lower::Options lowering,
                            const tl::expected<OneShape, std::string>& shape,
                            const std::vector<OneShape>& stacked,
                            syntax::Diagnostics& diagnostics) {
  const bool shaped = has_own_shapes(session, program);
  std::string own_shapes;
  std::vector<OneShape> ways;
  if (shaped && shape) ways.push_back(*shape);
  if (shaped && !shape) own_shapes = shape.error();
  if (shaped) ways.insert(ways.end(), stacked.begin(), stacked.end());
  for (const OneShape& way : ways) {
    lower::Options with = told(lowering, way);
    auto module =
        lower::lower_over_domain(session.store(), program, session.table(), with, way.lengths);
    if (module) return Form{std::move(*module), std::move(with), way.lengths};
    if (module.error().empty()) continue;
    if (!own_shapes.empty()) own_shapes += "; ";
    if (way.stacked)
      own_shapes += "as arrays along axis " + std::to_string(*way.stacked) + " one by one, ";
    own_shapes += module.error();
  }
  if (shaped && shape) lowering = told(std::move(lowering), *shape);
  auto module = lower(session, program, lowering, diagnostics);
  if (!module) return std::nullopt;
  return Form{std::move(*module), std::move(lowering), shaped || !shape ? Shape() : shape->lengths,
              std::move(own_shapes)};
}

// Are the loops to be those of the text?
template <class Request>
bool is_as_written(const Request& request) {
  return request.checked || (request.schedule && request.schedule->empty());
}

// Callers rely on functions for arrays of these shapes, and there are none.
void refuse_shape(const EmitRequest& request, const std::string& why,
                  syntax::Diagnostics& diagnostics) {
  if (diagnostics.has_errors()) return;
  std::string shapes = "that all have the shape " + shape_text(request.shape);
  if (!request.shapes.empty()) shapes = "of shape " + shape_text(request.shape);
  for (const auto& [name, lengths] : request.shapes)
    shapes += ", " + name + " of shape " + shape_text(lengths);
  diagnostics.error(codes::bad_shape, {},
                    "there are no functions for arrays " + shapes + (why.empty() ? "" : ": " + why),
                    "--shape NAME=N,... is for an array that comes in with other lengths, --entry "
                    "takes one procedure of several; without --shape they are for any shapes");
}

// Names of --shape that no array has that comes in (E0816).
void check_names(Session& session, const term::Theory& program, const EmitRequest& request,
                 const std::vector<Entry>& entries, syntax::Diagnostics& diagnostics) {
  const bool own_shapes = has_own_shapes(session, program);
  std::set<std::string> there;
  for (const Entry& entry : entries) {
    for (const EntryArgument& argument : entry.arguments)
      if (argument.array() && argument.read) there.insert(argument.name);
  }
  const std::vector<std::string> names(there.begin(), there.end());
  for (const auto& [name, lengths] : request.shapes) {
    if (own_shapes && there.contains(name)) continue;
    diagnostics.error(
        codes::bad_shape, {},
        "--shape " + name + "=...: " +
            (own_shapes ? "no array of that name comes in"
                        : "all arrays of '" + program.name + "' have one shape"),
        !own_shapes || names.empty() ? "leave it out" : "there are: " + enumerate(names));
  }
}

// Those that emit lowers; empty for the whole program. Nothing after an error.
std::optional<std::vector<Entry>> chosen_entries(Session& session, const EmitRequest& request,
                                                 const term::Theory& program,
                                                 syntax::Diagnostics& diagnostics) {
  const bool own_shapes = has_own_shapes(session, program);
  std::vector<Entry> chosen;
  if (request.entry.empty()) {
    chosen = entries(session, program);
    std::erase_if(chosen, [](const Entry& entry) { return !entry.procedure; });
    const bool of_a_run = request.stage == Stage::steps && chosen.size() == 1;
    if (!own_shapes && !of_a_run) chosen.clear();
    if (!own_shapes || !chosen.empty()) return chosen;
  }
  auto entry = find_entry(session, program, request.entry, diagnostics);
  if (!entry) return std::nullopt;
  chosen = {std::move(*entry)};
  return chosen;
}

}  // namespace

std::optional<Form> form_of(Session& session, const RunRequest& request,
                            const term::Theory& program, const Entry& entry,
                            syntax::Diagnostics& diagnostics) {
  lower::Options lowering = lowering_of(session, program, {entry}, request.shape.size(),
                                        ranks_of(request, entry), request.checked);
  if (!has_own_shapes(session, program))
    return form_of(session, program, std::move(lowering), OneShape{request.shape}, {}, diagnostics);
  const auto none = tl::unexpected(std::string());
  if (is_as_written(request))
    return form_of(session, program, std::move(lowering), none, {}, diagnostics);
  const EntryShapes shapes = shapes_of(request, entry);
  return form_of(session, program, std::move(lowering), one_shape_of(shapes.shapes, entry),
                 stacked_shapes_of({shapes}), diagnostics);
}

std::optional<Form> form_of(Session& session, const EmitRequest& request,
                            const term::Theory& program, syntax::Diagnostics& diagnostics) {
  const auto chosen = chosen_entries(session, request, program, diagnostics);
  if (!chosen) return std::nullopt;
  const auto rank = static_cast<std::size_t>(request.rank);
  tl::expected<OneShape, std::string> shape = tl::unexpected(std::string());
  std::vector<OneShape> stacked;
  const bool for_callers = request.stage == Stage::cxx;
  // Which arrays callers give does not depend on a schedule.
  const bool kept = for_callers ? request.checked : is_as_written(request);
  if (!request.shape.empty() && !kept) shape = OneShape{request.shape};
  check_names(session, program, request, *chosen, diagnostics);
  auto ranks = ranks_alike(*chosen, rank);
  for (const auto& [name, lengths] : request.shapes) ranks[name] = lengths.size();
  lower::Options lowering =
      lowering_of(session, program, *chosen, rank, std::move(ranks), request.checked);
  if (shape && has_own_shapes(session, program)) {
    std::vector<EntryShapes> entries;
    for (const Entry& entry : *chosen) entries.push_back(shapes_of(request, entry));
    shape = one_shape_of(entries, request.shape);
    stacked = stacked_shapes_of(entries);
  }
  auto form = form_of(session, program, std::move(lowering), shape, stacked, diagnostics);
  const bool asked = !request.shape.empty() && !kept;
  if (form && asked && chosen->size() == 1)
    check_ranks(form->module, form->lowering, Given::shape, diagnostics);
  if (form && asked && for_callers && has_own_shapes(session, program) && !form->module.one_shape)
    refuse_shape(request, form->own_shapes, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return form;
}

std::string advice_on_shape(Session& session, const EmitRequest& request,
                            const term::Theory& program, const Form& form) {
  if (!request.shape.empty() || is_as_written(request) || !has_own_shapes(session, program))
    return {};
  const std::set<std::size_t> ranks = ranks_of(form.module, form.lowering);
  if (ranks.size() != 1 || *ranks.begin() == 0 || *ranks.begin() > most_axes) return {};
  EmitRequest with_shape = request;
  with_shape.rank = static_cast<int>(*ranks.begin());
  const double length = std::exp2(24.0 / with_shape.rank);
  with_shape.shape.assign(*ranks.begin(), static_cast<std::int64_t>(length));
  syntax::Diagnostics unsaid;
  const auto over_domain = form_of(session, with_shape, program, unsaid);
  if (!over_domain || !over_domain->module.one_shape) return {};
  return "functions are for arrays of any shapes; with --shape they are for arrays that all have "
         "one, and sweeps and calls are joined plane by plane";
}

void keep_settings_of(const onf::Module& module, const Entry& entry, RunRequest& request) {
  std::erase_if(request.settings, [&](const Pair& pair) {
    return std::ranges::count(module.parameters, pair.name, &onf::Parameter::name) == 0 &&
           std::ranges::count(entry.arguments, pair.name, &EntryArgument::name) == 0;
  });
}

std::optional<Target> choose_target(const RunRequest& request,
                                    const kokkos::Installation& installation,
                                    const Listener& listener, syntax::Diagnostics& diagnostics) {
  if (!request.target) {
    const Target target = installation.has("OPENMP") ? Target::openmp : Target::serial;
    listener.note("target " + to_string(target) + ", Kokkos " + installation.version + " (" +
                  installation.prefix.string() + ")");
    return target;
  }
  if (installation.has(device(*request.target))) return request.target;
  std::string has;
  for (const std::string& name : installation.devices) has += (has.empty() ? "" : ", ") + name;
  diagnostics.error(codes::target_missing, {},
                    "the Kokkos in '" + installation.prefix.string() + "' was not built for " +
                        to_string(*request.target) + "; it has " + has,
                    "take another --target, or name another Kokkos with Kokkos_ROOT");
  return std::nullopt;
}

std::vector<std::string> arguments_of(const RunRequest& request) {
  std::vector<std::string> words = {"--entry", request.entry, "--repeat",
                                    std::to_string(request.repeat)};
  const auto option = [&](bool given, const std::string& name, const std::string& value) {
    if (given) words.insert(words.end(), {name, value});
  };
  const auto list = [](const auto& values, auto&& text) {
    std::string joined;
    for (const auto& value : values) joined += (joined.empty() ? "" : ",") + text(value);
    return joined;
  };
  const auto decimal = [](double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return std::string(text);
  };
  option(!request.shape.empty(), "--shape",
         list(request.shape, [](std::int64_t length) { return std::to_string(length); }));
  for (const Pair& pair : request.inputs) option(true, "--in", pair.name + "=" + pair.value);
  for (const Pair& pair : request.outputs) option(true, "--out", pair.name + "=" + pair.value);
  for (const Pair& pair : request.settings) option(true, "--set", pair.name + "=" + pair.value);
  option(request.every > 0, "--every", std::to_string(request.every));
  option(!request.checkpoint.empty(), "--checkpoint", request.checkpoint);
  option(request.checkpoint_every > 0, "--checkpoint-every",
         std::to_string(request.checkpoint_every));
  option(!request.restart.empty(), "--restart", request.restart);
  option(!request.spacing.empty(), "--spacing", list(request.spacing, decimal));
  if (request.json) words.push_back("--json");
  if (request.quiet) words.push_back("--quiet");
  return words;
}

Capture::Capture() : path_((fs::temp_directory_path() / "rhopsi-XXXXXX").string()) {
  const int descriptor = ::mkstemp(path_.data());
  if (descriptor >= 0) ::close(descriptor);
}
Capture::~Capture() { ::unlink(path_.c_str()); }

std::string Capture::text() const {
  std::ifstream file(path_, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

}  // namespace rhopsi::driver
