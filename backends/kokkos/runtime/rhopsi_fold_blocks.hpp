// Folds whose steps may be taken in another order, on hosts: by all threads, and by vectors along
// the fold.
//
// The steps are cut into blocks. A block is taken in so many chains, step k by chain k modulo
// their number, so that neighbouring steps make a vector and no sum waits for the one before; then
// the chains are folded. Blocks are dealt out to the threads, and folded in their order. How long
// they are follows from the lengths alone, so results do not depend on the number of threads.
//
// What has the same value in any order is taken so always: sums and products of integers, which
// wrap, and extremes. Sums and products of reals are where RHOPSI_REASSOCIATES is defined.
#pragma once

#include <algorithm>
#include <tuple>

#include "rhopsi_fold_in_order.hpp"
#include "rhopsi_fold_levels.hpp"
#include "rhopsi_lanes.hpp"
#include "rhopsi_shapes.hpp"

namespace rhopsi {

#ifdef RHOPSI_REASSOCIATES
inline constexpr bool reassociates = true;
#else
inline constexpr bool reassociates = false;
#endif

// As onf::Regrouping says it. `Few`: of a nest, only where it has few elements. `InTurn`: where
// steps have their order, elements one by one, with terms by vectors.
template <int Block, int Chains, bool Few = false, bool InTurn = false>
struct FoldBlocks {
  static constexpr std::int64_t block = Block;
  static constexpr int chains = Chains;
  static constexpr bool few = Few;
  static constexpr bool in_turn = InTurn;
};

namespace detail {

template <class By>
inline constexpr bool is_extreme =
    std::is_same_v<By, fold_by::minimum> || std::is_same_v<By, fold_by::maximum>;

// Extremes of reals are those of any order but for two things. A NaN in front stays, and any other
// NaN is passed over: so each chain starts with the first term, which changes no extreme. And of
// zeros of both signs the first one stays: so where the extreme is a zero the first one is found.
template <class T, class By>
inline constexpr bool any_order = !std::is_same_v<By, fold_by::subtract> &&
                                  (!std::is_floating_point_v<T> || reassociates || is_extreme<By>);
template <class T, class By>
inline constexpr bool finds_zero = std::is_floating_point_v<T>&& is_extreme<By> && !reassociates;

// Nests with so many elements have none to deal out to the threads.
inline constexpr std::int64_t few_elements = 8;

// Folds of the elements of a box, of R indices; R is 0 for one alone.
template <class Int, class Blocks, int R, class Levels>
class BlockedFolds {
  static constexpr int depth = static_cast<int>(std::tuple_size_v<Levels>);
  static constexpr int chains = Blocks::chains;
  template <int Level>
  using Of = std::tuple_element_t<Level, Levels>;
  template <int Level>
  using By = typename Of<Level>::Combine;

 public:
  template <int Level>
  using Value = typename Of<Level>::Value;
  using Result = Value<0>;

  BlockedFolds(const Box<R>& box, const Levels& levels) : box_(box), levels_(levels) {
    Int at[R + 1];
    place(0, at);
    Int fold[depth] = {};
    steps_ = steps<0>(at, fold);
    const std::int64_t inner = steps_ > 0 ? steps_within<0>(at, fold) : 1;
    block_ = std::max<std::int64_t>(1, Blocks::block / inner);
    blocks_ = (steps_ + block_ - 1) / block_;
    work_ = box.size() * std::max<std::int64_t>(steps_, 1) * inner;
  }

  // Is it worth it? An answer that does not depend on the number of threads.
  bool pays() const {
    return Blocks::few ? box_.size() <= few_elements && blocks_ > 1 : steps_ >= 2 * chains;
  }

