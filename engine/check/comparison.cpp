#include "engine/check/comparison.hpp"

#include <algorithm>
#include <unordered_set>

namespace rhopsi::check {

using term::Store;
using term::SymbolKind;

Terms::Terms(Store& store) : store_(store) {
  for (std::uint32_t i = 0; i < store.term_count(); ++i) {
    const TermId term{i};
    known_.emplace(key(store.symbol(term), store.children(term), store.bound(term)), term);
  }
}

Terms::Key Terms::key(SymbolId symbol, std::span<const TermId> children,
                      std::span<const SymbolId> bound) {
  Key key{static_cast<std::uint32_t>(symbol), static_cast<std::uint32_t>(bound.size())};
  for (SymbolId each : bound) key.push_back(static_cast<std::uint32_t>(each));
  for (TermId each : children) key.push_back(static_cast<std::uint32_t>(each));
  return key;
}

TermId Terms::make(SymbolId symbol, std::span<const TermId> children,
                   std::span<const SymbolId> bound) {
  const auto [place, inserted] = known_.try_emplace(key(symbol, children, bound));
  if (inserted) place->second = store_.make(symbol, children, bound);
  return place->second;
}

std::optional<TermId> Terms::substitute(TermId root, const Values& values) {
  constexpr std::size_t most = 1'000'000;
  if (binds_what_is_free(root)) return std::nullopt;
  // One copy for each term: a binder below has the same new variables wherever it is shared,
  // and what stands outside of it has none of them.
  Values replaced = values;
  std::unordered_map<TermId, TermId> copies;
  std::vector<std::pair<TermId, bool>> pending{{root, false}};
  while (!pending.empty()) {
    const auto [term, leave] = pending.back();
    if (copies.contains(term)) {
      pending.pop_back();
      continue;
    }
    if (copies.size() > most) return std::nullopt;
    const SymbolId symbol = store_.symbol(term);
    if (const auto value = replaced.find(symbol); value != replaced.end()) {
      copies[term] = value->second;
      pending.pop_back();
      continue;
    }
    if (!leave) {
      pending.back().second = true;
      const std::vector<SymbolId> bound(store_.bound(term).begin(), store_.bound(term).end());
      for (SymbolId variable : bound) {
        if (replaced.contains(variable)) continue;
        const term::Symbol old = store_[variable];
        replaced[variable] = make(store_.fresh_variable(old.name, old.result, old.assignable));
      }
      for (TermId child : store_.children(term)) pending.emplace_back(child, false);
      continue;
    }
    std::vector<TermId> children;
    for (TermId child : store_.children(term)) children.push_back(copies.at(child));
    std::vector<SymbolId> bound;
    for (SymbolId variable : store_.bound(term)) {
      bound.push_back(store_.symbol(replaced.at(variable)));
    }
    copies[term] = make(symbol, children, bound);
    pending.pop_back();
  }
  return copies.at(root);
}

// A variable that is bound in one part and free in another would be renamed in both.
bool Terms::binds_what_is_free(TermId root) const {
  std::unordered_map<TermId, std::set<SymbolId>> free;
  std::set<SymbolId> bound;
  std::vector<std::pair<TermId, bool>> pending{{root, false}};
  while (!pending.empty()) {
    const auto [term, leave] = pending.back();
    if (free.contains(term)) {
      pending.pop_back();
    } else if (!leave) {
      pending.back().second = true;
      for (TermId child : store_.children(term)) pending.emplace_back(child, false);
    } else {
      std::set<SymbolId> here;
      const SymbolId symbol = store_.symbol(term);
      if (store_[symbol].kind == SymbolKind::variable) here.insert(symbol);
      for (TermId child : store_.children(term)) {
        here.insert(free.at(child).begin(), free.at(child).end());
      }
      for (SymbolId variable : store_.bound(term)) {
        here.erase(variable);
        bound.insert(variable);
      }
      free.emplace(term, std::move(here));
      pending.pop_back();
    }
  }
  return std::ranges::any_of(free.at(root),
                             [&](SymbolId variable) { return bound.contains(variable); });
}

std::vector<TermId> parts_of(const Store& store, TermId root) {
  std::vector<TermId> parts{root};
  std::unordered_set<TermId> seen{root};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (TermId child : store.children(parts[i])) {
      if (seen.insert(child).second) parts.push_back(child);
    }
  }
  return parts;
}

