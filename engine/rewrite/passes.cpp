#include "engine/rewrite/passes.hpp"

#include <algorithm>
#include <vector>

namespace rhopsi::rewrite {

using term::TermId;

TermId with_children(term::Store& store, TermId term, std::span<const TermId> children) {
  if (std::ranges::equal(children, store.children(term))) return term;
  return store.make(store.symbol(term), children, store.bound(term), store.location(term));
}

Passes::Passes(const Context& context, Firing& firing, Record& record)
    : store_(context.store), firing_(firing), record_(record) {}

std::uint32_t Passes::find_plain(TermId root, std::uint32_t best) {
  return std::min(best, firing_.candidates().summary(root).plain);
}

std::uint32_t Passes::find_contextual(TermId root, Path& path, std::uint32_t best) {
  Candidates& candidates = firing_.candidates();
  const std::size_t base = path.depth();
  const auto visit = [&](TermId term) {
    ++record_.visits;
    if (candidates.summary(term).contextual >= best) return;
    for (std::uint32_t rule : candidates.rules_at(term)) {
      if (rule >= best) break;
      if (!candidates.traits(rule).contextual() || !firing_.find(rule, term, path)) continue;
      best = rule;
      break;
    }
    if (candidates.summary(term).contextual < best) path.push(term);
  };
  visit(root);
  while (path.depth() > base) {
    if (auto child = path.next_child()) {
      visit(*child);
    } else {
      path.pop();
    }
  }
  return best;
}

TermId Passes::apply(std::uint32_t rule, TermId root, Path& path) {
  Candidates& candidates = firing_.candidates();
  const bool contextual = candidates.traits(rule).contextual();
  const std::size_t base = path.depth();
  std::vector<TermId> results;
  std::vector<std::size_t> first_results;
  bool changed = false;
  std::size_t lowest = base;  // the least depth since the first change
  way_.clear();
  const auto note_change = [&] {
    if (changed) {
      way_.resize(std::min(way_.size(), lowest - base));
    } else {
      way_ = path.position(base);
      lowest = path.depth();
      changed = true;
    }
  };
  const auto visit = [&](TermId term) {
    ++record_.visits;
    const Candidates::Summary summary = candidates.summary(term);
    if ((contextual ? summary.contextual : summary.plain) > rule) {
      results.push_back(term);
    } else if (auto contractum = firing_.contract(rule, term, path)) {
      note_change();
      results.push_back(*contractum);
    } else {
      path.push(term);
      first_results.push_back(results.size());
    }
  };
  visit(root);
  while (path.depth() > base) {
    if (auto child = path.next_child()) {
      visit(*child);
      continue;
    }
    const TermId rebuilt = with_children(
        store_, path.top(), std::span<const TermId>(results).subspan(first_results.back()));
    results.resize(first_results.back());
    results.push_back(rebuilt);
    first_results.pop_back();
    path.pop();
    lowest = std::min(lowest, path.depth());
  }
  return results.back();
}

}  // namespace rhopsi::rewrite
