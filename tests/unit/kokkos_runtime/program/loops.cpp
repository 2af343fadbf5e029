// Loops in strips, those that go through planes in tiles, and several that go through rows by turns
// visit every index of a box once, and tiles have every row once, as many as the caches hold that
// the test names. Prints what is wrong, and how much was looked at.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <random>
#include <vector>

#include "rhopsi_exec.hpp"
#include "rhopsi_shim.hpp"

namespace {

std::mt19937 generator(11);
int looked_at = 0, wrong = 0;

std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(generator() % n); }

void expect(bool right, const char* what) {
  ++looked_at;
  if (right) return;
  ++wrong;
  std::printf("wrong: %s\n", what);
}

// How often each index of [-2, 40) on every axis was visited.
template <int R>
class Visits {
 public:
  Visits() : counts_(size()) {}
  template <class... I>
  void add(I... index) {
    std::int64_t at = 0;
    ((at = at * side + static_cast<std::int64_t>(index) + 2), ...);
    ++counts_[static_cast<std::size_t>(at)];
  }
  bool are_of(const rhopsi::Box<R>& box) const {
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      std::int64_t rest = static_cast<std::int64_t>(k);
      bool within = true;
      for (int a = R - 1; a >= 0; --a, rest /= side) {
        const std::int64_t index = rest % side - 2;
        within = within && index >= box.lo[a] && index < box.hi[a];
      }
      if (counts_[k] != (within ? 1 : 0)) return false;
    }
    return true;
  }

 private:
  static constexpr std::int64_t side = 42;
  static constexpr std::size_t size() {
    std::size_t made = 1;
    for (int a = 0; a < R; ++a) made *= side;
    return made;
  }
  std::vector<std::atomic<int>> counts_;
};

template <int R>
rhopsi::Box<R> random_box() {
  rhopsi::Box<R> box{};
  const std::int64_t lengths[] = {0, 1, 2, 7, 8, 9, 17, 33};
  for (int a = 0; a < R; ++a) {
    box.lo[a] = below(4) - 2;
    box.hi[a] = box.lo[a] + lengths[below(8)];
  }
  return box;
}

template <class Int, int R>
void strips() {
  for (int k = 0; k < 40; ++k) {
    const rhopsi::Box<R> box = random_box<R>();
    const std::int64_t lengths[] = {1, 3, 4, 8, 16, 64};
    Visits<R> visits;
    rhopsi::for_each_strip<Int>("strips", box, lengths[below(6)],
                                [&visits](auto... index) { visits.add(index...); });
    expect(visits.are_of(box), "an index of a box that strips do not visit once");
  }
}

// Strip by strip, its own axis the innermost: of a box that the cache does not hold.
void order() {
  if (rhopsi::Exec().concurrency() > 1) return;
  constexpr std::int64_t rows = 2, columns = 130, strip = 4;
  std::vector<std::array<std::int64_t, 2>> visited, wanted;
  rhopsi::for_each_strip("order", rhopsi::Box<2>{{0, 0}, {rows, columns}}, strip,
                         [&](std::int64_t i, std::int64_t j) {
                           visited.push_back({i, j});
                         });
  for (std::int64_t first = 0; first < columns; first += strip) {
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = first; j < std::min(first + strip, columns); ++j)
        wanted.push_back({i, j});
    }
  }
  expect(visited == wanted, "the order of strips");
}

template <int R, class Loop>
void planes_in_tiles(const Loop& loop) {
  for (int k = 0; k < 40; ++k) {
    rhopsi::Domain<R> domain{};
    const std::int64_t lengths[] = {0, 1, 2, 7, 8, 9, 17, 33};
    for (int a = 0; a < R; ++a) domain.extent[a] = lengths[below(8)];
    Visits<R> visits;
    loop(domain, rhopsi::PlaneTiles{1 + below(90), below(3)}, visits);
    expect(visits.are_of(interior(domain)), "an index of planes that tiles do not visit once");
  }
}
void all_planes_in_tiles() {
  using rhopsi::for_each_row_in_tiles;
  using rhopsi::Row;
  using Int = std::int64_t;
  planes_in_tiles<3>([](const auto& domain, const auto& tiles, auto& visits) {
    for_each_row_in_tiles("planes", domain, tiles, [&](Int i, Int j, const Row row) {
      for (Int k = row.low; k < row.high; ++k) visits.add(i, j, k);
    });
  });
  planes_in_tiles<3>([](const auto& domain, const auto& tiles, auto& visits) {
    for_each_row_in_tiles<4>("planes", domain, tiles, [&](Int i, const Row rows, const Row row) {
      for (Int j = rows.low; j < rows.high; ++j)
        for (Int k = row.low; k < row.high; ++k) visits.add(i, j, k);
    });
  });
  planes_in_tiles<4>([](const auto& domain, const auto& tiles, auto& visits) {
    for_each_row_in_tiles("planes", domain, tiles, [&](Int i, Int j, Int k, const Row row) {
      for (Int l = row.low; l < row.high; ++l) visits.add(i, j, k, l);
    });
  });
  planes_in_tiles<4>([](const auto& domain, const auto& tiles, auto& visits) {
    for_each_row_in_tiles<2>("planes", domain, tiles,
                             [&](Int i, Int j, const Row rows, const Row row) {
                               for (Int k = rows.low; k < rows.high; ++k)
                                 for (Int l = row.low; l < row.high; ++l) visits.add(i, j, k, l);
                             });
  });
}

