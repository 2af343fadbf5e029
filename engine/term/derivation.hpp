// What a run of rewriting or implementing did, as plain data.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/term/lemma.hpp"
#include "engine/term/oracle.hpp"
#include "engine/term/rule.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::term {

// One application of a rule (or one condition that kept it from applying).
struct Step {
  std::string rule;
  std::size_t rule_index = 0;  // in the derivation's rules
  // Of an array that is defined: the rule of its shape, beside that of its elements.
  std::optional<std::size_t> with;
  LocationId rule_location{};
  SymbolId callable{};                  // whose body (or guard) was rewritten
  std::uint64_t pass = 0;               // from 1, per callable; by a strategy, the step's number
  std::vector<std::uint32_t> position;  // of the redex before the pass; from the root of the body
  // Of a rule about a sequence, whose redex is the whole block: the first statement.
  std::optional<std::uint32_t> statement;
  std::vector<TermId> binding;      // of the rule's variables, in their order
  TermId before;                    // the redex
  TermId after;                     // the contractum; equal to before if refused
  std::optional<TermId> condition;  // instantiated
  Verdict verdict;                  // proved, or why it was refused
  bool applied = true;
  bool in_guard = false;  // `position` starts at the guard, not the body
};

// A width of pads that a step asks for: its condition holds for `least`, under each of these facts.
struct WidthNeed {
  SymbolId width;
  std::int64_t least = 0;
  Step step;
  std::vector<std::vector<TermId>> facts;
};

struct CallableRun {
  SymbolId callable{};
  std::uint64_t passes = 0;  // passes that changed something; by a strategy, 0
  std::uint64_t steps = 0;   // rule applications
  enum class Stop {
    normal_form,
    completed,  // a strategy came to its end, and rules could still be applied
    failed,     // a strategy failed, and nothing was changed
    pass_bound,
    step_bound,
    size_bound,
    memory_bound,
    time_bound,
  };
  Stop stop = Stop::normal_form;
};

// What a run began with and what it left, so that its steps can be followed again.
struct Record {
  std::vector<Rule> rules;          // in the order in which they were tried
  Interpretation interpretation;    // of the operations, for conditions
  std::vector<Callable> callables;  // of the target, before
  std::vector<Callable> results;    // and after
};

struct Derivation {
  std::string kind;         // "rewrite" or "implement"
  std::string rules;        // name of the concept, for messages
  std::string strategy;     // as it is written; empty for passes
  std::uint64_t bound = 0;  // passes asked for; with a strategy, steps
  std::vector<CallableRun> runs;
  std::map<std::string, std::uint64_t> applications;  // per rule, applied steps only
  // In order; refusals are recorded once per rule and redex. Both only where steps are recorded.
  std::vector<Step> steps;
  std::shared_ptr<const Record> record;
  std::vector<Lemma> lemmas;  // that conditions could be decided by; verdicts count in them
  std::vector<Rule> laws;  // of shapes, that conditions were unfolded by; unfoldings count in them
  // The work that it took: terms looked at, and left sides matched against one.
  std::uint64_t visits = 0;
  std::uint64_t attempts = 0;
  std::vector<WidthNeed> widths;  // of pads whose width is found and not stated
};

}  // namespace rhopsi::term
