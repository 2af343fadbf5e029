// Rules and operations to look up: what `rhopsi rules` shows.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "frontend/driver/example.hpp"
#include "frontend/driver/session.hpp"
#include "frontend/driver/verify.hpp"

namespace rhopsi::driver {

struct RuleEntry {
  enum class Kind : std::uint8_t { operation, axiom, theorem };
  Kind kind = Kind::operation;
  std::string name;       // "moa.laws.SameAxis.rotateRotate"
  std::string statement;  // as a declaration
  // Of an axiom: when it holds, one for each assertion that has any. Of an operation: its guard.
  std::vector<std::string> conditions;
  std::string comment;  // of who wrote it
  std::string file;
  std::uint32_t line = 0;

  // Of an axiom. What has to be asked and was not is `open`.
  AxiomReport::Status status = AxiomReport::Status::open;
  std::optional<AxiomReport> report;
  struct Instance {
    std::string name;
    AxiomReport::Status status;
  };
  std::vector<Instance> instances;  // what was made of it elsewhere, where it is asked for

  // Of an operation, names: axioms that say what it is, others that speak of it.
  std::vector<std::string> definitions;
  std::vector<std::string> laws;

  std::optional<Example> example;  // where details are asked for
};

struct RulesRequest {
  std::vector<std::string> files;
  // Of which entries to make examples; nothing here: of none. One that has none of its own has that
  // of its like in another module, if there is one among these.
  std::function<bool(const std::string& name)> detailed;
  // Which are to be proved now; nothing here: none.
  std::function<bool(const std::string& name)> proved;
  std::function<void(const std::string& name)> progress;  // before each of these
  verify::ProofLimits limits;
  std::chrono::milliseconds time{110'000};  // of all proofs; what is open then is unknown
};

// Every operation and every axiom of the files' concepts, and every axiom that a satisfaction asks
// of a model, in order and once, under the name of the module where it is met first, of an
// operation in the package that declares it. What an
// earlier `verify` has shown of the same texts is known. Nothing where a file could not be read.
std::optional<std::vector<RuleEntry>> rules_of(Session& session, const RulesRequest& request,
                                               syntax::Diagnostics& diagnostics);

// The name, or what it ends with from a dot on.
bool is_named(const std::string& name, const std::string& wanted);

// What stands behind the last dot.
std::string last_of(const std::string& name);

// Those whose name, statement or comment together hold every word of the text, in any case.
std::vector<RuleEntry> search(const std::vector<RuleEntry>& entries, const std::string& text);

// The version of the rules in this folder: the text of its file VERSION; empty without one.
std::string rules_version(const std::string& folder);

// --- for people and for programs

// A line: "proved  moa.laws.SameAxis.rotateRotate  any  rules/moa/laws.mg:19".
std::string line_of(const RuleEntry& entry);
// Everything.
std::string page_of(const RuleEntry& entry);
std::string to_json(const std::vector<RuleEntry>& entries, const std::string& version);

}  // namespace rhopsi::driver
