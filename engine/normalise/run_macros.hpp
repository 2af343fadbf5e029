// What the instructions in run.cpp have in common, as macros: each of them ends in a jump of its
// own, which no function can hold. They name the variables of Machine::run: the instruction `at`,
// the frame `base`, and the state of the arena. Included by run.cpp alone.
#pragma once

#define RHOPSI_ADDRESS(word)                                       \
  static_cast<std::uint32_t>(reinterpret_cast<const char*>(word) - \
                             reinterpret_cast<const char*>(code))
#define RHOPSI_NEXT goto* labels[static_cast<std::uint16_t>(*at)]
#define RHOPSI_SAVE (free_ = heap + free, fuel_ = fuel)
#define RHOPSI_RESTORE                                          \
  (heap = heap_, free = static_cast<std::size_t>(free_ - heap), \
   limit = static_cast<std::size_t>(limit_ - heap), fuel = fuel_)
// `words` more of the arena, or the same instruction again after a collection.
#define RHOPSI_TAKE(words, live)                            \
  const std::size_t taken = free;                           \
  if (taken + (words) > limit) [[unlikely]] {               \
    RHOPSI_SAVE;                                            \
    where_ = RHOPSI_ADDRESS(at);                            \
    const bool go_on = collect(base, live);                 \
    if (mode == Mode::drain) {                              \
      limit_ = space_end();                                 \
      if (free_ + (words) > limit_) throw std::bad_alloc(); \
    } else if (!go_on) {                                    \
      return {RHOPSI_ADDRESS(at), base, place};             \
    }                                                       \
    RHOPSI_RESTORE;                                         \
    RHOPSI_NEXT;                                            \
  }                                                         \
  free += (words);                                          \
  Handle* const node = heap + taken
#define RHOPSI_HANDLE static_cast<Handle>(taken)
#define RHOPSI_SLOT(i) base[operand(at + 1, i)]
#define RHOPSI_CALLED w_of(word_at(code, w_of(*at))[-1])
// A frame whose first slot is `a` + 2, or back to evaluate(), which sees to room for it.
#define RHOPSI_ROOM                           \
  Handle* const frame = base + a_of(*at) + 2; \
  if (frame > stack_limit_) [[unlikely]]      \
  goto ask_for_room
#define RHOPSI_FRAME(length)                 \
  RHOPSI_ROOM;                               \
  frame[-2] = RHOPSI_ADDRESS(at + (length)); \
  frame[-1] = a_of(*at) + 2

#define RHOPSI_SYMBOL \
  (heap[base[a_of(*at)]] & (mode == Mode::contract ? ~reducible : ~std::uint32_t{0}))
#define RHOPSI_CHOICE(i)                \
  if (symbol == low_of(at[i])) {        \
    at = word_at(code, high_of(at[i])); \
    RHOPSI_NEXT;                        \
  }
#define RHOPSI_LAST(i)           \
  if (symbol == low_of(at[i])) { \
    at += (i) + 1;               \
    RHOPSI_NEXT;                 \
  }
#define RHOPSI_CHOICES(choices)                 \
  {                                             \
    const std::uint32_t symbol = RHOPSI_SYMBOL; \
    choices at = word_at(code, w_of(*at));      \
    RHOPSI_NEXT;                                \
  }
#define RHOPSI_FIRST_1 RHOPSI_CHOICE(1)
#define RHOPSI_FIRST_2 RHOPSI_FIRST_1 RHOPSI_CHOICE(2)
#define RHOPSI_FIRST_3 RHOPSI_FIRST_2 RHOPSI_CHOICE(3)
#define RHOPSI_FIRST_4 RHOPSI_FIRST_3 RHOPSI_CHOICE(4)
#define RHOPSI_FIRST_5 RHOPSI_FIRST_4 RHOPSI_CHOICE(5)
#define RHOPSI_FIRST_6 RHOPSI_FIRST_5 RHOPSI_CHOICE(6)
#define RHOPSI_FIRST_7 RHOPSI_FIRST_6 RHOPSI_CHOICE(7)
#define RHOPSI_FIRST_8 RHOPSI_FIRST_7 RHOPSI_CHOICE(8)

