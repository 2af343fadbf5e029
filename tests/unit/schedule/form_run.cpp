#include "tests/unit/schedule/form_run.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include "engine/onf/pads.hpp"

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::ScalarFunction;

constexpr double unset = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::shared_ptr<FormRun::Block> FormRun::fresh() {
  std::size_t size = 1;
  for (const std::int64_t n : shape_) size *= std::size_t(n + 2 * module_.pad);
  auto block = std::make_shared<Block>(Block{Elements(size, unset), {}, count_});
  most_ = std::max(most_, std::size_t(count_.use_count() - 1));
  return block;
}

// Where the element of the index lies in an argument.
std::size_t FormRun::place_given(const Index& index) const {
  Index given = index, lengths = shape_;
  for (std::size_t k = 0; k < module_.axes.size(); ++k) {
    given[std::size_t(module_.axes[k])] = index[k];
    lengths[std::size_t(module_.axes[k])] = shape_[k];
  }
  std::size_t at = 0;
  for (std::size_t axis = 0; axis < given.size(); ++axis) {
    at = at * std::size_t(lengths[axis]) + std::size_t(given[axis]);
  }
  return at;
}

// Throws where the index is outside the block.
std::size_t FormRun::place(const Index& index) const {
  std::size_t at = 0;
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    const std::int64_t padded = index[axis] + module_.pad;
    const std::int64_t length = shape_[axis] + 2 * module_.pad;
    if (padded < 0 || padded >= length) throw std::out_of_range("outside the block");
    at = at * std::size_t(length) + std::size_t(padded);
  }
  return at;
}

void FormRun::stale_pads(Block& block) const {
  Index low(shape_.size(), -module_.pad), high;
  for (const std::int64_t n : shape_) high.push_back(n + module_.pad);
  each(low, high, [&](const Index& index) {
    bool inside = true;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      inside = inside && index[axis] >= 0 && index[axis] < shape_[axis];
    }
    if (!inside) block.elements[place(index)] = unset;
  });
  block.held = {};
}

void FormRun::refill(Block& block, const onf::Halo& halo) const {
  Index low, high;
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    low.push_back(-halo.axes[axis].low);
    high.push_back(shape_[axis] + halo.axes[axis].high);
  }
  each(low, high, [&](const Index& index) {
    Index from = index;
    int outside = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      from[axis] = euclid(index[axis], shape_[axis]);
      outside += from[axis] != index[axis] ? 1 : 0;
    }
    if (outside == 1 || (outside > 1 && halo.corners)) {
      block.elements[place(index)] = block.elements[place(from)];
    }
  });
  block.held = halo;
}

std::int64_t FormRun::whole(const Expr& e) const {
  switch (e.kind) {
    case Expr::Kind::integer:
      return e.integer;
    case Expr::Kind::extent:
      return shape_[std::size_t(e.axis)];
    case Expr::Kind::variable:
      return indices_.at(e.variable);
    default: {
      const std::int64_t a = whole(e.operands[0]), b = whole(e.operands[1]);
      return e.function == ScalarFunction::add        ? a + b
             : e.function == ScalarFunction::subtract ? a - b
             : e.function == ScalarFunction::multiply ? a * b
             : e.function == ScalarFunction::maximum  ? std::max(a, b)
             : e.function == ScalarFunction::minimum  ? std::min(a, b)
             : e.function == ScalarFunction::divide   ? (a - euclid(a, b)) / b
                                                      : euclid(a, b);
    }
  }
}

namespace {

double of_two(ScalarFunction function, double a, double b) {
  switch (function) {
    case ScalarFunction::add:
      return a + b;
    case ScalarFunction::subtract:
      return a - b;
    case ScalarFunction::multiply:
      return a * b;
    case ScalarFunction::divide:
      return a / b;
    case ScalarFunction::maximum:
      return std::max(a, b);
    case ScalarFunction::less:
      return double(a < b);
    case ScalarFunction::less_equal:
      return double(a <= b);
    case ScalarFunction::greater:
      return double(a > b);
    case ScalarFunction::greater_equal:
      return double(a >= b);
    case ScalarFunction::equal:
      return double(a == b);
    case ScalarFunction::not_equal:
      return double(a != b);
    default:
      throw std::logic_error("a function that is not known here");
  }
}

}  // namespace

