#include <algorithm>
#include <optional>
#include <unordered_set>

#include "engine/normalise/contractum.hpp"
#include "engine/normalise/decision.hpp"
#include "engine/normalise/symbols.hpp"
#include "engine/normalise/waiting.hpp"

namespace rhopsi::normalise {
namespace {

// Slots are 16-bit numbers; no part of a rule takes more than its nodes and their arguments.
constexpr std::size_t largest_rule = 10000;

class RuleCheck {
 public:
  explicit RuleCheck(const term::Store& store) : store_(store) {}

  std::optional<Problem> operator()(const Rule& rule, std::size_t number) {
    problem_.reset();
    number_ = number;
    size_ = 0;
    variables_.clear();
    if (store_.is_variable(rule.left)) return Problem{Problem::Kind::left_is_variable, number, {}};
    visit(rule.left, true);
    visit(rule.right, false);
    for (const Condition& condition : rule.conditions) {
      visit(condition.left, false);
      visit(condition.right, false);
    }
    if (!problem_ && size_ > largest_rule) {
      problem_ = Problem{Problem::Kind::too_large, number, std::to_string(size_)};
    }
    return problem_;
  }

 private:
  void visit(term::TermId term, bool binds) {
    std::vector<term::TermId> open{term};
    std::unordered_set<term::TermId> ground;  // shared parts of right sides are built once
    while (!open.empty() && !problem_) {
      const term::TermId top = open.back();
      open.pop_back();
      if (!binds && !store_.is_variable(top) && !ground.insert(top).second) continue;
      ++size_;
      if (!store_.bound(top).empty()) problem_ = Problem{Problem::Kind::binder, number_, {}};
      if (store_.is_variable(top)) {
        const term::SymbolId variable = store_.symbol(top);
        if (binds) {
          variables_.insert(variable);
        } else if (!variables_.contains(variable)) {
          problem_ = Problem{Problem::Kind::unbound_variable, number_, store_[variable].name};
        }
      }
      const auto children = store_.children(top);
      open.insert(open.end(), children.begin(), children.end());
    }
  }

  const term::Store& store_;
  std::optional<Problem> problem_;
  std::size_t number_ = 0;
  std::size_t size_ = 0;
  std::unordered_set<term::SymbolId> variables_;
};

// Every construct, with each number of arguments that occurs in the rules.
void collect_constructs(const term::Store& store, term::TermId term,
                        std::map<std::pair<term::SymbolId, std::uint32_t>, Symbol>& found) {
  std::unordered_set<term::TermId> seen;
  std::vector<term::TermId> open{term};
  while (!open.empty()) {
    const term::TermId top = open.back();
    open.pop_back();
    if (!seen.insert(top).second) continue;
    const auto children = store.children(top);
    if (store.head(top).kind == term::SymbolKind::control) {
      found.emplace(std::pair{store.symbol(top), static_cast<std::uint32_t>(children.size())}, 0);
    }
    open.insert(open.end(), children.begin(), children.end());
  }
}

void number_symbols(const term::Store& store, std::span<const Rule> rules, Program& program) {
  for (const Rule& rule : rules) {
    collect_constructs(store, rule.left, program.of_construct);
    collect_constructs(store, rule.right, program.of_construct);
    for (const Condition& condition : rule.conditions) {
      collect_constructs(store, condition.left, program.of_construct);
      collect_constructs(store, condition.right, program.of_construct);
    }
  }
  std::vector<std::pair<term::SymbolId, std::uint32_t>> all;
  const std::size_t count = store.symbol_count();
  for (std::size_t i = 0; i < count; ++i) {
    const auto id = static_cast<term::SymbolId>(i);
    if (store[id].kind == term::SymbolKind::control) continue;
    all.emplace_back(id, static_cast<std::uint32_t>(store[id].parameters.size()));
  }
  for (const auto& [key, symbol] : program.of_construct) all.push_back(key);
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return store[a.first].result < store[b.first].result;
  });
  program.of_operation.assign(count, 0);
  for (const auto& [id, arity] : all) {
    const auto symbol = static_cast<Symbol>(program.symbols.size());
    program.symbols.push_back(id);
    program.arity.push_back(arity);
    if (store[id].kind == term::SymbolKind::control) {
      program.of_construct[{id, arity}] = symbol;
    } else {
      program.of_operation[static_cast<std::size_t>(id)] = symbol + 1;
    }
  }
}

std::uint32_t depth_of(const term::Store& store, term::TermId left) {
  std::uint32_t deepest = 0;
  std::vector<std::pair<term::TermId, std::uint32_t>> open{{left, 1}};
  while (!open.empty()) {
    const auto [top, depth] = open.back();
    open.pop_back();
    if (!store.is_variable(top)) deepest = std::max(deepest, depth);
    for (const term::TermId child : store.children(top)) open.emplace_back(child, depth + 1);
  }
  return deepest;
}

bool repeats_a_variable(const term::Store& store, term::TermId left) {
  std::unordered_set<term::SymbolId> seen;
  std::vector<term::TermId> open{left};
  while (!open.empty()) {
    const term::TermId top = open.back();
    open.pop_back();
    if (store.is_variable(top) && !seen.insert(store.symbol(top)).second) return true;
    const auto children = store.children(top);
    open.insert(open.end(), children.begin(), children.end());
  }
  return false;
}

}  // namespace

Program compile(const term::Store& store, std::span<const Rule> rules,
                std::vector<Problem>& problems) {
  Program program;
  number_symbols(store, rules, program);
  program.entry.assign(program.symbols.size(), Program::no_entry);
  program.looks_deep.assign(program.symbols.size(), false);
  program.code = {instruction(Op::halt, 0, 0), instruction(Op::evaluate, 0, 0)};

  RuleCheck check(store);
  std::vector<std::vector<std::uint32_t>> of_root(program.symbols.size());
  for (std::uint32_t number = 0; number < rules.size(); ++number) {
    const Rule& rule = rules[number];
    program.rule_names.push_back(rule.name);
    program.moves.emplace_back();
    if (auto problem = check(rule, number)) {
      problems.push_back(std::move(*problem));
      continue;
    }
    const Symbol root = *symbol_of(program, store, rule.left);
    of_root[root].push_back(number);
    program.entry[root] = evaluate_address;  // defined; the address follows
    program.pattern_depth = std::max(program.pattern_depth, depth_of(store, rule.left));
    if (!rule.conditions.empty() || repeats_a_variable(store, rule.left)) {
      program.looks_deep[root] = true;
    }
    program.moves[number] = moves_of(store, rule);
    program.most_below = std::max(program.most_below, program.moves[number].arguments);
  }

  for (const std::uint32_t arity : program.arity) {
    program.most_below = std::max(program.most_below, arity);
  }

  program.nullary.assign(program.symbols.size(), 0);
  for (Symbol symbol = 0; symbol < program.symbols.size(); ++symbol) {
    if (program.arity[symbol] != 0) continue;
    program.nullary[symbol] = static_cast<Handle>(program.permanent.size());
    program.permanent.push_back(symbol | (program.defined(symbol) ? reducible : 0));
  }

  Assembler assembler(program);
  ContractumWriter contracta(store, program, assembler);
  DecisionWriter decisions(store, rules, program, assembler, contracta);
  for (Symbol symbol = 0; symbol < program.symbols.size(); ++symbol) {
    if (program.defined(symbol)) decisions.write(symbol, of_root[symbol]);
  }
  assembler.finish();
  note_rests(program);
  return program;
}

}  // namespace rhopsi::normalise
