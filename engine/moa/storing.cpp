#include "engine/moa/storing.hpp"

#include <algorithm>

#include "engine/moa/library.hpp"
#include "engine/moa/safety.hpp"
#include "engine/moa/unfolding.hpp"
#include "engine/term/operations.hpp"

namespace rhopsi::moa {

using term::SymbolId;
using term::SymbolKind;
using term::TermId;

namespace {

constexpr std::size_t most_candidates = 32;
// A reduction of as many terms counts as another one: so looking for what is worth storing takes no
// longer than some reductions of the whole, however many terms that has.
constexpr std::size_t evaluations_each = 10'000;

// Equal up to the names of fold variables.
class Comparison {
 public:
  explicit Comparison(const Expressions& expressions) : expressions_(expressions) {}

  bool same(ExprId left, ExprId right) {
    const auto [place, fresh] = known_.try_emplace({left, right}, false);
    if (!fresh) return place->second;
    const bool result = compare(expressions_[left], expressions_[right]);
    return known_[{left, right}] = result;
  }

 private:
  bool compare(const Node& left, const Node& right) {
    if (left.kind == Node::Kind::variable && right.kind == Node::Kind::variable) {
      const auto found = bound_.find(left.variable);
      return found == bound_.end() ? left.variable == right.variable
                                   : found->second == right.variable;
    }
    if (left.kind == Node::Kind::fold && right.kind == Node::Kind::fold) {
      // Each fold has a variable of its own, but for copies, which are equal again.
      const auto [place, fresh] = bound_.try_emplace(left.variable, right.variable);
      if (!fresh && place->second != right.variable) return false;
    }
    const bool alike = left.kind == right.kind && left.type == right.type &&
                       left.function == right.function && left.integer == right.integer &&
                       left.real == right.real && left.leaf == right.leaf &&
                       left.axis == right.axis && left.operands.size() == right.operands.size();
    for (std::size_t k = 0; alike && k < left.operands.size(); ++k) {
      if (!same(left.operands[k], right.operands[k])) return false;
    }
    return alike;
  }

  const Expressions& expressions_;
  std::map<std::pair<ExprId, ExprId>, bool> known_;
  std::map<VariableId, VariableId> bound_;
};

bool folds(const NormalForm& form) {
  return std::ranges::any_of(form.pieces, [&](const Piece& piece) {
    return form.expressions->any(
        piece.element, [&](ExprId id) { return (*form.expressions)[id].kind == Node::Kind::fold; });
  });
}

}  // namespace

Chosen with(const Chosen& chosen, std::size_t candidate) {
  Chosen more = chosen;
  more.insert(std::ranges::lower_bound(more, candidate), candidate);
  return more;
}

Chosen without(const Chosen& chosen, std::size_t candidate) {
  Chosen fewer = chosen;
  std::erase(fewer, candidate);
  return fewer;
}

Storing::Storing(const Library& library, TermId expression, const Place& place,
                 const NormalForm& plain, const Limits& limits)
    : library_(library),
      store_(library.contents().store),
      expression_(unfolded(library, expression, place, limits)),
      place_(place),
      limits_(limits),
      trials_(limits.trials),
      plain_cost_(cost_of(plain).weighted(limits)),
      largest_(largest_of(plain)),
      shape_(plain.shape),
      has_folds_(folds(plain)),
      expressions_(place.expressions),
      assumptions_(plain.assumptions),
      known_(plain.assumptions) {
  for (ExprId fact : place.facts) known_.push_back({fact, {}, {}});
  collect();
}

// --- candidates

void Storing::collect() {
  // To look through a sum of thousands of terms would take longer than it saves.
  constexpr std::size_t most_nodes = 1'500;
  if (term::size(store_, expression_) > most_nodes) return;
  term::for_each_subterm(store_, expression_, [&](TermId term) {
    if (term != expression_ && is_candidate(term)) add(term);
    return true;
  });
  std::ranges::stable_sort(candidates_, {}, &Candidate::size);
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    for (TermId term : candidates_[k].occurrences) candidate_of_.emplace(term, k);
  }
  count_reads(expression_, true);
}

