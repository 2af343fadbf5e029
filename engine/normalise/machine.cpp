#include "engine/normalise/machine.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "engine/normalise/native.hpp"

namespace rhopsi::normalise {
namespace {

constexpr std::uint64_t steps_between_looks = 16384;
constexpr std::size_t largest_stack_step = 16384;
constexpr std::size_t least_stack_step = 256;
constexpr std::size_t most_words = (std::size_t{1} << 32) - (std::size_t{1} << 17);

// Beyond the bound there is room to put a term together after it was hit: what right
// sides still have to build for the frames on the stack.
std::size_t space_words(const Bounds& bounds) {
  return std::min(most_words, bounds.bytes + (std::size_t{1} << 22));
}

}  // namespace

Machine::Machine(const Program& program, const Bounds& bounds, const Native* native)
    : program_(program),
      native_(native),
      bounds_(bounds),
      from_(space_words(bounds) + program.permanent.size(), large_pages_),
      to_(space_words(bounds) + program.permanent.size(), large_pages_),
      stack_(space_words(bounds) + 4 * std::size_t{program.largest_frame}, large_pages_) {
  heap_ = from_.data();
  free_ = std::copy(program.permanent.begin(), program.permanent.end(), heap_);
  std::copy(program.permanent.begin(), program.permanent.end(), to_.data());
  limit_ = space_end();
  stack_limit_ = stack_.data();
  for (const std::uint32_t arity : program.arity) {
    largest_node_ = std::max<std::size_t>(largest_node_, arity + 2);
  }
  if (native != nullptr) {
    largest_node_ = std::max<std::size_t>(largest_node_, native->largest_block);
  }
  const std::uint32_t widest =
      program.arity.empty() ? 0 : *std::max_element(program.arity.begin(), program.arity.end());
  most_rest_ = std::max(program.most_rest, (widest + 1) / 3.0);
  if (native != nullptr) {
    for (const Emission::Site& each : native->sites) {
      const std::uint32_t words = program.rests[index_of(each.address)].words;
      most_rest_ = std::max(most_rest_, words / (static_cast<double>(each.saved.size()) + 2));
    }
  }
  const double share = static_cast<double>(bounds.bytes / sizeof(Handle)) / (64 * (1 + most_rest_));
  stack_step_ = share < largest_stack_step ? static_cast<std::size_t>(share) : largest_stack_step;
  if (bounds.nodes < stack_step_) stack_step_ = bounds.nodes;
  stack_step_ = std::max(stack_step_, least_stack_step);
}

Handle* Machine::take(std::size_t words) {
  if (free_ + words > space_end()) throw std::bad_alloc();
  Handle* const taken = free_;
  free_ += words;
  return taken;
}

// Looks at the bounds on steps and time. True if one was hit.
bool Machine::out_of_fuel(const Handle* base) {
  steps_before_ += slice_;
  slice_ = 0;
  if (steps_before_ >= bounds_.steps) {
    stop_ = Stop::steps;
  } else if (!late(base)) {
    slice_ = std::min(steps_between_looks, bounds_.steps - steps_before_);
  }
  fuel_ = slice_;
  return stop_ != Stop::normal_form;
}

Machine::Registers Machine::run_innermost(Registers registers) {
  if (recording_) return run<Mode::evaluate, true>(registers);
  return runs_compiled() ? run<Mode::compiled, false>(registers)
                         : run<Mode::evaluate, false>(registers);
}

// The normal form of `term`, by frames from `frame` on; `below` is the frame that waits.
Handle Machine::evaluate(Handle term, Handle* frame, const Handle* below) {
  if ((heap_[term] & reducible) == 0) return term;
  frame[-2] = halt_address;
  frame[-1] = below == nullptr ? 0 : static_cast<Handle>(frame - below);
  frame[0] = term;
  Registers registers = run_innermost({evaluate_address, frame, frame});
  while (asks_for_room_) {
    asks_for_room_ = false;
    registers.place = room_for_frame(registers);
    if (stop_ == Stop::normal_form) registers = run_innermost(registers);
  }
  if (stop_ != Stop::normal_form) {
    limit_ = space_end();
    registers = runs_compiled() ? drain_compiled(registers) : run<Mode::drain, false>(registers);
  }
  return *registers.place;
}

bool Machine::conditions_agree(const Handle* base, const Word* word) {
  Handle* const sides = const_cast<Handle*>(base) + word[2];
  sides[0] = base[a_of(*word)];
  sides[1] = base[w_of(*word) & 0xffffU];
  for (std::size_t i = 0; i < 2 && stop_ == Stop::normal_form; ++i) {
    sides[i] = evaluate(sides[i], sides + 4, base);
  }
  return equal(sides[0], sides[1]) != (w_of(*word) >> 16 != 0);
}

std::optional<Handle> Machine::contract(Handle term) {
  const Symbol root = symbol(term);
  if (!program_.defined(root)) return std::nullopt;
  Handle* const frame = stack_.data() + 2;
  frame[-2] = halt_address;
  frame[-1] = 0;
  std::copy_n(heap_ + term + 1, program_.arity[root], frame);
  last_rule_ = no_rule;
  run<Mode::contract, false>({program_.entry[root], frame, frame});
  if (stop_ != Stop::normal_form) {
    if (last_rule_ != no_rule) ++fuel_;  // it was not applied to its end
    return std::nullopt;
  }
  if (frame[-2] == no_term) return std::nullopt;
  return frame[-2];
}

void Machine::begin() {
  stop_ = Stop::normal_form;
  steps_before_ = 0;
  slice_ = 0;
  fuel_ = 0;
  conditions_ = bounds_.steps;
  count_at_ = 0;
  passes_ = 0;
  start_ = std::chrono::steady_clock::now();
  live_words_ = used_words_ = static_cast<std::size_t>(free_ - heap_);
  space().note_used(used_words_);
  if (!plan_next_collection(nullptr, 0)) limit_ = free_;
}

Outcome Machine::normalise(Handle term, Strategy strategy) {
  begin();
  Handle result = term;
  switch (strategy) {
    case Strategy::innermost:
      result = evaluate(term, stack_.data() + 2, nullptr);
      break;
    case Strategy::outermost:
      result = outermost(term);
      break;
    case Strategy::top_down:
      result = passes(term, true);
      break;
    case Strategy::bottom_up:
      result = passes(term, false);
      break;
  }
  note_peak();
  limit_ = space_end();
  return {result, stop_, steps_taken(), passes_};
}

Handle Machine::contractum(const Step& step) {
  const Bounds bounds = bounds_;
  const bool recording = recording_;
  bounds_ = Bounds{};
  recording_ = false;
  begin();
  limit_ = space_end();
  const auto result = contract(step.redex);
  bounds_ = bounds;
  recording_ = recording;
  return result.value_or(step.redex);
}

std::size_t Machine::peak_bytes() const { return peak_words_ * sizeof(std::uint32_t); }

const char* describe(Stop stop) {
  switch (stop) {
    case Stop::normal_form:
      return "normal form";
    case Stop::steps:
      return "bound on steps";
    case Stop::time:
      return "bound on time";
    case Stop::nodes:
      return "bound on the size of terms";
    case Stop::memory:
      return "bound on memory";
  }
  return "";
}

}  // namespace rhopsi::normalise
