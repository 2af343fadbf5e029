#include "engine/normalise/contractum.hpp"

#include <algorithm>

#include "engine/normalise/symbols.hpp"

namespace rhopsi::normalise {
namespace {

Op after(Op first, std::size_t count) {
  return static_cast<Op>(static_cast<std::uint16_t>(first) + count - 1);
}

}  // namespace

// An application whose arguments are written one after the other.
struct ContractumWriter::Application {
  term::TermId term;
  std::uint32_t slot;   // for its value
  std::uint32_t depth;  // the first free slot now
  std::vector<std::uint32_t> operands{};
};

// Nothing is written for a variable, and one instruction for what is permanent.
std::optional<std::uint32_t> ContractumWriter::known(term::TermId term, const Slots& slots,
                                                     std::uint32_t depth) {
  if (store_.is_variable(term)) return slots.at(store_.symbol(term));
  const auto handle = permanent(term);
  if (!handle) return std::nullopt;
  assembler_.emit(Op::constant, depth, *handle);
  program_.largest_frame = std::max(program_.largest_frame, depth + 1);
  return depth;
}

// The application with all its arguments in slots. Explicit stack: right sides may be deep.
ContractumWriter::Application ContractumWriter::applied(term::TermId term, const Slots& slots,
                                                        std::uint32_t depth) {
  std::vector<Application> open{{term, depth, depth}};
  while (true) {
    Application& top = open.back();
    const auto children = store_.children(top.term);
    if (top.operands.size() < children.size()) {
      const term::TermId child = children[top.operands.size()];
      if (const auto slot = known(child, slots, top.depth)) {
        top.operands.push_back(*slot);
        if (*slot == top.depth) ++top.depth;
      } else {
        open.push_back({child, top.depth, top.depth});
      }
      continue;
    }
    // A call needs two slots besides its arguments, above those that are in use.
    const std::uint32_t needed = top.depth + static_cast<std::uint32_t>(children.size()) + 2;
    program_.largest_frame = std::max(program_.largest_frame, needed);
    if (open.size() == 1) return std::move(top);
    apply(top);
    const std::uint32_t slot = top.slot;
    open.pop_back();
    open.back().operands.push_back(slot);
    open.back().depth = slot + 1;
  }
}

void ContractumWriter::build(Op fixed, Op any, std::uint32_t a, Symbol symbol,
                             const Application& application) {
  const std::size_t count = application.operands.size();
  const bool few = count >= 1 && count <= 3;
  assembler_.emit(few ? after(fixed, count) : any, a, symbol);
  if (!few) assembler_.emit(count);
  assembler_.emit_operands(application.operands);
}

void ContractumWriter::call(Op fixed, Op any, std::uint32_t a, Symbol symbol,
                            const Application& application) {
  const std::size_t count = application.operands.size();
  const bool few = count >= 1 && count <= 3;
  assembler_.emit_to(few ? after(fixed, count) : any, a, assembler_.entry(symbol));
  if (!few) assembler_.emit(count);
  assembler_.emit_operands(application.operands);
}

void ContractumWriter::apply(const Application& application) {
  const Symbol symbol = *symbol_of(program_, store_, application.term);
  if (program_.defined(symbol)) {
    call(Op::call1, Op::call, application.slot, symbol, application);
  } else {
    build(Op::build1, Op::build, application.slot, symbol, application);
  }
}

void ContractumWriter::finish(const Application& application) {
  const Symbol symbol = *symbol_of(program_, store_, application.term);
  if (program_.defined(symbol)) {
    call(Op::tail1, Op::tail, application.depth, symbol, application);
  } else {
    build(Op::give1, Op::give_built, application.depth, symbol, application);
  }
}

std::uint32_t ContractumWriter::value(term::TermId term, const Slots& slots, std::uint32_t depth) {
  if (const auto slot = known(term, slots, depth)) return *slot;
  apply(applied(term, slots, depth));
  return depth;
}

void ContractumWriter::result(term::TermId term, const Slots& slots, std::uint32_t depth) {
  if (store_.is_variable(term)) {
    assembler_.emit(Op::give, slots.at(store_.symbol(term)), 0);
  } else if (const auto handle = permanent(term)) {
    assembler_.emit(Op::give_fixed, 0, *handle);
  } else {
    finish(applied(term, slots, depth));
  }
}

bool ContractumWriter::calls(term::TermId term) const {
  std::vector<term::TermId> open{term};
  while (!open.empty()) {
    const term::TermId top = open.back();
    open.pop_back();
    if (store_.is_variable(top)) continue;
    if (program_.defined(*symbol_of(program_, store_, top))) return true;
    const auto children = store_.children(top);
    open.insert(open.end(), children.begin(), children.end());
  }
  return false;
}

std::optional<Handle> ContractumWriter::permanent(term::TermId term) {
  std::vector<term::TermId> open{term};
  while (!open.empty()) {
    const term::TermId top = open.back();
    if (permanent_.contains(top)) {
      open.pop_back();
      continue;
    }
    const Symbol symbol = *symbol_of(program_, store_, top);
    if (store_.is_variable(top) || program_.defined(symbol)) {
      permanent_.emplace(top, std::nullopt);
      continue;
    }
    bool ready = true;
    bool all = true;
    for (const term::TermId child : store_.children(top)) {
      const auto found = permanent_.find(child);
      if (found == permanent_.end()) {
        open.push_back(child);
        ready = false;
      } else if (!found->second) {
        all = false;
      }
    }
    if (!ready) continue;
    if (!all) {
      permanent_.emplace(top, std::nullopt);
    } else if (store_.children(top).empty()) {
      permanent_.emplace(top, program_.nullary[symbol]);
    } else {
      const auto handle = static_cast<Handle>(program_.permanent.size());
      program_.permanent.push_back(symbol);
      for (const term::TermId child : store_.children(top)) {
        program_.permanent.push_back(*permanent_.at(child));
      }
      permanent_.emplace(top, handle);
    }
  }
  return permanent_.at(term);
}

}  // namespace rhopsi::normalise