double FormRun::value(const Expr& e) {
  if (e.type.scalar == onf::Scalar::int64) return double(whole(e));
  switch (e.kind) {
    case Expr::Kind::real:
      return e.real;
    case Expr::Kind::integer:
    case Expr::Kind::boolean:
      return double(e.integer);
    case Expr::Kind::variable:
      return numbers_.at(e.variable);
    case Expr::Kind::load: {
      Index index;
      for (const Expr& operand : e.operands) index.push_back(whole(operand));
      if (load_) return load_(e.view, index);
      const std::shared_ptr<Block>& block = read_.at(e.view);
      const std::size_t at = place(index);
      if (at != here_ && std::ranges::count(stored_, block.get()) > 0) {
        throw std::logic_error("a race");
      }
      return block->elements[at];
    }
    case Expr::Kind::if_:
      return value(e.operands[0]) != 0 ? value(e.operands[1]) : value(e.operands[2]);
    default: {
      const double a = value(e.operands[0]);
      if (e.function == ScalarFunction::negate) return -a;
      if (e.function == ScalarFunction::convert) return a;
      if (e.function == ScalarFunction::not_) return double(a == 0);
      if (e.function == ScalarFunction::and_) return a == 0 ? a : value(e.operands[1]);
      if (e.function == ScalarFunction::or_) return a != 0 ? a : value(e.operands[1]);
      return of_two(e.function, a, value(e.operands[1]));
    }
  }
}

void FormRun::step(const onf::Allocate& s) { views_[s.view] = fresh(); }

void FormRun::step(const onf::Share& s) { views_[s.target] = views_.at(s.source); }

void FormRun::step(const onf::Let& s) { set(s.variable, *s.value); }

// What there is of pads; beyond them nothing is ever filled.
onf::Halo FormRun::pads_of(onf::ViewId view) const {
  onf::Halo pads = onf::pads_of(
      module_, function_->blocks[onf::number(function_->views[onf::number(view)].block)]);
  pads.corners = true;
  return pads;
}

void FormRun::step(const onf::Refill& s) {
  Block& block = *views_.at(s.view);
  if (!s.halo) return refill(block, pads_of(s.view));
  bool known = block.held.corners || !s.halo->corners;
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    const onf::Margin held = block.held.axes.empty() ? onf::Margin{} : block.held.axes[axis];
    known = known && held.low >= s.halo->axes[axis].low && held.high >= s.halo->axes[axis].high;
  }
  if (!known) refill(block, *s.halo);
}

// The block to write. Others may have it: two names, here and in what is read, are this one's own.
std::shared_ptr<FormRun::Block>& FormRun::written(onf::ViewId target) {
  std::shared_ptr<Block>& block = views_.at(target);
  if (block.use_count() > 2) block = fresh();
  return block;
}

std::vector<std::vector<FormRun::Index>> FormRun::groups(const onf::Nest& nest, const Index& low,
                                                         const Index& high) {
  std::vector<std::vector<Index>> made;
  const std::size_t row = low.size() < 2 ? 0 : low.size() - 2;
  const std::int64_t rows = nest.rows_at_once;
  each(low, high, [&](const Index& index) {
    const std::int64_t at = index[row] - low[row];
    const bool whole = at - at % rows + rows <= high[row] - low[row];
    if (whole && at % rows != 0) return;
    made.push_back({index});
    for (std::int64_t k = 1; whole && k < rows; ++k) {
      made.back().push_back(index);
      made.back().back()[row] += k;
    }
  });
  std::shuffle(made.begin(), made.end(), random_);
  return made;
}

