// Terms in an arena, and their normal forms by a program.
//
// A term is a word with its symbol, then the handles of its arguments. Leftmost-innermost
// normalisation never builds a redex: the arguments of a call are normal forms on the
// stack, matching reads them there, and the right side runs as a program whose calls are evaluated
// as it goes. What reaches the arena is in normal form already, and shared where a right side
// uses a variable twice. The stack is explicit; terms may be nested as deep as memory allows.
//
// When the arena has grown, what the stack reaches is copied to another one and the rest
// forgotten. Where a bound is hit, what is on the stack is put together as it stands: a
// valid term, equal to the one that was given by the rules that were applied.
//
// A machine belongs to one thread; its program may be shared.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/normalise/instruction.hpp"
#include "engine/normalise/places.hpp"
#include "engine/normalise/program.hpp"
#include "engine/normalise/reservation.hpp"

namespace rhopsi::normalise {

struct Native;
namespace native {
struct State;
}

// Which redex is next.
enum class Strategy {
  innermost,  // leftmost of those that hold no other
  outermost,  // leftmost of those that no other holds
  // Passes over the whole term until one changes nothing. A pass applies at most one rule at
  // each place,
  top_down,   // before it goes on to the arguments of the result
  bottom_up,  // after it has been to the arguments
};

struct Bounds {
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  // Applications of rules, those in conditions too. As many conditions may be begun as well, since
  // those that ask for each other apply no rule.
  std::uint64_t steps = none;
  // With what it takes to put together what waits on the stack then.
  double seconds = std::numeric_limits<double>::infinity();
  // Of the term as it is, what is shared counted once, and what waits on the stack as the nodes
  // that it will be. Looked at when the arena has grown by as much, or the stack by an eighth.
  std::uint64_t nodes = none;
  // Of arena and stack together, with the copy that a collection makes and what waits on the stack
  // put together.
  std::size_t bytes = std::size_t{4} << 30;
};

enum class Stop { normal_form, steps, time, nodes, memory };

struct Outcome {
  Handle term = 0;
  Stop stop = Stop::normal_form;
  std::uint64_t steps = 0;
  std::uint64_t passes = 0;  // that have changed something; none by innermost and outermost
};

// One application of a rule. The redex is kept for as long as its machine.
struct Step {
  std::uint32_t rule;
  Handle redex;
};

class Machine {
 public:
  // With `native`, which is this program's, innermost rewriting runs compiled, unless its
  // steps are recorded: the same rules at the same places, and the same normal forms.
  explicit Machine(const Program& program, const Bounds& bounds = {},
                   const Native* native = nullptr);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // --- terms. Handles that these return are good until the next normalise(). Throw
  // std::bad_alloc beyond the bound on memory.
  Handle make(Symbol symbol, std::span<const Handle> arguments);
  // In pre-order; the number of arguments is the symbol's.
  Handle make_preorder(std::span<const Symbol> symbols);
  // None where a symbol is younger than the program, or binds.
  std::optional<Handle> load(const term::Store& store, term::TermId term);
  term::TermId unload(term::Store& store, Handle term) const;

  Symbol symbol(Handle term) const { return heap_[term] & ~reducible; }
  std::span<const Handle> arguments(Handle term) const {
    return {heap_ + term + 1, program_.arity[symbol(term)]};
  }
  bool equal(Handle a, Handle b) const;
  // Nodes of the term written out, counted one by one; none beyond `most`.
  std::optional<std::uint64_t> size(Handle term, std::uint64_t most) const;

  // --- normalisation. Every other handle is lost, those of `steps()` apart.
  Outcome normalise(Handle term, Strategy strategy = Strategy::innermost);
  // The root of `term` rewritten once, by the first rule that matches.
  std::optional<Handle> contract(Handle term);

  // Steps of all normalisations from here on; those recorded until then, and the terms that they
  // hold, are forgotten.
  void record_steps(bool wanted) {
    recording_ = wanted;
    steps_.clear();
  }
  const std::vector<Step>& steps() const { return steps_; }
  // What the rule of a step made of its redex.
  Handle contractum(const Step& step);

