// Every operation of the shim against plain loops, for ranks 1 to 6, unequal sides, sides of
// one, pads wider than the array. Prints what differs; ends with 0 if nothing does.
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "rhopsi_exec.hpp"
#include "rhopsi_shim.hpp"

namespace {

using rhopsi::Box;
using rhopsi::Domain;
using rhopsi::Field;
using rhopsi::Index;

int failures = 0;

void expect(bool right, const std::string& what) {
  if (right) return;
  std::printf("wrong: %s\n", what.c_str());
  ++failures;
}

std::int64_t wrap(std::int64_t a, std::int64_t n) {
  while (a < 0) a += n;
  while (a >= n) a -= n;
  return a;
}

template <int R>
std::int64_t position(const Domain<R>& domain, const Index<R>& ix) {
  std::int64_t at = 0;
  for (int a = 0; a < R; ++a) at = at * domain.extent[a] + wrap(ix[a], domain.extent[a]);
  return at;
}

// Calls f for every index of the domain, and those in its pads.
template <int R, class F>
void visit(const Domain<R>& domain, bool pads, F f) {
  const Box<R> box = pads ? rhopsi::grown(domain) : rhopsi::interior(domain);
  if (box.size() == 0) return;
  Index<R> ix{};
  for (int a = 0; a < R; ++a) ix[a] = box.lo[a];
  for (;;) {
    f(ix);
    int a = R - 1;
    for (; a >= 0; --a) {
      if (++ix[a] < box.hi[a]) break;
      ix[a] = box.lo[a];
    }
    if (a < 0) return;
  }
}

// The whole block of a field, pads included, on a Kokkos whose memory the host can see.
template <int R, class T, class F>
bool holds(const Field<T, R>& field, bool pads, F value) {
  Kokkos::fence();
  const auto ref = field.read();
  bool right = true;
  visit<R>(field.domain(), pads,
           [&](const Index<R>& ix) { right = right && *(&ref(ix)) == static_cast<T>(value(ix)); });
  return right;
}

template <class T, int R>
struct Sample {
  explicit Sample(const Domain<R>& over, unsigned seed) : domain(over), field("sample", over) {
    std::mt19937 random(seed);
    for (std::int64_t i = 0; i < domain.size(); ++i)
      values.push_back(static_cast<T>(static_cast<int>(random() % 2001) - 1000) / T(8));
    rhopsi::copy_from_host(values.data(), field);
  }
  T operator()(const Index<R>& ix) const {
    return values[static_cast<std::size_t>(position(domain, ix))];
  }
  Domain<R> domain;
  Field<T, R> field;
  std::vector<T> values;
};

template <int R, class T>
void check_arrays(const Domain<R>& domain, const std::string& name) {
  const bool padded = domain.padded();
  const Sample<T, R> a(domain, 1), b(domain, 2);
  expect(a.field.fresh() && holds(a.field, true, a), name + ": load and pads");

  std::vector<T> back(a.values.size());
  rhopsi::copy_to_host(a.field, back.data());
  expect(back == a.values, name + ": store");

  const auto sum = rhopsi::pointwise<rhopsi::function::add>("sum", domain, a.field, b.field);
  expect(sum.fresh() && holds(sum, true, [&](const Index<R>& ix) { return a(ix) + b(ix); }),
         name + ": pointwise, pads included");
  const auto scaled =
      rhopsi::pointwise<rhopsi::function::multiply>("scaled", domain, T(3), a.field);
  expect(holds(scaled, true, [&](const Index<R>& ix) { return T(3) * a(ix); }), name + ": scalar");
  const auto below = rhopsi::pointwise<rhopsi::function::less>("below", domain, a.field, b.field);
  const auto least =
      rhopsi::pointwise<rhopsi::function::select>("least", domain, below, a.field, b.field);
  expect(holds(least, true, [&](const Index<R>& ix) { return a(ix) < b(ix) ? a(ix) : b(ix); }),
         name + ": select");

  for (int axis = 0; axis < R; ++axis)
    for (const std::int64_t o : {-7, -1, 0, 1, 5}) {
      const auto turned = rhopsi::rotate("turned", domain, a.field, axis, o);
      expect(turned.fresh() && holds(turned, true,
                                     [&](Index<R> ix) {
                                       ix[axis] += o;
                                       return a(ix);
                                     }),
             name + ": rotate " + std::to_string(axis) + " by " + std::to_string(o));
    }

  Field<T, R> shared = a.field;
  const auto out = shared.write();
  rhopsi::for_each_flat(
      "flat", domain, KOKKOS_LAMBDA(const Index<R>& ix) { out(ix) = out(ix) + T(1); });
  expect(!shared.fresh() || !padded, name + ": written pads are stale");
  expect(holds(shared, false, [&](const Index<R>& ix) { return a(ix) + T(1); }), name + ": flat");
  expect(holds(a.field, true, a), name + ": a copy is a value");
  const auto stale = rhopsi::pointwise<rhopsi::function::negate>("stale", domain, shared);
  expect(!stale.fresh() || !padded, name + ": stale operands give a stale result");
  rhopsi::refill_padding("refill", domain, shared);
  expect(shared.fresh() && holds(shared, true, [&](const Index<R>& ix) { return a(ix) + T(1); }),
         name + ": refill");
}

// What is outside of one axis at most, as far as the halo goes, is fresh; corners too if asked for.
template <int R>
void check_halo(const Domain<R>& domain, const std::string& name) {
  const Sample<float, R> sample(domain, 3);
  for (const bool corners : {false, true}) {
    rhopsi::Halo<R> halo;
    bool empty = true;
    for (int a = 0; a < R; ++a) {
      halo.low[a] = a % 2 == 0 ? domain.low(a) : 0;
      halo.high[a] = a == R - 1 ? domain.high(a) : domain.high(a) / 2;
      empty = empty && halo.low[a] == 0 && halo.high[a] == 0;
    }
    halo.corners = corners && !empty;
    Field<float, R> field = sample.field;
    const auto out = field.write();  // the pads of a copy are stale
    expect(empty || !field.held().covers(halo), name + ": stale at first");
    visit<R>(domain, true, [&](const Index<R>& ix) {
      for (int a = 0; a < R; ++a)
        if (ix[a] < 0 || ix[a] >= domain.extent[a]) *(&out(ix)) = -1e9f;
    });
    const Field<float, R> shared = field;
    rhopsi::refill_halo("halo", shared, halo);
    expect(field.held().covers(halo), name + ": fresh for all that share the block");
    bool right = true;
    const auto in = sample.field.read(), now = field.read();
    visit<R>(domain, true, [&](const Index<R>& ix) {
      int outside = 0;
      bool within = true;
      for (int a = 0; a < R; ++a) {
        outside += ix[a] < 0 || ix[a] >= domain.extent[a] ? 1 : 0;
        within = within && ix[a] >= -halo.low[a] && ix[a] < domain.extent[a] + halo.high[a];
      }
      if (within && (outside < 2 || corners)) right = right && *(&now(ix)) == *(&in(ix));
    });
    expect(right, name + (corners ? ": halo with corners" : ": halo"));
  }
}

template <int R>
struct Positions {
  rhopsi::FieldRef<std::int64_t, R> out;
  Domain<R> domain;
  template <class... I>
  KOKKOS_INLINE_FUNCTION void operator()(I... i) const {
    const Index<R> ix = rhopsi::make_index(i...);
    std::int64_t at = 0;
    for (int a = 0; a < R; ++a) at = at * domain.extent[a] + ix[a];
    out(i...) += at + 1;
  }
};

template <int R>
void check_nested(const Domain<R>& domain, const std::string& name) {
  Field<std::int64_t, R> field("positions", domain);
  const auto clear = field.overwrite();
  rhopsi::for_each_flat(
      "clear", domain, KOKKOS_LAMBDA(const Index<R>& ix) { clear(ix) = 0; });
  rhopsi::for_each_nested("nested", domain, Positions<R>{field.write(), domain});
  expect(holds(field, false, [&](const Index<R>& ix) { return position(domain, ix) + 1; }),
         name + ": nested visits each element once");
}

// Adds to each element of the rows that it is given: what it is called for, and in how many rows.
template <int R, int N>
struct Grouped {
  rhopsi::FieldRef<std::int64_t, R> out;
  template <class... Outer>
  KOKKOS_INLINE_FUNCTION void at(rhopsi::Row rows, rhopsi::Row row, Outer... outer) const {
    const std::int64_t one = rows.high - rows.low > N ? 1000 : 1;
    for (std::int64_t j = rows.low; j < rows.high; ++j) {
      for (std::int64_t k = row.low; k < row.high; ++k) out(outer..., j, k) += one;
    }
  }
  KOKKOS_INLINE_FUNCTION void operator()(rhopsi::Row rows, rhopsi::Row row) const { at(rows, row); }
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i, rhopsi::Row rows, rhopsi::Row row) const {
    at(rows, row, i);
  }
};