void FormRun::step(const onf::Nest& s) {
  read_ = views_;
  std::vector<std::pair<onf::ViewId, const Expr*>> outputs = {{s.target, &s.element}};
  for (const onf::Nest::Output& output : s.also)
    outputs.emplace_back(output.target, &output.element);
  for (const auto& [target, element] : outputs) {
    stale_pads(*written(target));
    stored_.push_back(views_.at(target).get());
  }
  for (const std::vector<Index>& group : groups(s, Index(shape_.size(), 0), shape_)) {
    std::vector<double> values;
    for (const Index& index : group) {
      for (std::size_t axis = 0; axis < index.size(); ++axis)
        indices_[s.indices[axis]] = index[axis];
      here_ = place(index);
      follow(s.body);
      for (const auto& [target, element] : outputs) values.push_back(value(*element));
    }
    auto next = values.begin();
    for (const Index& index : group) {
      for (const auto& [target, element] : outputs)
        views_.at(target)->elements[place(index)] = *next++;
    }
  }
  read_.clear();
  stored_.clear();
}

// --- pipelines

std::size_t FormRun::plane_size() const {
  std::size_t size = 1;
  for (std::size_t axis = 1; axis < shape_.size(); ++axis) {
    size *= std::size_t(shape_[axis] + 2 * module_.pad);
  }
  return size;
}

std::size_t FormRun::within_plane(Index index) const {
  index[0] = 0;
  return place(index) - std::size_t(module_.pad) * plane_size();
}

Elements FormRun::plane_of(const Block& block, std::int64_t number) const {
  const auto first =
      block.elements.begin() + std::ptrdiff_t(std::size_t(number + module_.pad) * plane_size());
  return Elements(first, first + std::ptrdiff_t(plane_size()));
}

std::vector<FormRun::Slab> FormRun::slabs_of(const onf::Pipeline& s) {
  std::vector<Slab> slabs;
  const std::int64_t n = shape_[0];
  const std::int64_t count = 1 + std::int64_t(random_() % std::uint64_t(n));
  for (std::int64_t k = 0; k < count; ++k) {
    Slab slab{n * k / count, n * (k + 1) / count, {}, {}, {}, {}, {}, tiles_of(s), {}};
    const std::int64_t run = s.runs ? 1 + std::int64_t(random_() % 6) : 1;
    if (s.tiles && slab.tiles.size() == 1) {
      for (const onf::Pipeline::Seam& seam : s.seams) keep_of_one(seam, slab);
    }
    for (const onf::Pipeline::Ring& ring : s.rings) {
      slab.rings[ring.view].assign(std::size_t(ring.planes + (s.runs ? run : 0)),
                                   {-1000, Elements(plane_size(), unset), {}});
    }
    for (const onf::Pipeline::Seam& seam : s.seams) {
      for (std::int64_t q = slab.low - seam.planes.low; q < slab.high + seam.planes.high; ++q) {
        if (q >= slab.low && q < slab.high) continue;
        slab.seams[seam.view][q] = plane_of(*read_.at(seam.view), euclid(q, n));
      }
    }
    for (std::size_t tile = 0; tile < slab.tiles.size(); ++tile) {
      for (std::int64_t t = slab.low - 100; t < slab.high + 100; t += run) {
        for (std::size_t stage = 0; stage < s.stages.size(); ++stage) {
          const onf::Pipeline::Stage& one = s.stages[stage];
          const std::ptrdiff_t before = std::ssize(slab.work);
          for (std::int64_t q = t - one.lag; q < t + run - one.lag; ++q) {
            if (q >= slab.low - one.beyond.low && q < slab.high + one.beyond.high) {
              slab.work.push_back({tile, q, stage});
            }
          }
          std::shuffle(slab.work.begin() + before, slab.work.end(), random_);
        }
      }
    }
    slabs.push_back(std::move(slab));
  }
  return slabs;
}

bool stores_to(const onf::Pipeline& s, onf::ViewId view) {
  return std::ranges::any_of(s.stages, [&](const onf::Pipeline::Stage& stage) {
    return stage.nest.target == view ||
           std::ranges::any_of(stage.nest.also, [&](const onf::Nest::Output& output) {
             return output.target == view;
           });
  });
}

