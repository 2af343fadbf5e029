#include "engine/check/unfolding.hpp"

#include <algorithm>

#include "engine/term/theory.hpp"

namespace rhopsi::check {

using term::Arithmetic;
using term::Control;

namespace {

constexpr std::size_t most_unfoldings = 1'000;
constexpr std::size_t most_parts_unfolded = 10'000;  // of a term that something is replaced in

std::vector<TermId> children_of(const term::Store& store, TermId term) {
  const auto children = store.children(term);
  return {children.begin(), children.end()};
}

}  // namespace

Unfoldings::Unfoldings(Terms& terms, Judge& judge, const Derivation& derivation)
    : terms_(terms), store_(terms.store()), judge_(judge), derivation_(derivation) {
  for (const Operation& operation : derivation.operations) {
    operations_.emplace(operation.symbol, &operation);
    const auto& sorts = store_[operation.symbol].parameters;
    if (sorts.size() != 2 || sorts[0] != sorts[1]) continue;
    if (operation.meaning == Arithmetic::less) less_[sorts[0]] = operation.symbol;
    if (operation.meaning == Arithmetic::less_equal) less_equal_[sorts[0]] = operation.symbol;
  }
}

std::optional<std::string> Unfoldings::follow(const Step& step, std::vector<TermId>& goals,
                                              std::vector<Fact>& facts) {
  if (step.unfoldings.size() > most_unfoldings) return "too many unfoldings";
  for (const Unfolding& each : step.unfoldings) {
    if (auto message = problem(each)) return message;
    std::optional<TermId> chosen;
    if (!each.axiom && store_.is(each.before, Control::if_)) chosen = choice(each, facts);
    replaced_.clear();
    for (Fact& fact : facts) fact.condition = replaced(fact.condition, each);
    bool asked = false;
    for (TermId& goal : goals) {
      const TermId after = replaced(goal, each);
      asked = asked || after != goal;
      goal = after;
    }
    if (chosen) goals.push_back(*chosen);
    const bool of_forall = !each.axiom && is_component(each.before) &&
                           store_.is(store_.children(each.before)[0], Control::forall);
    if (!asked || !of_forall) continue;
    const auto within = bounds(each.before);
    if (!within) return "nothing says that a component is there";
    goals.insert(goals.end(), within->begin(), within->end());
  }
  return std::nullopt;
}

std::optional<TermId> Unfoldings::choice(const Unfolding& unfolding,
                                         const std::vector<Fact>& facts) {
  const std::vector<TermId> parts = children_of(store_, unfolding.before);
  if (same(store_, parts[1], unfolding.after)) {
    return judge_.follows(parts[0], facts) ? std::nullopt : std::optional(parts[0]);
  }
  if (judge_.excluded(parts[0], facts)) return std::nullopt;
  const SymbolId negation =
      term::builtin_symbol(terms_.store(), term::Builtin::not_, store_.predicate_sort());
  return terms_.make(negation, {parts[0]});
}

std::optional<std::string> Unfoldings::problem(const Unfolding& unfolding) const {
  if (unfolding.axiom) return problem_with_axiom(unfolding);
  if (is_meant(unfolding)) return std::nullopt;
  return "`" + to_string(store_, unfolding.before) + "` is not `" +
         to_string(store_, unfolding.after) + "` by what vectors are";
}

std::optional<std::string> Unfoldings::problem_with_axiom(const Unfolding& unfolding) const {
  const Axiom& axiom = derivation_.axioms[*unfolding.axiom];
  if (axiom.condition) return "the axiom " + axiom.name + " holds under a condition";
  if (unfolding.binding.size() != axiom.variables.size()) {
    return axiom.name + " has another number of variables";
  }
  Values values;
  for (std::size_t i = 0; i < unfolding.binding.size(); ++i) {
    if (store_[axiom.variables[i]].result != store_.sort(unfolding.binding[i])) {
      return "`" + store_[axiom.variables[i]].name + "` stands for a value of another sort";
    }
    values.emplace(axiom.variables[i], unfolding.binding[i]);
  }
  if (is_instance(store_, axiom.left, values, unfolding.before) &&
      is_instance(store_, axiom.right, values, unfolding.after)) {
    return std::nullopt;
  }
  return "`" + to_string(store_, unfolding.before) + "` is not `" +
         to_string(store_, unfolding.after) + "` by " + axiom.name;
}

bool Unfoldings::is_component(TermId term) const {
  const auto found = operations_.find(store_.symbol(term));
  return found != operations_.end() && store_.children(term).size() == 2 &&
         found->second->array == term::ArrayFunction::component;
}

bool Unfoldings::is_length(TermId term) const {
  const auto found = operations_.find(store_.symbol(term));
  return found != operations_.end() && store_.children(term).size() == 1 &&
         found->second->meaning == Arithmetic::length;
}

bool Unfoldings::is_meant(const Unfolding& unfolding) const {
  const TermId before = unfolding.before;
  const std::vector<TermId> parts = children_of(store_, before);
  if (store_.is(before, Control::if_)) {
    return same(store_, parts[1], unfolding.after) || same(store_, parts[2], unfolding.after);
  }
  if (is_of_number(unfolding)) return true;
  if (!is_component(before) && !is_length(before)) return false;
  if (store_.is(parts[0], Control::forall)) return is_of_forall(unfolding, parts);
  if (store_.is(parts[0], Control::vector_)) return is_of_list(unfolding, parts);
  return store_.is(parts[0], Control::if_) && is_of_branches(unfolding, parts);
}

bool Unfoldings::is_of_number(const Unfolding& unfolding) const {
  const auto found = operations_.find(store_.symbol(unfolding.before));
  if (found == operations_.end() || found->second->array != term::ArrayFunction::shape) {
    return false;
  }
  const term::SymbolKind kind = store_.head(store_.children(unfolding.before)[0]).kind;
  const bool number =
      kind == term::SymbolKind::integer_literal || kind == term::SymbolKind::real_literal;
  return number && store_.is(unfolding.after, Control::vector_) &&
         store_.children(unfolding.after).empty();
}

bool Unfoldings::is_of_forall(const Unfolding& unfolding, const std::vector<TermId>& parts) const {
  const auto of_forall = store_.children(parts[0]);
  if (is_length(unfolding.before)) return same(store_, of_forall[0], unfolding.after);
  const SymbolId index = store_.bound(parts[0])[0];
  return store_[index].result == store_.sort(parts[1]) &&
         is_instance(store_, of_forall[1], Values{{index, parts[1]}}, unfolding.after);
}

bool Unfoldings::is_of_list(const Unfolding& unfolding, const std::vector<TermId>& parts) const {
  const auto list = store_.children(parts[0]);
  const auto count = static_cast<std::int64_t>(list.size());
  if (is_length(unfolding.before)) {
    const term::Symbol& number = store_.head(unfolding.after);
    return number.kind == term::SymbolKind::integer_literal && number.integer == count;
  }
  const auto place = judge_.value(parts[1]);
  return place && *place >= 0 && *place < count &&
         same(store_, list[static_cast<std::size_t>(*place)], unfolding.after);
}

bool Unfoldings::is_of_branches(const Unfolding& unfolding,
                                const std::vector<TermId>& parts) const {
  const TermId after = unfolding.after;
  if (!store_.is(after, Control::if_)) return false;
  const auto vectors = store_.children(parts[0]);
  const auto branches = store_.children(after);
  const auto is_asked_of = [&](TermId branch, TermId vector) {
    const auto asked = store_.children(branch);
    return store_.symbol(branch) == store_.symbol(unfolding.before) &&
           asked.size() == parts.size() && same(store_, asked[0], vector) &&
           (asked.size() == 1 || same(store_, asked[1], parts[1]));
  };
  return same(store_, branches[0], vectors[0]) && is_asked_of(branches[1], vectors[1]) &&
         is_asked_of(branches[2], vectors[2]);
}

std::optional<std::vector<TermId>> Unfoldings::bounds(TermId component) {
  const std::vector<TermId> parts = children_of(store_, component);
  const term::SortId sort = store_.sort(parts[1]);
  const TermId count = store_.children(parts[0])[0];
  const auto less = less_.find(sort);
  const auto less_equal = less_equal_.find(sort);
  if (less == less_.end() || less_equal == less_equal_.end() || store_.sort(count) != sort) {
    return std::nullopt;
  }
  const TermId zero = terms_.make(terms_.store().integer_literal(0, sort));
  return std::vector<TermId>{terms_.make(less_equal->second, {zero, parts[1]}),
                             terms_.make(less->second, {parts[1], count})};
}

// Binders are left as they are, and so is what is too large.
TermId Unfoldings::replaced(TermId root, const Unfolding& unfolding) {
  std::vector<std::pair<TermId, bool>> pending{{root, false}};
  while (!pending.empty()) {
    const auto [term, leave] = pending.back();
    pending.pop_back();
    if (replaced_.contains(term)) continue;
    if (replaced_.size() > most_parts_unfolded) return root;
    if (!leave) {
      const bool found = store_.symbol(term) == store_.symbol(unfolding.before) &&
                         same(store_, term, unfolding.before);
      if (found || !store_.bound(term).empty()) {
        replaced_.emplace(term, found ? unfolding.after : term);
        continue;
      }
      pending.emplace_back(term, true);
      for (const TermId part : store_.children(term)) pending.emplace_back(part, false);
      continue;
    }
    std::vector<TermId> parts;
    for (const TermId part : store_.children(term)) parts.push_back(replaced_.at(part));
    replaced_.emplace(term, terms_.make(store_.symbol(term), parts));
  }
  return replaced_.at(root);
}

}  // namespace rhopsi::check
