// Everything that copies a term while replacing something in it.
#include <algorithm>

#include "engine/term/operations.hpp"

namespace rhopsi::term {

namespace {

// Copies a term bottom-up with an explicit stack. What a symbol, a variable or a
// binder becomes is left to the policy:
//   bool skip(TermId)                      the subterm is kept as it is
//   std::optional<TermId> replace(TermId)  the whole subterm is replaced
//   SymbolId symbol(SymbolId)              the copied node's symbol
//   bool enter(TermId, vector<SymbolId>&)  opens a binder; may rename its variables
//   void leave(TermId)                     closes it
template <class Policy>
class Copier {
 public:
  Copier(Store& store, Policy& policy, LocationId place = {})
      : store_(store), policy_(policy), place_(place) {}

  TermId copy(TermId root) {
    push(root);
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      if (frame.next < store_.children(frame.term).size()) {
        const TermId child = store_.children(frame.term)[frame.next++];
        push(child);
      } else {
        finish();
      }
    }
    return results_.back();
  }

 private:
  struct Frame {
    TermId term;
    std::uint32_t next = 0;
    bool binder = false;
    std::size_t first_result = 0;
    std::vector<SymbolId> bound;
  };

  void push(TermId term) {
    if (policy_.skip(term)) {
      results_.push_back(term);
      return;
    }
    if (auto replaced = policy_.replace(term)) {
      results_.push_back(*replaced);
      return;
    }
    Frame frame{term, 0, false, results_.size(), {}};
    if (auto bound = store_.bound(term); !bound.empty()) {
      frame.binder = true;
      frame.bound.assign(bound.begin(), bound.end());
      policy_.enter(term, frame.bound);
    }
    stack_.push_back(std::move(frame));
  }

  void finish() {
    Frame& frame = stack_.back();
    const std::span<const TermId> copied(results_.data() + frame.first_result,
                                         results_.size() - frame.first_result);
    if (frame.binder) policy_.leave(frame.term);
    const SymbolId before = store_.symbol(frame.term);
    const SymbolId after = policy_.symbol(before);
    const bool same = before == after && std::ranges::equal(copied, store_.children(frame.term)) &&
                      std::ranges::equal(frame.bound, store_.bound(frame.term));
    const LocationId place = place_ == LocationId{} ? store_.location(frame.term) : place_;
    const TermId result = same ? frame.term : store_.make(after, copied, frame.bound, place);
    results_.resize(frame.first_result);
    results_.push_back(result);
    stack_.pop_back();
  }