  const Program& program() const { return program_; }
  // Places that strategies other than innermost have been at, as often as they were, by all
  // normalise() together.
  std::uint64_t visits() const { return visits_; }
  // The most that arena, stack and what passes keep of places have held.
  std::size_t peak_bytes() const;

 private:
  enum class Mode {
    evaluate,  // calls are matched
    compiled,  // calls are compiled code
    drain,     // a bound was hit: calls are built
    contract,  // one rule; the calls of its right side are built
  };
  static constexpr bool evaluates(Mode mode) {
    return mode == Mode::evaluate || mode == Mode::compiled;
  }
  struct Registers {
    std::size_t next;  // address of an instruction
    Handle* base;
    Handle* place;  // where the last result went
  };
  static constexpr Handle no_term = ~Handle{0};
  static constexpr std::uint32_t no_rule = ~std::uint32_t{0};
  static constexpr std::uint32_t moved = ~std::uint32_t{0};

  // run.cpp
  template <Mode mode, bool recorded>
  Registers run(Registers registers);
  Handle evaluate(Handle term, Handle* frame, const Handle* below);
  Registers run_innermost(Registers registers);
  // Whether frames of innermost rewriting are those of compiled code.
  bool runs_compiled() const { return native_ != nullptr && !recording_; }
  bool out_of_fuel(const Handle* base);
  bool conditions_agree(const Handle* base, const Word* word);
  template <Mode mode>
  std::uint32_t head(Symbol symbol, const Handle* arguments, std::uint32_t count) const;

  // compiled.cpp
  static bool equal_in(const native::State* state, Handle a, Handle b);
  bool grant(const native::State& state);
  Registers run_compiled(Symbol symbol, Handle* base);
  Handle drain_frame(Registers registers);
  Registers drain_compiled(Registers registers);

  // room.cpp. Frames that wait come to so much when they are put together.
  struct Pending {
    std::uint64_t words = 0;
    std::uint64_t nodes = 0;
  };
  Pending pending(const Handle* base) const;
  Program::Rest rest_of(Handle waiting, const Handle* base) const;
  bool late(const Handle* top);
  bool room(Handle* base, std::size_t live, const Handle* frame);
  Handle* room_for_frame(const Registers& asking);
  bool too_many_wait(const Handle* base, std::size_t used);
  bool grow_stack(const Handle* base, std::size_t used);
  void fit_stack(const Handle* base, std::size_t used);
  std::size_t arena_share() const;
  std::uint64_t most_drained(std::uint64_t stack_words) const;
  std::size_t stack_words() const { return static_cast<std::size_t>(stack_limit_ - stack_.data()); }

  // collect.cpp
  bool collect(Handle* base, std::size_t live);
  class Mover;
  std::uint64_t move_all(Handle* base, std::size_t live, Reservation& target);
  bool plan_next_collection(const Handle* base, std::size_t live);
  bool extend();
  void note_peak();

  // relink.cpp
  void relink(Handle* base, std::size_t live);
  void relink_frame(Handle* base, std::size_t live, std::uint32_t address, bool uppermost);
  void relink_way();
  const std::vector<std::uint32_t>& read_from(std::uint32_t address);

  // strategy.cpp, in which roots_ holds the terms at work
  static constexpr std::size_t no_level = ~std::size_t{0};
  struct Level {
    std::uint32_t next;           // the argument at work
    bool settled;                 // no rule applies at its root as it is
    std::size_t deep = no_level;  // the first level from the top whose rules read whole subterms
  };

  Handle outermost(Handle term);
  void settle_from(std::size_t changed);
  void note_deep();
  bool contract_root(std::size_t root);
  Handle with_argument(std::size_t root, std::uint32_t argument, std::size_t new_root);