// Fewer rows than a group has, some that are left, and rows that are cut among the threads.
template <int R, int N>
void check_groups(const Domain<R>& domain) {
  Field<std::int64_t, R> field("groups", domain);
  const auto clear = field.overwrite();
  rhopsi::for_each_flat(
      "clear", domain, KOKKOS_LAMBDA(const Index<R>& ix) { clear(ix) = 0; });
  rhopsi::for_each_rows<N>("groups", domain, Grouped<R, N>{field.write()});
  expect(holds(field, false, [](const Index<R>&) { return 1; }),
         to_string(domain) + ": groups of rows have each element once");
}

void check_all_groups() {
  for (const Domain<2>& domain :
       {Domain<2>{{1, 1}}, Domain<2>{{3, 5}}, Domain<2>{{8, 9001}}, Domain<2>{{9, 5000}},
        Domain<2>{{701, 33}}, Domain<2>{{0, 4}}, Domain<2>{{4, 0}}}) {
    check_groups<2, 4>(domain);
  }
  for (const Domain<3>& domain :
       {Domain<3>{{2, 1, 3}}, Domain<3>{{11, 13, 67}}, Domain<3>{{3, 0, 5}}}) {
    check_groups<3, 2>(domain);
  }
}

// Of other widths at each end, of one end alone, and of equal ones.
template <int R>
std::vector<Domain<R>> with_many_pads(Domain<R> domain) {
  std::vector<Domain<R>> made;
  for (const std::int64_t pad : {0, 1, 3}) {
    domain.pad = pad;
    made.push_back(domain);
  }
  rhopsi::Pads<R> uneven, one_end;
  for (int a = 0; a < R; ++a) {
    uneven.low[a] = (a + 2) % 3;
    uneven.high[a] = a % 2 == 0 ? 0 : 3;
  }
  one_end.high[R - 1] = 2;
  made.push_back(with_pads(domain, uneven));
  made.push_back(with_pads(domain, one_end));
  return made;
}

