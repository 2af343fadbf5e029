// Runs an operational form over domain arrays of numbers: what its statements say and no more. What
// is not set, and pads that are stale, are NaN; the indices of a nest come in any order, and so do
// the planes of a pipeline's slabs, of which there are any number.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/onf/form.hpp"

namespace rhopsi::schedule {

using Elements = std::vector<double>;  // row-major, without pads

class FormRun {
 public:
  FormRun(const onf::Module& module, std::vector<std::int64_t> shape, unsigned seed)
      : module_(module), shape_(std::move(shape)), random_(seed) {}

  // The arguments of that function, in order, and what they are after it. Where the function says
  // that it refills what it reads, their pads are stale.
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
  // One plane, its pads too, and which one it is.
  struct Plane {
    std::int64_t number = 0;
    Elements elements;
  };
  // What one slab of a pipeline has, and the work that is left for it: moment and stage.
  struct Slab {
    std::int64_t low, high;
    std::map<onf::ViewId, std::vector<Plane>> rings;
    std::map<onf::ViewId, std::map<std::int64_t, Elements>> seams;
    std::vector<std::pair<std::int64_t, std::size_t>> work;
  };

  std::shared_ptr<Block> fresh();
  std::size_t place(const Index& index) const;
  template <class Visit>
  void each(const Index& low, const Index& high, const Visit& visit) const;
  void stale_pads(Block& block) const;
  void refill(Block& block, const onf::Halo& halo) const;
  double value(const onf::Expr& e);
  std::shared_ptr<Block>& written(onf::ViewId target);
  std::size_t plane_size() const;
  std::size_t within_plane(Index index) const;
  Elements plane_of(const Block& block, std::int64_t number) const;
  std::vector<Slab> slabs_of(const onf::Pipeline& s);
  double planar(const onf::Pipeline& s, const Slab& slab, onf::ViewId view, const Index& index);
  void run(const onf::Pipeline& s, Slab& slab, std::size_t stage, std::int64_t plane);
  void fill(double* plane, const onf::Halo& halo) const;
  std::int64_t whole(const onf::Expr& e) const;

  void step(const onf::Declare&) {}
  void step(const onf::Allocate& s);
  void step(const onf::Nest& s);
  void step(const onf::Pipeline& s);
  void step(const onf::Refill& s);
  void step(const onf::Share& s);
  void step(const onf::Let& s);
  template <class Other>
  void step(const Other&);

  const onf::Module& module_;
  std::vector<std::int64_t> shape_;
  std::mt19937 random_;
  std::map<onf::ViewId, std::shared_ptr<Block>> views_;
  std::map<onf::ViewId, std::shared_ptr<Block>> read_;     // what a nest sees
  std::function<double(onf::ViewId, const Index&)> load_;  // in a pipeline
  std::map<onf::VariableId, std::int64_t> indices_;
  std::map<onf::VariableId, double> numbers_;
  std::shared_ptr<int> count_ = std::make_shared<int>(0);
  std::size_t most_ = 0;
};

}  // namespace rhopsi::schedule