  // passes.cpp, in which places_ holds the terms at work
  struct Carried {
    struct Top {
      Place place;   // none: nothing is known there
      Place lowest;  // the end of its chain
    };
    struct Left {
      Place place;
      Place lowest;
      std::uint32_t end;
    };
    struct Right {
      Place place;
      std::uint32_t argument;  // the next one
      std::uint32_t node;      // the next one below
      std::uint32_t end;
    };
    std::vector<Top> places;  // by variable of the rule that has been applied
    std::vector<Left> left;   // the way from the root of its left side, and of its right side
    std::vector<Right> right;
    std::vector<std::uint8_t> leads;  // by node of the right side: to one of `places`
  };
  Handle passes(Handle term, bool from_top);
  void pass(bool from_top);
  void grow_places();
  bool may_go_on();
  std::size_t places_at_once() const;
  void arrive(Place place, bool from_top);
  void leave(Place place, Place above, bool from_top);
  void try_at(Place place);
  void call_above(Place place);
  bool write_up(bool may_collect);
  void open(Place place);
  void add_closed(Place above, std::uint32_t argument, Handle term);
  void carry_over(Place place, const Moves& moves);
  void take_moved(Place redex, const Moves& moves);
  bool mark_moved(const Moves& moves);
  bool looks_deep(Place place) const;
  void mark_normal(Handle term) { heap_[term] &= ~reducible; }

  void begin();
  std::uint64_t steps_taken() const { return steps_before_ + (slice_ - fuel_); }
  // Words that are taken for good, or after a collection of what roots_ does not reach.
  Handle* take(std::size_t words);
  Handle* take_collecting(std::size_t words);
  // A few words are kept for what is written before it is known to be needed.
  Handle* space_end() const { return heap_ + (swapped_ ? to_ : from_).words() - 8; }
  Reservation& space() { return swapped_ ? to_ : from_; }

  const Program& program_;
  const Native* native_;
  Bounds bounds_;
  bool large_pages_ = true;
  Reservation from_;
  Reservation to_;
  Reservation stack_;
  bool swapped_ = false;  // terms are in to_

  Handle* heap_ = nullptr;   // of the space in use
  Handle* free_ = nullptr;   // the first free word
  Handle* limit_ = nullptr;  // where to ask for memory, or to collect
  Handle* end_ = nullptr;    // where to collect
  Handle* stack_limit_ = nullptr;
  std::vector<Handle> roots_;
  std::vector<Level> levels_;
  Places places_;
  std::uint64_t passes_ = 0;    // that have changed something
  bool pass_changes_ = false;   // this one has
  Place unwritten_ = no_place;  // the one above does not have its term yet
  Carried carried_;

  std::uint64_t fuel_ = 0;   // steps that are left of the slice
  std::uint64_t slice_ = 0;  // steps between two looks at the bounds
  std::uint64_t steps_before_ = 0;
  std::uint64_t conditions_ = 0;  // that may still be begun
  std::uint64_t visits_ = 0;      // of places, by strategies
  std::chrono::steady_clock::time_point start_{};
  Stop stop_ = Stop::normal_form;
  std::size_t peak_words_ = 0;
  std::size_t live_words_ = 0;     // after the last collection
  std::size_t used_words_ = 0;     // before it
  std::uint32_t where_ = 0;        // address of the instruction that asks for room
  bool asks_for_room_ = false;     // run() has come back for it
  double most_rest_ = 0;           // as the program's, of the frames as they are laid out here
  std::size_t stack_step_ = 0;     // words between two looks at the stack
  std::size_t drained_words_ = 0;  // at most, of what waits below stack_limit_
  std::size_t count_at_ = 0;       // words of the stack at which what waits is counted
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> read_from_;
  bool recording_ = false;
  std::vector<Step> steps_;
  std::size_t largest_node_ = 0;  // words that one instruction may take
  std::uint32_t last_rule_ = 0;   // that contract() applied
};

const char* describe(Stop stop);

// The term as text, `f(a, g(b))`, piece by piece; names are those of the store.
using Output = std::function<void(std::string_view)>;
void print(const term::Store& store, const Machine& machine, Handle term, const Output& output);
std::string to_string(const term::Store& store, const Machine& machine, Handle term);

// Each step that was recorded: `rule: redex => contractum`.
std::string describe(const term::Store& store, Machine& machine);

}  // namespace rhopsi::normalise
