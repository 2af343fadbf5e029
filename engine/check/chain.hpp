// What callables are from one derivation to the next.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/check/comparison.hpp"

namespace rhopsi::check {

// Keeps the bodies and guards that the program as it was written and the derivations so far have
// given each callable. There may be several at a time: a program that two modules share may have
// been rewritten in both. All of them mean the same, each where its guard holds. They are compared
// as functions of their parameters, up to the names of bound variables.
//
// Each function says what is wrong, or nothing; each is linear in the terms that it compares.
class Chain {
 public:
  explicit Chain(Terms& terms) : terms_(terms), store_(terms.store()) {}

  // As the program was written, before any derivation.
  std::optional<std::string> begin(const State& state);
  // The callable is this from here on, and no derivation says why; `told` gets in which way.
  std::optional<std::string> change(const State& state, std::string& told);
  // A run begins with what a derivation before it, or the program as written, has ended with.
  std::optional<std::string> leave(const Run& run);
  // The run has been followed: it may be the callable's last.
  std::optional<std::string> arrive(const Run& run);
  // A definition has been checked: of a callable without a body, unless it says the same again.
  std::optional<std::string> define(const Definition& definition);
  // What a derivation takes for an operation's guard and body is one that it has.
  std::optional<std::string> check(const Operation& operation);
  // The program has this, and no run leads on from it.
  std::optional<std::string> end(const State& state);
  // A callable of which the end says nothing.
  std::optional<std::string> forgotten() const;

 private:
  struct Version {
    Parts parts;
    bool led_on = false;  // a run began with it, and came to another one
  };
  struct Known {
    std::vector<SymbolId> parameters;  // that the versions are about
    std::vector<Version> versions;
    bool ended = false;
  };

  Known* find(SymbolId callable);
  // About the callable's own parameters; nothing where they do not fit.
  std::optional<Parts> about(const Known& known, const std::vector<SymbolId>& parameters,
                             const Parts& parts);
  bool equal(const std::optional<TermId>& left, const std::optional<TermId>& right) const;
  bool equal(const Parts& left, const Parts& right) const;
  Version* find(Known& known, const Parts& parts) const;
  // Has a guard that says all that the other one does?
  bool narrower(const Parts& parts, const Parts& than) const;
  std::string difference(const Known& known, const Parts& parts) const;
  std::string name(SymbolId callable) const { return "`" + store_[callable].name + "`"; }

  Terms& terms_;
  const term::Store& store_;
  std::map<SymbolId, Known> known_;
};

}  // namespace rhopsi::check
