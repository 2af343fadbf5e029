// What is known of variables that statements assign: FactSource's part about them, and Changing.
#include <algorithm>
#include <array>

#include "engine/rewrite/facts.hpp"
#include "engine/rewrite/interval_oracle.hpp"
#include "engine/term/sequence.hpp"

namespace rhopsi::rewrite {

using term::Builtin;
using term::Control;
using term::SymbolId;
using term::TermId;
using term::Verdict;

namespace {

// Of more facts about variables that change the oldest are left out: what decides a condition is
// seldom far before it, and every fact costs.
constexpr std::size_t most_changing = 32;

void add_once(std::vector<SymbolId>& variables, SymbolId variable) {
  if (std::ranges::find(variables, variable) == variables.end()) variables.push_back(variable);
}

}  // namespace

Known& Changing::at_level(std::size_t level) {
  if (levels_.empty() || levels_.back().first < level) levels_.emplace_back(level, now());
  return levels_.back().second;
}

void Changing::forget(std::size_t level) {
  while (!levels_.empty() && levels_.back().first >= level) levels_.pop_back();
}

void FactSource::replaced(std::span<const TermId> before, TermId after) {
  const std::vector<SymbolId> outside = term::free_variables(store_, after);
  for (const SymbolId variable : changed_in(after)) {
    assigned_.insert(variable);
    const bool from_outside = std::ranges::find(outside, variable) != outside.end();
    const bool as_before = std::ranges::any_of(before, [&](TermId each) {
      const std::vector<SymbolId>& changed = changed_in(each);
      return std::ranges::find(changed, variable) != changed.end();
    });
    if (from_outside && !as_before) replaced_.insert(variable);
  }
}

void FactSource::without_replaced(Known& known) const {
  if (replaced_.empty()) return;
  std::erase_if(known.facts, [&](TermId fact) {
    const std::vector<SymbolId> variables = term::free_variables(store_, fact);
    const auto found =
        std::ranges::find_if(variables, [&](SymbolId each) { return replaced_.contains(each); });
    if (found == variables.end()) return false;
    leave_out(fact, known);
    if (!known.unsaid) known.unsaid = *found;
    return true;
  });
}

void FactSource::leave_out(TermId fact, Known& known) const {
  for (const SymbolId each : term::free_variables(store_, fact)) {
    add_once(known.loose, each);
    const bool open = std::ranges::find(known.open, each) != known.open.end();
    if (open && !known.unsaid) known.unsaid = each;
  }
}

// What is asserted within a branch or a loop, and what ends a loop, rules out values behind it.
void FactSource::leave_out_tests(TermId statement, Gathering& out) {
  const auto [place, inserted] = tests_.try_emplace(statement, false);
  if (inserted) {
    term::for_each_subterm(store_, statement, [&](TermId each) {
      if (store_.is(each, Control::assert_) || store_.is(each, Control::while_)) {
        tests_[statement] = true;
      }
      return true;
    });
  }
  if (tests_[statement]) leave_out(statement, out.known());
}

// An end of the loop's range in the values of before its first round.
TermId FactSource::before_loop(Place place, TermId end, Gathering& out) {
  for (const SymbolId variable : changed_in(place.first)) {
    if (!term::occurs(store_, variable, end)) continue;
    const auto former = make_former(place, variable, true, out.known());
    end = about_former(end, variable, *former);
  }
  return end;
}

const std::vector<SymbolId>& FactSource::changed_in(TermId term) {
  const auto [place, inserted] = changed_.try_emplace(term);
  if (inserted) place->second = term::changed_variables(store_, term);
  return place->second;
}

// `x = e` says that x is e, with the value before where e mentions x.
void FactSource::assign(Place place, TermId statement, Gathering& out) {
  const auto parts = store_.children(statement);
  const TermId target = parts[0];
  const TermId value = parts.back();  // the target itself, where none is given
  const bool followed = parts.size() == 2 && orders_.contains(store_.sort(target));
  const SymbolId variable = store_.symbol(target);
  std::vector<SymbolId> others = changed_in(statement);  // within what is computed
  std::erase(others, variable);
  lose(place, others, out);
  Known& known = out.known();
  const bool again = followed && term::occurs(store_, variable, value);
  const auto former = make_former(place, variable, again, known);
  std::erase(known.open, variable);
  std::erase(known.loose, variable);
  if (followed) {
    const TermId computed = again ? about_former(value, variable, *former) : value;
    known.facts.push_back(equation(target, computed));
    bound_number(known);
  } else {
    known.open.push_back(variable);
  }
}

// One that is not followed: what it assigns is open, and of assertions those remain that are about
// nothing that is assigned.
void FactSource::from_far_statement(TermId block, std::uint32_t number,
                                    std::unordered_set<SymbolId>& lost, Gathering& out) {
  const TermId statement = store_.children(block)[number];
  const bool asserts = store_.is(statement, Control::assert_);
  const bool constant = store_.is(statement, Control::declare) &&
                        !assigned_.contains(store_.symbol(store_.children(statement)[0]));
  if (asserts && mentions(store_.children(statement)[0], assigned_)) {
    leave_out(store_.children(statement)[0], out.known());
    return;
  }
  if (asserts || constant) return from_statement(block, number, out);
  leave_out_tests(statement, out);
  for (const SymbolId variable : changed_in(statement)) {
    if (lost.insert(variable).second) lose(Place{block, number}, std::array{variable}, out);
  }
}

void FactSource::lose(Place place, std::span<const SymbolId> variables, Gathering& out) {
  if (!variables.empty()) lose(place, variables, out.known());
}

void FactSource::lose(Place place, std::span<const SymbolId> variables, Known& known) {
  for (const SymbolId variable : variables) {
    make_former(place, variable, false, known);
    add_once(known.open, variable);
  }
}

// What is known of the variable is about its former value from here on. Nothing where nothing is
// known of it, and it is not `wanted`.
std::optional<SymbolId> FactSource::make_former(Place place, SymbolId variable, bool wanted,
                                                Known& known) {
  const auto about = [&](TermId fact) { return term::occurs(store_, variable, fact); };
  if (!wanted && std::ranges::none_of(known.facts, about)) return std::nullopt;
  const auto [former, inserted] = formers_.try_emplace({place, variable});
  if (inserted) {
    const std::string name = store_[variable].name + "'";
    former->second = store_.fresh_variable(name, store_[variable].result);
  }
  assigned_.insert(former->second);  // what mentions it is about what changes
  if (replaced_.contains(variable)) replaced_.insert(former->second);
  for (TermId& fact : known.facts) {
    if (about(fact)) fact = about_former(fact, variable, former->second);
  }
  for (std::vector<SymbolId>* each : {&known.open, &known.loose}) {
    if (std::ranges::find(*each, variable) != each->end()) add_once(*each, former->second);
  }
  return former->second;
}

TermId FactSource::about_former(TermId fact, SymbolId variable, SymbolId former) {
  const auto [place, inserted] = about_formers_.try_emplace({fact, former});
  if (inserted) {
    term::Substitution substitution;
    substitution.emplace(variable, store_.make(former));
    place->second = term::substitute(store_, fact, substitution);
  }
  if (const auto found = bases_.find(fact); found != bases_.end()) {
    bases_[place->second] = term::Basis{found->second};
  }
  return place->second;
}

void FactSource::bound_number(Known& known) const {
  while (known.facts.size() > most_changing) {
    leave_out(known.facts.front(), known);
    known.facts.erase(known.facts.begin());
  }
}

void FactSource::from_redex(TermId pattern, TermId term, std::optional<std::size_t> first,
                            Known& known) {
  if (first) return within_statements(term, *first, store_.children(pattern).size(), known);
  within_statement(term, known);
  from_pattern(pattern, term, known.facts);
}

void FactSource::within_statement(TermId redex, Known& known) {
  if (assigned_.empty() || store_.sort(redex) != store_.statement_sort()) return;
  lose({redex, store_.children(redex).size()}, changed_in(redex), known);
}

void FactSource::within_statements(TermId redex, std::size_t first, std::size_t length,
                                   Known& known) {
  if (assigned_.empty()) return;
  const std::size_t places = store_.children(redex).size();
  for (std::size_t i = first; i < first + length; ++i) {
    lose({redex, places + i}, changed_in(store_.children(redex)[i]), known);
  }
}

// What is known without the facts that only say what a variable is, one that nothing else
// mentions: such a value there is, whatever the others are.
std::vector<FactSource::Mention> FactSource::restricting(const std::vector<SymbolId>& of_condition,
                                                         const Known& known) const {
  std::vector<Mention> mentions;
  for (const TermId fact : known.facts) {
    Mention mention{term::free_variables(store_, fact), std::nullopt};
    const bool equation = term::builtin(store_, store_.symbol(fact)) == Builtin::equal;
    if (equation && store_.is_variable(store_.children(fact)[0]) &&
        !term::occurs(store_, store_.symbol(store_.children(fact)[0]), store_.children(fact)[1])) {
      mention.defines = store_.symbol(store_.children(fact)[0]);
    }
    mentions.push_back(std::move(mention));
  }
  const auto is_in = [](const std::vector<SymbolId>& list, SymbolId variable) {
    return std::ranges::find(list, variable) != list.end();
  };
  const auto free = [&](SymbolId variable) {
    return !is_in(of_condition, variable) && !is_in(known.open, variable) &&
           !is_in(known.loose, variable) && !replaced_.contains(variable) &&
           std::ranges::count_if(
               mentions, [&](const Mention& each) { return is_in(each.variables, variable); }) == 1;
  };
  const auto idle = [&](const Mention& each) { return each.defines && free(*each.defines); };
  for (auto at = std::ranges::find_if(mentions, idle); at != mentions.end();
       at = std::ranges::find_if(mentions, idle)) {
    mentions.erase(at);
  }
  return mentions;
}

// A variable for which a counterexample may have values that no run has: one of the condition, or
// of what is connected with it, before others.
std::optional<SymbolId> FactSource::not_followed(TermId condition, const Known& known) const {
  const std::unordered_set<SymbolId> open(known.open.begin(), known.open.end());
  const std::unordered_set<SymbolId> loose(known.loose.begin(), known.loose.end());
  const std::vector<SymbolId> of_condition = term::free_variables(store_, condition);
  for (const SymbolId each : of_condition) {
    if (open.contains(each) || replaced_.contains(each)) return each;
  }
  std::vector<Mention> facts = restricting(of_condition, known);
  std::unordered_set<SymbolId> connected(of_condition.begin(), of_condition.end());
  const auto joins = [&](const Mention& fact) {
    return std::ranges::any_of(fact.variables,
                               [&](SymbolId each) { return connected.contains(each); });
  };
  std::optional<SymbolId> found;
  const auto look = [&](const Mention& fact) {
    for (const SymbolId each : fact.variables) {
      if (!found && open.contains(each)) found = each;
    }
  };
  for (auto at = std::ranges::find_if(facts, joins); at != facts.end();
       at = std::ranges::find_if(facts, joins)) {
    look(*at);
    connected.insert(at->variables.begin(), at->variables.end());
    facts.erase(at);
  }
  std::ranges::for_each(facts, look);
  if (!found) found = known.unsaid;
  for (const SymbolId each : known.loose) {
    if (!found && connected.contains(each)) found = each;
  }
  return found;
}

Verdict FactSource::confirmed(const Context& context, TermId condition, const Known& known,
                              Verdict verdict) {
  if (verdict.answer != Verdict::Answer::refuted || verdict.decider == "constant") return verdict;
  const std::optional<SymbolId> found = not_followed(condition, known);
  if (!found) return verdict;
  IntervalOracle intervals;
  const Verdict never =
      intervals.decide(store_, negation(condition), known.facts, context.interpretation);
  if (never.answer == Verdict::Answer::proved) return verdict;
  const bool loose = found != known.unsaid && !replaced_.contains(*found) &&
                     std::ranges::find(known.open, *found) == known.open.end();
  verdict.answer = Verdict::Answer::unknown;
  std::string name = store_[*found].name;
  while (name.ends_with('\'')) name.pop_back();
  verdict.detail += (verdict.detail.empty() ? "" : "; ") + ("but not all is known of `" + name) +
                    (loose ? "`, of which statements before it say more"
                           : "`, which is assigned before it in a branch, a loop or a call");
  return verdict;
}

}  // namespace rhopsi::rewrite