  Store& store_;
  Policy& policy_;
  LocationId place_;
  std::vector<Frame> stack_;
  std::vector<TermId> results_;
};

// Variables in scope and what they became; inner binders hide outer ones.
class BoundNames {
 public:
  void open() { marks_.push_back(undo_.size()); }
  void bind(SymbolId from, SymbolId to) {
    auto found = current_.find(from);
    undo_.emplace_back(
        from, found == current_.end() ? std::nullopt : std::optional<SymbolId>(found->second));
    current_[from] = to;
  }
  void close() {
    for (; undo_.size() > marks_.back(); undo_.pop_back()) {
      const auto& [from, to] = undo_.back();
      if (to) {
        current_[from] = *to;
      } else {
        current_.erase(from);
      }
    }
    marks_.pop_back();
  }
  std::optional<SymbolId> find(SymbolId variable) const {
    if (current_.empty()) return std::nullopt;
    auto found = current_.find(variable);
    if (found == current_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::unordered_map<SymbolId, SymbolId> current_;
  std::vector<std::pair<SymbolId, std::optional<SymbolId>>> undo_;
  std::vector<std::size_t> marks_;
};

// The subterms that hold an occurrence of such a variable. Shared ones are seen once.
template <class Predicate>
std::unordered_set<TermId> subterms_with(const Store& store, TermId root, Predicate wanted) {
  struct Frame {
    TermId term;
    std::uint32_t next = 0;
    bool touched = false;
  };
  std::unordered_set<TermId> touched;
  std::unordered_set<TermId> seen;
  std::vector<Frame> stack{{root}};
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const auto children = store.children(frame.term);
    if (frame.next < children.size()) {
      const TermId child = children[frame.next++];
      if (!seen.insert(child).second) {
        frame.touched = frame.touched || touched.contains(child);
      } else {
        stack.push_back({child});
      }
      continue;
    }
    if (wanted(store.symbol(frame.term))) frame.touched = true;
    const bool touches = frame.touched;
    if (touches) touched.insert(frame.term);
    stack.pop_back();
    if (touches && !stack.empty()) stack.back().touched = true;
  }
  return touched;
}

std::unordered_set<SymbolId> variables_bound_in(const Store& store, TermId root) {
  std::unordered_set<SymbolId> bound;
  std::unordered_set<TermId> seen;
  for_each_subterm(store, root, [&](TermId subterm) {
    if (!seen.insert(subterm).second) return false;
    for (SymbolId variable : store.bound(subterm)) bound.insert(variable);
    return true;
  });
  return bound;
}

class Substituting {
 public:
  // With `all`, every binder of the copied term is freshened; otherwise only what
  // the substitution touches is copied at all.
  Substituting(Store& store, TermId root, const Substitution& substitution, bool all)
      : store_(store), root_(root), substitution_(substitution), all_(all) {
    if (all) return;
    touched_ =
        subterms_with(store, root, [&](SymbolId symbol) { return substitution.contains(symbol); });
  }

  bool skip(TermId term) const {
    if (all_) return false;
    return !(open_ == 0 ? touched_ : touched_inside_).contains(term);
  }

  std::optional<TermId> replace(TermId term) {
    const SymbolId variable = store_.symbol(term);
    if (store_[variable].kind != SymbolKind::variable) return std::nullopt;
    if (auto renamed = renaming_.find(variable)) {
      return *renamed == variable ? term : store_.make(*renamed, {}, {}, store_.location(term));
    }
    auto found = substitution_.find(variable);
    if (found == substitution_.end()) return std::nullopt;
    // A second copy of a binder would share its variables with the first.
    if (!used_.insert(variable).second && store_.has_binder(found->second)) {
      return freshen(store_, found->second);
    }
    return found->second;
  }

  SymbolId symbol(SymbolId symbol) const { return symbol; }

  void enter(TermId, std::vector<SymbolId>& bound) {
    if (!all_ && touched_inside_.empty()) find_touched_inside();
    ++open_;
    renaming_.open();
    for (SymbolId& variable : bound) {
      const Symbol& old = store_[variable];
      const SymbolId fresh = store_.fresh_variable(old.name, old.result, old.assignable);
      renaming_.bind(variable, fresh);
      variable = fresh;
    }
  }
  void leave(TermId) {
    --open_;
    renaming_.close();
  }

 private:
  // Below a binder that is copied its variables change too.
  void find_touched_inside() {
    const auto bound = variables_bound_in(store_, root_);
    touched_inside_ = subterms_with(store_, root_, [&](SymbolId symbol) {
      return substitution_.contains(symbol) || bound.contains(symbol);
    });
  }

  Store& store_;
  TermId root_;
  const Substitution& substitution_;
  bool all_;
  std::size_t open_ = 0;  // binders
  std::unordered_set<TermId> touched_;
  std::unordered_set<TermId> touched_inside_;
  std::unordered_set<SymbolId> used_;
  BoundNames renaming_;
};

}  // namespace

TermId substitute(Store& store, TermId term, const Substitution& substitution) {
  if (substitution.empty()) return term;
  Substituting policy(store, term, substitution, false);
  return Copier(store, policy).copy(term);
}

TermId instantiate(Store& store, TermId term, const Substitution& substitution, LocationId place) {
  Substituting policy(store, term, substitution, true);
  return Copier(store, policy, place).copy(term);
}

TermId freshen(Store& store, TermId term) { return instantiate(store, term, {}); }

}  // namespace rhopsi::term
