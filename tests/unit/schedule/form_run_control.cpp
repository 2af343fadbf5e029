// Numbers, loops, branches and calls of a form.
#include <stdexcept>
#include <utility>

#include "tests/unit/schedule/form_run.hpp"

namespace rhopsi::schedule {

using onf::Expr;

void FormRun::set(onf::VariableId variable, const Expr& e) {
  if (e.type.scalar == onf::Scalar::int64) {
    indices_[variable] = whole(e);
  } else {
    numbers_[variable] = value(e);
  }
}

void FormRun::step(const onf::Assign& s) { set(s.variable, s.value); }

void FormRun::step(const onf::If& s) {
  const auto read = std::exchange(read_, views_);
  const bool holds = value(s.condition) != 0;
  read_ = read;
  follow(holds ? s.then : s.otherwise);
}

void FormRun::step(const onf::For& s) {
  const std::int64_t high = whole(s.high);
  for (std::int64_t k = whole(s.low); k < high; ++k) {
    indices_[s.index] = k;
    follow(s.body);
  }
}

void FormRun::step(const onf::Iterate& s) {
  const std::int64_t count = whole(s.count);
  for (std::int64_t k = 0; k < count; ++k) follow(s.body);
}

void FormRun::step(const onf::While& s) {
  const std::int64_t bound = whole(s.bound);
  for (std::int64_t k = 0; k < bound; ++k) {
    follow(s.before);
    if (value(s.condition) == 0) return;
    follow(s.body);
  }
}

void FormRun::step(const onf::Check& s) {
  if (value(s.condition) == 0) throw std::logic_error("a check fails");
}

void FormRun::step(const onf::Scope& s) { follow(s.body); }

// Arrays that are changed are the callee's own meanwhile, others are shared with it.
void FormRun::step(const onf::Call& s) {
  const onf::Function& callee = module_.functions[onf::number(s.call.callee)];
  std::map<onf::ViewId, std::shared_ptr<Block>> views;
  std::map<onf::VariableId, std::int64_t> indices;
  std::map<onf::VariableId, double> numbers;
  for (std::size_t k = 0; k < callee.arguments.size(); ++k) {
    const onf::Argument& argument = callee.arguments[k];
    const Expr& operand = s.call.operands[k];
    if (!argument.view) {
      if (operand.type.scalar == onf::Scalar::int64) {
        indices[argument.variable] = whole(operand);
      } else {
        numbers[argument.variable] = value(operand);
      }
    } else if (argument.mode == term::Mode::obs) {
      views[*argument.view] = views_.at(operand.view);
    } else if (argument.mode == term::Mode::upd) {
      views[*argument.view] = std::move(views_.at(operand.view));
    }
  }
  std::swap(views, views_);
  std::swap(indices, indices_);
  std::swap(numbers, numbers_);
  const onf::Function* caller = std::exchange(function_, &callee);
  follow(callee.body);
  function_ = caller;
  std::swap(views, views_);
  std::swap(indices, indices_);
  std::swap(numbers, numbers_);
  for (std::size_t k = 0; k < callee.arguments.size(); ++k) {
    const onf::Argument& argument = callee.arguments[k];
    if (!argument.view || argument.mode == term::Mode::obs) continue;
    views_[s.call.operands[k].view] = views.at(*argument.view);
  }
}

}  // namespace rhopsi::schedule
