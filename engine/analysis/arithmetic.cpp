#include "engine/analysis/arithmetic.hpp"

#include <algorithm>
#include <string>

namespace rhopsi::analysis {

namespace {

constexpr std::size_t most_products = 1000;

}  // namespace

bool of_truth_values(Operation operation) {
  switch (operation) {
    case Operation::and_:
    case Operation::or_:
    case Operation::not_:
    case Operation::implies:
    case Operation::iff:
      return true;
    default:
      return false;
  }
}

std::optional<CanonicalTerms::Kind> CanonicalTerms::kind_of(Term term) const {
  if (bank_.is_variable(term)) return std::nullopt;
  const int head = bank_.head(term);
  if (const auto made = made_.find(head); made != made_.end()) return made->second.kind;
  if (const auto found = arithmetic_.operations.find(head); found != arithmetic_.operations.end()) {
    return of_truth_values(found->second) ? Kind::truth : Kind::integer;
  }
  if (arithmetic_.truths.contains(head)) return Kind::truth;
  if (arithmetic_.integers.contains(head)) return Kind::integer;
  if (const auto made = made_literals_.find(head); made != made_literals_.end()) {
    return made->second.first;
  }
  return std::nullopt;
}

std::optional<Term> CanonicalTerms::of(Term term) {
  if (bank_.is_variable(term)) return term;
  if (const auto found = known_.find(term); found != known_.end()) return found->second;
  std::optional<Term> result;
  if (const auto kind = kind_of(term)) {
    const auto form = polynomial(term, *kind);
    if (form) result = build(*form, bank_.sort(term), *kind);
  } else {
    result = alien_term(term);
  }
  known_.emplace(term, result);
  return result;
}

std::optional<Term> CanonicalTerms::alien_term(Term term) {
  std::vector<Term> arguments;
  const std::vector<Term> given(bank_.arguments(term).begin(), bank_.arguments(term).end());
  for (Term each : given) {
    const auto made = of(each);
    if (!made) return std::nullopt;
    arguments.push_back(*made);
  }
  return bank_.make(bank_.head(term), arguments);
}

std::optional<CanonicalTerms::Polynomial> CanonicalTerms::alien(Term term) {
  const auto own = of(term);
  if (!own) return std::nullopt;
  return Polynomial{{{*own}, 1}};
}

std::optional<CanonicalTerms::Polynomial> CanonicalTerms::polynomial(Term term, Kind kind) {
  if (kind_of(term) != kind) return alien(term);
  const int head = bank_.head(term);
  if (const auto found = arithmetic_.integers.find(head); found != arithmetic_.integers.end()) {
    return constant(found->second);
  }
  if (const auto found = arithmetic_.truths.find(head); found != arithmetic_.truths.end()) {
    return constant(found->second ? 1 : 0);
  }
  if (const auto found = made_literals_.find(head); found != made_literals_.end()) {
    return constant(found->second.second);
  }
  if (const auto made = made_.find(head); made != made_.end()) {
    const bool adds = made->second.shape == Shape::sum;
    std::optional<Polynomial> all = constant(adds ? 0 : 1);
    const std::vector<Term> parts(bank_.arguments(term).begin(), bank_.arguments(term).end());
    for (Term each : parts) {
      const auto part = polynomial(each, kind);
      all = adds ? sum(std::move(all), part, 1, kind) : product(all, part, kind);
    }
    return all;
  }
  return operation(arithmetic_.operations.at(head), term, kind);
}

std::optional<CanonicalTerms::Polynomial> CanonicalTerms::operation(Operation operation, Term term,
                                                                    Kind kind) {
  const std::vector<Term> given(bank_.arguments(term).begin(), bank_.arguments(term).end());
  const auto first = polynomial(given[0], kind);
  const auto second = given.size() > 1 ? polynomial(given[1], kind) : std::nullopt;
  switch (operation) {
    case Operation::add:
    case Operation::iff:  // plus 1
      return sum(sum(first, second, 1, kind), constant(operation == Operation::iff ? 1 : 0), 1,
                 kind);
    case Operation::subtract:
      return sum(first, second, -1, kind);
    case Operation::negate:
      return sum(constant(0), first, -1, kind);
    case Operation::multiply:
    case Operation::and_:
      return product(first, second, kind);
    case Operation::or_:
      return sum(sum(first, second, 1, kind), product(first, second, kind), 1, kind);
    case Operation::not_:
      return sum(constant(1), first, 1, kind);
    case Operation::implies:  // 1 + a + a b
      return sum(sum(constant(1), first, 1, kind), product(first, second, kind), 1, kind);
  }
  return std::nullopt;
}

CanonicalTerms::Polynomial CanonicalTerms::constant(std::int64_t value) {
  return value == 0 ? Polynomial{} : Polynomial{{{}, value}};
}

std::optional<CanonicalTerms::Polynomial> CanonicalTerms::sum(std::optional<Polynomial> a,
                                                              const std::optional<Polynomial>& b,
                                                              std::int64_t sign, Kind kind) {
  if (!a || !b || a->size() + b->size() > most_products) return std::nullopt;
  for (const auto& [factors, coefficient] : *b) {
    std::int64_t value = 0;
    std::int64_t& place = (*a)[factors];
    if (__builtin_mul_overflow(coefficient, sign, &value)) return std::nullopt;
    if (__builtin_add_overflow(place, value, &place)) return std::nullopt;
    if (kind == Kind::truth) place &= 1;
    if (place == 0) a->erase(factors);
  }
  return a;
}

std::optional<CanonicalTerms::Polynomial> CanonicalTerms::product(
    const std::optional<Polynomial>& a, const std::optional<Polynomial>& b, Kind kind) {
  if (!a || !b || a->size() * b->size() > most_products) return std::nullopt;
  std::optional<Polynomial> out = Polynomial{};
  for (const auto& [left, first] : *a) {
    for (const auto& [right, second] : *b) {
      Factors factors = left;
      factors.insert(factors.end(), right.begin(), right.end());
      std::ranges::sort(factors);
      if (kind == Kind::truth) {
        factors.erase(std::unique(factors.begin(), factors.end()), factors.end());
      }
      std::int64_t value = 0;
      if (__builtin_mul_overflow(first, second, &value)) return std::nullopt;
      out = sum(std::move(out), Polynomial{{std::move(factors), value}}, 1, kind);
      if (!out) return std::nullopt;
    }
  }
  return out;
}

Term CanonicalTerms::literal(std::int64_t value, Sort sort, Kind kind) {
  const auto [place, inserted] = literals_.try_emplace({kind, sort, value}, -1);
  if (!inserted) return bank_.make(place->second, {});
  // One of the rules, so that their left sides are found.
  const auto of_rules = [&](const auto& literals) {
    for (const auto& [symbol, number] : literals) {
      const bool fits = bank_.symbol(symbol).result == sort && bank_.symbol(symbol).arity() == 0;
      if (fits && static_cast<std::int64_t>(number) == value) {
        if (place->second < 0 || symbol < place->second) place->second = symbol;
      }
    }
  };
  if (kind == Kind::integer) {
    of_rules(arithmetic_.integers);
  } else {
    of_rules(arithmetic_.truths);
  }
  if (place->second < 0) {
    place->second = bank_.add_symbol({std::to_string(value), {}, sort});
    made_literals_.emplace(place->second, std::pair(kind, value));
  }
  return bank_.make(place->second, {});
}

Term CanonicalTerms::compose(Shape shape, Kind kind, Sort sort, const std::vector<Term>& parts) {
  std::vector<Sort> sorts;
  for (Term each : parts) sorts.push_back(bank_.sort(each));
  const auto [place, inserted] = shapes_.try_emplace({shape, kind, sort, sorts}, -1);
  if (inserted) {
    place->second = bank_.add_symbol({shape == Shape::sum ? "sum" : "product", sorts, sort});
    made_.emplace(place->second, Made{shape, kind});
  }
  return bank_.make(place->second, parts);
}

Term CanonicalTerms::build(const Polynomial& polynomial, Sort sort, Kind kind) {
  std::vector<Term> products;
  for (const auto& [factors, coefficient] : polynomial) {
    std::vector<Term> parts = factors;
    if (coefficient != 1 || factors.empty()) {
      parts.insert(parts.begin(), literal(coefficient, sort, kind));
    }
    products.push_back(parts.size() == 1 ? parts.front()
                                         : compose(Shape::product, kind, sort, parts));
  }
  if (products.empty()) return literal(0, sort, kind);
  if (products.size() == 1 && bank_.sort(products.front()) == sort) return products.front();
  return compose(Shape::sum, kind, sort, products);
}

}  // namespace rhopsi::analysis