onf::Halo filled_of(const onf::Pipeline& s, onf::ViewId view) {
  onf::Halo halo;
  for (const onf::Pipeline::Ring& ring : s.rings) {
    if (ring.view == view) halo = ring.halo;
  }
  for (const onf::Pipeline::Fill& one : s.fills) {
    if (one.view == view) halo = one.halo;
  }
  return halo;
}

double FormRun::planar(const onf::Pipeline& s, const Slab& slab, onf::ViewId view,
                       const Index& index) {
  const std::int64_t q = index[0];
  if (const auto ring = slab.rings.find(view); ring != slab.rings.end()) {
    const Plane& plane = ring->second[std::size_t(euclid(q, std::ssize(ring->second)))];
    if (plane.number != q) throw std::logic_error("a ring holds another plane");
    return plane.elements[within_plane(index)];
  }
  if (stores_to(s, view) && !slab.has(q)) {
    return slab.seams.at(view).at(q)[within_plane(index)];
  }
  const std::size_t plane = std::size_t(euclid(q, shape_[0]) + module_.pad) * plane_size();
  return read_.at(view)->elements[plane + within_plane(index)];
}

// The pads of a plane that the halo names; the others are stale.
void FormRun::fill(double* plane, const onf::Halo& halo) const {
  Index low(shape_.size(), -module_.pad), high;
  for (const std::int64_t n : shape_) high.push_back(n + module_.pad);
  low[0] = 0;
  high[0] = 1;
  each(low, high, [&](const Index& index) {
    Index from = index;
    int outside = 0;
    bool held = true;
    for (std::size_t axis = 1; axis < index.size(); ++axis) {
      from[axis] = euclid(index[axis], shape_[axis]);
      outside += from[axis] != index[axis] ? 1 : 0;
      const onf::Margin margin = axis < halo.axes.size() ? halo.axes[axis] : onf::Margin{};
      held = held && index[axis] >= -margin.low && index[axis] < shape_[axis] + margin.high;
    }
    if (outside == 0) return;
    const bool known = held && (outside == 1 || halo.corners);
    plane[within_plane(index)] = known ? plane[within_plane(from)] : unset;
  });
}

// Adds the elements of the stage at the index, in the order of its outputs.
void FormRun::compute(const onf::Nest& nest, const Index& index, std::vector<double>& values) {
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    indices_[nest.indices[axis]] = index[axis];
  }
  for (const onf::Statement& statement : nest.body) step(std::get<onf::Let>(statement.form));
  values.push_back(value(nest.element));
  for (const onf::Nest::Output& output : nest.also) values.push_back(value(output.element));
}

void FormRun::run(const onf::Pipeline& s, Slab& slab, const Task& task) {
  const std::int64_t q = task.plane;
  const onf::Nest& nest = s.stages[task.stage].nest;
  std::vector<std::pair<onf::ViewId, const Expr*>> outputs = {{nest.target, &nest.element}};
  for (const onf::Nest::Output& o : nest.also) outputs.emplace_back(o.target, &o.element);
  std::vector<double*> to;
  for (const auto& [target, element] : outputs) {
    if (const auto ring = slab.rings.find(target); ring != slab.rings.end()) {
      Plane& plane = ring->second[std::size_t(euclid(q, std::ssize(ring->second)))];
      plane = {q, Elements(plane_size(), unset), {}};
      to.push_back(plane.elements.data());
    } else {
      const std::size_t at = std::size_t(q + module_.pad) * plane_size();
      to.push_back(slab.has(q) ? views_.at(target)->elements.data() + at : nullptr);
    }
  }
  Index low(shape_.size(), 0), high = shape_;
  low[0] = q;
  high[0] = q + 1;
  load_ = [&](onf::ViewId view, const Index& index) { return planar(s, slab, view, index); };
  for (const std::vector<Index>& group : groups(nest, low, high)) {
    std::vector<double> values;
    for (const Index& index : group) compute(nest, index, values);
    auto next = values.begin();
    for (const Index& index : group) {
      for (std::size_t k = 0; k < outputs.size(); ++k, ++next) {
        if (to[k] != nullptr) to[k][within_plane(index)] = *next;
      }
    }
  }
  load_ = nullptr;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (to[k] != nullptr) fill(to[k], filled_of(s, outputs[k].first));
  }
  fold_plane(s, nest, slab, q, 0, std::numeric_limits<std::int64_t>::max());
}

