// What `eval` prints, for one expression or for many.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "frontend/driver/request.hpp"
#include "frontend/driver/session.hpp"

namespace rhopsi::driver {

struct EvalRequest {
  std::string expression;
  std::vector<std::string> inputs;  // NAME=FILE.npy, NAME=iota:SHAPE:START
  std::string file;                 // of cases, in place of one expression
  std::vector<std::string> with;    // files whose concepts are in scope
  Backend backend = Backend::reference;
  bool normal_form = false;  // in place of the value
  bool accesses = false;     // in place of the value, or behind the normal form
  bool reassociate = false;  // moa::Limits
  bool json = false;
};

// The value in two lines, or what the request asks for instead.
std::optional<std::string> evaluate(Session& session, const EvalRequest& request,
                                    syntax::Diagnostics& diagnostics);

struct CaseCount {
  std::size_t cases = 0;
  std::size_t failed = 0;
};

// The cases of `request.file`, two lines each in their order, whatever becomes of the others.
// The reference backend prints each as soon as it is computed. `print` returning false ends the
// evaluation. Nothing is returned where no case could be evaluated, or printing failed.
std::optional<CaseCount> evaluate_cases(Session& session, const EvalRequest& request,
                                        const std::function<bool(const std::string&)>& print,
                                        syntax::Diagnostics& diagnostics);

}  // namespace rhopsi::driver
