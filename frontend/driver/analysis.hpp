// Termination and confluence of a rewriting system: of a file in one of the community's formats,
// or of the axioms of a module.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/system.hpp"
#include "engine/term/theory.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/syntax/source.hpp"
#include "frontend/trs/system.hpp"

namespace rhopsi::driver {

struct AnalysisRequest {
  std::chrono::milliseconds limit{60000};
  bool termination = true;
  bool confluence = true;
  bool innermost = false;  // whatever the file says
  // Of the module that is analysed: what its package imports says what operations mean.
  std::string file;
};

struct AnalysisFinding {
  std::string property;  // "termination", "confluence"
  analysis::Verdict verdict;
  std::string note = {};    // what the answer is about, where that is not the plain system
  std::string modulo = {};  // the laws that are taken together with the rules; empty: none
};

// Called with each finding as soon as it is there.
using FindingSink = std::function<void(const AnalysisFinding&)>;

std::optional<trs::System> read_system(const std::string& path, syntax::Diagnostics& diagnostics);

void analyse(const trs::System& system, const AnalysisRequest& request, const FindingSink& sink);

// The axioms of a module as rules. Conditions are dropped, and bound variables count as constants;
// each finding says what it is then about. Returns the lines of the lint.
std::vector<std::string> analyse(Session& session, const term::Theory& theory,
                                 const AnalysisRequest& request, const FindingSink& sink);

}  // namespace rhopsi::driver
