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

// Rules, and what may become of a value by them.
struct Demand {
  Rules rules;
  enum class Values { stay, never_rise, never_fall } values;
};

bool fits(Demand::Values values, std::size_t before, std::size_t after) {
  switch (values) {
    case Demand::Values::stay:
      return before == after;
    case Demand::Values::never_rise:
      return before >= after;
    case Demand::Values::never_fall:
      return before <= after;
  }
  return false;
}

// Of what can be reached from the terms; nothing if anything may be put for a variable.
std::optional<std::vector<Demand>> demands(const TermBank& bank, const Rules& rules, Term first,
                                           Term second, bool ordered) {
  std::vector<Demand> out;
  const auto add = [&](Term a, Term b, Demand::Values values) {
    auto reachable = reachable_rules(bank, rules, a, b);
    if (reachable) out.push_back({std::move(*reachable), values});
    return reachable.has_value();
  };
  const bool known = ordered ? add(first, first, Demand::Values::never_rise) &&
                                   add(second, second, Demand::Values::never_fall)
                             : add(first, second, Demand::Values::stay);
  if (!known) return std::nullopt;
  return out;
}

// Calls `each` with two entries of which the second has one argument larger by 1.
template <class Each>
void for_all_neighbours(std::size_t entries, std::size_t size, const Each& each) {
  for (std::size_t step = 1; size > 1 && step < entries; step *= size) {
    for (std::size_t i = 0; i + step < entries; ++i) {
      if (i / step % size + 1 < size) each(i, i + step);
    }
  }
}

class ModelSearch {
 public:
  ModelSearch(const TermBank& bank, const std::vector<Demand>& all, bool ordered, std::size_t size)
      : bank_(bank), demands_(all), ordered_(ordered), size_(size) {}

  std::optional<FiniteModel> run(Term first, Term second, const Deadline& deadline) {
    for (const Demand& demand : demands_) {
      for (const Rule& rule : demand.rules) {
        if (!declare(rule.left) || !declare(rule.right)) return std::nullopt;
      }
    }
    if (!declare(first) || !declare(second) || work() > most_work) return std::nullopt;
    for (const Demand& demand : demands_) {
      for (const Rule& rule : demand.rules) require(rule, demand.values, deadline);
    }
    if (ordered_) require_monotone();
    known_.clear();
    const Natural a = evaluate(first, {});
    const Natural b = evaluate(second, {});
    constraints_.require(ordered_ ? constraints_.more(b, a)
                                  : constraints_.negate(constraints_.equal(a, b)));
    if (deadline.over() || !constraints_.solve(deadline.left())) return std::nullopt;
    return read();
  }

 private:
  void require(const Rule& rule, Demand::Values values, const Deadline& deadline) {
    for_all_assignments(variables(bank_, rule.left), size_, [&](const auto& assignment) {
      known_.clear();
      const Natural left = evaluate(rule.left, assignment);
      const Natural right = evaluate(rule.right, assignment);
      constraints_.require(values == Demand::Values::stay ? constraints_.equal(left, right)
                           : values == Demand::Values::never_rise
                               ? constraints_.at_least(left, right)
                               : constraints_.at_least(right, left));
      return !deadline.over();
    });
  }

  void require_monotone() {
    for (const auto& entry : tables_) {
      for_all_neighbours(entry.second.size(), size_, [&](std::size_t smaller, std::size_t larger) {
        constraints_.require(constraints_.at_least(entry.second[larger], entry.second[smaller]));
      });
    }
  }

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
    for (const Demand& demand : demands_) {
      for (const Rule& rule : demand.rules) {
        std::size_t each = 0;
        for (Term side : {rule.left, rule.right}) {
          for (Term part : subterms(bank_, side)) {
            if (!bank_.is_variable(part)) each += tables_.at(bank_.head(part)).size();
          }
        }
        sum += each * power(size_, variables(bank_, rule.left).size(), most_work);
        if (sum > most_work) return sum;
      }
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
    FiniteModel out{size_, {}, ordered_};
    for (const auto& [symbol, table] : tables_) {
      for (Natural each : table) out.tables[symbol].push_back(constraints_.value(each));
    }
    return out;
  }

  const TermBank& bank_;
  const std::vector<Demand>& demands_;
  bool ordered_;
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

namespace {

bool monotone(const FiniteModel& model) {
  bool out = true;
  for (const auto& entry : model.tables) {
    const auto& table = entry.second;
    for_all_neighbours(table.size(), model.size, [&](std::size_t smaller, std::size_t larger) {
      out = out && table[smaller] <= table[larger];
    });
  }
  return out;
}

}  // namespace

bool separates(const TermBank& bank, const Rules& rules, Term first, Term second,
               const FiniteModel& model) {
  if (model.size == 0 || !bank.ground(first) || !bank.ground(second)) return false;
  if (model.ordered && !monotone(model)) return false;
  const auto all = demands(bank, rules, first, second, model.ordered);
  if (!all) return false;
  for (const Demand& demand : *all) {
    for (const Rule& rule : demand.rules) {
      const auto met = [&](const auto& values) {
        const auto left = value(bank, model, rule.left, values);
        const auto right = value(bank, model, rule.right, values);
        return left && right && fits(demand.values, *left, *right);
      };
      if (!for_all_assignments(variables(bank, rule.left), model.size, met)) return false;
    }
  }
  const auto of_first = value(bank, model, first, {});
  const auto of_second = value(bank, model, second, {});
  if (!of_first || !of_second) return false;
  return model.ordered ? *of_first < *of_second : *of_first != *of_second;
}

std::optional<FiniteModel> find_separating_model(const TermBank& bank, const Rules& rules,
                                                 Term first, Term second, bool ordered,
                                                 std::size_t largest, const Deadline& deadline) {
  if (!bank.ground(first) || !bank.ground(second)) return std::nullopt;
  const auto all = demands(bank, rules, first, second, ordered);
  if (!all) return std::nullopt;
  for (std::size_t size = 2; size <= largest && !deadline.over(); ++size) {
    auto found = ModelSearch(bank, *all, ordered, size).run(first, second, deadline);
    if (found && separates(bank, rules, first, second, *found)) return found;
  }
  return std::nullopt;
}

Proof describe(const TermBank& bank, const FiniteModel& model) {
  const std::string size = std::to_string(model.size);
  Proof proof{model.ordered
                  ? "in an algebra of " + size +
                        " elements, in which symbols are monotone, no rule that a reduct of the "
                        "first can be rewritten by raises a value, none of the second lowers one, "
                        "and the value of the first is smaller"
                  : "every rule that a reduct of either can be rewritten by holds as an equation "
                    "in an algebra of " +
                        size + " elements, where the values of the two differ"};
  for (const auto& [symbol, table] : model.tables) {
    std::string line = bank.symbol(symbol).name + " has the values";
    for (std::size_t each : table) line += " " + std::to_string(each);
    proof.add(std::move(line));
  }
  return proof;
}

}  // namespace rhopsi::analysis
