// Everything that reads a term without copying it, and positions.
#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "engine/term/operations.hpp"

namespace rhopsi::term {

namespace {

// Bound variables of the two sides, numbered by the binder that was opened last.
class Pairing {
 public:
  bool empty() const { return left_.empty(); }

  void open() { marks_.push_back(undo_.size()); }
  void pair(SymbolId left, SymbolId right) {
    ++count_;
    set(left_, left, true);
    set(right_, right, false);
  }
  void close() {
    for (; undo_.size() > marks_.back(); undo_.pop_back()) {
      const Undo& undo = undo_.back();
      auto& map = undo.left ? left_ : right_;
      if (undo.before == 0) {
        map.erase(undo.variable);
      } else {
        map[undo.variable] = undo.before;
      }
    }
    marks_.pop_back();
  }
  bool same(SymbolId left, SymbolId right) const {
    const std::uint64_t left_number = number(left_, left);
    const std::uint64_t right_number = number(right_, right);
    if (left_number == 0 && right_number == 0) return left == right;
    return left_number == right_number;
  }

 private:
  using Numbers = std::unordered_map<SymbolId, std::uint64_t>;
  struct Undo {
    SymbolId variable;
    std::uint64_t before;
    bool left;
  };

  static std::uint64_t number(const Numbers& numbers, SymbolId variable) {
    auto found = numbers.find(variable);
    return found == numbers.end() ? 0 : found->second;
  }
  void set(Numbers& numbers, SymbolId variable, bool left) {
    undo_.push_back({variable, number(numbers, variable), left});
    numbers[variable] = count_;
  }

