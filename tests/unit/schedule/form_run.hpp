// Runs an operational form over domain arrays of numbers: what its statements say and no more. What
// is not set, and pads that are stale, are NaN; the indices of a nest come in any order, and so do
// the planes of a pipeline's slabs, of which there are any number, each with any number of tiles.
// What has its axes in another order is given arrays, and gives them, as the program has them.
// What is for a device runs by simulated teams of simulated threads. A race of these, as that of a
// nest that reads what another index of it writes, throws. Of rows that a nest does at once all
// elements of an index of the last axis are computed before the first is stored.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/onf/axes.hpp"
#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

using Elements = std::vector<double>;  // row-major, without pads

class FormRun {
 public:
  FormRun(const onf::Module& module, const std::vector<std::int64_t>& shape, unsigned seed)
      : module_(module), shape_(onf::in_order(shape, module.axes)), random_(seed) {}

  // The arguments of that function, in order, and what they are after it; a number is one element.
  // Where the function says that it refills what it reads, pads of arguments are stale.
  std::vector<Elements> run(const std::vector<Elements>& arguments, std::size_t function = 0);
  // The most blocks that were there at a time.
  std::size_t blocks() const { return most_; }

 private:
  struct Block {
    Elements elements;  // pads too
    onf::Halo held;
    std::shared_ptr<int> counted;
  };
  using Index = std::vector<std::int64_t>;
  // One plane, its pads too, and which one it is. In tiles the elements by index, for rows are
  // there beyond the ends of axis 1, too.
  struct Plane {
    std::int64_t number = 0;
    Elements elements;
    std::map<Index, double> in_tile;
  };
  struct Tile {
    std::int64_t number = 0, low = 0, high = 0;
    bool has(std::int64_t row) const { return row >= low && row < high; }
    // The rows that a stage does.
    Tile of(const onf::Margin& rows) const {
      return {number, number == 0 ? low - rows.low : low + rows.high, high + rows.high};
    }
  };
  // One stage at one plane.
  struct Task {
    std::size_t tile = 0;
    std::int64_t plane = 0;
    std::size_t stage = 0;
  };
  // What one slab of a pipeline has, and the work that is left for it in its order.
  struct Slab {
    std::int64_t low, high;
    std::map<onf::ViewId, std::vector<Plane>> rings;
    std::map<onf::ViewId, std::map<std::int64_t, Elements>> seams;
    // Rows of its own planes in front of a tile, for tiles by turns, and those behind the last one.
    std::array<std::map<onf::ViewId, std::map<Index, double>>, 2> before;
    std::map<onf::ViewId, std::map<Index, double>> behind;
    // By plane what rings keep for tiles by turns.
    std::array<std::map<onf::ViewId, std::map<std::int64_t, std::map<Index, double>>>, 2> kept;
    std::vector<Tile> tiles;
    std::vector<Task> work;
    bool has(std::int64_t plane) const { return plane >= low && plane < high; }
  };

  std::size_t place_given(const Index& index) const;
  std::shared_ptr<Block> fresh();
  std::size_t place(const Index& index) const;
  template <class Visit>
  void each(const Index& low, const Index& high, const Visit& visit) const;
  // The indices from `low` up to and without `high` as the nest computes them, in any order: those
  // beside each other whose elements are computed before any is stored.
  std::vector<std::vector<Index>> groups(const onf::Nest& nest, const Index& low,
                                         const Index& high);
  void stale_pads(Block& block) const;
  onf::Halo pads_of(onf::ViewId view) const;
  void refill(Block& block, const onf::Halo& halo) const;
  double value(const onf::Expr& e);
  std::shared_ptr<Block>& written(onf::ViewId target);
  std::size_t plane_size() const;
  std::size_t within_plane(Index index) const;
  Elements plane_of(const Block& block, std::int64_t number) const;
  std::vector<Slab> slabs_of(const onf::Pipeline& s);
  double planar(const onf::Pipeline& s, const Slab& slab, onf::ViewId view, const Index& index);
  void compute(const onf::Nest& nest, const Index& index, std::vector<double>& values);
  void run(const onf::Pipeline& s, Slab& slab, const Task& task);
  void fill(double* plane, const onf::Halo& halo) const;

