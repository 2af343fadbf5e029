#include "engine/analysis/values.hpp"

#include <algorithm>

namespace rhopsi::analysis {

namespace {

Linear difference(Linear a, const Linear& b) { return a.add(b, -1); }

// All with these factors and constants.
std::vector<Linear> candidates(std::size_t arity, const std::vector<std::int64_t>& factors,
                               const std::vector<std::int64_t>& constants) {
  std::vector<Linear> out{Linear{}};
  for (std::size_t i = 0; i < arity; ++i) {
    std::vector<Linear> longer;
    for (const Linear& each : out) {
      for (std::int64_t factor : factors) {
        Linear next = each;
        if (factor != 0) next.factors[static_cast<int>(i)] = factor;
        longer.push_back(std::move(next));
      }
    }
    out = std::move(longer);
  }
  std::vector<Linear> all;
  for (const Linear& each : out) {
    for (std::int64_t constant : constants) {
      all.push_back(each);
      all.back().constant = constant;
    }
  }
  return all;
}

std::int64_t strength(const Linear& bound) {
  std::int64_t sum = bound.constant;
  for (const auto& entry : bound.factors) sum += 4 * entry.second;
  return sum;
}

}  // namespace

Linear& Linear::add(const Linear& other, std::int64_t factor) {
  for (const auto& [variable, value] : other.factors) {
    std::int64_t& own = factors[variable];
    own += factor * value;
    if (own == 0) factors.erase(variable);
  }
  constant += factor * other.constant;
  return *this;
}

bool Linear::never_negative() const {
  return constant >= 0 &&
         std::ranges::all_of(factors, [](const auto& entry) { return entry.second >= 0; });
}

Values::Values(const TermBank& bank, const Rules& rules, const std::vector<int>& roots,
               const std::vector<Term>& terms)
    : bank_(bank), rules_(rules), index_(bank, rules), roots_(roots) {
  if (roots_.size() > most_roots) roots_.resize(most_roots);
  std::set<int> operations;
  for (Term each : terms) collect(each, operations);
  for (int each : operations) bound(each);
  claim_all(operations);
  while (drop_claims()) {
  }
  drop_weak_claims();
}

// What a call may come to call.
void Values::collect(Term term, std::set<int>& operations) const {
  if (bank_.is_variable(term)) return;
  for (Term each : bank_.arguments(term)) collect(each, operations);
  if (!defined(bank_.head(term)) || !operations.insert(bank_.head(term)).second) return;
  for (std::size_t number : index_.of(bank_.head(term))) {
    collect(rules_[number].right, operations);
  }
}

bool Values::exact(Term term) const {
  if (bank_.is_variable(term)) return true;
  return !defined(bank_.head(term)) &&
         std::ranges::all_of(bank_.arguments(term), [&](Term each) { return exact(each); });
}

Linear Values::constructed(Term term, const std::vector<Linear>& sizes) const {
  Linear out;
  out.constant = bank_.arguments(term).empty() ? 0 : 1;
  for (const Linear& each : sizes) out.add(each);
  return out;
}

Linear Values::of_arguments(const Linear& bound, const std::vector<Linear>& sizes) const {
  Linear out;
  out.constant = bound.constant;
  for (const auto& [argument, factor] : bound.factors) {
    out.add(sizes[static_cast<std::size_t>(argument)], factor);
  }
  return out;
}

Linear Values::at_least(Term term) const {
  if (bank_.is_variable(term)) return {{{bank_.variable_of(term), 1}}, 0};
  std::vector<Linear> sizes;
  for (Term each : bank_.arguments(term)) sizes.push_back(at_least(each));
  if (!defined(bank_.head(term))) return constructed(term, sizes);
  const auto found = bounds_.find(bank_.head(term));
  return found == bounds_.end() ? Linear{} : of_arguments(found->second.lower, sizes);
}

std::optional<Linear> Values::at_most(Term term) const {
  if (bank_.is_variable(term)) return Linear{{{bank_.variable_of(term), 1}}, 0};
  const bool call = defined(bank_.head(term));
  const auto found = bounds_.find(bank_.head(term));
  if (call && (found == bounds_.end() || !found->second.upper)) return std::nullopt;
  std::vector<Linear> sizes;
  for (std::size_t i = 0; i < bank_.arguments(term).size(); ++i) {
    const bool counts = !call || found->second.upper->factors.contains(static_cast<int>(i));
    auto size = counts ? at_most(bank_.arguments(term)[i]) : Linear{};
    if (!size) return std::nullopt;
    sizes.push_back(std::move(*size));
  }
  return call ? of_arguments(*found->second.upper, sizes) : constructed(term, sizes);
}

// Whether the sizes of the arguments of its left sides are linear.
bool Values::patterns(int operation) const {
  return std::ranges::all_of(index_.of(operation), [&](std::size_t number) {
    const Term left = rules_[number].left;
    return !bank_.is_variable(left) &&
           std::ranges::all_of(bank_.arguments(left), [&](Term each) { return exact(each); });
  });
}

std::vector<Linear> Values::sizes_of_arguments(Term term) const {
  std::vector<Linear> out;
  for (Term each : bank_.arguments(term)) out.push_back(at_least(each));
  return out;
}

bool Values::keeps(int operation, const Linear& candidate, bool lower) const {
  return std::ranges::all_of(index_.of(operation), [&](std::size_t number) {
    const Rule& rule = rules_[number];
    const Linear own = of_arguments(candidate, sizes_of_arguments(rule.left));
    if (lower) return difference(at_least(rule.right), own).never_negative();
    const auto right = at_most(rule.right);
    return right && difference(own, *right).never_negative();
  });
}

// The strongest of the candidates for each bound: first below, then above, where it also has to be
// at least what a call that no rule fits counts.
void Values::bound(int operation) {
  if (bounds_.contains(operation)) return;
  bounds_[operation] = {};  // for calls that come back to it
  std::set<int> callees;
  for (std::size_t number : index_.of(operation)) collect(rules_[number].right, callees);
  for (int each : callees) bound(each);
  const std::size_t arity = bank_.symbol(operation).arity();
  if (arity > most_arguments || !patterns(operation)) return;
  auto below = candidates(arity, {0, 1}, {-1, 0, 1});
  std::ranges::stable_sort(below, std::greater<>{}, strength);
  for (const Linear& each : below) {
    bounds_[operation] = {each, {}};
    if (keeps(operation, each, true)) break;
    bounds_[operation] = {};
  }
  const Linear lower = bounds_[operation].lower;
  auto above = candidates(arity, {0, 1, 2}, {0, 1});
  std::ranges::stable_sort(above, {}, strength);
  for (const Linear& each : above) {
    if (!difference(each, lower).never_negative()) continue;
    bounds_[operation].upper = each;
    if (keeps(operation, each, false)) return;
  }
  bounds_[operation].upper.reset();
}

void Values::claim_all(const std::set<int>& operations) {
  for (int operation : operations) {
    const std::size_t arity = bank_.symbol(operation).arity();
    if (arity == 0 || arity > most_arguments || !patterns(operation)) continue;
    for (int root : roots_) {
      auto& claims = claims_[{operation, root}];
      for (Linear& each : candidates(arity, {-1, 0, 1}, {-2, -1, 0})) {
        if (!each.never_negative()) claims.push_back(std::move(each));
      }
      auto& needed = arguments_[{operation, root}];
      for (std::size_t i = 0; i < arity; ++i) {
        for (int other : roots_) needed.insert({static_cast<int>(i), other});
      }
    }
  }
}

// The claim about a call that a rule makes, in the variables of the rule.
std::optional<Linear> Values::instance(const Linear& claim, Term call) const {
  Linear out;
  out.constant = claim.constant;
  for (const auto& [argument, factor] : claim.factors) {
    const Term each = bank_.arguments(call)[static_cast<std::size_t>(argument)];
    const auto size = factor > 0 ? at_most(each) : std::optional(at_least(each));
    if (!size) return std::nullopt;
    out.add(*size, factor);
  }
  return out;
}

bool Values::keeps(const Result& result, const Linear& claim) const {
  return std::ranges::all_of(index_.of(result.first), [&](std::size_t number) {
    const Rule& rule = rules_[number];
    const Linear own = of_arguments(claim, sizes_of_arguments(rule.left));
    if (own.never_negative()) return true;
    if (bank_.is_variable(rule.right)) return false;
    const int head = bank_.head(rule.right);
    if (!defined(head)) return head != result.second;
    const auto known = claims_.find({head, result.second});
    if (known == claims_.end()) return false;
    return std::ranges::any_of(known->second, [&](const Linear& other) {
      const auto made = instance(other, rule.right);
      return made && difference(own, *made).never_negative();
    });
  });
}

bool Values::keeps(const Result& result, const Result& argument) const {
  return std::ranges::all_of(index_.of(result.first), [&](std::size_t number) {
    const Rule& rule = rules_[number];
    const Term own = bank_.arguments(rule.left)[static_cast<std::size_t>(argument.first)];
    if (!bank_.is_variable(rule.right) && !defined(bank_.head(rule.right)) &&
        bank_.head(rule.right) != result.second) {
      return true;
    }
    if (!bank_.is_variable(own)) return bank_.head(own) == argument.second;
    if (bank_.is_variable(rule.right)) {
      return own == rule.right && argument.second == result.second;
    }
    const auto known = arguments_.find({bank_.head(rule.right), result.second});
    if (!defined(bank_.head(rule.right)) || known == arguments_.end()) return false;
    return std::ranges::any_of(known->second, [&](const Result& other) {
      return other.second == argument.second &&
             bank_.arguments(rule.right)[static_cast<std::size_t>(other.first)] == own;
    });
  });
}

// Whether something was dropped: what rested on it is to be looked at again.
bool Values::drop_claims() {
  std::size_t dropped = 0;
  for (auto& [result, claims] : claims_) {
    const Result own = result;
    std::vector<Linear> kept;
    for (const Linear& each : claims) {
      if (keeps(own, each)) kept.push_back(each);
    }
    dropped += claims.size() - kept.size();
    claims = std::move(kept);
  }
  for (auto& [result, needed] : arguments_) {
    const Result own = result;
    std::set<Result> kept;
    for (const Result& each : needed) {
      if (keeps(own, each)) kept.insert(each);
    }
    dropped += needed.size() - kept.size();
    needed = std::move(kept);
  }
  return dropped > 0;
}

// Those that another one says as well.
void Values::drop_weak_claims() {
  for (auto& entry : claims_) {
    std::vector<Linear>& claims = entry.second;
    for (std::size_t i = claims.size(); i-- > 0;) {
      const bool weak = std::ranges::any_of(claims, [&](const Linear& other) {
        return &other != &claims[i] && difference(claims[i], other).never_negative();
      });
      if (weak) claims.erase(claims.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

std::vector<Linear> Values::if_root(Term term, int root) const {
  if (bank_.is_variable(term) || !defined(bank_.head(term))) return {};
  std::vector<Linear> out;
  const Result result{bank_.head(term), root};
  if (const auto found = claims_.find(result); found != claims_.end()) {
    for (const Linear& each : found->second) {
      auto made = instance(each, term);
      if (made && !made->never_negative()) out.push_back(std::move(*made));
    }
  }
  if (const auto found = arguments_.find(result); found != arguments_.end()) {
    for (const auto& [argument, inner] : found->second) {
      const Term each = bank_.arguments(term)[static_cast<std::size_t>(argument)];
      for (Linear& made : if_root(each, inner)) out.push_back(std::move(made));
    }
  }
  return out;
}

}  // namespace rhopsi::analysis