  // store(indices, value) for each element.
  template <class Store>
  void run(const char* label, const Store& store) const {
    const std::int64_t elements = box_.size();
    const std::int64_t threads = concurrency();
    const std::int64_t work = work_ < 8 * serial_below || threads == 1 ? 0 : work_;
    if (work == 0 || elements >= 2 * threads || blocks_ <= 1) {
      constexpr std::int64_t most = 64;
      const std::int64_t some = std::clamp<std::int64_t>(elements / (4 * threads), 1, most);
      each_item(label, (elements + some - 1) / some, work, [&, this](std::int64_t item) {
        const std::int64_t first = item * some, last = std::min(elements, first + some);
        Result results[most];
        fold_blocks(first, last, 0, blocks_, results);
        for (std::int64_t element = first; element < last; ++element) {
          Int at[R + 1];
          place(element, at);
          store(at, settled(at, results[element - first]));
        }
      });
      return;
    }
    const Scratch scratch(static_cast<std::size_t>(blocks_ * elements) * sizeof(Result));
    Result* const parts = reinterpret_cast<Result*>(scratch.memory());
    // What a block of one element reads may be what that of the next one reads, too.
    each_item(label, blocks_, work, [this, parts, elements](std::int64_t block) {
      fold_blocks(0, elements, block, block + 1, parts + block * elements);
    });
    for (std::int64_t element = 0; element < elements; ++element) {
      Int at[R + 1];
      place(element, at);
      Result result = start(at);
      for (std::int64_t block = 0; block < blocks_; ++block)
        result = next(result, parts[block * elements + element]);
      store(at, settled(at, result));
    }
  }

 private:
  void place(std::int64_t element, Int* at) const {
    for (int a = R - 1; a >= 0; --a) {
      const std::int64_t n = std::max<std::int64_t>(box_.length(a), 1);
      at[a] = static_cast<Int>(box_.lo[a] + element % n);
      element /= n;
    }
  }

  // --- calls of what was emitted: the last fold's index is `k`
  template <int Folded, class F, std::size_t... A, std::size_t... K, class... More>
  static RHOPSI_INLINED auto call(const F& f, const Int* at, const Int* fold, Int k,
                                  std::index_sequence<A...>, std::index_sequence<K...>,
                                  const More&... more) {
    (void)at, (void)fold, (void)k;
    return f(at[A]..., (static_cast<int>(K) + 1 == Folded ? k : fold[K])..., more...);
  }
  template <int Level>
  RHOPSI_INLINED std::int64_t count_of(const Int* at, const Int* fold) const {
    return call<0>(std::get<Level>(levels_).count, at, fold, Int{}, std::make_index_sequence<R>{},
                   std::make_index_sequence<Level>{});
  }
  template <int Level>
  RHOPSI_INLINED Value<Level> term(const Int* at, Int* fold, Int k) const {
    constexpr auto indices = std::make_index_sequence<R>{};
    constexpr auto folds = std::make_index_sequence<Level + 1>{};
    const auto& f = std::get<Level>(levels_).term;
    if constexpr (Level + 1 == depth) {
      return call<Level + 1>(f, at, fold, k, indices, folds);
    } else {
      fold[Level] = k;
      return call<Level + 1>(f, at, fold, k, indices, folds, whole<Level + 1>(at, fold));
    }
  }

  // Of the innermost fold.
  template <int Level, bool Within>
  RHOPSI_INLINED Value<Level> term_in(const Int* at, Int* fold, Int k) const {
    if constexpr (Within)
      return call<Level + 1>(std::get<Level>(levels_).within, at, fold, k,
                             std::make_index_sequence<R>{}, std::make_index_sequence<Level + 1>{});
    else
      return term<Level>(at, fold, k);
  }
  template <int Level>
  RHOPSI_INLINED FoldRange range_of(const Int* at, const Int* fold) const {
    return call<0>(std::get<Level>(levels_).range, at, fold, Int{}, std::make_index_sequence<R>{},
                   std::make_index_sequence<Level>{});
  }

