#include "tests/unit/schedule/machine.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace rhopsi::schedule {

namespace {

using onf::Expr;
using onf::ScalarFunction;

constexpr double unset = std::numeric_limits<double>::quiet_NaN();

std::int64_t euclid(std::int64_t a, std::int64_t n) { return ((a % n) + n) % n; }

}  // namespace

std::shared_ptr<Machine::Block> Machine::fresh() {
  std::size_t size = 1;
  for (const std::int64_t n : shape_) size *= std::size_t(n + 2 * module_.pad);
  auto block = std::make_shared<Block>(Block{Elements(size, unset), {}, count_});
  most_ = std::max(most_, std::size_t(count_.use_count() - 1));
  return block;
}

// Throws where the index is outside the block.
std::size_t Machine::place(const Index& index) const {
  std::size_t at = 0;
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    const std::int64_t padded = index[axis] + module_.pad;
    const std::int64_t length = shape_[axis] + 2 * module_.pad;
    if (padded < 0 || padded >= length) throw std::out_of_range("outside the block");
    at = at * std::size_t(length) + std::size_t(padded);
  }
  return at;
}

template <class Visit>
void Machine::each(const Index& low, const Index& high, const Visit& visit) const {
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

void Machine::stale_pads(Block& block) const {
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

void Machine::refill(Block& block, const onf::Halo& halo) const {
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

std::int64_t Machine::whole(const Expr& e) const {
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
                                                      : euclid(a, b);
    }
  }
}

double Machine::value(const Expr& e) {
  switch (e.kind) {
    case Expr::Kind::real:
      return e.real;
    case Expr::Kind::variable:
      return numbers_.at(e.variable);
    case Expr::Kind::load: {
      Index index;
      for (const Expr& operand : e.operands) index.push_back(whole(operand));
      return read_.at(e.view)->elements[place(index)];
    }
    case Expr::Kind::if_:
      return value(e.operands[0]) != 0 ? value(e.operands[1]) : value(e.operands[2]);
    default: {
      const double a = value(e.operands[0]);
      if (e.function == ScalarFunction::negate) return -a;
      const double b = value(e.operands[1]);
      return e.function == ScalarFunction::add        ? a + b
             : e.function == ScalarFunction::subtract ? a - b
             : e.function == ScalarFunction::multiply ? a * b
                                                      : double(a < b);
    }
  }
}

void Machine::step(const onf::Allocate& s) { views_[s.view] = fresh(); }

void Machine::step(const onf::Share& s) { views_[s.target] = views_.at(s.source); }

void Machine::step(const onf::Let& s) { numbers_[s.variable] = value(*s.value); }

void Machine::step(const onf::Refill& s) {
  Block& block = *views_.at(s.view);
  onf::Halo all{{}, true};
  all.axes.assign(shape_.size(), {module_.pad, module_.pad});
  if (!s.halo) return refill(block, all);
  bool known = block.held.corners || !s.halo->corners;
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    const onf::Margin held = block.held.axes.empty() ? onf::Margin{} : block.held.axes[axis];
    known = known && held.low >= s.halo->axes[axis].low && held.high >= s.halo->axes[axis].high;
  }
  if (!known) refill(block, *s.halo);
}

void Machine::step(const onf::Nest& s) {
  read_ = views_;
  std::vector<std::pair<onf::ViewId, const Expr*>> outputs = {{s.target, &s.element}};
  for (const onf::Nest::Output& output : s.also)
    outputs.emplace_back(output.target, &output.element);
  for (const auto& [target, element] : outputs) {
    std::shared_ptr<Block>& block = views_.at(target);
    // Others may have the block: two names, here and in what the nest sees, are this one's own.
    if (block.use_count() > 2) block = fresh();
    stale_pads(*block);
  }
  std::vector<Index> points;
  each(Index(shape_.size(), 0), shape_, [&](const Index& index) { points.push_back(index); });
  std::shuffle(points.begin(), points.end(), random_);
  for (const Index& index : points) {
    for (std::size_t axis = 0; axis < index.size(); ++axis) indices_[s.indices[axis]] = index[axis];
    for (const onf::Statement& statement : s.body) step(std::get<onf::Let>(statement.form));
    std::vector<double> values;
    for (const auto& [target, element] : outputs) values.push_back(value(*element));
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      views_.at(outputs[k].first)->elements[place(index)] = values[k];
    }
  }
  read_.clear();
}

template <class Other>
void Machine::step(const Other&) {
  throw std::logic_error("a statement that this machine does not know");
}

std::vector<Elements> Machine::run(const std::vector<Elements>& arguments) {
  const onf::Function& function = module_.functions[0];
  onf::Halo all{{}, true};
  all.axes.assign(shape_.size(), {module_.pad, module_.pad});
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (function.arguments[k].mode == term::Mode::out) continue;
    auto block = fresh();
    std::size_t at = 0;
    each(Index(shape_.size(), 0), shape_,
         [&](const Index& index) { block->elements[place(index)] = arguments[k][at++]; });
    if (!function.refills) refill(*block, all);
    views_[*function.arguments[k].view] = std::move(block);
  }
  for (const onf::Statement& statement : function.body) {
    std::visit([this](const auto& form) { step(form); }, statement.form);
  }
  std::vector<Elements> results;
  for (const onf::Argument& argument : function.arguments) {
    results.emplace_back();
    const Block& block = *views_.at(*argument.view);
    each(Index(shape_.size(), 0), shape_,
         [&](const Index& index) { results.back().push_back(block.elements[place(index)]); });
  }
  return results;
}

}  // namespace rhopsi::schedule