  // form_run_tiles.cpp
  std::vector<Tile> tiles_of(const onf::Pipeline& s);
  double tiled(const onf::Pipeline& s, const Slab& slab, const Tile& tile, onf::ViewId view,
               Index index);
  static Plane* ring_at(Slab& slab, onf::ViewId target, std::int64_t plane);
  void begin_tile(const onf::Pipeline& s, Slab& slab, const Task& task);
  void rows_of_tile(const onf::Pipeline& s, Slab& slab, const Task& task, std::int64_t first,
                    std::int64_t end);
  void end_tile(const onf::Pipeline& s, Slab& slab, const Task& task);
  std::size_t run_tile(const onf::Pipeline& s, Slab& slab, std::size_t done);
  void keep_ring(const onf::Pipeline::Ring& ring, Slab& slab, const Tile& tile, std::int64_t plane,
                 std::int64_t end);
  void keep(const onf::Pipeline::Seam& seam, Slab& slab, const Tile& tile, std::int64_t plane,
            std::int64_t end);
  void keep_rows(onf::ViewId view, std::int64_t plane, std::int64_t low, std::int64_t high,
                 std::int64_t as, std::map<Index, double>& rows) const;
  void keep_of_one(const onf::Pipeline::Seam& seam, Slab& slab);
  void fill_tile(const onf::Halo& halo, std::int64_t low, std::int64_t high,
                 std::map<Index, double>& plane) const;
  void fill_tile(const onf::Halo& halo, const Tile& tile, double* plane) const;
  bool within(const Index& index, const onf::Halo& halo, std::size_t first_axis) const;
  std::int64_t whole(const onf::Expr& e) const;

  // form_run_teams.cpp
  class TeamsRun;
  void run_teams(const onf::Pipeline& s, const std::vector<onf::ViewId>& targets);

  // form_run_folds.cpp
  void step(const onf::Fold& s);
  void step(const onf::RowFold& s);
  void fold_rows(const onf::RowFold& s, const Index& low, Index high,
                 const std::function<double(const Index&)>& element);
  void fold_plane(const onf::Pipeline& s, const onf::Nest& nest, Slab& slab, std::int64_t plane,
                  std::int64_t first, std::int64_t end);

  void step(const onf::Declare&) {}
  void step(const onf::Allocate& s);
  void step(const onf::Nest& s);
  void step(const onf::Pipeline& s);
  void step(const onf::Refill& s);
  void step(const onf::Share& s);
  void step(const onf::Let& s);
  // form_run_control.cpp
  void follow(const onf::Statements& body);
  void set(onf::VariableId variable, const onf::Expr& e);
  void step(const onf::Assign& s);
  void step(const onf::If& s);
  void step(const onf::For& s);
  void step(const onf::Iterate& s);
  void step(const onf::While& s);
  void step(const onf::Check& s);
  void step(const onf::Scope& s);
  void step(const onf::Call& s);
  template <class Other>
  void step(const Other&);

  const onf::Module& module_;
  std::vector<std::int64_t> shape_;
  std::mt19937 random_;
  std::map<onf::ViewId, std::shared_ptr<Block>> views_;
  std::map<onf::ViewId, std::shared_ptr<Block>> read_;     // what a nest sees
  std::function<double(onf::ViewId, const Index&)> load_;  // in a pipeline
  std::vector<const Block*> stored_;  // that a nest stores to, at `here_` alone
  std::size_t here_ = 0;
  const onf::Function* function_ = nullptr;  // that is run
  std::map<onf::VariableId, std::int64_t> indices_;
  std::map<onf::VariableId, double> numbers_;
  std::shared_ptr<int> count_ = std::make_shared<int>(0);
  std::size_t most_ = 0;
};

// Whether a stage stores to it.
bool stores_to(const onf::Pipeline& s, onf::ViewId view);
// What a stage fills of the pads of what it stores to.
onf::Halo filled_of(const onf::Pipeline& s, onf::ViewId view);

inline std::int64_t euclid(std::int64_t a, std::int64_t n) { return ((a % n) + n) % n; }

template <class Visit>
void FormRun::each(const Index& low, const Index& high, const Visit& visit) const {
  Index index = low;
  for (std::size_t axis = 0; axis < low.size(); ++axis) {
    if (low[axis] >= high[axis]) return;
  }
  for (;;) {
    visit(index);
    std::size_t axis = index.size();
    while (axis-- > 0) {
      if (++index[axis] < high[axis]) break;
      index[axis] = low[axis];
      if (axis == 0) return;
    }
  }
}

}  // namespace rhopsi::schedule
