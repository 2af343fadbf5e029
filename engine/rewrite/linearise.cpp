#include "engine/rewrite/linearise.hpp"

#include <algorithm>

#include "engine/term/operations.hpp"

namespace rhopsi::rewrite {

using term::Arithmetic;
using term::SymbolId;
using term::SymbolKind;
using term::TermId;

namespace {

constexpr int deepest_sum = 300;
constexpr std::size_t most_terms = 24;  // of a product that is multiplied out
constexpr std::size_t most_factors = 4;

std::string key_of(const Linear& form) {
  std::string key = std::to_string(form.constant);
  for (const auto& [unknown, coefficient] : form.terms) {
    key += "+" + std::to_string(coefficient) + "*" + std::to_string(unknown);
  }
  return key;
}

}  // namespace

Linear Linearizer::form(TermId term, int depth) {
  if (auto found = forms_.find(term); found != forms_.end()) return found->second;
  const std::optional<Linear> known = depth < deepest_sum ? interpreted(term, depth) : std::nullopt;
  return forms_[term] = known ? *known : linear_unknown(opaque(term));
}

std::optional<Linear> Linearizer::interpreted(TermId term, int depth) {
  using Kind = UnknownTerm::Kind;
  const term::Symbol& head = store_.head(term);
  if (head.kind == SymbolKind::integer_literal) return linear_constant(head.integer);
  if (head.kind != SymbolKind::function) return std::nullopt;
  const auto children = store_.children(term);
  if (children.empty()) {
    auto definition = definition_of(interpretation_, store_.symbol(term));
    if (!definition) return std::nullopt;
    return form(*definition, depth + 1);
  }
  if (const auto length = length_of_literal(store_, interpretation_, term)) {
    return linear_constant(*length);
  }
  const Arithmetic meaning = meaning_of(store_, interpretation_, store_.symbol(term));
  if (meaning == Arithmetic::none || meaning == Arithmetic::length || children.size() > 2) {
    return std::nullopt;
  }
  const Linear left = form(children[0], depth + 1);
  if (children.size() == 1) {
    switch (meaning) {
      case Arithmetic::add:
        return left;
      case Arithmetic::subtract:
      case Arithmetic::negate:
        return add_scaled(Linear{}, left, -1);
      case Arithmetic::absolute:
        return linear_unknown(unknown(Kind::absolute, left, {}));
      default:
        return std::nullopt;
    }
  }
  const Linear right = form(children[1], depth + 1);
  switch (meaning) {
    case Arithmetic::add:
      return add_scaled(left, right, 1);
    case Arithmetic::subtract:
      return add_scaled(left, right, -1);
    case Arithmetic::multiply:
      return product(left, right);
    case Arithmetic::divide:
      return division(Kind::quotient, left, right);
    case Arithmetic::modulo:
      return division(Kind::remainder, left, right);
    case Arithmetic::minimum:
      return linear_unknown(unknown(Kind::minimum, left, right));
    case Arithmetic::maximum:
      return linear_unknown(unknown(Kind::maximum, left, right));
    default:
      return std::nullopt;
  }
}

// Multiplied out, so that equal polynomials get equal forms.
std::optional<Linear> Linearizer::product(const Linear& left, const Linear& right) {
  if (left.terms.size() * right.terms.size() > most_terms) return std::nullopt;
  std::optional<Linear> sum = add_scaled(Linear{}, left, right.constant);
  Linear right_unknowns = right;
  right_unknowns.constant = 0;
  if (sum) sum = add_scaled(*sum, right_unknowns, left.constant);
  for (const auto& [left_unknown, left_coefficient] : left.terms) {
    for (const auto& [right_unknown, right_coefficient] : right.terms) {
      std::int64_t coefficient = 0;
      if (__builtin_mul_overflow(left_coefficient, right_coefficient, &coefficient)) {
        return std::nullopt;
      }
      std::vector<Unknown> factors;
      for (Unknown part : {left_unknown, right_unknown}) {
        const UnknownTerm& known = unknowns_[part];
        if (known.kind == UnknownTerm::Kind::product) {
          factors.insert(factors.end(), known.factors.begin(), known.factors.end());
        } else {
          factors.push_back(part);
        }
      }
      if (factors.size() > most_factors) return std::nullopt;
      const Linear part = linear_unknown(monomial(std::move(factors)));
      if (sum) sum = add_scaled(*sum, part, coefficient);
    }
  }
  return sum;
}

std::optional<Linear> Linearizer::division(UnknownTerm::Kind kind, const Linear& left,
                                           const Linear& right) {
  if (right.is_constant() && right.constant == 0) return std::nullopt;
  if (right.is_constant() && right.constant == 1) {
    return kind == UnknownTerm::Kind::quotient ? left : linear_constant(0);
  }
  return linear_unknown(unknown(kind, left, right));
}

Unknown Linearizer::unknown(UnknownTerm::Kind kind, const Linear& left, const Linear& right) {
  std::string first = key_of(left);
  std::string second = key_of(right);
  const bool symmetric = kind == UnknownTerm::Kind::minimum || kind == UnknownTerm::Kind::maximum;
  if (symmetric && second < first) std::swap(first, second);
  const std::string key = std::to_string(static_cast<int>(kind)) + "(" + first + "," + second + ")";
  if (auto found = by_key_.find(key); found != by_key_.end()) return found->second;
  UnknownTerm made;
  made.kind = kind;
  made.left = left;
  made.right = right;
  return by_key_[key] = add(std::move(made));
}

Unknown Linearizer::monomial(std::vector<Unknown> factors) {
  std::ranges::sort(factors);
  std::string key = "*";
  for (Unknown factor : factors) key += std::to_string(factor) + ",";
  if (auto found = by_key_.find(key); found != by_key_.end()) return found->second;
  UnknownTerm made;
  made.kind = UnknownTerm::Kind::product;
  made.factors = std::move(factors);
  return by_key_[key] = add(std::move(made));
}

Unknown Linearizer::opaque(TermId term) {
  auto& bucket = opaque_[hash(term)];
  for (const auto& [known, unknown] : bucket) {
    if (term::alpha_equal(store_, known, term)) return unknown;
  }
  bucket.emplace_back(term, add({}));
  return bucket.back().second;
}

Unknown Linearizer::add(UnknownTerm unknown) {
  unknowns_.push_back(std::move(unknown));
  return static_cast<Unknown>(unknowns_.size() - 1);
}

// Blind to variables in compound terms, which may be bound. Iterative.
std::size_t Linearizer::hash(TermId root) {
  if (store_.is_variable(root)) return static_cast<std::size_t>(store_.symbol(root));
  std::vector<std::pair<TermId, std::uint32_t>> stack{{root, 0}};
  while (!stack.empty()) {
    auto& [term, next] = stack.back();
    const auto children = store_.children(term);
    while (next < children.size() && hashes_.contains(children[next])) ++next;
    if (next < children.size()) {
      stack.emplace_back(children[next], 0);
      continue;
    }
    std::size_t value =
        store_.is_variable(term) ? 1 : static_cast<std::size_t>(store_.symbol(term)) + 2;
    for (TermId child : children) value = value * 1'000'003 + hashes_.at(child);
    hashes_.emplace(term, value);
    stack.pop_back();
  }
  return hashes_.at(root);
}

}  // namespace rhopsi::rewrite
