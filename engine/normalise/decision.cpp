#include "engine/normalise/decision.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

#include "engine/normalise/symbols.hpp"

namespace rhopsi::normalise {
namespace {

// Rows that the trees of one symbol may hold in all: this many for each rule, and these.
constexpr std::size_t rows_per_rule = 48;
constexpr std::size_t rows_besides = 4096;
constexpr std::uint32_t deepest = 30000;

constexpr std::size_t closed = static_cast<std::size_t>(-1);

// The instruction for `count` of what `first` is for one of.
Op nth(Op first, std::size_t count) {
  return static_cast<Op>(static_cast<std::uint16_t>(first) + count - 1);
}

// Choices of which the last one is placed behind them.
void follow(Word& choices) {
  const auto op = static_cast<Op>(static_cast<std::uint16_t>(choices));
  choices = instruction(nth(op, most_choices + 1), a_of(choices), w_of(choices));
}

}  // namespace

void DecisionWriter::expect(Row& row, std::uint32_t slot, term::TermId pattern) const {
  if (!store_.is_variable(pattern)) {
    row.pending.push_back({slot, pattern});
    return;
  }
  const term::SymbolId variable = store_.symbol(pattern);
  const auto bound = std::find_if(row.variables.begin(), row.variables.end(),
                                  [&](const auto& each) { return each.first == variable; });
  if (bound == row.variables.end()) {
    row.variables.emplace_back(variable, slot);
  } else {
    row.same.emplace_back(bound->second, slot);
  }
}

DecisionWriter::Row DecisionWriter::fresh_row(std::uint32_t order) const {
  Row row{order, {}, {}, {}};
  const auto arguments = store_.children(rules_[of_root_[order]].left);
  for (std::uint32_t i = 0; i < arguments.size(); ++i) expect(row, i, arguments[i]);
  return row;
}

// The pending pattern is matched; its arguments are in the slots from `depth` on.
void DecisionWriter::take(Row& row, std::size_t which, std::uint32_t depth) const {
  const term::TermId pattern = row.pending[which].pattern;
  row.pending.erase(row.pending.begin() + static_cast<std::ptrdiff_t>(which));
  for (const term::TermId child : store_.children(pattern)) expect(row, depth++, child);
}

std::uint32_t DecisionWriter::column(const std::vector<Row>& rows) const {
  const auto& candidates = rows.front().pending;
  std::uint32_t best = candidates.front().slot;
  if (candidates.size() == 1) return best;
  std::size_t most = 0;
  for (const Pending& candidate : candidates) {
    const auto count =
        static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const Row& row) {
          return std::any_of(row.pending.begin(), row.pending.end(),
                             [&](const Pending& each) { return each.slot == candidate.slot; });
        }));
    if (count > most) {
      most = count;
      best = candidate.slot;
    }
  }
  return best;
}

std::size_t DecisionWriter::most_work() const {
  return rows_per_rule * of_root_.size() + rows_besides;
}

bool DecisionWriter::always_applies(const Row& row) const {
  return row.pending.empty() && row.same.empty() && rules_[of_root_[row.order]].conditions.empty();
}

Label DecisionWriter::one_by_one(std::uint32_t order) {
  if (chain_.empty()) {
    chain_.resize(of_root_.size());
    for (Label& each : chain_) each = assembler_.label();
    chain_from_ = order;
  }
  chain_from_ = std::min(chain_from_, order);
  return chain_[order];
}

Label DecisionWriter::later(State state) {
  if (state.rows.empty()) return fail_;
  work_ += state.rows.size();
  if (work_ > most_work() || state.depth > deepest) {
    return one_by_one(state.rows.front().order);
  }
  state.label = assembler_.label();
  open_.push_back(std::move(state));
  return open_.back().label;
}

void DecisionWriter::write(Symbol symbol, std::span<const std::uint32_t> of_root) {
  of_root_ = of_root;
  arity_ = program_.arity[symbol];
  work_ = 0;
  chain_.clear();
  // Calls that are not to be evaluated go to the instruction before the entry.
  fail_ = assembler_.label();
  assembler_.place(fail_);
  assembler_.emit(Op::fail, arity_, symbol);
  assembler_.place(assembler_.entry(symbol));
  program_.entry[symbol] = address_of(assembler_.here());
  program_.largest_frame = std::max(program_.largest_frame, arity_ + 2);

  State whole{0, arity_, {}, {}};
  for (std::uint32_t order = 0; order < of_root.size(); ++order) {
    whole.rows.push_back(fresh_row(order));
  }
  whole.label = assembler_.label();
  write_state(std::move(whole));
  while (!open_.empty()) {
    State next = std::move(open_.back());
    open_.pop_back();
    write_state(std::move(next));
  }
  if (!chain_.empty()) write_chain();
}

