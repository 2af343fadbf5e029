// Programs on their way to the Kokkos backend: what `run`, `emit` and `tune` share.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backends/kokkos/build/build.hpp"
#include "backends/kokkos/emit/emit.hpp"
#include "engine/lower/lower.hpp"
#include "frontend/driver/entries.hpp"
#include "frontend/driver/request.hpp"
#include "frontend/driver/run.hpp"
#include "frontend/driver/session.hpp"

namespace rhopsi::driver {

kokkos::Target backend_target(Target target);

void report(const kokkos::Error& error, syntax::Diagnostics& diagnostics);

// The whole folder: what was emitted, the run-time headers, the user's, whose paths are added to
// `sources`.
std::optional<std::vector<kokkos::File>> files_of(Session& session, const onf::Module& module,
                                                  const kokkos::Options& options,
                                                  syntax::Diagnostics& diagnostics,
                                                  std::vector<std::string>* sources = nullptr);

// A program in its operational form, before any schedule.
struct Form {
  onf::Module module;
  lower::Options lowering;
  std::vector<std::int64_t> shape = {};  // of the domain, if the form is over one
  // Of a run whose arrays have shapes of their own, why the form is none over a domain, if that was
  // asked for: "step makes an array of other lengths, u1".
  std::string own_shapes = {};
};

// What is lowered of a program, and all that is scheduled and emitted then: these entries with what
// they call, and the whole program without any. `rank` is that of arrays over a domain, `ranks` are
// those of arrays with shapes of their own.
lower::Options lowering_of(Session& session, const term::Theory& program,
                           const std::vector<Entry>& entries, std::size_t rank,
                           std::map<std::string, std::size_t> ranks, bool checked);

// Of a run or of tune: the entry, for arrays of the ranks that it is given; where arrays have
// shapes of their own, over a domain if all of them have one and neither `off` nor messages about
// the loops as they are written are wanted.
std::optional<Form> form_of(Session& session, const RunRequest& request,
                            const term::Theory& program, const Entry& entry,
                            syntax::Diagnostics& diagnostics);

// Of emit and explain: the entry that is named. Without a name, where arrays have shapes of their
// own, all procedures, and else the whole program; but the only procedure, which a run would take,
// where it is explained how a run is scheduled. Arrays with shapes of their own have that
// of the request, if it has one; where they cannot, C++ for callers is refused (E0816).
std::optional<Form> form_of(Session& session, const EmitRequest& request,
                            const term::Theory& program, syntax::Diagnostics& diagnostics);

// Of a form for callers of arrays of any shapes: that --shape makes functions over one domain of
// it. Empty: it does not, as an attempt with long axes has shown, or loops are to stay as they are
// written.
std::string advice_on_shape(Session& session, const EmitRequest& request,
                            const term::Theory& program, const Form& form);

// Takes settings out that the form has no use for: parameters that only other entries need.
void keep_settings_of(const onf::Module& module, const Entry& entry, RunRequest& request);

// Whether reals may be computed in another order: the request or the program says so, and it is no
// checked program, which tests for what then does not count.
bool any_order_of_reals(Session& session, const term::Theory& program, bool requested,
                        bool checked);

// Where the program states the ranks of its arrays, those of the inputs, or of the shape that is
// given for all of them, have to be the same (E0821).
enum class Given { inputs, shape };
void check_ranks(const onf::Module& module, const lower::Options& options, Given by,
                 syntax::Diagnostics& diagnostics);

// Of entries whose arrays have shapes of their own, what keeps any shape from being that of all:
// "'step' has arrays of 1 and 2 axes". Empty where nothing does.
std::string several_ranks(const onf::Module& module, const lower::Options& options);

// The one that is asked for, or the best that this Kokkos has (E0840).
std::optional<Target> choose_target(const RunRequest& request,
                                    const kokkos::Installation& installation,
                                    const Listener& listener, syntax::Diagnostics& diagnostics);

// Of the compiled program.
std::vector<std::string> arguments_of(const RunRequest& request);

// A file for captured output, removed with this object.
class Capture {
 public:
  Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  ~Capture();

  const std::string& path() const { return path_; }
  std::string text() const;

 private:
  std::string path_;
};

}  // namespace rhopsi::driver