  // --- sequences of steps: those of a fold and of the ones that are joined to it
  template <int Level>
  static constexpr int last_of() {
    if constexpr (Of<Level>::joined && any_order<Value<Level>, By<Level>>)
      return last_of<Level + 1>();
    else
      return Level;
  }
  template <int Level, int Last = last_of<Level>()>
  RHOPSI_INLINED std::int64_t steps(const Int* at, const Int* fold) const {
    const std::int64_t count = std::max<std::int64_t>(count_of<Level>(at, fold), 0);
    if constexpr (Level < Last)
      return count * steps<Level + 1, Last>(at, fold);
    else
      return count;
  }
  // Of the folds within one step, at the middle one.
  template <int Level>
  std::int64_t steps_within(const Int* at, Int* fold) const {
    fold[Level] = static_cast<Int>(std::max<std::int64_t>(count_of<Level>(at, fold), 0) / 2);
    if constexpr (Level + 1 == depth)
      return 1;
    else if constexpr (Level < last_of<0>())
      return steps_within<Level + 1>(at, fold);
    else
      return std::max<std::int64_t>(count_of<Level + 1>(at, fold), 1) *
             steps_within<Level + 1>(at, fold);
  }

  // f(k, run) for each run of steps k, k + 1, ... of the last level, from `begin` up to `end` of
  // the sequence, until it says false.
  template <int Level, class F>
  RHOPSI_INLINED void each_run(const Int* at, Int* fold, std::int64_t begin, std::int64_t end,
                               const F& f) const {
    constexpr int last = last_of<Level>();
    if constexpr (last == Level) {
      f(static_cast<Int>(begin), end - begin);
    } else {
      std::int64_t counts[depth] = {};
      count<Level>(at, fold, counts);
      std::int64_t step = begin;
      for (int level = last; level > Level; --level) {
        fold[level] = static_cast<Int>(step % counts[level]);
        step /= counts[level];
      }
      fold[Level] = static_cast<Int>(step);
      for (std::int64_t left = end - begin; left > 0;) {
        const std::int64_t run = std::min<std::int64_t>(left, counts[last] - fold[last]);
        if (!f(fold[last], run)) return;
        left -= run;
        fold[last] = 0;
        for (int level = last - 1; level >= Level; --level) {
          if (++fold[level] < counts[level] || level == Level) break;
          fold[level] = 0;
        }
      }
    }
  }
  template <int Level, int Last = last_of<Level>()>
  RHOPSI_INLINED void count(const Int* at, const Int* fold, std::int64_t* counts) const {
    counts[Level] = count_of<Level>(at, fold);
    if constexpr (Level < Last) count<Level + 1, Last>(at, fold, counts);
  }

  // --- values
  // Changes nothing that is combined with it.
  template <int Level>
  RHOPSI_INLINED Value<Level> start_of(const Int* at, Int* fold) const {
    if constexpr (is_extreme<By<Level>>) {
      for (int level = Level; level <= last_of<Level>(); ++level) fold[level] = 0;
      return term<last_of<Level>()>(at, fold, 0);
    } else {
      return By<Level>::template unit<Value<Level>>();
    }
  }
  Result start(const Int* at) const {
    Int fold[depth] = {};
    return steps_ > 0 ? start_of<0>(at, fold) : By<0>::template unit<Result>();
  }

  // A block behind those in front. Out of line: a compiler that may regroup sums would do so with
  // the chains of a block, but not where its value comes from memory.
  static RHOPSI_NOINLINE Result next(const Result result, const Result block) {
    return By<0>::combine(result, block);
  }

  // The elements [first, last), each folded over these blocks.
  RHOPSI_NOINLINE void fold_blocks(std::int64_t first, std::int64_t last, std::int64_t first_block,
                                   std::int64_t last_block, Result* results) const {
    // A copy whose address nobody has: what it captured stays in registers.
    const BlockedFolds self = *this;
    for (std::int64_t element = first; element < last; ++element) {
      Int at[R + 1];
      self.place(element, at);
      const Result begun = self.start(at);
      Result result = begun;
      for (std::int64_t block = first_block; block < last_block; ++block) {
        Int fold[depth] = {};
        const std::int64_t begin = block * self.block_;
        const std::int64_t end = std::min(self.steps_, begin + self.block_);
        result = next(result, self.template folded<0>(at, fold, begin, end, begun));
      }
      results[element - first] = result;
    }
  }