// `once`: an element of the whole reads one of the term at most, in this place.
void Storing::count_reads(TermId term, bool once) {
  const auto found = candidate_of_.find(term);
  if (found != candidate_of_.end()) {
    Candidate& candidate = candidates_[found->second];
    if (++candidate.places > 1 || !once) candidate.read_again = true;
  }
  const SymbolId symbol = store_.symbol(term);
  const std::size_t count = store_.children(term).size();
  for (std::size_t k = 0; k < count; ++k)
    count_reads(store_.children(term)[k], once && reads_once(library_.contents(), symbol, k));
}

bool Storing::is_read_once(std::size_t candidate) const {
  return !has_folds_ && !candidates_[candidate].read_again &&
         shape_of(library_, term_of(candidate), place_, limits_) == shape_;
}

bool Storing::is_candidate(TermId term) const {
  if (store_.head(term).kind != SymbolKind::function) return false;
  if (!library_.contents().is_array(store_.sort(term))) return false;
  return has_only_variables_of(store_, place_, term);
}

void Storing::add(TermId term) {
  const std::size_t size = term::size(store_, term);
  for (Candidate& candidate : candidates_) {
    if (candidate.size != size) continue;
    if (!term::alpha_equal(store_, candidate.occurrences[0], term)) continue;
    candidate.occurrences.push_back(term);
    return;
  }
  if (candidates_.size() < most_candidates) candidates_.push_back({{term}, size});
}

TermId Storing::term_of(std::size_t target) const {
  return target == whole() ? expression_ : candidates_[target].occurrences[0];
}

Chosen Storing::frontier(std::size_t target, const Chosen& chosen) const {
  Chosen found;
  const TermId root = term_of(target);
  term::for_each_subterm(store_, root, [&](TermId term) {
    const auto place = candidate_of_.find(term);
    if (term == root || place == candidate_of_.end()) return true;
    const std::size_t candidate = place->second;
    if (!std::ranges::binary_search(chosen, candidate)) return true;
    if (!std::ranges::binary_search(found, candidate)) found = with(found, candidate);
    return false;
  });
  return found;
}

// --- trials

Storing::Trial* Storing::trial(std::size_t target, const Chosen& chosen) {
  std::pair<std::size_t, Chosen> key{target, frontier(target, chosen)};
  auto found = tried_.find(key);
  if (found == tried_.end()) {
    if (trials_ == 0) return nullptr;
    --trials_;
    auto made = tried(target, key.second);
    if (made) trials_ -= std::min(trials_, made->form.evaluations / evaluations_each);
    found = tried_.emplace(std::move(key), std::move(made)).first;
  }
  return found->second ? &*found->second : nullptr;
}

std::optional<Storing::Trial> Storing::tried(std::size_t target, const Chosen& read) {
  Place place = place_;
  place.leaves.resize(place_.leaves.size() + candidates_.size());
  std::vector<Stored> stored;
  for (std::size_t candidate : read) {
    const Trial* alone = trial(candidate, {});
    if (alone == nullptr) return std::nullopt;
    const auto leaf = static_cast<LeafId>(place_.leaves.size() + candidate);
    place.leaves[number(leaf)].element = alone->form.element;
    stored.push_back({candidates_[candidate].occurrences, leaf, alone->form.shape});
  }
  auto form = reduce(library_, term_of(target), place, stored, limits_);
  if (!form || !needs_no_more(*form)) return std::nullopt;
  const bool reads =
      std::ranges::any_of(form->shape, [&](ExprId length) { return expressions_->reads(length); });
  if (target != whole() && reads) return std::nullopt;
  Trial made{std::move(*form), {}, 0, std::nullopt};
  made.cost = cost_of(made.form);
  made.volume = volume_of(made.form);
  return made;
}