template <int R>
std::string pads_text(const Domain<R>& domain) {
  std::string text = " pads";
  for (int a = 0; a < R; ++a)
    text += " " + std::to_string(domain.low(a)) + "+" + std::to_string(domain.high(a));
  return text;
}

template <int R>
void check_domain(std::initializer_list<std::int64_t> sides) {
  Domain<R> shape{};
  int axis = 0;
  for (const std::int64_t side : sides) shape.extent[axis++] = side;
  for (const Domain<R>& domain : with_many_pads(shape)) {
    const std::string name = to_string(domain) + pads_text(domain);
    check_arrays<R, float>(domain, name + " float32");
    if constexpr (R == 2) check_arrays<R, std::int64_t>(domain, name + " int64");
    check_halo<R>(domain, name);
    check_nested<R>(domain, name);
  }
}

bool refused(const Domain<2>& domain) {
  try {
    const Field<double, 2> field("large", domain);
    return false;
  } catch (const rhopsi::Error& error) {
    return std::string(error.code()) == rhopsi::codes::size;
  }
}

// Operands whose pads differ: a result has fresh pads where all of them have at least its own.
void check_unequal_pads() {
  const Domain<2> shape{{3, 5}};
  const Domain<2> wide = with_pads(shape, {{2, 0}, {1, 2}}),
                  narrow = with_pads(shape, {{1, 0}, {0, 2}});
  const Domain<2> bare = without_pads(wide);
  expect(wide != narrow && bare == shape && holds_pads(wide, narrow) && !holds_pads(narrow, wide),
         "domains with other pads");
  const Sample<double, 2> a(wide, 1), b(narrow, 2), c(bare, 3);
  const auto sum = [&](const Index<2>& ix) { return a(ix) + b(ix); };
  const auto small = rhopsi::pointwise<rhopsi::function::add>("small", narrow, a.field, b.field);
  expect(small.domain() == narrow && small.fresh() && holds(small, true, sum), "narrower pads");
  const auto large = rhopsi::pointwise<rhopsi::function::add>("large", wide, a.field, b.field);
  expect(large.domain() == wide && !large.fresh() && holds(large, false, sum), "wider pads");
  const auto none = rhopsi::pointwise<rhopsi::function::add>("none", bare, a.field, c.field);
  expect(none.fresh() && holds(none, true, [&](const Index<2>& ix) { return a(ix) + c(ix); }),
         "no pads");
}

