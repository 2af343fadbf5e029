// Strategies: where rules are applied, and in which order, as values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rhopsi::rewrite {

// A strategy is applied to a term at its place in a body. It succeeds with a term, which may be
// the same, or fails; where it fails nothing has happened. S, T stand for strategies, n for a
// number from 1, x for a name:
//
//   id                    succeeds, changes nothing
//   fail                  fails
//   rules                 the first rule of the set that may be applied to this very term
//   rule(x)               the same with the rules of axiom x alone, or of `x#2`, its second
//   assertion reversed(x)           the same from right to left seq(S, T, ...)        one after the
//   other; fails if one of them fails choice(S, T, ...)     the first of them that succeeds try(S)
//   S, or nothing where S fails repeat(S)             S again and again, until it fails or changes
//   nothing all(S)                S for each part of the term (child); fails if one fails one(S) S
//   for the first part where it succeeds child(n, S)           S for the n-th part topdown(S)
//   try(S), then the same for each part of what it has become bottomup(S)           the same for
//   each part, then try(S) innermost(S)          normal form by S: at each term after its parts;
//   what S has made anew outermost(S)          normal form by S: always at the first place from the
//   left, from the root once(S)               S at the first place, in that order, where it
//   succeeds nth(n, S)             S at the n-th place where it succeeds, also within the others
//   passes(n)             n passes over the whole term as those of `rewrite` without a strategy;
//                         `passes` alone: until one changes nothing
//   callable(x, S)        S in the callables named x; elsewhere it changes nothing
//   statement(n, S)       S for the n-th statement of this block, or of the body of this loop
//   definition(x, S)      S for every e in `var x = e` and `x = e` of the term; fails where it
//                         succeeds for none
//
// topdown, bottomup, innermost, outermost and once without (S) mean (rules). topdown, bottomup,
// innermost, outermost, repeat, try and passes always succeed.
struct Strategy {
  enum class Kind {
    id,
    fail,
    rules,
    rule,
    reversed,
    seq,
    choice,
    try_,
    repeat,
    all,
    one,
    child,
    topdown,
    bottomup,
    innermost,
    outermost,
    once,
    nth,
    passes,
    callable,
    statement,
    definition,
  };
  Kind kind = Kind::id;
  std::uint64_t number = 0;  // n; 0 for `passes` alone
  std::string name;          // x
  std::vector<Strategy> parts;

  bool operator==(const Strategy&) const = default;
};

// How a kind of strategy is written.
struct StrategyForm {
  enum class Leading { nothing, number, name };
  std::string_view word;
  Strategy::Kind kind;
  Leading leading = Leading::nothing;  // before the parts
  bool optional = false;               // the arguments may all be left out
  std::size_t fewest = 0;              // parts
  std::size_t most = 0;
};

// All of them; each kind has one form.
std::span<const StrategyForm> strategy_forms();
const StrategyForm& form_of(Strategy::Kind kind);
// The form of that word, or null.
const StrategyForm* find_strategy_form(std::string_view word);

// As it is written in a program, and read again by the frontend.
std::string to_string(const Strategy& strategy);

}  // namespace rhopsi::rewrite