bool mentions(const Store& store, TermId term, const std::set<SymbolId>& variables) {
  return std::ranges::any_of(parts_of(store, term),
                             [&](TermId part) { return variables.contains(store.symbol(part)); });
}

namespace {

class Comparison {
 public:
  Comparison(const Store& store, const Values& values) : store_(store), values_(values) {}

  bool equal(TermId left_root, TermId right_root) {
    work_.push_back({left_root, right_root, false});
    return finish();
  }

  bool equal_within(TermId pattern, TermId block, std::size_t first) {
    const auto wanted = store_.children(pattern);
    const auto found = store_.children(block);
    if (first > found.size() || wanted.size() > found.size() - first) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const TermId one = wanted[i];
      const TermId other = found[first + i];
      work_.push_back({one, other, false});
      const bool declares = store_.is(one, term::Control::declare);
      if (declares != store_.is(other, term::Control::declare)) return false;
      if (!declares) continue;
      if (!pair(store_.symbol(store_.children(one)[0]), store_.symbol(store_.children(other)[0]))) {
        return false;
      }
    }
    return finish();
  }

 private:
  struct Pair {
    TermId left;
    TermId right;
    bool close;  // ends the scope that was opened last
  };

  bool finish() {
    while (!work_.empty()) {
      const Pair pair = work_.back();
      work_.pop_back();
      if (pair.close) {
        scope_.resize(starts_.back());
        starts_.pop_back();
      } else if (!step(pair.left, pair.right)) {
        return false;
      }
    }
    return true;
  }

  // Two bound variables that stand for each other.
  bool pair(SymbolId left, SymbolId right) {
    const term::Symbol& one = store_[left];
    const term::Symbol& other = store_[right];
    if (one.result != other.result || one.assignable != other.assignable) return false;
    scope_.emplace_back(left, right);
    return true;
  }

  bool step(TermId left, TermId right) {
    if (++compared_ > most_compared) return false;
    const SymbolId symbol = store_.symbol(left);
    if (const auto value = values_.find(symbol); value != values_.end()) {
      return same(store_, value->second, right) && !caught(right);
    }
    if (values_.empty() && scope_.empty()) {
      // What is shared is compared once.
      if (left == right || !seen_.insert({left, right}).second) return true;
    }
    if (store_[symbol].kind == SymbolKind::variable) return variables(symbol, store_.symbol(right));
    const auto left_children = store_.children(left);
    const auto right_children = store_.children(right);
    const auto left_bound = store_.bound(left);
    const auto right_bound = store_.bound(right);
    if (symbol != store_.symbol(right) || left_children.size() != right_children.size() ||
        left_bound.size() != right_bound.size()) {
      return false;
    }
    if (!left_bound.empty()) {
      starts_.push_back(scope_.size());
      work_.push_back({{}, {}, true});
      for (std::size_t i = 0; i < left_bound.size(); ++i) {
        if (!pair(left_bound[i], right_bound[i])) return false;
      }
    }
    for (std::size_t i = left_children.size(); i-- > 0;) {
      work_.push_back({left_children[i], right_children[i], false});
    }
    return true;
  }

  // The innermost binder of either decides.
  bool variables(SymbolId left, SymbolId right) const {
    for (std::size_t i = scope_.size(); i-- > 0;) {
      if (scope_[i].first == left || scope_[i].second == right) {
        return scope_[i].first == left && scope_[i].second == right;
      }
    }
    return left == right;
  }

  bool caught(TermId value) const {
    std::set<SymbolId> bound;
    for (const auto& [left, right] : scope_) bound.insert(right);
    return !bound.empty() && mentions(store_, value, bound);
  }

  const Store& store_;
  const Values& values_;
  std::vector<Pair> work_;
  std::vector<std::pair<SymbolId, SymbolId>> scope_;
  std::vector<std::size_t> starts_;
  std::set<std::pair<TermId, TermId>> seen_;
  std::size_t compared_ = 0;
};

}  // namespace

bool same(const Store& store, TermId left, TermId right) {
  if (left == right) return true;
  const Values none;
  return Comparison(store, none).equal(left, right);
}

bool is_instance(const Store& store, TermId pattern, const Values& values, TermId subject) {
  return Comparison(store, values).equal(pattern, subject);
}

bool is_instance_within(const Store& store, TermId pattern, const Values& values, TermId block,
                        std::size_t first) {
  return Comparison(store, values).equal_within(pattern, block, first);
}

}  // namespace rhopsi::check
