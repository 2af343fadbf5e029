#include "frontend/driver/session.hpp"

#include <utility>

#include "backends/primitives/primitives.hpp"
#include "frontend/driver/declared.hpp"
#include "frontend/driver/locations.hpp"

namespace rhopsi::driver {
namespace {

elaborate::Options elaborate_options(const SessionOptions& options) {
  elaborate::Options result;
  result.search_path = search_path(options.include);
  result.record_steps = options.record_steps || options.no_assume;
  result.limits = options.rewriting;
  result.where_declared = declared_in_library;
  return result;
}

}  // namespace

Session::Session(SessionOptions options)
    : options_(std::move(options)),
      table_(primitives::make_table(options_.real, options_.numbers_promote
                                                       ? primitives::Numbers::promoting
                                                       : primitives::Numbers::real)),
      oracle_(intervals_, options_.smt_limits),
      workspace_(store_, *table_, decider(), elaborate_options(options_)) {}

term::ConditionOracle& Session::decider() {
  if (options_.smt) return oracle_;
  return intervals_;
}

}  // namespace rhopsi::driver
