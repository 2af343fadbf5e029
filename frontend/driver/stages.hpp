// The way of a program from text to a running one, as a flat list of stages:
//
//   load       file            -> package name       every import is read and parsed
//   check      package         -> (diagnostics)      every module of the package has a theory
//   program    package, name   -> Theory             concrete; rewriting and implementing, which
//                                                    are part of elaboration, have been done
//   lower      Theory          -> onf::Module        every callable has an operational form
//   verify     onf::Module     -> (diagnostics)      indices in bounds, halos fresh where read
//   schedule   onf::Module     -> onf::Module        the same values in fewer passes, verified
//   emit       onf::Module     -> folder             folder.hpp: complete, or not there
//   build      folder          -> executable         kokkos_run.hpp: cached by content
//   run        executable      -> results            complete, or not there
//   reference  Theory          -> results            reference_run.hpp, in place of lower .. run
//
// A stage that cannot keep its promise adds an error to the diagnostics and returns
// nothing. Nothing here prints.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/lower/lower.hpp"
#include "engine/onf/form.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/schedule/tile_folds.hpp"
#include "engine/term/theory.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// The package's name, although diagnostics may hold errors of its declarations.
std::optional<std::string> load(Session& session, const std::string& file,
                                syntax::Diagnostics& diagnostics);

// load, then every module, renaming and satisfaction of the package; then, of those that have a
// theory, the shapes in procedures whose arrays have shapes of their own and as many axes as their
// guards say, and axioms that contradict each other or the library's.
void check(Session& session, const std::string& file, syntax::Diagnostics& diagnostics);

// The theory of a module of any kind; null after an error.
std::shared_ptr<const term::Theory> module(Session& session, const std::string& file,
                                           const std::string& name,
                                           syntax::Diagnostics& diagnostics);

// The same, but the module must be a program (E0800).
std::shared_ptr<const term::Theory> program(Session& session, const std::string& file,
                                            const std::string& name,
                                            syntax::Diagnostics& diagnostics);

// Operational form of a program; verified. Remarks of the verifier become warnings, but for what
// could not be decided, which is told of what runs.
std::optional<onf::Module> lower(Session& session, const term::Theory& program,
                                 const lower::Options& options, syntax::Diagnostics& diagnostics);

// Takes the steps of the recipe that come before tiles, `hoist` and then `layout` of arrays with
// shapes of their own (schedule/hoist.hpp, own_layout.hpp), and verifies the module again; what
// became of them, for schedule(). With a machine, folds are parted for its tiles in between.
// Nothing after an error.
std::optional<std::vector<schedule::Step>> prepare(
    Session& session, onf::Module& module, const schedule::Recipe& recipe,
    const schedule::Surroundings& around, const std::optional<schedule::Machine>& tiles_for,
    syntax::Diagnostics& diagnostics);

// Tiles the nests of folds for a machine, regroups long folds, and verifies the module again; what
// became of each. Nothing after an error.
std::optional<std::vector<schedule::Tiled>> tile(Session& session, onf::Module& module,
                                                 const schedule::Machine& machine,
                                                 syntax::Diagnostics& diagnostics);

// Schedules the module by the recipe and verifies it again; what became of each step, behind those
// that were `taken` already, after an error too, when the module is of no use. What the recipe asks
// for and does not get is told (E0534, E0535). Of the functions that keep their form the entries
// are named in warnings (E0529); where nothing was scheduled, all are if no entries are named, and
// all that a schedule of a package is on. Of a schedule that nobody asked for, without `entries`,
// nothing is told.
schedule::Outcome schedule(Session& session, onf::Module& module, const schedule::Recipe& recipe,
                           const schedule::Surroundings& around, std::vector<schedule::Step> taken,
                           const std::optional<std::vector<std::string>>& entries,
                           syntax::Diagnostics& diagnostics);

// What could not be decided (E0524) of the functions that are emitted for these entries, or for
// all, once the module is what it will be: what every call of has become a part of its caller is
// not spoken of.
void tell_undecided(Session& session, const onf::Module& module,
                    const std::vector<std::string>& entries, syntax::Diagnostics& diagnostics);

// Adds problems of lowering and verification with their places.
void report(Session& session, const std::vector<onf::Problem>& problems,
            syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