// --- instructions for one, two and three operands, whose slots are in the word behind the
// instruction

// From the arguments of a node to slots.
#define RHOPSI_COPY_1 to[0] = from[0]
#define RHOPSI_COPY_2 RHOPSI_COPY_1, to[1] = from[1]
#define RHOPSI_COPY_3 RHOPSI_COPY_2, to[2] = from[2]
#define RHOPSI_LOAD(count)                                 \
  {                                                        \
    const Handle* const from = heap + base[a_of(*at)] + 1; \
    __builtin_prefetch(from + words_ahead);                \
    Handle* const to = base + w_of(*at);                   \
    RHOPSI_COPY_##count;                                   \
    ++at;                                                  \
    RHOPSI_NEXT;                                           \
  }

// The node that was taken, of the symbol `symbol`.
#define RHOPSI_ARGUMENTS_1 node[1] = RHOPSI_SLOT(0)
#define RHOPSI_ARGUMENTS_2 RHOPSI_ARGUMENTS_1, node[2] = RHOPSI_SLOT(1)
#define RHOPSI_ARGUMENTS_3 RHOPSI_ARGUMENTS_2, node[3] = RHOPSI_SLOT(2)
#define RHOPSI_NODE(count, symbol, live) \
  RHOPSI_TAKE((count) + 1, live);        \
  RHOPSI_ARGUMENTS_##count;              \
  node[0] = head<mode>(symbol, node + 1, count)
#define RHOPSI_NODE_IN_SLOT(count, symbol)                          \
  RHOPSI_NODE(count, symbol, live_slots(at + 1, count, a_of(*at))); \
  base[a_of(*at)] = RHOPSI_HANDLE;                                  \
  at += 2
#define RHOPSI_BUILD(count)                \
  {                                        \
    RHOPSI_NODE_IN_SLOT(count, w_of(*at)); \
    RHOPSI_NEXT;                           \
  }
#define RHOPSI_GIVE(count)                \
  {                                       \
    RHOPSI_NODE(count, built, a_of(*at)); \
    result = RHOPSI_HANDLE;               \
    goto give_result;                     \
  }

// All operands are read before a slot is written, which may be that of one of them.
#define RHOPSI_READ_1 const Handle first = RHOPSI_SLOT(0)
#define RHOPSI_READ_2 RHOPSI_READ_1, second = RHOPSI_SLOT(1)
#define RHOPSI_READ_3 RHOPSI_READ_2, third = RHOPSI_SLOT(2)
#define RHOPSI_WRITE_1(to) to[0] = first
#define RHOPSI_WRITE_2(to) RHOPSI_WRITE_1(to), to[1] = second
#define RHOPSI_WRITE_3(to) RHOPSI_WRITE_2(to), to[2] = third
#define RHOPSI_CALL(count)                       \
  {                                              \
    if constexpr (mode != Mode::evaluate) {      \
      RHOPSI_NODE_IN_SLOT(count, RHOPSI_CALLED); \
    } else {                                     \
      RHOPSI_READ_##count;                       \
      RHOPSI_FRAME(2);                           \
      RHOPSI_WRITE_##count(frame);               \
      base = frame;                              \
      at = word_at(code, w_of(*at));             \
    }                                            \
    RHOPSI_NEXT;                                 \
  }
#define RHOPSI_TAIL(count)                  \
  {                                         \
    if constexpr (mode != Mode::evaluate) { \
      built = RHOPSI_CALLED;                \
      goto give##count##_built;             \
    }                                       \
    RHOPSI_READ_##count;                    \
    RHOPSI_WRITE_##count(base);             \
    at = word_at(code, w_of(*at));          \
    RHOPSI_NEXT;                            \
  }
