#include "engine/analysis/finite_model.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "engine/analysis/critical_pairs.hpp"
#include "engine/smt/constraints.hpp"

namespace rhopsi::analysis {

namespace {

using smt::Constraints;
using smt::Natural;
using smt::Truth;

// Tables of more entries, and rules of more assignments times symbols, are not tried.
constexpr std::size_t largest_table = 256;
constexpr std::size_t most_work = 40'000;

std::set<int> symbols_in(const TermBank& bank, Term term) {
  std::set<int> out;
  for (Term each : subterms(bank, term)) {
    if (!bank.is_variable(each)) out.insert(bank.head(each));
  }
  return out;
}

// Saturates above `limit`.
std::size_t power(std::size_t base, std::size_t exponent, std::size_t limit) {
  std::size_t out = 1;
  for (; exponent > 0 && out <= limit; --exponent) out *= base;
  return out;
}

// Calls `each` with every assignment of elements to the variables, while it says true.
template <class Each>
bool for_all_assignments(const std::vector<int>& variables, std::size_t size, const Each& each) {
  std::map<int, std::size_t> values;
  for (int variable : variables) values[variable] = 0;
  while (true) {
    if (!each(values)) return false;
    auto place = values.begin();
    while (place != values.end() && ++place->second == size) (place++)->second = 0;
    if (place == values.end()) return true;
  }
}

// Nothing if a symbol has no table, or none that fits.
std::optional<std::size_t> value(const TermBank& bank, const FiniteModel& model, Term term,
                                 const std::map<int, std::size_t>& values) {
  if (bank.is_variable(term)) {
    const auto found = values.find(bank.variable_of(term));
    if (found == values.end()) return std::nullopt;
    return found->second;
  }
  std::size_t place = 0;
  for (Term argument : bank.arguments(term)) {
    const auto each = value(bank, model, argument, values);
    if (!each) return std::nullopt;
    place = place * model.size + *each;
  }
  const auto table = model.tables.find(bank.head(term));
  if (table == model.tables.end() || place >= table->second.size()) return std::nullopt;
  const std::size_t out = table->second[place];
  if (out >= model.size) return std::nullopt;
  return out;
}

class ModelSearch {
 public:
  ModelSearch(const TermBank& bank, const Rules& rules, std::size_t size)
      : bank_(bank), rules_(rules), size_(size) {}

  std::optional<FiniteModel> run(Term first, Term second, const Deadline& deadline) {
    for (const Rule& rule : rules_) {
      if (!declare(rule.left) || !declare(rule.right)) return std::nullopt;
    }
    if (!declare(first) || !declare(second) || work() > most_work) return std::nullopt;
    for (const Rule& rule : rules_) {
      for_all_assignments(variables(bank_, rule.left), size_, [&](const auto& values) {
        known_.clear();
        constraints_.require(
            constraints_.equal(evaluate(rule.left, values), evaluate(rule.right, values)));
        return !deadline.over();
      });
    }
    known_.clear();
    constraints_.require(
        constraints_.negate(constraints_.equal(evaluate(first, {}), evaluate(second, {}))));
    if (deadline.over() || !constraints_.solve(deadline.left())) return std::nullopt;
    return read();
  }

 private:
  bool declare(Term term) {
    for (int symbol : symbols_in(bank_, term)) {
      if (tables_.contains(symbol)) continue;
      const std::size_t entries = power(size_, bank_.symbol(symbol).arity(), largest_table);
      if (entries > largest_table) return false;
      std::vector<Natural>& table = tables_[symbol];
      for (std::size_t i = 0; i < entries; ++i) {
        table.push_back(constraints_.unknown_up_to(size_ - 1));
      }
    }
    return true;
  }

  // Entries of tables that are looked at.
  std::size_t work() const {
    std::size_t sum = 0;
    for (const Rule& rule : rules_) {
      std::size_t each = 0;
      for (Term side : {rule.left, rule.right}) {
        for (Term part : subterms(bank_, side)) {
          if (!bank_.is_variable(part)) each += tables_.at(bank_.head(part)).size();
        }
      }
      sum += each * power(size_, variables(bank_, rule.left).size(), most_work);
      if (sum > most_work) break;
    }
    return sum;
  }

