// Folds in blocks beside the same ones step by step, on random arrays. Prints what differs, and how
// many were compared.
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "rhopsi_exec.hpp"
#include "rhopsi_shim.hpp"

namespace {

using rhopsi::reassociates;
using Blocks = rhopsi::FoldBlocks<128, 16>;
using Few = rhopsi::FoldBlocks<128, 16, true>;

std::mt19937 generator(7);
int compared = 0, failed = 0;

template <class T>
std::vector<T> random_values(std::int64_t count) {
  std::vector<T> made(static_cast<std::size_t>(count));
  for (T& value : made) {
    if constexpr (std::is_floating_point_v<T>) {
      value = std::uniform_real_distribution<T>(-1, 1)(generator);
    } else {
      value = static_cast<T>(generator() * 2654435761U);
    }
  }
  return made;
}

// Reals with few values, zeros of both signs and, unless the compiler assumes that there is none,
// NaN.
std::vector<double> awkward_values(std::int64_t count) {
  std::vector<double> made(static_cast<std::size_t>(count));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double one = generator() % 2 == 0 ? 1 : 0;
  for (double& value : made) {
    const double all[] = {0.0, -0.0, one, 2, reassociates ? 3 : nan};
    value = all[generator() % 5];
  }
  return made;
}

template <class T>
bool same(T left, T right, double bound) {
  if (std::memcmp(&left, &right, sizeof left) == 0) return true;
  return bound > 0 && std::abs(static_cast<double>(left) - static_cast<double>(right)) <= bound;
}

template <class T>
void expect(const char* what, std::int64_t length, T got, T wanted, double bound = 0) {
  ++compared;
  if (same(got, wanted, bound)) return;
  if (++failed < 20) {
    std::printf("%s of %lld: %.17g, not %.17g\n", what, static_cast<long long>(length),
                static_cast<double>(got), static_cast<double>(wanted));
  }
}

template <class By, class T>
T in_order(const std::vector<T>& values) {
  if (values.empty()) return By::template unit<T>();
  T result = values[0];
  for (std::size_t k = 1; k < values.size(); ++k) result = By::combine(result, values[k]);
  return result;
}

template <class By, class T>
void vector(const char* what, const std::vector<T>& values, double bound = 0) {
  const T* const at = values.data();
  const auto length = static_cast<std::int64_t>(values.size());
  const auto levels = std::tuple(rhopsi::fold_level<T, By, false>(
      [=]() { return length; }, [=](std::int64_t k) -> T { return at[k]; }));
  const T wanted = in_order<By>(values);
  expect(what, length, rhopsi::fold_in_blocks<Blocks>("fold", levels, [=] { return wanted; }),
         wanted, bound);
  if constexpr (rhopsi::on_host) {
    const auto term = [=](std::int64_t k) -> T { return at[k]; };
    expect(what, length, rhopsi::fold_on_device<T, By>("fold", length, term), wanted, bound);
    const auto combine = [](T a, T b) { return By::combine(a, b); };
    const T nothing = By::template unit<T>();
    expect(what, length, rhopsi::fold_on_device_in_order<T>("fold", length, nothing, term, combine),
           wanted, bound);
  }
}

template <class By>
void truths(const char* what, std::int64_t length, unsigned rare) {
  std::vector<char> values(static_cast<std::size_t>(length));
  const bool usual = By::template unit<bool>();
  bool wanted = usual;
  for (char& value : values) {
    value = generator() % rare == 0 ? !usual : usual;
    wanted = By::combine(wanted, value != 0);
  }
  const char* const at = values.data();
  const auto levels = std::tuple(rhopsi::fold_level<bool, By, false>(
      [=]() { return length; }, [=](std::int64_t k) -> bool { return at[k] != 0; }));
  expect(what, length, rhopsi::fold_in_blocks<Blocks>("fold", levels), wanted);
}

// Sums of sums, of one sequence of steps or of two folds; a real one is the greatest sum.
void nested(std::int64_t rows, std::int64_t columns) {
  const std::vector<std::int64_t> whole = random_values<std::int64_t>(rows * columns);
  const std::vector<double> reals = random_values<double>(rows * columns);
  const std::int64_t* const at = whole.data();
  const double* const real = reals.data();
  const auto outer = [=]() { return rows; };
  const auto inner = [=](std::int64_t) { return columns; };
  const auto element = [=](std::int64_t k, std::int64_t l) { return at[k * columns + l]; };
  using rhopsi::fold_by::add;
  using rhopsi::fold_by::maximum;
  expect("joined", rows * columns,
         rhopsi::fold_in_blocks<Blocks>(
             "fold", std::tuple(rhopsi::fold_level<std::int64_t, add, true>(
                                    outer, [](std::int64_t, std::int64_t value) { return value; }),
                                rhopsi::fold_level<std::int64_t, add, false>(inner, element))),
         in_order<add>(whole));
  // Of a triangle, whose rows are of different lengths.
  std::int64_t triangle = 0;
  for (std::int64_t k = 0; k < rows; ++k) {
    for (std::int64_t l = 0; l < std::min(k, columns); ++l) triangle += at[k * columns + l] * k;
  }
  expect("triangle", rows * columns,
         rhopsi::fold_in_blocks<Blocks>(
             "fold",
             std::tuple(rhopsi::fold_level<std::int64_t, add, false>(
                            outer, [](std::int64_t k, std::int64_t value) { return value * k; }),
                        rhopsi::fold_level<std::int64_t, add, false>(
                            [=](std::int64_t k) { return std::min(k, columns); }, element))),
         triangle);
  // One fold over all elements, whose levels are the axes: the sums of rows are no steps of it.
  const auto real_element = [=](std::int64_t k, std::int64_t l) { return real[k * columns + l]; };
  expect("over axes", rows * columns,
         rhopsi::fold_over_axes<Blocks>(
             "fold", std::tuple(rhopsi::fold_level<double, add, true>(
                                    outer, [](std::int64_t, double value) { return value; }),
                                rhopsi::fold_level<double, add, false>(inner, real_element))),
         in_order<add>(reals), reassociates ? 1e-15 * static_cast<double>(rows * columns) : 0);
  std::vector<double> sums;
  for (std::int64_t k = 0; k < rows; ++k) {
    sums.push_back(
        in_order<add>(std::vector<double>(real + k * columns, real + (k + 1) * columns)));
  }
  expect("greatest sum", rows * columns,
         rhopsi::fold_in_blocks<Blocks>(
             "fold", std::tuple(rhopsi::fold_level<double, maximum, false>(
                                    outer, [](std::int64_t, double value) { return value; }),
                                rhopsi::fold_level<double, add, false>(
                                    inner, [=](std::int64_t k,
                                               std::int64_t l) { return real[k * columns + l]; }))),
         in_order<maximum>(sums), reassociates ? 1e-12 * static_cast<double>(columns) : 0);
}

// The innermost fold has a term in a range of its index that is right nowhere else. The range
// differs from row to row, and may be beyond both ends, or empty.
template <class T>
void ranged(std::int64_t rows, std::int64_t columns) {
  const std::vector<T> values = random_values<T>(rows * columns);
  const T* const at = values.data();
  const auto range = [=](std::int64_t k) {
    return k % 9 == 8 ? rhopsi::FoldRange{}
                      : rhopsi::FoldRange{k % 7 - 2, columns + 2 - 3 * (k % 5)};
  };
  using rhopsi::fold_by::add;
  const bool exact = !std::is_floating_point_v<T> || !reassociates;
  expect(
      "in ranges", rows * columns,
      rhopsi::fold_over_axes<Blocks>(
          "fold",
          std::tuple(rhopsi::fold_level<T, add, true>([=]() { return rows; },
                                                      [](std::int64_t, T value) { return value; }),
                     rhopsi::fold_level<T, add, false>(
                         [=](std::int64_t) { return columns; },
                         [=](std::int64_t k, std::int64_t l) { return at[k * columns + l]; }, range,
                         [=](std::int64_t k, std::int64_t l) {
                           const bool inside = range(k).from <= l && l < range(k).until;
                           return inside ? at[k * columns + l] : T(1);
                         }))),
      in_order<add>(values), exact ? 0 : 1e-15 * static_cast<double>(rows * columns));
}

// Elements of a nest, along its rows and across them.
template <class Kind>
void nest(std::int64_t rows, std::int64_t columns, bool expected) {
  const std::vector<std::int64_t> values = random_values<std::int64_t>(rows * columns);
  std::vector<std::int64_t> got(static_cast<std::size_t>(rows), 3);
  const std::int64_t* const at = values.data();
  std::int64_t* const to = got.data();
  using Int = std::int32_t;
  const auto count = static_cast<Int>(columns);
  const bool done = rhopsi::for_each_in_blocks<Int, Kind>(
      "nest", rhopsi::Box<1>{{0}, {rows}},
      std::tuple(rhopsi::fold_level<std::int64_t, rhopsi::fold_by::add, false>(
          [=](Int) { return count; }, [=](Int i, Int k) { return at[i * count + k]; })),
      [](Int i, std::int64_t value) { return 2 * value + i; },
      [=](Int i) -> decltype(auto) { return (to[i]); });
  expect("nest taken", rows * columns, static_cast<int>(done), static_cast<int>(expected));
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::vector<std::int64_t> row(at + i * columns, at + (i + 1) * columns);
    expect("nest", columns, to[i],
           done ? 2 * in_order<rhopsi::fold_by::add>(row) + i : std::int64_t{3});
  }
}

