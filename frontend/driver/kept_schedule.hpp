// What `tune` has found, and `run` finds again: a small file per program, shape, type, target and
// machine, in `tuned` of the cache. It is a package with the schedule, under comments that say what
// it is for and what was measured, and ends in a digest of what stands before it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/schedule/recipe.hpp"
#include "engine/term/theory.hpp"
#include "frontend/driver/request.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

// Of what a measurement holds for.
struct TuningKey {
  std::string program;  // digest of the entry, what it calls, and the axioms of all of it
  std::string entry;
  std::string shape;  // each length as the nearest power of two: "256x256x256"
  std::string real;   // "float" or "double"
  std::string target;
  std::string machine;
  std::string reals;  // "as written", or "in any order"
};

TuningKey tuning_key(Session& session, const term::Theory& program, const std::string& entry,
                     const std::vector<std::int64_t>& shape, Target target,
                     const std::string& machine, bool any_order);

struct Measured {
  std::string name;
  double seconds = 0;  // of a call, median
  std::size_t runs = 0;
};

struct KeptSchedule {
  schedule::Recipe recipe;
  std::string name;                // of the candidate that it was
  std::vector<Measured> measured;  // the fastest first
};

// Where the schedule for this key is kept; the folder may not be there.
std::filesystem::path kept_path(const TuningKey& key);

// The whole file, of the package that the path's name says.
std::string kept_text(const TuningKey& key, const KeptSchedule& kept,
                      const std::filesystem::path& path);

// The schedule that is kept for this key. A file that is there and is damaged, or says that it is
// for something else, is a warning (E0861).
std::optional<KeptSchedule> find_kept(const TuningKey& key, syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