  template <int Level>
  RHOPSI_INLINED Value<Level> folded(const Int* at, Int* fold, std::int64_t begin, std::int64_t end,
                                     const Value<Level> first) const {
    constexpr int last = last_of<Level>();
    if constexpr (last + 1 < depth) {
      Value<Level> result = first;
      each_run<Level>(at, fold, begin, end, [&](Int k, std::int64_t run) RHOPSI_INLINED {
        for (std::int64_t step = 0; step < run; ++step)
          result = By<Level>::combine(result, term<last>(at, fold, static_cast<Int>(k + step)));
        return true;
      });
      return result;
    } else {
      alignas(64) Value<Level> chain[chains];
      for (int c = 0; c < chains; ++c) chain[c] = first;
      each_run<Level>(at, fold, begin, end, [&](Int k, std::int64_t run) RHOPSI_INLINED {
        // Clang takes no member of a generic lambda's class unless `this` is named.
        const auto part = [&, this](auto within, std::int64_t first_step,
                                    std::int64_t end_of_part) RHOPSI_INLINED {
          // Of type Int throughout: what is converted may wrap, and is no neighbour then.
          const Int from = static_cast<Int>(first_step);
          const Int count = static_cast<Int>(end_of_part - first_step);
          const Int rest = count % chains, whole = count - rest;
          for (Int step = 0; step < whole; step += chains) {
            RHOPSI_SIMD
            for (int c = 0; c < chains; ++c)
              chain[c] = By<Level>::combine(
                  chain[c], this->template term_in<last, within.value>(at, fold, from + step + c));
            RHOPSI_IN_TURN;
          }
          RHOPSI_SIMD
          for (Int c = 0; c < rest; ++c)
            chain[c] = By<Level>::combine(
                chain[c], this->template term_in<last, within.value>(at, fold, from + whole + c));
        };
        if constexpr (Of<last>::ranges)
          each_part(range_of<last>(at, fold), k, k + run, part);
        else
          part(std::false_type{}, k, k + run);
        return true;
      });
      for (int half = chains / 2; half > 0; half /= 2)
        for (int c = 0; c < half; ++c) chain[c] = By<Level>::combine(chain[c], chain[c + half]);
      return chain[0];
    }
  }

  // Of a fold within another one.
  template <int Level>
  RHOPSI_INLINED Value<Level> whole(const Int* at, Int* fold) const {
    const std::int64_t end = steps<Level>(at, fold);
    if (end <= 0) return By<Level>::template unit<Value<Level>>();
    if constexpr (any_order<Value<Level>, By<Level>>) {
      // Chains are not worth their beginning and end for fewer.
      if (last_of<Level>() > Level || end >= chains) {
        return settled_of<Level>(at, fold, end,
                                 folded<Level>(at, fold, 0, end, start_of<Level>(at, fold)));
      }
    }
    Value<Level> result = term<Level>(at, fold, 0);
    for (std::int64_t k = 1; k < end; ++k)
      result = By<Level>::combine(result, term<Level>(at, fold, static_cast<Int>(k)));
    return result;
  }

  Result settled(const Int* at, const Result value) const {
    Int fold[depth] = {};
    return steps_ > 0 ? settled_of<0>(at, fold, steps_, value) : value;
  }
  template <int Level>
  RHOPSI_INLINED Value<Level> settled_of(const Int* at, Int* fold, std::int64_t end,
                                         const Value<Level> value) const {
    Value<Level> found = value;
    if constexpr (finds_zero<Value<Level>, By<Level>>) {
      if (value != Value<Level>(0)) return value;
      constexpr int last = last_of<Level>();
      each_run<Level>(at, fold, 0, end, [&](Int k, std::int64_t run) RHOPSI_INLINED {
        for (std::int64_t step = 0; step < run; ++step) {
          found = term<last>(at, fold, static_cast<Int>(k + step));
          if (found == Value<Level>(0)) return false;
        }
        return true;
      });
    }
    (void)at, (void)fold, (void)end;
    return found;
  }

