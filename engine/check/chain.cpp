#include "engine/check/chain.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "engine/term/operations.hpp"
#include "engine/term/theory.hpp"

namespace rhopsi::check {

Chain::Known* Chain::find(SymbolId callable) {
  const auto found = known_.find(callable);
  return found == known_.end() ? nullptr : &found->second;
}

std::optional<Parts> Chain::about(const Known& known, const std::vector<SymbolId>& parameters,
                                  const Parts& parts) {
  if (parameters == known.parameters) return parts;
  if (parameters.size() != known.parameters.size()) return std::nullopt;
  const std::set<SymbolId> from_all(parameters.begin(), parameters.end());
  const std::set<SymbolId> to_all(known.parameters.begin(), known.parameters.end());
  if (from_all.size() != parameters.size() || to_all.size() != from_all.size()) return std::nullopt;
  Values values;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const term::Symbol& from = store_[parameters[i]];
    const term::Symbol& to = store_[known.parameters[i]];
    if (from.result != to.result || from.assignable != to.assignable) return std::nullopt;
    values.emplace(parameters[i], terms_.make(known.parameters[i]));
  }
  // Names change places: a body that speaks of a parameter of the callable without having it for
  // one of its own must not come to be about it.
  std::vector<SymbolId> unused;
  std::ranges::set_difference(from_all, to_all, std::back_inserter(unused));
  for (SymbolId each : to_all) {
    if (from_all.contains(each)) continue;
    values.emplace(each, terms_.make(unused.back()));
    unused.pop_back();
  }
  Parts made;
  for (auto part : {&Parts::body, &Parts::guard}) {
    if (!(parts.*part)) continue;
    made.*part = terms_.substitute(*(parts.*part), values);
    if (!(made.*part)) return std::nullopt;
  }
  return made;
}

bool Chain::equal(const std::optional<TermId>& left, const std::optional<TermId>& right) const {
  return left.has_value() == right.has_value() && (!left || same(store_, *left, *right));
}

bool Chain::equal(const Parts& left, const Parts& right) const {
  return equal(left.body, right.body) && equal(left.guard, right.guard);
}

Chain::Version* Chain::find(Known& known, const Parts& parts) const {
  const auto found = std::ranges::find_if(
      known.versions, [&](const Version& each) { return equal(each.parts, parts); });
  return found == known.versions.end() ? nullptr : &*found;
}

std::optional<std::string> Chain::begin(const State& state) {
  const auto [place, inserted] = known_.try_emplace(state.callable);
  if (!inserted) return name(state.callable) + " begins twice";
  place->second.parameters = state.parameters;
  place->second.versions.push_back({state.parts});
  return std::nullopt;
}

bool Chain::narrower(const Parts& parts, const Parts& than) const {
  if (!equal(parts.body, than.body) || !parts.guard) return false;
  if (!than.guard) return true;
  const auto says = term::conjuncts(store_, *parts.guard);
  return std::ranges::all_of(term::conjuncts(store_, *than.guard), [&](TermId wanted) {
    return std::ranges::any_of(says, [&](TermId each) { return same(store_, each, wanted); });
  });
}

std::string Chain::difference(const Known& known, const Parts& parts) const {
  const auto any = [&](auto holds) { return std::ranges::any_of(known.versions, holds); };
  if (any([&](const Version& each) { return equal(each.parts, parts); })) {
    return "is again what it was before a derivation";
  }
  if (any([&](const Version& each) { return narrower(parts, each.parts); })) {
    return "has a narrower guard";
  }
  if (any([&](const Version& each) { return equal(each.parts.body, parts.body); })) {
    return "has another guard";
  }
  if (!parts.body) return "has no body any more";
  const bool had = any([](const Version& each) { return each.parts.body.has_value(); });
  constexpr std::size_t shown_length = 60;
  return (had ? "has another body, `" : "has been given the body `") +
         to_string(store_, *parts.body, shown_length) + "`";
}