void DecisionWriter::write_state(State state) {
  assembler_.place(state.label);
  if (end_of_choices_ == assembler_.here() && last_choice_ == state.label) {
    follow(program_.code[choices_]);
  }
  if (state.loaded) write_load(state.loaded->slot, state.loaded->symbol, state.loaded->depth);
  program_.largest_frame = std::max(program_.largest_frame, state.depth);
  if (!state.rows.front().pending.empty()) {
    write_branches(std::move(state));
    return;
  }
  const Row row = std::move(state.rows.front());
  Label otherwise = fail_;
  if (!row.same.empty() || !rules_[of_root_[row.order]].conditions.empty()) {
    state.rows.erase(state.rows.begin());
    otherwise = later({0, state.depth, std::move(state.rows), {}});
  }
  write_leaf(row, state.depth, otherwise);
}

void DecisionWriter::write_branches(State state) {
  const std::uint32_t slot = column(state.rows);
  const auto at_slot = [&](const Row& row) {
    return std::find_if(row.pending.begin(), row.pending.end(),
                        [&](const Pending& each) { return each.slot == slot; });
  };
  std::vector<Branch> branches;
  std::unordered_map<Symbol, std::size_t> places;
  for (const Row& row : state.rows) {
    const auto found = at_slot(row);
    if (found == row.pending.end()) continue;
    const Symbol symbol = *symbol_of(program_, store_, found->pattern);
    if (places.emplace(symbol, branches.size()).second) {
      const std::uint32_t arity = program_.arity[symbol];
      branches.push_back(
          {symbol, 0, {0, state.depth + arity, {}, Load{slot, symbol, state.depth}}});
    }
  }
  State rest{0, state.depth, {}, {}};
  // Branches that further rows can reach, in any order, and where each of them stands there.
  std::vector<std::size_t> open(branches.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  std::vector<std::size_t> standing = open;
  const auto close = [&](std::size_t place) {
    const std::size_t last = open.back();
    open[standing[place]] = last;
    standing[last] = standing[place];
    standing[place] = closed;
    open.pop_back();
  };
  for (const Row& row : state.rows) {
    const auto found = at_slot(row);
    if (found != row.pending.end()) {
      const std::size_t place = places.at(*symbol_of(program_, store_, found->pattern));
      if (standing[place] == closed) continue;
      std::vector<Row>& rows = branches[place].state.rows;
      rows.push_back(row);
      take(rows.back(), static_cast<std::size_t>(found - row.pending.begin()), state.depth);
      if (always_applies(rows.back())) close(place);
      continue;
    }
    work_ += open.size();
    if (work_ > most_work()) {
      // Whatever the symbol is.
      const Label chain = one_by_one(state.rows.front().order);
      write_switch(slot, {{branches.front().symbol, chain, {}}}, chain);
      return;
    }
    for (const std::size_t place : open) branches[place].state.rows.push_back(row);
    rest.rows.push_back(row);
    if (always_applies(row)) break;
  }
  std::sort(branches.begin(), branches.end(),
            [](const Branch& a, const Branch& b) { return a.symbol < b.symbol; });
  const Label otherwise = later(std::move(rest));
  for (Branch& branch : branches) branch.label = later(std::move(branch.state));
  write_switch(slot, branches, otherwise);
}

void DecisionWriter::write_switch(std::uint32_t slot, const std::vector<Branch>& branches,
                                  Label otherwise) {
  if (branches.size() <= most_choices) {
    choices_ = assembler_.here();
    last_choice_ = branches.back().label;
    assembler_.emit_to(nth(Op::choose1, branches.size()), slot, otherwise);
    for (const Branch& branch : branches) assembler_.emit_choice(branch.symbol, branch.label);
    end_of_choices_ = assembler_.here();
    return;
  }
  const std::size_t range = branches.back().symbol - branches.front().symbol + 1;
  const bool dense = range <= 4 * branches.size() + 8;
  assembler_.emit(dense ? Op::dispatch : Op::hashed, slot, assembler_.table());
  if (dense) {
    write_dense(branches, otherwise);
  } else {
    write_hashed(branches, otherwise);
  }
}

void DecisionWriter::write_dense(const std::vector<Branch>& branches, Label otherwise) {
  const Symbol low = branches.front().symbol;
  const Symbol high = branches.back().symbol;
  assembler_.emit_to_table(low);
  assembler_.emit_to_table(high - low + 1);
  assembler_.emit_address_to_table(otherwise);
  std::size_t next = 0;
  for (Symbol symbol = low; symbol <= high; ++symbol) {
    const bool here = branches[next].symbol == symbol;
    assembler_.emit_address_to_table(here ? branches[next].label : otherwise);
    if (here) ++next;
  }
}

void DecisionWriter::write_hashed(const std::vector<Branch>& branches, Label otherwise) {
  const auto size = static_cast<std::uint32_t>(std::bit_ceil(2 * branches.size()));
  assembler_.emit_to_table(size - 1);
  assembler_.emit_address_to_table(otherwise);
  const std::uint32_t first = assembler_.table();
  for (std::uint32_t i = 0; i < 2 * size; ++i) assembler_.emit_to_table(0);
  for (const Branch& branch : branches) {
    std::uint32_t place = branch.symbol & (size - 1);
    while (program_.tables[first + 2 * place] != 0) place = (place + 1) & (size - 1);
    program_.tables[first + 2 * place] = branch.symbol + 1;
    assembler_.put_address_in_table(first + 2 * place + 1, branch.label);
  }
}

void DecisionWriter::write_load(std::uint32_t slot, Symbol symbol, std::uint32_t depth) {
  const std::uint32_t count = program_.arity[symbol];
  program_.largest_frame = std::max(program_.largest_frame, depth + count);
  if (count == 0) return;
  if (count <= 3) {
    assembler_.emit(nth(Op::load1, count), slot, depth);
  } else {
    assembler_.emit(Op::load, slot, depth);
    assembler_.emit(count);
  }
}

void DecisionWriter::write_leaf(const Row& row, std::uint32_t depth, Label otherwise) {
  const std::uint32_t number = of_root_[row.order];
  for (const auto& [first, second] : row.same) {
    assembler_.emit(Op::same, first, second);
    assembler_.emit_addresses(otherwise, fail_);
  }
  const Slots slots(row.variables.begin(), row.variables.end());
  write_conditions(rules_[number], slots, depth, otherwise);
  assembler_.emit(Op::rule, arity_, number);
  assembler_.emit_address_and(fail_, depth);
  contracta_.result(rules_[number].right, slots, depth);
}

void DecisionWriter::write_conditions(const Rule& rule, const Slots& slots, std::uint32_t depth,
                                      Label otherwise) {
  for (const Condition& condition : rule.conditions) {
    if (contracta_.calls(condition.left) || contracta_.calls(condition.right)) {
      assembler_.emit_to(Op::condition, 0, fail_);
    }
    const std::uint32_t left = contracta_.value(condition.left, slots, depth);
    const std::uint32_t used = left == depth ? depth + 1 : depth;
    const std::uint32_t right = contracta_.value(condition.right, slots, used);
    const bool different = condition.relation == Condition::Relation::different;
    assembler_.emit(Op::compare, left, right | (different ? 1U << 16 : 0U));
    assembler_.emit_addresses(otherwise, fail_);
    assembler_.emit(right == used ? used + 1 : used);
  }
}

// All rules from the first that was asked for, each on its own.
void DecisionWriter::write_chain() {
  for (std::uint32_t order = chain_from_; order < of_root_.size(); ++order) {
    assembler_.place(chain_[order]);
    const Label next = order + 1 < of_root_.size() ? chain_[order + 1] : fail_;
    Row row = fresh_row(order);
    std::uint32_t depth = arity_;
    while (!row.pending.empty()) {
      const Pending first = row.pending.front();
      const Symbol symbol = *symbol_of(program_, store_, first.pattern);
      const Label hit = assembler_.label();
      assembler_.emit_to(Op::follow1, first.slot, next);
      assembler_.emit_choice(symbol, hit);
      assembler_.place(hit);
      write_load(first.slot, symbol, depth);
      take(row, 0, depth);
      depth += program_.arity[symbol];
    }
    write_leaf(row, depth, next);
  }
}

}  // namespace rhopsi::normalise