// All assumptions are tested first, those of the whole: they have to be enough.
bool Storing::needs_no_more(const NormalForm& form) const {
  return std::ranges::all_of(form.assumptions, [&](const Assumption& needed) {
    return std::ranges::any_of(known_, [&](const Assumption& tested) {
      return Comparison(*expressions_).same(needed.condition, tested.condition);
    });
  });
}

bool Storing::promises(std::size_t candidate) {
  if (limits_.allocation >= 0 && is_read_once(candidate)) return false;
  const Trial* alone = trial(candidate, {});
  if (alone == nullptr) return false;
  if (!may_be_stored(alone->form, largest_, limits_)) return false;
  const std::vector<ExprId>&shape = alone->form.shape, &wanted = limits_.stored_shape;
  if (!wanted.empty() && !shape.empty() && shape != wanted) return false;
  // A copy saves nothing.
  const bool copies = alone->cost.operations == 0 && alone->cost.loads <= alone->volume;
  return (!copies || limits_.allocation < 0) &&
         weight(with_stores(alone->cost, alone->volume)) < plain_cost_;
}

std::optional<Cost> Storing::cost(const Chosen& chosen) {
  const Trial* last = trial(whole(), chosen);
  if (last == nullptr) return std::nullopt;
  Cost sum = last->cost;
  for (std::size_t candidate : chosen) {
    const Trial* stage = trial(candidate, chosen);
    if (stage == nullptr) return std::nullopt;
    sum += with_stores(stage->cost, stage->volume);
  }
  return sum;
}

Cost Storing::own_cost(std::size_t candidate, const Chosen& chosen) {
  const Trial* stage = trial(candidate, chosen);
  return stage == nullptr ? Cost{} : with_stores(stage->cost, stage->volume);
}

bool Storing::safe(const Chosen& chosen) {
  StoredShapes shapes;
  for (std::size_t candidate : chosen) {
    const Trial* alone = trial(candidate, {});
    if (alone == nullptr) return false;
    shapes.emplace(static_cast<LeafId>(place_.leaves.size() + candidate), alone->form.shape);
  }
  const auto safe = [&](std::size_t target) {
    Trial* one = trial(target, chosen);
    if (one == nullptr) return false;
    if (!one->safe) {
      one->safe = target == whole() ? stays_within(one->form, known_, shapes)
                                    : cannot_fail(one->form, known_, shapes);
    }
    return *one->safe;
  };
  return safe(whole()) && std::ranges::all_of(chosen, safe);
}

// --- the result

std::optional<Plan> Storing::plan(const Chosen& chosen) {
  Place place = place_;
  std::vector<Stored> stored;
  Plan made;
  const auto add = [&](std::size_t target, std::string name) {
    auto form = reduce(library_, term_of(target), place, stored, limits_);
    if (!form) return false;
    form->assumptions.clear();
    made.stages.push_back({std::move(name), std::move(*form)});
    return true;
  };
  std::size_t count = 0;
  for (std::size_t candidate : chosen) {
    std::string name;
    do {
      name = "t" + std::to_string(++count);
    } while (std::ranges::find(place_.leaves, name, &Leaf::name) != place_.leaves.end());
    if (!add(candidate, name)) return std::nullopt;
    const NormalForm& form = made.stages.back().form;
    Leaf leaf{name, form.element, {}, {}, form.shape};
    for (ExprId length : form.shape) leaf.shape.push_back(expressions_->constant(length));
    stored.push_back(
        {candidates_[candidate].occurrences, static_cast<LeafId>(place.leaves.size()), form.shape});
    place.leaves.push_back(std::move(leaf));
  }
  if (!add(whole(), "result")) return std::nullopt;
  made.stages.front().form.assumptions = assumptions_;
  return made;
}

}  // namespace rhopsi::moa