// The first tile of all planes, then the next one.
void order_of_planes() {
  if (rhopsi::Exec().concurrency() > 1) return;
  constexpr std::int64_t planes = 3, rows = 5, columns = 8;
  std::vector<std::array<std::int64_t, 2>> visited, wanted;
  rhopsi::for_each_row_in_tiles("order", rhopsi::Domain<3>{{planes, rows, columns}},
                                rhopsi::PlaneTiles{1, 2},
                                [&](std::int64_t i, std::int64_t j, const rhopsi::Row&) {
                                  visited.push_back({i, j});
                                });
  for (const auto& [low, high] : {std::array<std::int64_t, 2>{0, 1}, {1, 3}, {3, 5}}) {
    for (std::int64_t i = 0; i < planes; ++i) {
      for (std::int64_t j = low; j < high; ++j) wanted.push_back({i, j});
    }
  }
  expect(visited == wanted, "the order of planes in tiles");
  // 2048 bytes of the cache that the test names, of which a row has 64 times 8.
  expect(rhopsi::PlaneTiles{8}.height(100, 64) == 4, "the height of a tile");
  expect(rhopsi::PlaneTiles{8}.height(3, 64) == 3, "the height of a tile in a plane of fewer rows");
  expect(rhopsi::PlaneTiles{8}.height(100, 257) == 100, "planes of which no row fits");
  constexpr std::int64_t large = std::int64_t{1} << 43;
  expect(rhopsi::PlaneTiles{large}.height(100, large) == 100, "a product beyond 64 bits");
}

void tiles(std::int64_t rows, std::int64_t again, std::int64_t kept, std::int64_t most,
           std::int64_t count) {
  const rhopsi::Domain<3> domain{{1, rows, 16}};  // one plane: one slab
  const rhopsi::Tiles<3> made(rhopsi::Slabs<3>(domain, 0), 8, again, kept, most);
  expect(made.count == count, "the number of tiles");
  std::int64_t next = 0;
  for (std::int64_t k = 0; k < made.count; ++k) {
    const rhopsi::Tile tile = made[k];
    expect(tile.low == next && tile.high >= tile.low, "where a tile begins");
    expect(tile.high - tile.low <= made.longest(), "the longest tile");
    expect(made.count == 1 || tile.high - tile.low >= kept, "a tile without what the next needs");
    next = tile.high;
  }
  expect(next == rows, "where the last tile ends");
}

// A row takes 128 bytes. Of the caches that the test names a tile may take 16384: a quarter of the
// last one, which is four times the other.
void all_tiles() {
  tiles(0, 0, 0, 0, 1);
  tiles(128, 0, 0, 0, 1);
  tiles(129, 0, 0, 0, 2);
  tiles(512, 2, 2, 0, 5);  // 126 rows at most
  tiles(512, 2, 2, 50, 11);
  tiles(512, 90, 4, 0, 3);  // twice what is done again
  tiles(40, 0, 16, 1, 2);   // no fewer than are kept
  tiles(3, 0, 4, 1, 1);
}

// Of each of two loops every row is visited once, and of every row the first one before the second;
// the loops within have one thread, and no fewer behind.
void rows_by_turns() {
  const std::int64_t threads = rhopsi::detail::concurrency();
  for (const std::int64_t rows : {0, 1, 7, 64, 391, 1000}) {
    for (const std::int64_t bytes : {0, 1, 40, 200, 5000}) {
      const std::int64_t low = below(3);
      std::vector<std::atomic<int>> first(static_cast<std::size_t>(rows + 3)),
          second(static_cast<std::size_t>(rows + 3));
      std::atomic<int> late{0}, several{0}, parts{0};
      rhopsi::for_each_row_block(
          "turns", rhopsi::Row{low, low + rows}, bytes, [&](rhopsi::Row part) {
            ++parts;
            const bool all = part.low == low && part.high == low + rows;
            if (rhopsi::detail::concurrency() != (all ? threads : 1)) ++several;
            const rhopsi::Box<1> box{{part.low}, {part.high}};
            rhopsi::for_each_box("one", box, [&](std::int64_t i) { ++first[std::size_t(i)]; });
            rhopsi::for_each_box("other", box, [&](std::int64_t i) {
              if (first[std::size_t(i)] != 1) ++late;
              ++second[std::size_t(i)];
            });
          });
      bool once = true;
      for (std::int64_t i = 0; i < rows + 3; ++i) {
        const int wanted = i >= low && i < low + rows ? 1 : 0;
        once = once && first[std::size_t(i)] == wanted && second[std::size_t(i)] == wanted;
      }
      expect(once, "a row that is not visited once by each loop");
      expect(late == 0, "a row of the second loop before that of the first");
      expect(several == 0 && rhopsi::detail::concurrency() == threads, "the number of threads");
      // A cache has 4096 bytes.
      if (rows == 1000) expect((parts > 1) == (bytes == 40 || bytes == 200), "the number of parts");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  strips<std::int32_t, 2>();
  strips<std::int64_t, 2>();
  strips<std::int64_t, 3>();
  order();
  all_tiles();
  all_planes_in_tiles();
  order_of_planes();
  rows_by_turns();
  Kokkos::finalize();
  std::printf("%d looked at, %d wrong\n", looked_at, wrong);
  return wrong == 0 ? 0 : 1;
}