  Natural evaluate(Term term, const std::map<int, std::size_t>& values) {
    if (bank_.is_variable(term)) return constraints_.number(values.at(bank_.variable_of(term)));
    if (const auto known = known_.find(term); known != known_.end()) return known->second;
    std::vector<Natural> arguments;
    for (Term each : bank_.arguments(term)) arguments.push_back(evaluate(each, values));
    const std::vector<Natural>& table = tables_.at(bank_.head(term));
    Natural out = table.front();
    for (std::size_t i = 1; i < table.size(); ++i) {
      std::vector<Truth> here;
      std::size_t rest = i;
      for (std::size_t k = arguments.size(); k-- > 0; rest /= size_) {
        here.push_back(constraints_.equal(arguments[k], constraints_.number(rest % size_)));
      }
      out = constraints_.choose(constraints_.all(here), table[i], out);
    }
    known_.emplace(term, out);
    return out;
  }

  FiniteModel read() const {
    FiniteModel out{size_, {}};
    for (const auto& [symbol, table] : tables_) {
      for (Natural each : table) out.tables[symbol].push_back(constraints_.value(each));
    }
    return out;
  }

  const TermBank& bank_;
  const Rules& rules_;
  std::size_t size_;
  Constraints constraints_;
  std::map<int, std::vector<Natural>> tables_;
  std::unordered_map<Term, Natural> known_;  // under the assignment at hand
};

}  // namespace

std::optional<Rules> reachable_rules(const TermBank& bank, const Rules& rules, Term first,
                                     Term second) {
  std::set<int> symbols = symbols_in(bank, first);
  symbols.merge(symbols_in(bank, second));
  Rules out;
  std::vector<bool> taken(rules.size(), false);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (taken[i] || !std::ranges::includes(symbols, symbols_in(bank, rules[i].left))) continue;
      if (has_fresh_variables(bank, rules[i])) return std::nullopt;
      taken[i] = more = true;
      out.push_back(rules[i]);
      symbols.merge(symbols_in(bank, rules[i].right));
    }
  }
  return out;
}

bool separates(const TermBank& bank, const Rules& rules, Term first, Term second,
               const FiniteModel& model) {
  if (model.size == 0 || !bank.ground(first) || !bank.ground(second)) return false;
  const auto reachable = reachable_rules(bank, rules, first, second);
  if (!reachable) return false;
  for (const Rule& rule : *reachable) {
    const bool holds =
        for_all_assignments(variables(bank, rule.left), model.size, [&](const auto& values) {
          const auto left = value(bank, model, rule.left, values);
          return left && left == value(bank, model, rule.right, values);
        });
    if (!holds) return false;
  }
  const auto of_first = value(bank, model, first, {});
  const auto of_second = value(bank, model, second, {});
  return of_first && of_second && *of_first != *of_second;
}

std::optional<FiniteModel> find_separating_model(const TermBank& bank, const Rules& rules,
                                                 Term first, Term second, std::size_t largest,
                                                 const Deadline& deadline) {
  const auto reachable = reachable_rules(bank, rules, first, second);
  if (!reachable || !bank.ground(first) || !bank.ground(second)) return std::nullopt;
  for (std::size_t size = 2; size <= largest && !deadline.over(); ++size) {
    auto found = ModelSearch(bank, *reachable, size).run(first, second, deadline);
    if (found && separates(bank, rules, first, second, *found)) return found;
  }
  return std::nullopt;
}

Proof describe(const TermBank& bank, const FiniteModel& model) {
  Proof proof{
      "every rule that a reduct of either can be rewritten by holds as an equation in an algebra "
      "of " +
      std::to_string(model.size) + " elements, where the values of the two differ"};
  for (const auto& [symbol, table] : model.tables) {
    std::string line = bank.symbol(symbol).name + " has the values";
    for (std::size_t each : table) line += " " + std::to_string(each);
    proof.add(std::move(line));
  }
  return proof;
}

}  // namespace rhopsi::analysis
