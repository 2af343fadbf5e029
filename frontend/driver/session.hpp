// Everything that one root file's way through the stages shares.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/onf/form.hpp"
#include "engine/onf/primitive.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "engine/smt/oracle.hpp"
#include "engine/term/store.hpp"
#include "engine/term/theory.hpp"
#include "frontend/driver/places.hpp"
#include "frontend/elaborate/elaborate.hpp"
#include "frontend/syntax/source.hpp"

namespace rhopsi::driver {

struct SessionOptions {
  std::vector<std::string> include;         // -I
  onf::Scalar real = onf::Scalar::float64;  // what `Real` is in this run
  bool record_steps = false;                // keep the steps of derivations, for a trace
  bool numbers_promote = false;             // for single expressions, not for programs
  bool smt = true;                          // ask Z3 what cheaper means cannot decide
  smt::OracleLimits smt_limits = {};
  bool no_assume = false;          // a condition that is assumed is an error; records steps
  rewrite::Limits rewriting = {};  // of each `rewrite` in a module
};

// Owns the terms, the backends' table, the decider of conditions and the workspace, in
// the order in which they must outlive each other. Neither copied nor moved.
class Session {
 public:
  explicit Session(SessionOptions options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  term::Store& store() { return store_; }
  const onf::PrimitiveTable& table() const { return *table_; }
  elaborate::Workspace& workspace() { return workspace_; }
  onf::Scalar real() const { return options_.real; }
  const std::vector<std::string>& include() const { return options_.include; }
  bool no_assume() const { return options_.no_assume; }
  // Who decides conditions.
  term::ConditionOracle& oracle() { return decider(); }
  // What the solver has been asked so far.
  const smt::OracleUse& smt_use() const { return oracle_.use(); }

  syntax::Span span(term::LocationId location) { return places_.span(store_[location]); }
  syntax::Span span(const term::Location& location) { return places_.span(location); }
  // Lets `span` know a text that is in no file.
  void add_text(std::shared_ptr<const syntax::SourceFile> text) { places_.add(std::move(text)); }

 private:
  term::ConditionOracle& decider();

  SessionOptions options_;
  term::Store store_;
  std::unique_ptr<onf::PrimitiveTable> table_;
  rewrite::IntervalOracle intervals_;
  smt::Oracle oracle_;
  elaborate::Workspace workspace_;
  Places places_;
};

}  // namespace rhopsi::driver
