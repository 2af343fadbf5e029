// Arrays and numbers for a run that is only measured.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "frontend/driver/entries.hpp"
#include "frontend/driver/request.hpp"
#include "frontend/driver/session.hpp"

namespace rhopsi::driver {

// Files that last as long as this object: one for each type of elements.
class TuningInputs {
 public:
  TuningInputs() = default;
  TuningInputs(const TuningInputs&) = delete;
  TuningInputs& operator=(const TuningInputs&) = delete;
  ~TuningInputs();

  // Gives every array that the entry reads and that no --in names a field of numbers around 1, of
  // the shape of the request, and every parameter and number without --set a small one (E0832).
  void complete(Session& session, const term::Theory& program, const Entry& entry,
                RunRequest& request, syntax::Diagnostics& diagnostics);

 private:
  std::string field(onf::Scalar element, const std::vector<std::int64_t>& shape,
                    syntax::Diagnostics& diagnostics);

  std::filesystem::path folder_;
  std::map<onf::Scalar, std::string> files_;
};

}  // namespace rhopsi::driver