  Box<R> box_;
  Levels levels_;
  std::int64_t steps_ = 0, block_ = 1, blocks_ = 0, work_ = 0;
};

template <class Int, std::size_t... A>
auto indices_of(const Int* at, std::index_sequence<A...>) {
  return std::make_tuple(at[A]...);
}

// The elements of a box one by one, each of which a thread folds from its first step to the last.
template <class Int, int R, class Levels, class Element, class Target>
void fold_each_in_turn(const char* label, const Box<R>& box, const Levels& levels,
                       const Element& element, const Target& target) {
  using First = first_level<Levels>;
  constexpr std::int64_t of_an_element = 256;  // operations, at a guess
  each_item(label, box.size(), box.size() * of_an_element, [&](std::int64_t number) {
    Int at[R + 1];
    for (int a = R - 1; a >= 0; --a) {
      at[a] = static_cast<Int>(box.lo[a] + number % box.length(a));
      number /= box.length(a);
    }
    const auto fold = [&](auto... i) {
      auto result = First::Combine::template unit<typename First::Value>();
      bool first = true;
      fold_in_sequence<0>(levels, result, first, i...);
      target(i...) = element(i..., result);
    };
    std::apply(fold, indices_of(at, std::make_index_sequence<R>{}));
  });
}

template <class Levels>
inline constexpr bool regroups =
    any_order<typename first_level<Levels>::Value, typename first_level<Levels>::Combine>;

}  // namespace detail

// The value of a fold; where its steps may not be taken in another order, that of in_order().
template <class Blocks, class Levels, class InOrder>
auto fold_in_blocks(const char* label, const Levels& levels, const InOrder& in_order) ->
    typename detail::first_level<Levels>::Value {
  if constexpr (detail::regroups<Levels>) {
    typename detail::first_level<Levels>::Value result;
    detail::BlockedFolds<std::int64_t, Blocks, 0, Levels>(Box<0>{}, levels)
        .run(label, [&result](const std::int64_t*, auto value) { result = value; });
    return result;
  } else {
    return in_order();
  }
}
// Of one fold over all elements of an array, whose levels are its axes, all of them joined.
template <class Blocks, class Levels>
auto fold_over_axes(const char* label, const Levels& levels) {
  return fold_in_blocks<Blocks>(label, levels, [&levels]() RHOPSI_INLINED {
    using First = detail::first_level<Levels>;
    auto result = First::Combine::template unit<typename First::Value>();
    bool first = true;
    detail::fold_in_sequence<0>(levels, result, first);
    return result;
  });
}
template <class Blocks, class Levels>
auto fold_in_blocks(const char* label, const Levels& levels) {
  return fold_in_blocks<Blocks>(label, levels, [] {
    static_assert(detail::regroups<Levels>);
    return typename detail::first_level<Levels>::Value{};
  });
}

// target(i, ..., j) = element(i, ..., j, value of the outermost fold) for every index of the box.
// False: nothing is done, because the steps of the folds may not be taken in another order, or are
// too few.
template <class Int, class Blocks, int R, class Levels, class Element, class Target>
bool for_each_in_blocks(const char* label, const Box<R>& box, const Levels& levels,
                        const Element& element, const Target& target) {
  if constexpr (detail::regroups<Levels>) {
    if (box.size() == 0) return true;
    const detail::BlockedFolds<Int, Blocks, R, Levels> folds(box, levels);
    if (!folds.pays()) return false;
    folds.run(label, [&element, &target](const Int* at, auto value) {
      std::apply([&](auto... i) { target(i...) = element(i..., value); },
                 detail::indices_of(at, std::make_index_sequence<R>{}));
    });
    return true;
  } else if constexpr (Blocks::in_turn) {
    detail::fold_each_in_turn<Int>(label, box, levels, element, target);
    return true;
  } else {
    return false;
  }
}

}  // namespace rhopsi