// Nothing is read where there is nothing.
void check_empty() {
  for (const Domain<2>& domain : with_many_pads(Domain<2>{{0, 4}})) {
    Field<double, 2> field("empty", domain);
    (void)field.overwrite();
    rhopsi::refill_padding("empty", domain, field);
    rhopsi::refill_halo("empty", field, rhopsi::Halo<2>::all(domain));
    expect(field.fresh() && field.domain().size() == 0, "an empty array" + pads_text(domain));
  }
}

void check_sizes() {
  constexpr std::int64_t long_axis = std::int64_t{1} << 32;
  expect(refused({{long_axis, long_axis}, 0}), "a size that wraps to 0");
  expect(refused({{long_axis, long_axis / 2 - 1}, 0}), "a number of bytes that wraps");
  expect(refused({{std::int64_t{1} << 57, 0}, 0}), "an axis longer than any");
  const Domain<3> empty{{long_axis, long_axis, 0}, 0};
  expect(empty.size() == 0 && !Field<double, 3>("empty", empty).empty(), "nothing in long axes");
}

void check_narrow() {
  constexpr std::int64_t most = 2147483647;
  expect(rhopsi::narrow({0, most}), "32 bits hold these");
  expect(!rhopsi::narrow({0, most + 1, 3}), "and not these");
  expect(!rhopsi::narrow({-1}), "what has wrapped is no bound");
  auto field = rhopsi::make_field<std::int64_t>("narrow", 3, 5);
  const auto wide_at = field.write();
  rhopsi::for_each_box(
      "wide", Box<2>{{0, 0}, {3, 5}},
      KOKKOS_LAMBDA(const std::int64_t i, const std::int64_t j) { wide_at(i, j) = 100; });
  const auto at = field.write<std::int32_t>();
  rhopsi::for_each_box<std::int32_t>(
      "narrow", Box<2>{{1, -1}, {3, 4}}, KOKKOS_LAMBDA(const std::int32_t i, const std::int32_t j) {
        at(i, j + 1) = std::int64_t{i} * 10 + j;
      });
  expect(holds(field, false,
               [](const Index<2>& ix) { return ix[0] < 1 ? 100 : ix[0] * 10 + ix[1] - 1; }),
         "indices of 32 bits");
}

// By a number that the compiler knows.
template <std::int64_t Divisor>
void check_known_divisor() {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  volatile std::int64_t hidden = Divisor;
  const std::int64_t divisor = hidden;
  for (const std::int64_t from :
       {least, std::int64_t{-70}, std::numeric_limits<std::int64_t>::max() - 140})
    for (std::int64_t a = from; a < from + 140; ++a)
      expect(rhopsi::euclid_mod(a, Divisor) == rhopsi::euclid_mod(a, divisor) &&
                 rhopsi::euclid_div(a, Divisor) == rhopsi::euclid_div(a, divisor),
             "known divisor");
}

