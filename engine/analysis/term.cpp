#include "engine/analysis/term.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace rhopsi::analysis {

namespace {

std::size_t hash_of(int head, std::span<const Term> arguments) {
  std::size_t hash = std::hash<int>{}(head);
  for (Term each : arguments) {
    hash ^= static_cast<std::size_t>(each) + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  }
  return hash;
}

std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return a > most - b ? most : a + b;
}

void collect_positions(const TermBank& bank, Term term, bool with_variables, Position& path,
                       std::vector<Position>& out) {
  if (bank.is_variable(term)) {
    if (with_variables) out.push_back(path);
    return;
  }
  out.push_back(path);
  for (std::uint32_t i = 0; i < bank.arguments(term).size(); ++i) {
    path.push_back(i);
    collect_positions(bank, bank.arguments(term)[i], with_variables, path, out);
    path.pop_back();
  }
}

void collect_occurrences(const TermBank& bank, Term term, std::vector<int>& out) {
  if (bank.is_variable(term)) {
    out.push_back(bank.variable_of(term));
  } else if (!bank.ground(term)) {
    for (Term each : bank.arguments(term)) collect_occurrences(bank, each, out);
  }
}

void collect_subterms(const TermBank& bank, Term term, std::unordered_set<Term>& seen,
                      std::vector<Term>& out) {
  if (!seen.insert(term).second) return;
  out.push_back(term);
  for (Term each : bank.arguments(term)) collect_subterms(bank, each, seen, out);
}

}  // namespace

int TermBank::add_symbol(Symbol symbol) {
  symbols_.push_back(std::move(symbol));
  return symbol_count() - 1;
}

int TermBank::add_symbol(std::string name, std::size_t arity) {
  return add_symbol({std::move(name), std::vector<Sort>(arity, 0), 0});
}

int TermBank::fresh_variable(Sort sort, std::string name) {
  const int number = static_cast<int>(variables_.size());
  if (name.empty()) name = "x" + std::to_string(number);
  variables_.push_back({sort, std::move(name)});
  return number;
}

Term TermBank::make(int symbol, std::span<const Term> arguments) {
  return intern(symbol, arguments);
}

Term TermBank::make(int symbol, std::initializer_list<Term> arguments) {
  return intern(symbol, std::span<const Term>(arguments.begin(), arguments.size()));
}

Term TermBank::variable(int number) { return intern(~number, {}); }

Sort TermBank::sort(Term term) const {
  return is_variable(term) ? variable_sort(variable_of(term)) : symbol(head(term)).result;
}

Term TermBank::intern(int head, std::span<const Term> arguments) {
  const std::size_t hash = hash_of(head, arguments);
  const auto [begin, end] = index_.equal_range(hash);
  for (auto each = begin; each != end; ++each) {
    const Node& known = node(each->second);
    if (known.head == head && std::ranges::equal(known.arguments, arguments)) return each->second;
  }
  Node made{head, {arguments.begin(), arguments.end()}};
  made.ground = head >= 0;
  for (Term each : arguments) {
    made.size = saturated_sum(made.size, size(each));
    made.depth = std::max(made.depth, depth(each) + 1);
    made.ground = made.ground && ground(each);
  }
  const Term term{static_cast<std::uint32_t>(nodes_.size())};
  nodes_.push_back(std::move(made));
  index_.emplace(hash, term);
  return term;
}

std::string to_string(const Position& position) {
  if (position.empty()) return "root";
  std::string text;
  for (std::uint32_t each : position) {
    text += (text.empty() ? "" : ".") + std::to_string(each + 1);
  }
  return text;
}

const Term* Substitution::find(int variable) const {
  const auto found = bindings_.find(variable);
  return found == bindings_.end() ? nullptr : &found->second;
}

Term apply(TermBank& bank, Term term, const Substitution& substitution) {
  if (substitution.empty() || bank.ground(term)) return term;
  if (bank.is_variable(term)) {
    const Term* bound = substitution.find(bank.variable_of(term));
    return bound ? *bound : term;
  }
  std::vector<Term> arguments(bank.arguments(term).begin(), bank.arguments(term).end());
  for (Term& each : arguments) each = apply(bank, each, substitution);
  return bank.make(bank.head(term), arguments);
}

Term subterm(const TermBank& bank, Term term, const Position& position) {
  for (std::uint32_t each : position) term = bank.arguments(term)[each];
  return term;
}

bool has_position(const TermBank& bank, Term term, const Position& position) {
  for (std::uint32_t each : position) {
    if (each >= bank.arguments(term).size()) return false;
    term = bank.arguments(term)[each];
  }
  return true;
}

Term replace(TermBank& bank, Term term, const Position& position, Term replacement) {
  std::vector<Term> path;
  for (std::uint32_t each : position) {
    path.push_back(term);
    term = bank.arguments(term)[each];
  }
  for (std::size_t i = position.size(); i-- > 0;) {
    std::vector<Term> arguments(bank.arguments(path[i]).begin(), bank.arguments(path[i]).end());
    arguments[position[i]] = replacement;
    replacement = bank.make(bank.head(path[i]), arguments);
  }
  return replacement;
}

std::vector<Position> function_positions(const TermBank& bank, Term term) {
  std::vector<Position> out;
  Position path;
  collect_positions(bank, term, false, path, out);
  return out;
}

std::vector<Position> positions(const TermBank& bank, Term term) {
  std::vector<Position> out;
  Position path;
  collect_positions(bank, term, true, path, out);
  return out;
}

std::vector<int> variable_occurrences(const TermBank& bank, Term term) {
  std::vector<int> out;
  collect_occurrences(bank, term, out);
  return out;
}

std::vector<int> variables(const TermBank& bank, Term term) {
  std::vector<int> out;
  for (int each : variable_occurrences(bank, term)) {
    if (std::ranges::find(out, each) == out.end()) out.push_back(each);
  }
  return out;
}

bool linear(const TermBank& bank, Term term) {
  const std::vector<int> all = variable_occurrences(bank, term);
  return variables(bank, term).size() == all.size();
}

bool occurs(const TermBank& bank, int variable, Term term) {
  if (bank.ground(term)) return false;
  if (bank.is_variable(term)) return bank.variable_of(term) == variable;
  return std::ranges::any_of(bank.arguments(term),
                             [&](Term each) { return occurs(bank, variable, each); });
}

std::vector<Term> subterms(const TermBank& bank, Term term) {
  std::vector<Term> out;
  std::unordered_set<Term> seen;
  collect_subterms(bank, term, seen, out);
  return out;
}

bool is_subterm(const TermBank& bank, Term small, Term large) {
  if (small == large) return true;
  if (bank.size(small) >= bank.size(large)) return false;
  return std::ranges::any_of(bank.arguments(large),
                             [&](Term each) { return is_subterm(bank, small, each); });
}

std::string to_string(const TermBank& bank, Term term) {
  if (bank.is_variable(term)) return bank.variable_name(bank.variable_of(term));
  std::string text = bank.symbol(bank.head(term)).name;
  if (bank.arguments(term).empty()) return text;
  text += "(";
  for (std::size_t i = 0; i < bank.arguments(term).size(); ++i) {
    text += (i > 0 ? ", " : "") + to_string(bank, bank.arguments(term)[i]);
  }
  return text + ")";
}

}  // namespace rhopsi::analysis