  Numbers left_;
  Numbers right_;
  std::vector<Undo> undo_;
  std::vector<std::size_t> marks_;
  std::uint64_t count_ = 0;
};

struct CloseScope {};

bool equal_under(const Store& store, TermId left_root, TermId right_root, Pairing& pairing) {
  using Work = std::variant<std::pair<TermId, TermId>, CloseScope>;
  std::vector<Work> work{std::pair{left_root, right_root}};
  while (!work.empty()) {
    const Work next = work.back();
    work.pop_back();
    if (std::holds_alternative<CloseScope>(next)) {
      pairing.close();
      continue;
    }
    const auto [left, right] = std::get<0>(next);
    if (left == right && pairing.empty()) continue;
    const SymbolId left_symbol = store.symbol(left);
    const SymbolId right_symbol = store.symbol(right);
    if (store.is_variable(left) && store.is_variable(right)) {
      if (!pairing.same(left_symbol, right_symbol)) return false;
      continue;
    }
    const auto left_children = store.children(left);
    const auto right_children = store.children(right);
    const auto left_bound = store.bound(left);
    const auto right_bound = store.bound(right);
    if (left_symbol != right_symbol || left_children.size() != right_children.size() ||
        left_bound.size() != right_bound.size()) {
      return false;
    }
    if (!left_bound.empty()) {
      pairing.open();
      for (std::size_t i = 0; i < left_bound.size(); ++i) {
        if (store[left_bound[i]].result != store[right_bound[i]].result) return false;
        pairing.pair(left_bound[i], right_bound[i]);
      }
      work.push_back(CloseScope{});
    }
    for (std::size_t i = left_children.size(); i-- > 0;) {
      work.push_back(std::pair{left_children[i], right_children[i]});
    }
  }
  return true;
}

}  // namespace

bool alpha_equal(const Store& store, TermId left, TermId right) {
  Pairing pairing;
  return equal_under(store, left, right, pairing);
}

bool alpha_equal(const Store& store, TermId left, TermId right,
                 std::span<const SymbolId> left_parameters,
                 std::span<const SymbolId> right_parameters) {
  if (left_parameters.size() != right_parameters.size()) return false;
  Pairing pairing;
  for (std::size_t i = 0; i < left_parameters.size(); ++i) {
    if (store[left_parameters[i]].result != store[right_parameters[i]].result) return false;
    pairing.pair(left_parameters[i], right_parameters[i]);
  }
  return equal_under(store, left, right, pairing);
}

std::vector<SymbolId> free_variables(const Store& store, TermId term) {
  using Work = std::variant<TermId, CloseScope>;
  std::vector<SymbolId> found;
  std::unordered_set<SymbolId> reported;
  std::unordered_map<SymbolId, int> hidden;
  // What was seen in each open scope need not be entered again there.
  std::vector<std::unordered_set<TermId>> seen(1);
  std::vector<std::span<const SymbolId>> scopes;
  std::vector<Work> work{term};
  while (!work.empty()) {
    const Work item = work.back();
    work.pop_back();
    if (std::holds_alternative<CloseScope>(item)) {
      for (SymbolId variable : scopes.back()) --hidden[variable];
      scopes.pop_back();
      seen.pop_back();
      continue;
    }
    const TermId next = std::get<TermId>(item);
    if (!seen.back().insert(next).second) continue;
    if (store.is_variable(next)) {
      const SymbolId variable = store.symbol(next);
      auto scope = hidden.find(variable);
      const bool bound = scope != hidden.end() && scope->second > 0;
      if (!bound && reported.insert(variable).second) found.push_back(variable);
      continue;
    }
    if (const auto bound = store.bound(next); !bound.empty()) {
      scopes.push_back(bound);
      seen.emplace_back();
      for (SymbolId variable : bound) ++hidden[variable];
      work.push_back(CloseScope{});
    }
    const auto children = store.children(next);
    for (std::size_t i = children.size(); i-- > 0;) work.push_back(children[i]);
  }
  return found;
}

bool occurs(const Store& store, SymbolId symbol, TermId term) {
  bool found = false;
  std::unordered_set<TermId> seen;
  for_each_subterm(store, term, [&](TermId subterm) {
    if (found || !seen.insert(subterm).second) return false;
    const Symbol& head = store.head(subterm);
    found = store.symbol(subterm) == symbol ||
            (head.control == Control::fold && head.operation == symbol);
    return !found;
  });
  return found;
}

std::vector<SymbolId> operations_in(const Store& store, TermId term) {
  std::vector<SymbolId> found;
  std::unordered_set<SymbolId> reported;
  std::unordered_set<TermId> seen;
  for_each_subterm(store, term, [&](TermId subterm) {
    if (!seen.insert(subterm).second) return false;
    SymbolId symbol = store.symbol(subterm);
    if (store[symbol].control == Control::fold) symbol = store[symbol].operation;
    const SymbolKind kind = store[symbol].kind;
    const bool operation = kind == SymbolKind::function || kind == SymbolKind::predicate ||
                           kind == SymbolKind::procedure;
    if (operation && reported.insert(symbol).second) found.push_back(symbol);
    return true;
  });
  return found;
}

std::size_t size(const Store& store, TermId term) {
  // Shared subterms are counted at each of their places, but visited once.
  struct Frame {
    TermId term;
    std::uint32_t next = 0;
    std::size_t nodes = 1;
  };
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 4;
  std::unordered_map<TermId, std::size_t> known;
  std::vector<Frame> stack{{term}};
  std::size_t total = 0;
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const auto children = store.children(frame.term);
    if (frame.next < children.size()) {
      const TermId child = children[frame.next++];
      if (auto found = known.find(child); found != known.end()) {
        frame.nodes = std::min(most, frame.nodes + found->second);
      } else {
        stack.push_back({child});
      }
      continue;
    }
    total = frame.nodes;
    known.emplace(frame.term, total);
    stack.pop_back();
    if (!stack.empty()) stack.back().nodes = std::min(most, stack.back().nodes + total);
  }
  return total;
}

void for_each_subterm(const Store& store, TermId term, const std::function<bool(TermId)>& visit) {
  std::vector<TermId> pending{term};
  while (!pending.empty()) {
    const TermId next = pending.back();
    pending.pop_back();
    if (!visit(next)) continue;
    const auto children = store.children(next);
    for (std::size_t i = children.size(); i-- > 0;) pending.push_back(children[i]);
  }
}

TermId at(const Store& store, TermId term, const Position& position) {
  for (std::uint32_t child : position) term = store.children(term)[child];
  return term;
}

TermId replace_at(Store& store, TermId term, const Position& position, TermId replacement) {
  std::vector<TermId> path;
  for (std::uint32_t child : position) {
    path.push_back(term);
    term = store.children(term)[child];
  }
  if (term == replacement) return path.empty() ? term : path.front();
  TermId result = replacement;
  for (std::size_t i = path.size(); i-- > 0;) {
    const auto old = store.children(path[i]);
    std::vector<TermId> children(old.begin(), old.end());
    children[position[i]] = result;
    result =
        store.make(store.symbol(path[i]), children, store.bound(path[i]), store.location(path[i]));
  }
  return result;
}

}  // namespace rhopsi::term