void check_integers() {
  check_known_divisor<1>();
  check_known_divisor<2>();
  check_known_divisor<64>();
  check_known_divisor<std::int64_t{1} << 40>();
  check_known_divisor<3>();
  check_known_divisor<-4>();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  for (std::int64_t a = -13; a <= 13; ++a)
    for (std::int64_t b = -5; b <= 5; ++b) {
      if (b == 0) continue;
      const std::int64_t q = rhopsi::euclid_div(a, b), r = rhopsi::euclid_mod(a, b);
      expect(a == b * q + r && r >= 0 && r < (b < 0 ? -b : b), "Euclidean division");
    }
  expect(rhopsi::euclid_mod(least, std::int64_t{-1}) == 0, "least mod -1");
  expect(rhopsi::euclid_mod(std::int64_t{-1}, least) == std::numeric_limits<std::int64_t>::max(),
         "-1 mod least");
  expect(rhopsi::euclid_div(std::int64_t{-1}, least) == 1, "-1 div least");
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t s : {1, 2, 3, 7, 64})
    for (std::int64_t i = -3 * s - 1; i <= 3 * s + 1; ++i)
      for (std::int64_t o = -3 * s - 1; o <= 3 * s + 1; ++o)
        expect(rhopsi::wrap(i, o, s) == wrap(i + o, s), "wrap");
  for (const std::int64_t far : {least, least + 1, least / 2, most / 2, most - 1, most})
    for (const std::int64_t s : {1, 2, 3, 7, 1000003})
      for (std::int64_t i = 0; i < s && i < 9; ++i) {
        const std::int64_t right = (i + rhopsi::euclid_mod(far, s)) % s;
        expect(rhopsi::wrap(i, far, s) == right && rhopsi::wrap(far, i, s) == right, "wrap far");
      }
  expect(rhopsi::wrap(most, most, 10) == 4 && rhopsi::wrap(least, least, 10) == 4 &&
             rhopsi::wrap(most, least, 10) == 9,
         "wrap of a sum that overflows");
  expect(rhopsi::pow(std::int64_t{-3}, std::int64_t{5}) == -243, "pow of integers");
  // As the reference evaluator has it: beside a NaN, and of equal operands, the left one.
  expect(rhopsi::minimum(2.0, std::nan("")) == 2.0, "min(2, NaN)");
  expect(std::isnan(rhopsi::minimum(std::nan(""), 2.0)), "min(NaN, 2)");
  expect(std::signbit(rhopsi::minimum(-0.0, 0.0)) && !std::signbit(rhopsi::maximum(0.0, -0.0)),
         "min(-0, 0), max(0, -0)");
  const Domain<3> domain{{5, 6, 7}, 1};
  expect(rhopsi::rotate_index(domain, rhopsi::make_index(0, 5, 3), 1, 2)[1] == 1, "rotate_index");
  expect(rhopsi::rotate_index(domain, rhopsi::make_index(0, 5, 3), 0, -12)[0] == 3, "rotate_index");
}

void check_circular() {
  for (std::int64_t n = 1; n <= 17; ++n)
    for (std::int64_t c = -40; c <= 40; ++c)
      for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t right = wrap(i + c, n);
        expect(rhopsi::around(i + rhopsi::ahead(c, n), n) == right, "around");
        if (rhopsi::powers_of_two(n)) expect(((i + c) & (n - 1)) == right, "masked");
      }
  expect(rhopsi::ahead(3, 0) == 0, "around nothing");
  expect(
      rhopsi::powers_of_two(1, 2, 64) && !rhopsi::powers_of_two(4, 6) && !rhopsi::powers_of_two(0),
      "powers of two");
}

// Every element of a part of a row once, and between its ends those whose neighbours are there.
void check_peeled_rows() {
  for (std::int64_t n = 1; n <= 9; ++n)
    for (std::int64_t begin = 0; begin <= n; ++begin)
      for (std::int64_t end = begin; end <= n; ++end)
        for (std::int64_t before = 0; before <= 3; ++before)
          for (std::int64_t after = 0; after <= 3; ++after) {
            std::vector<int> times(std::size_t(n), 0);
            const rhopsi::PeeledRow row(begin, end, before, after, n);
            for (std::int64_t k = row.first(); k < end; k = row.next(k)) ++times[std::size_t(k)];
            for (std::int64_t k = row.low; k < row.high; ++k) {
              ++times[std::size_t(k)];
              expect(k - before >= 0 && k + after < n, "an element between the ends of a row");
            }
            for (std::int64_t k = 0; k < n; ++k)
              expect(times[std::size_t(k)] == (k >= begin && k < end ? 1 : 0), "a peeled row");
          }
}