std::optional<std::string> Chain::change(const State& state, std::string& told) {
  Known* known = find(state.callable);
  if (known == nullptr) return name(state.callable) + " changes and has not begun";
  const auto parts = about(*known, state.parameters, state.parts);
  if (!parts) return name(state.callable) + " has other parameters";
  told = name(state.callable) + " " + difference(*known, *parts);
  known->versions = {{*parts}};
  return std::nullopt;
}

std::optional<std::string> Chain::leave(const Run& run) {
  Known* known = find(run.callable);
  if (known == nullptr) return name(run.callable) + " has not begun";
  const auto parts = about(*known, run.parameters, run.from);
  if (!parts) return name(run.callable) + " has other parameters";
  if (find(*known, *parts) != nullptr) return std::nullopt;
  const bool guard = std::ranges::any_of(
      known->versions, [&](const Version& each) { return equal(each.parts.body, parts->body); });
  return "no derivation before it has ended with this " + std::string(guard ? "guard" : "body") +
         " of " + name(run.callable) + ", and the program did not begin with it";
}

std::optional<std::string> Chain::arrive(const Run& run) {
  Known* known = find(run.callable);
  const auto from = known ? about(*known, run.parameters, run.from) : std::nullopt;
  const auto to = known ? about(*known, run.parameters, run.to) : std::nullopt;
  if (!from || !to) return name(run.callable) + " has other parameters";
  if (Version* left = find(*known, *from)) left->led_on = true;
  if (Version* there = find(*known, *to)) {
    there->led_on = false;
  } else {
    known->versions.push_back({*to});
  }
  return std::nullopt;
}

std::optional<std::string> Chain::define(const Definition& definition) {
  const auto [place, inserted] = known_.try_emplace(definition.callable);
  Known& known = place->second;
  if (inserted) known.parameters = definition.parameters;
  const auto parts = about(known, definition.parameters, {definition.body, definition.guard});
  if (!parts) return name(definition.callable) + " has other parameters";
  if (Version* there = find(known, *parts)) {
    there->led_on = false;
    return std::nullopt;
  }
  for (Version& each : known.versions) {
    if (each.parts.body) return name(definition.callable) + " has a body already";
    each.led_on = true;
  }
  known.versions.push_back({*parts});
  return std::nullopt;
}

std::optional<std::string> Chain::check(const Operation& operation) {
  if (!operation.guard && !operation.body) return std::nullopt;
  Known* known = find(operation.symbol);
  if (known == nullptr) return name(operation.symbol) + " has not begun";
  const auto parts = about(*known, operation.parameters, {operation.body, operation.guard});
  if (!parts) return name(operation.symbol) + " has other parameters";
  const auto has = [&](std::optional<TermId> Parts::*part) {
    return !((*parts).*part) || std::ranges::any_of(known->versions, [&](const Version& each) {
      return equal(each.parts.*part, (*parts).*part);
    });
  };
  if (!has(&Parts::guard)) return name(operation.symbol) + " has another guard there";
  if (!has(&Parts::body)) return name(operation.symbol) + " has another body there";
  return std::nullopt;
}

std::optional<std::string> Chain::end(const State& state) {
  Known* known = find(state.callable);
  if (known == nullptr) return name(state.callable) + " has not begun";
  if (std::exchange(known->ended, true)) return name(state.callable) + " ends twice";
  const auto parts = about(*known, state.parameters, state.parts);
  if (!parts) return name(state.callable) + " has other parameters";
  const Version* there = find(*known, *parts);
  if (there == nullptr) {
    return "no derivation has ended with this body and guard of " + name(state.callable) +
           ", and the program did not begin with them";
  }
  if (there->led_on) return "a derivation has led on from this body of " + name(state.callable);
  return std::nullopt;
}

std::optional<std::string> Chain::forgotten() const {
  const auto found =
      std::ranges::find_if(known_, [](const auto& each) { return !each.second.ended; });
  if (found == known_.end()) return std::nullopt;
  return "nothing says how " + name(found->first) + " ends";
}

}  // namespace rhopsi::check