// Of each row of an array, and then of these in their order.
template <class By, class T>
void by_rows(const char* what, std::int64_t rows, std::int64_t columns,
             const std::vector<T>& values, double bound = 0) {
  const rhopsi::Domain<2> domain{{rows, columns}};
  rhopsi::Field<T, 2> from("from", domain), to("to", rhopsi::one_in_a_row(domain));
  const auto at = from.overwrite();
  for (std::int64_t k = 0; k < rows * columns; ++k)
    at(k / columns, k % columns) = values[static_cast<std::size_t>(k)];
  rhopsi::fold_rows_of<By>("rows", from, to);
  std::vector<T> each;
  for (std::int64_t i = 0; i < rows; ++i) each.push_back(to.element(i, 0));
  expect(what, rows * columns, in_order<By>(each), in_order<By>(values), bound);
  // Each for itself.
  rhopsi::fold_rows_of<By, true>("rows", from, to);
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto begin = values.begin() + i * columns;
    expect(what, columns, to.element(i, 0), in_order<By>(std::vector<T>(begin, begin + columns)),
           bound);
  }
}

void rows_of(std::int64_t rows, std::int64_t columns) {
  using namespace rhopsi::fold_by;
  const std::int64_t all = rows * columns;
  by_rows<add>("sum by rows", rows, columns, random_values<std::int64_t>(all));
  by_rows<maximum>("maximum by rows", rows, columns, random_values<float>(all));
  if constexpr (reassociates) {
    by_rows<add>("double sum by rows", rows, columns, random_values<double>(all),
                 static_cast<double>(all) * 1e-15);
  }
  for (int k = 0; k < 20; ++k) {
    const double bound = reassociates ? 1e-300 : 0;  // a zero of either sign
    by_rows<minimum>("awkward minimum by rows", rows, columns, awkward_values(all), bound);
    by_rows<maximum>("awkward maximum by rows", rows, columns, awkward_values(all), bound);
  }
}