// The same where ends are blocks; and around each of their elements the copy has what the row has.
template <class Int>
void check_peeled_blocks() {
  constexpr std::int64_t most = 3, width = 4;
  for (std::int64_t n = 1; n <= 14; ++n) {
    std::vector<int> values(std::size_t(n), 0);
    for (std::int64_t k = 0; k < n; ++k) values[std::size_t(k)] = int(100 + k);
    for (std::int64_t begin = 0; begin <= n; ++begin)
      for (std::int64_t end = begin; end <= n; ++end)
        for (std::int64_t before = 0; before <= most; ++before)
          for (std::int64_t after = 0; after <= most; ++after) {
            std::vector<int> times(std::size_t(n), 0);
            const rhopsi::PeeledBlocks<width, Int> row(begin, end, before, after, n);
            const auto block = [&](const auto at) {
              const rhopsi::NearRow<int, most, most, width> near(values.data(), at, n);
              for (Int x = 0; x < at.count; ++x) {
                const std::int64_t k = at.first + x;
                ++times[std::size_t(k)];
                expect((!at.high || x < at.end - 1) == (k < n - 1) || after < 1, "its high end");
                expect((!at.low || at.begin + 1 <= x) == (1 <= k) || before < 1, "its low end");
                for (std::int64_t o = -before; o <= after; ++o)
                  expect(near[k + o] == 100 + wrap(k + o, n), "a row around its end");
              }
            };
            row.low_end(block);
            for (std::int64_t k = row.low; k < row.high; ++k) {
              ++times[std::size_t(k)];
              expect(k - before >= 0 && k + after < n, "an element between blocks");
            }
            row.high_end(block);
            for (std::int64_t k = 0; k < n; ++k)
              expect(times[std::size_t(k)] == (k >= begin && k < end ? 1 : 0), "a row of blocks");
          }
  }
}

void check_pool() {
  const Domain<2> domain{{300, 200}, 1};
  { const Field<double, 2> first("first", domain); }
  const std::size_t held = rhopsi::memory_use().held;
  for (int step = 0; step < 10; ++step) const Field<double, 2> again("again", domain);
  expect(rhopsi::memory_use().held == held, "blocks are used again");
  if constexpr (!rhopsi::on_host) return;
  // Of several at once no two have their elements at one place of their pages.
  std::vector<Field<double, 2>> several;
  std::set<std::uintptr_t> places;
  for (int k = 0; k < 20; ++k) {
    several.emplace_back("one of several", domain);
    const auto place = reinterpret_cast<std::uintptr_t>(several.back().overwrite().origin());
    expect(place % 64 == 0, "rows begin at lines");
    places.insert(place % 4096);
  }
  expect(places.size() == several.size(), "large blocks stand apart");
  several.clear();
  rhopsi::Pool::instance().trim();
  expect(rhopsi::memory_use().held == 0, "all is given back");
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  check_integers();
  check_circular();
  check_peeled_rows();
  check_peeled_blocks<std::int32_t>();
  check_peeled_blocks<std::int64_t>();
  check_sizes();
  check_narrow();
  check_unequal_pads();
  check_empty();
  check_all_groups();
  check_domain<1>({11});
  check_domain<1>({1});
  check_domain<1>({9001});  // cut among the threads
  check_domain<2>({3, 5});
  check_domain<2>({3, 4099});
  check_domain<2>({1, 70});
  check_domain<3>({7, 1, 70});
  check_domain<3>({11, 13, 67});
  check_domain<4>({2, 3, 1, 5});
  check_domain<5>({2, 1, 3, 2, 4});
  check_domain<6>({2, 3, 1, 2, 3, 2});
  check_pool();
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
