// The functions of a batch: which case calls which, and the text of the program. Internal to this
// folder.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "backends/kokkos/batch/batch.hpp"
#include "backends/kokkos/build/file.hpp"
#include "engine/moa/plan.hpp"
#include "engine/onf/form.hpp"

namespace rhopsi::kokkos {

// Lowered, verified, and each kept once.
class Forms {
 public:
  explicit Forms(std::function<void(onf::Module&)> prepare = {}) : prepare_(std::move(prepare)) {}
  // The number of the plan's function, or a result without an array that says why there is none.
  tl::expected<std::size_t, CaseResult> add(const moa::Plan& plan);
  std::size_t count() const { return forms_.size(); }

  // Functions `first` up to and without `last`, as a folder for build().
  std::vector<File> program(std::size_t first, std::size_t last, std::size_t per_file) const;

 private:
  std::function<void(onf::Module&)> prepare_;
  std::map<const moa::Plan*, tl::expected<std::size_t, CaseResult>> known_;
  std::map<std::string, std::size_t> by_text_;  // of the function, under one name for all
  std::vector<const moa::Plan*> forms_;
};

}  // namespace rhopsi::kokkos
