#include "engine/normalise/listing.hpp"

#include <algorithm>

namespace rhopsi::normalise {
namespace {

std::uint32_t number(Op op) { return static_cast<std::uint32_t>(op); }

// The general form of an instruction for one, two or three operands, and how many it has.
bool is_fixed(Op op, Op first) {
  return number(op) >= number(first) && number(op) < number(first) + 3;
}

bool takes_operands(Op op) {
  return op == Op::build || op == Op::call || op == Op::tail || op == Op::give_built;
}

bool takes_address(Op op) { return op == Op::call || op == Op::tail; }

bool is_choice(Op op) {
  return number(op) >= number(Op::choose1) && number(op) < number(Op::choose1) + 2 * most_choices;
}

void read_operands(const Program& program, Line& line, std::uint32_t count, std::uint32_t at) {
  for (std::uint32_t i = 0; i < count; ++i) {
    line.operands.push_back(operand(program.code.data() + at, i));
  }
  line.after = at + (count + 3) / 4;
}

using SlotList = std::vector<std::uint32_t>;

void add(SlotList& slots, std::uint32_t slot) {
  const auto place = std::lower_bound(slots.begin(), slots.end(), slot);
  if (place == slots.end() || *place != slot) slots.insert(place, slot);
}

void remove(SlotList& slots, std::uint32_t first, std::uint32_t count) {
  const auto begin = std::lower_bound(slots.begin(), slots.end(), first);
  slots.erase(begin, std::lower_bound(begin, slots.end(), first + count));
}

void add_all(SlotList& slots, const SlotList& others) {
  SlotList both;
  std::set_union(slots.begin(), slots.end(), others.begin(), others.end(),
                 std::back_inserter(both));
  slots = std::move(both);
}

}  // namespace

Line line_at(const Program& program, std::uint32_t address) {
  const Word word = program.code[address];
  const auto op = static_cast<Op>(static_cast<std::uint16_t>(word));
  Line line{address, address + 1, op, a_of(word), w_of(word), 0, {}};
  for (const auto& [first, general] :
       {std::pair{Op::build1, Op::build}, std::pair{Op::call1, Op::call},
        std::pair{Op::tail1, Op::tail}, std::pair{Op::give1, Op::give_built}}) {
    if (!is_fixed(op, first)) continue;
    line.op = general;
    if (takes_address(general)) line.w = index_of(line.w);
    read_operands(program, line, number(op) - number(first) + 1, address + 1);
    return line;
  }
  if (takes_address(op)) line.w = index_of(line.w);
  if (takes_operands(op)) {
    read_operands(program, line, static_cast<std::uint32_t>(program.code[address + 1]),
                  address + 2);
  } else if (is_fixed(op, Op::load1)) {
    line.op = Op::load;
    line.count = number(op) - number(Op::load1) + 1;
  } else if (is_choice(op)) {
    line.op = Op::choose1;
    line.count = (number(op) - number(Op::choose1)) % most_choices + 1;
    line.after = address + 1 + line.count;
  } else if (op == Op::load) {
    line.count = static_cast<std::uint32_t>(program.code[address + 1]);
    line.after = address + 2;
  } else if (op == Op::same || op == Op::rule) {
    line.after = address + 2;
  } else if (op == Op::compare) {
    line.after = address + 3;
  }
  return line;
}

std::vector<Case> cases_of(const Program& program, const Line& line, std::uint32_t& otherwise) {
  std::vector<Case> cases;
  const auto add_case = [&](Symbol symbol, std::uint32_t address) {
    cases.push_back({symbol, index_of(address)});
  };
  if (line.op == Op::choose1) {
    otherwise = index_of(line.w);
    for (std::uint32_t i = 1; i <= line.count; ++i) {
      const Word& choice = program.code[line.address + i];
      add_case(low_of(choice), high_of(choice));
    }
    return cases;
  }
  const std::uint32_t* const table = program.tables.data() + line.w;
  if (line.op == Op::dispatch) {
    otherwise = index_of(table[2]);
    for (std::uint32_t i = 0; i < table[1]; ++i) {
      if (table[3 + i] != table[2]) add_case(table[0] + i, table[3 + i]);
    }
  } else {
    otherwise = index_of(table[1]);
    for (std::uint32_t i = 0; i <= table[0]; ++i) {
      if (table[2 + 2 * i] != 0) add_case(table[2 + 2 * i] - 1, table[3 + 2 * i]);
    }
  }
  return cases;
}

Listing::Listing(const Program& program, Symbol symbol, std::uint32_t end)
    : program_(program), symbol_(symbol), first_(index_of(program.entry[symbol]) - 1) {
  index_.assign(end - first_, 0);
  for (std::uint32_t address = first_; address < end;) {
    index_[address - first_] = static_cast<std::uint32_t>(lines_.size());
    lines_.push_back(line_at(program, address));
    address = lines_.back().after;
  }
  live_.resize(lines_.size());
  words_.assign(lines_.size(), 0);
  join_.assign(lines_.size(), false);
  analyse(0);
  for (std::size_t i = lines_.size(); i-- > 1;) analyse(i);
  std::vector<std::uint32_t> arrivals(lines_.size(), 0);
  for (const Line& line : lines_) {
    for (const std::uint32_t target : targets(line)) ++arrivals[place(target)];
  }
  for (std::size_t i = 1; i < lines_.size(); ++i) {
    join_[i] = arrivals[i] > 1 && (live_[i].empty() || live_[i].back() < program.arity[symbol]);
  }
}

std::vector<std::uint32_t> Listing::targets(const Line& line) const {
  const Word* const code = program_.code.data() + line.address;
  switch (line.op) {
    case Op::choose1:
    case Op::dispatch:
    case Op::hashed: {
      std::uint32_t otherwise = 0;
      std::vector<std::uint32_t> found;
      for (const Case& each : cases_of(program_, line, otherwise)) found.push_back(each.target);
      found.push_back(otherwise);
      return found;
    }
    case Op::same:
    case Op::compare:
      return {line.after, index_of(low_of(code[1]))};
    case Op::call:
    case Op::tail:
    case Op::fail:
    case Op::give:
    case Op::give_fixed:
    case Op::give_built:
      return {};
    default:
      return {line.after};
  }
}

void Listing::analyse(std::size_t which) {
  const Line& line = lines_[which];
  SlotList& live = live_[which];
  for (const std::uint32_t target : targets(line)) {
    add_all(live, live_[place(target)]);
    words_[which] = std::max(words_[which], words_[place(target)]);
  }
  const auto node = static_cast<std::uint32_t>(std::max<std::size_t>(line.operands.size() + 1, 2));
  switch (line.op) {
    case Op::fail:
      for (std::uint32_t i = 0; i < line.a; ++i) live.push_back(i);
      words_[which] = std::max(line.a + 1, 2U);
      break;
    case Op::load:
      remove(live, line.w, line.count);
      add(live, line.a);
      break;
    case Op::same:
      add(live, line.a);
      add(live, line.w);
      break;
    case Op::compare:  // where a bound is hit, the call stays as it was
      add_all(live, live_.front());
      add(live, line.a);
      add(live, line.w & 0xffffU);
      break;
    case Op::rule:
    case Op::condition:
      add_all(live, live_.front());
      break;
    case Op::constant:
      remove(live, line.a, 1);
      break;
    case Op::build:
      remove(live, line.a, 1);
      words_[which] += node;
      break;
    case Op::call:
      live = live_[place(line.after)];
      remove(live, line.a, 1);
      break;
    case Op::give_built:
      words_[which] = node;
      break;
    case Op::choose1:
    case Op::dispatch:
    case Op::hashed:
    case Op::give:
      add(live, line.a);
      break;
    default:
      break;
  }
  for (const std::uint32_t slot : line.operands) add(live, slot);
}

std::vector<std::uint32_t> ends_of_rules(const Program& program) {
  std::vector<std::uint32_t> ends(program.symbols.size(), 0);
  auto end = static_cast<std::uint32_t>(program.code.size());
  for (Symbol symbol = static_cast<Symbol>(ends.size()); symbol-- > 0;) {
    if (!program.defined(symbol)) continue;
    ends[symbol] = end;
    end = index_of(program.entry[symbol]) - 1;
  }
  return ends;
}

}  // namespace rhopsi::normalise