void folds() {
  using namespace rhopsi::fold_by;
  for (const std::int64_t length : {0, 1, 2, 15, 16, 17, 127, 128, 129, 1000, 5000, 70001}) {
    vector<add>("int64 sum", random_values<std::int64_t>(length));
    vector<add>("int32 sum", random_values<std::int32_t>(length));
    vector<multiply>("int64 product", random_values<std::int64_t>(length));
    vector<minimum>("int64 minimum", random_values<std::int64_t>(length));
    vector<maximum>("int32 maximum", random_values<std::int32_t>(length));
    vector<minimum>("double minimum", random_values<double>(length));
    vector<maximum>("float maximum", random_values<float>(length));
    const double scale = reassociates ? static_cast<double>(length) : 0;
    vector<add>("double sum", random_values<double>(length), scale * 1e-15);
    vector<add>("float sum", random_values<float>(length), scale * 1e-6);
    truths<and_>("and", length, 1000);
    truths<or_>("or", length, 1000);
    for (int k = 0; k < 20; ++k) {
      const double bound = reassociates ? 1e-300 : 0;  // a zero of either sign
      vector<minimum>("awkward minimum", awkward_values(length), bound);
      vector<maximum>("awkward maximum", awkward_values(length), bound);
    }
  }
  for (const std::int64_t rows : {0, 1, 2, 3, 17, 300}) {
    for (const std::int64_t columns : {0, 1, 3, 16, 50, 1000}) {
      nested(rows, columns);
      rows_of(rows, columns);
      ranged<double>(rows, columns);
      ranged<std::int64_t>(rows, columns);
      nest<Blocks>(rows, columns, rows == 0 || columns >= 32);
      nest<Few>(rows, columns, rows == 0 || (rows <= 8 && columns > 128));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  folds();
  Kokkos::finalize();
  std::printf("%d compared, %d differ, %s\n", compared, failed,
              reassociates ? "reassociating" : "strict");
  return failed == 0 ? 0 : 1;
}