void FormRun::step(const onf::Pipeline& s) {
  read_ = views_;
  std::set<onf::ViewId> rings;
  for (const onf::Pipeline::Ring& ring : s.rings) rings.insert(ring.view);
  std::vector<onf::ViewId> targets;
  for (const onf::Pipeline::Stage& stage : s.stages) {
    if (!rings.contains(stage.nest.target)) targets.push_back(stage.nest.target);
    for (const onf::Nest::Output& output : stage.nest.also) {
      if (!rings.contains(output.target)) targets.push_back(output.target);
    }
  }
  for (const onf::RowFold& fold : s.folds) targets.push_back(fold.target);
  for (const onf::ViewId target : targets) written(target);
  if (s.teams) {
    run_teams(s, targets);
    read_.clear();
    return;
  }
  std::vector<Slab> slabs = slabs_of(s);
  std::vector<std::size_t> done(slabs.size(), 0);
  std::size_t left = 0;
  for (const Slab& slab : slabs) left += slab.work.size();
  while (left > 0) {
    const std::size_t k = random_() % slabs.size();
    if (done[k] == slabs[k].work.size()) continue;
    std::size_t count = 1;
    if (s.tiles) {
      count = run_tile(s, slabs[k], done[k]);
    } else {
      run(s, slabs[k], slabs[k].work[done[k]]);
    }
    done[k] += count;
    left -= count;
  }
  for (const onf::ViewId target : targets) {
    Block& block = *views_.at(target);
    const std::size_t pads = std::size_t(module_.pad) * plane_size();
    std::fill_n(block.elements.begin(), pads, unset);
    std::fill_n(block.elements.rbegin(), pads, unset);
    block.held = {};
    for (const onf::Pipeline::Fill& one : s.fills) {
      if (one.view == target) block.held = one.halo;
    }
  }
  read_.clear();
}

template <class Other>
void FormRun::step(const Other&) {
  throw std::logic_error("a statement that this machine does not know");
}

void FormRun::follow(const onf::Statements& body) {
  for (const onf::Statement& statement : body) {
    std::visit([this](const auto& form) { step(form); }, statement.form);
  }
}

std::vector<Elements> FormRun::run(const std::vector<Elements>& arguments, std::size_t number) {
  const onf::Function& function = module_.functions[number];
  function_ = &function;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (function.arguments[k].mode == term::Mode::out) continue;
    if (!function.arguments[k].view) {
      const onf::VariableId number = function.arguments[k].variable;
      numbers_[number] = arguments[k].at(0);
      indices_[number] = std::int64_t(arguments[k].at(0));
      continue;
    }
    auto block = fresh();
    each(Index(shape_.size(), 0), shape_, [&](const Index& index) {
      block->elements[place(index)] = arguments[k][place_given(index)];
    });
    if (!function.refills) refill(*block, pads_of(*function.arguments[k].view));
    views_[*function.arguments[k].view] = std::move(block);
  }
  follow(function.body);
  std::vector<Elements> results;
  for (const onf::Argument& argument : function.arguments) {
    results.emplace_back();
    if (!argument.view) continue;
    const Block& block = *views_.at(*argument.view);
    std::size_t size = 1;
    for (const std::int64_t n : shape_) size *= std::size_t(n);
    results.back().resize(size);
    each(Index(shape_.size(), 0), shape_, [&](const Index& index) {
      results.back()[place_given(index)] = block.elements[place(index)];
    });
  }
  return results;
}

}  // namespace rhopsi::schedule
