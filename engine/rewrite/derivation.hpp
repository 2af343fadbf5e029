// What a run of rewriting or implementing did, and how it reads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/term/oracle.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::term {

// One application of a rule (or one condition that kept it from applying).
struct Step {
  std::string rule;
  LocationId rule_location{};
  SymbolId callable{};                  // whose body (or guard) was rewritten
  std::uint64_t pass = 0;               // from 1, per callable
  std::vector<std::uint32_t> position;  // of the redex before the pass; from the root of the body
  TermId before;                        // the redex
  TermId after;                         // the contractum; equal to before if refused
  std::optional<TermId> condition;      // instantiated
  Verdict verdict;                      // proved, or why it was refused
  bool applied = true;
  bool in_guard = false;  // `position` starts at the guard, not the body
};

struct CallableRun {
  SymbolId callable{};
  std::uint64_t passes = 0;  // passes that changed something
  std::uint64_t steps = 0;   // rule applications
  enum class Stop { normal_form, pass_bound, step_bound, size_bound };
  Stop stop = Stop::normal_form;
};

struct Derivation {
  std::string kind;         // "rewrite" or "implement"
  std::string rules;        // name of the concept, for messages
  std::uint64_t bound = 0;  // passes asked for
  std::vector<CallableRun> runs;
  std::map<std::string, std::uint64_t> applications;  // per rule, applied steps only
  std::vector<Step> steps;  // in order; refusals are recorded once per rule and redex
};

}  // namespace rhopsi::term

namespace rhopsi::rewrite {

// The derivation as text, one fact per line: how each callable's run ended, how often
// each rule was applied, and with `with_steps` every step with its position, redex,
// contractum and condition, refusals included. `shown` gives files the names that a reader
// knows them by; without it they have those of their locations. Deterministic. Linear in
// what is printed.
using FileNames = std::function<std::string(const std::string&)>;
std::string describe(const term::Store& store, const term::Derivation& derivation, bool with_steps,
                     const FileNames& shown = {});

}  // namespace rhopsi::rewrite
